"""What holds in every hand of every preset, in random play on a drawn pack."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    EVERYTHING,
    TABLE,
    Card,
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Facing,
    Have,
    IllegalActionError,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Phase,
    Player,
    Reveal,
    Stick,
    Undo,
    apply,
    deck,
    find_inconsistencies,
    legal_actions,
    new_table,
    view,
)
from engine.core.options import describe
from engine.games import catalog
from engine.games.counting_game import CountingGame
from tests.support import invariants, past_hands

pytestmark = pytest.mark.slow

CARD_GAMES = [game for game in catalog.all_games() if isinstance(game, CountingGame)]
CHOICES = [(game.name, preset.name) for game in CARD_GAMES for preset in game.presets]
VARIATIONS = [
    {},
    {"ace_value": "1or11", "tie_rule": "split"},
    {"ace_value": 11, "next_dealer": "recut"},
    {"dealer_wins_if_all_out": False, "late_31": "double", "next_dealer": "winner"},
    {"late_31": "single", "late_out": "at_showdown"},
    {"decks": 2, "deal_style": "rounds", "stake": 3},
]
RARE = {
    "misdeal": 0.02,
    "leave": 0.02,
    "undo": 0.08,
    "correct": 0.06,
    "declare": 0.1,
    "reveal": 0.1,
    "entry": 0.1,
}


class Walker:
    """Plays at random with real cards, some of which the camera does not read."""

    def __init__(self, seed: int, game: str, preset: str, options: dict[str, object]) -> None:
        self.rng = random.Random(seed)
        players = [Player(s, f"P{s}", 20 + s * 7 % 5) for s in range(self.rng.randint(2, 5))]
        dealer = self.rng.choice([None, *range(len(players))])
        known = {info.name: info.choices for info in describe(catalog.find(game).options_type)}
        options = {
            name: value
            for name, value in options.items()
            if name in known and known[name].allows(value)
        }
        self.state = new_table(game, players, dealer=dealer, preset=preset, options=options)
        self.blind = self.rng.choice([0.0, 0.0, 0.3, 0.9])
        self.held: dict[int, list[Card]] = {}
        self.pack = self.fresh()

    def fresh(self) -> list[Card]:
        pack = list(deck()) * self.state.setup.options.decks
        self.rng.shuffle(pack)
        return pack

    def truth(self, seat: int) -> tuple[Card, ...]:
        """The true cards of a hand, as the engine has counted and read them."""
        known = self.state.live_play.hand(seat).cards
        return tuple(
            card if card is not None else real
            for card, real in zip(known, self.held.get(seat, ()), strict=False)
        )

    def event(self, action):
        seat = action.seat
        match action.kind:
            case "cut":
                return Cut(seat, self.pack[len(self.state.round.cuts)])
            case "deal":
                card = self.pack[-1]
                unread = action.face is Facing.DOWN and self.rng.random() < self.blind
                return Deal(seat, None if unread else card, action.face, action.end)
            case "have":
                return Have(seat)
            case "stick":
                return Stick(seat)
            case "declare" if action.what is Claim.THIRTY_ONE:
                return Declare(seat, action.what, self.truth(seat))
            case "declare":
                return Declare(seat, action.what)
            case "reveal":
                return Reveal(seat, self.truth(seat))
            case "misdeal":
                return past_hands.misdeal(self.rng, self.state)
            case "entry":
                return past_hands.entry(self.rng, self.state)
            case "next_hand":
                return NextHand()
            case "leave":
                return Leave(seat)
            case "join":
                free = min(set(range(12)) - {p.seat for p in self.state.players})
                return Join(free, f"N{free}")
            case "undo":
                return Undo()
        earlier = past_hands.correction(self.rng, self.state)
        if earlier is not None and self.rng.random() < 0.5:
            return earlier
        play = self.state.round.play
        if play is None or not any(True for _ in play.seen()):
            was = self.rng.choice(self.state.round.last_cuts)
            return Correct(was[1], self.pack[0], was[0])
        hand = self.rng.choice([hand for hand in play.hands if any(hand.cards)])
        was = self.rng.choice([card for card in hand.cards if card is not None])
        return Correct(was, self.rng.choice(self.pack), hand.seat)

    def choose(self):
        found = legal_actions(self.state)
        likely = [a for a in found if self.rng.random() < RARE.get(a.kind, 1.0)]
        # Without an upper hand for going on, undo and leave would keep every hand short.
        return self.rng.choice(likely or list(found))

    def excused(self, event) -> set[str]:
        """The refusals that random play may meet although the action was listed.

        Its cards are not quite physical: an undone card goes nowhere, and a correction may name
        one that lies elsewhere. So a reading may be refused, for what it reads and nothing else.
        """
        if isinstance(event, Declare) and event.what is Claim.THIRTY_ONE:
            return {"FALSE_31", "DUPLICATE_CARD", "MISMATCH"}
        if isinstance(event, Reveal):
            return {"DUPLICATE_CARD", "MISMATCH"}
        if isinstance(event, Correct) and event.hand is not None:
            return {"DUPLICATE_CARD", "BAD_CORRECTION"}  # its end hung on a hand never shown
        return {"DUPLICATE_CARD"} if isinstance(event, Cut | Deal | Correct) else set()

    def steps(self, count: int):
        """Yield ``(before, event, after)`` for each accepted event."""
        for _ in range(count):
            action = self.choose()
            event = self.event(action)
            before = self.state
            try:
                after = apply(before, event)
            except IllegalActionError as refusal:
                if refusal.code not in self.excused(event):
                    raise
                self.rng.shuffle(self.pack)
                continue
            self.state = after
            if isinstance(event, NextHand):
                self.pack, self.held = self.fresh(), {}
            elif isinstance(event, Deal):
                self.held.setdefault(event.seat, []).append(self.pack.pop())
                if not self.pack:
                    return
            yield before, event, after


def walk(seed: int, choice: tuple[str, str], options: dict[str, object], count: int = 60):
    return Walker(seed, *choice, options).steps(count)


walks = given(st.integers(0, 10**6), st.sampled_from(CHOICES), st.sampled_from(VARIATIONS))
few = settings(max_examples=25, deadline=None)


@walks
@few
def test_no_play_ends_in_a_problem_and_tokens_sum_to_zero(seed, choice, options):
    for _, _, after in walk(seed, choice, options):
        assert find_inconsistencies(after) == ()
        assert sum(dict(after.ledger.entries).values()) == 0
        for hand in after.hands:
            assert sum(tokens for _, tokens in hand.settlement) == 0


@walks
@few
def test_folding_the_events_again_gives_the_same_state(seed, choice, options):
    walker = Walker(seed, *choice, options)
    invariants.folds_again(walker.state, walker.steps(60))


@walks
@few
def test_undo_is_the_inverse_of_everything_but_a_new_hand(seed, choice, options):
    invariants.undo_takes_back(walk(seed, choice, options))


@walks
@few
def test_apply_never_changes_its_argument(seed, choice, options):
    invariants.apply_changes_nothing(walk(seed, choice, options, count=30))


@walks
@few
def test_what_is_not_listed_is_refused(seed, choice, options):
    for _, _, state in walk(seed, choice, options, count=30):
        listed = {(a.kind, a.seat, a.what) for a in legal_actions(state)}
        tries = [Misdeal(), NextHand(), Undo()]
        for player in state.round.players:
            seat = player.seat
            tries += [Have(seat), Stick(seat), Leave(seat), Declare(seat, Claim.OUT)]
            if state.phase is Phase.PLAY:
                held = state.live_play.hand(seat)
                tries += [] if held.has_unread or held.shown else [Reveal(seat, held.cards)]
            fresh = (
                next(c for c in deck() if c not in set(state.round.play.seen()))
                if (state.round.play is not None)
                else Card.parse("AS")
            )
            tries += [Deal(seat, fresh, Facing.UP), Cut(seat, fresh)]
        for event in tries:
            key = (event.kind, getattr(event, "seat", None), getattr(event, "what", None))
            if key in listed or event.kind == "cut":
                continue
            with pytest.raises(IllegalActionError):
                apply(state, event)


@walks
@few
def test_the_view_of_the_table_never_depends_on_an_unshown_card(seed, choice, options):
    rng = random.Random(seed)
    for _, _, state in walk(seed, choice, options):
        play = state.round.play
        if play is None or state.phase is Phase.DONE:
            continue
        hands = tuple(
            hand
            if hand.shown
            else replace(
                hand,
                cards=tuple(
                    card if up else rng.choice([None, *deck()])
                    for card, up in zip(hand.cards, hand.up, strict=True)
                ),
            )
            for hand in play.hands
        )
        if state.phase is Phase.SHOWDOWN:  # who must show is public: keep what is unread unread
            hands = tuple(
                replace(
                    new,
                    cards=tuple(c and (n or c) for c, n in zip(old.cards, new.cards, strict=True)),
                )
                for old, new in zip(play.hands, hands, strict=True)
            )
        swapped = replace(state, round=replace(state.round, play=replace(play, hands=hands)))
        assert view(swapped, TABLE) == view(state, TABLE)
        for seat in view(state, TABLE).seats:
            own = next(hand for hand in play.hands if hand.seat == seat.seat)
            if not own.shown and not all(own.up):
                assert seat.total is None


def test_each_seat_sees_its_own_cards_and_no_others(sit, deal):
    state = sit(deal("KH 9D 5C", "TD 8S 7H"), seats=2)
    mine = view(state, 0)
    assert (mine.seat(0).total, mine.seat(1).total) == (24, None)
    assert mine.seat(1).cards == (None, None, None)
    assert view(state, EVERYTHING).seat(1).total == 25


def test_hands_are_public_at_the_end_but_not_after_a_misdeal(sit, deal):
    script = deal("KH 9D 5C", "TD 8S 7H")
    assert view(sit(script + " s0 s1", seats=2)).seat(0).total == 24
    assert view(sit(script + " misdeal", seats=2)).seat(0).cards == (None, None, None)

"""Hands that are shown late, thrown in, or never seen, judged a second time from the rule text.

The judge below reads OT-8 to OT-11, OT-16 to OT-19, OT-22 and G-17 again from the start. It looks
at a finished list of what happened and asks of each moment who was still in; it knows no engine.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import permutations
from math import inf
from typing import Any

import pytest

from engine import (
    Card,
    Claim,
    Deal,
    Declare,
    Facing,
    Have,
    IllegalActionError,
    Leave,
    Phase,
    Player,
    Reveal,
    State,
    Stick,
    apply,
    legal_actions,
    new_table,
    view,
)
from engine.table.state import payments_of

PLACES = [
    ("one-and-thirty", "willughby"),
    ("one-and-thirty", "davis"),
    ("one-and-thirty", "kerr"),
    ("bone-ace", "willughby"),
    ("bone-ace", "cotton"),
    ("bone-ace", "cotton-ace-one"),
    ("bone-ace", "handout"),
    ("bone-ace", "davis"),
    ("bone-ace", "ealdormere"),
]
EXTRAS: dict[str, list[Any]] = {
    "late_31": ["in_order", "in_order", "single", "double"],
    "late_out": ["in_order", "in_order", "at_showdown"],
    "dealer_wins_if_all_out": [True, True, False],
    "tie_rule": ["eldest", "eldest", "split"],
    "stake": [1, 3],
}
RANKS = "A23456789TJQK"


@dataclass
class Hand:
    """What is known of one hand in the end, each thing with the moment it happened."""

    cards: list[str] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    word: float = inf
    stuck: float = inf
    acted: float = inf

    def by(self, moment: float) -> list[str]:
        """The cards held then; ``??`` for one that nobody had read by then."""
        pairs = zip(self.cards, self.dealt, self.seen, strict=True)
        return [card if seen <= moment else "??" for card, dealt, seen in pairs if dealt <= moment]


@dataclass
class Judge:
    """One hand on paper: who sat there, what was agreed, and what happened."""

    options: Any
    dealer: int
    elders: list[int]
    happened: list[tuple[str, int, list[str], int | None]] = field(default_factory=list)

    def least(self, cards: list[str]) -> int:
        """OT-4, OT-25, G-6: no unread card is worth less than the least there is."""
        low = {1: 1, 11: 11, "1or11": 1}[self.options.ace_value]
        worth = {"A": low, "?": min(low, 2), "T": 10, "J": 10, "Q": 10, "K": 10}
        return sum(worth.get(card[0]) or int(card[0]) for card in cards)

    def is_31(self, cards: list[str]) -> bool:
        if "??" in cards:
            return False
        aces = sum(card[0] == "A" for card in cards)
        low = self.least(cards)
        highs = range(aces + 1) if self.options.ace_value == "1or11" else (0,)
        return any(low + 10 * high == 31 for high in highs)

    def best(self, cards: list[str]) -> int:
        aces = sum(card[0] == "A" for card in cards)
        highs = range(aces + 1) if self.options.ace_value == "1or11" else (0,)
        return max(t for t in (self.least(cards) + 10 * high for high in highs) if t <= 31)

    def facts(self) -> dict[int, Hand]:
        hands = {seat: Hand() for seat in self.elders}
        for moment, (what, seat, cards, _) in enumerate(self.happened):
            hand = hands[seat]
            if what == "card":
                hand.cards += cards
                # The first three cards count together, when the last of all was dealt.
                first = 3 * len(hands) - 1
                hand.dealt.append(max(moment, first))
                hand.seen.append(inf if cards == ["??"] else max(moment, first))
            if what in ("have", "stick"):
                hand.acted = min(hand.acted, moment)
            if what == "stick":
                hand.stuck = moment
            if what in ("out", "gone"):
                hand.word = moment
            if what in ("show", "out", "31") and cards:
                hand.seen = [min(seen, moment) for seen in hand.seen]
                hand.cards = list(cards)
        return hands

    def went_out(self, hand: Hand) -> float:
        """OT-17 and OT-18: when a hand went out; never is infinity."""
        late = self.options.late_out == "at_showdown"
        end = len(self.happened)
        if late:
            over = next((m for m in range(end) if self.least(hand.by(m)) > 31), inf)
            return min(over, hand.word)
        known = hand.by(end)
        for number, dealt in enumerate(hand.dealt):
            if dealt <= end and self.least(known[: number + 1]) > 31:
                return min(dealt, hand.word)
        if hand.word < inf and "??" in known and len(known) > 3:
            return hand.dealt[-1]
        return hand.word

    def had_31(self, hand: Hand) -> float:
        """OT-19: when an unclaimed 31 ended the hand."""
        if self.options.late_31 != "in_order":
            return inf
        known = hand.by(len(self.happened))
        found = (hand.dealt[n - 1] for n in range(3, len(known) + 1) if self.is_31(known[:n]))
        return next(found, inf)

    def claim(self, hands: dict[int, Hand]) -> tuple[float, int | None]:
        """OT-9, OT-16, OT-17: the moment of a claim of 31, a card that all see among them."""
        for moment, (what, seat, _, turn) in enumerate(self.happened):
            dealt = moment == 3 * len(hands) - 1
            if what == "card" and moment >= 3 * len(hands) - 1:
                for each in self.elders if dealt else [seat]:
                    if self.is_31(hands[each].by(moment)):
                        return moment, each
            own = turn == seat or (turn is not None and hands[seat].acted > moment)
            if what == "31" or (what == "show" and own and self.is_31(hands[seat].by(moment))):
                return moment, seat
        return inf, None

    def verdict(self) -> tuple[str, list[int], list[int]] | None:
        """How the hand ended, who won, and who was out by then; ``None`` while it goes on."""
        hands = self.facts()
        if any(len(hand.cards) < 3 for hand in hands.values()):
            return None
        out = {seat: self.went_out(hand) for seat, hand in hands.items()}
        exact = {seat: self.had_31(hand) for seat, hand in hands.items()}
        claimed_at, claimer = self.claim(hands)
        for moment in range(3 * len(hands) - 1, len(self.happened)):
            gone = sorted(seat for seat in hands if out[seat] <= moment)
            first = [s for s in self.elders if exact[s] == moment and out[s] > moment]
            if first or claimed_at == moment:
                winner = first[0] if first else claimer
                at = max(moment, claimed_at) if winner == claimer else moment
                return "thirty-one", [winner], sorted(s for s in hands if out[s] <= at)
            alive = [seat for seat in self.elders if seat not in gone]
            if not alive:
                return "all-out", [], gone
            last = alive[0]
            must_show = hands[last].stuck <= moment and "??" in hands[last].by(moment)
            must_play = (
                last == self.dealer
                and not self.options.dealer_wins_if_all_out
                and hands[last].stuck > moment
            )
            if len(alive) == 1 and not must_show and not must_play:
                waited = last == self.dealer and hands[last].acted > moment
                return "dealer-wins" if waited else "sole-survivor", [last], gone
        left = [seat for seat in self.elders if out[seat] == inf]
        held = {seat: hands[seat].by(len(self.happened)) for seat in left}
        if any(hands[seat].stuck == inf or "??" in held[seat] for seat in left):
            return None
        totals = {seat: self.best(held[seat]) for seat in left}
        best = [seat for seat in left if totals[seat] == max(totals.values())]
        winners = best if self.options.tie_rule == "split" else best[:1]
        return "showdown", winners, sorted(set(hands) - set(left))

    def stakes(self, end: str, winners: list[int]) -> int:
        """OT-10, OT-12, OT-19: how many stakes each loser pays."""
        if not self.options.double_on_31:
            return 1
        hands = self.facts()
        late = end == "showdown" and self.options.late_31 == "double"
        exact = late and self.is_31(hands[winners[0]].cards)
        return 2 if end == "thirty-one" or exact else 1


class Table:
    """Real cards, people who keep silent or speak, and a camera that misses much."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        game, preset = rng.choice(PLACES)
        options = {name: rng.choice(choices) for name, choices in EXTRAS.items()}
        if rng.random() < 0.3:
            options["ace_value"] = rng.choice([1, 11, "1or11"])
        seats = rng.choice([2, 2, 3, 3, 4, 5])
        people = [Player(seat, f"P{seat}", 20 + rng.randrange(4)) for seat in range(seats)]
        dealer = rng.randrange(seats)
        self.state = new_table(game, people, dealer=dealer, preset=preset, options=options)
        agreed = self.state.setup.options
        around = [(dealer + 1 + n) % seats for n in range(seats)]
        if agreed.eldest_means == "age":
            around.sort(key=lambda seat: -people[seat].age)
        self.judge = Judge(agreed, dealer, around)
        self.pack = [rank + suit for rank in RANKS for suit in "SHDC"]
        rng.shuffle(self.pack)
        self.held: dict[int, list[str]] = {seat: [] for seat in range(seats)}
        self.hidden = {seat: rng.random() < 0.8 for seat in range(seats)}
        self.wild = rng.choice([0.0, 0.03, 0.1])

    def cards(self, seat: int) -> tuple[Card, ...]:
        return tuple(Card.parse(card) for card in self.held[seat])

    def do(self, event: Any, what: str, cards: list[str]) -> None:
        turn = self.state.turn
        self.state = apply(self.state, event)
        self.judge.happened.append((what, event.seat, list(cards), turn))

    def give(self, seat: int, face: Facing | None) -> None:
        card = self.pack.pop()
        self.held[seat].append(card)
        up = face is Facing.UP
        hidden = not up and (self.hidden[seat] or self.rng.random() < 0.1)
        shown = None if hidden else Card.parse(card)
        self.do(Deal(seat, shown, face or Facing.DOWN), "card", ["??" if hidden else card])

    def throw_in(self, seat: int) -> None:
        how = self.rng.random()
        if how < 0.25:
            self.do(Leave(seat), "gone", [])
        elif how < 0.5:
            self.do(Declare(seat, Claim.OUT, self.cards(seat)), "out", self.held[seat])
        else:
            self.do(Declare(seat, Claim.OUT), "out", [])

    def show(self, seat: int) -> None:
        self.do(Reveal(seat, self.cards(seat)), "show", self.held[seat])

    def step(self) -> bool:
        """Let one thing happen; false when the hand is over and nobody shows any more."""
        rng, state = self.rng, self.state
        listed = {(action.kind, action.seat, action.what) for action in legal_actions(state)}
        shows = sorted(seat for kind, seat, _ in listed if kind == "reveal")
        if state.phase is Phase.DEAL:
            seat, face = state.setup.game.next_to_deal(state.live_play)
            self.give(seat, face)
        elif state.phase is Phase.DONE:
            if not shows or rng.random() < 0.2:
                return False
            self.show(rng.choice(shows))
        elif state.phase is Phase.SHOWDOWN:
            seat = rng.choice(shows)
            self.throw_in(seat) if rng.random() < 0.2 else self.show(seat)
        elif rng.random() < self.wild:
            outs = sorted(seat for _, seat, what in listed if what is Claim.OUT)
            shown = shows and rng.random() < 0.5
            self.show(rng.choice(shows)) if shown else self.throw_in(rng.choice(outs))
        else:
            self.turn(state)
        return True

    def turn(self, state: State) -> None:
        rng, seat = self.rng, state.turn
        assert seat is not None
        if state.live_play.asked:
            self.give(seat, None)
            return
        least = self.judge.least(self.held[seat])
        if self.judge.is_31(self.held[seat]) and rng.random() < 0.4:
            self.do(Declare(seat, Claim.THIRTY_ONE, self.cards(seat)), "31", self.held[seat])
        elif least > 31 and rng.random() < 0.3:
            self.throw_in(seat)
        elif least < rng.choice([20, 24, 27, 30, 33]) and self.pack:
            self.do(Have(seat), "have", [])
        else:
            self.do(Stick(seat), "stick", [])

    def told(self) -> tuple[str, list[int], list[int]] | None:
        last = self.state.outcome
        if last is None:
            return None
        return str(last.end), list(last.winners), list(last.out)


def check_money(table: Table) -> None:
    """The game's part of the settlement is what the judge's own arithmetic gives."""
    last, judge = table.state.outcome, table.judge
    assert last is not None
    bone = dict(last.bone.payments) if last.bone else {}
    options, losers = judge.options, [s for s in judge.elders if s not in last.winners]
    if getattr(options, "bone_effect", "") == "half_pot":
        return
    each = judge.stakes(str(last.end), list(last.winners)) * options.stake if last.winners else 0
    for seat in losers:
        assert dict(last.settlement)[seat] - bone.get(seat, 0) == -each


@pytest.mark.parametrize(
    "seeds",
    [range(100), pytest.param(range(100, 2100), marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_what_was_hidden_is_judged_as_the_rules_say(seeds):
    endings = set()
    for seed in seeds:
        table = Table(seed)
        while table.step():
            if seed % 4 and table.state.phase in (Phase.DEAL, Phase.PLAY):
                continue  # in every fourth hand each event is judged, else each that shows a hand
            found, wanted = table.told(), table.judge.verdict()
            if found is not None and wanted is not None:
                found, wanted = ((e, sorted(w), o) for e, w, o in (found, wanted))
            assert found == wanted, (seed, table.judge)
        check_money(table)
        assert table.state.outcome is not None
        play = table.state.live_play
        endings.add((table.state.outcome.end, play.late))
    if len(seeds) > 1000:
        assert {("dealer-wins", True), ("thirty-one", True)} <= endings


def test_it_does_not_matter_who_shows_first():
    many = 0
    for seed in range(200):
        table = Table(seed)
        options = table.judge.options
        if (options.late_31, options.late_out) != ("in_order", "in_order"):
            continue
        table.wild = 0.0
        while table.state.phase in (Phase.DEAL, Phase.PLAY):
            table.step()
        waiting = table.state.live_play.to_reveal()
        if not 2 <= len(waiting) <= 4:
            continue
        many += 1
        endings = {shown_in(table, order) for order in permutations(waiting)}
        assert len(endings) == 1, (seed, endings)
    assert many > 10


def shown_in(table: Table, order: tuple[int, ...]) -> tuple[Any, ...]:
    """Show all hands in that order; return how the hand ended."""
    state = table.state
    for seat in order:
        state = apply(state, Reveal(seat, table.cards(seat)))
    last = state.outcome
    assert last is not None
    return last.end, last.winners, last.out, last.settlement


def test_who_has_thrown_in_shows_nothing_after_the_end(sit, deal):
    script = deal("?? ?? ??", "?? ?? ??", "?? ?? ??") + " h0 0?? s0 h1 1?? s1 out2 out1"
    state = sit(script + " show0:KH,9D,5C,9H")
    assert (state.outcome.end, state.outcome.out) == ("dealer-wins", (0, 1))
    with pytest.raises(IllegalActionError) as refusal:
        apply(state, Reveal(2, tuple(map(Card.parse, ("QS", "6D", "2C")))))
    assert refusal.value.code == "SEAT_OUT"


def cards_of(codes: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, codes.split()))


def told(before: State, event: Any) -> list[str]:
    after = apply(before, event)
    story = before.setup.game.story
    return [str(line) for line in story.tell(event, view(before), view(after))]


def test_the_story_tells_what_the_order_decided(sit, deal):
    hidden = deal("?? ?? ??", "?? ?? ??")
    state = sit(hidden + " h0 0?? s0 h1 1?? s1", seats=2)
    over = told(state, Reveal(0, cards_of("TS TC 9D 4H")))
    assert over[1:4] == [
        "Ann is over thirty-one and out.",
        "All the others were out before Bess's turn: the hand had ended then.",
        "Bess wins.",
    ]
    exact = told(state, Reveal(1, cards_of("KH 9D 5C 7C")))
    assert exact[1:3] == ["Bess had thirty-one before that: the hand had ended then.", "Bess wins."]
    state = apply(state, Reveal(1, cards_of("KH 9D 5C 7C")))
    assert view(state).may_reveal == (0,)
    prompt = state.setup.game.prompt(view(state))
    assert str(prompt.title) == "Bess had 31 and wins", "nobody else had"
    assert str(prompt.detail).startswith("May still show: Ann.")
    earlier = told(state, Reveal(0, cards_of("KS 9C 5D 7D")))
    assert earlier[1:3] == ["Ann had thirty-one before that: the hand had ended then.", "Ann wins."]
    state = apply(state, Reveal(0, cards_of("KS 9C 5D 7D")))
    title = state.setup.game.prompt(view(state)).title
    assert str(title) == "Ann had 31 first and wins"


@pytest.mark.parametrize(
    ("held", "more", "ace_value", "may_be_31"),
    [
        ("?? ?? ??", "", 1, False),
        ("?? ?? ??", "", 11, True),
        ("2H 3H ??", "", 11, False),
        ("?? ?? ??", "h0 0??", 1, True),
        ("2H 3H 4H", "h0 0??", 1, False),
    ],
)
def test_ot19_only_a_hand_that_may_reach_31_is_asked_for_after_the_end(
    sit, deal, held, more, ace_value, may_be_31
):
    script = deal(held, "?? ?? ??") + f" {more} s0 h1 1?? show1:KH,9D,5C,7C"
    state = sit(script, seats=2, ace_value=ace_value)
    assert state.phase is Phase.DONE
    assert view(state).may_reveal == ((0,) if may_be_31 else ())
    late = {action.seat for action in legal_actions(state) if action.kind == "reveal"}
    assert late == ({0} if may_be_31 else set())
    held = state.live_play.hand(0).cards
    cards = tuple(card or rest for card, rest in zip(held, cards_of(REST), strict=False))
    shown = apply(state, Reveal(0, cards))
    assert view(shown).seat(0).shown, "it may be shown all the same"


REST = "2C 3C 4C 5D"


def test_payments_name_the_rule_of_the_order(sit, deal):
    hidden = deal("?? ?? ??", "?? ?? ??") + " h0 0?? s0 s1"
    exact = sit(hidden + " show0:KH,9D,5C,7C", seats=2)
    assert [paid.rules for paid in payments_of(exact)] == [("OT-9", "OT-10", "OT-19")]
    over = sit(hidden + " show0:KH,9D,5C,8C", seats=2)
    assert [paid.rules for paid in payments_of(over)] == [("OT-11", "OT-18")]


def test_a_hand_turned_up_in_play_hides_the_card_that_comes_after(sit, deal):
    state = sit(deal("KH 9D AC", "TD 8S 7H") + " show0:KH,9D,AC h0 06C", seats=2)
    mine = view(state).seat(0)
    assert ([str(card or "??") for card in mine.cards], mine.shown) == (
        ["KH", "9D", "AC", "??"],
        False,
    )

"""The players of every game: they finish it, they do not peek, and they know what they are told."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine import (
    EVERYTHING as EVERYBODYS,
)
from engine import Card, IllegalActionError, Phase, Player, apply, bots, deck, new_table, view
from engine.bots import player
from engine.core.errors import BoneAceError
from engine.core.events import Deal, Declare, Draw, Have, Knock, NextHand, Reveal, Stick
from engine.core.outcome import End
from engine.games import catalog
from engine.games.decision import Decision, Strategy, StrategyError, Style, actions_of
from engine.table.visibility import actions_for
from tests.support.game_driver import Driver

SECOND_HAS_31 = ("2S", "5D", "QC", "7H", "JH", "3C", "8S", "KH", "6D", "4S", "AH", "9D")
"""The deal from the end: three rounds of three cards, ace, king and jack to the second."""
STYLES = [str(style) for style in Style]
EVERYTHING = [(game.name, preset.name) for game in catalog.all_games() for preset in game.presets]
AGREED = {
    "one-and-thirty": [
        {"ace_value": "1or11", "tie_rule": "split"},
        {"decks": 2, "deal_style": "rounds", "next_dealer": "recut"},
        {"dealer_wins_if_all_out": False, "late_31": "double", "ace_value": 11},
    ],
    "bone-ace": [
        {"cap_double": "whole_hand", "ace_value": "1or11"},
        {"bone_effect": "half_pot", "tie_rule": "split", "decks": 2},
    ],
    "knucklebones": [
        {"extra_mode": "one_at_a_time", "banker_rule": "stand17", "tie": "push"},
        {"target": 31, "banker_must_roll": True, "banker_loses": "net"},
        {"max_extra": 0},
    ],
    "scat": [
        {"first_knock": "forbidden", "own_discard": "always", "return_discard": True},
        {"decks": 2, "three_kind": "value", "knock_tie": "both", "all_out": "split"},
        {"table": "switch", "swap_face": "same", "first_knock": "out_of_gate", "restart": False},
        {"table": "bus", "ranking": "brag", "blitz": False, "must_swap": True, "decks": 2},
        {"table": "widow", "scoring": "points", "lives": 0, "high_tie": "highest_card"},
    ],
}
VARIATIONS = [(game, changes) for game, some in AGREED.items() for changes in some]


def people(*styles: str, game: str) -> list[Strategy]:
    return [player(style, game) for style in styles]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("game", "preset"), EVERYTHING)
def test_every_player_finishes_every_game(game, preset, style):
    for blind in (0.0, 0.6):
        table = Driver(game, preset, people(*[style] * 3, game=game), seed=5, blind=blind)
        state = table.play_hand()
        assert len(state.hands) == 1
        assert table.decided


@pytest.mark.parametrize(("game", "changes"), VARIATIONS, ids=str)
def test_players_finish_whatever_is_agreed(game, changes):
    players = people(*STYLES, game=game)
    table = Driver(game, None, players, seed=1, blind=0.3, options=changes)
    state = table.play(3)
    assert len(state.hands) >= 3 or state.round.standing.over


@pytest.mark.parametrize("style", STYLES)
def test_a_match_is_played_to_its_end(style):
    table = Driver("scat", "eenendertigen", people(*[style] * 3, game="scat"), seed=2)
    state = table.play(200)
    assert state.round.standing.over
    assert state.round.standing.winner in (0, 1, 2)


def test_a_turn_made_void_by_a_dealt_31_gives_its_card_back():
    """California Quick: the first player draws, and a 31 from the deal is shown (rule CQ-5)."""
    players = people("cautious", "cautious", "bold", game="scat")
    table = Driver("scat", "california-quick", players, dealer=2)
    for card in map(Card.parse, SECOND_HAS_31):
        table.pack.remove(card)
        table.pack.append(card)
    state = table.play_hand()
    assert [event.kind for _, event in table.decided] == ["draw"]
    assert (str(state.outcome.end), state.outcome.winners) == ("blitz", (1,))
    assert [len(cards) for cards in table.held.values()] == [3, 3, 3]


def test_every_kind_of_decision_comes_up():
    """What no player ever decides would not be tested by any of these games."""
    seen = set()
    ones = {"extra_mode": "one_at_a_time"}
    for game, preset, options in [
        ("one-and-thirty", None, {}),
        ("knucklebones", None, {}),
        ("knucklebones", None, ones),
        ("scat", "banking", {}),
        ("scat", "switch", {}),
        ("scat", "stop-the-bus", {}),
    ]:
        for seed in range(4):
            players = people("cautious", "bold", "cautious", game=game)
            table = Driver(game, preset, players, seed=seed, blind=0.5, options=options)
            table.play(4)
            seen |= {event.kind for _, event in table.decided}
    wanted = "have stick declare reveal stake choose draw discard knock stand widow exchange swap"
    assert set(wanted.split()) | {"choose_hand", "restart"} <= seen


# --- no peeking -----------------------------------------------------------------------------------


class Swapping(Driver):
    """Asks everybody a second time, with other cards wherever they see a back."""

    asked = 0
    hidden = 0
    look = staticmethod(view)

    def ask(self, seat, mine):
        said = self.answer(self.state, seat, mine)
        for _ in range(2):
            other = swapped(self.state, seat, self.rng)
            again = self.answer(other, seat, actions_of(actions_for(other, seat), seat))
            assert again == said, (seat, said, again)
            self.asked += 1
            self.hidden += other.round.play != self.state.round.play
        return said

    def answer(self, state, seat, mine):
        seen, options = self.look(state, seat), state.setup.options
        hand, second = self.hand_of(seat), self.piles.get("second")
        return self.people[seat].decide(seen, mine, options, hand, second)


def swapped(state, seat, rng):
    """The same table with other cards under the backs that *seat* sees."""
    play = state.round.play
    hands = []
    for hand in play.hands:
        known = getattr(hand, "known", hand.up)
        if hand.seat == seat or hand.shown:
            known = [True] * len(hand.cards)
        pairs = zip(hand.cards, known, strict=True)
        cards = tuple(card if card is None or k else rng.choice(deck()) for card, k in pairs)
        hands.append(replace(hand, cards=cards))
    changes = {"hands": tuple(hands)}
    if hasattr(play, "piles"):
        changes["piles"] = tuple(
            (name, places if name == "second" and seat == play.dealer else hide(places, rng))
            for name, places in play.piles
        )
    return replace(state, round=replace(state.round, play=replace(play, **changes)))


def hide(places, rng):
    return tuple(
        place if place.up or place.card is None else replace(place, card=rng.choice(deck()))
        for place in places
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("game", "preset"), EVERYTHING)
def test_nobody_peeks(game, preset, style):
    table = Swapping(game, preset, people(style, "cautious", style, game=game), seed=3, blind=0.2)
    table.play_hand()
    assert table.asked
    assert table.hidden or game == "knucklebones"


def test_a_peeking_player_would_be_caught(monkeypatch):
    """The test above must be able to fail: here the view leaks, and a player makes use of it."""

    def sees_all(self, asked):
        if asked.may("stick") is None:
            return None
        odd = sum(seat.total or 0 for seat in asked.others) % 2
        return Have(asked.seat) if odd else Stick(asked.seat)

    def leak(state, seat):
        return view(state, EVERYBODYS)

    monkeypatch.setattr("engine.games.one_and_thirty.strategy.OneAndThirtyPlayer.answer", sees_all)
    table = Swapping("one-and-thirty", None, people("bold", "bold", game="bone-ace"), seed=1)
    table.look = leak
    with pytest.raises(AssertionError):
        table.play(10)


# --- what they are asked and told -----------------------------------------------------------------


def two(script=()):
    state = new_table("one-and-thirty", [Player(0, "A"), Player(1, "B")], dealer=1)
    for event in script:
        state = apply(state, event)
    return state


def dealt(*cards: str, unread: bool = False):
    """Deal these cards to seat 0, and some others to the dealer."""
    script = []
    for mine, other in zip(cards, ("2C", "3C", "9H"), strict=True):
        script.append(Deal(0, None if unread else Card.parse(mine)))
        script.append(Deal(1, Card.parse(other)))
    return two(script)


def ask(state, style, seat=0, hand=None):
    actions = actions_of(actions_for(state, seat), seat)
    return player(style, "one-and-thirty").decide(
        view(state, seat), actions, state.setup.options, hand
    )


def cards(*codes: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, codes))


def test_a_hidden_hand_must_be_told():
    state = dealt("KH", "9D", "5C", unread=True)
    with pytest.raises(StrategyError, match="tell them all of their own cards"):
        ask(state, "bold")
    assert ask(state, "cautious", hand=cards("KH", "9D", "5C")) == Stick(0)
    assert ask(state, "cautious", hand=cards("KH", "2D", "5C")) == Have(0)


def test_one_person_is_asked_at_a_time():
    state = dealt("KH", "9D", "5C", unread=True)
    both = (*actions_of(actions_for(state, 0), 0), *actions_of(actions_for(state, 1), 1))
    assert {action.seat for action in both} == {0, 1}, "seat 1 may claim 31 too"
    with pytest.raises(StrategyError, match="one person at a time"):
        player("bold", "one-and-thirty").decide(view(state, 0), both, state.setup.options)


def test_who_has_31_says_so_and_who_has_not_does_not():
    state = apply(dealt("KH", "9D", "5C", unread=True), Have(0))
    state = apply(state, Deal(0, None))
    full, short = cards("KH", "9D", "5C", "7S"), cards("KH", "9D", "5C", "6S")
    for style in STYLES:
        said = ask(state, style, hand=full)
        assert isinstance(said, Declare)
        assert said.cards == full
        assert apply(state, said).outcome.winner == 0
        assert not isinstance(ask(state, style, hand=short), Declare)


def test_who_is_over_says_so():
    state = apply(dealt("KH", "9D", "5C", unread=True), Have(0))
    state = apply(state, Deal(0, None))
    said = ask(state, "exact", hand=cards("KH", "9D", "5C", "8S"))
    assert apply(state, said).round.play.hand(0).out


def test_who_must_show_shows():
    state = dealt("KH", "9D", "5C", unread=True)
    for event in (Stick(0), Stick(1)):
        state = apply(state, event)
    hand = cards("KH", "9D", "5C")
    assert state.phase is Phase.SHOWDOWN
    assert ask(state, "bold", hand=hand) == Reveal(0, hand)


def test_nothing_is_said_where_nothing_is_asked():
    state = dealt("KH", "9D", "5C", unread=True)
    assert ask(state, "bold", seat=1) is None  # they may claim 31, but have 14
    with pytest.raises(IllegalActionError):
        apply(state, Stick(1))


def test_players_are_found_by_style_and_game():
    assert repr(player("bold", "thirty-one")) == "ScatPlayer('bold')"
    assert player("exact", "31").style is Style.EXACT
    with pytest.raises(StrategyError, match="did you mean 'cautious'"):
        player("cautios", "bone-ace")
    with pytest.raises(BoneAceError, match="unknown game"):
        player("bold", "tarock")


def test_cards_of_the_stock_are_left_to_the_dealer():
    table = Driver("scat", None, people(*["cautious"] * 3, game="scat"), seed=1)
    table.play_hand()
    drawn = [e for _, e in table.decided if isinstance(e, Draw) and e.source == "stock"]
    assert drawn
    assert all(event.card is None for event in drawn)
    assert any(isinstance(event, Knock) for _, event in table.decided)


def test_who_is_out_of_the_match_is_nobodys_elder() -> None:
    players = [Player(seat, f"P{seat}") for seat in range(4)]
    start = {"start": {"lives": {"0": 0}, "eliminated": [0]}}
    state = new_table("scat", players, dealer=3, preset="california-quick", start=start)
    seen = view(state, 1)
    asked = Decision(seen, state.setup.options, (), seen.seat(1), ())
    assert asked.elders == ()
    assert replace(asked, me=seen.seat(3)).elders == (1, 2)


def test_a_hand_that_begins_anew_is_dealt_without_the_cards_that_lie_open() -> None:
    players = [Player(seat, f"P{seat}") for seat in range(3)]
    begun_anew = 0
    for seed in range(30):
        state = new_table("scat", players, dealer=2, preset="switch")
        # The cautious restart whenever they may.
        table = bots.Driver(state, people(*["cautious"] * 3, game="scat"), random.Random(seed))
        while table.state.phase is not Phase.DONE:
            table.go_on()
        if table.state.outcome.end is not End.RESTART:
            continue
        begun_anew += 1
        table.do(NextHand())
        table.shuffle()
        lying = set(table.state.live_play.seen())
        assert len(lying) == 3
        assert not lying & set(table.pack)
        while table.state.phase is not Phase.DONE:
            table.go_on()
    assert begun_anew

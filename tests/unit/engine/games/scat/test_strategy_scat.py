"""What the players of Thirty-one do with given cards, and the model of the exact one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from engine import Card, Deal, Player, apply, deck, legal_actions, new_table, view
from engine.bots import player
from engine.core.events import (
    Accept,
    ChooseHand,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Facing,
    Keep,
    Knock,
    Pile,
    Renew,
    Source,
    Stand,
    SwapCards,
    TableHand,
    TurnUp,
    Widow,
)
from engine.games import catalog
from engine.games.decision import actions_of
from engine.games.scat.bots.opponents import Field, Rival, best_three, brag_ranks, max_of_four
from engine.games.scat.odds import HAND, starting_hand
from engine.games.scat.play import Place
from engine.games.scat.points import value
from engine.table.visibility import actions_for

WIKIPEDIA = catalog.make_options(catalog.find("scat"), catalog.find("scat").presets[0], {})


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def lay(preset: str, *hands: str, top: str = "2C", table: str = "", **options):
    """Deal these hands, seat 0 first; the others get what is left when none is named."""
    seats = len(hands)
    people = [Player(seat, f"P{seat}") for seat in range(seats)]
    state = new_table("scat", people, dealer=seats - 1, preset=preset, options=options)
    fixed, beside = [cards(hand) for hand in hands], list(cards(table))
    piles = {"banking": Pile.WIDOW, "stop-the-bus": Pile.TABLE, "stop-the-bus-plain": Pile.TABLE}
    for place in range(HAND):
        for seat in range(seats):
            state = apply(state, Deal(seat, fixed[seat][place]))
        if preset == "banking":
            state = apply(state, DealTo(Pile.WIDOW, beside.pop(0), Facing.DOWN))
    for card in beside:
        state = apply(state, DealTo(piles[preset], card, Facing.UP))
    return apply(state, TurnUp(Card.parse(top))) if preset not in list(piles)[1:] else state


def ask(state, style, seat=0):
    mine = actions_of(actions_for(state, seat), seat)
    return player(style, "scat").decide(view(state, seat), mine, state.setup.options)


# --- simple players -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "bold"), [("KS 9S 2H", False), ("KS AS 2H", True)])
def test_the_bold_knock_at_21_and_the_cautious_at_27(hand, bold):
    state = lay("wikipedia", hand, "2H 3D 4C" if "2H" not in hand else "3H 3D 4C")
    assert isinstance(ask(state, "bold"), Knock) is bold
    assert not isinstance(ask(state, "cautious"), Knock)
    rich = lay("wikipedia", "KS AS 6S", "2H 3D 4C")
    assert ask(rich, "cautious") == Knock(0)


def test_the_cautious_take_any_better_card_and_the_bold_only_four_points():
    state = lay("wikipedia", "KS 5S 2H", "3H 3D 4C", top="3S")
    assert ask(state, "cautious") == Draw(0, Source.DISCARD, Card.parse("3S"))
    assert ask(state, "bold") == Draw(0, Source.STOCK)
    state = lay("wikipedia", "KS 5S 2H", "3H 3D 4C", top="4S")
    assert ask(state, "bold") == Draw(0, Source.DISCARD, Card.parse("4S"))
    state = lay("wikipedia", "KS 5S 2H", "3H 3D 4C", top="4D")
    assert ask(state, "cautious") == Draw(0, Source.STOCK)


@pytest.mark.parametrize("style", ["cautious", "bold", "exact"])
def test_what_is_thrown_leaves_the_best_three(style):
    state = lay("wikipedia", "KS 5S 2H", "3H 3D 4C")
    state = apply(state, Draw(0, Source.STOCK, Card.parse("9S")))
    assert ask(state, style) == Discard(0, Card.parse("2H"))


@pytest.mark.parametrize("style", ["cautious", "bold", "exact"])
def test_the_card_just_taken_is_not_thrown_back(style):
    state = lay("wikipedia", "KS 5S 2H", "3H 3D 4C", top="9D")
    state = apply(state, Draw(0, Source.DISCARD, Card.parse("9D")))
    thrown = ask(state, style)
    assert thrown.card != Card.parse("9D")
    apply(state, thrown)


@pytest.mark.parametrize("style", ["cautious", "bold", "exact"])
def test_the_dealer_keeps_the_better_hand(style):
    state = new_table("scat", [Player(0, "A"), Player(1, "B")], dealer=0, preset="switch")
    for other, mine in zip(cards("2C 3C 4H"), cards("KS 9S 2H"), strict=True):
        state = apply(apply(state, Deal(1, other)), Deal(0, mine))
    for card in cards("AD KD 2S"):
        state = apply(state, DealTo(Pile.SECOND, card, Facing.DOWN, 0))
    for card in cards("5C 6C 7H"):
        state = apply(state, DealTo(Pile.MIDDLE, card, Facing.DOWN))
    assert ask(state, style) == ChooseHand(0, Keep.SECOND)


def switch_with(hand: str, open_a: str, open_b: str):
    """A table of Switch where both hands lie open; it is the turn of seat 1."""
    state = new_table("scat", [Player(0, "A"), Player(1, "B")], dealer=0, preset="switch")
    for mine, other in zip(cards(hand), cards("KC 9C 2H"), strict=True):
        state = apply(apply(state, Deal(1, mine)), Deal(0, other))
    for card in cards(open_a):
        state = apply(state, DealTo(Pile.SECOND, card, Facing.DOWN, 0))
    for card in cards(open_b):
        state = apply(state, DealTo(Pile.MIDDLE, card, Facing.DOWN))
    state = apply(state, ChooseHand(0, Keep.FIRST))
    play = state.round.play
    opened = play.with_pile("B", [Place(card, up=True) for card in cards(open_b)])
    return replace(state, round=replace(state.round, play=opened))


def test_where_nothing_helps_a_hand_of_switch_is_renewed():
    state = switch_with("KS 8S 5S", "2D 3D 4H", "2C 3H 4C")
    assert value(cards("KS 8S 5S")) == 23  # too little for the cautious
    assert ask(state, "cautious", 1) == Renew(1, TableHand.B, (), Facing.UP)
    state = switch_with("KS 8S 2S", "2D 3D 4H", "3C 3H 4C")
    renewal = ask(state, "bold", 1)
    assert renewal == Renew(1, TableHand.B, (), Facing.DOWN)
    state = apply(state, replace(renewal, cards=cards("AH KH 7D")))
    blind = ask(state, "bold", 1)
    assert isinstance(blind, Exchange)
    assert blind.hand is TableHand.B


def test_a_hand_of_switch_is_swapped_for_a_better_one():
    state = switch_with("KS 8D 2C", "AD KD QD", "2S 3H 4C")
    for style in ("cautious", "bold", "exact"):
        said = ask(state, style, 1)
        assert said.hand is TableHand.A
        assert said.kind == "swap"


def test_a_poor_hand_goes_for_the_whole_widow_if_one_is_bold():
    state = lay("banking", "2S 3D 4C", "5H 6D 7C", table="AS KS QS")
    said = ask(state, "bold")
    assert isinstance(said, Widow)
    assert len(said.take) == HAND
    assert not isinstance(ask(state, "cautious"), Widow)


def test_in_brag_the_best_swap_is_found():
    state = lay("stop-the-bus", "KS KD 2C", "5H 6D 8C", table="KH 9C 3D")
    for style in ("cautious", "exact"):
        assert ask(state, style) == SwapCards(0, cards("2C"), cards("KH"))
    assert ask(state, "bold") == Knock(0)  # a pair will do


def test_who_cannot_make_his_hand_better_stops_the_bus():
    state = lay("stop-the-bus", "AS KD JC", "5H 6D 9C", table="2H 4C 7D")
    for style in ("cautious", "bold", "exact"):
        assert ask(state, style) == Knock(0)


def test_after_a_swap_the_bus_is_stopped_in_the_same_turn():
    state = lay("stop-the-bus-plain", "KS KD 2C", "5H 6D 8C", table="KH 9C 3D")
    state = apply(state, SwapCards(0, cards("2C"), cards("KH")))
    assert state.turn == 1
    for style in ("cautious", "bold", "exact"):
        assert ask(state, style) == Knock(0)


def test_in_his_last_turn_the_exact_player_stands_where_no_card_helps():
    state = lay("stop-the-bus", "KS KD KH", "5H 6D 8C", table="2H 9C 3D")
    state = apply(state, Knock(0))
    state2 = lay("stop-the-bus", "5H 6D 8C", "KS KD KH", table="2H 9C 3D")
    state2 = apply(state2, Knock(0))
    assert ask(state2, "exact", 1) == Stand(1)
    assert isinstance(ask(state, "exact", 1), SwapCards)


# --- Switch restarted -----------------------------------------------------------------------------


def at_restart(mine: str, other: str):
    state = switch_with(mine, "2D 3D 4H", "2C 3C 5H")
    play = state.round.play
    hands = tuple(
        replace(hand, cards=cards(mine if hand.seat == 1 else other)) for hand in play.hands
    )
    state = replace(state, round=replace(state.round, play=replace(play, hands=hands)))
    return apply(apply(state, Knock(1)), Stand(0))


def test_the_exact_player_restarts_only_if_it_saves_a_life():
    low = at_restart("KS 9S 3S", "AH KH 9H")
    assert ask(low, "exact", 1).kind == "restart"
    high = at_restart("KS AS 7S", "KH QH 3H")
    assert ask(high, "exact", 1) is None
    assert ask(high, "cautious", 1).kind == "restart"
    assert ask(low, "bold", 1) is None
    alone = tuple(action for action in legal_actions(high) if action.seat is None)
    assert player("bold", "scat").decide(view(high), alone, high.setup.options) == Accept()


# --- the model of the exact player ----------------------------------------------------------------


def field(*rivals: Rival, unseen=None, options=WIKIPEDIA) -> Field:
    return Field(rivals, deck() if unseen is None else unseen, options)


def suits(unseen) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(Field((), unseen, WIKIPEDIA)._suits.values()))


def test_without_a_turn_others_hold_what_the_odds_say():
    seen = cards("AS KS 2H 7D")
    left = [card for card in deck() if card not in seen]
    first = best_three(suits(left))[0]
    exact = starting_hand(seen)
    for most in range(32):
        assert first[most] == pytest.approx(float(1 - exact.over(most)), abs=1e-12)


def test_after_turns_others_hold_the_best_three_of_what_they_saw():
    """Counted over all sets of cards of a small pack."""
    pack = cards("AS KS 9S 2S AH 7H 3H KD QD 4C 5C")
    for turns in (0, 1, 2):
        best = [
            max(value(three) for three in combinations(held, HAND))
            for held in combinations(pack, HAND + turns)
        ]
        table = best_three(suits(pack))[turns]
        for most in range(32):
            share = sum(1 for each in best if each <= most) / len(best)
            assert table[most] == pytest.approx(share, abs=1e-12)


def test_one_more_draw_is_followed_card_by_card():
    rng = Random(4)
    for _ in range(20):
        hand = rng.sample(deck(), HAND)
        unseen = [card for card in deck() if card not in hand]
        against = field(Rival(1.0, (), False), unseen=unseen)
        plainly = sum(
            against.stayed(max_of_four(tuple(hand), card, WIKIPEDIA), 2) for card in unseen
        )
        assert against.drawn(tuple(hand)) == pytest.approx(plainly / len(unseen))


def test_cards_seen_to_be_taken_make_a_hand_no_worse():
    known = Rival(0.0, cards("AS KS"), False)
    below, level = field(known).chances(0, 20, 0)
    assert (below, level) == (0, 0)
    below, level = field(known).chances(0, 21, 0)
    assert below == 0
    assert level > 0.5


def test_the_knocker_has_no_more_turns():
    waits, knocker = Rival(1.0, (), False), Rival(1.0, (), True)
    both = field(waits, knocker)
    assert both.chances(0, 20, 1)[0] < both.chances(1, 20, 1)[0]
    assert both.chances(1, 20, 1) == both.chances(1, 20, 0)


def test_a_better_hand_is_worth_more_and_a_knock_with_a_bad_one_costs_two():
    against = field(Rival(1.0, (), False), Rival(1.0, (), False))
    worths = [against.knocked(mine, 1) for mine in range(5, 31)]
    assert worths == sorted(worths)
    assert against.knocked(2, 1) == pytest.approx(-2, abs=0.05)
    assert against.stayed(2, 1) == pytest.approx(-1, abs=0.05)
    assert against.blitz() == 1


def test_worth_in_tokens_and_points():
    scat = catalog.find("scat")
    ante = catalog.make_options(scat, catalog.find_preset(scat, "banking"), {"ante": 2})
    against = field(Rival(0.0, (), False), options=ante)
    assert against.knocked(31, 0) == pytest.approx(4, abs=0.01)
    assert against.blitz() == 5  # two antes of 2, and one token more
    points = catalog.make_options(scat, catalog.find_preset(scat, "no-elimination"), {})
    against = field(Rival(0.0, (), False), Rival(0.0, (), False), options=points)
    assert against.knocked(30, 0) == pytest.approx(4, abs=0.02)
    assert against.knocked(2, 0) == pytest.approx(0, abs=0.02)
    assert against.stayed(2, 0) == pytest.approx(1, abs=0.02)
    assert against.blitz() == 6


def test_brag_hands_are_ranked_among_all():
    ranks = brag_ranks("top", True)
    assert max(ranks.values())[1] == 1
    assert min(ranks.values())[0] == 0
    share = sum(upto - less for rank, (less, upto) in ranks.items() if rank[0] == 5)
    assert share == pytest.approx(52 / 22100)


def test_the_exact_player_knocks_early_with_a_good_hand_and_not_with_a_bad_one():
    good = lay("wikipedia", "9S 8S 6S", "3H 3D 4C", "6H 6D 7C")
    assert ask(good, "exact") == Knock(0)
    bad = lay("wikipedia", "AS 5H 7D", "3H 3D 4C", "6H 6D 7C")
    assert isinstance(ask(bad, "exact"), Draw)

"""What the fold refuses at the edges of a hand: the cut, the deal, and what belongs to others."""

import pytest

from engine import (
    Card,
    Correct,
    Cut,
    Deal,
    IllegalActionError,
    Misdeal,
    NextHand,
    PackEnd,
    Player,
    apply,
    new_table,
)
from engine.core.events import DealTo, Pile

PLAYERS = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]


def refused(state, event):
    with pytest.raises(IllegalActionError) as refusal:
        apply(state, event)
    return refusal.value.code


def handed(preset):
    """All three have their three cards, and nothing lies in the middle yet."""
    state = new_table("scat", PLAYERS, dealer=2, preset=preset)
    for _ in range(3):
        for seat in range(3):
            state = apply(state, Deal(seat, None))
    return state


def test_sc3_cards_of_thirty_one_come_from_the_top_of_the_pack():
    state = new_table("scat", PLAYERS, dealer=2)
    assert refused(state, Deal(0, None, end=PackEnd.BOTTOM)) == "WRONG_END"
    assert apply(state, Deal(0, None, end=PackEnd.TOP)).round.play.hand(0).cards == (None,)


def test_sw1_only_the_dealer_has_a_second_hand():
    state = handed("switch")
    assert refused(state, DealTo(Pile.SECOND, None, seat=0)) == "WRONG_DEAL_ORDER"
    assert apply(state, DealTo(Pile.SECOND, None, seat=2)).events[-1].seat == 2


def test_nobody_lays_stakes_for_the_next_round_of_thirty_one():
    state = apply(handed("wikipedia"), Misdeal("dropped"))
    assert refused(state, NextHand(((0, 2),))) == "WRONG_PHASE"
    assert apply(state, NextHand()).outcome is None


def test_g10_a_card_that_nobody_cut_cannot_be_put_right():
    state = new_table("one-and-thirty", PLAYERS, dealer=None)
    for seat, code in ((0, "KH"), (1, "QH"), (2, "2C")):
        state = apply(state, Cut(seat, Card.parse(code)))
    jack, five = Card.parse("JH"), Card.parse("5H")
    assert refused(state, Correct(jack, five)) == "BAD_CORRECTION"
    assert refused(state, Correct(Card.parse("KH"), five, 1)) == "BAD_CORRECTION"
    mended = apply(state, Correct(Card.parse("KH"), Card.parse("AH"), 0))
    assert state.round.dealer == 2
    assert mended.round.dealer == 0, "the lowest card deals, and the king was an ace"

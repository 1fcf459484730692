"""The word "I'm out" and discards that nobody read, rule by rule (G-17, SC-27, SC-28)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import EVERYTHING, Card, Correct, IllegalActionError, SeatStatus, apply, view
from engine.core.payments import PaymentReason
from engine.games.catalog import find
from engine.table.state import payments_of
from tests.support.scat_notation import PLAIN, go_on, hand, now, sit

UNREAD = dict.fromkeys((0, 1, 2), "?? ?? ??")
LAID = {"second": "TD 4D 2S", "middle": "AC 7C 6C"}


def test_g17_when_a_hand_may_be_thrown_in():
    state = sit("", {}, seats=[0, 1, 2], dealer=2)
    state = go_on(state, "out0!WRONG_PHASE 0?? out0!WRONG_PHASE")
    state = sit("out1 out1!SEAT_OUT show1:KS,KD,KC!WRONG_PHASE k1!SEAT_OUT", UNREAD)
    state = go_on(state, "k0 s2 show0:KH,QH,2C out0!NOT_YOUR_TURN out1!SEAT_OUT")
    state = go_on(state, "out2:9S,8S!MISMATCH out2:9S,KH,3H!DUPLICATE_CARD out2:9S,8S,3H")
    assert (hand(state)["end"], hand(state)["lost"]) == ("showdown", {1: 1, 2: 1})
    go_on(state, "out0!WRONG_PHASE")


def test_sc27_the_card_drawn_stays_with_the_hand_and_the_turn_is_finished():
    state = sit("0<4C out0 1+?? 1-2D", UNREAD)
    assert (now(state)["turn"], now(state)["top"], now(state)["stock"]) == (2, "2D", 41)
    assert len(state.live_play.hand(0).cards) == 4
    assert view(state).seat(0).status is SeatStatus.OUT


def test_sc27_what_a_hand_thrown_in_was_worth_is_told_to_nobody():
    state = sit("out1", PLAIN)
    assert [seat.total for seat in view(state, EVERYTHING).seats] == [20, None, 17]
    assert [seat.thrown_in for seat in view(state).seats] == [False, True, False]


def test_sc27_with_the_last_card_of_the_stock_the_round_is_a_draw():
    hands = {seat: "?? ?? ??" for seat in range(7)}
    turns = " ".join(f"{seat}+?? {seat}-??" for seat in (0, 1, 2, 3, 4, 5, 6, 0, 1))
    state = sit(f"{turns} 2+?? out2", hands, preset="eenendertigen", up="7C")
    assert (hand(state)["end"], hand(state)["lost"]) == ("draw", {})


def test_sc27_one_hand_left_ends_the_round_also_with_the_last_card_of_the_stock():
    hands = {0: "?? ?? ??", 1: "?? ?? ??"}
    turns = " ".join(f"{number % 2}+?? {number % 2}-??" for number in range(24))
    state = sit(f"{turns} 0+?? out0", hands, preset="eenendertigen", up="7C")
    assert (hand(state)["end"], hand(state)["lost"]) == ("showdown", {0: 1})


def test_sc27_the_turn_of_another_player_is_void_when_one_hand_is_left():
    state = sit("0+?? out1", {0: "KH QH 2C", 1: "?? ?? ??"})
    assert hand(state)["values"] == {0: 20, 1: None}


def test_sc27_the_payment_names_the_rule():
    state = sit("k0 s1 s2 out0 out1", UNREAD, knock_tie="both")
    paid = {each.payer: (each.amount, each.cause, each.rules) for each in payments_of(state)}
    assert paid == {
        0: (2, PaymentReason.THROWN_IN, ("SC-27", "CQ-1")),
        1: (1, PaymentReason.THROWN_IN, ("SC-27", "CQ-1")),
    }


def test_sc27_a_31_that_is_called_makes_the_turn_void_but_not_the_word():
    state = sit("0+?? out1 claim2:AS,KS,TS", UNREAD)
    assert hand(state)["lost"] == {0: 1, 1: 1}
    assert [len(held.cards) for held in state.live_play.hands] == [3, 3, 3]


def test_sc27_the_first_player_of_california_throws_in_instead_of_knocking():
    state = sit("out0", {0: "KH 7H 2C", 1: "AD KD QD", 2: "9S 8S 3H"}, preset="california-quick")
    assert (hand(state)["end"], hand(state)["winners"]) == ("blitz", [1])


def test_sw8_a_hand_thrown_in_cannot_restart():
    hands = {0: "AH KH 9H", 1: "5D 6D 7S", 2: "9S 8S 3H"}
    script = "keep2:first k0 s1 s2"
    state = sit(script, hands, preset="switch", **LAID)
    assert now(state)["may_restart"] == [0]
    state = sit("keep2:first out0 k1 s2", hands, preset="switch", **LAID)
    assert hand(state)["lost"] == {0: 1}
    state = sit("keep2:first out1 out2", hands, preset="switch", **LAID)  # ends at once
    assert (hand(state)["end"], hand(state)["lost"]) == ("showdown", {1: 1, 2: 1})


def test_g17_who_has_thrown_in_may_leave_and_is_out_of_the_match():
    state = sit("out1 leave1 k0 s2", PLAIN)
    assert hand(state)["lost"] == {2: 1}
    assert state.round.standing.eliminated == (1,)


def test_sc28_an_unread_discard_is_asked_for_and_taken_unread():
    state = sit("0+?? 0-??", UNREAD)
    assert (now(state)["top"], view(state).middle.top_is_unread) == ("??", True)
    assert "Lay the top discard" in str(find("scat").prompt(view(state)).detail)
    state = go_on(state, "1< 1-??")  # one of the others that nobody has read
    assert state.live_play.hand(1).cards == (None, None, None)


def test_sc28_a_discard_read_only_as_it_is_taken():
    state = sit("0+?? 0-?? 1<4C!DUPLICATE_CARD 1<KS 1-KS!RETURNED_DISCARD 1-2D", UNREAD)
    assert str(state.live_play.hand(1).cards[2]) == "KS"


def test_sc16_the_unread_card_just_taken_may_not_go_straight_back():
    read = {**UNREAD, 1: "5D 6D 7S"}
    state = sit("0+?? 0-?? 1< 1-??!RETURNED_DISCARD 1-9H!RETURNED_DISCARD 1-5D", read)
    assert state.live_play.hand(1).cards[-1] is None
    sit("0+?? 0-?? 1< 1-??", read, return_discard=True)


def test_sc28_a_hand_that_is_all_known_lays_no_unread_card():
    sit("0+3S 0-??!UPCARD_UNREADABLE 0-3S", PLAIN)


def test_sc28_a_discard_is_named_later():
    state = sit("0+?? 0-2C 1+?? 1-?? k2 0<", UNREAD)
    bad = "name1.0:4C!DUPLICATE_CARD name1.1:7S!BAD_CORRECTION"
    state = go_on(state, f"{bad} name0.0:7S!BAD_CORRECTION name8.0:7S!UNKNOWN_SEAT name1.0:7S")
    assert str(view(state).seat(0).known[0]) == "7S"
    assert "Bess laid the seven of spades." in told(state)
    go_on(state, "name1.0:8S!BAD_CORRECTION undo name1.0:8S")


def told(state):
    before = go_on(state, "undo")
    return [str(line) for line in find("scat").story.tell(state.log[-1], view(before), view(state))]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("7S", ""),
        ("KH", ""),
        ("9H", "DUPLICATE_CARD"),
        ("3D", "MISMATCH"),
        ("5D", "DUPLICATE_CARD"),
    ],
)
def test_sc28_a_name_must_fit_what_was_seen_since(name, code):
    state = sit("0+?? 0-2C 1+?? 1-?? k2 0< 0-9H s1 show0:KH,7S,QH show1:5D,6D,8D", UNREAD)
    go_on(state, f"name1.0:{name}" + (f"!{code}" if code else ""))


def test_sc28_a_named_discard_may_make_a_31_that_ended_the_round():
    hands = {0: "?? ?? ??", 1: "KS TS 2C", 2: "?? ?? ??"}
    state = go_on(sit("0+?? 0-?? 1< 1-2C 2+?? 2-3C", hands), "name0.0:AS")
    assert (hand(state)["end"], hand(state)["winners"]) == ("blitz", [1])


def test_sc28_a_discard_of_an_earlier_hand_is_named_too():
    state = sit("0+?? 0-2C 1+?? 1-?? k2 0< 0-9H s1 show0:KH,7S,QH show1:5D,6D,8D", UNREAD)
    state = go_on(state, "show2:9S,8S,3H next")
    wrong = Correct(None, Card.parse("3D"), 1, discard=0, hand=1)
    with pytest.raises(IllegalActionError, match="is not among"):
        apply(state, wrong)
    after = apply(state, replace(wrong, card=Card.parse("7S")))
    assert [record["lost"] for record in (hand(state), hand(after))] == [{2: 2}, {2: 2}]
    with pytest.raises(IllegalActionError, match="no unread discard"):
        apply(after, replace(wrong, card=Card.parse("KH")))

"""Putting things right in Thirty-one, coming and going (G-8 to G-17, SC-25, SC-26)."""

from __future__ import annotations

import pytest

from engine import Card, IllegalActionError, legal_actions
from engine.games.scat.settlement import payments
from tests.support.scat_notation import PLAIN, go_on, hand, match, now, sit

DUEL = {0: "KH QH 2C", 1: "5D 6D 7S"}
LOST_TO_0 = "k0 s1 s2"


def held(state, seat):
    return [str(card) for card in state.round.play.hand(seat).cards]


# --- corrections ----------------------------------------------------------------------------------


def test_g10_a_card_is_followed_from_hand_to_discard_to_hand():
    state = sit("0+9H 0-2C 1<2C 1-7S 2<7S 2-3H fix:2C>3C")
    assert held(state, 0) == ["KH", "QH", "9H"]
    assert held(state, 1) == ["5D", "6D", "3C"]
    assert now(state)["turn"] == 0
    state = go_on(state, "0+2C 0-2C")  # the real one may come now
    assert now(state)["top"] == "2C"


@pytest.mark.parametrize("seat", ["", "0", "1"])
def test_g10_any_seat_that_held_it_may_be_named(seat):
    state = sit(f"0+9H 0-2C 1<2C 1-7S fix{seat}:2C>3C")
    assert held(state, 1) == ["5D", "6D", "3C"]


def test_g10_the_taking_named_no_card():
    state = sit("0+9H 0-2C 1< 1-7S fix:2C>3C")
    assert held(state, 1) == ["5D", "6D", "3C"]


def test_g10_the_turn_up_and_a_card_drawn_unread_can_be_put_right():
    assert now(sit("fix:4C>5C"))["top"] == "5C"
    state = sit("0+?? 0-9H fix:9H>9C", {**PLAIN, 0: "KH ?? ??"})
    assert now(state)["top"] == "9C"


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("fix:AS>9C", "BAD_CORRECTION"),  # never read
        ("fix1:2C>9C", "BAD_CORRECTION"),  # not theirs
        ("fix0:4C>9C", "BAD_CORRECTION"),  # on the discard, and never in a hand
        ("fix:2C>KH", "DUPLICATE_CARD"),
        ("fix:2C>4C", "DUPLICATE_CARD"),
        ("fix5:2C>9C", "UNKNOWN_SEAT"),
        ("fix:??>9C", "BAD_CORRECTION"),
        ("fix:2C>??", "BAD_CORRECTION"),
    ],
)
def test_g10_corrections_that_cannot_be(word, code):
    sit(f"{word}!{code}")


def test_g9_a_correction_keeps_to_the_pack():
    hands = {0: "KH QH 7C", 1: "8D 9D 7S"}
    sit("fix:7C>2C!NOT_IN_DECK fix:7C>8C", hands, deck=32, up="9C")


def test_g10_a_correction_that_makes_a_blitz_ends_the_round_there():
    state = sit("0+9H 0-2C 1+8D 1-7S fix0:9H>AH k2!WRONG_PHASE")
    found = hand(state)
    assert (found["winners"], found["values"]) == ([0], {0: 31, 1: 11, 2: 17})
    assert now(state)["stock"] == 41  # seat 1's turn is void
    state = go_on(state, "fix0:AH>9H")
    assert (now(state)["phase"], now(state)["turn"], now(state)["stock"]) == ("play", 2, 40)


def test_g10_a_correction_that_unmakes_a_blitz_lets_the_round_go_on():
    state = sit("0+AH 0-2C fix:AH>9H")
    assert (now(state)["phase"], now(state)["turn"]) == ("play", 1)


def test_g10_a_call_that_was_not_true_is_void():
    state = sit("claim1:AS,KS,TS fix1:TS>9D", {**PLAIN, 1: "?? ?? ??"})
    assert (now(state)["phase"], now(state)["turn"]) == ("play", 0)
    assert held(state, 1) == ["None", "None", "None"]


def test_g12_after_the_payment_the_result_is_made_again():
    state = sit(f"{LOST_TO_0}", start={"lives": {"1": 0}})
    assert hand(state)["eliminated"] == [1]
    state = go_on(state, "fix1:7S>KD")
    assert hand(state)["lost"] == {2: 1}
    assert (hand(state)["eliminated"], hand(state)["lives"]) == ([], {0: 3, 1: 0, 2: 2})
    state = go_on(state, "undo undo")
    assert (now(state)["phase"], now(state)["turn"]) == ("play", 2)
    go_on(state, "s2 next fix:7S>KD!BAD_CORRECTION undo!NOTHING_TO_UNDO")


def test_g12_a_match_won_by_a_misreading_goes_on():
    state = sit("k0 s1", DUEL, start={"lives": {"1": 0}})
    assert match(state)["winner"] == 0
    state = go_on(state, "fix:7S>KD fix:6D>QD")
    assert match(state) is None
    assert hand(state)["lost"] == {0: 2}


def test_g12_who_left_after_the_round_stays_away():
    state = sit(f"{LOST_TO_0} leave1 fix:3H>JS")
    assert hand(state)["values"] == {0: 20, 1: 11, 2: 27}
    assert now(go_on(state, "next 2KH 0QH"))["phase"] == "deal"
    assert [player.seat for player in state.players] == [0, 2]


def test_g10_with_two_packs_the_seat_is_named_and_only_his_card_changes():
    hands = {0: "9H KH 2C", 1: "9H 6D 7S", 2: "9S 8S 3H"}
    state = sit("fix:9H>8H!BAD_CORRECTION fix1:9H>8H", hands, decks=2)
    assert (held(state, 0)[0], held(state, 1)[0]) == ("9H", "8H")


def test_g10_with_two_packs_the_right_one_of_two_is_followed():
    hands = {0: "9H KH 2C", 1: "9H 6D 7S", 2: "9S 8S 3H"}
    state = sit("0+3C 0-9H 1+4S 1-9H 2<9H 2-8S", hands, decks=2)
    # seat 2 holds the one that was seat 1's; seat 0's lies on the discard
    first = go_on(state, "fix0:9H>TH")
    assert (held(first, 2), now(first)["top"]) == (["9S", "3H", "9H"], "8S")
    assert [str(thrown.card) for thrown in first.round.play.discards] == ["4C", "TH", "8S"]
    for seat in (1, 2):
        other = go_on(state, f"fix{seat}:9H>TH")
        assert held(other, 2) == ["9S", "3H", "TH"]
        assert [str(thrown.card) for thrown in other.round.play.discards] == ["4C", "9H", "8S"]


def test_g10_with_two_packs_a_card_shown_is_the_card_held():
    hands = {0: "9H ?? ??", 1: "9H 6D 7S"}
    state = sit("k0 s1 show0:KH,9H,2C fix0:9H>9C", hands, decks=2)
    assert sorted(held(state, 0)) == ["2C", "9C", "KH"]
    assert held(state, 1)[0] == "9H"


def test_g8_two_packs_take_a_card_twice_and_no_third_time():
    hands = {0: "9H KH 2C", 1: "9H 6D 7S"}
    state = sit("0+9H!DUPLICATE_CARD 0+KH 0-2C", hands, decks=2)
    assert now(state)["stock"] == 104 - 6 - 1 - 1


def test_g8_one_pack_takes_no_card_twice_wherever_it_lies():
    sit("0+KH!DUPLICATE_CARD 0+7S!DUPLICATE_CARD 0+4C!DUPLICATE_CARD 0+9H")


# --- misdeal and undo -----------------------------------------------------------------------------


@pytest.mark.parametrize("script", ["", "0+9H", "k0 s1"])
def test_g13_a_misdeal_costs_nothing_and_the_same_dealer_deals(script):
    state = sit(f"{script} misdeal", start={"lives": {"1": 0, "2": 1}})
    found = hand(state)
    assert (found["end"], found["next_dealer"], found["lost"]) == ("misdeal", 2, {})
    assert (found["lives"], found["county"]) == ({0: 3, 1: 0, 2: 1}, [1])
    state = go_on(state, "0-9H!WRONG_PHASE misdeal!WRONG_PHASE next 0KH")
    assert now(state)["phase"] == "deal"


def test_g13_in_the_deal_and_before_the_turn_up():
    assert hand(sit("0KH misdeal", {}, seats=[0, 1], dealer=1))["end"] == "misdeal"
    assert hand(sit("0KH 15D 0QH 16D 02C 17S misdeal", {}, seats=[0, 1], dealer=1))["winners"] == []


def test_g14_undo_takes_back_step_by_step():
    state = sit("0+9H 0-2C undo")
    assert (now(state)["turn"], now(state)["stock"], now(state)["top"]) == (0, 41, "4C")
    state = go_on(state, "1+3S!NOT_YOUR_TURN 0-9H undo undo")
    assert (now(state)["turn"], now(state)["stock"]) == (0, 42)


# --- leaving and joining --------------------------------------------------------------------------


def test_sc26_who_leaves_in_mid_round_is_out_and_the_rest_play_on():
    state = sit("0+3C 0-3C leave1 1+9D!SEAT_OUT leave1!SEAT_OUT k2 s0")
    found = hand(state)
    assert (found["values"], found["lost"]) == ({0: 20, 1: None, 2: 17}, {2: 2})
    assert (found["lives"][1], found["eliminated"]) == (3, [])
    assert now(go_on(state, "next 2KH 1QH!UNKNOWN_SEAT"))["dealer"] == 0


def test_sc26_his_unfinished_turn_is_void():
    state = sit("0<4C leave0")
    assert (now(state)["turn"], now(state)["top"], now(state)["stock"]) == (1, "4C", 42)


def test_sc26_a_departed_knockers_knock_stands_without_penalty():
    hands = {**PLAIN, 0: "2H 3D 4S"}
    state = sit("k0 leave0 s1 s2", hands)
    found = hand(state)
    assert (found["knocker"], found["lost"]) == (0, {1: 1})
    assert found["values"] == {0: None, 1: 11, 2: 17}


def test_sc26_who_waits_for_his_last_turn_may_leave():
    state = sit("k0 leave2 s1")
    assert (hand(state)["lost"], hand(state)["end"]) == ({1: 1}, "showdown")
    state = sit("k0 s1 leave2")  # the last turn falls away
    assert hand(state)["lost"] == {1: 1}


def test_sc26_the_last_one_left_wins_the_match():
    state = sit("leave0 leave2")
    found = hand(state)
    assert (found["end"], found["winner"], found["lost"]) == ("walkover", 1, {})
    assert (found["next_dealer"], found["values"]) == (None, {0: None, 1: 11, 2: None})
    assert match(state) == {"over": True, "winner": 1, "settlement": {0: -3, 1: 6, 2: -3}}
    go_on(state, "next!MATCH_OVER")


def test_who_acts_after_the_end_is_told_to_begin_the_next_hand():
    with pytest.raises(
        IllegalActionError, match=r"now: the hand is over; begin the next hand first"
    ):
        go_on(sit("leave2 leave0"), "k1")


def test_g17_the_last_one_left_takes_the_pot_by_that_rule():
    play = sit("leave0 leave2", preset="banking", widow="AC KC 4D").round.play
    (won,) = [each for each in payments(play) if each.payee == 1]
    assert won.rules == ("G-17",)


def test_sc26_a_survivor_in_mid_turn_keeps_his_three_cards():
    found = hand(sit("0+AH leave1 leave2"))
    assert (found["end"], found["values"][0]) == ("walkover", 20)


def test_sc26_leaving_between_hands_gives_the_buy_in_up():
    state = sit(f"{LOST_TO_0} leave0")
    assert hand(state)["next_dealer"] == 1
    state = go_on(state, "leave1")
    assert match(state) == {"over": True, "winner": 2, "settlement": {0: -3, 1: -3, 2: 6}}
    assert hand(state)["next_dealer"] is None
    go_on(state, "next!MATCH_OVER")


def test_sc26_leaving_at_the_showdown_is_leaving():
    state = sit("k0 s1 s2 show2:9S,8S,3H leave1", {**PLAIN, 1: "?? ?? ??", 2: "?? ?? ??"})
    assert (hand(state)["lost"], hand(state)["values"][1]) == ({2: 1}, None)


def test_sc26_who_left_before_a_misdeal_stays_out_of_the_match():
    state = sit("leave1 misdeal")
    assert hand(state)["lives"] == {0: 3, 1: 3, 2: 3}
    state = go_on(state, "leave0")
    assert match(state)["winner"] == 2


def test_g17_nobody_leaves_before_the_first_turn():
    sit("leave1!WRONG_PHASE", {}, seats=[0, 1, 2], dealer=2)
    sit("0KH 15D 0QH 16D 02C 17S leave1!WRONG_PHASE", {}, seats=[0, 1], dealer=1)


def test_g15_nobody_joins_a_match_that_has_begun():
    state = sit(f"join4!JOIN_NOT_NOW {LOST_TO_0} join4!JOIN_NOT_NOW join1!JOIN_NOT_NOW")
    assert "join" not in {action.kind for action in legal_actions(state)}


def test_g16_if_the_next_dealer_leaves_the_deal_goes_on_to_the_left():
    assert hand(sit(f"{LOST_TO_0} leave0"))["next_dealer"] == 1


def test_who_is_out_may_go_home_between_hands():
    state = sit(f"{LOST_TO_0} leave1", start={"lives": {"1": 0}})
    assert match(state) is None
    assert [player.seat for player in state.players] == [0, 2]


def test_an_unknown_seat_comes_first():
    sit("k7!UNKNOWN_SEAT 7+9H!UNKNOWN_SEAT leave7!UNKNOWN_SEAT")


def test_seen_cards_are_everywhere_a_card_was_read():
    state = sit("0<4C 0-2C leave1")
    seen = {str(card) for card in state.round.play.seen()}
    assert seen == {"KH", "QH", "4C", "5D", "6D", "7S", "9S", "8S", "3H", "2C"}
    assert Card.parse("AS") not in seen

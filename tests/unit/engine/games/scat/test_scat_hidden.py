"""Thirty-one with hands that the camera cannot see (G-6, G-7, G-20, SC-11, SC-13, SC-23, SC-24)."""

from __future__ import annotations

from engine import EVERYTHING, TABLE, Card, Claim, legal_actions, view
from engine.table.visibility import actions_for
from tests.support.scat_notation import PLAIN, go_on, hand, now, sit

UNREAD = {0: "?? ?? ??", 1: "?? ?? ??", 2: "?? ?? ??"}


def kinds(state):
    """What may come next, without the word that anybody may say at any time (SC-27)."""
    found = legal_actions(state)
    return {(action.kind, action.seat) for action in found if action.what is not Claim.OUT}


# --- drawing and throwing unseen ------------------------------------------------------------------


def test_sc23_drawn_cards_are_unread_discards_are_read():
    state = sit("0+?? 0-2C 1+?? 1-7S k2 0<7S 0-9H s1", UNREAD)
    assert now(state)["to_reveal"] == [0, 1, 2]
    state = go_on(state, "show1:5D,6D,9H!DUPLICATE_CARD show1:5D,6D,8D")
    state = go_on(state, "show0:KH,QH,8C!MISMATCH show0:KH,7S,QH show2:9S,8S,3H")
    assert hand(state)["values"] == {0: 20, 1: 19, 2: 17}


def test_sc23_a_card_that_lies_elsewhere_cannot_be_thrown_from_a_hidden_hand():
    state = sit("0+?? 0-4C!DUPLICATE_CARD 0-2C 1+?? 1-2C!DUPLICATE_CARD 1-7S", UNREAD)
    assert now(state)["top"] == "7S"


def test_g9_a_card_that_is_not_in_the_pack_cannot_be_thrown_either():
    state = sit("0+?? 0-2C!NOT_IN_DECK 0-7S", UNREAD, deck=32, up="9C")
    assert now(state)["top"] == "7S"


def test_sc23_a_card_taken_from_the_discard_is_known_and_stays_known():
    state = sit("0<4C 0-2C 1+3S 1-3S 2+5C 2-5C 0+?? 0-4C", UNREAD)
    assert (now(state)["top"], state.round.play.hand(0).cards) == ("4C", (None, None, None))


def test_g20_the_showing_is_in_any_order_and_complete():
    state = sit("k0 s1 s2 show0:KH,QH!MISMATCH show0:KH,QH,??!MISMATCH", UNREAD)
    state = go_on(state, "show0:KH,QH,4C!DUPLICATE_CARD show0:KH,KH,2C!DUPLICATE_CARD")
    state = go_on(
        state, "show0:2C,KH,QH show0:2C,KH,QH!NOT_YOUR_TURN show1:KH,6D,7S!DUPLICATE_CARD"
    )
    state = go_on(state, "next!WRONG_PHASE show2:9S,8S,3H show1:5D,6D,7S")
    assert hand(state)["lost"] == {1: 1}


def test_sc7_known_hands_need_not_be_shown():
    state = sit("k0 s1 s2", {**PLAIN, 1: "5D ?? 7S"})
    assert now(state)["to_reveal"] == [1]
    state = go_on(state, "show0:KH,QH,2C!NOT_YOUR_TURN show1:7S,5D,6D")
    assert hand(state)["values"][1] == 11


def test_a_reveal_before_the_end_is_refused():
    sit("show0:KH,QH,2C!WRONG_PHASE", UNREAD)


# --- calling 31 -----------------------------------------------------------------------------------


def test_sc24_a_blitz_is_called_by_anybody_not_in_mid_turn():
    state = sit("claim1:5D,6D,7S!FALSE_31 claim1:AS,KS,TS", UNREAD)
    found = hand(state)
    assert (found["end"], found["winners"]) == ("blitz", [1])
    assert found["values"] == {0: None, 1: 31, 2: None}
    assert found["lost"] == {0: 1, 2: 1}


def test_sc24_in_mid_turn_the_discard_comes_first():
    state = sit("0+?? claim0:AS,KS,TS!MUST_DISCARD claim0:AS,KS,TS,2C!MUST_DISCARD", UNREAD)
    assert hand(go_on(state, "0-2C claim0:AS,KS,TS"))["winners"] == [0]


def test_sc24_after_a_knock_it_is_too_late():
    state = sit("k0 claim1:AS,KS,TS!ALREADY_KNOCKED s1 claim1:AS,KS,TS!ALREADY_KNOCKED s2", UNREAD)
    state = go_on(state, "claim1:AS,KS,TS!WRONG_PHASE show1:AS,KS,TS show0:KH,QH,2C show2:9S,8S,3H")
    assert (hand(state)["end"], hand(state)["lost"]) == ("showdown", {2: 1})


def test_sc24_g20_a_call_holds_what_is_known_and_nothing_from_elsewhere():
    state = sit("0<4C 0-2C claim0:AS,KS,TS!MISMATCH claim1:AC,KC,4C!DUPLICATE_CARD", UNREAD)
    assert now(state)["phase"] == "play"


def test_sc11_another_players_unfinished_turn_is_void_and_his_card_goes_back():
    state = sit("0+9D claim1:AS,KS,TS", {**PLAIN, 1: "?? ?? ??"})
    assert (now(state)["stock"], now(state)["top"]) == (42, "4C")
    assert hand(state)["values"] == {0: 20, 1: 31, 2: 17}
    state = sit("0<4C claim1:AS,KS,TS", {**PLAIN, 1: "?? ?? ??"})
    assert (now(state)["stock"], now(state)["top"]) == (42, "4C")


def test_sc11_the_card_in_the_air_cannot_be_in_the_hand_called():
    sit("0+AS claim1:AS,KS,TS!DUPLICATE_CARD", {**PLAIN, 1: "?? ?? ??"})


def test_no_calls_where_31_is_not_the_goal():
    state = sit("claim0:AS,KS,TS!WRONG_PHASE", UNREAD, blitz=False)
    assert "declare" not in {kind for kind, _ in kinds(state)}
    assert "declare" in {kind for kind, _ in kinds(sit("", UNREAD))}


def test_sc13_of_two_hidden_31s_on_the_deal_both_are_safe():
    """One is called first; the other counts too as long as nobody has finished a turn."""
    state = sit("claim1:AS,KS,TS claim2:AD,KD,QD", UNREAD)
    assert (hand(state)["winners"], hand(state)["lost"]) == ([1, 2], {0: 1})
    state = sit("claim2:AS,KS,TS claim1:AD,KD,QD", UNREAD, double_blitz="eldest_only")
    assert (hand(state)["winners"], hand(state)["lost"]) == ([1], {0: 1, 2: 1})


def test_sc13_but_not_once_a_turn_has_been_finished():
    state = sit("0+?? 0-2C claim1:AS,KS,TS claim2:AD,KD,QD!WRONG_PHASE", UNREAD)
    assert hand(state)["winners"] == [1]
    state = sit("claim1:AS,KS,TS leave2 claim0:AD,KD,QD!WRONG_PHASE", UNREAD)
    assert hand(state)["winners"] == [1]


def test_sc17_31_with_the_last_stock_card_may_still_be_called():
    """Their discard ends the round before they can say a word, and a blitz is no draw."""
    small = {seat: "?? ?? ??" for seat in range(9)}
    cards = ["7S", "8S", "9S"]
    turns = " ".join(f"{n}+?? {n}-{card}" for n, card in enumerate(cards))
    state = sit(f"{turns} 3+?? 3-TS", small, deck=32, max_players=9, up="AS")
    assert hand(state)["end"] == "draw"
    assert ("declare", 3) in kinds(state)
    assert ("declare", 2) not in kinds(state)
    state = go_on(state, "claim2:AD,KD,QD!WRONG_PHASE claim3:AD,KD,9D!FALSE_31 claim3:AD,KD,QD")
    assert (hand(state)["end"], hand(state)["winners"]) == ("blitz", [3])
    assert hand(go_on(state, "undo"))["end"] == "draw"


def test_ne15_with_points_the_others_show_before_they_are_ranked():
    state = sit("claim0:KH,QH,AH", UNREAD, preset="no-elimination")
    assert (now(state)["phase"], now(state)["to_reveal"]) == ("showdown", [1, 2])
    state = go_on(state, "claim2:AD,KD,QD show1:5D,6D,7S")  # their 31 on the deal counts too
    assert hand(state)["gained"] == {0: 6, 1: 1, 2: 6}
    state = sit("claim0:KH,QH,AH", UNREAD, preset="no-elimination", blitz_others="zero")
    assert hand(state)["gained"] == {0: 6, 1: 0, 2: 0}


def test_legal_actions_list_a_call_where_31_can_still_be():
    state = sit("", {0: "KH ?? ??", 1: "5D 6D ??", 2: "AS ?? KS"}, up="AH")
    assert ("declare", 0) not in kinds(state)  # the ace of hearts lies on the discard
    assert ("declare", 1) not in kinds(state)
    assert ("declare", 2) in kinds(state)
    two = sit("", {0: "KH ?? ??", 1: "5D 6D ??", 2: "AS ?? KS"}, up="AH", decks=2)
    assert ("declare", 0) in kinds(two)


# --- what is public -------------------------------------------------------------------------------


def test_g7_the_table_sees_stock_discard_knocker_lives_and_cards_taken_openly():
    state = sit("0<4C 0-2C 1+8D 1-7S k2", PLAIN, start={"lives": {"1": 0, "2": 1}})
    seen = view(state, TABLE)
    assert (seen.middle.stock, str(seen.middle.discard_top), seen.middle.knocker) == (41, "7S", 2)
    assert [str(card) for card in seen.seat(0).known] == ["4C"]
    assert seen.seat(1).known == ()
    assert [seat.cards for seat in seen.seats] == [(None,) * 3] * 3
    assert [(seat.total, seat.value) for seat in seen.seats] == [(None, None)] * 3
    assert [seat.match.lives for seat in seen.seats] == [3, 0, 1]
    assert [seat.match.on_county for seat in seen.seats] == [False, True, False]
    assert (seen.match.pot, seen.match.over) == (9, False)


def test_g7_a_card_thrown_is_no_longer_known_to_be_held():
    state = sit("0<4C 0-2C 1+3S 1-3S 2+5S 2-5S 0+6S 0-4C")
    assert view(state).seat(0).known == ()


def test_g7_a_player_sees_his_own_value_and_no_other():
    state = sit("0+AH", {**PLAIN, 1: "9D 9H 9C"}, three_kind="rank", up="7C")
    assert (view(state, 0).seat(0).total, view(state, 0).seat(0).value) == (31, 31)
    assert (view(state, 1).seat(1).total, view(state, 1).seat(1).value) == (None, 30.5)
    assert view(state, 1).seat(0).value is None
    assert view(state, EVERYTHING).seat(2).value == 17


def test_g7_all_hands_are_open_at_the_end():
    seen = view(sit("k0 s1 s2"))
    assert [seat.value for seat in seen.seats] == [20, 11, 17]
    assert all(seat.shown for seat in seen.seats)
    assert (seen.result.end, seen.result.winners) == ("showdown", ())


def test_g7_no_prompt_for_the_table_tells_a_hidden_card():
    state = sit("0<4C", PLAIN)
    (mine,) = [a for a in actions_for(state, 0) if a.kind == "discard"]
    assert {str(card) for card in mine.give} == {"KH", "QH", "2C"}
    (public,) = [a for a in actions_for(state, TABLE) if a.kind == "discard"]
    assert (public.give, public.unread) == ((), 3)
    state = go_on(state, "0-2C 1+3S 1-3S 2+5S 2-5S 0+6S")
    (public,) = [a for a in actions_for(state, TABLE) if a.kind == "discard"]
    assert (public.give, public.unread) == ((Card.parse("4C"),), 3)


def test_g7_a_call_may_be_prompted_wherever_the_table_cannot_tell():
    state = sit("", PLAIN)
    assert not [a for a in legal_actions(state) if a.what is Claim.THIRTY_ONE]
    calls = {a.seat for a in actions_for(state, TABLE) if a.what is Claim.THIRTY_ONE}
    assert calls == {0, 1, 2}
    assert {a.seat for a in actions_for(state, 0) if a.what is Claim.THIRTY_ONE} == {1, 2}


def test_sc24_no_late_call_once_somebody_has_come_or_gone():
    """The match is over and its winner has left: it is not opened again without them."""
    county = {"lives": {"1": 0, "2": 0}}
    state = sit("claim0:AS,KS,QS", UNREAD, start=county)
    assert state.round.standing.over
    late = go_on(state, "claim2:AH,KH,QH")
    assert not late.round.standing.over, "both held a dealt 31, so two are left (SC-13)"
    gone = go_on(state, "leave0 claim2:AH,KH,QH!WRONG_PHASE next!MATCH_OVER")
    assert gone.round.standing == state.round.standing
    back = go_on(state, "leave0 undo claim2:AH,KH,QH")
    assert back.round.standing == late.round.standing


def test_g16_a_hand_needs_two_who_are_still_in_the_match():
    state = sit("k0 s1 s2", scoring="points", lives=0, buy_in=0)
    state = go_on(state, "leave1 leave2 next!NOT_ENOUGH_PLAYERS")
    assert ("next_hand", None) not in kinds(state)

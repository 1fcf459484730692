"""Switch: two hands on the table (SW-1 to SW-10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import TABLE, legal_actions, view
from engine.games.scat.prompts import prompt
from tests.support.scat_notation import go_on, hand, match, now, sit

HANDS = {0: "KH QH 2C", 1: "5D 6C 7S", 2: "9S 8S 3H"}
LAID = {"preset": "switch", "second": "TD 4D 2S", "middle": "3C KC 4H"}
UNREAD = {"preset": "switch", "second": "?? ?? ??", "middle": "?? ?? ??"}
BLIND = {0: "?? ?? ??", 1: "?? ?? ??", 2: "?? ?? ??"}


def held(state, seat):
    return [str(card) for card in state.round.play.hand(seat).cards]


# --- the deal and the choice ----------------------------------------------------------------------


def test_sw1_three_each_a_second_hand_for_the_dealer_and_one_in_the_middle():
    script = (
        "z:TD!WRONG_DEAL_ORDER B:TD!WRONG_DEAL_ORDER w:TD!WRONG_PHASE 0KH 15D 0QH 16C 02C 17S "
        "z:TD z:4D B:3C B:KC z:2S z:9C!TOO_MANY_CARDS up:4C!WRONG_PHASE B:4H"
    )
    state = sit(script, {}, seats=[0, 1], dealer=1, preset="switch")
    assert (now(state)["phase"], now(state)["stock"]) == ("choose", 52 - 6 - 6)
    assert now(state)["table_B"] == ["back"] * 3
    assert now(state)["table_A"] == []


def test_sw1_the_second_hand_is_the_dealers():
    hands = "0KH 15D 0QH 16C 02C 17S"
    state = sit(hands, {}, seats=[0, 1], dealer=1, preset="switch")
    assert {str(a.pile) for a in legal_actions(state) if a.kind == "deal"} == {"second", "B"}


@pytest.mark.parametrize(
    ("keep", "kept", "open_hand"),
    [("first", ["9S", "8S", "3H"], ["TD", "4D", "2S"]),
     ("second", ["TD", "4D", "2S"], ["9S", "8S", "3H"])],
)  # fmt: skip
def test_sw2_the_dealer_keeps_one_and_the_other_lies_open(keep, kept, open_hand):
    state = sit("0<4C!WRONG_PHASE k0!WRONG_PHASE keep0:first!NOT_YOUR_TURN", HANDS, **LAID)
    assert now(state)["turn"] == 2
    state = go_on(state, f"leave1!WRONG_PHASE keep2:{keep}")
    assert held(state, 2) == kept
    assert (now(state)["table_A"], now(state)["turn"]) == (open_hand, 0)
    go_on(state, "keep2:first!WRONG_PHASE")


def test_sw2_an_unread_hand_is_shown_as_it_is_laid_down():
    state = sit("keep2:first!UPCARD_UNREADABLE keep2:first=TD,4D!MISMATCH", HANDS, **UNREAD)
    state = go_on(state, "keep2:first=TD,4D,9S!DUPLICATE_CARD keep2:first=TD,4D,2S")
    assert now(state)["table_A"] == ["TD", "4D", "2S"]
    state = sit("keep2:second=9S,8S,4H!MISMATCH keep2:second=8S,9S,3H", HANDS, **LAID)
    assert now(state)["table_A"] == ["8S", "9S", "3H"]


def test_sw2_only_the_dealer_sees_both_his_hands_before_he_chooses():
    state = sit("", HANDS, **LAID)
    assert view(state, TABLE).middle.pile("second") == (None,) * 3
    assert view(state, 0).middle.pile("second") == (None,) * 3
    assert [str(card) for card in view(state, 2).middle.pile("second")] == ["TD", "4D", "2S"]
    assert view(state, 2).middle.pile("B") == (None,) * 3


def test_sw9_a_dealt_31_is_found_after_the_choice():
    hands = {**HANDS, 0: "AS KS TS"}
    state = sit("", hands, **LAID)
    assert now(state)["phase"] == "choose"
    assert hand(go_on(state, "keep2:first"))["winners"] == [0]
    both = sit("keep2:second", hands, preset="switch", second="AD KD TD", middle="3C KC 4H")
    assert hand(both)["winners"] == [0, 2]
    one = sit("keep2:first", HANDS, preset="switch", second="AD KD TD", middle="3C KC 4H")
    assert now(one)["phase"] == "play"  # they laid the 31 down


# --- exchanging and swapping ----------------------------------------------------------------------


def test_sw3_an_exchange_with_the_open_and_the_closed_hand():
    state = sit("keep2:first x1:A0=5D!NOT_YOUR_TURN x0:B1=2C", HANDS, **LAID)
    assert (now(state)["table_B"], held(state, 0)) == (["back", "2C", "back"], ["KH", "QH", "KC"])
    assert view(state).seat(0).known == ()
    state = go_on(state, "x1:A0=6C")
    assert (now(state)["table_A"], held(state, 1)) == (["6C", "4D", "2S"], ["5D", "7S", "TD"])
    assert [str(card) for card in view(state).seat(1).known] == ["TD"]


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("x0:A3=2C", "BAD_SWAP"),
        ("x0:A-1=2C", "BAD_SWAP"),
        ("x0:A0=9C", "NOT_IN_HAND"),
        ("x0:A0=2C>4D", "MISMATCH"),
        ("x0:A0=??", "UPCARD_UNREADABLE"),
        ("0-2C", "MUST_DRAW"),
        ("0+9C", "WRONG_PHASE"),
        ("0<", "WRONG_PHASE"),
        ("s0", "STAND_NOT_ALLOWED"),
        ("swap0:A=KH,QH,3H", "MISMATCH"),
        ("swap0:A>TD,4D,9C", "MISMATCH"),
        ("swap0:A>TD,4D", "MISMATCH"),
        ("new0:A=9C,9D", "RENEW_NOT_ALLOWED"),
        ("new0:A=9C,9D,9D", "DUPLICATE_CARD"),
        ("new0:A=9C,9D,KH", "DUPLICATE_CARD"),
        ("new0:A=9C,9D,??", "UPCARD_UNREADABLE"),
        ("again0", "WRONG_PHASE"),
        ("accept", "WRONG_PHASE"),
        ("w0:KH@0", "WRONG_PHASE"),
        ("t0:KH@TD", "WRONG_PHASE"),
        ("claim0:KH,QH,2C", "FALSE_31"),
    ],
)
def test_sw3_to_sw6_what_cannot_be(word, code):
    state = sit(f"keep2:first {word}!{code}", HANDS, **LAID)
    assert (now(state)["turn"], now(state)["stock"]) == (0, 37)


def test_sw3_the_event_needs_the_table_of_switch():
    sit("x0:A0=2C!WRONG_PHASE swap0:A!WRONG_PHASE new0:A=9C,9D,9S!WRONG_PHASE", HANDS)
    sit("keep0:first!WRONG_PHASE again0!WRONG_PHASE accept!WRONG_PHASE", HANDS)


def test_sw4_the_old_hand_lies_open_where_the_other_lay():
    state = sit("keep2:first swap0:B", HANDS, **LAID)
    assert (now(state)["table_B"], held(state, 0)) == (["KH", "QH", "2C"], ["3C", "KC", "4H"])
    state = go_on(state, "swap1:A>2S,TD,4D")  # in any order
    assert (now(state)["table_A"], now(state)["turn"]) == (["5D", "6C", "7S"], 2)
    assert {str(card) for card in view(state).seat(1).known} == {"TD", "4D", "2S"}
    assert view(state).seat(0).known == ()


def test_sw4_by_option_the_old_hand_lies_as_the_other_lay():
    state = sit("keep2:first x0:B1=2C swap1:B", HANDS, **LAID, swap_face="same")
    assert now(state)["table_B"] == ["back", "6C", "back"]
    state = go_on(state, "swap2:A")
    assert now(state)["table_A"] == ["9S", "8S", "3H"]


def test_sw4_an_unread_hand_must_be_read_when_it_lies_open():
    script = "keep2:first=TD,4D,2S swap0:B!UPCARD_UNREADABLE swap0:B=KH,QH,TD!DUPLICATE_CARD"
    state = sit(f"{script} swap0:B=KH,QH,2C", BLIND, **UNREAD)
    assert (now(state)["table_B"], held(state, 0)) == (["KH", "QH", "2C"], ["None"] * 3)
    same = sit("keep2:first=TD,4D,2S swap0:B", BLIND, **UNREAD, swap_face="same")
    assert (now(same)["table_B"], held(same, 0)) == (["back"] * 3, ["None"] * 3)
    sit("keep2:first=TD,4D,2S swap0:A!UPCARD_UNREADABLE", BLIND, **UNREAD, swap_face="same")


def test_sw3_sc23_a_blind_exchange_and_what_was_got():
    state = sit("keep2:first=TD,4D,2S x0:B0=2C>2S!DUPLICATE_CARD x0:B0=2C>3C", BLIND, **UNREAD)
    assert held(state, 0) == ["None", "None", "3C"]
    state = go_on(state, "x1:B1=7S k2 s0 s1 show0:KH,QH,4C!MISMATCH show0:KH,3C,QH")
    state = go_on(state, "show1:5D,6C,2C!DUPLICATE_CARD show1:5D,6C,KC show2:9S,8S,3H")
    assert hand(state)["values"] == {0: 20, 1: 16, 2: 17}


# --- renewing -------------------------------------------------------------------------------------


def test_sw5_renewed_face_up_ends_the_turn():
    state = sit("keep2:first new0:A=AH,9H,6S", HANDS, **LAID)
    assert (now(state)["turn"], now(state)["stock"]) == (1, 34)
    assert now(state)["table_A"] == ["AH", "9H", "6S"]
    go_on(state, "x1:A0=5D>TD!MISMATCH new1:B=TD,9D,8D!DUPLICATE_CARD")  # TD left the game


def test_sw6_renewed_face_down_the_turn_goes_on_but_not_with_a_knock():
    state = sit("keep2:first new0:a=AS,9H,6S", HANDS, **LAID)
    assert (now(state)["turn"], now(state)["table_A"]) == (0, ["back"] * 3)
    state = go_on(state, "k0!KNOCK_NOT_ALLOWED s0!STAND_NOT_ALLOWED 0-2C!MUST_DRAW")
    kinds = {action.kind for action in legal_actions(state) if action.seat == 0}
    assert kinds == {"exchange", "swap", "renew", "leave", "declare"}
    state = go_on(state, "claim0:KH,QH,2C!MUST_SWAP_FIRST new0:b=JC,JS,JD x0:A0=2C")
    assert (now(state)["turn"], now(state)["stock"]) == (1, 31)
    assert held(state, 0) == ["KH", "QH", "AS"]


def test_sw6_in_the_last_turn_too():
    state = sit("keep2:first k0 new1:a=AS,9H,6S k1!ALREADY_KNOCKED s1!STAND_NOT_ALLOWED x1:A0=5D",
                HANDS, **LAID)  # fmt: skip
    assert (now(state)["turn"], held(state, 1)) == (2, ["6C", "7S", "AS"])


def test_sw6_sc11_a_blitz_makes_the_unfinished_turn_void():
    state = sit("keep2:first=TD,4D,2S new0:a=??,??,?? claim1:AS,KS,TS", BLIND, **UNREAD)
    assert hand(state)["winners"] == [1]
    assert (now(state)["stock"], now(state)["table_A"]) == (37, ["TD", "4D", "2S"])


def test_sw6_sc26_who_leaves_in_the_middle_of_a_turn_makes_it_void():
    state = sit("keep2:first new0:a=AS,9H,6S leave0", HANDS, **LAID)
    assert (now(state)["turn"], now(state)["stock"]) == (1, 37)
    assert now(state)["table_A"] == ["TD", "4D", "2S"]


def test_sw10_fewer_than_three_cards_are_no_renewal_and_the_round_goes_on():
    hands = {0: "7H 8H 9H", 1: "7D 8D 9D", 2: "7C 8C 9C", 3: "7S 8S 9S", 4: "TH JD QS",
             5: "TD JC QH", 6: "TS JH QC"}  # fmt: skip
    state = sit("keep6:first new0:A=KH,KD,KC", hands, preset="switch", deck=32,
                second="TC JS QD", middle="AH AD AC")  # fmt: skip
    assert now(state)["stock"] == 2
    state = go_on(state, "new1:A=KS,AS,AH!RENEW_NOT_ALLOWED new1:a=KS,AS,??!RENEW_NOT_ALLOWED")
    assert "renew" not in {action.kind for action in legal_actions(state)}
    assert now(go_on(state, "x1:A0=7D x2:A1=7C"))["phase"] == "play"


def test_sw7_a_nock_and_the_last_turns():
    state = sit("keep2:first k0 s1 x2:A0=3H", HANDS, **LAID)
    assert (hand(state)["lost"], hand(state)["knocker"]) == ({1: 1}, 0)


def test_sw9_a_blitz_by_exchange_and_by_swap():
    state = sit("keep2:first x0:B1=2C", {**HANDS, 0: "KH QH 2C"}, preset="switch",
                second="TD 4D 2S", middle="3C AH 4H")  # fmt: skip
    assert hand(state)["winners"] == [0]
    state = sit("keep2:first swap0:A", HANDS, preset="switch", second="AD KD TD", middle="3C KC 4H")
    assert hand(state)["winners"] == [0]


# --- restart --------------------------------------------------------------------------------------

SUITED = {0: "KH QH 4H", 1: "5D 6C 7S", 2: "9S 8S 3S"}  # 24, 7, 20


def test_sw8_more_than_21_in_one_suit_may_begin_anew():
    state = sit("keep2:first k1!NOT_YOUR_TURN k0 s1 s2", SUITED, **{**LAID, "middle": "3C KC 9H"})
    assert (now(state)["phase"], now(state)["may_restart"]) == ("restart", [0])
    assert view(state).middle.may_restart == (0,)
    assert view(state).seat(0).value == 24  # all hands have been shown
    state = go_on(state, "again2!RESTART_NOT_ALLOWED next!WRONG_PHASE k0!WRONG_PHASE again0")
    found = hand(state)
    assert (found["end"], found["restarter"], found["next_dealer"]) == ("restart", 0, 2)
    assert (found["lost"], found["lives"]) == ({}, {0: 3, 1: 3, 2: 3})


def test_sw8_the_restarters_cards_lie_open_in_the_next_deal():
    state = sit("keep2:first k0 s1 s2 again0 next", SUITED, **{**LAID, "middle": "3C KC 9H"})
    assert now(state)["table_A"] == ["KH", "QH", "4H"]
    state = go_on(state, "0KH!DUPLICATE_CARD 0AS 15D 29S 0KS 16C 28S 02C 17S 23S")
    state = go_on(state, "z:TD!WRONG_PHASE B:3C B:KC B:9H")
    assert (now(state)["phase"], now(state)["turn"], now(state)["stock"]) == ("play", 0, 37)
    state = go_on(state, "fix:KH>JH!BAD_CORRECTION x0:A0=2C k1 s2 s0")
    assert hand(state)["end"] == "showdown"
    assert now(go_on(state, "next"))["table_A"] == []


def test_sw8_after_a_misdeal_the_hand_still_lies_open():
    state = sit("keep2:first k0 s1 s2 again0 next misdeal next", SUITED,
                **{**LAID, "middle": "3C KC 9H"})  # fmt: skip
    assert (now(state)["table_A"], now(state)["dealer"]) == (["KH", "QH", "4H"], 2)


def test_sw8_accept_goes_on_to_the_scoring():
    state = sit("keep2:first k0 s1 s2 accept again0!WRONG_PHASE", SUITED,
                **{**LAID, "middle": "3C KC 9H"})  # fmt: skip
    assert (hand(state)["lost"], hand(state)["restarter"]) == ({1: 1}, None)


def test_sw8_the_first_to_call_has_it():
    hands = {**SUITED, 2: "9S 8S 5S"}
    state = sit("keep2:first k0 s1 s2", hands, **{**LAID, "middle": "3C KC 9H"})
    assert now(state)["may_restart"] == [0, 2]
    assert now(go_on(state, "again2 next"))["table_A"] == ["9S", "8S", "5S"]


@pytest.mark.parametrize(
    ("cards", "options", "phase"),
    [
        ("AH 8H 2H", {}, "done"),  # 21 is not more than 21
        ("AH 8H 3H", {}, "restart"),
        ("KH QH 4D", {}, "done"),  # not of one suit
        ("KH QH 4H", {"restart": False}, "done"),
    ],
)
def test_sw8_when_a_restart_is_possible(cards, options, phase):
    laid = {**LAID, "middle": "3C KC 9C", "second": "TD 5S 2S"}
    state = sit("keep2:first k0 s1 s2", {**SUITED, 0: cards}, **laid, **options)
    assert now(state)["phase"] == phase


def test_sw8_not_after_a_blitz():
    hands = {0: "5D 6C 7S", 1: "AD KD 2C", 2: "KH QH 4H"}
    state = sit("keep2:first x0:A0=7S x1:A2=2C again2!WRONG_PHASE", hands, preset="switch",
                second="TS 4S QD", middle="3C KC 9H")  # fmt: skip
    assert (hand(state)["end"], hand(state)["winners"]) == ("blitz", [1])


def test_sw8_who_could_restart_may_leave_and_then_nobody_can():
    state = sit("keep2:first k1!NOT_YOUR_TURN k0 s1 s2 leave0", SUITED,
                **{**LAID, "middle": "3C KC 9H"})  # fmt: skip
    assert (hand(state)["end"], hand(state)["lost"]) == ("showdown", {1: 1})


def test_sw8_undo_takes_the_restart_back():
    state = sit("keep2:first k0 s1 s2 again0 undo accept", SUITED,
                **{**LAID, "middle": "3C KC 9H"})  # fmt: skip
    assert hand(state)["end"] == "showdown"


def test_sw_a_correction_follows_a_card_over_the_table():
    state = sit("keep2:first x0:A0=2C x1:A0=5D fix:2C>9C", HANDS, **LAID)
    assert (held(state, 1), now(state)["table_A"][0]) == (["6C", "7S", "9C"], "5D")
    state = sit("keep2:second swap0:A fix:9S>JS fix:KH>KD", HANDS, **LAID)
    assert (held(state, 0), now(state)["table_A"]) == (["JS", "8S", "3H"], ["KD", "QH", "2C"])


def test_sw_g10_with_two_packs_a_card_is_followed_through_swaps():
    hands = {0: "9H QH 2C", 1: "9H 6C 7S"}
    state = sit("keep1:first swap0:A=QH,9H,2C x1:A0=6C", hands, preset="switch", decks=2,
                second="TD 4D 2S", middle="3C KC 4H")  # fmt: skip
    mine = go_on(state, "fix0:9H>TH")
    assert (now(mine)["table_A"], held(mine, 1)) == (["6C", "TH", "2C"], ["9H", "7S", "QH"])
    other = go_on(state, "fix1:9H>TH")
    assert (now(other)["table_A"], held(other, 1)) == (["6C", "9H", "2C"], ["TH", "7S", "QH"])


def test_sw_sc21_the_match_ends_as_ever():
    state = sit("keep1:first k0 s1", {0: "KH QH 2C", 1: "5D 6C 7S"}, **LAID,
                start={"lives": {"1": 0}})  # fmt: skip
    assert match(state)["winner"] == 0


@pytest.mark.parametrize(
    ("may_knock", "asked"), [(True, "Ann: exchange, or knock?"), (False, "Ann: exchange")]
)
def test_the_prompt_of_a_turn_offers_a_knock_only_where_one_may(may_knock, asked):
    seen = view(sit("keep2:first", HANDS, **LAID), TABLE)
    seen = replace(seen, middle=replace(seen.middle, may_knock=may_knock))
    assert str(prompt(seen).title) == asked

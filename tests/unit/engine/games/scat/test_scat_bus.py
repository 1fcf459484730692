"""Stop the bus: three open cards and Brag hands (SB-1 to SB-8)."""

from __future__ import annotations

import pytest

from engine import legal_actions, view
from tests.support.scat_notation import go_on, hand, match, now, sit

HANDS = {0: "9H 9D KC", 1: "2S 5D 7C", 2: "TH TD 2C"}


def held(state, seat):
    return [str(card) for card in state.round.play.hand(seat).cards]


def bus(script, hands=HANDS, preset="stop-the-bus", open_cards="9C 6H 8H", **options):
    return sit(script, hands, preset=preset, table=open_cards, **options)


def test_sb2_three_cards_lie_open_and_are_read():
    script = (
        "t:9C!WRONG_DEAL_ORDER 0KH 15D 0QH 16D 02C 17S t:??!UPCARD_UNREADABLE t:KH!DUPLICATE_CARD "
        "up:4C!WRONG_PHASE t:9C t:6H k0!WRONG_PHASE t:8H"
    )
    state = sit(script, {}, seats=[0, 1], dealer=1, preset="stop-the-bus")
    assert (now(state)["phase"], now(state)["turn"]) == ("play", 0)
    assert now(state)["table_table"] == ["9C", "6H", "8H"]
    assert [str(card) for card in view(state).middle.pile("table")] == ["9C", "6H", "8H"]


def test_sb2_one_card_or_three_each_in_the_place_of_its_own():
    state = bus("t0:KC@8H t1:2S,5D,7C@KC,9C,6H")
    assert held(state, 0) == ["9H", "9D", "8H"]
    assert now(state)["table_table"] == ["5D", "7C", "2S"]
    assert [str(card) for card in view(state).seat(1).known] == ["KC", "9C", "6H"]


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("t0:9H,9D@9C,6H", "BAD_SWAP"),
        ("t0:9H@9C,6H", "BAD_SWAP"),
        ("t0:@", "BAD_SWAP"),
        ("t0:9H,9D,KC@9C,9C,6H", "NOT_ON_TABLE"),
        ("t0:9H@AC", "NOT_ON_TABLE"),
        ("t0:9H@9H", "NOT_ON_TABLE"),
        ("t0:9H,9H,KC@9C,6H,8H", "NOT_IN_HAND"),
        ("t0:AC@9C", "NOT_IN_HAND"),
        ("t0:??@9C", "UPCARD_UNREADABLE"),
        ("t1:2S@9C", "NOT_YOUR_TURN"),
        ("0+AC", "WRONG_PHASE"),
        ("0<", "WRONG_PHASE"),
        ("0-9H", "WRONG_PHASE"),
        ("1-2S", "WRONG_PHASE"),
        ("1+AC", "WRONG_PHASE"),
        ("x0:A0=9H", "WRONG_PHASE"),
        ("swap0:A", "WRONG_PHASE"),
        ("claim0:9H,9D,KC", "WRONG_PHASE"),
    ],
)
def test_sb2_swaps_that_cannot_be(word, code):
    state = bus(f"{word}!{code}")
    assert now(state)["table_table"] == ["9C", "6H", "8H"]


def test_sb3_instead_of_a_turn_and_then_one_turn_each():
    state = bus("k0 t1:2S@9C k2!ALREADY_KNOCKED t2:2C@6H")
    found = hand(state)
    assert (found["knocker"], found["lost"]) == (0, {1: 1})
    assert found["hands"] == {0: "pair", 1: "high card", 2: "pair"}


def test_sb8_a_player_may_do_nothing_in_any_turn():
    state = bus("s0 s1 s2 s0 k1")
    assert now(state)["turn"] == 2
    assert "stand" in {action.kind for action in legal_actions(state)}


def test_sb1_sb4_lives_go_by_the_base_rules():
    assert hand(bus("k0 s1 s2"))["lost"] == {1: 1}
    assert hand(bus("s0 k1 s2 s0"))["lost"] == {1: 2}
    tie = {0: "9H 9S KC", 1: "9D 9C KS", 2: "TH TD 2C"}
    assert hand(bus("k0 s1 s2", tie, open_cards="2S 6H 8H"))["lost"] == {1: 1}


def test_sb1_thirty_one_in_a_suit_is_just_a_flush():
    state = bus("", {0: "AS KS TS", 1: "AH AD 2C"})
    assert now(state)["phase"] == "play"
    assert hand(go_on(state, "k0 s1"))["lost"] == {1: 1}


@pytest.mark.parametrize(("option", "lost"), [("top", {1: 1}), ("low", {0: 2})])
def test_sb5_ace_two_three_by_option(option, lost):
    hands = {0: "AS 2D 3C", 1: "AH KD QC"}
    assert hand(bus("k0 s1", hands, run_a23=option))["lost"] == lost


@pytest.mark.parametrize(("option", "lost"), [(True, {1: 1}), (False, {0: 2})])
def test_sb6_three_threes_by_option(option, lost):
    hands = {0: "3S 3D 3C", 1: "AH AD AC"}
    assert hand(bus("k0 s1", hands, prial_threes_top=option))["lost"] == lost


# --- the plain rules ------------------------------------------------------------------------------


def plain(script, hands=HANDS, **options):
    return bus(script, hands, preset="stop-the-bus-plain", **options)


def test_sb3_sb7_stop_after_the_swap_in_the_same_turn():
    state = plain("k0!MUST_SWAP_FIRST s0!STAND_NOT_ALLOWED t0:KC@9C")
    assert now(state)["turn"] == 1
    assert ("knock", 0) in {(action.kind, action.seat) for action in legal_actions(state)}
    assert ("knock", 1) not in {(action.kind, action.seat) for action in legal_actions(state)}
    state = go_on(state, "k1!MUST_SWAP_FIRST k2!NOT_YOUR_TURN k0 k0!NOT_YOUR_TURN")
    assert (now(state)["knocker"], now(state)["turn"]) == (0, 1)
    state = go_on(state, "s1!STAND_NOT_ALLOWED k1!ALREADY_KNOCKED t1:2S@KC t2:2C@6H")
    assert hand(state)["lost"] == {1: 1}


def test_sb3_once_the_next_player_has_acted_it_is_too_late():
    state = plain("t0:KC@9C t1:2S@KC k0!NOT_YOUR_TURN k1")
    assert now(state)["knocker"] == 1


def test_sb3_no_stopping_after_the_others_swap_in_the_last_turns():
    state = plain("t0:KC@9C k0 t1:2S@KC k1!NOT_YOUR_TURN")
    assert now(state)["turn"] == 2


def test_sb3_who_leaves_cannot_stop_the_bus():
    state = plain("t0:KC@9C leave0 k0!SEAT_OUT")
    assert now(state)["turn"] == 1
    assert "knock" not in {action.kind for action in legal_actions(state)}


def test_sb7_all_the_weakest_lose_one_the_stopper_too():
    hands = {0: "9H 9D 2C", 1: "9S 9C 3C", 2: "TH TD 2D"}
    found = hand(plain("t0:2C@KC k0 t1:3C@KD t2:2D@8H", hands, open_cards="KC KD 8H"))
    assert found["lost"] == {0: 1, 1: 1}
    # alone lowest: one, not two
    found = hand(plain("t0:KC@6H t1:2S@KC k1 t2:2C@8H t0:6H@2S"))
    assert found["lost"] == {1: 1}


def test_sb7_without_a_free_ride():
    found = hand(plain("t0:KC@9C k0 t1:2S@8H t2:2C@6H", start={"lives": {"1": 1}}))
    assert (found["eliminated"], found["county"]) == ([1], [])


def test_sb7_sc25_all_on_their_last_token_and_all_tied():
    hands = {0: "9H 9D 2C", 1: "9S 9C 3C"}
    state = plain("t0:2C@KC k0 t1:3C@KD", hands, open_cards="KC KD 8H",
                  start={"lives": {"0": 1, "1": 1}})  # fmt: skip
    assert (hand(state)["void"], match(state)) == (True, None)


def test_sb8_with_after_swap_alone_standing_ends_the_turn_without_a_stop():
    state = bus("s0 k0!NOT_YOUR_TURN k1!MUST_SWAP_FIRST t1:2S@9C k1", stop_timing="after_swap")
    assert now(state)["knocker"] == 1


def test_sb3_must_swap_alone_leaves_the_stop_instead_of_a_turn():
    state = bus("s0!STAND_NOT_ALLOWED k0 s1!STAND_NOT_ALLOWED t1:2S@9C", must_swap=True)
    assert now(state)["turn"] == 2


# --- hidden hands ---------------------------------------------------------------------------------


def test_sb_sc23_swaps_are_public_the_rest_is_shown_at_the_end():
    hands = {0: "?? ?? ??", 1: "?? ?? ??"}
    state = bus("t0:KC@9C t1:6H@KC!DUPLICATE_CARD t1:2S@KC k0 s1", hands)
    assert now(state)["to_reveal"] == [0, 1]
    state = go_on(state, "show0:9H,9D,4C!MISMATCH show0:9H,9D,2S!MISMATCH show0:9D,9C,9H")
    state = go_on(state, "show1:KC,5D,2S!DUPLICATE_CARD show1:5D,7C,KC")
    assert hand(state)["hands"] == {0: "prial", 1: "high card"}


def test_sb_names_of_hands_are_public_only_when_shown():
    state = bus("")
    assert [seat.hand_name for seat in view(state).seats] == [None] * 3
    assert view(state, 0).seat(0).hand_name == "pair"
    assert view(state, 0).seat(0).total is None
    assert [seat.hand_name for seat in view(bus("k0 s1 s2")).seats] == ["pair", "high card", "pair"]


def test_sb_g17_who_leaves_has_no_hand():
    found = hand(bus("leave1 k0 s2"))
    assert found["hands"] == {0: "pair", 1: None, 2: "pair"}
    assert found["lost"] == {0: 2}

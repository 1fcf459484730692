"""The variants without cards on the table (ED, CQ, DB, TK, WL, NE) and Banking (BK)."""

from __future__ import annotations

import pytest

from engine import TABLE, Claim, legal_actions, view
from engine.games.catalog import find
from tests.support.scat_notation import go_on, hand, match, now, sit

QUICK = "california-quick"
GATE = {0: "KH 7H 2C", 1: "5D 6D 7S", 2: "9S 8S 3H"}


# --- Eenendertigen --------------------------------------------------------------------------------


def test_ed1_seven_to_ace_also_in_the_cut():
    state = sit("cut0KH cut1AD cut2KD", {}, seats=[0, 1, 2], dealer=None, preset="eenendertigen")
    assert now(state)["dealer"] == 1  # the ace is low in the cut of this pack too
    state = sit("cut0KH cut1QD", {}, seats=[0, 1, 2], dealer=None, preset="eenendertigen")
    go_on(state, "cut2KH!DUPLICATE_CARD cut2JD")


@pytest.mark.parametrize("rank", "23456")
def test_ed1_g9_no_two_to_six(rank):
    sit(f"0{rank}H!NOT_IN_DECK 07H", {}, seats=[0, 1], dealer=1, preset="eenendertigen")
    sit(f"cut0{rank}H!NOT_IN_DECK", {}, seats=[0, 1], dealer=None, preset="eenendertigen")


@pytest.mark.parametrize("count", range(2, 8))
def test_ed3_the_stock_is_31_less_three_each(count):
    cards = iter(f"{rank}{suit}" for rank in "789TJQKA" for suit in "SHDC")
    hands = {seat: " ".join(next(cards) for _ in range(3)) for seat in range(count)}
    state = sit("", hands, preset="eenendertigen", up="AC")
    assert now(state)["stock"] == 31 - 3 * count


# --- California Quick -----------------------------------------------------------------------------


def test_cq4_out_of_the_gate_nobody_draws():
    found = hand(sit("k0 s1!WRONG_PHASE 1+3C!WRONG_PHASE", GATE, preset=QUICK))
    assert (found["end"], found["knocker"], found["lost"]) == ("out-of-gate", 0, {1: 1})


@pytest.mark.parametrize(
    ("hands", "lost"),
    [
        ({**GATE, 1: "9D 8D 7S"}, {0: 2, 1: 1, 2: 1}),  # CQ-1: 17 each
        ({**GATE, 0: "KH 2D 4C"}, {0: 2}),  # CQ-2
        ({**GATE, 1: "KD QD 2S", 2: "KS QS 2D"}, {0: 2}),
    ],
)
def test_cq1_cq2_what_the_knocker_loses(hands, lost):
    assert hand(sit("k0", hands, preset=QUICK, up="AC"))["lost"] == lost


def test_cq4_hidden_hands_are_shown_out_of_the_gate_too():
    state = sit("k0", {**GATE, 1: "?? ?? ??"}, preset=QUICK)
    assert (now(state)["phase"], now(state)["to_reveal"]) == ("showdown", [1])
    found = hand(go_on(state, "show1:5D,6D,7S"))
    assert (found["end"], found["lost"]) == ("out-of-gate", {1: 1})


def test_cq6_only_the_first_players_first_turn_is_the_gate():
    state = sit("0+3C 0-3C k1", GATE, preset=QUICK)
    assert (now(state)["phase"], now(state)["turn"]) == ("play", 2)
    assert hand(go_on(state, "s2 s0"))["end"] == "showdown"
    again = sit("0+3C 0-3C 1+3S 1-3S 2+5C 2-5C k0", GATE, preset=QUICK)
    assert now(again)["phase"] == "play"


def test_cq6_if_the_first_player_has_gone_there_is_no_gate():
    assert now(sit("leave0 k1", GATE, preset=QUICK))["phase"] == "play"
    found = hand(sit("leave0", {**GATE, 2: "AS KS TS"}, preset=QUICK))
    assert (found["end"], found["winners"]) == ("blitz", [2])  # CQ-5: they did not knock


def test_cq3_31_in_the_last_turns_ends_the_round_at_once():
    state = sit("0+3C 0-3C k1 2+JS 2-3H", {**GATE, 2: "AS KS 3H"}, preset=QUICK)
    found = hand(state)
    assert (found["end"], found["winners"], found["knocker"]) == ("blitz", [2], 1)
    assert found["lost"] == {0: 1, 1: 2}  # seat 0's last turn falls away
    found = hand(sit("0+3C 0-3C k1 2+JS 2-3H", {**GATE, 2: "AS KS 3H"}, preset=QUICK,
                     knock_penalty=1))  # fmt: skip
    assert found["lost"] == {0: 1, 1: 1}


def test_cq3_a_hidden_31_is_called_after_its_owners_last_turn():
    hands = {**GATE, 2: "?? ?? ??"}
    state = sit("0+3C 0-3C k1 claim0:KH,7H,2C!NOT_YOUR_TURN 2+?? 2-3H", hands, preset=QUICK)
    state = go_on(state, "claim1:5D,6D,7S!ALREADY_KNOCKED 0+4D claim2:AS,KS,JS")
    assert (hand(state)["winners"], hand(state)["lost"]) == ([2], {0: 1, 1: 2})
    assert hand(state)["values"][0] == 17  # their unfinished turn is void


def test_cq3_the_last_of_all_may_still_call_before_anybody_shows():
    hands = {0: "?? ?? ??", 1: "5D 6D 7S", 2: "?? ?? ??"}
    state = sit("0+?? 0-3C k1 s2 0+?? 0-2C", hands, preset=QUICK)
    assert now(state)["phase"] == "showdown"
    go_on(state, "claim2:AS,KS,JS!WRONG_PHASE")
    assert hand(go_on(state, "claim0:AS,KS,JS"))["lost"] == {1: 2, 2: 1}


def test_cq5_a_dealt_31_waits_and_is_shown_when_the_first_player_draws():
    hands = {**GATE, 1: "AS KS TS"}
    state = sit("", hands, preset=QUICK)
    assert now(state)["phase"] == "play"
    found = hand(go_on(state, "0+3C"))
    assert (found["end"], found["winners"], found["values"][0]) == ("blitz", [1], 17)
    assert now(go_on(state, "0<"))["top"] == "4C"  # their turn is void, the card lies there again


def test_cq5_a_knock_out_of_the_gate_makes_it_the_best_hand_only():
    found = hand(sit("k0", {**GATE, 1: "AS KS TS"}, preset=QUICK))
    assert (found["end"], found["winners"], found["lost"]) == ("out-of-gate", [], {0: 2, 2: 1})


def test_cq5_the_first_player_may_call_or_knock_or_draw():
    hands = {**GATE, 0: "AS KS TS"}
    state = sit("claim1:5D,6D,7S!NOT_YOUR_TURN", hands, preset=QUICK)
    found = hand(go_on(state, "claim0:TS,AS,KS"))
    assert (found["end"], found["winners"]) == ("blitz", [0])
    assert hand(go_on(state, "k0"))["lost"] == {1: 1}
    assert hand(go_on(state, "0+3C"))["winners"] == [0]


def test_cq5_when_the_first_player_calls_another_dealt_31_is_safe_too():
    hands = {0: "AS KS TS", 1: "AD KD TD", 2: "9S 8S 3H"}
    found = hand(sit("claim0:AS,KS,TS", hands, preset=QUICK))
    assert (found["winners"], found["lost"]) == ([0, 1], {2: 1})


def test_cq5_hidden_31s_wait_too():
    state = sit("claim1:AS,KS,TS!NOT_YOUR_TURN 0+3C claim1:AS,KS,TS", {**GATE, 1: "?? ?? ??"},
                preset=QUICK)  # fmt: skip
    assert hand(state)["winners"] == [1]


def test_cq5_a_call_is_offered_to_the_first_player_only_while_it_must_wait():
    state = sit("", {0: "?? ?? ??", 1: "?? ?? ??"}, preset=QUICK)
    assert [a.seat for a in legal_actions(state) if a.what is Claim.THIRTY_ONE] == [0]


# --- Dollar bill and West Lansing -----------------------------------------------------------------


def test_db1_db2_four_corners_then_the_bike():
    state = sit("k0 s1 s2", preset="dollar-bill")
    assert hand(state)["lives"] == {0: 4, 1: 3, 2: 4}
    found = hand(sit("k0 s1 s2", preset="dollar-bill", start={"lives": {"1": 1}}))
    assert (found["county"], found["eliminated"]) == ([1], [])
    found = hand(sit("k0 s1 s2", preset="dollar-bill", start={"lives": {"1": 0}}))
    assert found["eliminated"] == [1]


def test_db3_the_last_player_wins_all_the_bills():
    hands = {0: "KH QH 2C", 1: "5D 6D 7S"}
    state = sit("k0 s1", hands, preset="dollar-bill", start={"lives": {"1": 0}})
    assert match(state)["settlement"] == {0: 5, 1: -5}
    assert view(state, TABLE).match.pot == 10
    assert [seat.tokens for seat in view(state).seats] == [5, -5]


def test_db4_without_the_ride_the_fourth_corner_is_the_end():
    found = hand(sit("k0 s1 s2", preset="dollar-bill-no-ride", start={"lives": {"1": 1}}))
    assert (found["eliminated"], found["county"]) == ([1], [])


@pytest.mark.parametrize(
    ("hands", "lost"),
    [
        ({0: "KH 7H 2C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {0: 2}),  # WL-2
        ({0: "KH 2D 3C", 1: "9D 8D 7S", 2: "9S 8S JS"}, {0: 2}),  # WL-3
        ({0: "KH QH 2C", 1: "9D 8D 7S", 2: "9S 8S JC"}, {1: 1, 2: 1}),
        ({0: "KH QH JH", 1: "2D 2S 2C", 2: "9S 8S JS"}, {2: 1}),  # WL-4: 30, 30.5, 27
    ],
)
def test_wl2_to_wl4_who_pays(hands, lost):
    assert hand(sit("k0 s1 s2", hands, preset="west-lansing"))["lost"] == lost


def test_wl1_wl5_wl6_who_owes_two_and_has_one_is_out():
    hands = {0: "KH 2D 3C", 1: "9D 8D 7S"}
    state = sit("k0 s1", hands, preset="west-lansing", start={"lives": {"0": 1}})
    assert hand(state)["lost"] == {0: 2}
    assert (hand(state)["eliminated"], hand(state)["lives"][0]) == ([0], 0)
    assert match(state)["winner"] == 1


# --- Three of a kind ------------------------------------------------------------------------------


def test_tk1_tk4_it_beats_30_loses_to_31_and_is_no_blitz():
    hands = {0: "KD KC KS", 1: "AH QH 2H", 2: "JD TD QD"}
    state = sit("", hands, preset="three-of-a-kind")
    assert now(state)["phase"] == "play"
    found = hand(go_on(state, "k0 1+TH 1-2H s2"))
    assert (found["values"], found["lost"]) == ({0: 30.5, 1: 31, 2: 30}, {2: 1})


def test_tk5_all_are_equal():
    hands = {0: "KD KC KS", 1: "2D 2C 2S"}
    assert hand(sit("k0 s1", hands, preset="three-of-a-kind"))["lost"] == {
        1: 1
    }  # the knocker is safe


def test_tk2_the_letter_counts_equal_points():
    hands = {0: "5H 6H 7S", 1: "KD QC TS"}
    found = hand(sit("k0 s1", hands, three_kind="value"))
    assert (found["values"], found["lost"]) == ({0: 11, 1: 30.5}, {0: 2})


# --- No-elimination -------------------------------------------------------------------------------

POINTS = "no-elimination"


def test_ne1_ne2_ne6_points_run_on_and_nobody_goes_out():
    state = sit("k0 s1 s2", preset=POINTS)
    assert (hand(state)["gained"], hand(state)["lives"]) == ({0: 4, 1: 1, 2: 2}, {})
    state = go_on(state, "next 1KH 25D 09S 1QH 26D 08S 12C 27S 03H up:4C k1 s2 s0")
    assert hand(state)["points"] == {0: 4 + 2, 1: 1 + 4, 2: 2 + 1}
    assert (match(state), hand(state)["next_dealer"]) == (None, 1)
    assert [seat.match.points for seat in view(state).seats] == [6, 5, 3]
    assert dict(state.ledger.entries) == dict.fromkeys(range(3), 0)


def test_ne6_a_draw_scores_nothing():
    hands = {
        0: "7C KD 9H", 1: "7H 8D 9C", 2: "8H 9D TC", 3: "9S TD JC", 4: "TH JD QC", 5: "JH QD KC",
        6: "QH AD AC",
    }  # fmt: skip
    turns = "1+7S 1-7S 2+8S 2-8S 3+QS 3-QS 4+TS 4-TS 5+JS 5-JS 6+KS 6-KS 0+KH 0-KH 1+AH 1-AH"
    state = sit(f"{turns} 2+7D 2-7D 3+8C 3-8C", hands, preset=POINTS, deck=32, dealer=0, up="AS")
    assert hand(state)["end"] == "draw"
    assert hand(state)["gained"] == hand(state)["points"] == dict.fromkeys(range(7), 0)


def test_ne5_31_after_a_knock_by_option():
    script, hands = "k0 1+AD 1-7S s2", {0: "KH 9H 2C", 1: "KD QD 7S", 2: "9S 8S JS"}
    assert hand(sit(script, hands, preset=POINTS))["gained"] == {0: 0, 1: 3, 2: 2}
    assert hand(sit(script, hands, preset=POINTS, post_knock_31=6))["gained"] == {0: 0, 1: 6, 2: 2}


def test_ne4_a_blitz_by_option_leaves_the_others_nothing():
    state = sit("0+AH 0-2C", preset=POINTS, blitz_others="zero")
    assert hand(state)["gained"] == {0: 6, 1: 0, 2: 0}


def test_ne_g17_who_leaves_gains_nothing_and_keeps_his_points():
    state = sit("leave1 0+3C 0-3C k2 s0", preset=POINTS, start={"points": {"0": 3, "1": 5, "2": 1}})
    found = hand(state)
    assert (found["gained"], found["points"]) == ({0: 3, 1: 0, 2: 0}, {0: 6, 1: 5, 2: 1})


def test_ne6_g15_newcomers_begin_without_points():
    state = sit("k0 s1 s2 join4 join1!SEAT_TAKEN next", preset=POINTS)
    assert view(state).seat(4).match.points == 0
    assert "join" not in {action.kind for action in legal_actions(state)}


def test_ne6_the_last_one_alone_scores_nothing_and_waits_for_company():
    state = sit("leave0 leave1", preset=POINTS)
    assert (hand(state)["end"], hand(state)["gained"]) == ("walkover", dict.fromkeys(range(3), 0))
    go_on(state, "next!NOT_ENOUGH_PLAYERS join4 next")


# --- Banking --------------------------------------------------------------------------------------

BANK = {"preset": "banking", "widow": "AC KC 4D"}


def test_bk2_one_card_to_the_widow_after_each_round():
    script = (
        "w:AC!WRONG_DEAL_ORDER 0KH w:AC!WRONG_DEAL_ORDER 15D 0QH!WRONG_DEAL_ORDER w:AC "
        "w:KC!WRONG_DEAL_ORDER 0QH 16D w:?? 02C 17S up:4C!WRONG_PHASE w:4D up:4C w:9C!WRONG_PHASE"
    )
    state = sit(script, {}, seats=[0, 1], dealer=1, preset="banking")
    assert now(state)["stock"] == 52 - 6 - 4
    assert now(state)["table_widow"] == ["back"] * 3


def test_bk1_the_antes_lie_on_the_table_while_the_hand_goes_on():
    state = sit("", **BANK, ante=2)
    assert [seat.tokens for seat in view(state).seats] == [-2, -2, -2]
    assert hand(go_on(state, "misdeal"))["settlement"] == {0: 0, 1: 0, 2: 0}


def test_bk3_an_exchange_is_a_turn_and_lies_open():
    state = sit("w1:5D@0!NOT_YOUR_TURN 0+3C w0:2C@0!MUST_DISCARD 0-3C w1:7S@1", **BANK)
    assert (now(state)["turn"], now(state)["table_widow"]) == (2, ["back", "7S", "back"])
    assert (now(state)["stock"], now(state)["top"]) == (52 - 9 - 4 - 1, "3C")
    pile = view(state, 2).middle.pile("widow")
    assert [card and str(card) for card in pile] == [None, "7S", None]
    assert view(state).seat(1).known == ()  # taken blind
    state = go_on(state, "w2:3H@1")
    assert [str(card) for card in view(state).seat(2).known] == ["7S"]


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("w0:KH,QH@0", "WIDOW_COUNT"),
        ("w0:@", "WIDOW_COUNT"),
        ("w0:KH,QH@1,1", "WIDOW_COUNT"),
        ("w0:KH@3", "WIDOW_COUNT"),
        ("w0:KH@-1", "WIDOW_COUNT"),
        ("w0:9C@0", "NOT_IN_HAND"),
        ("w0:KH,KH@0,1", "NOT_IN_HAND"),
        ("w0:KH@0>KC", "MISMATCH"),
        ("w0:KH@0>AC,KC", "MISMATCH"),
        ("w0:??@0", "UPCARD_UNREADABLE"),
    ],
)
def test_bk3_exchanges_that_cannot_be(word, code):
    state = sit(f"{word}!{code}", **BANK)
    assert now(state)["table_widow"] == ["back"] * 3


def test_bk3_all_three_and_in_the_last_turn_too():
    state = sit("k0 w1:5D,6D,7S@2,1,0 s2", **BANK)
    assert hand(state)["values"][1] == 21  # A K of clubs, 4 of diamonds
    assert now(state)["table_widow"] == ["7S", "6D", "5D"]


def test_bk3_sc23_face_down_cards_are_taken_blind():
    hands = {0: "?? ?? ??", 1: "5D 6D 7S"}
    state = sit("w0:2C@1 s1!STAND_NOT_ALLOWED k1 s0", hands, preset="banking", widow="?? ?? 4D")
    state = go_on(state, "show0:KH,QH,2C!DUPLICATE_CARD show0:KH,QH,JH")
    assert hand(state)["winners"] == [0]
    hands = {0: "KH QH 2C", 1: "5D 6D 7S"}
    script = "w0:2C@0>4D!DUPLICATE_CARD w0:KH,2C@0,1>9C,9C!DUPLICATE_CARD w0:2C@0>9C"
    sit(script, hands, preset="banking", widow="?? ?? 4D")


def test_bk3_sc15_nobody_takes_his_own_discard_though_the_other_used_the_widow():
    hands = {0: "KH QH 2C", 1: "5D 6D 7S"}
    state = sit("0+3C 0-3C w1:7S@0 0<3C!OWN_DISCARD", hands, **BANK)
    assert now(state)["turn"] == 0


def test_bk4_bk7_the_highest_takes_all_and_no_knocker_is_fined():
    found = hand(sit("k1!NOT_YOUR_TURN 0+3C 0-3C k1 s2 s0", **BANK))
    assert (found["winners"], found["settlement"]) == ([0], {0: 2, 1: -1, 2: -1})
    assert (found["lost"], found["pot_carried"]) == ({}, 0)


@pytest.mark.parametrize(
    ("option", "winners", "settlement"),
    [
        ("split", [0, 1], {0: 1, 1: 0, 2: -1}),
        ("eldest", [0], {0: 2, 1: -1, 2: -1}),
        ("highest_card", [1], {0: -1, 1: 2, 2: -1}),
    ],
)
def test_bk6_bk9_a_tie_for_the_pot(option, winners, settlement):
    hands = {0: "QH JH 2D", 1: "KS TS 3D", 2: "9S 8S 3H"}
    found = hand(sit("k0 s1 s2", hands, **BANK, high_tie=option))
    assert (found["winners"], found["settlement"]) == (winners, settlement)


def test_bk5_two_blitzes_share_the_pot_and_the_bonus():
    hands = {0: "AS KS TS", 1: "AD KD TD", 2: "9S 8S 3H"}
    found = hand(sit("", hands, preset="banking", widow="AC KC 4D"))
    assert (found["winners"], found["settlement"]) == ([0, 1], {0: 1, 1: 1, 2: -2})
    found = hand(sit("", hands, preset="banking", widow="AC KC 4D", double_blitz="eldest_only"))
    assert found["settlement"] == {0: 4, 1: -2, 2: -2}


def run_out(pot: str):
    hands = {
        0: "7C KD 9H", 1: "7H 8D 9C", 2: "8H 9D TC", 3: "9S TD JC", 4: "TH JD QC", 5: "JH QD KC",
        6: "QH AD AC",
    }  # fmt: skip
    turns = "1+7S 1-7S 2+8S 2-8S 3+QS 3-QS 4+TS 4-TS 5+JS 5-JS 6+KS 6-KS 0+KH 0-KH"
    return sit(turns, hands, preset="banking", deck=32, dealer=0, up="AS", widow="AH 7D 8C",
               draw_pot=pot)  # fmt: skip


def test_bk1_the_pot_is_in_sight_from_the_first_turn_on():
    assert view(sit("k0 s1 s2", **BANK), TABLE).match.pot == 0, "somebody has it"
    state = sit("k0", **BANK)
    assert [seat.tokens for seat in view(state).seats] == [-1] * len(state.round.players)
    assert view(state, TABLE).match.pot == len(state.round.players)
    state = sit("k0", **BANK, start={"pot": 4})
    assert view(state, TABLE).match.pot == 4 + len(state.round.players), (
        "what was left is there too"
    )


def test_bk8_a_draw_gives_the_antes_back_or_leaves_them_on_the_table():
    state = run_out("return")
    assert (hand(state)["end"], now(state)["stock"]) == ("draw", 0)
    assert hand(state)["settlement"] == dict.fromkeys(range(7), 0)
    state = run_out("carry")
    assert hand(state)["settlement"] == dict.fromkeys(range(7), -1)
    assert (hand(state)["pot_carried"], view(state).match.pot) == (7, 7)
    assert (state.ledger.pot, sum(dict(state.ledger.entries).values())) == (7, -7)


def test_bk8_a_carried_pot_waits_through_a_misdeal_and_goes_to_the_next_winner():
    state = go_on(run_out("carry"), "next misdeal")
    assert hand(state)["pot_carried"] == 7
    assert hand(state)["settlement"] == dict.fromkeys(range(7), 0)
    state = go_on(state, "leave3 leave4 leave5 leave6 next 27H 08D 19S w:9H 28H 09D 1TS w:TH 29C")
    state = go_on(state, "07S 1QS w:KC up:AS k2 s0 s1")
    assert hand(state)["settlement"] == {0: -1, 1: 9, 2: -1}
    assert hand(state)["pot_carried"] == 0
    assert (state.ledger.pot, sum(dict(state.ledger.entries).values())) == (0, 0)


def test_bk_a_pot_in_the_case_start_is_won_too():
    state = sit("k0 s1 s2", **BANK, start={"pot": 5})
    assert hand(state)["settlement"] == {0: 7, 1: -1, 2: -1}


def test_bk_g17_who_leaves_pays_as_a_loser():
    found = hand(sit("leave1 0+AH 0-2C", **BANK))
    assert (found["end"], found["settlement"]) == ("blitz", {0: 4, 1: -2, 2: -2})


def test_bk_players_join_and_leave_between_hands():
    state = sit("k0 s1 s2 join5 leave1 next", **BANK)
    assert [p.seat for p in state.players] == [0, 2, 5]
    assert now(state)["dealer"] == 0


def test_stakes_of_the_presets():
    stakes = {preset.name: view(sit("", {}, seats=[0, 1], dealer=1, preset=preset.name)).stake
              for preset in find("scat").presets}  # fmt: skip
    assert stakes["banking"] == 1
    assert (stakes["wikipedia"], stakes["dollar-bill"], stakes["no-elimination"]) == (3, 5, 0)

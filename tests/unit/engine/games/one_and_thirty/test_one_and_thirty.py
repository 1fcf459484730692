"""Each rule of One-and-Thirty, by hand. Expected results follow the rule named."""

from __future__ import annotations

import pytest

from engine import BoneAceError, End, PackEnd, Phase, legal_actions


def last(state):
    return state.hands[-1]


def paid(state):
    return dict(last(state).settlement)


PLAIN = ("KH 9D 5C", "TD 8S 7H", "QS 6D 2C")  # 24, 25, 18


@pytest.mark.parametrize(
    ("script", "seats", "options"),
    [
        pytest.param("0KH 0KS!WRONG_DEAL_ORDER 1TD", 2, {"deal_style": "rounds"}, id="rounds"),
        pytest.param("1KH!WRONG_DEAL_ORDER 0KH", 2, {"deal_style": "packet"}, id="eldest-first"),
        pytest.param(
            "0KH 1TD!WRONG_DEAL_ORDER 0QD 0JD 0TD!TOO_MANY_CARDS 1TD",
            2,
            {"deal_style": "packet"},
            id="packet",
        ),
        pytest.param("1KH 0KS 1TD 1QD", 2, {}, id="any"),
        pytest.param("0KH/bottom!WRONG_END 0KH/top", 2, {}, id="from-the-top"),
        pytest.param("7KH!UNKNOWN_SEAT", 2, {}, id="nobody-there"),
    ],
)
def test_ot3_order_of_the_deal(sit, script, seats, options):
    assert sit(script, seats=seats, **options).phase is Phase.DEAL


def test_ot5_only_the_player_whose_turn_it_is_acts(sit, deal):
    state = sit(deal(*PLAIN) + " s1!NOT_YOUR_TURN h2!NOT_YOUR_TURN s0")
    assert state.turn == 1


def test_ot7_the_card_asked_for_comes_from_the_bottom(sit, deal):
    state = sit(deal(*PLAIN) + " h0 02D/top!WRONG_END 02D/bottom s0")
    assert state.turn == 1


def test_ot7_either_end_where_the_source_does_not_say(sit, deal):
    assert sit(deal(*PLAIN) + " h0 02D/top", draw_from="any").turn == 0


def test_ot20_between_request_and_card_nothing_else_is_taken(sit, deal):
    early = " h0 show0:KH,9D,5C!CARD_PENDING s0!CARD_PENDING h0!CARD_PENDING 0AS"
    state = sit(deal(*PLAIN) + early)
    assert not state.live_play.asked


def test_ot10_everybody_pays_double_for_31(sit, deal):
    state = sit(deal(*PLAIN) + " s0 h1 16H", stake=3)
    assert last(state).end is End.THIRTY_ONE
    assert paid(state) == {0: -6, 1: 12, 2: -6}
    assert last(state).payments == ((0, 1, 6), (2, 1, 6))


def test_ot11_dealer_wins_without_drawing_when_all_are_out(sit, deal):
    state = sit(deal("KH QD 2C", "KD QS 3C", "2D 2H 2S") + " h0 0JH h1 1JD")
    assert last(state).end is End.DEALER_WINS
    assert paid(state) == {0: -1, 1: -1, 2: 2}


def test_ot11_option_makes_the_dealer_play_and_nobody_wins_when_he_goes_over(sit, deal):
    script = deal("KH QD 2C", "KD QS 3C", "KS QC 4D") + " h0 0JH h1 1JD h2 2JS"
    state = sit(script, dealer_wins_if_all_out=False)
    assert last(state).end is End.ALL_OUT
    assert last(state).winner is None
    assert paid(state) == {0: 0, 1: 0, 2: 0}


def test_ot11_option_leaves_the_dealer_a_try_for_31(sit, deal):
    script = deal("KH QD 2C", "KD QS 3C", "KS 9C 4D") + " h0 0JH h1 1JD h2 28S"
    state = sit(script, dealer_wins_if_all_out=False)
    assert last(state).end is End.THIRTY_ONE
    assert paid(state) == {0: -2, 1: -2, 2: 4}


def test_ot22_everybody_leaves_before_the_dealer_has_acted(sit, deal):
    state = sit(deal(*PLAIN) + " s0 leave0 leave1")
    assert (last(state).end, last(state).winner) == (End.DEALER_WINS, 2)


def test_ot22_the_last_player_not_out_wins_in_mid_turn(sit, deal):
    state = sit(deal(*PLAIN) + " h0 02D leave1 leave2")
    assert (last(state).end, last(state).winner) == (End.SOLE_SURVIVOR, 0)
    assert paid(state) == {0: 2, 1: -1, 2: -1}


def test_ot22_a_stuck_player_with_unseen_cards_shows_before_he_wins(sit, deal):
    state = sit(deal("?? ?? ??", *PLAIN[1:]) + " s0 leave1 leave2")
    assert state.phase is Phase.SHOWDOWN
    assert state.live_play.to_reveal() == (0,)
    state = sit(deal("?? ?? ??", *PLAIN[1:]) + " s0 leave1 leave2 show0:KH,9D,5C")
    assert (last(state).end, last(state).winner) == (End.SOLE_SURVIVOR, 0)


def test_ot22_the_last_player_shows_more_than_31_and_nobody_pays(sit, deal):
    script = deal("KS QD ??", *PLAIN[1:]) + " h0 0?? s0 leave1 leave2 show0:KS,QD,5C,9H"
    assert (last(sit(script)).end, last(sit(script)).winner) == (End.DEALER_WINS, 2)
    state = sit(script, late_out="at_showdown")
    assert (last(state).end, last(state).winner) == (End.ALL_OUT, None)
    assert paid(state) == {0: 0, 1: 0, 2: 0}


def test_ot13_the_elder_of_two_wins_the_tie(sit, deal):
    state = sit(deal("KH 5D 3C", "TD 8S 7H", "QS 8D 7C") + " s0 s1 s2")
    assert (last(state).winner, paid(state)) == (1, {0: -1, 1: 2, 2: -1})


def test_ot14_split_gives_the_rest_to_the_eldest_sharer(sit, deal):
    script = deal("KH 5D 3C", "TD 8S 7H", "QS 8D 7C") + " s0 s1 s2"
    state = sit(script, tie_rule="split")
    assert last(state).winner is None
    assert last(state).winners == (1, 2)
    assert paid(state) == {0: -1, 1: 1, 2: 0}


def test_ot15_ties_go_to_the_older_person_even_if_he_deals(sit, deal):
    script = deal("KH 5D 3C", "TD 8S 7H", "QS 8D 7C") + " s1 s0 s2"
    state = sit(script, preset="davis", ages=[20, 30, 40])
    assert last(state).winner == 2


def test_ot15_equal_ages_go_by_seat(sit, deal):
    script = deal("KH 5D 3C", "TD 8S 7H", "QS 8D 7C") + " s0 s1 s2"
    assert last(sit(script, preset="davis", ages=[30, 30, 30])).winner == 1


def test_ot16_two_dealt_31s_go_to_the_elder(sit, deal):
    state = sit(deal("2H 2D 3C", "AD KS QH", "AS TS JH"), ace_value=11, tie_rule="split")
    assert (last(state).end, last(state).winners) == (End.THIRTY_ONE, (1,))


def test_ot16_a_dealt_hand_over_31_is_out_before_play(sit, deal):
    state = sit(deal("AD AS KH", "2D 3S 4H", "5S 6S 7H") + " s0!SEAT_OUT", ace_value=11)
    assert state.turn == 1


def test_ot16_everybody_over_on_the_deal_leaves_no_winner(sit, deal):
    state = sit(deal("AD AS KH", "AH AC KD"), seats=2, ace_value=11)
    assert (last(state).end, paid(state)) == (End.ALL_OUT, {0: 0, 1: 0})


def test_ot25_an_ace_turns_from_11_to_1(sit, deal):
    state = sit(deal("AD 9S 5H", "KD 3S 4H") + " h0 0KH s0 s1", seats=2, ace_value="1or11")
    assert dict(last(state).totals) == {0: 25, 1: 17}


def test_ot17_out_is_out_even_if_the_cards_shown_are_not_over(sit, deal):
    state = sit(deal("?? ?? ??", *PLAIN[1:]) + " out0:KH,9D,5C s0!SEAT_OUT s1 s2")
    assert last(state).out == (0,)
    assert dict(last(state).totals)[0] == 24
    assert last(state).winner == 1


def test_ot17_a_false_claim_is_refused_and_play_goes_on(sit, deal):
    script = deal("?? ?? ??", *PLAIN[1:]) + " h0 0?? claim0:KH,9D,5C,6H!FALSE_31 s0"
    assert sit(script).turn == 1


def test_ot17_a_dealt_31_may_be_claimed_before_the_own_turn(sit, deal):
    script = deal("?? ?? ??", *PLAIN[1:])
    claimed = script.replace("2QS", "2??").replace("26D", "2??").replace("22C", "2??")
    state = sit(claimed + " h0 claim2:AS,KC,QC", ace_value=11)
    assert (last(state).end, last(state).winner) == (End.THIRTY_ONE, 2)


def test_ot17_who_has_acted_may_claim_only_in_his_turn(sit, deal):
    script = deal("?? ?? ??", "?? ?? ??", "QS 6D 2C") + " s0 claim0:AS,KC,QC!NOT_YOUR_TURN s1"
    assert sit(script, ace_value=11).phase is Phase.PLAY


def test_ot18_a_hand_shown_over_31_is_out(sit, deal):
    script = deal("KS QD ??", *PLAIN[1:]) + " h0 0?? s0 s1 s2 show1:TD,8S,7H!NOT_YOUR_TURN"
    state = sit(script + " show0:KS,QD,5C,9H")
    assert last(state).out == (0,)
    assert (last(state).end, last(state).winner) == (End.SHOWDOWN, 1)


def test_ot18_who_will_not_show_declares_out_or_leaves(sit, deal):
    script = deal("KS QD ??", "?? 8S 7H", "QS 6D 2C") + " s0 s1 s2 out0 leave1"
    state = sit(script)
    assert last(state).out == (0, 1)
    assert (last(state).end, last(state).winner) == (End.SOLE_SURVIVOR, 2)


@pytest.mark.parametrize(("late", "stakes"), [("single", 1), ("double", 2)])
def test_ot19_a_31_found_at_the_showdown(sit, deal, late, stakes):
    script = deal("KS QD ??", *PLAIN[1:]) + " h0 0?? s0 s1 s2 show0:KS,QD,5C,6H"
    state = sit(script, late_31=late)
    assert (last(state).end, last(state).winner) == (End.SHOWDOWN, 0)
    assert paid(state) == {0: 2 * stakes, 1: -stakes, 2: -stakes}


def test_ot21_an_empty_pack_asks_for_a_misdeal(sit):
    eight = [f"{seat}??" for _ in range(3) for seat in range(8)]
    seven = [word for seat in range(4) for _ in range(7) for word in (f"h{seat}", f"{seat}??")]
    turns = []
    for seat in range(4):
        turns += [*seven[seat * 14 : seat * 14 + 14], f"s{seat}"]
    state = sit(" ".join([*eight, *turns, "h4!STOCK_EMPTY", "misdeal"]), seats=8)
    assert last(state).end is End.MISDEAL


def test_ot24_two_packs_take_ten_players_and_every_card_twice(sit):
    state = sit("0KH 1KH 2KH!DUPLICATE_CARD 2KD", seats=10, decks=2, max_players=10)
    assert state.phase is Phase.DEAL


def test_ot1_nine_players_need_two_packs(sit):
    with pytest.raises(BoneAceError, match="set decks to 2"):
        sit(seats=9, max_players=9)
    with pytest.raises(BoneAceError, match="seat 2 to 8"):
        sit(seats=9)


def test_g6_an_unknown_card_counts_at_least_two_where_aces_count_11(sit, deal):
    state = sit(deal("KS QD ??", *PLAIN[1:]) + " h0 0TS", ace_value=11)
    assert state.live_play.hand(0).out


def test_g6_31_is_called_only_when_every_card_is_known(sit, deal):
    state = sit(deal("KS QD ??", *PLAIN[1:]) + " h0 0TS")
    assert state.turn == 0
    assert not state.live_play.hand(0).out


def test_actions_name_the_bottom_of_the_pack(sit, deal):
    deals = [a for a in legal_actions(sit(deal(*PLAIN) + " h0")) if a.kind == "deal"]
    assert [(a.seat, a.end) for a in deals] == [(0, PackEnd.BOTTOM)]


def test_ot2_one_stake_is_the_same_for_all(sit, deal):
    assert paid(sit(deal(*PLAIN) + " s0 s1 s2", stake=7)) == {0: -7, 1: 14, 2: -7}


def test_ot6_he_is_asked_again_after_each_card(sit, deal):
    state = sit(deal("2H 3D 4C", "TD 8S 7H") + " h0 02D h0 03C h0 04D s0", seats=2)
    assert len(state.live_play.hand(0).cards) == 6
    assert state.turn == 1


def test_ot8_over_31_is_out_at_once_and_pays(sit, deal):
    state = sit(deal(*PLAIN) + " h0 08D h0!SEAT_OUT out0!SEAT_OUT s1 s2")
    assert last(state).out == (0,)
    assert paid(state) == {0: -1, 1: 2, 2: -1}


def test_ot9_31_ends_the_hand_before_the_others_act(sit, deal):
    state = sit(deal(*PLAIN) + " h0 07D s1!WRONG_PHASE 1AS!WRONG_PHASE claim1:TD,8S,7H!WRONG_PHASE")
    assert (last(state).end, last(state).winner) == (End.THIRTY_ONE, 0)


def test_ot12_the_nearest_takes_a_single_stake_from_those_out_too(sit, deal):
    state = sit(deal(*PLAIN) + " h0 08D h1 13D s1 h2 29H s2")
    assert dict(last(state).totals) == {0: 32, 1: 28, 2: 27}
    assert paid(state) == {0: -1, 1: 2, 2: -1}


@pytest.mark.parametrize("face", ["", "^"])
def test_a_card_laid_open_by_accident_is_played_on(sit, deal, face):
    state = sit(deal(*PLAIN) + f" h0 0{face}2D")
    assert state.live_play.hand(0).up[-1] is bool(face)
    assert not state.live_play.asked


def test_ot17_a_claim_cannot_be_made_at_the_showdown(sit, deal):
    script = deal("KS QD ??", *PLAIN[1:]) + " h0 0?? s0 s1 s2 claim0:KS,QD,5C,6H!WRONG_PHASE"
    assert sit(script + " show1:TD,8S,7H!NOT_YOUR_TURN out1!NOT_YOUR_TURN s0!WRONG_PHASE").phase


def test_ot18_only_hands_with_unseen_cards_are_asked_for(sit, deal):
    script = deal("KS QD ??", "?? 8S 7H", "QS 6D 2C") + " out0 s1 s2 show0:KS,QD,5C!SEAT_OUT"
    assert sit(script).live_play.to_reveal() == (1,)

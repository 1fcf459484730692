"""Misread cards put right (rules G-8, G-10, G-11, G-12)."""

from __future__ import annotations

import pytest

from engine import End, Phase

PLAIN = ("KH 9D 5C", "TD 8S 7H", "QS 6D 2C")  # 24, 25, 18


def last(state):
    return state.hands[-1]


def totals(state):
    return dict(last(state).totals)


@pytest.mark.parametrize(
    "word",
    [
        pytest.param("fix:5C>TD!DUPLICATE_CARD", id="G-8-lies-elsewhere"),
        pytest.param("fix:5C>5C!DUPLICATE_CARD", id="G-8-lies-there"),
        pytest.param("fix:3C>4C!BAD_CORRECTION", id="not-read"),
        pytest.param("fix1:5C>4C!BAD_CORRECTION", id="not-that-seat"),
        pytest.param("fix7:5C>4C!UNKNOWN_SEAT", id="nobody-there"),
        pytest.param("fix:??>4C!BAD_CORRECTION", id="never-read"),
        pytest.param("fix:5C>??!BAD_CORRECTION", id="not-read-now"),
    ],
)
def test_refused_corrections(sit, deal, word):
    assert sit(f"{deal(*PLAIN)} {word}").turn == 0


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_very_card_is_corrected_wherever_it_lies(sit, deal, place):
    cards = ["KH", "9D", "5C"]
    state = sit(f"{deal(*PLAIN)} fix:{cards[place]}>AS s0")
    cards[place] = "AS"
    assert [str(card) for card in state.live_play.hand(0).cards] == cards


def test_a_card_drawn_is_corrected_with_others_drawing_in_between(sit, deal):
    state = sit(deal(*PLAIN) + " h0 02D h0 03H s0 h1 12H s1 fix0:3H>4H fix1:2H>3H")
    assert [str(card) for card in state.live_play.hand(0).cards[3:]] == ["2D", "4H"]
    assert [str(card) for card in state.live_play.hand(1).cards[3:]] == ["3H"]


def test_a_corrected_card_is_free_again(sit, deal):
    state = sit(deal(*PLAIN) + " fix:5C>4C h0 05C s0 s1 s2")
    assert totals(state)[0] == 28


def test_g10_events_of_a_player_who_was_by_then_out_are_void(sit, deal):
    script = deal("KH 9D 2C", "TD 8S 7H", "QS 6D 3C") + " h0 04D h0 02D s0 s1 fix:4D>JD"
    state = sit(script)  # 21 + 10 puts seat 0 at 31: the hand ended there
    assert (last(state).end, totals(state)[0]) == (End.THIRTY_ONE, 31)
    state = sit(script + " undo fix:2C>9C")  # 28 + 4: out before the deuce
    assert state.live_play.hand(0).out
    assert len(state.live_play.hand(0).cards) == 4
    assert state.turn == 2


def test_g10_a_correction_that_makes_31_ends_the_hand_there(sit, deal):
    state = sit(deal(*PLAIN) + " h0 06H s0 s1 fix:6H>7D s2!WRONG_PHASE")
    assert (last(state).end, last(state).winner) == (End.THIRTY_ONE, 0)


def test_g10_a_31_that_was_none_opens_the_hand_again(sit, deal):
    state = sit(deal(*PLAIN) + " h0 07D fix:7D>6C")
    assert (state.phase, state.turn) == (Phase.PLAY, 0)


def test_g10_a_correction_corrected_revives_what_was_void(sit, deal):
    state = sit(deal(*PLAIN) + " h0 06H s0 s1 fix:6H>7D fix:7D>6C")
    assert (state.phase, state.turn) == (Phase.PLAY, 2)


def test_g10_a_false_claim_comes_to_nothing(sit, deal):
    script = deal("?? ?? ??", *PLAIN[1:]) + " h0 0?? claim0:KH,9D,5C,7C fix:7C>6C"
    state = sit(script)
    assert (state.phase, state.turn) == (Phase.PLAY, 0)


def test_g10_a_card_known_only_from_the_showdown(sit, deal):
    script = deal("?? ?? ??", *PLAIN[1:]) + " s0 s1 s2 show0:KH,9D,5C fix0:5C>8C"
    assert (totals(sit(script))[0], last(sit(script)).winner) == (27, 0)


def test_g10_a_card_unread_until_the_showdown_is_not_known_any_earlier(sit, deal):
    script = deal("KS QD ??", *PLAIN[1:]) + " h0 0?? s0 s1 s2 show0:KS,QD,5C,4H fix:4H>6H"
    state = sit(script, late_31="single")
    assert (last(state).end, last(state).winner) == (End.SHOWDOWN, 0)  # OT-19, not OT-9


def test_g10_a_card_known_from_the_deal_and_shown(sit, deal):
    script = deal("KH ?? ??", *PLAIN[1:]) + " s0 s1 s2 show0:KH,9D,5C fix:KH>2H"
    assert totals(sit(script))[0] == 16


def test_g10_the_player_called_out_plays_on_if_nobody_has_acted(sit, deal):
    state = sit(deal(*PLAIN) + " h0 08D s0!SEAT_OUT fix:8D>3D")
    assert (state.turn, state.live_play.hand(0).stuck) == (0, False)


def test_g11_a_request_of_a_later_player_counts_as_acting(sit, deal):
    state = sit(deal(*PLAIN) + " h0 08D h1 fix:8D>3D h0!NOT_YOUR_TURN 1AS")
    assert state.live_play.hand(0).stuck
    assert state.live_play.hand(1).cards[-1] is not None


def test_g11_hands_shown_count_as_acting(sit, deal):
    script = deal("?? ?? ??", *PLAIN[1:]) + " s0 s1 h2 26H h2 28H"  # dealer 'over' on 32
    state = sit(script + " show0:KH,9D,5C fix:8H>3H")
    assert last(state).end is End.SHOWDOWN  # the dealer stands on 27 and does not draw again
    assert (totals(state)[2], last(state).winner) == (27, 2)


@pytest.mark.parametrize("word", ["out1", "show1:2H,3H,4H"])
def test_g11_a_hand_thrown_in_or_shown_in_ones_own_turn_counts_as_acting(sit, deal, word):
    hidden = deal("KH 9D 5C", "?? ?? ??", "?? ?? ??")
    state = sit(f"{hidden} h0 08S {word} fix:8S>2S")  # Ann was 'over' on 32, and is not
    assert state.live_play.hand(0).stuck
    # In another's turn it is no turn taken: Ann's goes on.
    early = sit(f"{hidden} h0 {word} 08S fix:8S>2S")
    assert (early.turn, early.live_play.hand(0).stuck) == (0, False)


def test_g11_a_hand_wrongly_over_on_the_deal_counts_as_stuck(sit, deal):
    script = deal("AD AS KH", "2D 3S 4H", "5S 6S 7H") + " s1 fix:KH>5H"
    state = sit(script, ace_value=11)
    assert state.live_play.hand(0).stuck
    assert state.turn == 2


def test_g12_a_correction_after_the_payment_pays_again(sit, deal):
    state = sit(deal(*PLAIN) + " s0 s1 s2 fix:5C>8C")
    assert dict(state.ledger.entries) == {0: 2, 1: -1, 2: -1}
    state = sit(deal(*PLAIN) + " s0 s1 s2 next fix:5C>8C!BAD_CORRECTION")
    assert dict(state.ledger.entries) == {0: -1, 1: 2, 2: -1}


def test_g14_undo_takes_a_correction_back(sit, deal):
    before = sit(deal(*PLAIN) + " h0 08D s1")
    after = sit(deal(*PLAIN) + " h0 08D s1 fix:8D>3D undo")
    assert after.round == before.round


def test_two_packs_need_the_seat(sit):
    state = sit("0KH 1KH fix:KH>QH!BAD_CORRECTION fix1:KH>QH", decks=2)
    assert [str(card) for card in state.live_play.seen()] == ["KH", "QH"]


def test_a_misread_cut_is_put_right_before_the_deal(sit):
    state = sit("cut0KH cut1QH cut2JH fix:KH>2H", dealer=None)
    assert state.dealer == 0
    state = sit("cut0KH cut1QH cut2JH 0KH fix:QH>2H!BAD_CORRECTION", dealer=None)
    assert state.dealer == 2


def test_ba2_a_corrected_third_card_moves_the_bone(sit):
    dealt = "0KH 1TD 2QS 09D 18S 26D 0^5C 1^7H 2^9C s0 fix:7H>JH"
    state = sit(dealt, game="bone-ace")
    assert state.live_play.bone.holder == 1
    assert state.turn == 1


def test_leaving_after_a_hand_that_a_correction_reopens_counts_as_out(sit, deal):
    state = sit(deal(*PLAIN) + " s0 s1 h2 28D h2 26H leave0 fix:6H>2H")
    assert state.live_play.hand(0).left
    assert (state.phase, state.turn) == (Phase.PLAY, 2)


def test_g11_two_players_wrongly_called_out_are_put_right_one_after_the_other(sit, deal):
    state = sit(deal(*PLAIN) + " h0 0JC h1 1JD")
    assert last(state).end is End.DEALER_WINS
    state = sit(deal(*PLAIN) + " h0 0JC h1 1JD fix:JD>3D s1 s2 fix:JC>4C")
    assert totals(state) == {0: 28, 1: 28, 2: 18}  # the first counts as having stuck: elder hand
    assert (last(state).winner, last(state).out) == (0, ())


def test_g10_a_true_claim_corrected_to_a_false_one_must_be_shown_again(sit, deal):
    hidden = deal(*["?? ?? ??"] * 3)
    script = hidden + " h0 claim1:AH,KH,TH fix:TH>9H"
    state = sit(script + " s0!CARD_PENDING 02C s0 s1 s2", ace_value=11)
    assert (state.phase, state.live_play.to_reveal()) == (Phase.SHOWDOWN, (0, 1, 2))
    shown = " 02C s0 s1 s2 show0:3D,4D,5D,2C show1:AH,KH,9H show2:KS,QS,9S"
    assert last(sit(script + shown, ace_value=11)).winner == 1


def test_g8_a_correction_to_a_third_copy_is_refused(sit, deal):
    script = deal("KH 9D 5C", "KH 8S 7H", "QS 6D 2C") + " fix2:QS>KH!DUPLICATE_CARD fix1:KH>5C"
    assert sit(script, decks=2).live_play.hand(1).cards[0] == sit("05C").live_play.hand(0).cards[0]


def test_g12_the_winner_deals_even_if_a_correction_made_him_so_after_one_left(sit, deal):
    script = deal(*PLAIN) + " s0 s1 s2 leave0 fix:2C>TC"
    state = sit(script, next_dealer="winner")
    assert (last(state).winner, last(state).next_dealer) == (2, 2)
    assert [player.seat for player in state.players] == [1, 2]


def test_undo_goes_back_through_a_correction_after_a_misdeal(sit, deal):
    state = sit(deal(*PLAIN) + " s0 misdeal fix:9D>8D undo undo s1 s2")
    assert (last(state).end, totals(state)[0]) == (End.SHOWDOWN, 24)

"""What each audience is told of a hand (rule G-7)."""

from __future__ import annotations

import pytest

from engine import EVERYTHING, TABLE, SeatStatus, legal_actions, view

PLAIN = ("KH 9D 5C", "TD 8S 7H", "QS 6D 2C")  # 24, 25, 18


def codes(seat):
    return [None if card is None else str(card) for card in seat.cards]


def test_g7_backs_for_the_table_own_cards_for_a_seat_all_for_the_record(sit, deal):
    state = sit(deal(*PLAIN))
    backs = [None, None, None]
    assert [codes(seat) for seat in view(state, TABLE).seats] == [backs, backs, backs]
    assert [codes(seat) for seat in view(state, 1).seats] == [backs, ["TD", "8S", "7H"], backs]
    assert [seat.total for seat in view(state, EVERYTHING).seats] == [24, 25, 18]
    assert not any(seat.shown for seat in view(state, EVERYTHING).seats)


def test_g7_a_hand_shown_is_public_and_the_others_are_not(sit, deal):
    state = sit(deal("?? ?? ??", "?? ?? ??", PLAIN[2]) + " s0 s1 s2 show0:KH,9D,5C")
    seats = view(state).seats
    assert (codes(seats[0]), seats[0].total, seats[0].shown) == (["KH", "9D", "5C"], 24, True)
    assert (codes(seats[2]), seats[2].total, seats[2].shown) == ([None] * 3, None, False)
    assert view(state).to_reveal == (1,)


def test_g7_a_card_laid_open_is_public_and_its_total_is_not(sit, deal):
    seat = view(sit(deal("^KH 9D 5C", *PLAIN[1:]))).seat(0)
    assert (codes(seat), seat.total) == (["KH", None, None], None)


def test_an_empty_hand_has_no_total_and_is_not_shown(sit):
    seat = view(sit("0KH misdeal")).seat(1)
    assert (seat.cards, seat.total, seat.shown) == ((), None, False)


def test_who_deals_and_whose_turn_it_is(sit, deal):
    seen = view(sit(deal(*PLAIN) + " h0"))
    assert [seat.is_dealer for seat in seen.seats] == [False, False, True]
    assert [seat.is_turn for seat in seen.seats] == [True, False, False]
    assert (seen.turn, seen.card_asked, seen.deal_to) == (0, True, None)


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("s0", [SeatStatus.STUCK, SeatStatus.WAITING, SeatStatus.WAITING]),
        ("h0 08D", [SeatStatus.OUT, SeatStatus.WAITING, SeatStatus.WAITING]),
        ("leave1", [SeatStatus.WAITING, SeatStatus.LEFT, SeatStatus.WAITING]),
        ("h0 07D", [SeatStatus.THIRTY_ONE, SeatStatus.WAITING, SeatStatus.WAITING]),
        ("s0 s1 s2", [SeatStatus.STUCK, SeatStatus.WINNER, SeatStatus.STUCK]),
        ("s0 s1 s2 undo misdeal", [SeatStatus.STUCK, SeatStatus.STUCK, SeatStatus.WAITING]),
        ("h0 08D s1 h2 29H h2 2TC", [SeatStatus.OUT, SeatStatus.WINNER, SeatStatus.OUT]),
    ],
)
def test_how_each_player_stands(sit, deal, script, status):
    assert [seat.status for seat in view(sit(f"{deal(*PLAIN)} {script}")).seats] == status


def test_the_bone_and_its_holder(sit):
    state = sit("0KH 1TD 2QS 09D 18S 26D 0^5C 1^7H 2^9C", game="bone-ace")
    seen = view(state)
    assert [seat.is_bone_holder for seat in seen.seats] == [False, False, True]
    assert (seen.bone.holder, str(seen.bone.card)) == (2, "9C")
    assert seen.bone.payments == ((0, -1), (1, -1), (2, 2))
    assert codes(seen.seat(0)) == [None, None, "5C"]


def test_the_result_and_the_tokens_of_the_evening(sit, deal):
    seen = view(sit(deal(*PLAIN) + " s0 s1 s2 join5"))
    assert (seen.result.end, seen.result.winners, seen.result.next_dealer) == ("showdown", (1,), 0)
    assert seen.result.payments == ((0, 1, 1), (2, 1, 1))
    assert [(seat.seat, seat.tokens) for seat in seen.seats] == [(0, -1), (1, 2), (2, -1), (5, 0)]
    assert seen.seat(5).cards == ()


def test_the_cut_is_public(sit):
    seen = view(sit("cut2KH cut0AS cut1AD cut0QD", dealer=None))
    assert [(seat, str(card)) for seat, card in seen.cuts] == [(0, "QD"), (1, "AD"), (2, "KH")]
    assert seen.to_cut == (1,)
    assert seen.dealer is None


@pytest.mark.parametrize(
    ("script", "dealer", "listed"),
    [("0??", 2, False), ("0?? 1KH", 2, True), ("cut0KH", None, True), ("", None, False)],
)
def test_a_correction_is_offered_once_a_card_has_been_read(sit, script, dealer, listed):
    kinds = {action.kind for action in legal_actions(sit(script, dealer=dealer))}
    assert ("correct" in kinds) is listed

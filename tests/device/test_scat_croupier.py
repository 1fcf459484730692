"""What lies between the players becomes draws, discards and exchanges: hand-written readings."""

import pytest
from scat_bench import DISCARD, MIDDLE, ScatBench, cards

from device.croupiers import croupier_for
from device.scat_croupier import ScatCroupier
from engine import Card, Correct, Deal, Declare, Reveal, Undo
from engine.events import (
    Accept,
    ChooseHand,
    Claim,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Facing,
    Keep,
    Knock,
    NextHand,
    Pile,
    Renew,
    Restart,
    Source,
    Stand,
    SwapCards,
    SwapHand,
    TableHand,
    TurnUp,
    Widow,
)
from engine.views import Phase
from vision.readings import ZoneKind

STOCK, TOP = Source.STOCK, Source.DISCARD


def card(code):
    return Card.parse(code)


@pytest.fixture
def bench():
    """Three players, dealt, the nine of hearts turned up: it is Ann's turn."""
    made = ScatBench()
    made.deal("9H")
    return made


def game(preset, first=None, players=3, **options):
    made = ScatBench(players, preset, **options)
    made.deal(first)
    return made


# The deal


def test_the_game_has_its_own_croupier():
    assert type(croupier_for("scat")) is ScatCroupier


def test_backs_are_dealt_one_at_a_time_from_the_dealers_left_and_the_first_discard_turned():
    made = ScatBench()
    events = made.deal("9H")
    assert [event.seat for event in events[:-1]] == [0, 1, 2] * 3
    assert all(event.card is None for event in events[:-1])
    assert events[-1] == TurnUp(card("9H"))
    assert made.view.turn == 0


def test_hands_that_are_taken_up_are_missed_by_nobody(bench):
    assert bench.said == ""
    assert bench.question is None


def test_an_unread_first_discard_is_asked_about():
    made = ScatBench()
    made.deal()
    made.throw("9H?6H")
    assert made.question.cards == cards("9H 6H")
    assert made.answer("6H") == [TurnUp(card("6H"))]


def test_a_first_discard_face_down_is_to_be_turned():
    made = ScatBench()
    made.deal()
    made.throw("back")
    assert "Turn it up" in made.said
    assert made.view.phase is Phase.TURN_UP


def test_a_discard_before_all_backs_were_seen_asks_whether_the_deal_is_done():
    made = ScatBench()
    made.mat.lay(0)
    made.look()
    made.throw("9H")
    assert made.question.kind == "dealt"
    events = made.press("have")
    assert events == [Deal(1, None), Deal(2, None)] + [Deal(n, None) for n in (0, 1, 2)] * 2 + [
        TurnUp(card("9H"))
    ]


def test_no_keeps_the_deal_going_until_the_card_is_laid_again():
    made = ScatBench()
    made.throw("9H")
    made.press("stick")
    assert made.question is None
    assert "does not count" in made.said
    assert made.view.phase is Phase.DEAL


def test_the_dealer_may_say_that_all_are_dealt():
    made = ScatBench()
    made.look()
    made.press("next")
    assert made.question.kind == "dealt"
    assert len(made.press("have")) == 9
    assert made.view.phase is Phase.TURN_UP


def test_a_back_found_twice_is_dealt_once():
    made = ScatBench()
    for seat in (0, 1, 1):
        made.mat.lay(seat)
    made.mat.shifts[1, 1] = (-80.0, 5.0)  # five millimetres beside the first one
    assert made.look() == [Deal(0, None), Deal(1, None)]
    made.mat.lay(2)
    made.mat.lay(0)
    assert [event.seat for event in made.look()] == [2, 0]


def test_the_cut_comes_first():
    made = ScatBench(cut=True)
    for seat, code in enumerate(("9H", "4S", "KD")):
        made.mat.lay(seat, code)
    assert [event.card for event in made.look()] == list(cards("9H 4S KD"))
    assert made.view.dealer == 1
    made.take_up()
    assert [event.seat for event in made.deal()] == [2, 0, 1] * 3


# Draw and discard (SC-4, SC-14 to SC-18)


def test_a_new_card_on_the_discard_is_drawn_from_the_stock(bench):
    assert bench.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]
    assert bench.view.turn == 1


def test_the_top_gone_is_drawn_then_another_is_laid(bench):
    bench.throw("KD")
    assert bench.draw_top() == "KD"
    assert bench.events[-1] == Draw(1, TOP)
    assert bench.view.middle.drawn == "discard"
    assert bench.throw("3C") == [Discard(1, card("3C"))]
    assert bench.view.middle.discards == cards("9H 3C")


def test_the_only_discard_drawn_leaves_the_place_empty(bench):
    bench.draw_top()
    assert bench.events[-1] == Draw(0, TOP)
    assert bench.throw("3C") == [Discard(0, card("3C"))]


def test_have_is_a_draw_said_before(bench):
    assert bench.press("have") == [Draw(0, STOCK)]
    assert bench.throw("KD") == [Discard(0, card("KD"))]


def test_who_has_drawn_and_takes_the_discard_too_is_told(bench):
    bench.throw("2C")
    bench.press("have")
    bench.draw_top()
    assert "Bess has drawn a card already" in bench.said
    assert bench.events[-1] == Draw(1, STOCK)


def test_an_unread_discard_is_asked_about_among_what_can_be(bench):
    bench.throw("9H?KD?9D")
    assert bench.question.cards == cards("9H KD 9D")
    assert bench.answer("9D") == [Draw(0, STOCK), Discard(0, card("9D"))]


def test_an_unread_discard_may_turn_out_to_be_the_old_one(bench):
    bench.throw("9H?KD")
    assert bench.answer("9H") == []
    assert bench.view.middle.discard_top == card("9H")
    assert bench.view.turn == 0


def test_a_named_discard_is_not_taken_for_the_next_unread_one(bench):
    bench.throw("KD?QD")
    bench.answer("KD")
    bench.throw("JD?QD")
    assert bench.question.cards == cards("JD QD")
    assert bench.answer("QD") == [Draw(1, STOCK), Discard(1, card("QD"))]


def test_the_same_card_not_so_well_seen_is_the_same_card(bench):
    bench.mat.lay(1)  # Bess lays a card down, and the eyes look anew
    bench.mat.cards[DISCARD, 0] = "9H?6H"
    assert bench.look() == []
    assert bench.question is None


def test_where_nothing_else_changed_an_unread_card_is_asked_about(bench):
    bench.mat.cards[DISCARD, 0] = "9H?6H"
    bench.look()
    assert bench.question.cards == cards("9H 6H")
    assert bench.answer("6H") == [Draw(0, STOCK), Discard(0, card("6H"))]


def test_a_card_laid_exactly_on_the_last_one_is_a_new_one(bench):
    """Eyes look anew only at what changes, and nothing else did."""
    bench.mat.cards[DISCARD, 0] = "6H"
    assert bench.look() == [Draw(0, STOCK), Discard(0, card("6H"))]


def test_a_card_that_nobody_touched_and_that_reads_differently_is_asked_about(bench):
    bench.mat.lay(1)
    bench.mat.cards[DISCARD, 0] = "6H"
    bench.look()
    assert bench.question.kind == "reread"
    assert bench.answer("misread") == [Correct(card("9H"), card("6H"))]
    assert bench.view.middle.discard_top == card("6H")


def test_such_a_card_may_be_new_or_still_the_old_one(bench):
    bench.mat.lay(1)
    bench.mat.cards[DISCARD, 0] = "6H"
    bench.look()
    assert bench.answer("new") == [Draw(0, STOCK), Discard(0, card("6H"))]
    bench.mat.lay(1)
    bench.mat.cards[DISCARD, 0] = "6D"
    bench.look()
    assert bench.answer("still") == []
    assert bench.view.middle.discard_top == card("6H")
    assert bench.look() == []


def test_older_cards_peep_out_of_an_untidy_pile_and_change_nothing(bench):
    bench.throw("KD")
    bench.mat.lay(DISCARD, "9H", slot=1, zone=ZoneKind.DISCARD)
    assert bench.look() == []
    assert bench.said == ""
    bench.mat.lay(DISCARD, "KD", slot=2, zone=ZoneKind.DISCARD)
    assert bench.throw("3C") == [Draw(1, STOCK), Discard(1, card("3C"))]


def test_what_peeps_out_can_tell_that_the_top_was_drawn(bench):
    """The new card does not lie on the king: the nine under it shows."""
    bench.throw("KD")
    bench.mat.lay(DISCARD, "9H", slot=1, zone=ZoneKind.DISCARD)
    bench.throw("3C", look=False)
    bench.look()
    assert bench.question.kind == "which-move"
    assert bench.answer("taken") == [Draw(1, TOP), Discard(1, card("3C"))]


def test_two_new_cards_at_once_are_not_guessed(bench):
    bench.mat.lay(DISCARD, "4S", slot=1, zone=ZoneKind.DISCARD)
    bench.throw("KD")
    assert "More than one new card" in bench.said
    assert bench.view.turn == 0


def test_a_hidden_pile_is_only_mentioned(bench):
    bench.throw("KD")
    bench.mat.cards.pop((DISCARD, 0))
    assert bench.look() == []
    assert "I do not see the discard" in bench.said
    assert bench.advice.notice.urgent is False


def test_a_pile_taken_apart_is_to_be_laid_as_it_was(bench):
    for code in ("KD", "3C"):
        bench.throw(code)
    bench.pile = ["9H"]
    bench.draw_top(look=False)
    bench.throw("9H")
    assert "The discard is not as it was" in bench.said
    assert "three of clubs" in bench.said


def test_a_card_drawn_that_lies_there_again_was_perhaps_only_covered(bench):
    bench.draw_top()
    bench.throw("9H")
    assert bench.question.kind == "returned"
    assert bench.answer("stayed") == [Undo()]
    assert bench.view.middle.discard_top == card("9H")
    assert bench.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_a_card_drawn_may_not_be_laid_straight_back(bench):
    bench.draw_top()
    bench.throw("9H")
    bench.answer("again")
    assert "taken 9H from the discard" in bench.said
    assert bench.view.turn == 0
    assert bench.throw("KD") == [Discard(0, card("KD"))]


def test_it_may_where_that_was_agreed():
    made = game("wikipedia", "9H", return_discard=True)
    made.draw_top()
    made.throw("9H")
    assert made.answer("again") == [Discard(0, card("9H"))]


def test_ones_own_discard_may_not_be_drawn(bench):
    """Ann's own discard lies on top again when everybody between has stood (rule SC-15)."""
    bench.throw("KD")
    bench.press("stick", 1)
    bench.press("stick", 2)
    bench.draw_top()
    assert "may not take it back" in bench.said
    assert bench.view.middle.drawn is None


def test_what_cannot_be_from_the_stock_was_drawn_from_the_discard():
    """After a knock the stock may run out before the last turns are over (rule SC-18)."""
    made = game("eenendertigen", "9H")
    for number in range(21):
        made.throw(_stock_card(number))
    assert made.view.middle.stock == 1
    made.press("stick")
    assert made.throw("AS") == [Draw(1, STOCK), Discard(1, card("AS"))]
    assert made.throw("AD") == [Draw(2, TOP), Discard(2, card("AD"))]


def _stock_card(number):
    codes = [rank + suit for suit in "SDCH" for rank in "789TJQK"]
    codes.remove("9H")
    return codes[number]


# Knock, stand, call, show (SC-5 to SC-13, SC-24)


def test_stick_knocks_then_stands(bench):
    assert bench.press("stick") == [Knock(0)]
    assert bench.press("stick", 1) == [Stand(1)]
    assert bench.throw("KD") == [Draw(2, STOCK), Discard(2, card("KD"))]
    assert bench.view.phase is Phase.SHOWDOWN


def test_whose_turn_it_is_not_is_told(bench):
    bench.press("stick", 2)
    assert "t is not the turn of Cecil" in bench.said
    bench.press("have", 1)
    assert "t is not the turn of Bess" in bench.said
    assert bench.view.turn == 0


def test_hands_are_shown_in_any_order_and_lives_are_lost(bench):
    bench.press("stick")
    bench.press("stick")
    bench.press("stick")
    assert bench.show(2, "AS 2S 3D") == [Reveal(2, cards("AS 2S 3D"))]
    assert bench.show(0, "KH QH 2C") == [Reveal(0, cards("KH QH 2C"))]
    bench.show(1, "5D 6D KD")
    assert bench.view.result.toll.lost == ((2, 1),)


def test_two_cards_of_a_hand_are_no_hand(bench):
    for _ in range(3):
        bench.press("stick")
    assert bench.show(0, "KH QH") == []
    assert "I see two cards of Ann's hand" in bench.said


def test_an_unread_card_of_a_hand_is_asked_about(bench):
    for _ in range(3):
        bench.press("stick")
    bench.show(0, "KH QH?JH 2C")
    assert bench.question.cards == cards("QH JH")
    assert bench.answer("JH") == [Reveal(0, cards("KH JH 2C"))]


def test_thirty_one_is_called_by_laying_it_open_in_anybodys_turn(bench):
    bench.throw("KD")
    assert bench.show(0, "AS KS QS") == [Declare(0, Claim.THIRTY_ONE, cards("AS KS QS"))]
    assert bench.view.result.end == "blitz"


def test_a_hand_that_is_not_thirty_one_is_taken_up_again(bench):
    assert bench.show(1, "AS KS 9S") == []
    assert "make 30, not 31" in bench.said
    assert bench.view.phase is Phase.PLAY


def test_a_card_that_lies_on_the_discard_cannot_be_in_a_hand(bench):
    for _ in range(3):
        bench.press("stick")
    assert bench.show(0, "9H QH 2C") == []
    assert "9H" in bench.said


def test_thirty_one_drawn_with_the_last_card_of_the_stock_is_still_called():
    made = game("eenendertigen", "9H", players=2)
    for number in range(25):
        made.press("have")
        made.throw(_stock_card(number))
    assert made.view.result.end == "draw"
    made.show(0, "AH KH QH")
    assert made.view.result.end == "blitz"
    assert made.view.result.winners == (0,)


def test_a_false_call_after_a_knock_is_told(bench):
    bench.press("stick")
    bench.show(0, "AS KS QS")
    assert bench.view.result is None
    assert bench.said != ""


def test_undo_takes_back_and_the_cards_are_not_read_again_by_themselves(bench):
    bench.throw("KD")
    assert bench.press("undo") == [Undo()]
    assert bench.look() == []
    assert "Lay the cards as they should be" in bench.said
    bench.draw_top()
    assert bench.said == ""
    assert bench.throw("QC") == [Discard(0, card("QC"))]


def test_after_undo_have_lets_the_cards_count_as_they_lie(bench):
    bench.throw("KD")
    bench.press("undo")
    bench.press("undo")
    assert bench.press("have") == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_undo_of_a_knock_says_nothing_about_cards(bench):
    bench.press("stick")
    bench.press("undo")
    assert bench.said == ""
    assert bench.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_a_hand_shown_and_undone_is_not_taken_again(bench):
    for _ in range(3):
        bench.press("stick")
    bench.show(0, "KH QH 2C")
    assert bench.press("undo") == [Undo()]
    assert bench.look() == []
    assert 0 in bench.view.to_reveal


def test_the_next_hand_waits_for_the_cards(bench):
    bench.show(0, "AS KS QS")
    bench.press("next")
    assert "still on the mat" in bench.said
    bench.mat.clear()
    assert bench.look() == [NextHand()]
    bench.pile.clear()
    events = bench.deal("9H")
    assert events[-1] == TurnUp(card("9H"))


def test_a_new_croupier_takes_up_a_hand_in_the_middle_of_it(bench):
    bench.throw("KD")
    bench.croupier = ScatCroupier()
    assert bench.look() == []
    bench.draw_top()
    assert bench.events[-1] == Draw(1, TOP)


def test_a_card_between_the_places_is_named(bench):
    bench.lay_middle("4C")
    assert "between the places" in bench.said


# Banking (BK-2, BK-3)


def test_the_widow_is_dealt_after_each_round():
    made = ScatBench(preset="banking")
    events = made.deal("4H")
    assert [getattr(event, "to", None) for event in events[:-1]] == [
        None,
        None,
        None,
        Pile.WIDOW,
    ] * 3


def test_a_card_of_the_widow_face_up_too_early_is_told():
    made = ScatBench(preset="banking")
    for seat in range(3):
        made.mat.lay(seat)
    made.lay_middle("9C")
    assert "face up too early" in made.said
    assert made.events[-1] == Deal(2, None)


def test_what_changed_in_the_widow_is_exchanged_by_place():
    made = game("banking", "4H")
    assert made.lay_middle("2H", None, "3C") == [Widow(0, cards("2H 3C"), (0, 2))]
    assert made.lay_middle(None, "6C") == [Widow(1, cards("6C"), (1,))]
    assert made.view.middle.pile("widow") == cards("2H 6C 3C")


def test_a_widow_laid_in_another_order_is_no_exchange():
    made = game("banking", "4H")
    made.lay_middle("2H", "6C", "3C")
    assert made.lay_middle("3C", "2H", "6C") == []
    assert made.view.turn == 1
    assert made.lay_middle(None, "KS") == [Widow(1, cards("KS"), (0,))]


def test_while_a_card_is_taken_the_turn_is_not_over():
    made = game("banking", "4H")
    made.mat.lift(MIDDLE, 1)
    assert made.lay_middle("2H") == []
    assert made.lay_middle(None, "3C") == [Widow(0, cards("2H 3C"), (0, 1))]


def test_a_discard_in_banking_is_a_turn_like_any_other():
    made = game("banking", "4H")
    assert made.throw("KS") == [Draw(0, STOCK), Discard(0, card("KS"))]
    assert made.lay_middle("2H") == [Widow(1, cards("2H"), (0,))]


def test_an_exchange_undone_waits_for_the_cards():
    made = game("banking", "4H")
    made.lay_middle("2H")
    assert made.press("undo") == [Undo()]
    assert made.look() == []
    made.lay_middle("back")
    assert made.said == ""
    assert made.lay_middle("JD") == [Widow(0, cards("JD"), (0,))]


# Stop the bus (SB-2, SB-3, SB-8)


def bus(preset="stop-the-bus"):
    made = game(preset)
    made.lay_middle("2C", "3D", "4H")
    return made


def test_three_open_cards_begin_the_bus():
    made = bus()
    assert made.events[-3:] == [DealTo(Pile.TABLE, each, Facing.UP) for each in cards("2C 3D 4H")]
    assert made.view.turn == 0


def test_one_or_three_are_swapped_and_never_two():
    made = bus()
    assert made.lay_middle(None, "KD") == [SwapCards(0, cards("KD"), cards("3D"))]
    assert made.lay_middle("5S", "6S", "7S") == [SwapCards(1, cards("5S 6S 7S"), cards("2C KD 4H"))]
    made.lay_middle("8S", "9S")
    assert "swap one or three" in made.said
    assert made.view.turn == 2


def test_stick_may_mean_two_things_in_the_bus_and_is_asked():
    made = bus()
    made.press("stick")
    assert [each.key for each in made.question.candidates] == ["knock", "stand"]
    assert made.answer("stand") == [Stand(0)]
    made.press("stick", 1)
    assert made.answer("knock") == [Knock(1)]


def test_the_bus_is_stopped_after_a_swap_where_that_was_agreed():
    made = bus("stop-the-bus-plain")
    made.press("stick")
    assert "stop the bus after a swap" in made.said
    made.lay_middle("KD")
    assert made.press("stick") == [Knock(0)]
    assert made.view.turn == 1


def test_have_means_nothing_in_the_bus():
    made = bus()
    assert made.press("have") == []
    assert "Exchange your cards in the middle" in made.said


def test_an_unread_card_of_the_table_is_asked_about():
    made = bus()
    made.lay_middle("KD?QD")
    assert made.answer("QD") == [SwapCards(0, cards("QD"), cards("2C"))]


# Switch (SW-1 to SW-8)


def switch(**options):
    made = game("switch", **options)
    made.lay_middle("2H", "3H", "9S", row=MIDDLE - 1)
    return made


def test_the_dealer_gets_a_second_hand_and_lays_one_open():
    made = game("switch")
    assert made.view.phase is Phase.CHOOSE
    assert [len(pile.cards) for pile in made.view.middle.piles] == [3, 3]
    made.lay_middle("2H", "3H", row=MIDDLE - 1)
    assert "Lay all three" in made.said
    assert made.lay_middle("9S", row=MIDDLE - 1, first=2) == [
        ChooseHand(2, Keep.FIRST, cards("2H 3H 9S"))
    ]


def test_one_card_changed_is_an_exchange_with_its_place():
    made = switch()
    assert made.lay_middle(None, "JH", None) == [Exchange(0, TableHand.B, 1, card("JH"))]
    assert made.lay_middle("4D", row=MIDDLE - 1) == [Exchange(1, TableHand.A, 0, card("4D"))]
    assert made.view.seat(1).known == cards("2H")


def test_three_cards_changed_are_a_swap_or_new_ones_and_that_is_asked():
    made = switch()
    made.lay_middle("4H", "5H", "7S", row=MIDDLE - 1)
    assert [each.key for each in made.question.candidates] == ["swap", "renew"]
    assert made.answer("swap") == [SwapHand(0, TableHand.A, cards("4H 5H 7S"))]
    made.lay_middle("8C", "9C", "TC")
    assert made.answer("renew") == [Renew(1, TableHand.B, cards("8C 9C TC"))]


def test_what_the_rules_allow_only_one_way_is_not_asked():
    """Ann is known to hold the two of hearts: three cards without it are new ones."""
    made = switch()
    made.lay_middle("4D", row=MIDDLE - 1)  # Ann takes the two of hearts
    made.lay_middle("5D")
    made.lay_middle(None, "6D")
    assert made.view.turn == 0
    made.lay_middle("8C", "9C", "TC")
    assert made.question is None
    assert made.events[-1] == Renew(0, TableHand.B, cards("8C 9C TC"))


def test_new_cards_face_down_are_seen_where_open_ones_lay():
    made = switch()
    made.lay_middle("back", "back", "back", row=MIDDLE - 1)
    assert made.events[-1] == Renew(0, TableHand.A, (None,) * 3, Facing.DOWN)
    assert made.view.turn == 0
    assert made.view.middle.renewed


def test_new_cards_face_down_where_backs_lay_are_said():
    made = switch()
    made.press("have")
    assert [each.key for each in made.question.candidates] == ["renew-B"]
    assert made.press("have") == [Renew(0, TableHand.B, (None,) * 3, Facing.DOWN)]


def test_two_cards_changed_are_not_understood():
    made = switch()
    made.lay_middle("4H", "5H", row=MIDDLE - 1)
    assert "I do not understand" in made.said
    assert made.view.turn == 0


def finished_switch():
    made = switch()
    for _ in range(3):
        made.press("stick")
    made.show(0, "KD QD 7D")
    made.show(1, "4C 5H 6S")
    made.show(2, "8C 9D TS")
    return made


def test_who_has_more_than_21_in_a_suit_is_asked_whether_he_begins_anew():
    made = finished_switch()
    assert made.view.phase is Phase.RESTART
    assert [each.key for each in made.question.candidates] == ["0", "accept"]
    assert made.answer("accept") == [Accept()]
    assert made.view.result.end == "showdown"


def test_his_own_button_begins_anew_and_his_hand_stays_on_the_table():
    made = finished_switch()
    assert made.press("have", 0) == [Restart(0)]
    made.mat.clear()
    made.lay_middle("KD", "QD", "7D", row=MIDDLE - 1)
    assert made.press("next") == [NextHand()]
    assert made.question is None
    for seat in range(3):
        for _ in range(3):
            made.mat.lay(seat)
    made.lay_middle("back", "back", "back")
    assert made.view.phase is Phase.PLAY
    assert made.view.middle.pile("A") == cards("KD QD 7D")
    made.take_up()
    assert made.lay_middle("2S", row=MIDDLE - 1) == [Exchange(0, TableHand.A, 0, card("2S"))]


# Every preset, from the deal to the lives


@pytest.mark.parametrize(
    "preset",
    [
        "wikipedia",
        "eenendertigen",
        "california-quick",
        "dollar-bill",
        "dollar-bill-no-ride",
        "three-of-a-kind",
        "west-lansing",
        "no-elimination",
    ],
)
def test_a_hand_of_every_preset_with_a_discard(preset):
    made = game(preset, "9H")
    made.throw("8D")
    made.draw_top()
    made.throw("7C")
    assert made.press("stick", 2) == [Knock(2)]
    made.throw("JC")
    made.press("stick", 1)
    made.show(0, "KH QH 7S")
    made.show(1, "8D TD AC")
    made.show(2, "AS TS 7H")
    toll = made.view.result.toll
    if preset == "no-elimination":
        assert toll.gained == ((0, 2), (1, 1), (2, 4))
    else:
        assert toll.lost == ((1, 1),)


def test_a_knock_out_of_the_gate_shows_at_once():
    made = game("california-quick", "9H")
    made.press("stick")
    assert made.view.phase is Phase.SHOWDOWN
    for seat, hand in enumerate(("KH QH 7S", "8D TD AC", "AS TS 7H")):
        made.show(seat, hand)
    assert made.view.result.end == "out-of-gate"


def test_banking_ends_with_the_pot():
    made = game("banking", "4H")
    made.lay_middle("2H")
    made.press("stick", 1)
    made.press("stick", 2)
    made.throw("9S")
    for seat, hand in enumerate(("KH QH 7S", "8D TD AC", "AS TS 7H")):
        made.show(seat, hand)
    assert made.view.result.winners == (2,)
    assert made.view.result.settlement == ((0, -1), (1, -1), (2, 2))


def test_the_bus_ends_with_hands_that_have_names():
    made = bus()
    made.press("stick")
    made.answer("knock")
    made.lay_middle("KD")
    made.press("stick", 2)
    for seat, hand in enumerate(("KH KC 7S", "2C 2D 2S", "AS TS 7H")):
        made.show(seat, hand)
    assert [seat.hand_name for seat in made.view.seats] == ["pair", "prial", "high card"]
    assert made.view.result.toll.lost == ((2, 1),)

"""The deal of Thirty-one, its knock and its hands, by readings written by hand."""

import pytest

from engine import Declare, Reveal, Undo
from engine.core.events import Claim, Discard, Draw, Knock, NextHand, Source, Stand, TurnUp
from engine.core.views import Phase
from tests.support.scat_bench import (
    DISCARD,
    MIDDLE,
    ScatBench,
    bus,
    card,
    cards,
    game,
    interpreter,
    stock_card,
)
from vision.readings import ZoneKind

STOCK, TOP = Source.STOCK, Source.DISCARD


@pytest.fixture
def bench():
    """Three players, dealt, the nine of hearts turned up: it is Ann's turn."""
    return game("wikipedia", "9H")


# The deal


def test_backs_are_dealt_one_at_a_time_from_the_dealers_left_and_the_first_discard_turned():
    made = ScatBench()
    events = made.deal("9H")
    assert [event.seat for event in events[:-1]] == [0, 1, 2] * 3
    assert all(event.card is None for event in events[:-1])
    assert events[-1] == TurnUp(card("9H"))
    assert made.view.turn == 0


def test_hands_that_nobody_saw_dealt_are_dealt_once_the_first_discard_lies_there():
    made = ScatBench()
    made.mat.lay(0)
    made.look()
    events = made.throw("9H")
    assert len(events) == 9
    assert events[-1] == TurnUp(card("9H"))
    assert made.question is None


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


def test_the_dealer_may_say_that_all_are_dealt():
    made = ScatBench()
    made.look()
    assert len(made.press("have")) == 9
    assert made.view.phase is Phase.TURN_UP


def test_the_cut_comes_first():
    made = ScatBench(cut=True)
    for seat, code in enumerate(("9H", "4S", "KD")):
        made.mat.lay(seat, code)
    assert [event.card for event in made.look()] == list(cards("9H 4S KD"))
    assert made.view.dealer == 1
    made.take_up()
    assert [event.seat for event in made.deal()] == [2, 0, 1] * 3


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
    assert bench.view.result.losses.lost == ((2, 1),)


def test_a_knock_that_nobody_said_is_confirmed_before_lives_are_lost(bench):
    for seat, hand in enumerate(("KH QH 2C", "5D 6D KD", "AS 2S 3D")):
        bench.show(seat, hand)
    assert bench.view.result is None
    assert bench.question.kind == "knocker"
    assert str(bench.question.text) == "Who knocked?"
    assert bench.croupier.stories == (), "it divides no histories"
    bench.press("have")
    assert bench.view.result.losses.lost == ((2, 1),)


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
    assert "Ann's cards are not those that were seen before" in bench.said


def test_thirty_one_drawn_with_the_last_card_of_the_stock_is_still_called():
    made = game("eenendertigen", "9H", players=2)
    for number in range(25):
        made.press("have")
        made.throw(stock_card(number))
    assert made.view.result.end == "draw"
    made.show(0, "AH KH QH")
    assert made.view.result.end == "blitz"
    assert made.view.result.winners == (0,)


def test_a_false_call_after_a_knock_is_told(bench):
    bench.press("stick")
    bench.show(0, "AS KS QS")
    assert bench.view.result is None
    assert bench.said != ""


def test_undo_takes_a_turn_back_and_its_cards_do_not_count_until_taken_up(bench):
    bench.mat.lay(DISCARD, "KD", slot=1, zone=ZoneKind.DISCARD)
    bench.look()
    assert bench.press("undo") == [Undo(), Undo()]
    assert bench.look() == []
    assert "does not count" in bench.said
    bench.mat.lift(DISCARD, 1)
    bench.look()
    assert bench.said == ""
    bench.mat.lay(DISCARD, "QC", slot=1, zone=ZoneKind.DISCARD)
    assert bench.look() == [Draw(0, STOCK), Discard(0, card("QC"))]


def test_an_unread_discard_that_was_taken_back_counts_once_it_is_read(bench):
    for seat, code in enumerate(["2C", "3C", "KD?KH"]):
        bench.hands = (seat,)
        bench.throw(code)
    bench.press("undo")  # it was the three of clubs that was taken and laid again
    bench.press("undo")
    assert "does not count" in bench.said
    bench.hands = ()
    assert bench.look() == []
    bench.hands = (2,)
    bench.mat.cards[DISCARD, 0] = "KD"
    assert bench.look() == [Draw(2, STOCK), Discard(2, card("KD"))]
    assert "does not count" not in bench.said


def test_undo_of_a_card_that_is_gone_takes_back_no_other_card_of_the_deal():
    made = ScatBench(6, preset="switch", cut=True)
    for seat, code in enumerate(["KD", "4H", "TH", "TC", "5S", "7D"]):
        made.mat.lay(seat, code)
        made.look()
    for seat in range(6):
        made.mat.lift(seat, 0)
    seats = [1, 2, 3, 4, 5, 0] * 2 + [1, 2, 3]
    for place, seat in enumerate(seats):
        made.mat.lay(seat, slot=place // 6)
        if place:  # two are dealt in one look: they may be cards left over from the cut
            made.look()
    dealt = made.state.log
    made.mat.lay(4, "8C", slot=2)
    assert [event.card for event in made.look()] == [card("8C")]
    made.mat.lift(4, 2)
    made.look()
    assert made.press("undo") == [Undo()]
    assert made.state.log == dealt
    assert made.said == ""
    made.mat.lay(4, slot=2)
    assert [event.seat for event in made.look()] == [4]


def test_undo_of_a_knock_says_nothing_about_cards(bench):
    bench.press("stick")
    assert bench.press("undo") == [Undo()]
    assert bench.said == ""
    assert bench.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_a_hand_shown_and_undone_is_not_taken_again(bench):
    for _ in range(3):
        bench.press("stick")
    bench.show(0, "KH QH 2C")
    assert bench.press("undo") == [Undo()]
    assert bench.look() == []
    assert 0 in bench.view.to_reveal


def say_that_the_last_to_show_is_out(bench):
    for _ in range(3):
        bench.press("stick")
    bench.show(0, "AS 2S 3D")
    bench.hands = ()
    bench.show(1, "KH QH 2C")
    for _ in range(4):
        if bench.question is None:
            bench.wait()
    assert bench.question.kind == "out"
    bench.answer("yes")


def test_an_answer_is_taken_back_with_what_followed_from_it(bench):
    say_that_the_last_to_show_is_out(bench)
    assert bench.view.result is not None
    bench.press("undo")
    bench.show(2, "5D 6D 7D")
    assert bench.view.result.losses.lost == ((0, 2),)


def test_an_answer_that_the_next_look_shows_to_be_a_slip_does_not_count(bench):
    say_that_the_last_to_show_is_out(bench)
    assert bench.state.log[-1] == Declare(2, Claim.OUT)
    bench.show(2, "5D 6D 7D")
    bench.wait()
    assert bench.question is None
    assert bench.view.result.losses.lost == ((0, 2),)


def thrown_by(bench, hand):
    bench.hands = (hand,)
    for slot in range(2):
        bench.mat.lay(MIDDLE, "back", slot=slot, zone=ZoneKind.DEALER)
        bench.mat.shifts[MIDDLE, slot] = (333.0, 444.0)
    return bench.look()


def test_cards_thrown_into_the_middle_throw_the_hand_in(bench):
    """Rules G-17, SC-27: by whose hand was there, also out of turn."""
    assert thrown_by(bench, 0) == [Declare(0, Claim.OUT)]
    assert bench.view.turn == 1


def test_cards_thrown_into_the_middle_by_nobody_knows_whom_are_asked_about(bench):
    thrown_by(bench, None)
    bench.hands = ()
    for _ in range(6):
        bench.look()
    assert bench.question.kind == "out"
    assert bench.question.seat is not None


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
    bench.croupier = interpreter()
    assert bench.look() == []
    bench.draw_top()
    assert bench.events[-1] == Draw(1, TOP)


def test_a_card_between_the_places_is_named(bench):
    bench.lay_middle("4C")
    assert "between the places" in bench.said


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
    losses = made.view.result.losses
    if preset == "no-elimination":
        assert losses.gained == ((0, 2), (1, 1), (2, 4))
    else:
        assert losses.lost == ((1, 1),)


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
    assert made.view.result.losses.lost == ((2, 1),)


def test_of_two_cards_for_the_first_discard_the_second_is_the_first_players():
    made = ScatBench()
    made.deal()
    made.mat.lay(DISCARD, "9H", slot=0, zone=ZoneKind.DISCARD)
    made.mat.lay(DISCARD, "KD", slot=1, zone=ZoneKind.DISCARD)
    assert made.look() == [TurnUp(card("9H")), Draw(0, STOCK), Discard(0, card("KD"))]


@pytest.mark.parametrize("button", ["have", "stick"])
def test_buttons_have_no_meaning_where_hands_are_to_be_shown(bench, button):
    bench.press("stick")
    bench.press("stick")
    bench.press("stick")
    assert bench.view.phase is Phase.SHOWDOWN
    assert bench.press(button) == []
    assert "Lay your cards face up" in bench.said


def test_a_hand_laid_open_while_cards_are_dealt_calls_nothing():
    made = ScatBench()
    for _ in range(2):
        for seat in (0, 1, 2):
            made.mat.lay(seat)
    made.mat.lay(0)
    made.look()
    made.mat.turn(0, "AH", "KH", "TH")
    assert [event for event in made.look() if isinstance(event, Declare)] == []
    assert made.view.phase is Phase.DEAL

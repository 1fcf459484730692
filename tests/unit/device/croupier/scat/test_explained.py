"""Single looks of Thirty-one, explained: readings written by hand."""

import pytest

from engine import Reveal
from engine.core.events import (
    Accept,
    ChooseHand,
    Claim,
    Correct,
    Declare,
    Discard,
    Draw,
    Exchange,
    Keep,
    Knock,
    NextHand,
    Restart,
    Source,
    Stand,
    SwapCards,
    TableHand,
    TurnUp,
    Undo,
    Widow,
)
from engine.core.views import Phase
from tests.support.scat_bench import DISCARD, MIDDLE, ScatBench, bus, card, cards, game
from vision.readings import ZoneKind

STOCK, TOP = Source.STOCK, Source.DISCARD


@pytest.fixture
def table():
    """Three players, dealt, the nine of hearts turned up: it is Ann's turn."""
    return game("wikipedia", "9H")


def lay(table, code, x, y=0.0):
    """Lay a card on the pile, aside from the last, which stays in sight."""
    slot = max((s for seat, s in table.mat.cards if seat == DISCARD), default=-1) + 1
    table.mat.lay(DISCARD, code, slot=slot, zone=ZoneKind.DISCARD)
    table.mat.shifts[DISCARD, slot] = (x - 80.0 * slot, y)
    return table.look()


# The deal


def test_hands_that_nobody_saw_dealt_are_dealt_once_the_first_discard_lies_there():
    made = ScatBench()
    made.mat.lay(0)
    made.look()
    events = made.throw("9H")
    assert len(events) == 9
    assert events[-1] == TurnUp(card("9H"))
    assert made.question is None


def test_an_unread_first_discard_is_asked_about():
    made = ScatBench()
    made.deal()
    made.throw("9H?6H")
    assert made.answer("6H") == [TurnUp(card("6H"))]


# Draws and discards


def test_a_new_card_beside_the_old_top_came_from_the_stock(table):
    table.mat.shifts[DISCARD, 0] = (0.0, 0.0)
    table.look()
    assert lay(table, "KD", 25.0) == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_a_new_card_where_the_old_top_is_gone_was_laid_in_one_motion():
    made = game("wikipedia")
    made.mat.lay(DISCARD, "9H", slot=0, zone=ZoneKind.DISCARD)
    made.look()
    made.mat.lift(DISCARD, 0)
    assert lay(made, "KD", 40.0) == [Draw(0, TOP), Discard(0, card("KD"))]


def test_the_only_discard_taken_leaves_the_place_empty(table):
    table.draw_top()
    assert table.events[-1] == Draw(0, TOP)
    assert table.throw("3C") == [Discard(0, card("3C"))]


def test_a_covered_source_is_put_right_when_the_card_is_thrown(table):
    """Ann took the nine and laid the king square on its place: nobody could see which it was."""
    table.throw("KD")
    assert table.events[-2:] == [Draw(0, STOCK), Discard(0, card("KD"))]
    table.throw("4C")
    table.throw("5C")
    table.throw("9H")
    assert table.state.log[-8:-6] == (Draw(0, TOP), Discard(0, card("KD")))
    assert table.state.log[-1] == Discard(0, card("9H"))


def test_a_card_taken_up_and_put_back_was_not_drawn(table):
    table.throw("KD")
    table.draw_top()
    assert table.events[-1] == Draw(1, TOP)
    assert table.throw("KD") == [Undo()]
    assert table.throw("3C")[-1] == Discard(1, card("3C"))


def test_an_unread_discard_lies_there_and_gets_its_name(table):
    assert table.throw("9D?KD") == [Draw(0, STOCK), Discard(0, None)]
    table.wait()
    assert table.question.cards == cards("9D KD")
    table.answer("KD")
    assert table.state.log[-1] == Discard(0, card("KD"))
    assert table.question is None


def test_have_is_a_draw_said_before(table):
    assert table.press("have") == [Draw(0, STOCK)]
    assert table.throw("KD") == [Discard(0, card("KD"))]


# Words


def test_stick_knocks_then_stands(table):
    assert table.press("stick") == [Knock(0)]
    assert table.press("stick", 1) == [Stand(1)]
    assert table.throw("KD") == [Draw(2, STOCK), Discard(2, card("KD"))]
    assert table.view.phase is Phase.SHOWDOWN


def test_a_knock_taken_back_is_forgotten(table):
    table.press("stick")
    assert table.press("undo") == [Undo()]
    assert table.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_a_knock_that_nobody_said_is_confirmed_before_lives_are_lost(table):
    for seat, hand in enumerate(("KH QH 2C", "5D 6D KD", "AS 2S 3D")):
        table.show(seat, hand)
    assert table.view.result is None
    assert str(table.question.text) == "Who knocked?"
    table.press("have")
    assert table.view.result.losses.lost == ((2, 1),)


def test_hands_are_shown_in_any_order_and_lives_are_lost(table):
    for _ in range(3):
        table.press("stick")
    assert table.show(2, "AS 2S 3D") == [Reveal(2, cards("AS 2S 3D"))]
    table.show(0, "KH QH 2C")
    table.show(1, "5D 6D KD")
    assert table.view.result.losses.lost == ((2, 1),)
    table.press("next")
    assert "still on the mat" in table.said
    table.mat.clear()
    assert table.look() == [NextHand()]


def test_thirty_one_is_called_by_laying_it_open(table):
    table.throw("KD")
    table.show(0, "AS KS QS")
    assert table.view.result.end == "blitz"


# Cards in the middle


def test_what_changed_in_the_widow_is_exchanged_by_place():
    made = game("banking", "4H")
    assert made.lay_middle("2H", None, "3C") == [Widow(0, cards("2H 3C"), (0, 2))]
    assert made.lay_middle(None, "6C") == [Widow(1, cards("6C"), (1,))]
    assert made.lay_middle("3C", "2H", "6C") == []


def test_one_or_three_are_swapped_at_the_bus():
    made = bus()
    assert made.lay_middle(None, "KD") == [SwapCards(0, cards("KD"), cards("3D"))]
    assert made.lay_middle("5S", "6S", "7S") == [SwapCards(1, cards("5S 6S 7S"), cards("2C KD 4H"))]


def test_stick_may_mean_two_things_in_the_bus_and_is_asked():
    made = bus()
    made.press("stick")
    assert {each.key for each in made.question.candidates} == {"knock", "stand"}


def finished_switch(second="4C 5H 6S"):
    made = game("switch")
    assert made.lay_middle("2H", "3H", "9S", row=MIDDLE - 1) == [
        ChooseHand(2, Keep.FIRST, cards("2H 3H 9S"))
    ]
    assert made.lay_middle(None, "JH") == [Exchange(0, TableHand.B, 1, card("JH"))]
    for seat in (1, 2, 0):
        made.press("stick", seat)
    made.show(0, "KD QD 7D")
    made.show(1, second)
    made.show(2, "8C 9D TS")
    return made


def test_who_has_more_than_21_in_a_suit_is_asked_whether_he_begins_anew():
    made = finished_switch()
    assert made.view.phase is Phase.RESTART
    assert made.question.kind == "restart"
    assert {each.key for each in made.question.candidates} == {"0", "accept"}
    assert made.answer("0") == [Restart(0)]


def test_a_card_that_people_named_stays_it_where_it_is_misread_once_more_as_before():
    """The card that it was taken for lay there too, and seemed to lie in its place then."""
    made = bus()
    made.correct(Correct(card("2C"), card("9S")))
    assert made.lay_middle("9S", "2C") == [SwapCards(0, cards("2C"), cards("3D"))]
    made.mat.lift(MIDDLE, 1)
    made.lay_middle("2C")
    made.mat.lift(MIDDLE, 0)
    made.mat.lift(MIDDLE, 2)
    made.look()
    new = made.lay_middle("7H", "8H", "TS")
    assert new == [SwapCards(1, cards("7H 8H TS"), cards("9S 2C 4H"))]


def test_a_misread_card_of_a_hand_that_may_begin_anew_is_put_right_before_anybody_says_so():
    """It was put right after what was only supposed: "What happened?", and nobody could say it."""
    made = finished_switch("4H KH 7H")
    assert {each.key for each in made.question.candidates} == {"0", "accept"}
    made.correct(Correct(card("4H"), card("AH"), 1))
    assert made.question.kind == "restart"
    assert {each.key for each in made.question.candidates} == {"0", "1", "accept"}
    assert made.answer("1") == [Restart(1)]


def test_nobody_need_begin_anew():
    made = finished_switch()
    assert made.answer("accept") == [Accept()]
    assert made.view.result.end == "showdown"


def test_a_question_that_confirms_a_knock_divides_no_histories(table):
    for seat, hand in enumerate(("KH QH 2C", "5D 6D KD", "AS 2S 3D")):
        table.show(seat, hand)
    assert table.question.kind == "knocker"
    assert table.croupier.stories == ()


def test_a_covered_source_is_put_right_when_the_card_is_shown(table):
    """Ann took the nine; nobody could see it, but it is in her hand in the end."""
    table.throw("KD")
    table.press("stick", 1)
    table.press("stick", 2)
    table.press("stick", 0)
    table.show(0, "9H QH 2C")
    assert Draw(0, TOP) in table.state.log
    assert Reveal(0, cards("9H QH 2C")) in table.state.log
    assert table.question is None


def test_a_card_that_was_seen_on_the_pile_since_was_not_taken_before(table):
    """Ben's draw was covered, but the four he shows lay on the discard a turn later."""
    table.throw("4C")
    table.throw("JS")
    table.draw_top()
    table.throw("2S")
    for _ in range(3):
        table.press("stick")
    table.show(1, "4C QH 2C")
    assert Draw(1, STOCK) in table.state.log
    assert Draw(1, TOP) not in table.state.log


def test_an_unread_card_pushed_while_hands_are_shown_is_the_old_top(table):
    lay(table, "KD", 60)
    for _ in range(3):
        table.press("stick")
    table.show(0, "AS 2S 3D")
    table.mat.cards[DISCARD, 1] = "KD?KH"
    table.mat.shifts[DISCARD, 1] = (64.0 - 80.0, 3.0)
    assert table.show(1, "KH QH 2C") == [Reveal(1, cards("KH QH 2C"))]
    assert table.question is None


def say_that_the_last_to_show_is_out(table):
    for _ in range(3):
        table.press("stick")
    table.show(0, "AS 2S 3D")
    table.hands = ()
    table.show(1, "KH QH 2C")
    for _ in range(4):
        if table.question is None:
            table.wait()
    assert table.question.kind == "out"
    table.answer("yes")


def test_an_answer_is_taken_back_with_what_followed_from_it(table):
    say_that_the_last_to_show_is_out(table)
    assert table.view.result is not None
    table.press("undo")
    table.show(2, "5D 6D 7D")
    assert table.view.result.losses.lost == ((0, 2),)


def test_an_answer_that_the_next_look_shows_to_be_a_slip_does_not_count(table):
    say_that_the_last_to_show_is_out(table)
    assert table.state.log[-1] == Declare(2, Claim.OUT)
    table.show(2, "5D 6D 7D")
    table.wait()
    assert table.question is None
    assert table.view.result.losses.lost == ((0, 2),)


def thrown_by(table, hand):
    table.hands = (hand,)
    for slot in range(2):
        table.mat.lay(MIDDLE, "back", slot=slot, zone=ZoneKind.DEALER)
        table.mat.shifts[MIDDLE, slot] = (333.0, 444.0)
    return table.look()


def test_cards_thrown_into_the_middle_throw_the_hand_in(table):
    """Rules G-17, SC-27: by whose hand was there, also out of turn."""
    assert thrown_by(table, 0) == [Declare(0, Claim.OUT)]
    assert table.view.turn == 1


def test_cards_thrown_into_the_middle_by_nobody_knows_whom_are_asked_about(table):
    thrown_by(table, None)
    table.hands = ()
    for _ in range(6):
        table.look()
    assert table.question.kind == "out"
    assert table.question.seat is not None

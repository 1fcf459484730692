"""What the discard shows becomes draws and discards (SC-4, SC-14 to SC-18): readings by hand."""

import pytest

from engine import Correct, Undo
from engine.core.events import Discard, Draw, Source
from tests.support.scat_bench import DISCARD, card, cards, game, stock_card
from vision.readings import ZoneKind

STOCK, TOP = Source.STOCK, Source.DISCARD


@pytest.fixture
def bench():
    """Three players, dealt, the nine of hearts turned up: it is Ann's turn."""
    return game("wikipedia", "9H")


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


def test_a_card_deep_in_the_pile_is_no_candidate(bench):
    for code in ("KD", "QD", "JD"):
        bench.throw(code)
    bench.throw("QD?9H?6H")
    assert bench.question.cards == cards("QD 6H"), "the one below the top may show; the first not"


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


def test_so_is_one_that_was_drawn_from_the_stock_and_laid_there(bench):
    bench.throw("KD")
    bench.mat.lay(2)
    bench.mat.cards[DISCARD, 0] = "QD"
    bench.look()
    assert bench.question.kind == "reread"
    assert bench.answer("misread") == [Correct(card("KD"), card("QD"))]


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


def test_who_has_said_wrongly_that_nothing_happened_lays_the_card_again(bench):
    bench.mat.lay(1)
    bench.mat.cards[DISCARD, 0] = "6H"
    bench.look()
    assert bench.answer("still") == []
    assert bench.view.middle.discard_top == card("9H")
    bench.mat.cards[DISCARD, 0] = "9H"  # he takes his card up: the old one shows
    assert bench.look() == []
    bench.mat.cards[DISCARD, 0] = "6H"
    assert bench.look() == [Draw(0, STOCK), Discard(0, card("6H"))]


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
        made.throw(stock_card(number))
    assert made.view.middle.stock == 1
    made.press("stick")
    assert made.throw("AS") == [Draw(1, STOCK), Discard(1, card("AS"))]
    assert made.throw("AD") == [Draw(2, TOP), Discard(2, card("AD"))]


def test_a_card_that_is_not_in_the_pack_is_told_and_not_taken():
    made = game("eenendertigen", "9H")
    assert made.throw("2C") == []
    assert "not in the pack" in made.said
    assert made.view.turn == 0


def test_a_discard_face_down_is_to_be_turned(bench):
    assert bench.throw("back") == []
    assert "discard lies face down" in bench.said
    bench.pile[-1] = "KD"
    bench.mat.cards[DISCARD, 0] = "KD"
    assert bench.look() == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_two_new_cards_of_which_none_is_known_are_not_guessed(bench):
    bench.mat.clear()
    bench.mat.lay(DISCARD, "4S", slot=1, zone=ZoneKind.DISCARD)
    bench.mat.lay(DISCARD, "KD", slot=2, zone=ZoneKind.DISCARD)
    assert bench.look() == []
    assert "More than one new card" in bench.said

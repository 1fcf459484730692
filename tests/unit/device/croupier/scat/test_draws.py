"""What the discard shows becomes draws and discards (SC-4, SC-14 to SC-18): readings by hand."""

import pytest

from engine import Undo
from engine.core.events import Discard, Draw, Reveal, Source, TurnUp
from tests.support.scat_bench import DISCARD, card, cards, game, stock_card
from vision.readings import ZoneKind

STOCK, TOP = Source.STOCK, Source.DISCARD


@pytest.fixture
def bench():
    """Three players, dealt, the nine of hearts turned up: it is Ann's turn."""
    return game("wikipedia", "9H")


def lay(bench, code, x, y=0.0):
    """Lay a card on the pile, aside from the last, which stays in sight."""
    slot = max((s for seat, s in bench.mat.cards if seat == DISCARD), default=-1) + 1
    bench.mat.lay(DISCARD, code, slot=slot, zone=ZoneKind.DISCARD)
    bench.mat.shifts[DISCARD, slot] = (x - 80.0 * slot, y)
    return bench.look()


def test_a_new_card_on_the_discard_is_drawn_from_the_stock(bench):
    assert bench.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]
    assert bench.view.turn == 1


def test_a_new_card_beside_the_old_top_came_from_the_stock(bench):
    bench.mat.shifts[DISCARD, 0] = (0.0, 0.0)
    bench.look()
    assert lay(bench, "KD", 25.0) == [Draw(0, STOCK), Discard(0, card("KD"))]


def test_a_new_card_where_the_old_top_is_gone_was_laid_in_one_motion():
    made = game("wikipedia")
    made.mat.lay(DISCARD, "9H", slot=0, zone=ZoneKind.DISCARD)
    made.look()
    made.mat.lift(DISCARD, 0)
    assert lay(made, "KD", 40.0) == [Draw(0, TOP), Discard(0, card("KD"))]


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


def test_who_said_have_and_takes_the_discard_has_drawn_from_there(bench):
    bench.throw("2C")
    bench.press("have")
    bench.draw_top()
    assert bench.state.log[-1] == Draw(1, TOP)


def test_an_unread_discard_that_stays_is_asked_about_among_what_can_be(bench):
    bench.throw("9H?KD?9D")
    assert bench.question is None, "the next player may cover it, or take it"
    bench.wait()
    assert bench.question.cards == cards("9H KD 9D")
    bench.answer("9D")
    assert bench.state.log[-2:] == (Draw(0, STOCK), Discard(0, card("9D")))


def test_a_card_deep_in_the_pile_is_no_candidate(bench):
    for code in ("KD", "QD", "JD"):
        bench.throw(code)
    bench.throw("QD?9H?6H")
    bench.wait()
    assert bench.question.cards == cards("6H"), "the top, taken, might lie there again"


def test_an_unread_discard_may_turn_out_to_be_the_old_one(bench):
    bench.throw("9H?KD")
    bench.wait()
    bench.answer("9H")
    assert bench.state.log[-1] == TurnUp(card("9H")), "nobody has done anything"
    assert bench.view.turn == 0


def test_a_named_discard_is_not_taken_for_the_next_unread_one(bench):
    assert bench.throw("KD?QD") == [Draw(0, STOCK), Discard(0, None)]
    bench.wait()
    assert bench.question.cards == cards("KD QD")
    bench.answer("KD")
    assert bench.state.log[-1] == Discard(0, card("KD"))
    assert bench.question is None
    bench.throw("JD?QD")
    bench.wait()
    assert bench.question.cards == cards("JD QD")
    bench.answer("QD")
    assert bench.state.log[-2:] == (Draw(1, STOCK), Discard(1, card("QD")))


def test_naming_an_unread_discard_names_no_other_one_that_lay_there_before(bench):
    bench.throw("KD?QD?JD")
    there = bench.mat.shifts[DISCARD, 0]
    bench.draw_top()
    bench.throw("8C?7C?8S", look=False)
    bench.mat.shifts[DISCARD, 0] = there
    bench.look()
    bench.wait()
    bench.answer("8C")
    assert bench.state.log[-2:] == (Draw(1, TOP), Discard(1, card("8C")))


def test_the_same_card_not_so_well_seen_is_the_same_card(bench):
    bench.mat.lay(1)  # Bess lays a card down, and the eyes look anew
    bench.mat.cards[DISCARD, 0] = "9H?6H"
    assert bench.look() == []
    assert bench.question is None


def test_a_card_laid_exactly_on_the_last_one_is_a_new_one(bench):
    """Eyes look anew only at what changes, and nothing else did."""
    bench.mat.cards[DISCARD, 0] = "6H"
    assert bench.look() == [Draw(0, STOCK), Discard(0, card("6H"))]


def test_older_cards_peep_out_of_an_untidy_pile_and_change_nothing(bench):
    x, y = bench.mat.shifts[DISCARD, 0]
    bench.throw("KD")
    bench.mat.lay(DISCARD, "9H", slot=1, zone=ZoneKind.DISCARD)
    bench.mat.shifts[DISCARD, 1] = (x - 80.0, y)
    assert bench.look() == []
    assert bench.said == ""
    assert bench.throw("3C") == [Draw(1, STOCK), Discard(1, card("3C"))]


def test_two_new_cards_at_once_are_two_turns(bench):
    bench.mat.lay(DISCARD, "4S", slot=1, zone=ZoneKind.DISCARD)
    bench.mat.lay(DISCARD, "KD", slot=2, zone=ZoneKind.DISCARD)
    assert bench.look() == [
        Draw(0, STOCK),
        Discard(0, card("4S")),
        Draw(1, STOCK),
        Discard(1, card("KD")),
    ]


def test_a_hidden_pile_is_only_mentioned(bench):
    bench.throw("KD")
    bench.mat.cards.pop((DISCARD, 0))
    assert bench.look() == []
    assert "I do not see the discard" in bench.said
    assert bench.advice.notice.urgent is False


def test_a_pile_taken_apart_waits_for_what_comes_next(bench):
    for code in ("KD", "3C"):
        bench.throw(code)
    while len(bench.pile) > 1:
        bench.draw_top(look=False)
    bench.look()
    assert "On the discard lies the nine of hearts" in bench.said


def test_a_card_drawn_and_laid_straight_back_was_not_drawn(bench):
    bench.draw_top()
    assert bench.throw("9H") == [Undo()]
    assert bench.view.turn == 0
    assert bench.throw("KD") == [Draw(0, STOCK), Discard(0, card("KD"))]
    bench.draw_top()
    assert bench.events[-1] == Draw(1, TOP)
    assert bench.throw("KD") == [Undo()]
    assert bench.throw("3C")[-1] == Discard(1, card("3C"))


def test_where_it_may_be_laid_back_as_a_turn_it_is_asked_whose_turn_it_is():
    made = game("wikipedia", "9H", return_discard=True)
    made.draw_top()
    made.throw("9H")
    for _ in range(6):
        made.look()
    assert made.question.kind == "whose"
    assert made.answer("1") == [Discard(0, card("9H"))]


def test_ones_own_discard_may_not_be_drawn(bench):
    """Ann's own discard lies on top again when everybody between has stood (rule SC-15)."""
    bench.hands = (0,)
    bench.mat.lay(DISCARD, "KD", slot=1, zone=ZoneKind.DISCARD)
    bench.look()
    bench.press("stick", 1)
    bench.press("stick", 2)
    bench.mat.lift(DISCARD, 1)
    assert bench.look() == []
    assert "may not take it back" in bench.said


def test_what_cannot_be_from_the_stock_was_drawn_from_the_discard():
    """After a knock the stock may run out before the last turns are over (rule SC-18)."""
    made = game("eenendertigen", "9H")
    for number in range(21):
        made.hands = (number % 3,)
        made.throw(stock_card(number))
    assert made.view.middle.stock == 1
    made.hands = (0,)
    made.press("stick")
    made.hands = (1,)
    made.throw("AS")
    assert made.state.log[-2:] == (Draw(1, STOCK), Discard(1, card("AS")))
    made.hands = (2,)
    made.throw("AD")
    assert made.state.log[-2:] == (Draw(2, TOP), Discard(2, card("AD")))


def test_a_covered_source_is_put_right_when_the_card_is_thrown(bench):
    """Ann took the nine and laid the king square on its place: nobody could see which it was."""
    bench.throw("KD")
    assert bench.events[-2:] == [Draw(0, STOCK), Discard(0, card("KD"))]
    bench.throw("4C")
    bench.throw("5C")
    bench.throw("9H")
    assert bench.state.log[-8:-6] == (Draw(0, TOP), Discard(0, card("KD")))
    assert bench.state.log[-1] == Discard(0, card("9H"))


def test_a_covered_source_is_put_right_when_the_card_is_shown(bench):
    """Ann took the nine; nobody could see it, but it is in her hand in the end."""
    bench.throw("KD")
    bench.press("stick", 1)
    bench.press("stick", 2)
    bench.press("stick", 0)
    bench.show(0, "9H QH 2C")
    assert Draw(0, TOP) in bench.state.log
    assert Reveal(0, cards("9H QH 2C")) in bench.state.log
    assert bench.question is None


def test_a_card_that_was_seen_on_the_pile_since_was_not_taken_before(bench):
    """Ben's draw was covered, but the four he shows lay on the discard a turn later."""
    bench.throw("4C")
    bench.throw("JS")
    bench.draw_top()
    bench.throw("2S")
    for _ in range(3):
        bench.press("stick")
    bench.show(1, "4C QH 2C")
    assert Draw(1, STOCK) in bench.state.log
    assert Draw(1, TOP) not in bench.state.log


def test_an_unread_card_pushed_while_hands_are_shown_is_the_old_top(bench):
    lay(bench, "KD", 60)
    for _ in range(3):
        bench.press("stick")
    bench.show(0, "AS 2S 3D")
    bench.mat.cards[DISCARD, 1] = "KD?KH"
    bench.mat.shifts[DISCARD, 1] = (64.0 - 80.0, 3.0)
    assert bench.show(1, "KH QH 2C") == [Reveal(1, cards("KH QH 2C"))]
    assert bench.question is None


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


def by(seat, bench, does, *what):
    """Let the hand of *seat* do something, and nobody's after it."""
    bench.hands = (seat,)
    came = does(*what)
    bench.hands = ()
    return came


@pytest.fixture
def unread(bench):
    """A deck that is never read surely: Ann's discard has its name, and Bess's lies on it."""
    by(0, bench, bench.throw, "8D?8C?8S?8H")
    bench.wait()
    bench.press("have")
    bench.press("have", 1)
    by(1, bench, bench.throw, "KS?QS?JS?KD")
    bench.wait()
    assert bench.view.turn == 2
    return bench


def test_an_unread_discard_that_was_taken_back_counts_once_it_is_laid_again(unread):
    assert unread.press("undo") == []  # it is none of these
    assert unread.press("undo") == [Undo()]
    assert "does not count" in unread.said
    assert "cannot read" not in unread.said, "to turn or move it is of no use"
    taken = by(1, unread, unread.draw_top)  # the eight below it comes to light, not read either
    assert "does not count" not in unread.said
    assert by(1, unread, unread.throw, taken) == [Discard(1, None)]
    assert unread.view.turn == 2


def test_what_may_be_the_card_below_or_another_that_was_laid_is_asked(unread):
    by(2, unread, unread.draw_top)
    assert unread.state.log[-1] == Draw(2, TOP)
    unread._aside = lambda spot=unread._spots[-1]: spot  # just where the eight lies
    by(2, unread, unread.throw, "9D?9C?8D?9S")
    unread.wait()
    assert [answer.key for answer in unread.question.candidates] == ["2", "0"]
    unread.answer("0")
    assert unread.state.log[-2:] == (Draw(2, TOP), Discard(2, None))


def test_a_card_laid_in_one_motion_may_look_like_the_one_below(unread):
    unread._aside = lambda spot=unread._spots[-2]: spot
    unread.draw_top(look=False)
    by(2, unread, unread.throw, "8D?8S?8C?9D")
    assert unread.state.log[-1] == Draw(2, TOP), "so it looks"
    del unread._aside
    by(0, unread, unread.throw, "KC")
    unread.wait()
    unread.answer("1")
    events = (Draw(2, TOP), Discard(2, None), Draw(0, STOCK), Discard(0, card("KC")))
    assert unread.state.log[-4:] == events


@pytest.mark.parametrize(("laid", "turns"), [("2C", {"0", "2"}), ("QS", set())])
def test_a_card_laid_just_on_one_that_nobody_could_read_may_be_a_turn(unread, laid, turns):
    """Another card than the king, queen or jack that lay there, where Cecil's hand was: a turn."""
    unread._aside = lambda spot=unread._spots[-1]: spot  # just where the unread one lies
    by(2, unread, unread.throw, laid)
    unread.wait(30.0)
    asked = () if unread.question is None else unread.question.candidates
    assert {answer.key for answer in asked} == turns, "one that it might have been is that one"
    if asked:
        unread.answer("0")
        assert unread.state.log[-3] == Discard(1, None)
        assert unread.state.log[-1] == Discard(2, card("2C"))

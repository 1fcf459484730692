"""What is put right, taken back or called off at the table, by readings written by hand."""

from engine import (
    Correct,
    Deal,
    Declare,
    Facing,
    Misdeal,
    NextHand,
    Phase,
    Reveal,
    Stick,
    Undo,
)
from engine.core.events import Claim, Join, Leave
from tests.support.mat_readings import Bench, card, cards, dealt


def test_misread_card_is_asked_and_corrected():
    bench = dealt()
    bench.mat.cards[0, 2] = "QC"
    assert bench.look() == []
    assert bench.question.cards == cards("QC", "KC")
    assert bench.press("have") == [Correct(card("KC"), card("QC"), 0)]
    assert bench.marks == [], "people said so: nothing was assumed"
    assert bench.view.seat(0).cards == (None, None, card("QC"))
    assert bench.look() == []
    assert bench.question is None


def test_change_that_is_none_keeps_the_old_name():
    bench = dealt()
    bench.mat.cards[0, 2] = "QC"
    bench.look()
    bench.press("stick")
    assert bench.press("have") == []
    assert bench.question is None
    assert bench.look() == []
    assert bench.question is None
    assert bench.view.seat(0).cards[2] == card("KC")


def test_undo_of_a_deal_waits_until_the_card_is_laid_again():
    bench = Bench(2)
    slot = bench.mat.lay(0)
    bench.look()
    assert bench.press("undo") == [Undo()]
    assert bench.look() == []
    assert "does not count" in bench.said
    bench.mat.lift(0, slot)
    assert bench.look() == []
    assert bench.lay(0) == [Deal(0, None)]


def test_undo_of_a_later_deal_refuses_only_the_last_card():
    bench = Bench(2)
    bench.lay(0)
    bench.lay(1)
    bench.lay(0)
    bench.press("undo")
    assert len(bench.view.seat(0).cards) == 1
    assert bench.look() == []
    bench.mat.lift(0, 1)
    bench.look()
    assert bench.lay(0, slot=1) == [Deal(0, None)]


def test_undo_of_stick_and_of_a_claim():
    bench = dealt()
    bench.press("stick", 0)
    assert bench.press("undo") == [Undo()]
    assert bench.view.turn == 0
    bench.press("have", 0)
    bench.lay(0)
    bench.mat.turn(0, "TH", "9D", "8D")
    bench.look()
    assert bench.press("undo") == [Undo()]
    assert bench.look() == [], "a claim taken back is not made again by the same cards"
    bench.mat.cards[0, 3] = "9S"
    assert bench.look() == [Declare(0, Claim.OUT, cards("TH", "9D", "KC", "9S"))]


def test_undo_with_nothing_to_undo_is_said():
    bench = Bench(2)
    bench.look()
    assert bench.press("undo") == []
    assert bench.said != ""


def test_misdeal_is_confirmed_and_the_cards_gathered():
    bench = dealt()
    assert bench.press("menu") == []
    assert str(bench.question.text) == "Call a misdeal?"
    bench.press("stick")
    assert bench.question is None
    bench.press("menu")
    assert bench.press("have") == [Misdeal("called by the dealer")]
    assert bench.view.result.end == "misdeal"
    bench.press("next")
    bench.mat.clear()
    assert bench.look() == [NextHand()]
    assert bench.view.dealer == 2


def test_a_correction_taken_back_is_the_reading_again():
    """Rule G-10: KC is said to be 8S, which is taken back; 8S is another card, shown later."""
    bench = dealt(("KC", "7H"))
    bench.correct(Correct(card("KC"), card("8S"), 0))
    assert bench.view.seat(0).cards[2] == card("8S")
    bench.press("undo")
    assert bench.view.seat(0).cards[2] == card("KC")
    assert bench.look() == []
    assert bench.question is None
    bench.press("stick")
    bench.press("stick")
    bench.mat.turn(0, "8S", "9D")
    assert bench.look() == [Reveal(0, cards("8S", "9D", "KC"))]


def test_a_hand_that_is_not_the_one_known_is_never_passed_over_in_silence():
    bench = dealt(("KC", "7H"))
    bench.press("stick")
    bench.press("stick")
    bench.mat.turn(0, "2H", "9D")
    bench.mat.lift(0, 2)
    bench.mat.lay(0, "8S", slot=4)  # the king was the open card
    assert bench.look() == []
    assert bench.view.to_reveal == (0, 1)
    assert bench.question is not None or bench.said


def test_who_comes_or_goes_is_heard_by_the_croupier():
    bench = dealt(("KC", "7H"))
    assert bench.company(Join(3, "Doll")) == []
    assert "between hands" in bench.said
    assert bench.company(Leave(0)) == [Leave(0)]
    assert bench.view.phase is Phase.DONE


def called_off(bench):
    bench.press("menu")
    bench.press("have")
    bench.press("next")
    bench.mat.clear()
    assert bench.look() == [NextHand()]


def test_the_hand_after_waits_for_a_next_of_its_own():
    bench = dealt()
    called_off(bench)
    bench.deal(("KD", "7S", "9H"))
    bench.press("menu")
    bench.press("have")
    bench.mat.clear()
    assert bench.look() == []
    assert bench.view.phase is Phase.DONE


def test_a_card_allowed_in_one_hand_is_asked_about_in_the_next():
    bench = Bench(2, game="one-and-thirty")
    bench.lay(0, "9D", slot=0)
    bench.wait()
    assert bench.press("have") == [Deal(0, card("9D"), Facing.UP)]
    called_off(bench)
    seat = bench.view.deal_to[0]
    bench.lay(seat, "9D", slot=0)
    bench.wait()
    if seat != 0:
        assert bench.press("have") == [Deal(seat, card("9D"), Facing.UP)]
        bench.lay(0, "9D", slot=0)
        bench.wait()
    assert bench.question is not None


def test_what_the_dealer_says_of_a_card_holds_when_the_hand_is_shown():
    """Rule G-10: the king reads as a king still, and counts as the eight that he is."""
    bench = dealt(("KC", "7H"))
    assert bench.correct(Correct(card("KC"), card("8S"), 0)) == [Correct(card("KC"), card("8S"), 0)]
    assert bench.look() == []
    assert bench.question is None
    bench.press("stick")
    bench.press("stick")
    bench.mat.turn(0, "2H", "9D")
    assert bench.look() == [Reveal(0, cards("2H", "9D", "8S"))]


def test_a_correction_of_what_a_person_named_is_taken_back_to_his_word():
    bench = dealt(("8S?6S", "7H"))
    assert bench.press("have") == [Deal(0, card("8S"), Facing.UP), Deal(1, card("7H"), Facing.UP)]
    bench.correct(Correct(card("8S"), card("6S"), 0))
    assert bench.view.seat(0).cards[2] == card("6S")
    bench.press("undo")
    assert bench.view.seat(0).cards[2] == card("8S")
    assert bench.look() == []
    assert bench.question is None
    bench.press("stick")
    bench.press("stick")
    bench.mat.turn(0, "2H", "9D")
    assert bench.look() == [Reveal(0, cards("2H", "9D", "8S"))]


def test_a_hand_with_a_card_that_lies_elsewhere_is_read_again():
    bench = dealt(("KC", "7H", "9C"))
    bench.mat.turn(0, "7H", "9D")
    assert bench.look() == []
    assert "7H" in bench.said or "seven of hearts" in bench.said


def test_a_third_card_face_down_beside_the_one_face_up_does_not_take_its_place():
    """Rule BA-1: the third card lies face up; a fourth is in the way until it is taken up."""
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    slot = bench.mat.lay(0)
    assert bench.look() == []
    assert "face up" in bench.said
    bench.lay(0, "KC")
    bench.mat.lift(0, slot)
    bench.look()
    assert bench.events[4:] == [Deal(0, card("KC"), Facing.UP)]
    assert bench.question is None


def test_a_change_that_no_candidate_explains_is_looked_at_again():
    bench = dealt()
    bench.mat.cards[0, 2] = "QC"
    bench.look()
    assert bench.question.kind == "changed"
    assert bench.press("undo") == []
    assert bench.question is None
    assert "Ann" in bench.said
    bench.mat.shift(0, 2, (6.0, 0.0))
    bench.look()
    assert bench.question.kind == "changed", "it was touched: what is read counts again"


def laid_open_with_a_misread_card():
    """Show a hand that does not count: its ten is read as the seven that lies open elsewhere."""
    bench = dealt()
    bench.mat.turn(0, "7H", "JS")
    assert bench.look() == []
    assert "on the table already" in bench.said
    return bench


def test_a_card_that_lies_open_and_does_not_count_yet_can_be_corrected():
    bench = laid_open_with_a_misread_card()
    events = bench.correct(Correct(card("7H"), card("TH"), 0))
    assert events == [Reveal(0, cards("TH", "JS", "KC")), Stick(0)]
    assert bench.look() == [], "the camera still reads it as it did"
    bench.mat.turn(1, "8H", "2S")
    assert all(event.seat == 1 for event in bench.look()), "the other seven is as it was"


def test_undo_takes_the_name_of_such_a_card_back_and_no_more():
    bench = laid_open_with_a_misread_card()
    before = bench.state.log
    bench.correct(Correct(card("7H"), card("TH"), 0))
    bench.press("undo")
    assert bench.state.log == before
    assert card("7H") in [each.card for each in bench.croupier.lying if each.seat == 0]


def test_a_card_cannot_be_corrected_to_one_that_lies_elsewhere():
    bench = laid_open_with_a_misread_card()
    assert bench.correct(Correct(card("7H"), card("9C"), 0)) == []
    assert bench.advice.refused


def test_the_first_word_of_the_next_hand_at_a_console_answers_no_question_of_the_last():
    bench = dealt()
    for _ in range(3):
        bench.press("stick")
    for seat, codes in enumerate((("2H", "9D"), ("3C", "5S"))):
        bench.mat.turn(seat, *codes)
        bench.look()
    bench.mat.hands = (2,)
    bench.mat.clear()
    bench.look()
    bench.press("next")
    question = bench.question
    assert question.kind == "out"
    for slot in (5, 6):
        for seat in range(3):
            bench.lay(seat, slot=slot)
    bench.wait()
    assert bench.press("have") == []
    assert bench.question == question
    assert "the next hand waits for it" in bench.said
    assert Declare(2, Claim.OUT) in bench.press("have")

"""The open table: cards dealt face up by agreement count without a question, as they fall."""

import pytest

from device.croupier.open_cards import OpenCards, as_agreed, open_cards_in, settings_of
from device.croupier.questions import QuestionKind
from engine import Phase
from engine.core.events import Deal, Facing
from engine.core.views import SeatStatus
from tests.support.mat_readings import Bench

HANDS = {1: ("9S", "8D", "2D"), 2: ("QC", "5C", "JS"), 0: ("4D", "7H", "6S")}


def open_table(game="one-and-thirty", open_cards=OpenCards.ALL, hands=HANDS):
    """Three players with three open cards each; Ann deals."""
    bench = Bench(3, game, dealer=0, open_cards=open_cards)
    for place in range(3):
        for seat, cards in hands.items():
            bench.lay(seat, cards[place])
    return bench


@pytest.mark.parametrize("game", ["one-and-thirty", "bone-ace"])
def test_totals_stand_there_as_the_cards_fall(game):
    bench = open_table(game)
    assert bench.question is None
    assert bench.view.phase is Phase.PLAY
    assert [seat.total for seat in bench.view.seats] == [17, 19, 25]
    dealt = [event for event in bench.events if isinstance(event, Deal)]
    assert {event.face for event in dealt} == {Facing.UP}, "so it stands in the record"


def test_over_is_out_and_31_wins_without_a_word():
    bench = open_table()
    bench.press("have", 1)
    bench.lay(1, "KS")
    assert bench.view.seat(1).total == 29
    bench.press("have", 1)
    bench.lay(1, "KD")
    assert bench.view.seat(1).status is SeatStatus.OUT
    assert bench.view.turn == 2
    bench.press("have", 2)
    bench.lay(2, "6D")
    assert bench.view.result.end == "thirty-one"
    assert bench.view.result.winners == (2,)
    assert bench.croupier is not None
    assert not [event for event in bench.events if event.kind in ("declare", "reveal")]


def test_nobody_is_taken_to_stick_because_the_hand_lies_open():
    bench = open_table()
    for _ in range(6):
        bench.look()
        assert bench.question is None
    assert (bench.view.turn, bench.view.phase) == (1, Phase.PLAY)
    for seat in (1, 2, 0):
        bench.press("stick", seat)
    assert bench.view.result.end == "showdown", "there is nothing left to show"


def test_a_card_that_falls_face_down_all_the_same_is_one():
    bench = open_table()
    bench.press("have", 1)
    bench.lay(1)
    assert bench.question is None
    assert len(bench.view.seat(1).cards) == 4
    assert bench.view.seat(1).total is None


def test_have_that_is_pressed_after_its_card_asks_for_no_second_one():
    """The dealer's arm and the player's were over the mat: a card might have come unseen."""
    bench = open_table()
    bench.mat.hands = (0, 1)
    bench.lay(1, "KS")
    bench.press("have", 1)
    bench.mat.hands = ()
    bench.press("stick", 1)
    bench.press("stick", 2)
    bench.press("stick", 0)
    for _ in range(6):
        bench.look()
    assert bench.question is None
    assert bench.view.result.end == "showdown"
    assert len(bench.view.seat(1).cards) == 4


def test_only_drawn_cards_are_open():
    bench = Bench(3, "one-and-thirty", dealer=0, open_cards=OpenCards.DRAWN)
    for _ in range(3):
        for seat in HANDS:
            bench.lay(seat)
    bench.press("have", 1)
    bench.lay(1, "KS")
    assert bench.question is None
    assert [card and str(card) for card in bench.view.seat(1).cards] == [None, None, None, "KS"]


def test_without_the_agreement_an_open_card_is_asked_about():
    bench = Bench(3, "one-and-thirty", dealer=0)
    bench.lay(1, "9S")
    for _ in range(4):
        bench.look()
    assert bench.question.kind is QuestionKind.OPEN


def all_at_once(hands, open_cards):
    """Three players at Bone-Ace whose cards are all dealt between two looks; Ann deals."""
    bench = Bench(3, "bone-ace", dealer=0, open_cards=open_cards)
    for seat, cards in hands.items():
        for card in cards:
            bench.mat.lay(seat, card)
    for _ in range(8):
        bench.look()
    return bench


def test_whose_third_card_is_highest_is_asked_where_nobody_saw_which_came_last():
    """It once took the first that it found for the third card, and paid for the Bone."""
    bench = all_at_once(HANDS, OpenCards.ALL)
    assert (bench.question.kind, str(bench.question.text)) == (
        QuestionKind.WHOSE,
        "Whose third card is the highest?",
    )
    assert {*bench.question.answers} == {"Ann", "Bess", "Cecil"}
    bench.press("have", 2)
    assert bench.question is None
    assert bench.view.bone.holder == 2


def test_third_cards_that_came_alone_need_no_question():
    bench = Bench(3, "bone-ace", dealer=0, open_cards=OpenCards.ALL)
    for place in range(2):
        for seat, cards in HANDS.items():
            bench.mat.lay(seat, cards[place])
    bench.look()
    for seat, cards in HANDS.items():
        bench.mat.lay(seat, cards[2])
    for _ in range(8):
        bench.look()
    assert bench.question is None
    assert bench.view.bone.holder == 2


def test_of_two_open_cards_one_fell_open_and_the_table_is_asked():
    """It once took the one that fell for the third card, and said nothing (rule BA-12)."""
    hands = {1: ("back", "KS", "4C"), 2: ("back", "back", "6S"), 0: ("back", "back", "9C")}
    bench = all_at_once(hands, OpenCards.NONE)
    assert bench.question.kind is QuestionKind.OPEN
    bench.press("have")
    for _ in range(8):
        bench.look()
    assert str(bench.question.text) == "Whose third card is the highest?"
    bench.press("have", 0)
    assert bench.view.bone.holder == 0
    assert bench.question is None


def test_the_setting_is_of_tables_where_cards_lie_at_the_places():
    assert settings_of("one-and-thirty", OpenCards.ALL) == {"open_cards": "all"}
    assert settings_of("bone-ace", OpenCards.NONE) == {}
    assert settings_of("scat", OpenCards.ALL) == {}
    assert open_cards_in({"open_cards": "drawn"}) is OpenCards.DRAWN
    assert open_cards_in({}) is open_cards_in({"open_cards": 7}) is OpenCards.NONE


def test_the_next_card_of_the_deal_is_announced_face_up():
    bench = Bench(3, "one-and-thirty", dealer=0)
    assert bench.view.deal_to == (1, False)
    assert as_agreed(bench.view, OpenCards.ALL).deal_to == (1, True)
    assert as_agreed(bench.view, OpenCards.DRAWN) == bench.view

"""Cards between the players, in Banking, Stop the bus and Switch: readings written by hand."""

import pytest

from device.croupier.resume import resume
from engine import Deal, Undo
from engine.core.events import (
    Accept,
    ChooseHand,
    Correct,
    Cut,
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
    Reveal,
    Source,
    Stand,
    SwapCards,
    SwapHand,
    TableHand,
    Widow,
)
from engine.core.views import Phase
from tests.support.scat_bench import MIDDLE, ScatBench, bus, card, cards, game, interpreter

STOCK, TOP = Source.STOCK, Source.DISCARD


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


def test_three_open_cards_begin_the_bus():
    made = bus()
    assert made.events[-3:] == [DealTo(Pile.TABLE, each, Facing.UP) for each in cards("2C 3D 4H")]
    assert made.view.turn == 0


def test_one_or_three_are_swapped_and_never_two():
    made = bus()
    assert made.lay_middle(None, "KD") == [SwapCards(0, cards("KD"), cards("3D"))]
    assert made.lay_middle("5S", "6S", "7S") == [SwapCards(1, cards("5S 6S 7S"), cards("2C KD 4H"))]
    made.hands = (2,)
    made.lay_middle("8S", "9S")
    assert "I do not understand what changed" in made.said
    assert made.view.turn == 2


def test_a_card_in_the_middle_that_is_read_otherwise_holds_up_no_showdown():
    made = game("stop-the-bus")
    for code in ("2C", "3D", "4H"):
        made.mat.lay(3, code)  # where nobody sits
    made.look()
    made.press("stick")
    made.answer("knock")
    for seat in (1, 2):
        made.press("stick", seat)
    assert made.view.phase is Phase.SHOWDOWN
    made.mat.cards[3, 0] = "TS"
    hands = {0: "5D 6D 7D", 1: "5C 6C 7C", 2: "9S JS QS"}
    for seat, codes in hands.items():
        assert made.show(seat, codes) == [Reveal(seat, cards(codes))]
    assert made.view.phase is Phase.DONE


def test_stick_may_mean_two_things_in_the_bus_and_is_asked():
    made = bus()
    made.press("stick")
    assert [each.key for each in made.question.candidates] == ["knock", "stand"]
    assert made.answer("stand") == [Stand(0)]
    made.press("stick", 1)
    assert made.answer("knock") == [Knock(1)]


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


def test_three_cards_changed_are_a_swap_or_new_ones_as_the_hand_shows():
    made = switch()
    made.lay_middle("4H", "5H", "7S", row=MIDDLE - 1)
    assert made.events[-1] == SwapHand(0, TableHand.A, cards("4H 5H 7S"))
    for seat in (1, 2, 0):
        made.press("stick", seat)
    made.show(0, "KD QD 7D")
    made.wait(2.0)  # what the hand contradicts is explained again meanwhile
    assert Renew(0, TableHand.A, cards("4H 5H 7S"), Facing.UP) in made.state.log
    assert made.question is None


def test_an_undo_that_nobody_meant_is_left_out_once_nothing_else_explains_what_lies_there():
    made = switch()  # the hand A is 2H 3H 9S
    row = {"row": MIDDLE - 1}
    swapped = SwapHand(0, TableHand.A, cards("4H 5H 7S"))
    made.lay_middle("4H", "5H", "7S", **row)
    assert made.events[-1] == swapped
    made.press("undo")  # an elbow
    assert swapped not in made.state.log
    made.lay_middle("6D", **row)  # Bess
    assert made.lay_middle("8D", **row) == [Exchange(2, TableHand.A, 0, card("8D"))]
    made.lay_middle("2H", **row)  # Ann has had it since she took the hand
    made.wait(2.0)
    assert [each for each in made.state.log if each.kind in ("swap", "renew", "exchange")] == [
        swapped,
        Exchange(1, TableHand.A, 0, card("6D")),
        Exchange(2, TableHand.A, 0, card("8D")),
        Exchange(0, TableHand.A, 0, card("2H")),
    ]


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
    assert made.press("have") == [Renew(0, TableHand.B, (None,) * 3, Facing.DOWN)]


def test_two_cards_changed_are_not_understood():
    made = switch()
    made.hands = (0,)
    made.lay_middle("4H", "5H", row=MIDDLE - 1)
    assert "I do not understand" in made.said
    assert made.view.turn == 0


def finished_switch(second="4C 5H 6S"):
    made = switch()
    assert made.lay_middle(None, "JH") == [Exchange(0, TableHand.B, 1, card("JH"))]
    for seat in (1, 2, 0):
        made.press("stick", seat)
    made.show(0, "KD QD 7D")
    made.show(1, second)
    made.show(2, "8C 9D TS")
    return made


def test_who_has_more_than_21_in_a_suit_is_asked_whether_they_start_again():
    made = finished_switch()
    assert made.view.phase is Phase.RESTART
    assert made.question.kind == "restart"
    assert [each.key for each in made.question.candidates] == ["0", "accept"]
    assert made.answer("0") == [Restart(0)]


def test_nobody_need_start_again():
    made = finished_switch()
    assert made.answer("accept") == [Accept()]
    assert made.view.result.end == "showdown"


def test_a_misread_card_of_a_hand_that_may_start_again_is_put_right_before_anybody_says_so():
    """It was put right after what was only supposed: "What happened?", and nobody could say it."""
    made = finished_switch("4H KH 7H")
    assert {each.key for each in made.question.candidates} == {"0", "accept"}
    made.correct(Correct(card("4H"), card("AH"), 1))
    assert made.question.kind == "restart"
    assert {each.key for each in made.question.candidates} == {"0", "1", "accept"}
    assert made.answer("1") == [Restart(1)]


def test_their_own_button_starts_again_and_their_hand_stays_on_the_table():
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


def test_the_cards_of_the_bus_are_laid_face_up():
    made = game("stop-the-bus")
    assert made.lay_middle("back") == []
    assert "lie face up" in made.said
    made.mat.cards[MIDDLE, 0] = "2C"
    assert made.look() == [DealTo(Pile.TABLE, card("2C"), Facing.UP)]


def test_the_dealers_second_hand_is_dealt_face_down():
    made = ScatBench(preset="switch")
    for seat in (0, 1, 2):
        for _ in range(3):
            made.mat.lay(seat)
    for code in ("back", "back", "4D"):
        made.mat.lay(2, code)
    made.lay_middle("back", "back", "back", look=False)
    made.look()
    assert "face up too early" in made.said
    assert card("4D") not in [each.card for each in made.events if isinstance(each, DealTo)]


def test_an_unread_card_of_the_open_hand_is_asked_about():
    made = ScatBench(preset="switch")
    made.deal()
    assert made.view.phase is Phase.CHOOSE
    made.lay_middle("2C", "3C", "4C?5C", row=MIDDLE - 1)
    assert made.question is not None
    assert made.question.cards == cards("4C 5C")
    made.press("have")
    assert any(isinstance(event, ChooseHand) for event in made.events)


@pytest.mark.parametrize(
    ("preset", "phase", "piles"),
    [("switch", Phase.CHOOSE, [3, 3]), ("banking", Phase.TURN_UP, [3])],
)
def test_the_dealers_word_that_all_is_dealt_counts_for_the_cards_in_the_middle(
    preset, phase, piles
):
    made = ScatBench(preset=preset)
    made.mat.lay(0)
    made.look()
    events = made.press("have")
    assert made.view.phase is phase
    assert [len(each.cards) for each in made.view.seats] == [3, 3, 3]
    assert {e.seat for e in events if isinstance(e, DealTo) and e.to is Pile.SECOND} <= {2}
    assert [len(pile.cards) for pile in made.view.middle.piles] == piles


def test_the_open_cards_of_the_bus_are_read_whatever_the_dealer_says():
    made = ScatBench(preset="stop-the-bus")
    made.mat.lay(0)
    made.look()
    assert made.press("have")
    assert made.view.phase is Phase.DEAL
    assert [len(each.cards) for each in made.view.seats] == [3, 3, 3]
    made.lay_middle("2C", "3D", "4H")
    assert made.view.phase is Phase.PLAY


def test_where_a_hand_is_swapped_face_down_that_can_be_said_by_a_button():
    made = switch(swap_face="same")
    made.press("have")
    assert {each.key for each in made.question.candidates} == {"renew", "swap"}
    assert made.answer("swap") == [SwapHand(0, TableHand.B)]


def test_undo_where_they_may_start_again_leaves_the_question_open():
    made = finished_switch()
    assert made.press("undo") == []
    assert made.view.result is None


def bus_being_dealt():
    """A table at which two of the three cards in the middle lie."""
    made = ScatBench(preset="stop-the-bus", cut=True)
    for seat, code in enumerate(("9D", "4S", "KC")):
        made.mat.lay(seat, code)
        assert made.look() == [Cut(seat, card(code))]
    made.mat.clear()
    made.look()
    for seat in (0, 1, 2):
        for _ in range(3):
            made.mat.lay(seat)
    made.lay_middle("4D")
    assert made.lay_middle("7C", first=1) == [DealTo(Pile.TABLE, card("7C"), Facing.UP)]
    return made


@pytest.mark.parametrize("keeps", [True, False], ids=["its looks", "its events alone"])
def test_the_middle_is_dealt_on_after_a_power_cut(keeps):
    made = bus_being_dealt()
    made.croupier, lines = interpreter(), made.croupier.take_lines()
    if keeps:
        assert resume(made.croupier, made.state, lines)
    assert made.look() == []
    assert made.lay_middle("6H", first=2) == [DealTo(Pile.TABLE, card("6H"), Facing.UP)]
    assert made.view.phase is Phase.PLAY


def test_a_card_of_the_middle_that_had_fallen_aside_is_laid_right():
    made = ScatBench(preset="switch")
    for seat in (0, 1, 2):
        for _ in range(3):
            made.mat.lay(seat)
    for _ in range(3):
        made.mat.lay(2)
    made.look()
    fallen = made.mat.lay(MIDDLE - 2, zone=None)
    assert made.look() == [DealTo(Pile.MIDDLE, None)]
    made.mat.lift(MIDDLE - 2, fallen)
    assert made.look() == []
    assert made.lay_middle("back") == [], "it is the same card"
    assert made.lay_middle("back", first=1) == [DealTo(Pile.MIDDLE, None)]
    assert made.lay_middle("back", first=2) == [DealTo(Pile.MIDDLE, None)]
    assert made.view.phase is Phase.CHOOSE

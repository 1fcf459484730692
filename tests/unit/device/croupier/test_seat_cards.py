"""Whole hands of Bone-Ace on hand-written readings, the happy and the odd."""

import pytest

from device.croupier.interpreter import _of_players
from engine import (
    Cut,
    Deal,
    Declare,
    Facing,
    Have,
    NextHand,
    Phase,
    Player,
    Reveal,
    Stick,
    Undo,
    new_table,
)
from engine.core.events import Claim
from engine.core.views import SeatStatus
from tests.support.mat_readings import Bench, card, cards, croupier_at_seats, dealt
from tests.support.scat_bench import ScatBench
from vision.readings import Reading, ZoneKind


def test_cut_then_deal():
    bench = Bench(3, dealer=-1)
    assert bench.lay(0, "9D") == [Cut(0, card("9D"))]
    assert bench.lay(1, "4S") == [Cut(1, card("4S"))]
    assert bench.lay(2, "KC") == [Cut(2, card("KC"))]
    assert bench.view.phase is Phase.DEAL
    assert bench.view.dealer == 1
    # The cards of the cut lie there still: they are no cards of the deal.
    assert bench.look() == []
    bench.mat.clear()
    assert bench.look() == []
    assert bench.lay(2) == [Deal(2, None)]


def cut():
    """A table at which Bess deals, and the cards of the cut lie."""
    bench = Bench(3, dealer=-1)
    bench.lay(0, "9D")
    bench.lay(1, "4S")
    bench.lay(2, "KC")
    return bench


def cut_in_one_look(game, *codes):
    """A table of *game* at which everybody has cut between two looks."""
    bench = ScatBench(cut=True) if game == "scat" else Bench(3, dealer=-1)
    for seat, code in enumerate(codes):
        bench.mat.lay(seat, code)
    bench.look()
    return bench


def test_a_card_dealt_just_where_one_of_the_cut_lay_counts():
    bench = cut()
    bench.mat.clear()
    assert bench.lay(2) == [Deal(2, None)]
    assert bench.lay(2) == [Deal(2, None)]


@pytest.mark.parametrize("game", ["bone-ace", "scat"])
def test_a_round_dealt_in_one_look_just_where_the_cut_lay_counts(game):
    bench = cut_in_one_look(game, "9D", "4S", "KC")
    bench.mat.cards.update(dict.fromkeys(bench.mat.cards, "back"))
    assert bench.look() == [Deal(2, None), Deal(0, None), Deal(1, None)]


def test_cards_of_the_cut_are_dealt_again_before_the_mat_was_seen_without_them():
    bench = cut()
    bench.mat.clear()
    bench.mat.lay(2)
    bench.mat.lay(2)
    bench.mat.lay(2, "9D")  # it had lain at Ann's place
    assert bench.look() == [Deal(2, None), Deal(2, None), Deal(2, card("9D"), Facing.UP)]
    assert bench.question is None
    assert bench.said == ""


def test_a_card_of_the_cut_that_is_turned_down_or_pushed_is_not_dealt():
    bench = cut()
    bench.mat.cards[2, 0] = "back"
    bench.mat.shift(0, 0, by=(12.0, 0.0))
    assert bench.look() == []
    bench.mat.clear()
    assert bench.look() == []
    for seat in (2, 0, 1):
        assert bench.lay(seat) == [Deal(seat, None)]


def test_the_last_card_of_the_cut_is_gathered_as_the_first_is_dealt_there():
    bench = cut()
    bench.mat.lift(0, 0)
    bench.mat.lift(1, 0)
    assert bench.look() == []
    bench.mat.cards[2, 0] = "back"  # nobody saw whose hand it was
    assert bench.look() == []  # it may only be turned over
    for seat in (0, 1, 2, 0, 1):
        bench.lay(seat)
    for seat, third in ((2, "6H"), (0, "7H"), (1, "9C")):
        bench.lay(seat, third)
    assert [len(seat.cards) for seat in bench.view.seats] == [3, 3, 3]
    assert bench.view.phase is Phase.PLAY
    assert bench.question is None


def test_tie_in_the_cut_waits_for_new_cards():
    bench = Bench(2, dealer=-1)
    bench.lay(0, "4D")
    bench.lay(1, "4S")
    assert bench.view.to_cut == (0, 1)
    assert bench.look() == []
    assert "cut again" in bench.said
    bench.mat.clear()
    bench.look()
    assert bench.lay(0, "JD") == [Cut(0, card("JD"))]
    assert bench.lay(1, "2S") == [Cut(1, card("2S"))]
    assert bench.view.dealer == 1


@pytest.mark.parametrize("game", ["bone-ace", "scat"])
def test_a_card_cut_again_just_where_the_first_lay_is_another_one(game):
    bench = cut_in_one_look(game, "4D", "4S", "KC")
    assert bench.view.to_cut == (0, 1)
    bench.mat.cards[0, 0] = "9D"  # nobody saw the place empty
    assert bench.look() == [Cut(0, card("9D"))]
    assert bench.look() == []
    bench.mat.cards[1, 0] = "3C"
    assert bench.look() == [Cut(1, card("3C"))]
    assert bench.view.dealer == 1


@pytest.mark.parametrize("game", ["bone-ace", "scat"])
def test_a_card_of_the_cut_that_is_lifted_and_laid_back_is_none_of_the_deal(game):
    bench = cut_in_one_look(game, "4D", "4S", "KC")
    bench.mat.cards[0, 0] = "9D"
    assert bench.look() == [Cut(0, card("9D"))]
    for code, told in (("3C", [Cut(1, card("3C"))]), (None, [])):
        bench.mat.lift(0, 0)  # before the last has cut, and after it
        assert bench.look() == []
        bench.mat.cards[0, 0] = "9D"
        assert bench.look() == []
        assert bench.question is None
        if code is not None:
            bench.mat.cards[1, 0] = code
        assert bench.look() == told
    assert bench.view.dealer == 1
    bench.mat.clear()
    assert bench.look() == []
    bench.mat.lay(2)
    assert bench.look() == [Deal(2, None)]


def test_a_card_of_the_cut_that_reads_otherwise_with_no_hand_near_is_none():
    bench = ScatBench(cut=True)
    bench.hands = (None,)
    for seat, first in enumerate(("4D", "4S", "KC")):
        bench.mat.lay(seat, first)
    bench.look()
    bench.hands = ()
    bench.mat.cards[0, 0] = "9D"
    assert bench.look() == []
    assert bench.view.to_cut == (0, 1)


def test_backs_of_thirty_one_dealt_just_where_the_cut_lay_count():
    bench = cut_in_one_look("scat", "4D", "9S", "KC")
    assert bench.view.dealer == 0
    bench.mat.clear()
    bench.mat.lay(1)
    assert bench.look() == [Deal(1, None)]
    bench.mat.lay(2)
    assert bench.look() == [Deal(2, None)]


@pytest.mark.parametrize("game", ["bone-ace", "scat"])
def test_a_cut_that_was_taken_back_is_made_again(game):
    bench = ScatBench(cut=True) if game == "scat" else Bench(3, dealer=-1)
    bench.mat.lay(0, "KC")
    assert bench.look() == [Cut(0, card("KC"))]
    assert bench.press("undo") == [Undo()]
    name = bench.view.seats[0].name
    assert bench.said == f"{name}: take up the card and cut again."
    bench.mat.clear()
    bench.look()
    assert bench.said == ""
    bench.mat.lay(0, "KC")
    assert bench.look() == [Cut(0, card("KC"))]


@pytest.mark.parametrize(
    ("button", "words"),
    [
        ("have", "Cut for the deal first."),
        ("undo", "Nothing has happened in this hand yet; correct it as you go on."),
    ],
)
def test_presses_before_the_cut_are_refused_in_words_for_people(button, words):
    bench = Bench(3, dealer=-1)
    bench.look()
    bench.press(button, 0)
    assert bench.said == words


def test_whole_hand_of_bone_ace():
    bench = dealt()
    assert bench.view.phase is Phase.PLAY
    assert bench.view.bone.holder == 0
    assert bench.press("have", 0) == [Have(0)]
    assert bench.lay(0) == [Deal(0, None)]
    assert bench.press("stick") == [Stick(0)]
    assert bench.press("stick") == [Stick(1)]
    assert bench.press("stick", 2) == [Stick(2)]
    assert bench.view.to_reveal == (0, 1, 2)
    bench.mat.turn(0, "2H", "9D", "4D")
    assert bench.look() == [Reveal(0, cards("2H", "9D", "KC", "4D"))]
    bench.mat.turn(1, "TD", "8S")
    bench.mat.turn(2, "QS", "6D")
    assert bench.look() == [
        Reveal(1, cards("TD", "8S", "7H")),
        Reveal(2, cards("QS", "6D", "9C")),
    ]
    assert bench.view.result.end == "showdown"
    assert dict(bench.view.result.settlement) == {0: 4, 1: -2, 2: -2}
    assert bench.press("next") == []
    assert "Gather" in bench.said
    bench.mat.clear()
    assert bench.look() == [NextHand()]
    assert bench.lay(1) == [Deal(1, None)]
    assert bench.advice.notices == ()


def test_several_cards_in_one_reading_are_dealt_in_order():
    bench = Bench(3, preset="cotton")  # three together to each player, in order
    for seat in (2, 1, 0):
        bench.mat.lay(seat)
        bench.mat.lay(seat, {0: "5C", 1: "7H", 2: "9C"}[seat])
        bench.mat.lay(seat)
    assert bench.look() == [
        Deal(0, None),
        Deal(0, None),
        Deal(0, card("5C"), Facing.UP),
        Deal(1, None),
        Deal(1, None),
        Deal(1, card("7H"), Facing.UP),
        Deal(2, None),
        Deal(2, None),
        Deal(2, card("9C"), Facing.UP),
    ]


def test_packet_out_of_order_waits_for_its_turn():
    bench = Bench(2, preset="cotton")
    assert bench.lay(1) == []
    assert "Ann" in bench.said
    for what in ("back", "back", "5C"):
        bench.lay(0, what)
    assert bench.events == [
        Deal(0, None),
        Deal(0, None),
        Deal(0, card("5C"), Facing.UP),
        Deal(1, None),
    ]
    assert bench.advice.notices == ()


def test_a_back_that_is_seen_again_late_does_not_hide_the_upcard():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    bench.mat.lift(0, 1)  # overlooked, as the eyes may
    bench.lay(0, "5C?6C", slot=2)
    for _ in range(5):
        bench.mat.shift(0, 2, (2.0, 0.0))
        bench.look()
    assert bench.lay(0, "back", slot=1) == []
    assert bench.question is not None, bench.said
    assert bench.question.cards == (card("5C"), card("6C"))
    assert bench.press("have") == [Deal(0, card("5C"), Facing.UP)]


def test_upcard_dealt_face_down_is_turned():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    assert bench.lay(0) == []
    assert "face up" in bench.said
    bench.mat.turn(0, "back", "back", "KC")
    assert bench.look() == [Deal(0, card("KC"), Facing.UP)]


def test_unsure_upcard_is_asked_with_its_candidates():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    assert bench.lay(0, "9D?6D") == []
    assert bench.question.cards == cards("9D", "6D")
    assert bench.question.selected == 0
    bench.press("stick")
    assert bench.question.selected == 1
    assert bench.press("have") == [Deal(0, card("6D"), Facing.UP)]
    assert bench.question is None
    # The reader stays unsure of it: it has been said what it is.
    assert bench.lay(1, "KC") == [Deal(1, card("KC"), Facing.UP)]
    assert bench.view.phase is Phase.PLAY


def test_candidates_already_on_the_table_are_not_offered():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    bench.lay(0, "9D")
    bench.lay(1, "9D?6D")
    assert bench.question.cards == cards("6D")
    assert "six of diamonds" in str(bench.question.text)


def test_none_of_the_candidates_is_read_again_when_it_moves():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    slot = bench.mat.lay(0, "9D?6D")
    bench.look()
    assert bench.press("undo") == []
    assert bench.question is None
    assert "cannot read Ann's card" in bench.said
    bench.mat.shift(0, slot, (6.0, 0.0))
    bench.mat.cards[0, slot] = "QD"
    assert bench.look() == [Deal(0, card("QD"), Facing.UP)]


def test_unsure_without_candidates_asks_for_a_touch():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    assert bench.lay(0, "?") == []
    assert bench.question is None
    assert "Turn or move it" in bench.said


def test_duplicate_upcard_is_refused_until_read_again():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    bench.lay(0, "9D")
    slot = bench.mat.lay(1, "9D")
    assert bench.look() == []
    assert "Move or turn the card" in bench.said
    bench.mat.cards[1, slot] = "6D"
    assert bench.look() == [Deal(1, card("6D"), Facing.UP)]


def test_face_up_card_in_one_and_thirty_is_asked_about():
    bench = Bench(2, game="one-and-thirty")
    assert bench.lay(0, "9D") == []
    assert bench.question is None, "most people turn it over at once"
    assert "Play on?" in bench.said
    bench.wait()
    assert "Play on?" in str(bench.question.text)
    assert bench.press("have") == [Deal(0, card("9D"), Facing.UP)]


def test_face_up_card_taken_back():
    bench = Bench(2, game="one-and-thirty")
    slot = bench.mat.lay(0, "9D")
    bench.look()
    bench.wait()
    assert bench.press("stick") == []
    assert "does not count" in bench.said
    bench.mat.lift(0, slot)
    bench.look()
    assert bench.lay(0) == [Deal(0, None)]


def test_a_card_that_comes_to_the_player_on_turn_was_asked_for():
    bench = dealt()
    assert bench.lay(0) == [Have(0), Deal(0, None)]
    assert bench.question is None


def test_a_card_nobody_wanted_is_taken_back_by_undo_and_must_be_lifted():
    bench = dealt()
    slot = bench.mat.lay(0)
    bench.look()
    assert bench.press("undo") == [Undo(), Undo()]
    assert bench.look() == []
    assert "does not count" in bench.said
    bench.mat.lift(0, slot)
    bench.look()
    assert bench.press("have", 0) == [Have(0)]
    assert bench.lay(0) == [Deal(0, None)]


def test_a_card_for_a_later_player_waits_for_what_is_said_next():
    bench = dealt()
    assert bench.lay(1) == []
    assert "Bess" in bench.said
    assert bench.press("stick", 0) == [Stick(0), Have(1), Deal(1, None)]
    assert bench.question is None


def test_press_out_of_turn_is_refused_with_a_name():
    bench = dealt()
    assert bench.press("stick", 2) == []
    assert "Ann" in bench.said
    assert bench.view.turn == 0


def test_fourth_card_in_the_deal_is_refused():
    bench = Bench(2)
    bench.lay(0)
    bench.lay(0)
    bench.lay(0, "KC")
    assert bench.lay(0) == []
    assert "three cards" in bench.said


def test_card_at_an_empty_seat_and_between_the_places():
    bench = Bench(2)
    bench.lay(5)
    assert "where nobody sits" in bench.said
    bench.mat.lay(6, "QC", zone=None)
    bench.look()
    assert "between the places" in bench.said
    assert bench.events == []


def test_a_joker_is_refused_and_the_deal_goes_on():
    bench = Bench(2)
    bench.lay(0)
    bench.lay(1)
    assert bench.lay(0, "joker") == []
    assert "joker" in bench.said
    assert bench.question is None
    bench.mat.lift(0, 1)
    bench.look()
    assert "joker" not in bench.said
    assert bench.lay(0) == [Deal(0, None)]


def test_stock_and_discard_mean_nothing():
    bench = Bench(2)
    bench.mat.lay(7, "back", zone=ZoneKind.STOCK)
    bench.mat.lay(8, "3D", zone=ZoneKind.DISCARD)
    assert bench.look() == []
    assert bench.advice.notices == ()


def test_cards_taken_up_are_held_not_missing():
    bench = dealt()
    held = {slot: bench.mat.cards[0, slot] for slot in (0, 1)}
    for slot in held:
        bench.mat.lift(0, slot)
    assert bench.look() == []
    assert bench.advice.notices == ()
    bench.press("have", 0)
    assert bench.lay(0, slot=5) == [Deal(0, None)]
    for slot in held:
        bench.mat.lay(0, "back", slot=slot)
    assert bench.look() == []
    assert len(bench.view.seat(0).cards) == 4


def test_pushed_and_turned_cards_stay_the_same():
    bench = dealt()
    bench.mat.shift(0, 2, (70.0, 40.0))
    bench.mat.shift(1, 0, (0.0, 15.0))
    assert bench.look() == []
    assert bench.advice.notices == ()


def test_turning_all_up_over_31_is_out():
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    bench.mat.turn(0, "TH", "9D", "8D")
    assert bench.look() == [Declare(0, Claim.OUT, cards("TH", "9D", "KC", "8D"))]
    assert bench.view.turn == 1
    # The cards are thrown in: nobody misses them.
    for slot in range(4):
        bench.mat.lift(0, slot)
    assert bench.look() == []
    assert bench.advice.notices == ()


def test_turning_all_up_at_31_wins():
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    bench.mat.turn(0, "TH", "9D", "2D")
    assert bench.look() == [Declare(0, Claim.THIRTY_ONE, cards("TH", "9D", "KC", "2D"))]
    assert bench.view.result.end == "thirty-one"


def test_who_turns_all_up_below_31_has_enough():
    bench = dealt()
    bench.mat.turn(0, "TH", "2D")
    assert bench.look() == [Reveal(0, cards("TH", "2D", "KC")), Stick(0)]
    assert bench.view.turn == 1


def test_a_hand_shown_out_of_turn_counts_at_once():
    """Rule OT-18: it is judged when it is seen, and play goes on."""
    bench = dealt(("KC", "KH", "9C"))
    bench.mat.turn(1, "TH", "9D")
    assert bench.look() == [Reveal(1, cards("TH", "9D", "KH"))]
    assert bench.view.turn == 0
    assert bench.press("stick", 0) == [Stick(0), Stick(1)]


def test_next_twice_begins_in_spite_of_a_phantom():
    bench = dealt()
    bench.press("menu")
    bench.press("have")
    bench.mat.clear()
    bench.mat.lay(1, "back", slot=9)
    bench.look()
    assert bench.press("next") == []
    assert bench.press("next") == [NextHand()]
    assert bench.look() == []
    assert bench.view.seat(1).cards == ()


@pytest.mark.parametrize("spoken", [False, True])
def test_the_next_hand_begins_once_what_was_left_makes_way_for_the_deal(spoken):
    """NEXT is refused for a hand that still lies; it goes away while the others are dealt."""
    bench = Bench(3, "one-and-thirty")
    bench.deal(("back", "back", "back"))
    bench.mat.turn(0, "8S", "5H", "9C")
    bench.look()
    bench.press("menu")
    bench.press("have")
    for seat in (1, 2):
        for slot in range(3):
            bench.mat.lift(seat, slot)
    bench.look()
    assert bench.press("next") == []
    assert "three cards still on the mat" in bench.said
    bench.lay(1)  # the first card of the deal falls before anybody has gathered
    assert bench.view.phase is Phase.DONE
    if spoken:  # then nobody knows to which hand it belongs
        bench.press("stick", 1)
    for slot in range(3):
        bench.mat.lift(0, slot)
        bench.mat.lay(0, "back", slot=slot)
        bench.mat.lay(2)
    bench.mat.lay(1)
    bench.mat.lay(1)
    assert (NextHand() in bench.look()) is not spoken
    if not spoken:
        bench.look()
        assert [len(bench.view.seat(seat).cards) for seat in range(3)] == [3, 3, 3]
        assert bench.press("stick", 0) == [Stick(0)]


def test_next_in_the_middle_of_a_hand_is_refused():
    bench = dealt()
    assert bench.press("next") == []
    assert "not over" in bench.said


def test_no_mat_no_game():
    bench = Bench(2)
    bench.mat.seats = None
    bench.mat.lay(0)
    assert bench.look() == []
    assert "cannot see the play mat" in bench.said


def test_unsure_card_in_the_showdown_is_asked():
    bench = dealt(("KC", "7H"))
    bench.press("stick")
    bench.press("stick")
    bench.mat.turn(0, "2H", "9D?6D")
    assert bench.look() == []
    assert bench.question.cards == cards("9D", "6D")
    assert bench.press("have") == [Reveal(0, cards("2H", "9D", "KC"))]


def test_reveal_with_a_card_known_elsewhere_is_refused():
    bench = dealt(("KC", "7H"))
    bench.press("stick")
    bench.press("stick")
    bench.mat.turn(0, "7H", "9D")
    assert bench.look() == []
    assert bench.said != ""
    bench.mat.cards[0, 0] = "7D"
    assert bench.look() == [Reveal(0, cards("7D", "9D", "KC"))]


def test_a_new_croupier_takes_over_a_hand_in_the_middle():
    bench = dealt()
    bench.press("have", 0)
    bench.croupier = croupier_at_seats()
    assert bench.look() == []
    assert bench.lay(0) == [Deal(0, None)]
    bench.croupier = croupier_at_seats()
    bench.mat.turn(0, "TH", "9D", "2D")
    (called,) = bench.look()
    assert called.what is Claim.THIRTY_ONE
    assert sorted(called.cards) == sorted(cards("TH", "9D", "KC", "2D")), "in some order"


def test_overlooked_back_beside_a_new_upcard_is_not_taken_for_it():
    bench = Bench(2)
    for seat in (0, 1, 0, 1):
        bench.lay(seat)
    bench.mat.lay(0, "KC")
    bench.mat.lift(0, 1)  # the reader misses the back beside the new card
    assert bench.look() == []
    bench.mat.lay(0, "back", slot=1)
    assert bench.look() == [Deal(0, card("KC"), Facing.UP)]


def test_a_card_of_the_cut_face_down_is_to_be_turned():
    bench = Bench(3, dealer=-1)
    assert bench.lay(0) == []
    assert "face up" in bench.said
    assert bench.view.to_cut == (0, 1, 2)


def test_an_unread_card_of_the_cut_is_asked_about():
    bench = Bench(3, dealer=-1)
    assert bench.lay(0, "9D?6D") == []
    assert bench.question.cards == cards("9D", "6D")
    assert bench.press("have") == [Cut(0, card("9D"))]


def test_an_unread_card_face_up_in_one_and_thirty_is_named_then_allowed():
    bench = Bench(2, game="one-and-thirty")
    assert bench.lay(0, "9D?6D") == []
    assert bench.question.cards == cards("9D", "6D")
    assert bench.press("have") == []
    bench.wait()
    assert bench.question.kind == "open"
    assert bench.press("have") == [Deal(0, card("9D"), Facing.UP)]


def test_a_button_where_nobody_is_asked_is_answered():
    bench = Bench(3, dealer=-1)
    assert bench.press("have") == [], "nor is anybody asked before the first picture"
    assert "Nobody is asked" in bench.said
    bench.look()
    assert bench.press("stick") == []
    assert "Nobody is asked" in bench.said


@pytest.mark.parametrize("button", ["left", "right"])
def test_the_knob_marks_an_answer_and_its_push_takes_it(button):
    bench = Bench(2, game="one-and-thirty")
    bench.lay(0, "9D")
    bench.wait()
    assert bench.press(button) == []
    assert bench.question.selected == 1
    assert bench.press("have") == []
    assert "does not count" in bench.said


def test_the_knob_goes_through_the_candidates_both_ways():
    bench = Bench(3, dealer=-1)
    bench.lay(0, "9D?6D?5D")
    bench.press("left")
    assert bench.question.selected == 4, "behind the cards: another card, and none of these"
    bench.press("right")
    bench.press("right")
    assert bench.question.selected == 1
    assert bench.press("have") == [Cut(0, card("6D"))]


def test_menu_in_a_question_asks_about_a_misdeal_first():
    bench = Bench(2, game="one-and-thirty")
    bench.lay(0, "9D")
    asked = bench.question
    assert bench.press("menu") == []
    assert bench.question.kind == "misdeal"
    assert bench.press("stick") == []
    assert bench.question == asked, "no misdeal: the question is still open"


def test_a_hand_from_a_place_where_nobody_sits_is_anybodys():
    state = new_table("scat", [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
    assert _of_players(Reading(1.0, seats=4, hands=(3, 1, None)), state) == (None, 1, None)
    assert _of_players(Reading(1.0, seats=4), state) is None


@pytest.mark.parametrize("at_once", [False, True], ids=["then dealt", "dealt at once"])
@pytest.mark.parametrize("by_mm", [0.0, 5.0], ids=["just where they lay", "nearly there"])
def test_a_hand_lifted_and_laid_back_while_a_card_is_awaited_is_no_new_card(by_mm, at_once):
    bench = dealt()
    bench.press("have", 0)
    hand = [bench.mat.cards[0, slot] for slot in range(3)]
    for slot in range(3):
        bench.mat.lift(0, slot)
    assert bench.look() == []
    for slot, what in enumerate(hand):
        bench.mat.lay(0, what, slot=slot)
        bench.mat.shift(0, slot, by=(by_mm, by_mm))
    if not at_once:
        assert bench.look() == []
        assert bench.said == ""
    assert bench.lay(0) == [Deal(0, None)]
    assert bench.said == ""
    assert [len(seat.cards) for seat in bench.view.seats] == [4, 3, 3]


def test_a_hand_turned_down_and_up_again_at_the_showdown_is_shown():
    bench = dealt()
    for seat in range(3):
        bench.press("stick", seat)
    bench.mat.turn(0, "2H", "9D")
    shown = {key: what for key, what in bench.mat.cards.items() if key[0] == 0}
    assert bench.look() == [Reveal(0, cards("2H", "9D", "KC"))]
    assert bench.press("undo") == [Undo()]
    bench.mat.cards.update(dict.fromkeys(shown, "back"))
    bench.look()
    bench.mat.cards.update(shown)
    bench.look()
    assert bench.view.to_reveal == (1, 2)
    assert bench.view.seats[0].status is not SeatStatus.OUT
    assert bench.question is None


def test_the_deck_that_lay_at_the_dealers_place_before_the_deal_is_no_card_of_the_hand():
    bench = Bench(3, "one-and-thirty")
    stock = bench.mat.lay(None, zone=ZoneKind.STOCK)
    bench.look()
    bench.mat.lift(None, stock)
    bench.mat.lay(2, slot=8)
    bench.look()
    for seat in range(3):
        for _ in range(3):
            bench.mat.lay(seat)
    bench.look()
    assert [len(bench.view.seat(seat).cards) for seat in range(3)] == [3, 3, 3]
    assert bench.press("stick", 0) == [Stick(0)]
    assert bench.press("stick", 1) == [Stick(1)]

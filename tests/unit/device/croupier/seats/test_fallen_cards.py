"""Cards that fall where none is due, and cards that were read wrongly, as people put them right."""

from dataclasses import replace

import pytest

from device.croupier import messages
from engine import Deal, Facing, Phase, Undo
from engine.core.events import Claim, Correct, Declare, Have, Reveal, Stick
from tests.support.mat_readings import Bench, card, cards, dealt
from vision.readings import ZoneKind


def test_the_last_card_of_the_deal_that_fell_elsewhere_is_dealt_where_it_belongs():
    bench = Bench(3)
    for seat in (0, 1, 2, 0, 1, 2):
        bench.lay(seat)
    for seat, code in ((0, "KC"), (1, "7H")):
        bench.lay(seat, code)
    fallen = bench.mat.lay(0)
    assert bench.look() == []
    assert "not counted" in bench.said
    bench.mat.lift(0, fallen)
    assert bench.look() == []
    assert bench.said == ""
    assert len(bench.lay(2, "9C")) == 1
    assert bench.view.phase is Phase.PLAY
    assert bench.question is None


@pytest.mark.parametrize("thirds", [("KC", "7H", "9C"), ("KC", "7H", "9C", "2D")])
def test_a_card_that_was_asked_for_falls_at_anothers_place_and_is_laid_right(thirds):
    bench = dealt(thirds)  # of three all sit beside each other
    bench.press("have", 0)
    fallen = bench.mat.lay(2)
    bench.look()
    bench.mat.lift(2, fallen)
    bench.look()
    bench.lay(0)
    assert bench.events[-1] == Deal(0, None)
    assert [len(seat.cards) for seat in bench.view.seats][:3] == [4, 3, 3]
    # Another one is laid just where it had fallen, for the player who sits there.
    bench.press("stick")
    bench.press("stick")
    bench.press("have", 2)
    assert bench.lay(2, slot=fallen) == [Deal(2, None)]
    assert [len(seat.cards) for seat in bench.view.seats][:3] == [4, 3, 4]


def test_a_card_that_nobody_asked_for_falls_far_off_and_is_laid_right():
    bench = dealt(("KC", "7H", "9C", "2D"))
    fallen = bench.mat.lay(2)
    assert bench.look()[-1] == Deal(2, None), "as if two had stuck"
    bench.mat.lift(2, fallen)
    assert bench.look() == []
    assert bench.lay(0) == []
    assert bench.wait()[-2:] == [Have(0), Deal(0, None)]
    assert [len(seat.cards) for seat in bench.view.seats] == [4, 3, 3, 3]
    assert not any(seat.stuck for seat in bench.state.live_play.hands)


def test_undo_takes_back_no_more_than_the_step_of_which_a_part_is_told():
    bench = dealt(("KC", "7H", "9C", "2D"))
    bench.mat.lay(2)
    assert bench.look()[0] == Stick(0)
    histories = bench.croupier._set
    dealt_cards = histories.best.events[:-4]
    histories.wrote((*dealt_cards, Stick(0)))  # of the rest people are not sure any more
    assert histories.take_back()
    assert histories.best.events[: len(dealt_cards)] == dealt_cards
    assert Stick(0) not in histories.best.events
    bench.press("stick", 0)
    assert histories.best.events == (*dealt_cards, Stick(0)), "nobody had said it, and now they do"


def test_what_was_told_before_stands_while_a_likely_history_says_so():
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    histories = bench.croupier._set
    bench.press("stick")
    other, told = histories._before[-1][0], histories.best
    assert told.events[: len(other.events)] == other.events
    histories.kept = [other, replace(told, cost=other.cost + 1)]
    assert not histories.agrees
    histories.wrote((*told.events, Stick(0)))  # of which UNDO took back the last
    assert tuple(event for event, _ in histories.plan()) == told.events


@pytest.mark.parametrize("far", [3, 4])
def test_a_card_that_fell_far_off_unasked_and_was_taken_away_counts_for_nobody(far):
    bench = dealt(("KC", "7H", "9C", "2D", "4S", "5S"))
    bench.press("have", 0)
    bench.lay(0)
    fallen = bench.mat.lay(far)
    bench.look()
    bench.wait()
    bench.mat.lift(far, fallen)
    bench.look()
    assert bench.press("have", 0)[-1] == Have(0)
    assert [len(seat.cards) for seat in bench.view.seats] == [4, 3, 3, 3, 3, 3]
    bench.lay(0)
    assert [len(seat.cards) for seat in bench.view.seats] == [5, 3, 3, 3, 3, 3]


def test_a_card_that_was_taken_back_counts_once_it_is_taken_up_and_laid_again_in_one_motion():
    bench = dealt()
    bench.press("have", 0)
    slot = bench.mat.lay(0)
    assert bench.look() == [Deal(0, None)]
    assert bench.press("undo") == [Undo()]
    bench.mat.shift(0, slot, (4.0, 0.0))
    assert bench.look() == [], "a sleeve has pushed it"
    assert "does not count" in bench.said
    bench.mat.shift(0, slot, (14.0, 3.0))
    assert bench.look() == [Deal(0, None)]
    assert bench.said == ""


def test_what_does_not_count_is_told_before_what_only_lies_about(monkeypatch):
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    words = bench.croupier._words
    remarks = (messages.cannot_read("Bess"), messages.between_places())
    monkeypatch.setattr(words, "remarks", lambda *_, **__: remarks)
    bench.press("undo")
    urgent, does_not_count, lies_about = bench.said.split(" / ")
    assert "Bess" in urgent
    assert "does not count" in does_not_count
    assert "between the places" in lies_about


def test_cards_that_are_pushed_together_were_not_taken_up():
    bench = dealt()
    bench.press("have", 0)
    slot = bench.mat.lay(0)
    bench.look()
    bench.press("undo")
    for each in (0, slot):
        bench.mat.shift(0, each, (14.0, 3.0))
    assert bench.look() == []
    assert "does not count" in bench.said


def shown(*codes):
    """A hand of four shown by Ann in her own turn, the last card drawn."""
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    bench.mat.turn(0, *codes)
    return bench, bench.look()


def test_who_is_out_by_a_card_that_was_read_wrongly_is_in_again():
    bench, events = shown("TH", "9D", "4D")
    over = Declare(0, Claim.OUT, cards("TH", "9D", "KC", "4D"))
    assert events == [over]
    found = bench.correct(Correct(seat=0, was=card("TH"), card=card("2H")))
    assert found[:2] == [Undo(), Reveal(0, cards("2H", "9D", "KC", "4D"))]
    assert bench.view.seats[0].status != "out"
    assert bench.look() == []
    assert bench.press("undo")[-1] == over, "the correction is taken back"
    assert bench.view.seats[0].status == "out"


def test_who_said_to_be_out_stays_out_whatever_is_corrected():
    bench = dealt()
    bench.press("out", 0)
    correction = Correct(seat=0, was=card("KC"), card=card("2C"))
    assert bench.correct(correction) == [correction]
    assert bench.view.seats[0].status == "out"


def test_a_hand_found_over_at_the_showdown_is_judged_anew_when_a_card_is_corrected():
    bench = dealt()
    bench.press("have", 0)
    bench.lay(0)
    for seat in range(3):
        bench.press("stick", seat)
    bench.mat.turn(0, "TH", "9D", "4D")
    assert bench.look() == [Reveal(0, cards("TH", "9D", "KC", "4D"))]
    assert bench.view.seats[0].status == "out"
    bench.correct(Correct(seat=0, was=card("TH"), card=card("2H")))
    assert bench.view.seats[0].status != "out"


def test_a_named_card_keeps_its_name_when_another_is_read_as_it_was():
    bench = dealt()
    for seat in range(3):
        bench.press("stick", seat)
    bench.mat.turn(0, "5S", "9D")
    bench.look()
    bench.correct(Correct(seat=0, was=card("5S"), card=card("KH")))
    slot = next(key for key, what in bench.mat.cards.items() if what == "5S")
    bench.mat.cards[slot] = "KH"  # seen well at last
    bench.mat.turn(1, "5S", "2D")
    assert bench.look() == [Reveal(1, cards("5S", "2D", "7H"))]
    assert card("KH") in bench.view.seats[0].cards


@pytest.mark.parametrize("hands", [(1,), (1, 3)], ids=["the dealer's hand was not seen", "it was"])
def test_cards_taken_up_and_laid_back_while_others_are_dealt_are_the_same(hands):
    bench = Bench(4, preset="ealdormere")  # dealt three at a time
    for seat in (0, 1):
        for what in ("back", "back", "QD" if seat else "3H"):
            bench.mat.lay(seat, what)
        bench.mat.hands = (3, 3, 3)
        bench.look()
    for slot in range(3):
        bench.mat.lift(1, slot)
    bench.mat.hands = (1,)
    assert bench.look() == []
    for slot, what in enumerate(("back", "back", "QD")):
        bench.mat.lay(1, what)
        bench.mat.shift(1, slot, (15.0, 4.0))
    bench.mat.lay(2)
    bench.mat.hands = hands
    assert bench.look() == [Deal(2, None)]
    assert bench.said == ""
    bench.mat.hands = (3,)
    assert bench.lay(2) == [Deal(2, None)]


def test_a_card_that_is_dealt_to_who_took_theirs_up_is_the_next_of_the_deal():
    bench = Bench(2, game="one-and-thirty")
    for seat in (0, 1):
        bench.mat.hands = (1,)
        bench.lay(seat)
    bench.mat.lift(0, 0)
    bench.mat.hands = (0,)
    assert bench.look() == []
    bench.mat.hands = (1,)
    assert bench.lay(0, slot=4) == [Deal(0, None)]
    bench.mat.lift(1, 0)
    bench.mat.hands = (1,)
    assert bench.look() == []
    assert bench.lay(1, slot=4) == [Deal(1, None)], "the dealer's hand may do either"


@pytest.mark.parametrize(("asks", "mark"), [(True, []), (False, ["silent_have"] * 2)])
def test_who_takes_a_card_out_of_the_dealers_hand_is_dealt_it(asks, mark):
    bench = Bench(4, game="one-and-thirty")
    bench.mat.hands = (3,)
    bench.deal(("back", "back", "back", "back"))
    if asks:
        bench.press("have", 0)
    bench.mat.hands = (0,)
    assert bench.lay(0)[-1] == Deal(0, None)
    assert bench.marks == mark


def test_of_a_card_too_many_the_one_that_is_taken_away_had_fallen():
    bench = Bench(3, game="one-and-thirty")
    bench.mat.hands = (2,)
    bench.lay(0)
    fallen = bench.mat.lay(0)  # it was to be Bess's
    bench.look()
    for seat in (1, 2, 0, 1, 2, 0, 1, 2):
        bench.lay(seat)
    bench.mat.lift(0, fallen)
    bench.look()
    assert bench.view.phase is Phase.PLAY
    assert [len(seat.cards) for seat in bench.view.seats] == [3, 3, 3]
    bench.press("have", 0)
    assert bench.lay(0, slot=fallen) == [Deal(0, None)]
    assert bench.said == ""


@pytest.mark.parametrize("far_mm", [20.0, 160.0])
def test_a_card_that_is_named_as_the_one_read_beside_it_was_seen_twice(far_mm):
    bench = dealt()
    for _ in range(3):
        bench.press("stick")
    bench.mat.clear()
    for slot, code in enumerate(("4C", "TD", "KC")):
        bench.mat.lay(0, code, slot=slot)
    bench.mat.lay(0, "TD?6C", slot=5)
    bench.mat.shift(0, 5, (far_mm - 4 * 80.0, 2.0))
    bench.look()
    assert bench.question.text.id == "Which card is {name}'s?"
    bench.press("have")
    twice = far_mm < 45.0
    assert (bench.state.log[-1] == Reveal(0, cards("4C", "TD", "KC"))) == twice
    assert ("I will read it again" in bench.said) != twice
    assert "does not count" not in bench.said


@pytest.mark.parametrize(("beside_mm", "asked"), [(9.0, "another card"), (40.0, "Which card is")])
def test_an_unread_part_of_a_card_below_another_is_not_a_card_dealt_unseen(beside_mm, asked):
    bench = Bench(3, game="one-and-thirty")
    bench.deal(("back", "back", "back"))
    for seat in range(3):
        bench.press("stick", seat)
    bench.mat.clear()
    shown = (("4C", "TD", "KC"), ("5C", "JD", "QC"), ("6C", "9D", "8C"))
    for seat, hand in enumerate(shown):
        for slot, code in enumerate(hand):
            bench.mat.lay(seat, code, slot=slot)
        if seat == 0:
            bench.mat.lay(0, "6D?6H", slot=4)
            bench.mat.shift(0, 4, (beside_mm - 2 * 80.0, 2.0))
        bench.look()
    for _ in range(6):
        bench.look()
    assert asked in bench.question.text.id
    assert bench.view.phase is Phase.SHOWDOWN, "nothing is paid before it is answered"
    if asked == "another card":
        bench.press("stick")  # no
        assert bench.view.phase is Phase.DONE
        assert bench.view.result.winners == (1,)


def test_who_sticks_with_a_card_that_was_dealt_open_plays_on_with_it():
    bench = dealt()
    bench.press("have", 0)
    bench.mat.lay(0, "2D")
    bench.look()
    assert "Play on?" in bench.said
    assert bench.press("stick", 0) == [Deal(0, card("2D"), Facing.UP), Stick(0)]
    assert bench.question is None
    assert "counted" not in bench.said


def test_a_stock_that_is_cut_and_laid_at_a_players_place_is_no_card_of_theirs():
    bench = dealt()
    stock = bench.mat.lay(5, zone=ZoneKind.STOCK)
    bench.look()
    bench.mat.lift(5, stock)
    bench.mat.lay(2, slot=9)
    bench.look()
    bench.press("have", 0)
    bench.lay(0)
    for seat in range(3):
        bench.press("stick", seat)
    for seat, codes in enumerate((("2H", "3H", "4H"), ("3C", "5S"), ("4C", "6S"))):
        bench.mat.turn(seat, *codes, *["back"] * (seat == 2))
        bench.look()
    assert [len(event.cards) for event in bench.events if isinstance(event, Reveal)] == [4, 3, 3]

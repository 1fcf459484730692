"""A knock is not paid on where somebody else has said what may have been it."""

from pathlib import Path

from device.simulator.people import Setup
from engine import Phase
from engine.core.events import Knock
from tests.support.readings_player import play_log
from tests.support.scat_bench import game, interpreter


def played(*seats):
    """A hand in which those at *seats* press STICK, one after the other, while Ann has the turn."""
    made = game("wikipedia", "9H")
    for seat in seats:
        made.press("stick", seat)
    for code in ("7D", "8C"):
        made.take_up()
        made.throw(code)
    made.take_up()
    for seat, codes in enumerate(("2C 3D 4H", "2D 3C 4S", "JD QD AD")):
        made.show(seat, codes)
    return made


def test_a_knock_that_was_said_is_paid_on_at_once():
    made = played(0)
    assert Knock(0) in made.events
    assert made.question is None
    assert made.view.phase is Phase.DONE


def test_where_another_has_said_it_too_it_is_asked_who_knocked():
    made = played(2, 0)
    assert Knock(0) in made.events
    assert made.view.phase is not Phase.DONE, "nothing is paid yet"
    assert str(made.question.text) == "Who knocked?"
    assert [str(each.text) for each in made.question.candidates] == ["Ann", "Bess", "Cecil"]
    made.answer("0")
    assert made.view.phase is Phase.DONE


def test_whoever_is_named_has_knocked_and_is_asked_nothing_more():
    made = played(2, 0)
    made.press("stick", 2)
    made.wait()
    assert made.question is None
    assert [event for event in made.state.log if isinstance(event, Knock)] == [Knock(2)]
    assert made.view.phase is Phase.DONE


def test_a_knock_from_before_a_power_cut_is_not_doubted():
    """No look explains it any more, so there is nothing that a no could take back."""
    made = game("wikipedia", "9H")
    made.press("stick", 0)
    for code in ("7D", "8C"):
        made.throw(code)
        made.take_up()
    made.croupier = interpreter()
    made.press("stick", 2)
    made.look()
    for seat, codes in enumerate(("2C 3D 4H", "2D 3C 4S", "JD QD AD")):
        made.show(seat, codes)
    assert made.question is None
    assert made.view.phase is Phase.DONE


def test_a_knock_after_a_turn_that_nobody_saw_is_asked_about():
    """Seen through a camera: Cecil's knock is not heard, and Bess says that she stands.

    It was taken for Bess's knock, after a turn of Cecil's of which no look shows the discard.
    """
    lines = (Path(__file__).parent / "unheard_knock.jsonl").read_text("utf-8").splitlines()
    setup = Setup("scat", "wikipedia", ("Ann", "Bess", "Cecil"), (35, 68, 32), 2, 3, {}, {})
    turns = [[0, "stock", "2D"], [1, "discard", "KH"], [2, "stock", "3C"], [0, "stock", "8D"]]
    turns += [[1, "stock", "2D"], [2, "knock"], [0, "stock", "AD"], [1, "stand"]]
    table, told = play_log(lines, {"out": [], "knocked": [2], "turns": turns}, setup)
    asked = [line["asked"] for line in told if "asked" in line]
    assert [each["answers"] for each in asked if each["text"] == "Who knocked?"] == [[1, 0, 2]]
    assert "knocked" not in {each["kind"] for each in asked}
    assert table.session.view.result.losses.lost == ((2, 2),)

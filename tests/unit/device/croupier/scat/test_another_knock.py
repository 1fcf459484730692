"""A knock is not paid on where somebody else has said what may have been it."""

from engine import Phase
from engine.core.events import Knock
from tests.support.scat_bench import game


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
    assert str(made.question.text) == "Did Ann knock?"
    made.answer("yes")
    assert made.view.phase is Phase.DONE

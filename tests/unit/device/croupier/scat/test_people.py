"""Thirty-one, played by people of software: what the croupier once paid for unasked."""

import random

from device.simulator.people import play_sitting, setup_by_chance
from tests.acceptance.people.judge import Verdict, judge
from tests.support.readings_player import play


def test_a_knock_that_nobody_said_is_asked_also_when_a_card_was_put_back_after_it():
    """The undo of the card that was put back took the place of what was assumed of the knock."""
    rng = random.Random("scat-wikipedia-mixed-1.0-87")
    sitting = play_sitting(setup_by_chance("scat", "wikipedia", rng), "mixed", rng, 1)
    judged, _ = judge(sitting, play(sitting.lines, sitting.answers, sitting.setup))
    assert judged[0].verdict is Verdict.RIGHT_ASKED

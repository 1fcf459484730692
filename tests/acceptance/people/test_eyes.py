"""The run through the real eyes comes to its end, and tells what it found."""

import json
import random
from dataclasses import replace

import pytest

from device.simulator.people import Happening, play_sitting, setup_by_chance
from tests.acceptance.people import eyes
from tests.support.readings_player import play


@pytest.mark.slow
def test_a_round_of_bones_is_thrown_seen_and_judged(capsys):
    words = ["--game", "knucklebones", "--mix", "careful", "--hands", "1", "--minutes", "1"]
    assert eyes.main(words) == 0
    told = capsys.readouterr().out
    assert "knucklebones, careful people, through the real eyes" in told
    assert "right: 1 of 1" in told
    assert "'bone read'" in told


def test_where_a_card_comes_from_is_told_of_each_turn_in_one_motion():
    rng = random.Random("one motion")
    sitting = play_sitting(setup_by_chance("scat", "wikipedia", rng), "careful", rng, 1)
    while not sitting.hands[0].tally[Happening.ONE_MOTION]:
        sitting = play_sitting(setup_by_chance("scat", "wikipedia", rng), "careful", rng, 1)
    lines = [line for line in sitting.lines if json.loads(line).keys() - {"look"}]
    played = play(lines, sitting.answers, sitting.setup)
    found = eyes.motions(sitting, lines, played)
    assert found["top known, booked from discard, unasked"] >= 1
    other = tuple({**event, "from": "stock"} for event in played.events)
    played = replace(played, events=other)
    assert not any("from discard" in how for how in eyes.motions(sitting, lines, played))

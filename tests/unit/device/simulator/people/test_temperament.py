"""People have characters, and all of them together do what their mix says."""

import random

import pytest

from device.simulator.people.temperament import CHARACTERS, HABITS, MIXES, person


@pytest.mark.parametrize("mix", MIXES)
def test_the_mean_of_all_characters_is_that_of_the_mix(mix):
    people = {}
    rng = random.Random(1)
    while len(people) < len(CHARACTERS):
        one = person(mix, 0, "Ann", rng)
        people[one.character] = one
    for habit, entry in HABITS.items():
        mean = sum(one.habits[habit] for one in people.values()) / len(people)
        assert mean == pytest.approx(entry[MIXES.index(mix)])


def test_every_habit_is_a_share_that_grows_from_careful_to_wild():
    for habit, (careful, mixed, wild, _) in HABITS.items():
        assert 0.0 <= careful <= mixed <= wild <= 1.0, habit


def test_a_character_does_its_own_habits_most():
    rng = random.Random(2)
    people = [person("mixed", 0, "Ann", rng) for _ in range(200)]
    often = {one.character: one.habits["one_motion"] for one in people}
    assert often.pop("two-handed") > 1.5 * max(often.values())

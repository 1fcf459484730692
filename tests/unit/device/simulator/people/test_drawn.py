"""People of software before a camera: what lies there is drawn, and read from the pictures."""

import json
import math
import random

import numpy as np
import pytest

from device.simulator.people import GAMES, PRESETS, play_sitting, setup_by_chance
from device.simulator.people.drawn import Filming, Moment, film_table
from device.simulator.people.film import Scene, SceneCard
from device.simulator.scenery import apply_homography
from vision import MotionGate
from vision.readings import Reading

SIZE = (400, 300)


def sitting_of(game, mix="mixed", seed=4):
    rng = random.Random(f"{game}-{seed}")
    return play_sitting(setup_by_chance(game, next(iter(PRESETS[game])), rng), mix, rng, 1)


class Glance:
    """Reads every picture as a mat on which nothing lies."""

    def read(self, image, time_s=0.0):
        return Reading(time_s, seats=4)


@pytest.mark.parametrize("game", GAMES)
def test_beside_each_line_stands_all_that_lies_there(game):
    sitting = sitting_of(game)
    assert len(sitting.scenes) == len(sitting.lines)
    shown = 0
    for text, scene in zip(sitting.lines, sitting.scenes, strict=True):
        for thing in json.loads(text).get("lies", ()):
            true = scene.cards if "card" in thing else scene.bones
            near = min(true, key=lambda each: math.dist((each.x, each.y), (thing["x"], thing["y"])))
            assert math.dist((near.x, near.y), (thing["x"], thing["y"])) < 1.0
            shown += 1
    assert shown > 10


def test_what_is_laid_later_covers_what_lies_there():
    table = film_table(sitting_of("scat").setup, size=SIZE)
    king, two = (SceneCard(code, True, 300.0, 300.0, 0.0) for code in ("KS", "2D"))
    pictures = []
    for cards in ((king, two), (two,), (two, king)):
        table.show(Scene(cards, ()))
        pictures.append(table.picture().astype(int))
    both, alone, other = pictures
    assert np.abs(both - alone).mean() < np.abs(both - other).mean() - 0.1


def test_bones_of_a_throw_never_lie_in_each_other():
    for seed in range(20):
        for scene in sitting_of("knucklebones", seed=seed).scenes:
            spots = [(bone.x, bone.y) for bone in scene.bones]
            for number, one in enumerate(spots):
                assert all(math.dist(one, other) > 30.0 for other in spots[:number])


def test_a_bone_that_lies_still_keeps_its_number():
    for text, scene in zip(*_lines_and_scenes("knucklebones"), strict=True):
        assert len({bone.number for bone in scene.bones}) == len(scene.bones), text


def _lines_and_scenes(game):
    sitting = sitting_of(game)
    return sitting.lines, sitting.scenes


def test_a_card_is_drawn_where_it_lies():
    sitting = sitting_of("one-and-thirty")
    table = film_table(sitting.setup, size=SIZE)
    table.show(Scene((), ()))
    empty = table.picture().astype(int)
    wide, high = table.layout.size_mm
    table.show(Scene((SceneCard("KS", True, wide / 3, high / 3, 10.0),), ()))
    differs = np.abs(table.picture().astype(int) - empty).sum(axis=2) > 60
    rows, columns = np.nonzero(differs)
    ((x, y),) = apply_homography(table.matrix, np.array([[wide / 3, high / 3]]))
    assert abs(columns.mean() - x) < 6
    assert abs(rows.mean() - y) < 6


def test_presses_and_looks_come_between_the_readings_in_the_order_of_time():
    sitting = sitting_of("one-and-thirty")
    filming = Filming(sitting, film_table(sitting.setup, size=SIZE), MotionGate(Glance()))
    moments = list(filming.moments())
    times = [moment.time_s for moment in moments]
    assert times == sorted(times)
    said = [moment.line for moment in moments if moment.line is not None]
    lines = [json.loads(text) for text in sitting.lines]
    assert said == [line for line in lines if "press" in line or "look" in line]
    rests = sum("lies" in line for line in lines)
    assert rests / 2 < sum(moment.reading is not None for moment in moments) <= rests


def test_a_mat_that_is_not_seen_is_dark():
    lines = ('{"t":0.0,"lies":[]}', '{"t":1.0,"mat":false}', '{"t":2.0,"lies":[]}')
    sitting = sitting_of("knucklebones")
    empty = Scene((), ())
    dark = type(sitting)(sitting.setup, "mixed", lines, {}, (), (empty, empty, empty))
    levels = []

    class Eyes(MotionGate):
        def see(self, image, time_s):
            levels.append((time_s, image.mean()))
            return super().see(image, time_s)

    filming = Filming(dark, film_table(sitting.setup, size=SIZE), Eyes(Glance()))
    assert all(isinstance(moment, Moment) for moment in filming.moments())
    assert max(level for t, level in levels if 1.0 <= t < 2.0) < 10 < levels[0][1]

"""Whose arms are over the mat: who reaches in is told by where the arm comes from."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.simulator.scenery import Stage
from engine import Card
from vision.mat.layout import MatLayout
from vision.mat.pose import find_mat
from vision.readings import CardReading, Place, Reading, UnsureReading
from vision.tracking.arms import ArmWatch, arms_over
from vision.tracking.motion_gate import CHANGED, MotionGate, StillnessDetector

SIZE = (1280, 960)


class Table:
    """A drawn mat, and arms over it."""

    def __init__(self, seats, seed=3):
        self.layout = MatLayout(seats)
        self.stage = Stage(self.layout, seed, SIZE, 8.0)
        self.bare = self.stage.draw_bare()
        self.pose = find_mat(self.bare)

    def picture(self, *arms):
        image = self.bare.copy()
        for seat, tip in arms:
            self.stage.draw_arm(image, seat, tip)
        return image

    def changed(self, image):
        cells = []
        for each in (self.bare, image):
            still = StillnessDetector()
            still.see(each, 0.0)
            cells.append(still.cells)
        return (np.abs(cells[1] - cells[0]).max(axis=2) > CHANGED).astype(np.uint8)

    def over(self, *arms, seated=None):
        return arms_over(self.changed(self.picture(*arms)), SIZE, self.pose, seated)


@pytest.mark.parametrize("seats", range(2, 9))
def test_an_arm_is_its_players_wherever_it_reaches(seats):
    table, rng = Table(seats), np.random.default_rng(seats)
    wide, high = table.layout.size_mm
    found = Counter()
    for _ in range(30):
        seat = int(rng.integers(seats))
        (told,) = table.over((seat, (rng.uniform(60, wide - 60), rng.uniform(60, high - 60))))
        found["unknown" if told is None else told == seat] += 1
    assert found[True] >= 27
    assert found[False] <= 1


def test_two_arms_are_told_apart_and_what_lies_there_is_none():
    table = Table(4)
    wide, high = table.layout.size_mm
    apart = {0: (wide * 0.2, high * 0.7), 2: (wide * 0.75, high * 0.3)}
    assert set(table.over(*apart.items())) == {0, 2}
    image = table.bare.copy()
    middle = table.pose.to_px([[wide / 2, high / 2]])[0].astype(int)
    image[middle[1] - 40 : middle[1] + 40, middle[0] - 30 : middle[0] + 30] = 250
    assert arms_over(table.changed(image), SIZE, table.pose) == ()


def test_a_card_that_was_laid_near_the_edge_is_no_arm():
    table = Table(4)
    wide, high = table.layout.size_mm
    image = table.bare.copy()
    card = table.pose.to_px(
        [[wide * x, high - y] for x, y in ((0.3, 98), (0.4, 98), (0.4, 10), (0.3, 10))]
    )
    cv2.fillConvexPoly(image, card.astype(np.int32), (250, 250, 250))
    assert arms_over(table.changed(image), SIZE, table.pose) == ()


def test_an_arm_between_two_players_is_nobodys():
    table = Table(8)
    homes = [table.stage.home(seat) for seat in range(8)]
    bottom = sorted(home for home in homes if home[1] > table.layout.size_mm[1])
    between = (bottom[0][0] + bottom[1][0]) / 2
    table.stage.home = lambda seat: (between, bottom[0][1])
    assert table.over((0, (between, table.layout.size_mm[1] * 0.7))) == (None,)


def test_an_arm_is_told_from_those_that_sit_there_alone():
    table = Table(8)
    homes = {seat: table.stage.home(seat) for seat in range(8)}
    bottom = sorted((at[0], seat) for seat, at in homes.items() if at[1] > table.layout.size_mm[1])
    (left, one), (right, other), *_ = bottom
    at = left * 0.6 + right * 0.4, homes[one][1]
    table.stage.home = lambda seat: at
    arm = (one, (at[0], table.layout.size_mm[1] * 0.7))
    assert table.over(arm) == (None,)
    assert table.over(arm, seated={one, 4}) == (one,)
    table.stage.home = homes.get
    stranger = (other, (right, table.layout.size_mm[1] * 0.7))
    assert table.over(stranger, seated={one, 4}) == (None,), "who stands there is no player"


def test_visits_are_put_together():
    watch = ArmWatch()
    assert watch.take() == (None,), "nothing was seen: frames may have been missed"
    for arms in ((None,), (0,), (0,), (), (1,), (1, 2), (2,), (), (None,)):
        watch.see(arms)
    assert watch.take() == (0, 1, 2, None)
    for arms in ((0,), *[(1,)] * 9):
        watch.see(arms)
    assert watch.take() == (1,), "one frame of ten was wrong"
    for arms in ((1,), *[(None,)] * 6, (2,)):
        watch.see(arms)
    assert watch.take() == (1, 2), "arms that reach far are known only where they come in"
    for arms in ((2, 4), *[(2, 3, 4)] * 5, *[(4,)] * 20):
        watch.see(arms)
    assert watch.take() == (2, 4, 3), "two that were there at once are two, though one stays longer"


class Eyes:
    """A reader that finds the mat, and nothing on it."""

    def __init__(self, table):
        self.pose, self.seats = table.pose, table.layout.seats

    def read(self, image, time_s=0.0):
        return Reading(time_s=time_s, seats=self.seats)


def test_a_reading_tells_whose_hands_came_before_it():
    table = Table(4)
    wide, high = table.layout.size_mm
    gate = MotionGate(Eyes(table))
    noise = np.random.default_rng(1)
    frames = [table.bare] * 4
    frames += [table.picture((2, (wide / 2, high * part))) for part in (0.2, 0.4, 0.4, 0.2)]
    laid = table.bare.copy()
    x, y = table.pose.to_px([[wide / 2, high * 0.4]])[0].astype(int)
    laid[y - 40 : y + 40, x - 30 : x + 30] = 250
    frames += [laid] * 4
    told, moves = [], []
    for number, frame in enumerate(frames):
        grain = noise.normal(0, 3, frame.shape)
        reading = gate.see((frame + grain).clip(0, 255).astype(np.uint8), number * 0.1)
        told += [] if reading is None else [reading.hands]
        moves.append(gate.hands_move)
    assert told == [(None,), (2,)]
    assert moves == [*[False] * 4, *[True] * 6, *[False] * 2]


class Clear(Eyes):
    """A reader that follows, and never sees a hand."""

    in_doubt = False

    def follow(self, frame, time_s=0.0):
        return self.read(frame.image, time_s)

    def is_clear(self, frame):
        return True

    def vote(self, frame, time_s=0.0):
        raise AssertionError("nothing is in doubt")


@pytest.mark.parametrize(
    ("arm", "twice", "after"),
    [(False, False, 1), (True, False, 2), (False, True, 2)],
    ids=["no arm", "an arm", "each picture given twice"],
)
def test_where_no_arm_reaches_in_two_frames_alike_are_enough(arm, twice, after):
    table = Table(4)
    wide, high = table.layout.size_mm
    gate, noise = MotionGate(Clear(table)), np.random.default_rng(1)
    last = table.picture((2, (wide / 2, high * 0.4))) if arm else table.bare.copy()
    x, y = table.pose.to_px([[wide * 0.7, high * 0.6]])[0].astype(int)
    last[y - 40 : y + 40, x - 30 : x + 30] = 250
    pictures = [
        (frame + noise.normal(0, 3, frame.shape)).clip(0, 255).astype(np.uint8)
        for frame in [table.bare] * 8 + [last] * 8
    ]
    frames = [frame for frame in pictures for _ in range(1 + twice)]
    read = [n for n, frame in enumerate(frames) if gate.see(frame, n / 30) is not None]
    assert read[-1] - 8 * (1 + twice) == after


class Listed(Eyes):
    """A reader that sees one thing after the other of a list."""

    def __init__(self, table, seen):
        super().__init__(table)
        self.seen = iter(seen)

    def read(self, image, time_s=0.0):
        return replace(super().read(image, time_s), **next(self.seen))


def up(*candidates, x):
    place = Place(((0.0, 0.0),) * 4, centre_mm=(x, 100.0))
    if len(candidates) == 1:
        return {"cards": (CardReading(Card.parse(candidates[0]), 0.999, place),)}
    return {"unsure": (UnsureReading(tuple(map(Card.parse, candidates)), 0.7, place),)}


@pytest.mark.parametrize(
    ("now", "hands"),
    [
        (up("9H", x=203.0), ()),
        (up("8H", "9H", x=200.0), ()),
        (up("8H", x=200.0), (None,)),
        (up("8H", "8D", x=200.0), (None,)),
        (up("9H", x=230.0), (None,)),
        ({}, (None,)),
    ],
    ids=["pushed by less than a finger", "doubted", "another", "doubtful", "moved", "gone"],
)
def test_a_second_look_without_an_arm_tells_of_no_hand(now, hands):
    table = Table(4)
    gate = MotionGate(Listed(table, [up("9H", x=200.0), now]))
    glare = table.bare.copy()
    x, y = table.pose.to_px([[table.layout.size_mm[0] / 2, table.layout.size_mm[1] / 2]])[0]
    glare[int(y) - 40 : int(y) + 40, int(x) - 30 : int(x) + 30] = 250
    frames = [table.bare] * 4 + [glare] * 4
    readings = [gate.see(frame, number * 0.1) for number, frame in enumerate(frames)]
    assert [each.hands for each in readings if each is not None] == [(None,), hands]

"""One-and-Twenty from pixels: throws kept apart, bones bumped, bones beside the mat."""

import math
from collections import Counter

import pytest

from device.clock import HandClock
from device.ports import Button, Press
from device.runtime.camera_worker import SyncReadingSource
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.answers import answer_from_table
from device.simulator.bone_table import BonesTable
from device.simulator.camera import SimulatedCamera
from device.storage.journal.journal import Journal
from engine import Player
from engine.core.bones import Face
from tests.support.bones_set_down import set_down
from vision import BoneReader, MotionGate
from vision.bones.on_table import BonesOnMat
from vision.mat.pose import MatLayout

FIRST = (Face.FLAT, Face.CONVEX, Face.FLAT, Face.TWISTED, Face.CONVEX)
"""16 points: more may be thrown."""

LOOKS = 8
"""Frames after which whatever lies still has been read."""


@pytest.fixture(scope="module")
def reader():
    return BoneReader()


class Bench:
    """Ann, Bess and Cecil, who holds the bank, before a drawn table and the real eyes."""

    def __init__(self, journal, reader, seed=11):
        company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
        self.session = Session.begin(journal, HandClock(), "knucklebones", company, dealer=2)
        self.table = BonesTable(MatLayout(3, "A2"), seed=seed)
        eyes = SyncReadingSource(SimulatedCamera(self.table), MotionGate(BonesOnMat(reader)))
        self.app = TableController(self.session, eyes, [], HandClock())
        self.doubts = 0

    def look(self):
        """Let what moves come to rest and be read; who is asked how a bone lies looks there."""
        while self.table.is_moving:
            self.app.step()
        for _ in range(LOOKS):
            self.app.step()
        while (question := self.app.question) is not None and question.kind == "face":
            self.doubts += 1
            assert self.doubts < 20
            lying = min(self.table.bones, key=lambda b: math.dist((b.x_mm, b.y_mm), question.place))
            for press in answer_from_table(question, (lying.face,)):
                self.app.press(press)
        return self

    def throw(self, *faces):
        self.table.throw(0, len(faces), faces=faces)
        return self.look()

    def lift(self):
        self.table.lift(0)
        return self.look()

    def choose(self, number):
        assert self.app.question is None, "the number is seen or said, not asked"
        for _ in range(number):
            self.app.press(Press(Button.RIGHT, 0.0))
        self.app.press(Press(Button.HAVE if number else Button.STICK, 0.0))
        return self

    @property
    def throws(self):
        """Ann's throws: for each, how often each number of points fell."""
        return [Counter(throw) for throw in self.session.view.seat(0).throws]


@pytest.fixture
def bench(tmp_path, reader):
    with Journal(tmp_path / "journal.sqlite3") as journal:
        yield Bench(journal, reader).look()


def points(*faces):
    return Counter(face.points for face in faces)


@pytest.mark.parametrize("lifted", [False, True], ids=["left lying", "lifted"])
def test_the_second_throw_is_kept_apart_from_the_first(bench, lifted):
    bench.throw(*FIRST)
    assert bench.throws == [points(*FIRST)]
    bench.choose(2)
    if lifted:
        bench.lift()
        assert bench.throws == [points(*FIRST)]
    bench.throw(Face.CONVEX, Face.CONCAVE)
    assert bench.throws == [points(*FIRST), points(Face.CONVEX, Face.CONCAVE)]
    assert bench.session.view.seat(0).total == 16 + 7
    assert bench.session.view.turn == 1
    assert bench.doubts <= 2


def test_a_bone_bumped_after_the_reading_keeps_its_points(bench):
    bench.throw(*FIRST)
    index = next(n for n, bone in enumerate(bench.table.bones) if bone.face is Face.CONVEX)
    before = bench.table.bones[index]
    bench.table.bump(index, by=1, face=Face.CONCAVE)
    bench.look()
    after = bench.table.bones[index]
    assert math.dist((before.x_mm, before.y_mm), (after.x_mm, after.y_mm)) > 3
    assert bench.app.question is None
    assert bench.throws == [points(*FIRST)], "a bone that was bumped keeps its points"


def test_a_bone_pushed_aside_without_turning_stops_nobody(bench):
    bench.throw(*FIRST)
    bench.table.bump(0, by=1)
    bench.look()
    bench.choose(1)
    assert len(bench.throws) == 1, "the bone that was pushed is not thrown again"
    bench.throw(Face.CONCAVE)
    assert bench.throws == [points(*FIRST), points(Face.CONCAVE)]


@pytest.mark.parametrize("counts", [True, False], ids=["counts", "thrown again"])
def test_a_bone_beside_the_mat_is_asked_about(bench, counts):
    wide, _ = bench.table.layout.size_mm
    bench.table.throw(0, 4, faces=FIRST[:4])
    bench.look()
    assert bench.throws == []
    set_down(bench.table, 0, (wide + 30.0, 200.0), Face.CONCAVE, 40.0)
    bench.look()
    question = bench.app.question
    assert question is not None
    assert question.kind == "offmat"
    assert question.place[0] > wide
    bench.app.clock.wait(1.0)  # it is read before it is answered
    bench.app.press(Press(Button.HAVE if counts else Button.STICK, 0.0))
    if counts:
        bench.look()
        assert bench.throws == [points(*FIRST[:4], Face.CONCAVE)]
    else:
        assert bench.throws == []
        assert "off the mat" in bench.app.prompt_text.title

"""Throws counted on the virtual table, at a person's pace and at double pace, and how fast.

python benchmarks/counting.py --throws 500

Five bones are thrown and gathered again and again, with the real eyes on the drawn table and a
camera of ten frames a second. Now and then a bone is pushed, or one that stands on its end is set
upright. Then it is timed how long after bones come to rest their number is on the screen
("Counting", docs/why/performance.md).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from device.croupier.counting.bones import BoneCounter
from device.simulator.bone_table import BonesTable
from device.simulator.table import TableFullError
from vision import MotionGate
from vision.bones.on_table import BonesOnMat
from vision.mat.pose import MatLayout

HEADING = "## Counting"
SIZE = (1280, 960)
FRAME_S = 0.1
"""Seconds between the frames of the camera."""

LIES_S, IN_HAND_S = (1.2, 2.5), (0.3, 1.2)
"""How long bones lie, and are held in the hand, at a person's pace."""

PUSHED, PUSH_MM = 0.05, 12.0
"""Share of the throws after which a bone is pushed, and how far."""

MOST_WRONG = 22.2e-3
"""The upper bound of wrong faces on the dev scenes (docs/why/accuracy.md)."""

BAR_MS = 400.0
"""From rest to the number on the screen, in the middle."""


@dataclass(slots=True)
class Tally:
    """What was thrown, and what was counted."""

    throws: int = 0
    missed: int = 0
    twice: int = 0
    pushes: int = 0
    bones: int = 0
    read: int = 0
    wrong: int = 0


class Thrower:
    """Throws five bones on a drawn table, *pace* times as fast as a person."""

    def __init__(self, reader: BonesOnMat, pace: float, seed: int) -> None:
        """Stand at a bare table, whose wood and light *seed* chooses."""
        self._table = BonesTable(MatLayout(4, "A2"), seed=seed, size=SIZE)
        self._gate, self._counter = MotionGate(reader), BoneCounter()
        self._rng, self._pace = random.Random(f"{seed}-{pace}"), pace
        self._time_s = self._drawn_s = 0.0
        self._wait(1.0)

    def throw(self, tally: Tally) -> None:
        """Throw five bones, push one now and then, gather them, and hold what was counted to it."""
        before = len(self._counter.throws)
        faces = self._table.throw(0, 5)
        self._move()
        self._wait(self._rng.uniform(*LIES_S) / self._pace)
        if self._rng.random() < PUSHED and self._push():
            tally.pushes += 1
            self._wait(self._rng.uniform(*LIES_S) / self._pace)
        self._table.lift(0)
        self._move()
        self._wait(self._rng.uniform(*IN_HAND_S) / self._pace)
        new = self._counter.throws[before:]
        tally.throws += 1
        tally.missed += not new
        tally.twice += max(0, len(new) - 1)
        true = [face for face in faces if face is not None]
        found = [item.what for throw in new for item in throw.items]
        tally.bones += len(true)
        tally.read += len(found)
        # Faces that are not in the truth are wrong, whatever bone showed them.
        left = list(true)
        for face in found:
            if face in left:
                left.remove(face)
            else:
                tally.wrong += 1

    def _push(self) -> bool:
        index = self._rng.randrange(5)
        try:
            self._table.bump(index, 1, spread_mm=PUSH_MM)
        except TableFullError:
            return False
        self._move()
        return True

    def _move(self) -> None:
        while self._table.is_moving:
            self._frame()

    def _wait(self, seconds: float) -> None:
        end_s = self._time_s + seconds
        while self._time_s < end_s:
            self._frame()

    def _frame(self) -> None:
        """Take a frame; the table's own movement goes on *pace* times as fast."""
        image = self._table.frame()
        self._drawn_s += FRAME_S / self._pace
        if self._drawn_s + 1e-9 < self._time_s + FRAME_S and self._table.is_moving:
            return  # the camera was not ready for this one
        self._time_s = max(self._time_s + FRAME_S, self._drawn_s)
        self._drawn_s = self._time_s
        reading = self._gate.see(image, self._time_s)
        if reading is not None:
            self._counter.see(reading)

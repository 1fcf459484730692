"""Throws counted on the virtual table, at a person's pace and at double pace, and how fast.

python benchmarks/counting.py --throws 500

Five bones are thrown and gathered again and again, with the real eyes on the drawn table and a
camera of ten frames a second. Now and then a bone is pushed. Then it is timed how long after bones
come to rest their number is on the screen ("Counting", docs/why/performance.md).
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import tempfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import cv2
import numpy as np

from benchmarks.pace import HandedEyes, PacedEyes
from benchmarks.page import write_section
from device.booth.counting import CountLoop
from device.booth.preferences import default_setup
from device.booth.presentation import Presentation
from device.booth.scenes.base import Context
from device.clock import SystemClock
from device.config.model import Config
from device.croupier.counting.bones import BoneCounter
from device.croupier.counting.counter import Kind
from device.runtime.counting import Counting
from device.simulator.bone_table import BonesTable
from device.simulator.table import TableFullError
from display import Window
from engine.games.knucklebones.fairness import wilson
from vision import BoneReader, MotionGate
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

RATES = (10, 30)
"""Frames a second: of the demo's camera, and of a real one."""

STILL = 30
"""Frames at rest after which a throw that is not counted is given up."""

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


def counted(pace: float, throws: int, each: int = 25) -> Tally:
    """Return what *throws* came to, on a new table after every *each*."""
    reader, tally = BonesOnMat(BoneReader()), Tally()
    for seed in range(1, -(-throws // each) + 1):
        thrower = Thrower(reader, pace, seed)
        for _ in range(min(each, throws - tally.throws)):
            thrower.throw(tally)
    return tally


def latencies(rate: int, throws: int) -> list[float]:
    """Return seconds from rest to the number on the screen, at *rate* frames a second."""
    table = BonesTable(MatLayout(4, "A2"), seed=rate, size=SIZE)
    eyes, found = HandedEyes(), []
    with tempfile.TemporaryDirectory() as folder, Window((800, 480), headless=True) as window:
        config, clock = Config(), SystemClock()
        shown = Presentation(config, Path(folder), window)
        context = Context(shown.preferences, default_setup(config), 0)
        counting = Counting(Kind.BONES, Path(folder) / "counts.jsonl", clock)
        loop = CountLoop(eyes, (), clock, shown, context, counting)
        paced = PacedEyes(table, MotionGate(BonesOnMat(BoneReader())), eyes, loop.step, rate)
        for _ in range(throws):
            before = len(counting.counter.throws)
            table.throw(0, 5)
            rest_s = paced.rest()
            look = next((look for look in (paced.look() for _ in range(STILL)) if look.read), None)
            if look is not None and len(counting.counter.throws) > before:
                found.append(look.done_s - rest_s)
            table.lift(0)
            paced.rest()
            for _ in range(STILL // 3):
                paced.look()
        shown.close()
    return found


def report(throws: int, timed: int) -> str:
    """Count and measure, and return the section of the page."""
    lines = [
        HEADING,
        "",
        f"Measured by `python benchmarks/counting.py`, {throws} throws at each pace, on "
        f"{date.today().isoformat()}: one thread of a {platform.machine()} machine. Five bones are "
        f"thrown and gathered on the virtual table, {SIZE[0]}x{SIZE[1]}, before a camera of "
        f"{1 / FRAME_S:.0f} frames a second: they lie {LIES_S[0]} to {LIES_S[1]} s and are in the "
        f"hand {IN_HAND_S[0]} to {IN_HAND_S[1]} s, at double pace half of that. After one throw of "
        f"{round(1 / PUSHED)} a bone is pushed. The bars: no throw missed or counted twice, at "
        f"most {1000 * MOST_WRONG:.1f} of 1,000 faces wrong.",
        "",
        "| pace | throws | pushes | missed | twice | bones | read | wrong | at most (95 %) |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, pace in (("a person's", 1.0), ("double", 2.0)):
        got = counted(pace, throws)
        most = wilson(got.wrong, got.read)[1]
        lines.append(
            f"| {name} | {got.throws} | {got.pushes} | {got.missed} | {got.twice} | {got.bones} "
            f"| {got.read} | {got.wrong} | {1000 * most:.1f} in 1,000 |"
        )
    lines += [
        "",
        f"From the rest of five bones to their number on the counting screen; the bar is "
        f"{BAR_MS:.0f} ms in the middle.",
        "",
        "| frames a second | throws | median ms | 99th of 100 ms |",
        "|---|---:|---:|---:|",
    ]
    for rate in RATES:
        seconds = latencies(rate, timed)
        median, late = statistics.median(seconds), float(np.percentile(seconds, 99))
        lines.append(f"| {rate} | {len(seconds)} | {1000 * median:.0f} | {1000 * late:.0f} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=500, help="at each pace")
    parser.add_argument("--timed", type=int, default=40, help="at each rate of the camera")
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    section = report(args.throws, args.timed)
    print(section)
    if not args.dry:
        write_section(section)


if __name__ == "__main__":
    main()

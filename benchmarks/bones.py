"""``make bench``: time until thrown bones are on the screen ("Bones", docs/why/performance.md).

python benchmarks/bones.py --throws 40

Bones are thrown on the virtual table, and a camera looks on at its own pace (``pace.py`` says how
time is counted). Bones come to rest right after the last frame that shows them moving: the worst
moment there is.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import cv2
import numpy as np

from benchmarks.pace import HandedEyes, PacedEyes
from benchmarks.page import write_section
from device.clock import SystemClock
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.bone_table import BonesTable
from device.storage.journal.journal import Journal
from display import Window
from engine import Player
from engine.core.bones import Face
from engine.core.events import Choose, NextHand
from engine.core.views import Phase
from vision import BoneReader, MotionGate
from vision.bones.on_table import BonesOnMat
from vision.inference import Network
from vision.mat.pose import MatLayout, find_mat

HEADING = "## Bones"
SIZE = (1280, 960)
SIZES = (SIZE, (1600, 1200), (2304, 1296))
RATES = (10, 30)
"""Frames a second: of the demo's camera, and of a real one."""

BAR_MS, BAR_S = 80.0, 1.0
"""Ten bones are read within the first, and on the screen within the second."""

STILL = 30
"""Frames at rest after which a throw that nothing was said of is given up."""

MODEST = (Face.FLAT, Face.CONCAVE, Face.FLAT, Face.CONCAVE, Face.FLAT)
"""A first throw of 9, after which five more bones may be thrown."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One throw: seconds from rest to the screen, and whether it was counted or asked about."""

    seconds: float
    asked: bool


def table_of(bones: int, size: tuple[int, int], seed: int) -> BonesTable:
    """Return a table on which so many bones lie."""
    table = BonesTable(MatLayout(4, "A2"), seed=seed, size=size)
    table.throw(0, bones)
    while table.is_moving:
        table.frame()
    return table


def reading_ms(size: tuple[int, int], tables: int = 6) -> tuple[list[float], list[float]]:
    """Return milliseconds of the processor for reading ten bones, and for the whole picture."""
    bones = BoneReader()
    whole = BonesOnMat(bones)
    alone, all_ = [], []
    for seed in range(tables + 1):
        image = table_of(10, size, seed).frame()
        mat = find_mat(image)
        assert mat is not None, "the virtual mat must be found; look at its frame"
        scale = mat.px_per_mm
        one = _ms(lambda i=image, s=scale: bones.read(i, s))
        other = _ms(lambda i=image: whole.read(i))
        if seed:  # the first one warms up
            alone.append(one)
            all_.append(other)
    return alone, all_


class Bench:
    """One table, its eyes, its game and its screen."""

    def __init__(self, journal: Journal, window: Window, rate: int, seed: int) -> None:
        """Sit three people down to a camera of *rate* frames a second."""
        company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
        clock = SystemClock()
        self.session = Session.begin(journal, clock, "knucklebones", company, dealer=2)
        self.table = BonesTable(MatLayout(3, "A2"), seed=seed, size=SIZE)
        eyes = HandedEyes()
        self.app = TableController(self.session, eyes, [], clock, screen=window)
        watch = MotionGate(BonesOnMat(BoneReader()))
        self.eyes = PacedEyes(self.table, watch, eyes, self.app.step, rate)

    def throw(self, count: int, faces: Sequence[Face] | None = None) -> Seen:
        """Throw, and wait until the throw is counted on the screen or asked about."""
        seat = self.session.view.turn
        assert seat is not None
        before = len(self.session.view.seat(seat).throws)
        self.table.throw(seat, count, faces=faces)
        rest_s = self.eyes.rest()
        for _ in range(STILL):
            look = self.eyes.look()
            view = self.session.view
            if look.read and len(view.seat(seat).throws) > before:
                return Seen(look.done_s - rest_s, False)
            if look.read and (self.app.question is not None or self.app.prompt_text.detail):
                return Seen(look.done_s - rest_s, True)
        raise RuntimeError(f"{count} bones lie still and nothing is said of them; try another seed")

    def clear(self) -> None:
        """Take the bones up and go on with the next player or round, whatever was seen."""
        if self.table.bones:
            self.table.lift(0)
        self.eyes.rest()
        for _ in range(4):
            self.eyes.look()


def latencies(rate: int, throws: int) -> tuple[list[Seen], list[Seen]]:
    """Return what five bones took, and five more beside them, each *throws* times."""
    first, more = [], []
    with tempfile.TemporaryDirectory() as folder, Window((800, 480), headless=True) as window:
        for number in range(throws):
            path = Path(folder) / f"{number}.sqlite3"
            with Journal(path) as journal:
                bench = Bench(journal, window, rate, seed=100 * rate + number)
                bench.clear()
                first.append(bench.throw(5, MODEST if number % 2 else None))
                view = bench.session.view
                if first[-1].asked or view.phase is not Phase.PLAY or view.stage != "choose":
                    continue
                bench.session.apply(Choose(0, 5))
                bench.app.step()
                more.append(bench.throw(5))
                if bench.session.view.phase is Phase.DONE:
                    bench.session.apply(NextHand())
    return first, more


def report(throws: int) -> str:
    """Measure, and return the section of the page."""
    lines = [
        HEADING,
        "",
        f"Measured by `make bench` on {date.today().isoformat()}: one thread of a "
        f"{platform.machine()} machine, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}, networks run by {Network('bones-faces.onnx').runtime}. "
        f"Processor time; the bar is {BAR_MS:.0f} ms for ten bones.",
        "",
        "| ten bones on the mat | median ms | worst ms |",
        "|---|---:|---:|",
    ]
    for size in SIZES:
        alone, whole = reading_ms(size)
        for what, times in (
            ("the bones", alone),
            ("with finding the mat", whole),
        ):
            lines.append(
                f"| {what}, {size[0]}x{size[1]} | {statistics.median(times):.0f} "
                f"| {max(times):.0f} |"
            )
    lines += [
        "",
        "From the moment at which bones come to rest on the virtual table to their total on the "
        f"screen (or the question, where one is unsure), {SIZE[0]}x{SIZE[1]}; the bar is "
        f"{BAR_S:.0f} s. {throws} throws at each rate of the camera; bones come to rest right "
        "after a frame, the worst moment.",
        "",
        "| what is thrown | throws | asked | median s | 99th of 100 s |",
        "|---|---:|---:|---:|---:|",
    ]
    for rate in RATES:
        first, more = latencies(rate, throws)
        for what, seen in (("five bones", first), ("five more beside them", more)):
            seconds = [each.seconds for each in seen]
            lines.append(
                f"| {what}, {rate} frames a second | {len(seen)} "
                f"| {sum(each.asked for each in seen)} | {statistics.median(seconds):.2f} "
                f"| {float(np.percentile(seconds, 99)):.2f} |"
            )
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=100)
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    section = report(args.throws)
    print(section)
    if not args.dry:
        write_section(section)


def _ms(work: object) -> float:
    """Milliseconds of processor time of *work*, the median of three."""
    assert callable(work)
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    main()

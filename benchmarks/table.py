"""``make bench``: how fast the table is on one core here; writes docs/why/performance.md.

python benchmarks/table.py
"""

from __future__ import annotations

import itertools
import os
import platform
import resource
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pygame

from benchmarks.page import write_head
from device.clock import SystemClock
from device.runtime.session import Session
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from display import TableScreen
from engine import TABLE, Deal, Player, deck, new_table, view
from engine.core.events import Facing
from vision import MotionGate, TableReader, table_reader
from vision.cards.classifier import FaceClassifier, IndexClassifier
from vision.cards.detector import CardDetector
from vision.cards.geometry import frames_of
from vision.inference import Network
from vision.mat import segmentation
from vision.mat.pose import MatLayout, find_mat
from vision.mat.segmentation import FrameAnalysis, find_on_mat

SIZES = ((1280, 960), (2304, 1296))
COUNTS = (1, 8, 24, 48)
RUNS = 7
SEAT = (300, 300, 364, 390)
"""A card's place on the mat, in millimetres."""


def median_ms(
    work: Callable[[], object], runs: int = 9, clock: Callable[[], float] = time.process_time
) -> float:
    """Median milliseconds of *work* over *runs*, after one run that does not count.

    The eyes are timed by what they take of the processor: on a machine with other work to do that
    is what a quiet one would take, but for what neighbours take of its caches.
    """
    work()
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append((clock() - began) * 1000)
    return statistics.median(times)


def laid(cards: int, size: tuple[int, int], less: int = 0, down: int = 0) -> np.ndarray:
    """A picture of a table of eight with so many cards, *less* the last of them.

    Every *down*-th of them lies face down; by default none.
    """
    table = SimulatedTable(MatLayout(8, "A1"), style="modern", seed=5, size=size)
    pack = (*deck()[::2], *deck()[1::2])
    for number, card in enumerate(pack[: cards - less]):
        table.lay(number % 8, card, face_up=not down or number % down != down - 1)
    while table.is_moving:
        table.frame()
    return table.frame()


class Stages:
    """Takes the time of each stage of a reading, from without: what is no network's is to fuse."""

    NAMES = ("find", "straighten", "read", "fuse")

    def __init__(self, reader: TableReader) -> None:
        """Put a clock to the stages of *reader*."""
        self.times: Counter[str] = Counter()
        self.reader = reader
        looker = reader._pipeline
        for part, name, stage in (
            (looker._detector, "find", "find"),
            (looker._faces, "straightened", "straighten"),
            (looker._faces, "read", "read"),
            (looker._indices, "read", "read"),
            (segmentation, "find_on_mat", "find"),
            (table_reader, "find_mat", "find"),
        ):
            setattr(part, name, self._timed(getattr(part, name), stage))

    def _timed(self, work: Callable[..., object], stage: str) -> Callable[..., object]:
        def timed(*args: object, **how: object) -> object:
            began = time.process_time()
            try:
                return work(*args, **how)
            finally:
                self.times[stage] += time.process_time() - began

        return timed

    def measure(self, image: np.ndarray, runs: int) -> list[float]:
        """Median milliseconds of each of :attr:`NAMES`, and of the whole."""
        self.reader.read(image)
        rows = []
        for _ in range(runs):
            self.times.clear()
            began = time.process_time()
            self.reader.read(image)
            whole = time.process_time() - began
            parts = [self.times[name] for name in self.NAMES[:-1]]
            rows.append([*parts, whole - sum(parts), whole])
        return [statistics.median(column) * 1000 for column in zip(*rows, strict=True)]


def readings() -> list[str]:
    """A table of each stage of reading so many cards."""
    lines = [
        "| on the table | find | straighten | read | fuse | whole |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    plain, staged = (
        (TableReader(), segmentation.find_on_mat, table_reader.find_mat),
        TableReader(),
    )
    stages = Stages(staged)
    for size in SIZES:
        for count, down in (*((count, 0) for count in COUNTS), (24, 3)):
            times = stages.measure(laid(count, size, down=down), RUNS)
            what = f"{count} card{'s' if count > 1 else ''}"
            what += f", every {down}rd face down" if down else ""
            cells = " | ".join(f"{ms:.1f}" for ms in times)
            lines.append(f"| {what}, {size[0]}x{size[1]} | {cells} |")
    segmentation.find_on_mat, table_reader.find_mat = plain[1:]
    return lines


def watching() -> list[tuple[str, float]]:
    """What a frame costs when little or nothing has changed."""
    rows = []
    for size in SIZES:
        name = f"{size[0]}x{size[1]}"
        reader = TableReader()
        image, before = laid(24, size), laid(24, size, less=1)
        both = itertools.cycle((before, image))
        reader.follow(FrameAnalysis(image))
        one = median_ms(lambda b=both, r=reader: r.follow(FrameAnalysis(next(b))), 2 * RUNS)
        rows.append((f"one card laid or taken of 24, {name}", one))
        watch = MotionGate(reader)
        for number in range(8):
            watch.see(image, number * 0.1)
        unchanged = median_ms(lambda w=watch, i=image: w.see(i, 9.0), 2 * RUNS)
        rows.append((f"unchanged frame, {name}", unchanged))
    return rows


def stages_alone() -> list[tuple[str, float]]:
    """Each stage of seeing by itself, on a table of eight cards."""
    rows = []
    finder, cards, corners = CardDetector(), FaceClassifier(), IndexClassifier()
    for size in SIZES:
        name = f"{size[0]}x{size[1]}"
        image = laid(8, size)
        pose = find_mat(image)
        assert pose is not None
        quads = list(find_on_mat(image, pose).cards)
        frames = [frame for quad in quads for frame in frames_of(quad)]
        for what, work in (
            ("find the mat", lambda i=image: find_mat(i)),
            ("find cards on the mat", lambda i=image, p=pose: find_on_mat(i, p)),
            ("the same where one seat changed", lambda i=image, p=pose: find_on_mat(i, p, [SEAT])),
            ("find cards by the network", lambda i=image: finder.find(i)),
            (f"straighten {len(quads)} cards", lambda i=image, q=quads: cards.straightened(i, q)),
            (f"read {len(quads)} faces", lambda i=image, q=quads: cards.read(i, q)),
            (f"read {len(frames)} indices", lambda i=image, f=frames: corners.read(i, f)),
        ):
            rows.append((f"{what}, {name}", median_ms(work, RUNS)))
    return rows


def house() -> list[tuple[str, float]]:
    """The journal and the screen."""
    rows = []
    players = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil", "Doll"))]
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.sqlite3")
        session = Session.begin(journal, SystemClock(), "one-and-thirty", players, dealer=0)
        seats = [1, 2, 3, 0] * 3
        times = []
        for seat in seats:
            began = time.perf_counter()
            session.apply(Deal(seat, None, Facing.DOWN))
            times.append((time.perf_counter() - began) * 1000)
        rows.append(("an event: rules, disk, state", statistics.median(times)))
        journal.close()
    pygame.init()
    for size in ((800, 480), (1920, 1080)):
        surface, screen = pygame.Surface(size), TableScreen(size)
        state = new_table("bone-ace", players, dealer=0)
        seen = view(state, TABLE)
        drawn = median_ms(
            lambda s=screen, on=surface, v=seen: s.draw(on, v), clock=time.perf_counter
        )
        rows.append((f"draw the screen, {size[0]}x{size[1]}", drawn))
    return rows


def main() -> None:
    """Measure and write the page."""
    cv2.setNumThreads(1)
    frames = [np.zeros((high, wide, 3), np.uint8) for wide, high in SIZES]
    reader = TableReader()
    for frame in frames:
        reader.read(frame)
    start = resident_mb()
    for size in SIZES:
        reader.read(laid(48, size))
    table = resident_mb()
    runtime = Network("reader.onnx").runtime
    lines = [
        "# How fast the table is",
        "",
        f"Measured by `make bench` on {date.today().isoformat()}: one thread of a "
        f"{platform.machine()} machine, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}, networks run by {runtime}. Medians, in milliseconds of "
        "processor time, not of the clock, since other programs ran on that machine "
        f"({os.getloadavg()[0]:.0f} at a time on {os.cpu_count()} cores). They share its caches, "
        "so a quiet machine is faster.",
        "",
        "Bars: 24 cards at 2304x1296 in 80 ms, one changed seat in 25, an unchanged frame in 3.",
        "",
        *readings(),
        "",
        "*Find*: the mat, what lies on it, and the finder network where cards overlap. "
        "*Straighten*: outlines that the network found. *Read*: faces and indices, with cutting "
        "them out. *Fuse*: what they say together, and where it lies.",
        "",
        "| what | ms |",
        "|---|---:|",
        *(f"| {name} | {ms:.1f} |" for name, ms in watching() + stages_alone() + house()),
        "",
        f"Memory: {start:.0f} MB with the networks loaded and an empty picture of each size read, "
        f"{table:.0f} MB after 48 cards at both sizes (the drawn table among them).",
        "",
    ]
    write_head("\n".join(lines))
    print("\n".join(lines))


def resident_mb() -> float:
    """Megabytes of memory that this process holds, at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()

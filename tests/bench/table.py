"""``make bench``: how fast the table is on one core here; writes docs/performance.md.

python tests/bench/table.py
"""

from __future__ import annotations

import itertools
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pygame

from device.clock import SystemClock
from device.journal import Journal
from device.session import Session
from device.virtual import VirtualTable
from display import TableScreen
from engine import TABLE, Deal, Player, deck, new_table, view
from engine.events import Facing
from vision import TableReader, TableWatch
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.corner_geometry import frames_of
from vision.corner_reader import CornerReader
from vision.mat import MatLayout, find_mat
from vision.mat_finder import find_on_mat

OUT = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
SIZES = ((1280, 960), (2304, 1296))
COUNTS = (1, 8, 24)


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


def laid(cards: int, size: tuple[int, int], less: int = 0) -> np.ndarray:
    """A picture of a table of eight with so many cards face up, *less* the last of them."""
    table = VirtualTable(MatLayout(8, "A1"), style="modern", seed=5, size=size)
    for number, card in enumerate(deck()[::2][: cards - less]):
        table.lay(number % 8, card, face_up=True)
        while table.is_moving:
            table.frame()
    return table.frame()


def eyes() -> list[tuple[str, float]]:
    """Each stage of seeing, alone and together."""
    rows = []
    finder, cards, corners, reader = CardFinder(), CardReader(), CornerReader(), TableReader()
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
            ("find cards by the network", lambda i=image: finder.find(i)),
            (f"straighten {len(quads)} cards", lambda i=image, q=quads: cards.straightened(i, q)),
            (f"read {len(quads)} faces", lambda i=image, q=quads: cards.read(i, q)),
            (f"read {len(frames)} indices", lambda i=image, f=frames: corners.read(i, f)),
        ):
            rows.append((f"{what}, {name}", median_ms(work)))
        for count in COUNTS:
            image = laid(count, size)
            whole = median_ms(lambda i=image: reader.read(i), 5)
            rows.append((f"whole reading, {count} cards, {name}", whole))
        before = laid(COUNTS[-1], size, less=1)
        both = itertools.cycle((before, image))
        reader.follow(image)
        one = median_ms(lambda b=both: reader.follow(next(b)), 8)
        rows.append((f"one card laid or taken of {COUNTS[-1]}, {name}", one))
        watch = TableWatch(reader)
        for number in range(8):
            watch.see(image, number * 0.1)
        unchanged = median_ms(lambda w=watch, i=image: w.see(i, 9.0))
        rows.append((f"unchanged frame, {name}", unchanged))
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
    rows = eyes() + house()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = [
        "# How fast the table is",
        "",
        f"Measured by `make bench` on {date.today().isoformat()}: one thread of a "
        f"{platform.machine()} machine, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}. Medians, in milliseconds; of the eyes, of processor time.",
        "",
        "| what | ms |",
        "|---|---:|",
        *(f"| {name} | {ms:.1f} |" for name, ms in rows),
        "",
        f"Largest memory of the whole run: {memory:.0f} MB.",
        "",
    ]
    OUT.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()

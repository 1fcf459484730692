"""``make bench``: how fast the table is on one core here; writes docs/performance.md.

python tests/bench/table.py
"""

from __future__ import annotations

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
from vision.card_geometry import READ, straighten
from vision.card_reader import CardReader
from vision.finder import CardFinder
from vision.mat import MatLayout, find_mat

OUT = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
SIZES = ((1280, 960), (2304, 1296))
COUNTS = (1, 8, 24)


def median_ms(work: Callable[[], object], runs: int = 9) -> float:
    """Median milliseconds of *work* over *runs*, after one run that does not count."""
    work()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def laid(cards: int, size: tuple[int, int]) -> np.ndarray:
    """A picture of a table of eight with so many cards face up."""
    table = VirtualTable(MatLayout(8, "A1"), style="modern", seed=5, size=size)
    for number, card in enumerate(deck()[::2][:cards]):
        table.lay(number % 8, card, face_up=True)
        while table.is_moving:
            table.frame()
    return table.frame()


def eyes() -> list[tuple[str, float]]:
    """Each stage of seeing, alone and together."""
    rows = []
    finder, cards, reader = CardFinder(), CardReader(), TableReader()
    for size in SIZES:
        name = f"{size[0]}x{size[1]}"
        image = laid(8, size)
        quad = finder.find(image)[0].quad
        rows.append((f"find the mat, {name}", median_ms(lambda i=image: find_mat(i))))
        rows.append((f"find the cards, {name}", median_ms(lambda i=image: finder.find(i))))
        rows.append(
            (
                f"straighten one card, {name}",
                median_ms(lambda i=image, q=quad: straighten(i, q, READ)),
            )
        )
        rows.append((f"read one card, {name}", median_ms(lambda i=image, q=quad: cards.look(i, q))))
        for count in COUNTS:
            image = laid(count, size)
            rows.append(
                (
                    f"whole reading, {count} cards, {name}",
                    median_ms(lambda i=image: reader.read(i), 5),
                )
            )
        watch = TableWatch(reader)
        for number in range(4):
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
        drawn = median_ms(lambda s=screen, on=surface, v=seen: s.draw(on, v))
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
        f"OpenCV {cv2.__version__}. Medians, in milliseconds.",
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

"""``make bench``: from the table to the screen; writes "From the table to the screen".

python tests/bench/chain.py [--hands 6] [--dry]

Four people of software play One-and-Thirty on the virtual table. Whatever they lay, turn up or
take away, somebody wants to see what came of it: the time from the moment at which nothing on the
table moves any more (the arm has gone, right after the last frame that still shows it) until the
screen shows the card, or the total, or the question. ``pace.py`` says how time is counted.

Then the program itself is started as systemd does it, with a camera that gives a drawn table at
its own pace: how long until it says it is ready, what memory it holds, what an idle one takes.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from pace import HandedEyes, Look, PacedEyes

from device.app import App
from device.clock import SystemClock
from device.journal import Journal
from device.session import Session
from device.virtual import VirtualPeople, VirtualTable
from display import Window
from engine import Player
from engine.views import Phase, View
from vision import TableReader, TableWatch
from vision.mat import MatLayout

HEADING = "## From the table to the screen"
SIZES = ((2304, 1296), (1280, 960))
FPS = 30
NAMES = ("Ann", "Bess", "Cecil", "Doll")
BAR_MS = 300.0
PATIENCE = 40
"""Frames at rest after which whatever was done has come to nothing."""


@dataclass(frozen=True, slots=True)
class Chain:
    """One thing done at the table, and what it took, in milliseconds.

    Attributes:
        whole: from rest to the screen.
        wait: from rest to the frame that shows that all is still: the camera's pace, mostly.
        eyes: what the eyes took for the frames from there on.
        loop: until the loop looks for readings, at most.
        step: rules, journal, and drawing the screen.
    """

    whole: float
    wait: float
    eyes: float
    loop: float
    step: float

    @classmethod
    def of(cls, rest_s: float, look: Look) -> Chain:
        """Measure from *rest_s* to what *look* brought to the screen."""
        whole = look.done_s - rest_s
        wait = look.taken_s - rest_s
        late = look.done_s - look.taken_s - look.eyes_s - look.step_s
        return cls(*(each * 1000 for each in (whole, wait, look.eyes_s, late, look.step_s)))


Shown = dict[int, tuple[int, int | None]]
"""How many cards each seat's plate shows, and which total."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was done at the table, by what came of it.

    Attributes:
        chains: what each took.
        silent: how often nothing came of it: an arm that came and went.
    """

    chains: dict[str, list[Chain]]
    silent: int


def shown(view: View) -> Shown:
    """Return how many cards and which total each seat's plate shows."""
    return {seat.seat: (len(seat.cards), seat.total) for seat in view.seats}


def play(size: tuple[int, int], hands: int, seed: int) -> Played:
    """Play, and measure everything that is done at the table."""
    chains: dict[str, list[Chain]] = defaultdict(list)
    silent = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "j.sqlite3") as journal,
        Window((1920, 1080), headless=True) as window,
    ):
        company = [Player(seat, name) for seat, name in enumerate(NAMES)]
        clock = SystemClock()
        session = Session.begin(journal, clock, "one-and-thirty", company)
        table = VirtualTable(MatLayout(4, "A1"), seed=seed, size=size)
        people = VirtualPeople(table, seed, NAMES, ("cautious", "bold", "exact", "bold"))
        handed = HandedEyes()
        app = App(session, handed, [], clock, screen=window)
        watch = TableWatch(TableReader())
        eyes = PacedEyes(table, watch, handed, app.step, FPS)
        for _ in range(10):
            eyes.look()
        while session.view.hand_number <= hands and not (
            session.view.phase is Phase.DONE and session.view.hand_number == hands
        ):
            if app.question is not None:
                for press in people.answer(app.question):
                    app.press(press)
                app.step()
                continue
            before, asked = shown(session.view), app.asked
            for press in people.act(session.view):
                app.press(press)
            app.step()
            if not table.is_moving:
                continue
            rest_s = eyes.rest()
            look = next((look for look in _looks(eyes) if look.read), None)
            if look is None:
                silent += 1
                continue
            what = _what(before, shown(session.view), app.asked > asked)
            chains[what].append(Chain.of(rest_s, look))
    return Played(chains, silent)


def _looks(eyes: PacedEyes) -> Iterator[Look]:
    for _ in range(PATIENCE):
        yield eyes.look()


def _what(before: Shown, after: Shown, asked: bool) -> str:
    """Say what the screen shows that it did not show before."""
    if asked:
        return "a question"
    seats = [seat for seat in after if after[seat] != before.get(seat)]
    if any(after[seat][1] is not None for seat in seats):
        return "a hand turned up, its total"
    if seats:
        return "a card dealt, its back or face"
    return "a card cut, or cards taken up"


def table_rows(played: Mapping[str, Sequence[Chain]]) -> list[str]:
    """Return a row for each kind of thing done, and one for all."""
    lines = [
        "| what came on the screen | times | median ms | 99th of 100 | wait | eyes | loop | step |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    every = [chain for chains in played.values() for chain in chains]
    for what, chains in (*sorted(played.items()), ("all", every)):
        wholes = [chain.whole for chain in chains]
        parts = [
            statistics.median(getattr(chain, part) for chain in chains)
            for part in ("wait", "eyes", "loop", "step")
        ]
        lines.append(
            f"| {what} | {len(chains)} | {statistics.median(wholes):.0f} "
            f"| {float(np.percentile(wholes, 99)):.0f} | "
            + " | ".join(f"{part:.0f}" for part in parts)
            + " |"
        )
    return lines


def main() -> int:
    """Measure and write; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=6, help="played at each size of the picture")
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for size in SIZES:
        played = play(size, args.hands, seed=3)
        print(size, played.silent)
        print("\n".join(table_rows(played.chains)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

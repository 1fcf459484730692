"""``make bench``: from the table to the screen; writes "From the table to the screen".

python benchmarks/chain.py [--hands 10] [--dry]

Four people of software play One-and-Thirty on the virtual table. Whatever they lay, turn up or
take away, somebody wants to see what came of it: the time from the moment at which nothing on the
table moves any more (the arm has gone, right after the last frame that still shows it) until the
screen shows the card, or the total, or the question. ``pace.py`` says how time is counted.

Then the program itself is started as systemd does it, with a camera that gives a drawn table at
its own pace: how long until it says it is ready, what memory it holds, what an idle one takes.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import cv2
import numpy as np

from benchmarks.pace import HandedEyes, Look, PacedEyes
from benchmarks.page import write_section
from benchmarks.program import Program
from benchmarks.table import laid
from device.clock import SystemClock
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.players import CardPlayers
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from display import Window
from engine import Player
from engine.core.views import Phase, View
from vision import MotionGate, TableReader
from vision.inference import Network
from vision.mat.pose import MatLayout

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
        presses_ms: what each word said at the buttons took until it was on the screen.
    """

    chains: dict[str, list[Chain]]
    silent: int
    presses_ms: list[float]

    @property
    def every(self) -> list[Chain]:
        """Everything that was done."""
        return [chain for chains in self.chains.values() for chain in chains]


def shown(view: View) -> Shown:
    """Return how many cards and which total each seat's plate shows."""
    return {seat.seat: (len(seat.cards), seat.total) for seat in view.seats}


def play(size: tuple[int, int], hands: int, seed: int) -> Played:
    """Play, and measure everything that is done at the table."""
    chains: dict[str, list[Chain]] = defaultdict(list)
    silent, presses_ms = 0, list[float]()
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "j.sqlite3") as journal,
        Window((1920, 1080), headless=True) as window,
    ):
        company = [Player(seat, name) for seat, name in enumerate(NAMES)]
        clock = SystemClock()
        session = Session.begin(journal, clock, "one-and-thirty", company)
        table = SimulatedTable(MatLayout(4, "A1"), seed=seed, size=size)
        styles = ("cautious", "bold", "exact", "bold")
        people = CardPlayers(table, seed, NAMES, styles, session.state.setup.options)
        handed = HandedEyes()
        app = TableController(session, handed, [], clock, screen=window)
        watch = MotionGate(TableReader())
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
            presses = list(people.act(session.view))
            began = time.process_time()
            for press in presses:
                app.press(press)
            app.step()
            if presses:
                presses_ms.append((time.process_time() - began) * 1000)
            if not table.is_moving:
                continue
            rest_s = eyes.rest()
            look = next((look for look in _looks(eyes) if look.read), None)
            if look is None:
                silent += 1
                continue
            what = _what(before, shown(session.view), app.asked > asked)
            chains[what].append(Chain.of(rest_s, look))
    return Played(chains, silent, presses_ms)


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


@dataclass(frozen=True, slots=True)
class Core:
    """What one core of a machine does, in three ways of work.

    Attributes:
        mips: 7-zip's benchmark on one thread: plain code.
        gflops: a core's share of Linpack in 64-bit fractions: networks, and pictures in rows.
        copy: gigabytes copied in a second.
    """

    mips: float
    gflops: float
    copy: float


PIS = {
    "Raspberry Pi 5": Core(3196, 30.2 / 4, 5.27),
    "Raspberry Pi 4": Core(1769, 11.9 / 4, 2.33),
}
"""MIPS and copying: Thomas Kaiser's sbc-bench, 64-bit Raspberry Pi OS at 2.4 and 1.8 GHz; Linpack
on four cores: Jeff Geerling's top500-benchmark."""

MIPS_HERE = 3800.0
"""``7z b -mmt1`` on the machine of docs/why/performance.md's figures; not run by this bench."""


def this_core() -> Core:
    """Measure this machine: the two that numpy can measure."""
    matrix = np.random.default_rng(1).random((1024, 1024))
    flat = np.zeros(200_000_000, np.uint8)
    other = flat.copy()
    gflops = 2 * 1024**3 / _best_s(lambda: matrix @ matrix) / 1e9
    copy = flat.size / _best_s(lambda: np.copyto(other, flat)) / 1e9
    return Core(MIPS_HERE, gflops, copy)


def _best_s(work: Callable[[], object]) -> float:
    times = []
    for _ in range(12):
        began = time.process_time()  # of all threads: numpy may use more than one
        work()
        times.append(time.process_time() - began)
    return min(times)


def estimate(chains: Sequence[Chain], here: Core) -> list[str]:
    """Say what the median would be on a Raspberry Pi, as a range."""
    wait, eyes, loop, step = (
        statistics.median(getattr(chain, part) for chain in chains)
        for part in ("wait", "eyes", "loop", "step")
    )
    lines = [
        "| | plain code | networks | copying | from rest to the screen, estimated |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, core in PIS.items():
        slower = (here.mips / core.mips, here.gflops / core.gflops, here.copy / core.copy)
        plain, *_ = slower
        low, high = (wait + eyes * most + (loop + step) * plain for most in (plain, max(slower)))
        factors = " | ".join(f"{times:.1f} times" for times in slower)
        lines.append(f"| {name} | {factors} | {low:.0f} to {high:.0f} ms |")
    return lines


@dataclass(frozen=True, slots=True)
class Running:
    """The program before a camera of 2304x1296: seconds, megabytes, shares of one core."""

    starts_s: list[float]
    begun_mb: float
    played_mb: float
    most_mb: float
    asking: float
    waiting: float


def run_program(quick: bool = False) -> Running:
    """Start the program, let it idle, play and idle again."""
    size = SIZES[0]
    pictures = [laid(0, size), laid(24, size), laid(24, size, less=1), laid(48, size)]
    idle_s = 4.0 if quick else 20.0
    starts = []
    for _ in range(1 if quick else 5):
        with Program(pictures[:1], "--players", ",".join(NAMES)) as program:
            starts.append(program.ready_s)
    with Program(pictures, "--players", ",".join(NAMES)) as program:
        time.sleep(5)
        asking, begun = program.busy(idle_s), program.resident_mb()
        for number in (1, 2) * (2 if quick else 20):
            program.show(number)
            time.sleep(0.7)
        played = program.resident_mb()
        program.show(3)
        time.sleep(4)
        most = program.resident_mb(most=True)
    with Program(pictures[:1], "--booth") as program:
        time.sleep(5)
        waiting = program.busy(idle_s)
    return Running(starts, begun, played, most, asking, waiting)


def program_rows(found: Running) -> list[str]:
    """Return a row for each figure of the program."""
    rows = [
        ("started until it says it is ready: picture seen, prompt on the screen", "< 5 s",
         f"{statistics.median(found.starts_s):.1f} s, at most {max(found.starts_s):.1f} s"),
        ("memory held, a prompt on the screen", "< 350 MB", f"{found.begun_mb:.0f} MB"),
        ("after 24 cards came and went", "< 350 MB", f"{found.played_mb:.0f} MB"),
        ("at most, 48 cards at once", "< 350 MB", f"{found.most_mb:.0f} MB"),
        ("of a core, nobody at the table: a prompt on the screen", "< 10 %",
         f"{found.asking:.1%}"),
        ("of a core, nobody at the table: the booth waits and plays by itself", "< 10 %",
         f"{found.waiting:.1%}"),
    ]  # fmt: skip
    lines = ["| the program before a camera of 2304x1296, 30 frames a second | goal | measured |"]
    lines += ["|---|---:|---:|", *(f"| {what} | {goal} | {got} |" for what, goal, got in rows)]
    return lines


def main() -> int:
    """Measure and write; 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=10, help="played at each size of the picture")
    parser.add_argument("--quick", action="store_true", help="the program for seconds only")
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    lines = [
        HEADING,
        "",
        f"Measured by `python benchmarks/chain.py` on {date.today().isoformat()}: one thread of a "
        f"{platform.machine()} machine, Python {platform.python_version()}, networks run by "
        f"{Network('reader.onnx').runtime}, a camera of {FPS} frames a second. From the moment at "
        "which nothing moves on the table any more, the arm neither, until it is on a screen of "
        "1920x1080; milliseconds of the processor, the disk by the clock. Goal: "
        f"{BAR_MS:.0f} ms at 2304x1296.",
    ]
    late = False
    for number, size in enumerate(SIZES):
        played = play(size, args.hands, seed=3)
        if number == 0:
            late = float(np.percentile([chain.whole for chain in played.every], 99)) > BAR_MS
            basis = estimate(played.every, this_core())
        silent = f"; {played.silent} times nothing came of it" if played.silent else ""
        lines += [
            "",
            f"{size[0]}x{size[1]}, {args.hands} hands of One-and-Thirty for four{silent}:",
            "",
            *table_rows(played.chains),
        ]
    lines += [
        "",
        "*Wait*: until the camera has shown that all is still. *Eyes*: looking for hands, finding "
        "and reading what changed. *Loop*: it is woken by the reading, and may be drawing just "
        "then. *Step*: rules, journal, drawing. From a button to the screen: see *The screens*.",
        "",
        *program_rows(run_program(args.quick)),
        "",
        "What that means for a Raspberry Pi is an estimate: how many times slower than the core "
        "used here one of theirs is at plain code (7-zip), at networks (Linpack) and at copying. "
        "Loop and step are multiplied by the first, the eyes' work by the least and by the most; "
        "the wait is the camera's and stays. Their other three cores are left out.",
        "",
        *basis,
        "",
    ]
    section = "\n".join(lines)
    print(section)
    if not args.dry:
        write_section(section)
    return int(late)


if __name__ == "__main__":
    raise SystemExit(main())

"""How long a frame of the whole loop takes at 1920x1080 on one core, the eyes at work beside it.

The booth runs as it does on the table: sixty steps a second, everything that changes drawn. On the
same core a worker reads a drawn table of 24 cards on which a card is laid and taken all the time.

What is judged is the time of the core between the beginning and the end of a step, whoever had
it: the loop itself, the eyes that would not let go of the interpreter, the voice. On a core with
nothing else to do that is the time of the frame; the wall clock, told beside it, also counts what
strangers took of the core meanwhile.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path

import cv2
import pygame

from device.app import FRAME_S, build_booth
from device.booth.tables import Services
from device.clock import SystemClock
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig, SoundConfig
from device.ports import Frame
from device.runtime.camera_worker import ThreadedReadingSource
from device.runtime.observer import ReadingObserver
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from display import Window
from engine import Card, deck
from vision import MotionGate, TableReader
from vision.mat.pose import MatLayout

SIZE = (1920, 1080)
BUDGET_MS = 1000 / 60
CAMERA_S = 1 / 30
HOLD = 15
"""Frames for which the table lies as it is, before a card is laid or taken."""


@dataclass(frozen=True)
class Frames:
    """What was measured, in milliseconds.

    Attributes:
        middle: the middle step by the core's time.
        slow: the step that 99 of 100 stay below.
        wall: the same by the wall clock.
        steps: how many steps.
        readings: how many readings the eyes came to meanwhile.
        busy: share of the core's time that the eyes had.
        press: most frames from a press to its picture.
    """

    middle: float
    slow: float
    wall: float
    steps: int
    readings: int
    busy: float
    press: int


class BusyTable:
    """A camera over a table on which a card is laid, and taken again."""

    def __init__(self) -> None:
        table = SimulatedTable(MatLayout(8, "A1"), seed=5, size=(1280, 960))
        for number, card in enumerate(deck()[:23]):
            table.lay(number % 8, card, face_up=True)
        table.settle()
        less = table.frame()
        table.lay(7, Card.parse("KC"), face_up=True)
        table.settle()
        more = table.frame()
        self._pictures = cycle([less] * HOLD + [more] * HOLD)

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next picture when its time has come."""
        time.sleep(CAMERA_S)
        return Frame(next(self._pictures).copy(), time.monotonic())

    def close(self) -> None:
        """Nothing is open."""


class CountingWatch:
    """Counts what the watch comes to, and how long its thread had the core."""

    def __init__(self, watch: MotionGate) -> None:
        self.watch, self.readings, self.core_s = watch, 0, 0.0

    def see(self, image: object, time_s: float) -> object:
        """Take one frame."""
        began = time.thread_time()
        reading = self.watch.see(image, time_s)
        self.core_s += time.thread_time() - began
        self.readings += reading is not None
        return reading


def one_core() -> None:
    """Stay on one core, as the goal has it, with every thread."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    cv2.setNumThreads(1)


def measure(steps: int) -> Frames:
    """Run the booth through its screens for so many steps."""
    watch = CountingWatch(MotionGate(TableReader()))
    config = Config(
        game=GameConfig(players=("Ann", "Bess", "Cecil", "Doll")),
        display=DisplayConfig(language="en", teaching=True),
        sound=SoundConfig(mute=True),
        booth=BoothConfig(enabled=True),
    )
    core, wall = [], []
    with (
        tempfile.TemporaryDirectory() as folder,
        Window(SIZE, headless=True) as window,
        Journal(Path(folder) / "j.sqlite3") as journal,
    ):
        looking = ReadingObserver(watch)
        eyes = ThreadedReadingSource(BusyTable, looking)
        services = Services(journal, SystemClock(), eyes, observer=looking)
        booth = build_booth(config, services, window)
        press = Presses(window, booth.step)
        began_core = time.process_time()
        for step in range(steps):
            began, began_wall = time.process_time(), time.perf_counter()
            booth.step()
            core.append((time.process_time() - began) * 1000)
            took_s = time.perf_counter() - began_wall
            wall.append(took_s * 1000)
            time.sleep(max(FRAME_S - took_s, 0.0))
            if step % 40 == 39:
                press(step // 40)
        whole = time.process_time() - began_core
        eyes.close()
        booth.shut()
    slow = int(steps * 0.99) - 1
    return Frames(
        sorted(core)[steps // 2],
        sorted(core)[slow],
        sorted(wall)[slow],
        steps,
        watch.readings,
        watch.core_s / whole,
        press.most,
    )


class Presses:
    """Keys that go through every screen; counts the frames until the picture is another."""

    KEYS = ("h", "right", "left", "h", "h", "m", "down", "h", "u", "m", "s", "h", "u", "m", "u")

    def __init__(self, window: Window, step: Callable[[], object]) -> None:
        self.window, self.step, self.most = window, step, 0

    def __call__(self, number: int) -> None:
        name = self.KEYS[number % len(self.KEYS)]
        surface = pygame.display.get_surface()
        before = pygame.image.tobytes(surface, "RGB")
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.key.key_code(name)))
        for frames in count(1):
            self.step()
            if pygame.image.tobytes(surface, "RGB") != before or frames > 5:
                break
        if frames <= 5:  # some keys mean nothing where they are pressed: nothing has to change
            self.most = max(self.most, frames)


def main() -> int:
    """Measure once and print it."""
    one_core()
    frames = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1200)
    print(frames)
    return int(frames.slow >= BUDGET_MS or frames.press > 2)


if __name__ == "__main__":
    raise SystemExit(main())

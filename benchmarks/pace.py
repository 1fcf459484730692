"""Eyes that work at the pace of a camera, and time that is counted instead of waited for.

The frames of a drawn table are gone through one by one, as the thread of the real table does: each
is there when the camera took it, or when the eyes are done with the one before. What the eyes take
is their time on the processor; what the game, the journal and the screen take after them is time
by the clock, since the disk is part of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from device.ports import Image
from vision.readings import Reading
from vision.tracking.motion_gate import MotionGate

BUSY_S = 0.0055
"""A reading wakes the loop, which may be drawing just then: 99 of 100 steps are done in this time
(``screens.py``)."""


class Table(Protocol):
    """A drawn table; each frame takes its movements on by one step."""

    @property
    def is_moving(self) -> bool:
        """Say whether anything moves."""
        ...

    def frame(self) -> Image:
        """Draw the next moment."""
        ...


class HandedEyes:
    """Eyes that are handed readings: whoever hands them over keeps their time."""

    frame, trouble, ended = 0, None, False

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.waiting: list[Reading] = []

    def poll(self) -> tuple[Reading, ...]:
        """Hand out what is there."""
        now, self.waiting = tuple(self.waiting), []
        return now

    def close(self) -> None:
        """Look no more."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame came to.

    Attributes:
        taken_s: when the camera took it.
        done_s: when all that came of it was on the screen.
        eyes_s: what the eyes took for it.
        step_s: what rules, journal and screen took after them.
        read: whether there was anything to say.
    """

    taken_s: float
    done_s: float
    eyes_s: float = 0.0
    step_s: float = 0.0
    read: bool = False


class PacedEyes:
    """A watch before a drawn table, and the loop behind it, at so many frames a second."""

    def __init__(
        self,
        table: Table,
        watch: MotionGate,
        eyes: HandedEyes,
        step: Callable[[], object],
        fps: int,
    ) -> None:
        """Look at *table*; *step* is one step of the loop that takes from *eyes*."""
        self._table, self._watch, self._eyes, self._step = table, watch, eyes, step
        self._period_s = 1 / fps
        self._frames = 0
        self._free_s = 0.0

    def look(self) -> Look:
        """Let the camera take one frame, and everything follow from it."""
        image = self._table.frame()
        taken_s = self._frames * self._period_s
        self._frames += 1
        began = time.thread_time()
        reading = self._watch.see(image, taken_s)
        eyes_s = time.thread_time() - began
        self._free_s = max(self._free_s, taken_s) + eyes_s
        if reading is None:
            return Look(taken_s, self._free_s, eyes_s)
        self._eyes.waiting.append(reading)
        began_wall = time.perf_counter()
        self._step()
        step_s = time.perf_counter() - began_wall
        return Look(taken_s, self._free_s + BUSY_S + step_s, eyes_s, step_s, True)

    def rest(self) -> float:
        """Let what moves come to rest; the time of the last frame that showed it moving."""
        while self._table.is_moving:
            self.look()
        return (self._frames - 1) * self._period_s

"""The loop that every table runs in: what has come is taken, what it means is shown.

One thread does all of it. The eyes work beside it and the buttons only put presses on a queue, so
nothing but a step changes anything.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from device.clock import Clock
from device.ports import Button, Lamps, Panel, Press
from device.runtime.camera_worker import ReadingSource
from vision.readings import Reading

log = logging.getLogger(__name__)

MOST_FAILURES = 20
"""Failures in a row after which a new start is the better cure; the journal resumes the hand."""


class MainLoop(ABC):
    """One step after another: presses, readings, lamps, screen.

    Attributes:
        frame_s: the time of one step when nothing else sets the pace.
        heartbeat: called after every step that went well; a watchdog listens to it.
    """

    def __init__(self, eyes: ReadingSource, panels: Sequence[Panel], clock: Clock) -> None:
        """Take what everything comes from, and what sets the pace."""
        self.frame_s = 0.0
        self.heartbeat: Callable[[], object] | None = None
        self._eyes = eyes
        self._panels = tuple(panels)
        self._clock = clock

    # What each has of its own

    @abstractmethod
    def press(self, press: Press) -> None:
        """Take one press."""

    @abstractmethod
    def see(self, reading: Reading) -> None:
        """Take one reading."""

    @property
    @abstractmethod
    def lamps(self) -> Lamps:
        """Return which lamps are lit now."""

    @abstractmethod
    def show(self, now_s: float) -> None:
        """Show, and let be heard, how things stand at *now_s*."""

    @abstractmethod
    def failed(self) -> None:
        """Say that a step failed; the next one may do better."""

    def pass_time(self, now_s: float) -> None:  # noqa: B027 - most tables wait for people
        """Do what is due by *now_s* without anybody doing anything."""

    # What all share

    def step(self) -> bool:
        """Take what has come, show what it means; ``False`` when it is over."""
        now_s = self._clock.monotonic()
        going = True
        for panel in self._panels:
            for press in panel.poll(now_s):
                if press.button is Button.QUIT:
                    going = False
                else:
                    self.press(press)
        for reading in self._eyes.poll():
            self.see(reading)
        self.pass_time(now_s)
        lamps = self.lamps
        for panel in self._panels:
            panel.show(lamps)
        self.show(now_s)
        return going and not self._eyes.ended

    def run(self) -> None:
        """Go on until somebody quits or the recording is over; the scores outlive any fault."""
        failures = 0
        going = True
        while going:
            began_s = self._clock.monotonic()
            try:
                going = self.step()
                failures = 0
                if self.heartbeat is not None:
                    self.heartbeat()
            except Exception:
                failures += 1
                if failures == MOST_FAILURES:
                    raise
                log.exception("the loop failed; the scores are safe in the journal, going on")
                self.failed()
            if self.frame_s:
                # What the step itself took is part of the frame; a failing one must not spin.
                took_s = self._clock.monotonic() - began_s
                self._clock.wait(max(self.frame_s - took_s, 0.001))

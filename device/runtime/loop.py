"""The main loop of every table: take presses and readings, let time pass, show the result.

One thread runs it. Cameras and buttons work in threads of their own and only put values on queues,
so nothing but a step changes the game.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from device.clock import Clock
from device.ports import Button, Lamps, Panel, Press
from device.runtime.camera_worker import ReadingSource
from engine.core.messages.message import Value
from vision.readings import Reading

if TYPE_CHECKING:
    from display.pages.base import Page

log = logging.getLogger(__name__)

Task = Callable[[float], "Page | None"]
"""Something else that the loop does in every step; it must not wait.

It is called with the time, and may return a page to show over everything until its next call.
"""

CALM_AFTER_S, CALM_FRAME_S = 5.0, 1 / 30
"""When nobody has pressed and nothing was read for the one, steps are the other apart, in seconds.

A press is still on the screen within 50 ms, and waiting takes less of a core."""

MOST_FAILURES = 20
"""Failures in a row after which a restart is the better cure; the journal resumes the hand."""


class MainLoop(ABC):
    """Repeated steps: presses, readings, lamps, screen, tasks.

    Attributes:
        frame_s: the time of one step when nothing else sets the pace; longer when all is calm.
        panels: buttons and lamps.
        tasks: called at the end of every step in which nothing failed.
        intercepts: called with each press before anybody else, until one returns that it took it.
        show_overlay: draws the page that a task returns; without it none is shown.
    """

    def __init__(self, source: ReadingSource, panels: Sequence[Panel], clock: Clock) -> None:
        """Run over readings from *source* and presses from *panels*, timed by *clock*."""
        self.frame_s = 0.0
        self.panels = list(panels)
        self.tasks: list[Task] = []
        self.intercepts: list[Callable[[Press], bool]] = []
        self.show_overlay: Callable[[Page, float], object] | None = None
        self._overlay: Page | None = None
        self._source = source
        self._clock = clock
        self._busy_s = clock.monotonic()

    @property
    def clock(self) -> Clock:
        """What the loop is timed by."""
        return self._clock

    def trouble(self) -> Value:
        """Return why there are no readings, in a sentence; empty where there are."""
        trouble = self._source.trouble
        return "" if trouble is None else trouble.sentence

    # What each kind of loop does

    @abstractmethod
    def press(self, press: Press) -> None:
        """Handle one press."""

    @abstractmethod
    def see(self, reading: Reading) -> None:
        """Handle one reading."""

    @property
    @abstractmethod
    def lamps(self) -> Lamps:
        """Which lamps are lit now."""

    @abstractmethod
    def show(self, now_s: float) -> None:
        """Show and say how things stand at *now_s*."""

    @abstractmethod
    def failed(self) -> None:
        """Report a failed step; the loop retries."""

    def pass_time(self, now_s: float) -> None:  # noqa: B027 - most tables wait for people
        """Do what is due by *now_s* without anybody doing anything."""

    # What all share

    def step(self) -> bool:
        """Handle what has come and show the result; return ``False`` when it is over."""
        now_s = self._clock.monotonic()
        going = True
        for panel in self.panels:
            for press in panel.poll(now_s):
                self._busy_s = now_s
                if press.button is Button.QUIT:
                    going = False
                elif not any(takes(press) for takes in self.intercepts):
                    self.press(press)
        for reading in self._source.poll():
            self._busy_s = now_s
            self.see(reading)
        self.pass_time(now_s)
        lamps = self.lamps
        for panel in self.panels:
            panel.show(lamps)
        if self._overlay is not None and self.show_overlay is not None:
            self.show_overlay(self._overlay, now_s)
        else:
            self.show(now_s)
        pages = [task(now_s) for task in self.tasks]
        self._overlay = next((page for page in pages if page is not None), None)
        return going and not self._source.ended

    def run(self) -> None:
        """Repeat steps until somebody quits or the recording is over; survive failed steps.

        Raises:
            Exception: that of the last step, after :data:`MOST_FAILURES` failures in a row.
        """
        failures = 0
        going = True
        while going:
            began_s = self._clock.monotonic()
            try:
                going = self.step()
                failures = 0
            except Exception:
                failures += 1
                if failures == MOST_FAILURES:
                    raise
                log.exception("the loop failed; the scores are safe in the journal, going on")
                self.failed()
            if self.frame_s:
                # What the step itself took is part of the frame; a failing one must not spin.
                calm = began_s - self._busy_s >= CALM_AFTER_S
                frame_s = max(self.frame_s, CALM_FRAME_S) if calm else self.frame_s
                took_s = self._clock.monotonic() - began_s
                self._clock.wait(max(frame_s - took_s, 0.001))

"""Clocks: the machine's, and one that tests and the simulator move by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

LAST_DAY_S = 253_402_300_799.0 - 86_400.0
"""A day before the end of the year 9999, in seconds since 1970: no calendar goes further."""


def utc(wall_s: float) -> str:
    """Return seconds since 1970 as an RFC 3339 time in UTC."""
    at = datetime.fromtimestamp(_in_calendar(wall_s), UTC)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def local(wall_s: float, form: str) -> str:
    """Return seconds since 1970 in local time, by the :func:`time.strftime` format *form*."""
    return time.strftime(form, time.localtime(_in_calendar(wall_s)))


def _in_calendar(wall_s: float) -> float:
    """Return the nearest second that a calendar has; a clock may be wrong by any amount."""
    return min(max(wall_s, 0.0), LAST_DAY_S) if wall_s == wall_s else 0.0


class Clock(Protocol):
    """Two kinds of time: *monotonic* for waiting, *wall* for people."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""

    def wall(self) -> float:
        """Return seconds since 1970, for the journal."""

    def wait(self, seconds: float) -> None:
        """Wait *seconds*."""


class SystemClock:
    """The machine's clock; another thread may end a wait early."""

    def __init__(self) -> None:
        """Prepare the event that ends a wait."""
        self._woken = threading.Event()

    def monotonic(self) -> float:
        """Return ``time.monotonic()``."""
        return time.monotonic()

    def wall(self) -> float:
        """Return ``time.time()``."""
        return time.time()

    def wait(self, seconds: float) -> None:
        """Sleep until the time is over, or :meth:`wake` is called."""
        self._woken.wait(max(0.0, seconds))
        self._woken.clear()

    def wake(self) -> None:
        """End the current wait, or the next one."""
        self._woken.set()


class FilmClock(SystemClock):
    """The clock of a film: what waits at the table waits for the film's time."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """Return what *now_s* does."""
        super().__init__()
        self._now_s = now_s

    def monotonic(self) -> float:
        """Return the time of the film."""
        return self._now_s()


class Backoff:
    """Pauses between attempts: each twice as long as the one before, up to a limit."""

    def __init__(self, longest_s: float, first_s: float = 1.0) -> None:
        """Start with a pause of *first_s* seconds."""
        self._longest_s, self._first_s = longest_s, first_s
        self._next_s = first_s

    def next_s(self) -> float:
        """Return the pause after another failure, in seconds."""
        pause_s = self._next_s
        self._next_s = min(2 * pause_s, self._longest_s)
        return pause_s

    def reset(self) -> None:
        """Start over after a success."""
        self._next_s = self._first_s


class HandClock:
    """A clock that moves only by :meth:`wait`: demos run as fast as they can be drawn."""

    def __init__(self, monotonic: float = 0.0, wall: float = 0.0) -> None:
        """Start at these times."""
        self._monotonic = monotonic
        self._wall = wall

    def monotonic(self) -> float:
        """Return the time set."""
        return self._monotonic

    def wall(self) -> float:
        """Return the wall time set."""
        return self._wall

    def wait(self, seconds: float) -> None:
        """Move both times on at once."""
        self._monotonic += max(0.0, seconds)
        self._wall += max(0.0, seconds)

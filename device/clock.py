"""Clocks: the machine's own, and one that a test or a drawn table moves by hand."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Two kinds of time: *monotonic* for waiting, *wall* for people."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        ...

    def wall(self) -> float:
        """Return seconds since 1970, for the journal."""
        ...

    def wait(self, seconds: float) -> None:
        """Let *seconds* pass."""
        ...


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """Return ``time.monotonic()``."""
        return time.monotonic()

    def wall(self) -> float:
        """Return ``time.time()``."""
        return time.time()

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(max(0.0, seconds))


class HandClock:
    """A clock that moves only when told to: demos run as fast as they can be drawn on it."""

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

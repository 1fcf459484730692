"""Heartbeats of the workers: each says by when it will be heard of again."""

from __future__ import annotations

from device.clock import Clock

PATIENCE_S = 30.0
"""How long a worker may take over one thing where the service manager sets no time."""


class Heartbeat:
    """Whether one worker is alive; may be used from any thread."""

    def __init__(self, name: str, clock: Clock, patience_s: float = PATIENCE_S) -> None:
        """Start at rest; *patience_s* is how long the worker may take over one thing."""
        self.name = name
        self._clock = clock
        self._patience_s = patience_s
        # One number, set at once: no lock is needed, and a worker is never held up by this.
        self._due_s: float | None = None

    def begin(self, longer_s: float = 0.0) -> None:
        """Begin something that takes no longer than the patience and *longer_s* together."""
        self._due_s = self._clock.monotonic() + self._patience_s + longer_s

    def rest(self) -> None:
        """Wait for others: no heartbeat is due."""
        self._due_s = None

    def is_late(self, now_s: float) -> bool:
        """Return whether a heartbeat is overdue at *now_s*."""
        due_s = self._due_s
        return due_s is not None and now_s > due_s


class Heartbeats:
    """The heartbeats of camera, vision and display.

    One thread waits for the camera, then reads its picture. The display is drawn by the loop that
    feeds the watchdog: if it hangs nothing is fed, if it is only lost its heartbeat is late.

    Attributes:
        camera: begins before every wait for the camera; never rests while the thread lives.
        vision: begins with a picture, rests when it has been read.
        display: begins when the display is lost, rests when it is back.
    """

    def __init__(self, clock: Clock, patience_s: float | None = None) -> None:
        """Start at rest."""
        patience = PATIENCE_S if patience_s is None else patience_s
        self.camera = Heartbeat("the camera", clock, patience)
        self.vision = Heartbeat("the reader", clock, patience)
        self.display = Heartbeat("the display", clock, patience)

    def late(self, now_s: float) -> tuple[str, ...]:
        """Return the names of those that are overdue."""
        workers = (self.camera, self.vision, self.display)
        return tuple(each.name for each in workers if each.is_late(now_s))

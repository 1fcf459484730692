"""Signs of life of the workers: each says when it will be heard of next."""

from __future__ import annotations

from device.clock import Clock

PATIENCE_S = 30.0
"""How long a worker may take over one thing where the service manager sets no time."""


class Heartbeat:
    """Whether one worker lives; it may be used from any thread.

    Attributes:
        name: as the log calls the worker.
    """

    def __init__(self, name: str, clock: Clock, patience_s: float = PATIENCE_S) -> None:
        """Make a heart at rest.

        Args:
            name: as the log calls the worker.
            clock: the machine's.
            patience_s: how long the worker may take over one thing.
        """
        self.name = name
        self._clock = clock
        self._patience_s = patience_s
        # One number, set at once: no lock is needed, and a worker is never held up by this.
        self._due_s: float | None = None

    def begin(self, longer_s: float = 0.0) -> None:
        """Begin something that takes no more than the patience and *longer_s*."""
        self._due_s = self._clock.monotonic() + self._patience_s + longer_s

    def rest(self) -> None:
        """Wait for others: no sign of life is due."""
        self._due_s = None

    def is_late(self, now_s: float) -> bool:
        """Say whether a sign of life is overdue at *now_s*."""
        due_s = self._due_s
        return due_s is not None and now_s > due_s


class Heartbeats:
    """The hearts of camera, eyes and display.

    One thread waits for the camera, then sees what is on the picture. The display is drawn by the
    loop that feeds the watchdog: one that hangs feeds nobody, one that is lost has a heart.

    Attributes:
        camera: begins before every wait for the camera; never rests while the thread lives.
        vision: begins with a picture, rests when it has been seen.
        display: begins when the display is lost, rests when it is back.
    """

    def __init__(self, clock: Clock, patience_s: float | None = None) -> None:
        """Make them, at rest."""
        patience = PATIENCE_S if patience_s is None else patience_s
        self.camera = Heartbeat("the camera", clock, patience)
        self.vision = Heartbeat("the eyes", clock, patience)
        self.display = Heartbeat("the display", clock, patience)

    def late(self, now_s: float) -> tuple[str, ...]:
        """Return the names of those whose sign of life is overdue."""
        hearts = (self.camera, self.vision, self.display)
        return tuple(each.name for each in hearts if each.is_late(now_s))

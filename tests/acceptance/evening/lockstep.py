"""The real worker of the eyes, let go one frame at a time: an evening can be played again."""

from __future__ import annotations

import threading

from device.hardware.freeze_detector import FreezeDetector
from device.ports import CameraError, Frame
from device.runtime.camera_worker import ThreadedReadingSource

HANGS_S = 120.0
"""So long one frame may take before the worker is said to hang, in real seconds."""


class Turns:
    """Two threads, of which one waits while the other goes."""

    def __init__(self):
        self._go, self._idle = threading.Semaphore(0), threading.Semaphore(0)
        self.over = False

    def mine(self):
        """Say in the worker that it is done, and wait until it may go on."""
        if not self.over:
            self._idle.release()
            self._go.acquire()

    def await_worker(self):
        """Wait in the main thread until the worker is done."""
        if not self._idle.acquire(timeout=HANGS_S):
            raise AssertionError("the worker of the eyes hangs")

    def let_go(self):
        """Let the worker go on."""
        self._go.release()


class _Camera:
    """The camera over the room, by the clock of the evening."""

    def __init__(self, eyes):
        self._eyes = eyes
        if not eyes.room.plugged:
            raise CameraError("no camera found; check its cable, then run: boneace doctor camera")

    def read(self, timeout_s=2.0):
        self._eyes.turns.mine()
        if not self._eyes.room.plugged:
            raise CameraError("the camera gives no pictures; check its cable")
        return Frame(self._eyes.room.frame(), self._eyes.clock.monotonic())

    def close(self):
        pass


class LockstepEyes:
    """``ThreadedReadingSource`` that take one frame each time they are asked for readings."""

    def __init__(self, room, watch, clock):
        self.room, self.clock = room, clock
        self.turns = Turns()
        self.readings = 0
        self.last = None
        freeze = FreezeDetector()
        self.worker = ThreadedReadingSource(
            lambda: freeze.guard(_Camera(self)), watch, wait=self._pause
        )
        self.turns.await_worker()

    @property
    def frame(self):
        return self.worker.frame

    @property
    def trouble(self):
        return self.worker.trouble

    @property
    def ended(self):
        return self.worker.ended

    def poll(self):
        self.turns.let_go()
        self.turns.await_worker()
        readings = self.worker.poll()
        self.readings += len(readings)
        if readings:
            self.last = readings[-1]
        return readings

    def close(self):
        self.turns.over = True
        self.worker._stop.set()
        self.turns.let_go()
        self.worker.close()

    def _pause(self, seconds):
        """Let a pause of the worker pass, by the clock of the evening."""
        until_s = self.clock.monotonic() + seconds
        while not self.turns.over:
            self.turns.mine()
            if self.clock.monotonic() >= until_s:
                return

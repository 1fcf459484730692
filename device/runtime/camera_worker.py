"""Reads the camera's frames, on a thread or in step, and tells why when nothing can be read."""

from __future__ import annotations

import logging
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

from device.clock import Backoff, SystemClock
from device.croupier.messages import cannot_see, something_wrong
from device.croupier.questions import Notice
from device.heartbeat import Heartbeats
from device.ports import Camera, CameraError, EndOfFramesError, Image, NoThreadError
from vision.readings import Reading

log = logging.getLogger(__name__)

LONGEST_PAUSE_S = 8.0
"""Between two tries of a camera that fails. To look for one that is not there costs nothing, and
who has put the plug back in waits for it."""


class FrameProcessor(Protocol):
    """Says what lies on the mat, once each time it has settled into something new."""

    def see(self, image: Image, time_s: float) -> Reading | None:
        """Take one frame; ``None`` while hands move or when nothing has changed."""


class ReadingSource(ABC):
    """Somewhere readings come from.

    Attributes:
        frame: how many frames have been seen.
        trouble: why nothing is seen just now.
        ended: no frame will come any more.
    """

    def __init__(self) -> None:
        """Begin before the first frame."""
        self.frame = 0
        self.trouble: Notice | None = None
        self.ended = False

    @abstractmethod
    def poll(self) -> tuple[Reading, ...]:
        """Return the readings since the last call, oldest first."""

    @abstractmethod
    def close(self) -> None:
        """Stop reading and release the camera; may be called twice."""


class NoCamera(ReadingSource):
    """Sees nothing: people enter what lies there, or it is in a log."""

    def __init__(self, last: int | None = None) -> None:
        """Count steps as frames; the run is over after frame *last*, where there is one."""
        super().__init__()
        self._last = last

    def poll(self) -> tuple[Reading, ...]:
        """Return nothing."""
        self.frame += 1
        self.ended = self._last is not None and self.frame > self._last + 1
        return ()

    def close(self) -> None:
        """Close nothing."""


class SyncReadingSource(ReadingSource):
    """One frame each time they are asked: nothing is missed, and a run can be repeated exactly."""

    def __init__(self, camera: Camera, watch: FrameProcessor) -> None:
        """Look through *camera*."""
        super().__init__()
        self.time_s = 0.0
        """When the last frame was taken."""
        self._camera = camera
        self._watch = watch

    def poll(self) -> tuple[Reading, ...]:
        """Look at the next frame."""
        if self.ended:
            return ()
        try:
            frame = self._camera.read()
        except EndOfFramesError:
            self.ended = True
            return ()
        except CameraError as problem:
            log.warning("%s", problem)
            self.trouble = cannot_see()
            return ()
        self.trouble = None
        self.frame += 1
        self.time_s = frame.time_s
        reading = self._watch.see(frame.image, frame.time_s)
        return () if reading is None else (reading,)

    def close(self) -> None:
        """Release the camera."""
        self.ended = True
        self._camera.close()


class ThreadedReadingSource(ReadingSource):
    """A thread that looks all the time; it survives a camera that is pulled out and put back."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        watch: FrameProcessor,
        wait: Callable[[float], object] | None = None,
        hearts: Heartbeats | None = None,
        pause_s: Callable[[], float] = lambda: 0.0,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        """Start reading.

        Args:
            open_camera: opens the camera, again after each failure.
            watch: made beforehand: a missing model must stop the program, not be tried again.
            wait: lets a pause pass; by default one that :meth:`close` cuts short.
            hearts: tell a watchdog that camera and reader are alive.
            pause_s: returns how long the next frame may wait; asked after each.
            wake: called when there is a reading: nobody need look for one.
        """
        super().__init__()
        self._open = open_camera
        self._watch = watch
        self._stop = threading.Event()
        self._wait = wait or self._stop.wait
        self._pause_s, self._wake = pause_s, wake
        self._heartbeats = hearts or Heartbeats(SystemClock())
        # From now on the thread is expected to show that it lives; one that dies is late.
        self._heartbeats.camera.begin()
        self._readings: queue.SimpleQueue[Reading] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="reader", daemon=True)
        self._thread.start()

    def poll(self) -> tuple[Reading, ...]:
        """Return the readings since the last call; never waits."""
        readings = []
        while not self._readings.empty():
            readings.append(self._readings.get())
        return tuple(readings)

    def close(self) -> None:
        """Stop the thread and let go of the camera."""
        self._stop.set()
        if self._thread is not threading.current_thread():
            # A camera's read gives up after two seconds; one that hangs is left to the process.
            self._thread.join(timeout=5.0)

    def _work(self) -> None:
        pauses = Backoff(LONGEST_PAUSE_S)
        said = ""
        while not self._stop.is_set():
            seen = self.frame
            try:
                self._look_through_one_camera()
            except EndOfFramesError:
                self.ended = True
                self._heartbeats.camera.rest()
                return
            except NoThreadError as problem:
                # No pause mends that. From now on this worker is late: the manager starts the
                # program anew, in the same hand.
                log.error("%s", problem)
                self.trouble = cannot_see(something_wrong().detail)
                return
            except CameraError as problem:
                said = _once(said, str(problem), self.frame > seen, log.warning)
                self.trouble = cannot_see()
            except Exception as problem:
                # The table must survive whatever a frame can do to the reader.
                told = f"the reader failed; trying again ({problem!r})"
                said = _once(said, told, self.frame > seen, log.exception)
                # Calm words: the name of the fault helps nobody at the table.
                self.trouble = cannot_see(something_wrong().detail)
            self._heartbeats.vision.rest()
            if self._stop.is_set():
                self._heartbeats.camera.rest()
                return
            if self.frame > seen:
                pauses.reset()
            pause_s = pauses.next_s()
            self._heartbeats.camera.begin(pause_s)
            self._wait(pause_s)

    def _look_through_one_camera(self) -> None:
        """Look at frame after frame until this camera fails, or nobody wants to see any more."""
        self._heartbeats.camera.begin()
        camera = self._open()
        try:
            while not self._stop.is_set():
                self._heartbeats.camera.begin()
                frame = camera.read()
                self._heartbeats.vision.begin()
                reading = self._watch.see(frame.image, frame.time_s)
                self._heartbeats.vision.rest()
                self.frame += 1
                self.trouble = None
                if reading is not None:
                    self._readings.put(reading)
                    self._wake()
                pause_s = self._pause_s()
                if pause_s:
                    self._wait(pause_s)
        finally:
            camera.close()


def _once(said: str, text: str, is_new: bool, tell: Callable[[str, str], None]) -> str:
    """Tell the log why nothing is seen, but not again with every try of an evening."""
    if is_new or text != said:
        tell("%s", text)
    return text

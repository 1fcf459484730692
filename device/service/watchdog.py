"""Which workers must show that they live, and what follows when one does not.

Each worker has a :class:`Heartbeat`. The main loop tells the service manager that all is well only
while no heartbeat is late; otherwise the manager hears nothing more, ends the program and restarts
it, and the journal resumes the hand.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence

from device.heartbeat import Heartbeats
from device.runtime.camera_worker import ReadingSource
from device.service.systemd import Notifier

log = logging.getLogger(__name__)

TIMES = 4
"""Messages to the manager in the time that it waits; one may be lost."""

UNWATCHED_S = 10.0
"""Seconds between two checks where no manager set a time."""

EXTEND = 3
"""While no camera is there, the start may take this many times longer than the manager waits."""

LOST_S = 60.0
"""A display may be lost for this much longer than a worker may hang: the window is reopened."""


class Watchdog:
    """Feeds the manager's watchdog, and tells it when the table is ready."""

    def __init__(
        self,
        notifier: Notifier,
        source: ReadingSource,
        heartbeats: Heartbeats,
        status: Callable[[], str],
        is_lost: Callable[[], bool] = lambda: False,
    ) -> None:
        """Watch over the workers.

        Args:
            notifier: the way to the service manager.
            source: its first frame makes the table ready.
            heartbeats: of the workers.
            status: returns a line on how things stand; without names, as every user sees it.
            is_lost: returns whether the display has gone.
        """
        self.is_ready = False
        self._notifier, self._source = notifier, source
        self._heartbeats, self._status = heartbeats, status
        self._every_s = (notifier.watchdog_s or UNWATCHED_S) / TIMES
        self._due_s = -math.inf
        self._late: Sequence[str] = ()
        self._is_lost, self._was_lost = is_lost, False

    def beat(self, now_s: float) -> None:
        """Tell the manager that the loop runs and the screen is drawn; a task of the main loop."""
        lost = self._is_lost()
        if not lost:
            self._heartbeats.display.rest()
        elif not self._was_lost:
            self._heartbeats.display.begin(LOST_S)
        self._was_lost = lost
        if now_s < self._due_s:
            return
        self._due_s = now_s + self._every_s
        late = self._heartbeats.late(now_s)
        if late != self._late:
            self._tell(late)
        self._late = late
        if late:
            return
        if self.is_ready:
            self._notifier.send(WATCHDOG=1, STATUS=self._status())
        elif self._source.frame > 0 and not lost:
            self.is_ready = True
            log.info("ready: the screen is up, and the first picture was seen")
            self._notifier.send(READY=1, WATCHDOG=1, STATUS=self._status())
        else:
            # A camera that is not there yet is no failed start: the screen says what is missing.
            wait_us = round(self._every_s * TIMES * EXTEND * 1e6)
            trouble = self._source.trouble
            why = "waiting for the first picture" if trouble is None else str(trouble.text)
            self._notifier.send(EXTEND_TIMEOUT_USEC=wait_us, STATUS=why)

    def stop(self) -> None:
        """Tell the manager that the program ends."""
        self._notifier.send(STOPPING=1, STATUS="closing the journal")
        self._notifier.close()

    def _tell(self, late: Sequence[str]) -> None:
        if not late:
            log.warning("everything moves again")
            return
        names = " and ".join(late)
        if self._notifier.watchdog_s is None:
            log.error(
                "%s: no sign of life; stop boneace and start it anew, no event is lost", names
            )
        else:
            log.error("%s: no sign of life; the service manager starts boneace anew", names)
        self._notifier.send(STATUS=f"no sign of life from {names}")

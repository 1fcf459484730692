"""The table as a service: its watchdog, its line of status, and the buttons that switch it off."""

from __future__ import annotations

import logging
import math
import os
import termios
from collections.abc import Callable, Mapping, Sequence

from device.clock import Clock
from device.config.model import PowerConfig
from device.heartbeat import Heartbeats
from device.runtime.camera_worker import ReadingSource
from device.runtime.loop import MainLoop
from device.runtime.session import Session
from device.service.power_off import open_switch
from device.service.systemd import Notifier
from display import Window

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
    """Feeds the manager's watchdog, and tells it when the table is ready.

    Each worker has a :class:`Heartbeat`. The main loop tells the service manager that all is well
    only while no heartbeat is late; otherwise the manager hears nothing more, ends the program and
    restarts it, and the journal resumes the hand.
    """

    def __init__(
        self,
        notifier: Notifier,
        source: ReadingSource,
        heartbeats: Heartbeats,
        status: Callable[[], str],
        is_lost: Callable[[], bool] = lambda: False,
    ) -> None:
        """Watch over the workers; the first frame of *source* makes the table ready.

        *status* returns a line on how things stand, without names, as every user sees it; *is_lost*
        whether the display has gone.
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
        seen_first = not self.is_ready and self._source.frame > 0 and not lost
        if now_s < self._due_s and not seen_first:
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
        elif seen_first:
            self.is_ready = True
            log.info("ready to play")
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
        names, watched = " and ".join(late), self._notifier.watchdog_s is not None
        cure = "the service manager restarts boneace"
        if not watched:
            cure = "stop boneace and start it again, no event is lost"
        log.error("%s: no sign of life; %s", names, cure)
        self._notifier.send(STATUS=f"no sign of life from {names}")


class Service:
    """The link between the table and the service manager; without a manager it does nothing.

    Attributes:
        heartbeats: of the workers: camera, vision and display.
    """

    def __init__(self, clock: Clock, environment: Mapping[str, str] = os.environ) -> None:
        """Tell the manager that the start has begun; *environment* names its socket."""
        self._environment = environment
        self._notifier = Notifier(environment)
        self._watchdog: Watchdog | None = None
        self.heartbeats = Heartbeats(clock, self._notifier.watchdog_s)
        own_the_console(environment)
        self._notifier.send(STATUS="starting: journal, networks, camera and screen")

    def attend(
        self,
        loop: MainLoop,
        source: ReadingSource,
        session: Callable[[], Session | None],
        *,
        power: PowerConfig | None = None,
        window: Window | None = None,
    ) -> None:
        """Add the watchdog and the power switch to the tasks of *loop*.

        Each good step of the loop says that the screen is drawn, and the first frame of *source*
        makes the table ready. *session* returns that in progress. *power* says which buttons of
        the loop's panels switch off; *window*, which may be lost, shows what they are about to do.
        """
        self._watchdog = Watchdog(
            self._notifier,
            source,
            self.heartbeats,
            lambda: status(session(), source),
            lambda: window is not None and window.is_lost,
        )
        loop.tasks.append(self._watchdog.beat)
        switch = open_switch(power or PowerConfig(), loop.panels, self._environment)
        if switch is not None:
            loop.tasks.append(switch.tick)
        if window is not None:
            loop.show_overlay = window.show_page

    def close(self) -> None:
        """Tell the manager that the program ends; may be called twice."""
        if self._watchdog is not None:
            self._watchdog.stop()
            self._watchdog = None
        self._notifier.close()


def own_the_console(environment: Mapping[str, str], terminal: int = 0) -> None:
    """Turn off signals and echo of the console, so that Ctrl-C on its keyboard ends no game.

    SDL reads the keyboard itself. systemd resets the terminal when the service ends. *environment*
    tells whether this is the service: a person's terminal, the open file of that number, is left
    alone.
    """
    if not environment.get("NOTIFY_SOCKET") or not os.isatty(terminal):
        return
    modes = termios.tcgetattr(terminal)
    modes[3] &= ~(termios.ISIG | termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, modes)


def status(session: Session | None, source: ReadingSource) -> str:
    """Return the state in a line, without names: every user of the machine may read it."""
    if session is None:
        game = "waiting for people"
    else:
        seen = session.view
        turn = "" if seen.turn is None else f", seat {seen.turn}"
        game = f"{seen.game}, hand {seen.hand_number}: {seen.phase.value}{turn}"
    if source.trouble is not None:
        return f"{game}; no picture from the camera"
    return f"{game}; {source.frame} pictures seen"

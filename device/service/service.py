"""The table as a service: its watchdog, its line of status, and the buttons that switch it off."""

from __future__ import annotations

import os
import termios
from collections.abc import Callable, Mapping

from device.clock import Clock
from device.config.model import PowerConfig
from device.heartbeat import Heartbeats
from device.runtime.camera_worker import ReadingSource
from device.runtime.loop import MainLoop
from device.runtime.session import Session
from device.service.power_off import open_switch
from device.service.systemd import Notifier
from device.service.watchdog import Watchdog
from display import Window


class Service:
    """The link between the table and the service manager; without a manager it does nothing.

    Attributes:
        heartbeats: of the workers: camera, vision and display.
    """

    def __init__(self, clock: Clock, environment: Mapping[str, str] | None = None) -> None:
        """Tell the manager that the start has begun.

        Args:
            clock: the machine's.
            environment: where the manager names its socket and the runtime folder.
        """
        self._environment = environment
        self._notifier = Notifier(environment)
        self._watchdog: Watchdog | None = None
        self.heartbeats = Heartbeats(clock, self._notifier.watchdog_s)
        own_the_console(os.environ if environment is None else environment)
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

        Args:
            loop: each of its good steps says that the screen is drawn; its panels may hold the
                buttons that switch off.
            source: its first frame makes the table ready.
            session: returns the session in progress.
            power: which buttons switch off.
            window: shows what these buttons are about to do; the display may be lost.
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

    SDL reads the keyboard itself. systemd resets the terminal when the service ends.

    Args:
        environment: tells whether this is the service; a person's terminal is left alone.
        terminal: number of the open file.
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

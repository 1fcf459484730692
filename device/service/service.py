"""The table as a service: its watchdog, its line of status, and the buttons that switch it off."""

from __future__ import annotations

import os
import termios
from collections.abc import Callable, Collection, Mapping

from device.clock import Clock
from device.config.model import PowerConfig
from device.heartbeat import Heartbeats
from device.ports import Panel
from device.runtime.camera_worker import ReadingSource
from device.runtime.loop import MainLoop
from device.runtime.session import Session
from device.service.power_off import open_switch
from device.service.systemd import Notifier
from device.service.watchdog import Watchdog
from display import Window


class Service:
    """What stands between the table and the service manager; without one it keeps silent.

    Attributes:
        hearts: for the eyes to show that they live.
    """

    def __init__(self, clock: Clock, environment: Mapping[str, str] | None = None) -> None:
        """Say that the start has begun.

        Args:
            clock: the machine's.
            environment: where the manager names its socket and the runtime folder.
        """
        self._clock, self._environment = clock, environment
        self._notifier = Notifier(environment)
        self._watchdog: Watchdog | None = None
        self.hearts = Heartbeats(clock, self._notifier.watchdog_s)
        own_the_console(os.environ if environment is None else environment)
        self._notifier.send(STATUS="starting: journal, networks, camera and screen")

    def attend(
        self,
        loop: MainLoop,
        eyes: ReadingSource,
        session: Callable[[], Session | None],
        *,
        panels: Collection[Panel] = (),
        power: PowerConfig | None = None,
        window: Window | None = None,
    ) -> None:
        """Listen to *loop* from now on.

        Args:
            loop: its every good step says that the screen is drawn.
            eyes: their first picture makes the table ready.
            session: the sitting in progress.
            panels: may hold the buttons that switch off.
            power: which they are.
            window: shows what these buttons are about to do; the display may be lost.
        """
        watchdog = Watchdog(
            self._notifier,
            self._clock,
            eyes,
            self.hearts,
            lambda: status(session(), eyes),
            lambda: window is not None and window.is_lost,
        )
        self._watchdog = watchdog
        switch = open_switch(
            power or PowerConfig(),
            panels,
            self._clock,
            show=(lambda page: None) if window is None else window.show_page,
            alive=watchdog.beat,
            environment=self._environment,
        )

        def beat() -> None:
            watchdog.beat()
            if switch is not None:
                switch.tick()

        loop.heartbeat = beat

    def close(self) -> None:
        """Say that the program ends; may be called twice."""
        if self._watchdog is not None:
            self._watchdog.stop()
            self._watchdog = None
        self._notifier.close()


def own_the_console(environment: Mapping[str, str], terminal: int = 0) -> None:
    """Let no key of the console be a signal: Ctrl-C on the table's keyboard ends no game.

    SDL listens to the keyboard itself; what reaches the terminal as well is not echoed. systemd
    sets the terminal right again when the service ends.

    Args:
        environment: says whether this is the service; a person's terminal is left alone.
        terminal: number of the open file.
    """
    if not environment.get("NOTIFY_SOCKET") or not os.isatty(terminal):
        return
    modes = termios.tcgetattr(terminal)
    modes[3] &= ~(termios.ISIG | termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, modes)


def status(session: Session | None, eyes: ReadingSource) -> str:
    """Return how things stand in a line, without names: every user of the machine may read it."""
    if session is None:
        game = "waiting for people"
    else:
        seen = session.view
        turn = "" if seen.turn is None else f", seat {seen.turn}"
        game = f"{seen.game}, hand {seen.hand_number}: {seen.phase.value}{turn}"
    if eyes.trouble is not None:
        return f"{game}; no picture from the camera"
    return f"{game}; {eyes.frame} pictures seen"

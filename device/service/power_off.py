"""Switching the machine off at the table: buttons held down together for a while.

boneace itself may not switch anything off: it runs as a user of its own, without privileges. It
leaves a file in its runtime folder, and systemd, which waits for it (``boneace-power-off.path``),
shuts the machine down in order.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Collection, Mapping
from enum import Enum, auto
from pathlib import Path

from device.config.model import PowerConfig
from device.hardware.buttons import GpioPanel
from device.ports import Button, Panel
from display.pages.base import Page
from display.pages.list import Item, ListPage
from engine.core.messages.message import Message

log = logging.getLogger(__name__)

REQUEST = "power-off"
"""Name of the file in the runtime folder; ``systemd/boneace-power-off.path`` waits for it."""

NOTICED_S = 1.0
"""Held for less than this, buttons are pressed and no more."""

PATIENCE_S = 60.0
"""The machine goes down within this time, or nobody has heard."""


class Phase(Enum):
    """How far somebody is in switching off."""

    IGNORED = auto()  # down since the start, or since a request that failed: nobody's wish
    READY = auto()
    HELD = auto()
    REQUESTED = auto()


class PowerSwitch:
    """Watches the buttons that switch off, and asks for it when they were held long enough."""

    def __init__(
        self, held: Callable[[], Collection[Button]], config: PowerConfig, request: Path
    ) -> None:
        """Watch what *held* returns: the buttons of the console that are down now.

        *config* says which count, and for how long; *request* is the file that asks for it.
        """
        self._held, self._request = held, request
        self._wanted = frozenset(Button(name) for name in config.buttons)
        self._hold_s = float(config.hold_s)
        self._phase, self._since_s = Phase.IGNORED, 0.0
        request.unlink(missing_ok=True)

    def tick(self, now_s: float) -> Page | None:
        """Check the buttons; a task of the main loop, which shows the page that is returned.

        When they were held long enough the machine goes down within :data:`PATIENCE_S`, and the
        service manager ends the program.
        """
        if self._phase is Phase.REQUESTED:
            return self._wait_for_the_end(now_s)
        held_s = now_s - self._since_s
        if not self._wanted or not self._wanted <= set(self._held()):
            if self._phase is Phase.HELD and held_s >= NOTICED_S:
                log.info("the buttons that switch off were let go; the game goes on")
            self._phase = Phase.READY
        elif self._phase is Phase.READY:
            self._phase, self._since_s = Phase.HELD, now_s
        elif self._phase is Phase.HELD and held_s >= self._hold_s:
            return self._switch_off(now_s)
        elif self._phase is Phase.HELD and held_s >= NOTICED_S:
            return _keep_holding(self._hold_s - held_s)
        return None

    def _switch_off(self, now_s: float) -> Page | None:
        try:
            self._request.touch()
        except OSError as problem:
            log.error(
                "the machine cannot be switched off here (%s); run: sudo systemctl poweroff",
                problem,
            )
            self._phase = Phase.IGNORED
            return None
        log.info("switching the machine off: the buttons were held")
        self._phase, self._since_s = Phase.REQUESTED, now_s
        return _going_down()

    def _wait_for_the_end(self, now_s: float) -> Page | None:
        if now_s - self._since_s < PATIENCE_S:
            return _going_down()
        self._phase = Phase.IGNORED
        self._request.unlink(missing_ok=True)
        log.error(
            "nobody has switched the machine off; look at: systemctl status boneace-power-off.path"
        )
        return None


def open_switch(
    config: PowerConfig,
    panels: Collection[Panel],
    environment: Mapping[str, str] = os.environ,
) -> PowerSwitch | None:
    """Return the switch that the config asks for; ``None`` where there is none or it cannot work.

    Only buttons on the header can be held. systemd names the runtime folder in *environment*.
    """
    if not config.buttons:
        return None
    header = [panel for panel in panels if isinstance(panel, GpioPanel)]
    folder = environment.get("RUNTIME_DIRECTORY")
    if not header or not folder:
        log.warning(
            "[power] buttons switch nothing off here: %s; switch off with: sudo systemctl poweroff",
            "no header is used" if folder else "this is not the service",
        )
        return None

    def held() -> set[Button]:
        return {button for panel in header for button, seat in panel.held() if seat is None}

    request = Path(folder.split(":")[0]) / REQUEST
    return PowerSwitch(held, config, request)


def _keep_holding(left_s: float) -> ListPage:
    return ListPage(
        title=Message("Keep holding to switch off"),
        note=Message("Let go to play on."),
        items=(Item(Message("Seconds left"), str(math.ceil(left_s))),),
    )


def _going_down() -> ListPage:
    return ListPage(
        title=Message("Switching off"),
        note=Message("Nothing is lost: the hand goes on at the next start."),
        items=(Item(Message("Pull the plug only when the screen is dark.")),),
    )

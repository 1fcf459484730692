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
from pathlib import Path

from device.clock import Clock
from device.config.model import PowerConfig
from device.hardware.buttons import GpioPanel
from device.ports import Button, Panel
from display.i18n.translate import _
from display.pages.base import Page
from display.pages.list import Item, ListPage

log = logging.getLogger(__name__)

REQUEST = "power-off"
"""Name of the file in the runtime folder; ``systemd/boneace-power-off.path`` waits for it."""

NOTICED_S = 1.0
"""Held for less than this, buttons are pressed and no more."""

PACE_S = 0.05
"""Between two looks at the buttons while they are held."""

PATIENCE_S = 60.0
"""The machine goes down within this time, or nobody has heard."""


class PowerSwitch:
    """Watches the buttons that switch off, and asks for it when they were held long enough."""

    def __init__(
        self,
        held: Callable[[], Collection[Button]],
        config: PowerConfig,
        clock: Clock,
        request: Path,
        *,
        show: Callable[[Page], object] = lambda page: None,
        alive: Callable[[], object] = lambda: None,
    ) -> None:
        """Watch.

        Args:
            held: the buttons of the console that are down now.
            config: which count, and for how long.
            clock: the machine's.
            request: the file that asks for it.
            show: puts a page on the glass.
            alive: called while the game stands still: a watchdog listens to it.
        """
        self._held, self._clock, self._request = held, clock, request
        self._wanted = frozenset(Button(name) for name in config.buttons)
        self._hold_s = float(config.hold_s)
        self._show, self._alive = show, alive
        self._since_s: float | None = None
        # A button that is down already when the machine starts is stuck, and nobody's wish.
        self._is_armed = False
        request.unlink(missing_ok=True)

    def tick(self) -> None:
        """Look at the buttons; while they are held the game stands still, and says so.

        Returns when they are let go. When they were held long enough the machine goes down while
        this waits, and the service manager ends the program.
        """
        asked = False
        while (down_s := self._down_s()) >= NOTICED_S and down_s < self._hold_s:
            asked = True
            self._show(_keep_holding(self._hold_s - down_s))
            self._alive()
            self._clock.wait(PACE_S)
        if down_s >= self._hold_s:
            self._switch_off()
        elif asked:
            log.info("the buttons that switch off were let go; the game goes on")

    def _down_s(self) -> float:
        """Return for how long all the buttons have been down together."""
        if not self._wanted or not self._wanted <= set(self._held()):
            self._is_armed, self._since_s = True, None
            return 0.0
        if not self._is_armed:
            return 0.0
        now_s = self._clock.monotonic()
        if self._since_s is None:
            self._since_s = now_s
        return now_s - self._since_s

    def _switch_off(self) -> None:
        self._is_armed, self._since_s = False, None
        try:
            self._request.touch()
        except OSError as problem:
            log.error(
                "the machine cannot be switched off here (%s); run: sudo systemctl poweroff",
                problem,
            )
            return
        log.info("switching the machine off: the buttons were held")
        until_s = self._clock.monotonic() + PATIENCE_S
        while self._clock.monotonic() < until_s:
            self._show(_going_down())
            self._alive()
            self._clock.wait(PACE_S)
        self._request.unlink(missing_ok=True)
        log.error(
            "nobody has switched the machine off; look at: systemctl status boneace-power-off.path"
        )


def open_switch(
    config: PowerConfig,
    panels: Collection[Panel],
    clock: Clock,
    *,
    show: Callable[[Page], object],
    alive: Callable[[], object],
    environment: Mapping[str, str] | None = None,
) -> PowerSwitch | None:
    """Return the switch that the config asks for; ``None`` where there is none or it cannot work.

    Args:
        config: which buttons, and for how long.
        panels: all there are; only buttons on the header can be held.
        clock: the machine's.
        show: as for :class:`PowerSwitch`.
        alive: as for :class:`PowerSwitch`.
        environment: where systemd names the runtime folder.
    """
    if not config.buttons:
        return None
    header = [panel for panel in panels if isinstance(panel, GpioPanel)]
    folder = (os.environ if environment is None else environment).get("RUNTIME_DIRECTORY")
    if not header or not folder:
        log.warning(
            "[power] buttons switch nothing off here: %s; switch off with: sudo systemctl poweroff",
            "no header is used" if folder else "this is not the service",
        )
        return None

    def held() -> set[Button]:
        return {button for panel in header for button, seat in panel.held() if seat is None}

    request = Path(folder.split(":")[0]) / REQUEST
    return PowerSwitch(held, config, clock, request, show=show, alive=alive)


def _keep_holding(left_s: float) -> ListPage:
    return ListPage(
        title=_("Keep holding to switch off"),
        note=_("Let go to play on."),
        items=(Item(_("Seconds left"), str(math.ceil(left_s))),),
    )


def _going_down() -> ListPage:
    return ListPage(
        title=_("Switching off"),
        note=_("Nothing is lost: the hand goes on at the next start."),
        items=(Item(_("Pull the plug only when the screen is dark.")),),
    )

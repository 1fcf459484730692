"""Buttons that stay down because a cup stands on one, or it is jammed."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Iterable

from device.hardware.buttons import GpioPanel
from device.ports import Button, Panel
from display.controls import BUTTON_WORDS
from engine.core.messages.message import N_, Message, Value

log = logging.getLogger(__name__)

STUCK_S = 30.0
"""A button held this long is stuck; the longest hold with a meaning takes a few seconds."""

PACE_S = 1.0
"""Between two checks: reading every pin in every frame would be most of an idle table's work."""

Key = tuple[Button, int | None]
"""A button and its seat; ``None`` is the console's."""

_KNOB = Message("the knob")


class StuckButtons:
    """Notices which buttons have been down for too long.

    Attributes:
        keys: those that are stuck.
    """

    def __init__(self, held: Callable[[], Iterable[Key]]) -> None:
        """Ask *held* which buttons are down now."""
        self.keys: tuple[Key, ...] = ()
        self._held = held
        self._since_s: dict[Key, float] = {}
        self._logged: set[Key] = set()
        self._next_s = -math.inf

    def check(self, now_s: float) -> None:
        """Find out which buttons are stuck at *now_s*; each is logged once."""
        if now_s < self._next_s:
            return
        self._next_s = now_s + PACE_S
        down = set(self._held())
        self._since_s = {key: self._since_s.get(key, now_s) for key in down}
        self._logged &= down
        stuck = tuple(key for key, since_s in self._since_s.items() if now_s - since_s >= STUCK_S)
        for key in stuck:
            if key not in self._logged:
                self._logged.add(key)
                where = "console" if key[1] is None else f"seat {key[1] + 1}"
                log.warning("the button %s (%s) stays down; lift it", key[0], where)
        self.keys = tuple(sorted(stuck, key=_place))


def held_buttons(panels: Collection[Panel]) -> Callable[[], Iterable[Key]]:
    """Return a function that returns which buttons on the header of *panels* are down."""
    header = [panel for panel in panels if isinstance(panel, GpioPanel)]
    return lambda: (key for panel in header for key in panel.held())


def stuck_words(stuck: Collection[Key]) -> Value:
    """Return what is wrong, and what to do; nothing where nothing is stuck.

    >>> str(stuck_words([(Button.HAVE, 2)]))
    'HAVE at seat 3 is held down: let go of it, or lift it.'
    """
    for button, seat in stuck:
        name = BUTTON_WORDS.get(button, _KNOB)
        if seat is None:
            return Message("{button} is held down: let go of it, or lift it.", button=name)
        where = N_("{button} at seat {n} is held down: let go of it, or lift it.")
        return Message(where, button=name, n=seat + 1)
    return ""


def _place(key: Key) -> tuple[int, str]:
    """Sort key: the console first, then the seats."""
    return (-1 if key[1] is None else key[1], key[0])

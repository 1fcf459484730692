"""Lamps and the buzzer, by gpiozero."""

from __future__ import annotations

import logging
import math
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from device.clock import Clock, SystemClock
from device.ports import Lamps

if TYPE_CHECKING:
    from display.chimes import Chime

log = logging.getLogger(__name__)

FLASH_S = 0.5
"""On and off times of a winner's lamp: one flash a second, far below the three a second that may
harm people with photosensitive epilepsy (WCAG 2.3.1)."""

PULSE_S = 2.4
"""Period of the lamp of the player whose turn it is, where lamps can be dimmed."""

LOW = 0.3
"""The lowest brightness of a pulse: never dark, so that it is always seen."""

GAMMA = 2.2
"""Perceived brightness is not linear: half the current looks far brighter than half."""

STEPS = 32
"""Steps of brightness from dark to full."""

BEEPS: Mapping[str, tuple[float, ...]] = {
    "turn": (0.06,),
    "card": (0.02,),
    "question": (0.06, 0.08, 0.06),
    "bone-ace": (0.04, 0.05, 0.04, 0.05, 0.2),
    "bone": (0.04, 0.05, 0.15),
    "thirty-one": (0.05, 0.05, 0.05, 0.05, 0.25),
    "knock": (0.05, 0.1, 0.05),
    "five": (0.03, 0.04, 0.03, 0.04, 0.03, 0.04, 0.03, 0.04, 0.03),
    "bank": (0.08, 0.08, 0.08, 0.08, 0.08),
    "last-life": (0.15, 0.15, 0.3),
    "match": (0.1, 0.06, 0.1, 0.06, 0.1, 0.06, 0.4),
    "win": (0.1, 0.06, 0.1, 0.06, 0.3),
    "bust": (0.35,),
    "trouble": (0.2, 0.15, 0.2, 0.15, 0.2),
    "undo": (0.03, 0.05, 0.03),
}
"""Beeps of each :class:`display.chimes.Chime`: seconds on, off, on ... at one pitch. Keys are the
chimes' names: importing them would import pygame.
"""


def brightness(lamps: Lamps, seat: int, for_s: float, *, dims: bool) -> float:
    """Return the perceived brightness of the lamp of *seat*, 0 to 1, after *for_s* seconds.

    A lamp that cannot be dimmed is on or off.
    """
    if seat in lamps.winners:
        return 1.0 if for_s % (2 * FLASH_S) < FLASH_S else 0.0
    if seat in lamps.lit:
        return 1.0
    if seat != lamps.turn:
        return 0.0
    if not dims:
        return 1.0
    swing = 0.5 + 0.5 * math.cos(2 * math.pi * for_s / PULSE_S)
    return LOW + (1.0 - LOW) * swing


class LampBoard:
    """The lamps on the header, by gpiozero's ``LEDBoard``.

    The patterns run on the caller's clock, not on threads: what is lit depends on the time alone.
    """

    def __init__(
        self,
        seats: Mapping[int, int],
        attention: int | None = None,
        *,
        clock: Clock | None = None,
        full: float = 1.0,
        pin_factory: Any = None,
    ) -> None:
        """Claim the BCM pins of the *seats*' lamps, and of the console's own: *attention*.

        *full* is how bright "on" looks, 0 to 1, where lamps can be dimmed; *clock* is the
        machine's when ``None``.

        Raises:
            gpiozero.GPIOZeroError: a pin cannot be used.
        """
        self._clock: Clock = clock or SystemClock()
        self._full = full
        self._seats = tuple(seats)
        self._lit: Lamps | None = None
        self._since_s = 0.0
        self._board: Any = None
        self.dims = False
        names = {f"seat{seat}": pin for seat, pin in seats.items()}
        if attention is not None:
            names["attention"] = attention
        if not names:
            return
        import gpiozero

        try:
            self._board = gpiozero.LEDBoard(**names, pwm=True, pin_factory=pin_factory)
            self.dims = True
        except gpiozero.PinPWMUnsupported:
            log.debug("the lamps cannot be dimmed here: they are on or off")
            self._board = gpiozero.LEDBoard(**names, pwm=False, pin_factory=pin_factory)

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and turn off all others; call it with every frame."""
        now_s = self._clock.monotonic()
        if lamps != self._lit:
            self._lit, self._since_s = lamps, now_s
        for seat in self._seats:
            self._set(f"seat{seat}", brightness(lamps, seat, now_s - self._since_s, dims=self.dims))
        self._set("attention", 1.0 if lamps.attention else 0.0)

    def light(self, seat: int | None) -> None:
        """Light one lamp alone, for the button test; *seat* ``None`` is the console's."""
        self.show(Lamps(attention=True) if seat is None else Lamps(winners=(seat,)))

    def close(self) -> None:
        """Release the pins; may be called twice."""
        if self._board is not None:
            self._board.close()
            self._board = None

    def _set(self, name: str, level: float) -> None:
        lamp = getattr(self._board, name, None) if self._board is not None else None
        if lamp is None:
            return
        if self.dims:
            # Finer steps cannot be seen, and would change the pins with every frame.
            level = round(level * STEPS) / STEPS
        value = (level * self._full) ** GAMMA if self.dims else level
        if lamp.value != value:
            lamp.value = value


class Buzzer:
    """An active buzzer (one that beeps by itself when it has current)."""

    def __init__(self, pin: int, *, clock: Clock | None = None, pin_factory: Any = None) -> None:
        """Claim *pin*, a BCM number.

        Raises:
            gpiozero.GPIOZeroError: the pin cannot be used.
        """
        import gpiozero

        self._clock: Clock = clock or SystemClock()
        self._device: Any = gpiozero.Buzzer(pin, pin_factory=pin_factory)
        self._pattern: tuple[float, ...] = ()
        self._since_s = 0.0

    def beep(self, chime: Chime) -> None:
        """Start the beeps of *chime*; they replace any that still sound."""
        self._pattern, self._since_s = BEEPS[chime], self._clock.monotonic()
        self.tick()

    def tick(self) -> None:
        """Switch the buzzer when that is due; call it with every frame."""
        if self._device is None:
            return
        ends_s = list(accumulate(self._pattern))
        part = bisect_right(ends_s, self._clock.monotonic() - self._since_s)
        sounds = part < len(ends_s) and part % 2 == 0
        if self._device.is_active != sounds:
            self._device.value = sounds

    def close(self) -> None:
        """Stop the sound and release the pin; may be called twice."""
        if self._device is not None:
            self._device.close()
            self._device = None

"""The button test: light every lamp, then wait for each button and the knob."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from device.clock import Clock
from device.diagnostics.check import Check, failed, info, ok
from device.hardware.buttons import GpioPanel, Pins
from device.hardware.pins import Wire, WireKind, wires
from device.ports import Button, Lamps, Press
from display.chimes import Chime

WAIT_S = 10.0
"""Time to find a button and press it."""

LIT_S = 1.5
"""How long each lamp is lit."""

STEP_S = 0.02
"""Pause between two polls."""

Key = tuple[Button, int | None]


@dataclass
class ButtonTest:
    """Tries the wires of one panel, one after another.

    Attributes:
        panel: holds the pins.
        pins: what is wired where, the panel's own.
        clock: measures the waiting.
        wait_s: how long each button and the knob are waited for, seconds.
        say: tells the person at the table what to do.
    """

    panel: GpioPanel
    pins: Pins
    clock: Clock
    wait_s: float = WAIT_S
    say: Callable[[str], None] = print

    def __post_init__(self) -> None:
        """Sort the wires."""
        self._of: dict[WireKind, list[Wire]] = {kind: [] for kind in WireKind}
        for wire in wires(self.pins):
            self._of[wire.kind].append(wire)
        self._lamps = {wire.seat for wire in self._of[WireKind.LAMP]}
        self._of_key: dict[Key, Wire] = {
            (Button(wire.key.rsplit(".", 1)[-1]), wire.seat): wire
            for wire in self._of[WireKind.BUTTON]
        }

    def run(self) -> list[Check]:
        """Test the lamps and the buzzer, then the buttons, then the knob."""
        lamps = [(wire, self._lamp(wire)) for wire in self._of[WireKind.LAMP]]
        beeps = [(wire, self._buzzer(wire)) for wire in self._of[WireKind.BUZZER]]
        down = set(self.panel.held())
        presses = [
            (wire, self._button(key, wire, key in down)) for key, wire in self._of_key.items()
        ]
        checks = [replace(check, title=wire.label) for wire, check in (*lamps, *beeps, *presses)]
        if knob := self._of[WireKind.KNOB]:
            checks.append(replace(self._knob(knob), title="Console: knob"))
        self.panel.show(Lamps())
        return checks

    def _lamp(self, wire: Wire) -> Check:
        self.say(f"Lit now: {wire.label}")
        if self.panel.lamps is not None:
            self.panel.lamps.light(wire.seat)
        self._pass(LIT_S)
        self.panel.show(Lamps())
        return info(
            f"was switched on ({_where(wire)}); only you can see whether it lit",
            f"if it stayed dark: turn the LED round, and look at its resistor, at its wire and at "
            f"ground, pin {wire.ground}",
        )

    def _buzzer(self, wire: Wire) -> Check:
        self.say(f"Beeps now: {wire.label}")
        self.panel.beep(Chime.WIN)
        self._pass(LIT_S)
        return info(
            f"beeped ({_where(wire)})",
            "if it was silent: turn it round; a passive buzzer cannot be used, take an active one",
        )

    def _button(self, key: Key, wire: Wire, down: bool) -> Check:
        if down:
            return failed(
                f"is down though nobody presses it ({_where(wire)})",
                "its wire touches ground, or a button of the other kind (normally closed) is "
                "built in; part the wires and try again",
            )
        self.say(f"Press: {wire.label} ({self.wait_s:g} s)")
        if wire.seat in self._lamps and self.panel.lamps is not None:
            self.panel.lamps.light(wire.seat)
        others: list[Wire] = []
        self.panel.poll(0.0)  # what was pressed before does not count
        pressed = self._await(lambda press: self._is_it(press, key, others))
        self.panel.show(Lamps())
        if pressed:
            return ok(f"answers ({_where(wire)})")
        if others:
            other = others[-1]
            return failed(
                f"no press came on its {_where(wire)}; {other.label} came instead "
                f"({_where(other)})",
                f"if the right button was pressed: swap the two wires, or the pins of {wire.key} "
                f"and {other.key} in the config",
            )
        return failed(
            f"no press within {self.wait_s:g} s ({_where(wire)})",
            f"look at the wire on pin {wire.place} and at the other leg, which belongs on ground, "
            f"pin {wire.ground}; compare with: boneace wiring",
        )

    def _is_it(self, press: Press, key: Key, others: list[Wire]) -> bool:
        if (press.button, press.seat) == key:
            return True
        other = self._of_key.get((press.button, press.seat))
        if other is not None:
            self.say(f"  that was: {other.label}")
            others.append(other)
        return False

    def _knob(self, phases: list[Wire]) -> Check:
        where = " and ".join(_where(wire) for wire in phases)
        self.say(f"Turn the knob to the right ({self.wait_s:g} s)")
        left: list[Press] = []

        def right(press: Press) -> bool:
            if press.button is Button.LEFT and press.seat is None:
                left.append(press)
            return press.button is Button.RIGHT and press.seat is None

        if self._await(right):
            return ok(f"turns ({where})")
        if left:
            return failed(
                f"turns the wrong way ({where})",
                "swap a and b in the config: [panel.knob]",
            )
        return failed(
            f"no step within {self.wait_s:g} s ({where})",
            f"look at its two wires; its middle leg belongs on ground, pin {phases[0].ground}",
        )

    def _await(self, wanted: Callable[[Press], bool]) -> bool:
        until_s = self.clock.monotonic() + self.wait_s
        while True:
            for press in self.panel.poll(self.clock.monotonic()):
                if wanted(press):
                    return True
            if self.clock.monotonic() >= until_s:
                return False
            self.clock.wait(STEP_S)

    def _pass(self, seconds: float) -> None:
        until_s = self.clock.monotonic() + seconds
        while self.clock.monotonic() < until_s:
            self.clock.wait(STEP_S)
            if self.panel.buzzer is not None:
                self.panel.buzzer.tick()


def _where(wire: Wire) -> str:
    return f"pin {wire.place}, BCM {wire.pin}"

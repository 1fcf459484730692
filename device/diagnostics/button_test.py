"""The button test: light every lamp, then wait for each button and the knob."""

from __future__ import annotations

from collections.abc import Callable

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


class ButtonTest:
    """Tries the wires of one panel, one after another."""

    def __init__(
        self,
        panel: GpioPanel,
        pins: Pins,
        clock: Clock,
        *,
        wait_s: float = WAIT_S,
        say: Callable[[str], None] = print,
    ) -> None:
        """Prepare the test.

        Args:
            panel: holds the pins.
            pins: what is wired where, the panel's own.
            clock: measures the waiting.
            wait_s: how long each button and the knob are waited for, seconds.
            say: tells the person at the table what to do.
        """
        self._panel = panel
        self._clock = clock
        self._wait_s = wait_s
        self._say = say
        self._wires = wires(pins)
        self._lamps = {wire.seat for wire in self._wires if wire.kind is WireKind.LAMP}
        self._of_key: dict[Key, Wire] = {}
        for wire in self._wires:
            if wire.kind is WireKind.BUTTON:
                self._of_key[Button(wire.key.rsplit(".", 1)[-1]), wire.seat] = wire

    def run(self) -> list[Check]:
        """Test the lamps and the buzzer, then the buttons, then the knob."""
        checks = [self._lamp(wire) for wire in self._wires if wire.kind is WireKind.LAMP]
        checks += [self._buzzer(wire) for wire in self._wires if wire.kind is WireKind.BUZZER]
        down = set(self._panel.held())
        checks += [self._button(key, wire, key in down) for key, wire in self._of_key.items()]
        knob = [wire for wire in self._wires if wire.kind is WireKind.KNOB]
        if knob:
            checks.append(self._knob(knob))
        self._panel.show(Lamps())
        return checks

    def _lamp(self, wire: Wire) -> Check:
        self._say(f"Lit now: {wire.label}")
        if self._panel.lamps is not None:
            self._panel.lamps.light(wire.seat)
        self._pass(LIT_S)
        self._panel.show(Lamps())
        return info(
            f"was lit ({_where(wire)})",
            f"if it stayed dark: turn the LED round, and look at its resistor and at ground, "
            f"pin {wire.ground}",
            title=wire.label,
        )

    def _buzzer(self, wire: Wire) -> Check:
        self._say(f"Beeps now: {wire.label}")
        self._panel.beep(Chime.WIN)
        self._pass(LIT_S)
        return info(
            f"beeped ({_where(wire)})",
            "if it was silent: turn it round; a passive buzzer cannot be used, take an active one",
            title=wire.label,
        )

    def _button(self, key: Key, wire: Wire, down: bool) -> Check:
        if down:
            return failed(
                f"is down though nobody presses it ({_where(wire)})",
                "its wire touches ground, or a button of the other kind (normally closed) is "
                "built in; part the wires and try again",
                title=wire.label,
            )
        self._say(f"Press: {wire.label} ({self._wait_s:g} s)")
        if wire.seat in self._lamps and self._panel.lamps is not None:
            self._panel.lamps.light(wire.seat)
        others: list[Wire] = []
        self._panel.poll(0.0)  # what was pressed before does not count
        pressed = self._await(lambda press: self._is_it(press, key, others))
        self._panel.show(Lamps())
        if pressed:
            return ok(f"answers ({_where(wire)})", title=wire.label)
        if others:
            other = others[-1]
            return failed(
                f"no press came on its {_where(wire)}; {other.label} came instead "
                f"({_where(other)})",
                f"if the right button was pressed: swap the two wires, or the pins of {wire.key} "
                f"and {other.key} in the config",
                title=wire.label,
            )
        return failed(
            f"no press within {self._wait_s:g} s ({_where(wire)})",
            f"look at the wire on pin {wire.place} and at the other leg, which belongs on ground, "
            f"pin {wire.ground}; compare with: boneace wiring",
            title=wire.label,
        )

    def _is_it(self, press: Press, key: Key, others: list[Wire]) -> bool:
        if (press.button, press.seat) == key:
            return True
        other = self._of_key.get((press.button, press.seat))
        if other is not None:
            self._say(f"  that was: {other.label}")
            others.append(other)
        return False

    def _knob(self, phases: list[Wire]) -> Check:
        where = " and ".join(_where(wire) for wire in phases)
        self._say(f"Turn the knob to the right ({self._wait_s:g} s)")
        left: list[Press] = []

        def right(press: Press) -> bool:
            if press.button is Button.LEFT and press.seat is None:
                left.append(press)
            return press.button is Button.RIGHT and press.seat is None

        if self._await(right):
            return ok(f"turns ({where})", title="Console: knob")
        if left:
            return failed(
                f"turns the wrong way ({where})",
                "swap a and b in the config: [panel.knob]",
                title="Console: knob",
            )
        return failed(
            f"no step within {self._wait_s:g} s ({where})",
            f"look at its two wires; its middle leg belongs on ground, pin {phases[0].ground}",
            title="Console: knob",
        )

    def _await(self, wanted: Callable[[Press], bool]) -> bool:
        until_s = self._clock.monotonic() + self._wait_s
        while True:
            for press in self._panel.poll(self._clock.monotonic()):
                if wanted(press):
                    return True
            if self._clock.monotonic() >= until_s:
                return False
            self._clock.wait(STEP_S)

    def _pass(self, seconds: float) -> None:
        until_s = self._clock.monotonic() + seconds
        while self._clock.monotonic() < until_s:
            self._clock.wait(STEP_S)
            if self._panel.buzzer is not None:
                self._panel.buzzer.tick()


def _where(wire: Wire) -> str:
    return f"pin {wire.place}, BCM {wire.pin}"

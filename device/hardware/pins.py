"""The wires of the header: names, conflicts, reserved pins, and advice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from device.hardware.buttons import Pins
from device.ports import Button

PHYSICAL: Mapping[int, int] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number to place on the 40-pin header, the same on every Pi since 2014."""

POWER: Mapping[int, str] = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""Places on the header, counted from 1."""

RESERVED: Mapping[str, Mapping[int, str]] = {
    "eeprom": {0: "ID_SD", 1: "ID_SC"},
    "i2c": {2: "SDA", 3: "SCL"},
    "one-wire": {4: "data"},
    "spi": {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
    "uart": {14: "TXD", 15: "RXD"},
    "i2s": {18: "BCLK", 19: "LRCLK", 20: "DIN", 21: "DOUT"},
}
"""Other uses of pins: interface to its BCM pins and their signals."""

INTERFACES = tuple(name for name in RESERVED if name != "eeprom")
"""Interfaces that may be switched on; the ID EEPROM of add-on boards is always on."""

_OFF: Mapping[str, str] = {
    "i2c": "raspi-config, Interface Options, I2C",
    "one-wire": "raspi-config, Interface Options, 1-Wire",
    "spi": "raspi-config, Interface Options, SPI",
    "uart": "raspi-config, Interface Options, Serial Port",
    "i2s": "take the audio overlay out of /boot/firmware/config.txt",
}
"""How each is switched off."""

USABLE = len(PHYSICAL) - len(RESERVED["eeprom"])
"""Number of pins for wires: 26."""

FIRST_PULLED_DOWN = 9
"""From this BCM number on a Pi pulls its pins down at start, so lamps stay dark until lit."""


class WireKind(StrEnum):
    """Part at the end of a wire."""

    BUTTON = "button"
    LAMP = "lamp"
    KNOB = "knob"
    BUZZER = "buzzer"


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from the header.

    Attributes:
        key: its place in the config, such as ``panel.seats.2.stick``.
        label: for people, such as ``"Seat 3: stick"``; they count seats from 1.
        pin: BCM number.
        seat: counted from 0; ``None`` for the console.
    """

    key: str
    label: str
    kind: WireKind
    pin: int
    seat: int | None = None

    @property
    def place(self) -> int:
        """Return the place on the header, 1 to 40."""
        return PHYSICAL[self.pin]

    @property
    def ground(self) -> int:
        """Return the nearest place on the header that is ground."""
        return min(GROUNDS, key=lambda ground: (abs(ground - self.place), ground))

    @property
    def advice(self) -> str:
        """Return how the wire is connected."""
        glows = self.kind is WireKind.LAMP and self.pin < FIRST_PULLED_DOWN
        return _ADVICE[self.kind].format(self.ground) + ("; glows at power-up" if glows else "")


_ADVICE: Mapping[WireKind, str] = {
    WireKind.BUTTON: "one leg here, the other to ground (pin {})",
    WireKind.LAMP: "330 ohm, long leg of the LED, short leg to ground (pin {})",
    WireKind.KNOB: "phase of the encoder; its middle leg (C) to ground (pin {})",
    WireKind.BUZZER: "+ of an active 3.3 V buzzer, - to ground (pin {}); 16 mA at most",
}

_LABELS: Mapping[Button, str] = {Button.HAVE: "have it", Button.PUSH: "knob, push"}
"""Labels of buttons that are not called by their name."""


def wires(pins: Pins) -> tuple[Wire, ...]:
    """Return every wire that *pins* names: the console's, then the seats' in order."""
    found = []
    for (button, seat), pin in pins.buttons.items():
        label = _LABELS.get(button, button.value)
        if seat is not None:
            key, label = f"panel.seats.{seat}.{button}", f"Seat {seat + 1}: {label}"
        else:
            key = "panel.knob.push" if button is Button.PUSH else f"panel.console.{button}"
            label = f"Console: {label}"
        found.append(Wire(key, label, WireKind.BUTTON, pin, seat))
    for phase, pin in zip("ab", pins.knob or (), strict=False):
        label = f"Console: knob, {phase.upper()}"
        found.append(Wire(f"panel.knob.{phase}", label, WireKind.KNOB, pin))
    if pins.attention_lamp is not None:
        found.append(
            Wire("panel.attention_lamp", "Console: lamp", WireKind.LAMP, pins.attention_lamp)
        )
    if pins.buzzer is not None:
        found.append(Wire("panel.buzzer", "Console: buzzer", WireKind.BUZZER, pins.buzzer))
    for seat, pin in pins.turn_lamps.items():
        found.append(
            Wire(f"panel.seats.{seat}.lamp", f"Seat {seat + 1}: lamp", WireKind.LAMP, pin, seat)
        )
    return tuple(sorted(found, key=lambda wire: -1 if wire.seat is None else wire.seat))


def find_conflicts(pins: Pins, interfaces: Collection[str] = ()) -> list[str]:
    """Return a sentence for every pin with two uses, and what to do about it.

    *interfaces* are the names of :data:`INTERFACES` that are switched on.
    """
    named = wires(pins)
    found = []
    if len(named) > USABLE:
        found.append(_too_many(named))
    users: dict[int, list[Wire]] = {}
    for wire in named:
        users.setdefault(wire.pin, []).append(wire)
    free = [pin for pin in sorted(PHYSICAL) if pin not in users and not _holders(pin, interfaces)]
    for pin in sorted(users):
        keys = [wire.key for wire in users[pin]]
        if len(keys) > 1:
            found.append(
                f"panel: pin {pin} is used {len(keys)} times, by {_and(keys)}; give every button "
                f"and lamp its own{_such_as(free)}"
            )
        for interface in _holders(pin, interfaces):
            role = f"{RESERVED[interface][pin]} of {interface.upper()}"
            taken = f"pin {pin} is taken, it is also {role}"
            other = f"choose another{_such_as(free)}"
            if interface == "eeprom":
                board = "the ID of add-on boards, read at every start"
                found.append(f"{keys[0]}: {taken} ({board}); {other}")
            else:
                off = f"or switch {interface} off: {_OFF[interface]}"
                found.append(f"{_and(keys)}: {taken}; {other}, {off}")
    return found


def _holders(pin: int, interfaces: Collection[str]) -> list[str]:
    on = ("eeprom", *interfaces)
    return [name for name, held in RESERVED.items() if name in on and pin in held]


def _too_many(named: tuple[Wire, ...]) -> str:
    seats = Counter(wire.seat for wire in named)
    console = seats.pop(None, 0)
    left = USABLE - console
    most = max(seats.values(), default=0)
    cure = "leave some out"
    if most and left >= most:
        cure = (
            f"the console takes {console}, which leaves {left}: wires of {most} for "
            f"{left // most} seats, or a lamp alone for each ({len(seats)})"
        )
    return (
        f"panel: {len(named)} wires want a pin each and the header has {USABLE}; {cure}. "
        "Boards with more pins, such as the MCP23017, are not supported yet"
    )


def _such_as(free: list[int]) -> str:
    # Pins that start pulled down come first: they suit lamps as well as buttons.
    best = sorted(free, key=lambda pin: (pin < FIRST_PULLED_DOWN, pin))[:2]
    return f", such as {' or '.join(str(pin) for pin in best)}" if best else ""


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def interfaces_on(root: Path = Path("/")) -> tuple[str, ...]:
    """Return which of :data:`INTERFACES` this machine has switched on; none but on a Pi.

    *root* is where ``proc``, ``dev`` and ``sys`` are.
    """
    model = _text(root / "proc/device-tree/model")
    if "Raspberry Pi" not in model:
        return ()
    # A Pi 5 has its console on a plug of its own: serial0 is not on the header there.
    serial = "ttyAMA0" if "Pi 5" in model else "serial0|ttyAMA0|ttyS0"
    console = re.search(rf"\bconsole=({serial})\b", _text(root / "proc/cmdline"))
    signs = {
        "i2c": (root / "dev/i2c-1").exists(),
        "one-wire": any((root / "sys/bus/w1/devices").glob("w1_bus_master*")),
        "spi": any((root / "dev").glob("spidev0.*")),
        "uart": console is not None,
    }
    return tuple(name for name, is_on in signs.items() if is_on)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def table(pins: Pins) -> str:
    """Return the pin table as text, in the order of the header."""
    rows = [("pin", "BCM", "use", "how")]
    rows += [
        (str(wire.place), str(wire.pin), wire.label, wire.advice)
        for wire in sorted(wires(pins), key=lambda wire: wire.place)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"{place:>{widths[0]}}  {pin:>{widths[1]}}  {use:<{widths[2]}}  {how}".rstrip()
        for place, pin, use, how in rows
    ]
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)

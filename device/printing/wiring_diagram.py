"""The wiring as a diagram: the header in the middle, every part beside its pin."""

from __future__ import annotations

from collections.abc import Sequence

from device.hardware.buttons import Pins
from device.hardware.pins import GROUNDS, PHYSICAL, POWER, RESERVED, Wire, WireKind, wires
from device.printing.shapes import INK, Box, Disc, Line, Shape, Text
from engine.core.text.counted import counted

WIDTH, HEIGHT = 1600, 1270
"""Of the diagram, in points."""

PAPER, SOFT = "#fbf7ec", "#6c7478"
BOARD, GOLD, HOLE = "#1d5c46", "#d9b45b", "#10241d"
CHIP = "#ffffff"
CONSOLE = "#8a5a00"
SEATS = (
    "#0072b2", "#d55e00", "#009e73", "#b8508a", "#3f86b5", "#7a7a00", "#6a3d9a", "#a32638",
)  # fmt: skip
"""A colour for each seat's leads, after Okabe and Ito (2008): colour-blind people can tell them
apart. The label names the seat as well."""

ROW, TOP = 46.0, 178.0
COLUMNS = (WIDTH / 2 - 21, WIDTH / 2 + 21)
BOX_W, BOX_H = 340.0, 38.0
MARGIN = 60.0


def draw(pins: Pins) -> tuple[Shape, ...]:
    """Return the shapes of the diagram of *pins*, the lowest first."""
    named = wires(pins)
    return (
        Box(0, 0, WIDTH, HEIGHT, PAPER),
        *_title(named),
        *_legend(named),
        *_board(),
        *(shape for wire in named for shape in _lead(wire)),
        *(shape for wire in named for shape in _part(wire)),
        *_pins(named),
        *_foot(),
    )


def _pin_y(place: int) -> float:
    return TOP + ROW * ((place - 1) // 2) + ROW / 2


def _pin_x(place: int) -> float:
    return COLUMNS[(place + 1) % 2]


def _colour(wire: Wire) -> str:
    return CONSOLE if wire.seat is None else SEATS[wire.seat % len(SEATS)]


def _title(named: Sequence[Wire]) -> list[Shape]:
    seats = len({wire.seat for wire in named if wire.seat is not None})
    parts = f"{counted(len(named), 'wire')}: console"
    parts += f" and {counted(seats, 'seat')}" if seats else ""
    return [
        Text("boneace · wiring", MARGIN, 62, 40),
        Text(f"{parts}. Header seen from above, pin 1 at the end of the SD card.", MARGIN, 108,
             22, SOFT),
    ]  # fmt: skip


def _legend(named: Sequence[Wire]) -> list[Shape]:
    shapes: list[Shape] = []
    owners = sorted({-1 if wire.seat is None else wire.seat for wire in named})
    x = WIDTH - MARGIN - 92.0 * len(owners)
    for owner in owners:
        colour = CONSOLE if owner < 0 else SEATS[owner % len(SEATS)]
        shapes.append(Box(x, 46, 84, 32, colour, radius=16))
        words = "Console" if owner < 0 else f"Seat {owner + 1}"
        shapes.append(Text(words, x + 42, 62, 16, "#ffffff", 0.5))
        x += 92
    return shapes


def _board() -> list[Shape]:
    left, right = COLUMNS[0] - 124, COLUMNS[1] + 124
    top, bottom = TOP - 26, TOP + 20 * ROW + 26
    return [
        Box(left, top, right - left, bottom - top, BOARD, radius=22),
        Box(COLUMNS[0] - 23, TOP - 4, 88, 20 * ROW + 8, HOLE, radius=6),
        # The square pad that marks pin 1.
        Box(COLUMNS[0] - 17, TOP + ROW / 2 - 17, 34, 34, "", GOLD, radius=2),
    ]


def _pins(named: Sequence[Wire]) -> list[Shape]:
    used = {wire.place: wire for wire in named}
    of_place = {place: pin for pin, place in PHYSICAL.items()}
    ground_of = {wire.ground for wire in named}
    shapes: list[Shape] = []
    for place in range(1, 41):
        x, y = _pin_x(place), _pin_y(place)
        left = place % 2 == 1
        middle = x - 66 if left else x + 66
        if place in POWER:
            name, fill = POWER[place], "#c0392b" if POWER[place] == "5V" else "#d98242"
        elif place in GROUNDS:
            name, fill = "GND", "#05080a" if place in ground_of else "#3a4346"
        else:
            pin = of_place[place]
            name = "ID" if pin in RESERVED["eeprom"] else f"GPIO{pin}"
            fill = _colour(used[place]) if place in used else "#8fa39a"
        shapes.append(Disc(x, y, 13, fill, GOLD if place in used or place in ground_of else ""))
        shapes.append(Text(str(place), x, y, 13, "#ffffff", 0.5))
        if place in used:
            # On a tag, since the lead runs behind it.
            shapes.append(Box(middle - 37, y - 13, 74, 26, fill, "#ffffff", 13))
        bright = place in used or place in ground_of or place in POWER
        shapes.append(Text(name, middle, y, 15, "#ffffff" if bright else "#8fb3a4", 0.5))
    return shapes


def _lead(wire: Wire) -> list[Shape]:
    """Draw a straight lead: every part lies level with its pin."""
    y, side = _pin_y(wire.place), _side(wire)
    end = _box_x(side) + (0 if side else BOX_W)
    path = ((_pin_x(wire.place), y), (end, y))
    return [Line(path, PAPER, 9), Line(path, _colour(wire), 5)]


def _side(wire: Wire) -> int:
    """Return 0 for the odd pins on the left, 1 for the even ones on the right."""
    return 1 - wire.place % 2


def _box_x(side: int) -> float:
    return WIDTH - MARGIN - BOX_W if side else MARGIN


def _part(wire: Wire) -> list[Shape]:
    """Draw one part: its icon next to the lead, its name, and its ground."""
    y, side = _pin_y(wire.place), _side(wire)
    x, colour = _box_x(side), _colour(wire)
    top = y - BOX_H / 2
    icon = x + (22 if side else BOX_W - 22)
    label = x + 46 if side else x + BOX_W - 46
    far = x + BOX_W - 12 if side else x + 12
    shapes: list[Shape] = [Box(x, top, BOX_W, BOX_H, CHIP, colour, radius=9)]
    shapes += _icon(wire.kind, icon, y, colour)
    shapes.append(Text(wire.label, label, y, 20, INK, 0.0 if side else 1.0))
    shapes.append(Text(f"GND {wire.ground}", far, y, 15, SOFT, 1.0 if side else 0.0))
    return shapes


def _icon(kind: WireKind, x: float, y: float, colour: str) -> list[Shape]:
    match kind:
        case WireKind.BUTTON:
            return [Disc(x, y, 13, "#e3ddcd", INK), Disc(x, y, 8, colour)]
        case WireKind.LAMP:
            rays: list[Shape] = [
                Line(((x + dx * 9, y + dy * 9), (x + dx * 14, y + dy * 14)), "#c88a00", 2.5)
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7),
                               (0.7, -0.7), (-0.7, -0.7))
            ]  # fmt: skip
            return [*rays, Disc(x, y, 7, "#ffd54a", INK)]
        case WireKind.KNOB:
            return [Disc(x, y, 13, colour, INK), Line(((x, y), (x + 7, y - 8)), "#ffffff", 3)]
        case WireKind.BUZZER:
            return [Disc(x, y, 13, "#2b2f33", INK), Disc(x, y, 4, "#d9d9d9")]


def _foot() -> list[Shape]:
    lines = (
        "Button: one leg to its pin, the other to ground. No resistor: the Pi pulls the pin up.",
        "Lamp: pin - 330 ohm - long leg of the LED; short leg to ground. "
        "Buzzer: active, 3.3 V, 16 mA at most.",
        "Knob: A and B to their pins, C to ground; its push is a button. "
        "Never connect 5V or 3V3 to any of these.",
        "GND n is the nearest ground; parts may share one. Switch the Pi off before you wire.",
    )
    top = TOP + 20 * ROW + 66
    return [
        Text(words, WIDTH / 2, top + 27 * number, 19, SOFT, 0.5)
        for number, words in enumerate(lines)
    ]

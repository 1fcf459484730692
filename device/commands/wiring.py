"""``boneace wiring``: which wire goes where, as a table and as a picture."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.config.model import load
from device.files import write_file
from device.hardware import pins as wiring
from device.hardware.buttons import PanelError, Pins
from device.ports import Button

EXAMPLE = Pins(
    {
        (Button.STICK, None): 5,
        (Button.HAVE, None): 6,
        (Button.NEXT, None): 13,
        (Button.UNDO, None): 19,
        (Button.MENU, None): 26,
        (Button.PUSH, None): 22,
        **{(Button.STICK, seat): pin for seat, pin in enumerate((12, 20, 23, 25))},
        **{(Button.HAVE, seat): pin for seat, pin in enumerate((16, 21, 24, 8))},
    },
    {0: 9, 1: 10, 2: 11, 3: 15},
    attention_lamp=14,
    knob=(17, 27),
    buzzer=18,
)
"""A console and four seats; it leaves I2C, one-wire and the header's ID pins alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace wiring --png wiring.png"
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it, for print")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw it, as a picture")
    parser.add_argument(
        "--example", action="store_true", help="a console and four seats, not what the config names"
    )


def run(args: argparse.Namespace) -> int:
    """Print the table and draw the diagram; return 1 when the pins cannot be used."""
    pins = EXAMPLE if args.example else load().panel.pins()
    if not wiring.wires(pins):
        raise PanelError(
            "no pins are named in the config, so there is nothing to wire; name them "
            "([panel.console] have = 6), or look at a whole table's: boneace wiring --example"
        )
    conflicts = wiring.find_conflicts(pins, wiring.interfaces_on())
    print(wiring.table(pins))
    for conflict in conflicts:
        print(conflict, file=sys.stderr)
    if args.svg is not None or args.png is not None:
        from device.printing.shapes import save_png, svg
        from device.printing.wiring_diagram import HEIGHT, WIDTH, draw

        shapes, size = draw(pins), (WIDTH, HEIGHT)
        if args.svg is not None:
            _write(args.svg, svg(shapes, size, "boneace: wiring"))
        if args.png is not None:
            save_png(shapes, size, args.png)
    return int(bool(conflicts))


def _write(path: Path, text: str) -> None:
    try:
        write_file(path, text.encode())
    except OSError as problem:
        raise PanelError(
            f"cannot write the picture {str(path)!r}: {problem}; choose a folder you may write"
        ) from problem

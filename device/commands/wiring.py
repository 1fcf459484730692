"""``boneace wiring``: which wire goes where, as a table and as a picture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.config.model import load
from device.files import write_file
from device.hardware import pins as wiring
from device.hardware.buttons import PanelError, Pins
from device.ports import Button
from device.usage import UsageError

if TYPE_CHECKING:
    # The table of pins must not wait for pygame.
    from device.printing.shapes import Shape, Size

EXAMPLE = Pins(
    {
        (Button.STICK, None): 27,
        (Button.HAVE, None): 17,
        (Button.NEXT, None): 22,
        (Button.UNDO, None): 23,
        (Button.MENU, None): 24,
        (Button.PUSH, None): 13,
        **{(Button.STICK, seat): pin for seat, pin in enumerate((12, 20, 19, 25))},
        **{(Button.HAVE, seat): pin for seat, pin in enumerate((16, 21, 26, 8))},
    },
    {0: 9, 1: 10, 2: 11, 3: 15},
    attention_lamp=14,
    knob=(5, 6),
    buzzer=18,
)
"""A console and four seats; it leaves I2C, one-wire and the header's ID pins alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace wiring --png wiring.png"
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it, for print")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw it, as a picture")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--example", action="store_true", help="a console and four seats, not what the config names"
    )
    which.add_argument(
        "--rig", action="store_true", help="draw the whole table instead: camera, lamps, box"
    )


def run(args: argparse.Namespace) -> int:
    """Print the table and draw the diagram; return 1 when the pins cannot be used."""
    if args.rig:
        return _draw_rig(args)
    pins = EXAMPLE if args.example else load().panel.pins()
    if not wiring.wires(pins):
        raise PanelError(
            "no pins are named in the config, so there is nothing to wire; name them "
            "([panel.console] have = 17), or look at a whole table's: boneace wiring --example"
        )
    conflicts = wiring.find_conflicts(pins, wiring.interfaces_on())
    print(wiring.table(pins))
    for conflict in conflicts:
        print(conflict, file=sys.stderr)
    if args.svg is not None or args.png is not None:
        from device.printing.wiring_diagram import HEIGHT, WIDTH, draw

        _save(draw(pins), (WIDTH, HEIGHT), "boneace: wiring", args)
    return int(bool(conflicts))


def _draw_rig(args: argparse.Namespace) -> int:
    from device.printing.rig_drawing import SIZE, draw

    if args.svg is None and args.png is None:
        raise UsageError("--rig only draws: say where to, with --svg FILE or --png FILE")
    _save(draw(), SIZE, "boneace: the whole table", args)
    return 0


def _save(shapes: Sequence[Shape], size: Size, title: str, args: argparse.Namespace) -> None:
    from device.printing.shapes import save_png, svg

    if args.svg is not None:
        _write(args.svg, svg(shapes, size, title))
    if args.png is not None:
        save_png(shapes, size, args.png)


def _write(path: Path, text: str) -> None:
    try:
        write_file(path, text.encode())
    except OSError as problem:
        raise PanelError(
            f"cannot write the picture {str(path)!r}: {problem}; choose a folder you may write"
        ) from problem

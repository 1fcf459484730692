"""``boneace mat``: print a play mat."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from device.printing.mat_pdf import TILES, mat_pdf, page_size, tiles, write_pdf
from engine.core.text.counted import counted
from engine.core.text.limits import one_line
from vision.mat.artwork import bar_mm
from vision.mat.layout import ENOUGH
from vision.mat.pose import PAPERS, MatError, MatLayout


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace mat --seats 4 --paper A2 --tile A4 -o mat.pdf"
    parser.add_argument("--seats", type=int, default=4, help="how many, 2 to 8; default: 4")
    parser.add_argument(
        "--paper",
        type=_paper,
        default="A1",
        metavar="PAPER",
        help=f"{', '.join(PAPERS)}; default: A1",
    )
    parser.add_argument(
        "--tile",
        type=_one_of(TILES),
        metavar="PAGE",
        help=f"cut it to pages to tape together: {', '.join(TILES)}",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write"
    )


def run(args: argparse.Namespace) -> int:
    """Write the mat."""
    layout = MatLayout(args.seats, args.paper)
    content = mat_pdf(layout, args.tile)
    write_pdf(args.output, content)
    room = layout.fits()
    cards = counted(room, "card")
    held = f"{layout.paper}, {layout.seats} seats, {cards} side by side in each"
    print(one_line(f"{args.output}: {held}"))
    if room < ENOUGH:
        print(_larger(layout, room), file=sys.stderr)
    print(_how_to_print(layout, args.tile), file=sys.stderr)
    return 0


def _larger(layout: MatLayout, room: int) -> str:
    """Return what a small mat means, and which papers are large enough."""
    little = (
        f"A seat holds only {counted(room, 'card')} side by side; three are dealt, and more are "
        f"drawn. Cards that lie on each other are harder to read:"
    )
    larger = [name for name in PAPERS if _fits(layout.seats, name) >= ENOUGH]
    if not larger:
        return f"{little} take fewer seats."
    larger.sort(key=lambda name: PAPERS[name][0] * PAPERS[name][1])
    # The smallest of each series: the reader's printer knows one of them.
    iso = next((name for name in larger if name.startswith("A") and name[1:].isdecimal()), None)
    ansi = next((name for name in larger if name.startswith("ANSI")), None)
    papers = " or ".join(f"--paper {name}" for name in (iso, ansi) if name is not None)
    return f"{little} for {ENOUGH} or more take {papers}."


def _fits(seats: int, paper: str) -> int:
    try:
        return MatLayout(seats, paper).fits()
    except MatError:
        return 0


def _how_to_print(layout: MatLayout, tile: str | None) -> str:
    size = f"then check that the bar on it measures {bar_mm(layout):.0f} mm."
    if tile is None:
        return f"Print it in its true size (100 %), {size}"
    pages = tiles(layout, tile)
    width, height = page_size(layout, tile)
    way = "upright" if width < height else "sideways"
    return (
        f"Print the {len(pages)} pages on {tile} {way} in true size (100 %), {size}\n"
        f"Cut at the solid marks and lay each edge on the dashed mark of the page before: "
        f"{pages[0].name} is top left, {pages[-1].name} bottom right."
    )


def _paper(text: str) -> str:
    """Return the paper's own spelling; of a page too small for a mat say how to print on it.

    Raises:
        argparse.ArgumentTypeError: it is no paper of a mat.
    """
    pages = {name.casefold(): name for name in TILES if name not in PAPERS}
    page = pages.get(text.casefold())
    if page is None:
        return _one_of(PAPERS)(text)
    whole = "A2" if page == "A4" else "ANSI-C"
    raise argparse.ArgumentTypeError(
        f"{page} is too small for a mat; print a larger one on several pages of it: "
        f"--paper {whole} --tile {page}"
    )


def _one_of(names: Iterable[str]) -> Callable[[str], str]:
    """Return what takes a name in any case and gives its own spelling."""
    spelled = {name.casefold(): name for name in names}

    def parse(text: str) -> str:
        if text.casefold() not in spelled:
            known = ", ".join(spelled.values())
            raise argparse.ArgumentTypeError(f"{text!r} is not known; choose one of {known}")
        return spelled[text.casefold()]

    return parse

"""``boneace card``: print a card for visitors, to lay beside the table."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.printing.mat_pdf import write_pdf
from device.printing.visitor_card import PAGES, visitor_card
from display.i18n.languages import LANGUAGES, languages
from engine.core.text.limits import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace card --language fr --page A5 -o card.pdf"
    parser.add_argument(
        "--language",
        action="append",
        choices=list(LANGUAGES.names),
        metavar="CODE",
        help="one of its languages; may be repeated; default: all of them",
    )
    parser.add_argument(
        "--page", choices=list(PAGES), default="A4", help=f"{', '.join(PAGES)}; default: A4"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write"
    )


def run(args: argparse.Namespace) -> int:
    """Write the card."""
    chosen = tuple(dict.fromkeys(args.language or languages()))
    content = visitor_card(chosen, args.page)
    write_pdf(args.output, content)
    print(one_line(f"{args.output}: a card for visitors, {args.page}, in {', '.join(chosen)}"))
    return 0

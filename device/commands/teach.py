"""``boneace teach``: enrol a deck of cards, or a set of bones."""

from __future__ import annotations

import argparse
import importlib

WHAT = {
    "deck": "the cards of a deck",
    "bones": "the four faces of a set of knucklebones",
}
"""Kinds of enrolment; ``device/commands/teach_KIND.py`` runs each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace teach deck grandmother"
    things = parser.add_subparsers(dest="thing", metavar="WHAT", required=True)
    for name, summary in WHAT.items():
        sub = things.add_parser(name, help=summary, description=f"Teach {summary}.")
        importlib.import_module(f"device.commands.teach_{name}").add_arguments(sub)


def run(args: argparse.Namespace) -> int:
    """Run ``teach deck`` or ``teach bones``."""
    return int(importlib.import_module(f"device.commands.teach_{args.thing}").run(args))

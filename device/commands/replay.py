"""``boneace replay``: the story of the hands in a journal."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.journal import Journal, JournalError, Sitting, default_path
from device.session import opening, retell
from device.story import closing_lines, opening_lines, tell
from engine import TABLE, Event, view
from engine.views import View


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace replay --sitting 3"
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")
    parser.add_argument("--sitting", type=int, help="which sitting, from 1; default: the last")


def run(args: argparse.Namespace) -> int:
    """Tell it."""
    with Journal(args.journal or default_path(), read_only=True) as journal:
        for line in story(journal, find_sitting(journal, args.sitting)):
            print(line)
    return 0


def find_sitting(journal: Journal, number: int | None) -> Sitting:
    """Return sitting *number*, or the last.

    Raises:
        JournalError: it is not there; the message names those that are.
    """
    sittings = journal.sittings()
    if not sittings:
        raise JournalError(f"{journal.path}: nobody has sat down yet; play a hand: boneace play")
    for sitting in sittings:
        if sitting.number == number:
            return sitting
    if number is None:
        return sittings[-1]
    raise JournalError(
        f"--sitting: there is no sitting {number}; choose one from {sittings[0].number} to "
        f"{sittings[-1].number}"
    )


def story(journal: Journal, sitting: Sitting) -> list[str]:
    """Return the lines of the story of *sitting*."""
    lines = opening_lines(view(opening(sitting), TABLE))

    def listen(event: Event, before: View, after: View) -> None:
        lines.extend(tell(event, before, after))

    state = retell(journal, sitting, listen)
    return [*lines, "", *closing_lines(view(state, TABLE))]

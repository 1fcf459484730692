"""``boneace replay``: the story of the hands in a journal, or in a game record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from device.narration.story import closing_lines, opening_lines, tell
from device.storage.journal import Journal, JournalError, SessionRecord, default_path
from device.storage.record_files import RecordFileError, examine
from device.storage.replay import Listener, fold, opening, replay_session
from engine import TABLE, Event, State, view
from engine.core.errors import BoneAceError
from engine.core.text.limits import escape_controls
from engine.core.views import View


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace replay --sitting 3, or: boneace replay evening.json"
    parser.add_argument("record", nargs="?", type=Path, metavar="FILE.json", help="a game record")
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")
    parser.add_argument("--sitting", type=int, help="which sitting, from 1; default: the last")


def run(args: argparse.Namespace) -> int:
    """Tell it."""
    doubts: list[str] = []
    if args.record is not None:
        record, doubts = examine(args.record)
        try:
            record.final()  # names the event that is refused, if one is
        except BoneAceError as problem:
            raise RecordFileError(f"{args.record}: {problem}") from problem
        lines = story(record.opening, (event for _, event in record.events))
    else:
        with Journal(args.journal or default_path(), read_only=True) as journal:
            sitting = find_sitting(journal, args.sitting)
            lines = story_of_sitting(journal, sitting)
    for line in lines:
        print(line)
    for doubt in doubts:
        print(escape_controls(f"boneace replay: {args.record}: {doubt}"), file=sys.stderr)
    return 1 if doubts else 0


def find_sitting(journal: Journal, number: int | None) -> SessionRecord:
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


def story_of_sitting(journal: Journal, sitting: SessionRecord) -> list[str]:
    """Return the lines of the story of *sitting*."""
    return _story(opening(sitting), lambda listen: replay_session(journal, sitting, listen))


def story(start: State, events: Iterable[Event]) -> list[str]:
    """Return the lines of the story of *events*."""
    return _story(start, lambda listen: fold(start, events, listen))


def _story(start: State, play: Callable[[Listener], State]) -> list[str]:
    lines = opening_lines(view(start, TABLE))

    def listen(event: Event, before: View, after: View) -> None:
        lines.extend(tell(event, before, after))

    last = play(listen)
    return [*lines, "", *closing_lines(view(last, TABLE))]

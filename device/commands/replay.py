"""``boneace replay``: the story of the hands in a journal, or in a game record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from device.commands.common import add_journal, add_session, find_session, open_journal
from device.narration.story import closing_lines, opening_lines, tell
from device.storage.journal import Journal, SessionRecord
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
    add_journal(parser)
    add_session(parser, "the last")


def run(args: argparse.Namespace) -> int:
    """Print the story; return 1 when the record is doubtful or the journal damaged."""
    doubts: list[str] = []
    damaged = False
    if args.record is not None:
        record, doubts = examine(args.record)
        try:
            record.final()  # names the event that is refused, if one is
        except BoneAceError as problem:
            raise RecordFileError(f"{args.record}: {problem}") from problem
        lines = story(record.opening, (event for _, event in record.events))
    else:
        with open_journal(args) as journal:
            lines = story_of_session(journal, find_session(journal, args.sitting))
            damaged = bool(journal.damage)
    for line in lines:
        print(line)
    for doubt in doubts:
        print(escape_controls(f"boneace replay: {args.record}: {doubt}"), file=sys.stderr)
    return 1 if doubts or damaged else 0


def story_of_session(journal: Journal, session: SessionRecord) -> list[str]:
    """Return the lines of the story of *session*."""
    return _story(opening(session), lambda listen: replay_session(journal, session, listen))


def story(start: State, events: Iterable[Event]) -> list[str]:
    """Return the lines of the story of *events*."""
    return _story(start, lambda listen: fold(start, events, listen))


def _story(start: State, play: Callable[[Listener], State]) -> list[str]:
    lines = opening_lines(view(start, TABLE))

    def listen(event: Event, before: View, after: View) -> None:
        lines.extend(tell(event, before, after))

    last = play(listen)
    return [*lines, "", *closing_lines(view(last, TABLE))]

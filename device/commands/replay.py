"""``boneace replay``: the story of the hands in a journal, or in a game record."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.commands import common
from device.narration.story import closing_lines, opening_lines, tell
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.replay import Listener, fold, opening, replay_session
from device.storage.record_files import RecordFileError, examine
from display.i18n.translate import Translator
from engine import TABLE, Event, State, view
from engine.core.errors import BoneAceError
from engine.core.views import View


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace replay --sitting 3, or: boneace replay evening.json"
    parser.add_argument("record", nargs="?", type=Path, metavar="FILE.json", help="a game record")
    common.add_unsealed(parser)
    common.add_journal(parser)
    common.add_session(parser, "the last")
    common.add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Print the story; return 1 when the record is doubtful or the journal damaged."""
    words = Translator.of(common.language_of(args))
    doubts: list[str] = []
    damaged = False
    if args.record is not None:
        record, doubts = examine(args.record, unsealed=args.unsealed)
        try:
            record.final()  # names the event that is refused, if one is
        except BoneAceError as problem:
            raise RecordFileError(f"{args.record}: {problem}") from problem
        events = [event for _, event in record.events]
        lines = _story(record.opening, partial(fold, record.opening, events), words)
    else:
        with common.open_journal(args) as journal:
            lines = story_of_session(journal, common.find_session(journal, args.session), words)
            damaged = bool(journal.damage)
    print(*lines, sep="\n")
    for doubt in doubts:
        common.complain(f"boneace replay: {args.record}: {doubt}")
    return 1 if doubts or damaged else 0


def story_of_session(
    journal: JournalReader, session: SessionRecord, words: Translator
) -> list[str]:
    """Return the lines of the story of *session*."""
    return _story(opening(session), partial(replay_session, journal, session), words)


def _story(start: State, play: Callable[[Listener], State], words: Translator) -> list[str]:
    lines = opening_lines(view(start, TABLE), words)

    def listen(event: Event, before: View, after: View) -> None:
        lines.extend(tell(event, before, after, words))

    last = play(listen)
    return [*lines, "", *closing_lines(view(last, TABLE), words)]

"""``boneace replay``: the story of the hands in a journal, or in a game record."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from device.commands import common
from device.croupier.by_hand import BY_HAND
from device.narration.story import closing_lines, opening_lines, tell
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.replay import fold, opening, play_session
from device.storage.record_files import RecordFileError, examine
from display.i18n.translate import Translator
from engine import TABLE, Event, State, view
from engine.core.errors import BoneAceError
from engine.core.messages.message import N_
from engine.core.views import View

ASSUMED = N_("{line} (assumed)")


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
        lines = _story(record.opening, events, dict(record.assumed), words)
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
    """Return the lines of the story of *session*, up to the first event that cannot be used."""
    played = play_session(journal, session)
    marks = {place: row.assumed.decode() for place, row in enumerate(played.rows) if row.assumed}
    return _story(opening(session), [event for _, event in played.events], marks, words)


def _story(
    start: State, events: Sequence[Event], marks: Mapping[int, str], words: Translator
) -> list[str]:
    """Return the story of *events*; of each that was not seen or said *marks* tells why."""
    lines = opening_lines(view(start, TABLE), words)
    place = 0

    def listen(event: Event, before: View, after: View) -> None:
        nonlocal place
        told = tell(event, before, after, words)
        first = next((number for number, line in enumerate(told) if line), None)
        if first is not None and marks.get(place, BY_HAND) != BY_HAND:
            told[first] = words(ASSUMED).format(line=told[first])
        lines.extend(told)
        place += 1

    last = fold(start, events, listen)
    return [*lines, "", *closing_lines(view(last, TABLE), words)]

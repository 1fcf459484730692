"""``boneace export``: a session of the journal as a game record."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from device.commands import common
from device.files import write_file
from device.storage.journal.reader import SessionRecord
from device.storage.journal.replay import for_each_session
from device.storage.record_files import RecordFileError, of_session
from engine.core.errors import BoneAceError
from engine.core.text.counted import counted
from engine.core.text.limits import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace export --out evening.json"
    common.add_session(parser, "the last")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="default: standard output")
    parser.add_argument(
        "--all", type=Path, metavar="FOLDER", help="every sitting, each as FOLDER/sitting-N.json"
    )
    parser.add_argument(
        "--repairs",
        action="store_true",
        help="also what was only assumed and then taken back by a repair",
    )
    common.add_journal(parser)


def run(args: argparse.Namespace) -> int:
    """Write the record, or all of them; return 1 when a session is left out or damaged."""
    if args.all is not None:
        return _write_all(args)
    with common.open_journal(args) as journal:
        session = common.find_session(journal, args.session)
        document = of_session(journal, session, repairs=args.repairs)
        status = 1 if journal.damage else 0
    if args.out is None:
        print(_text(document))
        print(_summary("exported", document), file=sys.stderr)
    else:
        _write(args.out, document)
    return status


def _write_all(args: argparse.Namespace) -> int:
    if args.out is not None or args.session is not None:
        raise RecordFileError("--all writes every sitting; leave --out and --sitting away")
    with common.open_journal(args) as journal:
        common.find_session(journal, None)  # says what to do where there is none
        sessions = journal.sittings()
        try:
            args.all.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise RecordFileError(
                f"{args.all}: cannot be made ({problem.strerror}); choose another place"
            ) from problem
        written = 0
        export = partial(of_session, repairs=args.repairs)
        for session, document in for_each_session(journal, sessions, export, _left_out):
            _write(args.all / f"sitting-{session.number}.json", document)
            written += 1
        return 0 if written == len(sessions) and not journal.damage else 1


def _left_out(session: SessionRecord, problem: BoneAceError) -> None:
    common.complain(f"boneace export: left out: sitting {session.number}: {problem}")


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)


def _write(path: Path, document: dict[str, Any]) -> None:
    try:
        write_file(path, f"{_text(document)}\n".encode())
    except OSError as problem:
        raise RecordFileError(
            f"{path}: cannot be written ({problem.strerror}); choose another place"
        ) from problem
    print(one_line(_summary(str(path), document)))


def _summary(what: str, document: dict[str, Any]) -> str:
    """Return what was written; the digest belongs on paper (docs/why/audit.md)."""
    events = counted(len(document["events"]), "event")
    hands = counted(len(document["results"]["hands"]), "hand")
    return f"{what}: {events}, {hands}, digest {document['digest'][:16]}"

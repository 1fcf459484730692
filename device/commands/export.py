"""``boneace export``: a sitting of the journal as a game record."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from device.commands.replay import find_sitting
from device.storage.journal import Journal, default_path
from device.storage.record_files import RecordFileError, of_sitting
from engine.core.errors import BoneAceError
from engine.core.text.limits import escape_controls


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace export --out evening.json"
    parser.add_argument("--sitting", type=int, help="which sitting, from 1; default: the last")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="default: standard output")
    parser.add_argument(
        "--all", type=Path, metavar="FOLDER", help="every sitting, each as FOLDER/sitting-N.json"
    )
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")


def run(args: argparse.Namespace) -> int:
    """Write it."""
    if args.all is not None:
        return _write_all(args)
    with Journal(args.journal or default_path(), read_only=True) as journal:
        document = of_sitting(journal, find_sitting(journal, args.sitting))
    if args.out is None:
        sys.stdout.write(_text(document))
        print(_summary("exported", document), file=sys.stderr)
    else:
        _write(args.out, document)
    return 0


def _write_all(args: argparse.Namespace) -> int:
    """Write every sitting; one that cannot be played any more must not hold back the others."""
    if args.out is not None or args.sitting is not None:
        raise RecordFileError("--all writes every sitting; leave --out and --sitting away")
    failed = 0
    with Journal(args.journal or default_path(), read_only=True) as journal:
        sittings = journal.sittings()
        if not sittings:
            find_sitting(journal, None)  # says what to do
        try:
            args.all.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise RecordFileError(
                f"{args.all}: cannot be made ({problem.strerror}); choose another place"
            ) from problem
        for sitting in sittings:
            try:
                document = of_sitting(journal, sitting)
            except BoneAceError as problem:
                failed += 1
                told = f"boneace export: left out: sitting {sitting.number}: {problem}"
                print(escape_controls(told), file=sys.stderr)
                continue
            _write(args.all / f"sitting-{sitting.number}.json", document)
    return 1 if failed else 0


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, document: dict[str, Any]) -> None:
    try:
        path.write_text(_text(document), encoding="utf-8")
    except OSError as problem:
        raise RecordFileError(
            f"{path}: cannot be written ({problem.strerror}); choose another place"
        ) from problem
    print(_summary(str(path), document))


def _summary(what: str, document: dict[str, Any]) -> str:
    """Say what was written; the digits belong on paper (docs/audit.md)."""
    return (
        f"{what}: {len(document['events'])} events, {len(document['results']['hands'])} hands, "
        f"digest {document['digest'][:16]}"
    )

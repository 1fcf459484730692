"""``boneace export``: a sitting of the journal as a game record."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from device.commands.replay import find_sitting
from device.journal import Journal, default_path
from device.records import RecordFileError, of_sitting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace export --out evening.json"
    parser.add_argument("--sitting", type=int, help="which sitting, from 1; default: the last")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="default: standard output")
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")


def run(args: argparse.Namespace) -> int:
    """Write it."""
    with Journal(args.journal or default_path(), read_only=True) as journal:
        document = of_sitting(journal, find_sitting(journal, args.sitting))
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        args.out.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise RecordFileError(
            f"{args.out}: cannot be written ({problem.strerror}); choose another place"
        ) from problem
    print(
        f"{args.out}: {len(document['events'])} events, {len(document['results']['hands'])} hands, "
        f"digest {document['digest'][:16]}"
    )
    return 0

"""``boneace referee FILE.json... [--check]``: replay written game records and judge them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from device.commands.common import add_unsealed, complain
from device.storage.record_files import load_json
from engine.core.errors import BoneAceError
from engine.core.text.limits import LONGEST_TEXT, escape_controls
from engine.records.record import as_case, changes, digest, is_record
from engine.records.referee import cases_of, differences, replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the files and ``--check``."""
    parser.epilog = "Example: boneace referee evening.json --check"
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare with what each case expects; print every difference, exit 1 if there is one",
    )
    add_unsealed(parser)


def run(args: argparse.Namespace) -> int:
    """Replay every file; return 1 if one is bad."""
    good = bad = hands = 0
    for path in args.files:
        try:
            cases = _read(path, args)
        except (BoneAceError, RecursionError) as problem:
            complain(f"boneace referee: {path}: {problem}")
            bad += 1
            continue
        for place, (case, doubts) in enumerate(cases):
            name = escape_controls(str(case.get("id") or f"case {place}"), LONGEST_TEXT)
            played = _judge(path, name, case, args.check, doubts)
            if played is None:
                bad += 1
            else:
                good += 1
                hands += played
    if args.check:
        told = f"{good} as expected, {bad} not (each a record or a case)"
        print(f"{told}; hands as expected: {hands}")
    return 1 if bad else 0


def _judge(
    path: Path, name: str, case: dict[str, Any], check: bool, doubts: list[str]
) -> int | None:
    """Replay one case and print the result; return its finished hands if it is as expected.

    *doubts* are what is doubtful in a record before anything is played.
    """
    try:
        found = replay(case)
        said = [*doubts, *differences(case, found)] if check else []
    except (BoneAceError, RecursionError) as problem:
        complain(f"boneace referee: {path}: {name}: {problem}")
        return None
    if not check:
        print(json.dumps(found, ensure_ascii=False))
    for line in said:
        print(escape_controls(f"{name}: {line}"))
    return None if said else len(found["hands"])


def _read(path: Path, args: argparse.Namespace) -> list[tuple[dict[str, Any], list[str]]]:
    document = load_json(path)
    if not is_record(document):
        return [(case, []) for case in cases_of(document)]
    case = as_case(document)
    if args.check:
        print(escape_controls(f"{path}: digest {digest(document)[:16]}, worked out again"))
    return [(case, changes(document, unsealed=args.unsealed))]

"""``boneace accuracy``: what was read, and what people put right, by card and by seat."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from device.commands.replay import find_sitting
from device.journal import Journal, default_path
from device.misreadings import Readings, audit
from engine.odds.fairness import wilson


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace accuracy --sitting 3"
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")
    parser.add_argument("--sitting", type=int, help="which sitting, from 1; default: all of them")
    parser.add_argument("--json", action="store_true", help="the counts as JSON")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    with Journal(args.journal or default_path(), read_only=True) as journal:
        if args.sitting is not None:
            find_sitting(journal, args.sitting)
        found = audit(journal, args.sitting)
    kinds = {"cards": found.cards, "bones": found.bones}
    if args.json:
        content = {name: _document(readings) for name, readings in kinds.items()}
        print(json.dumps({"sittings": found.sittings, **content}, indent=2))
        return 0
    read = {name: readings for name, readings in kinds.items() if readings.taken}
    if not read:
        print("nothing was read yet; play a hand: boneace play")
    for name, readings in read.items():
        for line in _told(name, readings):
            print(line)
    return 0


def _told(name: str, readings: Readings) -> Iterator[str]:
    taken, wrong = readings.taken.total(), readings.wrong.total()
    low, high = wilson(min(wrong, taken), taken)
    yield (
        f"{name}: {taken} readings, {wrong} put right by people: {wrong / taken:.2%} "
        f"(95 % interval {low:.2%} to {high:.2%})"
    )
    for (was, now), times in _ranked(readings.wrong):
        yield f"  read as {was}, really {now}: {times} of {readings.taken[was]}"
    for seat in sorted(readings.by_seat, key=lambda seat: (seat is None, seat)):
        place = "middle of the table" if seat is None else f"seat {seat}"
        yield f"  {place}: {readings.wrong_by_seat[seat]} of {readings.by_seat[seat]} put right"


def _ranked(counts: Any) -> list[tuple[Any, int]]:
    return sorted(
        ((key, n) for key, n in counts.items() if n), key=lambda each: (-each[1], each[0])
    )


def _document(readings: Readings) -> dict[str, Any]:
    def by_seat(counts: Any) -> dict[str, int]:
        return {"table" if seat is None else str(seat): n for seat, n in counts.items() if n}

    return {
        "taken": dict(sorted(readings.taken.items())),
        "put_right": [
            {"read": was, "really": now, "times": n} for (was, now), n in _ranked(readings.wrong)
        ],
        "by_seat": by_seat(readings.by_seat),
        "put_right_by_seat": by_seat(readings.wrong_by_seat),
    }

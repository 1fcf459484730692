"""``boneace accuracy``: what was read, and what people put right, by card, by seat and by game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from device.commands.common import (
    UNREADABLE,
    add_journal,
    add_session,
    find_session,
    open_journal,
)
from device.data_out import write_json
from device.reports.accuracy import Readings, measure_accuracy, measure_records
from device.storage.record_files import load
from engine.core.text.counted import counted
from engine.games.knucklebones.fairness import wilson


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace accuracy --sitting 3"
    parser.add_argument(
        "records", nargs="*", type=Path, metavar="FILE.json", help="game records; default: journal"
    )
    add_journal(parser)
    add_session(parser, "all of them")
    parser.add_argument("--json", action="store_true", help="the counts as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the counts and shares; return 1 when the journal is damaged."""
    damaged = False
    if args.records:
        found = measure_records(map(load, args.records))
    else:
        with open_journal(args) as journal:
            if args.session is not None:
                find_session(journal, args.session)
            found = measure_accuracy(journal, args.session)
            damaged = bool(journal.damage)
    kinds = {"cards": found.cards, "bones": found.bones}
    if args.json:
        content = {name: _document(readings) for name, readings in kinds.items()}
        write_json({"sittings": found.sittings, **content})
        return int(damaged)
    read = {name: readings for name, readings in kinds.items() if readings.taken}
    if not read:
        told = f"nothing {UNREADABLE}" if damaged else "nothing was read yet"
        print(f"{told}; play a hand before a camera: boneace play")
    for name, readings in read.items():
        print(*_lines(name, readings), sep="\n")
    entered = {name: readings.entered for name, readings in kinds.items() if readings.entered}
    if entered:
        told = " and ".join(counted(number, name[:-1]) for name, number in entered.items())
        print(f"entered by hand, and no readings: {told}")
    return int(damaged)


def _lines(name: str, readings: Readings) -> Iterator[str]:
    count, errors = readings.taken.total(), readings.wrong.total()
    yield f"{name}: {count} readings, {errors} put right by people: {_share(errors, count)}"
    taken, wrong = readings.tally("name")
    for (was, now), times in readings.mistaken():
        yield f"  read as {was}, really {now}: {times} of {taken[was]}"
    for read, times in sorted(wrong.items(), key=lambda each: (-each[1], each[0])):
        yield _line(read, times, taken[read])
    never = [times for read, times in taken.items() if not wrong[read]]
    if never:
        kinds = counted(len(never), "card" if name == "cards" else "face")
        yield (
            f"  {'the other' if wrong else 'all'} {kinds}, {counted(sum(never), 'reading')}: "
            "never put right"
        )
    for seat, times, of in _by(readings, "seat"):
        yield _line("middle of the table" if seat is None else f"seat {seat + 1}", times, of)
    for game, times, of in _by(readings, "game"):
        yield _line(game, times, of)


def _by(readings: Readings, what: str) -> Iterator[tuple[Any, int, int]]:
    """Yield each name, seat or game with its errors and readings; the middle of the table last."""
    taken, wrong = readings.tally(what)
    for each in sorted(taken, key=lambda each: (each is None, each)):
        yield each, wrong[each], taken[each]


def _line(what: str, wrong: int, taken: int) -> str:
    return f"  {what}: {wrong} of {taken} put right: {_share(wrong, taken)}"


def _share(wrong: int, taken: int) -> str:
    """Return the share, and between what the true share is likely to lie."""
    low, high = wilson(wrong, taken)
    return f"{wrong / taken:.2%} (95 % interval {low:.2%} to {high:.2%})"


def _document(readings: Readings) -> dict[str, Any]:
    return {
        **_figures(readings.wrong.total(), readings.taken.total()),
        "entered_by_hand": readings.entered,
        "put_right_as": [
            {"read": was, "really": now, "times": n} for (was, now), n in readings.mistaken()
        ],
        **{
            f"by_{what}": {
                "table" if each is None else str(each): _figures(wrong, taken)
                for each, wrong, taken in _by(readings, what)
            }
            for what in ("name", "seat", "game")
        },
    }


def _figures(wrong: int, taken: int) -> dict[str, Any]:
    """Return readings, those put right, their share, and its 95 % interval; 0 to 1."""
    if not taken:
        return {"readings": 0, "put_right": 0, "share": None, "interval": None}
    low, high = wilson(wrong, taken)
    return {
        "readings": taken,
        "put_right": wrong,
        "share": round(wrong / taken, 6),
        "interval": [round(low, 6), round(high, 6)],
    }

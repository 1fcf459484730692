"""``boneace accuracy``: what was read, and what people put right, by card, by seat and by game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from device.commands.common import add_journal, add_session, find_session, open_journal
from device.reports.accuracy import Readings, measure_accuracy, measure_records
from device.reports.tables import write_json
from device.storage.record_files import load
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
    """Print the counts and shares."""
    if args.records:
        found = measure_records(map(load, args.records))
    else:
        with open_journal(args) as journal:
            if args.sitting is not None:
                find_session(journal, args.sitting)
            found = measure_accuracy(journal, args.sitting)
    kinds = {"cards": found.cards, "bones": found.bones}
    if args.json:
        content = {name: _document(readings) for name, readings in kinds.items()}
        write_json({"sittings": found.sittings, **content})
        return 0
    read = {name: readings for name, readings in kinds.items() if readings.taken}
    if not read:
        print("nothing was read yet; play a hand: boneace play")
    for name, readings in read.items():
        for line in _lines(name, readings):
            print(line)
    return 0


def _lines(name: str, readings: Readings) -> Iterator[str]:
    taken, wrong = readings.taken.total(), readings.wrong.total()
    yield f"{name}: {taken} readings, {_share(wrong, taken, 'put right by people')}"
    for (was, now), times in _ranked(readings.wrong):
        yield f"  read as {was}, really {now}: {times} of {readings.taken[was]}"
    missed = readings.wrong_by_name()
    for read in sorted(missed, key=lambda each: (-missed[each], each)):
        yield f"  {read}: {_share(missed[read], readings.taken[read])}"
    kind = name if name == "cards" else "faces"
    never = [each for each in readings.taken if not missed[each]]
    if never:
        most = sum(readings.taken[each] for each in never)
        count = f"{len(never)} {kind[:-1] if len(never) == 1 else kind}"
        times_read = f"{most} reading{'' if most == 1 else 's'}"
        yield f"  {'the other' if missed else 'all'} {count}, {times_read}: never put right"
    for seat in _seats(readings):
        place = "middle of the table" if seat is None else f"seat {seat}"
        yield f"  {place}: {_share(readings.wrong_by_seat[seat], readings.by_seat[seat])}"
    for game in sorted(readings.by_game):
        yield f"  {game}: {_share(readings.wrong_by_game[game], readings.by_game[game])}"


def _seats(readings: Readings) -> list[int | None]:
    """Return the seats in order, the middle of the table last."""
    return sorted(readings.by_seat, key=lambda seat: (seat is None, seat))


def _share(wrong: int, taken: int, what: str = "") -> str:
    """Return a count with its share, and between what the true share is likely to lie."""
    low, high = wilson(wrong, taken)
    count = f"{wrong} {what}:" if what else f"{wrong} of {taken} put right:"
    return f"{count} {wrong / taken:.2%} (95 % interval {low:.2%} to {high:.2%})"


def _ranked(counts: Any) -> list[tuple[Any, int]]:
    return sorted(
        ((key, n) for key, n in counts.items() if n), key=lambda each: (-each[1], each[0])
    )


def _document(readings: Readings) -> dict[str, Any]:
    missed = readings.wrong_by_name()
    return {
        **_figures(readings.wrong.total(), readings.taken.total()),
        "put_right_as": [
            {"read": was, "really": now, "times": n} for (was, now), n in _ranked(readings.wrong)
        ],
        "by_name": {
            name: _figures(missed[name], readings.taken[name]) for name in sorted(readings.taken)
        },
        "by_seat": {
            "table" if seat is None else str(seat): _figures(
                readings.wrong_by_seat[seat], readings.by_seat[seat]
            )
            for seat in _seats(readings)
        },
        "by_game": {
            game: _figures(readings.wrong_by_game[game], readings.by_game[game])
            for game in sorted(readings.by_game)
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

"""UNDO pressed by mistake at tables that come out right without it: what do they come to?

python -m tests.acceptance.people.slips [--places 3] [--seed 1] [--meant] [--workers 1] [--only X]

Each log of ``tests/unit/device/croupier/logs`` in which nobody presses UNDO is played again once
for each place that the seed draws, with UNDO pressed there while the mat is at rest. People play on
as if nobody had pressed it, so the result of the log must come out, or be asked for. Where a log
ends with the last hand shown, and nobody presses NEXT, UNDO keeps it open; that is right, too.

``--meant``: the cards that came last are taken up after UNDO and laid again, so nothing may change.

What is wrong is printed, by the name of the log and the number of its line, from 0.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from device.simulator.people import setup_for
from tests.support.readings_player import play

LOGS = Path(__file__).parents[2] / "unit" / "device" / "croupier" / "logs"
AGES = (30, 40, 50, 60, 70, 80, 90, 100)
REST_S = 0.2
"""A mat is at rest where nothing comes for so long."""
SAME_MM = 6.0
LIFTED_S, LAID_S, AFTER_S = 1.0, 2.3, 3.0

Line = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A log with UNDO after line *place*, and the truth about it."""

    name: str
    place: int
    lines: tuple[Line, ...]
    told: dict[str, Any]


def tables(path: Path, places: int, seed: int, *, meant: bool) -> Iterator[Table]:
    """Yield a log with UNDO put in at up to *places* places."""
    lines: list[Line] = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    if any(line.get("press") == "undo" for line in lines):
        return
    told = json.loads(path.with_suffix(".json").read_text("utf-8"))
    rests = [number for number in range(len(lines) - 1) if _is_at_rest(lines, number)]
    random.Random(f"{path.stem}{seed}").shuffle(rests)
    for place in sorted(rests[:places]):
        new = _laid_again(lines, place) if meant else _slipped(lines, place)
        if new:
            yield Table(path.stem, place, tuple(new), told)


def _is_at_rest(lines: Sequence[Line], number: int) -> bool:
    line = lines[number]
    if not {"lies", "press"} & line.keys() or lines[number + 1]["t"] - line["t"] < REST_S:
        return False
    seen = [each for each in lines[: number + 1] if {"lies", "hand", "mat"} & each.keys()]
    return bool(seen) and "lies" in seen[-1]


def _slipped(lines: Sequence[Line], place: int) -> list[Line]:
    between = (lines[place]["t"] + lines[place + 1]["t"]) / 2
    return [*lines[: place + 1], {"t": round(between, 3), "press": "undo"}, *lines[place + 1 :]]


def _laid_again(lines: Sequence[Line], place: int) -> list[Line]:
    """Return the lines with the newest cards laid again; none where not only cards came."""
    now = lines[place]
    before = next((line for line in reversed(lines[:place]) if "lies" in line), None)
    if "lies" not in now or before is None:
        return []
    left = [thing for thing in now["lies"] if any(_is_near(thing, old) for old in before["lies"])]
    came = [thing for thing in now["lies"] if thing not in left]
    if not came or len(left) != len(before["lies"]) or any("bone" in thing for thing in came):
        return []
    t = now["t"]
    again: list[Line] = [
        {"t": t + 0.1, "press": "undo"},
        {"t": t + LIFTED_S - 0.4, "hand": None},
        {"t": t + LIFTED_S, "lies": left},
        {"t": t + LAID_S - 0.5, "hand": None},
        {"t": t + LAID_S, "lies": now["lies"]},
    ]
    later = [{**line, "t": line["t"] + AFTER_S} for line in lines[place + 1 :]]
    return [*lines[: place + 1], *again, *later]


def _is_near(one: Line, other: Line) -> bool:
    return math.dist((one["x"], one["y"]), (other["x"], other["y"])) < SAME_MM


def outcome(table: Table) -> str:
    """Play a table and return what it came to: right, asked, open, wrong or asked-wrong."""
    told = table.told
    players = tuple(told["players"])
    ages = AGES[: len(players)]
    setup = setup_for(told["game"], told["preset"], players, ages, told["dealer"], told["options"])
    played = play([json.dumps(line) for line in table.lines], told["answers"], setup)
    asked = [line["asked"] for line in played.out if "asked" in line]
    more = len(asked) > len(told["asked"])
    wanted, found = told["results"], played.hands
    right = all(
        {key: _paid(hand.get(key)) for key in result} == {k: _paid(v) for k, v in result.items()}
        for hand, result in zip(found, wanted, strict=False)
    )
    if right and len(found) == len(wanted):
        return "asked" if more else "right"
    if right and len(found) < len(wanted):
        return "open"
    return "asked-wrong" if more else "wrong"


def _paid(value: Any) -> Any:
    """Leave out seats that neither pay nor are paid."""
    if not isinstance(value, dict):
        return value
    return {str(seat): number for seat, number in value.items() if number}


def main() -> None:
    """Play them all, and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--places", type=int, default=3, help="of each log, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--meant", action="store_true", help="UNDO is meant, and cards laid again")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="logs with this in their names")
    args = parser.parse_args()
    made = partial(tables, places=args.places, seed=args.seed, meant=args.meant)
    logs = sorted(path for path in LOGS.glob("*.jsonl") if args.only in path.stem)
    all_tables = [table for path in logs for table in made(path)]
    count: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor(
        args.workers, initializer=logging.disable, initargs=(logging.CRITICAL,)
    ) as pool:
        for table, came in zip(all_tables, pool.map(outcome, all_tables), strict=True):
            count.setdefault(table.told["game"], Counter())[came] += 1
            if "wrong" in came:
                print(f"{table.name}, line {table.place}: {came}", flush=True)
    for game, each in count.items():
        print(f"{game}: {each.total()} tables; {', '.join(f'{k} {n}' for k, n in each.items())}")


if __name__ == "__main__":
    main()

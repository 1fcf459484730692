"""Play hands of people of software through a player under test, and say how each ended.

python tests/acceptance/people/people.py [--game scat] [--preset all] [--customs] [--mix mixed]
    [--hands 1000] [--sitting 1] [--seed 1] [--workers 2] [--player MODULE:FUNCTION] [--save DIR]
    [--write DIR]

Without --player the engine gets the true events: that compares the rules of the engine with those
of the oracle. With --player the log of readings goes to ``play(lines, answers, setup)``, which
returns ``tests.acceptance.people.protocol.Played``. --save keeps the sittings that were not right,
--write writes every sitting as files for ``boneace play --readings`` and plays nothing. Of a
sitting with more hands the answers of each stand under ``hands`` in the ANSWERS object. Exits 1 if
any hand was booked wrongly, with or without a question, by careful or mixed people.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.simulator.people import (
    GAMES,
    MIXES,
    PRESETS,
    Sitting,
    bank_customs,
    play_sitting,
    setup_by_chance,
)
from tests.acceptance.people.judge import RIGHT, Tables, Verdict, judge, table
from tests.acceptance.people.protocol import Player, player_named, truth_told, write_down

_CHUNK = 200
"""Hands that a worker plays at a time."""

_KEPT = 20
"""Sittings that a worker saves at most of a chunk."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some hands to be played."""

    game: str
    preset: str
    mix: str
    hands: int
    sitting: int
    seed: str
    player: str
    save: str
    changes: Mapping[str, Any] = field(default_factory=dict)


def sittings(job: Job) -> Iterator[tuple[str, Sitting]]:
    """Yield sittings, with a name for each, until the job has its hands."""
    left = job.hands
    for number in itertools.count():
        customs = "".join(f"-{value}" for value in job.changes.values())
        name = f"{job.game}-{job.preset}{customs}-{job.mix}-{job.seed}-{number}"
        rng = random.Random(name)
        setup = setup_by_chance(job.game, job.preset, rng, job.changes)
        sitting = play_sitting(setup, job.mix, rng, min(job.sitting, left))
        left -= len(sitting.hands)
        yield name, sitting
        if left <= 0:
            return


def work(job: Job) -> Tables:
    """Play a job and judge it."""
    counted = Tables()
    player: Player | None = player_named(job.player) if job.player else None
    kept = 0
    for name, sitting in sittings(job):
        if player is None:
            played = truth_told(sitting)
        else:
            played = player(sitting.lines, sitting.answers, sitting.setup)
        judged, unjudged = judge(sitting, played)
        for each in judged:
            counted.add(each)
        counted.after_wrong += unjudged
        counted.looks_s += played.looks_s
        counted.whole_s += played.whole_s
        last = judged[-1]
        if job.save and last.verdict not in RIGHT and kept < _KEPT:
            kept += 1
            write_down(sitting, Path(job.save), name)
            with (Path(job.save) / "verdicts.txt").open("a") as report:
                report.write(f"{name}: hand {len(judged)}: {last.verdict} {last.why}\n")
    return counted


def jobs(args: argparse.Namespace) -> list[Job]:
    """Return the jobs of a run, one game, preset and mix after the other."""
    made = []
    for game in GAMES if args.game == "all" else (args.game,):
        presets = list(PRESETS[game])
        if args.preset != "all":
            presets = [args.preset or presets[0]]
        customs = bank_customs() if args.customs and game == "knucklebones" else ({},)
        for preset, changes, mix in itertools.product(presets, customs, _mixes(args.mix)):
            for chunk, first in enumerate(range(0, args.hands, _CHUNK)):
                hands = min(_CHUNK, args.hands - first)
                seed = f"{args.seed}.{chunk}"
                how = args.sitting, seed, args.player, args.save, changes
                made.append(Job(game, preset, mix, hands, *how))
    return made


def _mixes(named: str) -> tuple[str, ...]:
    return MIXES if named == "all" else (named,)


def main(argv: list[str] | None = None) -> int:
    """Run, print the tables, and return 1 if a careful or mixed hand was booked wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="all", choices=(*GAMES, "all"))
    parser.add_argument("--preset", default="", help="one of the game's, or all; default: plain")
    parser.add_argument(
        "--customs", action="store_true", help="each combination of the bank's customs"
    )
    parser.add_argument("--mix", default="all", choices=(*MIXES, "all"))
    parser.add_argument("--hands", type=int, default=1000, help="of each game, preset and mix")
    parser.add_argument("--sitting", type=int, default=1, help="hands of a sitting at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--player", default="", metavar="MODULE:FUNCTION")
    parser.add_argument("--save", default="", metavar="DIR", help="keep what was not right")
    parser.add_argument("--write", default="", metavar="DIR", help="write logs and play nothing")
    args = parser.parse_args(argv)
    todo = jobs(args)
    if args.write:
        for job in todo:
            for name, sitting in sittings(job):
                write_down(sitting, Path(args.write), name)
        return 0
    wrong = 0
    counted: dict[tuple[str, str], Tables] = {}
    for job, found in zip(todo, _played(todo, args.workers), strict=True):
        counted.setdefault((job.game, job.mix), Tables()).join(found)
        if job.mix != "wild":
            wrong += found.verdicts[Verdict.WRONG_SILENT] + found.verdicts[Verdict.WRONG_ASKED]
    for (game, mix), one in counted.items():
        print(f"\n{game}, {mix} people")
        print("\n".join(table(one)))
    return 1 if wrong else 0


def _played(todo: list[Job], workers: int) -> Iterator[Tables]:
    if workers == 1:
        yield from map(work, todo)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, todo)


if __name__ == "__main__":
    sys.exit(main())

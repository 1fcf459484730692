"""``make demos``: a demo of every preset of every game, with several seeds, must end by itself.

python tests/acceptance/demos/demos.py [--game GAME] [--preset PRESET] [--seeds 5] [--jobs 2]

Each demo plays one hand from pixels to the ledger. The number of players goes round from two to the
most that the preset allows. A demo has ended by itself when the program returns 0, the record of
its journal holds against a replay, the hand was settled, and its payments sum to zero. Prints a
line for each demo, and exits with 1 when one of them did not end. Some five minutes on two cores.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from device.cli import main as boneace
from engine.games import catalog

SEEDS = 5


@dataclass(frozen=True)
class Hand:
    """One demo: a hand of a game by a preset, so many players, one shuffle."""

    game: str
    preset: str
    players: int
    seed: int

    @property
    def words(self):
        """What is said to ``boneace`` to play it."""
        return [
            *("demo", "--headless", "--hands", "1", "--language", "en"),
            *("--game", self.game, "--preset", self.preset),
            *("--players", str(self.players), "--seed", str(self.seed)),
        ]

    def __str__(self):
        return f"{self.game} {self.preset}, {self.players} players, seed {self.seed}"


def every_hand(seeds=SEEDS, every_table=False):
    """Return a demo for every preset and seed.

    The number of players goes round; with *every_table* each seed is played by every number.
    """
    hands = []
    for game in catalog.all_games():
        for preset in game.presets:
            most = catalog.make_options(game, preset, {}).max_players
            tables = range(game.min_players, most + 1)
            for seed in range(1, seeds + 1):
                chosen = tables if every_table else [tables[len(hands) % len(tables)]]
                hands += [Hand(game.name, preset.name, players, seed) for players in chosen]
    return hands


def call(*words):
    """Run ``boneace``; return its exit code and all that it printed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = boneace([str(word) for word in words])
    return code, said.getvalue()


def fault_of(hand):
    """Play a demo; return what is wrong with how it ended, or an empty string."""
    with tempfile.TemporaryDirectory(prefix="boneace-demos-") as name:
        folder = Path(name)
        code, said = call(*hand.words, "--out", folder)
        if code:
            return f"exit code {code}: {_last_line(said)}"
        record = folder / "record.json"
        code, said = call("export", "--journal", folder / "journal.sqlite3", "--out", record)
        if code == 0:
            code, said = call("referee", "--check", record)
        if code:
            return f"the record does not hold: {_last_line(said)}"
        return unsettled(json.loads(record.read_text(encoding="utf-8"))["results"]["hands"])


def unsettled(hands):
    """Return why the only hand of a record counts as not settled, or an empty string."""
    if len(hands) != 1:
        return f"{len(hands)} hands were played, not one"
    (hand,) = hands
    if hand["end"] == "misdeal":
        return "the hand was thrown away"
    if sum(hand["settlement"].values()):
        return f"the payments do not sum to zero: {hand['settlement']}"
    # Besides payments: who won, who lost lives or made points, and who began Switch anew (SW-8).
    # Of One-and-Thirty alone nobody may have won: all can be out.
    told = [hand.get(key) for key in ("winners", "lost", "gained", "restarter")]
    paid = any(hand["settlement"].values())
    if not paid and hand["end"] != "all-out" and all(each in (None, [], {}) for each in told):
        return f"nobody won or lost: {hand}"
    return ""


def _last_line(said):
    return (said.strip().splitlines() or ["nothing was said"])[-1]


def _timed(hand):
    began = time.perf_counter()
    return fault_of(hand), time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", help="only this one")
    parser.add_argument("--preset", help="only this one")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many; from 1 on")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--every-table", action="store_true", help="each seed, by every number")
    args = parser.parse_args()
    hands = [
        hand
        for hand in every_hand(args.seeds, args.every_table)
        if args.game in (None, hand.game) and args.preset in (None, hand.preset)
    ]
    if not hands:
        parser.error("no such game and preset; see them with: boneace rules")
    bad = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        tasks = {pool.submit(_timed, hand): hand for hand in hands}
        for task in as_completed(tasks):
            fault, seconds = task.result()
            bad += bool(fault)
            print(f"{'BAD' if fault else 'ok '} {tasks[task]} ({seconds:.0f} s) {fault}".rstrip(),
                  flush=True)  # fmt: skip
    print(f"{len(hands)} demos, {bad} did not end by themselves")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

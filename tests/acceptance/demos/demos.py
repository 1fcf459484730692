"""``make demos``: a demo of every preset of every game, with several seeds, must end by itself.

python tests/acceptance/demos/demos.py [--game GAME] [--preset PRESET] [--seeds 20] [--jobs 2]
    [--only presets|options]

Then a hand with each other choice of every option, by a preset in which it decides something: which
were played is told, and one that was not is a fault.

Each demo plays one hand from pixels to the ledger. The number of players goes round from two to the
most that the preset allows. A demo has ended by itself when the program returns 0, the record of
its journal holds against a replay, the hand was settled, and its payments sum to zero. Prints a
line for each demo, and exits with 1 when one of them did not end. Some forty minutes on two cores.
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
from engine.core.options import OneOf, describe, parse_changes
from engine.games import catalog
from engine.games.agreed import agreements

SEEDS = 20

BESIDE = {"three_kind_suits": ("decks=2", "three_kind=rank")}
"""What must be set as well, for an option that decides nothing in any preset."""


@dataclass(frozen=True)
class Hand:
    """One demo: a hand of a game by a preset, so many players, one shuffle.

    The first of *changes* is what is tried, such as ``"late_31=single"``.
    """

    game: str
    preset: str
    players: int
    seed: int
    changes: tuple[str, ...] = ()

    @property
    def words(self):
        """What is said to ``boneace`` to play it."""
        return [
            *("demo", "--headless", "--hands", "1", "--language", "en"),
            *("--game", self.game, "--preset", self.preset),
            *("--players", str(self.players), "--seed", str(self.seed)),
            *(word for change in self.changes for word in ("--set", change)),
        ]

    def __str__(self):
        changes = f", {' '.join(self.changes)}" if self.changes else ""
        return f"{self.game} {self.preset}, {self.players} players, seed {self.seed}{changes}"


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


def every_variation():
    """Return a demo for each other choice of every option, and of a number for one other."""
    hands = []
    for game in catalog.all_games():
        for info in describe(game.options_type):
            if not others_of(game, info):
                continue
            preset = home_of(game, info.name)
            usual = getattr(catalog.make_options(game, preset, {}), info.name)
            for value in others_of(game, info, usual):
                changes = (f"{info.name}={value}", *BESIDE.get(info.name, ()))
                most = catalog.make_options(
                    game, preset, parse_changes(game.options_type, changes)
                ).max_players
                # As many as fit round a mat with cards in its middle.
                players = 2 + len(hands) % (min(most, 7) - 1)
                hands.append(Hand(game.name, preset.name, players, 1 + len(hands), changes))
    return hands


def others_of(game, info, usual=None):
    """Return the choices of an option other than *usual*; of a number the next to it."""
    usual = info.default if usual is None else usual
    if isinstance(info.choices, OneOf):
        return [value for value in info.choices.values if value != usual]
    return [usual - 1 if usual > info.choices.least else usual + 1]


def home_of(game, name):
    """Return the first preset of *game* in which the option *name* decides something."""
    for preset in game.presets:
        if name in {each.name for each in agreements(game, preset, {})}:
            return preset
    return game.presets[0]


def not_played(hands):
    """Return the options that have another choice, and are varied in none of *hands*."""
    played = {(hand.game, hand.changes[0].partition("=")[0]) for hand in hands if hand.changes}
    return [
        f"{game.name} {info.name}"
        for game in catalog.all_games()
        for info in describe(game.options_type)
        if others_of(game, info) and (game.name, info.name) not in played
    ]


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
    parser.add_argument("--only", choices=("presets", "options"), help="only these hands")
    parser.add_argument("--every-table", action="store_true", help="each seed, by every number")
    args = parser.parse_args()
    wanted = every_hand(args.seeds, args.every_table) if args.only != "options" else []
    wanted += every_variation() if args.only != "presets" else []
    hands = [
        hand
        for hand in wanted
        if args.game in (None, hand.game) and args.preset in (None, hand.preset)
    ]
    if not hands:
        parser.error("no such game and preset; see them with: boneace rules")
    good = []
    with ProcessPoolExecutor(args.jobs) as pool:
        tasks = {pool.submit(_timed, hand): hand for hand in hands}
        for task in as_completed(tasks):
            fault, seconds = task.result()
            good += [] if fault else [tasks[task]]
            print(f"{'BAD' if fault else 'ok '} {tasks[task]} ({seconds:.0f} s) {fault}".rstrip(),
                  flush=True)  # fmt: skip
    bad = len(hands) - len(good)
    print(f"{len(hands)} demos, {bad} did not end by themselves")
    print("options played otherwise:", *sorted(hand.changes[0] for hand in good if hand.changes))
    missing = not_played(good) if args.only != "presets" and not (args.game or args.preset) else []
    if missing:
        print("options never played otherwise:", *missing, sep="\n    ")
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main())

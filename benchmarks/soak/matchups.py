"""``make soak``: does the exact player earn at least as much as the others, beyond chance?

python benchmarks/soak/matchups.py [--seconds 60] [--game NAME] [--preset NAME] [--jobs 2]

Three sit down: a cautious one, a bold one, and one who plays each style in turn with the same
cards. What the third earns in a hand is counted in tokens, in points, or in lives: those of the
others, shared among them, less his own. A z-score is a difference of means in its own sampling
errors. With any below -3 the program ends with 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from math import sqrt

from benchmarks.soak.chosen import add_arguments, run
from engine import State
from engine.bots import player
from engine.games.decision import Style
from tests.support.game_driver import Driver

SURE = 3
"""Sampling errors beyond which a difference is no chance."""


def earned(state: State, seat: int) -> float:
    """Return what the last hand brought to *seat*."""
    last, options = state.hands[-1], state.setup.options
    scoring = getattr(options, "scoring", "ante")
    if scoring == "lives":
        lost = dict(last.details.lost)
        others = sum(count for each, count in lost.items() if each != seat)
        return others / (len(state.setup.players) - 1) - lost.get(seat, 0)
    if scoring == "points":
        return dict(last.details.gained).get(seat, 0)
    return dict(last.settlement).get(seat, 0)


def one_hand(game: str, preset: str, style: str, number: int) -> float:
    """Play one hand; its number says who sits where, who deals, and the cards."""
    seat = number % 3
    people = [player(other, game) for other in ("cautious", "bold")]
    people.insert(seat, player(style, game))
    table = Driver(game, preset, people, seed=f"match-{number}", dealer=number // 3 % 3)
    return earned(table.play_hand(), seat)


def match(game: str, preset: str, seconds: float) -> tuple[str, bool]:
    """Play for so long; return a line to print, and whether all is well."""
    found: dict[str, list[float]] = {str(style): [] for style in Style}
    began, number = time.process_time(), 0
    while time.process_time() - began < seconds:
        for style, results in found.items():
            results.append(one_hand(game, preset, style, number))
        number += 1
    means = {style: sum(results) / number for style, results in found.items()}
    said, well = [f"{style} {mean:+.3f}" for style, mean in means.items()], True
    for other in ("cautious", "bold"):
        pairs = zip(found["exact"], found[other], strict=True)
        z = z_score([mine - his for mine, his in pairs])
        well = well and z > -SURE
        said.append(f"exact over {other} z = {z:+.1f}")
    return f"{game} {preset}, {number} hands: {', '.join(said)}", well


def z_score(differences: list[float]) -> float:
    """Return the mean in its sampling errors."""
    count = len(differences)
    mean = sum(differences) / count
    spread = sum((each - mean) ** 2 for each in differences) / max(count - 1, 1)
    return mean / sqrt(spread / count) if spread else 0.0


def main() -> int:
    """Match the players in what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="for each game and preset")
    add_arguments(parser)
    args = parser.parse_args()
    return run(parser, args, match, args.seconds)


if __name__ == "__main__":
    sys.exit(main())

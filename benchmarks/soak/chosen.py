"""What both soaks share: the choice of games and presets, and running them at the same time."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from engine.games import catalog


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Let the game and the preset be named, and how many run at a time."""
    parser.add_argument("--game", help="only this one")
    parser.add_argument("--preset", help="only this one")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")


def run(
    parser: argparse.ArgumentParser,
    args: argparse.Namespace,
    work: Callable[..., tuple[str, bool]],
    *more: object,
) -> int:
    """Call *work* with each game, preset and *more*; print what it says; 1 if one is not well."""
    chosen = [
        (game.name, preset.name)
        for game in catalog.all_games()
        for preset in game.presets
        if args.game in (None, game.name) and args.preset in (None, preset.name)
    ]
    if not chosen:
        parser.error("no such game and preset; see them with: boneace rules")
    good = True
    with ProcessPoolExecutor(args.jobs) as pool:
        tasks = [pool.submit(work, *each, *more) for each in chosen]
        for task in tasks:
            said, well = task.result()
            good = good and well
            print(said, flush=True)
    return 0 if good else 1

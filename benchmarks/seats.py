"""What each seat is worth in every preset: the table that ``boneace odds`` ships (``make odds``).

The engine's best player sits at every seat. Each kind of hand gets the same time on the processor,
a few seconds in turn; what was played is kept in ``out/seats`` and the same command goes on from
there, so more minutes make the intervals narrower. Packs are numbered and each is shuffled by its
number, so as many packs give the same table anywhere.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.core.options import Preset
from engine.core.payments import Unit
from engine.games import catalog
from engine.games.base import Game
from engine.worth.packs import Hand, Packs
from engine.worth.seats import SeatWorths, exactly, worths

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "engine" / "worth" / "table.json"
TURN_S, LIVES_TURN_S = 0.75, 1.0
"""Seconds of the processor for one kind of hand at a time: for each player, and where lives go.

A match is made of many hands, and the more there are to win from, the more luck there is."""
LEAST_PACKS = 20
"""Packs of a kind of hand below which nothing is said."""
OF_THE_MATCH = ("lives", "free_ride", "double_loss_last", "all_out")
"""Options that count lives, and change no hand."""
BESIDE = ("max_players", "buy_in")
"""Options that change nothing here."""

Kind = tuple[Game, str, int]
"""Game, preset and players of one kind of hand."""


def presets() -> Iterator[tuple[Game, Preset, Any]]:
    """Yield every preset of the games that come with the program and have a best player."""
    for game in catalog.all_games():
        if type(game).__module__.startswith("engine."):
            for preset in game.presets:
                yield game, preset, catalog.make_options(game, preset, {})


def sizes(game: Game, options: Any) -> list[int]:
    """Return for how many players: each where lives go (players go out), or where it is counted."""
    if game.match.unit(options) is Unit.LIVES or game.with_bones:
        return list(range(2, options.max_players + 1))
    return sorted({2, 4, options.max_players})


def kinds() -> dict[tuple[str, str, int], Kind]:
    """Return the hands to play by game, preset and players; presets of equal hands share one."""
    found: dict[tuple[str, str, int], Kind] = {}
    first: dict[str, str] = {}
    for game, preset, options in presets():
        if exactly(game, options, 2) is not None:
            continue
        lives = game.match.unit(options) is Unit.LIVES
        beside = (*BESIDE, *OF_THE_MATCH) if lives else BESIDE
        agreed = {name: value for name, value in asdict(options).items() if name not in beside}
        same = first.setdefault(f"{game.name} {agreed}", preset.name)
        for players in sizes(game, options):
            found[game.name, preset.name, players] = game, same, players
    return found


def kept(kind: Kind) -> Path:
    """Return the file of what was played."""
    game, preset, players = kind
    return ROOT / "out" / "seats" / f"{game.name}-{preset}-{players}.json"


def read(kind: Kind) -> list[list[Hand]]:
    """Return the packs that were played, each with a hand for each player."""
    path = kept(kind)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def play(kind: Kind) -> None:
    """Play packs of one kind for a while, and keep them."""
    game, preset, players = kind
    packs, table = read(kind), Packs(game, preset, {}, players)
    turn = LIVES_TURN_S if table.unit is Unit.LIVES else TURN_S * players
    end = time.process_time() + turn
    while time.process_time() < end:
        rng = random.Random(f"{game.name} {preset} {players} {len(packs)}")
        packs.append(list(table.play(rng)))
    path = kept(kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(packs, separators=(",", ":")), encoding="utf-8")
    new.replace(path)


def table() -> dict[str, object]:
    """Return what every seat is worth: exactly where it can be counted, else by what was played."""
    found: dict[str, object] = {}
    for game, preset, options in presets():
        for players in sizes(game, options):
            exact = exactly(game, options, players)
            worth = exact or _played(game, preset, options, players)
            if worth is not None:
                found[f"{game.name} {preset.name} {players}"] = _row(worth)
    return found


def _played(game: Game, preset: Preset, options: Any, players: int) -> SeatWorths | None:
    unit, every = game.match.unit(options), kinds()
    counts = range(2, players + 1) if unit is Unit.LIVES else (players,)
    packs = {count: read(every[game.name, preset.name, count]) for count in counts}
    if min(map(len, packs.values())) < LEAST_PACKS:
        return None
    rng = random.Random(f"{game.name} {preset.name} {players}")
    return worths(packs, players, options, unit, rng)


def _row(worth: SeatWorths) -> dict[str, object]:
    seats = [[round(each.mean, 4), round(each.within, 4)] for each in worth.seats]
    deal = [round(worth.deal.mean, 4), round(worth.deal.within, 4)]
    return {"unit": worth.unit, "seats": seats, "deal": deal, "hands": worth.hands}


def main() -> None:
    """Play for a while, then write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=25, help="on the processor; 0: write only")
    args = parser.parse_args()
    every = list(dict.fromkeys(kinds().values()))
    end = time.process_time() + 60 * args.minutes
    while time.process_time() < end:
        for kind in every:
            if time.process_time() < end:
                play(kind)
        print(f"{sum(len(read(kind)) * kind[2] for kind in every)} hands", flush=True)
    rows = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in table().items())
    TABLE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

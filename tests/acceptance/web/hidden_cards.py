"""Random hands of all card games sent twice, with other cards where the audience sees none.

Usage: python -m tests.acceptance.web.hidden_cards [--hands 10000] [--seed 1]

Prints how many were compared, and how many differed in any byte of a page, an event or a state.
Some three hands a second on one core.
"""

from __future__ import annotations

import argparse
import random

from engine import TABLE
from engine.games import catalog
from engine.games.knucklebones.fairness import wilson
from tests.support.web_bytes import are_sent_alike, twins


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    kinds = [
        (game.name, preset.name)
        for game in catalog.all_games()
        for preset in game.presets
        if game.name != "knucklebones"
    ]
    rng = random.Random(f"hidden {args.seed}")
    compared = differing = 0
    while compared < args.hands:
        audience = rng.choice((TABLE, TABLE, 0, 1))
        kind = rng.choice(kinds)
        found = twins(*kind, rng, audience)
        if found is None:
            continue
        compared += 1
        if not are_sent_alike(found, audience, rng):
            differing += 1
            print("differs:", *kind, audience, found[2], flush=True)
        if compared % 500 == 0:
            print(compared, differing, flush=True)
    least, most = wilson(differing, compared)
    print(
        f"{compared} hands, {differing} differ in a byte (Wilson 95 %: {least:.5f} to {most:.5f})"
    )
    return int(differing > 0)


if __name__ == "__main__":
    raise SystemExit(main())

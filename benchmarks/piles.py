"""Read heaps, rows and single cards of a drawn deck on a mat, in the light of some evening.

python benchmarks/piles.py [--deck old] [--scenes 200] [--seed 1]

A card on top of others shows all of its face; of those below it a camera sees a strip. The deck is
not taught. Lines are for docs/why/accuracy.md.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np

from device.simulator.deck.faces import DECK_STYLES
from device.simulator.scat_table import ScatTable
from device.simulator.sprites import PlacedCard
from engine import deck
from tests.support.lights import some_light
from vision import TableReader
from vision.mat.layout import CARD_MM, MatLayout
from vision.readings import Reading, Zone, ZoneKind

SEATS = 7
SIZES = ((1280, 960), (1600, 1200), (1920, 1080), (2304, 1296))
NEAR_MM = 12.0
"""A reading belongs to the card whose middle lies no farther from its own."""

FAR = (-1e6, -1e6)
"""Of what lies beside the mat."""

Lying = tuple[str, PlacedCard]
"""How a card lies: alone, on top, or under another; and the card."""


def lay(layout: MatLayout, rng: random.Random) -> Iterator[Lying]:
    """Yield a heap on the discard, and at three places a row, or some cards apart."""
    pack = list(deck())
    rng.shuffle(pack)

    def put(at: tuple[float, float, float], x: float, y: float, turn: float) -> PlacedCard:
        right, down, degrees = at[0] + x, at[1] + y, at[2] + turn
        return PlacedCard(pack.pop(), 0, 0, right, down, degrees, True)

    def slots(zone: Zone) -> list[tuple[float, float, float]]:
        return list(layout.slots(zone, card_mm=CARD_MM, gap_mm=8.0))

    here = slots(Zone(ZoneKind.DISCARD))[0]
    heap = [
        put(here, rng.uniform(-9, 9), rng.uniform(-7, 7), rng.uniform(-5, 5))
        for _ in range(rng.choice([1, 2, 2, 3, 4]))
    ]
    yield from (("under", card) for card in heap[:-1])
    yield "top" if len(heap) > 1 else "alone", heap[-1]
    for seat in rng.sample(range(SEATS - 1), 3):
        spots = slots(Zone(ZoneKind.SEAT, seat))
        if rng.random() < 1 / 3:
            for spot in spots[:3]:
                yield "alone", put(spot, rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-3, 3))
            continue
        step = math.copysign(rng.uniform(12, 45), spots[1][0] - spots[0][0])
        row = [
            put(spots[0], n * step, rng.uniform(-4, 4), rng.uniform(-4, 4))
            for n in range(rng.choice([2, 3, 4]))
        ]
        yield from (("under", card) for card in row[:-1])
        yield "top", row[-1]


def main() -> None:
    """Draw, read and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deck", default="old", choices=DECK_STYLES)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found: dict[str, Counter[str]] = {how: Counter() for how in ("alone", "top", "under")}
    nowhere = 0
    for scene in range(args.scenes):
        rng = random.Random(f"piles {args.seed} {scene}")
        layout = MatLayout(SEATS, "A1")
        seed, size = args.seed * 10_000 + scene, rng.choice(SIZES)
        drawn = ScatTable(layout, middle=SEATS - 1, style=args.deck, seed=seed, size=size)
        lying = list(lay(layout, rng))
        drawn._cards.things = tuple(card for _, card in lying)
        image, _ = some_light(drawn.frame(), np.random.default_rng([args.seed, scene]))
        nowhere += count(TableReader().read(image), lying, found)
    print("| lies | cards | read | asked | missed | wrong |\n|---|---:|---:|---:|---:|---:|")
    for how, n in found.items():
        told = (n.total(), n["read"], n["asked"], n["missed"], n["wrong"])
        print(f"| {how} | {' | '.join(map(str, told))} |")
    print(f"read where no card lies: {nowhere}")


def count(reading: Reading, lying: list[Lying], found: dict[str, Counter[str]]) -> int:
    """Count what became of each card; return how many were read where none of them lies."""
    read = [(each.card, each.place.centre_mm or FAR) for each in reading.cards]
    asked = [each.place.centre_mm or FAR for each in reading.unsure]

    def near(at: tuple[float, float], card: PlacedCard) -> bool:
        return math.dist(at, card.centre_mm) < NEAR_MM

    right = [(how, c, r) for how, c in lying for r in read if r[0] == c.card and near(r[1], c)]
    wrong = [r for r in read if r not in [each for _, _, each in right]]
    for how, card in reversed(lying):  # of a heap the last is seen best
        if any(card is each for _, each, _ in right):
            found[how]["read"] += 1
        elif odd := [r for r in wrong if near(r[1], card)]:
            wrong.remove(odd[0])
            found[how]["wrong"] += 1
        else:
            found[how]["asked" if any(near(at, card) for at in asked) else "missed"] += 1
    return len(wrong)


if __name__ == "__main__":
    main()

"""How exactly ``boneace check deck`` names what is missing, doubled or foreign: on drawn tables.

python benchmarks/deck_check.py [--decks 60] [--whole 20] [--seed 1] [--every N]

Each deck is dealt singly, onto a heap or in rows, in the light of some evening (lights.py), a ninth
of them on a cloth without a mat; a quarter are 32-card packs, or two of these. *Named*: all that is
missing or too many was told, and nothing else, and nothing was left in doubt.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from device.hardware.cameras import FOLDER_FPS
from device.simulator.scenery import apply_homography
from device.simulator.sprites import PlacedCard
from device.simulator.table import SimulatedTable
from engine import Card, deck
from engine.games.knucklebones.fairness import wilson
from tests.support import lights
from vision import MotionGate, TableReader
from vision.mat.layout import CARD_MM, MatLayout
from vision.readings import Zone, ZoneKind
from vision.tracking.deck_check import PATIENCE_S, DeckCheck, DeckFindings
from vision.tracking.settled import SettledReader

Image = NDArray[np.uint8]
Lying = tuple[PlacedCard, ...]

WAYS = ("singly", "heap", "rows")
STYLES = ("modern", "four-colour")
SIZE = (1600, 1200)
FPS = FOLDER_FPS
MOST_FRAMES = 12
"""Frames of each rest, at most; it ends as soon as it was read."""

LEFT, RIGHT = Zone(ZoneKind.SEAT, 1), Zone(ZoneKind.SEAT, 3)
"""Places where cards are laid."""

CLOTHS = ((60, 95, 50), (110, 70, 50), (60, 60, 120), (150, 160, 165))
"""What lies there instead of a mat: BGR."""


class BareTable(SimulatedTable):
    """A table without a stock, and without a mat where a *cloth* lies instead."""

    def __init__(self, layout: MatLayout, cloth: tuple[int, ...] | None, **how: Any) -> None:
        self._cloth = cloth
        super().__init__(layout, **how)

    def _empty(self) -> Image:
        image = self._stage.draw_bare()
        if self._cloth is not None:
            outline = apply_homography(self.matrix, self.layout.outline_mm)
            cv2.fillPoly(image, [np.rint(outline).astype(np.int32)], self._cloth)
        return image


class Pack(NamedTuple):
    """A deck that is dealt, and what is wrong with it."""

    cards: tuple[Card, ...]
    packs: int
    lowest: int
    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]


def pack(rng: random.Random, wrong: int) -> Pack:
    """Return a shuffled deck of one or two packs with so many cards missing or too many."""
    packs, lowest = rng.choice(((1, 2), (1, 2), (1, 2), (1, 2), (1, 2), (1, 2), (1, 7), (2, 7)))
    own = [card for card in deck() if not 0 < card.rank.order < lowest - 1]
    odd = rng.sample(own, wrong)
    missing = tuple(card for card in odd if rng.random() < 0.5)
    surplus = tuple(card for card in odd if card not in missing)
    cards = [*own * packs, *surplus]
    for card in missing:
        cards.remove(card)
    rng.shuffle(cards)
    return Pack(tuple(cards), packs, lowest, missing, surplus)


def dealt(cards: Sequence[Card], way: str, layout: MatLayout, seed: int) -> Iterator[Lying]:
    """Yield what lies on the table at each rest, while *cards* are dealt *way*."""
    rng = random.Random(seed)

    def put(number: int, card: Card, spot: tuple[float, ...], off: float) -> PlacedCard:
        x, y, degrees = (each + rng.uniform(-off, off) for each in spot)
        return PlacedCard(card, 0, number, x, y, degrees, True)

    if way != "rows":
        off = 25.0 if way == "singly" else 9.0
        middle = (*layout.zone_polygon(RIGHT).mean(axis=0).tolist(), rng.uniform(-30, 30))
        heap = [put(n, card, middle, off) for n, card in enumerate(cards)]
        for number in range(len(cards)):
            yield tuple(heap[number if way == "singly" else max(number - 3, 0) : number + 1])
        return
    places = [spot for zone in (LEFT, RIGHT) for spot in layout.slots(zone, CARD_MM, 12.0)]
    lying: list[PlacedCard] = []
    at_once = rng.choice((2, 3, 5))
    for first in range(0, len(cards), at_once):
        if len(lying) + at_once > len(places):
            lying = []
            yield ()
        for card in cards[first : first + at_once]:
            lying.append(put(len(lying), card, places[len(lying)], 2.5))
        yield tuple(lying)


def frames(table: BareTable, lying: Lying, seed: int) -> Iterator[Image]:
    """Yield frames of one rest, all in one light."""
    table._cards.things = lying
    table.settle()
    for _ in range(MOST_FRAMES):
        yield lights.some_light(table.frame(), np.random.default_rng(seed))[0]


def check(
    given: Pack, way: str, seed: int, reader: TableReader, *, mat: bool, film: Path | None = None
) -> DeckFindings:
    """Deal a deck past the camera; *film* is a folder that gets the frames."""
    layout = MatLayout(4, "A2")
    cloth = None if mat else CLOTHS[seed % len(CLOTHS)]
    table = BareTable(layout, cloth, style=STYLES[seed // 2 % 2], seed=seed, size=SIZE)
    gate, found, number = MotionGate(SettledReader(reader, PATIENCE_S)), DeckCheck(), 0
    for lying in dealt(given.cards, way, layout, seed):
        for image in frames(table, lying, seed):
            number += 1
            if film is not None:
                cv2.imwrite(str(film / f"{number:05}.jpg"), image)
            reading = gate.see(image, number / FPS)
            if reading is not None:
                found.see(reading, image)
                break
    return found.findings(given.packs, given.lowest)


def is_named(given: Pack, told: DeckFindings) -> bool:
    """Return whether exactly what is wrong was told."""
    exact = Counter(told.missing) == Counter(given.missing)
    exact &= Counter(told.surplus) == Counter(given.surplus)
    return exact and not (told.foreign or told.jokers or told.doubtful)


def main() -> int:
    """Deal, and tell how many decks were named exactly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", type=int, default=60, help="with 0 to 3 cards wrong")
    parser.add_argument("--whole", type=int, default=20, help="whole ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    named: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for number in range(0, args.decks + args.whole, args.every):
        seed = 1000 * args.seed + number
        kind = "whole decks" if number >= args.decks else "decks with 0 to 3 wrong"
        wrong = 0 if number >= args.decks else number % 4
        given, way = pack(random.Random(seed), wrong), WAYS[number % 3]
        mat = number // 3 % 9 != 8
        reader = TableReader(packs=8)
        told = check(given, way, seed, reader, mat=mat)
        of[kind] += 1
        named[kind] += is_named(given, told)
        print(f"{named.total()} of {of.total()}", file=sys.stderr)
        if not is_named(given, told):
            print(f"seed {seed}, {way}{'' if mat else ', no mat'}: {given[1:]}\n  told {told}")
            sys.stdout.flush()
    for kind, count in of.items():
        low, _ = wilson(named[kind], count)
        print(f"{kind}: {named[kind]} of {count} named exactly (at least {low:.3f})")
    return int(named != of)


if __name__ == "__main__":
    sys.exit(main())

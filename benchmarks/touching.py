"""Lay cards face down one after another so that they touch, askew, and count what is read of them.

python benchmarks/touching.py [--tables 40] [--seed 1] [--at-once]

People leave no gap between their cards, and turn them a little. Each table has backs of its own,
some without a border; after each card the reader, which follows the table, must tell every back
where it lies, and no other. --at-once looks only when all of them lie there, as where the dealer's
hand stays over the mat. Lines are for docs/why/accuracy.md.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.sprites import PlacedCard, draw_sprite, place
from device.simulator.table import SimulatedTable
from engine import deck
from vision import TableReader
from vision.mat.layout import CARD_MM, MatLayout
from vision.mat.segmentation import FrameAnalysis
from vision.readings import BackReading, Zone, ZoneKind

PX_MM = 4
SIZE = (1280, 960)
NEAR_MM, NEAR_DEG = 8.0, 9.0
"""A back is told where it lies if its middle is no farther off, and it is turned no otherwise."""

STEP_MM = (62.0, 68.0)
"""From one card to the next: a card is 63 mm wide."""

BORDERS_MM = {"lattice": 3.5, "checks": 3.0, "dots": 4.0, "waves": 2.5, "rings": 0.0, "tartan": 0.0}
"""The white rim of each back."""


def back(name: str, rng: random.Random) -> NDArray[np.uint8]:
    """Return a back in a colour of its own: BGRA, uint8."""
    wide, high = (round(side * PX_MM) for side in CARD_MM)
    y, x = np.mgrid[0:high, 0:wide]
    inked = {
        "lattice": ((x + y) % 14 < 5) | ((x - y) % 14 < 5),
        "checks": (x // 9 + y // 9) % 2 == 0,
        "dots": (x % 20 - 10) ** 2 + (y % 20 - 10) ** 2 > 38,
        "waves": np.sin(y / 9 + 3 * np.sin(x / 22)) > 0.1,
        "rings": np.sin(np.hypot(x % 44 - 22, y % 44 - 22) / 3) > 0,
        "tartan": (x % 36 < 12) ^ (y % 36 < 12),
    }[name]
    ink = np.array([rng.randint(20, 150) for _ in range(3)])
    paper = np.array([235, 238, 240]) if BORDERS_MM[name] else ink + rng.randint(25, 60)
    art = np.where(inked[..., None], ink, paper).astype(np.uint8)
    rim = round(BORDERS_MM[name] * PX_MM)
    inner = np.zeros((high, wide), bool)
    inner[rim : high - rim, rim : wide - rim] = True
    art[~inner] = (236, 239, 240)
    card = np.zeros((high, wide), np.uint8)
    cv2.rectangle(card, (10, 10), (wide - 11, high - 11), 255, 20)
    cv2.rectangle(card, (10, 10), (wide - 11, high - 11), 255, -1)
    return np.dstack([cv2.GaussianBlur(art, (3, 3), 0), card])


def table_of(seed: int) -> tuple[SimulatedTable, str]:
    """Return a table whose cards have a back of their own, and its name."""
    rng = random.Random(seed)
    name = rng.choice(list(BORDERS_MM))
    table = SimulatedTable(MatLayout(rng.randint(2, 4), "A2"), seed=seed, size=SIZE)
    art = back(name, rng)

    def sprite(card: PlacedCard):
        if card.face_up:
            return draw_sprite(table.matrix, "modern", SIZE, card)
        return place(art, table.matrix, SIZE, card)

    table._sprite = sprite
    return table, name


def dealt(layout: MatLayout, rng: random.Random) -> Iterator[PlacedCard]:
    """Yield three to five cards for each seat, dealt in rounds; the third may lie face up."""
    pack = list(deck())
    rng.shuffle(pack)
    shown = rng.choice((None, None, 2))
    askew = rng.choice((0, 2, 4, 6))
    step = rng.uniform(*STEP_MM) - CARD_MM[0]
    slots = {
        seat: list(layout.slots(Zone(ZoneKind.SEAT, seat), CARD_MM, step))
        for seat in range(layout.seats)
    }
    for number in range(rng.randint(3, 5)):
        for seat, spots in slots.items():
            if number < len(spots):
                x, y, degrees = spots[number]
                at = (x + rng.uniform(-2, 2), y + rng.uniform(-4, 4), degrees + rng.gauss(0, askew))
                yield PlacedCard(pack.pop(), seat, number, *at, face_up=number == shown)


def is_told(card: PlacedCard, found: BackReading) -> bool:
    """Return whether a reading tells that card where it lies."""
    at, turn = found.place.centre_mm, found.place.turn_deg
    if at is None or turn is None or math.dist(at, card.centre_mm) > NEAR_MM:
        return False
    return abs((turn - card.degrees + 90) % 180 - 90) < NEAR_DEG


def main() -> None:
    """Lay, read, and print a line for each back."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1, help="of the first table")
    parser.add_argument("--at-once", action="store_true", help="look when all cards lie there")
    args = parser.parse_args()
    counts: dict[str, Counter[str]] = {name: Counter() for name in BORDERS_MM}
    for seed in range(args.seed, args.seed + args.tables):
        table, name = table_of(seed)
        see = TableReader().follow
        see(FrameAnalysis(table.frame()))
        cards = list(dealt(table.layout, random.Random(seed)))
        for number in (len(cards),) if args.at_once else range(1, len(cards) + 1):
            table._cards.things = tuple(cards[:number])
            found = [
                each
                for each in see(FrameAnalysis(table.frame())).backs
                if each.place.zone is None or each.place.zone.kind is ZoneKind.SEAT
            ]
            lying = [each for each in table.cards if not each.face_up]
            told = sum(any(is_told(each, one) for one in found) for each in lying)
            counts[name] += Counter(
                looks=1,
                right=told == len(lying) == len(found),
                backs=len(lying),
                told=told,
                false=max(0, len(found) - told),
            )
    print("| back | looks | all right | backs | told | false |\n|---|---:|---:|---:|---:|---:|")
    whole: Counter[str] = Counter()
    for name, each in counts.items():
        whole += each
        print(row(name, each))
    print(row("all", whole))


def row(name: str, count: Counter[str]) -> str:
    """Return the line of a back."""
    cells = (count[key] for key in ("looks", "right", "backs", "told", "false"))
    return f"| {name} | {' | '.join(f'{cell:,}' for cell in cells)} |"


if __name__ == "__main__":
    main()

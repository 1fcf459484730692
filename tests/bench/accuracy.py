"""How well drawn tables are read: decks never trained on, eight seats, 24 cards at 2304x1296.

python tests/bench/accuracy.py                     # a few tables a deck
python tests/bench/accuracy.py --taught --cards 52000 --decks old    # the long soak

Prints a Markdown table; exits 1 where more is misread than --most allows.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

import cv2
import numpy as np

from device.virtual import VirtualTable
from device.virtual.deckart import DECK_STYLES
from engine import Card, deck
from vision import Reading, TableReader
from vision.mat import MatLayout
from vision.readings import ZoneKind
from vision.taught import TaughtDeck
from vision.teaching import DeckTeacher, Outcome

SIZE = (2304, 1296)
SEATS = 8
ON_TABLE = 24
DOWN = 3
"""Every third card lies face down."""

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.01)
"""Confidences between which cards are counted for the reliability table."""


def settle(table: VirtualTable) -> np.ndarray:
    """Let everything come to rest and return the picture."""
    while table.is_moving:
        table.frame()
    return table.frame()


def teach(style: str, looks: int) -> TaughtDeck:
    """Show every card of a deck alone, as `boneace teach deck` does."""
    teacher = DeckTeacher(TaughtDeck(style), looks=looks)
    seed = 7000
    while (card := teacher.wanted) is not None:
        seed += 1
        table = VirtualTable(MatLayout(4), style=style, seed=seed)
        table.lay(seed % 4, card, face_up=True)
        if teacher.show(settle(table), surely=True).outcome is not Outcome.TAKEN:
            raise SystemExit(f"{style}: {card} could not be taught; look at seed {seed}")
    return teacher.deck


class Tally:
    """Counts over tables of one deck."""

    def __init__(self) -> None:
        """Start at nothing."""
        self.counts: Counter[str] = Counter()
        self.sure: Counter[int] = Counter()
        self.right: Counter[int] = Counter()
        self.ms: list[float] = []
        self.wrong: list[str] = []

    def take(self, table: VirtualTable, reading: Reading) -> None:
        """Compare a reading with what lies there, card by card in its place."""
        at = {lying.card: table.quad(lying).mean(axis=0) for lying in table.cards if lying.face_up}
        up, down = len(at), len(table.cards) - len(at)
        read: set[Card] = set()
        for card in reading.cards:
            place = np.mean(card.place.corners, axis=0)
            right = card.card in at and float(np.hypot(*(at[card.card] - place))) < 40
            if right:
                read.add(card.card)
            else:
                near = [c for c, middle in at.items() if np.hypot(*(middle - place)) < 40]
                self.wrong.append(f"{card.card} for {near[0] if near else 'nothing'}")
            self._bin(card.confidence, right)
        for doubt in reading.unsure:
            if doubt.candidates:
                near = [
                    card
                    for card, middle in at.items()
                    if np.hypot(*(middle - np.mean(doubt.place.corners, axis=0))) < 40
                ]
                self._bin(doubt.confidence, doubt.candidates[0] in near)
        backs = [
            back
            for back in reading.backs
            if back.place.zone is None or back.place.zone.kind is ZoneKind.SEAT
        ]
        self.counts.update(
            up=up,
            down=down,
            read=len(read),
            wrong=len(reading.cards) - len(read),
            unsure=len(reading.unsure),
            backs=len(backs),
            tables=1,
        )

    def _bin(self, confidence: float, right: bool) -> None:
        number = int(np.searchsorted(BINS, confidence, side="right")) - 1
        self.sure[number] += 1
        self.right[number] += right


def measure(style: str, cards: int, reader: TableReader, first_seed: int) -> Tally:
    """Read tables until so many cards face up have lain there."""
    tally, seed = Tally(), first_seed
    while tally.counts["up"] < cards:
        seed += 1
        pack = list(deck())
        random.Random(seed).shuffle(pack)
        table = VirtualTable(MatLayout(SEATS, "A1"), style=style, seed=seed, size=SIZE)
        for number in range(ON_TABLE):
            table.lay(number % SEATS, pack.pop(), face_up=number % DOWN != DOWN - 1)
        image = settle(table)
        began = time.process_time()
        reading = reader.read(image)
        tally.ms.append((time.process_time() - began) * 1000)
        tally.take(table, reading)
    return tally


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", nargs="*", default=list(DECK_STYLES), choices=DECK_STYLES)
    parser.add_argument("--cards", type=int, default=160, help="face up, for each deck")
    parser.add_argument("--taught", action="store_true", help="teach each deck first")
    parser.add_argument("--looks", type=int, default=1, help="looks a card, when taught")
    parser.add_argument("--seed", type=int, default=1000, help="of the first table")
    parser.add_argument("--most", type=float, default=0.0005, help="part of cards misread at most")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print("| deck | tables | face up | read | unsure | missed | wrong | backs | CPU ms |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    sure: Counter[int] = Counter()
    right: Counter[int] = Counter()
    reported = wrong = 0
    for style in args.decks:
        taught = teach(style, args.looks) if args.taught else None
        tally = measure(style, args.cards, TableReader(deck=taught), args.seed)
        n = tally.counts
        missed = max(n["up"] - n["read"] - n["wrong"] - n["unsure"], 0)
        print(
            f"| {style}{' (taught)' if taught else ''} | {n['tables']} | {n['up']} | "
            f"{n['read'] / n['up']:.4f} | {n['unsure']} | {missed} | {n['wrong']} "
            f"{', '.join(tally.wrong)} | {n['backs']} of {n['down']} | {np.median(tally.ms):.0f} |",
            flush=True,
        )
        sure.update(tally.sure)
        right.update(tally.right)
        reported, wrong = reported + n["read"] + n["wrong"], wrong + n["wrong"]
    print("\n| confidence | cards | right |\n|---|---:|---:|")
    for number, count in sorted(sure.items()):
        low, high = BINS[number], min(BINS[number + 1], 1.0)
        print(f"| {low:g}-{high:g} | {count} | {right[number] / count:.4f} |")
    return int(wrong > args.most * max(reported, 1))


if __name__ == "__main__":
    sys.exit(main())

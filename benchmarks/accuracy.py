"""How well drawn tables are read: decks never trained on, eight seats, 24 cards at 2304x1296.

python benchmarks/accuracy.py                     # a few tables a deck
python benchmarks/accuracy.py --cards 700 --packaged WORK    # packaged decks as well
python benchmarks/accuracy.py --taught            # after one look a card

Prints Markdown: a row a deck, then how often each confidence was right and what other thresholds
would cost. Exits 1 where more is misread than --most allows. In changing light, and for as long as
it takes, the same is done by ``benchmarks/soak/cards.py``; for photographs by ``photographs.py``.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dealing import Style, Tally, deal, packaged, reliability, teach
from device.simulator.deck.faces import DECK_STYLES
from vision import TableReader
from vision.mat.pose import MatLayout

SIZE = (2304, 1296)
SEATS = 8
ON_TABLE = 24
DOWN = 3
"""Every third card lies face down."""

DEALS = 5
"""Deals to one table with its wood and its light."""


def measure(style: Style, cards: int, reader: TableReader, seed: int) -> tuple[Tally, list[float]]:
    """Read tables until so many cards face up have lain there; also CPU milliseconds of each."""
    tally, ms = Tally(), []
    turn = 0
    while tally.counts["up"] < cards:
        if turn % DEALS == 0:
            table = style.table(MatLayout(SEATS, "A1"), seed=seed + turn, size=SIZE)
        turn += 1
        deal(table, ON_TABLE, seed=seed + turn, down=DOWN)
        image = table.frame()
        began = time.process_time()
        reading = reader.read(image)
        ms.append((time.process_time() - began) * 1000)
        if tally.take(table, reading):
            print(f"{style.name}, seed {seed}, turn {turn}: {tally.wrong[-1]}", file=sys.stderr)
    return tally, ms


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", nargs="*", default=list(DECK_STYLES), choices=DECK_STYLES)
    parser.add_argument("--packaged", type=Path, metavar="WORK", help="training's work folder")
    parser.add_argument("--cards", type=int, default=160, help="face up, for each deck")
    parser.add_argument("--taught", action="store_true", help="teach each deck first")
    parser.add_argument("--looks", type=int, default=1, help="looks a card, when taught")
    parser.add_argument("--seed", type=int, default=1000, help="of the first table")
    parser.add_argument("--most", type=float, default=0.0005, help="part of cards misread at most")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    styles = [Style(name) for name in args.decks]
    if args.packaged is not None:
        styles += [Style(name, art) for name, art in packaged(args.packaged).items()]
    print(
        "| deck | tables | face up | read | unsure | missed | as a back | wrong | backs | CPU ms |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    total = Tally()
    for style in styles:
        taught = teach(style, args.looks) if args.taught else None
        tally, ms = measure(style, args.cards, TableReader(deck=taught), args.seed)
        n = tally.counts
        print(
            f"| {style.name}{' (taught)' if taught else ''} | {n['tables']} | {n['up']} | "
            f"{n['read'] / n['up']:.4f} | {n['unsure']} | {n['missed']} | {n['turned']} | "
            f"{n['wrong']} | {n['backs']} of {n['down']} | {np.median(ms):.0f} |",
            flush=True,
        )
        total.add(tally)
    print(f"\n{reliability(total.sayings)}")
    wrong = total.counts["wrong"]
    return int(wrong > args.most * max(total.counts["read"] + wrong, 1))


if __name__ == "__main__":
    sys.exit(main())

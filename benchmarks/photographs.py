"""How well photographs are read, and what each confidence means: the *dev* pictures of ../shared.

python benchmarks/photographs.py [--kind single --kind separate] [--every N] [--shared ../shared]

The scorer of ../shared gives the tables by source; this gives the reliability table, what other
thresholds would cost, every silent mistake by name, and the bones that were seen where none are.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from pathlib import Path

import cv2

from benchmarks.dealing import reliability
from tests.support.paths import SHARED
from vision import Reading, TableReader
from vision.bones.pipeline import BoneReader

KINDS = ("single", "separate", "overlap", "fan")


def sayings(reading: Reading, labels: str) -> list[tuple[float, bool]]:
    """Pair the confidence of each card, read or unsure, with whether it is one of the labels.

    Of a card that is unsure the first candidate counts. A label is used up by the surest card.
    """
    left = Counter(labels.split())
    told = [(card.confidence, str(card.card)) for card in reading.cards]
    told += [(c.confidence, str(c.candidates[0])) for c in reading.unsure if c.candidates]
    out = []
    for confidence, card in sorted(told, reverse=True):
        out.append((confidence, left[card] > 0))
        left[card] -= 1
    return out


def main() -> int:
    """Read, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--kind", action="append", choices=KINDS, help="may be given again")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th")
    args = parser.parse_args()
    cards = args.shared / "cards"
    if not cards.exists():
        print(f"no photographs in {cards}; name the folder with --shared", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    with (cards / "manifest.csv").open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["kind"] in (args.kind or KINDS)]
    reader = TableReader(bones=BoneReader())
    told: list[tuple[float, bool]] = []
    n: Counter[str] = Counter()
    for row in rows[:: args.every]:
        image = cv2.imread(str(cards / row["file"]))
        reading = reader.read(image)
        told += sayings(reading, row["labels"])
        wanted = Counter(row["labels"].split())
        seen = Counter(str(card.card) for card in reading.cards)
        wrong = seen - wanted
        n.update(
            cards=wanted.total(),
            read=(seen & wanted).total(),
            wrong=wrong.total(),
            bones=len(reading.bones),
            doubted=len(reading.unsure_bones),
        )
        for card in reading.cards:
            if str(card.card) in wrong:
                print(f"{row['file']}: {card.card} ({card.confidence:.3f}) for {row['labels']}")
        for bone in reading.bones:
            print(f"{row['file']}: a bone, {bone.face} ({bone.confidence:.4f})")
    reported = max(n["read"] + n["wrong"] + n["bones"], 1)
    print(
        f"\n{n['cards']} cards: {n['read'] / max(n['cards'], 1):.4f} read, {n['wrong']} wrong and "
        f"{n['bones']} bones where none are ({(n['wrong'] + n['bones']) / reported:.2%}); "
        f"{n['doubted']} more bones were doubted\n"
    )
    print(reliability(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())

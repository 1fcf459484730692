"""How well photographs are read, and what each confidence means: those of ../shared.

python benchmarks/photographs.py [--set dev2] [--half report] [--kind single --kind separate]
    [--every N] [--shared ../shared]

The scorer of ../shared gives the tables by source; this gives the reliability table, what other
thresholds would cost, every silent mistake by name, what was told where nothing lies, and the bones
that were seen where none are. Settings are chosen on the half *choose* (halves.csv) alone.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dealing import reliability
from tests.support.paths import SHARED
from vision import Reading, TableReader
from vision.bones.pipeline import BoneReader
from vision.training.halves import half_of

KINDS = ("single", "separate", "overlap", "fan")

MANIFESTS = {"dev": "manifest.csv", "dev2": "dev2/manifest.csv"}

WHOLE = "whole visible card, axis aligned"
"""What boxes bound where each labelled card has one."""


def told_of_nothing(reading: Reading, row: dict[str, str]) -> int | None:
    """How many cards, read or unsure, lie in no labelled one; ``None`` where labels lack a box."""
    boxes = json.loads(row["boxes"]) if row["boxes"] and row["box_kind"] == WHOLE else []
    if len(boxes) < len(row["labels"].split()):
        return None
    middles = [
        np.mean(e.place.corners, axis=0) for e in (*reading.cards, *reading.jokers, *reading.unsure)
    ]
    within = (any(a <= x <= c and b <= y <= d for _, a, b, c, d in boxes) for x, y in middles)
    return sum(not each for each in within)


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
    parser.add_argument("--set", default="dev", choices=MANIFESTS)
    parser.add_argument("--half", choices=("choose", "report"))
    kinds = (*KINDS, "cut", "none")
    parser.add_argument("--kind", action="append", choices=kinds, help="may be given again")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th")
    args = parser.parse_args()
    cards = args.shared / "cards"
    if not cards.exists():
        print(f"no photographs in {cards}; name the folder with --shared", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    manifest = cards / MANIFESTS[args.set]
    with manifest.open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["kind"] in (args.kind or KINDS)]
    if args.half:
        rows = [row for row in rows if half_of(args.set, row["source"], row["file"]) == args.half]
    reader = TableReader(bones=BoneReader())
    told: list[tuple[float, bool]] = []
    n: Counter[str] = Counter()
    for row in rows[:: args.every]:
        image = cv2.imread(str(manifest.parent / row["file"]))
        reading = reader.read(image)
        told += sayings(reading, row["labels"])
        wanted = Counter(row["labels"].split())
        seen = Counter(str(card.card) for card in reading.cards)
        wrong = seen - wanted
        nothing = told_of_nothing(reading, row)
        if nothing is not None:
            n.update(boxed=1, nothing=nothing)
        n.update(
            cards=wanted.total(),
            read=(seen & wanted).total(),
            wrong=wrong.total(),
            bones=len(reading.bones),
            doubted=len(reading.unsure_bones),
            jokers=len(reading.jokers),
        )
        for card in reading.cards:
            if str(card.card) in wrong:
                print(f"{row['file']}: {card.card} ({card.confidence:.3f}) for {row['labels']}")
        for joker in reading.jokers:
            print(f"{row['file']}: a joker ({joker.confidence:.3f})")
        for bone in reading.bones:
            print(f"{row['file']}: a bone, {bone.face} ({bone.confidence:.4f})")
    reported = max(n["read"] + n["wrong"] + n["bones"], 1)
    print(
        f"\n{n['cards']} cards: {n['read'] / max(n['cards'], 1):.4f} read, {n['wrong']} wrong and "
        f"{n['bones']} bones where none are ({(n['wrong'] + n['bones']) / reported:.2%}); "
        f"{n['doubted']} more bones were doubted; {n['jokers']} jokers; told where nothing lies: "
        f"{n['nothing']} in {n['boxed']} pictures\n"
    )
    print(reliability(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())

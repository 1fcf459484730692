"""How jokers are told: those of packaged decks, on drawn table tops, alone or beside three cards.

python benchmarks/jokers.py WORK [--beside 3] [--scenes 6] [--seed 1]

WORK is training's work folder with the decks (docs/how-to/training.md). Prints what each joker was
told as, and how many of the cards beside it were read or taken for a joker.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import Place, Reading, TableReader
from vision.cards.classifier import CARDS

Image = NDArray[np.uint8]

SIZE = (960, 720)
SPOTS = np.array([(240, 190), (720, 190), (240, 530), (720, 530)])
ROUND = 0.06
"""Radius of a card's corners, in parts of its width."""


def lay(table: NDArray[np.float32], face: Image, quad: NDArray[np.float32]) -> None:
    """Draw a card on the table, with its shadow, in place."""
    high, wide = face.shape[:2]
    fine = cv2.GaussianBlur(face, (0, 0), max(0.3, 0.45 * wide / np.hypot(*(quad[1] - quad[0]))))
    shape = np.zeros((high, wide), np.float32)
    r = int(ROUND * wide)
    inner = np.array([[r, r], [wide - r, r], [wide - r, high - r], [r, high - r]], np.int32)
    cv2.fillPoly(shape, [inner], 1.0)
    shape = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1,) * 2))
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad)
    cover = cv2.warpPerspective(shape, matrix, SIZE)
    shadow = cv2.GaussianBlur(cover, (0, 0), 4) * (1 - cover)
    card = cv2.warpPerspective(fine.astype(np.float32), matrix, SIZE)
    table *= (1 - 0.35 * shadow)[..., None]
    table[:] = table * (1 - cover[..., None]) + card * cover[..., None]


def scene(faces: list[Image], rng: np.random.Generator) -> tuple[Image, NDArray[np.float64]]:
    """Return a picture of these cards lying apart, and the middle of each."""
    table = np.empty((SIZE[1], SIZE[0], 3), np.float32)
    table[:] = rng.uniform(20, 170, 3)
    cloth = rng.normal(0, 1, (12, 16, 3)).astype(np.float32)
    table += cv2.resize(cloth, SIZE, interpolation=cv2.INTER_CUBIC) * rng.uniform(2, 14)
    width = rng.uniform(95, 150)
    middles = rng.permutation(SPOTS)[: len(faces)] + rng.uniform(-40, 40, (len(faces), 2))
    half = np.array([[-1, -1.42], [1, -1.42], [1, 1.42], [-1, 1.42]]) * width / 2
    for face, middle in zip(faces, middles, strict=True):
        a = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        lay(table, face, (half @ turn + middle).astype(np.float32))
    table *= rng.uniform(0.8, 1.1, 3) * rng.uniform(0.5, 1.05)
    table = cv2.GaussianBlur(table, (0, 0), rng.uniform(0.4, 1.1))
    table += rng.normal(0, rng.uniform(1, 6), table.shape)
    picture = table.clip(0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8), middles


def told_at(reading: Reading, middle: NDArray[np.float64]) -> str:
    """Return what was told there: a card's code, or a word."""

    def holds(place: Place) -> bool:
        quad = np.array(place.corners, np.float32)
        return cv2.pointPolygonTest(quad, tuple(middle.tolist()), False) > 0

    for word in ("jokers", "unsure", "backs"):
        if any(holds(each.place) for each in getattr(reading, word)):
            return word
    return next((str(each.card) for each in reading.cards if holds(each.place)), "missed")


def main() -> int:
    """Draw, read, count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--beside", type=int, default=3, choices=range(4), help="cards beside it")
    parser.add_argument("--scenes", type=int, default=6, help="for each deck")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    faces = np.load(args.work / "faces.npy", mmap_mode="r")
    labels, names = np.load(args.work / "labels.npy"), np.load(args.work / "decks.npy")
    rng, reader = np.random.default_rng(args.seed), TableReader()
    jokers: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    for name in np.unique(names[labels < 0]):
        own = np.flatnonzero((names == name) & (labels < 0))
        others = np.flatnonzero((names == name) & (labels >= 0))
        for number in range(args.scenes):
            laid = [own[number % len(own)], *rng.choice(others, args.beside, replace=False)]
            picture, middles = scene([np.array(faces[each]) for each in laid], rng)
            reading = reader.read(picture)
            told = [told_at(reading, middle) for middle in middles]
            jokers[told[0] if told[0] in ("jokers", "unsure", "backs", "missed") else "a card"] += 1
            for each, word in zip(laid[1:], told[1:], strict=True):
                right = word == str(CARDS[labels[each]])
                cards["read" if right else "as a joker" if word == "jokers" else "not read"] += 1
    print(f"{jokers.total()} jokers: {dict(jokers)}; cards beside them: {dict(cards)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

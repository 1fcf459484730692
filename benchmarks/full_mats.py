"""Count on how many well-covered mats what lies there is told from the print, in several lights.

python benchmarks/full_mats.py [--seeds 24 56] [--show FOLDER]

Each seed is a drawn table for four to seven with two to six cards at most places, face up or down.
A picture counts as wrong where more than 1.5 % of the mat is taken for something that lies there,
or is not, though it is; the edges of cards, 6 mm wide, do not count. No network is asked.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.table import SimulatedTable, TableFullError
from engine.core.cards import deck
from tests.support import lights
from vision.mat.foreground import segment_foreground, whole_mat
from vision.mat.pose import MatLayout, find_mat
from vision.readings import ZoneKind

LIGHTS = (
    ("none", 0.0),
    ("rolling bands", 0.6),
    ("rolling bands", 1.0),
    ("dim", 1.0),
    ("noise", 1.0),
    ("warm lamp", 1.0),
    ("arm's shadow", 1.0),
)
"""What is wrong with the light, and how much of it."""

STYLES = ("old", "modern", "four-colour")
WRONG = 0.015
BESIDE_MM, WITHIN_MM = 6, 4
"""Edges that do not count, beyond a card and within it."""

Image = NDArray[np.uint8]


def covered(seed: int) -> SimulatedTable:
    """Return a table with many cards."""
    rng = np.random.default_rng(seed)
    seats = int(rng.integers(4, 8))
    table = SimulatedTable(
        MatLayout(seats), style=STYLES[seed % len(STYLES)], seed=seed, size=(1280, 960)
    )
    cards = [deck()[n] for n in rng.permutation(52)]
    each, up = int(rng.integers(2, 7)), rng.random()
    for seat in range(seats):
        for _ in range(each if rng.random() > 0.15 else 0):
            try:
                table.lay(seat, cards.pop(), face_up=bool(rng.random() < up))
            except TableFullError:
                break
    table.settle()
    return table


def wrong_share(image: Image, table: SimulatedTable) -> tuple[float, Image]:
    """Return which part of the mat is told wrongly, and the mask, uint8 0 or 1."""
    pose = find_mat(image)
    assert pose is not None, "the drawn mat is not found"
    mask = segment_foreground(image, pose, whole_mat(pose.layout))
    truth = np.zeros_like(mask)
    for card in table.cards:
        quad = pose.to_mm(table.quad(card).astype(np.float32))
        cv2.fillConvexPoly(truth, np.rint(quad).astype(np.int32), 1)
    beside = cv2.dilate(truth, np.ones((2 * BESIDE_MM + 1,) * 2, np.uint8))
    within = cv2.erode(truth, np.ones((2 * WITHIN_MM + 1,) * 2, np.uint8))
    counts = beside == within
    for zone, at in pose.layout.zones:
        if zone.kind is ZoneKind.STOCK:
            plain = np.ones_like(mask)
            cv2.fillConvexPoly(plain, np.rint(at).astype(np.int32), 0)
            counts &= plain > 0
    return float(((mask != truth) & counts).mean()), mask


def main() -> None:
    """Draw, segment, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs=2, default=(24, 56), metavar=("FROM", "TO"))
    parser.add_argument("--show", type=Path, help="a folder for the pictures that are wrong")
    args = parser.parse_args()
    found = defaultdict(list)
    for seed in range(*args.seeds):
        table = covered(seed)
        plain = table.frame()
        for name, strength in LIGHTS:
            rng = np.random.default_rng(seed)
            image = lights.EVILS[name](plain, rng, strength) if strength else plain
            share, mask = wrong_share(image, table)
            found[name, strength].append(share)
            if args.show and share > WRONG:
                args.show.mkdir(parents=True, exist_ok=True)
                path = args.show / f"{seed}-{name}-{strength}"
                cv2.imwrite(f"{path}.jpg", image)
                cv2.imwrite(f"{path}-mask.png", mask * 255)
    print("| light (strength) | mats | told wrongly, % | more than 1.5 % |\n|---|---:|---:|---:|")
    for (name, strength), shares in found.items():
        mean, many = 100 * np.mean(shares), sum(share > WRONG for share in shares)
        print(f"| {name} {strength or ''} | {len(shares)} | {mean:.2f} | {many} |")


if __name__ == "__main__":
    main()

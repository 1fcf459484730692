"""Count what is read where nothing lies: phantom cards in the bad lights of the virtual table.

python benchmarks/phantoms.py [--tables 2] [--light dim --light "rolling bands"] [--show FOLDER]

Every light of ``lights.py`` at full strength, pairs of the worst, and bands twice as dark as a lamp
makes them. A phantom's middle lies on no card and not on the stock. A phantom in a seat or the
dealer's place is asked about or counted; one elsewhere is only told. *ms* is the median time of the
processor that a picture takes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.dealing import Style, deal
from device.runtime.annotate import annotate
from device.simulator.table import SimulatedTable
from tests.support import lights
from vision import Reading, TableReader
from vision.mat.pose import MatLayout, MatPose, find_mat
from vision.readings import Place, ZoneKind

Image = NDArray[np.uint8]

LIGHTS: tuple[tuple[tuple[str, float], ...], ...] = (
    (),
    *(((name, 1.0),) for name in lights.MILD),
    (("dim", 1.0), ("rolling bands", 1.0)),
    (("glare", 1.0), ("noise", 1.0)),
    (("dim", 1.4),),
    (("rolling bands", 2.0),),
)
"""What is wrong with the light, and how much of each."""

MATS = ((4, "A1"), (6, "A1"), (8, "A1"), (4, "A2"), (2, "A3"), (6, "A0"))
DEALT = (0, 12)
"""Cards on the mat: a bare one, and one in play."""


def phantoms(reading: Reading, table: SimulatedTable) -> list[tuple[str, Place]]:
    """Return the kind and the place of what was read where nothing lies."""
    there = [table.quad(each).astype(np.float32) for each in table.cards]
    told = [("card", card.place) for card in reading.cards]
    told += [("back", back.place) for back in reading.backs]
    told += [("joker", joker.place) for joker in reading.jokers]
    told += [("unsure", unsure.place) for unsure in reading.unsure]

    def is_phantom(place: Place) -> bool:
        if place.zone is not None and place.zone.kind is ZoneKind.STOCK:
            return False
        x, y = np.mean(place.corners, axis=0).tolist()
        return all(cv2.pointPolygonTest(quad, (x, y), False) < 0 for quad in there)

    return [(kind, place) for kind, place in told if is_phantom(place)]


def where(place: Place, pose: MatPose) -> str:
    """Say in a word where on the mat a place is."""
    assert place.centre_mm is not None
    x, y = place.centre_mm
    near = pose.layout.marker_mm
    for corners in pose.layout.markers.values():
        if np.abs(corners.mean(axis=0) - (x, y)).max() < near:
            return "marker"
    if place.zone is None:
        return "between"
    return "seat" if place.zone.kind is ZoneKind.SEAT else str(place.zone.kind)


def lit(image: Image, evils: tuple[tuple[str, float], ...], rng: np.random.Generator) -> Image:
    """Show *image* in a light."""
    for name, strength in evils:
        image = lights.EVILS[name](image, rng, strength)
    return image


def main() -> int:
    """Count, and print a row for each light."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=1, help="of each mat, bare and in play")
    parser.add_argument("--light", action="append", help="only lights with this evil")
    parser.add_argument("--show", type=Path, help="write each picture with a phantom here")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = TableReader()
    print(
        "| light | frames | without mat | cards of | read | backs of | counted | ms | phantoms "
        "| where |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
    for number, evils in enumerate(LIGHTS):
        if args.light and not any(name in args.light for name, _ in evils):
            continue
        n: Counter[str] = Counter()
        places: Counter[str] = Counter()
        times: list[float] = []
        name = ", ".join(f"{evil} {strength:g}" for evil, strength in evils) or "plain"
        for seed in range(args.tables):
            for mat, (seats, paper) in enumerate(MATS):
                table = Style(("modern", "four-colour", "old")[(mat + seed) % 3]).table(
                    MatLayout(seats, paper), seed=700 + 10 * seed + mat, size=(2304, 1296)
                )
                for dealt in DEALT:
                    room = sum(table.room(seat) for seat in range(seats))
                    deal(table, min(dealt, room), seed=mat + 100 * seed, down=4)
                    rng = np.random.default_rng([number, seed, mat, dealt])
                    image = lit(table.frame(), evils, rng)
                    pose, began = find_mat(image), time.process_time()
                    reading = reader.read(image)
                    times.append((time.process_time() - began) * 1000)
                    n["frames"] += 1
                    if pose is None:
                        n["lost"] += 1
                        continue
                    n["up"] += len(table.face_up())
                    n["read"] += len(table.face_up() & {card.card for card in reading.cards})
                    n["down"] += sum(not each.face_up for each in table.cards)
                    n["backs"] += sum(
                        any(
                            cv2.pointPolygonTest(
                                table.quad(each).astype(np.float32),
                                tuple(np.mean(back.place.corners, axis=0).tolist()),
                                False,
                            )
                            >= 0
                            for back in reading.backs
                        )
                        for each in table.cards
                        if not each.face_up
                    )
                    found = phantoms(reading, table)
                    places.update(f"{kind} {where(place, pose)}" for kind, place in found)
                    if found and args.show:
                        args.show.mkdir(parents=True, exist_ok=True)
                        file = f"{number}-{seed}-{mat}-{dealt}.jpg"
                        cv2.imwrite(str(args.show / file), annotate(image, reading))
        said = ", ".join(f"{count} {what}" for what, count in places.most_common())
        print(
            f"| {name} | {n['frames']} | {n['lost']} | {n['up']} | {n['read']} | {n['down']} "
            f"| {n['backs']} | {statistics.median(times):.0f} | {places.total()} | {said or '-'} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

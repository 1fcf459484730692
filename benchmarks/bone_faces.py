"""How well the faces of bones are told: dyed ones, small ones, and ones of brass and glass.

python benchmarks/bone_faces.py dyes [--light noise]     # docs/how-to/bones.md, BONES_MODEL_CARD.md
python benchmarks/bone_faces.py small [--shared ../shared]
python benchmarks/bone_faces.py taught --work WORK

*dyes* throws bones on the virtual table. *small* reads the scenes of ../shared made smaller.
*taught* draws sets that look like none the networks have seen, in the light that they were trained
in, from shapes that were held out (docs/how-to/bones.md, "Training the networks", explains WORK);
each face is shown four times, and other bones of the set are read before and after.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.bone_table import BonesTable
from device.simulator.bones import DYES
from engine.core.bones import Face
from tests.support import lights
from tests.support.paths import SHARED
from vision import BoneReader
from vision.bones.classifier import FACES
from vision.bones.custom_set import BoneMatcher, CustomBoneSet
from vision.bones.enrolment import BoneSetEnrolment
from vision.bones.on_table import BonesOnMat, with_bones
from vision.bones.pipeline import BoneOrUnsure
from vision.mat.pose import MatLayout
from vision.readings import BoneReading, Reading, Spot

Image = NDArray[np.uint8]

THROWS, THROWN = 5, 8
"""Throws of each dye, and bones in each."""

NEAR_PX = 22
"""How far from the middle of a bone what is read of it may lie."""

SCALES = (1.0, 0.6, 0.35, 0.25)
JPEG = 70
"""Quality of the smaller pictures."""

SHOWN, READ = 4, 25
"""Pictures of each face that a set is taught from, and others that it is judged by."""

WIDE, HIGH, LONG = 448, 336, 110
"""Pixels of such a picture, and of a bone in it."""


def told(face: Face | None, bone: BoneOrUnsure | None) -> str:
    """Say what a reading is worth: right, wrong, unsure, or missed."""
    if bone is None:
        return "missed"
    if not isinstance(bone, BoneReading):
        return "unsure"
    return "right" if bone.face is face else "wrong"


def dyes(light: str | None) -> Iterable[str]:
    """Throw bones of every dye on the virtual table, and read them in a light of ``lights.py``."""
    yield "| dye | bones | right | wrong | unsure | missed | read elsewhere | asked elsewhere |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    reader = BonesOnMat(BoneReader())
    fate = random.Random(5)
    total: Counter[str] = Counter()
    for dye in DYES:
        n: Counter[str] = Counter()
        for seed in range(2, 2 + THROWS):
            table = BonesTable(MatLayout(4, "A2"), seed=seed, dye=dye)
            table.throw(0, THROWN, faces=[fate.choice(FACES) for _ in range(THROWN)])
            while table.is_moving:
                table.frame()
            image = np.asarray(table.frame(), np.uint8)
            if light is not None:
                image = lights.EVILS[light](image, np.random.default_rng(seed))
            reading = reader.read(image)
            seen = [*reading.bones, *reading.unsure_bones]
            for bone in table.bones:
                x, y = table.outline(bone).mean(axis=0).tolist()
                near = [each for each in seen if math.dist(each.spot.centre, (x, y)) < NEAR_PX]
                n[told(bone.face, near[0] if near else None)] += 1
                seen = [each for each in seen if each not in near]
            n["read elsewhere"] += sum(isinstance(each, BoneReading) for each in seen)
            n["asked elsewhere"] += sum(not isinstance(each, BoneReading) for each in seen)
        total.update(n)
        yield _row(dye, n)
    yield _row("all", total)


def small(shared: Path) -> Iterable[str]:
    """Read the separate bones of the dev scenes, made smaller."""
    yield f"| part of its size (JPEG {JPEG}) | length, pixels | bones | read | wrong | unsure |"
    yield "|---:|---:|---:|---:|---:|---:|"
    reader = BoneReader()
    folder = shared / "bones" / "dev"
    with (folder / "manifest.csv").open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["kind"] == "separate"]
    images = [np.asarray(cv2.imread(str(folder / row["file"])), np.uint8) for row in rows]
    long_px = 0.0
    for scale in SCALES:
        n: Counter[str] = Counter()
        lengths = []
        for row, image in zip(rows, images, strict=True):
            smaller = _smaller(image, scale)
            reading = with_bones(Reading(0.0), reader.read(smaller), smaller, None)
            seen = Counter(bone.face.value for bone in reading.bones)
            wanted = Counter(row["labels"].split())
            n.update(
                bones=wanted.total(),
                read=(wanted & seen).total(),
                wrong=(seen - wanted).total(),
                unsure=len(reading.unsure_bones),
            )
            lengths += [_length(bone.spot) for bone in reading.bones]
        long_px = long_px or float(np.median(lengths))
        part = n["read"] / n["bones"]
        yield (
            f"| {scale:g} | {long_px * scale:.0f} | {n['bones']} | {n['read']} ({part:.3f}) "
            f"| {n['wrong']} | {n['unsure']} |"
        )


def _smaller(image: Image, scale: float) -> Image:
    if scale == 1.0:
        return image
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _length(spot: Spot) -> float:
    return float(max(cv2.minAreaRect(np.array(spot.outline, np.float32))[1]))


def taught(work: Path, sets: int) -> Iterable[str]:
    """Draw sets of brass and of glass, teach each, and read it before and after."""
    from vision.training.bones.samples import Source

    yield "| set | when | bones | read | wrong | unsure |"
    yield "|---|---|---:|---:|---:|---:|"
    for name in ("brass", "glass"):
        counts: dict[str, Counter[str]] = {"before": Counter(), "after": Counter()}
        for seed in range(4, 4 + sets):
            source = Source(work, "cpu", seed, held_out=True)
            stuff = source.materials.a_set(name, source.dice)
            teacher = BoneSetEnrolment(CustomBoneSet(name))
            for face, image in _drawn(source, stuff, SHOWN):
                teacher.show(face, image)
            pictures = list(_drawn(source, stuff, READ))
            ways = (BoneReader(), BoneReader(adapt=BoneMatcher(teacher.bones).adapt))
            for n, reader in zip(counts.values(), ways, strict=True):
                _take(n, reader, pictures)
        for when, n in counts.items():
            yield (
                f"| {name} | {when} | {n['bones']} | {n['read']} | {n['wrong']} | {n['unsure']} |"
            )


def _take(n: Counter[str], reader: BoneReader, pictures: list[tuple[Face, Image]]) -> None:
    """Read pictures of one bone each, and count."""
    for face, image in pictures:
        reading = with_bones(Reading(0.0), reader.read(image), image, None)
        seen = [bone.face for bone in reading.bones]
        n.update(
            bones=1,
            read=face in seen,
            # A thing on the cloth taken for another bone is wrong, or unsure, as well.
            wrong=len(seen) - (face in seen),
            unsure=len(reading.unsure_bones),
        )


def _drawn(source: Any, stuff: Any, count: int) -> Iterable[tuple[Face, Image]]:
    """Draw *count* pictures of each face of a bone of this stuff, as training draws them."""
    for number, face in enumerate(FACES):
        for _ in range(count):
            up = stuff.new_full((1,), number).long()
            picture = source.alone(up, stuff[None, None], (WIDE, HIGH), LONG)
            yield face, np.ascontiguousarray(picture[0].permute(1, 2, 0).numpy())


def _row(name: str, n: Counter[str]) -> str:
    worth = [n[word] for word in ("right", "wrong", "unsure", "missed")]
    cells = [sum(worth), *worth, n["read elsewhere"], n["asked elsewhere"]]
    return f"| {name} | {' | '.join(str(cell) for cell in cells)} |"


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("dyes", "small", "taught"))
    parser.add_argument("--light", choices=lights.MILD, help="for dyes; by default a good one")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--work", type=Path, help="training's work folder, for taught sets")
    parser.add_argument("--sets", type=int, default=3, help="taught sets of each kind")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "dyes":
        lines = dyes(args.light)
    elif args.what == "small":
        if not (args.shared / "bones").exists():
            print(f"no scenes in {args.shared}; name the folder with --shared", file=sys.stderr)
            return 2
        lines = small(args.shared)
    elif args.work is None:
        print("taught sets are drawn from training's shapes; name them: --work", file=sys.stderr)
        return 2
    else:
        lines = taught(args.work, args.sets)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

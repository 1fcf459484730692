"""How well the faces of bones are told: dyed ones, small ones, and ones of brass and glass.

python benchmarks/bone_faces.py dyes [--light noise]     # docs/how-to/bones.md, BONES_MODEL_CARD.md
python benchmarks/bone_faces.py small [--shared ../shared]
python benchmarks/bone_faces.py taught --work WORK [--textures FOLDER...]

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

STEEPEST = 20.0
"""Degrees that the camera is tilted at most."""


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
            reading = with_bones(Reading(0.0), reader, _smaller(image, scale), None)
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


def taught(work: Path, textures: list[Path], sets: int) -> Iterable[str]:
    """Draw sets of brass and of glass, teach each, and read it before and after."""
    from vision.training.bones.lighting import Material
    from vision.training.bones.scenes import HELD_OUT, BoneScenes
    from vision.training.bones.sprites import load_bank
    from vision.training.common.backgrounds import Backgrounds, load_pictures

    brass = Material(
        np.array((0.30, 0.55, 0.78), np.float32),
        gloss=2.0,
        sharp=60.0,
        mirror=0.9,
        dirt=0.2,
        rough=0.02,
    )
    glass = Material(
        np.array((0.5, 0.6, 0.4), np.float32),
        gloss=3.0,
        sharp=150.0,
        mirror=0.2,
        clear=0.75,
        dirt=0.1,
        rough=0.0,
    )
    grounds = Backgrounds(load_pictures(textures, most=40))
    scenes = BoneScenes(load_bank(work), grounds, slice(-HELD_OUT, None))
    yield "| set | when | bones | read | wrong | unsure |"
    yield "|---|---|---:|---:|---:|---:|"
    for name, stuff in (("brass", brass), ("glass", glass)):
        counts: dict[str, Counter[str]] = {"before": Counter(), "after": Counter()}
        for seed in range(4, 4 + sets):
            rng = np.random.default_rng(seed)
            teacher = BoneSetEnrolment(CustomBoneSet(name))
            for face in FACES:
                for _ in range(SHOWN):
                    teacher.show(face, _drawn(scenes, face, stuff, rng))
            pictures = [
                (face, _drawn(scenes, face, stuff, rng)) for face in FACES for _ in range(READ)
            ]
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
        reading = with_bones(Reading(0.0), reader, image, None)
        seen = [bone.face for bone in reading.bones]
        n.update(
            bones=1,
            read=face in seen,
            # A thing on the cloth taken for another bone is wrong, or unsure, as well.
            wrong=len(seen) - (face in seen),
            unsure=len(reading.unsure_bones),
        )


def _drawn(scenes: object, face: Face, stuff: object, rng: np.random.Generator) -> Image:
    """Draw one bone of this stuff with *face* uppermost, as training draws them."""
    from vision.training.bones import scenes as bone_scenes
    from vision.training.bones.lighting import Geometry, Material

    assert isinstance(scenes, bone_scenes.BoneScenes)
    assert isinstance(stuff, Material)
    tilt = min(abs(float(rng.normal(0, 8))), STEEPEST)
    turn = float(rng.uniform(0, 2 * np.pi))
    number = scenes.pick(FACES.index(face), tilt, rng)
    px_per_mm = float(scenes.bank.px_per_mm[number]) * LONG / scenes.length(number)
    middle = np.array([WIDE / 2, HIGH / 2]) + rng.normal(0, 30, 2)
    thing = scenes.thing(number, px_per_mm, middle, turn, rng)
    geometry = Geometry.empty(WIDE, HIGH, bone_scenes.table_normal(tilt, turn))
    bone_scenes.lay(geometry, thing, 0)
    return np.asarray(
        bone_scenes.finish(
            geometry, [thing], scenes.backgrounds, LONG, rng, rough=0.3, materials=[stuff]
        ),
        np.uint8,
    )


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
    parser.add_argument("--textures", type=Path, nargs="*", default=[])
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
        lines = taught(args.work, args.textures, args.sets)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

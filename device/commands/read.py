"""``boneace read``: read the cards and the knucklebones on photographs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2

from device.ports import Image
from device.runtime.annotate import annotate
from device.storage.bone_sets import bone_reader
from device.storage.decks import find_deck
from engine.core.text.limits import escape_controls
from vision import Place, Reading, Spot, TableReader
from vision.camera.image_files import load_picture
from vision.errors import ImageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace read --format picture table.jpg"
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument(
        "--format",
        choices=("text", "json", "picture"),
        default="text",
        help="json: one object a line; picture: also an annotated copy, NAME.read.png, beside it",
    )
    parser.add_argument(
        "--deck", metavar="NAME", help="a deck taught before: boneace teach deck NAME; or its file"
    )
    parser.add_argument(
        "--bones", metavar="NAME", help="a set of bones taught before: boneace teach bones NAME"
    )


def run(args: argparse.Namespace) -> int:
    """Read every picture; return 1 if one could not be read."""
    reader = TableReader(bones=bone_reader(args.bones), deck=find_deck(args.deck))
    failed = False
    for path in args.images:
        image, problem = load(path)
        if image is None:
            print(escape_controls(f"boneace read: {path}: {problem}"), file=sys.stderr)
            failed = True
            continue
        began = time.perf_counter()
        reading = reader.read(image)
        ms = (time.perf_counter() - began) * 1000
        if args.format == "json":
            print(json.dumps(as_json(path, reading, ms)), flush=True)
            continue
        print(escape_controls(f"{path}: {as_text(reading)}"), flush=True)
        if args.format == "picture":
            copy = path.with_name(path.stem + ".read.png")
            try:
                written = cv2.imwrite(str(copy), annotate(image, reading))
            except cv2.error:
                written = False
            if not written:
                print(f"boneace read: cannot write {copy}; is the folder yours?", file=sys.stderr)
                failed = True
    return int(failed)


def load(path: Path) -> tuple[Image | None, str]:
    """Return the picture (BGR), or ``None`` and what is wrong and what to do."""
    try:
        return load_picture(path), ""
    except ImageError as problem:
        return None, str(problem)


def as_json(path: Path, reading: Reading, ms: float) -> dict[str, object]:
    """Return the JSON data of one picture."""

    def corners(place: Place) -> list[list[float]]:
        return [[round(x, 1), round(y, 1)] for x, y in place.corners]

    def spot(place: Spot) -> dict[str, object]:
        return {
            "outline": [[round(x, 1), round(y, 1)] for x, y in place.outline],
            "centre": [round(each, 1) for each in place.centre],
        }

    return {
        "image": str(path),
        "ms": round(ms, 1),
        "cards": [
            {
                "card": str(read.card),
                "confidence": round(read.confidence, 4),
                "corners": corners(read.place),
            }
            for read in reading.cards
        ],
        "face_down": len(reading.backs),
        "bones": [
            {
                "face": bone.face.value,
                "value": bone.value,
                "confidence": round(bone.confidence, 4),
                **spot(bone.spot),
            }
            for bone in reading.bones
        ],
        "bones_total": reading.bones_total,
        "unsure": [
            {
                "candidates": [str(card) for card in read.candidates],
                "confidence": round(read.confidence, 4),
                "corners": corners(read.place),
            }
            for read in reading.unsure
        ]
        + [
            {
                "candidates": [face.value for face in bone.candidates],
                "confidence": round(bone.confidence, 4),
                **spot(bone.spot),
            }
            for bone in reading.unsure_bones
        ],
    }


def as_text(reading: Reading) -> str:
    """Return the reading of one picture as a line for people."""
    parts = [" ".join(str(read.card) for read in reading.cards)] if reading.cards else []
    if reading.bones:
        faces = ", ".join(f"{bone.face} {bone.value}" for bone in reading.bones)
        count = "1 bone" if len(reading.bones) == 1 else f"{len(reading.bones)} bones"
        parts.append(f"{count}: {faces}: total {reading.bones_total}")
    if not parts:
        parts.append("no card read")
    if reading.backs:
        parts.append(f"{len(reading.backs)} face down")
    for read in reading.unsure:
        names = " or ".join(str(card) for card in read.candidates)
        parts.append(f"unsure: {names}" if names else "unsure")
    for bone in reading.unsure_bones:
        names = " or ".join(bone.candidates)
        parts.append(f"unsure bone: {names}" if names else "unsure bone")
    return "; ".join(parts)

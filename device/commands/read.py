"""``boneace read``: read the cards and the knucklebones on photographs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2

from device.commands.common import complain
from device.files import write_file
from device.hardware.pictures import STDIN, load_picture
from device.runtime.annotate import annotate
from device.storage.taught import bone_reader, find_deck
from engine.core.text.counted import counted
from engine.core.text.limits import one_line
from vision import Reading, TableReader
from vision.errors import ImageError
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    UnsureBoneReading,
    UnsureReading,
)

FORMAT = {"format": "boneace-reading", "version": 1}
"""The head of each line of JSON; docs/reference/read.schema.json says what may follow."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace read --format picture table.jpg"
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="a picture; - is the standard input"
    )
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
    failed, copies = False, set[Path]()
    for path in args.images:
        try:
            image = load_picture(path)
        except ImageError as problem:
            complain(f"boneace read: {path}: {problem}")
            failed = True
            continue
        began = time.perf_counter()
        reading = reader.read(image)
        ms = (time.perf_counter() - began) * 1000
        if args.format == "json":
            print(json.dumps(as_json(path, reading, ms)), flush=True)
            continue
        print(one_line(f"{path}: {as_text(reading)}"), flush=True)
        if args.format == "picture" and path == STDIN:
            complain("boneace read: -: has no place for a copy; use --format json")
            failed = True
        elif args.format == "picture":
            copy = path.with_name(path.stem + ".read.png")
            if copy in copies:
                complain(f"boneace read: {path}: {copy} is that of another picture; rename one")
                failed = True
                continue
            copies.add(copy)
            try:
                write_file(copy, cv2.imencode(".png", annotate(image, reading))[1].tobytes())
                print(one_line(f"{copy}: drawn on it what was read"), file=sys.stderr, flush=True)
            except OSError as problem:
                why = problem.strerror
                complain(f"boneace read: cannot write {copy} ({why}); is the folder yours?")
                failed = True
    return int(failed)


def as_json(path: Path, reading: Reading, ms: float) -> dict[str, object]:
    """Return the JSON data of one picture."""
    return {**FORMAT, "image": str(path), "ms": round(ms, 1), **reading_as_json(reading)}


def reading_as_json(reading: Reading) -> dict[str, object]:
    """Return a reading as JSON data; places are in pixels."""

    def card(read: CardReading | BackReading | JokerReading | UnsureReading) -> dict[str, object]:
        return {
            "confidence": round(read.confidence, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in read.place.corners],
        }

    def bone(read: BoneReading | UnsureBoneReading) -> dict[str, object]:
        return {
            "confidence": round(read.confidence, 4),
            "outline": [[round(x, 1), round(y, 1)] for x, y in read.spot.outline],
            "centre": [round(each, 1) for each in read.spot.centre],
        }

    return {
        "cards": [{"card": str(read.card), **card(read)} for read in reading.cards],
        "face_down": len(reading.backs),
        "backs": [card(read) for read in reading.backs],
        "jokers": [card(read) for read in reading.jokers],
        "bones": [
            {"face": read.face.value, "value": read.value, **bone(read)} for read in reading.bones
        ],
        "bones_total": reading.bones_total,
        "unsure": [
            *(
                {"candidates": list(map(str, read.candidates)), **card(read)}
                for read in reading.unsure
            ),
            *(
                {"candidates": list(map(str, read.candidates)), **bone(read)}
                for read in reading.unsure_bones
            ),
        ],
    }


def as_text(reading: Reading) -> str:
    """Return the reading of one picture as a line for people."""
    parts = [" ".join(str(read.card) for read in reading.cards)] if reading.cards else []
    if reading.bones:
        faces = ", ".join(f"{bone.face} {bone.value}" for bone in reading.bones)
        count = counted(len(reading.bones), "bone")
        parts.append(f"{count}: {faces}: total {reading.bones_total}")
    if not parts:
        parts.append("no card read")
    if reading.jokers:
        parts.append(counted(len(reading.jokers), "joker"))
    if reading.backs:
        parts.append(f"{len(reading.backs)} face down")
    for what, unsure in (("unsure", reading.unsure), ("unsure bone", reading.unsure_bones)):
        for read in unsure:
            names = " or ".join(map(str, read.candidates))
            parts.append(f"{what}: {names}" if names else what)
    return "; ".join(parts)

"""``boneace watch``: tell what lies before a camera, once for each change."""

from __future__ import annotations

import argparse
import json

from device.commands.follow_camera import follow_camera
from device.commands.read import FORMAT, as_text, reading_as_json
from device.ports import Frame
from device.storage.taught import bone_reader, find_deck
from engine.core.text.limits import one_line
from vision import Reading, TableReader
from vision.tracking.settled import Changes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace watch --camera /dev/video0"
    parser.add_argument(
        "--camera", metavar="SPEC", help="picamera2, v4l2:0, a video, a folder, auto"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: one object a change"
    )
    parser.add_argument("--deck", metavar="NAME", help="a deck taught before, or its file")
    parser.add_argument("--bones", metavar="NAME", help="a set of bones taught before")


def run(args: argparse.Namespace) -> int:
    """Watch until somebody ends it, or the film is over; return 1 if the camera fails."""
    reader = TableReader(bones=bone_reader(args.bones), deck=find_deck(args.deck))
    changes = Changes()

    def see(frame: Frame, reading: Reading) -> None:
        told = changes.see(reading)
        if told is None:
            return
        if args.format == "json":
            line = {**FORMAT, "t": round(frame.time_s, 2), **reading_as_json(told)}
            print(json.dumps(line), flush=True)
        else:
            print(one_line(f"{frame.time_s:8.1f} s  {as_text(told)}"), flush=True)

    return int(not follow_camera("watch", args.camera, reader, see))

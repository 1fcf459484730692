"""``boneace watch``: tell what lies before a camera, once for each change."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal

from device.commands.common import complain
from device.commands.read import FORMAT, as_text, reading_as_json
from device.config.model import load
from device.hardware.cameras import open_camera
from device.ports import CameraError, EndOfFramesError
from device.storage.bone_sets import bone_reader
from device.storage.decks import find_deck
from engine.core.text.limits import one_line
from vision import TableReader
from vision.tracking.motion_gate import MotionGate
from vision.tracking.settled import Changes, SettledReader


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
    # As a service we are stopped by SIGTERM: leave as by Ctrl-C, with the camera closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    spec = load().camera.spec if args.camera is None else args.camera
    reader = TableReader(bones=bone_reader(args.bones), deck=find_deck(args.deck))
    gate, changes = MotionGate(SettledReader(reader)), Changes()
    try:
        with contextlib.closing(open_camera(spec)) as camera:
            while True:
                frame = camera.read()
                reading = gate.see(frame.image, frame.time_s)
                told = None if reading is None else changes.see(reading)
                if told is None:
                    continue
                if args.format == "json":
                    line = {**FORMAT, "t": round(frame.time_s, 2), **reading_as_json(told)}
                    print(json.dumps(line), flush=True)
                else:
                    print(one_line(f"{frame.time_s:8.1f} s  {as_text(told)}"), flush=True)
    except (EndOfFramesError, KeyboardInterrupt):
        return 0
    except CameraError as problem:
        complain(f"boneace watch: {problem}")
        return 1

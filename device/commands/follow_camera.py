"""Follow a table before a camera, with or without a mat: what ``watch`` and ``check`` share."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable

from device.commands.common import complain
from device.config.model import load
from device.hardware.cameras import open_camera
from device.ports import CameraError, EndOfFramesError, Frame
from engine.core.text.counted import counted
from vision import Reading, TableReader
from vision.tracking.motion_gate import MotionGate
from vision.tracking.settled import PATIENCE_S, SettledReader


def follow_camera(
    command: str,
    spec: str | None,
    reader: TableReader,
    see: Callable[[Frame, Reading], None],
    greeting: str = "",
    patience_s: float = PATIENCE_S,
) -> bool:
    """Have *see* look at each rest of the table, until somebody ends it or the film is over.

    Args:
        command: complains where the camera fails.
        spec: which camera; without one that of the config.
        reader: reads the frames.
        see: gets each reading with its frame.
        greeting: is printed once the camera is there.
        patience_s: for so many seconds a card that stays in two minds is looked at.

    Returns:
        Whether the camera worked to the end.
    """
    # As a service we are stopped by SIGTERM: leave as by Ctrl-C, with the camera closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    gate = MotionGate(SettledReader(reader, patience_s))
    frames = rests = 0
    spec = load().camera.spec if spec is None else spec
    try:
        with contextlib.closing(open_camera(spec)) as camera:
            if greeting:
                print(greeting, flush=True)
            while True:
                frame = camera.read()
                frames += 1
                reading = gate.see(frame.image, frame.time_s)
                if reading is not None:
                    rests += 1
                    see(frame, reading)
    except EndOfFramesError:
        if not rests:
            seen = counted(frames, "picture")
            complain(
                f"boneace {command}: {seen}, on which nothing came to rest: a table is read once "
                f"it lies still; a photograph is read by: boneace read {spec}"
            )
        return True
    except KeyboardInterrupt:
        return True
    except CameraError as problem:
        complain(f"boneace {command}: {problem}")
        return False

"""The camera over the simulated table, and one that records what another sees."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from device.hardware.buttons import ScriptedPress, write_press
from device.ports import Camera, CameraError, Closing, Frame, Image, Press
from device.simulator.table import SimulatedTable
from engine.core.errors import BoneAceError

FRAME_S = 0.1
"""Seconds between frames, by the camera's own clock."""

PRESSES = "presses.jsonl"
"""The name of the script of presses in a recording."""

QUALITY = 92
"""JPEG quality (0-100): a simulated frame takes about 400 kB."""


class SimulatedCamera(Closing):
    """A ``Camera`` over a simulated table, with a clock of its own.

    Attributes:
        latest: the last picture.
    """

    def __init__(self, table: SimulatedTable) -> None:
        """Point the camera at *table*."""
        self.time_s = 0.0
        self.latest: Image | None = None
        self._table: SimulatedTable | None = table

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame, at once.

        Raises:
            CameraError: the camera is closed.
        """
        if self._table is None:
            raise CameraError("the virtual camera is closed; make another one for the table")
        self.latest = self._table.frame()
        frame = Frame(self.latest, self.time_s)
        self.time_s += FRAME_S
        return frame

    def close(self) -> None:
        """Close the camera; may be called twice."""
        self._table = None


class RecordingError(BoneAceError, OSError):
    """The recording cannot be written."""


class Recorder:
    """A camera that keeps every frame of another camera, and the presses between them.

    The folder holds ``00000.jpg``, ``00001.jpg``... and ``presses.jsonl``, which
    ``boneace play --camera FOLDER --presses FOLDER/presses.jsonl`` plays. Each frame is returned
    as it was written (decoded JPEG), so that playing it again gives the same readings.
    """

    def __init__(self, camera: Camera, folder: Path) -> None:
        """Record *camera* into *folder*, which must be new or empty.

        Raises:
            RecordingError: the folder cannot be used.
        """
        self.frames = 0
        self._camera = camera
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise RecordingError(f"{folder} is not empty; name a new folder for the recording")
            self._presses = (folder / PRESSES).open("w", encoding="utf-8")
        except OSError as problem:
            if isinstance(problem, RecordingError):
                raise
            raise RecordingError(
                f"{folder} cannot be written ({problem}); name a folder you may write"
            ) from problem

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame and write it.

        Raises:
            RecordingError: it cannot be written.
        """
        frame = self._camera.read(timeout_s)
        _, code = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        path = self._folder / f"{self.frames:05d}.jpg"
        try:
            path.write_bytes(code.tobytes())
        except OSError as problem:
            raise RecordingError(
                f"{path} cannot be written ({problem}); make room on the disk"
            ) from problem
        self.frames += 1
        image = cv2.imdecode(code, cv2.IMREAD_COLOR)
        return Frame(np.asarray(image, np.uint8), frame.time_s)

    def press(self, press: Press) -> None:
        """Record a press after the latest frame."""
        line = write_press(ScriptedPress(self.frames - 1, press.button, press.seat))
        self._presses.write(line + "\n")
        self._presses.flush()

    def close(self) -> None:
        """End the recording and close the camera; may be called twice."""
        self._presses.close()
        self._camera.close()

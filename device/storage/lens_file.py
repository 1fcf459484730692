"""The file of the lens calibration."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from device.files import read_json
from device.storage.atomic_file import write_whole
from device.storage.journal.reader import default_folder
from engine.core.errors import BoneAceError
from vision.camera.image_files import LONGEST_SIDE
from vision.camera.lens import MOST, Lens

LARGEST_FILE = 10_000
"""Bytes: three numbers take fifty."""


_DAMAGE = (OSError, ArithmeticError, ValueError, LookupError, TypeError)
"""Errors that reading a damaged file may raise."""


class CalibrationError(BoneAceError, ValueError):
    """A calibration that cannot be used."""


def lens_path() -> Path:
    """Return the file of the lens."""
    return default_folder() / "lens.json"


def save_lens(lens: Lens, path: Path | None = None) -> Path:
    """Save the lens atomically; return the file.

    Raises:
        CalibrationError: the file cannot be written.
    """
    path = path or lens_path()
    try:
        write_whole(path, f"{json.dumps(asdict(lens))}\n".encode())
    except OSError as problem:
        raise CalibrationError(
            f"cannot write {path} ({problem.strerror}); is the folder yours, and the disk free?"
        ) from problem
    return path


def load_lens(path: Path | None = None) -> Lens | None:
    """Return the measured lens; ``None`` where there is none.

    Raises:
        CalibrationError: the file is damaged.
    """
    path = path or lens_path()
    try:
        told = read_json(path, LARGEST_FILE)
        lens = Lens(float(told["bend"]), int(told["width_px"]), int(told["height_px"]))
        sides = (lens.width_px, lens.height_px)
        # `not <=` refuses NaN too.
        if not abs(lens.bend) <= MOST or not all(1 <= side <= LONGEST_SIDE for side in sides):
            raise ValueError(lens)
    except FileNotFoundError:
        return None
    except _DAMAGE as problem:
        raise CalibrationError(
            f"{path} is damaged; measure the lens again: boneace calibrate --lens"
        ) from problem
    return lens

"""What was measured of this table's camera, kept from one start to the next."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from device.journal import default_folder
from engine.errors import BoneAceError
from vision.lens import MOST, Lens


class CalibrationError(BoneAceError, ValueError):
    """A calibration that cannot be used."""


def lens_path() -> Path:
    """Return the file of the lens."""
    return default_folder() / "lens.json"


def save_lens(lens: Lens, path: Path | None = None) -> Path:
    """Keep what was measured of the lens, whole or not at all; return the file.

    Raises:
        CalibrationError: the file cannot be written.
    """
    path = path or lens_path()
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(asdict(lens)) + "\n", encoding="utf-8")
        os.replace(fresh, path)
    except OSError as problem:
        raise CalibrationError(
            f"cannot write {path} ({problem.strerror}); is the folder yours, and the disk free?"
        ) from problem
    return path


def load_lens(path: Path | None = None) -> Lens | None:
    """Return the lens that was measured; ``None`` where none was.

    Raises:
        CalibrationError: the file is damaged.
    """
    path = path or lens_path()
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        lens = Lens(float(told["bend"]), int(told["width_px"]), int(told["height_px"]))
        if abs(lens.bend) > MOST or lens.width_px < 1 or lens.height_px < 1:
            raise ValueError(lens)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise CalibrationError(
            f"{path} is damaged; measure the lens again: boneace calibrate --lens"
        ) from problem
    return lens

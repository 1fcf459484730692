"""Pictures in files that people name."""

from __future__ import annotations

import sys
from pathlib import Path

from device.files import read_file
from vision.camera.image_files import LARGEST_FILE, decode
from vision.errors import ImageError
from vision.geometry import Image

STDIN = Path("-")
"""Names the standard input."""


def load_picture(path: Path) -> Image:
    """Return the picture in a file, or that of the standard input, :data:`STDIN`.

    Raises:
        ImageError: it cannot be read; the message begins after the file's name, with a verb.
    """
    if path == STDIN:
        # One byte more than is allowed tells that there are too many.
        return decode(sys.stdin.buffer.read(LARGEST_FILE + 1))
    try:
        data = read_file(path, LARGEST_FILE)
    except FileNotFoundError as problem:
        raise ImageError("no such file; check the name") from problem
    except IsADirectoryError as problem:
        raise ImageError("is a folder; name the pictures in it, as FOLDER/*.jpg") from problem
    except OSError as problem:
        raise ImageError(
            f"cannot be opened ({problem.strerror}); name a picture, and check its permissions"
        ) from problem
    return decode(data)

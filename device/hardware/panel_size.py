"""How large the panel is, where it tells it: its EDID, as Linux keeps it for each connector."""

from __future__ import annotations

import math
from pathlib import Path

from device.files import read_file

DRM = Path("/sys/class/drm")
LARGEST = 32 * 1024
HEAD = bytes.fromhex("00ffffffffffff00")
BLOCK = 128
TIMING = 54
"""Where the first detailed timing begins; the picture's size in millimetres is in it."""
WIDTH_CM, HEIGHT_CM = 21, 22


def panel_inches(folder: Path = DRM) -> float:
    """Return the diagonal of the first panel that tells its size; 0 where none does.

    Args:
        folder: holds a folder for each connector, with its ``status`` and its ``edid``.
    """
    for file in sorted(folder.glob("*/edid")):
        try:
            edid = read_file(file, LARGEST)
        except OSError:
            continue
        inches = inches_of(edid)
        if inches:
            return inches
    return 0.0


def inches_of(edid: bytes) -> float:
    """Return the diagonal that an EDID tells; 0 where it tells none, as a projector's does.

    >>> inches_of(b"")
    0.0
    """
    if len(edid) < BLOCK or not edid.startswith(HEAD):
        return 0.0
    low, more = edid[TIMING + 12 : TIMING + 14], edid[TIMING + 14]
    width, height = low[0] + (more >> 4) * 256, low[1] + (more & 15) * 256
    if not (any(edid[TIMING : TIMING + 2]) and width and height):
        width, height = 10 * edid[WIDTH_CM], 10 * edid[HEIGHT_CM]
    return math.hypot(width, height) / 25.4 if width and height else 0.0

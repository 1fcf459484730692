"""From how far the look for large words can be read (EN 301 549: capitals of 0.7 degrees)."""

from __future__ import annotations

import math

from display.drawing.screen import unit_of
from display.drawing.theme import PROMISED_CAPS

ANGLE = math.radians(0.7)
"""So large a capital must look, where words cannot be made larger (EN 301 549, 5.1.4)."""

INCH_M = 0.0254
SMALL_IN, NEAR_M, FAR_M = 10.0, 0.6, 1.5
"""People sit so near to a panel of less than ten inches, and so far from a larger one."""


def farthest_m(diagonal_in: float, size: tuple[int, int]) -> float:
    """Return from how far questions, totals and whose turn it is can be read in the look ``large``.

    >>> round(farthest_m(7, (800, 480)), 2), round(farthest_m(24, (1920, 1080)), 2)
    (0.62, 2.03)
    """
    height_m = diagonal_in * INCH_M * size[1] / math.hypot(*size)
    capital_m = PROMISED_CAPS * height_m * unit_of(size) / size[1]
    return capital_m / math.tan(ANGLE)


def usual_m(diagonal_in: float) -> float:
    """Return from how far people look at a panel of this size."""
    return NEAR_M if diagonal_in < SMALL_IN else FAR_M

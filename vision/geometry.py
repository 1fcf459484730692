"""Pictures, and quads and points in pixels or millimetres."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture: uint8, shape (height, width, 3), BGR."""

Points = NDArray[np.float32]
"""float32, shape (n, 2), pixels, x right and y down."""


def area(quad: Points) -> float:
    """Return the area of a quad in square pixels."""
    return float(cv2.contourArea(np.asarray(quad, np.float32)))


def overlap(one: Points, other: Points) -> float:
    """Return the part of the smaller quad that the other covers, 0.0-1.0."""
    shared, _ = cv2.intersectConvexConvex(
        np.asarray(one, np.float32), np.asarray(other, np.float32)
    )
    return float(shared) / max(min(area(one), area(other)), 1e-6)

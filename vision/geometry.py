"""Pictures, and quads and points in pixels or millimetres."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
"""A picture: uint8, shape (height, width, 3), BGR."""

Points = NDArray[np.float32]
"""float32, shape (n, 2), pixels, x right and y down."""


def area(outline: ArrayLike) -> float:
    """Return the area of a polygon, shape (n, 2)."""
    return float(cv2.contourArea(np.asarray(outline, np.float32)))


def holds(outline: ArrayLike, point: Sequence[float] | NDArray[np.floating]) -> bool:
    """Return whether a point, shape (2,), lies in a polygon, shape (n, 2), or on its edge."""
    at = float(point[0]), float(point[1])
    return cv2.pointPolygonTest(np.asarray(outline, np.float32), at, False) >= 0


def overlap(one: Points, other: Points) -> float:
    """Return the part of the smaller quad that the other covers, 0.0-1.0."""
    shared, _ = cv2.intersectConvexConvex(
        np.asarray(one, np.float32), np.asarray(other, np.float32)
    )
    return float(shared) / max(min(area(one), area(other)), 1e-6)

"""Pictures, and quads and points in pixels or millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T")

Image = NDArray[np.uint8]
"""A picture: uint8, shape (height, width, 3), BGR."""

Points = NDArray[np.float32]
"""float32, shape (n, 2), pixels, x right and y down."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels or millimetres; right and bottom excluded."""


def bounds(points: Points) -> Box:
    """Return the box of whole numbers round points, shape (n, 2)."""
    low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int)
    return (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def grown(box: Box, by: int) -> Box:
    """Return a box *by* wider on every side."""
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def within(box: Box, limits: Box) -> Box:
    """Return the part of a box within another."""
    return (
        max(box[0], limits[0]),
        max(box[1], limits[1]),
        min(box[2], limits[2]),
        min(box[3], limits[3]),
    )


def joined(boxes: Iterable[Box]) -> list[Box]:
    """Join boxes that share pixels, until none do."""
    out: list[Box] = []
    for box in boxes:
        while hit := next((other for other in out if _meet(box, other)), None):
            out.remove(hit)
            pairs = list(zip(box, hit, strict=True))
            low, high = [min(pair) for pair in pairs[:2]], [max(pair) for pair in pairs[2:]]
            box = (low[0], low[1], high[0], high[1])
        out.append(box)
    return out


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


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


def without_conflicts(found: Iterable[T], conflict: Callable[[T, T], bool]) -> list[T]:
    """Keep those, best first, that are in no conflict with a better one that was kept."""
    kept: list[T] = []
    for each in found:
        if not any(conflict(each, other) for other in kept):
            kept.append(each)
    return kept

"""Pictures, and quads and points in pixels or millimetres."""

from __future__ import annotations

import math
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


def shared_area(one: ArrayLike, other: ArrayLike) -> float:
    """Return the area that two convex polygons, shape (n, 2), share.

    By the clipping of Sutherland and Hodgman (1974). OpenCV's ``intersectConvexConvex`` finds none
    where sides of two outlines nearly coincide (its issue 22812), as when a card is found again.
    """
    left: list[list[float]] = np.asarray(one, np.float64).tolist()
    clip: list[list[float]] = np.asarray(other, np.float64).tolist()
    if not _boxes_meet(left, clip):
        return 0.0
    inward = math.copysign(1.0, _signed_area(clip))
    for (ax, ay), (bx, by) in zip(clip, [*clip[1:], clip[0]], strict=True):
        across, along = inward * (bx - ax), inward * (by - ay)
        sides = [across * (y - ay) - along * (x - ax) for x, y in left]
        kept: list[list[float]] = []
        for number, side in enumerate(sides):
            before = sides[number - 1]
            if (side >= 0) != (before >= 0):
                (x, y), (to_x, to_y) = left[number - 1], left[number]
                part = before / (before - side)
                kept.append([x + part * (to_x - x), y + part * (to_y - y)])
            if side >= 0:
                kept.append(left[number])
        left = kept
        if not left:
            return 0.0
    return abs(_signed_area(left))


def _boxes_meet(one: list[list[float]], other: list[list[float]]) -> bool:
    (xs, ys), (us, vs) = zip(*one, strict=True), zip(*other, strict=True)
    across = min(xs) < max(us) and min(us) < max(xs)
    return bool(across and min(ys) < max(vs) and min(vs) < max(ys))


def _signed_area(polygon: list[list[float]]) -> float:
    before = [polygon[-1], *polygon[:-1]]
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(before, polygon, strict=True)) / 2


def overlap(one: Points, other: Points) -> float:
    """Return the part of the smaller quad that the other covers, 0.0-1.0."""
    return shared_area(one, other) / max(min(area(one), area(other)), 1e-6)


def without_conflicts(found: Iterable[T], conflict: Callable[[T, T], bool]) -> list[T]:
    """Keep those, best first, that are in no conflict with a better one that was kept."""
    kept: list[T] = []
    for each in found:
        if not any(conflict(each, other) for other in kept):
            kept.append(each)
    return kept

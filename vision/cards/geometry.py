"""Where cards and their indices lie, and how they are cut out straight.

An index, the rank and suit in a card's corner, has a frame of its own: *middle*, where it lies;
*across*, along the card's short side as the index is read; *down*, along the long side. Both
indices of a card, and the other two of decks that have four, so look alike to a reader.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image, Points, area, overlap


@dataclass(frozen=True, slots=True)
class CropShape:
    """The size of a straightened card and the margin of table round it, in pixels."""

    width: int
    height: int
    margin_x: int
    margin_y: int

    @property
    def corners(self) -> Points:
        """Return where a straightened card's corners lie in the crop, clockwise from top left."""
        left, top = self.margin_x, self.margin_y
        right, bottom = self.width - left, self.height - top
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


READ = CropShape(112, 152, 8, 8)
"""What the face network reads."""

WIDE = CropShape(96, 128, 16, 20)
"""What the straightener finds the corners on: room enough that none lies outside."""


def straighten(image: Image, quad: Points, shape: CropShape) -> Image:
    """Warp the card under *quad* to a crop.

    *quad* has shape (4, 2) and begins at the card's own top left, clockwise.

    Returns:
        uint8, shape (shape.height, shape.width, 3), BGR.
    """
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), shape.corners)
    scale = float(np.linalg.norm(quad[1] - quad[0])) / (shape.width - 2 * shape.margin_x)
    # A large card is sampled at a whole multiple first, then averaged: no aliasing of fine print.
    factor = 1 if scale <= 1.6 else min(int(np.ceil(scale)), 8)
    size = (shape.width * factor, shape.height * factor)
    warped = cv2.warpPerspective(
        image,
        np.diag([factor, factor, 1.0]) @ matrix,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if factor > 1:
        warped = cv2.resize(warped, (shape.width, shape.height), interpolation=cv2.INTER_AREA)
    return np.asarray(warped, np.uint8)


def unstraighten(points: Points, quad: Points, shape: CropShape) -> Points:
    """Map points of the crop of *quad* back to the image: float32 (n, 2)."""
    matrix = cv2.getPerspectiveTransform(shape.corners, np.asarray(quad, np.float32))
    moved = cv2.perspectiveTransform(np.asarray(points, np.float32)[None], matrix)
    return np.asarray(moved[0], np.float32)


def is_card_like(quad: Points) -> bool:
    """Return whether a quad is convex and neither a sliver nor folded."""
    if not cv2.isContourConvex(np.asarray(quad, np.float32)):
        return False
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return bool(sides.min() > 8 and sides.max() < 4 * sides.min())


def has_card_size(quad_mm: Points) -> bool:
    """Return whether a quad on the mat is as large as a card; a printed frame is not."""
    sides = np.linalg.norm(np.roll(quad_mm, -1, axis=0) - quad_mm, axis=1)
    short, long = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
    return 44 < short < 80 and 68 < long < 115


INDEX_X, INDEX_Y = 0.12, 0.14
"""Where an index lies from its corner, in parts of the card's width and height."""

PATCH_W, PATCH_H = 40, 60
"""Pixels of the patch a corner is read from."""

SPAN_X, SPAN_Y = 0.34, 0.36
"""How much of the card's width and height a patch shows, with the index in its middle."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexFrame:
    """Where an index lies and how it is turned; pixels of the picture.

    Attributes:
        middle: float32 (2,), the middle of the index.
        across: float32 (2,), one card's width to the right of the index as it is read.
        down: float32 (2,), one card's height downwards.
        centre: float32 (2,), the middle of the card that it belongs to.
    """

    middle: NDArray[np.float32]
    across: NDArray[np.float32]
    down: NDArray[np.float32]
    centre: NDArray[np.float32]

    @property
    def width_px(self) -> float:
        """Return the width of the card where the index lies."""
        return math.hypot(*self.across.tolist())

    def moved(self, by: NDArray[np.float32]) -> IndexFrame:
        """Return the frame as it lies in a picture whose origin is at -*by*, float32 (2,)."""
        return IndexFrame(self.middle + by, self.across, self.down, self.centre + by)

    def quad(self) -> Points:
        """Return the outline of the card, float32 (4, 2), its top left the index's corner.

        A parallelogram: true near the index, where the card is seen.
        """
        return _parallelogram(self.centre, self.across / 2, self.down / 2)


def _parallelogram(
    m: NDArray[np.floating], a: NDArray[np.floating], d: NDArray[np.floating]
) -> Points:
    """Return the corners, clockwise from top left, half across *a* and down *d* from *m*."""
    return np.array([m - a - d, m + a - d, m + a + d, m - a + d], np.float32)


def cut_patch(image: Image, frame: IndexFrame) -> Image:
    """Cut the patch of an index, shape (PATCH_H, PATCH_W, 3), out of the picture."""
    scale = frame.width_px * SPAN_X / PATCH_W
    # A large index is sampled at a whole multiple first, then averaged: no aliasing.
    factor = 1 if scale <= 1.6 else min(int(np.ceil(scale)), 8)
    w, h = PATCH_W * factor, PATCH_H * factor
    target = np.array([[0, 0], [w, 0], [w, h]], np.float32)
    corners = _parallelogram(frame.middle, frame.across * (SPAN_X / 2), frame.down * (SPAN_Y / 2))
    matrix = cv2.getAffineTransform(corners[:3], target)
    patch = cv2.warpAffine(
        image, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if factor > 1:
        patch = cv2.resize(patch, (PATCH_W, PATCH_H), interpolation=cv2.INTER_AREA)
    return np.asarray(patch, np.uint8)


def frames_of(quad: Points) -> tuple[IndexFrame, IndexFrame]:
    """Return where the two indices of the card under *quad* (float32 (4, 2)) lie."""
    matrix = cv2.getPerspectiveTransform(_UNIT, np.asarray(quad, np.float32))
    at = cv2.perspectiveTransform(_SAMPLES, matrix)[0]
    one, other = at[:5], at[5:10]
    return _frame(one, at[10]), _frame(other, at[10])


def has_corner_at(quad: Points, frame: IndexFrame, reach: float = 0.08) -> bool:
    """Return whether an index lies in one of the four corners of the card under *quad*.

    *reach* is how far from its place it may lie, in widths of the card.
    """
    (left, top), (right, bottom) = quad.min(axis=0).tolist(), quad.max(axis=0).tolist()
    x, y = frame.middle.tolist()
    room = reach * math.hypot(right - left, bottom - top)
    if not (left - room < x < right + room and top - room < y < bottom + room):
        return False  # most are far away
    places = (*frames_of(quad), *frames_of(quad[[1, 0, 3, 2]]))
    return any(is_same_index(frame, place, reach) for place in places)


def is_same_outline(one: Points, other: Points, *, away: float, share: float) -> bool:
    """Return whether two outlines, each (4, 2), lie as one card, give or take half a turn.

    Their middles are less than *away* times the side of a square of that size apart, and they
    share more than *share*, 0.0-1.0, of the smaller.
    """
    apart = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    a, b = one[1] - one[0], other[1] - other[0]
    cosine = abs(float(a @ b)) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6)
    near = apart < away * float(np.sqrt(area(other)))
    return near and cosine > 0.9 and overlap(one, other) > share


def is_same_index(frame: IndexFrame, other: IndexFrame, reach: float) -> bool:
    """Return whether two frames are of one index."""
    if math.dist(frame.middle.tolist(), other.middle.tolist()) >= reach * other.width_px:
        return False
    along = float(frame.down @ other.down)
    lengths = math.hypot(*frame.down.tolist()) * math.hypot(*other.down.tolist())
    return along / max(lengths, 1e-6) > 0.85


_STEP = 0.1
"""How far beside an index its frame is measured, in parts of the card."""

_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

_ROUND = np.array([[0, 0], [-_STEP, 0], [_STEP, 0], [0, -_STEP], [0, _STEP]])

_NEAR = _ROUND + np.array([INDEX_X, INDEX_Y])

_SAMPLES = np.concatenate([_NEAR, 1 - _NEAR, [[0.5, 0.5]]])[None].astype(np.float32)
"""On a card of size 1: an index and four points round it, the same of the other, the middle."""


def _frame(at: Points, centre: NDArray[np.float32]) -> IndexFrame:
    across, down = (at[2] - at[1]) / (2 * _STEP), (at[4] - at[3]) / (2 * _STEP)
    return IndexFrame(at[0], across, down, centre)

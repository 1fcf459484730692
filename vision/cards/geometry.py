"""Quads of cards: how they are ordered, straightened and compared."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Image, Points


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


def with_room(
    box: tuple[int, int, int, int], card_px: float, shape: tuple[int, ...]
) -> tuple[int, int, int, int]:
    """Widen a box by half a card all round, within the picture."""
    left, top, right, bottom = box
    room = round(0.6 * card_px)
    return (
        max(left - room, 0),
        max(top - room, 0),
        min(right + room, shape[1]),
        min(bottom + room, shape[0]),
    )


CARD_MM = 60.0
"""Width of a card on the mat, between bridge (57 mm) and poker size (63 mm)."""


def has_card_size(quad_mm: Points) -> bool:
    """Return whether a quad on the mat is as large as a card; a printed frame is not."""
    sides = np.linalg.norm(np.roll(quad_mm, -1, axis=0) - quad_mm, axis=1)
    short, long = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
    return 44 < short < 80 and 68 < long < 115

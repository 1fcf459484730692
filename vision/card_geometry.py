"""Quads of cards: how they are ordered, straightened and compared."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]
"""float32, shape (n, 2), pixels, x right and y down."""

CROP_W, CROP_H = 112, 152
"""Pixels of a straightened card with the margin round it."""

MARGIN_X, MARGIN_Y = 8, 8
"""The margin: the table beside the card shows the reader where the card ends."""

FACE_CORNERS: Points = np.array(
    [
        [MARGIN_X, MARGIN_Y],
        [CROP_W - MARGIN_X, MARGIN_Y],
        [CROP_W - MARGIN_X, CROP_H - MARGIN_Y],
        [MARGIN_X, CROP_H - MARGIN_Y],
    ],
    np.float32,
)
"""Where a well straightened card's corners lie in the crop, clockwise from its top left."""


def straighten(image: NDArray[np.uint8], quad: Points) -> NDArray[np.uint8]:
    """Warp the card under *quad* to the reader's crop.

    Args:
        image: uint8, shape (height, width, 3), BGR.
        quad: float32, shape (4, 2), pixels, clockwise from the card's own top left.

    Returns:
        uint8, shape (CROP_H, CROP_W, 3), BGR.
    """
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), FACE_CORNERS)
    scale = float(np.linalg.norm(quad[1] - quad[0])) / (CROP_W - 2 * MARGIN_X)
    if scale <= 1.6:
        warped = cv2.warpPerspective(
            image, matrix, (CROP_W, CROP_H), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(warped, np.uint8)
    # A large card is sampled at a whole multiple first, then averaged: no aliasing of fine print.
    factor = min(int(np.ceil(scale)), 8)
    enlarge = np.diag([factor, factor, 1.0])
    size = (CROP_W * factor, CROP_H * factor)
    large = cv2.warpPerspective(
        image, enlarge @ matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    small = cv2.resize(large, (CROP_W, CROP_H), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def unstraighten(points: Points, quad: Points) -> Points:
    """Carry points of the crop of *quad* back to the image: float32 (n, 2)."""
    matrix = cv2.getPerspectiveTransform(FACE_CORNERS, np.asarray(quad, np.float32))
    moved = cv2.perspectiveTransform(np.asarray(points, np.float32)[None], matrix)
    return np.asarray(moved[0], np.float32)


def area(quad: Points) -> float:
    """Return the area of a quad in square pixels."""
    return float(cv2.contourArea(np.asarray(quad, np.float32)))


def is_card_like(quad: Points) -> bool:
    """Judge whether a quad is convex and neither a sliver nor folded."""
    if not cv2.isContourConvex(np.asarray(quad, np.float32)):
        return False
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return bool(sides.min() > 8 and sides.max() < 4 * sides.min())


def overlap(one: Points, other: Points) -> float:
    """Return the part of the smaller quad that the other covers, 0.0-1.0."""
    shared, _ = cv2.intersectConvexConvex(
        np.asarray(one, np.float32), np.asarray(other, np.float32)
    )
    return float(shared) / max(min(area(one), area(other)), 1e-6)

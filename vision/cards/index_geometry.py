"""Indices: the rank and suit in a card's corner, and the patch that holds them.

An index has a frame of its own: *middle*, where it lies; *across*, along the card's short side
as the index is read; *down*, along the long side. Both indices of a card, and the other two of
decks that have four, so look alike to a reader.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image, Points

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
        return float(np.hypot(*self.across))

    def moved(self, by: NDArray[np.float32]) -> IndexFrame:
        """Return the frame as it lies in a picture whose origin is at -*by*, float32 (2,)."""
        return IndexFrame(self.middle + by, self.across, self.down, self.centre + by)

    def quad(self) -> Points:
        """Return the outline of the card, float32 (4, 2), its top left the index's corner.

        A parallelogram: true near the index, where the card is seen.
        """
        a, d = self.across / 2, self.down / 2
        c = self.centre
        return np.array([c - a - d, c + a - d, c + a + d, c - a + d], np.float32)


def patch_corners(frame: IndexFrame) -> Points:
    """Return the patch of an index in the picture: float32 (4, 2), clockwise from top left."""
    a, d = frame.across * (SPAN_X / 2), frame.down * (SPAN_Y / 2)
    m = frame.middle
    return np.array([m - a - d, m + a - d, m + a + d, m - a + d], np.float32)


def cut_patch(image: Image, frame: IndexFrame) -> Image:
    """Cut the patch of an index, shape (PATCH_H, PATCH_W, 3), out of the picture."""
    scale = frame.width_px * SPAN_X / PATCH_W
    # A large index is sampled at a whole multiple first, then averaged: no aliasing.
    factor = 1 if scale <= 1.6 else min(int(np.ceil(scale)), 8)
    w, h = PATCH_W * factor, PATCH_H * factor
    target = np.array([[0, 0], [w, 0], [w, h]], np.float32)
    matrix = cv2.getAffineTransform(patch_corners(frame)[:3], target)
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

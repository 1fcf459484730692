"""Lenses that bend straight lines: how much one does, found from the mat's markers.

One number is enough for what stands over a table (Fitzgibbon, "Simultaneous linear estimation of
multiple view geometry and lens distortion", 2001): a point seen at radius r from the picture's
middle, in parts of half its diagonal, lies without the lens at r / (1 + bend * r**2). A wide-angle
webcam has about -0.05 to -0.25.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
"""float64, shape (n, 2), pixels, x right and y down."""

MOST = 0.4
"""No lens fit for a table bends more, either way."""


@dataclass(frozen=True, slots=True)
class Lens:
    """How a camera's lens bends a picture.

    Attributes:
        bend: no unit; negative where straight lines bulge outwards (a barrel).
        width_px: of the pictures it was found from.
        height_px: the same.
    """

    bend: float
    width_px: int
    height_px: int

    def flatten(self, points_px: ArrayLike) -> Array:
        """Return where points of the picture, shape (n, 2), would lie without bending."""
        away, half = self._away(points_px)
        scale = 1 / (1 + self.bend * (away**2).sum(axis=1))
        return np.asarray(away * scale[:, None] * half + self._middle, np.float64)

    def bent(self, points_px: ArrayLike) -> Array:
        """Return where the lens shows points, shape (n, 2), that lie flat."""
        away, half = self._away(points_px)
        # The smaller root of bend * true * seen**2 - seen + true = 0.
        root = np.sqrt(np.maximum(1 - 4 * self.bend * (away**2).sum(axis=1), 0.0))
        scale = 2 / (1 + root)
        return np.asarray(away * scale[:, None] * half + self._middle, np.float64)

    @property
    def _middle(self) -> Array:
        return np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2])

    def _away(self, points_px: ArrayLike) -> tuple[Array, float]:
        half = float(np.hypot(self.width_px, self.height_px)) / 2
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        return (points - self._middle) / half, half


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens found, and how far the markers lie from where they should, before and after."""

    lens: Lens
    before_mm: float
    after_mm: float


def fit_lens(views: Sequence[tuple[Array, Array]], size_px: tuple[int, int]) -> LensFit:
    """Find how much a lens bends from some views of flat things whose points are known.

    Args:
        views: for each picture, points in pixels and in millimetres, float64 (n, 2), n at least 8.
        size_px: width and height of the pictures.

    Raises:
        ValueError: there is no view, or one has too few points.
    """
    if not views or any(len(seen) < 8 for seen, _ in views):
        raise ValueError(
            "a lens is found from pictures with at least two markers each; show the whole mat"
        )

    def off(bend: float) -> float:
        lens = Lens(bend, *size_px)
        return float(np.mean([_residual_mm(lens.flatten(seen), true) for seen, true in views]))

    # Smooth and with one valley: a coarse walk, then ever finer ones round its lowest point.
    best, step = 0.0, MOST / 8
    for _ in range(7):
        tries = np.clip(best + step * np.arange(-8, 9), -MOST, MOST)
        best = float(min(tries, key=off))
        step /= 6
    return LensFit(Lens(best, *size_px), off(0.0), off(best))


def _residual_mm(seen: Array, true: Array) -> float:
    """How far points lie from where the best homography puts them: root mean square."""
    matrix, _ = cv2.findHomography(seen, true, 0)
    if matrix is None:
        return float("inf")
    moved = cv2.perspectiveTransform(seen[None], np.asarray(matrix, np.float64))[0]
    return float(np.sqrt(((moved - true) ** 2).sum(axis=1).mean()))

"""Lens distortion, and how to fit it from the mat's markers.

One number is enough for what stands over a table (Fitzgibbon, "Simultaneous linear estimation of
multiple view geometry and lens distortion", 2001): a point seen at radius r from the picture's
middle, in parts of half its diagonal, lies undistorted at r / (1 + bend * r**2). A wide-angle
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
"""Largest bend of a lens that suits a table, either way."""


@dataclass(frozen=True, slots=True)
class Lens:
    """How a camera's lens distorts a picture.

    Attributes:
        bend: no unit; negative where straight lines bulge outwards (a barrel).
        width_px: of the pictures it was found from.
        height_px: the same.
    """

    bend: float
    width_px: int
    height_px: int

    def undistort(self, points_px: ArrayLike) -> Array:
        """Return where points of the picture, shape (n, 2), would lie without distortion."""
        away, half = self._away(points_px)
        scale = 1 / (1 + self.bend * (away**2).sum(axis=1))
        return np.asarray(away * scale[:, None] * half + self._middle, np.float64)

    def distort(self, points_px: ArrayLike) -> Array:
        """Return where the lens shows undistorted points, shape (n, 2)."""
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
    """A lens, and how far the markers lie from where they should before and after it is applied."""

    lens: Lens
    before_mm: float
    after_mm: float


def fit_lens(views: Sequence[tuple[Array, Array]], size_px: tuple[int, int]) -> LensFit:
    """Fit a lens to views of flat things whose points are known.

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
        return float(np.mean([_residual_mm(lens.undistort(seen), true) for seen, true in views]))

    # Smooth with one minimum: a coarse search, then ever finer ones round the lowest point.
    best, step = 0.0, MOST / 8
    for _ in range(7):
        tries = np.clip(best + step * np.arange(-8, 9), -MOST, MOST)
        best = float(min(tries, key=off))
        step /= 6
    return LensFit(Lens(best, *size_px), off(0.0), off(best))


def _residual_mm(seen: Array, true: Array) -> float:
    """Return the root mean square distance from where the best homography puts the points."""
    matrix, _ = cv2.findHomography(seen, true, 0)
    if matrix is None:
        return float("inf")
    moved = cv2.perspectiveTransform(seen[None], np.asarray(matrix, np.float64))[0]
    return float(np.sqrt(((moved - true) ** 2).sum(axis=1).mean()))

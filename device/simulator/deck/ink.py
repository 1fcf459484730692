"""Filled outlines and strokes in millimetres, for drawing cards."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
"""uint8, shape (height, width, 3), BGR; a mask of ink: shape (height, width)."""

Points = NDArray[np.float64]
"""float64, shape (n, 2), millimetres, x right and y down."""

Colour = tuple[int, int, int]
"""Blue, green, red."""

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
"""Size of a card."""

_SHIFT = 4  # OpenCV takes vertices in sixteenths of a pixel
_CURVE_STEPS = 14  # samples between two points of a smooth outline


@dataclass(frozen=True, slots=True)
class Brush:
    """Draws on *image* in millimetres of its own coordinate system.

    Attributes:
        image: uint8 BGR, changed in place.
        matrix: float64, shape (2, 3): this brush's millimetres to pixels of the image.
        ink: of lines and edges.
    """

    image: Image
    matrix: Points
    ink: Colour

    @classmethod
    def on(cls, image: Image, ink: Colour = (0, 0, 0)) -> Brush:
        """Return a brush with its origin at the centre of the card *image*, y downwards."""
        height, width = image.shape[:2]
        scale = height / HEIGHT_MM
        return cls(image, np.array([[scale, 0, width / 2], [0, scale, height / 2]]), ink)

    @property
    def px_per_mm(self) -> float:
        """Return the size of a millimetre of this brush in pixels."""
        return math.sqrt(abs(float(np.linalg.det(self.matrix[:, :2]))))

    def at(
        self, x: float, y: float, size: float = 1.0, *, turn: float = 0.0, mirror: bool = False
    ) -> Brush:
        """Return a brush whose origin is this one's (*x*, *y*); *turn* is clockwise degrees."""
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        flip = -1.0 if mirror else 1.0
        step = np.array(
            [[flip * size * cos, -size * sin, x], [flip * size * sin, size * cos, y], [0, 0, 1]]
        )
        return replace(self, matrix=self.matrix @ step)

    def fill(self, outline: ArrayLike, colour: Colour) -> None:
        """Fill a closed *outline*, shape (n, 2)."""
        cv2.fillPoly(self.image, [self._pixels(outline)], colour, cv2.LINE_8, _SHIFT)

    def fill_even_odd(self, outlines: Iterable[ArrayLike], colour: Colour) -> None:
        """Fill several outlines at once; where two overlap, a hole remains."""
        cv2.fillPoly(
            self.image, [self._pixels(one) for one in outlines], colour, cv2.LINE_8, _SHIFT
        )

    def stroke(
        self, line: ArrayLike, colour: Colour, width: float = 0.35, *, closed: bool = False
    ) -> None:
        """Draw a *line*, shape (n, 2), *width* millimetres wide."""
        thick = max(1, round(width * self.px_per_mm))
        cv2.polylines(self.image, [self._pixels(line)], closed, colour, thick, cv2.LINE_8, _SHIFT)

    def line(self, line: ArrayLike, width: float = 0.35) -> None:
        """Draw an open *line*, shape (n, 2), in ink."""
        self.stroke(line, self.ink, width)

    def shape(self, outline: ArrayLike, colour: Colour, width: float = 0.35) -> None:
        """Fill *outline*, shape (n, 2), and draw its edge in ink."""
        self.fill(outline, colour)
        self.stroke(outline, self.ink, width, closed=True)

    def dots(self, spots: ArrayLike, radius: float, colour: Colour, width: float) -> None:
        """Draw a dot with an edge in ink at each of *spots*, shape (n, 2)."""
        for x, y in np.asarray(spots, np.float64):
            self.shape(oval(x, y, radius, radius), colour, width)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a disc."""
        self.fill(oval(x, y, radius, radius), colour)

    def _pixels(self, points: ArrayLike) -> NDArray[np.int32]:
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        # A vertex at 0 is the middle of the first pixel for OpenCV, its corner for us.
        spots = flat @ self.matrix[:, :2].T + self.matrix[:, 2] - 0.5
        return np.round(spots * (1 << _SHIFT)).astype(np.int32)


def oval(
    x: float, y: float, across: float, down: float, start: float = 0, end: float = 360
) -> Points:
    """Return an oval, or the arc of it from *start* to *end* degrees, clockwise from the right."""
    angles = np.radians(np.linspace(start, end, 49))
    return np.stack([x + across * np.cos(angles), y + down * np.sin(angles)], axis=1)


def box(left: float, top: float, right: float, bottom: float, radius: float = 0.0) -> Points:
    """Return a rectangle, with round corners if *radius* is not 0."""
    if radius <= 0:
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    corners = (
        (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 90),
        (left + radius, top + radius, 180),
        (right - radius, top + radius, 270),
    )
    return np.concatenate([oval(x, y, radius, radius, a, a + 90) for x, y, a in corners])


def bend(points: ArrayLike, *, closed: bool = True) -> Points:
    """Return a smooth line through *points*; a repeated point is a sharp corner."""
    knots = np.asarray(points, np.float64).reshape(-1, 2)
    count = len(knots)
    place = np.linspace(0, 1, _CURVE_STEPS, endpoint=False)[:, None]
    pieces: list[Points] = []
    for n in range(count if closed else count - 1):
        around = range(n - 1, n + 3)
        spots = [k % count if closed else min(max(k, 0), count - 1) for k in around]
        before, here, there, after = knots[spots]
        if np.array_equal(here, there):
            continue
        # Catmull-Rom spline.
        pieces.append(
            0.5
            * (
                2 * here
                + (there - before) * place
                + (2 * before - 5 * here + 4 * there - after) * place**2
                + (3 * here - before - 3 * there + after) * place**3
            )
        )
    if not closed:
        pieces.append(knots[-1:])
    return np.concatenate(pieces)


def moved(points: ArrayLike, x: float, y: float) -> Points:
    """Return *points* shifted by (*x*, *y*)."""
    shifted: Points = np.asarray(points, np.float64) + np.array((x, y))
    return shifted


def flipped(points: ArrayLike) -> Points:
    """Return a symmetric outline: *points*, then their mirror image in x in reverse."""
    half = np.asarray(points, np.float64).reshape(-1, 2)
    return np.concatenate([half, half[::-1] * (-1, 1)])

"""Find cards in a picture: where they lie, and whether face up or face down.

A fully convolutional network in the manner of CenterNet (Zhou et al., "Objects as Points", 2019)
gives a heat map of card middles and, at each middle, the card's shape. A card looks the same when
turned by half a turn, so its shape is told in numbers that this leaves as they are
(:func:`encode_quad`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_geometry import Points, area, is_card_like, overlap
from vision.models import load_network

STRIDE = 4
"""Pixels of the input for one cell of the heat map."""

UNIT = 32.0
"""Pixels of the input for 1.0 of a shape number."""


INPUT_SIZES = ((512, 384), (256, 192))
"""Widths and heights a picture is reduced to, multiples of 32: the small one sees large cards."""

BEST_CARD_PX = 48
"""Pixels of the input across which a card is found best; measured on the virtual table."""

LARGEST_INPUT_PX = 1024
"""No input is wider: a Pi would be too slow."""


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A card found: float32 (4, 2) *quad* in pixels, clockwise; *heat* 0.0-1.0."""

    quad: Points
    face_up: bool
    heat: float


def encode_quad(quad: NDArray[np.floating]) -> NDArray[np.float32]:
    """Tell a quad's shape so that turning the card by half a turn changes nothing.

    Every quad is corner(s, t) = c + s*u + t*v + s*t*w with s, t = -1 or 1; half a turn makes u and
    v negative and leaves c and w. So u is told by the symmetric matrix u u' / |u|, and v likewise.

    Args:
        quad: shape (4, 2), pixels, clockwise from the card's top left.

    Returns:
        float32 (10,): middle x, y; three numbers of u (along the top edge); three of v; w x, y.
    """
    a, b, c, d = np.asarray(quad, np.float64)
    middle = (a + b + c + d) / 4
    u, v, w = (b + c - a - d) / 4, (c + d - a - b) / 4, (a + c - b - d) / 4

    def told(vector: NDArray[np.float64]) -> list[float]:
        x, y = vector
        length = max(float(np.hypot(x, y)), 1e-6)
        return [x * x / length, x * y / length, y * y / length]

    return np.array([*middle, *told(u), *told(v), *w], np.float32)


def decode_quad(numbers: NDArray[np.floating]) -> Points:
    """Undo :func:`encode_quad`, up to half a turn: float32 (4, 2), clockwise."""

    def vector(xx: float, xy: float, yy: float) -> NDArray[np.float64]:
        length = max(xx + yy, 1e-6)
        angle = 0.5 * np.arctan2(2 * xy, xx - yy)
        return length * np.array([np.cos(angle), np.sin(angle)])

    n = [float(value) for value in numbers]
    middle, u, v = np.array(n[:2]), vector(*n[2:5]), vector(*n[5:8])
    w = np.array(n[8:10])
    if u[0] * v[1] - u[1] * v[0] < 0:
        v = -v
    corners = [middle - u - v + w, middle + u - v - w, middle + u + v + w, middle - u + v - w]
    return np.array(corners, np.float32)


class CardFinder:
    """Runs the finder network on pictures of any size."""

    def __init__(self, *, threshold: float = 0.3) -> None:
        """Load the network.

        Args:
            threshold: heat (0.0-1.0) below which a peak is no card.

        Raises:
            ModelError: the network is missing or damaged.
        """
        self.threshold = threshold
        self._net = load_network("finder.onnx")

    def find(self, image: NDArray[np.uint8], card_px: float | None = None) -> list[Detection]:
        """Find the cards of one picture, warmest first.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            card_px: the width of a card in pixels of *image* where it is known, as on the mat;
                the picture is then looked at once, at the size that suits the cards.
        """
        upright = image.shape[1] >= image.shape[0]
        # The network is trained on pictures wider than tall; a card has no way up.
        turned = image if upright else np.ascontiguousarray(np.rot90(image, -1))
        sizes = INPUT_SIZES if card_px is None else (_suited(turned, card_px),)
        found = [d for size in sizes for d in self._find(turned, size)]
        if not upright:
            width = turned.shape[1]
            back = [np.stack([d.quad[:, 1], width - 1 - d.quad[:, 0]], axis=1) for d in found]
            found = [Detection(q, d.face_up, d.heat) for q, d in zip(back, found, strict=True)]
        return _without_doubles(sorted(found, key=lambda detection: -detection.heat))

    def _find(self, image: NDArray[np.uint8], size: tuple[int, int]) -> list[Detection]:
        """Find the cards of a picture wider than tall, reduced to *size*."""
        height, width = image.shape[:2]
        scale = min(size[0] / width, size[1] / height)
        small = cv2.resize(
            image,
            (max(round(width * scale), 1), max(round(height * scale), 1)),
            interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
        )
        canvas = np.zeros((size[1], size[0], 3), np.uint8)
        canvas[: small.shape[0], : small.shape[1]] = small
        self._net.setInput(cv2.dnn.blobFromImage(canvas, 1 / 255.0))
        maps = np.asarray(self._net.forward(), np.float32)[0]
        found = []
        for heat, numbers, face_up in _peaks(maps, self.threshold):
            quad = decode_quad(numbers) / np.float32(scale)
            if is_card_like(quad):
                found.append(Detection(quad.astype(np.float32), face_up, heat))
        return found


def _suited(image: NDArray[np.uint8], card_px: float) -> tuple[int, int]:
    """The input size at which a card so wide is :data:`BEST_CARD_PX` wide, within bounds."""
    height, width = image.shape[:2]
    scale = min(BEST_CARD_PX / max(card_px, 1.0), 1.0, LARGEST_INPUT_PX / width)
    return _whole(width * scale), _whole(height * scale)


def _whole(length: float) -> int:
    """Round a length up to a multiple of 32, which the network's halvings need."""
    return max(-(-round(length) // 32) * 32, 32)


def _peaks(
    maps: NDArray[np.float32], threshold: float
) -> list[tuple[float, NDArray[np.float32], bool]]:
    """The local maxima of the two heat maps: heat, shape in pixels of the input, face up."""
    heat = 1 / (1 + np.exp(-maps[:2]))
    best = heat.max(axis=0)
    highest = cv2.dilate(best, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((best >= threshold) & (best == highest))
    peaks = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        numbers = maps[2:, row, column] * UNIT
        numbers[:2] += np.array([column + 0.5, row + 0.5], np.float32) * STRIDE
        peaks.append(
            (float(best[row, column]), numbers, bool(heat[0, row, column] >= heat[1, row, column]))
        )
    return peaks


def _without_doubles(found: list[Detection]) -> list[Detection]:
    """Drop what lies over a warmer detection of about the same card."""
    kept: list[Detection] = []
    for detection in found:
        middle = detection.quad.mean(axis=0)
        double = any(
            overlap(detection.quad, other.quad) > 0.6
            and np.linalg.norm(middle - other.quad.mean(axis=0)) < 0.3 * np.sqrt(area(other.quad))
            for other in kept
        )
        if not double:
            kept.append(detection)
    return kept

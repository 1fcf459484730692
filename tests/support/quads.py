"""The shape of a card in numbers, as the network gives it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def encode_quad(quad: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return a quad's shape in the numbers that ``vision.cards.detector.decode_quad`` takes.

    Args:
        quad: shape (4, 2), pixels, clockwise from the card's top left.

    Returns:
        float32 (10,): middle x, y; three numbers of u (along the top edge); three of v; w x, y.
    """
    a, b, c, d = np.asarray(quad, np.float64)
    middle = (a + b + c + d) / 4
    u, v, w = (b + c - a - d) / 4, (c + d - a - b) / 4, (a + c - b - d) / 4

    def matrix(vector: NDArray[np.float64]) -> list[float]:
        x, y = vector
        length = max(float(np.hypot(x, y)), 1e-6)
        return [x * x / length, x * y / length, y * y / length]

    return np.array([*middle, *matrix(u), *matrix(v), *w], np.float32)

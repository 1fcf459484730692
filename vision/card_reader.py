"""Read one card: straighten it, look twice, and say what it is and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, Suit
from vision.card_geometry import CROP_W, FACE_CORNERS, Points, straighten, unstraighten
from vision.models import load_network

CARDS = tuple(Card(rank, suit) for suit, rank in product(Suit, Rank))
"""The 52 cards in the order of the network: 13 * suit + rank."""


@dataclass(frozen=True, slots=True, eq=False)
class CardLook:
    """What one look at a quad gave.

    Attributes:
        quad: float32 (4, 2), pixels of the image, truer than the quad that was looked at.
        face_up: probability, 0.0-1.0, that a card lies there face up.
        face_down: probability that a card lies there face down.
        cards: float64 (52,), probability of each of :data:`CARDS`, given that it lies face up.
    """

    quad: Points
    face_up: float
    face_down: float
    cards: NDArray[np.float64]

    def candidates(self, least: float = 0.02, most: int = 4) -> tuple[Card, ...]:
        """Return the likeliest cards, best first, none of them below *least*."""
        order = np.argsort(-self.cards)[:most]
        return tuple(CARDS[index] for index in order if self.cards[index] >= least)


class CardReader:
    """Runs the reader network.

    The network gives rank and suit apart (a card never seen in one deck is known by its parts in
    others) and how far each corner lies from where it should, so that a second, straighter crop
    can be cut.
    """

    def __init__(self, *, temperature: float = 1.0) -> None:
        """Load the network; *temperature* above 1 makes it less sure (Guo et al., 2017).

        Raises:
            ModelError: the network is missing or damaged.
        """
        self.temperature = temperature
        self._net = load_network("reader.onnx")

    def look(self, image: NDArray[np.uint8], quad: Points) -> CardLook:
        """Read the card under *quad* of *image* (uint8, (height, width, 3), BGR)."""
        out = self._run(straighten(image, quad))
        quad = self._truer(out, quad)
        crop = straighten(image, quad)
        upright = self._run(crop)
        # A card reads the same from both ends: the second look is independent of the first.
        turned = self._run(np.ascontiguousarray(crop[::-1, ::-1]))
        out = (upright + turned) / 2
        kind = _softmax(out[:3])
        ranks = _softmax(out[3:16] / self.temperature)
        suits = _softmax(out[16:20] / self.temperature)
        return CardLook(
            quad=self._truer(upright, quad),
            face_up=float(kind[0]),
            face_down=float(kind[1]),
            cards=np.outer(suits, ranks).ravel(),
        )

    def _run(self, crop: NDArray[np.uint8]) -> NDArray[np.float64]:
        self._net.setInput(cv2.dnn.blobFromImage(crop, 1 / 255.0))
        return np.asarray(self._net.forward()[0], np.float64)

    def _truer(self, out: NDArray[np.float64], quad: Points) -> Points:
        moved = FACE_CORNERS + (out[20:].reshape(4, 2) * CROP_W).astype(np.float32)
        return unstraighten(moved, quad)


def _softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum(), np.float64)

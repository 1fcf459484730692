"""Read one card: straighten it, look twice, and say what it is and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Rank, Suit
from vision.card_geometry import READ, WIDE, Points, straighten, unstraighten
from vision.models import load_network

CARDS = tuple(Card(rank, suit) for suit, rank in product(Suit, Rank))
"""The 52 cards in the order of the network: 13 * suit + rank."""


STRAIGHTENINGS = 2
"""How often the corners are judged before the card is read; measured on the dev photographs."""


DOUBTFUL = 0.9
"""Confidence below which a card is read again from other crops."""

TEMPERATURE = 0.8
"""Divides the reader's logits; fitted on scenes held back from training."""


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

    def candidates(self, least: float = 0.001, most: int = 4) -> tuple[Card, ...]:
        """Return the likeliest cards, best first, none of them below *least*."""
        order = np.argsort(-self.cards)[:most]
        return tuple(CARDS[index] for index in order if self.cards[index] >= least)


class CardReader:
    """Runs the straightener and the reader.

    The straightener says how far each corner of the card lies from where the quad has it. The
    reader gives rank and suit apart: a card never seen in one deck is known by its parts in others.
    """

    def __init__(self, *, temperature: float = TEMPERATURE) -> None:
        """Load the networks; a higher *temperature* makes them less sure (Guo et al., 2017).

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.temperature = temperature
        self._straightener = load_network("straightener.onnx")
        self._reader = load_network("reader.onnx")

    def look(self, image: NDArray[np.uint8], quad: Points) -> CardLook:
        """Read the card under *quad* of *image* (uint8, (height, width, 3), BGR)."""
        for _ in range(STRAIGHTENINGS):
            off = _run(self._straightener, straighten(image, quad, WIDE)).reshape(4, 2)
            quad = unstraighten(WIDE.corners + (off * WIDE.width).astype(np.float32), quad, WIDE)
        out = self._read(image, quad)
        look = self._judge(quad, out)
        if look.face_up > look.face_down and look.face_up * look.cards.max() < DOUBTFUL:
            # Crops cut a little otherwise err otherwise: their mean errs less than any of them.
            outs = [out, *(self._read(image, other) for other in _around(quad))]
            look = self._judge(quad, np.mean(outs, axis=0))
        return look

    def _read(self, image: NDArray[np.uint8], quad: Points) -> NDArray[np.float64]:
        """Read the card from both ends: it looks the same, and the two err differently."""
        crop = straighten(image, quad, READ)
        turned = np.ascontiguousarray(crop[::-1, ::-1])
        return (_run(self._reader, crop) + _run(self._reader, turned)) / 2

    def _judge(self, quad: Points, out: NDArray[np.float64]) -> CardLook:
        kind = _softmax(out[:3])
        ranks = _softmax(out[3:16] / self.temperature)
        suits = _softmax(out[16:20] / self.temperature)
        return CardLook(
            quad=quad,
            face_up=float(kind[0]),
            face_down=float(kind[1]),
            cards=np.outer(suits, ranks).ravel(),
        )


def _around(quad: Points) -> list[Points]:
    """Quads a little larger, smaller and turned."""
    middle = quad.mean(axis=0)
    out = []
    for scale, degrees in ((1.05, 0.0), (0.95, 0.0), (1.0, 2.5), (1.0, -2.5)):
        angle = np.radians(degrees)
        turn = scale * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        out.append(((quad - middle) @ turn + middle).astype(np.float32))
    return out


def _run(net: cv2.dnn.Net, crop: NDArray[np.uint8]) -> NDArray[np.float64]:
    net.setInput(cv2.dnn.blobFromImage(crop, 1 / 255.0))
    return np.asarray(net.forward()[0], np.float64)


def _softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum(), np.float64)

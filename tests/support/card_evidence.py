"""What the networks might say of a card."""

from __future__ import annotations

import numpy as np

from engine import Card
from vision.cards.classifier import CARDS, FacePrediction, IndexPrediction


def words(code: str, strength: float) -> tuple[np.ndarray, np.ndarray]:
    number = CARDS.index(Card.parse(code))
    ranks, suits = np.zeros(13), np.zeros(4)
    ranks[number % 13], suits[number // 13] = strength, strength
    return ranks, suits


def face(code: str, strength: float = 5.0) -> FacePrediction:
    return FacePrediction(np.array([1.0, 0, 0]), *words(code, strength), np.ones(4, np.float32) / 2)


def index(code: str, strength: float = 4.0, readable: float = 1.0) -> IndexPrediction:
    return IndexPrediction(readable, *words(code, strength))

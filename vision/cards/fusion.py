"""Weigh what a card's face says against what its indices say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.classifier import FacePrediction, softmax
from vision.cards.index_classifier import IndexPrediction


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each word counts; chosen on the dev photographs and held-back scenes.

    Attributes:
        face: of the whole face's word, beside an index that is read.
        face_alone: of the whole face's word where no index is.
        index: of each index's word, times the probability that it is one.
        face_taught: of the whole face's word where a taught deck has its own.
    """

    face: float = 0.5
    face_alone: float = 0.5
    index: float = 1.5
    face_taught: float = 0.3


WEIGHTS = Weights()
"""For photographs, where a face may be half covered by who knows what."""

ON_MAT = Weights(face_alone=1.0)
"""For cards found by their outline on a mat: nothing lies over them."""


def fuse_scores(
    face: FacePrediction | None,
    indices: Sequence[IndexPrediction],
    *,
    face_counts: float = 1.0,
    taught: NDArray[np.float64] | None = None,
    weights: Weights = WEIGHTS,
) -> NDArray[np.float64]:
    """Return the probability of each card, float64 (52,), from all that was read of it.

    The networks' words are added, as those of witnesses who err apart: where they agree the card
    is surer than by either, and where they contradict each other neither card is likely.

    Args:
        face: what the whole face says, if it was read.
        indices: what the indices say.
        face_counts: 0.0-1.0, less where other cards lie over the face.
        taught: float64 (52,), the word of a taught deck on each card, if there is one.
        weights: how much each word counts.
    """
    heard = min(sum(look.readable for look in indices), 1.0)
    own = heard * weights.face + (1 - heard) * weights.face_alone
    if taught is not None:
        own = weights.face_taught
    ranks, suits = np.zeros(13), np.zeros(4)
    if face is not None:
        ranks += own * face_counts * face.ranks
        suits += own * face_counts * face.suits
    for look in indices:
        ranks += weights.index * look.readable * look.ranks
        suits += weights.index * look.readable * look.suits
    words = np.add.outer(suits, ranks).ravel()
    if taught is not None:
        words = words + face_counts * taught
    return softmax(words)

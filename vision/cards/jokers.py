"""Tell a joker from the 52 cards: a whole card, clearly seen, with no index and a face like none.

The networks know 52 cards; a joker spreads their opinion, and its corners show a star or letters
that are no index. What is blurred, small or half covered does so too, and is left in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cards.classifier import IndexClassifier
from vision.cards.evidence import BARELY, CLEAR_SCORE, READABLE, SURE, UNLIKE, Evidence
from vision.cards.geometry import READ, frames_of, straighten
from vision.geometry import Image, Points

SHARP = 0.2
"""Slope of the sharpest edges, in parts of the card's contrast for a pixel, below which a card is
blurred.

On drawn cards of 14 designs, each by a camera of its own: sharp ones 0.24 and more; blurred ones
0.10 to 0.22, of which 12 in 728 showed no index, none of them with more than 0.2.
"""

FACE_UP = 0.5
"""Probability that a card lies face up from which it may be a joker: its face is like none.

Of 162 drawn jokers (``benchmarks/jokers.py``) 101 are told, with 0.6 95.
"""


def mark_jokers(image: Image, evidence: Sequence[Evidence], indices: IndexClassifier) -> None:
    """Note which of these cards, all doubtful, are jokers, in place."""
    likely = [e for e in evidence if _may_be(e) and sharpness(image, e.quad) >= SHARP]
    # Of decks with four indices the other corners have them, too.
    corners = [frame for e in likely for frame in frames_of(e.quad[[1, 0, 3, 2]])]
    others = indices.read(image, corners, augment=True)
    for number, e in enumerate(likely):
        seen = (*e.indices, *others[2 * number : 2 * number + 2])
        e.is_joker = all(index.readable < READABLE for index in seen)


def _may_be(e: Evidence) -> bool:
    if e.face is None or e.is_duplicate or not e.is_uncovered():
        return False
    if e.score < CLEAR_SCORE or e.covered >= BARELY:
        return False
    if e.similarity is not None and float(e.similarity.max()) >= UNLIKE:
        return False  # a learnt card, or its back
    return float(e.face.kinds[0]) >= FACE_UP and e.fuse().confidence < SURE


def sharpness(image: Image, quad: Points) -> float:
    """Return how steep the sharpest edges of a card are, in parts of its contrast for a pixel."""
    crop = straighten(image, quad, READ)[READ.margin_y : -READ.margin_y]
    grey = cv2.cvtColor(crop[:, READ.margin_x : -READ.margin_x], cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7)
    slopes = np.hypot(*(cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx) / 8 for dx in (1, 0)))
    low, high = np.quantile(soft, [0.02, 0.98])
    return float(np.quantile(slopes, 0.99) / max(high - low, 8.0))

"""Recognise cards that show the same back, so that only one of them is read.

What is compared is coarse, the mean colour and the roughness of each cell of the straightened
card: backs are finely patterned, and half a pixel changes a fine pattern, but not these.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import READ, straighten
from vision.geometry import Image, Points

CELLS = (6, 8)
"""Cells across and down."""

MOST = 12.0
"""Grey levels (0-255) by which two pictures of one back differ on average, at most.

Measured on three drawn decks: backs 5 to 11 from each other, 18 to 44 from the nearest face.
"""

Traits = NDArray[np.float32]
"""float32 (8, 6, 6): of each cell the mean blue, green and red, and how each spreads."""


def traits(image: Image, quad: Points) -> Traits:
    """Return what a card under *quad*, shape (4, 2), is compared by."""
    left, top = READ.margin_x, READ.margin_y
    crop = straighten(image, quad, READ)[top:-top, left:-left].astype(np.float32)
    means = np.asarray(cv2.resize(crop, CELLS, interpolation=cv2.INTER_AREA), np.float32)
    squares = np.asarray(cv2.resize(crop * crop, CELLS, interpolation=cv2.INTER_AREA), np.float32)
    spread = np.sqrt(np.maximum(squares - means * means, 0))
    return np.asarray(np.concatenate([means, spread], axis=2), np.float32)


def is_same_back(one: Traits, other: Traits) -> bool:
    """Return whether two cards, one of them surely a back, show the same, either way up."""
    return any(float(np.abs(one - turned).mean()) < MOST for turned in (other, other[::-1, ::-1]))

"""Whether a picture shows colour, and what a reading is worth where it shows none.

A grey picture, as of a camera for the night, hides what tells red suits from black ones. Of the dev
photographs turned grey, diamonds were read as spades, and surely.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

SIDE = 160
"""Pixels of the longer side of what is looked at: colour needs no detail."""

FULL = 250
"""Grey level from which a channel may be cut off, so that its share of the light is unknown."""

LEAST = 1.4
"""Grey levels by which the hundredth most coloured pixel must leave the light's tint.

Rounding leaves 1.3 in tinted grey. Of 603 photographs in colour the least coloured, an ace of
spades scanned on white, has 2.0, and 99 of 100 have 5.5 and more.
"""

MIXED = np.array(
    # of a card read as: spades, hearts, diamonds, clubs; in the order of the suits, as rows
    [[0.5, 0.25, 0.25, 0.0], [0.25, 0.5, 0.25, 0.0], [0.25, 0.25, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0]]
)
"""How much of what speaks for a suit speaks for each suit without colour: all but clubs end in a
point, and one of them is taken for another."""


def has_colour(image: Image) -> bool:
    """Return whether anything in a BGR picture has another colour than the light.

    Light of any tint changes the channels of what is grey by the same factors everywhere.
    """
    height, width = image.shape[:2]
    scale = min(SIDE / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    # Not averaged: a small mark in colour would fade into the white around it.
    small = cv2.resize(image, size, interpolation=cv2.INTER_NEAREST)
    pixels = np.ascontiguousarray(small.reshape(-1, 3).T, np.float32)
    pixels = pixels[:, pixels[1] < FULL]
    if not pixels.size:
        return False
    sound = pixels[:, pixels.max(axis=0) < FULL]
    gains = (sound * sound[1]).sum(axis=1) / max(float((sound[1] ** 2).sum()), 1.0)
    off = np.abs(pixels - np.minimum(pixels[1] * gains[:, None], 255)).max(axis=0)
    return float(np.quantile(off, 0.99)) > LEAST


def without_colour(cards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of the cards, float64 (52,), where no colour was seen."""
    return np.asarray((MIXED @ cards.reshape(4, 13)).ravel(), np.float64)

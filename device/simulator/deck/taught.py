"""A drawn deck as if it had been taught at the table, for one that has no indices."""

from __future__ import annotations

import numpy as np

from device.simulator.deck.faces import draw_face
from vision.cards.classifier import CARDS
from vision.cards.custom_deck import CustomDeck
from vision.cards.geometry import READ, straighten

TABLE = (90, 110, 90)
"""Colour round the cards, BGR."""

MARGIN = 40
"""Pixels of table round a card that is shown."""


def taught(style: str) -> CustomDeck:
    """Return the deck of a style in ``DECK_STYLES``, learnt from one look at each face."""
    deck = CustomDeck(style)
    for card in CARDS:
        face = draw_face(card, style)
        high, wide = face.shape[:2]
        table = np.full((high + 2 * MARGIN, wide + 2 * MARGIN, 3), TABLE, np.uint8)
        place = table[MARGIN:-MARGIN, MARGIN:-MARGIN]
        np.copyto(place, face[..., :3], where=face[..., 3:] > 127)
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        deck.add(card, straighten(table, corners + MARGIN, READ))
    return deck

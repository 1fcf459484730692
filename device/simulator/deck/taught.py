"""A drawn deck as if it had been taught at the table, for one that has no indices."""

from __future__ import annotations

import cv2
import numpy as np

from device.simulator.deck.faces import draw_face
from vision.cards.classifier import CARDS
from vision.cards.custom_deck import CustomDeck
from vision.cards.geometry import READ

TABLE = (90, 110, 90)
"""Colour round the cards, BGR."""


def taught(style: str) -> CustomDeck:
    """Return the deck of a style in ``DECK_STYLES``, learnt from one look at each face."""
    deck = CustomDeck(style)
    for card in CARDS:
        face = draw_face(card, style)
        high, wide = face.shape[:2]
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, READ.corners.astype(np.float32))
        crop = cv2.warpPerspective(face, matrix, (READ.width, READ.height), flags=cv2.INTER_AREA)
        share = crop[..., 3:].astype(np.float32) / 255
        shown = crop[..., :3] * share + np.array(TABLE, np.float32) * (1 - share)
        deck.add(card, shown.astype(np.uint8))
    return deck

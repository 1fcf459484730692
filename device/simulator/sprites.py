"""Cards as a frame shows them: in perspective, with their shadows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.deck.faces import draw_back, draw_face
from device.simulator.scenery import (
    Matrix,
    Point,
    Sprite,
    apply_homography,
    region,
    rotation,
    shadow_of,
    warp,
)
from engine.core.cards import Card
from vision.mat.layout import CARD_MM

ART_PX = 352
"""Height at which cards are drawn: about twice that in a frame."""

_PAD = 12
"""Pixels around a card for its shadow."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the mat: its centre in millimetres, *degrees* clockwise as seen from above."""

    card: Card
    seat: int
    slot: int
    x_mm: float
    y_mm: float
    degrees: float
    face_up: bool

    @property
    def centre_mm(self) -> Point:
        """Return the centre in millimetres of the mat."""
        return self.x_mm, self.y_mm

    def corners_mm(self) -> NDArray[np.float64]:
        """Return the corners, shape (4, 2), clockwise from the card's own top left."""
        wide, high = CARD_MM
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
        return apply_homography(_card_to_mat(self), corners)


def draw_sprite(
    matrix: Matrix, style: str, size: tuple[int, int], card: PlacedCard
) -> Sprite | None:
    """Draw one card of the deck *style*; as :func:`place`."""
    art = draw_face(card.card, style, ART_PX) if card.face_up else draw_back(style, ART_PX)
    return place(art, matrix, size, card)


def place(art: Image, matrix: Matrix, size: tuple[int, int], card: PlacedCard) -> Sprite | None:
    """Warp a card's picture to where the card lies; ``None`` when that is outside the frame.

    *art* is BGRA, uint8, upright; *matrix* leads from millimetres of the mat to pixels of a
    frame of *size* (width, height).
    """
    part = region(apply_homography(matrix, card.corners_mm()), _PAD, size)
    if part is None:
        return None
    corner, extent = part
    to_mm = np.diag([CARD_MM[0] / art.shape[1], CARD_MM[1] / art.shape[0], 1.0])
    to_part = np.array([[1, 0, -corner[0]], [0, 1, -corner[1]], [0, 0, 1.0]])
    # Premultiplied colours: nothing bleeds in at the edge.
    opaque = art[..., 3:].astype(np.float32) / 255
    art = np.dstack([(art[..., :3] * opaque).astype(np.uint8), art[..., 3]])
    drawn = warp(art, to_part @ matrix @ _card_to_mat(card) @ to_mm, extent)
    drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.5), np.uint8)
    alpha = np.ascontiguousarray(drawn[..., 3])
    cover = np.maximum(alpha, 1)[..., None].astype(np.float32) / 255
    colour = np.clip(drawn[..., :3] / cover, 0, 255).astype(np.uint8)
    return Sprite(corner, colour, alpha, shadow_of(alpha, (1.5, 2.5), 2.5))


def _card_to_mat(card: PlacedCard) -> Matrix:
    """Return the matrix from millimetres of the card, from its top left, to those of the mat."""
    turn = rotation(2, card.degrees)
    turn[:2, 2] = card.x_mm, card.y_mm
    centred = np.array([[1, 0, -CARD_MM[0] / 2], [0, 1, -CARD_MM[1] / 2], [0, 0, 1.0]])
    return np.asarray(turn @ centred, np.float64)

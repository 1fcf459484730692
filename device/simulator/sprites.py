"""Cards as a frame shows them: where they lie, straight or turned, and their shadows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.deck.faces import draw_back, draw_face
from device.simulator.scenery import Matrix, carry, warp
from engine.core.cards import Card

CARD_MM = (63.0, 88.0)

ART_PX = 352
"""Height at which the cards are drawn: about twice what a frame shows of them."""


_PAD = 12
"""Pixels round a card that its shadow may need."""


@dataclass(frozen=True, slots=True)
class Lying:
    """One card on the mat: the middle in millimetres, *degrees* clockwise as seen from above."""

    card: Card
    seat: int
    slot: int
    x_mm: float
    y_mm: float
    degrees: float
    face_up: bool

    def corners_mm(self) -> NDArray[np.float64]:
        """Return the corners, shape (4, 2), clockwise from the card's own top left."""
        wide, high = CARD_MM
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
        return carry(_card_to_mat(self), corners)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A card as a frame shows it, with the shadow beside it; *corner* is in the frame."""

    corner: tuple[int, int]
    layer: Image
    alpha: NDArray[np.uint8]
    shadow: NDArray[np.uint8]


def draw_sprite(matrix: Matrix, style: str, size: tuple[int, int], lying: Lying) -> Sprite | None:
    """Draw one card of the deck *style*; ``None`` when it is outside the picture.

    Args:
        matrix: from millimetres of the mat to pixels of the frame.
        style: one of the deck's styles.
        size: width and height of the frame.
        lying: the card.
    """
    art = draw_face(lying.card, style, ART_PX) if lying.face_up else draw_back(style, ART_PX)
    return place(art, matrix, size, lying)


def place(art: Image, matrix: Matrix, size: tuple[int, int], lying: Lying) -> Sprite | None:
    """Show a card's picture where the card lies; ``None`` when that is outside the frame.

    Args:
        art: BGRA, uint8, upright, in the shape of a card.
        matrix: from millimetres of the mat to pixels of the frame.
        size: width and height of the frame.
        lying: the card.
    """
    quad = carry(matrix, lying.corners_mm())
    low = np.maximum(np.floor(quad.min(axis=0)) - _PAD, 0).astype(int)
    high = np.minimum(np.ceil(quad.max(axis=0)) + _PAD, size).astype(int)
    if (high - low).min() <= 0:
        return None
    to_mm = np.diag([CARD_MM[0] / art.shape[1], CARD_MM[1] / art.shape[0], 1.0])
    to_roi = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    placed = to_roi @ matrix @ _card_to_mat(lying) @ to_mm
    drawn = warp(_premultiplied(art), placed, (int(high[0] - low[0]), int(high[1] - low[1])))
    drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.5), np.uint8)
    alpha = np.ascontiguousarray(drawn[..., 3])
    part = np.maximum(alpha, 1)[..., None].astype(np.float32) / 255
    colour = np.clip(drawn[..., :3] / part, 0, 255).astype(np.uint8)
    shift = np.array([[1, 0, 1.5], [0, 1, 2.5]], np.float64)
    fallen = cv2.warpAffine(alpha, shift, (alpha.shape[1], alpha.shape[0]))
    shadow = np.asarray(cv2.GaussianBlur(fallen, (0, 0), 2.5), np.uint8)
    return Sprite((int(low[0]), int(low[1])), colour, alpha, shadow)


def _card_to_mat(lying: Lying) -> Matrix:
    """Return the matrix from millimetres of the card, from its top left, to those of the mat."""
    angle = math.radians(lying.degrees)
    turn = np.array(
        [
            [math.cos(angle), -math.sin(angle), lying.x_mm],
            [math.sin(angle), math.cos(angle), lying.y_mm],
            [0, 0, 1.0],
        ]
    )
    middle = np.array([[1, 0, -CARD_MM[0] / 2], [0, 1, -CARD_MM[1] / 2], [0, 0, 1.0]])
    return np.asarray(turn @ middle, np.float64)


def _premultiplied(art: Image) -> Image:
    """Weigh the colours by how opaque they are, so that nothing bleeds in at the edge."""
    opaque = art[..., 3:].astype(np.float32) / 255
    return np.dstack([(art[..., :3] * opaque).astype(np.uint8), art[..., 3]])

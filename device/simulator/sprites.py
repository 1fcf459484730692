"""Cards as a frame shows them: in perspective, with their shadows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.deck.faces import draw_back, draw_face
from device.simulator.scenery import Light, Matrix, Point, apply_homography, blend, warp
from engine.core.cards import Card

CARD_MM = (63.0, 88.0)

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


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A card or bone as a frame shows it, with its shadow; *corner* (x, y) is in the frame."""

    corner: tuple[int, int]
    layer: Image
    alpha: NDArray[np.uint8]
    shadow: NDArray[np.uint8]

    def draw(self, image: Image, light: Light) -> None:
        """Draw it into *image*, in place."""
        blend(image, self.corner, self.layer, self.alpha, self.shadow, light)


def draw_sprite(
    matrix: Matrix, style: str, size: tuple[int, int], card: PlacedCard
) -> Sprite | None:
    """Draw one card of the deck *style*; ``None`` when it is outside the frame.

    Args:
        matrix: from millimetres of the mat to pixels of the frame.
        style: one of the deck's styles.
        size: width and height of the frame.
        card: the card.
    """
    art = draw_face(card.card, style, ART_PX) if card.face_up else draw_back(style, ART_PX)
    return place(art, matrix, size, card)


def place(art: Image, matrix: Matrix, size: tuple[int, int], card: PlacedCard) -> Sprite | None:
    """Warp a card's picture to where the card lies; ``None`` when that is outside the frame.

    Args:
        art: BGRA, uint8, upright, in the shape of a card.
        matrix: from millimetres of the mat to pixels of the frame.
        size: width and height of the frame.
        card: the card.
    """
    quad = apply_homography(matrix, card.corners_mm())
    low = np.maximum(np.floor(quad.min(axis=0)) - _PAD, 0).astype(int)
    high = np.minimum(np.ceil(quad.max(axis=0)) + _PAD, size).astype(int)
    if (high - low).min() <= 0:
        return None
    to_mm = np.diag([CARD_MM[0] / art.shape[1], CARD_MM[1] / art.shape[0], 1.0])
    to_roi = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    placed = to_roi @ matrix @ _card_to_mat(card) @ to_mm
    drawn = warp(_premultiplied(art), placed, (int(high[0] - low[0]), int(high[1] - low[1])))
    drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.5), np.uint8)
    alpha = np.ascontiguousarray(drawn[..., 3])
    part = np.maximum(alpha, 1)[..., None].astype(np.float32) / 255
    colour = np.clip(drawn[..., :3] / part, 0, 255).astype(np.uint8)
    shift = np.array([[1, 0, 1.5], [0, 1, 2.5]], np.float64)
    fallen = cv2.warpAffine(alpha, shift, (alpha.shape[1], alpha.shape[0]))
    shadow = np.asarray(cv2.GaussianBlur(fallen, (0, 0), 2.5), np.uint8)
    return Sprite((int(low[0]), int(low[1])), colour, alpha, shadow)


def _card_to_mat(card: PlacedCard) -> Matrix:
    """Return the matrix from millimetres of the card, from its top left, to those of the mat."""
    angle = math.radians(card.degrees)
    turn = np.array(
        [
            [math.cos(angle), -math.sin(angle), card.x_mm],
            [math.sin(angle), math.cos(angle), card.y_mm],
            [0, 0, 1.0],
        ]
    )
    centred = np.array([[1, 0, -CARD_MM[0] / 2], [0, 1, -CARD_MM[1] / 2], [0, 0, 1.0]])
    return np.asarray(turn @ centred, np.float64)


def _premultiplied(art: Image) -> Image:
    """Multiply the colours by alpha, so that nothing bleeds in at the edge."""
    opaque = art[..., 3:].astype(np.float32) / 255
    return np.dstack([(art[..., :3] * opaque).astype(np.uint8), art[..., 3]])

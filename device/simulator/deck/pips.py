"""Suit pips, where they lie on number cards, and the letters of the indices."""

from __future__ import annotations

import importlib.resources
import io
from functools import lru_cache

import cv2
import numpy as np
import pygame

from device.simulator.deck.ink import Brush, Colour, Image, Points, bend, flipped, oval
from engine.core.cards import Rank, Suit

_LEFT, _MIDDLE, _RIGHT = -1.0, 0.0, 1.0
_THIRD = 1 / 3
_TYPE_PX = 300

_CORNERS = tuple((x, y) for y in (-1.0, 1.0) for x in (_LEFT, _RIGHT))
_WAIST = ((_LEFT, 0.0), (_RIGHT, 0.0))
_FOUR_ROWS = tuple((x, y) for y in (-1.0, -_THIRD, _THIRD, 1.0) for x in (_LEFT, _RIGHT))
_LAYOUT: dict[Rank, tuple[tuple[float, float], ...]] = {
    Rank.ACE: ((_MIDDLE, 0),),
    Rank.TWO: ((_MIDDLE, -1), (_MIDDLE, 1)),
    Rank.THREE: ((_MIDDLE, -1), (_MIDDLE, 0), (_MIDDLE, 1)),
    Rank.FOUR: _CORNERS,
    Rank.FIVE: (*_CORNERS, (_MIDDLE, 0)),
    Rank.SIX: (*_CORNERS, *_WAIST),
    Rank.SEVEN: (*_CORNERS, *_WAIST, (_MIDDLE, -0.5)),
    Rank.EIGHT: (*_CORNERS, *_WAIST, (_MIDDLE, -0.5), (_MIDDLE, 0.5)),
    Rank.NINE: (*_FOUR_ROWS, (_MIDDLE, 0)),
    Rank.TEN: (*_FOUR_ROWS, (_MIDDLE, -2 * _THIRD), (_MIDDLE, 2 * _THIRD)),
}


def pip_places(rank: Rank) -> tuple[tuple[float, float], ...]:
    """Return the pips of a number card: column and row, each -1 to 1 from the centre.

    >>> pip_places(Rank.THREE)
    ((0.0, -1), (0.0, 0), (0.0, 1))
    """
    return _LAYOUT[rank]


def draw_pip(brush: Brush, suit: Suit, *, wobble: np.random.Generator | None = None) -> None:
    """Draw a pip 1 mm high, centred on the brush's origin; *wobble* makes a rough print."""
    for outline in pip_outlines(suit):
        brush.fill(outline if wobble is None else _rough(outline, wobble), brush.ink)


@lru_cache(maxsize=4)
def pip_outlines(suit: Suit) -> tuple[Points, ...]:
    """Return the outlines of a pip 1 mm high, its largest first."""
    if suit is Suit.DIAMONDS:
        side = [(0.0, -0.5), (0.0, -0.5), (0.175, -0.235), (0.39, 0.0), (0.39, 0.0)]
        lower = [(0.175, 0.235), (0.0, 0.5), (0.0, 0.5)]
        return (bend(flipped(side + lower)),)
    if suit is Suit.HEARTS:
        right = [
            (0.0, -0.3), (0.0, -0.3), (0.1, -0.445), (0.25, -0.5), (0.4, -0.445),
            (0.46, -0.29), (0.43, -0.12), (0.3, 0.1), (0.13, 0.3), (0.0, 0.5), (0.0, 0.5),
        ]  # fmt: skip
        return (bend(flipped(right)),)
    if suit is Suit.SPADES:
        leaf = [
            (0.0, -0.5), (0.0, -0.5), (0.1, -0.335), (0.29, -0.13), (0.42, 0.04),
            (0.44, 0.19), (0.35, 0.315), (0.2, 0.325), (0.04, 0.2), (0.04, 0.2),
        ]  # fmt: skip
        return (bend(flipped(leaf)), _stem(0.1, 0.2))
    leaves = [oval(0, -0.27, 0.225, 0.23), oval(-0.245, 0.1, 0.225, 0.23)]
    leaves.append(oval(0.245, 0.1, 0.225, 0.23))
    centre = np.array([(0, -0.2), (0.2, 0.1), (-0.2, 0.1)])
    return (*leaves, centre, _stem(-0.1, 0.2))


def _stem(top: float, foot: float) -> Points:
    side = [(0.035, top), (0.035, top), (0.05, 0.3), (0.1, 0.42), (foot, 0.5), (foot, 0.5)]
    return bend(flipped(side))


def _rough(outline: Points, wobble: np.random.Generator) -> Points:
    """Return *outline* as a stencil prints it: pushed about in slow waves."""
    phase = np.linspace(0, 2 * np.pi, len(outline), endpoint=False)
    push = np.zeros_like(outline)
    for turns in (2, 3, 5, 9):
        start = wobble.uniform(0, 2 * np.pi, 2)
        push += np.sin(turns * phase[:, None] + start) * 0.011 / np.sqrt(turns)
    return outline + push


@lru_cache(maxsize=64)
def glyphs(text: str, font: str, bolder: int = 0) -> Image:
    """Return *text* as a mask, 0 to 255, cropped to its outline; *font* is one of the display's.

    *bolder* thickens every stroke, in thousandths of the type height.
    """
    data = importlib.resources.files("display.drawing").joinpath("fonts", font).read_bytes()
    pygame.font.init()  # needs no window; a second call does nothing
    drawn = pygame.font.Font(io.BytesIO(data), _TYPE_PX).render(text, True, (255, 255, 255))
    thick = round(bolder * _TYPE_PX / 1000)
    ink = np.pad(pygame.surfarray.array_alpha(drawn).T, thick)
    if thick:
        round_nib = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thick + 1, thick + 1))
        ink = np.asarray(cv2.dilate(ink, round_nib), np.uint8)
    rows, columns = np.flatnonzero(ink.max(axis=1)), np.flatnonzero(ink.max(axis=0))
    return np.ascontiguousarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def draw_glyphs(
    image: Image, ink: Image, centre: tuple[float, float], size: tuple[float, float], colour: Colour
) -> None:
    """Print *ink* on *image* with its centre at *centre*, scaled to *size*, in pixels."""
    width, height = max(1, round(size[0])), max(1, round(size[1]))
    share = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)[..., None] / 255.0
    left, top = round(centre[0] - width / 2), round(centre[1] - height / 2)
    under = image[top : top + height, left : left + width]
    under[:] = np.round(under * (1 - share) + np.array(colour) * share).astype(np.uint8)

"""The signs of players without a name: shapes in colours, drawn where their characters stand."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from display.drawing.theme import Colour
from display.i18n.signs import SIGNS

BLANK = 3 * "\N{NO-BREAK SPACE}"
"""What keeps the room of a sign in a line, as wide as a capital is high: our fonts lack some."""

SUPERSAMPLE = 4

Outline = tuple[tuple[float, float], ...]


def _around(corners: int, *radii: float) -> Outline:
    """Return a polygon whose corners lie as far from the middle as *radii* say in turn."""
    turns = [(math.tau * n / corners, radii[n % len(radii)]) for n in range(corners)]
    return tuple((0.5 + far * math.sin(turn), 0.5 - far * math.cos(turn)) for turn, far in turns)


def _moon() -> Outline:
    """Return a crescent that opens to the right."""
    turns = [math.radians(degrees) for degrees in range(40, 321, 8)]
    outer = [(0.55 + 0.5 * math.cos(turn), 0.5 - 0.5 * math.sin(turn)) for turn in turns]
    turns = [math.radians(degrees) for degrees in range(302, 57, -8)]
    inner = [(0.76 + 0.37 * math.cos(turn), 0.5 - 0.37 * math.sin(turn)) for turn in turns]
    return (*outer, *inner)


_PLUS: Outline = (
    *((0.34, 0.0), (0.66, 0.0), (0.66, 0.34), (1.0, 0.34), (1.0, 0.66), (0.66, 0.66)),
    *((0.66, 1.0), (0.34, 1.0), (0.34, 0.66), (0.0, 0.66), (0.0, 0.34), (0.34, 0.34)),
)

_SHAPES: tuple[tuple[Colour, tuple[Outline, ...]], ...] = (
    ((230, 116, 30), (_around(48, 0.5),)),
    ((86, 180, 233), (((0.5, 0.02), (1.0, 0.98), (0.0, 0.98)),)),
    ((240, 228, 66), (((0.06, 0.06), (0.94, 0.06), (0.94, 0.94), (0.06, 0.94)),)),
    ((214, 120, 190), (_around(10, 0.54, 0.23),)),
    ((40, 180, 110), (_PLUS,)),
    ((250, 250, 250), (_around(48, 0.5), _around(48, 0.28))),
    ((226, 60, 50), (((0.0, 0.02), (1.0, 0.02), (0.5, 0.98)),)),
    ((60, 110, 220), (_moon(),)),
)
"""Colour and outlines of each of SIGNS; a second outline is a hole."""


def holding_room(text: str) -> str:
    """Return *text* with room for each sign in it."""
    for sign in SIGNS:
        text = text.replace(sign, BLANK)
    return text


def draw_signs(
    surface: pygame.Surface, text: str, used: pygame.font.Font, cap: float, ink: Colour
) -> None:
    """Draw the signs of *text* on its line, whose capitals are *cap* pixels high."""
    side = round(min(cap, used.size(BLANK)[0]))
    top = used.get_ascent() - side
    for place, letter in enumerate(text):
        if letter in SIGNS:
            left = used.size(holding_room(text[:place]))[0]
            surface.blit(sign_picture(SIGNS.index(letter), max(4, side), ink), (left, top))


@lru_cache(maxsize=128)
def sign_picture(number: int, side: int, ink: Colour) -> pygame.Surface:
    """Return a sign in its colour, its edge as dark or light as the words beside it."""
    colour, outlines = _SHAPES[number]
    large = side * SUPERSAMPLE
    margin, edge = 0.03 * large, max(SUPERSAMPLE, round(0.09 * large))
    big = pygame.Surface((large, large), pygame.SRCALPHA)
    big.fill((*ink, 0))
    for hole, outline in enumerate(outlines):
        points = [(margin + 0.94 * large * x, margin + 0.94 * large * y) for x, y in outline]
        pygame.draw.polygon(big, (*ink, 0) if hole else colour, points)
        pygame.draw.polygon(big, ink, points, edge)
    return pygame.transform.smoothscale(big, (side, side))

"""Jack, queen and king as people know them: half a figure above, the same upside down below."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from display.drawing.theme import Colour
from display.i18n.translate import Translator
from engine.core.cards import Rank, Suit
from engine.core.messages.words import rank_index

COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)

INK: Colour = (30, 28, 34)
SKIN: Colour = (250, 224, 190)
GOLD: Colour = (240, 190, 60)
RED: Colour = (196, 40, 36)
BLUE: Colour = (44, 84, 168)
GREY: Colour = (216, 214, 206)
BROWN: Colour = (120, 72, 34)
PAPER: Colour = (252, 246, 226)

Points = Sequence[tuple[float, float]]


def rank_text(rank: Rank, language: str = "en") -> str:
    """Return the rank as printed on a card of the decks that are sold where *language* is spoken.

    >>> rank_text(Rank.TEN), rank_text(Rank.KING, "fr"), rank_text(Rank.QUEEN, "es")
    ('10', 'R', 'Q')
    """
    return Translator.of(language).render(rank_index(rank))


class _Half:
    """The upper half of a figure; all places are shares of its sheet."""

    def __init__(self, sheet: pygame.Surface, suit: Suit) -> None:
        self._sheet = sheet
        self._wide, self._high = sheet.get_size()
        self._line = max(1, round(self._wide * 0.014))
        red = suit in (Suit.HEARTS, Suit.DIAMONDS)
        self.robe, self.other = (RED, BLUE) if red else (BLUE, RED)

    def area(self, colour: Colour, points: Points) -> None:
        """Fill a polygon, and outline it in ink."""
        placed = [(x * self._wide, y * self._high) for x, y in points]
        pygame.draw.polygon(self._sheet, colour, placed)
        pygame.draw.polygon(self._sheet, INK, placed, self._line)

    def oval(self, colour: Colour, x: float, y: float, wide: float, high: float) -> None:
        """Fill an oval with its middle at *x* and *y*, and outline it."""
        box = pygame.Rect(0, 0, round(wide * self._wide), round(high * self._high))
        box.center = (round(x * self._wide), round(y * self._high))
        pygame.draw.ellipse(self._sheet, colour, box)
        pygame.draw.ellipse(self._sheet, INK, box, self._line)

    def dot(self, colour: Colour, x: float, y: float, radius: float) -> None:
        """Fill a disc without an outline."""
        place = (x * self._wide, y * self._high)
        pygame.draw.circle(self._sheet, colour, place, radius * self._wide)

    def stroke(self, colour: Colour, points: Points, width: float = 0.014) -> None:
        """Draw a line from point to point."""
        placed = [(x * self._wide, y * self._high) for x, y in points]
        pygame.draw.lines(self._sheet, colour, False, placed, max(1, round(width * self._wide)))

    def body(self) -> None:
        """Draw robe, stole and collar."""
        self.area(
            self.robe,
            [(0.0, 1.0), (0.06, 0.76), (0.34, 0.64), (0.66, 0.64), (0.94, 0.76), (1.0, 1.0)],
        )
        self.area(self.other, [(0.1, 1.0), (0.2, 0.71), (0.34, 0.65), (0.4, 1.0)])
        self.area(self.other, [(0.9, 1.0), (0.8, 0.71), (0.66, 0.65), (0.6, 1.0)])
        self.area(GOLD, [(0.4, 0.66), (0.6, 0.66), (0.66, 1.0), (0.34, 1.0)])
        for number in range(3):
            self.dot(self.robe, 0.5, 0.77 + 0.09 * number, 0.028)
            self.dot(INK, 0.5, 0.77 + 0.09 * number, 0.01)
        for x in (0.22, 0.78):
            self.dot(GOLD, x, 0.86, 0.03)
            self.dot(GOLD, x + (0.06 if x > 0.5 else -0.06), 0.95, 0.03)
        self.area(PAPER, [(0.33, 0.63), (0.42, 0.56), (0.58, 0.56), (0.67, 0.63), (0.5, 0.73)])

    def face(self) -> None:
        """Draw a face that looks at who looks at it."""
        self.oval(SKIN, 0.5, 0.4, 0.32, 0.36)
        for x in (0.43, 0.57):
            self.stroke(INK, [(x - 0.04, 0.345), (x + 0.04, 0.345)], 0.012)
            self.dot(INK, x, 0.385, 0.02)
        self.stroke(INK, [(0.5, 0.39), (0.485, 0.46), (0.51, 0.46)], 0.012)

    def mouth(self, y: float = 0.51) -> None:
        """Draw a mouth."""
        self.stroke(RED, [(0.45, y), (0.5, y + 0.012), (0.55, y)], 0.022)

    def crown(self, top: float, foot: float, wide: float) -> None:
        """Draw a crown with three points."""
        left, right, dip = 0.5 - wide / 2, 0.5 + wide / 2, top + (foot - top) * 0.55
        points = [
            (left + 0.03, foot), (left, top + 0.03), (0.5 - wide / 4, dip), (0.5, top),
            (0.5 + wide / 4, dip), (right, top + 0.03), (right - 0.03, foot),
        ]  # fmt: skip
        self.area(GOLD, points)
        self.area(self.other, [
            (left + 0.03, foot - 0.05), (right - 0.03, foot - 0.05), (right - 0.04, foot),
            (left + 0.04, foot),
        ])  # fmt: skip
        for x, y in ((left, top + 0.03), (0.5, top + 0.01), (right, top + 0.03)):
            self.dot(self.robe, x, y, 0.026)


def _king(half: _Half) -> None:
    half.area(GREY, [(0.9, 0.02), (0.95, 0.08), (0.93, 0.62), (0.87, 0.62), (0.85, 0.08)])
    half.body()
    half.area(GOLD, [(0.78, 0.6), (1.0, 0.6), (1.0, 0.65), (0.78, 0.65)])
    half.dot(SKIN, 0.89, 0.72, 0.055)
    for x in (0.33, 0.67):
        half.oval(BROWN, x, 0.4, 0.12, 0.3)
    half.face()
    half.area(BROWN, [
        (0.35, 0.45), (0.42, 0.49), (0.5, 0.47), (0.58, 0.49), (0.65, 0.45), (0.62, 0.6),
        (0.5, 0.7), (0.38, 0.6),
    ])  # fmt: skip
    half.mouth(0.53)
    half.crown(0.02, 0.27, 0.48)


def _queen(half: _Half) -> None:
    half.area(half.other, [(0.5, 0.14), (0.72, 0.22), (0.84, 0.72), (0.16, 0.72), (0.28, 0.22)])
    half.body()
    for x in (0.32, 0.68):
        half.oval(GOLD, x, 0.43, 0.13, 0.4)
    half.face()
    half.mouth()
    half.crown(0.05, 0.25, 0.36)
    half.stroke((40, 110, 60), [(0.1, 0.5), (0.13, 0.78)], 0.022)
    for number in range(6):
        angle = math.tau * number / 6
        half.dot(RED, 0.1 + 0.05 * math.cos(angle), 0.45 + 0.04 * math.sin(angle), 0.034)
    half.dot(GOLD, 0.1, 0.45, 0.028)
    half.dot(SKIN, 0.13, 0.76, 0.055)


def _jack(half: _Half) -> None:
    half.stroke(BROWN, [(0.1, 0.04), (0.1, 0.98)], 0.03)
    half.area(GREY, [(0.1, 0.08), (0.24, 0.16), (0.22, 0.34), (0.1, 0.3)])
    half.body()
    half.dot(SKIN, 0.1, 0.74, 0.055)
    for x in (0.31, 0.69):
        half.oval(GOLD, x, 0.45, 0.14, 0.32)
    half.face()
    half.mouth()
    half.area(half.robe, [(0.27, 0.27), (0.3, 0.14), (0.5, 0.07), (0.72, 0.13), (0.74, 0.27)])
    half.area(half.other, [(0.26, 0.22), (0.74, 0.22), (0.75, 0.29), (0.25, 0.29)])
    half.area(PAPER, [(0.68, 0.16), (0.84, 0.0), (0.96, 0.04), (0.9, 0.14), (0.76, 0.22)])


_FIGURES = {Rank.KING: _king, Rank.QUEEN: _queen, Rank.JACK: _jack}


def draw_court(surface: pygame.Surface, rank: Rank, suit: Suit, frame: pygame.Rect) -> None:
    """Draw a court figure that fills *frame*."""
    pygame.draw.rect(surface, PAPER, frame)
    half = pygame.Surface((frame.w, frame.h // 2), pygame.SRCALPHA)
    _FIGURES[rank](_Half(half, suit))
    surface.blit(half, frame.topleft)
    turned = pygame.transform.rotate(half, 180)
    surface.blit(turned, (frame.x, frame.bottom - turned.get_height()))
    line = max(1, frame.w // 70)
    pygame.draw.line(surface, INK, frame.midleft, (frame.right - 1, frame.centery), line)
    pygame.draw.rect(surface, BLUE, frame, max(1, frame.w // 45))

"""Cards, suits, panels and icons: vector shapes, drawn smoothly and kept in a cache."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import pygame

from display.drawing.courts import COURTS, draw_court, rank_text
from display.drawing.text import Face, SurfaceCache, font
from display.drawing.theme import Colour, Theme
from engine.core.cards import Card, Rank, Suit

CARD_ASPECT = 0.7
"""Width of a card over its height; a poker card is 63 by 88 mm."""

CORNER = 0.085
"""Radius of its corners, as a share of its height."""

Points = Sequence[tuple[float, float]]


class Icon(StrEnum):
    """Small icons; each repeats with a shape what a word beside it says."""

    TURN = "turn"
    STUCK = "stuck"
    OUT = "out"
    STAR = "star"
    CROWN = "crown"
    LEFT = "left"
    SHOW = "show"
    BONE = "bone"
    QUESTION = "question"
    TROUBLE = "trouble"
    TOKEN = "token"
    PENNY = "penny"
    CHOSEN = "chosen"
    FIST = "fist"
    COINS = "coins"
    FIVE_BONES = "five bones"


def blit_premultiplied(
    surface: pygame.Surface, picture: pygame.Surface, at: tuple[int, int]
) -> None:
    """Put a picture on *surface* whose colours are multiplied by their alpha already."""
    surface.blit(picture, at, special_flags=pygame.BLEND_PREMULTIPLIED)


def panel(
    cache: SurfaceCache,
    size: tuple[int, int],
    fill: tuple[int, ...],
    edge: Colour | None = None,
    *,
    radius: float,
    line: float = 2,
) -> pygame.Surface:
    """Return a rounded panel; *fill* may have an alpha."""
    # Only as much as holds the corners is drawn smoothly, then stretched: a whole screen at four
    # times its size would fill the memory of a Raspberry Pi.
    corner = math.ceil(radius + line) + 2
    patch = (min(size[0], 2 * corner), min(size[1], 2 * corner))

    def draw(big: pygame.Surface) -> None:
        scale = big.get_width() / patch[0]
        pygame.draw.rect(big, fill, big.get_rect(), border_radius=round(radius * scale))
        if edge is not None:
            pygame.draw.rect(
                big,
                edge,
                big.get_rect(),
                max(1, round(line * scale)),
                border_radius=round(radius * scale),
            )

    small = cache.smooth(("panel", fill, edge, radius, line), patch, draw)
    if patch == size:
        return small
    return cache.get(
        ("panel", fill, edge, radius, line, "whole", size), lambda: _stretch(small, size)
    )


def card_face(
    cache: SurfaceCache,
    theme: Theme,
    card: Card,
    height: int,
    *,
    gold: bool = False,
    large: bool = False,
    language: str = "en",
) -> pygame.Surface:
    """Return a card face up, with the indices of the decks of *language*.

    *gold* edges the card that took the Bone; *large* prints a card that stands alone, while the
    other kind stays readable when a neighbour covers its right half.
    """
    size = (round(height * CARD_ASPECT), height)

    def draw(big: pygame.Surface) -> None:
        edge = theme.brass if gold else theme.card_edge
        line = 0.006 if large else 0.014
        _blank(big, theme.card, edge, 0.055 if gold else line)
        colour, index = theme.suit(card.suit), rank_text(card.rank, language)
        if large:
            _large_face(big, card, index, colour)
        else:
            _small_face(big, card, index, colour)

    return cache.smooth(("card", theme, card, gold, large, language), size, draw)


def card_back(cache: SurfaceCache, theme: Theme, height: int) -> pygame.Surface:
    """Return the back of a card."""
    size = (round(height * CARD_ASPECT), height)

    def draw(big: pygame.Surface) -> None:
        _blank(big, theme.card, theme.card_edge, 0.014)
        width, tall = big.get_size()
        inset = tall * 0.055
        inner = pygame.Rect(inset, inset, width - 2 * inset, tall - 2 * inset)
        pygame.draw.rect(big, theme.back, inner, border_radius=round(tall * 0.05))
        big.set_clip(inner.inflate(-inset, -inset))
        step, thick = tall * 0.13, max(1, round(tall * 0.012))
        for n in range(-12, 24):
            x = width / 2 + n * step
            pygame.draw.line(big, theme.back_line, (x - tall, 0), (x, tall), thick)
            pygame.draw.line(big, theme.back_line, (x + tall, 0), (x, tall), thick)
        big.set_clip(None)
        pygame.draw.rect(
            big, theme.back_line, inner.inflate(-inset, -inset), thick, round(tall * 0.03)
        )

    return cache.smooth(("back", theme), size, draw)


def icon(
    cache: SurfaceCache, which: Icon, height: int, colour: Colour, ground: Colour
) -> pygame.Surface:
    """Return a square icon in *colour*; *ground* is the colour of the parts cut out."""

    def draw(big: pygame.Surface) -> None:
        for part in _ICONS[which]:
            part.draw(big, ground if part.cut else colour)

    return cache.smooth(("icon", which, colour, ground), (height, height), draw)


NOTE_ASPECT = 1.9
"""Width of a banknote over its height."""


def note(
    cache: SurfaceCache, corners: int, height: int, colour: Colour, ground: Colour
) -> pygame.Surface:
    """Return a banknote of whose four corners so many are not folded down yet."""
    size = (round(height * NOTE_ASPECT), height)

    def draw(big: pygame.Surface) -> None:
        wide, tall = big.get_size()
        fold, line = tall * 0.34, max(2, round(tall * 0.06))
        pygame.draw.rect(big, colour, big.get_rect())
        inner = big.get_rect().inflate(-4 * line, -4 * line)
        pygame.draw.ellipse(big, ground, inner.inflate(-inner.w * 0.45, -inner.h * 0.1), line)
        for number, (x, y) in enumerate(((0, 0), (wide, 0), (wide, tall), (0, tall))):
            if number < 4 - corners:
                along = (x + (fold if x == 0 else -fold), y)
                down = (x, y + (fold if y == 0 else -fold))
                pygame.draw.polygon(big, (0, 0, 0, 0), [(x, y), along, down])
                pygame.draw.polygon(big, ground, [along, down, (along[0], down[1])], line)

    return cache.smooth(("note", corners, colour, ground), size, draw)


def suit_shape(surface: pygame.Surface, suit: Suit, box: pygame.Rect, colour: Colour) -> None:
    """Draw a suit that fills *box*, a square."""
    x, y, s = box.x, box.y, box.w

    def at(points: Points) -> list[tuple[float, float]]:
        return [(x + px * s, y + py * s) for px, py in points]

    def disc(px: float, py: float, r: float) -> None:
        pygame.draw.circle(surface, colour, (x + px * s, y + py * s), r * s)

    stem = [(0.5, 0.55), (0.56, 0.8), (0.7, 0.97), (0.3, 0.97), (0.44, 0.8)]
    if suit is Suit.DIAMONDS:
        pygame.draw.polygon(surface, colour, at([(0.5, 0), (0.86, 0.5), (0.5, 1), (0.14, 0.5)]))
    elif suit is Suit.HEARTS:
        pygame.draw.polygon(surface, colour, at(_heart_shape()))
    elif suit is Suit.SPADES:
        pygame.draw.polygon(
            surface, colour, at([(px, 0.88 - py * 0.88) for px, py in _heart_shape()])
        )
        pygame.draw.polygon(surface, colour, at(stem))
    else:
        disc(0.5, 0.25, 0.225)
        disc(0.26, 0.58, 0.225)
        disc(0.74, 0.58, 0.225)
        pygame.draw.polygon(surface, colour, at([(0.4, 0.3), (0.6, 0.3), (0.62, 0.6), (0.38, 0.6)]))
        pygame.draw.polygon(surface, colour, at(stem))


def _heart_shape() -> list[tuple[float, float]]:
    """Return the outline of a heart in the unit square."""
    points = []
    for n in range(180):
        t = n / 180 * 2 * math.pi
        px = 16 * math.sin(t) ** 3
        py = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((0.5 + px / 34, (12.2 - py) / 29.5))
    return points


def _stretch(small: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
    """Enlarge a panel to *size* by repeating its middle row and column."""
    whole = pygame.Surface(size, pygame.SRCALPHA)
    cuts = []
    for have, want in zip(small.get_size(), size, strict=True):
        head = have // 2
        cuts.append(
            (
                (0, head, 0, head),
                (head, 1, head, want - have + 1),
                (head + 1, have - head - 1, want - (have - head - 1), have - head - 1),
            )
        )
    for sx, sw, x, w in cuts[0]:
        for sy, sh, y, h in cuts[1]:
            if min(sw, sh, w, h) > 0:
                part = small.subsurface((sx, sy, sw, sh))
                whole.blit(
                    pygame.transform.scale(part, (w, h)),
                    (x, y),
                    special_flags=pygame.BLEND_PREMULTIPLIED,
                )
    return whole


def _blank(big: pygame.Surface, fill: Colour, edge: Colour, line: float) -> None:
    tall = big.get_height()
    radius = round(tall * CORNER)
    pygame.draw.rect(big, fill, big.get_rect(), border_radius=radius)
    pygame.draw.rect(big, edge, big.get_rect(), max(3, round(tall * line)), border_radius=radius)


def _print_rank(big: pygame.Surface, index: str, box: pygame.Rect, colour: Colour) -> None:
    """Print the rank so that its ink fills the height of *box* and is at most as wide."""
    text = font(Face.PLAIN, round(box.h / 0.722)).render(index, True, colour)
    ink = text.subsurface(text.get_bounding_rect())
    # The tail of the Q may hang below the line of the others; its size stays theirs.
    width = min(ink.get_width(), box.w)
    if width < ink.get_width():
        ink = pygame.transform.smoothscale(ink, (width, ink.get_height()))
    big.blit(ink, (box.centerx - width // 2, box.y))


def _small_face(big: pygame.Surface, card: Card, index: str, colour: Colour) -> None:
    width, tall = big.get_size()
    wide = 0.68 if card.rank is Rank.TEN else 0.56
    rank = pygame.Rect(width * 0.07, tall * 0.08, width * wide, tall * 0.38)
    _print_rank(big, index, rank, colour)
    side = round(tall * 0.37)
    box = pygame.Rect(rank.centerx - side // 2, tall * 0.55, side, side)
    suit_shape(big, card.suit, box, colour)


def _large_face(big: pygame.Surface, card: Card, index: str, colour: Colour) -> None:
    """Print one upright corner only: a 9 and a 6 must never be taken for each other."""
    width, tall = big.get_size()
    if card.rank in COURTS:
        box = pygame.Rect(width * 0.05, tall * 0.06, width * 0.27, tall * 0.2)
        _print_rank(big, index, box, colour)
        side = round(width * 0.25)
        pip = pygame.Rect(box.centerx - side // 2, tall * 0.29, side, side)
        suit_shape(big, card.suit, pip, colour)
        frame = pygame.Rect(width * 0.35, tall * 0.06, width * 0.59, tall * 0.88)
        draw_court(big, card.rank, card.suit, frame)
        return
    box = pygame.Rect(width * 0.06, tall * 0.07, width * 0.4, tall * 0.25)
    _print_rank(big, index, box, colour)
    side = round(tall * 0.16)
    suit_shape(
        big, card.suit, pygame.Rect(box.centerx - side // 2, tall * 0.37, side, side), colour
    )
    side = round(tall * 0.44)
    suit_shape(
        big, card.suit, pygame.Rect(width * 0.95 - side, tall * 0.94 - side, side, side), colour
    )


def _star_shape() -> Points:
    points = []
    for n in range(10):
        radius = 0.5 if n % 2 == 0 else 0.21
        angle = math.pi * n / 5 - math.pi / 2
        points.append((0.5 + radius * math.cos(angle), 0.52 + radius * math.sin(angle)))
    return points


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of an icon; all lengths are shares of its side.

    Attributes:
        kind: how *points* are meant: the corners of a polygon, the ends of a line, the centre of a
            disc, or the corner and the size of a bar or an oval.
        width: of a line; the radius of a disc.
        ring: how thick a disc is that is open in the middle.
        cut: it has the colour of the ground.
    """

    kind: str
    points: Points
    width: float = 0.0
    ring: float = 0.0
    cut: bool = False

    def draw(self, big: pygame.Surface, colour: Colour) -> None:
        side = big.get_width()
        points = [(x * side, y * side) for x, y in self.points]
        match self.kind:
            case "polygon":
                pygame.draw.polygon(big, colour, points)
            case "line":
                pygame.draw.line(big, colour, points[0], points[1], round(self.width * side))
            case "disc":
                ring = round(self.ring * side)
                pygame.draw.circle(big, colour, points[0], self.width * side, ring)
            case "bar":
                pygame.draw.rect(big, colour, (*points[0], *points[1]))
            case "oval":
                pygame.draw.ellipse(big, colour, (*points[0], *points[1]))
            case letter:
                ink = font(Face.PLAIN, round(side * 0.78)).render(letter, True, colour)
                ink = ink.subsurface(ink.get_bounding_rect())
                (x, y), (width, height) = points[0], ink.get_size()
                big.blit(ink, (x - width / 2, y - height / 2))


def _discs(radius: float, *centres: tuple[float, float]) -> tuple[_Part, ...]:
    return tuple(_Part("disc", [centre], radius) for centre in centres)


def _small_bone(x: float, y: float) -> tuple[_Part, ...]:
    """Return the parts of a small bone whose middle is there."""
    ends = ((x - 0.09, y + 0.02), (x - 0.02, y + 0.09), (x + 0.02, y - 0.09), (x + 0.09, y - 0.02))
    return (_Part("line", [(x - 0.08, y + 0.08), (x + 0.08, y - 0.08)], 0.1), *_discs(0.065, *ends))


def _coin(top: float) -> tuple[_Part, ...]:
    """Return the parts of a coin that lies on others."""
    return (
        _Part("oval", [(0.1, top + 0.16), (0.8, 0.32)], cut=True),
        _Part("oval", [(0.1, top + 0.1), (0.8, 0.32)]),
        _Part("oval", [(0.2, top + 0.15), (0.6, 0.2)], cut=True),
        _Part("oval", [(0.24, top + 0.17), (0.52, 0.16)]),
    )


_WHOLE = _Part("disc", [(0.5, 0.5)], 0.5)
_CROWN = [
    *[(0.1, 0.85), (0.02, 0.3), (0.3, 0.52), (0.5, 0.12)],
    *[(0.7, 0.52), (0.98, 0.3), (0.9, 0.85)],
]

_ICONS: dict[Icon, tuple[_Part, ...]] = {
    Icon.TURN: (_Part("polygon", [(0.12, 0.06), (0.95, 0.5), (0.12, 0.94)]),),
    # A raised flat hand as two bars: enough, no more.
    Icon.STUCK: (
        _WHOLE,
        _Part("bar", [(0.3, 0.26), (0.14, 0.48)], cut=True),
        _Part("bar", [(0.56, 0.26), (0.14, 0.48)], cut=True),
    ),
    Icon.OUT: (
        _Part("line", [(0.14, 0.14), (0.86, 0.86)], 0.2),
        _Part("line", [(0.86, 0.14), (0.14, 0.86)], 0.2),
    ),
    Icon.STAR: (_Part("polygon", _star_shape()),),
    Icon.CROWN: (
        _Part("polygon", _CROWN),
        *_discs(0.075, (0.06, 0.27), (0.5, 0.12), (0.94, 0.27)),
    ),
    Icon.LEFT: (
        _Part("bar", [(0.08, 0.42), (0.5, 0.16)]),
        _Part("polygon", [(0.5, 0.18), (0.95, 0.5), (0.5, 0.82)]),
    ),
    Icon.SHOW: (
        _Part("oval", [(0, 0.2), (1, 0.6)]),
        _Part("disc", [(0.5, 0.5)], 0.21, cut=True),
        _Part("disc", [(0.5, 0.5)], 0.11),
    ),
    Icon.BONE: (
        _Part("line", [(0.28, 0.72), (0.72, 0.28)], 0.24),
        *_discs(0.165, (0.17, 0.66), (0.34, 0.83), (0.66, 0.17), (0.83, 0.34)),
    ),
    Icon.QUESTION: (_WHOLE, _Part("?", [(0.5, 0.5)], cut=True)),
    Icon.TROUBLE: (
        _Part("polygon", [(0.5, 0.03), (1, 0.95), (0, 0.95)]),
        _Part("polygon", [(0.43, 0.34), (0.57, 0.34), (0.54, 0.66), (0.46, 0.66)], cut=True),
        _Part("disc", [(0.5, 0.78)], 0.07, cut=True),
    ),
    Icon.TOKEN: (_WHOLE, _Part("disc", [(0.5, 0.5)], 0.36, ring=0.07, cut=True)),
    Icon.PENNY: (_WHOLE, _Part("1", [(0.5, 0.5)], cut=True)),
    Icon.CHOSEN: (_Part("polygon", [(0.5, 0.06), (0.96, 0.9), (0.04, 0.9)]),),
    # Knuckles upon the table, and the sound on both sides.
    Icon.FIST: (
        *_discs(0.1, (0.3, 0.34), (0.44, 0.3), (0.58, 0.3), (0.71, 0.35)),
        _Part("bar", [(0.2, 0.34), (0.61, 0.36)]),
        *_discs(0.1, (0.3, 0.68), (0.71, 0.68)),
        _Part("bar", [(0.3, 0.6), (0.41, 0.18)]),
        *(_Part("line", [(x, 0.3), (x, 0.5)], 0.03, cut=True) for x in (0.375, 0.51, 0.645)),
        _Part("oval", [(0.2, 0.5), (0.42, 0.18)], cut=True),
        _Part("oval", [(0.2, 0.53), (0.38, 0.13)]),
        _Part("bar", [(0.0, 0.86), (1.0, 0.1)]),
        _Part("line", [(0.02, 0.48), (0.13, 0.58)], 0.06),
        _Part("line", [(0.0, 0.7), (0.12, 0.74)], 0.06),
        _Part("line", [(0.98, 0.48), (0.87, 0.58)], 0.06),
        _Part("line", [(1.0, 0.7), (0.88, 0.74)], 0.06),
    ),
    Icon.COINS: (*_coin(0.54), *_coin(0.4), *_coin(0.26), *_coin(0.12), *_coin(-0.02)),
    Icon.FIVE_BONES: tuple(
        part
        for x, y in ((0.2, 0.2), (0.8, 0.2), (0.5, 0.5), (0.2, 0.8), (0.8, 0.8))
        for part in _small_bone(x, y)
    ),
}

"""Three decks, drawn from outlines: no picture of a card is stored."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.deck.backs import lattice_back, printed_back, rosette_back
from device.simulator.deck.courts import court_frame, draw_double_court, draw_standing_court
from device.simulator.deck.ink import (
    HEIGHT_MM,
    WIDTH_MM,
    Brush,
    Colour,
    Image,
    Points,
    bend,
    box,
    flipped,
)
from device.simulator.deck.pips import draw_glyphs, draw_pip, glyphs, pip_outlines, pip_places
from engine.core.cards import Card, Rank, Suit
from engine.core.errors import BoneAceError

DECK_STYLES = ("modern", "four-colour", "old")

_SUPERSAMPLE = 4
_LEAST_HEIGHT_PX = 40
_BLACK: Colour = (30, 26, 26)
_RED: Colour = (42, 24, 205)
_OLD_PAPER: Colour = (178, 214, 229)
_EDGE: Colour = (176, 176, 176)
_COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)


class DeckStyleError(BoneAceError, ValueError):
    """An unknown deck style, or a size too small to draw."""


@dataclass(frozen=True, slots=True)
class _Index:
    """The rank and pip in the corner, in millimetres from the card's top left corner."""

    font: str
    x: float
    rank_y: float
    cap: float
    squeeze: float
    widest: float
    pip_y: float
    pip: float
    bolder: int = 0


@dataclass(frozen=True, slots=True)
class _Deck:
    """A deck: its paper, inks and proportions, in millimetres."""

    paper: Colour
    inks: dict[Suit, Colour]
    corner: float
    pip: float
    column: float
    row: float
    ace: float
    index: _Index | None
    back: Callable[[Brush], None]
    back_ink: Colour
    back_paper: Colour = (252, 254, 254)


_TWO_INKS = {Suit.SPADES: _BLACK, Suit.CLUBS: _BLACK, Suit.HEARTS: _RED, Suit.DIAMONDS: _RED}
_DECKS = {
    "modern": _Deck(
        paper=(250, 253, 253),
        inks=_TWO_INKS,
        corner=3.4,
        pip=13.5,
        column=13.0,
        row=27.6,
        ace=18.0,
        index=_Index("LinLibertine_RZ.otf", 5.4, 8.7, 9.4, 0.8, 6.6, 18.2, 6.2, 28),
        back=lattice_back,
        back_ink=(132, 62, 24),
    ),
    "four-colour": _Deck(
        paper=(252, 252, 252),
        inks={
            Suit.SPADES: (28, 26, 24),
            Suit.HEARTS: (36, 20, 214),
            Suit.DIAMONDS: (190, 88, 12),
            Suit.CLUBS: (56, 128, 18),
        },
        corner=3.0,
        pip=13.9,
        column=13.2,
        row=28.0,
        ace=22.0,
        index=_Index("Lato-Bold.ttf", 6.2, 9.0, 9.9, 0.82, 7.2, 19.0, 6.4),
        back=rosette_back,
        back_ink=(38, 22, 168),
    ),
    "old": _Deck(
        paper=_OLD_PAPER,
        inks={
            Suit.SPADES: (44, 42, 46),
            Suit.CLUBS: (44, 42, 46),
            Suit.HEARTS: (46, 50, 176),
            Suit.DIAMONDS: (46, 50, 176),
        },
        corner=0.0,
        pip=15.0,
        column=16.2,
        row=31.4,
        ace=17.0,
        index=None,
        back=printed_back,
        back_ink=(122, 84, 62),
        back_paper=(176, 208, 222),
    ),
}


@lru_cache(maxsize=256)
def draw_face(card: Card, style: str, height_px: int = 352) -> NDArray[np.uint8]:
    """Draw the face of *card* in one of ``DECK_STYLES``.

    Returns:
        A read-only, cached picture: BGRA, shape (height_px, width, 4), 63 to 88; its alpha is the
        outline of the card.

    Raises:
        DeckStyleError: there is no such style, or *height_px* is too small.
    """
    deck = _deck(style, height_px)
    image, brush = _sheet(deck.paper, height_px, deck.inks[card.suit])
    if card.rank in _COURTS:
        _draw_court(image, brush, card, style, deck)
    else:
        _draw_number(brush, card, deck)
    if deck.index is not None:
        _draw_index(image, brush, card, deck.index)
    return _cut_out(image, deck, height_px, zlib.crc32(f"{style} {card}".encode()))


@lru_cache(maxsize=16)
def draw_back(style: str, height_px: int = 352) -> NDArray[np.uint8]:
    """Draw the back of a deck; shape, alpha and errors as in :func:`draw_face`.

    Raises:
        DeckStyleError: there is no such deck.
    """
    deck = _deck(style, height_px)
    image, brush = _sheet(deck.back_paper, height_px, deck.back_ink)
    deck.back(brush)
    return _cut_out(image, deck, height_px, zlib.crc32(f"{style} back".encode()))


def has_indices(style: str) -> bool:
    """Return whether the corners of a deck in ``DECK_STYLES`` tell its cards."""
    return _DECKS[style].index is not None


def _deck(style: str, height_px: int) -> _Deck:
    if style not in _DECKS:
        raise DeckStyleError(
            f"unknown deck style {style!r}; choose one of {', '.join(DECK_STYLES)}"
        )
    if height_px < _LEAST_HEIGHT_PX:
        raise DeckStyleError(
            f"a card {height_px!r} pixels high cannot be drawn; ask for {_LEAST_HEIGHT_PX} or more"
        )
    return _DECKS[style]


def _sheet(paper: Colour, height_px: int, ink: Colour) -> tuple[Image, Brush]:
    width_px = round(height_px * WIDTH_MM / HEIGHT_MM)
    size = (height_px * _SUPERSAMPLE, width_px * _SUPERSAMPLE, 3)
    image = np.empty(size, np.uint8)
    image[:] = paper
    return image, Brush.on(image, ink)


def _draw_number(brush: Brush, card: Card, deck: _Deck) -> None:
    rough = None if deck.index is not None else _roughness(card)
    if card.rank is Rank.ACE:
        large = deck.ace * (1.75 if card.suit is Suit.SPADES else 1.0)
        draw_pip(brush.at(0, 0, large), card.suit, wobble=rough)
        if card.suit is Suit.SPADES:
            _ornament_ace(brush, large, deck.paper)
        return
    for column, row in pip_places(card.rank):
        x, y = column * deck.column, row * deck.row
        if rough is not None:
            x, y = x + rough.normal(0, 0.22), y + rough.normal(0, 0.22)
        turn = 180 if row > 0 else 0
        draw_pip(brush.at(x, y, deck.pip, turn=turn), card.suit, wobble=rough)


def _ornament_ace(brush: Brush, large: float, paper: Colour) -> None:
    spade = pip_outlines(Suit.SPADES)[0] * (large * 0.8)
    brush.stroke(spade - (0, large * 0.005), paper, 0.4, closed=True)
    leaf = bend(flipped([(0, -3.2), (0, -3.2), (1.0, -1.4), (0.8, 0.2), (0, 1.0), (0, 1.0)]))
    for turn in range(-120, 121, 40):
        brush.at(0, large * 0.06, large / 31, turn=turn).fill(leaf - (0, 2.4), paper)
    brush.disc(0, large * 0.06, large * 0.036, paper)
    brush.disc(0, large * 0.06, large * 0.018, brush.ink)


def _draw_court(image: Image, brush: Brush, card: Card, style: str, deck: _Deck) -> None:
    if deck.index is None:
        draw_standing_court(brush, card)
        draw_pip(brush.at(-21.5, -33.5, 13.0), card.suit, wobble=_roughness(card))
        return
    draw_double_court(image, brush, card, style)
    colour = (120, 60, 20) if style == "modern" else brush.ink
    brush.stroke(court_frame(style), colour, 0.35, closed=True)


def _roughness(card: Card) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(str(card).encode()))


def _draw_index(image: Image, brush: Brush, card: Card, index: _Index) -> None:
    text = "10" if card.rank is Rank.TEN else card.rank.value
    letters = glyphs(text, index.font, index.bolder)
    wide = min(index.cap * index.squeeze * letters.shape[1] / letters.shape[0], index.widest)
    scale = brush.px_per_mm
    height, width = image.shape[:2]
    size = (wide * scale, index.cap * scale)
    middle = (index.x * scale, index.rank_y * scale)
    # The far corner is rotated, so that the card is the same from both sides.
    draw_glyphs(image, letters, middle, size, brush.ink)
    far = (width - middle[0], height - middle[1])
    draw_glyphs(image, np.ascontiguousarray(letters[::-1, ::-1]), far, size, brush.ink)
    x, y = index.x - WIDTH_MM / 2, index.pip_y - HEIGHT_MM / 2
    draw_pip(brush.at(x, y, index.pip), card.suit)
    draw_pip(brush.at(-x, -y, index.pip, turn=180), card.suit)


def _cut_out(image: Image, deck: _Deck, height_px: int, seed: int) -> Image:
    """Reduce *image*, age it if the deck is old, and cut it to the outline of the card."""
    outline = box(-WIDTH_MM / 2, -HEIGHT_MM / 2, WIDTH_MM / 2, HEIGHT_MM / 2, deck.corner)
    if deck.index is not None:
        Brush.on(image).stroke(outline, _EDGE, 0.5, closed=True)
    mask = np.zeros((*image.shape[:2], 3), np.uint8)
    Brush.on(mask).fill(outline, (255, 255, 255))
    size = (image.shape[1] // _SUPERSAMPLE, height_px)
    small: Image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    alpha = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)[..., :1]
    if deck.index is None:
        small, alpha = _aged(small, seed), np.full_like(alpha, 255)
    card = np.concatenate([small, alpha], axis=2)
    card.flags.writeable = False
    return card


def _aged(image: Image, seed: int) -> Image:
    chance = np.random.default_rng(seed)
    height, width = image.shape[:2]
    tone: Points = np.zeros((height, width))
    for cells, depth in ((5, 0.018), (14, 0.012), (48, 0.012)):
        coarse = chance.normal(0, depth, (cells, cells)).astype(np.float32)
        tone += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    x, y = np.linspace(-1, 1, width)[None, :], np.linspace(-1, 1, height)[:, None]
    tone -= 0.10 * np.maximum(np.abs(x) ** 14, np.abs(y) ** 14)
    # Worn ink: dark places take a little of the paper's colour.
    rub = np.clip(chance.normal(0.05, 0.04, (height, width, 1)), 0, 0.2)
    worn = image * (1 - rub) + np.array(_OLD_PAPER) * rub
    return np.clip(np.round(worn * (1 + tone[..., None])), 0, 255).astype(np.uint8)

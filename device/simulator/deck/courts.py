"""The court cards: double-ended busts, and standing figures for the old deck."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from device.simulator.deck.heads import Paints, draw_head, draw_prop
from device.simulator.deck.ink import Brush, Colour, Image, Points, bend, box, flipped, moved, oval
from device.simulator.deck.pips import draw_pip
from engine.core.cards import Card, Rank, Suit

_INK: Colour = (34, 26, 24)
_RED: Colour = (44, 34, 204)
_BLUE: Colour = (150, 78, 24)
_YELLOW: Colour = (44, 190, 246)
_WHITE: Colour = (250, 253, 253)
_SKIN: Colour = (214, 232, 250)

_HALF_WIDTH, _HALF_HEIGHT = 20.6, 35.4
_ERMINE = ((0.0, -0.9), (0.6, 0.7), (-0.6, 0.7))
_CLOTHES: dict[Suit, tuple[Colour, Colour, Colour]] = {
    Suit.SPADES: (_BLUE, _YELLOW, _RED),
    Suit.HEARTS: (_RED, _YELLOW, _BLUE),
    Suit.DIAMONDS: (_RED, _BLUE, _YELLOW),
    Suit.CLUBS: (_BLUE, _RED, _YELLOW),
}

_DEEPER: dict[Colour, Colour] = {
    _RED: (52, 30, 176),
    _BLUE: (126, 62, 22),
    _YELLOW: (60, 176, 232),
}
"""The printed shades of the four-colour deck."""


def court_frame(style: str) -> Points:
    """Return the outline of the thin frame around the picture, centred on the card."""
    radius = 1.6 if style == "four-colour" else 0.0
    return box(-_HALF_WIDTH, -_HALF_HEIGHT, _HALF_WIDTH, _HALF_HEIGHT, radius)


def draw_double_court(image: Image, brush: Brush, card: Card, style: str) -> None:
    """Draw a court card on blank paper: its upper half, and the same rotated below."""
    paints = _paints(card, style)
    slope = -0.34 if style == "modern" else 0.0
    blank = image.copy()
    figure = replace(brush, ink=paints.ink)
    _bust(figure, card, paints)
    draw_pip(brush.at(-15.3, -29.2, 9.4), card.suit)
    _turn_over(image, slope)
    _belt(figure, paints, slope)
    # Clothes are drawn beyond the frame; restore the blank paper around it.
    left, top = (court_frame(style).min(axis=0) * brush.px_per_mm).round().astype(int)
    height, width = image.shape[:2]
    inside = (
        slice(height // 2 + top, height // 2 - top),
        slice(width // 2 + left, width // 2 - left),
    )
    blank[inside] = image[inside]
    image[:] = blank


def draw_standing_court(brush: Brush, card: Card) -> None:
    """Draw a whole figure, as decks had before double-ended cards."""
    paints = _paints(card, "old")
    brush = replace(brush, ink=paints.ink)
    mirror = card.suit in (Suit.HEARTS, Suit.CLUBS)
    brush.fill(box(-29, 36.2, 29, 36.8), paints.ink)
    for x in range(-28, 28, 4):
        brush.line([(x, 38.6), (x + 2.5, 37.0)], 0.25)
    figure = brush.at(3.0, 0)
    _STANDING[card.rank](figure, paints)
    draw_head(figure.at(0, -24.8, 0.86, mirror=mirror), card.rank, paints)
    draw_prop(figure.at(16.2, -7.0, 1.05), card.rank, card.suit, paints)


def _paints(card: Card, style: str) -> Paints:
    main, trim, accent = _CLOTHES[card.suit]
    if card.rank is Rank.QUEEN:
        main, accent = accent, main
    fair = card.suit in (Suit.HEARTS, Suit.CLUBS)
    hair = _YELLOW if fair else (60, 98, 142)
    white, skin, ink, gold = _WHITE, _SKIN, _INK, _YELLOW
    if style == "four-colour":
        main, trim, accent = (_DEEPER[part] for part in (main, trim, accent))
        hair = (70, 170, 226) if fair else (48, 62, 92)
    elif style == "old":
        main, trim, accent, hair, gold = (_old(part) for part in (main, trim, accent, hair, gold))
        white, skin, ink = (188, 220, 233), (180, 212, 232), (52, 50, 54)
    if card.rank is Rank.KING and card.suit in (Suit.SPADES, Suit.DIAMONDS):
        hair = (206, 210, 214) if style != "old" else (168, 190, 200)
    return Paints(main, trim, accent, hair, skin, white, gold, _RED, ink)


def _old(colour: Colour) -> Colour:
    """Return *colour* as a thin wash over yellowed paper."""
    paper, wash = np.array((178, 214, 229)), np.array(colour)
    blue, green, red = np.round(paper * 0.25 + wash * 0.75 * (0.8, 0.92, 0.95)).astype(int)
    return int(blue), int(green), int(red)


def _turn_over(image: Image, slope: float) -> None:
    """Replace the half below the cut through the centre by the upper half, rotated."""
    height, width = image.shape[:2]
    x = np.arange(width)[None, :] - (width - 1) / 2
    y = np.arange(height)[:, None] - (height - 1) / 2
    below = y - slope * x > 0
    turned = image[::-1, ::-1].copy()
    image[below] = turned[below]


def _belt(brush: Brush, paints: Paints, slope: float) -> None:
    """Cover the cut with a belt that looks the same from both sides."""
    tilt = brush.at(0, 0, turn=float(np.degrees(np.arctan(slope))))
    tilt.shape(box(-26, -2.1, 26, 2.1), paints.gold, 0.4)
    tilt.line([(-26, -1.4), (26, -1.4)], 0.22)
    tilt.line([(-26, 1.4), (26, 1.4)], 0.22)
    for n in range(-7, 8):
        lozenge = moved([(0, -1.1), (1.2, 0), (0, 1.1), (-1.2, 0)], n * 3.2, 0)
        tilt.shape(lozenge, paints.main if n % 2 else paints.accent, 0.2)


def _bust(brush: Brush, card: Card, paints: Paints) -> None:
    mirror = card.suit in (Suit.HEARTS, Suit.CLUBS)
    coat = flipped(
        [(0, -13.6), (3.6, -13.8), (8, -12.6), (14, -10.8), (18.6, -7), (22, -2), (22, 10)]
    )
    coat = np.vstack([coat[:6], (22, 10), (22, 10), (-22, 10), (-22, 10), coat[8:]])
    brush.shape(bend(coat), paints.main)
    _sleeves(brush, paints)
    _breast(brush, card.rank, paints)
    _collar(brush, card.rank, paints)
    jack = card.rank is Rank.JACK
    # A jack's head is lower, for the feather above the hat; the axe would cut the frame.
    y, size = (-19.5, 0.9) if jack else (-20.6, 0.94)
    draw_head(brush.at(0.6, y, size, mirror=mirror), card.rank, paints)
    draw_prop(brush.at(15.6, -9.2, mirror=jack), card.rank, card.suit, paints)


def _sleeves(brush: Brush, paints: Paints) -> None:
    for side in (False, True):
        arm = brush.at(0, 0, mirror=side)
        sleeve = bend([(9.5, -12), (14.2, -10.8), (19, -6.6), (22, -1), (22, 10), (22, 10),
                       (12, 10), (12, 10), (10.2, -2)])  # fmt: skip
        arm.shape(sleeve, paints.accent)
        for n, x in enumerate((11.8, 14.6, 17.4)):
            stripe = bend([(x - 0.4, -11.0 + n * 1.3), (x + 1.6, -4), (x + 1.4, 9)], closed=False)
            arm.line(stripe, 1.3)
            arm.stroke(stripe, paints.gold if n % 2 == 0 else paints.white, 0.75)


def _breast(brush: Brush, rank: Rank, paints: Paints) -> None:
    panel = flipped([(0, -13), (4.2, -13), (6.0, 10), (0, 10)])
    brush.shape(panel, paints.trim)
    brush.line([(-3.4, -13), (-4.8, 10)], 0.25)
    brush.line([(3.4, -13), (4.8, 10)], 0.25)
    for n, y in enumerate(np.arange(-8.0, 9.0, 3.4)):
        if rank is Rank.KING:
            jewel = np.array([(0, y - 1.5), (2.1, y), (0, y + 1.5), (-2.1, y)])
            brush.shape(jewel, paints.white if n % 2 else paints.main, 0.24)
        elif rank is Rank.QUEEN:
            brush.shape(oval(0, y, 1.5, 1.5), paints.white, 0.24)
            brush.disc(0, y, 0.7, paints.main)
        else:
            chevron = [(-4.0, y - 1.2), (0, y + 1.0), (4.0, y - 1.2)]
            brush.line(chevron, 1.2)
            brush.stroke(chevron, paints.white if n % 2 else paints.main, 0.7)


def _collar(brush: Brush, rank: Rank, paints: Paints) -> None:
    if rank is Rank.KING:
        cape = flipped([(0, -14.5), (5, -14.5), (11, -12.6), (11.8, -8.6), (6.2, -7.0), (0, -6.0)])
        brush.shape(bend(cape), paints.white)
        for x, y in flipped([(-9.6, -10.4), (-6.8, -8.6), (-7, -11.6)]):
            tail = np.array([(0, -0.8), (0.55, 0.5), (0, 0.9), (-0.55, 0.5)]) * 1.1 + (x, y)
            brush.fill(tail, paints.ink)
        return
    if rank is Rank.QUEEN:
        yoke = flipped([(0, -14), (5.2, -13.2), (10.6, -11.8), (9.4, -8.8), (4.6, -7.2), (0, -6.6)])
        brush.shape(bend(yoke), paints.white)
        brush.dots(oval(0, -12.8, 8.2, 4.6, 15, 165)[::5], 0.85, paints.gold, 0.22)
        return
    ruff = flipped([(0, -12.6), (2.4, -14.2), (7.8, -12.6), (8.6, -9.8), (4.0, -10.2), (0, -8.2)])
    brush.shape(bend(ruff), paints.gold)
    for x in (-6.4, -4.2, -2.0, 2.0, 4.2, 6.4):
        brush.line([(x * 0.6, -13.2), (x * 1.08, -10.0)], 0.24)


def _standing_king(brush: Brush, paints: Paints) -> None:
    for x in (-4.5, 4.5):
        _shoe(brush.at(x, 34.6, mirror=x < 0), paints)
    cloak = flipped(
        [(0, -17), (7, -17), (13.5, -12), (16, 4), (18.5, 34), (18.5, 34), (9, 35), (0, 35)]
    )
    brush.shape(bend(cloak), paints.main)
    gown = flipped([(0, -17), (5, -17), (6.5, 0), (9.5, 33), (0, 34)])
    brush.shape(gown, paints.trim)
    for side in (-1, 1):
        fur = np.array([(4, -17), (6.6, -17), (9.6, 0), (12.8, 33.5), (9.4, 33.6), (6.4, 0)]) * (
            side,
            1,
        )
        brush.shape(fur, paints.white)
        for n in range(9):
            y = -13 + n * 5.2
            x = side * (6.0 + n * 0.62)
            brush.fill(moved(_ERMINE, x, y), paints.ink)
    for n, y in enumerate((4, 11, 18, 25)):
        jewel = moved([(0, -2.2), (2.6, 0), (0, 2.2), (-2.6, 0)], 0, y)
        brush.shape(jewel, paints.accent if n % 2 else paints.gold)
    brush.shape(box(-7.2, -2.2, 7.2, 0.4), paints.gold)
    cape = flipped([(0, -18), (6, -17.6), (12, -14), (13, -10), (7, -9.4), (0, -8)])
    brush.shape(bend(cape), paints.white)
    for x, y in ((-9.6, -12), (-6, -11.4), (6, -11.4), (9.6, -12), (-8.4, -14.6), (8.4, -14.6)):
        brush.fill(moved(_ERMINE, x, y), paints.ink)
    _arms(brush, paints)
    brush.shape(oval(-11.6, -1.6, 3.0, 3.0), paints.gold)
    brush.shape(box(-14.6, -2.1, -8.6, -1.1), paints.accent, 0.24)
    brush.fill(box(-11.9, -7.4, -11.3, -4.6), paints.ink)
    brush.fill(box(-12.8, -6.6, -10.4, -6.0), paints.ink)


def _standing_queen(brush: Brush, paints: Paints) -> None:
    skirt = flipped([(0, -8), (5.5, -6), (9, 4), (15, 22), (19, 35), (19, 35), (8, 36), (0, 36)])
    brush.shape(bend(skirt), paints.main)
    front = flipped([(0, -4), (3.6, -4), (10, 35), (0, 35.6)])
    brush.shape(front, paints.white)
    for row, y in enumerate(np.arange(2.0, 30.0, 4.9)):
        places = np.arange(-row, row + 1, 2) * 2.0 * 0.62
        brush.dots([(x, y) for x in places], 1.4, paints.accent, 0.22)
    for side in (-1, 1):
        for x in (11.5, 14.4):
            fold = bend([(6.5, 0), (x * 0.72, 14), (x, 34)], closed=False) * (side, 1)
            brush.line(fold, 0.3)
    hem = bend([(-19.4, 32.4), (0, 34.4), (19.4, 32.4)], closed=False)
    brush.shape(np.concatenate([hem, moved(hem[::-1], 0, 2.6)]), paints.gold)
    bodice = flipped([(0, -17), (6, -17), (8.6, -12), (6.2, -3), (0, -1)])
    brush.shape(bodice, paints.accent)
    for y in (-11, -8, -5):
        brush.line([(-2.6, y - 1), (2.6, y + 1)], 0.3)
        brush.line([(2.6, y - 1), (-2.6, y + 1)], 0.3)
    _arms(brush, paints)


def _standing_jack(brush: Brush, paints: Paints) -> None:
    cloak = bend([(-6, -17), (-13, -12), (-15.5, 8), (-16, 24), (-16, 24), (-4, 22), (8, 24),
                  (8, 24), (12, 0), (7, -17)])  # fmt: skip
    brush.shape(cloak, paints.accent)
    for side, hose in ((-1, paints.trim), (1, paints.white)):
        leg = np.array([(0.4, 8), (7.4, 8), (6.4, 20), (5.8, 34), (2.6, 34), (1.6, 20)]) * (side, 1)
        brush.shape(leg, hose)
        brush.shape(box(1.2, 19.0, 6.9, 20.8) * (side, 1), paints.gold, 0.26)
        _shoe(brush.at(side * 4.2, 34.6, mirror=side < 0), paints)
    tunic = flipped([(0, -17), (6.4, -17), (8.4, -8), (6.6, 0), (11, 12), (0, 13)])
    brush.shape(tunic, paints.main)
    for x in (-7.2, -2.4, 2.4, 7.2):
        brush.line([(x * 0.7, 1), (x, 12)], 0.3)
    brush.dots([(0, -13), (0, -9.5), (0, -6)], 0.9, paints.gold, 0.24)
    brush.shape(box(-7.2, -2.0, 7.2, 0.6), paints.gold)
    collar = flipped([(0, -15), (3, -17.8), (7.8, -16), (8.4, -13.4), (3.8, -14), (0, -12)])
    brush.shape(bend(collar), paints.white)
    _arms(brush, paints)


def _arms(brush: Brush, paints: Paints) -> None:
    """Draw one arm raised to what is held, and one bent to the waist."""
    raised = bend(
        [(6.8, -16.2), (11.2, -14), (15.2, -4.6), (15.2, -4.6), (13.0, -0.4), (10.2, -2.6)]
    )
    brush.shape(raised, paints.accent)
    brush.stroke(bend([(8.4, -13.4), (11.2, -8), (13.4, -3)], closed=False), paints.gold, 0.6)
    bent = bend([(-6.8, -16.2), (-11.6, -13), (-14.4, -4), (-12.6, 0.4), (-6, 1.2), (-6, -1.8),
                 (-9.8, -3.4)])  # fmt: skip
    brush.shape(bent, paints.accent)
    brush.stroke(bend([(-9, -13), (-12.2, -5), (-11.4, -1.2)], closed=False), paints.gold, 0.6)
    brush.shape(oval(-5.6, -0.3, 1.9, 1.6), paints.skin, 0.3)


def _shoe(brush: Brush, paints: Paints) -> None:
    shoe = [(-1.8, -1.4), (1.8, -1.4), (4.6, 0.6), (5.0, 2.0), (-1.8, 2.0), (-1.8, 2.0)]
    brush.shape(bend(shoe), paints.ink)


_STANDING = {Rank.JACK: _standing_jack, Rank.QUEEN: _standing_queen, Rank.KING: _standing_king}

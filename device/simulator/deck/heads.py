"""Heads of jacks, queens and kings, and what they hold; each has an outline of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from device.simulator.deck.ink import Brush, Colour, Points, bend, box, flipped, moved, oval
from engine.core.cards import Rank, Suit


@dataclass(frozen=True, slots=True)
class Paints:
    """The colours of one court card; *main*, *trim* and *accent* are those of the clothes."""

    main: Colour
    trim: Colour
    accent: Colour
    hair: Colour
    skin: Colour
    white: Colour
    gold: Colour
    lips: Colour
    ink: Colour


def draw_head(brush: Brush, rank: Rank, paints: Paints) -> None:
    """Draw a head with a face 9 mm wide and 12 mm high, centred on the brush's origin."""
    _HEADS[rank](brush, paints)


def draw_prop(brush: Brush, rank: Rank, suit: Suit, paints: Paints) -> None:
    """Draw what the figure holds, upright, with the hand at the brush's origin."""
    if rank is Rank.QUEEN:
        _flower(brush, paints, petals=5 if suit in (Suit.SPADES, Suit.HEARTS) else 6)
    elif rank is Rank.JACK:
        _halberd(brush, paints)
    elif suit in (Suit.DIAMONDS, Suit.CLUBS):
        _sceptre(brush, paints)
    else:
        _sword(brush, paints)
    _hand(brush, paints)


def _face(brush: Brush, paints: Paints) -> None:
    outline = flipped([(0, -6.2), (3.4, -5.6), (4.5, -1.5), (4.2, 2.0), (2.6, 5.0), (0, 6.3)])
    brush.shape(bend(outline), paints.skin, 0.34)
    for side in (-1, 1):
        lid = bend([(0.75, -0.3), (0.75, -0.3), (1.9, -1.0), (3.2, -0.2), (3.2, -0.2), (2, 0.35)])
        eye = lid * (side, 1) + (-0.25, 0)
        brush.shape(eye, paints.white, 0.22)
        brush.disc(side * 1.95 - 0.45, -0.3, 0.52, paints.ink)
        brow = bend([(0.7, -1.7), (1.9, -2.35), (3.5, -1.6)], closed=False) * (side, 1)
        brush.line(moved(brow, -0.25, 0), 0.34)
    nose = [(0.1, -1.4), (-0.5, 0.6), (-1.15, 2.0), (-0.4, 2.45), (0.45, 2.2)]
    brush.line(bend(nose, closed=False), 0.26)
    lips = bend([(-1.55, 3.75), (-1.55, 3.75), (-0.3, 3.3), (1.2, 3.75), (1.2, 3.75), (-0.2, 4.4)])
    brush.shape(lips, paints.lips, 0.16)


def _king(brush: Brush, paints: Paints) -> None:
    for side in (-1, 1):
        brush_side = brush.at(0, 0, mirror=side < 0)
        for x, y, radius in ((5.4, -2.6, 1.9), (6.2, 0.6, 2.1), (5.9, 4.0, 2.2)):
            brush_side.shape(oval(x, y, radius, radius), paints.hair, 0.3)
            brush_side.line(oval(x, y, radius * 0.5, radius * 0.5, 0, 270), 0.22)
    _face(brush, paints)
    beard = flipped(
        [(0, 5.0), (1.6, 4.9), (3.2, 2.6), (4.6, 0.6), (4.6, 0.6), (5.4, 5.0), (4.2, 9.2),
         (2.3, 12.6), (1.4, 12.2), (0.4, 10.6), (0, 10.4)]
    )  # fmt: skip
    brush.shape(bend(beard), paints.hair, 0.34)
    for x in (-3.2, -1.9, -0.65, 0.65, 1.9, 3.2):
        lock = bend([(x, 5.9), (x * 1.15, 8.2), (x * 0.9, 10.4)], closed=False)
        brush.line(lock, 0.24)
    moustache = flipped(
        [(0, 2.9), (0, 2.9), (1.8, 2.7), (4.0, 3.9), (4.0, 3.9), (1.8, 4.0), (0, 3.5)]
    )
    brush.shape(bend(moustache), paints.hair, 0.24)
    _great_crown(brush, paints)


def _great_crown(brush: Brush, paints: Paints) -> None:
    cap = flipped([(0, -11.6), (4.2, -11.0), (6.6, -8.4), (5.6, -5.2), (0, -4.4)])
    brush.shape(bend(cap), paints.accent, 0.3)
    points: list[tuple[float, float]] = [(-5.6, -4.6)]
    tops = (-7.4, -3.8, 0.0, 3.8, 7.4)
    for n, x in enumerate(tops):
        points.append((x, -10.8 - (1.6 if n == 2 else 0.6 * (n in (1, 3)))))
        if n < 4:
            points.append(((x + tops[n + 1]) / 2 * 0.9, -7.7))
    points.append((5.6, -4.6))
    brush.shape(np.array(points), paints.gold, 0.34)
    brush.dots(moved(points[1:-1:2], 0, -0.5), 0.85, paints.gold, 0.24)
    brush.fill(box(-0.35, -15.2, 0.35, -12.8), paints.ink)
    brush.fill(box(-1.1, -14.6, 1.1, -13.9), paints.ink)
    band = bend([(-5.6, -4.6), (0, -5.5), (5.6, -4.6)], closed=False)
    brush.shape(np.concatenate([band, band[::-1] - (0, 1.9)]), paints.main, 0.3)
    for x in (-3.8, 0.0, 3.8):
        jewel = np.array([(x, -6.9), (x + 0.9, -6.0), (x, -5.2), (x - 0.9, -6.0)])
        brush.fill(moved(jewel, 0, 0.35 * abs(x) / 3.8 - 0.2), paints.white)


def _queen(brush: Brush, paints: Paints) -> None:
    veil = flipped(
        [(0, -9.0), (4.5, -8.4), (7.4, -3.5), (8.2, 3.0), (9.8, 9.2), (11.5, 11.5), (11.5, 11.5),
         (5, 12.4), (0, 12.4)]
    )  # fmt: skip
    brush.shape(bend(veil), paints.accent, 0.34)
    hair = flipped(
        [(0, -7.0), (3.6, -6.4), (5.9, -3.4), (6.2, 1.0), (6.9, 5.2), (6.2, 9.0), (7.2, 11.6),
         (5.0, 12.2), (3.2, 9.8), (0, 9.4)]
    )  # fmt: skip
    brush.shape(bend(hair), paints.hair, 0.32)
    neck = flipped([(0, 4.0), (2.1, 4.0), (2.2, 8.0), (4.4, 9.6), (0, 12.6)])
    brush.shape(neck, paints.skin, 0.28)
    _face(brush, paints)
    for side in (-1, 1):
        parting = bend([(0, -6.9), (0, -6.9), (3.0, -6.3), (5.0, -3.2), (4.9, 1.6), (4.9, 1.6),
                        (3.9, -1.4), (2.3, -3.6)]) * (side, 1)  # fmt: skip
        brush.shape(parting, paints.hair, 0.28)
        for x, sway in ((5.1, 0.5), (5.9, 0.7)):
            lock = [(x, 0.5), (x + sway, 4.0), (x - 0.4, 7.4), (x + sway * 0.6, 11.0)]
            brush.line(bend(lock, closed=False) * (side, 1), 0.24)
    brush.dots(oval(0, 7.2, 3.1, 3.0, 25, 155)[::6], 0.55, paints.white, 0.2)
    band = bend([(-4.4, -6.1), (0, -7.6), (4.4, -6.1)], closed=False)
    rim = np.concatenate([band, band[::-1] * (1.05, 1) - (0, 1.6)])
    for x in (-4.2, -2.2, 0.0, 2.2, 4.2):
        leaf = bend([(-1.15, 0.0), (-1.15, 0.0), (-1.0, -2.2), (0, -3.7), (0, -3.7), (1.0, -2.2),
                     (1.15, 0), (1.15, 0)])  # fmt: skip
        brush.at(x * 1.05, -8.5 + abs(x) * 0.26, turn=x * 5).shape(leaf, paints.gold, 0.28)
        brush.at(x * 1.05, -8.5 + abs(x) * 0.26, turn=x * 5).shape(
            oval(0, -4.0, 0.62, 0.62), paints.white, 0.22
        )
    brush.shape(rim, paints.gold, 0.3)
    for x in (-2.6, 0.0, 2.6):
        brush.disc(x, -7.95 + abs(x) * 0.19, 0.5, paints.main)


def _jack(brush: Brush, paints: Paints) -> None:
    hair = flipped(
        [(0, -6.4), (4.4, -5.6), (6.0, -2.0), (6.1, 2.4), (7.6, 4.8), (7.0, 6.9), (4.9, 6.6),
         (3.6, 4.6), (0, 3.0)]
    )  # fmt: skip
    brush.shape(bend(hair), paints.hair, 0.32)
    brush.shape(box(-2.0, 4.0, 2.0, 9.0), paints.skin, 0.28)
    _face(brush, paints)
    for side in (-1, 1):
        fringe = bend([(0, -5.9), (0, -5.9), (3.4, -5.4), (5.0, -2.0), (4.9, 2.2), (4.9, 2.2),
                       (4.0, -1.2), (2.8, -3.3), (0, -3.5), (0, -3.5)]) * (side, 1)  # fmt: skip
        brush.shape(fringe, paints.hair, 0.26)
        for x in (5.2, 5.9):
            lock = bend([(x, -1.0), (x + 0.1, 2.6), (x + 1.0, 5.0)], closed=False) * (side, 1)
            brush.line(lock, 0.22)
    beret = bend(
        [(-6.2, -4.9), (-7.6, -6.6), (-7.0, -9.2), (-3.0, -10.7), (2.6, -10.4), (7.2, -9.0),
         (8.4, -6.8), (6.4, -4.9), (6.4, -4.9), (0, -5.6), (-6.2, -4.9)]
    )  # fmt: skip
    brush.shape(beret, paints.main, 0.34)
    band = bend([(-6.3, -4.6), (0, -5.4), (6.5, -4.6)], closed=False)
    brush.shape(np.concatenate([band, band[::-1] - (0, 1.7)]), paints.gold, 0.28)
    quill = [(4.8, -5.8), (8.2, -9.2), (8.4, -12.6), (4.6, -14.6), (0.4, -14.2)]
    vane = bend([quill[0], quill[0], (9.9, -9.0), (10.2, -13.2), (5.4, -16.2), quill[4], quill[4],
                 (3.4, -13.2), (6.4, -11.6), (6.6, -8.8)])  # fmt: skip
    brush.shape(vane, paints.white, 0.3)
    brush.line(bend(quill, closed=False), 0.26)
    for t in (0.3, 0.45, 0.6, 0.75, 0.9):
        spine = bend(quill, closed=False)
        x, y = spine[int(t * (len(spine) - 1))]
        brush.line([(x, y), (x + 0.9, y - 1.4)], 0.18)
    brush.shape(oval(4.8, -5.6, 1.0, 1.0), paints.accent, 0.26)


def _sword(brush: Brush, paints: Paints) -> None:
    blade = np.array([(-1.15, -3.5), (-1.0, -21.5), (0, -24.0), (1.0, -21.5), (1.15, -3.5)])
    brush.shape(blade, paints.white, 0.3)
    brush.fill([(0, -22.5), (0.75, -21), (0.8, -3.5), (0, -3.5)], paints.trim)
    guard = bend([(-4.4, -3.0), (-4.0, -4.2), (0, -3.7), (4.0, -4.2), (4.4, -3.0), (0, -2.4)])
    brush.shape(guard, paints.gold, 0.3)
    brush.shape(box(-0.7, -2.6, 0.7, 4.2), paints.gold, 0.26)
    brush.shape(oval(0, 4.6, 1.3, 1.3), paints.gold, 0.28)


def _sceptre(brush: Brush, paints: Paints) -> None:
    brush.shape(box(-0.7, -17.0, 0.7, 7.5), paints.gold, 0.28)
    for y in (-14.0, -9.5, -5.0):
        brush.shape(box(-1.1, y - 0.5, 1.1, y + 0.5, 0.4), paints.main, 0.22)
    brush.shape(oval(0, -19.0, 2.5, 2.5), paints.accent, 0.3)
    brush.shape(box(-2.5, -19.5, 2.5, -18.5), paints.gold, 0.24)
    brush.fill(box(-0.45, -24.2, 0.45, -21.4), paints.ink)
    brush.fill(box(-1.5, -23.4, 1.5, -22.5), paints.ink)


def _flower(brush: Brush, paints: Paints, petals: int) -> None:
    green = (60, 120, 40)
    brush.stroke(bend([(0, 2), (-0.4, -3), (0.3, -7.6)], closed=False), green, 0.7)
    for side, y in ((1, -3.0), (-1, -1.8)):
        leaf = bend([(0, 0), (0, 0), (1.4, -1.7), (3.2, -2.0), (3.2, -2.0), (1.8, -0.1)]) * (
            side,
            1,
        )
        brush.shape(moved(leaf, -0.2, y), green, 0.22)
    for n in range(petals):
        petal = brush.at(0.3, -9.4, turn=360 / petals * n)
        petal.shape(oval(0, -2.0, 1.35, 1.7), paints.trim if n % 2 else paints.lips, 0.24)
    brush.shape(oval(0.3, -9.4, 1.2, 1.2), paints.gold, 0.26)


def _halberd(brush: Brush, paints: Paints) -> None:
    brush.shape(box(-0.65, -15.0, 0.65, 9.0), paints.gold, 0.26)
    point = np.array([(-0.7, -15), (-1.3, -17.5), (0, -24.2), (1.3, -17.5), (0.7, -15)])
    brush.shape(point, paints.white, 0.28)
    axe = bend([(0.6, -14.4), (0.6, -14.4), (2.4, -13.8), (4.9, -16.2), (4.9, -16.2), (5.6, -12.4),
                (4.4, -8.8), (4.4, -8.8), (2.4, -10.8), (0.6, -10.4), (0.6, -10.4)])  # fmt: skip
    brush.shape(axe, paints.white, 0.28)
    hook = np.array([(-0.6, -13.8), (-4.0, -11.2), (-0.6, -11.2)])
    brush.shape(hook, paints.white, 0.28)
    tassel = bend([(-1.1, -10.0), (1.1, -10.0), (1.6, -6.6), (0, -6.0), (-1.6, -6.6)])
    brush.shape(tassel, paints.main, 0.26)


def _hand(brush: Brush, paints: Paints) -> None:
    fist: Points = bend(
        [(-2.2, -1.9), (1.6, -2.2), (2.4, -0.4), (1.9, 2.0), (-1.6, 2.3), (-2.6, 0.4)]
    )
    brush.shape(fist, paints.skin, 0.3)
    for y in (-0.9, 0.2, 1.2):
        brush.line([(-0.5, y), (2.0, y - 0.1)], 0.22)


_HEADS = {Rank.JACK: _jack, Rank.QUEEN: _queen, Rank.KING: _king}

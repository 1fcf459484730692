"""The backs of the three decks, in the ink of the brush."""

from __future__ import annotations

import numpy as np

from device.simulator.deck.ink import HEIGHT_MM, WIDTH_MM, Brush, Colour, box, oval

_WHITE: Colour = (250, 252, 252)


def lattice_back(brush: Brush) -> None:
    """Draw a fine lattice inside a white border."""
    x, y = WIDTH_MM / 2 - 3.6, HEIGHT_MM / 2 - 3.6
    brush.fill(box(-x, -y, x, y, 1.6), brush.ink)
    step = 2 * x / 11
    for across in np.arange(-40, 41):
        for slope in (-1.45, 1.45):
            middle, rise = across * step, 1.5 * y * slope
            line = [(middle - 1.5 * y, -rise), (middle + 1.5 * y, rise)]
            brush.stroke(line, _WHITE, 0.62)
    blue, green, red = (int(255 - (255 - part) * 0.55) for part in brush.ink)
    for row in range(-20, 21):
        for column in range(-8, 9):
            spot = ((column + 0.5 * (row % 2)) * step, row * step * 0.725)
            brush.disc(*spot, 0.42, (blue, green, red))
    _border(brush, x, y)


def rosette_back(brush: Brush) -> None:
    """Draw overlapping rings with a medallion, inside a white border."""
    x, y = WIDTH_MM / 2 - 4.0, HEIGHT_MM / 2 - 4.0
    brush.fill(box(-x, -y, x, y, 1.6), brush.ink)
    step = 2 * x / 9
    for row in range(-20, 21):
        for column in range(-12, 13):
            spot = (column * step, row * step)
            brush.stroke(oval(*spot, step * 0.72, step * 0.72), _WHITE, 0.42, closed=True)
            brush.disc(*spot, 0.75, _WHITE)
    brush.disc(0, 0, 13.2, _WHITE)
    brush.disc(0, 0, 12.3, brush.ink)
    brush.stroke(oval(0, 0, 11.2, 11.2), _WHITE, 0.5, closed=True)
    for turn in range(0, 360, 30):
        petal = brush.at(0, 0, turn=turn)
        petal.shape(oval(0, -6.2, 1.75, 4.2), _WHITE, 0.3)
        petal.fill(oval(0, -6.6, 0.7, 2.4), brush.ink)
    brush.disc(0, 0, 2.9, _WHITE)
    brush.disc(0, 0, 1.9, brush.ink)
    _border(brush, x, y)


def printed_back(brush: Brush) -> None:
    """Draw the stamped pattern of an old deck: rows of small flowers of four dots."""
    step = 4.2
    for row in range(-14, 15):
        for column in range(-10, 11):
            x, y = (column + 0.5 * (row % 2)) * step, row * step * 0.8
            if abs(x) > WIDTH_MM / 2 - 2 or abs(y) > HEIGHT_MM / 2 - 2:
                continue
            for turn in range(0, 360, 90):
                brush.at(x, y, turn=turn).fill(oval(0, -0.75, 0.42, 0.62), brush.ink)
            brush.stroke(oval(x, y, 1.75, 1.55), brush.ink, 0.16, closed=True)


def _border(brush: Brush, x: float, y: float) -> None:
    """Clear the edge, over which patterns run, and draw the line inside it."""
    hole = box(-x, -y, x, y, 1.6)
    brush.fill_even_odd([box(-WIDTH_MM, -HEIGHT_MM, WIDTH_MM, HEIGHT_MM), hole], _WHITE)
    brush.stroke(hole, brush.ink, 0.7, closed=True)
    brush.stroke(box(-x + 1.1, -y + 1.1, x - 1.1, y - 1.1, 1.0), _WHITE, 0.5, closed=True)

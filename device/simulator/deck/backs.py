"""The backs of the three decks."""

from __future__ import annotations

import numpy as np

from device.simulator.deck.ink import Brush, Colour, box, oval

_WHITE: Colour = (250, 252, 252)


def lattice_back(brush: Brush, width: float, height: float, colour: Colour) -> None:
    """Draw a fine lattice in *colour* inside a white border."""
    x, y = width / 2 - 3.6, height / 2 - 3.6
    brush.fill(box(-x, -y, x, y, 1.6), colour)
    step = 2 * x / 11
    for across in np.arange(-40, 41):
        for slope in (-1.0, 1.0):
            middle = across * step
            line = [
                (middle - 1.5 * y, -1.5 * y * slope * 1.45),
                (middle + 1.5 * y, 1.5 * y * slope * 1.45),
            ]
            brush.stroke(line, _WHITE, 0.62)
    pale: Colour = tuple(int(255 - (255 - part) * 0.55) for part in colour)  # type: ignore[assignment]
    for row in range(-20, 21):
        for column in range(-8, 9):
            spot = ((column + 0.5 * (row % 2)) * step, row * step * 0.725)
            brush.disc(*spot, 0.42, pale)
    _border(brush, x, y, width, height, colour)


def rosette_back(brush: Brush, width: float, height: float, colour: Colour) -> None:
    """Draw overlapping rings in *colour* with a medallion, inside a white border."""
    x, y = width / 2 - 4.0, height / 2 - 4.0
    brush.fill(box(-x, -y, x, y, 1.6), colour)
    step = 2 * x / 9
    for row in range(-20, 21):
        for column in range(-12, 13):
            spot = (column * step, row * step)
            brush.stroke(oval(*spot, step * 0.72, step * 0.72), _WHITE, 0.42, closed=True)
            brush.disc(*spot, 0.75, _WHITE)
    _medallion(brush, colour)
    _border(brush, x, y, width, height, colour)


def printed_back(brush: Brush, width: float, height: float, colour: Colour) -> None:
    """Draw the stamped pattern of an old deck: rows of small flowers of four dots."""
    step = 4.2
    for row in range(-14, 15):
        for column in range(-10, 11):
            x, y = (column + 0.5 * (row % 2)) * step, row * step * 0.8
            if abs(x) > width / 2 - 2 or abs(y) > height / 2 - 2:
                continue
            for turn in range(0, 360, 90):
                leaf = brush.at(x, y, turn=turn)
                leaf.fill(oval(0, -0.75, 0.42, 0.62), colour)
            brush.stroke(oval(x, y, 1.75, 1.55), colour, 0.16, closed=True)


def _medallion(brush: Brush, colour: Colour) -> None:
    brush.disc(0, 0, 13.2, _WHITE)
    brush.disc(0, 0, 12.3, colour)
    brush.stroke(oval(0, 0, 11.2, 11.2), _WHITE, 0.5, closed=True)
    for turn in range(0, 360, 30):
        petal = brush.at(0, 0, turn=turn)
        petal.shape(oval(0, -6.2, 1.75, 4.2), _WHITE, colour, 0.3)
        petal.fill(oval(0, -6.6, 0.7, 2.4), colour)
    brush.disc(0, 0, 2.9, _WHITE)
    brush.disc(0, 0, 1.9, colour)


def _border(brush: Brush, x: float, y: float, width: float, height: float, colour: Colour) -> None:
    """Clear the edge, over which patterns run, and draw the line inside it."""
    hole = box(-x, -y, x, y, 1.6)
    brush.fill_even_odd([box(-width, -height, width, height), hole], _WHITE)
    brush.stroke(hole, colour, 0.7, closed=True)
    brush.stroke(box(-x + 1.1, -y + 1.1, x - 1.1, y - 1.1, 1.0), _WHITE, 0.5, closed=True)

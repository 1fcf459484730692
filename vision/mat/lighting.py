"""Fit the light on a mat to its plain parts: a smooth surface, lamps that flicker, and noise.

All is in logarithms, where light only adds, as integers of which :data:`ONE` make 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ONE = 1024
"""The integer for a logarithm of 1: a step is a thousandth of the brightness."""

LIGHTER = 0.06
"""By what part a channel must be lighter than the mat to be no mat."""

BARE = 0.45
"""Part of the plain cells that must agree with the light, or it is fitted to the paper as well.

Where half of a mat is bare 0.5 and more agree, in bad light too; where the cards on it, which are
all of one colour, were taken for the mat, 0.3 and less.
"""

FRAMED = 0.7
"""Part of the bare paper round the print that must agree, or the light is fitted to it as well.

Cards hardly lie there: of an uncovered rim three quarters agree, the rest has marks on it. Where
backs all of one grey lay in a corner, and bent the light there until the rim was no mat, 0.6 and
less did.
"""

AGREES = 0.03
"""By what part a plain cell may differ from the mat in its light: print is evener than cards."""

FROM_PAPER = (0.15, 0.12, 0.09, 0.06, 0.06, 0.06)
"""By what part a cell may differ from the light fitted to paper to count, round by round."""

UNEVEN = 0.015
"""By what part the half of the cells must differ from a smooth light before bands are looked for.

Plain cells of a mat in steady light differ by 0.003 to 0.015; in bands of a sixth by 0.05.
"""

BANDED = 0.7
"""To what part bands must bring that down to be there at all."""

STRIPS = 48
"""Strips of the picture, from top to bottom, in each of which a flickering lamp is one light.

A lamp on 50 or 60 Hz mains makes three bands of a picture: each then has sixteen steps.
"""

MOST = 0.5
"""By what part a lamp's flicker may change the light; cells that differ by more are covered."""

FEWEST = 4
"""Cells a strip needs for its median to count; the light of others is interpolated."""

DEGREES = tuple((i, j) for i in range(4) for j in range(4 - i))
"""The powers of x and y in each term of a smooth surface of third degree."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The light on a mat, in logarithms.

    Attributes:
        surface: for each channel, the coefficient of y**row * x**column; float32 (3, 4, 4).
        paper: by how much bare paper is lighter than the print says, for each channel; (3,).
        bands: by how much each strip of the picture is lighter, float64 (STRIPS,); ``None`` in
            steady light.
    """

    surface: NDArray[np.float32]
    paper: NDArray[np.float32]
    bands: NDArray[np.float64] | None = None


def fit_light(
    values: NDArray[np.floating],
    matrix: NDArray[np.float64],
    strips: Callable[[], NDArray[np.float64]],
) -> Light:
    """Fit the light on the mat to what is plain: a smooth surface, and how paper and ink differ.

    Args:
        values: by how much plain cells of the mat are lighter than their print; (cells, 3).
        matrix: the terms of the light in each of them, and whether it is paper; (cells, 11).
        strips: gives the place of each in the picture, in strips from its top; (cells,).
    """
    fit, off = _fit_steady(values, matrix)
    bands = None
    if float(np.median(off)) > UNEVEN * ONE:
        places, rim = strips(), matrix[:, -1] > 0
        first = _bands(values - matrix @ fit, places, rim)  # on the paper hardly a card lies
        if float(np.ptp(first)) > LIGHTER * ONE:  # less is no more than the mat may differ
            evened = values - _at(first, places)[:, None]
            other, other_off = _fit_steady(evened, matrix)
            if float(np.median(other_off)) < BANDED * float(np.median(off)):
                # Once more: what the bands hid of the surface, and it of them, is now seen.
                bare = other_off < LIGHTER * ONE
                bands = first + _bands(evened - matrix @ other, places, bare)
                fit, _ = _fit_steady(values - _at(bands, places)[:, None], matrix)
    surface = np.zeros((3, 4, 4), np.float32)
    for term, (i, j) in enumerate(DEGREES):
        surface[:, j, i] = fit[term]
    return Light(surface, fit[-1].astype(np.float32), bands)


def _fit_steady(
    values: NDArray[np.floating], matrix: NDArray[np.float64]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return each term's coefficient, (terms, 3), and by how much each cell differs, (cells,)."""
    weights: NDArray[np.floating] = np.ones(len(values))
    for _ in range(8):  # what lies on the mat is outlying: it is weighed less each round
        fit, off = _solve(values, matrix, weights)
        weights = _weights(off, 3 * max(float(np.median(off)), 0.01 * ONE))
    rim = matrix[:, -1] > 0
    covered = (off < LIGHTER * ONE).mean() < BARE
    if covered or (off[rim] < AGREES * ONE).mean() < FRAMED:
        # What covers much of it, or all of a corner, may have been taken for it.
        other, other_off = _fit_to_paper(values, matrix)
        if (other_off < AGREES * ONE).sum() > (off < AGREES * ONE).sum():
            return other, other_off
    return fit, off


def _bands(
    off: NDArray[np.floating], places: NDArray[np.float64], bare: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return by how much each strip is lighter than the rest, whatever the channel; (STRIPS,).

    A row of cards looks like a band too: where cells are known to be *bare* they alone count.
    """
    grey = off.mean(axis=1)
    own = np.clip(places.astype(int), 0, STRIPS - 1)
    seen = np.abs(grey) < MOST * ONE
    known, light = [], []
    for strip in range(STRIPS):
        inside = seen & (own == strip)
        if inside.sum() >= FEWEST:
            plain = inside & bare
            known.append(strip)
            light.append(float(np.median(grey[plain if plain.sum() > 1 else inside])))
    if not known:
        return np.zeros(STRIPS)
    return np.interp(np.arange(STRIPS), known, light)


def _at(bands: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light at places, in strips from the top of the picture."""
    return np.interp(places, np.arange(STRIPS) + 0.5, bands)


def light_of_rows(bands: NDArray[np.float64], rows: int) -> NDArray[np.int16]:
    """Return by how much each of the *rows* of a picture is lighter, int16 (rows,)."""
    return np.rint(_at(bands, (np.arange(rows) + 0.5) / rows * STRIPS)).astype(np.int16)


def _fit_to_paper(
    values: NDArray[np.floating], matrix: NDArray[np.float64]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Fit the light to the bare paper round the print, where no cards lie, and then to the rest.

    Returns:
        each term's coefficient, (terms, 3), and by how much each cell differs, (cells,).
    """
    paper = matrix[:, -1] > 0
    smooth, weights = matrix[:, :-1], paper.astype(np.float64)
    for _ in range(4):
        fit, off = _solve(values, smooth, weights)
        weights = paper * _weights(off, 3 * max(float(np.median(off[paper])), 0.01 * ONE))
    for reach in FROM_PAPER:
        fit, off = _solve(values, matrix, _weights(off, reach * ONE))
    return fit, off


def _solve(
    values: NDArray[np.floating], matrix: NDArray[np.float64], weights: NDArray[np.floating]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return the coefficients, (terms, 3), and by how much each value then differs, (values,)."""
    weighed = matrix * weights[:, None]
    steady = 1e-6 * np.eye(matrix.shape[1])
    fit = np.linalg.solve(weighed.T @ matrix + steady, weighed.T @ values)
    blue, green, red = np.abs(values - matrix @ fit).T
    return fit, np.maximum(np.maximum(blue, green), red)


def _weights(off: NDArray[np.floating], reach: float) -> NDArray[np.floating]:
    """Return weights that fall with the difference, to 0 at *reach*."""
    return np.asarray(np.clip(1 - (off / reach) ** 2, 0, None) ** 2, np.float64)

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

AGREES = 0.03
"""By what part a plain cell may differ from the mat in its light: print is evener than cards."""

FROM_PAPER = (0.15, 0.1, 0.07, 0.06)
"""By what part a cell may differ from the light fitted to paper to count, round by round."""

UNEVEN = 0.015
"""By what part the half of the cells must differ from a smooth light before bands are looked for.

Plain cells of a mat in steady light differ by 0.003 to 0.015; in bands of a sixth by 0.05.
"""

BANDED = 1.1
"""So many times as many cells must agree with the light in bands, or there are none."""

ROUNDS = 2
"""The bands and the surface are fitted so often at most, the one after the other."""

STRIPS = 48
"""Strips of the picture, from top to bottom, in each of which a flickering lamp is one light.

A lamp on 50 or 60 Hz mains makes three bands of a picture: each then has sixteen steps.
"""

MOST = 0.5
"""By what part a lamp's flicker may change the light; cells that differ by more are covered."""

ALIKE = 0.05
"""By what part a lamp's flicker may change the channels otherwise."""

FEWEST = 4
"""Cells a strip needs for its median to count; the light of others is interpolated."""

DEGREES = tuple((i, j) for i in range(4) for j in range(4 - i))
"""The powers of x and y in each term of a smooth surface of third degree."""

PLANE = tuple(DEGREES.index(each) for each in ((0, 0), (1, 0), (0, 1)))
"""Those of them that make a plane."""


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
        places, bare = strips(), matrix[:, -1] > 0  # on the paper hardly a card lies
        light = _bands(values - matrix @ fit, places, bare)
        if float(np.ptp(light)) > LIGHTER * ONE:  # less is no more than the mat may differ
            least = BANDED * _agreeing(off)
            for _ in range(ROUNDS):
                # Each time more is seen of what the bands hid of the surface, and it of them.
                evened = values - _at(light, places)[:, None]
                other, other_off = _fit_steady(evened, matrix)
                if _agreeing(other_off) <= least:
                    break
                least, fit, bands = _agreeing(other_off), other, light
                light = light + _bands(evened - matrix @ other, places, other_off < LIGHTER * ONE)
    surface = np.zeros((3, 4, 4), np.float32)
    for term, (i, j) in enumerate(DEGREES):
        surface[:, j, i] = fit[term]
    return Light(surface, fit[-1].astype(np.float32), bands)


def _fit_steady(
    values: NDArray[np.floating], matrix: NDArray[np.float64]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return each term's coefficient, (terms, 3), and by how much each cell differs, (cells,).

    What lies on the mat is outlying: it is weighed less each round. But what covers much of it, or
    all of a corner, may be taken for it by who begins with all cells; so a second fit begins with
    the bare paper round the print. That with which more cells agree is right.
    """
    weights: NDArray[np.floating] = np.ones(len(values))
    for _ in range(8):
        fit, off = _solve(values, matrix, weights)
        weights = _weights(off, 3 * max(float(np.median(off)), 0.01 * ONE))
    other, other_off = _fit_to_paper(values, matrix)
    if _agreeing(other_off) > _agreeing(off):
        return other, other_off
    return fit, off


def _agreeing(off: NDArray[np.floating]) -> int:
    """Return how many cells differ from the mat in its light no more than print does."""
    return int((off < AGREES * ONE).sum())


def _bands(
    off: NDArray[np.floating], places: NDArray[np.float64], bare: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return by how much each strip is lighter than the rest, whatever the channel; (STRIPS,).

    A row of cards looks like a band too: where cells are known to be *bare* they alone count.
    """
    grey = off.mean(axis=1)
    own = np.clip(places.astype(int), 0, STRIPS - 1)
    # Light changes all channels alike; cards are of another colour than the mat.
    seen = (np.abs(grey) < MOST * ONE) & (np.ptp(off, axis=1) < ALIKE * ONE)
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

    A plane at first: the paper says nothing of how the light is bent in the middle.

    Returns:
        each term's coefficient, (terms, 3), and by how much each cell differs, (cells,).
    """
    paper = matrix[:, -1] > 0
    plane, weights = matrix[:, PLANE], paper.astype(np.float64)
    for _ in range(3):
        fit, off = _solve(values, plane, weights)
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

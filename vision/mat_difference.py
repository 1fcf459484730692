"""Tell what lies on a mat from the mat itself: whatever differs from its print lies on it.

The print is known, and where it lies. Print and light are taken out of the picture; what is left
belongs to something else. All is done on logarithms, where light only adds, kept as whole numbers
of 16 bits: the whole mat is half a million of them in each colour, and only a part of it may be
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat import MatPose, draw_mat
from vision.mat_layout import MatLayout

CELL_MM = 12
"""Side of the squares whose means tell the light."""

SAMPLE_MM = 3
"""Between the points of the mat that the light is told from: sixteen a square are enough."""

ENOUGH = 1000
"""Cells that the light is told from, spread evenly: there are eleven numbers to tell."""

COARSE_MM = 8
"""Side of the squares in whose middles the light is computed."""

GRID_MM = 16
"""Between the points at which the view is computed; between them it is interpolated."""

LIGHTER = 0.06
"""By what part a channel must be lighter than the mat to be no mat."""

COLOURED = 0.08
"""By what part channels must differ to be of another colour."""

DARKER = 0.3
"""By what part all must be darker: a shadow is not."""

PATTERN = 0.05
"""By what part a spot must differ from what is round it."""

BESIDE_MM = 10
"""How far a card's edge may pass for a pattern: the blur's reach, and what is closed round it."""

BARE = 0.45
"""Part of the plain cells that must agree with the light, or it is told from the paper as well.

Where half of a mat is bare 0.5 and more agree, in bad light too; where the cards on it, which are
all of one colour, were taken for the mat, 0.3 and less.
"""

AGREES = 0.03
"""By what part a plain cell may differ from the mat in its light: print is evener than cards."""

FROM_PAPER = (0.15, 0.12, 0.09, 0.06, 0.06, 0.06)
"""By what part a cell may differ from the light told from the paper to count, round by round."""

ONE = 1024
"""What stands for a logarithm of 1: a step is a thousandth of the brightness."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of the mat, in millimetres; right and bottom excluded."""

_SHARES = np.arange(256) / 255

_LOG = np.rint(np.log(np.arange(256) + 8) * ONE).astype(np.int16)


def whole(layout: MatLayout) -> Box:
    """Return the box of a whole mat."""
    wide, high = (round(side) for side in layout.size_mm)
    return (0, 0, wide, high)


def difference(image: NDArray[np.uint8], pose: MatPose, box: Box) -> NDArray[np.uint8]:
    """Mark what differs from the mat's print.

    Args:
        image: uint8, shape (height, width, 3), BGR.
        pose: where the mat lies.
        box: the part of the mat to look at, within :func:`whole`.

    Returns:
        uint8 0 or 1, shape (bottom - top, right - left): a pixel a millimetre. What is enclosed
        is filled; what is smaller than about 9 mm, and the markers, are left out.
    """
    left, top, right, bottom = box
    part = np.s_[top:bottom, left:right]
    known = _print_of(pose.layout)
    blue, green, red = _channels(image, pose, box, known)
    total = cv2.add(cv2.add(blue, green), red)
    highest = cv2.max(cv2.max(blue, green), red)
    lowest = cv2.min(cv2.min(blue, green), red)
    lines = known.lines[part]
    # The mat is plain between its lines: a pattern is none of its own, however pale. It shows
    # beyond the card's edge as far as it is looked for, and is drawn in by that.
    spots = cv2.absdiff(total, cv2.blur(total, (7, 7))) > 3 * PATTERN * ONE
    pattern = cv2.morphologyEx(
        spots.view(np.uint8) & ~lines & 1, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)
    )
    patterned = np.asarray(cv2.erode(pattern, np.ones((7, 7), np.uint8)), np.uint8)
    # A shadow darkens all channels alike; a card is lighter or of another colour somewhere.
    other = highest > LIGHTER * ONE
    other |= cv2.subtract(highest, lowest) > COLOURED * ONE
    other |= total < -3 * DARKER * ONE
    # On the lines themselves a hair's breadth decides: what lies beside them does.
    differs = np.asarray(other, np.uint8)
    differs |= patterned & ~_gaps(differs)
    beside = differs & ~lines
    closed = np.asarray(
        cv2.morphologyEx(beside, cv2.MORPH_CLOSE, np.ones((11, 11), np.uint8)), np.uint8
    )
    joined = cv2.morphologyEx(beside | (closed & lines), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    mask = np.asarray(
        cv2.morphologyEx(_filled(joined), cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8
    )
    for corners in pose.layout.markers.values():
        at = np.asarray(corners, np.float64)
        wider = at.mean(axis=0) + (at - at.mean(axis=0)) * 1.2
        cv2.fillConvexPoly(mask, np.rint(wider).astype(np.int32) - np.array([left, top]), 0)
    return mask


def _gaps(other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mark the bare mat beside cards: their edges are no pattern of what lies between them.

    *other* is 1 where a pixel, by itself, is no mat; uint8 0 or 1, as is what is returned.
    """
    plain = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    beside = cv2.dilate(plain, np.ones((2 * BESIDE_MM + 1, 2 * BESIDE_MM + 1), np.uint8))
    bare = cv2.morphologyEx(1 - other, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.bitwise_and(bare, beside), np.uint8)


def _channels(
    image: NDArray[np.uint8], pose: MatPose, box: Box, known: _Print
) -> list[NDArray[np.int16]]:
    """Return by how much each channel is lighter than print and light make it, int16."""
    left, top, right, bottom = box
    part = np.s_[top:bottom, left:right]
    fit = _light(_from_above(image, pose, whole(pose.layout), SAMPLE_MM), known)
    flat = _from_above(image, pose, box, 1)
    # The light is smooth: it is computed in coarse cells' middles, and made fine by enlarging.
    wide, high = right - left, bottom - top
    (rows, columns), (tall, broad) = known.cells.shape[:2], known.ink[0].shape
    x = _powers(_coarse(left, wide), broad, columns)
    y = _powers(_coarse(top, high), tall, rows).T
    size = (x.shape[1] * COARSE_MM, y.shape[0] * COARSE_MM)
    inner = np.s_[COARSE_MM : COARSE_MM + high, COARSE_MM : COARSE_MM + wide]
    out = []
    for channel, plane in enumerate(cv2.split(flat)):
        coarse = np.rint(y @ (fit.surface[channel] @ x)).astype(np.int16)
        light = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)[inner]
        paper = np.rint(_SHARES * fit.paper[channel]).astype(np.int16)
        seen = cv2.subtract(cv2.LUT(plane, _LOG), known.ink[channel][part])
        seen = cv2.subtract(seen, cv2.LUT(known.on_paper[part], paper))
        out.append(np.asarray(cv2.subtract(seen, light), np.int16))
    return out


def _coarse(first: int, length: int) -> NDArray[np.floating]:
    """Return the middles, in millimetres, of coarse cells from one before *first* on."""
    cells = -(-length // COARSE_MM) + 2
    return first + (np.arange(cells) - 0.5) * COARSE_MM


def _filled(mask: cv2.typing.MatLike) -> NDArray[np.uint8]:
    """Fill what is enclosed: the inside of a card may be as plain as the mat."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(cv2.drawContours(np.zeros_like(mask), outlines, -1, 1, -1), np.uint8)


def _from_above(image: NDArray[np.uint8], pose: MatPose, box: Box, step: int) -> NDArray[np.uint8]:
    """Show a part of the mat from straight above: uint8 (rows, columns, 3), a pixel each *step*."""
    left, top, right, bottom = box
    wide, high = -(-(right - left) // step), -(-(bottom - top) // step)
    # The view is computed in the middles of a coarse grid's cells, one cell beyond each side, and
    # made fine as a picture is enlarged: ten times as fast as computing it for every pixel.
    grid = GRID_MM if step == 1 else GRID_MM // 2
    columns, rows = -(-wide // grid) + 2, -(-high // grid) + 2
    across = left + ((np.arange(columns) - 0.5) * grid - 0.5) * step + 0.5
    down = top + ((np.arange(rows) - 0.5) * grid - 0.5) * step + 0.5
    x, y = np.meshgrid(across, down)
    coarse = pose.to_px(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(rows, columns, 2)
    fine = cv2.resize(coarse, (columns * grid, rows * grid), interpolation=cv2.INTER_LINEAR)
    at = np.asarray(fine[grid : grid + high, grid : grid + wide], np.float32)
    # Both coordinates in one map: OpenCV's types do not know that there is then no second.
    seen = cv2.remap(image, at, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    return np.asarray(seen, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """A mat's print, a pixel a millimetre.

    Attributes:
        ink: its logarithm, int16 (height, width) for each channel.
        lines: 255 where it changes, and near that; uint8 (height, width).
        on_paper: how far each pixel is bare paper, uint8 (height, width), 0-255.
        cells: the logarithm of the print in each cell; float64 (rows, columns, 3).
        told: rows and columns of the plain cells that the light is told from.
        matrix: the terms of the light in each of them, and whether it is paper; (cells, 11).
    """

    ink: tuple[NDArray[np.int16], ...]
    lines: NDArray[np.uint8]
    on_paper: NDArray[np.uint8]
    cells: NDArray[np.float64]
    told: tuple[NDArray[np.intp], NDArray[np.intp]]
    matrix: NDArray[np.float64]


@lru_cache(maxsize=4)
def _print_of(layout: MatLayout) -> _Print:
    drawn = np.asarray(draw_mat(layout, 1.0), np.uint8)
    height, width = drawn.shape[:2]
    size = (width // CELL_MM, height // CELL_MM)
    cells = _cells(drawn.astype(np.float32), size)
    spread = _cells(drawn.astype(np.float32) ** 2, size) - cells**2
    near = np.ones((5, 5), np.uint8)
    change = cv2.dilate(drawn, near).astype(np.int16) - cv2.erode(drawn, near)
    edge = np.ones(drawn.shape[:2], bool)
    edge[4:-4, 4:-4] = False
    paper, plain = cells.min(axis=2) > 250, spread.max(axis=2) < 20.0
    y, x = np.nonzero(plain)
    step = max(len(y) // ENOUGH, 1)
    y, x = y[::step], x[::step]
    across, down = (_powers(each + 0.5, n, n) for each, n in ((x, size[0]), (y, size[1])))
    logarithm = _LOG[drawn]
    return _Print(
        tuple(np.ascontiguousarray(logarithm[..., channel]) for channel in range(3)),
        np.where((change.max(axis=2) > 10) | edge, 255, 0).astype(np.uint8),
        np.asarray(
            cv2.resize(
                paper.astype(np.uint8) * 255, (width, height), interpolation=cv2.INTER_LINEAR
            ),
            np.uint8,
        ),
        _cells(logarithm[::SAMPLE_MM, ::SAMPLE_MM].astype(np.float32), size).astype(np.float64),
        (y, x),
        np.column_stack([*(across[i] * down[j] for i, j in _DEGREES), paper[y, x]]),
    )


_DEGREES = tuple((i, j) for i in range(4) for j in range(4 - i))
"""The powers of x and y in each term of a smooth surface of third degree."""


def _powers(places: NDArray[np.floating], length: int, cells: int) -> NDArray[np.float32]:
    """Powers of places along a mat so long, of so many cells, from -1 to 1: float32 (4, n)."""
    at = (places * cells / length - 0.5).clip(0, cells - 1)
    return np.asarray((at / (cells - 1) * 2 - 1)[None] ** np.arange(4)[:, None], np.float32)


def _cells(picture: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Light:
    """The light on a mat, in logarithms.

    Attributes:
        surface: for each channel, the worth of y**row * x**column; float32 (3, 4, 4).
        paper: by how much bare paper is lighter than the print says, for each channel; (3,).
    """

    surface: NDArray[np.float32]
    paper: NDArray[np.float32]


def _light(sparse: NDArray[np.uint8], known: _Print) -> _Light:
    """Fit the light on the mat to what is plain: a smooth surface, and how paper and ink differ.

    *sparse* is the mat from above, uint8 (rows, columns, 3), a pixel each :data:`SAMPLE_MM`.
    """
    seen = cv2.LUT(sparse, _LOG).astype(np.float32)
    rows, columns = known.cells.shape[:2]
    values = (_cells(seen, (columns, rows)) - known.cells)[known.told]
    weights: NDArray[np.floating] = np.ones(len(values))
    for _ in range(8):  # what lies on the mat is outlying: it is weighed less each round
        fit, off = _solved(values, known.matrix, weights)
        weights = _weights(off, 3 * max(float(np.median(off)), 0.01 * ONE))
    if (off < LIGHTER * ONE).mean() < BARE:
        # More than half of it is covered, and what covers it may have been taken for it.
        other, other_off = _told_from_paper(values, known.matrix)
        if (other_off < AGREES * ONE).sum() > (off < AGREES * ONE).sum():
            fit = other
    surface = np.zeros((3, 4, 4), np.float32)
    for term, (i, j) in enumerate(_DEGREES):
        surface[:, j, i] = fit[term]
    return _Light(surface, fit[-1].astype(np.float32))


def _told_from_paper(
    values: NDArray[np.floating], matrix: NDArray[np.float64]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Fit the light to the bare paper round the print, where no cards lie, and then to the rest.

    Returns:
        the worth of each term, (terms, 3), and by how much each cell differs, (cells,).
    """
    paper = matrix[:, -1] > 0
    smooth, weights = matrix[:, :-1], paper.astype(np.float64)
    for _ in range(4):
        fit, off = _solved(values, smooth, weights)
        weights = paper * _weights(off, 3 * max(float(np.median(off[paper])), 0.01 * ONE))
    for reach in FROM_PAPER:
        fit, off = _solved(values, matrix, _weights(off, reach * ONE))
    return fit, off


def _solved(
    values: NDArray[np.floating], matrix: NDArray[np.float64], weights: NDArray[np.floating]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return the terms' worths, (terms, 3), and by how much each value then differs, (values,)."""
    weighed = matrix * weights[:, None]
    steady = 1e-6 * np.eye(matrix.shape[1])
    fit = np.linalg.solve(weighed.T @ matrix + steady, weighed.T @ values)
    return fit, np.abs(values - matrix @ fit).max(axis=1)


def _weights(off: NDArray[np.floating], reach: float) -> NDArray[np.floating]:
    """Weigh less what differs more, and not at all what differs by *reach*."""
    return np.asarray(np.clip(1 - (off / reach) ** 2, 0, None) ** 2, np.float64)

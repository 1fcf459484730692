"""Segment what lies on a mat: whatever differs from the mat's print.

The print is known, and where it lies. Print and light are taken out of the picture; what is left
belongs to something else. All is done on logarithms, where light only adds, as 16-bit integers: the
whole mat is half a million of them in each colour, and only a part of it may be asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Box, Image, Points, bounds, holds, within
from vision.mat.artwork import labels_mm
from vision.mat.layout import MatLayout
from vision.mat.lighting import DEGREES, LIGHTER, ONE, STRIPS, Light, fit_light, light_of_rows
from vision.mat.pose import MatPose, draw_mat

CELL_MM = 12
"""Side of the squares on whose means the light is fitted."""

SAMPLE_MM = 3
"""Between the points of the mat that the light is fitted to: sixteen a square are enough."""

ENOUGH = 1000
"""Cells that the light is fitted to, spread evenly, for eleven numbers."""

COARSE_MM = 8
"""Side of the squares in whose middles the light is computed."""

GRID_MM = 16
"""Between the points at which the view is computed; between them it is interpolated."""

COLOURED = 0.08
"""By what part channels must differ to be of another colour."""

DARKER = 0.3
"""By what part all must be darker: a shadow is not."""

PATTERN = 0.05
"""By what part a spot must differ from what is round it."""

BESIDE_MM = 10
"""How far a card's edge may pass for a pattern: the reach of blur and closing."""

QUIET = 0.014
"""Noise, as a part of the brightness, that the thresholds above stand.

A drawn camera has 0.007 in good light; one turned up for half of the light has 0.03.
"""

SMOOTH_MM = 7
"""Side of the largest squares over which noise is evened out: cards lie hardly nearer."""

EVEN = 0.02
"""By how much, as a part of the brightness, bare mat may differ from its print and smooth light.

Drawn mats differ by 0.014 and less in bad light, cards by 0.053 and more; of 3,833 in glare, some
of which a quarter was left to be seen, the palest back by 0.028.
"""

EDGE = 1.15
"""How much larger than a detection the place is that is checked: its edge is in it."""

LOCAL_MM = 15
"""Side of the squares over which light is taken for even, at the edge of glare or shadow."""

SEEN = 0.25
"""Part of a place that must be plain print, not drowned in light, for it to be called bare."""

LABEL_MM = 10.0
"""How far from the middle of a printed word its letters reach."""

DROWNED = 250
"""Brightness (0-255) of the lightest channel from which nothing is known of what is there."""

GLARE_MM2 = 400
"""Less than this drowned in light is the white of cards, or the print's."""

TINTED, DARKEST = 0.1, 0.9
"""By what part channels may differ in shade, and all be darker: six tenths of the light gone."""

SHADE = 0.6
"""Part of an outline that is shade where nothing lies.

On drawn tables in good and bad light 0.76 and more of what was read on shadows was, and 0.29 and
less of any bone, whatever its dye.
"""

_SHARES = np.arange(256) / 255

_LOG = np.rint(np.log(np.arange(256) + 8) * ONE).astype(np.int16)


def whole_mat(layout: MatLayout) -> Box:
    """Return the box of a whole mat in millimetres."""
    wide, high = (round(side) for side in layout.size_mm)
    return (0, 0, wide, high)


def segment_foreground(image: Image, pose: MatPose, box: Box) -> NDArray[np.uint8]:
    """Mark what differs from the mat's print in a part of the mat, within :func:`whole_mat`.

    Returns:
        uint8 0 or 1, shape (bottom - top, right - left): a pixel a millimetre. What is enclosed
        is filled; what is smaller than about 9 mm, and the markers, are left out.
    """
    left, top, right, bottom = box
    known = _print_of(pose.layout)
    channels = _channels(image, pose, box, known, _light(image, pose, known))
    highest, lowest = _extremes(channels)
    total = cv2.add(cv2.add(channels[0], channels[1]), channels[2])
    lines = known.lines[top:bottom, left:right]
    # The mat is plain between its lines: a pattern is none of its own, however pale. It shows
    # beyond the card's edge as far as it is looked for, and is drawn in by that.
    spots = cv2.absdiff(total, cv2.blur(total, (7, 7))) > 3 * PATTERN * ONE
    pattern = _morphed(spots.view(np.uint8) & ~lines & 1, cv2.MORPH_CLOSE, 9)
    patterned = _morphed(pattern, cv2.MORPH_ERODE, 7)
    # A shadow darkens all channels alike; a card is lighter or of another colour somewhere.
    other = highest > LIGHTER * ONE
    other |= cv2.subtract(highest, lowest) > COLOURED * ONE
    other |= total < -3 * DARKER * ONE
    # On the lines themselves the smallest shift counts: what lies beside them decides.
    differs = np.asarray(other, np.uint8)
    differs |= patterned & ~_gaps(differs)
    beside = differs & ~lines
    closed = _morphed(beside, cv2.MORPH_CLOSE, 11)
    joined = _morphed(beside | (closed & lines), cv2.MORPH_CLOSE, 3)
    # What is enclosed is filled: the inside of a card may be as plain as the mat.
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = cv2.drawContours(np.zeros_like(joined), outlines, -1, 1, -1)
    mask = _morphed(filled, cv2.MORPH_OPEN, 9)
    for corners in pose.layout.markers.values():
        at = np.asarray(corners, np.float64)
        wider = at.mean(axis=0) + (at - at.mean(axis=0)) * 1.2
        cv2.fillConvexPoly(mask, np.rint(wider).astype(np.int32) - np.array([left, top]), 0)
    return mask


def segment_beside_glare(image: Image, pose: MatPose, box: Box) -> NDArray[np.uint8] | None:
    """Mark what differs from the print and is not lighter, beside a part that is drowned in light.

    Glare joins with the cards beside it to one thing, though it hides only what lies in it.

    Returns:
        uint8 0 or 1, shape (bottom - top, right - left): a pixel a millimetre; ``None`` where
        hardly anything is drowned.
    """
    known = _print_of(pose.layout)
    flat = _seen(image, _view(pose, box, 1))
    drowned = _morphed((brightest(flat) >= DROWNED).view(np.uint8), cv2.MORPH_OPEN, 9)
    if int(drowned.sum()) < GLARE_MM2:
        return None
    _, lowest = _extremes(_channels(image, pose, box, known, _light(image, pose, known)))
    glare = (lowest > LIGHTER * ONE) | (_morphed(drowned, cv2.MORPH_DILATE, 3) > 0)
    left = segment_foreground(image, pose, box) & ~glare.view(np.uint8) & 1
    return _morphed(_morphed(left, cv2.MORPH_CLOSE, 9), cv2.MORPH_OPEN, 15)


def brightest(picture: NDArray[Any]) -> NDArray[Any]:
    """Return the highest of the three channels of a picture: (rows, columns), of the same type.

    NumPy takes a hundred times as long along so short an axis.
    """
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def is_unoccupied(image: Image, pose: MatPose, quad_mm: Points) -> bool:
    """Return whether nothing but print is seen at a place, float32 (4, 2), whatever the light.

    The print's frames and words look like a card to the detector where glare hides the rest. A card
    shows what is printed on it, or its edge, where that lies on no line of the mat.
    """
    middle = quad_mm.mean(axis=0)
    if any(holds(pose.layout.markers[number], middle) for number in pose.bare):
        return True  # the marker was read: no card lies on the middle of it
    rim = middle + (quad_mm - middle) * EDGE
    box = within(bounds(rim), whole_mat(pose.layout))
    left, top, right, bottom = box
    if min(right - left, bottom - top) < LOCAL_MM:
        return False
    part = np.s_[top:bottom, left:right]
    known = _print_of(pose.layout)
    flat = _seen(image, _view(pose, box, 1))
    inside = np.zeros(flat.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(rim - (left, top)).astype(np.int32), 1)
    plain = (inside > 0) & (known.lines[part] == 0) & (brightest(flat) < DROWNED)
    if plain.sum() < SEEN * cv2.contourArea(rim):
        return False
    off = np.zeros(flat.shape[:2], np.float32)
    for channel, plane in enumerate(cv2.split(flat)):
        off += cv2.subtract(cv2.LUT(plane, _LOG), known.ink[channel][part])
    even = cv2.blur(off, (3, 3)) / (3 * ONE)
    counts, size = plain.astype(np.float32), (LOCAL_MM, LOCAL_MM)
    local = cv2.blur(even * counts, size) / np.maximum(cv2.blur(counts, size), 1e-3)
    return float(np.square(even - local)[plain].mean()) < EVEN**2


def is_bare_label(image: Image, pose: MatPose, at_mm: NDArray[np.float32]) -> bool:
    """Return whether a word of the print is seen at a place, float32 (2,): it is no index."""
    words = labels_mm(pose.layout)
    near = words[np.abs(words - at_mm).max(axis=1) < LABEL_MM]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * LABEL_MM
    return any(is_unoccupied(image, pose, (word + square).astype(np.float32)) for word in near)


def are_shadows(
    image: Image, pose: MatPose, outlines_mm: Sequence[NDArray[np.float32]]
) -> list[bool]:
    """Return of each outline whether there is only shade in it: the mat, darker but in its colour.

    The shadow of a bone has the form of one, and a lamp makes it as dark as wood. What is black is
    darker than shade, and what has any colour changes that of the mat. *outlines_mm* are float32
    (n, 2) each.
    """
    if not outlines_mm:
        return []
    known = _print_of(pose.layout)
    light = _light(image, pose, known)
    out = []
    for outline in outlines_mm:
        box = within(bounds(outline), whole_mat(pose.layout))
        left, top, right, bottom = box
        if min(right - left, bottom - top) < CELL_MM:
            out.append(False)  # beside the mat nothing is known of the ground
            continue
        highest, lowest = _extremes(_channels(image, pose, box, known, light))
        inside = np.zeros(highest.shape, np.uint8)
        cv2.fillPoly(inside, [np.rint(outline - (left, top)).astype(np.int32)], 1)
        plain = (inside > 0) & (known.lines[top:bottom, left:right] == 0)
        shade = (cv2.subtract(highest, lowest) < TINTED * ONE) & (highest < LIGHTER * ONE)
        shade &= lowest > -DARKEST * ONE
        out.append(bool(plain.any()) and float(shade[plain].mean()) > SHADE)
    return out


def _gaps(other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mark the bare mat beside cards: their edges are no pattern of what lies between them.

    *other* is 1 where a pixel, by itself, is no mat; uint8 0 or 1, as is what is returned.
    """
    plain = _morphed(other, cv2.MORPH_OPEN, 9)
    return _morphed(1 - other, cv2.MORPH_OPEN, 5) & _morphed(
        plain, cv2.MORPH_DILATE, 2 * BESIDE_MM + 1
    )


def _morphed(mask: cv2.typing.MatLike, way: int, side: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.morphologyEx(mask, way, np.ones((side, side), np.uint8)), np.uint8)


def _extremes(channels: list[NDArray[np.int16]]) -> tuple[cv2.typing.MatLike, cv2.typing.MatLike]:
    """Return the highest and the lowest of three channels."""
    blue, green, red = channels
    return cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)


def _channels(
    image: Image, pose: MatPose, box: Box, known: _Print, light: tuple[Light, int]
) -> list[NDArray[np.int16]]:
    """Return by how much each channel is lighter than print and light make it: int16."""
    left, top, right, bottom = box
    part = np.s_[top:bottom, left:right]
    fit, smooth = light
    at = _view(pose, box, 1)
    flat = _seen(image, at)
    bands = None
    if fit.bands is not None:
        row = np.clip(at[..., 1], 0, image.shape[0] - 1).astype(np.int32)
        bands = light_of_rows(fit.bands, image.shape[0])[row]
    # The light is smooth: it is computed in coarse cells' middles, and made fine by enlarging.
    wide, high = right - left, bottom - top
    (rows, columns), (tall, broad) = known.cells.shape[:2], known.ink[0].shape
    middles_x, middles_y = (
        first + (np.arange(-(-length // COARSE_MM) + 2) - 0.5) * COARSE_MM
        for first, length in ((left, wide), (top, high))
    )
    x, y = _powers(middles_x, broad, columns), _powers(middles_y, tall, rows).T
    size = (x.shape[1] * COARSE_MM, y.shape[0] * COARSE_MM)
    inner = np.s_[COARSE_MM : COARSE_MM + high, COARSE_MM : COARSE_MM + wide]
    out = []
    for channel, plane in enumerate(cv2.split(flat)):
        coarse = np.rint(y @ (fit.surface[channel] @ x)).astype(np.int16)
        lamp = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)[inner]
        paper = np.rint(_SHARES * fit.paper[channel]).astype(np.int16)
        seen = cv2.subtract(cv2.LUT(plane, _LOG), known.ink[channel][part])
        seen = cv2.subtract(seen, cv2.LUT(known.on_paper[part], paper))
        seen = cv2.subtract(seen, lamp)
        if bands is not None:
            seen = cv2.subtract(seen, bands)
        if smooth > 1:
            # Noise is averaged over squares, without the lines, where the smallest shift counts.
            plain = (known.lines[part] == 0).astype(np.float32)
            sums = cv2.blur(seen.astype(np.float32) * plain, (smooth, smooth))
            seen = sums / np.maximum(cv2.blur(plain, (smooth, smooth)), 1e-3)
        out.append(np.asarray(seen, np.int16))
    return out


def _light(image: Image, pose: MatPose, known: _Print) -> tuple[Light, int]:
    """Return the light on a mat, and the side of the squares to average its noise over."""
    at = _view(pose, whole_mat(pose.layout), SAMPLE_MM)
    seen = cv2.LUT(_seen(image, at), _LOG).astype(np.float32)
    rows, columns = known.cells.shape[:2]
    means = _cells(seen, (columns, rows))
    values = (means - known.cells)[known.plain]

    def strips() -> NDArray[np.float64]:
        places = cv2.resize(at[..., 1], (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(places[known.plain] / image.shape[0] * STRIPS, np.float64)

    spread = (_cells(seen * seen, (columns, rows)) - means * means)[known.plain]
    # The evenest quarter: where cards lie it is their print that spreads.
    noise = float(np.sqrt(max(np.quantile(spread.mean(axis=1), 0.25), 0.0))) / ONE
    half = math.ceil(noise / QUIET / 2 - 0.5)
    return fit_light(values, known.matrix, strips), min(2 * max(half, 0) + 1, SMOOTH_MM)


def _view(pose: MatPose, box: Box, step: int) -> NDArray[np.float32]:
    """Return where in the picture a part of the mat is seen: float32 (rows, columns, 2).

    A point each *step* millimetres, in the middle of its square.
    """
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
    return np.asarray(fine[grid : grid + high, grid : grid + wide], np.float32)


def _seen(image: Image, at: NDArray[np.float32]) -> Image:
    """Sample the picture at these places: (rows, columns, 3)."""
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
        plain: rows and columns of the plain cells that the light is fitted to.
        matrix: the terms of the light in each of them, and whether it is paper; (cells, 11).
    """

    ink: tuple[NDArray[np.int16], ...]
    lines: NDArray[np.uint8]
    on_paper: NDArray[np.uint8]
    cells: NDArray[np.float64]
    plain: tuple[NDArray[np.intp], NDArray[np.intp]]
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
    # At the edge the table shows: where the paper ends is known to a millimetre or two.
    plain[[0, -1]] = plain[:, [0, -1]] = False
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
        np.column_stack([*(across[i] * down[j] for i, j in DEGREES), paper[y, x]]),
    )


def _powers(places: NDArray[np.floating], length: int, cells: int) -> NDArray[np.float32]:
    """Return the powers of places along a mat, scaled to -1 to 1: float32 (4, n)."""
    at = (places * cells / length - 0.5).clip(0, cells - 1)
    return np.asarray((at / (cells - 1) * 2 - 1)[None] ** np.arange(4)[:, None], np.float32)


def _cells(picture: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)

"""Find cards on a mat by what the mat is not: whatever differs from its print lies on it.

The print is known, and where it lies. What is left when the print and the light are taken out of
the picture, and is as large as a card, is one: of whatever deck, without any network.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_geometry import Points
from vision.mat import MatPose, draw_mat
from vision.mat_layout import MatLayout

CELL_MM = 12
"""Side of the squares whose means tell the light."""

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

SHORT_MM, LONG_MM = (51.0, 69.0), (80.0, 97.0)
"""Sides of a card, with what blur and shadow take and add."""

FILLED = 0.9
"""Part of its rectangle that a card fills."""

LEAST_MM2 = 250.0
"""Smaller things are not looked at: crumbs, and the edges of the print."""


_LOG = np.log(np.arange(256, dtype=np.float32) + 8)


@dataclass(frozen=True, slots=True, eq=False)
class OnMat:
    """What lies on a mat.

    Attributes:
        cards: float32 (4, 2) each, pixels of the picture, clockwise: things as large as a card.
        rest: left, top, right, bottom in pixels round each other thing: cards that overlap, hands.
    """

    cards: tuple[Points, ...]
    rest: tuple[tuple[int, int, int, int], ...]


def find_on_mat(image: NDArray[np.uint8], pose: MatPose) -> OnMat:
    """Find what lies on the mat.

    Args:
        image: uint8, shape (height, width, 3), BGR.
        pose: where the mat lies.
    """
    cards: list[Points] = []
    rest: list[tuple[int, int, int, int]] = []
    height, width = image.shape[:2]
    for contour in _things(image, pose):
        quads = _cards_of(contour)
        if quads:
            cards += [_upright(pose.to_px(quad + 0.5)) for quad in quads]
            continue
        at = pose.to_px(contour.reshape(-1, 2))
        left, top = np.maximum(np.floor(at.min(axis=0)), 0).astype(int).tolist()
        right = min(int(np.ceil(at[:, 0].max())) + 1, width)
        bottom = min(int(np.ceil(at[:, 1].max())) + 1, height)
        if right - left > 4 and bottom - top > 4:
            rest.append((left, top, right, bottom))
    return OnMat(tuple(cards), tuple(rest))


def _cards_of(contour: NDArray[np.int32]) -> list[Points]:
    """Return the cards that a thing is: one, or some that hardly touch; none if it is no card."""
    whole = _card(contour, 0)
    if whole is not None:
        return [whole]
    if cv2.contourArea(contour) < 1.6 * SHORT_MM[0] * LONG_MM[0]:
        return []
    left, top, wide, high = cv2.boundingRect(contour)
    room = 2
    mask = np.zeros((high + 2 * room, wide + 2 * room), np.uint8)
    origin = np.array([left - room, top - room])
    cv2.drawContours(mask, [contour - origin], -1, 1, -1)
    for shrunk in (5, 9, 15):
        apart = cv2.erode(mask, np.ones((shrunk, shrunk), np.uint8))
        outlines, _ = cv2.findContours(apart, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        large = [o for o in outlines if cv2.contourArea(o) > LEAST_MM2]
        quads = [_card(np.asarray(o, np.int32), shrunk - 1) for o in large]
        found = [quad + origin.astype(np.float32) for quad in quads if quad is not None]
        if len(found) > 1 and len(found) == len(large):
            return found
    return []


def _card(contour: NDArray[np.int32], shrunk: int) -> Points | None:
    """Return the rectangle of a contour that is as large as a card when grown by *shrunk*."""
    middle, (one, other), degrees = cv2.minAreaRect(contour)
    filled = cv2.contourArea(contour) / max(one * other, 1.0)
    one, other = one + shrunk, other + shrunk
    short, long = min(one, other), max(one, other)
    if not (SHORT_MM[0] < short < SHORT_MM[1] and LONG_MM[0] < long < LONG_MM[1]):
        return None
    if filled < FILLED:
        return None
    return np.asarray(cv2.boxPoints((middle, (one, other), degrees)), np.float32)


def _upright(quad: Points) -> Points:
    """Order a quad clockwise, from an end of a short side: float32 (4, 2)."""
    middle = quad.mean(axis=0)
    order = np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))
    quad = quad[order]
    if np.linalg.norm(quad[1] - quad[0]) > np.linalg.norm(quad[2] - quad[1]):
        quad = np.roll(quad, -1, axis=0)
    return np.asarray(quad, np.float32)


def _things(image: NDArray[np.uint8], pose: MatPose) -> list[NDArray[np.int32]]:
    """Return the outlines, in millimetres of the mat, of all that differs from it."""
    flat = _LOG[_from_above(image, pose)]
    known = _print_of(pose.layout)
    ratio = flat - known.ink
    ratio -= _light(ratio, known)
    blue, green, red = cv2.split(ratio)
    middle = np.asarray((blue + green + red) / 3, np.float32)
    highest = cv2.max(cv2.max(blue, green), red)
    lowest = cv2.min(cv2.min(blue, green), red)
    # The mat is plain between its lines: a pattern is none of its own, however pale. It shows
    # beyond the card's edge as far as it is looked for, and is drawn in by that.
    spots = (np.abs(middle - cv2.blur(middle, (7, 7))) > PATTERN) & ~known.lines
    pattern = cv2.morphologyEx(spots.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    pattern = cv2.erode(pattern, np.ones((7, 7), np.uint8))
    # A shadow darkens all channels alike; a card is lighter or of another colour somewhere.
    other = (highest > LIGHTER) | (highest - lowest > COLOURED) | (middle < -DARKER)
    other |= pattern > 0
    # On the lines themselves a hair's breadth decides: what lies beside them does.
    beside = (other & ~known.lines).astype(np.uint8)
    closed = cv2.morphologyEx(beside, cv2.MORPH_CLOSE, np.ones((11, 11), np.uint8))
    whole = np.where(known.lines, closed, beside).astype(np.uint8)
    whole = np.asarray(cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))
    opened = cv2.morphologyEx(_filled(whole), cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    mask = np.asarray(opened, np.uint8)
    for corners in pose.layout.markers.values():
        at = np.asarray(corners, np.float64)
        wider = at.mean(axis=0) + (at - at.mean(axis=0)) * 1.2
        cv2.fillConvexPoly(mask, np.rint(wider).astype(np.int32), 0)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [
        np.asarray(outline, np.int32)
        for outline in outlines
        if cv2.contourArea(outline) > LEAST_MM2
    ]


def _filled(mask: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Fill what is enclosed: the inside of a card may be as plain as the mat."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(np.zeros_like(mask), outlines, -1, 1, -1), np.uint8)


def _from_above(image: NDArray[np.uint8], pose: MatPose) -> NDArray[np.uint8]:
    """Show the mat from straight above, a pixel a millimetre: uint8 (height, width, 3)."""
    wide, high = (round(side) for side in pose.layout.size_mm)
    columns, rows = -(-wide // GRID_MM) + 1, -(-high // GRID_MM) + 1
    across, down = np.meshgrid(np.arange(columns) * GRID_MM, np.arange(rows) * GRID_MM)
    at = pose.to_px(np.stack([across.ravel(), down.ravel()], axis=1) + 0.5)
    coarse = at.reshape(rows, columns, 2)
    # An affine map of the coarse grid to pixels: cell corners, not cell middles, must meet.
    scale = np.array([[1 / GRID_MM, 0, 0], [0, 1 / GRID_MM, 0]], np.float32)
    fine = cv2.warpAffine(
        coarse, scale, (wide, high), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    x, y = cv2.split(fine)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """A mat's print, a pixel a millimetre.

    Attributes:
        ink: its logarithm, float32 (height, width, 3).
        lines: where it changes, and near that; bool (height, width).
        paper: which cells are bare paper, bool (rows, columns).
        plain: which cells are plain.
    """

    ink: NDArray[np.float32]
    lines: NDArray[np.bool_]
    paper: NDArray[np.bool_]
    plain: NDArray[np.bool_]


@lru_cache(maxsize=4)
def _print_of(layout: MatLayout) -> _Print:
    drawn = np.asarray(draw_mat(layout, 1.0), np.uint8)
    cells = _cells(drawn.astype(np.float32))
    spread = _cells(drawn.astype(np.float32) ** 2) - cells**2
    near = np.ones((5, 5), np.uint8)
    change = cv2.dilate(drawn, near).astype(np.int16) - cv2.erode(drawn, near)
    edge = np.ones(drawn.shape[:2], bool)
    edge[4:-4, 4:-4] = False
    return _Print(
        np.asarray(_LOG[drawn], np.float32),
        (change.max(axis=2) > 10) | edge,
        cells.min(axis=2) > 250,
        spread.max(axis=2) < 20.0,
    )


def _cells(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    size = (picture.shape[1] // CELL_MM, picture.shape[0] // CELL_MM)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _light(ratio: NDArray[np.float32], known: _Print) -> NDArray[np.float32]:
    """Fit the light on the mat to what is plain: a smooth surface, and how paper and ink differ."""
    seen = _cells(ratio)
    rows, columns = seen.shape[:2]
    terms = _terms(rows, columns)
    y, x = np.nonzero(known.plain)
    matrix = np.column_stack([terms[y, x], known.paper[y, x]])
    values = seen[y, x].astype(np.float64)
    weights = np.ones(len(y))
    fit = np.zeros((matrix.shape[1], 3))
    steady = 1e-6 * np.eye(matrix.shape[1])
    for _ in range(8):  # what lies on the mat is outlying: it is weighed less each round
        weighed = matrix * weights[:, None]
        fit = np.linalg.solve(weighed.T @ matrix + steady, weighed.T @ values)
        off = np.abs(values - matrix @ fit).max(axis=1)
        spread = max(1.5 * float(np.median(off)), 0.01)
        weights = np.clip(1 - (off / (3 * spread)) ** 2, 0, None) ** 2
    smooth = (terms @ fit[:-1]).astype(np.float32)
    size = (ratio.shape[1], ratio.shape[0])
    light = np.asarray(cv2.resize(smooth, size, interpolation=cv2.INTER_LINEAR), np.float32)
    on_paper = cv2.resize(known.paper.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(light + on_paper[..., None] * fit[-1].astype(np.float32), np.float32)


@lru_cache(maxsize=4)
def _terms(rows: int, columns: int) -> NDArray[np.float64]:
    """The terms of a smooth surface of third degree in each cell: float64 (rows, columns, 10)."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=2)

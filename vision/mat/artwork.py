"""What is printed on a mat, as shapes for the printer and for the simulated table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.mat.layout import CARD_MM, Array, MatLayout, rectangle
from vision.readings import Zone, ZoneKind

Colour = tuple[int, int, int]
"""Red, green, blue, 0-255."""

INK: Colour = (46, 74, 60)
FELT: Colour = (205, 219, 203)
"""Pale, to save ink; dark enough that a white card has an edge."""
PALE: Colour = (176, 196, 176)
BLACK: Colour = (0, 0, 0)
PAPER: Colour = (255, 255, 255)

_BITS = 4
_FIRST = Zone(ZoneKind.SEAT, 0)
_LABELS = {ZoneKind.DEALER: "dealer", ZoneKind.STOCK: "stock", ZoneKind.DISCARD: "discard"}


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A frame with rounded corners; *radius* and *line* in millimetres."""

    polygon: Array
    radius: float
    fill: Colour | None
    stroke: Colour | None
    line: float = 0.5

    def draw(self, image: Image, px_per_mm: float) -> None:
        """Draw it on a mat of that scale, in place."""
        outline = [_shifted(round_corners(self.polygon, self.radius), px_per_mm)]
        if self.fill is not None:
            cv2.fillPoly(image, outline, _bgr(self.fill), cv2.LINE_AA, 4)
        if self.stroke is not None:
            thick = max(1, round(self.line * px_per_mm))
            cv2.polylines(image, outline, True, _bgr(self.stroke), thick, cv2.LINE_AA, 4)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A filled upright rectangle."""

    polygon: Array
    fill: Colour

    def draw(self, image: Image, px_per_mm: float) -> None:
        """Draw it on a mat of that scale, in place, anti-aliased by area.

        Markers are measured to a tenth of a pixel; OpenCV's own polygons are too large by half of
        one.
        """
        parts = []
        for axis, count in ((1, image.shape[0]), (0, image.shape[1])):
            edges = np.arange(count + 1, dtype=np.float64)
            sides = self.polygon[:, axis] * px_per_mm
            parts.append(np.diff(np.clip(edges, sides.min(), sides.max())))
        rows, columns = (np.flatnonzero(part) for part in parts)
        if not rows.size or not columns.size:
            return
        window = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        part = np.outer(parts[0][window[0]], parts[1][window[1]])[..., None]
        image[window] = np.round(image[window] * (1 - part) + part * np.array(_bgr(self.fill)))


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """A filled polygon of any form, for ornament."""

    polygon: Array
    fill: Colour

    def draw(self, image: Image, px_per_mm: float) -> None:
        """Draw it on a mat of that scale, in place."""
        outline = [_shifted(self.polygon, px_per_mm)]
        cv2.fillPoly(image, outline, _bgr(self.fill), cv2.LINE_AA, 4)


@dataclass(frozen=True, slots=True)
class Text:
    """Words centred at *x*, *y*; *size* of the letters in millimetres."""

    text: str
    x: float
    y: float
    size: float
    degrees: float = 0.0
    colour: Colour = INK

    def draw(self, image: Image, px_per_mm: float) -> None:
        """Write it on a mat of that scale, in place: on a mask of its own, turned into place."""
        font, drawn = cv2.FONT_HERSHEY_DUPLEX, 1.0
        (wide, high), below = cv2.getTextSize(self.text, font, drawn, 1)
        mask = np.zeros((high + below + 8, wide + 8), np.uint8)
        cv2.putText(mask, self.text, (4, high + 4), font, drawn, 255, 1, cv2.LINE_AA)
        scale = self.size * px_per_mm / high
        turn = math.radians(self.degrees)
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        middle = (mask.shape[1] / 2, 4 + high / 2)
        # Only the part of the picture that the words can reach.
        reach = math.ceil(scale * math.hypot(*mask.shape) / 2) + 2
        x, y = self.x * px_per_mm, self.y * px_per_mm
        left, top = max(0, int(x) - reach), max(0, int(y) - reach)
        part = image[top : int(y) + reach, left : int(x) + reach]
        if not part.size:
            return
        matrix = np.array(
            [
                [cos, -sin, x - left - cos * middle[0] + sin * middle[1]],
                [sin, cos, y - top - sin * middle[0] - cos * middle[1]],
            ]
        )
        size = (part.shape[1], part.shape[0])
        cover = cv2.warpAffine(mask, matrix, size, flags=cv2.INTER_AREA)[..., None] / 255.0
        part[:] = np.round(part * (1 - cover) + np.array(_bgr(self.colour)) * cover)


Shape = Panel | Patch | Blob | Text


def shapes(layout: MatLayout) -> tuple[Shape, ...]:
    """Return everything on the mat, from the lowest up, in millimetres."""
    found: list[Shape] = []
    for zone, polygon in layout.zones:
        found.append(Panel(polygon, 6.0, FELT, INK))
        found.extend(_decorate(layout, zone, polygon))
    found.extend(_bar(layout))
    for number, corners in layout.markers.items():
        found.extend(marker_squares(number, corners))
    return tuple(found)


@lru_cache(maxsize=4)
def labels_mm(layout: MatLayout) -> NDArray[np.float64]:
    """Return the middles of the words on the mat: float64 (n, 2), millimetres."""
    return np.array([(each.x, each.y) for each in shapes(layout) if isinstance(each, Text)])


def marker_squares(number: int, corners: Array) -> list[Patch]:
    """Return a marker as squares: a black one with white ones on it.

    Neighbouring white squares of a row are one patch, so that no hairline shows between them.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    bits = np.asarray(dictionary.generateImageMarker(number, _BITS + 2)) > 127
    x, y = corners[0]
    module = float(corners[1][0] - x) / (_BITS + 2)
    squares = [Patch(corners, BLACK)]
    for row, line in enumerate(bits):
        column = 0
        while column < len(line):
            end = column
            while end < len(line) and line[end]:
                end += 1
            if end > column:
                left, right = x + column * module, x + end * module
                low, high = y + row * module, y + (row + 1) * module
                squares.append(
                    Patch(np.array([[left, low], [right, low], [right, high], [left, high]]), PAPER)
                )
            column = end + 1
    return squares


def draw_mat(layout: MatLayout, px_per_mm: float) -> Image:
    """Draw the mat as it is printed, seen straight from above."""
    width, height = (round(side * px_per_mm) for side in layout.size_mm)
    image = np.full((height, width, 3), 255, np.uint8)
    for shape in shapes(layout):
        shape.draw(image, px_per_mm)
    return image


def round_corners(polygon: Array, radius: float, steps: int = 6) -> Array:
    """Return an upright rectangle with its corners cut to arcs."""
    (left, top), (right, bottom) = polygon.min(axis=0), polygon.max(axis=0)
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    middles = (
        (left + radius, top + radius),
        (right - radius, top + radius),
        (right - radius, bottom - radius),
        (left + radius, bottom - radius),
    )
    points = []
    for quarter, (x, y) in enumerate(middles):
        for step in range(steps + 1):
            angle = math.pi * (1 + (quarter + step / steps) / 2)
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return np.array(points)


def bar_mm(layout: MatLayout) -> float:
    """Return the length of the bar that shows whether a print came out in its true size."""
    room = float(np.ptp(layout.zone_polygon(_FIRST)[:, 0])) - 48.0
    return next((length for length in (100.0, 50.0) if length <= room), 20.0)


def _decorate(layout: MatLayout, zone: Zone, polygon: Array) -> list[Shape]:
    """Return the label of a zone, turned to be read by its player, and its ornaments."""
    degrees = layout.degrees(zone)
    inner = Panel(polygon + rectangle(2.2, 2.2, -4.4, -4.4), 4.6, None, PALE, 0.3)
    centre = polygon.mean(axis=0)
    if zone.kind is ZoneKind.SEAT:
        assert zone.seat is not None
        turn = math.radians(degrees)
        right = np.array([math.cos(turn), math.sin(turn)])
        near = np.array([-math.sin(turn), math.cos(turn)])
        size = np.abs(np.array([right @ np.ptp(polygon, axis=0), near @ np.ptp(polygon, axis=0)]))
        x, y = centre - right * (size[0] / 2 - 18.0) + near * (size[1] / 2 - 8.0)
        return [inner, Text(f"seat {zone.seat + 1}", float(x), float(y), 4.5, degrees)]
    x, y = float(centre[0]), float(centre[1])
    label = Text(_LABELS[zone.kind], x, y, 5.0, 0.0)
    if zone.kind is ZoneKind.DEALER:
        if np.ptp(polygon[:, 0]) < 120 or np.ptp(polygon[:, 1]) < 44:
            return [inner, label]
        pips = [
            Blob(pip * 7.0 + np.array([x + (n - 1.5) * 14.0, y + 9.0]), PALE)
            for n, pip in enumerate(_suits())
        ]
        return [inner, Text(label.text, x, y - 7.0, label.size), *pips]
    # A card's outline, to lay the pile on.
    across, high = CARD_MM if degrees == 0 else (CARD_MM[1], CARD_MM[0])
    card = rectangle(-across / 2, -high / 2, across, high)
    return [Panel(card + centre, 3.0, None, PALE, 0.4), label]


def _bar(layout: MatLayout) -> list[Shape]:
    """Draw the bar in the near right of seat 0, with its length above it."""
    length = bar_mm(layout)
    right, low = layout.zone_polygon(_FIRST).max(axis=0) - (8.0, 6.0)
    strokes = (
        (right - length, low - 0.25, length, 0.5),
        (right - length, low - 3.0, 0.5, 3.0),
        (right - 0.5, low - 3.0, 0.5, 3.0),
    )
    found: list[Shape] = [Patch(rectangle(*stroke), INK) for stroke in strokes]
    words = Text(f"{length:.0f} mm", float(right - length / 2), float(low - 3.0), 2.5)
    return [*found, words]


def _suits() -> list[Array]:
    """Return the outlines of hearts, spades, diamonds and clubs, one unit high."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    hearts = np.stack(
        [
            16 * np.sin(turn) ** 3,
            -13 * np.cos(turn) + 5 * np.cos(2 * turn) + 2 * np.cos(3 * turn) + np.cos(4 * turn),
        ],
        axis=1,
    ) / 32 + (0.0, -0.08)
    foot = np.array([[0.06, 0.2], [0.2, 0.5], [-0.2, 0.5], [-0.06, 0.2]])
    diamond = np.array([[0.0, -0.5], [0.38, 0.0], [0.0, 0.5], [-0.38, 0.0]])
    # One outline each: leaf, then stalk, as the pen goes; overlaps fill by the non-zero rule.
    top = hearts * (0.9, -0.85) + (0.0, -0.1)
    spade = _union([top, foot])
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.215
    club = _union(
        [
            ring + np.array((0.0, -0.27)),
            ring + np.array((-0.24, 0.06)),
            ring + np.array((0.24, 0.06)),
            foot,
            rectangle(-0.1, -0.2, 0.2, 0.5),
        ]
    )
    return [hearts, spade, diamond, club]


def _union(parts: list[Array]) -> Array:
    """Return the outline round overlapping polygons, traced on a fine grid."""
    grid = 400
    mask = np.zeros((2 * grid, 2 * grid), np.uint8)
    for part in parts:
        cv2.fillPoly(mask, [np.round(part * grid + grid).astype(np.int32)], 255)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(outlines, key=len)
    return np.asarray(cv2.approxPolyDP(longest, 0.8, True).reshape(-1, 2) - grid, np.float64) / grid


def _shifted(points: Array, px_per_mm: float) -> NDArray[np.int32]:
    # Pixel centres are whole numbers in OpenCV: the paper's edge lies at -0.5.
    return np.round((points * px_per_mm - 0.5) * 16).astype(np.int32)


def _bgr(colour: Colour) -> tuple[int, int, int]:
    return colour[2], colour[1], colour[0]

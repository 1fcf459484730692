"""What is printed on a mat: one list of shapes, for the printer and for the drawn table."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat_layout import Array, MatLayout
from vision.readings import Zone, ZoneKind

Colour = tuple[int, int, int]
"""Red, green, blue, 0-255."""

INK: Colour = (46, 74, 60)
FELT: Colour = (205, 219, 203)
"""Pale, to save ink; dark enough that a white card has an edge."""
PALE: Colour = (176, 196, 176)
BLACK: Colour = (0, 0, 0)
PAPER: Colour = (255, 255, 255)

BAR_MM = 100.0
"""Length of the bar that shows whether a print came out in its true size."""

_BITS = 4
_LABELS = {ZoneKind.DEALER: "dealer", ZoneKind.STOCK: "stock", ZoneKind.DISCARD: "discard"}


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A frame with rounded corners; *radius* and *line* in millimetres."""

    polygon: Array
    radius: float
    fill: Colour | None
    stroke: Colour | None
    line: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A filled upright rectangle."""

    polygon: Array
    fill: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """Words about their middle at *x*, *y*; *size* of the letters in millimetres."""

    text: str
    x: float
    y: float
    size: float
    degrees: float = 0.0
    colour: Colour = INK


Shape = Panel | Patch | Text


def shapes(layout: MatLayout) -> tuple[Shape, ...]:
    """Return everything on the mat, from the lowest up, in millimetres."""
    found: list[Shape] = []
    for zone, polygon in layout.zones:
        found.append(Panel(polygon, 6.0, FELT, INK))
        found.extend(_label(layout, zone, polygon))
    found.extend(_bar(layout))
    for number, corners in layout.markers.items():
        found.extend(marker_squares(number, corners))
    return tuple(found)


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


def draw_mat(layout: MatLayout, px_per_mm: float) -> NDArray[np.uint8]:
    """Draw the mat as it is printed, seen straight from above.

    Returns:
        uint8, shape (height, width, 3), BGR.
    """
    width, height = (round(side * px_per_mm) for side in layout.size_mm)
    image = np.full((height, width, 3), 255, np.uint8)
    for shape in shapes(layout):
        if isinstance(shape, Panel):
            outline = round_corners(shape.polygon, shape.radius)
            if shape.fill is not None:
                _fill(image, outline, shape.fill, px_per_mm)
            if shape.stroke is not None:
                _stroke(image, outline, shape.stroke, shape.line, px_per_mm)
        elif isinstance(shape, Patch):
            _cover(image, shape.polygon, shape.fill, px_per_mm)
        else:
            _write(image, shape, px_per_mm)
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


def _label(layout: MatLayout, zone: Zone, polygon: Array) -> list[Shape]:
    """Name a zone, at the edge of whom it belongs to and turned to be read by him."""
    degrees = layout.degrees(zone)
    turn = math.radians(degrees)
    size = np.ptp(polygon, axis=0)
    centre = polygon.mean(axis=0)
    if zone.kind is not ZoneKind.SEAT:
        return [Text(_LABELS[zone.kind], float(centre[0]), float(centre[1]), 6.0, 0.0, INK)]
    deep = float(size[0] if degrees in (90.0, 270.0) else size[1])
    near = np.array([-math.sin(turn), math.cos(turn)])
    x, y = centre + near * (deep / 2 - 7.0)
    return [Text(f"seat {zone.seat}", float(x), float(y), 6.0, degrees)]


def _bar(layout: MatLayout) -> list[Shape]:
    """Draw the bar of 100 mm along the bottom edge of the paper, below the seats."""
    return []


def _shifted(points: Array, px_per_mm: float) -> NDArray[np.int32]:
    # Pixel centres are whole numbers in OpenCV: the paper's edge lies at -0.5.
    return np.round((points * px_per_mm - 0.5) * 16).astype(np.int32)


def _bgr(colour: Colour) -> tuple[int, int, int]:
    return colour[2], colour[1], colour[0]


def _fill(image: NDArray[np.uint8], points: Array, colour: Colour, px_per_mm: float) -> None:
    cv2.fillPoly(image, [_shifted(points, px_per_mm)], _bgr(colour), cv2.LINE_AA, 4)


def _cover(image: NDArray[np.uint8], points: Array, colour: Colour, px_per_mm: float) -> None:
    """Fill an upright rectangle, each pixel by the part of it that is covered.

    Markers are measured to a tenth of a pixel; OpenCV's own polygons are too large by half of one.
    """
    parts = []
    for axis, count in ((1, image.shape[0]), (0, image.shape[1])):
        edges = np.arange(count + 1, dtype=np.float64)
        low, high = points[:, axis].min() * px_per_mm, points[:, axis].max() * px_per_mm
        parts.append(np.diff(np.clip(edges, low, high)))
    rows, columns = (np.flatnonzero(part) for part in parts)
    if not rows.size or not columns.size:
        return
    window = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    part = np.outer(parts[0][window[0]], parts[1][window[1]])[..., None]
    image[window] = np.round(image[window] * (1 - part) + part * np.array(_bgr(colour)))


def _stroke(
    image: NDArray[np.uint8], points: Array, colour: Colour, line: float, px_per_mm: float
) -> None:
    thick = max(1, round(line * px_per_mm))
    outline = [_shifted(points, px_per_mm)]
    cv2.polylines(image, outline, True, _bgr(colour), thick, cv2.LINE_AA, 4)


def _write(image: NDArray[np.uint8], text: Text, px_per_mm: float) -> None:
    """Write on a mask of its own, then turn it into place."""
    font, drawn = cv2.FONT_HERSHEY_DUPLEX, 1.0
    (wide, high), below = cv2.getTextSize(text.text, font, drawn, 1)
    mask = np.zeros((high + below + 8, wide + 8), np.uint8)
    cv2.putText(mask, text.text, (4, high + 4), font, drawn, 255, 1, cv2.LINE_AA)
    scale = text.size * px_per_mm / high
    turn = math.radians(text.degrees)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    middle = (mask.shape[1] / 2, 4 + high / 2)
    matrix = np.array(
        [
            [cos, -sin, text.x * px_per_mm - cos * middle[0] + sin * middle[1]],
            [sin, cos, text.y * px_per_mm - sin * middle[0] - cos * middle[1]],
        ]
    )
    size = (image.shape[1], image.shape[0])
    cover = cv2.warpAffine(mask, matrix, size, flags=cv2.INTER_AREA)[..., None] / 255.0
    image[:] = np.round(image * (1 - cover) + np.array(_bgr(text.colour)) * cover).astype(np.uint8)

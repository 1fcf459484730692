"""Lines, boxes, discs and texts of a diagram, in points."""

from __future__ import annotations

from dataclasses import dataclass

INK = "#20262b"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through *points*."""

    points: tuple[Point, ...]
    colour: str
    width: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners."""

    x: float
    y: float
    w: float
    h: float
    fill: str
    edge: str = ""
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle."""

    x: float
    y: float
    r: float
    fill: str
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Words in the middle (vertically) of *y*; *align* is 0 left, 0.5 centre, 1 right."""

    words: str
    x: float
    y: float
    size: float
    colour: str = INK
    align: float = 0.0


Shape = Line | Box | Disc | Text

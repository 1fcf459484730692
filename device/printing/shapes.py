"""Lines, boxes, discs and texts of a diagram, in points, written as SVG or as PNG."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from device.files import check_regular
from display.drawing.text import Face, font
from engine.core.errors import BoneAceError

INK = "#20262b"
BOX_EDGE, DISC_EDGE = 2.5, 2.0
"""Widths of the edges, in points."""

Point = tuple[float, float]
Size = tuple[int, int]


class PictureError(BoneAceError, OSError):
    """A picture that cannot be written."""


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


def svg(shapes: Sequence[Shape], size: Size, title: str) -> str:
    """Return *shapes* as an SVG document of *size* points."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        'font-family="Lato, \'DejaVu Sans\', Arial, sans-serif" font-weight="bold">',
        f"<title>{html.escape(title)}</title>",
        *(_element(shape) for shape in shapes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _element(shape: Shape) -> str:
    match shape:
        case Line(points, colour, width):
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return (
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
                'stroke-linecap="round" stroke-linejoin="round"/>'
            )
        case Box(x, y, w, h, fill, edge, radius):
            return (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{radius}" '
                f"{_paint(fill, edge, BOX_EDGE)}/>"
            )
        case Disc(x, y, r, fill, edge):
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {_paint(fill, edge, DISC_EDGE)}/>'
        case Text(words, x, y, size, colour, align):
            anchor = {0.0: "start", 0.5: "middle", 1.0: "end"}[align]
            return (
                f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" font-size="{size}" fill="{colour}" '
                f'text-anchor="{anchor}">{html.escape(words)}</text>'
            )


def _paint(fill: str, edge: str, width: float) -> str:
    stroke = f' stroke="{edge}" stroke-width="{width:g}"' if edge else ""
    return f'fill="{fill or "none"}"{stroke}'


def save_png(shapes: Sequence[Shape], size: Size, path: Path) -> None:
    """Write *shapes* to *path* as a PNG of *size* pixels, one a point.

    Raises:
        PictureError: the file cannot be written.
    """
    # Drawn twice as large and scaled down: pygame's circles have no soft edges.
    sheet = pygame.Surface((2 * size[0], 2 * size[1]))
    for shape in shapes:
        _draw(sheet, shape, 2)
    try:
        check_regular(path)
        pygame.image.save(pygame.transform.smoothscale(sheet, size), str(path))
    except (pygame.error, OSError) as problem:
        raise PictureError(
            f"cannot write the picture {str(path)!r}: {problem}; choose a folder you may write, "
            "and a name that ends in .png"
        ) from problem


def _draw(sheet: pygame.Surface, shape: Shape, scale: int) -> None:
    match shape:
        case Line(points, colour, width):
            path = [(round(x * scale), round(y * scale)) for x, y in points]
            pygame.draw.lines(sheet, colour, False, path, round(width * scale))
        case Box(x, y, w, h, fill, edge, radius):
            rect = pygame.Rect([round(each * scale) for each in (x, y, w, h)])
            corner = round(radius * scale)
            if fill:
                pygame.draw.rect(sheet, fill, rect, border_radius=corner)
            if edge:
                line = round(BOX_EDGE * scale)
                pygame.draw.rect(sheet, edge, rect, line, border_radius=corner)
        case Disc(x, y, r, fill, edge):
            middle, half = (x * scale, y * scale), DISC_EDGE / 2 if edge else 0
            if edge:
                pygame.draw.circle(sheet, edge, middle, (r + half) * scale)
            pygame.draw.circle(sheet, fill, middle, (r - half) * scale)
        case Text(words, x, y, size, colour, align):
            text = font(Face.PLAIN, round(size * scale)).render(words, True, colour)
            left, top = x * scale - align * text.get_width(), y * scale - text.get_height() / 2
            sheet.blit(text, (round(left), round(top)))

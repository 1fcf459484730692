"""The play mat as a vector PDF: on one sheet, or cut to pages for a printer at home."""

from __future__ import annotations

import io
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.files import write_file
from engine.core.errors import BoneAceError
from vision.mat.artwork import Blob, Colour, Panel, Patch, Text, bar_mm, shapes
from vision.mat.layout import MatLayout

TILES = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
"""Pages of printers at home and in offices: width and height in millimetres, upright."""

PAGE_MARGIN_MM = 10.0
OVERLAP_MM = 10.0

_POINTS = 72 / 25.4
_CAPITALS = 0.72  # height of Helvetica's capitals, as a part of its size
_NOTE_PT = 7.0


class MatPdfError(BoneAceError, RuntimeError):
    """A PDF that cannot be written."""


def canvas_of(what: str) -> Any:
    """Return what makes the canvas that *what* is drawn on.

    Raises:
        MatPdfError: reportlab is not installed.
    """
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as problem:
        raise MatPdfError(
            f"printing {what} needs reportlab (the extra mat), which is not installed; "
            f"run: {sys.executable} -m pip install reportlab"
        ) from problem
    return Canvas


@dataclass(frozen=True, slots=True)
class Tile:
    """One page of a mat cut to pages.

    Attributes:
        name: row and column, as ``B1``.
        x_mm: left edge on the mat of what the page shows.
        y_mm: top edge on the mat of what the page shows.
        follows: whether there is another page to the left, above, to the right, below.
    """

    name: str
    x_mm: float
    y_mm: float
    follows: tuple[bool, bool, bool, bool]


def mat_pdf(layout: MatLayout, tile: str | None = None) -> bytes:
    """Return the mat as a PDF: cut to pages of :data:`TILES`, or one sheet in full size.

    Raises:
        MatPdfError: reportlab is not installed.
    """
    new_canvas = canvas_of("a mat")
    page = layout.size_mm if tile is None else page_size(layout, tile)
    out = io.BytesIO()
    # Invariant: the same mat gives the same bytes, with no date in them.
    canvas = new_canvas(out, pagesize=_pt(*page), invariant=1)
    canvas.setTitle(f"boneace play mat, {layout.seats} seats, {layout.paper}")
    canvas.setCreator("boneace mat")
    if tile is None:
        _draw(canvas, layout)
        canvas.showPage()
    else:
        for one in tiles(layout, tile):
            _draw_tile(canvas, layout, one, page)
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def write_pdf(path: Path, content: bytes) -> None:
    """Write a PDF to *path*.

    Raises:
        MatPdfError: it cannot be written there.
    """
    try:
        write_file(path, content)
    except OSError as problem:
        raise MatPdfError(
            f"{path}: cannot be written ({problem.strerror}); "
            f"choose a folder you may write, with -o FILE"
        ) from problem


def page_size(layout: MatLayout, tile: str) -> tuple[float, float]:
    """Return the page's width and height in millimetres, turned to need fewer pages.

    Raises:
        MatPdfError: an unknown page.
    """
    if tile not in TILES:
        raise MatPdfError(f"unknown page {tile!r}; choose one of {', '.join(TILES)}")
    upright = TILES[tile]
    flat = (upright[1], upright[0])
    return min(upright, flat, key=lambda page: math.prod(_grid(layout, page)))


def tiles(layout: MatLayout, tile: str) -> tuple[Tile, ...]:
    """Return the pages, row by row: rows are letters, columns numbers.

    Raises:
        MatPdfError: *tile* is no known page.
    """
    page = page_size(layout, tile)
    columns, rows = _grid(layout, page)
    step_x, step_y = _step(page)
    return tuple(
        Tile(
            f"{chr(ord('A') + row)}{column + 1}",
            column * step_x,
            row * step_y,
            (column > 0, row > 0, column < columns - 1, row < rows - 1),
        )
        for row in range(rows)
        for column in range(columns)
    )


def _grid(layout: MatLayout, page: tuple[float, float]) -> tuple[int, int]:
    columns, rows = (
        max(1, math.ceil(round((size - OVERLAP_MM) / step, 6)))
        for size, step in zip(layout.size_mm, _step(page), strict=True)
    )
    return columns, rows


def _step(page: tuple[float, float]) -> tuple[float, float]:
    return page[0] - 2 * PAGE_MARGIN_MM - OVERLAP_MM, page[1] - 2 * PAGE_MARGIN_MM - OVERLAP_MM


def _pt(*lengths_mm: float) -> tuple[float, ...]:
    return tuple(length * _POINTS for length in lengths_mm)


def _draw(canvas: Any, layout: MatLayout) -> None:
    """Draw the mat in millimetres, y up, with its lower left corner at the origin."""
    canvas.saveState()
    canvas.scale(_POINTS, _POINTS)
    height = layout.size_mm[1]
    for shape in shapes(layout):
        if isinstance(shape, Text):
            _write(canvas, shape, height)
        elif isinstance(shape, Panel):
            (left, top), (right, bottom) = shape.polygon.min(axis=0), shape.polygon.max(axis=0)
            if shape.fill is not None:
                canvas.setFillColorRGB(*_rgb(shape.fill))
            if shape.stroke is not None:
                canvas.setStrokeColorRGB(*_rgb(shape.stroke))
                canvas.setLineWidth(shape.line)
            canvas.roundRect(
                left,
                height - bottom,
                right - left,
                bottom - top,
                shape.radius,
                stroke=int(shape.stroke is not None),
                fill=int(shape.fill is not None),
            )
        else:
            _fill(canvas, shape, height)
    canvas.restoreState()


def _fill(canvas: Any, shape: Patch | Blob, height: float) -> None:
    points: NDArray[np.float64] = shape.polygon
    path = canvas.beginPath()
    path.moveTo(points[0][0], height - points[0][1])
    for x, y in points[1:]:
        path.lineTo(x, height - y)
    path.close()
    canvas.setFillColorRGB(*_rgb(shape.fill))
    canvas.drawPath(path, stroke=0, fill=1)


def _write(canvas: Any, text: Text, height: float) -> None:
    size = text.size / _CAPITALS
    canvas.saveState()
    canvas.translate(text.x, height - text.y)
    canvas.rotate(-text.degrees)
    canvas.setFillColorRGB(*_rgb(text.colour))
    canvas.setFont("Helvetica", size)
    canvas.drawCentredString(0, -text.size / 2, text.text)
    canvas.restoreState()


def _draw_tile(canvas: Any, layout: MatLayout, tile: Tile, page: tuple[float, float]) -> None:
    wide, high = page[0] - 2 * PAGE_MARGIN_MM, page[1] - 2 * PAGE_MARGIN_MM
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(*_pt(PAGE_MARGIN_MM, PAGE_MARGIN_MM, wide, high))
    canvas.clipPath(window, stroke=0, fill=0)
    shown_bottom = layout.size_mm[1] - tile.y_mm - high
    canvas.translate(*_pt(PAGE_MARGIN_MM - tile.x_mm, PAGE_MARGIN_MM - shown_bottom))
    _draw(canvas, layout)
    canvas.restoreState()
    _marks(canvas, tile, page)
    canvas.setFont("Helvetica-Bold", 2 * _NOTE_PT)
    canvas.drawString(*_pt(PAGE_MARGIN_MM + 8, 3.2), tile.name)
    canvas.setFont("Helvetica", _NOTE_PT)
    canvas.drawString(
        *_pt(PAGE_MARGIN_MM + 22, 3.2),
        f"boneace, {layout.seats} seats, {layout.paper}. Print at 100 %: the bar on the mat "
        f"measures {bar_mm(layout):.0f} mm. Cut at the solid marks, lay the edge on the dashed.",
    )


def _marks(canvas: Any, tile: Tile, page: tuple[float, float]) -> None:
    """Mark in the margins where to cut (solid), and the edge of the next page (dashed)."""
    left, above, right, below = tile.follows
    low_x, low_y = PAGE_MARGIN_MM, PAGE_MARGIN_MM
    high_x, high_y = page[0] - PAGE_MARGIN_MM, page[1] - PAGE_MARGIN_MM
    upright = [(low_x, True)] * left + [(high_x - OVERLAP_MM, False)] * right
    flat = [(high_y, True)] * above + [(low_y + OVERLAP_MM, False)] * below
    canvas.saveState()
    canvas.setLineWidth(0.4)
    for x, solid in upright:
        canvas.setDash([] if solid else [2, 1.5])
        canvas.line(*_pt(x, 3, x, low_y - 1))
        canvas.line(*_pt(x, high_y + 1, x, page[1] - 3))
    for y, solid in flat:
        canvas.setDash([] if solid else [2, 1.5])
        canvas.line(*_pt(3, y, low_x - 1, y))
        canvas.line(*_pt(high_x + 1, y, page[0] - 3, y))
    canvas.restoreState()


def _rgb(colour: Colour) -> tuple[float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255

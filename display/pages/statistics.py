"""The evening in figures: how many hands, who went over, who was lucky."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.drawing.canvas import Canvas, grid, split_y
from display.drawing.text import Face
from display.pages.base import SMALL_CAP, Page, joined
from engine.core.messages.message import Joined, Value, sentences


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: what it counts, the figure itself, and who or what it belongs to."""

    label: Value
    value: Value
    detail: Value = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPage(Page):
    """Figures on tiles."""

    figures: tuple[Figure, ...]

    def spoken(self) -> Value:
        """Return every figure."""
        figures = [
            sentences(joined(each.label, ": ", each.value, "."), each.detail)
            for each in self.figures
        ]
        return Joined((joined(self.title, "."), *figures))


def draw_statistics(canvas: Canvas, page: StatisticsPage) -> None:
    """Draw the figures as tiles in rows of three."""
    if page.figures:
        columns = min(3, len(page.figures))
        places = grid(canvas.area, len(page.figures), columns, canvas.px(0.022))
        for figure, place in zip(page.figures, places, strict=True):
            _draw_figure(canvas, figure, place)


def _draw_figure(canvas: Canvas, figure: Figure, place: Rect) -> None:
    theme = canvas.theme
    canvas.box(place, (*theme.plate, 235), theme.plate_edge)
    inner = place.inflate(-2 * canvas.px(0.02), -2 * canvas.px(0.016))
    label, below = split_y(inner, round(inner.h * 0.26))
    canvas.line(figure.label, label, SMALL_CAP, theme.muted, align=0.5, smallest=0.5)
    value, detail = split_y(below, round(inner.h * (0.48 if figure.detail else 0.74)))
    canvas.line(figure.value, value, 0.085, theme.brass, face=Face.TITLE, align=0.5, smallest=0.35)
    if figure.detail:
        canvas.line(figure.detail, detail, SMALL_CAP, theme.ivory, align=0.5, smallest=0.5)

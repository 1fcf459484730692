"""A list to choose from: the menu, the settings, the presets of a game."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, split_x
from display.drawing.shapes import Icon
from display.pages.base import ROW_CAP, SMALL_CAP, Page, first_row, joined, rows_that_fit
from engine.core.messages.message import Value

PITCH = 0.098
"""From one row to the next."""


@dataclass(frozen=True, slots=True)
class Item:
    """One row.

    Attributes:
        text: what can be chosen.
        value: how it stands now, on the right.
        detail: a smaller line below.
    """

    text: Value
    value: Value = ""
    detail: Value = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage(Page):
    """Rows to choose from; more of them than fit are scrolled."""

    items: tuple[Item, ...]

    def marked(self) -> Value:
        """Return the row marked, and how it stands."""
        if not 0 <= self.focus < len(self.items):
            return ""
        item = self.items[self.focus]
        return joined(item.text, *((": ", item.value) if item.value else ()), ".")


def draw_list(canvas: Canvas, page: ListPage) -> None:
    """Draw the rows."""
    detailed = any(item.detail for item in page.items)
    pitch = PITCH * (1.25 if detailed else 1.0)
    shown = rows_that_fit(canvas, len(page.items), pitch)
    first = first_row(page.focus, len(page.items), shown)
    height = min(canvas.px(pitch), canvas.area.h // shown)
    if shown < len(page.items):
        _draw_more(canvas, first, shown, len(page.items))
    width = canvas.area.w - (canvas.px(0.05) if shown < len(page.items) else 0)
    for place in range(min(shown, len(page.items))):
        number = first + place
        row = Rect(canvas.area.x, canvas.area.y + place * height, width, height - canvas.px(0.014))
        _draw_row(canvas, page.items[number], row, chosen=number == page.focus)
        canvas.touches.append(TouchArea(row, "have", number))


def _draw_row(canvas: Canvas, item: Item, row: Rect, *, chosen: bool) -> None:
    ink = canvas.tile(row, chosen=chosen)
    soft = ink if chosen else canvas.theme.muted
    inner = row.inflate(-2 * canvas.px(0.024), -2 * canvas.px(0.006))
    mark = canvas.px(0.034)
    if chosen:
        at = (inner.x, inner.centery - mark // 2)
        canvas.icon(Icon.TURN, mark, ink, canvas.theme.ivory, at)
    inner = split_x(inner, mark, canvas.px(0.016))[1]
    text = inner.copy()
    if item.value:
        text, value = split_x(inner, round(inner.w * 0.56))
        colour = ink if chosen else canvas.theme.brass
        canvas.line(item.value, value, ROW_CAP * 0.9, colour, align=1.0, smallest=0.5)
    if item.detail:
        text.h = round(inner.h * 0.58)
        detail = Rect(text.x, text.bottom, inner.w, inner.bottom - text.bottom)
        canvas.line(item.detail, detail, SMALL_CAP * 0.9, soft, smallest=0.6)
    canvas.line(item.text, text, ROW_CAP, ink, smallest=0.5)


def _draw_more(canvas: Canvas, first: int, shown: int, count: int) -> None:
    """Draw how much of the list is in view."""
    area = canvas.area
    track = Rect(area.right - canvas.px(0.018), area.y, canvas.px(0.012), area.h)
    canvas.box(track, (*canvas.theme.room, 255), canvas.theme.plate_edge, radius=0.006)
    thumb = Rect(
        track.x, track.y + area.h * first // count, track.w, max(8, area.h * shown // count)
    )
    canvas.box(thumb, canvas.theme.brass, radius=0.006)

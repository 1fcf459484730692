"""What is chosen from rows of text, and the letters that a name is chosen from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, split_x, split_y
from display.drawing.shapes import Icon
from display.drawing.text import Face
from display.pages.base import ROW_CAP, SMALL_CAP, Page, first_row, labelled, rows_that_fit
from engine.core.messages.message import Message, Value

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

    def answers(self) -> Sequence[Value]:
        """Return each row, and how it stands."""
        return [labelled(item.text, item.value) for item in self.items]


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


COLUMNS = 11

SPACE = Message("space")
"""The key of a letters page that adds a space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersPage(Page):
    """The letters to choose from.

    Attributes:
        name: as it is so far.
        keys: letters, and the words of the last keys (space, delete, done); *focus* marks one.
    """

    name: str
    keys: tuple[Value, ...]

    def answers(self) -> Sequence[Value]:
        """Return the letters and words."""
        return self.keys


def draw_letters(canvas: Canvas, page: LettersPage) -> None:
    """Draw the name, and the letters below it."""
    theme, area = canvas.theme, canvas.area
    field, body = split_y(area, canvas.px(0.135), canvas.px(0.02))
    canvas.box(field, theme.room, theme.brass)
    inner = field.inflate(-2 * canvas.px(0.03), -2 * canvas.px(0.014))
    ink = canvas.line(page.name, inner, 0.062, theme.ivory, face=Face.TITLE)
    left = min(inner.right - 3, ink.right + canvas.px(0.01))
    if canvas.pulse(1.6) > 0.4:
        canvas.fill(theme.brass, Rect(left, inner.y, canvas.px(0.006), inner.h))
    keys = [canvas.say(key) for key in page.keys]
    letters = [key for key in keys if len(key) == 1]
    words = [key for key in keys if len(key) > 1]
    rows = -(-len(letters) // COLUMNS) + (1 if words else 0)
    height = min(body.h // max(1, rows), canvas.px(0.13))
    width = body.w // COLUMNS
    for number, key in enumerate(letters):
        place = Rect(
            body.x + number % COLUMNS * width, body.y + number // COLUMNS * height, width, height
        )
        _draw_key(canvas, key, place, number, chosen=number == page.focus, cap=0.042)
    top = body.y + (rows - 1) * height
    for place_number, key in enumerate(words):
        number = len(letters) + place_number
        wide = body.w // len(words)
        place = Rect(body.x + place_number * wide, top, wide, height)
        _draw_key(canvas, key, place, number, chosen=number == page.focus, cap=0.032)


def _draw_key(
    canvas: Canvas, key: str, place: Rect, number: int, *, chosen: bool, cap: float
) -> None:
    cell = place.inflate(-canvas.px(0.012), -canvas.px(0.012))
    ink = canvas.tile(cell, chosen=chosen)
    canvas.line(key, cell.inflate(-canvas.px(0.014), -4), cap, ink, align=0.5, smallest=0.4)
    signs = (key.lower(),) if len(key) == 1 else ("space",) if key == canvas.say(SPACE) else ()
    canvas.touches.append(TouchArea(place, "have", number, signs=signs))

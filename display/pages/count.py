"""Counting without a game: the total, large, what it is of, and how often each face fell."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas, split_x, split_y
from display.drawing.shapes import CARD_ASPECT
from display.drawing.text import Face as Font
from display.pages.base import Page
from display.pages.faces import KEY_CAP, ShareBar, draw_share, whole_of
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.message import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPage(Page):
    """What was counted.

    Attributes:
        total: the points of what lies there; empty before the first throw.
        items: what lies there, ``None`` for what is not read; each can be touched.
        kept: how many of *items*, the first ones, lay there before the last throw.
        status: what is to be done, or what does not count.
        tally: one a face, or a rank.
        key: what bar, line and mark mean.
        said: what is spoken of the last throw.
    """

    total: Value = ""
    items: tuple[Face | Card | None, ...] = ()
    kept: int = 0
    status: Value = ""
    tally: tuple[ShareBar, ...] = ()
    key: Value = ""
    said: Value = ""

    def spoken(self) -> Value:
        """Return the total of the last throw; before it, what to do."""
        return self.said or self.status


def draw_count(canvas: Canvas, page: CountPage) -> None:
    """Draw the total and what it is of on the left, the tally on the right."""
    theme = canvas.theme
    left, right = split_x(canvas.area, round(canvas.area.w * 0.56), canvas.px(0.03))
    if page.total:
        rest, status = split_y(left, left.h - (canvas.px(0.12) if page.status else 0))
        total, items = split_y(rest, round(left.h * 0.46), canvas.px(0.02))
        canvas.line(page.total, total, 0.28, theme.brass, align=0.5, smallest=0.3)
        _draw_items(canvas, page, items)
        canvas.words(page.status, status, 0.034, theme.ivory, align=0.5, smallest=0.6)
    else:
        items, status = split_y(left, round(left.h * 0.4) if page.items else 0)
        _draw_items(canvas, page, items)
        canvas.words(page.status, status, 0.055, theme.ivory, face=Font.TITLE, align=0.5)
    _draw_tally(canvas, page, right)


def _draw_items(canvas: Canvas, page: CountPage, room: Rect) -> None:
    """Draw what lies there in one row or two, as large as it fits."""
    count = len(page.items)
    if not count:
        return
    gap = canvas.px(0.012)
    aspect = CARD_ASPECT if any(isinstance(item, Card) for item in page.items) else BONE_ASPECT
    height, rows = max(
        (min((room.h - gap * (n - 1)) // n, round(((room.w - gap) * n // count - gap) / aspect)), n)
        for n in (1, 2, 3)
    )
    width = round(height * aspect)
    columns = -(-count // rows)
    top = room.centery - (rows * (height + gap) - gap) // 2
    for number, item in enumerate(page.items):
        row, place = divmod(number, columns)
        in_row = min(columns, count - row * columns)
        x = room.centerx - (in_row * (width + gap) - gap) // 2 + place * (width + gap)
        cell = Rect(x, top + row * (height + gap), width, height)
        if page.kept and number >= page.kept and item is not None:
            under = Rect(cell.x, cell.bottom - canvas.px(0.006), cell.w, canvas.px(0.006))
            canvas.fill(canvas.theme.brass, under)
        if isinstance(item, Face):
            canvas.bone(item, height - canvas.px(0.01), cell.topleft)
        elif isinstance(item, Card):
            canvas.card(item, height - canvas.px(0.01), cell.topleft)
        else:
            canvas.box(cell, canvas.theme.plate, canvas.theme.alarm)
            canvas.line("?", cell, 0.05, canvas.theme.ivory, face=Font.TITLE, align=0.5)
        canvas.touches.append(TouchArea(cell, "have", number))


def _draw_tally(canvas: Canvas, page: CountPage, room: Rect) -> None:
    theme = canvas.theme
    panel, key = split_y(room, room.h - canvas.px(0.1), canvas.px(0.008))
    canvas.box(panel, (*theme.plate, 235), theme.plate_edge)
    rows = panel.inflate(-2 * canvas.px(0.018), -2 * canvas.px(0.01))
    whole = whole_of(page.tally)
    for number, bar in enumerate(page.tally):
        top = rows.y + number * rows.h // len(page.tally)
        row = Rect(rows.x, top, rows.w, rows.h // len(page.tally)).inflate(0, -canvas.px(0.006))
        name, field = split_x(row, round(row.w * 0.16), canvas.px(0.012))
        if bar.face is not None:
            left = name.centerx - round(row.h * BONE_ASPECT) // 2
            canvas.bone(bar.face, row.h, (left, name.y))
        else:
            canvas.line(bar.name, name, 0.024, theme.ivory, align=0.5, smallest=0.4)
        field, figure = split_x(field, field.w - round(row.w * 0.16), canvas.px(0.012))
        cap = 0.045 if bar.face is not None else 0.024
        canvas.line(str(bar.count), figure, cap, theme.brass, align=1.0, smallest=0.35)
        draw_share(canvas, bar, field.inflate(0, -row.h // 8), whole)
    canvas.words(page.key, key, KEY_CAP, theme.muted, smallest=0.6)

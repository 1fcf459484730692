"""The ledger of the evening: who stands where, and what each hand brought."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, signed, split_y
from display.drawing.shapes import Icon
from display.drawing.text import Face
from display.pages.base import SMALL_CAP, Page, joined
from engine.core.messages.message import Value


@dataclass(frozen=True, slots=True)
class Column:
    """One player: the name, and the tokens won or lost in the whole evening."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Row:
    """One hand.

    Attributes:
        number: from 1.
        end: how it ended, in a few words.
        nets: tokens of each player, in the order of the columns; ``None`` where they did not play.
        winners: columns, from 0.
    """

    number: int
    end: Value
    nets: tuple[int | None, ...]
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerPage(Page):
    """Players across, hands down, the last hand first; *focus* is the first row shown."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()
    empty: Value = ""

    def spoken(self) -> Value:
        """Return how everybody stands."""
        sums = ", ".join(f"{column.name} {signed(column.tokens)}" for column in self.columns)
        return joined(self.title, f". {sums}.")


def draw_ledger(canvas: Canvas, page: LedgerPage) -> None:
    """Draw it as a table: sums above, hands below."""
    area, theme = canvas.area, canvas.theme
    first = round(area.w * 0.2)
    count = max(1, len(page.columns))
    width = (area.w - first) // count
    head, body = split_y(area, canvas.px(0.165), canvas.px(0.012))
    best = max((column.tokens for column in page.columns), default=0)
    for number, column in enumerate(page.columns):
        cell = Rect(area.x + first + number * width, head.y, width, head.h)
        leads = column.tokens == best and best > 0
        _draw_sum(canvas, column, cell.inflate(-canvas.px(0.008), 0), leads=leads)
    if not page.rows:
        canvas.words(page.empty, body, 0.034, theme.muted, align=0.5)
        return
    pitch = canvas.px(0.058)
    shown = max(1, body.h // pitch)
    start = max(0, min(page.focus, len(page.rows) - shown))
    for place, row in enumerate(page.rows[start : start + shown]):
        line = Rect(body.x, body.y + place * pitch, body.w, pitch - canvas.px(0.006))
        if place % 2 == 0:
            canvas.box(line, (*theme.plate, 200), radius=canvas.px(0.01) / canvas.unit)
        _draw_row(canvas, page, row, line, first, width)
    canvas.touches.append(TouchArea(Rect(area.x, body.y, area.w, body.h // 2), "left"))
    canvas.touches.append(TouchArea(Rect(area.x, body.centery, area.w, body.h // 2), "right"))


def _draw_sum(canvas: Canvas, column: Column, cell: Rect, *, leads: bool) -> None:
    theme = canvas.theme
    ink = canvas.plaque(cell, leads=leads)
    inner = cell.inflate(-2 * canvas.px(0.012), -2 * canvas.px(0.012))
    name, total = split_y(inner, round(inner.h * 0.38))
    if leads:
        mark = min(name.h, canvas.px(0.036))
        canvas.icon(Icon.CROWN, mark, ink, theme.brass, (name.x, name.centery - mark // 2))
        name.x, name.w = name.x + mark + 4, name.w - mark - 4
    canvas.line(column.name, name, 0.03, ink, align=0.5, smallest=0.4)
    canvas.line(signed(column.tokens), total, 0.056, ink, align=0.5, smallest=0.4)


def _draw_row(
    canvas: Canvas, page: LedgerPage, row: Row, line: Rect, first: int, width: int
) -> None:
    theme = canvas.theme
    label = Rect(line.x + canvas.px(0.012), line.y, canvas.px(0.05), line.h)
    canvas.line(str(row.number), label, 0.028, theme.brass, face=Face.PLAIN)
    end = Rect(label.right, line.y, line.x + first - label.right - 4, line.h)
    canvas.line(row.end, end, SMALL_CAP * 0.88, theme.muted, smallest=0.5)
    for number, net in enumerate(row.nets):
        if net is None:
            continue
        cell = Rect(line.x + first + number * width, line.y, width, line.h)
        won = number in row.winners
        if won:
            mark = min(cell.h, canvas.px(0.026))
            left = max(cell.x, cell.centerx - canvas.px(0.05) - mark)
            at = (left, cell.centery - mark // 2)
            canvas.icon(Icon.CROWN, mark, theme.brass, theme.plate, at)
        colour = theme.brass if won else theme.ivory
        inner = cell.inflate(-canvas.px(0.07), -2) if won else cell.inflate(-4, -2)
        canvas.line(signed(net), inner, 0.03, colour, align=0.5, smallest=0.5)

"""A picture of the evening to keep: the game, the players, and who won."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, signed, split_x, split_y
from display.drawing.shapes import Icon
from display.drawing.text import Face
from display.pages.base import FOOT, SMALL_CAP, Page, draw_keys
from display.pages.ledger import Column
from display.pages.statistics import Figure
from engine.core.messages.message import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage(Page):
    """The whole picture.

    Attributes:
        title: the game.
        note: where and when.
        headline: who won.
        columns: the players, the best first.
        figures: a few figures, below.
        foot: the smallest line.
    """

    headline: Value
    columns: tuple[Column, ...]
    figures: tuple[Figure, ...] = ()
    foot: Value = ""


def draw_share(canvas: Canvas, page: SharePage) -> None:
    """Draw it on the whole surface; a touch anywhere presses its first key."""
    theme, whole = canvas.theme, canvas.area.copy()
    if page.hints:
        # On the screen only: the picture that is kept has none.
        canvas.touches.append(TouchArea(canvas.area, page.hints[0].button))
        keys = Rect(whole.x, whole.bottom - canvas.px(FOOT), whole.w, canvas.px(FOOT))
        draw_keys(canvas, page.hints, keys)
        whole.h -= keys.h
    edge = whole.inflate(-2 * canvas.px(0.025), -2 * canvas.px(0.025))
    canvas.box(edge, (*theme.room, 200), theme.brass, radius=0.03, line=0.006)
    inner = edge.inflate(-2 * canvas.px(0.045), -2 * canvas.px(0.03))
    top, below = split_y(inner, canvas.px(0.105))
    note, below = split_y(below, canvas.px(0.05), canvas.px(0.01))
    head, body = split_y(below, canvas.px(0.11), canvas.px(0.01))
    canvas.line(page.title, top, 0.06, theme.brass, face=Face.TITLE, align=0.5)
    canvas.line(page.note, note, SMALL_CAP, theme.muted, align=0.5)
    canvas.line(page.headline, head, 0.05, theme.ivory, face=Face.TITLE, align=0.5, smallest=0.4)
    foot_h = canvas.px(0.045) if page.foot else 0
    figures_h = canvas.px(0.135) if page.figures else 0
    body.h -= foot_h + figures_h + canvas.px(0.02)
    _draw_ranking(canvas, page.columns, body)
    if page.figures:
        row = Rect(inner.x, body.bottom + canvas.px(0.015), inner.w, figures_h)
        _draw_row_of_figures(canvas, page.figures, row)
    if page.foot:
        foot = Rect(inner.x, inner.bottom - foot_h, inner.w, foot_h)
        canvas.line(page.foot, foot, 0.021, theme.muted, align=0.5, smallest=0.5)


def _draw_ranking(canvas: Canvas, columns: tuple[Column, ...], room: Rect) -> None:
    """Draw the players, the best first, in one or two columns."""
    theme = canvas.theme
    if not columns:
        return
    across = 1 if len(columns) <= 4 else 2
    rows = -(-len(columns) // across)
    gap = canvas.px(0.03)
    width = (min(room.w, canvas.px(0.9 if across == 1 else 1.5)) - gap * (across - 1)) // across
    pitch = min(canvas.px(0.1), room.h // rows)
    left = room.centerx - (across * width + (across - 1) * gap) // 2
    top = room.centery - rows * pitch // 2
    best = columns[0].tokens
    for number, column in enumerate(columns):
        place = Rect(
            left + number // rows * (width + gap), top + number % rows * pitch, width, pitch
        ).inflate(0, -canvas.px(0.01))
        leads = column.tokens == best and best > 0
        ink = canvas.plaque(place, leads=leads, radius=0.016)
        inner = place.inflate(-2 * canvas.px(0.022), -2 * canvas.px(0.004))
        mark = min(inner.h, canvas.px(0.045))
        if leads:
            at = (inner.x, inner.centery - mark // 2)
            canvas.icon(Icon.CROWN, mark, ink, theme.brass, at)
        beside = split_x(inner, mark, canvas.px(0.016))[1]
        name, total = split_x(beside, round(inner.w * 0.7) - mark)
        canvas.line(column.name, name, 0.036, ink, smallest=0.45)
        canvas.line(signed(column.tokens), total, 0.04, ink, align=1.0, smallest=0.5)


def _draw_row_of_figures(canvas: Canvas, figures: tuple[Figure, ...], row: Rect) -> None:
    width = row.w // len(figures)
    for number, figure in enumerate(figures):
        cell = Rect(row.x + number * width, row.y, width, row.h).inflate(-canvas.px(0.016), 0)
        value, label = split_y(cell, round(cell.h * 0.56))
        canvas.line(
            figure.value, value, 0.05, canvas.theme.brass, face=Face.TITLE, align=0.5, smallest=0.4
        )
        canvas.line(figure.label, label, 0.022, canvas.theme.muted, align=0.5, smallest=0.5)

"""The evening so far: who stands where, its figures, and a picture of it to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, grid, signed, split_x, split_y
from display.drawing.shapes import Icon
from display.drawing.text import Face
from display.pages.base import FOOT, SMALL_CAP, Page, draw_keys, first_row, joined, labelled
from engine.core.messages.message import Joined, Message, Value, sentences

NAME_CAP, READABLE = 0.03, 0.75
"""Height of the capitals of a name over its sum, and the share of it below which strangers are
shown by sign and number."""


@dataclass(frozen=True, slots=True)
class Column:
    """One player: the name, and the tokens won or lost in the whole evening.

    Attributes:
        money: what the tokens are worth; empty without money.
    """

    name: str
    tokens: int
    money: Value = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One hand, or one entry outside of any.

    Attributes:
        number: from 1; ``None`` for an entry (rule G-22).
        end: how it ended, in a few words; of an entry its reason.
        nets: tokens of each player, in the order of the columns; ``None`` where they did not play.
        winners: columns, from 0.
        heading: it is none of these, but stands over the rows below.
        note: what is told of it where it is marked; its column is narrow.
    """

    number: int | None
    end: Value
    nets: tuple[int | None, ...]
    winners: tuple[int, ...] = ()
    heading: bool = False
    note: Value = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerPage(Page):
    """Players across, hands down, the last hand first.

    Attributes:
        marks: *focus* is the row that is marked, and any row can be chosen; else it is the first
            row shown.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()
    empty: Value = ""
    marks: bool = False

    def answers(self) -> Sequence[Value]:
        """Return which hand each row is, where one can be chosen."""
        if not self.marks:
            return ()
        return [
            joined(row.end, ".")
            if row.number is None
            else labelled(Message("Hand {n}", n=row.number), row.end)
            for row in self.rows
        ]

    def spoken(self) -> Value:
        """Return how everybody stands."""
        sums = [
            joined(f"{column.name} {signed(column.tokens)}", *_after(column.money))
            for column in self.columns
        ]
        return joined(self.title, ". ", Joined(tuple(sums), ", "), ".")


def _after(money: Value) -> tuple[Value, ...]:
    return (" (", money, ")") if money else ()


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
    pitch = canvas.px(0.08 if page.marks else 0.058)  # what is touched is as large as a finger
    shown = max(1, body.h // pitch)
    start = max(0, min(page.focus, len(page.rows) - shown))
    if page.marks:
        start = first_row(page.focus, len(page.rows), shown)
    for place, row in enumerate(page.rows[start : start + shown]):
        line = Rect(body.x, body.y + place * pitch, body.w, pitch - canvas.px(0.006))
        chosen = page.marks and start + place == page.focus
        if chosen:
            canvas.tile(line, chosen=True)
        elif place % 2 == 0:
            canvas.box(line, (*theme.plate, 200), radius=canvas.px(0.01) / canvas.unit)
        _draw_hand(canvas, row, line, first, width, chosen=chosen)
        if page.marks:
            canvas.touches.append(TouchArea(line, "have", start + place))
    if page.marks:
        return
    canvas.touches.append(TouchArea(Rect(area.x, body.y, area.w, body.h // 2), "left"))
    canvas.touches.append(TouchArea(Rect(area.x, body.centery, area.w, body.h // 2), "right"))


def _draw_sum(canvas: Canvas, column: Column, cell: Rect, *, leads: bool) -> None:
    theme = canvas.theme
    ink = canvas.plaque(cell, leads=leads)
    inner = cell.inflate(-2 * canvas.px(0.012), -2 * canvas.px(0.012))
    name, total = split_y(inner, round(inner.h * (0.3 if column.money else 0.38)))
    if column.money:
        total, money = split_y(total, round(total.h * 0.62))
        canvas.line(column.money, money, 0.026, ink, align=0.5, smallest=0.4)
    mark = min(name.h, canvas.px(0.036))
    shown: Value = column.name
    if canvas.text_width(shown, NAME_CAP * READABLE) > name.w - mark - 4:
        shown = canvas.translator.signed(canvas.translator.render(shown), short=True)
    if leads:
        canvas.icon(Icon.CROWN, mark, ink, theme.brass, (name.x, name.centery - mark // 2))
        name.x, name.w = name.x + mark + 4, name.w - mark - 4
    canvas.line(shown, name, NAME_CAP, ink, align=0.5, smallest=0.4)
    canvas.line(signed(column.tokens), total, 0.056, ink, align=0.5, smallest=0.4)


def _draw_hand(
    canvas: Canvas, row: Row, line: Rect, first: int, width: int, *, chosen: bool
) -> None:
    theme = canvas.theme
    soft, gold, plain = theme.muted, theme.brass, theme.ivory
    if chosen:
        soft, gold, plain = theme.ink, theme.ink, theme.ink
    if row.heading:
        canvas.line(row.end, line.inflate(-2 * canvas.px(0.012), 0), 0.03, gold, face=Face.TITLE)
        return
    label = Rect(line.x + canvas.px(0.012), line.y, canvas.px(0.05), line.h)
    canvas.line("" if row.number is None else str(row.number), label, 0.028, gold, face=Face.PLAIN)
    end = Rect(label.right, line.y, line.x + first - label.right - 4, line.h)
    if all(net is None for net in row.nets):
        end.w = line.right - end.x - 4  # nothing stands beside it
    canvas.line(row.end, end, SMALL_CAP * 0.88, soft, smallest=0.6)
    for number, net in enumerate(row.nets):
        if net is None:
            continue
        cell = Rect(line.x + first + number * width, line.y, width, line.h)
        won = number in row.winners
        if won:
            mark = min(cell.h, canvas.px(0.026))
            left = max(cell.x, cell.centerx - canvas.px(0.05) - mark)
            at = (left, cell.centery - mark // 2)
            canvas.icon(Icon.CROWN, mark, gold, theme.ivory if chosen else theme.plate, at)
        colour = gold if won else plain
        inner = cell.inflate(-canvas.px(0.07), -2) if won else cell.inflate(-4, -2)
        canvas.line(signed(net), inner, 0.03, colour, align=0.5, smallest=0.5)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage(Page):
    """The whole picture.

    Attributes:
        title: the game.
        note: where and when.
        headline: who won.
        columns: the players, the best first.
        figures: a few figures, below.
        aside: a line over the figures, such as what was won by side bets.
        foot: the smallest line.
    """

    headline: Value
    columns: tuple[Column, ...]
    figures: tuple[Figure, ...] = ()
    aside: Value = ""
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
    ranking, aside = split_y(body, body.h - (canvas.px(0.05) if page.aside else 0))
    canvas.line(page.aside, aside, SMALL_CAP, theme.ivory, align=0.5, smallest=0.5)
    _draw_ranking(canvas, page.columns, ranking)
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
    totals = [joined(signed(each.tokens), *_after(each.money)) for each in columns]
    named = 0.5 if any(each.money for each in columns) else 0.7
    inside, high = width - 2 * canvas.px(0.022), pitch - canvas.px(0.01) - 2 * canvas.px(0.004)
    room_for_total = Rect(0, 0, inside - round(inside * named) - canvas.px(0.016), high)
    cap = canvas.cap_of_all(totals, room_for_total, 0.04, smallest=0.4)
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
        name, total = split_x(beside, round(inner.w * named) - mark)
        canvas.line(column.name, name, 0.036, ink, smallest=0.45)
        canvas.line(totals[number], total, cap, ink, align=1.0, smallest=0.4)


def _draw_row_of_figures(canvas: Canvas, figures: tuple[Figure, ...], row: Rect) -> None:
    width = row.w // len(figures)
    for number, figure in enumerate(figures):
        cell = Rect(row.x + number * width, row.y, width, row.h).inflate(-canvas.px(0.016), 0)
        value, label = split_y(cell, round(cell.h * 0.56))
        canvas.line(
            figure.value, value, 0.05, canvas.theme.brass, face=Face.TITLE, align=0.5, smallest=0.4
        )
        canvas.line(figure.label, label, 0.022, canvas.theme.muted, align=0.5, smallest=0.5)

"""Who plays, and for how much: the table with its seats, and a row of keys below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, split_x, split_y
from display.drawing.text import Face
from display.pages.base import SMALL_CAP, Page, labelled
from engine.core.messages.message import Value

SIDES = {
    2: (1, 0, 1, 0), 3: (1, 1, 1, 0), 4: (1, 1, 1, 1), 5: (2, 1, 1, 1), 6: (2, 1, 2, 1),
    7: (3, 1, 3, 0),
}  # fmt: skip
"""Seats at the near side, the left end, the far side and the right end of a mat; of others 3, 1, 3
and 1."""


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """One seat; *name* is empty while nobody has sat down, and only *proposed* till people do."""

    seat: int
    name: str = ""
    proposed: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A key below the table: what it is, and how it stands."""

    text: Value
    value: Value = ""
    loud: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsPage(Page):
    """Who plays.

    Attributes:
        seats: every seat of the mat, clockwise from the near left.
        middle: two or three short lines, for the middle of the table.
        free: what stands on a free seat.
        choices: the keys below; *focus* marks one of them, or a seat beyond the last of them.
    """

    seats: tuple[SeatPlate, ...]
    middle: tuple[Value, ...]
    free: Value
    choices: tuple[Choice, ...]

    def answers(self) -> Sequence[Value]:
        """Return the keys, and then the seats."""
        keys = [labelled(choice.text, choice.value) for choice in self.choices]
        return [*keys, *(labelled(seat.seat + 1, seat.name or self.free) for seat in self.seats)]


def draw_seats(canvas: Canvas, page: SeatsPage) -> None:
    """Draw the table from above, its seats round it, and the keys."""
    keys_h, gap = canvas.px(0.145), canvas.px(0.02)
    table, keys = split_y(canvas.area, canvas.area.h - keys_h - gap, gap)
    _draw_table(canvas, page, table)
    _draw_choices(canvas, page, keys)


def places(room: Rect, count: int, chip: tuple[int, int]) -> list[Rect]:
    """Return where the seats' plates lie round *room*: clockwise from the near left."""
    width, height = chip
    sides = SIDES.get(count, (3, 1, 3, 1))

    def row(number: int, y: int) -> list[Rect]:
        gap = (room.w - number * width) / max(1, number)
        return [Rect(round(room.x + gap / 2 + n * (width + gap)), y, width, height) for n in
                range(number)]  # fmt: skip

    near, far = row(sides[0], room.bottom - height), row(sides[2], room.y)
    middle = room.centery - height // 2
    if count == 5:
        # By the paper the fourth seat lies at the far side or at the right end: between them.
        middle = (room.y + middle) // 2
    left = [Rect(room.x, middle, width, height)] * sides[1]
    right = [Rect(room.right - width, middle, width, height)] * sides[3]
    return [*near[:1], *left, *far, *right, *reversed(near[1:])][:count]


def _draw_table(canvas: Canvas, page: SeatsPage, room: Rect) -> None:
    theme = canvas.theme
    chip = (min(round(room.w * 0.26), canvas.px(0.46)), canvas.px(0.098))
    rim = room.inflate(-round(chip[0] * 0.9), -chip[1])
    canvas.box(rim, theme.rim, theme.brass_deep, radius=1.0, line=0.005)
    felt = rim.inflate(-canvas.px(0.04), -canvas.px(0.04))
    canvas.box(felt, theme.felt, theme.felt_edge, radius=1.0, line=0.004)
    inner = Rect(0, 0, room.w - 2 * chip[0] - canvas.px(0.06), room.h - 2 * chip[1])
    inner.h -= canvas.px(0.03)
    inner.center = room.center
    _draw_centre(canvas, page, inner)
    count = max(2, len(page.seats))
    for number, (seat, place) in enumerate(
        zip(page.seats, places(room, count, chip), strict=False)
    ):
        marked = number == page.focus - len(page.choices)
        _draw_seat(canvas, page, seat, place, marked=marked)
        canvas.touches.append(TouchArea(place, "have", len(page.choices) + number))


def _draw_centre(canvas: Canvas, page: SeatsPage, room: Rect) -> None:
    theme = canvas.theme
    heights = [0.088, *[0.052] * (len(page.middle) - 1)]
    share = min(1.0, room.h / max(1, sum(canvas.px(each) for each in heights)))
    top = room.centery - round(sum(canvas.px(each) for each in heights) * share) // 2
    for number, (text, pitch) in enumerate(zip(page.middle, heights, strict=True)):
        row = Rect(room.x, top, room.w, round(canvas.px(pitch) * share))
        if number == 0:
            canvas.line(text, row, 0.05, theme.brass, face=Face.TITLE, align=0.5, smallest=0.4)
        else:
            canvas.line(text, row, SMALL_CAP, theme.ivory, align=0.5, smallest=0.5)
        top = row.bottom


def _draw_seat(
    canvas: Canvas, page: SeatsPage, seat: SeatPlate, place: Rect, *, marked: bool
) -> None:
    theme = canvas.theme
    taken = bool(seat.name) and not seat.proposed
    if marked:
        ink = canvas.tile(place, chosen=True)
    elif taken:
        canvas.box(place, theme.plate, theme.brass, radius=0.03, line=0.006)
        ink = theme.ivory
    else:
        canvas.box(place, (*theme.room, 235), theme.plate_edge, radius=0.03)
        ink = theme.muted
    inner = place.inflate(-2 * canvas.px(0.014), -2 * canvas.px(0.012))
    disc = Rect(inner.x, inner.centery - canvas.px(0.028), canvas.px(0.056), canvas.px(0.056))
    fill, letter = (theme.brass, theme.ink) if taken or marked else (theme.plate_edge, theme.ivory)
    if not taken and not marked and theme.name == "contrast":
        fill, letter = theme.room, theme.ivory
    canvas.box(disc, fill, theme.ivory if fill == theme.room else None, radius=1.0)
    canvas.line(str(seat.seat + 1), disc.inflate(-4, -4), 0.028, letter, align=0.5)
    words = split_x(inner, disc.w, canvas.px(0.014))[1]
    canvas.line(seat.name or page.free, words, 0.032, ink, smallest=0.45)


def _draw_choices(canvas: Canvas, page: SeatsPage, row: Rect) -> None:
    gap = canvas.px(0.018)
    shares = [1.25 if choice.loud else 1.0 for choice in page.choices]
    whole = row.w - gap * (len(shares) - 1)
    left = row.x
    for number, (choice, share) in enumerate(zip(page.choices, shares, strict=True)):
        width = round(whole * share / sum(shares))
        key = Rect(left, row.y, min(width, row.right - left), row.h)
        chosen = number == page.focus
        ink = canvas.tile(key, chosen=chosen)
        inner = key.inflate(-2 * canvas.px(0.016), -2 * canvas.px(0.014))
        colour = ink if chosen else canvas.theme.brass
        if choice.loud:
            words, value = split_y(inner, round(inner.h * 0.62) if choice.value else inner.h)
            face = Face.TITLE
            canvas.line(choice.text, words, 0.046, colour, face=face, align=0.5, smallest=0.4)
            canvas.line(choice.value, value, SMALL_CAP, ink, align=0.5, smallest=0.5)
        elif choice.value:
            label, value = split_y(inner, round(inner.h * 0.42))
            soft = ink if chosen else canvas.theme.muted
            canvas.line(choice.text, label, SMALL_CAP * 0.9, soft, align=0.5, smallest=0.5)
            canvas.line(choice.value, value, 0.036, ink, align=0.5, smallest=0.45)
        else:
            canvas.line(choice.text, inner, 0.034, colour, align=0.5, smallest=0.4)
        canvas.touches.append(TouchArea(key, "have", number))
        left = key.right + gap

"""Pictures to choose from: which card (or bone) was read wrongly, and what it really is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import Signs, TouchArea, card_signs, face_signs
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas
from display.drawing.shapes import CARD_ASPECT, Icon
from display.pages.base import SMALL_CAP, Page
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Value

MOST_IN_A_ROW = 9

ROW, TWO_ROWS, PITCH = 0.05, 0.08, 1.5
"""Heights of a name below a picture, and of one in two lines, as shares; and from line to line."""

SQUEEZED = 0.75
"""Rather than smaller than this share of its size a name is written in two lines."""

LABEL_CAP = SMALL_CAP * 0.85


@dataclass(frozen=True, slots=True)
class Pick:
    """One picture and the words below it; *spoken* is what is said of it."""

    what: Card | BoneFace
    label: Value = ""
    spoken: Value = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsPage(Page):
    """Pictures in rows; *empty* stands there when there are none."""

    items: tuple[Pick, ...]
    empty: Value = ""

    def answers(self) -> Sequence[Value]:
        """Return what is said of each picture."""
        return [pick.spoken for pick in self.items]


def draw_cards(canvas: Canvas, page: CardsPage) -> None:
    """Draw the pictures, as large as they all fit."""
    if not page.items:
        canvas.words(page.empty, canvas.area, 0.04, canvas.theme.muted, align=0.5)
        return
    widest = max(canvas.text_width(pick.label, LABEL_CAP) for pick in page.items)
    foot = canvas.px(ROW) if widest else 0
    columns, cell = _grid(canvas.area, len(page.items), foot, canvas)
    if widest * SQUEEZED > cell[0] - canvas.px(0.026):
        foot = canvas.px(TWO_ROWS)
        columns, cell = _grid(canvas.area, len(page.items), foot, canvas)
    rows = -(-len(page.items) // columns)
    top = canvas.area.centery - rows * cell[1] // 2
    signs = _signs(page.items, canvas.language)
    for number, pick in enumerate(page.items):
        row = number // columns
        in_row = min(columns, len(page.items) - row * columns)
        left = canvas.area.centerx - in_row * cell[0] // 2
        place = Rect(left + number % columns * cell[0], top + row * cell[1], *cell)
        _draw_pick(canvas, pick, place, foot=foot, chosen=number == page.focus)
        is_marked = number == page.focus
        touch = TouchArea(place, "have", number, signs=signs[number], is_marked=is_marked)
        canvas.touches.append(touch)


def _signs(items: Sequence[Pick], language: str) -> list[Signs]:
    cards = [pick.what for pick in items if isinstance(pick.what, Card)]
    faces = [pick.what for pick in items if isinstance(pick.what, BoneFace)]
    if cards and faces:
        return [()] * len(items)
    return face_signs(faces) if faces else card_signs(cards, language)


def _grid(room: Rect, count: int, foot: int, canvas: Canvas) -> tuple[int, tuple[int, int]]:
    """Return the number of columns with which the pictures are largest, and the size of a cell."""
    best = (0.0, 1, (1, 1))
    for columns in range(1, min(count, MOST_IN_A_ROW if count > 13 else 13) + 1):
        rows = -(-count // columns)
        width, height = room.w / columns, room.h / rows
        tall = min(height - foot - canvas.px(0.03), (width - canvas.px(0.03)) / CARD_ASPECT)
        tall = min(tall, canvas.px(0.5))
        if tall > best[0]:
            wide = min(width, max(tall * CARD_ASPECT * 1.25, canvas.px(0.24) if foot else 0))
            cell = (int(wide), int(min(height, tall + foot + canvas.px(0.03))))
            best = (tall, columns, cell)
    return best[1], best[2]


def _draw_pick(canvas: Canvas, pick: Pick, place: Rect, *, foot: int, chosen: bool) -> None:
    theme = canvas.theme
    cell = place.inflate(-canvas.px(0.01), -canvas.px(0.01))
    ink = canvas.tile(cell, chosen=True) if chosen else theme.ivory
    room = Rect(cell.x, cell.y, cell.w, cell.h - foot).inflate(-canvas.px(0.02), -canvas.px(0.02))
    if isinstance(pick.what, BoneFace):
        height = min(room.h, round(room.w / BONE_ASPECT))
        width = max(4, round(height * BONE_ASPECT))
        at = (room.centerx - width // 2, room.centery - height // 2)
        canvas.bone(pick.what, height, at)
    else:
        height = min(room.h, round(room.w / CARD_ASPECT))
        at = (room.centerx - round(height * CARD_ASPECT) // 2, room.centery - height // 2)
        canvas.card(pick.what, height, at, large=height > 120)
    mark = canvas.px(0.034)
    at = (cell.centerx - mark // 2, room.bottom - mark // 4)
    if pick.label:
        words = Rect(cell.x, room.bottom, cell.w, cell.bottom - room.bottom)
        words = words.inflate(-canvas.px(0.016), -canvas.px(0.012))
        at = (words.x + canvas.px(0.004), room.bottom - mark)
        canvas.words(pick.label, words, LABEL_CAP, ink, align=0.5, smallest=0.5, pitch=PITCH)
    if chosen:
        canvas.icon(Icon.CHOSEN, mark, theme.brass_deep, theme.ivory, at)

"""A name, entered letter by letter with the knob, two buttons or a finger."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, split_y
from display.drawing.text import Face
from display.pages.base import Page
from engine.core.messages.message import Value

COLUMNS = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class LettersPage(Page):
    """The letters to choose from.

    Attributes:
        name: as it is so far.
        keys: letters, and the words of the last keys (space, delete, done); *focus* marks one.
    """

    name: str
    keys: tuple[Value, ...]

    def marked(self) -> Value:
        """Return the letter marked."""
        return self.keys[self.focus] if 0 <= self.focus < len(self.keys) else ""


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
    canvas.touches.append(TouchArea(place, "have", number))

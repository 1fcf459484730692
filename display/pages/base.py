"""What all pages share: the value they are drawn from, their frame, and their keys.

A page is an immutable value, in no language yet; its hints say what the buttons do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import BUTTON_WORDS, TouchArea
from display.drawing.canvas import Canvas
from display.drawing.text import Face, Written
from engine.core.messages.message import Joined, Value, sentences
from engine.core.messages.prompt import KeyHint

TITLE_CAP, NOTE_CAP, ROW_CAP, SMALL_CAP = 0.05, 0.028, 0.036, 0.026
"""Heights of capitals as shares of the screen's height."""

HEAD, FOOT = 0.135, 0.115
"""Heights of the title above and the keys below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What every screen has.

    Attributes:
        title: what this screen is.
        note: a sentence below the title.
        hints: what the buttons do, in the order in which they are shown.
        focus: which item is marked, from 0; -1 for none.
        warning: *note* says that something is wrong.
    """

    title: Value
    note: Value = ""
    hints: tuple[KeyHint, ...] = ()
    focus: int = -1
    warning: bool = False

    def keys_shown(self, canvas: Canvas) -> tuple[KeyHint, ...]:
        """Return what the buttons do where the page has the area of *canvas*."""
        return self.hints

    def spoken(self) -> Value:
        """Return what is said when this screen comes up."""
        return sentences(joined(self.title, "."), self.note)

    def answers(self) -> Sequence[Value]:
        """Return what is said of each item that can be marked."""
        return ()

    def marked(self) -> Value:
        """Return what is said of the item that is marked."""
        answers = self.answers()
        return answers[self.focus] if 0 <= self.focus < len(answers) else ""


def joined(*parts: Value) -> Value:
    """Return *parts* put together as they are."""
    return Joined(parts, "")


def labelled(label: Value, value: Value) -> Value:
    """Return what is said of something that stands at *value*; empty where it has none."""
    return joined(label, ": ", value, ".") if value else joined(label, ".")


@dataclass(frozen=True, slots=True)
class RenderResult:
    """What a screen wrote, and where it can be touched; of touches that overlap the last counts."""

    written: tuple[Written, ...]
    touches: tuple[TouchArea, ...]


def frame(canvas: Canvas, page: Page, size: tuple[int, int]) -> None:
    """Draw title, note and keys, and leave the room between them in ``canvas.area``."""
    theme, unit = canvas.theme, canvas.unit
    side = canvas.px(0.035)
    head = Rect(side, canvas.px(0.012), size[0] - 2 * side, canvas.px(HEAD))
    foot = Rect(0, size[1] - canvas.px(FOOT), size[0], canvas.px(FOOT))
    title = Rect(head.x, head.y, head.w, round(head.h * (0.66 if page.note else 1)))
    canvas.line(page.title, title, TITLE_CAP, theme.brass, face=Face.TITLE)
    if page.note:
        note = Rect(head.x, title.bottom, head.w, head.bottom - title.bottom)
        colour = theme.alarm if page.warning else theme.muted
        canvas.line(page.note, note, NOTE_CAP, colour, smallest=0.5)
    if not page.hints:
        foot.h, foot.y = 0, size[1] - side
    gap = canvas.px(0.012)
    canvas.area = Rect(
        head.x, head.bottom + gap, head.w, foot.top - head.bottom - gap - max(gap, unit // 60)
    )
    if page.hints:
        draw_keys(canvas, page.keys_shown(canvas), foot)


def draw_keys(canvas: Canvas, hints: Sequence[KeyHint], foot: Rect) -> None:
    """Draw the keys and what each does; the keys can be touched."""
    theme = canvas.theme
    line = max(2, canvas.px(0.005))
    canvas.fill(theme.band, foot)
    canvas.fill(theme.brass, Rect(foot.x, foot.y, foot.w, line))
    row = Rect(foot.x, foot.y + line, foot.w, foot.h - line)
    row = row.inflate(-2 * canvas.px(0.035), -2 * canvas.px(0.024))
    gap, pad = canvas.px(0.035), canvas.px(0.016)
    cap = 0.024
    names = [BUTTON_WORDS[hint.button] for hint in hints]
    keys = [canvas.text_width(name, cap) + 2 * pad for name in names]
    texts = [canvas.text_width(hint.message, cap) + pad for hint in hints]
    wanted = sum(keys) + sum(texts) + gap * (len(hints) - 1)
    share = min(1.0, (row.w - gap * (len(hints) - 1)) / max(1, wanted - gap * (len(hints) - 1)))
    left = row.x
    for hint, name, key_w, text_w in zip(hints, names, keys, texts, strict=True):
        key = Rect(left, row.y, int(key_w * share), row.h)
        canvas.box(key, theme.plate, theme.brass, radius=0.014)
        inner = key.inflate(-pad, -2)
        canvas.line(name, inner, cap, theme.brass, align=0.5, smallest=0.4)
        words = Rect(key.right + pad // 2, row.y, int(text_w * share) - pad // 2, row.h)
        canvas.line(hint.message, words, cap, theme.ivory, smallest=0.4)
        area = Rect(key.x, foot.y, words.right - key.x, foot.h)
        canvas.touches.append(TouchArea(area, hint.button))
        left = words.right + gap


def rows_that_fit(canvas: Canvas, count: int, pitch: float) -> int:
    """Return how many rows of height *pitch* (a share) the area holds, at most *count*."""
    return max(1, min(count, canvas.area.h // canvas.px(pitch)))


def first_row(focus: int, count: int, shown: int) -> int:
    """Return the first of *shown* rows; the marked one is among them, midway if it can be.

    >>> first_row(0, 10, 4), first_row(5, 10, 4), first_row(9, 10, 4), first_row(2, 3, 4)
    (0, 3, 6, 0)
    """
    return max(0, min(focus - shown // 2, count - shown))

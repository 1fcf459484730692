"""The rules of the game on one page: headings and sentences, flowing in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas
from display.drawing.shapes import CARD_ASPECT
from display.drawing.text import LINE_PITCH, Face, text_width, wrapped
from display.pages.base import Page, joined
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Joined, Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.text.rules_page import Rule

CAPS = (0.026, 0.024, 0.022, 0.0205, 0.019, 0.0175)
"""Heights of a capital to be tried, the largest first: what fits one page is taken."""

LEAST_PX = 10
"""A capital lower than so many pixels is read with effort: rather another leaf."""

COLUMNS = 2

PICTURE, LEAF = 0.115, 0.16
"""Height of the pictures at the head, and the room for the number of a leaf, as shares."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and the sentences below it."""

    text: Value
    sentences: tuple[Value, ...]


def rule_words(rule: Rule) -> Message:
    """Return a sentence of the rules: its words are translated before its numbers are put in."""
    return Message(rule.text, **{name: str(value) for name, value in rule.values.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage(Page):
    """The rules; *focus* is the leaf shown where they do not fit one (large text).

    Attributes:
        cards: what the game is about, as pictures at the head; ``None`` is a back.
        bones: the same where bones are thrown.
    """

    sections: tuple[Heading, ...]
    cards: tuple[Card | None, ...] = ()
    bones: tuple[BoneFace, ...] = ()

    def keys_shown(self, canvas: Canvas) -> tuple[KeyHint, ...]:
        """Return what the buttons do; STICK turns to the next leaf where there are several."""
        if len(leaves_of(canvas, self)[0]) < 2:
            return self.hints
        return (KeyHint("stick", Message("next page")), *self.hints)

    def spoken(self) -> Value:
        """Return all of it, for people who cannot read it."""
        parts = [joined(self.title, ".")]
        for section in self.sections:
            parts += [joined(section.text, "."), *section.sentences]
        return Joined(tuple(parts))


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    heading: bool = False
    first: bool = False


def draw_rules(canvas: Canvas, page: RulesPage) -> None:
    """Draw one leaf, in the largest letters with which the rules are so few leaves."""
    leaves, cap = leaves_of(canvas, page)
    leaf = leaves[max(0, page.focus) % len(leaves)]
    gap = canvas.px(0.05)
    width = (canvas.area.w - gap * (COLUMNS - 1)) // COLUMNS
    pitch = canvas.unit * cap * canvas.painter.scale * LINE_PITCH
    for number, column in enumerate(leaf):
        left, top = canvas.area.x + number * (width + gap), float(canvas.area.y)
        for line in column:
            if line.heading and top > canvas.area.y:
                top += pitch * 0.35
            _draw_line(canvas, line, Rect(left, round(top), width, round(pitch)), cap)
            top += pitch
    if len(leaves) > 1:
        foot = f"{max(0, page.focus) % len(leaves) + 1} / {len(leaves)}"
        corner = Rect(canvas.area.right - canvas.px(LEAF), canvas.px(0.03), canvas.px(LEAF), 0)
        corner.h = canvas.px(0.06)
        canvas.line(foot, corner, 0.03, canvas.theme.muted, align=1.0)
    _draw_pictures(canvas, page)
    canvas.touches.append(TouchArea(canvas.area.copy(), "right"))


def _draw_pictures(canvas: Canvas, page: RulesPage) -> None:
    """Draw what the game is about at the right of the head, where the words leave room."""
    height, gap = canvas.px(PICTURE), canvas.px(0.012)
    count, aspect = len(page.cards), CARD_ASPECT
    if page.bones:
        count, aspect = len(page.bones), BONE_ASPECT
    width = round(height * aspect)
    end = canvas.area.right - canvas.px(LEAF)
    left = end - count * (width + gap)
    head = [piece.ink for piece in canvas.painter.written if piece.ink.top < canvas.area.y]
    words = max((ink.right for ink in head if ink.left < end), default=0)
    if not count or left < words + gap:
        return
    for number in range(count):
        at = (left + number * (width + gap), canvas.area.y - height - gap)
        if page.bones:
            canvas.bone(page.bones[number], height, at)
        else:
            canvas.card(page.cards[number], height, at)


def leaves_of(canvas: Canvas, page: RulesPage) -> tuple[list[list[list[_Line]]], float]:
    """Return the leaves, each of columns of lines, and the height of a capital in them."""
    gap = canvas.px(0.05)
    width = (canvas.area.w - gap * (COLUMNS - 1)) // COLUMNS
    best: list[list[list[_Line]]] = []
    best_cap = CAPS[0]
    # Large text would rather turn a leaf than shrink.
    caps = CAPS if canvas.painter.scale <= 1 else CAPS[:2]
    for cap in caps:
        size = canvas.unit * cap * canvas.painter.scale
        if best and (len(best) == 1 or size < LEAST_PX):
            break
        leaves = _flow(_lines(canvas, page, size, width), canvas.area.h, size * LINE_PITCH)
        if not best or len(leaves) < len(best):
            best, best_cap = leaves, cap
    return best, best_cap


def _lines(canvas: Canvas, page: RulesPage, size: float, width: int) -> list[_Line]:
    indent = round(size * 1.3)
    lines: list[_Line] = []
    for section in page.sections:
        lines.append(_Line(canvas.say(section.text), heading=True))
        for sentence in section.sentences:
            parts = wrapped(canvas.say(sentence), Face.PLAIN, size, width - indent)
            lines += [_Line(part, first=number == 0) for number, part in enumerate(parts)]
    return lines


def _flow(lines: Sequence[_Line], height: int, pitch: float) -> list[list[list[_Line]]]:
    """Fill column after column; a heading never stands alone at the foot of one."""
    columns: list[list[_Line]] = [[]]
    top = 0.0
    for number, line in enumerate(lines):
        space = pitch * (1.35 if line.heading and columns[-1] else 1.0)
        needed = space + (pitch if line.heading and number + 1 < len(lines) else 0.0)
        if columns[-1] and top + needed > height:
            columns.append([])
            top, space = 0.0, pitch
        columns[-1].append(line)
        top += space
    return [columns[at : at + COLUMNS] for at in range(0, len(columns), COLUMNS)]


def _draw_line(canvas: Canvas, line: _Line, row: Rect, cap: float) -> None:
    theme = canvas.theme
    if line.heading:
        canvas.line(line.text, row, cap * 1.12, theme.brass, face=Face.TITLE, smallest=0.7)
        return
    size = canvas.unit * cap * canvas.painter.scale
    indent = round(size * 1.3)
    if line.first:
        dot = max(2, round(size * 0.34))
        mark = Rect(row.x + dot, row.centery - dot // 2, dot, dot)
        canvas.box(mark, theme.brass, radius=1.0)
    words = Rect(row.x + indent, row.y, row.w - indent, row.h)
    words.w = max(words.w, min(row.w, text_width(line.text, Face.PLAIN, size)))
    words.right = min(words.right, row.right)
    canvas.line(line.text, words, cap, theme.ivory, smallest=0.85)

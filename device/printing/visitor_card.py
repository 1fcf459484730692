"""The visitors' card to lay beside the table: how to begin, in every language, as a vector PDF."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from device.printing.mat_pdf import MatPdfError, canvas_of
from display.controls import BUTTON_WORDS
from display.i18n.languages import language_of
from display.i18n.translate import Translator
from engine.core.messages.message import Message, Value

PAGES = {"A5": (148.0, 210.0), "A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height in millimetres, upright."""

TITLE = Message("This table reads your cards")

STEPS: tuple[Value, ...] = (
    Message("Press any button, or touch the screen."),
    Message("Choose a game, and sit down with the button at your seat or on the screen."),
    Message("Deal real cards on the mat, side by side. The table sees what lies open."),
    Message(
        "It is your turn? {have}: one more card. {stick}: no more.",
        have=BUTTON_WORDS["have"],
        stick=BUTTON_WORDS["stick"],
    ),
    Message(
        "It asks? {have}: yes. {stick}: the next answer. {undo} takes back the last thing.",
        have=BUTTON_WORDS["have"],
        stick=BUTTON_WORDS["stick"],
        undo=BUTTON_WORDS["undo"],
    ),
    Message("Keep hands away from the cards for a moment: then they are read."),
)
"""What visitors need to know, in the order in which they need it."""

FOOT: tuple[Value, ...] = (
    Message("Something wrong? Please call the host."),
    Message("No picture of you is kept."),
)

_MM = 72 / 25.4
_MARGIN_MM = 9.0
_GAP_MM = 4.0
LARGEST_PT, SMALLEST_PT = 26.0, 5.5
"""Sizes of the letters: as large as the card holds, and the smallest that can be read."""

_LEADING = 1.28
PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
INDENT = 1.3
"""Room for the number of a step, in sizes of its letters."""
_FELT, _BRASS, _INK = (0.09, 0.24, 0.2), (0.6, 0.44, 0.16), (0.1, 0.12, 0.11)


@dataclass(frozen=True, slots=True)
class _Line:
    """Words of one line, their font and size, how far they are indented, and a number before."""

    words: str
    font: str
    points: float
    indent: float = 0.0
    number: str = ""


def visitor_card(languages: Sequence[str], page: str = "A5") -> bytes:
    """Return the card in *languages*, one below the other, as large as *page* allows.

    Raises:
        MatPdfError: reportlab is not installed, or that many languages do not fit.
    """
    new_canvas = canvas_of("the card")
    size = PAGES[page]
    out = io.BytesIO()
    # Invariant: the same card gives the same bytes, with no date in them.
    canvas = new_canvas(out, pagesize=(size[0] * _MM, size[1] * _MM), invariant=1)
    canvas.setTitle("boneace: a card for visitors")
    canvas.setCreator("boneace card")
    _draw(canvas, languages, size)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw(canvas: Any, languages: Sequence[str], size: tuple[float, float]) -> None:
    from reportlab.lib.utils import simpleSplit

    wide = (size[0] - 2 * _MARGIN_MM) * _MM
    high = (size[1] - 2 * _MARGIN_MM) * _MM - (len(languages) - 1) * _GAP_MM * _MM

    def lines(language: str, letters: float) -> list[_Line]:
        say = Translator.of(language).render
        found = [_Line(say(TITLE), BOLD, 1.25 * letters)]
        for number, step in enumerate(STEPS, 1):
            words = simpleSplit(say(step), PLAIN, letters, wide - INDENT * letters)
            found += [
                _Line(each, PLAIN, letters, INDENT * letters, "" if place else str(number))
                for place, each in enumerate(words)
            ]
        foot = "  ".join(say(each) for each in FOOT)
        return [
            *found,
            *(_Line(each, BOLD, letters) for each in simpleSplit(foot, BOLD, letters, wide)),
        ]

    def needed(letters: float) -> float:
        every = [line for language in languages for line in lines(language, letters)]
        return sum(line.points * _LEADING for line in every)

    letters = LARGEST_PT
    while needed(letters) > high and letters > SMALLEST_PT:
        letters -= 0.25
    if needed(letters) > high:
        raise MatPdfError("so many languages do not fit on the card; choose a larger --page")
    top = (size[1] - _MARGIN_MM) * _MM
    for place, language in enumerate(languages):
        if place:
            top -= _GAP_MM * _MM / 2
            canvas.setStrokeColorRGB(*_BRASS)
            canvas.setLineWidth(0.6)
            canvas.line(_MARGIN_MM * _MM, top, _MARGIN_MM * _MM + wide, top)
            top -= _GAP_MM * _MM / 2
        for number, line in enumerate(lines(language, letters)):
            top -= line.points * _LEADING
            foot = top + 0.28 * line.points
            canvas.setFillColorRGB(*(_INK if number else _FELT))
            canvas.setFont(line.font, line.points)
            canvas.drawString(_MARGIN_MM * _MM, foot, line.number)
            canvas.drawString(_MARGIN_MM * _MM + line.indent, foot, line.words)
            if not number and len(languages) > 1:
                canvas.setFont(PLAIN, 0.8 * letters)
                canvas.setFillColorRGB(*_BRASS)
                name = language_of(language).name
                canvas.drawRightString(_MARGIN_MM * _MM + wide, foot, name)

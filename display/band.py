"""What the croupier says: the band along the bottom."""

from __future__ import annotations

import math

from pygame import Rect

from display.art import Sign, panel, sign, stamp
from display.pen import Face, Pen, text_width
from display.prompts import Prompt, PromptKind
from display.theme import Theme

TITLE_CAP, DETAIL_CAP = 0.078, 0.034
"""Heights of capitals as shares of the screen's height."""

_SIGN_OF = {
    PromptKind.TURN: Sign.TURN,
    PromptKind.QUESTION: Sign.QUESTION,
    PromptKind.TROUBLE: Sign.TROUBLE,
}


def draw_band(pen: Pen, theme: Theme, prompt: Prompt, band: Rect, unit: int, time_s: float) -> None:
    """Write what the croupier says; *unit* is the height of the screen."""
    trouble = prompt.kind is PromptKind.TROUBLE
    pen.surface.fill(theme.alarm_ground if trouble else theme.band, band)
    line = max(2, round(0.005 * unit))
    pen.surface.fill(theme.alarm if trouble else theme.brass, Rect(band.x, band.y, band.w, line))
    inner = Rect(band.x, band.y + line, band.w, band.h - line)
    inner = inner.inflate(-round(0.05 * unit), -round(0.028 * unit))
    left = inner.x
    which = _SIGN_OF.get(prompt.kind)
    if which is not None:
        size = round(0.085 * unit)
        colour = theme.alarm if trouble else theme.brass
        picture = sign(pen.sprites, which, size, colour, theme.band)
        # The pointer leans towards the words once in three seconds, so a still table looks alive.
        sway = round(0.006 * unit * math.sin(time_s * 2 * math.pi / 3))
        x = left + (sway if prompt.kind is PromptKind.TURN else 0)
        stamp(pen.surface, picture, (max(left, x), inner.centery - size // 2))
        left += size + round(0.025 * unit)
    words = Rect(left, inner.y, inner.right - left, inner.h)
    answers = () if prompt.card_choices or prompt.bone_choices else prompt.choices
    detail = _detail(prompt)
    if not detail and not answers:
        pen.line(prompt.title, words, TITLE_CAP * unit, theme.ivory, face=Face.TITLE, smallest=0.5)
        return
    share = 0.58 if answers else 0.66
    title = Rect(words.x, words.y, words.w, round(words.h * share))
    pen.line(prompt.title, title, TITLE_CAP * unit, theme.ivory, face=Face.TITLE, smallest=0.5)
    row = Rect(words.x, title.bottom, words.w, words.bottom - title.bottom)
    if answers:
        row.w -= draw_answers(pen, theme, prompt, answers, row, unit)
    soft = theme.ivory if trouble else theme.muted
    if prompt.hint and not trouble:
        _draw_hint(pen, theme, prompt, row, unit)
    else:
        pen.line(detail, row, DETAIL_CAP * unit, soft)


def _detail(prompt: Prompt) -> str:
    return " ".join(part for part in (prompt.detail, prompt.hint) if part)


def _draw_hint(pen: Pen, theme: Theme, prompt: Prompt, row: Rect, unit: int) -> None:
    """Write what the teaching mode says on the right of the detail, in another colour."""
    cap = DETAIL_CAP * unit
    gap = round(0.03 * unit)
    told = text_width(prompt.detail, Face.PLAIN, cap * pen.scale) if prompt.detail else 0
    wanted = text_width(prompt.hint, Face.PLAIN, cap * pen.scale) + 2
    whole = row.w - (gap if told else 0)
    if told + wanted > whole:
        told = round(whole * told / (told + wanted))
    left = Rect(row.x, row.y, told, row.h)
    right = Rect(row.x + told + (gap if told else 0), row.y, 0, row.h)
    right.w = row.right - right.x
    pen.line(prompt.detail, left, cap, theme.muted, smallest=0.5)
    pen.line(prompt.hint, right, cap, theme.brass, smallest=0.5)


def draw_answers(
    pen: Pen,
    theme: Theme,
    prompt: Prompt,
    answers: tuple[str, ...],
    row: Rect,
    unit: int,
    align: float = 1.0,
) -> int:
    """Draw answers as keys in *row* and return the width they take with the gap before them."""
    pad, gap = round(0.02 * unit), round(0.015 * unit)
    cap = 0.034 * unit
    widths = [text_width(answer, Face.PLAIN, cap) + 2 * pad for answer in answers]
    total = sum(widths) + gap * (len(answers) - 1)
    most = row.w if align != 1.0 or not prompt.detail else round(row.w * 0.62)
    if total > most:
        scale = (most - gap * (len(answers) - 1)) / sum(widths)
        widths = [int(width * scale) for width in widths]
        total = sum(widths) + gap * (len(answers) - 1)
    left = row.x + round((row.w - total) * align)
    for number, (answer, width) in enumerate(zip(answers, widths, strict=True)):
        key = Rect(left, row.y, width, row.h)
        chosen = number == prompt.selected
        fill = theme.brass if chosen else theme.plate
        stamp(
            pen.surface,
            panel(pen.sprites, key.size, fill, theme.brass, radius=key.h * 0.3, line=0.003 * unit),
            key.topleft,
        )
        ink = theme.ink if chosen else theme.ivory
        pen.line(answer, key.inflate(-pad, -2), cap, ink, align=0.5, smallest=0.5)
        left += width + gap
    return total + gap

"""What the croupier says: the band along the bottom."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pygame import Rect

from display.controls import BUTTON_WORDS, TouchArea
from display.drawing.shapes import Icon, panel, sign, stamp
from display.drawing.text import Face, TextPainter, text_width
from display.drawing.theme import Theme
from display.i18n.translate import Translator
from display.prompts.prompt import PromptText
from display.table.layout import MARGIN
from engine.core.messages.prompt import PromptKind

TITLE_CAP, DETAIL_CAP, KEY_CAP = 0.078, 0.034, 0.026
"""Heights of capitals as shares of the screen's height."""

CLOSE_TITLE_CAP, CLOSE_DETAIL_CAP = 0.052, 0.028
"""The same where the band has three rows."""

REFUSED, REFUSED_CAP = 0.042, 0.028
"""Heights of the line that says why a press was refused, and of its capitals."""

_SIGN_OF = {
    PromptKind.TURN: Icon.TURN,
    PromptKind.QUESTION: Icon.QUESTION,
    PromptKind.TROUBLE: Icon.TROUBLE,
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Where everything in the band stands; a row of no height is not there.

    Attributes:
        title: the sentence itself.
        detail: the smaller sentence below it.
        keys: the keys, with the answers in words on their right.
        sign: where the picture before the words begins, and how high it is; ``None`` without one.
        caps: heights of the capitals of title and detail, as shares.
    """

    title: Rect
    detail: Rect
    keys: Rect
    sign: Rect | None
    caps: tuple[float, float] = (TITLE_CAP, DETAIL_CAP)


def draw_band(
    pen: TextPainter,
    theme: Theme,
    prompt: PromptText,
    band: Rect,
    unit: int,
    time_s: float,
    words: Translator,
) -> None:
    """Write what the croupier says; *unit* is the height of the screen."""
    trouble = prompt.kind is PromptKind.TROUBLE
    refused, band = _divided(prompt, band, unit)
    pen.surface.fill(theme.plate, refused)
    inner = refused.inflate(-round(0.05 * unit), -2)
    pen.line(prompt.refused, inner, REFUSED_CAP * unit, theme.ivory, smallest=0.5)
    pen.surface.fill(theme.alarm_ground if trouble else theme.band, band)
    line = _line(unit)
    pen.surface.fill(theme.alarm if trouble else theme.brass, Rect(band.x, band.y, band.w, line))
    rows = _rows(prompt, band, unit, words, pen.scale)
    if rows.sign is not None:
        colour = theme.alarm if trouble else theme.brass
        picture = sign(pen.sprites, _SIGN_OF[prompt.kind], rows.sign.w, colour, theme.band)
        # The pointer leans towards the words once in three seconds, so a still table looks alive.
        sway = round(0.006 * unit * math.sin(time_s * 2 * math.pi / 3))
        x = rows.sign.x + (sway if prompt.kind is PromptKind.TURN else 0)
        stamp(pen.surface, picture, (max(rows.sign.x, x), rows.sign.y))
    title_cap, detail_cap = rows.caps[0] * unit, rows.caps[1] * unit
    pen.line(prompt.title, rows.title, title_cap, theme.ivory, face=Face.TITLE, smallest=0.5)
    answers = _answers(prompt)
    detail = rows.detail.copy()
    if answers:
        taken = draw_answers(pen, theme, prompt, answers, _answer_row(prompt, rows), unit)
        if not prompt.keys:
            detail.w -= taken
    for key in _lay_keys(prompt, rows, unit, words, pen.scale):
        box = panel(
            pen.sprites, key.box.size, theme.plate, theme.brass, radius=0.014 * unit,
            line=max(1.0, 0.003 * unit),
        )  # fmt: skip
        stamp(pen.surface, box, key.box.topleft)
        inner = key.box.inflate(-round(0.02 * unit), -2)
        pen.line(key.name, inner, KEY_CAP * unit, theme.brass, align=0.5, smallest=0.4)
        pen.line(key.does, key.words, KEY_CAP * unit, theme.ivory, smallest=0.4)
    if detail.h:
        soft = theme.ivory if trouble else theme.muted
        if prompt.hint and not trouble:
            _draw_hint(pen, theme, prompt, detail, unit)
        else:
            least = 0.5 if prompt.keys else 0.62
            pen.line(_detail(prompt), detail, detail_cap, soft, smallest=least)


def band_touches(
    prompt: PromptText, band: Rect, unit: int, words: Translator, scale: float
) -> tuple[TouchArea, ...]:
    """Return where the keys, and the answers beside them, can be touched; *scale* of all text."""
    if not prompt.keys:
        return ()
    band = _divided(prompt, band, unit)[1]
    rows = _rows(prompt, band, unit, words, scale)
    touches = []
    for key in _lay_keys(prompt, rows, unit, words, scale):
        left, right = key.box.x - round(0.01 * unit), key.words.right + round(0.01 * unit)
        touches.append(_tall(left, right, band, unit, key.button))
    answers = _answers(prompt)
    if answers:
        row = _answer_row(prompt, rows)
        for number, place in enumerate(answer_places(prompt, answers, row, unit)):
            touches.append(_tall(place.left, place.right, band, unit, "have", number))
    return tuple(touches)


def _tall(
    left: int, right: int, band: Rect, unit: int, button: str, choice: int | None = None
) -> TouchArea:
    """Return a touch that reaches down to the edge, and above its key: a finger is no pointer."""
    top = band.bottom - round(0.1 * unit)
    return TouchArea(Rect(left, top, right - left, band.bottom - top), button, choice)


def _divided(prompt: PromptText, band: Rect, unit: int) -> tuple[Rect, Rect]:
    """Return the line for why a press was refused, of no height without one, and the rest.

    It begins in the margin below the plates, so that the words give up little of their room.
    """
    if not prompt.refused:
        return Rect(band.topleft, (band.w, 0)), band
    line = Rect(band.x, band.y - round(MARGIN * unit), band.w, round(REFUSED * unit))
    return line, Rect(band.x, line.bottom, band.w, band.bottom - line.bottom)


def _line(unit: int) -> int:
    return max(2, round(0.005 * unit))


def _rows(prompt: PromptText, band: Rect, unit: int, names: Translator, scale: float) -> Rows:
    """Divide the band among what *prompt* has."""
    line = _line(unit)
    inner = Rect(band.x, band.y + line, band.w, band.h - line)
    inner = inner.inflate(-round(0.05 * unit), -round(0.028 * unit))
    left = inner.x
    where = None
    if prompt.kind in _SIGN_OF:
        size = round(0.085 * unit)
        where = Rect(left, inner.centery - size // 2, size, size)
        left += size + round(0.025 * unit)
    words = Rect(left, inner.y, inner.right - left, inner.h)
    answers, detail = _answers(prompt), _detail(prompt)
    if prompt.keys and detail:
        told = text_width(detail, Face.PLAIN, DETAIL_CAP * unit * scale) + round(0.05 * unit)
        keys_w = _keys_width(prompt, unit, names, scale)
        if answers or told + keys_w > words.w:
            return _three_rows(words, where, unit)
    parts = (0.66, 0.34) if detail or prompt.keys else (1.0, 0.0)
    if answers:
        parts = (0.58, 0.42)
    title = Rect(words.x, words.y, words.w, round(words.h * parts[0]))
    second = Rect(words.x, title.bottom, words.w, words.bottom - title.bottom)
    if not prompt.keys:
        return Rows(title, second, Rect(words.x, words.bottom, words.w, 0), where)
    keys = second.copy()
    if detail:
        # One row for both: the keys at its end, where no words push them about.
        keys.w = keys_w
        keys.right = second.right
        second.w = keys.x - second.x
    else:
        second.h = 0
    return Rows(title, second, keys, where)


def _three_rows(words: Rect, where: Rect | None, unit: int) -> Rows:
    """Give title, detail and keys a row each."""
    words = words.inflate(0, round(0.014 * unit))
    title = Rect(words.x, words.y, words.w, round(words.h * 0.42))
    detail = Rect(words.x, title.bottom, words.w, round(words.h * 0.26))
    keys = Rect(words.x, detail.bottom, words.w, words.bottom - detail.bottom)
    return Rows(title, detail, keys, where, (CLOSE_TITLE_CAP, CLOSE_DETAIL_CAP))


def _answers(prompt: PromptText) -> tuple[str, ...]:
    """Return the answers that are words in the band: those with pictures lie on a sheet."""
    return () if prompt.card_choices or prompt.bone_choices else prompt.choices


def _answer_row(prompt: PromptText, rows: Rows) -> Rect:
    return rows.keys if prompt.keys else rows.detail


def _detail(prompt: PromptText) -> str:
    return " ".join(part for part in (prompt.detail, prompt.hint) if part)


def _draw_hint(pen: TextPainter, theme: Theme, prompt: PromptText, row: Rect, unit: int) -> None:
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


@dataclass(frozen=True, slots=True)
class _Key:
    """One key: its name in *box*, and what it *does* beside it in *words*."""

    button: str
    name: str
    does: str
    box: Rect
    words: Rect


def _lay_keys(
    prompt: PromptText, rows: Rows, unit: int, words: Translator, scale: float
) -> tuple[_Key, ...]:
    """Place the keys side by side from the left; narrower where they and the answers are many."""
    if not prompt.keys:
        return ()
    answers = _answers(prompt)
    row = rows.keys.copy()
    if answers:
        places = answer_places(prompt, answers, row, unit)
        row.w = max(1, places[0].left - round(0.02 * unit) - row.x)
    pad, gap = _pads(unit)
    names, boxes, texts = _measured(prompt, unit, words, scale)
    gaps = _gaps(texts, unit)
    share = min(1.0, (row.w - gaps) / max(1, sum(boxes) + sum(texts)))
    left = row.x
    laid = []
    for hint, name, box_w, text_w in zip(prompt.keys, names, boxes, texts, strict=True):
        box = Rect(left, row.y, int(box_w * share), row.h)
        said = Rect(box.right + (pad // 2 if text_w else 0), row.y, int(text_w * share), row.h)
        laid.append(_Key(hint.button, name, hint.text, box, said))
        left = said.right + gap
    return tuple(laid)


def _pads(unit: int) -> tuple[int, int]:
    """Return the room round the name of a key, and between two keys."""
    return round(0.014 * unit), round(0.03 * unit)


def _measured(
    prompt: PromptText, unit: int, words: Translator, scale: float
) -> tuple[list[str], list[int], list[int]]:
    """Return the names of the keys, and how wide each and what it does would like to be."""
    cap, pad = KEY_CAP * unit * scale, _pads(unit)[0]
    names = [words(BUTTON_WORDS[hint.button]) for hint in prompt.keys]
    boxes = [text_width(name, Face.PLAIN, cap) + 2 * pad for name in names]
    texts = [text_width(hint.text, Face.PLAIN, cap) + 2 if hint.text else 0 for hint in prompt.keys]
    return names, boxes, texts


def _gaps(texts: list[int], unit: int) -> int:
    pad, gap = _pads(unit)
    return gap * (len(texts) - 1) + sum(pad // 2 for text in texts if text)


def _keys_width(prompt: PromptText, unit: int, words: Translator, scale: float) -> int:
    _names, boxes, texts = _measured(prompt, unit, words, scale)
    return sum(boxes) + sum(texts) + _gaps(texts, unit)


def answer_places(
    prompt: PromptText, answers: tuple[str, ...], row: Rect, unit: int, align: float = 1.0
) -> tuple[Rect, ...]:
    """Return where the keys of the *answers* lie in *row*."""
    pad, gap = round(0.02 * unit), round(0.015 * unit)
    cap = DETAIL_CAP * unit
    widths = [text_width(answer, Face.PLAIN, cap) + 2 * pad for answer in answers]
    total = sum(widths) + gap * (len(answers) - 1)
    shared = prompt.detail or prompt.keys
    most = row.w if align != 1.0 or not shared else round(row.w * 0.62)
    if total > most:
        scale = (most - gap * (len(answers) - 1)) / sum(widths)
        widths = [int(width * scale) for width in widths]
        total = sum(widths) + gap * (len(answers) - 1)
    left = row.x + round((row.w - total) * align)
    places = []
    for width in widths:
        places.append(Rect(left, row.y, width, row.h))
        left += width + gap
    return tuple(places)


def draw_answers(
    pen: TextPainter,
    theme: Theme,
    prompt: PromptText,
    answers: tuple[str, ...],
    row: Rect,
    unit: int,
    align: float = 1.0,
) -> int:
    """Draw answers as keys in *row* and return the width they take with the gap before them."""
    pad, gap = round(0.02 * unit), round(0.015 * unit)
    places = answer_places(prompt, answers, row, unit, align)
    for number, (answer, key) in enumerate(zip(answers, places, strict=True)):
        chosen = number == prompt.selected
        fill = theme.brass if chosen else theme.plate
        stamp(
            pen.surface,
            panel(pen.sprites, key.size, fill, theme.brass, radius=key.h * 0.3, line=0.003 * unit),
            key.topleft,
        )
        ink = theme.ink if chosen else theme.ivory
        pen.line(answer, key.inflate(-pad, -2), DETAIL_CAP * unit, ink, align=0.5, smallest=0.5)
    return places[-1].right - places[0].left + gap

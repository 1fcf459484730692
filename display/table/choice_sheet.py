"""Questions laid over the table: what the camera sees, beside large pictures of what it may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas
from display.drawing.image import place_picture
from display.drawing.shapes import CARD_ASPECT, CORNER, Icon, panel
from display.prompts.prompt import PromptText
from display.table.prompt_bar import answer_places, answer_signs, draw_answers
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.message import Value


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where everything of a question stands.

    Attributes:
        camera: where the camera's picture is shown; ``None`` without one.
        answers: one place for each answer that is a picture.
        words: one place for each answer in words.
    """

    camera: Rect | None
    answers: tuple[Rect, ...]
    words: tuple[Rect, ...]


def arrange(canvas: Canvas, prompt: PromptText, sheet: Rect) -> Sheet:
    """Find a place for everything that *prompt* shows on *sheet*."""
    pictures, px = _pictures(prompt), canvas.px
    inner = sheet.inflate(-px(0.1), -px(0.1))
    foot = px(0.145) if pictures and _words(prompt) else 0
    space = Rect(inner.x, inner.y, inner.w, inner.h - foot)
    row = Rect(inner.x, inner.bottom - px(0.08), inner.w, px(0.08))
    camera = None
    if prompt.picture is not None:
        # A little more room than one answer: everybody compares the answers with it.
        share = min(0.42, 1.35 / (len(pictures) + 1.35))
        camera = Rect(space.x, space.y, round(space.w * share), space.h)
        cut = camera.w + px(0.05)
        space = Rect(space.x + cut, space.y, space.w - cut, space.h)
    if not pictures:
        return Sheet(camera, (), _grid(canvas, prompt.choices, space))
    aspect = BONE_ASPECT if prompt.bone_choices and not prompt.card_choices else CARD_ASPECT
    gap = px(0.06 if camera is None else 0.04)
    count = max(1, len(pictures))
    height = min(round(space.h * 0.92), round((space.w - gap * (count - 1)) / count / aspect))
    width = round(height * aspect)
    left = space.centerx - (count * width + (count - 1) * gap) // 2
    top = space.centery - height // 2
    answers = tuple(
        Rect(left + n * (width + gap), top, width, height) for n in range(len(pictures))
    )
    words = answer_places(canvas, _words(prompt), row, align=0.5)
    return Sheet(camera, answers, tuple(words))


def _grid(canvas: Canvas, words: Sequence[Value], space: Rect) -> tuple[Rect, ...]:
    """Return places for *words* in two rows as broad as fingers, or as broad as the longest."""
    count, gap = len(words), canvas.px(0.03)
    columns = (count + 1) // 2
    widest = max(place.w for place in answer_places(canvas, words, space))
    width = min((space.w - gap * (columns - 1)) // columns, max(canvas.px(0.24), widest))
    height = min((space.h - gap) // 2, canvas.px(0.2))
    left = space.centerx - (columns * width + (columns - 1) * gap) // 2
    top = space.centery - height - gap // 2
    return tuple(
        Rect(left + n % columns * (width + gap), top + n // columns * (height + gap), width, height)
        for n in range(count)
    )


def sheet_touches(canvas: Canvas, prompt: PromptText, sheet: Rect) -> tuple[TouchArea, ...]:
    """Return where the answers can be touched: one touch chooses."""
    places = arrange(canvas, prompt, sheet)
    every = zip((*places.answers, *places.words), answer_signs(canvas, prompt), strict=True)
    return tuple(
        TouchArea(place, "have", number, signs=signs, is_marked=number == prompt.selected)
        for number, (place, signs) in enumerate(every)
    )


def draw_sheet(canvas: Canvas, prompt: PromptText, sheet: Rect) -> None:
    """Lay the question over the table, the marked answer raised."""
    theme = canvas.theme
    canvas.box(sheet, (*theme.room, 236), theme.brass_deep, radius=0.03, line=0.004)
    places = arrange(canvas, prompt, sheet)
    if places.camera is not None and prompt.picture is not None:
        shown = place_picture(canvas.painter.surface, prompt.picture, places.camera)
        line = 0.005 * canvas.unit
        rim = panel(
            canvas.painter.cache, shown.size, (0, 0, 0, 0), theme.ivory, radius=2, line=line
        )
        canvas.blit(rim, shown.topleft)
    for number, (what, place) in enumerate(zip(_pictures(prompt), places.answers, strict=True)):
        _draw_answer(canvas, what, place, chosen=number == prompt.selected)
    words = _words(prompt)
    if words:
        draw_answers(canvas, words, places.words, prompt.selected - len(places.answers))


def _draw_answer(canvas: Canvas, what: Card | Face, place: Rect, *, chosen: bool) -> None:
    theme = canvas.theme
    if chosen:
        frame = place.inflate(canvas.px(0.035), canvas.px(0.035))
        canvas.box(frame, theme.brass, radius=0.045)
    if isinstance(what, Face):
        canvas.bone(what, place.h, place.topleft)
    else:
        canvas.card(what, place.h, place.topleft, large=True)
    if chosen:
        mark = canvas.px(0.06)
        at = (place.centerx - mark // 2, place.bottom + mark // 3)
        canvas.icon(Icon.CHOSEN, mark, theme.brass, theme.room, at)
    else:
        canvas.box(place, (*theme.room, 80), radius=place.h * CORNER / canvas.unit)


def _pictures(prompt: PromptText) -> tuple[Card | Face, ...]:
    return (*prompt.card_choices, *prompt.bone_choices)


def _words(prompt: PromptText) -> tuple[Value, ...]:
    """Return the answers that have no picture."""
    return prompt.choices[len(prompt.bone_choices) :]

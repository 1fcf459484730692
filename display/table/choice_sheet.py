"""Questions laid over the table: what the camera sees, beside what it may be, as large pictures."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.bones import BONE_ASPECT, bone_face
from display.drawing.image import place_picture
from display.drawing.shapes import CARD_ASPECT, Icon, card_face, panel, sign, stamp
from display.drawing.text import TextPainter
from display.drawing.theme import Theme
from display.prompts.prompt import PromptText
from display.table.prompt_bar import draw_answers
from engine.core.bones import Face
from engine.core.cards import Card


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where everything of a question stands.

    Attributes:
        seen: where the camera's picture is shown; ``None`` without one.
        answers: one place for each answer that is a picture.
        words: the row for the answers in words.
    """

    seen: Rect | None
    answers: tuple[Rect, ...]
    words: Rect


def is_sheet(prompt: PromptText) -> bool:
    """Say whether *prompt* lays a sheet over the table."""
    return bool(prompt.card_choices or prompt.bone_choices)


def arrange(prompt: PromptText, sheet: Rect, unit: int) -> Sheet:
    """Find a place for everything that *prompt* shows on *sheet*."""
    pictures = _pictures(prompt)
    words = _words(prompt)
    inner = sheet.inflate(-round(0.1 * unit), -round(0.1 * unit))
    foot = round(0.145 * unit) if words else 0
    space = Rect(inner.x, inner.y, inner.w, inner.h - foot)
    row = Rect(inner.x, inner.bottom - round(0.08 * unit), inner.w, round(0.08 * unit))
    seen = None
    if prompt.picture is not None:
        # As much room as one answer, and a little more: it is what all look at.
        share = min(0.42, 1.35 / (len(pictures) + 1.35))
        seen = Rect(space.x, space.y, round(space.w * share), space.h)
        cut = seen.w + round(0.05 * unit)
        space = Rect(space.x + cut, space.y, space.w - cut, space.h)
    aspect = BONE_ASPECT if prompt.bone_choices and not prompt.card_choices else CARD_ASPECT
    gap = round((0.06 if seen is None else 0.04) * unit)
    count = max(1, len(pictures))
    height = min(round(space.h * 0.92), round((space.w - gap * (count - 1)) / count / aspect))
    width = round(height * aspect)
    left = space.centerx - (count * width + (count - 1) * gap) // 2
    top = space.centery - height // 2
    answers = tuple(
        Rect(left + n * (width + gap), top, width, height) for n in range(len(pictures))
    )
    return Sheet(seen, answers, row)


def touches(prompt: PromptText, sheet: Rect, unit: int) -> tuple[TouchArea, ...]:
    """Return where the answers can be touched: one touch chooses."""
    if not is_sheet(prompt):
        return ()
    places = arrange(prompt, sheet, unit).answers
    return tuple(TouchArea(place, "have", number) for number, place in enumerate(places))


def draw_sheet(pen: TextPainter, theme: Theme, prompt: PromptText, sheet: Rect, unit: int) -> None:
    """Lay the question over the table, the marked answer raised."""
    ground = panel(
        pen.sprites,
        sheet.size,
        (*theme.room, 236),
        theme.brass_deep,
        radius=0.03 * unit,
        line=0.004 * unit,
    )
    stamp(pen.surface, ground, sheet.topleft)
    places = arrange(prompt, sheet, unit)
    if places.seen is not None and prompt.picture is not None:
        shown = place_picture(pen.surface, prompt.picture, places.seen)
        rim = panel(pen.sprites, shown.size, (0, 0, 0, 0), theme.ivory, radius=2, line=0.005 * unit)
        stamp(pen.surface, rim, shown.topleft)
    for number, (what, place) in enumerate(zip(_pictures(prompt), places.answers, strict=True)):
        _draw_answer(pen, theme, what, place, unit, chosen=number == prompt.selected)
    words = _words(prompt)
    if words:
        shifted = PromptText(
            prompt.title,
            choices=words,
            kind=prompt.kind,
            selected=prompt.selected - len(places.answers),
        )
        draw_answers(pen, theme, shifted, words, places.words, unit, align=0.5)


def _draw_answer(
    pen: TextPainter, theme: Theme, what: Card | Face, place: Rect, unit: int, *, chosen: bool
) -> None:
    if chosen:
        frame = place.inflate(round(0.035 * unit), round(0.035 * unit))
        raised = panel(pen.sprites, frame.size, theme.brass, radius=0.045 * unit)
        stamp(pen.surface, raised, frame.topleft)
    if isinstance(what, Face):
        picture = bone_face(pen.sprites, theme, what, place.h)
    else:
        picture = card_face(pen.sprites, theme, what, place.h, large=True)
    stamp(pen.surface, picture, place.topleft)
    if chosen:
        mark = round(0.06 * unit)
        pointer = sign(pen.sprites, Icon.CHOSEN, mark, theme.brass, theme.room)
        stamp(pen.surface, pointer, (place.centerx - mark // 2, place.bottom + mark // 3))
    else:
        veil = panel(pen.sprites, place.size, (*theme.room, 80), radius=place.h * 0.085)
        stamp(pen.surface, veil, place.topleft)


def _pictures(prompt: PromptText) -> tuple[Card | Face, ...]:
    return (*prompt.card_choices, *prompt.bone_choices)


def _words(prompt: PromptText) -> tuple[str, ...]:
    """Return the answers that have no picture."""
    return prompt.choices[len(prompt.bone_choices) :]

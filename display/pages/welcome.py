"""The screen that waits: what the camera sees and reads, how to play, and every language."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pygame
from pygame import Rect

from display.controls import BUTTON_WORDS, TouchArea
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas, grid, mixed, split_x, split_y
from display.drawing.image import Picture, place_picture
from display.drawing.shapes import CARD_ASPECT, Icon, card_back, card_face
from display.drawing.text import Face
from display.i18n.languages import base
from display.pages.base import Page, joined
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Value

FAN_DEGREES = 14.0
"""From one card of the fan to the next."""

LABEL_CAP = 0.024


@dataclass(frozen=True, slots=True)
class Label:
    """What is written on something in the picture.

    Attributes:
        at: the middle of its lower edge, across and down, as shares of the picture.
        sure: whether it was read.
    """

    at: tuple[float, float]
    text: Value
    sure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WelcomePage(Page):
    """What the table can do, shown as it does it.

    Attributes:
        title: what it can do, or what it has just read.
        note: what to do to see it.
        picture: of the camera; ``None`` while there is none.
        labels: written over the picture.
        waiting: why there is no picture.
        cards: laid in a fan where the picture would be; ``None`` is a back.
        bones: laid in a row where the picture would be, and drawn in the second step.
        steps: how to play: sit down, deal, and what the table does.
        facts: the best of the day.
        invitation: how to begin.
        languages: each as it names itself.
        language: which of them is spoken, from 0.
    """

    picture: Picture | None = None
    labels: tuple[Label, ...] = ()
    waiting: Value = ""
    cards: tuple[Card | None, ...] = ()
    bones: tuple[BoneFace, ...] = ()
    steps: tuple[Value, Value, Value]
    facts: tuple[Value, ...] = ()
    invitation: Value
    languages: tuple[str, ...] = ()
    language: int = 0

    def spoken(self) -> Value:
        """Return what the table can do, and how to begin."""
        return joined(self.title, ". ", self.invitation, ".")


def draw_welcome(canvas: Canvas, page: WelcomePage) -> None:
    """Draw it on the whole screen; a touch beside the languages begins."""
    theme, whole = canvas.theme, canvas.area
    canvas.touches.append(TouchArea(whole.copy(), "have"))
    room = whole.inflate(-2 * canvas.px(0.035), -2 * canvas.px(0.02))
    gap = canvas.px(0.02)
    title, room = split_y(room, canvas.px(0.115))
    canvas.line(page.title, title, 0.068, theme.brass, face=Face.TITLE, align=0.5, smallest=0.4)
    note, room = split_y(room, canvas.px(0.06), gap)
    colour = theme.alarm if page.warning else theme.ivory
    canvas.line(page.note, note, 0.032, colour, align=0.5, smallest=0.5)
    room, languages = split_y(room, room.h - canvas.px(0.09), canvas.px(0.018))
    languages.h = canvas.px(0.085)
    room, key = split_y(room, room.h - canvas.px(0.12), gap)
    _draw_languages(canvas, page, languages)
    _draw_invitation(canvas, page.invitation, key)
    if room.w < room.h:  # an upright panel
        left, right = split_y(room, round(room.w * 0.78), canvas.px(0.03))
    else:
        left, right = split_x(room, round(room.w * 0.54), canvas.px(0.03))
    _draw_picture(canvas, page, left)
    facts_h = canvas.px(0.055) * len(page.facts)
    steps, facts = split_y(right, right.h - facts_h)
    _draw_steps(canvas, page, steps)
    cap = canvas.cap_of_all(page.facts, Rect(0, 0, facts.w, canvas.px(0.055)), 0.028, smallest=0.5)
    for fact in page.facts:
        line, facts = split_y(facts, canvas.px(0.055))
        canvas.line(fact, line, cap, theme.brass, smallest=0.5)


def _draw_picture(canvas: Canvas, page: WelcomePage, room: Rect) -> None:
    """Draw what the camera sees with what is read, or cards or bones while it sees nothing."""
    theme = canvas.theme
    canvas.box(room, theme.room, theme.plate_edge)
    inner = room.inflate(-canvas.px(0.02), -canvas.px(0.02))
    if page.picture is not None:
        place = place_picture(canvas.painter.surface, page.picture, inner)
        pygame.draw.rect(canvas.painter.surface, theme.brass_deep, place, 1)
        _draw_labels(canvas, page.labels, place)
        return
    art, words = split_y(inner, inner.h - canvas.px(0.1))
    if page.bones:
        _draw_row_of_bones(canvas, page.bones, art)
    else:
        _draw_fan(canvas, page.cards, art)
    canvas.words(page.waiting, words, 0.03, theme.muted, align=0.5, smallest=0.5)


def _draw_labels(canvas: Canvas, labels: tuple[Label, ...], place: Rect) -> None:
    """Draw each label where it belongs; one that would lie over another is left out."""
    theme, drawn = canvas.theme, list[Rect]()
    for label in labels:
        width = canvas.text_width(label.text, LABEL_CAP) + 2 * canvas.px(0.014)
        box = Rect(0, 0, min(width, place.w), canvas.px(0.05))
        box.midtop = (
            round(place.x + label.at[0] * place.w),
            round(place.y + label.at[1] * place.h),
        )
        box.clamp_ip(place)
        if box.collidelist(drawn) >= 0:
            continue
        drawn.append(box)
        canvas.box(box, theme.band, theme.brass if label.sure else theme.alarm, radius=0.014)
        ink = theme.ivory if label.sure else theme.alarm
        inner = box.inflate(-2 * canvas.px(0.01), -4)
        canvas.line(label.text, inner, LABEL_CAP, ink, align=0.5, smallest=0.5)


def _draw_steps(canvas: Canvas, page: WelcomePage, room: Rect) -> None:
    """Draw how to play, each step with its picture."""
    places = grid(room, 3, 1, canvas.px(0.014))
    arts = (_draw_press, _draw_deal, _draw_score)
    for art, words, place in zip(arts, page.steps, places, strict=True):
        canvas.box(place, (*canvas.theme.plate, 235), canvas.theme.plate_edge)
        inner = place.inflate(-2 * canvas.px(0.016), -2 * canvas.px(0.012))
        picture, text = split_x(inner, canvas.px(0.17), canvas.px(0.02))
        art(canvas, page, picture)
        canvas.words(words, text, 0.032, canvas.theme.ivory, smallest=0.5)


def _draw_press(canvas: Canvas, page: WelcomePage, room: Rect) -> None:
    """Draw a button that is pressed."""
    theme = canvas.theme
    button = Rect(0, 0, room.w, min(room.h, canvas.px(0.075)))
    button.center = room.center
    canvas.box(button, theme.brass_deep, theme.brass, radius=0.03)
    cap = button.move(0, -canvas.px(0.008)).inflate(-canvas.px(0.006), -canvas.px(0.006))
    canvas.box(cap, theme.plate, theme.brass, radius=0.03)
    words = cap.inflate(-2 * canvas.px(0.012), -4)
    canvas.line(BUTTON_WORDS["have"], words, 0.026, theme.brass, align=0.5, smallest=0.4)


def _draw_deal(canvas: Canvas, page: WelcomePage, room: Rect) -> None:
    """Draw cards, or bones where they are thrown."""
    if page.bones:
        _draw_row_of_bones(canvas, page.bones[:3], room, gap=0.01)
        return
    height = min(room.h, round(room.w / (CARD_ASPECT * 2.4)))
    width = round(height * CARD_ASPECT)
    cards = page.cards[:3]
    step = round(width * 0.7)
    left = room.centerx - (width + step * (len(cards) - 1)) // 2
    for number, card in enumerate(cards):
        canvas.card(card, height, (left + number * step, room.centery - height // 2))


def _draw_score(canvas: Canvas, page: WelcomePage, room: Rect) -> None:
    """Draw what the table does: it looks, and keeps the score."""
    theme = canvas.theme
    side = min(room.h, canvas.px(0.085))
    eye, total = split_x(room, room.w // 2, canvas.px(0.01))
    at = (eye.centerx - side // 2, eye.centery - side // 2)
    canvas.icon(Icon.SHOW, side, theme.brass, theme.plate, at)
    token = (total.centerx - side // 2, total.centery - side // 2)
    canvas.icon(Icon.TOKEN, side, theme.brass, theme.plate, token)


def _draw_invitation(canvas: Canvas, words: Value, room: Rect) -> None:
    """Draw how to begin, on a pulsing key."""
    theme = canvas.theme
    key = Rect(0, 0, min(room.w, canvas.px(1.3)), room.h)
    key.center = room.center
    edge = mixed(theme.brass_deep, theme.brass, canvas.pulse(3.0))
    canvas.box(key, (*theme.band, 250), edge, radius=0.06, line=0.007)
    inner = key.inflate(-canvas.px(0.1), -4)
    canvas.line(words, inner, 0.047, theme.ivory, face=Face.TITLE, align=0.5, smallest=0.4)


def _draw_languages(canvas: Canvas, page: WelcomePage, room: Rect) -> None:
    """Draw the languages between the buttons that go through them; each can be touched."""
    theme = canvas.theme
    if not page.languages:
        return
    key_w = canvas.px(0.16)
    back, rest = split_x(room, key_w, canvas.px(0.014))
    row, on = split_x(rest, rest.w - key_w - canvas.px(0.014), canvas.px(0.014))
    for place, button in ((back, "undo"), (on, "stick")):
        canvas.box(place, theme.plate, theme.brass, radius=0.014)
        inner = place.inflate(-2 * canvas.px(0.01), -4)
        canvas.line(BUTTON_WORDS[button], inner, 0.024, theme.brass, align=0.5, smallest=0.4)
        canvas.touches.append(TouchArea(place, button))
    places = grid(row, len(page.languages), len(page.languages), canvas.px(0.014))
    names = [place.inflate(-2 * canvas.px(0.01), -4) for place in places]
    cap = canvas.cap_of_all(page.languages, names[0], 0.03, smallest=0.5)
    for number, (name, place, inner) in enumerate(zip(page.languages, places, names, strict=True)):
        ink = canvas.tile(place, chosen=number == page.language)
        canvas.line(name, inner, cap, ink, align=0.5, smallest=0.5)
        canvas.touches.append(TouchArea(place, "have", number))


def _draw_fan(canvas: Canvas, cards: tuple[Card | None, ...], room: Rect) -> None:
    """Draw the cards as a hand holds them."""
    height = round(room.h * 0.82)
    reach = height * 1.9
    hub = (room.centerx, room.bottom + reach - height * 0.62)
    for number, card in enumerate(cards):
        lean = (number - (len(cards) - 1) / 2) * FAN_DEGREES
        picture = _leaning(canvas, card, height, lean)
        angle = math.radians(lean)
        centre = (
            hub[0] + math.sin(angle) * (reach + height * 0.12),
            hub[1] - math.cos(angle) * (reach + height * 0.12),
        )
        at = (
            round(centre[0] - picture.get_width() / 2),
            round(centre[1] - picture.get_height() / 2),
        )
        canvas.blit(picture, at)


def _leaning(canvas: Canvas, card: Card | None, height: int, lean: float) -> pygame.Surface:
    cache, theme, language = canvas.painter.cache, canvas.theme, base(canvas.language)

    def make() -> pygame.Surface:
        flat = (
            card_back(cache, theme, height * 2)
            if card is None
            else card_face(cache, theme, card, height * 2, large=True, language=language)
        )
        return pygame.transform.rotozoom(flat, -lean, 0.5)

    return cache.get(("leaning", theme, card, height, lean, language), make)


def _draw_row_of_bones(
    canvas: Canvas, bones: tuple[BoneFace, ...], room: Rect, gap: float = 0.05
) -> None:
    space = canvas.px(gap)
    count = len(bones)
    height = min(
        round(room.h * 0.8), round((room.w - space * (count - 1)) / max(1, count) / BONE_ASPECT)
    )
    width = round(height * BONE_ASPECT)
    left = room.centerx - (count * (width + space) - space) // 2
    for number, face in enumerate(bones):
        x = left + number * (width + space)
        canvas.bone(face, height, (x, room.centery - height // 2))

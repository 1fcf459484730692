"""The screen that waits, with the name of a game, and the first question: which game?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pygame
from pygame import Rect

from display.controls import TouchArea
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas, grid, mixed, split_y
from display.drawing.shapes import CARD_ASPECT, card_back, card_face
from display.drawing.text import Face
from display.i18n.languages import base
from display.pages.base import Page, joined
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Value

FAN_DEGREES = 14.0
"""From one card of the fan to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WelcomePage(Page):
    """The name of a game, large.

    Attributes:
        title: the game.
        note: what it is about, in a sentence.
        invitation: what to do: "press any button to play".
        cards: laid in a fan; ``None`` is a back.
        bones: laid in a row where the game is played with them.
    """

    invitation: Value
    cards: tuple[Card | None, ...] = ()
    bones: tuple[BoneFace, ...] = ()

    def spoken(self) -> Value:
        """Return the name and what to do."""
        return joined(self.title, ". ", self.invitation, ".")


def draw_welcome(canvas: Canvas, page: WelcomePage) -> None:
    """Draw it on the whole screen; a touch anywhere starts."""
    theme, whole = canvas.theme, canvas.area
    art = Rect(whole.x, canvas.px(0.05), whole.w, canvas.px(0.36))
    if page.bones:
        _draw_row_of_bones(canvas, page.bones, art)
    else:
        _draw_fan(canvas, page.cards, art)
    side = canvas.px(0.06)
    title = Rect(side, canvas.px(0.45), whole.w - 2 * side, canvas.px(0.18))
    canvas.line(page.title, title, 0.115, theme.brass, face=Face.TITLE, align=0.5)
    note = Rect(side, title.bottom, title.w, canvas.px(0.09))
    canvas.words(page.note, note, 0.031, theme.ivory, align=0.5)
    draw_invitation(canvas, page.invitation, Rect(0, whole.bottom, whole.w, 0))
    canvas.touches.append(TouchArea(whole, "have"))


def draw_invitation(canvas: Canvas, words: Value, foot: Rect) -> None:
    """Draw what to do, on a pulsing key above the line *foot*."""
    theme = canvas.theme
    key = Rect(0, 0, min(foot.w - canvas.px(0.08), canvas.px(1.2)), canvas.px(0.14))
    key.midbottom = (foot.centerx, foot.bottom - canvas.px(0.06))
    edge = mixed(theme.brass_deep, theme.brass, canvas.pulse(3.0))
    canvas.box(key, (*theme.band, 250), edge, radius=0.07, line=0.007)
    canvas.line(
        words, key.inflate(-canvas.px(0.1), -4), 0.05, theme.ivory, face=Face.TITLE, align=0.5
    )


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


def _draw_row_of_bones(canvas: Canvas, bones: tuple[BoneFace, ...], room: Rect) -> None:
    height = round(room.h * 0.8)
    width = round(height * BONE_ASPECT)
    gap = canvas.px(0.05)
    left = room.centerx - (len(bones) * (width + gap) - gap) // 2
    for number, face in enumerate(bones):
        x = left + number * (width + gap)
        canvas.bone(face, height, (x, room.centery - height // 2))


MOST_IN_A_ROW = 5


@dataclass(frozen=True, slots=True)
class GameTile:
    """One game.

    Attributes:
        title: its name.
        text: what it is about, in a few words.
        cards: to be shown; ``None`` is a back.
        bones: to be shown instead.
        is_open: an unfinished game, to go on with.
        also: what else it is called; empty where there is nothing to say.
    """

    title: Value
    text: Value
    cards: tuple[Card | None, ...] = ()
    bones: tuple[BoneFace, ...] = ()
    is_open: bool = False
    also: Value = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPage(Page):
    """The games there are."""

    items: tuple[GameTile, ...]

    def answers(self) -> Sequence[Value]:
        """Return each game."""
        return [joined(tile.title, ". ", tile.text) for tile in self.items]


def draw_games(canvas: Canvas, page: GamesPage) -> None:
    """Draw the tiles beside each other."""
    count = max(1, len(page.items))
    columns = -(-count // -(-count // MOST_IN_A_ROW))
    gap = canvas.px(0.025)
    width = min((canvas.area.w - gap * (columns - 1)) // columns, canvas.px(0.62))
    room = canvas.area.copy()
    room.w = columns * (width + gap) - gap
    room.x = canvas.area.centerx - room.w // 2
    places = grid(room, count, columns, gap)
    for number, (tile, place) in enumerate(zip(page.items, places, strict=False)):
        _draw_tile(canvas, tile, place, chosen=number == page.focus)
        canvas.touches.append(TouchArea(place, "have", number))


def _draw_tile(canvas: Canvas, tile: GameTile, place: Rect, *, chosen: bool) -> None:
    theme = canvas.theme
    ink = canvas.tile(place, chosen=chosen)
    inner = place.inflate(-2 * canvas.px(0.02), -2 * canvas.px(0.022))
    art, below = split_y(inner, round(inner.h * 0.48))
    title, text = split_y(below, round(inner.h * 0.18))
    if tile.bones:
        _draw_bones(canvas, tile.bones, art)
    else:
        _draw_row_of_cards(canvas, tile.cards, art)
    colour = ink if chosen else theme.brass
    canvas.line(tile.title, title, 0.043, colour, face=Face.TITLE, align=0.5, smallest=0.4)
    soft = ink if chosen else theme.ivory
    if tile.also:
        text, also = split_y(text, round(text.h * 0.72))
        canvas.words(tile.also, also, 0.022, soft, align=0.5, smallest=0.55)
    canvas.words(tile.text, text, 0.031, soft, align=0.5, smallest=0.55)


def _draw_row_of_cards(canvas: Canvas, cards: tuple[Card | None, ...], room: Rect) -> None:
    if not cards:
        return
    height = min(round(room.h * 0.92), round(room.w * 0.62))
    width = round(height * CARD_ASPECT)
    step = min(width * 0.72, (room.w - width) / max(1, len(cards) - 1))
    left = room.centerx - round(width + step * (len(cards) - 1)) // 2
    for number, card in enumerate(cards):
        at = (left + round(number * step), room.centery - height // 2)
        canvas.card(card, height, at)


def _draw_bones(canvas: Canvas, bones: tuple[BoneFace, ...], room: Rect) -> None:
    """Draw up to four bones in two rows."""
    shown = bones[:4]
    gap = canvas.px(0.012)
    height = min((room.h - gap) // 2, round((room.w - gap) / 2 / BONE_ASPECT))
    width = round(height * BONE_ASPECT)
    left, top = room.centerx - width - gap // 2, room.centery - height - gap // 2
    for number, face in enumerate(shown):
        at = (left + number % 2 * (width + gap), top + number // 2 * (height + gap))
        canvas.bone(face, height, at)

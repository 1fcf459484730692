"""The first question: which game?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.controls import TouchArea
from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas, grid, split_y
from display.drawing.shapes import CARD_ASPECT
from display.drawing.text import Face
from display.pages.base import Page, joined
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Value

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
    # A long name takes two lines: it is read from as far as a short one.
    canvas.words(tile.title, title, 0.043, colour, face=Face.TITLE, align=0.5, smallest=0.4)
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

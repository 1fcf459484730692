"""The camera's picture with the readings drawn on it, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import pygame
from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas, split_x, split_y
from display.drawing.image import Picture, place_picture
from display.drawing.shapes import Icon
from display.pages.base import SMALL_CAP, Page, joined
from engine.core.messages.message import Joined, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPage(Page):
    """The picture and a few lines.

    Attributes:
        picture: with the readings drawn on it; ``None`` while none has come.
        waiting: shown while there is no picture.
        facts: label and value, such as how many cards are read.
        remarks: what is wrong, and what to do.
        fine: shown when nothing is wrong.
        colours: what the colours of the outlines mean: red, green, blue and a word.
    """

    picture: Picture | None
    waiting: Value
    facts: tuple[tuple[Value, Value], ...] = ()
    remarks: tuple[Value, ...] = ()
    fine: Value = ""
    colours: tuple[tuple[tuple[int, int, int], Value], ...] = ()

    def spoken(self) -> Value:
        """Return the title and what is wrong."""
        return Joined((joined(self.title, "."), *(self.remarks or (self.fine,))))


def draw_camera(canvas: Canvas, page: CameraPage) -> None:
    """Draw the picture on the left, the lines on the right; below it where it is narrow."""
    theme, area = canvas.theme, canvas.area
    if area.w < area.h:
        left, right = split_y(area, round(area.w * 0.78), canvas.px(0.03))
    else:
        left, right = split_x(area, round(area.w * 0.62), canvas.px(0.03))
    canvas.box(left, theme.room, theme.plate_edge)
    inner = left.inflate(-canvas.px(0.02), -canvas.px(0.02))
    if page.picture is not None:
        place = place_picture(canvas.painter.surface, page.picture, inner)
        pygame.draw.rect(canvas.painter.surface, theme.plate_edge, place, 1)
    else:
        canvas.words(page.waiting, inner, 0.036, theme.muted, align=0.5)
    for label, value in page.facts:
        row, right = split_y(right, canvas.px(0.058))
        name, number = split_x(row, round(row.w * 0.72))
        canvas.line(label, name, SMALL_CAP, theme.muted, smallest=0.5)
        canvas.line(value, number, 0.034, theme.ivory, align=1.0)
    right = _draw_colours(canvas, page, right)
    _draw_remarks(canvas, page, split_y(right, 0, canvas.px(0.015))[1])
    canvas.touches.append(TouchArea(left, "undo"))


def _draw_colours(canvas: Canvas, page: CameraPage, room: Rect) -> Rect:
    """Draw what the outlines mean; return the room below."""
    side = canvas.px(0.026)
    for colour, word in page.colours:
        row, room = split_y(room, canvas.px(0.046))
        patch = Rect(row.x, row.centery - side // 2, side, side)
        pygame.draw.rect(canvas.painter.surface, colour, patch, max(2, side // 6))
        words = split_x(row, side, canvas.px(0.014))[1]
        canvas.line(word, words, SMALL_CAP * 0.9, canvas.theme.ivory, smallest=0.5)
    return room


def _draw_remarks(canvas: Canvas, page: CameraPage, room: Rect) -> None:
    theme = canvas.theme
    wrong = bool(page.remarks)
    if room.h < canvas.px(0.06) or not (wrong or page.fine):
        return
    canvas.box(room, theme.alarm_ground if wrong else theme.plate, theme.alarm if wrong else None)
    inner = room.inflate(-2 * canvas.px(0.018), -2 * canvas.px(0.016))
    mark = canvas.px(0.055)
    which = Icon.TROUBLE if wrong else Icon.SHOW
    colour = theme.alarm if wrong else theme.brass
    ground = theme.alarm_ground if wrong else theme.plate
    canvas.icon(which, mark, colour, ground, (inner.x, inner.centery - mark // 2))
    words = split_x(inner, mark, canvas.px(0.016))[1]
    text = Joined(page.remarks, "\n") if wrong else page.fine
    canvas.words(text, words, SMALL_CAP, theme.ivory, smallest=0.5)

"""The strip below a window on a desktop: which key of the keyboard is which button."""

from __future__ import annotations

from pygame import Rect, Surface

from display.drawing.canvas import Canvas
from display.drawing.screen import Screen
from display.drawing.text import SurfaceCache, TextPainter, Written
from engine.core.messages.message import Value

HEIGHT_PX = 26
"""Of the strip, whatever the size of the window."""

CAP, SIDE = 0.42, 0.5
"""Height of the capitals, and the margins at the sides, as shares of the strip's height."""


def draw_legend(surface: Surface, text: Value, like: Screen) -> tuple[Written, ...]:
    """Write *text* on all of *surface*, in theme and language of the screen above it.

    Returns what was written, as a screen does.
    """
    painter = TextPainter(surface, SurfaceCache(), like.theme.text)
    canvas = Canvas(painter, like.theme, surface.get_height(), like.language)
    room = Rect((0, 0), surface.get_size())
    canvas.fill(like.theme.band, room)
    inner = room.inflate(-2 * canvas.px(SIDE), 0)
    canvas.line(text, inner, CAP, like.theme.muted, align=0.5, smallest=0.5)
    return tuple(painter.written)

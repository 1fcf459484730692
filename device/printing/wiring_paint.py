"""Paints the shapes of a drawing with pygame, off screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from display.drawing.text import Face, font

if TYPE_CHECKING:
    from device.printing.shapes import Shape


def paint(shapes: Sequence[Shape], size: tuple[int, int], scale: float) -> pygame.Surface:
    """Return a surface of *size* times *scale* pixels with *shapes* on it."""
    from device.printing.shapes import Box, Disc, Line, Text

    sheet = pygame.Surface((round(size[0] * scale), round(size[1] * scale)))
    for shape in shapes:
        match shape:
            case Line(points, colour, width):
                path = [(round(x * scale), round(y * scale)) for x, y in points]
                pygame.draw.lines(sheet, colour, False, path, round(width * scale))
            case Box(x, y, w, h, fill, edge, radius):
                rect = pygame.Rect(
                    round(x * scale), round(y * scale), round(w * scale), round(h * scale)
                )
                corner = round(radius * scale)
                if fill:
                    pygame.draw.rect(sheet, fill, rect, border_radius=corner)
                if edge:
                    pygame.draw.rect(sheet, edge, rect, round(2.5 * scale), border_radius=corner)
            case Disc(x, y, r, fill, edge):
                middle = (x * scale, y * scale)
                if edge:
                    pygame.draw.circle(sheet, edge, middle, (r + 1) * scale)
                    pygame.draw.circle(sheet, fill, middle, (r - 1) * scale)
                else:
                    pygame.draw.circle(sheet, fill, middle, r * scale)
            case Text(words, x, y, points_high, colour, align):
                ink = font(Face.PLAIN, round(points_high * scale)).render(words, True, colour)
                left = x * scale - align * ink.get_width()
                sheet.blit(ink, (round(left), round(y * scale - ink.get_height() / 2)))
    return sheet

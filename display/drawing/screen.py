"""What every screen has: a size, a theme, a language, and the light of a lamp."""

from __future__ import annotations

import math

import pygame

from display.drawing.canvas import Canvas
from display.drawing.text import SurfaceCache, TextPainter
from display.drawing.theme import Theme
from engine.core.errors import BoneAceError

NARROWEST = 1.55
"""Screens narrower than this (width over height) are drawn as if they were lower."""


def unit_of(size: tuple[int, int]) -> int:
    """Return the length all others are shares of: the height, less on a narrow screen."""
    return min(size[1], round(size[0] / NARROWEST))


SMALLEST = (480, 270)


class ScreenSizeError(BoneAceError, ValueError):
    """A screen too small to be read, or a surface of another size than the screen's."""


class Screen:
    """A size, a theme and a language to draw in; what is drawn depends on the arguments alone.

    Pictures of cards and words are kept between frames, nothing else is.

    Attributes:
        size: width and height in pixels.
        theme: its colours and sizes.
        language: of all words on it.
    """

    def __init__(
        self,
        size: tuple[int, int] = (800, 480),
        *,
        theme: Theme | None = None,
        language: str = "en",
        cache: SurfaceCache | None = None,
    ) -> None:
        """Prepare a screen of *size* pixels; *cache* may be shared with other screens.

        Raises:
            ScreenSizeError: it is smaller than :data:`SMALLEST`: nobody could read it.
        """
        if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
            raise ScreenSizeError(
                f"a screen of {size[0]}x{size[1]} cannot be read; "
                "use at least 480x270, better 800x480"
            )
        self.size = (size[0], size[1])
        self.theme = theme if theme is not None else Theme()
        self.language = language
        self._cache = cache if cache is not None else SurfaceCache.of_screen(self.size)

    def _canvas(self, surface: pygame.Surface | None, time_s: float = 0.0) -> Canvas:
        """Return a canvas on *surface*; without one it only measures.

        Raises:
            ScreenSizeError: *surface* is not of this screen's size.
        """
        if surface is None:
            surface = pygame.Surface((1, 1))
        elif surface.get_size() != self.size:
            raise ScreenSizeError(
                f"surface must be {self.size}, got {surface.get_size()}; "
                f"make a {type(self).__name__} for it"
            )
        painter = TextPainter(surface, self._cache, self.theme.text)
        area = pygame.Rect((0, 0), self.size)
        return Canvas(painter, self.theme, unit_of(self.size), self.language, time_s, area)


def lamplight(size: tuple[int, int]) -> pygame.Surface:
    """Return the light of a lamp over the table, to be added to the felt."""
    small = pygame.Surface((128, 80))
    for x in range(128):
        for y in range(80):
            far = min(1.0, math.hypot((x - 63.5) / 64, (y - 31.5) / 44))
            glow = (1 - far) ** 2
            small.set_at((x, y), (round(16 * glow), round(24 * glow), round(20 * glow)))
    return pygame.transform.smoothscale(small, size)

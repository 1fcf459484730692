"""Sizes and light that every screen shares."""

from __future__ import annotations

import math

import pygame

from engine.core.errors import BoneAceError

NARROWEST = 1.55
"""Screens narrower than this (width over height) are drawn as if they were lower."""


def unit_of(size: tuple[int, int]) -> int:
    """Return the length all others are shares of: the height, less on a narrow screen."""
    return min(size[1], round(size[0] / NARROWEST))


SMALLEST = (480, 270)


class ScreenSizeError(BoneAceError, ValueError):
    """A screen too small to be read, or a surface of another size than the screen's."""


def check_size(size: tuple[int, int]) -> None:
    """Refuse a size that nobody could read.

    Raises:
        ScreenSizeError: it is smaller than :data:`SMALLEST`.
    """
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        raise ScreenSizeError(
            f"a screen of {size[0]}x{size[1]} cannot be read; use at least 480x270, better 800x480"
        )


def lamplight(size: tuple[int, int]) -> pygame.Surface:
    """Return the pool of light a lamp over the table throws, to be added to the felt."""
    small = pygame.Surface((128, 80))
    for x in range(128):
        for y in range(80):
            far = min(1.0, math.hypot((x - 63.5) / 64, (y - 31.5) / 44))
            glow = (1 - far) ** 2
            small.set_at((x, y), (round(16 * glow), round(24 * glow), round(20 * glow)))
    return pygame.transform.smoothscale(small, size)

"""Pictures from the camera, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass

import pygame
from pygame import Rect

MOST_SMOOTH_PX = 250_000
"""Pictures of more pixels than this are scaled fast instead of smoothly."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture in memory; two are the same only if they are one.

    Attributes:
        size: width and height in pixels.
        pixels: blue, green, red, row by row, 3 bytes a pixel.
    """

    size: tuple[int, int]
    pixels: bytes

    def __post_init__(self) -> None:
        """Refuse what cannot be shown.

        Raises:
            ValueError: as many bytes as pixels there are not.
        """
        width, height = self.size
        if width < 1 or height < 1 or len(self.pixels) != width * height * 3:
            raise ValueError(
                f"a picture of {self.size} needs {width * height * 3} bytes, "
                f"got {len(self.pixels)}; hand over a contiguous BGR image"
            )

    def surface(self) -> pygame.Surface:
        """Return it as pygame shows it, without a copy."""
        return pygame.image.frombuffer(self.pixels, self.size, "BGR")


def place_picture(surface: pygame.Surface, picture: Picture, room: Rect) -> Rect:
    """Show *picture* as large as *room* holds it, undistorted; return where it lies."""
    width, height = picture.size
    scale = min(room.w / width, room.h / height)
    size = (max(1, int(width * scale)), max(1, int(height * scale)))
    place = Rect((0, 0), size)
    place.center = room.center
    source = picture.surface()
    if size != picture.size:
        # Smooth scaling of a whole frame takes longer than a frame may.
        small = size[0] * size[1] <= MOST_SMOOTH_PX
        scaled = pygame.transform.smoothscale if small else pygame.transform.scale
        source = scaled(source, size)
    surface.blit(source, place.topleft)
    return place

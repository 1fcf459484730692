"""Pictures of knucklebones: the four faces, each with its own shape and its points."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from display.drawing.shapes import Points
from display.drawing.text import Face as Font
from display.drawing.text import SurfaceCache, font
from display.drawing.theme import Theme
from engine.core.bones import Face

BONE_ASPECT = 0.78
"""Width of a bone's picture over its height."""

_BODY = 0.68
"""Share of the height that the bone itself takes; its points stand below."""


def bone_face(cache: SurfaceCache, theme: Theme, face: Face | None, height: int) -> pygame.Surface:
    """Return a bone with *face* uppermost; ``None``, one whose face nobody knows.

    The shapes differ, not only the numbers: broad and hollow, broad and bulging, narrow and
    straight, narrow and twisted.
    """
    size = (max(4, round(height * BONE_ASPECT)), height)

    def draw(big: pygame.Surface) -> None:
        width, tall = big.get_size()
        room = pygame.Rect(0, 0, width, round(tall * _BODY)).inflate(-width // 12, -tall // 24)
        if face is None:
            _unknown(big, theme, room)
        else:
            _draw(big, theme, face, room)
        _points(big, theme, face, pygame.Rect(0, room.bottom, width, tall - room.bottom))

    return cache.smooth(("knucklebone", theme, face), size, draw)


def _draw(big: pygame.Surface, theme: Theme, face: Face, room: pygame.Rect) -> None:
    ivory, line = theme.card, theme.ink
    body = [(room.x + x * room.w, room.y + y * room.h) for x, y in _OUTLINES[face]]
    thick = max(1, round(room.h * 0.05))
    pygame.draw.polygon(big, ivory, body)
    pygame.draw.lines(big, line, True, body, thick)
    _INSIDES[face](big, theme, room, max(1, round(room.h * 0.035)))


def _waisted(wide: float, waist: float) -> Points:
    """Return the broad side: two pairs of knobs and a waist between them."""
    points = []
    for step in range(64):
        turn = step * math.tau / 64
        x, y = math.cos(turn), math.sin(turn)
        # A superellipse with its middle drawn in.
        x = math.copysign(abs(x) ** 0.55, x)
        y = math.copysign(abs(y) ** 0.55, y)
        inward = waist * math.exp(-((y / 0.35) ** 2)) if abs(x) > 0.3 else 0.0
        points.append((0.5 + x * (wide - inward), 0.5 + 0.47 * y))
    return points


def _narrow(bend: float, waist: float) -> Points:
    """Return a narrow side: straight, or bent like an S, and thinner in its middle."""
    left, right = [], []
    for step in range(25):
        y = step / 24
        middle = 0.5 + bend * math.sin((y - 0.5) * math.pi)
        half = 0.2 - waist * math.cos((y - 0.5) * math.tau)
        end = min(1.0, 1 - (1 - min(1.0, 8 * min(y, 1 - y))) ** 2) ** 0.5
        left.append((middle - half * end, 0.03 + 0.94 * y))
        right.append((middle + half * end, 0.03 + 0.94 * y))
    return [*left, *reversed(right)]


def _hollow(big: pygame.Surface, theme: Theme, room: pygame.Rect, thick: int) -> None:
    hole = pygame.Rect(0, 0, round(room.w * 0.34), round(room.h * 0.42))
    hole.center = room.center
    pygame.draw.ellipse(big, theme.card_edge, hole)
    pygame.draw.ellipse(big, theme.ink, hole, thick)


def _bulge(big: pygame.Surface, theme: Theme, room: pygame.Rect, thick: int) -> None:
    for side in (-1, 1):
        arc = pygame.Rect(0, 0, round(room.w * 0.42), round(room.h * 0.62))
        arc.center = (room.centerx, room.centery)
        start = -math.pi / 2 if side > 0 else math.pi / 2
        pygame.draw.arc(big, theme.ink, arc, start + 0.4, start + math.pi - 0.4, thick)


def _plain(big: pygame.Surface, theme: Theme, room: pygame.Rect, thick: int) -> None:
    top, bottom = room.y + room.h * 0.24, room.bottom - room.h * 0.24
    pygame.draw.line(big, theme.card_edge, (room.centerx, top), (room.centerx, bottom), thick)


def _wound(big: pygame.Surface, theme: Theme, room: pygame.Rect, thick: int) -> None:
    points = []
    for step in range(25):
        y = 0.16 + 0.68 * step / 24
        x = 0.5 + 0.2 * math.sin((y - 0.5) * math.pi)
        points.append((room.x + x * room.w, room.y + y * room.h))
    pygame.draw.lines(big, theme.ink, False, points, thick)


def _unknown(big: pygame.Surface, theme: Theme, room: pygame.Rect) -> None:
    thick = max(1, round(room.h * 0.04))
    pygame.draw.ellipse(big, theme.muted, room.inflate(-room.w // 4, 0), thick)


def _points(big: pygame.Surface, theme: Theme, face: Face | None, room: pygame.Rect) -> None:
    text = "?" if face is None else str(face.points)
    glyph = font(Font.PLAIN, round(room.h * 0.86)).render(text, True, theme.ivory)
    ground = pygame.Rect(0, 0, max(room.h, glyph.get_width() + room.h // 3), room.h)
    ground.center = room.center
    pygame.draw.rect(big, theme.room, ground, border_radius=room.h // 3)
    big.blit(glyph, glyph.get_rect(center=(room.centerx, room.centery + room.h // 14)))


_OUTLINES: dict[Face, Points] = {
    Face.FLAT: _narrow(0.0, 0.045),
    Face.CONCAVE: _waisted(0.36, 0.07),
    Face.CONVEX: _waisted(0.36, 0.025),
    Face.TWISTED: _narrow(0.17, 0.03),
}
_INSIDES: dict[Face, Callable[[pygame.Surface, Theme, pygame.Rect, int], None]] = {
    Face.FLAT: _plain,
    Face.CONCAVE: _hollow,
    Face.CONVEX: _bulge,
    Face.TWISTED: _wound,
}

"""Fonts, text that fits its box, and the record of what was written where."""

from __future__ import annotations

import importlib.resources
import io
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypedDict, Unpack

import pygame

from display.drawing.signs import draw_signs, holding_room
from display.drawing.theme import Colour

CACHE_LIMIT = 64 * 2**20
"""So many bytes of pictures are kept, where nobody says how large the screen is."""

SCREENS_KEPT = 4
"""So many times the bytes of a screen are kept: one that is shown needs three at most."""

SUPERSAMPLE = 4
LARGE = 300
"""Pictures with a longer side than this are smooth enough at twice their size."""

LINE_PITCH = 1.8
"""From one line to the next, in heights of a capital: room for accents and tails."""

ELLIPSIS = "…"


class Face(StrEnum):
    """The bundled fonts; the value is the file in ``display/drawing/fonts``."""

    TITLE = "LinLibertine_RZ.otf"
    PLAIN = "Lato-Bold.ttf"


_CAP_OF_EM = {Face.TITLE: 0.647, Face.PLAIN: 0.722}
"""Height of a capital as a share of the font size: sizes here are heights of capitals."""


class Style(TypedDict, total=False):
    """How a text is set.

    Attributes:
        face: which font.
        align: 0 left, 0.5 centre, 1 right.
        smallest: the smallest share of its size before words are cut off.
        pitch: from one line of a paragraph to the next, in heights of a capital.
    """

    face: Face
    align: float
    smallest: float
    pitch: float


SMALLEST = 0.55
"""The usual smallest share."""


@dataclass(frozen=True, slots=True)
class Written:
    """A text on the screen.

    Attributes:
        text: as shown, so perhaps shortened with an ellipsis.
        ink: the pixels it covers, or would cover if its box did not cut it off.
        box: the room it was given.
        cap: height of its capitals in pixels.
    """

    text: str
    ink: pygame.Rect
    box: pygame.Rect
    cap: float


class SurfaceCache:
    """A bounded store of finished pictures, those that were not asked for longest thrown out."""

    def __init__(self, limit: int = CACHE_LIMIT) -> None:
        """Start empty; keep at most *limit* bytes of pictures, and the newest one."""
        self._kept: OrderedDict[object, pygame.Surface] = OrderedDict()
        self._limit, self._held = limit, 0

    @classmethod
    def of_screen(cls, size: tuple[int, int]) -> SurfaceCache:
        """Return the store for a screen of *size* pixels."""
        return cls(SCREENS_KEPT * 4 * size[0] * size[1])

    def get(self, key: object, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the picture under *key*, making it when it is not there."""
        found = self._kept.get(key)
        if found is None:
            found = make()  # it may ask for others itself
            self._kept[key] = found
            self._held += _bytes(found)
            while self._held > self._limit and len(self._kept) > 1:
                self._held -= _bytes(self._kept.popitem(last=False)[1])
        else:
            self._kept.move_to_end(key)
        return found

    def smooth(
        self, key: object, size: tuple[int, int], draw: Callable[[pygame.Surface], None]
    ) -> pygame.Surface:
        """Return a picture whose edges are smooth: *draw* works on a larger sheet."""

        def make() -> pygame.Surface:
            width, height = max(1, size[0]), max(1, size[1])
            times = SUPERSAMPLE if max(width, height) <= LARGE else 2
            big = pygame.Surface((width * times, height * times), pygame.SRCALPHA)
            draw(big)
            # Averaging colours with their alpha keeps the dark fringe of transparent black away.
            return pygame.transform.smoothscale(big.premul_alpha(), (width, height))

        return self.get((key, size), make)


def _bytes(picture: pygame.Surface) -> int:
    return picture.get_bytesize() * picture.get_width() * picture.get_height()


class TextPainter:
    """Writes on one surface and remembers what it wrote."""

    def __init__(self, surface: pygame.Surface, cache: SurfaceCache, scale: float = 1.0) -> None:
        """Write on *surface*; keep rendered text in *cache*.

        *scale* makes all words so much larger, where their boxes have the room.
        """
        self.surface = surface
        self.cache = cache
        self.scale = scale
        self.written: list[Written] = []

    def line(
        self, text: str, box: pygame.Rect, cap: float, colour: Colour, **style: Unpack[Style]
    ) -> pygame.Rect:
        """Write one line in the middle of *box*, smaller and at last shortened until it fits.

        Args:
            text: a single line.
            box: the room there is; nothing is painted outside it.
            cap: height of the capitals in pixels.
            colour: of the ink.
            style: how it is set.

        Returns:
            The pixels covered.
        """
        if not text.strip() or box.w < 2 or box.h < 2:
            return pygame.Rect(box.x, box.centery, 0, 0)
        smallest = style.get("smallest", SMALLEST) / self.scale
        return self._line(text, box, cap * self.scale, colour, smallest, style)

    def cap_of_all(
        self, texts: Iterable[str], box: pygame.Rect, cap: float, **style: Unpack[Style]
    ) -> float:
        """Return the cap at which each of *texts* fits a box like *box*, so that all look alike."""
        smallest = style.get("smallest", SMALLEST) / self.scale
        face = style.get("face", Face.PLAIN)
        sizes = (_fit(t, face, cap * self.scale, box.w, box.h, smallest)[1] for t in texts)
        return min(sizes, default=cap * self.scale) / self.scale

    def _line(
        self,
        text: str,
        box: pygame.Rect,
        cap: float,
        colour: Colour,
        smallest: float,
        style: Style,
    ) -> pygame.Rect:
        face, align = style.get("face", Face.PLAIN), style.get("align", 0.0)
        shown, size = _fit(text, face, cap, box.w, box.h, smallest)
        em = _em(face, size)
        cap, covered = em * _CAP_OF_EM[face], _ink(shown, face, em)
        picture = self.cache.get(
            ("line", shown, face, em, colour),
            lambda: _inked(shown, face, em, colour).subsurface(covered).copy(),
        )
        left = box.x + round((box.w - covered.w) * align)
        top = round(box.centery + cap / 2) - font(face, em).get_ascent() + covered.y
        ink = pygame.Rect(left, top, covered.w, covered.h)
        # Accents and tails may lean out of the middle: move the line, never the box.
        shift = max(0, box.top - ink.top) - max(0, ink.bottom - box.bottom)
        before = self.surface.get_clip()
        self.surface.set_clip(box.clip(before))
        ink = ink.move(0, shift)
        self.surface.blit(picture, ink)
        self.surface.set_clip(before)
        self.written.append(Written(shown, ink, box.copy(), cap))
        return ink

    def paragraph(
        self, text: str, box: pygame.Rect, cap: float, colour: Colour, **style: Unpack[Style]
    ) -> None:
        """Write *text* in as many lines as *box* holds, smaller until all of it fits.

        A line break in *text* stays one.
        """
        if not text.strip() or box.w < 2 or box.h < 2:
            return
        face, cap = style.get("face", Face.PLAIN), cap * self.scale
        smallest = style.get("smallest", SMALLEST) / self.scale
        size, line_pitch = cap, style.get("pitch", LINE_PITCH)
        for share in (1.0, 0.94, 0.88, 0.82):
            # Rather a little smaller than one lonely word on a line of its own.
            unbroken = text.count("\n") + 1
            if (
                len(wrapped(text, face, cap * share, box.w)) == unbroken
                and unbroken * cap * share * line_pitch <= box.h
                and _widest(text, face, cap * share) <= box.w
            ):
                size = cap * share
                break
        while True:
            lines = wrapped(text, face, size, box.w)
            pitch = size * line_pitch
            fits = len(lines) * pitch <= box.h and _widest("\n".join(lines), face, size) <= box.w
            if fits or size <= cap * smallest:
                break
            size = max(size * 0.94, cap * smallest)
        room = max(1, int(box.h / pitch))
        if len(lines) > room:
            lines = (*lines[: room - 1], " ".join(lines[room - 1 :]))
        top = box.y + (box.h - pitch * len(lines)) / 2
        for number, words in enumerate(lines):
            y0, y1 = round(top + number * pitch), round(top + (number + 1) * pitch)
            row = pygame.Rect(box.x, y0, box.w, y1 - y0).clip(box)
            if words.strip() and row.w > 1 and row.h > 1:
                self._line(words, row, size, colour, 0.95, style)


def text_width(text: str, face: Face, cap: float) -> int:
    """Return how wide *text* is in pixels when its capitals are *cap* pixels high."""
    return font(face, _em(face, cap)).size(holding_room(text))[0]


def _widest(text: str, face: Face, cap: float) -> int:
    return max(text_width(line, face, cap) for line in text.split("\n"))


def _em(face: Face, cap: float) -> int:
    return max(6, round(cap / _CAP_OF_EM[face]))


@lru_cache(maxsize=96)
def font(face: Face, em: int) -> pygame.font.Font:
    """Return a bundled font; *em* is its size in pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(io.BytesIO(_font_file(face)), em)


@lru_cache
def _font_file(face: Face) -> bytes:
    return importlib.resources.files("display.drawing").joinpath("fonts", face.value).read_bytes()


@lru_cache(maxsize=2048)
def _fit(
    text: str, face: Face, cap: float, width: int, height: int, smallest: float
) -> tuple[str, float]:
    """Return the text and the height of its capitals that fit *width* and *height*."""
    size = cap
    while True:
        ink = _ink(text, face, _em(face, size))
        if ink.w <= width and ink.h <= height:
            return text, size
        if size <= cap * smallest and ink.h <= height:
            break
        if _em(face, size) <= 6:
            break
        size *= 0.96
    shown = text
    while len(shown) > 1 and _ink(shown + ELLIPSIS, face, _em(face, size)).w > width:
        shown = shown[:-1].rstrip()
    return shown + ELLIPSIS, size


@lru_cache(maxsize=4096)
def _ink(text: str, face: Face, em: int) -> pygame.Rect:
    return _inked(text, face, em, (255, 255, 255)).get_bounding_rect()


def _inked(text: str, face: Face, em: int, colour: Colour) -> pygame.Surface:
    used = font(face, em)
    surface = used.render(holding_room(text), True, colour)
    draw_signs(surface, text, used, em * _CAP_OF_EM[face], colour)
    return surface


@lru_cache(maxsize=512)
def wrapped(text: str, face: Face, cap: float, width: int) -> tuple[str, ...]:
    """Return *text* in lines of at most *width* pixels, its capitals *cap* pixels high."""
    lines: list[str] = []
    for part in text.split("\n"):
        lines.append("")
        # Only at blanks: the space before a French colon must not be broken.
        for word in part.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if not lines[-1] or text_width(longer, face, cap) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
    return tuple(lines)

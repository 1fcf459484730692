"""One screen being drawn: its surface, colours and language, and lengths as shares of its size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Unpack

from pygame import Rect, Surface

from display.controls import TouchArea
from display.drawing.bones import bone_face
from display.drawing.shapes import Icon, blit_premultiplied, card_back, card_face, icon, panel
from display.drawing.text import Face, Style, TextPainter, text_width
from display.drawing.theme import Colour, Theme
from display.i18n.languages import base
from display.i18n.translate import Translator
from engine.core.bones import Face as BoneFace
from engine.core.cards import Card
from engine.core.messages.message import Value


@dataclass(slots=True)
class Canvas:
    """What a screen is drawn with.

    Attributes:
        unit: the length in pixels that all shares are of, about the height of the screen.
        time_s: for animation; the same time gives the same picture.
        area: the free room of a page, between its title and its keys.
        touches: where what was drawn can be touched.
    """

    painter: TextPainter
    theme: Theme
    unit: int
    language: str
    time_s: float = 0.0
    area: Rect = field(default_factory=lambda: Rect(0, 0, 0, 0))
    touches: list[TouchArea] = field(default_factory=list)

    @property
    def translator(self) -> Translator:
        """Return the translator of the screen's language."""
        return Translator.of(self.language)

    def px(self, share: float) -> int:
        """Return a length in pixels, at least 1."""
        return max(1, round(share * self.unit))

    def box(
        self,
        rect: Rect,
        fill: tuple[int, ...],
        edge: Colour | None = None,
        *,
        radius: float = 0.02,
        line: float = 0.003,
    ) -> None:
        """Paint a rounded panel; *fill* may have an alpha, *radius* and *line* are shares."""
        if rect.w < 2 or rect.h < 2:
            return
        picture = panel(
            self.painter.cache,
            rect.size,
            fill,
            edge,
            radius=min(radius * self.unit, rect.w / 2, rect.h / 2),
            line=max(1.0, line * self.unit),
        )
        self.blit(picture, rect.topleft)

    def blit(self, picture: Surface, at: tuple[int, int]) -> None:
        """Put a finished picture on the screen, its top left corner at *at*."""
        blit_premultiplied(self.painter.surface, picture, at)

    def fill(self, colour: Colour, rect: Rect) -> None:
        """Paint a plain rectangle."""
        self.painter.surface.fill(colour, rect)

    def icon(
        self, which: Icon, size: int, colour: Colour, ground: Colour, at: tuple[int, int]
    ) -> None:
        """Draw a square icon of *size* pixels, its top left corner at *at*."""
        self.blit(icon(self.painter.cache, which, size, colour, ground), at)

    def card(
        self,
        card: Card | None,
        height: int,
        at: tuple[int, int],
        *,
        gold: bool = False,
        large: bool = False,
    ) -> None:
        """Draw a card as :func:`card_face` does, or a back for ``None``."""
        cache = self.painter.cache
        if card is None:
            self.blit(card_back(cache, self.theme, height), at)
        else:
            face = card_face(
                cache,
                self.theme,
                card,
                height,
                gold=gold,
                large=large,
                language=base(self.language),
            )
            self.blit(face, at)

    def bone(self, face: BoneFace, height: int, at: tuple[int, int]) -> None:
        """Draw a bone with *face* uppermost."""
        self.blit(bone_face(self.painter.cache, self.theme, face, height), at)

    def say(self, text: Value) -> str:
        """Return *text* in the screen's language, with the signs of strangers."""
        return self.translator.signed(self.translator.render(text))

    def text_width(self, text: Value, cap: float, face: Face = Face.PLAIN) -> int:
        """Return how wide *text* would like to be, in pixels; *cap* is a share."""
        return text_width(self.say(text), face, cap * self.unit * self.painter.scale)

    def line(
        self, text: Value, rect: Rect, cap: float, colour: Colour, **style: Unpack[Style]
    ) -> Rect:
        """Write one line as :meth:`TextPainter.line` does; *cap* is a share."""
        return self.painter.line(self.say(text), rect, cap * self.unit, colour, **style)

    def cap_of_all(
        self, texts: Iterable[Value], rect: Rect, cap: float, **style: Unpack[Style]
    ) -> float:
        """Return the *cap*, a share, at which each of *texts* fits a box like *rect*."""
        said = map(self.say, texts)
        return self.painter.cap_of_all(said, rect, cap * self.unit, **style) / self.unit

    def words(
        self, text: Value, rect: Rect, cap: float, colour: Colour, **style: Unpack[Style]
    ) -> None:
        """Write a paragraph as :meth:`TextPainter.paragraph` does; *cap* is a share."""
        self.painter.paragraph(self.say(text), rect, cap * self.unit, colour, **style)

    def pulse(self, seconds: float = 4.0) -> float:
        """Return a share that swings between 0 and 1, so that a still screen looks alive."""
        # In steps: each colour in between would be a picture of its own to keep.
        return round(8 * (0.5 - 0.5 * math.cos(self.time_s * math.tau / seconds))) / 8

    def plaque(self, rect: Rect, *, leads: bool, radius: float = 0.02) -> Colour:
        """Paint the ground of a player's sum; return the colour of its words."""
        theme = self.theme
        if leads:
            self.box(rect, theme.brass, theme.ivory, radius=radius)
            return theme.ink
        self.box(rect, theme.plate, theme.plate_edge, radius=radius)
        return theme.ivory

    def tile(self, rect: Rect, *, chosen: bool) -> Colour:
        """Paint the ground of something that can be chosen; return the colour of its words."""
        theme = self.theme
        if chosen:
            edge = mixed(theme.brass_deep, theme.brass, 0.4 + 0.6 * self.pulse())
            self.box(rect, theme.ivory, edge, line=0.009)
            return theme.ink
        self.box(rect, (*theme.plate, 235), theme.plate_edge)
        return theme.ivory


def split_x(rect: Rect, width: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Return the left *width* pixels of *rect*, and what is right of them after *gap*.

    >>> split_x(Rect(10, 0, 100, 20), 30, 5)
    (Rect(10, 0, 30, 20), Rect(45, 0, 65, 20))
    """
    left = Rect(rect.x, rect.y, width, rect.h)
    return left, Rect(left.right + gap, rect.y, rect.right - left.right - gap, rect.h)


def split_y(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Return the upper *height* pixels of *rect*, and what is below them after *gap*."""
    top = Rect(rect.x, rect.y, rect.w, height)
    return top, Rect(rect.x, top.bottom + gap, rect.w, rect.bottom - top.bottom - gap)


def grid(rect: Rect, count: int, columns: int, gap: int) -> list[Rect]:
    """Divide *rect* into *count* equal cells, row by row, *gap* pixels apart."""
    rows = -(-count // columns)
    width = (rect.w - gap * (columns - 1)) // columns
    height = (rect.h - gap * (rows - 1)) // rows
    return [
        Rect(
            rect.x + n % columns * (width + gap), rect.y + n // columns * (height + gap),
            width, height,
        )
        for n in range(count)
    ]  # fmt: skip


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def signed(tokens: int) -> str:
    """Return a net sum with its sign; the minus is as wide as the plus.

    >>> signed(3), signed(0), signed(-2) == "\u22122"
    ('+3', '0', True)
    """
    return f"+{tokens}" if tokens > 0 else str(tokens).replace("-", "\u2212")

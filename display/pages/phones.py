"""The codes that bring phones to the table: one a seat, and the host's PIN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.drawing.canvas import Canvas, grid, split_y
from display.drawing.text import Face
from display.pages.base import ROW_CAP, Page, labelled
from engine.core.messages.message import Value

QUIET = 4
"""Light modules around a QR code (ISO/IEC 18004)."""


@dataclass(frozen=True, slots=True)
class PhoneCode:
    """One seat.

    Attributes:
        name: who sits there.
        dark: rows of the QR code's modules, without the light ones around it.
        typed: what is typed where no code can be scanned.
        has_phone: a phone has the seat already.
    """

    name: Value
    dark: tuple[tuple[bool, ...], ...]
    typed: str = ""
    has_phone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesPage(Page):
    """The codes of all seats.

    Attributes:
        codes: one a seat.
        foot: what stands below them.
    """

    codes: tuple[PhoneCode, ...]
    foot: Value = ""

    def answers(self) -> Sequence[Value]:
        """Return nothing: there is nothing to choose, and no secret is said aloud."""
        return ()

    def spoken(self) -> Value:
        """Return the title and what stands below: no secret is said aloud."""
        return labelled(self.title, self.foot)


def draw_phones(canvas: Canvas, page: PhonesPage) -> None:
    """Draw the codes, dark on white whatever the look, each above its name."""
    codes, foot = split_y(canvas.area, canvas.area.h - (canvas.px(0.06) if page.foot else 0))
    if page.foot:
        canvas.line(page.foot, foot, ROW_CAP, canvas.theme.ivory, align=0.5, smallest=0.5)
    count = max(1, len(page.codes))
    columns = count if count <= 4 else (count + 1) // 2
    for code, cell in zip(page.codes, grid(codes, count, columns, canvas.px(0.02)), strict=False):
        _draw_code(canvas, code, cell)


def _draw_code(canvas: Canvas, code: PhoneCode, cell: Rect) -> None:
    square, words = split_y(cell, cell.h - canvas.px(0.1))
    modules = len(code.dark) + 2 * QUIET
    module = min(square.w, square.h) // modules
    side = module * modules
    area = Rect(square.centerx - side // 2, square.bottom - side, side, side)
    canvas.fill((255, 255, 255), area)
    for y, row in enumerate(code.dark, start=QUIET):
        for x, dark in enumerate(row, start=QUIET):
            if dark:
                at = area.x + x * module, area.y + y * module
                canvas.fill((0, 0, 0), Rect(at, (module, module)))
    name, typed = split_y(words, words.h // 2)
    ink = canvas.theme.muted if code.has_phone else canvas.theme.brass
    canvas.line(code.name, name, ROW_CAP, ink, face=Face.TITLE, align=0.5, smallest=0.5)
    canvas.line(code.typed, typed, ROW_CAP, canvas.theme.ivory, align=0.5, smallest=0.5)

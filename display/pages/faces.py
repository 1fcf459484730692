"""How often each face of the bones fell: bars, their bounds, and the published chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from display.drawing.bones import BONE_ASPECT
from display.drawing.canvas import Canvas, split_x, split_y
from display.drawing.text import Face as Font
from display.pages.base import SMALL_CAP, Page, joined
from engine.core.bones import Face
from engine.core.messages.message import Joined, Value

KEY_CAP = 0.022
"""Height of the capitals of the smallest words."""


@dataclass(frozen=True, slots=True)
class ShareBar:
    """One face, or one rank of cards; all shares are 0.0-1.0.

    Attributes:
        face: drawn beside the bar; ``None`` for a rank.
        count: how often it fell.
        share: the part of all that is.
        low, high: bounds of its true chance.
        published: its chance as it is published, or as the pack has it.
    """

    face: Face | None
    name: Value
    count: int
    share: float
    low: float
    high: float
    published: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FacesPage(Page):
    """The whole picture.

    Attributes:
        bars: one a face.
        headline: what they amount to.
        key: what bar, line and mark mean.
    """

    bars: tuple[ShareBar, ...]
    headline: Value = ""
    key: Value = ""

    def spoken(self) -> Value:
        """Return how often each face fell, and what that amounts to."""
        counted = Joined(tuple(joined(bar.name, " ", bar.count) for bar in self.bars), ", ")
        return joined(self.title, ". ", counted, ". ", self.headline)


def whole_of(bars: Sequence[ShareBar]) -> float:
    """Return the share at the right end of the longest bar, so that none of the marks is lost."""
    return max([0.0, *(max(bar.high, bar.published) for bar in bars)]) * 1.04 or 1.0


def draw_faces(canvas: Canvas, page: FacesPage) -> None:
    """Draw a row for each face, the headline below, and the key at the foot."""
    area, theme = canvas.area, canvas.theme
    key_h = canvas.px(0.05) if page.key else 0
    head_h = canvas.px(0.15) if page.headline else 0
    rows, foot = split_y(area, area.h - key_h - head_h)
    headline, key = split_y(foot, head_h)
    whole = max(0.52, whole_of(page.bars))
    pitch = rows.h // max(1, len(page.bars))
    for number, bar in enumerate(page.bars):
        row = Rect(rows.x, rows.y + number * pitch, rows.w, pitch - canvas.px(0.014))
        _draw_bar(canvas, bar, row, whole)
    if page.headline:
        canvas.words(page.headline, headline, 0.034, theme.ivory, face=Font.TITLE, align=0.5)
    if page.key:
        canvas.line(page.key, key, KEY_CAP, theme.muted, align=0.5, smallest=0.5)


def _draw_bar(canvas: Canvas, bar: ShareBar, row: Rect, whole: float) -> None:
    """Draw the bone and its name, the bar with its bounds and the published mark, the figures."""
    theme = canvas.theme
    canvas.box(row, (*theme.plate, 235), theme.plate_edge)
    inner = row.inflate(-2 * canvas.px(0.018), -2 * canvas.px(0.012))
    if bar.face is not None:
        canvas.bone(bar.face, inner.h, inner.topleft)
    beside = split_x(inner, round(inner.h * BONE_ASPECT), canvas.px(0.014))[1]
    name, field = split_x(beside, round(inner.w * 0.15), canvas.px(0.012))
    canvas.line(bar.name, name, SMALL_CAP, theme.muted, smallest=0.5)
    field, figures = split_x(field, field.w - round(inner.w * 0.16))
    field.w -= canvas.px(0.012)
    count, share = split_y(figures, round(figures.h * 0.58))
    canvas.line(str(bar.count), count, 0.05, theme.brass, face=Font.TITLE, align=1.0, smallest=0.4)
    canvas.line(f"{100 * bar.share:.0f} %", share, SMALL_CAP, theme.ivory, align=1.0, smallest=0.5)
    draw_share(canvas, bar, field, whole)


def draw_share(canvas: Canvas, bar: ShareBar, field: Rect, whole: float) -> None:
    """Draw the bar on *field*, whose width is the share *whole*, its bounds, and the mark."""
    theme = canvas.theme

    def at(part: float) -> int:
        return field.x + round(field.w * part / whole)

    thick = max(2, min(canvas.px(0.006), field.h // 8))
    tall = round(field.h * 0.46)
    middle = field.centery
    canvas.fill(theme.brass_deep, Rect(field.x, middle - tall // 2, at(bar.share) - field.x, tall))
    canvas.fill(
        theme.ivory, Rect(at(bar.low), middle - thick // 2, at(bar.high) - at(bar.low), thick)
    )
    for end in (bar.low, bar.high) if bar.high else ():
        cap = Rect(at(end) - thick // 2, middle - tall // 4, thick, tall // 2)
        canvas.fill(theme.ivory, cap)
    # The mark stands above and below the bar, so that neither colour nor line alone tells it.
    for top in (field.y, field.bottom - field.h // 5):
        canvas.fill(theme.alarm, Rect(at(bar.published) - thick, top, 2 * thick, field.h // 5))

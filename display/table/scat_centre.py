"""The middle of the table in Thirty-one: stock, discard, the cards beside them, knocker and pot."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.drawing.shapes import CARD_ASPECT, card_back, card_face, panel, stamp
from display.drawing.text import Face, TextPainter, text_width
from display.drawing.theme import Theme
from display.i18n.translate import Translator
from engine.core.cards import Card
from engine.core.messages.prompt import player_name
from engine.core.views import MiddleView, View

LABEL_CAP, LINE_CAP = 0.024, 0.029
"""Heights of capitals as shares of the screen's height."""

LABEL_ROW = 0.042
WORDS_SHARE = 0.27
"""Of a wide middle, so much is for words."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Cards side by side under one label; an empty place is drawn as an outline.

    Attributes:
        short: the label where the room is narrow.
    """

    label: str
    cards: tuple[Card | None, ...]
    empty: bool = False
    short: str = ""

    @property
    def places(self) -> int:
        return max(1, len(self.cards))


def draw_scat_middle(
    pen: TextPainter,
    theme: Theme,
    view: View,
    middle: MiddleView,
    room: Rect,
    language: str,
    unit: int,
) -> None:
    """Draw what lies between the players, as large as *room* allows."""
    _ = Translator.of(language)
    pad = round(0.014 * unit)
    box = room.inflate(-pad, 0)
    lines = _lines(view, middle, _)
    groups = _groups(middle, _)
    if box.w > 2.6 * box.h:
        words = Rect(box.x, box.y, round(box.w * WORDS_SHARE), box.h)
        cards = Rect(words.right + pad, box.y, box.right - words.right - pad, box.h)
        _draw_lines(pen, theme, lines, words, unit)
    else:
        words = Rect(box.x, box.y, box.w, round(0.05 * unit))
        cards = Rect(box.x, words.bottom, box.w, box.bottom - words.bottom)
        _draw_lines(pen, theme, [_joined(lines)], words, unit)
    _draw_groups(pen, theme, groups, cards, unit)


def _lines(view: View, middle: MiddleView, _: Translator) -> list[tuple[str, bool]]:
    """Return the words of the middle, and which of them matter now."""
    lines = [(_("Hand {n}").format(n=view.hand_number), False)]
    pot = 0 if view.match is None else view.match.pot
    if pot:
        lines.append((_.plural("Pot: {n} token", "Pot: {n} tokens", pot).format(n=pot), False))
    if middle.knocker is not None:
        name = _.render(player_name(view, middle.knocker))
        lines.append((_("{name} has knocked").format(name=name), True))
    elif middle.table == "none" and not middle.discards and not pot:
        lines.append((_("Thirty-one"), True))
    return lines


def _joined(lines: list[tuple[str, bool]]) -> tuple[str, bool]:
    return " · ".join(text for text, _loud in lines), any(loud for _text, loud in lines)


def _groups(middle: MiddleView, _: Translator) -> list[_Group]:
    stock = _Group(
        _("Stock {n}").format(n=middle.stock),
        (None,) if middle.stock else (),
        not middle.stock,
        str(middle.stock),
    )
    if middle.table == "bus":
        return [_Group(_("On the table"), middle.pile("table"), not middle.pile("table"))]
    if middle.table == "switch":
        hands = [
            _Group(_("Hand {hand}").format(hand=name), middle.pile(name), not middle.pile(name))
            for name in ("A", "B")
        ]
        return [stock, *hands]
    top = middle.discard_top
    groups = [stock, _Group(_("Discard"), () if top is None else (top,), top is None)]
    if middle.table == "widow":
        groups.append(_Group(_("Widow"), middle.pile("widow"), not middle.pile("widow")))
    return groups


def _draw_lines(
    pen: TextPainter, theme: Theme, lines: list[tuple[str, bool]], box: Rect, unit: int
) -> None:
    pitch = min(round(0.062 * unit), box.h // max(1, len(lines)))
    top = box.centery - pitch * len(lines) // 2
    for text, loud in lines:
        colour = theme.brass if loud else theme.ivory
        row = Rect(box.x, top, box.w, pitch)
        if loud and pitch >= 0.05 * unit:
            pen.line(text, row, LINE_CAP * 1.15 * unit, colour, smallest=0.45)
        else:
            pen.line(text, row, LINE_CAP * unit, colour, smallest=0.5)
        top += pitch


def _draw_groups(
    pen: TextPainter, theme: Theme, groups: list[_Group], box: Rect, unit: int
) -> None:
    """Draw the groups side by side in the middle of *box*, each over its label."""
    label_h = round(LABEL_ROW * unit)
    between = round(0.035 * unit)
    gap = max(2, round(0.008 * unit))
    places = sum(group.places for group in groups)
    free = box.w - between * (len(groups) - 1) - gap * (places - len(groups))
    height = min(box.h - label_h, int(free / places / CARD_ASPECT))
    width = round(height * CARD_ASPECT)
    if height < 8:
        return
    total = places * width + gap * (places - len(groups)) + between * (len(groups) - 1)
    spare = max(0, box.w - total) // max(1, len(groups))
    widen = min(spare, round(0.09 * unit))
    left = box.x + (box.w - total - widen * (len(groups) - 1)) // 2
    top = box.y + (box.h - label_h - height) // 2
    for group in groups:
        wide = group.places * width + gap * (group.places - 1)
        start = left
        if group.empty:
            outline = panel(
                pen.sprites,
                (wide, height),
                (*theme.felt_edge, 160),
                theme.plate_edge,
                radius=height * 0.085,
                line=max(1.0, 0.003 * unit),
            )
            stamp(pen.surface, outline, (left, top))
        for card in group.cards:
            picture = (
                card_back(pen.sprites, theme, height)
                if card is None
                else card_face(pen.sprites, theme, card, height, large=len(group.cards) == 1)
            )
            stamp(pen.surface, picture, (left, top))
            left += width + gap
        reach = (between + widen) // 2 - gap
        label = Rect(start - reach, top + height, wide + 2 * reach, label_h).clip(box)
        said = group.label
        if group.short and text_width(said, Face.PLAIN, 0.85 * LABEL_CAP * unit) > label.w:
            said = group.short
        pen.line(said, label, LABEL_CAP * unit, theme.muted, align=0.5, smallest=0.5)
        left = start + wide + between + widen

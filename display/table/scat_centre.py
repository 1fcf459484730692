"""The centre of the table in Thirty-one: stock, discard, the cards beside them, knocker and pot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pygame import Rect

from display.drawing.canvas import Canvas
from display.drawing.shapes import CARD_ASPECT, CORNER
from display.drawing.text import Face, text_width
from engine.core.cards import Card
from engine.core.messages.message import Joined, Message, Value
from engine.core.messages.prompt import player_name
from engine.core.views import MiddleView, View

LABEL_CAP, LINE_CAP = 0.024, 0.029
"""Heights of capitals as shares of the screen's height."""

LEAST_PITCH = 0.042
"""From one line to the next, as a share, so that none stands on another: rather fewer lines."""

LABEL_ROW = 0.042
LOW, BESIDE, WIDEST = 0.17, 0.57, 0.28
"""In a lower box than this labels stand beside the cards; the width of all of them together, and of
one, as shares."""

WORDS_SHARE = 0.27
"""Share of a wide centre that is for words."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Cards side by side under one label; where there are none an outline is drawn.

    Attributes:
        short: the label where the room is narrow.
    """

    label: Value
    cards: tuple[Card | None, ...]
    short: str = ""

    @property
    def places(self) -> int:
        return max(1, len(self.cards))


def draw_scat_centre(canvas: Canvas, view: View, middle: MiddleView, room: Rect) -> None:
    """Draw what lies between the players, as large as *room* allows."""
    words, cards = _rooms(canvas, room)
    lines = _lines(view, middle)
    if cards.y > words.y:
        words_of = Joined(tuple(text for text, _loud in lines), " · ")
        lines = [(words_of, any(loud for _text, loud in lines))]
    _draw_lines(canvas, lines, words)
    _draw_groups(canvas, _groups(middle), cards)


def cards_between(
    canvas: Canvas, middle: MiddleView, room: Rect
) -> Iterator[tuple[Card | None, Rect]]:
    """Yield the cards that are drawn between the players, with their places."""
    for group, place, _label in _placed(canvas, _groups(middle), _rooms(canvas, room)[1]):
        yield from zip(group.cards, _cards_of(canvas, group, place), strict=False)


def _rooms(canvas: Canvas, room: Rect) -> tuple[Rect, Rect]:
    """Return where the words stand, and beside or below them the cards."""
    pad = canvas.px(0.014)
    box = room.inflate(-pad, 0)
    if box.w > 2.6 * box.h:
        words = Rect(box.x, box.y, round(box.w * WORDS_SHARE), box.h)
        return words, Rect(words.right + pad, box.y, box.right - words.right - pad, box.h)
    words = Rect(box.x, box.y, box.w, canvas.px(0.05))
    return words, Rect(box.x, words.bottom, box.w, box.bottom - words.bottom)


def _lines(view: View, middle: MiddleView) -> list[tuple[Value, bool]]:
    """Return the words of the centre, and which of them matter now."""
    lines: list[tuple[Value, bool]] = [(Message("Hand {n}", n=view.hand_number), False)]
    pot = 0 if view.match is None else view.match.pot
    if pot:
        lines.append((Message("Pot: {n} token", "Pot: {n} tokens", pot, n=pot), False))
    if middle.knocker is not None:
        name = player_name(view, middle.knocker)
        lines.append((Message("{name} has knocked", name=name), True))
    elif middle.table == "none" and not middle.discards and not pot:
        lines.append((Message("Thirty-one"), True))
    return lines


def _groups(middle: MiddleView) -> list[_Group]:
    if middle.table == "bus":
        return [_Group(Message("On the table"), middle.pile("table"))]
    label = Message("Stock {n}", n=middle.stock)
    stock = _Group(label, (None,) if middle.stock else (), str(middle.stock))
    if middle.table == "switch":
        return [
            stock,
            *(_Group(Message("Hand {hand}", hand=name), middle.pile(name)) for name in "AB"),
        ]
    top = middle.discard_top
    lying = (top,) if top is not None or middle.top_is_unread else ()
    groups = [stock, _Group(Message("Discard"), lying)]
    if middle.table == "widow":
        groups.append(_Group(Message("Widow"), middle.pile("widow")))
    return groups


def _draw_lines(canvas: Canvas, lines: list[tuple[Value, bool]], box: Rect) -> None:
    while len(lines) > 1 and box.h < LEAST_PITCH * canvas.unit * len(lines):
        lines = lines[1:]  # the number of the hand first
    pitch = min(canvas.px(0.062), box.h // max(1, len(lines)))
    top = box.centery - pitch * len(lines) // 2
    for text, loud in lines:
        colour = canvas.theme.brass if loud else canvas.theme.ivory
        row = Rect(box.x, top, box.w, pitch)
        if loud and pitch >= 0.05 * canvas.unit:
            canvas.line(text, row, LINE_CAP * 1.15, colour, smallest=0.45)
        else:
            canvas.line(text, row, LINE_CAP, colour, smallest=0.5)
        top += pitch


def _draw_groups(canvas: Canvas, groups: list[_Group], box: Rect) -> None:
    """Draw the groups side by side in the centre of *box*, each with its label."""
    theme = canvas.theme
    for group, place, label in _placed(canvas, groups, box):
        if not group.cards:
            radius = place.h * CORNER / canvas.unit
            canvas.box(place, (*theme.felt_edge, 160), theme.plate_edge, radius=radius)
        for card, at in zip(group.cards, _cards_of(canvas, group, place), strict=False):
            canvas.card(
                card, at.h, at.topleft, large=len(group.cards) == 1 and at.h > canvas.px(0.11)
            )
        text = canvas.say(group.label)
        if group.short and text_width(text, Face.PLAIN, 0.85 * LABEL_CAP * canvas.unit) > label.w:
            text = group.short
        below = label.y >= place.bottom
        align = 0.5 if below else 0.0
        canvas.line(text, label, LABEL_CAP, theme.muted, align=align, smallest=0.5)


def _placed(canvas: Canvas, groups: list[_Group], box: Rect) -> Iterator[tuple[_Group, Rect, Rect]]:
    """Yield each group, the place of its cards, and that of its label: beside in a low box."""
    label_h, between, gap = canvas.px(LABEL_ROW), canvas.px(0.035), _gap(canvas)
    beside = 0
    if box.h < LOW * canvas.unit:
        label_h, beside = 0, min(canvas.px(BESIDE) // len(groups), canvas.px(WIDEST))
    places = sum(group.places for group in groups)
    gaps = (between + beside) * len(groups) - between + gap * (places - len(groups))
    height = min(box.h - label_h, int((box.w - gaps) / places / CARD_ASPECT))
    width = round(height * CARD_ASPECT)
    if height < 8:
        return
    total = places * width + gaps
    spare = max(0, box.w - total) // max(1, len(groups))
    widen = min(spare, canvas.px(0.09))
    left = box.x + (box.w - total - widen * (len(groups) - 1)) // 2
    top = box.y + (box.h - label_h - height) // 2
    for group in groups:
        wide = group.places * width + gap * (group.places - 1)
        place = Rect(left, top, wide, height)
        if beside:
            label = Rect(place.right + gap, top, beside - gap, height)
        else:
            reach = (between + widen) // 2 - gap
            label = Rect(place.x - reach, place.bottom, wide + 2 * reach, label_h).clip(box)
        yield group, place, label
        left += wide + beside + between + widen


def _cards_of(canvas: Canvas, group: _Group, place: Rect) -> Iterator[Rect]:
    """Yield the places of the cards of a group."""
    width = round(place.h * CARD_ASPECT)
    for number in range(group.places):
        yield Rect(place.x + number * (width + _gap(canvas)), place.y, width, place.h)


def _gap(canvas: Canvas) -> int:
    return max(2, canvas.px(0.008))

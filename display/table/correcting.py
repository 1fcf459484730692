"""Where a card on the table screen is touched to be put right."""

from __future__ import annotations

from collections.abc import Iterator

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas
from display.table.centre import shows_cards
from display.table.layout import Layout
from display.table.scat_centre import cards_between
from display.table.seats import bones_on, cards_on
from engine.core.cards import Card
from engine.core.views import Phase, View

FRAME = 0.011
"""The line round what has just been put right, as a share of the screen's height."""

Spot = tuple[int | None, Card]
"""A card that lies open, and the seat that has it; none for one between the players."""


def card_touches(canvas: Canvas, view: View, places: Layout) -> tuple[TouchArea, ...]:
    """Return where each open card is touched: MENU, with its number in :func:`open_cards`."""
    numbers = {spot: number for number, spot in reversed(list(enumerate(open_cards(view))))}
    return tuple(
        TouchArea(place, "menu", choice=numbers[spot], seat=spot[0])
        for spot, place in _drawn(canvas, view, places)
        if spot in numbers
    )


def draw_put_right(
    canvas: Canvas, view: View, places: Layout, changed: Card | tuple[int, int, int]
) -> None:
    """Frame what has just been put right: a card, or the seat, throw and place of a bone."""
    if isinstance(changed, Card):
        found = [place for (_seat, card), place in _drawn(canvas, view, places) if card == changed]
    else:
        seats = zip(view.seats, places.plates, strict=True)
        found = [
            at
            for seat, plate in seats
            for roll, place, at in bones_on(canvas, seat, plate)
            if (seat.seat, roll, place) == changed
        ]
    for place in found[:1]:
        frame = place.inflate(canvas.px(0.014), canvas.px(0.014))
        canvas.box(frame, (0, 0, 0, 0), canvas.theme.brass, radius=0.016, line=FRAME)


def open_cards(view: View) -> Iterator[Spot]:
    """Yield the cards that lie open, in the order in which they can be put right (rule G-10)."""
    for seat in view.seats:
        yield from ((seat.seat, card) for card in seat.cards if card is not None)
    if view.middle is not None:
        yield from ((None, card) for card in reversed(view.middle.discards))
        for pile in view.middle.piles:
            yield from ((None, card) for card in pile.cards if card is not None)
    if view.phase is Phase.CUT:
        yield from view.cuts


def _drawn(canvas: Canvas, view: View, places: Layout) -> Iterator[tuple[Spot, Rect]]:
    for seat, plate in zip(view.seats, places.plates, strict=True):
        for card, place in cards_on(canvas, view, seat, plate):
            if card is not None:
                yield (seat.seat, card), place
    if view.middle is not None and shows_cards(view):
        for card, place in cards_between(canvas, view.middle, places.centre):
            if card is not None:
                yield (None, card), place

"""Where a card on the table screen is touched to be put right."""

from __future__ import annotations

from collections.abc import Iterator

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas
from display.table.centre import shows_cards
from display.table.layout import Layout
from display.table.scat_centre import cards_between
from display.table.seats import cards_on
from engine.core.cards import Card
from engine.core.views import Phase, View

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

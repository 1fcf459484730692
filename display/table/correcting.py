"""Where a card on the table screen is touched to be put right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pygame import Rect

from display.controls import TouchArea
from display.drawing.canvas import Canvas
from display.table.centre import shows_cards
from display.table.layout import Layout
from display.table.scat_centre import cards_between
from display.table.seats import bones_on, cards_on
from engine.core.cards import Card
from engine.core.views import Phase, View

FRAME, EDGE = 0.011, 0.002
"""The line round what has just been put right, and its dark edges, as shares of the height."""

NONE = (0, 0, 0, 0)
"""No colour at all."""

Spot = tuple[int | None, Card]
"""A card that lies open, and the seat that has it; none for one between the players."""


def card_touches(canvas: Canvas, view: View, places: Layout) -> tuple[TouchArea, ...]:
    """Return where each open card is touched: MENU, with its number in :func:`open_cards`."""
    numbers = {spot: number for number, spot in reversed(list(enumerate(open_cards(view))))}
    return tuple(
        TouchArea(place, "menu", choice=numbers[seat, card], seat=seat)
        for seat, card, place in _drawn(canvas, view, places)
        if card is not None and (seat, card) in numbers
    )


def draw_put_right(
    canvas: Canvas, view: View, places: Layout, changed: Card | tuple[int, int, int]
) -> None:
    """Frame what has just been put right: a card, or the seat, throw and place of a bone."""
    drawn: list[tuple[object, Rect]]
    if isinstance(changed, Card):
        drawn = [(card, place) for _seat, card, place in _drawn(canvas, view, places)]
    else:
        drawn = [
            ((seat.seat, roll, number), place)
            for seat, plate in zip(view.seats, places.plates, strict=True)
            for roll, number, place in bones_on(canvas, seat, plate)
        ]
    for number, (what, place) in enumerate(drawn):
        if what == changed:
            below, above = ([at for _what, at in each] for each in (drawn[:number], drawn[number:]))
            _frame(canvas, place, below, above[1:])
            return


def _frame(canvas: Canvas, place: Rect, below: Iterable[Rect], above: Iterable[Rect]) -> None:
    """Draw a line round what lies at *place*, and nothing over what lies *below* or *above* it.

    Its edges are dark: a plate may be of the colour of the line.
    """
    theme, surface = canvas.theme, canvas.painter.surface
    frame = place.inflate(canvas.px(0.014), canvas.px(0.014))
    seen = [*above]
    for at in below:  # what shows of it on the left, and on the right
        seen.append(Rect(at.x, at.y, max(0, min(at.right, place.x) - at.x), at.h))
        start = max(at.x, place.right)
        seen.append(Rect(start, at.y, max(0, at.right - start), at.h))
    kept = [(surface.subsurface(part).copy(), part) for part in map(frame.clip, seen) if part]
    canvas.box(frame, NONE, theme.ink, radius=0.016, line=FRAME)
    edge = canvas.px(EDGE)
    inner = frame.inflate(-2 * edge, -2 * edge)
    canvas.box(inner, NONE, theme.brass, radius=0.014, line=FRAME - 2 * EDGE)
    for picture, part in kept:
        surface.blit(picture, part)


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


def _drawn(
    canvas: Canvas, view: View, places: Layout
) -> Iterator[tuple[int | None, Card | None, Rect]]:
    """Yield every card, whose it is and where, in the order of drawing."""
    for seat, plate in zip(view.seats, places.plates, strict=True):
        for card, place in cards_on(canvas, view, seat, plate):
            yield seat.seat, card, place
    if view.middle is not None and shows_cards(view):
        for card, place in cards_between(canvas, view.middle, places.centre):
            yield None, card, place

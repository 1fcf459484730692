"""Follow a card from hand to hand, to put every reading of it right (rule G-10).

In Thirty-one a card does not stay where it was dealt: it is thrown, taken up, exchanged. With one
pack every reading of it names the same card. With two packs there may be another one like it, so
each reading is marked, the hand is folded again, and the marks show which readings belong together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from engine.core.cards import Card
from engine.core.events import Correct, Cut, Draw, Event
from engine.core.fast_replace import replace
from engine.table.hand import HandState, trace

_TAKEN = ("got", "take")
"""Fields of events that name cards which come to the player; others name what they had."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a card was read: the event, its field, and the place in a field that holds several."""

    event: int
    field: str
    place: int | None


class _Marked(Card):
    """A card like any other, that can be told from its twin."""

    __slots__ = ("mark",)
    mark: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Card):
            return NotImplemented
        return (self.rank, self.suit) == (other.rank, other.suit)

    def __hash__(self) -> int:
        return Card.__hash__(self)


def corrected(start: HandState, hand: HandState, event: Correct) -> tuple[Event, ...] | None:
    """Return the events of *hand* with one card read rightly wherever it was read.

    Returns ``None`` if the card was not read, or never was with the seat that the event names.
    """
    assert event.was is not None  # the caller has seen to it
    sites = list(find_readings(hand.raw, event.was))
    if event.seat is not None:
        names, held_last = _follow(start, hand, event.was, sites)
        if event.seat not in held_last:
            return None
        if hand.game.decks(hand.options) > 1:
            mine = names[held_last[event.seat]]
            sites = [site for name, site in zip(names, sites, strict=True) if name == mine]
    return _written(hand.raw, [(site, event.card) for site in sites]) if sites else None


def find_readings(raw: Sequence[Event], card: Card) -> Iterator[Site]:
    """Iterate over all readings of a card; a card cut for the deal is not yet in play."""
    for number, event in enumerate(raw):
        if isinstance(event, Cut):
            continue
        for name, place, one in cards_of(event):
            if one == card:
                yield Site(number, name, place)


def cards_of(event: Event) -> Iterator[tuple[str, int | None, Card]]:
    """Iterate over the cards that an event names: the field, the place in it, and the card.

    The place is ``None`` in a field that holds one card; backs and cards not read are left out.
    """
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Card):
            yield field.name, None, value
        elif isinstance(value, tuple):
            for place, one in enumerate(value):
                if isinstance(one, Card):
                    yield field.name, place, one


def _follow(
    start: HandState, hand: HandState, card: Card, sites: Sequence[Site]
) -> tuple[list[int], dict[int, int]]:
    """Fold the hand again with marked cards, and see where each mark goes.

    Returns:
        a name for each reading, the same for those of one card; and the mark that each seat held
        last.
    """
    marked = _written(hand.raw, [(site, _mark(card, mark)) for mark, site in enumerate(sites)])
    order = hand.play.order if hand.play is not None else ()
    names = list(range(len(sites)))
    held_last: dict[int, int] = {}
    before = start
    for number, after in enumerate(trace(start, marked, order)):
        if after is not before:
            here = {mark: site for mark, site in enumerate(sites) if site.event == number}
            for one, other in _same(here, marked[number], before, after):
                joined, name = names[other], names[one]
                names = [name if each == joined else each for each in names]
        before = after
        if after.play is not None:
            for held in after.play.hands:
                held_last.update((held.seat, mark) for mark in _marks(held.cards))
    return names, held_last


def _same(
    here: dict[int, Site], event: Event, before: HandState, after: HandState
) -> Iterator[tuple[int, int]]:
    """Yield the cards that the readings of one event name, each with the reading's own mark."""
    all_before, all_after = (
        [] if hand.play is None else _marks(hand.play.seen()) for hand in (before, after)
    )
    gone = [mark for mark in all_before if mark not in all_after]
    came = [mark for mark in all_after if mark not in all_before]
    seat = getattr(event, "seat", None)
    held, holds = _held_by(before, seat), _held_by(after, seat)
    given = [mark for mark in held if mark not in holds] or list(held)
    taken = [mark for mark in holds if mark not in held]
    for mark, site in here.items():
        if mark in came:  # a new card, or one that was laid down as it was read just now
            named = gone
        else:
            named = taken if site.field in _TAKEN or isinstance(event, Draw) else given
        if named:
            yield named.pop(0), mark


def _mark(card: Card, mark: int) -> _Marked:
    marked = _Marked(card.rank, card.suit)
    object.__setattr__(marked, "mark", mark)
    return marked


def _marks(cards: Iterable[Card | None]) -> list[int]:
    return [card.mark for card in cards if isinstance(card, _Marked)]


def _held_by(hand: HandState, seat: int | None) -> list[int]:
    if hand.play is None:
        return []
    return [m for held in hand.play.hands if held.seat == seat for m in _marks(held.cards)]


def _written(raw: Sequence[Event], cards: Iterable[tuple[Site, Card | None]]) -> tuple[Event, ...]:
    """Return the events with a card written at each of the sites."""
    events: list[Any] = list(raw)
    for site, card in cards:
        event = events[site.event]
        value: Any = card
        if site.place is not None:
            value = list(getattr(event, site.field))
            value[site.place] = card
            value = tuple(value)
        events[site.event] = replace(event, **{site.field: value})
    return tuple(events)

"""The cards between the players of Thirty-one: which one lies at which place, and what changed.

A widow, the open cards of Stop the bus, and the two hands of Switch lie side by side wherever no
player's cards lie: between the places, on the dealer's, or on the place of a seat that is empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from device.croupier.mat_tracker import CardSide, TrackedCard
from engine.core.cards import Card
from engine.core.events import (
    Event,
    Exchange,
    Facing,
    Pile,
    Renew,
    SwapCards,
    SwapHand,
    TableHand,
    Widow,
)
from engine.core.views import MiddleView, View
from vision.readings import BackReading, Point, Reading, ZoneKind

NEIGHBOUR_MM = 45.0
"""A card laid this near to where one was taken lies in its place: the next one is 57 mm away."""

UNTOUCHED_MM = 1.5
"""A card that nobody touched is found again so near; one laid on its place hardly ever."""

HIDDEN_MM = 10.0
"""Two backs this near are one: of a card that lies so under another hardly an edge is seen."""

HAND = 3
"""Cards of a hand on the table."""

Key = tuple[str, int]


def is_centre_card(thing: TrackedCard, seen: View) -> bool:
    """Return whether a card lies where the cards between the players may lie.

    Of what the mat calls stock and discard only what the game does not use is free; the stock
    itself is backs, wherever the game.
    """
    zone = thing.observation.zone
    table = "none" if seen.middle is None else seen.middle.table
    if zone is ZoneKind.SEAT:
        return thing.seat not in {seat.seat for seat in seen.seats}
    if zone is ZoneKind.DISCARD:
        return table in ("switch", "bus")
    if zone is ZoneKind.STOCK:
        return table == "bus" and thing.is_up
    return True


def merge_duplicate_backs(reading: Reading) -> Reading:
    """Return a reading with each back once: two as near as this would hide one another."""
    backs: list[BackReading] = []
    for back in sorted(reading.backs, key=lambda each: -each.confidence):
        here = back.place.centre_mm
        near = (
            other.place.centre_mm is not None
            and here is not None
            and math.dist(other.place.centre_mm, here) < HIDDEN_MM
            for other in backs
        )
        if not any(near):
            backs.append(back)
    return replace(reading, backs=tuple(back for back in reading.backs if back in backs))


def sorted_by_position(things: Iterable[TrackedCard]) -> list[TrackedCard]:
    """Sort cards as seat 0 sees them: left to right, or top to bottom where they lie so."""
    found = list(things)
    if not found:
        return []
    across = [thing.observation.centre[0] for thing in found]
    down = [thing.observation.centre[1] for thing in found]
    axis = 0 if max(across) - min(across) >= max(down) - min(down) else 1
    return sorted(
        found, key=lambda thing: (thing.observation.centre[axis], thing.observation.centre)
    )


@dataclass(slots=True)
class _Bond:
    """The card at a place: its number, where it lay when the game knew it, and since then gone."""

    number: int
    centre: Point
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A place that shows another card than the game knows of; *was* ``None`` is a back."""

    pile: str
    place: int
    was: Card | None
    thing: TrackedCard

    @property
    def down(self) -> bool:
        """A back lies where the game knows an open card."""
        return self.thing.observation.side is CardSide.DOWN


class Piles:
    """Ties the places of the piles that the game knows to cards on the mat."""

    def __init__(self) -> None:
        """Start without any."""
        self._bonds: dict[Key, _Bond] = {}
        self._lying: dict[Key, TrackedCard] = {}

    def forget(self) -> None:
        """Begin a new hand."""
        self._bonds.clear()
        self._lying.clear()

    def lay(self, pile: str, place: int, thing: TrackedCard) -> None:
        """Note that *thing* was dealt there."""
        self._bonds[pile, place] = _Bond(thing.number, thing.observation.centre)

    def tie(self, middle: MiddleView, free: Sequence[TrackedCard]) -> None:
        """Find the card of every place among the cards in the middle.

        An open card is known by its name, so a row may be laid in another order; any other by
        where it lies.
        """
        known: dict[Key, Card | None] = {
            (pile.name, place): card
            for pile in middle.piles
            if pile.name != Pile.SECOND
            for place, card in enumerate(pile.cards)
        }
        self._bonds = {key: bond for key, bond in self._bonds.items() if key in known}
        left = {thing.number: thing for thing in free}
        found: dict[Key, TrackedCard] = {}

        def take(key: Key, thing: TrackedCard) -> None:
            found[key] = left.pop(thing.number)

        for key, card in known.items():
            same = [thing for thing in left.values() if card is not None and thing.card == card]
            bond = self._bonds.get(key)
            if same:
                take(key, min(same, key=lambda t: (bond is None or t.number != bond.number,)))
        for key, bond in self._bonds.items():
            if key not in found and bond.number in left:
                take(key, left[bond.number])
        pairs = sorted(
            (math.dist(bond.centre, thing.observation.centre), key, thing.number)
            for key, bond in self._bonds.items()
            for thing in left.values()
            if key not in found
        )
        for far, key, number in pairs:
            if far <= NEIGHBOUR_MM and key not in found and number in left:
                take(key, left[number])
        self._guess_by_order(known, found, left)
        self._lying = found
        for key, bond in self._bonds.items():
            bond.lifted = bond.lifted or key not in found
        for key, thing in found.items():
            bond = self._bonds.get(key)
            if bond is None or _shows(thing, known[key]):
                self._bonds[key] = _Bond(thing.number, thing.observation.centre)
            else:
                bond.number = thing.number

    def _guess_by_order(
        self,
        known: dict[Key, Card | None],
        found: dict[Key, TrackedCard],
        left: dict[int, TrackedCard],
    ) -> None:
        """After a new start nothing is remembered: backs belong to the closed places, in a row."""
        lost = [key for key in known if key not in found and key not in self._bonds]
        backs = sorted_by_position(t for t in left.values() if t.observation.side is CardSide.DOWN)
        closed = [key for key in lost if known[key] is None]
        if len(backs) == len(closed):
            found.update(zip(closed, backs, strict=True))
            for thing in backs:
                del left[thing.number]
        lost = [key for key in lost if key not in found]
        if lost and len(lost) == len(left):
            found.update(zip(lost, sorted_by_position(left.values()), strict=True))
            left.clear()

    def lies(self, thing: TrackedCard) -> bool:
        """Return whether a card lies at one of the places."""
        return any(other is thing for other in self._lying.values())

    def vacant(self, middle: MiddleView) -> list[Key]:
        """Return the places where no card is seen."""
        return [key for key, _ in _places(middle) if key not in self._lying]

    def changes(self, middle: MiddleView) -> list[Change]:
        """Return the places that show something new; only of what is seen."""
        found = []
        for key, card in _places(middle):
            thing = self._lying.get(key)
            if thing is None or _shows(thing, card):
                continue
            unread = thing.is_up and thing.card is None
            if unread and card in thing.observation.candidates and self.untouched(key):
                continue  # the same card, not so well seen this time
            found.append(Change(*key, card, thing))
        return found

    def untouched(self, key: Key) -> bool:
        """Return whether the card of a place lies exactly where the game's card lay."""
        thing, bond = self._lying.get(key), self._bonds.get(key)
        if thing is None or bond is None or bond.lifted:
            return False
        return math.dist(thing.observation.centre, bond.centre) <= UNTOUCHED_MM


def moves(seat: int, middle: MiddleView, changes: Sequence[Change]) -> list[Event]:
    """Return what *seat* may have done: one event, or two that look alike (rules SW-4, SW-5).

    Args:
        seat: whose turn it is.
        middle: what the game knows to lie there.
        changes: all of them; every open card of them has been read.
    """
    given = tuple(change.thing.card for change in changes)
    if middle.table == "bus":
        return [SwapCards(seat, given, tuple(change.was for change in changes))]
    if middle.table == "widow":
        return [Widow(seat, given, tuple(change.place for change in changes))]
    hands = {change.pile for change in changes}
    if len(changes) == 1 and not changes[0].down:
        (change,) = changes
        return [Exchange(seat, TableHand(change.pile), change.place, change.thing.card)]
    if len(hands) > 1:
        return []
    hand = TableHand(hands.pop())
    turned = {change.place for change in changes if change.down}
    if turned:
        # New cards face down: where backs had lain before nothing seems to have changed.
        closed = {place for place, card in enumerate(middle.pile(hand)) if card is None}
        all_down = len(turned) == len(changes) and len(turned | closed) == HAND
        return [Renew(seat, hand, (None,) * HAND, Facing.DOWN)] if all_down else []
    if len(changes) != HAND:
        return []
    ordered = tuple(c.thing.card for c in sorted(changes, key=lambda change: change.place))
    return [SwapHand(seat, hand, ordered), Renew(seat, hand, ordered, Facing.UP)]


def _places(middle: MiddleView) -> list[tuple[Key, Card | None]]:
    return [
        ((pile.name, place), card)
        for pile in middle.piles
        if pile.name != Pile.SECOND
        for place, card in enumerate(pile.cards)
    ]


def _shows(thing: TrackedCard, card: Card | None) -> bool:
    """Return whether a card looks as the game knows it; ``None`` is a back."""
    return thing.observation.side is CardSide.DOWN if card is None else thing.card == card

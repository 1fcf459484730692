"""The simulated table of Thirty-one: hands held, a discard pile, and cards in the middle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from device.simulator.scenery import between
from device.simulator.sprites import PlacedCard
from device.simulator.table import SimulatedTable, Spot, TableFullError
from engine.core.cards import Card
from vision.mat.pose import MatLayout
from vision.readings import Zone, ZoneKind

DISCARD = -2
"""The seat of :class:`PlacedCard` for cards of the discard pile."""

UNTIDY_MM = 24.0
"""The gap of the discard pile: its cards lie up to a quarter of it off."""

ROW = 3
"""Cards that lie side by side in the middle."""

_GAPS_MM = (30.0, 24.0, 18.0, 12.0, 6.0)


class ScatTable(SimulatedTable):
    """A table on which cards are also taken up one by one, and piled.

    Attributes:
        middle: the seat of the mat without a player, whose place holds the cards in the middle.
    """

    def __init__(self, layout: MatLayout, *, middle: int | None = None, **more: Any) -> None:
        """Set up the table; *more* is for the base class."""
        super().__init__(layout, **more)
        self.middle = middle
        self._places.pile(DISCARD, Zone(ZoneKind.DISCARD), UNTIDY_MM)
        self.middle_slots: list[int] = []
        if middle is not None:
            spots = self._places.add(middle, Zone(ZoneKind.SEAT, middle), _GAPS_MM, 2 * ROW)
            # Each row runs as seat 0 sees it, on any side of the table.
            numbers = list(range(len(spots)))
            for start in range(0, len(spots), ROW):
                self.middle_slots += _sorted_by_position(numbers[start : start + ROW], spots)

    def discard(self, card: Card, *, by: int) -> None:
        """Lay *card* on the discard pile, face up."""
        self._bring(self.cards, self._places.put(card, DISCARD, 0, face_up=True), by)

    def draw_discard(self, *, by: int) -> None:
        """Take up the top of the discard pile."""
        self._take(self.at(DISCARD)[-1], by)

    def put(self, place: int, card: Card, *, face_up: bool, by: int) -> None:
        """Lay *card* on a place in the middle.

        Raises:
            TableFullError: the mat has no such place.
        """
        if self.middle is None:
            raise TableFullError("no place is free for cards in the middle; lay a mat for one more")
        if place >= len(self.middle_slots):
            raise TableFullError(
                f"the middle has {len(self.middle_slots)} places, no place {place}; "
                "take a larger paper"
            )
        slot = self.middle_slots[place]
        self._bring(self.cards, self._places.put(card, self.middle, slot, face_up=face_up), by)

    def take(self, place: int, *, by: int) -> None:
        """Take up the card at a place in the middle."""
        slot = self.middle_slots[place]
        lying = (each for each in self.cards if each.seat == self.middle and each.slot == slot)
        self._take(next(lying), by)

    def push(self, card: PlacedCard, *, by: int) -> None:
        """Push a card in the middle, or on the discard pile, a little."""
        self._change(by, {card: self._places.wobbled(card)})

    def nearest(self, place: tuple[float, float] | None) -> PlacedCard | None:
        """Return the top card at a place, in millimetres; ``None`` where none lies."""
        if place is None:
            return None
        near = [e for e in self.cards if math.dist(place, e.centre_mm) <= UNTIDY_MM]
        return near[-1] if near else None

    def lay_open(self, seat: int, cards: Sequence[Card]) -> None:
        """Lay a whole hand face up at its place."""
        rest = tuple(each for each in self.cards if each.seat != seat)
        new = tuple(
            self._places.put(card, seat, slot, face_up=True) for slot, card in enumerate(cards)
        )
        after = (*rest, *new)
        self._cards.move(seat, new[0].centre_mm, (rest, 0.6), (after, 1.0), (after, 0.55))

    def _take(self, card: PlacedCard, by: int) -> None:
        rest = tuple(each for each in self.cards if each is not card)
        x, y = between(self._stage.home(by), card.centre_mm, 0.7)
        in_hand = replace(card, x_mm=x, y_mm=y)
        steps = (self.cards, 1.0), ((*rest, in_hand), 0.7), (rest, 0.5)
        self._cards.move(by, card.centre_mm, *steps)


def _sorted_by_position(numbers: Sequence[int], places: Sequence[Spot]) -> list[int]:
    """Sort numbers of places left to right, or top to bottom in a column."""
    xs, ys = [places[n][0] for n in numbers], [places[n][1] for n in numbers]
    axis = 0 if max(xs) - min(xs) >= max(ys) - min(ys) else 1
    return sorted(numbers, key=lambda number: places[number][axis])

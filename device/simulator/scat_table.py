"""The virtual table of Thirty-one: hands held, a discard, and cards between the players."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from device.simulator.sprites import CARD_MM, Lying
from device.simulator.table import TableFullError, VirtualTable, _between, _Scene
from engine.core.cards import Card
from vision.mat.pose import MatLayout
from vision.readings import Zone, ZoneKind

DISCARD = -2
"""The seat of :class:`Lying` for cards of the discard."""

UNTIDY_MM = 24.0
"""The gap that a card on a pile may use up: it lies up to a quarter of it off and turned."""

ROW = 3
"""Cards that lie side by side in the middle."""

_GAPS_MM = (30.0, 24.0, 18.0, 12.0, 6.0)


class ScatTable(VirtualTable):
    """A table on which cards are also taken up one by one, and piled up.

    Attributes:
        middle: the seat of the mat that nobody takes: its place holds the cards in the middle.
    """

    def __init__(self, layout: MatLayout, *, middle: int | None = None, **more: Any) -> None:
        """Lay out the mat; *more* is what any virtual table takes."""
        super().__init__(layout, **more)
        self.middle = middle
        self._slots[DISCARD] = (layout.slots(Zone(ZoneKind.DISCARD), card_mm=CARD_MM), UNTIDY_MM)
        self._places: list[int] = []
        if middle is not None:
            for gap in _GAPS_MM:
                spots = layout.slots(Zone(ZoneKind.SEAT, middle), card_mm=CARD_MM, gap_mm=gap)
                self._slots[middle] = (spots, gap)
                if len(spots) >= 2 * ROW:
                    break
            # Each row runs as seat 0 sees it, whatever side of the table the place is on.
            numbers = list(range(len(spots)))
            for start in range(0, len(spots), ROW):
                self._places += _in_a_row(numbers[start : start + ROW], spots)

    def discard(self, card: Card, *, by: int) -> None:
        """Lay *card* on the discard, as neatly as hands do."""
        x, y, degrees = self._slots[DISCARD][0][0]
        new = self._wobbled(Lying(card, DISCARD, 0, x, y, degrees, True))
        self._move((*self._cards, new), by, (new.x_mm, new.y_mm), new)

    def draw_discard(self, *, by: int) -> None:
        """Take the top of the discard up."""
        self._take(self.at(DISCARD)[-1], by)

    def put(self, place: int, card: Card, *, face_up: bool, by: int) -> None:
        """Lay *card* on a place of the middle.

        Raises:
            TableFullError: the mat has no such place.
        """
        seat = self._middle_seat()
        if place >= len(self._places):
            raise TableFullError(
                f"the middle has {len(self._places)} places, no place {place}; take a larger paper"
            )
        slot = self._places[place]
        x, y, degrees = self._slots[seat][0][slot]
        new = self._wobbled(Lying(card, seat, slot, x, y, degrees, face_up))
        self._move((*self._cards, new), by, (new.x_mm, new.y_mm), new)

    def take(self, place: int, *, by: int) -> None:
        """Take the card of a place of the middle up.

        Raises:
            TableFullError: this mat has no room in the middle.
        """
        self._take(self._at_place(place), by)

    def push(self, lying: Lying, *, by: int) -> None:
        """Push a card in the middle, or on the discard, a little."""
        self._replace(lying, None, by)

    def nearest(self, place: tuple[float, float] | None) -> Lying | None:
        """Return the card on top at a place, in millimetres; ``None`` where none lies."""
        if place is None:
            return None
        near = [e for e in self._cards if math.dist(place, (e.x_mm, e.y_mm)) <= UNTIDY_MM]
        return near[-1] if near else None

    def lay_open(self, seat: int, cards: Sequence[Card]) -> None:
        """Lay a whole hand open at its place."""
        spots = self._slots[seat][0]
        rest = tuple(each for each in self._cards if each.seat != seat)
        new = tuple(
            self._wobbled(Lying(card, seat, slot, *spots[slot], True))
            for slot, card in enumerate(cards)
        )
        goal = (new[0].x_mm, new[0].y_mm)
        home = self._home(seat)
        self._begin(
            (*rest, *new),
            _Scene(rest, seat, _between(home, goal, 0.6)),
            _Scene((*rest, *new), seat, goal),
            _Scene((*rest, *new), seat, _between(home, goal, 0.55)),
        )

    def _middle_seat(self) -> int:
        if self.middle is None:
            raise TableFullError("no place is free for cards in the middle; lay a mat for one more")
        return self.middle

    def _at_place(self, place: int) -> Lying:
        slot = self._places[place]
        return next(each for each in self.at(self._middle_seat()) if each.slot == slot)

    def _take(self, lying: Lying, by: int) -> None:
        """Begin a movement in which one card is taken up."""
        rest = tuple(each for each in self._cards if each is not lying)
        goal, home = (lying.x_mm, lying.y_mm), self._home(by)
        away = _between(home, goal, 0.7)
        carried = replace(lying, x_mm=away[0], y_mm=away[1])
        self._begin(
            rest,
            _Scene(self._cards, by, goal),
            _Scene((*rest, carried), by, away),
            _Scene(rest, by, _between(home, goal, 0.5)),
        )

    def _replace(self, old: Lying, new: Lying | None, by: int) -> None:
        """Begin a movement in which a card is pushed where it lies."""
        pushed = self._wobbled(old) if new is None else new
        after = tuple(pushed if each is old else each for each in self._cards)
        goal, home = (pushed.x_mm, pushed.y_mm), self._home(by)
        self._begin(
            after,
            _Scene(self._cards, by, _between(home, goal, 0.8)),
            _Scene(after, by, goal),
            _Scene(after, by, _between(home, goal, 0.6)),
        )

    def _begin(self, after: tuple[Lying, ...], *scenes: _Scene) -> None:
        self._scenes = list(scenes)
        self._cards = after
        self._acts += 1


def _in_a_row(numbers: Sequence[int], spots: Sequence[tuple[float, float, float]]) -> list[int]:
    """Sort places left to right, or top to bottom where they lie so."""
    xs, ys = [spots[n][0] for n in numbers], [spots[n][1] for n in numbers]
    axis = 0 if max(xs) - min(xs) >= max(ys) - min(ys) else 1
    return sorted(numbers, key=lambda number: spots[number][axis])

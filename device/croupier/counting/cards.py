"""Count cards that are laid face up.

Each is counted once, where it first lies; they are added up until none lies face up. A card that
covers another leaves it counted, as cards are dealt onto a pile.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from device.croupier.counting.counter import Counter, Found, Throw
from device.croupier.looks import PUT_BACK_MM, Look, LyingCard

REREAD_MM = 1.5
"""A card with another name so near to where one lay is that card, read anew: nobody lays so."""


class CardCounter(Counter):
    """Counts cards."""

    def __init__(self, throws: Iterable[Throw] = ()) -> None:
        """Begin as :class:`Counter` does."""
        super().__init__(throws)
        self._up: dict[int, LyingCard] = {}  # by number, as they lay last
        self._is_bare = not self.throws

    def _found(self, look: Look) -> Found:
        return _read(card for card in look.cards if card.is_up)

    def _recall(self, look: Look) -> None:
        self._up = {card.number: card for card in look.cards if card.is_up}
        self._is_bare = False

    def _count(self, look: Look, time_s: float) -> None:
        up = {card.number: card for card in look.cards if card.is_up}
        self.unread = tuple(card for card in up.values() if card.card is None)
        if not up:
            self._is_bare = True
            return
        if self._is_bare and not self._is_back(up):
            self._item_of.clear()
        self._is_bare = False
        fresh = []
        for card in up.values():
            if card.card is None:
                continue
            if card.number in self._item_of:
                before = self._up.get(card.number)
                if before is not None and card.card != before.card:
                    self._rename(self._item_of[card.number], card.card, by_hand=False)
                continue
            was = self._read_before(card, up)
            if was is None:
                fresh.append(card)
            else:
                item = self._item_of[card.number] = self._item_of.pop(was.number)
                self._rename(item, card.card, by_hand=False)
        self._up = up
        if fresh:
            self._add(_read(fresh), set(self._item_of.values()), time_s)
            self._rest_s = time_s

    def _is_back(self, up: dict[int, LyingCard]) -> bool:
        """Return whether the table only seemed bare: all lies as it lay."""
        return all(
            number in self._up
            and self._up[number].card == card.card
            and math.dist(self._up[number].centre, card.centre) <= PUT_BACK_MM
            for number, card in up.items()
        )

    def _read_before(self, card: LyingCard, up: dict[int, LyingCard]) -> LyingCard | None:
        """Return what *card* was taken for in the reading before."""
        for was in self._up.values():
            is_gone = was.number not in up and was.number in self._item_of
            if is_gone and math.dist(was.centre, card.centre) <= REREAD_MM:
                return was
        return None


def _read(cards: Iterable[LyingCard]) -> Found:
    return [(card.number, card.card) for card in cards if card.card is not None]

"""The orders in which a hand that was taken up can have been dealt (rule G-20)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from engine.core.cards import Card

Total = Callable[[Sequence[Card]], int | None]
"""Returns the points of some cards."""


def orders(
    cards: Sequence[Card], fixed: Sequence[Card | None], dealt: int, total: Total, target: int
) -> list[tuple[tuple[Card, ...], int]]:
    """Return one order for each pair of facts that the money can depend on.

    These are the card that made exactly *target*, and the card that went over it (rules OT-18,
    OT-19); the total of the first cards does not depend on their order, so all orders are found by
    a walk over the sets of cards that may still come.

    Args:
        cards: the hand, in any order.
        fixed: for each place the card known to have been dealt there.
        dealt: how many cards come before the first turn: until then nothing is counted.
        total: counts cards.
        target: that must not be passed.

    Returns:
        Orders that agree with *fixed*, and with each the place of the first of those two cards, or
        its length; none where it cannot be this hand.
    """
    length = len(cards)
    everything = tuple(sorted(cards))

    @cache
    def walk(left: tuple[Card, ...]) -> dict[tuple[int, int], tuple[Card, ...]]:
        """Return the ways in which *left* may follow the other cards."""
        if not left:
            return {(length, length): ()}
        place = length - len(left)
        found: dict[tuple[int, int], tuple[Card, ...]] = {}
        for card in dict.fromkeys(left):
            if fixed[place] not in (None, card) or (fixed[place] is None and card in fixed):
                continue
            rest = list(left)
            rest.remove(card)
            made = over = length
            if place + 1 >= dealt:
                held = list(everything)
                for other in rest:
                    held.remove(other)
                points = total(held)
                made = place if points == target else length
                over = place if points is not None and points > target else length
            for (later_made, later_over), order in walk(tuple(rest)).items():
                found.setdefault((min(made, later_made), min(over, later_over)), (card, *order))
        return found

    return [(order, min(first)) for first, order in walk(everything).items()]

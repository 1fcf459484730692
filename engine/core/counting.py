"""Points of a hand on the way to a goal, of which some cards may be unread (OT-4, OT-25, G-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.core.cards import Card, Rank

GOAL = 31
"""The goal of One-and-Thirty; that of another game is its ``target``."""
ACES: dict[object, tuple[int, ...]] = {1: (1,), 11: (11,), "1or11": (1, 11)}
"""What an ace may count, by the option ``ace_value`` (rules OT-4, OT-16, OT-25).

The smallest value first.
"""
_ACE = Rank.ACE
_POINTS = {rank: rank.points for rank in Rank}


def total(cards: Sequence[Card | None], ace_value: object, goal: int = GOAL) -> int | None:
    """Return the best total not over *goal*, else the smallest; ``None`` if a card is unread.

    >>> total([Card.parse("AS"), Card.parse("TD"), Card.parse("KH")], "1or11")
    31
    """
    pips, aces, unread = _count(cards)
    return None if unread else best_total(pips + aces, aces, ace_value, goal)


def best_total(hard: int, aces: int, ace_value: object, goal: int = GOAL) -> int:
    """Return the total of a hand worth *hard* with every ace at 1 (rules OT-4, OT-16, OT-25).

    >>> best_total(21, 1, "1or11"), best_total(22, 1, "1or11"), best_total(22, 1, 11)
    (31, 22, 32)
    """
    low, *more = ACES[ace_value]
    points = hard + aces * (low - 1)
    for high in more:
        raised = min(aces, (goal - points) // (high - low))
        points += max(raised, 0) * (high - low)
    return points


def least(cards: Sequence[Card | None], ace_value: object) -> int:
    """Return the smallest total that the cards can have, whatever the unread ones are (G-6)."""
    pips, aces, unread = _count(cards)
    low = ACES[ace_value][0]
    return pips + aces * low + unread * min(2, low)


def most(cards: Sequence[Card | None], ace_value: object) -> int:
    """Return the largest total that the cards can have, whatever the unread ones are (G-6)."""
    pips, aces, unread = _count(cards)
    high = ACES[ace_value][-1]
    return pips + aces * high + unread * max(Rank.KING.points, high)


def may_be_31(cards: Sequence[Card | None], ace_value: object, left: Iterable[Card]) -> bool:
    """Return whether there are unread cards and some of those *left* could make exactly 31 of them.

    *left* are the cards that nobody has seen: the unread ones are among them.
    """
    pips, aces, unread = _count(cards)
    low, high = ACES[ace_value][0], ACES[ace_value][-1]
    worths = Counter(_POINTS[card.rank] for card in left)
    reach = {(0, 0, 0)}  # how many of the unread, their pips, and how many of them are aces
    for points, count in worths.items():
        reach |= {
            (held + more, sum_ + (0 if points == 1 else more * points), ace + more * (points == 1))
            for held, sum_, ace in reach
            for more in range(1, min(count, unread - held) + 1)
        }
    return unread > 0 and any(
        held == unread and pips + sum_ + (aces + ace) * low + raised * (high - low) == GOAL
        for held, sum_, ace in reach
        for raised in range(aces + ace + 1 if high > low else 1)
    )


def _count(cards: Iterable[Card | None]) -> tuple[int, int, int]:
    """Return the points without the aces, the aces, and the cards nobody has read.

    Every card dealt is counted again several times over, so this is one plain loop.
    """
    pips = aces = unread = 0
    for card in cards:
        if card is None:
            unread += 1
        elif card.rank is _ACE:
            aces += 1
        else:
            pips += _POINTS[card.rank]
    return pips, aces, unread

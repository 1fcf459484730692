"""Points of a hand on the way to 31, of which some cards may be unread (OT-4, OT-25, G-6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.cards import Card, Rank

GOAL = 31
ACES: dict[object, tuple[int, ...]] = {1: (1,), 11: (11,), "1or11": (1, 11)}
"""What an ace may count, by the option ``ace_value`` (rules OT-4, OT-16, OT-25)."""


def total(cards: Sequence[Card | None], ace_value: object) -> int | None:
    """Return the best total not over 31, else the smallest; ``None`` if a card is unread.

    >>> total([Card.parse("AS"), Card.parse("TD"), Card.parse("KH")], "1or11")
    31
    """
    if None in cards:
        return None
    totals = _totals(_known(cards), ACES[ace_value])
    return max((each for each in totals if each <= GOAL), default=min(totals))


def least(cards: Sequence[Card | None], ace_value: object) -> int:
    """Return the smallest total that the cards can have, whatever the unread ones are (G-6)."""
    aces, known = ACES[ace_value], _known(cards)
    return min(_totals(known, aces)) + min(2, *aces) * (len(cards) - len(known))


def may_be_31(cards: Sequence[Card | None], ace_value: object) -> bool:
    """Tell whether there are unread cards and they could make exactly 31."""
    aces, known = ACES[ace_value], _known(cards)
    unread = len(cards) - len(known)
    reach = {0}
    for _ in range(unread):
        reach = {points + value for points in reach for value in {*range(2, 11), *aces}}
    return unread > 0 and any(GOAL - points in reach for points in _totals(known, aces))


def _known(cards: Iterable[Card | None]) -> list[Card]:
    return [card for card in cards if card is not None]


def _totals(cards: Sequence[Card], aces: tuple[int, ...]) -> set[int]:
    hard = sum(card.rank.points for card in cards if card.rank is not Rank.ACE)
    totals = {hard}
    for card in cards:
        if card.rank is Rank.ACE:
            totals = {total + value for total in totals for value in aces}
    return totals

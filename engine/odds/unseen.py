"""The unseen cards by points, and in how many ways they make a sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb

from engine.core.cards import Card, Rank, deck
from engine.core.counting import ACES
from engine.core.errors import BoneAceError

Pool = tuple[int, ...]
"""How many unseen cards are worth 1 (the aces), 2, 3 … 10: ten counts."""

_CLASSES = 10
_WIDTH = 128  # bits a coefficient: no count of hands from two packs comes near


class OddsError(BoneAceError, ValueError):
    """A question about chances that cannot be answered as it was put."""


def unseen(seen: Iterable[Card], decks: int = 1) -> Pool:
    """Return the pool that is left of *decks* packs when the cards of *seen* are known.

    Cards that lie face down somewhere stay in the pool: to who does not know them, each is as
    likely to be any unseen card as the next card of the stock is.

    >>> unseen([Card.parse("AS"), Card.parse("KH")])
    (3, 4, 4, 4, 4, 4, 4, 4, 4, 15)

    Raises:
        OddsError: a card is named more often than the packs hold it.
    """
    counts = [0] * _CLASSES
    for card in unseen_cards(seen, decks):
        counts[card.rank.points - 1] += 1
    return tuple(counts)


def unseen_cards(seen: Iterable[Card], decks: int = 1, lowest: int = 2) -> tuple[Card, ...]:
    """Return the cards that nobody has seen, one by one.

    Args:
        seen: known cards, each as often as it was seen.
        decks: packs shuffled together, 1 or 2 (rule G-5).
        lowest: the lowest number card in the pack: 2, or 7 for 32 cards (rule ED-1).

    Raises:
        OddsError: a card is named more often than the packs hold it.
    """
    left = Counter(_packs(decks, lowest))
    for card in seen:
        if not left[card]:
            size = len(_packs(decks, lowest))
            raise OddsError(
                f"{card} is named more often than {decks} pack(s) of {size} cards hold it; "
                "name each known card once: a hand's own cards do not belong in 'seen' too"
            )
        left[card] -= 1
    return tuple(left.elements())


@lru_cache(maxsize=8)
def _packs(decks: int, lowest: int) -> dict[Card, int]:
    """Return how often each card is in that many packs from *lowest* up."""
    pack = (card for card in deck() if card.rank is Rank.ACE or card.rank.order + 1 >= lowest)
    return dict.fromkeys(pack, decks)


def split_known(cards: Sequence[Card | None]) -> tuple[list[Card], int]:
    """Return the known cards of a hand and the number of unknown ones (rule G-6)."""
    known = [card for card in cards if card is not None]
    return known, len(cards) - len(known)


def without(pool: Pool, points: int) -> Pool:
    """Return *pool* with one card worth *points* (1 to 10) less."""
    return *pool[: points - 1], pool[points - 1] - 1, *pool[points:]


def check_ace_value(ace_value: object) -> None:
    """Refuse an ace that the rules do not know.

    Raises:
        OddsError: *ace_value* is not 1, 11 or ``"1or11"``.
    """
    if ace_value not in ACES:
        raise OddsError(f"ace_value: {ace_value!r} is not known; use one of {list(ACES)!r}")


@lru_cache(maxsize=4096)
def ways(pool: Pool, cards: int) -> tuple[tuple[int, int, int], ...]:
    """Count the sets of *cards* cards from *pool* by their points.

    Returns:
        ``(hard, aces, count)``: the sum with every ace at 1, the number of aces among them, and
        how many of the ``comb(sum(pool), cards)`` sets are so.
    """
    plain = _rows(tuple(enumerate(pool[1:], start=2)), cards)
    found = []
    for aces in range(min(pool[0], cards) + 1):
        times = comb(pool[0], aces)
        found += [(aces + rest, aces, times * n) for rest, n in _unpack(plain[cards - aces])]
    return tuple(found)


def sets_below_without_one(
    pool: Pool, ace: int, limit: int
) -> Iterator[tuple[int, list[list[tuple[int, int]]]]]:
    """Count the sets of 0, 1, 2 … cards that make less than *limit* once one card has gone.

    Args:
        pool: the unseen cards.
        ace: what every ace counts, 1 or 11.
        limit: one more than the highest sum of interest.

    Yields:
        The points of the card that has gone, 1 for an ace, and for each number of cards, up to the
        last that can stay below: ``(sum, count)``.
    """
    worths = sorted((ace if points == 1 else points, n) for points, n in enumerate(pool, start=1))
    most, room = 0, limit - 1
    for points, count in worths:
        most += min(count, max(room, 0) // points)
        room -= points * count
    rows = _rows(tuple(worths), most, limit)
    keep = (1 << _WIDTH * max(limit, 0)) - 1
    for points, count in enumerate(pool, start=1):
        if not count:
            continue
        # Sets with that card are sets of one card less without it, and the card.
        shift = _WIDTH * (ace if points == 1 else points)
        left: list[int] = []
        for row in rows:
            left.append(row - (left[-1] << shift & keep) if left else row)
        yield points, [list(_unpack(row)) for row in left]


def _rows(worths: tuple[tuple[int, int], ...], cards: int, limit: int | None = None) -> list[int]:
    """Count sets of 0 … *cards* cards by their sum, in rows of coefficients.

    A polynomial in the sum is one whole number, its coefficients side by side: multiplying by a
    card's points is a shift, and Python's long integers do a whole row at once.
    """
    keep = -1 if limit is None else (1 << _WIDTH * max(limit, 0)) - 1
    rows = [1 & keep] + [0] * cards
    for points, count in worths:
        terms = [(k, comb(count, k), _WIDTH * points * k) for k in range(1, min(count, cards) + 1)]
        for n in range(cards, 0, -1):
            row = rows[n]
            for k, times, shift in terms[:n]:
                if rows[n - k]:
                    row += times * rows[n - k] << shift
            rows[n] = row & keep
    return rows


def _unpack(row: int) -> Iterator[tuple[int, int]]:
    """Yield ``(sum, count)`` for each coefficient that is not 0."""
    size = _WIDTH // 8
    data = row.to_bytes((row.bit_length() // _WIDTH + 1) * size, "little")
    for place in range(0, len(data), size):
        count = int.from_bytes(data[place : place + size], "little")
        if count:
            yield place // size, count

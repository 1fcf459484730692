"""Three-card Brag hands, as Stop the bus ranks them (rules SB-1, SB-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb, prod

from engine.core.cards import Card, Rank, Suit
from engine.odds.unseen import OddsError, unseen_cards

KINDS = ("prial", "running flush", "run", "flush", "pair", "high card")
"""The kinds of hands, best first."""

_RANKS = tuple(Rank)
_RUNS = tuple(zip(_RANKS, _RANKS[1:], (*_RANKS[2:], Rank.ACE), strict=False))
"""A-2-3 to Q-K-A; K-A-2 is no run, and which of the ends is the highest changes no count."""


def brag_counts(seen: Iterable[Card] = (), *, decks: int = 1) -> dict[str, int]:
    """Count the three-card hands of each kind among the cards not *seen*.

    Returns:
        By the names of :data:`KINDS`, best first; a hand counts for its best kind only. With two
        packs a flush may hold a pair; it is the flush that counts.

    >>> brag_counts()["running flush"]
    48

    Raises:
        OddsError: a card is named more often than the packs hold it.
    """
    cards = Counter(unseen_cards(seen, decks))
    ranks = Counter[Rank]()
    suits = Counter[Suit]()
    for card, count in cards.items():
        ranks[card.rank] += count
        suits[card.suit] += count
    size = cards.total()
    running = sum(prod(cards[Card(r, s)] for r in run) for run in _RUNS for s in Suit)
    suited_pairs = sum(comb(n, 2) * (suits[card.suit] - n) for card, n in cards.items())
    counts = {
        "prial": sum(comb(n, 3) for n in ranks.values()),
        "running flush": running,
        "run": sum(prod(ranks[r] for r in run) for run in _RUNS) - running,
        "flush": sum(comb(n, 3) for n in suits.values()) - running,
        "pair": sum(comb(n, 2) * (size - n) for n in ranks.values()) - suited_pairs,
    }
    return counts | {"high card": comb(size, 3) - sum(counts.values())}


def brag_hands(seen: Iterable[Card] = (), *, decks: int = 1) -> Mapping[str, Fraction]:
    """Return the chance of each kind of hand, dealt from the cards not *seen*.

    Raises:
        OddsError: a card is named too often, or fewer than three cards are left.
    """
    counts = brag_counts(seen, decks=decks)
    hands = sum(counts.values())
    if not hands:
        raise OddsError("fewer than three cards are unseen; check which cards have been seen")
    return {kind: Fraction(count, hands) for kind, count in counts.items()}

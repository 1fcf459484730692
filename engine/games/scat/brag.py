"""Three-card Brag hands, as Stop the bus ranks them (rules SB-1, SB-4, SB-5, SB-6)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from engine.core.cards import Card, Rank

Strength = tuple[int, ...]
"""Kind first, then what decides between hands of a kind; a greater tuple is the better hand."""

_ACE = 14
_TOP = _ACE + 1
"""Above every rank: three threes, and ace two three where they are the top."""


class Kind(IntEnum):
    """The kinds of hands, weakest first (rule SB-1)."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    RUN = 3
    RUNNING_FLUSH = 4
    PRIAL = 5

    @property
    def words(self) -> str:
        """Return the name in the words of the case format."""
        return self.name.lower().replace("_", " ")


def kind_of(cards: Sequence[Card]) -> Kind:
    """Return what kind of hand three cards are (rule SB-1)."""
    return Kind(strength(cards)[0])


def strength(
    cards: Sequence[Card], run_a23: str = "top", prial_threes_top: bool = True
) -> Strength:
    """Return how good three cards are; equal hands tie, suits never decide (rule SB-4).

    Raises:
        ValueError: there are not three cards.

    >>> a_two_three, ace_king_queen = ([Card.parse(c) for c in h] for h in (
    ...     ("AS", "2D", "3C"), ("AH", "KD", "QC")))
    >>> strength(a_two_three) > strength(ace_king_queen)
    True
    """
    if len(cards) != 3:
        raise ValueError(f"a Brag hand has 3 cards, not {len(cards)}; wait for the whole hand")
    high, middle, low = sorted((_height(card.rank) for card in cards), reverse=True)
    flush = len({card.suit for card in cards}) == 1
    if high == low:
        return Kind.PRIAL, _TOP if high == 3 and prial_threes_top else high
    run = _run(high, middle, low, run_a23)
    if run is not None:
        return Kind.RUNNING_FLUSH if flush else Kind.RUN, run
    if flush:  # with two packs also one that holds a card twice: a flush beats a pair
        return Kind.FLUSH, high, middle, low
    if middle in (high, low):
        return Kind.PAIR, middle, low if middle == high else high
    return Kind.HIGH_CARD, high, middle, low


def _run(high: int, middle: int, low: int, run_a23: str) -> int | None:
    """Return the place of a run among runs; ``None`` if it is none, as K-A-2 (rule SB-5)."""
    if (high, middle, low) == (_ACE, 3, 2):
        return _TOP if run_a23 == "top" else 3
    return high if high - 1 == middle == low + 1 else None


def _height(rank: Rank) -> int:
    return _ACE if rank is Rank.ACE else rank.order + 1

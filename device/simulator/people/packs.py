"""Cards as two letters, rank and suit: ``TH`` is the ten of hearts."""

from __future__ import annotations

from collections.abc import Iterable

RANKS = "A23456789TJQK"
SUITS = "SHDC"
UNREAD = "??"


def pack(size: int = 52, packs: int = 1) -> list[str]:
    """Return the cards of a pack of 52, or of 32 (7 to ace)."""
    ranks = RANKS if size == 52 else "A789TJQK"
    return [rank + suit for rank in ranks for suit in SUITS] * packs


def pips(card: str) -> int:
    """Return what a card counts with the ace at 1."""
    return min(RANKS.index(card[0]) + 1, 10)


def suit_points(card: str) -> int:
    """Return what a card counts in Thirty-one, where the ace is 11 (SC-2)."""
    return 11 if card[0] == "A" else pips(card)


def best_suit(cards: Iterable[str]) -> int:
    """Return the points of the best single suit (SC-2)."""
    sums: dict[str, int] = {}
    for card in cards:
        sums[card[1]] = sums.get(card[1], 0) + suit_points(card)
    return max(sums.values())

"""What a hand of Thirty-one is worth: the best suit, or three of a kind (SC-2, TK-1 to TK-5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from engine.core.cards import Card, Rank, Suit
from engine.games.scat import brag

BLITZ = 31
"""The best value of a hand; shown at once it ends the round (rule SC-11)."""
THREE_KIND = 30.5
"""What three of a kind are worth where they count: above 30, below 31 (TK-1, TK-4, TK-5, WL-4)."""
Strength = Any
"""What is compared: a suit value, or the strength of a Brag hand."""
_HAND = 3
_POINTS = {rank: 11 if rank is Rank.ACE else rank.points for rank in Rank}


def points(card: Card) -> int:
    """Return what one card counts: the ace 11, court cards 10, the rest their number (SC-2)."""
    return _POINTS[card.rank]


def strength(cards: Sequence[Card], options: Any) -> Strength:
    """Return what a hand is worth by the options (rules SC-2, TK-1, SB-1)."""
    if options.ranking == "brag":
        return brag.strength(cards, options.run_a23, options.prial_threes_top)
    return value(cards, options.three_kind, options.three_kind_suits)


def value(
    cards: Sequence[Card | None], three_kind: str = "off", three_kind_suits: bool = True
) -> float | None:
    """Return the value of a hand; ``None`` while a card of it has not been read.

    Of more than three cards, in the middle of a turn, the best three count.

    >>> [value([Card.parse(c) for c in hand.split()]) for hand in ("KH QH 2C", "AS KS TS")]
    [20, 31]
    >>> value([Card.parse(c) for c in ("AS", "AS", "KS")])  # two packs; 32 would be too much
    31
    """
    known = [card for card in cards if card is not None]
    if not known or len(known) < len(cards):
        return None
    if len(known) > _HAND:
        return max(_value(three, three_kind, three_kind_suits) for three in combinations(known, 3))
    return _value(known, three_kind, three_kind_suits)


def suit_value(cards: Sequence[Card]) -> int:
    """Return the sum of the best single suit, at most 31 (rule SC-2).

    Only two packs can pass it: two aces and a ten of one suit.
    """
    sums: dict[Suit, int] = {}
    for card in cards:
        sums[card.suit] = sums.get(card.suit, 0) + _POINTS[card.rank]
    return min(BLITZ, max(sums.values()))


def counting_cards(
    cards: Sequence[Card], three_kind: str = "off", three_kind_suits: bool = True
) -> tuple[int, ...]:
    """Return the ranks of the cards that make the value, highest first, the ace 13 (BK-9).

    Of two suits worth the same the one with the higher cards counts.
    """
    if is_three_kind(cards, three_kind, three_kind_suits) and suit_value(cards) < THREE_KIND:
        return _ranks(cards)
    best = suit_value(cards)
    suits = ([card for card in cards if card.suit is suit] for suit in Suit)
    return max(_ranks(suit) for suit in suits if suit and suit_value(suit) == best)


def is_three_kind(cards: Sequence[Card], three_kind: str, three_kind_suits: bool = True) -> bool:
    """Return whether three cards count as of one kind (rules TK-1, TK-2, TK-3)."""
    if three_kind == "off" or len(cards) != _HAND:
        return False
    if three_kind_suits and len({card.suit for card in cards}) < _HAND:
        return False
    if three_kind == "rank":
        return len({card.rank for card in cards}) == 1
    return len({points(card) for card in cards}) == 1


def _value(cards: Sequence[Card], three_kind: str, three_kind_suits: bool) -> float:
    best = suit_value(cards)
    return max(best, THREE_KIND) if is_three_kind(cards, three_kind, three_kind_suits) else best


def _ranks(cards: Sequence[Card]) -> tuple[int, ...]:
    order = (len(Rank) if card.rank is Rank.ACE else card.rank.order for card in cards)
    return tuple(sorted(order, reverse=True))

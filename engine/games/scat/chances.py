"""Chances of Thirty-one: 31 on the deal and with the next card of the stock, and Brag hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from engine.core.cards import Suit
from engine.core.messages.message import Message
from engine.games.chances import Chances, ChanceTable
from engine.games.scat.odds import HAND, brag_hands, starting_hand, suit_counts, unseen
from engine.games.scat.points import BLITZ, points, value
from engine.games.scat.prompts import HAND_NAMES


class ScatChances(Chances):
    """What is counted from a full pack, of which only one's own cards are known."""

    def tables(self, options: Any) -> Sequence[ChanceTable]:
        """Return the chances as dealt and with one card of the stock (SC-2, SC-4, SC-11, SB-1)."""
        chance = (Message("chance"),)
        if options.ranking == "brag":
            kinds = brag_hands(decks=options.decks)
            rows = tuple((Message(HAND_NAMES[kind]), (share,)) for kind, share in kinds.items())
            title = Message("The three cards of the deal")
            return (ChanceTable(title, Message("they make"), chance, rows),)
        dealt = starting_hand(**options.for_odds)
        tables = [
            ChanceTable(
                Message("The three cards of the deal"),
                Message("they make"),
                chance,
                (
                    (Message("exactly 31"), (dealt.at(BLITZ),)),
                    (Message("more than 21"), (dealt.over(21),)),
                ),
            )
        ]
        if options.has_discard:
            after = with_the_stock(options.deck, options.decks, options.three_kind)
            tables.append(
                ChanceTable(
                    Message("A card of the stock"),
                    Message("you have"),
                    (Message("exactly 31"),),
                    tuple((_written(worth), (share,)) for worth, share in after),
                    note=Message("The best three of the four are kept."),
                    shown=tuple(place for place, (worth, _) in enumerate(after) if worth >= 20),
                )
            )
        return tables


@lru_cache(maxsize=8)
def with_the_stock(deck: int, decks: int, three_kind: str) -> tuple[tuple[float, Fraction], ...]:
    """Return for each value of a hand below 31 the chance that the next card makes it 31.

    All hands of that value are equally likely, and so is each card that is not in the hand.
    """
    pack = unseen((), deck, decks)
    counts = suit_counts(pack)
    left = {suit: dict(zip(range(2, 12), counts[suit], strict=True)) for suit in Suit}
    hands: Counter[float] = Counter()
    makes: Counter[float] = Counter()
    for hand in combinations(pack, HAND):
        worth = value(hand, three_kind)
        assert worth is not None  # every card is known
        hands[worth] += 1
        suits = [card.suit for card in hand]
        for suit in {suit for suit in suits if suits.count(suit) > 1}:
            held = sorted((points(card) for card in hand if card.suit is suit), reverse=True)
            for needed in range(BLITZ - sum(held[:2]), 12):
                makes[worth] += left[suit][needed] - held.count(needed)
    drawn = len(pack) - HAND
    return tuple(
        (worth, Fraction(makes[worth], hands[worth] * drawn))
        for worth in sorted(hands)
        if worth < BLITZ
    )


def _written(worth: float) -> str:
    return f"{worth:g}".replace(".5", "½")

"""What the others may hold in Thirty-one, and what a hand is worth against them.

**The model of the others.** A player who has had *t* turns has seen 3 + *t* cards, any of those one
has not seen oneself, and holds the best three of them by suit; nobody holds three of a kind. How
many turns there were is told by the stock, or by the cards that they were seen to take. With none
it is :func:`engine.games.scat.odds.starting_hand`. In Stop the bus they hold the best of 1 + *t*
random hands. What they were seen to take makes their hand no worse than those cards are. The hands
of several players count as independent.

**What a hand is worth** (lives, points or tokens, by the option ``scoring``): what the round brings
on average if it ends with it. In lives, one's own loss counts in full and what the others lose is
divided among them, so that a life lost by somebody else is worth something too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, floor, prod
from typing import Any

from engine.core.cards import Card, Suit, deck
from engine.core.views import SeatView
from engine.games.decision import Decision
from engine.games.scat import brag
from engine.games.scat.odds import HAND, sets_within, suit_counts
from engine.games.scat.points import BLITZ, Strength, points, strength
from engine.games.scat.settlement import BLITZ_POINTS, HIGH, KNOCKER, LOW, MIDDLE

FROM_STOCK = 0.7
"""How often a turn draws from the stock: players take the discard three times of ten."""
MOST_TURNS = 8
"""Who has had more turns than that is taken to have had so many."""


def max_of_four(hand: tuple[Card, ...], card: Card, options: Any) -> Strength:
    """Return the strength of the best three of a hand and one more card."""
    return max(strength(three, options) for three in combinations((*hand, card), HAND))


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player: the turns they have had, and the cards everybody knows of."""

    turns: float
    known: tuple[Card, ...]
    is_knocker: bool


class Field:
    """All the others, and what the end of a round brings against them."""

    def __init__(self, rivals: Iterable[Rival], unseen: Sequence[Card], options: Any) -> None:
        """Sit down against *rivals*; *unseen* are all the cards one has not seen."""
        self._rivals = tuple(rivals)
        self._options = options
        self._suits = suit_counts(unseen)
        self._unseen = tuple(unseen)
        self._drawn: dict[tuple[Suit, int, Strength], float] = {}
        self._known: dict[tuple[int, Strength, int], tuple[float, float]] = {}
        self._worths: dict[tuple[Strength, int, bool], float] = {}

    @classmethod
    def of(cls, asked: Decision, unseen: Sequence[Card]) -> Field:
        """Look at the others as the person who is asked sees them."""
        middle = asked.view.middle
        assert middle is not None  # Thirty-one always has one
        dealt = sum(1 for seat in asked.view.seats if seat.cards)
        options = asked.options
        start = options.deck * options.decks - HAND * dealt - options.cards_beside
        drawn = (start - middle.stock) / max(dealt, 1) if options.has_discard else 0.0

        def seen(seat: SeatView) -> Rival:
            turns = max(drawn / FROM_STOCK, float(len(seat.known)))
            return Rival(turns, seat.known, seat.seat == middle.knocker)

        return cls((seen(seat) for seat in asked.rivals if seat.cards), unseen, options)

    def knocked(self, mine: Strength, turns: int) -> float:
        """Return what knocking brings if the others have *turns* more turns after it."""
        return self._worth(mine, turns, True)

    def stayed(self, mine: Strength, turns: int) -> float:
        """Return what a hand brings where somebody else has knocked."""
        return self._worth(mine, turns, False)

    def drawn(self, hand: tuple[Card, ...]) -> float:
        """Return what a hand brings after one more draw and a throw, the others having two turns.

        Where three of a kind do not count, a card can only add to its own suit, so the suits of
        the hand are looked at one by one.
        """
        value = strength(hand, self._options)
        if self._options.three_kind != "off":
            ends = (max_of_four(hand, card, self._options) for card in self._unseen)
            return sum(self.stayed(end, 2) for end in ends) / len(self._unseen)
        whole = 0.0
        for suit in Suit:
            same = sorted((points(card) for card in hand if card.suit is suit), reverse=True)
            key = suit, sum(same[: HAND - 1]), value
            if key not in self._drawn:
                worths = zip(range(11, 1, -1), reversed(self._suits[suit]), strict=True)
                self._drawn[key] = sum(
                    count * self.stayed(max(value, key[1] + worth), 2)
                    for worth, count in worths
                    if count
                )
            whole += self._drawn[key]
        return whole / len(self._unseen)

    def blitz(self) -> float:
        """Return what 31 brings (rules SC-11, NE-4, BK-5)."""
        options, rivals = self._options, len(self._rivals)
        if options.scoring == "points":
            return BLITZ_POINTS
        if options.scoring == "ante":
            return float(options.ante * (rivals + 1) + options.blitz_bonus * rivals)
        return 1.0

    def chances(self, place: int, mine: Strength, turns: int) -> tuple[float, float]:
        """Return the chances that rival *place*, from 0, holds less than *mine*, and as much.

        By then they will have had so many *turns* more; the knocker has none.
        """
        key = place, mine, turns
        if key not in self._known:
            rival = self._rivals[place]
            had = min(rival.turns + (0 if rival.is_knocker else turns), MOST_TURNS)
            if self._options.ranking == "brag":
                self._known[key] = self._in_brag(rival, mine, had)
            else:
                self._known[key] = self._in_suits(rival, mine, had)
        return self._known[key]

    def _in_suits(self, rival: Rival, mine: Strength, had: float) -> tuple[float, float]:
        whole, turns = min(int(mine), BLITZ), floor(had)
        table = best_three(tuple(sorted(self._suits.values())))
        one, more = table[turns], table[turns + 1]
        upto = one[whole] + (had - turns) * (more[whole] - one[whole])
        less = one[whole - 1] + (had - turns) * (more[whole - 1] - one[whole - 1])
        below = upto if whole < mine else less
        return _no_less(
            below, upto, mine, strength(rival.known, self._options) if rival.known else 0
        )

    def _in_brag(self, rival: Rival, mine: Strength, had: float) -> tuple[float, float]:
        ranks = brag_ranks(self._options.run_a23, self._options.prial_threes_top)
        less, upto = ranks[mine]
        known = rival.known if len(rival.known) == HAND else None
        least = (-1,) if known is None else strength(known, self._options)
        return _no_less(less ** (1 + had), upto ** (1 + had), mine, least)

    def _worth(self, mine: Strength, turns: int, knocker: bool) -> float:
        end = mine, turns, knocker
        if end not in self._worths:
            self._worths[end] = self._weighed(*end)
        return self._worths[end]

    def _weighed(self, mine: Strength, turns: int, knocker: bool) -> float:
        options, rivals = self._options, range(len(self._rivals))
        found = [self.chances(place, mine, turns) for place in rivals]
        best = prod(below for below, _ in found)
        tied_best = prod(below + level for below, level in found) - best
        worst = prod(1 - below - level for below, level in found)
        tied_worst = prod(1 - below for below, _ in found) - worst
        if options.scoring == "ante":
            # Who shares the pot, or takes it as the elder, is not followed up.
            return float(options.ante * (len(found) + 1) * (best + tied_best / 2))
        if options.scoring == "points":
            high, low = best + tied_best, worst
            paid = KNOCKER if knocker else {LOW: LOW, MIDDLE: MIDDLE, HIGH: HIGH}
            worth = paid[HIGH] * high + paid[LOW] * low + paid[MIDDLE] * (1 - high - low)
            return float(worth)
        mates = max(len(found), 1)
        if not knocker:
            lost = worst + tied_worst
            return float(-lost + (1 - lost) / mates)
        tied = {"safe": 0, "all_lose": 1}.get(options.knock_tie, options.knock_penalty)
        lost = options.knock_penalty * worst + tied * tied_worst
        spared = worst + (tied_worst if options.knock_tie == "knocker_only" else 0)
        return float(-lost + (1 - spared) / mates)


@lru_cache(maxsize=64)
def best_three(suits: tuple[tuple[int, ...], ...]) -> tuple[tuple[float, ...], ...]:
    """Return the chances, for values 0 to 31, that the best three of some cards are worth no more.

    A row for each number of turns, each of which brings a card to the first three. The *suits* are
    those of :func:`engine.games.scat.odds.suit_counts`.
    """
    whole = sum(map(sum, suits))
    most_seen = min(HAND + MOST_TURNS + 1, whole)
    rows = sets_within(suits, most_seen)
    return tuple(
        tuple(row[size] / comb(whole, size) for row in rows)
        for size in (min(HAND + turns, most_seen) for turns in range(MOST_TURNS + 2))
    )


@lru_cache(maxsize=4)
def brag_ranks(run_a23: str, prial_threes_top: bool) -> dict[Strength, tuple[float, float]]:
    """Return for every Brag hand the parts of all hands that are weaker, and no stronger."""
    hands = combinations(deck(), HAND)
    counts = Counter(brag.strength(hand, run_a23, prial_threes_top) for hand in hands)
    # With two packs one more hand can be: a flush that holds a pair. It is ranked when it comes.
    whole, before = counts.total(), 0
    found: dict[Strength, tuple[float, float]] = {}
    for rank, number in sorted(counts.items()):
        found[rank] = before / whole, (before + number) / whole
        before += number
    return _Ranks(found)


class _Ranks(dict[Strength, tuple[float, float]]):
    """Ranks a hand that one pack cannot make among those that it can."""

    def __missing__(self, rank: Strength) -> tuple[float, float]:
        """Return the part of hands below it, which is also the part not above."""
        below = max((upto for other, (_, upto) in self.items() if other < rank), default=0.0)
        return below, below


def _no_less(below: float, upto: float, mine: Strength, least: Strength) -> tuple[float, float]:
    """Return the chances of less and as much, of who holds *least* for certain, or better."""
    if mine < least:
        return 0.0, 0.0
    if mine == least:
        return 0.0, upto
    return below, upto - below

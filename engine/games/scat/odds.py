"""Chances in Thirty-one (Scat): starting hands, one draw, other players' hands; hands of Brag.

Rules SC-2 to SC-16, SB-1, SB-5.

**The model.** Each set of unseen cards is equally likely to be another player's hand or the next of
the stock. Real players keep what is good, so hands late in a round are better than these: see
:func:`beats` as an upper bound. Hands of several players are counted together, without putting a
card back: a hand stays at or under a value exactly if each of its suits does, so each suit is
counted for itself and the four are joined over how many cards of the suit everybody holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb, factorial, perm, prod
from operator import mul

from engine.core.cards import Card, Rank, Suit
from engine.games.scat import points as scat_values
from engine.games.scat.points import BLITZ, points
from engine.odds.unseen import OddsError, unseen_cards

HAND = 3
THREE_KIND = Fraction(scat_values.THREE_KIND)
"""30½, three of a kind (rules TK-1, WL-4)."""

_LOWEST = {52: 2, 32: 7}
_BITS = 6
_MASK = (1 << _BITS) - 1

_Suit = tuple[int, ...]
"""How many unseen cards of one suit are worth 2, 3 … 11: ten counts."""


@dataclass(frozen=True, slots=True)
class Values:
    """How likely each value of a hand is, rising; sums to 1."""

    chances: tuple[tuple[Fraction, Fraction], ...]

    def at(self, value: Fraction | int) -> Fraction:
        """Return the chance of exactly *value*."""
        return dict(self.chances).get(Fraction(value), Fraction(0))

    def over(self, value: Fraction | int) -> Fraction:
        """Return the chance of more than *value*."""
        return sum((p for v, p in self.chances if v > value), Fraction(0))

    @property
    def mean(self) -> Fraction:
        """The mean value."""
        return sum((v * p for v, p in self.chances), Fraction(0))


@dataclass(frozen=True, slots=True)
class DrawChances:
    """What one card of the stock does to a hand.

    Attributes:
        before: the hand's value now.
        after: the values after the best discard.
    """

    before: Fraction
    after: Values

    @property
    def better(self) -> Fraction:
        """The chance that the hand improves."""
        return self.after.over(self.before)

    @property
    def blitz(self) -> Fraction:
        """The chance to stand at 31."""
        return self.after.at(BLITZ)


@dataclass(frozen=True, slots=True)
class ShowdownChances:
    """How a value compares with several unknown hands.

    Attributes:
        highest: every other hand is lower.
        not_beaten: no other hand is higher.
        lowest: every other hand is higher: alone at the bottom, what a knocker fears (SC-10).
        among_lowest: no other hand is lower.
    """

    highest: Fraction
    not_beaten: Fraction
    lowest: Fraction
    among_lowest: Fraction


def draw(
    cards: Sequence[Card],
    seen: Iterable[Card] = (),
    *,
    pack: int = 52,
    decks: int = 1,
    three_kind: str = "off",
) -> DrawChances:
    """Return the chances of taking the top of the stock and making the best discard (SC-4).

    Args:
        cards: the three cards in the hand.
        seen: other known cards: discards, cards others took from the discard.
        pack: cards of one pack, 52 or 32 (rule ED-1).
        decks: packs shuffled together, 1 or 2.
        three_kind: ``"off"``, ``"rank"`` or ``"value"`` (rules TK-1, TK-2).

    Raises:
        OddsError: not three cards, a card named too often or not in the pack, nothing unseen.
    """
    if len(cards) != HAND:
        raise OddsError(f"{len(cards)} cards in the hand; before a draw there are {HAND}")
    drawn = Counter(unseen([*cards, *seen], pack, decks))
    counts: Counter[Fraction] = Counter()
    for card, count in drawn.items():
        counts[_worth((*cards, card), three_kind)] += count
    return DrawChances(_worth(cards, three_kind), _values(counts))


def starting_hand(
    seen: Iterable[Card] = (), *, pack: int = 52, decks: int = 1, three_kind: str = "off"
) -> Values:
    """Return the values of three cards of those not *seen*; arguments as for :func:`draw`.

    >>> starting_hand().at(31)
    Fraction(6, 5525)

    Raises:
        OddsError: *pack* or *three_kind* is not known, or too few cards are unseen.
    """
    cards = unseen(seen, pack, decks)
    upto = [row[HAND] for row in sets_within(_suits(cards), HAND)]
    counts = Counter({Fraction(v): upto[v] - upto[v - 1] for v in range(1, BLITZ + 1)})
    for kind, number in _three_kinds(cards, three_kind).items():
        counts[Fraction(kind)] -= number  # of three suits: worth its highest card till now
        counts[THREE_KIND] += number
    return _values(counts)


def beats(
    mine: Fraction | int,
    hands: int,
    seen: Iterable[Card] = (),
    *,
    pack: int = 52,
    decks: int = 1,
    three_kind: str = "off",
) -> ShowdownChances:
    """Compare the value *mine* with *hands* unknown hands of three cards; the rest as for ``draw``.

    One's own cards are among those *seen*. With more than one hand *three_kind* must be ``"off"``,
    because a three of a kind ties the suits together.

    Raises:
        OddsError: fewer than one hand, more than the cards make, or three of a kind among several.
    """
    cards = unseen(seen, pack, decks)
    if not 1 <= hands <= len(cards) // HAND:
        raise OddsError(f"hands: {hands!r} cannot be dealt from {len(cards)} unseen cards")
    if hands == 1:
        one = starting_hand(seen, pack=pack, decks=decks, three_kind=three_kind)
        same, over = one.at(mine), one.over(mine)
        return ShowdownChances(1 - same - over, 1 - over, over, same + over)
    if three_kind != "off":
        raise OddsError("three of a kind is counted against one hand only; ask with hands=1")
    suits = _suits(cards)
    whole = Fraction(mine)
    upto = -(-whole.numerator // whole.denominator) - 1  # the highest whole value below mine
    lower = [_share(suits, upto, n) for n in range(hands + 1)]
    level = [_share(suits, int(whole), n) for n in range(hands + 1)]
    return ShowdownChances(lower[-1], level[-1], _none(level), _none(lower))


def _none(all_of: Sequence[Fraction]) -> Fraction:
    """Return the chance that no hand is low, from those that 0, 1, 2 … given hands all are."""
    last = len(all_of) - 1
    return sum((comb(last, n) * (-1) ** n * p for n, p in enumerate(all_of)), Fraction(0))


def _share(suits: tuple[_Suit, ...], most: int, hands: int) -> Fraction:
    return Fraction(_all_within(suits, most, hands), _deals(suits, hands))


def _deals(suits: tuple[_Suit, ...], hands: int) -> int:
    size = sum(map(sum, suits))
    return prod(comb(size - HAND * n, HAND) for n in range(hands))


def unseen(seen: Iterable[Card], pack: int, decks: int) -> tuple[Card, ...]:
    """Return the cards not *seen* of packs of so many cards.

    Raises:
        OddsError: a card is named too often or not in the pack, or *pack* is not known.
    """
    if pack not in _LOWEST:
        raise OddsError(f"pack: {pack!r} cards are not known; use 52 or 32")
    return unseen_cards(seen, decks, _LOWEST[pack])


def suit_counts(cards: Iterable[Card]) -> dict[Suit, tuple[int, ...]]:
    """Return how many of the cards of each suit are worth 2, 3 … 11."""
    counts = Counter((card.suit, points(card)) for card in cards)
    return {suit: tuple(counts[suit, worth] for worth in range(2, 12)) for suit in Suit}


def _suits(cards: Iterable[Card]) -> tuple[_Suit, ...]:
    return tuple(sorted(suit_counts(cards).values()))


def _values(counts: Counter[Fraction]) -> Values:
    whole = counts.total()
    if not whole:
        raise OddsError("too few cards are unseen; check which cards have been seen")
    return Values(tuple((v, Fraction(n, whole)) for v, n in sorted(counts.items()) if n))


def _worth(cards: Sequence[Card], three_kind: str) -> Fraction:
    """Return the value of a hand as the game counts it; of four cards, of the best three."""
    if three_kind not in ("off", "rank", "value"):
        raise OddsError(f"three_kind: {three_kind!r} is not known; use 'off', 'rank' or 'value'")
    worth = scat_values.value(cards, three_kind)
    assert worth is not None  # only an unread card has none, and here all are known
    return Fraction(worth)


def _three_kinds(cards: Iterable[Card], three_kind: str) -> Counter[int]:
    """Count threes of a kind, of three suits (TK-3), by the points of one card."""
    counts: Counter[int] = Counter()
    if three_kind == "off":
        return counts
    kinds: defaultdict[object, Counter[Suit]] = defaultdict(Counter)
    worth: dict[object, int] = {}
    for card in cards:
        kind: object = points(card) if three_kind == "value" else card.rank
        kinds[kind][card.suit] += 1
        worth[kind] = points(card)
    for kind, suits in kinds.items():
        counts[worth[kind]] += sum(map(prod, combinations(suits.values(), HAND)))
    return counts


def sets_within(suits: Iterable[_Suit], most_cards: int) -> list[list[int]]:
    """Count the sets of which the best three cards of one suit make no more than some value.

    Returns:
        For each value from 0 to 31, the sets of 0, 1 … *most_cards* cards.
    """
    first, *others = [_suit_sets(suit, most_cards) for suit in suits]
    rows = []
    for most in range(BLITZ + 1):
        ways = [by_size[most] for by_size in first]
        for by_size in others:
            more = [row[most] for row in by_size]
            ways = [
                sum(map(mul, ways[: size + 1], more[size::-1])) for size in range(most_cards + 1)
            ]
        rows.append(ways)
    return rows


@lru_cache(maxsize=512)
def _suit_sets(suit: _Suit, most_cards: int) -> tuple[tuple[int, ...], ...]:
    """Count sets of cards of a suit: by size, those of which the best three make 0 … 31 or less."""
    counts: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for worth, number in zip(range(11, 1, -1), reversed(suit), strict=True):
        for (size, total), ways in list(counts.items()):
            for taken in range(1, min(number, most_cards - size) + 1):
                # The highest come first, so only the first three of a set count.
                more = total + worth * max(min(taken, HAND - size), 0)
                counts[size + taken, more] += ways * comb(number, taken)
    exactly = [[0] * (3 * 11 + 1) for _ in range(most_cards + 1)]
    for (size, total), ways in counts.items():
        exactly[size][min(total, BLITZ)] += ways
    return tuple(tuple(accumulate(row))[: BLITZ + 1] for row in exactly)


@lru_cache(maxsize=512)
def _all_within(suits: tuple[_Suit, ...], most: int, hands: int) -> int:
    """Count the deals of *hands* hands in which no suit of any hand makes more than *most*.

    A state says how many hands still want 0, 1, 2, 3 cards.
    """
    if most >= BLITZ:
        return _deals(suits, hands)
    states: dict[tuple[int, ...], int] = {(0, 0, 0, hands): 1}
    for suit in suits:
        after: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for state, times in states.items():
            for given, wanting, choices in _given(state):
                ways = _suit_within(suit, most, *given)
                if ways:
                    after[wanting] += times * choices * ways
        states = after
    return states.get((hands, 0, 0, 0), 0)


@lru_cache(maxsize=1024)
def _given(
    state: tuple[int, ...],
) -> list[tuple[tuple[int, int, int], tuple[int, ...], int]]:
    """List how many hands may get 1, 2, 3 cards of a suit, what is wanted then, and the ways."""
    none: tuple[int, ...] = (0, 0, 0, 0)
    found = [(none, none, 1)]
    for wanted, many in enumerate(state):
        more = []
        for split in _splits(many, wanted + 1):
            ways = factorial(many) // prod(map(factorial, split))
            for given, wanting, choices in found:
                got, left = list(given), list(wanting)
                for cards, number in enumerate(split):
                    got[cards] += number
                    left[wanted - cards] += number
                more.append((tuple(got), tuple(left), choices * ways))
        found = more
    return [((g[1], g[2], g[3]), left, choices) for g, left, choices in found]


def _splits(many: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (many,)
        return
    for first in range(many + 1):
        for rest in _splits(many - first, parts - 1):
            yield first, *rest


@lru_cache(maxsize=4096)
def _suit_within(suit: _Suit, most: int, ones: int, twos: int, threes: int) -> int:
    """Count the ways to give cards of one suit to that many different hands, none over *most*."""
    if ones + 2 * twos + 3 * threes > sum(suit):
        return 0
    low = sum(suit[: max(most - 1, 0)])  # cards worth *most* or less
    ways = 0
    for (used, used_low), number in _used(suit, most, twos, threes).items():
        # Hands that are free of the limit, left out of the code, get any of the rest later.
        rest, free = sum(suit) - used - ones, 2 * twos + 3 * threes - used
        ways += number * perm(max(low - used_low, 0), ones) * perm(max(rest, 0), free)
    return int(ways // (2**twos * 6**threes))


@lru_cache(maxsize=4096)
def _used(suit: _Suit, most: int, twos: int, threes: int) -> dict[tuple[int, int], int]:
    """Sum up :func:`_grouped` by cards used and, of these, cards worth *most* or less."""
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for code, orders in _grouped(suit, most, twos, threes).items():
        held = [code >> _BITS * place & _MASK for place in range(10)]
        key = sum(held), sum(held[: max(most - 1, 0)])
        found[key] += orders * prod(map(perm, suit, held))
    return found


@lru_cache(maxsize=4096)
def _grouped(suit: _Suit, most: int, twos: int, threes: int) -> dict[int, int]:
    """Return the cards used by the first hands of two and three, with their orders of worths."""
    if not twos and not threes:
        return {0: 1}
    before = _grouped(suit, most, max(twos - 1, 0), threes if twos else threes - 1)
    after: defaultdict[int, int] = defaultdict(int)
    for code, orders in _groups(suit, most, 2 if twos else 3):
        for held, times in before.items():
            after[held + code] += times * orders
    return {code: n for code, n in after.items() if n and _fits(suit, code)}


@lru_cache(maxsize=512)
def _groups(suit: _Suit, most: int, size: int) -> list[tuple[int, int]]:
    """List groups within *most*, or code 0 for any group less those that are over: the shorter."""
    within, over = [], [(0, 1)]
    worths = [worth for worth, count in enumerate(suit, start=2) if count]
    for group in combinations_with_replacement(worths, size):
        same = Counter(group)
        if any(suit[worth - 2] < number for worth, number in same.items()):
            continue
        code = sum(number << _BITS * (worth - 2) for worth, number in same.items())
        orders = factorial(size) // prod(map(factorial, same.values()))
        if sum(group) <= most:
            within.append((code, orders))
        else:
            over.append((code, -orders))
    return within if len(within) <= len(over) else over


def _fits(suit: _Suit, code: int) -> bool:
    return all(code >> _BITS * place & _MASK <= count for place, count in enumerate(suit))


# --- Brag hands ---------------------------------------------------------------------------------

_RANKS = tuple(Rank)
_RUNS = tuple(zip(_RANKS, _RANKS[1:], (*_RANKS[2:], Rank.ACE), strict=False))
"""A-2-3 to Q-K-A; K-A-2 is no run, and which of the ends is the highest changes no count."""


def brag_counts(seen: Iterable[Card] = (), *, decks: int = 1) -> dict[str, int]:
    """Count the three-card hands of each kind among the cards not *seen*.

    Returns:
        By the words of :class:`engine.games.scat.brag.Kind`, best first; a hand counts for its best
        kind only. With two packs a flush may hold a pair; it is the flush that counts.

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

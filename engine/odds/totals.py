"""Chances on the way to 31: a hidden hand, one more card, a player who sticks at L or more.

The model is the same everywhere: each set of unseen cards is equally likely, wherever its cards
lie. Nothing is drawn or guessed; sets are counted by points, and every result is exact.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, perm

from engine.core.cards import Card, Rank
from engine.core.counting import ACES, GOAL, best_total
from engine.odds.paths import walk, ways_to_draw
from engine.odds.unseen import (
    OddsError,
    Pool,
    check_ace_value,
    sets_below_without_one,
    split_known,
    unseen,
    ways,
    without,
)

DEALT: tuple[Card | None, ...] = (None, None, None)
"""Three cards nobody has read: a hand as it is dealt (rule OT-3)."""


@dataclass(frozen=True, slots=True)
class Totals:
    """How likely each total is.

    Attributes:
        chances: ``(total, chance)`` by rising total, without impossible ones; sums to 1.
    """

    chances: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, counts: Mapping[int, int | Fraction]) -> Totals:
        """Make chances of weights in any unit.

        Raises:
            OddsError: the weights sum to nothing, so the case cannot occur.
        """
        whole = sum(counts.values())
        if not whole:
            raise OddsError("no unseen cards make such a hand; check the readings of the cards")
        return cls(tuple((t, Fraction(n) / whole) for t, n in sorted(counts.items()) if n))

    def at(self, total: int) -> Fraction:
        """Return the chance of exactly *total*."""
        return dict(self.chances).get(total, Fraction(0))

    def between(self, least: int, most: int) -> Fraction:
        """Return the chance of a total from *least* to *most*, both included."""
        return sum((p for total, p in self.chances if least <= total <= most), Fraction(0))

    @property
    def over(self) -> Fraction:
        """The chance of more than 31: out (rule OT-8)."""
        return self.above(GOAL)

    def above(self, most: int) -> Fraction:
        """Return the chance of more than *most*."""
        return sum((p for total, p in self.chances if total > most), Fraction(0))

    @property
    def exactly_31(self) -> Fraction:
        """The chance of 31: won at once (rule OT-9)."""
        return self.at(GOAL)

    @property
    def mean(self) -> Fraction:
        """The mean total, hands over 31 with all they count."""
        return sum((total * p for total, p in self.chances), Fraction(0))


def hand_total(
    cards: Sequence[Card | None] = DEALT,
    seen: Iterable[Card] = (),
    *,
    decks: int = 1,
    ace_value: object = 1,
    still_in: bool = False,
) -> Totals:
    """Return the chances of each total of a hand of which some cards may be unknown (G-6).

    Args:
        cards: the hand; ``None`` is a card that the asker does not know.
        seen: all other cards that the asker knows, without those of the hand.
        decks: 1 or 2 packs.
        ace_value: 1, 11 or ``"1or11"`` (rules OT-4, OT-16, OT-25).
        still_in: take it as known that the hand is not over 31.

    >>> hand_total().at(30), hand_total(ace_value=11).exactly_31
    (Fraction(28, 1105), Fraction(126, 5525))

    Raises:
        OddsError: a card is known twice, too few cards are unseen, or no such hand can be.
    """
    hard, aces, hidden, pool = look_at(cards, seen, decks, ace_value)
    counts: defaultdict[int, int] = defaultdict(int)
    for more, more_aces, count in ways(pool, hidden):
        total = best_total(hard + more, aces + more_aces, ace_value)
        if total <= GOAL or not still_in:
            counts[total] += count
    return Totals.of(counts)


def next_card(
    cards: Sequence[Card | None],
    seen: Iterable[Card] = (),
    *,
    decks: int = 1,
    ace_value: object = 1,
    still_in: bool = True,
    goal: int = GOAL,
) -> Totals:
    """Return the chances of each total after one more card ("have it", rules OT-6 to OT-9).

    The arguments are those of :func:`hand_total`; *still_in* says that the hand as it is now, its
    unknown cards included, is known not to be over *goal* (who is over gets no card).

    >>> ten, king = Card.parse("TS"), Card.parse("KS")
    >>> next_card([ten, king, Card.parse("9S")]).over
    Fraction(41, 49)

    Raises:
        OddsError: as for :func:`hand_total`.
    """
    known = look_at(cards, seen, decks, ace_value, more=1)
    return _after_one_more(known, ace_value, range(goal + 1) if still_in else None, goal)


def next_card_at(
    total: int,
    cards: int = 3,
    seen: Iterable[Card] = (),
    *,
    decks: int = 1,
    ace_value: object = 1,
) -> Totals:
    """Return the chances of one more card where only a hand's total and size are known.

    Every set of *cards* unseen cards with that *total* is equally likely.

    Raises:
        OddsError: no such hand can be made of the unseen cards.
    """
    known = look_at((None,) * cards, seen, decks, ace_value, more=1)
    return _after_one_more(known, ace_value, (total,))


def _after_one_more(
    known: tuple[int, int, int, Pool],
    ace_value: object,
    now: Container[int] | None,
    goal: int = GOAL,
) -> Totals:
    """Return the totals after one more card; *now* is what the hand may make before it."""
    hard, aces, hidden, pool = known
    counts: defaultdict[int, int] = defaultdict(int)
    for points, rest in _one_drawn(pool):
        for more, more_aces, count in ways(rest, hidden):
            points_now, aces_now = hard + more, aces + more_aces
            if now is None or best_total(points_now, aces_now, ace_value, goal) in now:
                after = best_total(points_now + points, aces_now + (points == 1), ace_value, goal)
                counts[after] += count * pool[points - 1]
    return Totals.of(counts)


def next_card_onto(
    total: int, seen: Iterable[Card] = (), *, decks: int = 1, ace_value: object = 1
) -> Totals:
    """Return the chances of one card of those not *seen* on top of *total* points without an ace.

    With nothing seen that is the rough figure for a fresh pack, which forgets one's own cards.

    Raises:
        OddsError: a card is named too often, or none is unseen.
    """
    _, _, _, pool = look_at((), seen, decks, ace_value, more=1)
    counts: Counter[int] = Counter()
    for points, number in enumerate(pool, start=1):
        counts[best_total(total + points, int(points == 1), ace_value)] += number
    return Totals.of(counts)


def stick_at(
    least: int,
    cards: Sequence[Card | None] = DEALT,
    seen: Iterable[Card] = (),
    *,
    decks: int = 1,
    ace_value: object = 1,
) -> Totals:
    """Return the final totals of a player who has it until they stand at *least* or more.

    The unknown cards among *cards* may be any unseen ones; further cards come from the others.

    >>> float(stick_at(26).over) > float(stick_at(24).over)
    True

    Raises:
        OddsError: as for :func:`hand_total`, or the unseen cards may run out before they stick.
    """
    hard, aces, hidden, pool = look_at(cards, seen, decks, ace_value)
    return final_totals(pool, hidden, hard, aces, least, ace_value)


@lru_cache(maxsize=2048)
def final_totals(
    pool: Pool, hidden: int, hard: int, aces: int, least: int, ace_value: object
) -> Totals:
    """Do the work of :func:`stick_at` on points alone.

    Where every ace has one value, totals only grow: a player asks for an n-th card exactly if the
    first n - 1 make less than *least*, whatever their order, so counting sets is enough. An ace
    that may be either breaks that (a high total can fall), and hands are followed card by card.

    Raises:
        OddsError: the pool may run out first.
    """
    ends: dict[int, Fraction] = defaultdict(Fraction)
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    if ace_value == "1or11":
        for code, (orders, total) in walk(pool, hidden, hard, aces, least, ace_value).items():
            drawn, number = ways_to_draw(pool, code)
            counts[drawn][total] += orders * number
        for drawn, finals in counts.items():
            for total, number in finals.items():
                ends[total] += Fraction(number, perm(sum(pool), drawn))
    else:
        ace = min(ACES[ace_value])
        ends = _grow(pool, hidden, hard + aces * (ace - 1), least, ace)
    if sum(ends.values()) != 1:
        raise OddsError(
            f"the {sum(pool)} unseen cards may run out before {least} is reached; "
            "ask with a lower limit, or check which cards have been seen"
        )
    return Totals.of(ends)


def _grow(pool: Pool, hidden: int, base: int, least: int, ace: int) -> dict[int, Fraction]:
    """Return the chance of each end: with the hidden cards, or with the card that made enough."""
    size = sum(pool)
    ends: defaultdict[int, Fraction] = defaultdict(Fraction)
    for hard, aces, count in ways(pool, hidden):
        total = base + hard + aces * (ace - 1)
        if total >= least:
            ends[total] += Fraction(count, comb(size, hidden))
    counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for points, by_size in sets_below_without_one(pool, ace, least - base):
        worth = ace if points == 1 else points
        for held, sums in enumerate(by_size):
            if held >= hidden:
                for points_held, count in sums:
                    total = base + points_held + worth
                    if total >= least:
                        counts[held][total] += count * pool[points - 1]
    for held, totals in counts.items():
        for total, number in totals.items():
            ends[total] += Fraction(number, comb(size, held) * (size - held))
    return ends


def look_at(
    cards: Sequence[Card | None],
    seen: Iterable[Card],
    decks: int,
    ace_value: object,
    more: int = 0,
) -> tuple[int, int, int, Pool]:
    """Return a hand's known points and aces, its unknown cards, and the unseen cards by points.

    Raises:
        OddsError: an unknown ace value, a card named too often, or fewer unseen cards than the
            hand hides and *more* to be drawn.
    """
    check_ace_value(ace_value)
    known, hidden = split_known(cards)
    pool = unseen([*known, *seen], decks)
    if sum(pool) < hidden + more:
        raise OddsError(
            f"{hidden + more} cards are asked for, {sum(pool)} are unseen; "
            "check which cards have been seen, or play with two packs"
        )
    hard = sum(card.rank.points for card in known)
    return hard, sum(1 for card in known if card.rank is Rank.ACE), hidden, pool


def _one_drawn(pool: Pool) -> list[tuple[int, Pool]]:
    """Return, for every worth there is a card of, the worth and the pool without that card."""
    return [(points, without(pool, points)) for points, n in enumerate(pool, start=1) if n]

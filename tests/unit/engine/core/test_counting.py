"""Every three-card hand, counted twice; facts from an exact table of odds made elsewhere."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from engine import deck
from engine.core import counting

HANDS = 22100
ALL_HANDS = list(combinations(deck(), 3))


def plain_count(ace: int) -> Counter[int]:
    """Count the hands by total with arithmetic on ranks alone: no cards, no engine."""
    points = [ace, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    ways = {(rank, same): (1, 4, 6, 4)[same] for rank in range(13) for same in range(4)}
    sums: dict[tuple[int, int], int] = {(0, 0): 1}
    for rank in range(13):
        after: Counter[tuple[int, int]] = Counter()
        for (cards, total), count in sums.items():
            for same in range(4 - cards):
                key = cards + same, total + same * points[rank]
                after[key] += count * ways[rank, same]
        sums = dict(after)
    return Counter({total: count for (cards, total), count in sums.items() if cards == 3})


@pytest.mark.parametrize("ace", [1, 11])
def test_every_three_card_total_agrees_with_a_plainer_count(ace):
    found = Counter(counting.total(hand, ace) for hand in ALL_HANDS)
    assert found == plain_count(ace)
    assert found.total() == HANDS


# Exact odds, published with the rules: fractions of the 22,100 hands.
def test_ot4_known_odds_with_the_ace_at_1():
    found = Counter(counting.total(hand, 1) for hand in ALL_HANDS)
    assert Fraction(found[3], HANDS) == Fraction(1, 5525)
    assert Fraction(found[12], HANDS) == Fraction(31, 1105)
    assert Fraction(found[20], HANDS) == Fraction(368, 5525)
    assert max(found) == 30  # OT-16: nobody is dealt 31
    mean = Fraction(sum(total * count for total, count in found.items()), HANDS)
    assert mean == Fraction(255, 13)


def test_ot16_known_odds_with_the_ace_at_11():
    found = Counter(counting.total(hand, 11) for hand in ALL_HANDS)
    assert Fraction(found[31], HANDS) == Fraction(126, 5525)
    assert Fraction(sum(found[total] for total in (32, 33)), HANDS) == Fraction(1, 221)


def test_ot25_each_ace_as_it_suits_is_the_better_of_all_ways():
    for hand in ALL_HANDS:
        aces = sum(1 for card in hand if card.rank == "A")
        low = sum(card.rank.points for card in hand)
        ways = [low + 10 * high for high in range(aces + 1)]
        assert counting.total(hand, "1or11") == max(way for way in ways if way <= 31)


def test_g6_least_and_may_be_31_enclose_every_total(card):
    known = (card("KH"), card("QH"))
    for ace in (1, 11, "1or11"):
        totals = [counting.total((*known, other), ace) for other in deck() if other not in known]
        smallest = 21 if ace == "1or11" else min(totals)  # K Q A may count 21, though 31 is better
        assert counting.least((*known, None), ace) == smallest
        left = [other for other in deck() if other not in known]
        assert counting.may_be_31((*known, None), ace, left) == (31 in totals)


def test_ot21_the_pack_cannot_run_out():
    """Seven hands hold 40 points each at most, the asker 30: three cards remain at least."""
    most, pack = 7 * 40 + 30, sum(card.rank.points for card in deck())
    assert (most, pack) == (310, 340)
    assert pack - most >= 3 * 10
    # One more player, and the sum no longer protects the pack.
    assert pack < 8 * 40 + 30

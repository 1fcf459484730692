"""Counted faces against chances: bounds, chi-square, and the exact answer for few bones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.bones import Face
from engine.games.knucklebones.fairness import ENOUGH, chi_square_tail, fit, wilson
from engine.games.knucklebones.odds_throws import PUBLISHED
from engine.odds.unseen import OddsError

CHANCES = {Face.from_points(points): chance for points, chance in PUBLISHED}


def counts(flat: int, concave: int, convex: int, twisted: int) -> dict[Face, int]:
    return dict(zip(Face, (flat, concave, convex, twisted), strict=True))


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_bounds_are_those_of_the_literature(count, of, low, high) -> None:
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_bounds_hold_the_share_and_turn_with_it(counted) -> None:
    count, of = counted
    low, high = wilson(count, of)
    assert 0 <= low <= count / of <= high <= 1
    assert wilson(of - count, of) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(
    ("statistic", "freedom", "tail"),
    # The usual tables of chi-square, to three digits.
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (11.345, 3, 0.01), (9.488, 4, 0.05)],
)
def test_chi_square_is_that_of_the_tables(statistic, freedom, tail) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(tail, rel=2e-3)


def test_the_largest_chance_is_one() -> None:
    assert chi_square_tail(0.0, 3) == 1.0
    assert chi_square_tail(5.0, 0) == 1.0


@pytest.mark.parametrize("seen", [(0, 2, 2, 1), (5, 0, 0, 0), (0, 0, 0, 5), (1, 2, 1, 1)])
def test_few_bones_are_judged_by_all_the_ways_they_can_fall(seen) -> None:
    """Every sequence of five falls, one by one: another and plainer way to the same number."""
    of: Counter[tuple[int, ...]] = Counter()
    for fallen in product(Face, repeat=5):
        chance = Fraction(1)
        for face in fallen:
            chance *= CHANCES[face]
        of[tuple(fallen.count(face) for face in Face)] += chance
    wanted = sum(chance for chance in of.values() if chance <= of[seen])
    judged = fit(counts(*seen))
    assert judged.exact
    assert judged.p == pytest.approx(float(wanted), abs=1e-15)


def test_many_bones_are_judged_by_chi_square() -> None:
    # (15-20)²/20 + (90-80)²/80 + (70-80)²/80 + (25-20)²/20 = 1.25 + 1.25 + 1.25 + 1.25
    judged = fit(counts(15, 90, 70, 25))
    assert not judged.exact
    assert judged.statistic == pytest.approx(5.0)
    assert judged.p == pytest.approx(0.1718, abs=1e-4)


def test_the_exact_answer_goes_over_into_the_other_one() -> None:
    few, many = fit(counts(9, 17, 19, 4)), fit(counts(9, 17, 20, 4))
    assert few.exact
    assert not many.exact
    assert sum(counts(9, 17, 20, 4).values()) * Fraction(1, 10) == ENOUGH
    assert few.p == pytest.approx(many.p, abs=0.05)


def test_what_was_expected_is_never_odd_and_a_loaded_set_is() -> None:
    assert fit(counts(10, 40, 40, 10)).p == 1.0
    loaded = fit(counts(40, 20, 20, 20))
    assert loaded.p < 1e-6
    assert loaded.oddest is Face.FLAT


def test_a_face_that_cannot_fall_and_did_is_impossible() -> None:
    odds = ((3, Fraction(1, 2)), (4, Fraction(1, 2)))
    judged = fit(counts(1, 5, 5, 0), odds)
    assert judged.p == 0.0
    assert judged.oddest is Face.FLAT
    assert fit(counts(0, 5, 5, 0), odds).p == 1.0


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.integers(0, 9)] * 4).filter(any))
def test_the_answer_is_a_chance_and_a_mirrored_set_is_as_odd(seen) -> None:
    judged = fit(counts(*seen))
    assert 0 < judged.p <= 1
    # Flat and twisted have the same chance, and so have the broad sides.
    assert fit(counts(*seen[::-1])).p == pytest.approx(judged.p)


@pytest.mark.parametrize(
    ("count", "of"), [(-1, 5), (6, 5), (0, 0)], ids=["below 0", "above all", "nothing"]
)
def test_what_is_no_count_is_refused(count, of) -> None:
    with pytest.raises(OddsError, match="count 0 or more"):
        wilson(count, of)


def test_no_throws_and_chances_that_do_not_sum_are_refused() -> None:
    with pytest.raises(OddsError, match="throw the bones"):
        fit(counts(0, 0, 0, 0))
    with pytest.raises(OddsError, match="sum to 1"):
        fit(counts(1, 1, 1, 1), ((1, Fraction(1, 2)),))

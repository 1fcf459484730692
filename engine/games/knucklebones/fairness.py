"""Do the faces that fell agree with the chances that are told of them? (rule KB-1).

Two questions about counted faces: between which bounds the true chance of one face lies
(:func:`wilson`), and how often bones with given chances would fall as oddly as these
(:func:`fit`). Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical
inference", Journal of the American Statistical Association 22 (1927), 209-212; K. Pearson's
chi-square (1900); W. G. Cochran, "Some methods for strengthening the common chi-square tests",
Biometrics 10 (1954), 417-451, for how many are needed before it may be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, exp, factorial, gamma, lcm, prod, sqrt

from engine.core.bones import Face
from engine.games.knucklebones.odds_throws import PUBLISHED, Faces
from engine.odds.unseen import OddsError

Z95 = 1.959963984540054
"""Standard deviations between which 95 of 100 normal values lie."""

ENOUGH = 5
"""Falls that each face must lead one to expect before chi-square is trusted (Cochran)."""

MOST_EXACT = 120
"""Bones up to which the outcomes are gone through one by one: 300,000 of them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well counts agree with chances.

    Attributes:
        p: how often bones with those very chances would fall as oddly as this or more, 0.0-1.0.
        statistic: Pearson's chi-square.
        exact: *p* was summed over all outcomes; else it is chi-square's approximation.
        oddest: the face that departs the most from what was expected.
    """

    p: float
    statistic: float
    exact: bool
    oddest: Face


def wilson(count: int, of: int, z: float = Z95) -> tuple[float, float]:
    """Return the bounds, 0.0-1.0, between which the chance of something counted lies (Wilson).

    >>> low, high = wilson(31, 80)
    >>> round(low, 3), round(high, 3)
    (0.288, 0.497)

    Raises:
        OddsError: *count* is not between 0 and *of*, or nothing was counted.
    """
    if of <= 0 or not 0 <= count <= of:
        raise OddsError(f"{count} of {of} is no count; count 0 or more of 1 or more throws")
    share = count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    # Rounding must not say that what never fell cannot be 0, nor what always did 1.
    low = 0.0 if count == 0 else max(0.0, middle - reach)
    high = 1.0 if count == of else min(1.0, middle + reach)
    return low, high


def fit(counts: Mapping[Face, int], odds: Faces = PUBLISHED) -> Fit:
    """Hold counted faces against the chances of *odds*.

    While a face leads one to expect fewer than :data:`ENOUGH` falls the answer is exact: the
    chance of all outcomes that are no likelier than this one.

    Raises:
        OddsError: nothing was counted, or less than nothing; or the chances do not sum to 1.
    """
    of = sum(counts.values())
    if of <= 0 or min(counts.values()) < 0:
        raise OddsError(f"{dict(counts)!r} counts no throws; throw the bones and count their faces")
    if sum(chance for _, chance in odds) != 1:
        raise OddsError(f"{odds!r}: let the chances of the faces sum to 1")
    chances = {Face.from_points(points): chance for points, chance in odds if chance}
    impossible = [face for face, count in counts.items() if count and face not in chances]
    if impossible:
        return Fit(0.0, float("inf"), True, impossible[0])
    seen = [counts.get(face, 0) for face in chances]
    parts = [(n - of * c) ** 2 / (of * c) for n, c in zip(seen, chances.values(), strict=True)]
    statistic = float(sum(parts, Fraction(0)))
    oddest = max(zip(parts, chances, strict=True), key=lambda part: part[0])[1]
    if min(chances.values()) * of >= ENOUGH or of > MOST_EXACT:
        return Fit(chi_square_tail(statistic, len(seen) - 1), statistic, False, oddest)
    return Fit(_no_likelier(seen, tuple(chances.values())), statistic, True, oddest)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance that chi-square with *freedom* degrees is *statistic* or more.

    >>> round(chi_square_tail(7.815, 3), 3)
    0.05
    """
    if freedom < 1:
        return 1.0
    # Abramowitz and Stegun 26.4.4 and 26.4.5: from one or two degrees up by twos.
    half = statistic / 2
    tail, degrees = (erfc(sqrt(half)), 1) if freedom % 2 else (exp(-half), 2)
    while degrees < freedom:
        tail += half ** (degrees / 2) * exp(-half) / gamma(degrees / 2 + 1)
        degrees += 2
    return min(1.0, tail)


def _no_likelier(seen: list[int], chances: tuple[Fraction, ...]) -> float:
    """Sum the chances of all outcomes that are no likelier than *seen*, in whole numbers."""
    unit = lcm(*(chance.denominator for chance in chances))
    shares = tuple(int(chance * unit) for chance in chances)
    of = sum(seen)
    mine = factorial(of) // prod(map(factorial, seen)) * prod(map(pow, shares, seen))
    total = sum(weight for weight in _weights(of, shares) if weight <= mine)
    return float(Fraction(total, unit**of))


def _weights(of: int, shares: tuple[int, ...]) -> Iterator[int]:
    """Yield the weight of every way in which *of* bones can fall."""
    if len(shares) == 1:
        yield shares[0] ** of
        return
    for count in range(of + 1):
        mine = comb(of, count) * shares[0] ** count
        for rest in _weights(of - count, shares[1:]):
            yield mine * rest

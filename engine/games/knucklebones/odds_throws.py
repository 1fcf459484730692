"""What throws of knucklebones add up to (rules KB-1, KB-4 to KB-7)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from engine.core.bones import Face
from engine.odds.totals import Totals
from engine.odds.unseen import OddsError

TARGET = 21

Faces = tuple[tuple[int, Fraction], ...]
"""``(points, chance)`` for each face; the chances sum to 1."""

PUBLISHED: Faces = tuple(
    (face.points, Fraction(percent, 100))
    for face, percent in (
        (Face.FLAT, 10),
        (Face.CONCAVE, 40),
        (Face.CONVEX, 40),
        (Face.TWISTED, 10),
    )
)
"""How often a sheep's bone shows each face, as it is told: 10, 40, 40 and 10 of a hundred.

Source: ambler63.rssing.com, after Phil Winkelman; Duggan, Bell and Taylor (2015) warn that such
figures rest on small samples. Real bones differ: count throws of yours and give :func:`faces`.
"""


def faces(counts: dict[Face, int]) -> Faces:
    """Make chances of counted throws of one's own bones.

    >>> faces({Face.FLAT: 1, Face.CONCAVE: 4, Face.CONVEX: 4, Face.TWISTED: 1}) == PUBLISHED
    True

    Raises:
        OddsError: nothing was counted, or less than nothing.
    """
    thrown = sum(counts.values())
    if thrown <= 0 or min(counts.values()) < 0:
        raise OddsError(f"{counts!r} counts no throws; throw the bones and count their faces")
    return tuple((f.points, Fraction(counts.get(f, 0), thrown)) for f in Face if counts.get(f))


@lru_cache(maxsize=256)
def throw_totals(bones: int, start: int = 0, odds: Faces = PUBLISHED) -> Totals:
    """Return the totals of *start* points and *bones* bones thrown.

    >>> throw_totals(5).mean
    Fraction(35, 2)

    Raises:
        OddsError: fewer than 0 bones, or the chances of the faces do not sum to 1.
    """
    weights, whole = throw_weights(bones, odds)
    return Totals(tuple((start + t, Fraction(n, whole)) for t, n in weights))


@lru_cache(maxsize=256)
def throw_weights(bones: int, odds: Faces = PUBLISHED) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the points of *bones* bones by whole weights, and what the weights sum to.

    Raises:
        OddsError: as for :func:`throw_totals`.
    """
    if bones < 0 or sum(chance for _, chance in odds) != 1:
        raise OddsError(
            f"{bones} bones with faces {odds!r}: throw 0 or more bones, and let the "
            "chances of the faces sum to 1"
        )
    unit = lcm(*(chance.denominator for _, chance in odds))
    shares = [(points, int(chance * unit)) for points, chance in odds if chance]
    sums = {0: 1}
    for _ in range(bones):
        after: defaultdict[int, int] = defaultdict(int)
        for total, weight in sums.items():
            for points, share in shares:
                after[total + points] += weight * share
        sums = after
    return tuple(sorted(sums.items())), unit**bones


@dataclass(frozen=True, slots=True)
class ThrowChances:
    """What so many more bones do to a total.

    Attributes:
        bust: over the target (rule KB-6).
        exact: the target itself, good and nothing special (rule KB-7).
        mean_if_in: the mean total of throws not over; ``None`` if every throw is over.
    """

    bust: Fraction
    exact: Fraction
    mean_if_in: Fraction | None


def extra_bones(
    total: int, bones: int, *, target: int = TARGET, odds: Faces = PUBLISHED
) -> ThrowChances:
    """Return the chances of throwing *bones* more bones on top of *total*.

    >>> extra_bones(17, 1).bust
    Fraction(1, 10)

    Raises:
        OddsError: as for :func:`throw_totals`.
    """
    totals = throw_totals(bones, total, odds)
    kept = totals.between(0, target)
    points = sum((t * p for t, p in totals.chances if t <= target), Fraction(0))
    return ThrowChances(1 - kept, totals.at(target), points / kept if kept else None)

"""Hands followed card by card, kept by how many cards of each worth they hold.

A *code* packs ten counts (cards worth 1, 2 … 10) into one whole number, six bits each, so that
adding codes adds hands. A hand's *orders* is the number of orders of worths in which it can come;
with :func:`ways_to_draw` that gives its chance out of any pool, and because orders do not depend on
the pool, hands of several players multiply before the pool is looked at.
"""

from __future__ import annotations

from functools import lru_cache
from math import perm

from engine.core.counting import best_total
from engine.odds.unseen import Pool

_BITS = 6
_MASK = (1 << _BITS) - 1
_PLACES = tuple((points, _BITS * (points - 1)) for points in range(1, 11))

Paths = dict[int, tuple[int, int]]
"""code: (orders, total)."""


def ways_to_draw(pool: Pool, code: int) -> tuple[int, int]:
    """Count the ways to draw *code* from *pool* one by one in one given order of worths.

    Returns:
        How many cards that is, and the count: a share of ``perm(sum(pool), cards)``.
    """
    number, drawn = 1, 0
    for count in pool:
        held = code & _MASK
        if held:
            number *= perm(count, held)
            drawn += held
        code >>= _BITS
    return drawn, number


def remove(pool: Pool, code: int) -> Pool | None:
    """Return *pool* without the cards of *code*; ``None`` if it does not hold them."""
    places = zip(pool, _PLACES, strict=True)
    left = tuple(count - (code >> place & _MASK) for count, (_, place) in places)
    return None if min(left) < 0 else left


@lru_cache(maxsize=256)
def walk(
    pool: Pool, hidden: int, hard: int, aces: int, least: int | None, ace_value: object
) -> Paths:
    """Follow a player who gets *hidden* cards, then has it until they stand at *least* or more.

    Args:
        pool: only to leave out hands that it cannot make.
        hidden: cards they get in any case.
        hard: points of the cards they are known to hold, every ace at 1.
        aces: how many of those are aces.
        least: where they stick; ``None``: with *hidden* cards, whatever they make.
        ace_value: 1, 11 or ``"1or11"``.

    Returns:
        Each hand of formerly unknown cards that they may end with. The caller must not change it.
    """
    states = {0: (1, hard, aces)}
    ends: Paths = {}
    held = 0
    while states:
        if held >= hidden:
            asking = {}
            for code, (orders, points, high) in states.items():
                total = best_total(points, high, ace_value)
                if least is None or total >= least:
                    ends[code] = orders, total
                else:
                    asking[code] = orders, points, high
            states = asking
        after: dict[int, tuple[int, int, int]] = {}
        for code, (orders, points, high) in states.items():
            for worth, place in _PLACES:
                if (code >> place & _MASK) < pool[worth - 1]:
                    longer = code + (1 << place)
                    before = after.get(longer, (0, 0, 0))[0]
                    after[longer] = before + orders, points + worth, high + (worth == 1)
        states = after
        held += 1
    return ends

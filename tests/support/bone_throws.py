"""Every throw of bones, one by one: what the chances of the engine are held against."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

WEIGHT = {1: 1, 3: 4, 4: 4, 6: 1}
"""Of ten throws of one bone (RULES E13)."""


@cache
def throws(bones):
    """Every throw of so many bones: the points, and how often in 10 ** bones throws."""
    found = Counter()
    for thrown in product(WEIGHT, repeat=bones):
        weight = 1
        for face in thrown:
            weight *= WEIGHT[face]
        found[sum(thrown)] += weight
    return found

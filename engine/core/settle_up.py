"""Settling up: the fewest payments that square everybody (rule G-18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_EXACT = 12
"""With more debtors and creditors than this, the fewest payments are no longer searched for."""


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays whom how many tokens."""

    payer: str
    payee: str
    tokens: int


def settle_up(nets: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return the fewest payments after which nobody owes anybody anything.

    People whose nets sum to zero among themselves need one payment less than they are. So they are
    divided into as many such groups as possible, by dynamic programming over all sets of people;
    with more than :data:`MOST_EXACT` of them all are taken as one group.

    Args:
        nets: tokens won or lost by name; they sum to zero.

    Raises:
        ValueError: they do not.

    >>> settle_up({"Ann": 5, "Bess": -2, "Cecil": -5, "Doll": 2})  # doctest: +NORMALIZE_WHITESPACE
    (Payment(payer='Cecil', payee='Ann', tokens=5), Payment(payer='Bess', payee='Doll', tokens=2))
    """
    if sum(nets.values()):
        raise ValueError(f"the nets sum to {sum(nets.values()):+d}, not to 0: {dict(nets)!r}")
    people = sorted((name for name, net in nets.items() if net), key=lambda name: -abs(nets[name]))
    groups = _groups(people, nets) if len(people) <= MOST_EXACT else [people]
    paid = (payment for group in groups for payment in _square(group, nets))
    return tuple(sorted(paid, key=lambda payment: (-payment.tokens, payment.payer, payment.payee)))


def _groups(people: Sequence[str], nets: Mapping[str, int]) -> list[list[str]]:
    """Return as many groups as possible that each sum to zero."""
    sets = 1 << len(people)
    sums, most, last = [0] * sets, [0] * sets, [0] * sets
    for chosen in range(1, sets):
        rest = chosen & (chosen - 1)
        first = (chosen ^ rest).bit_length() - 1
        sums[chosen] = sums[rest] + nets[people[first]]
        members = [one for one in range(len(people)) if chosen >> one & 1]
        last[chosen] = max(members, key=lambda one: most[chosen ^ 1 << one])
        most[chosen] = most[chosen ^ 1 << last[chosen]] + (sums[chosen] == 0)
    found: list[list[str]] = []
    chosen = sets - 1
    while chosen:
        if sums[chosen] == 0:
            found.append([])
        found[-1].append(people[last[chosen]])
        chosen ^= 1 << last[chosen]
    return found


def _square(group: Sequence[str], nets: Mapping[str, int]) -> list[Payment]:
    """Return the payments within a group: who owes most pays who is owed most."""
    left = {name: nets[name] for name in group}
    found = []
    while any(left.values()):
        payer = min(left, key=lambda name: left[name])
        payee = max(left, key=lambda name: left[name])
        tokens = min(-left[payer], left[payee])
        left[payer] += tokens
        left[payee] -= tokens
        found.append(Payment(payer, payee, tokens))
    return found

"""One-and-Twenty with knucklebones: who is paid, and who has the bank next (RULES 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from device.simulator.people.settings import Options


def result_of(
    banker: int,
    order: Sequence[int],
    stakes: Mapping[int, int],
    points: Mapping[int, int],
    thrown_in: frozenset[int],
    options: Options,
) -> dict[str, Any]:
    """Return what the rules give for a round, in the form of a record's results.

    Args:
        banker: the seat of the bank.
        order: the others in the order of their turns (KB-3).
        stakes: of the others.
        points: what each has thrown; missing where nobody threw.
        thrown_in: who threw in (KB-23).
        options: in force.
    """
    target = options["target"]
    over = {s for s in points if points[s] > target} | set(thrown_in)
    net = dict.fromkeys([*order, banker], 0)
    alive = [seat for seat in order if seat not in over]
    for seat in order:
        if seat in over:
            _pay(net, seat, banker, stakes[seat])
    end = "all-bust"
    winners: list[int] = []
    if alive:  # else KB-13
        end = "compared"
        for seat in alive:
            if banker in over or points[seat] > points[banker]:
                winners.append(seat)
                _pay(net, banker, seat, stakes[seat])
            elif points[seat] < points[banker] or options["tie"] == "banker":
                _pay(net, seat, banker, stakes[seat])
    return {
        "end": end,
        "winners": winners,
        "settlement": {str(seat): tokens for seat, tokens in sorted(net.items())},
        "next_banker": _next(banker, order, winners, net, points, banker in over, options),
    }


def _next(
    banker: int,
    order: Sequence[int],
    winners: Sequence[int],
    net: Mapping[int, int],
    points: Mapping[int, int],
    banker_over: bool,
    options: Options,
) -> int:
    """Return who has the bank next (KB-11, KB-12, KB-19, KB-22)."""
    passes = options["bank_passes"]
    if passes == "left":
        return order[0]
    loses = bool(winners)
    if options["banker_loses"] == "net" and passes == "best_winner":
        loses = loses and net[banker] < 0
    if passes == "never" or not loses or (passes == "banker_over" and not banker_over):
        return banker
    return max(winners, key=lambda s: (points[s], -order.index(s)))


def _pay(net: dict[int, int], giver: int, taker: int, tokens: int) -> None:
    net[giver] -= tokens
    net[taker] += tokens

"""What a round of Thirty-one costs in lives or brings in points: plain arithmetic, no cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LOW, MIDDLE, HIGH = 1, 2, 3
"""Points of the lowest hand, those between, and the highest (rule NE-1)."""
KNOCKER = {LOW: 0, MIDDLE: 1, HIGH: 4}
"""What the knocker gets instead (rule NE-2)."""
BLITZ_POINTS = 6
"""Points of a blitz (rule NE-4)."""


def lost_in_showdown(
    values: Mapping[int, Any], knocker: int | None, penalty: int, tie: str
) -> dict[int, int]:
    """Return the lives lost when hands are compared.

    Rules SC-7, SC-8, SC-9, SC-10; CQ-1, CQ-2; WL-2, WL-3; SB-7.

    Args:
        values: what each seat still in the round has; anything that compares.
        knocker: ``None``, or a seat without a value, if no knocker is there to be charged.
        penalty: lives that a beaten knocker loses (SC-10, CQ-2).
        tie: the option ``knock_tie``: what happens when the knocker ties for the lowest.
    """
    least = min(values.values())
    lowest = [seat for seat in values if values[seat] == least]
    if knocker not in lowest:
        return dict.fromkeys(lowest, 1)
    if len(lowest) == 1:
        return {lowest[0]: penalty}
    if tie == "all_lose":
        return dict.fromkeys(lowest, 1)
    others = {} if tie == "knocker_only" else {seat: 1 for seat in lowest if seat != knocker}
    return others if tie == "safe" else {**others, lowest[lowest.index(knocker)]: penalty}


def lost_to_blitz(
    seats: Iterable[int], winners: Sequence[int], knocker: int | None, penalty: int
) -> dict[int, int]:
    """Return the lives lost to a blitz: one each, the knocker their penalty (SC-11, CQ-3)."""
    return {seat: penalty if seat == knocker else 1 for seat in seats if seat not in winners}


def charge(
    lives: Mapping[int, int], lost: Mapping[int, int], free_ride: bool, double_loss_last: str
) -> tuple[dict[int, int], tuple[int, ...]]:
    """Take lives away; return what is left, and who is out of the match.

    Rules SC-19, SC-20, WL-1, WL-6; a life is a corner in DB-1, DB-2, DB-4.
    """
    left = dict(lives)
    gone = []
    for seat, count in lost.items():
        before = lives[seat]
        left[seat] = max(0, before - count)
        if not count or count < before:
            continue
        spent_all_at_once = before > 0 and (count == before or double_loss_last == "county")
        if not (free_ride and spent_all_at_once):
            gone.append(seat)
    return left, tuple(sorted(gone))


def points_in_showdown(
    values: Mapping[int, Any], knocker: int | None, high: int = HIGH
) -> dict[int, int]:
    """Return the points of a showdown (rules NE-1, NE-2, NE-3); *high* for the best (NE-5)."""
    places = _places(values)
    found = {}
    for seat, place in places.items():
        usual = high if place == HIGH else place
        found[seat] = KNOCKER[place] if seat == knocker else usual
    return found


def points_of_blitz(
    values: Mapping[int, Any], winners: Sequence[int], knocker: int | None, others: str
) -> dict[int, int]:
    """Return the points after a blitz: the others are ranked below it (rule NE-4)."""
    rest = {seat: value for seat, value in values.items() if seat not in winners}
    found = {seat: BLITZ_POINTS for seat in values if seat in winners}
    if others == "zero":
        return {**found, **dict.fromkeys(rest, 0)}
    least = min(rest.values(), default=None)
    alone = sum(1 for value in rest.values() if value == least) == 1
    for seat, value in rest.items():
        place = LOW if alone and value == least else MIDDLE
        found[seat] = KNOCKER[place] if seat == knocker else place
    return found


def _places(values: Mapping[int, Any]) -> dict[int, int]:
    """Rank hands as low, middle or high; ties get the higher place (rule NE-3)."""
    best, least = max(values.values()), min(values.values())
    alone = sum(1 for value in values.values() if value == least) == 1
    found = {}
    for seat, value in values.items():
        place = LOW if value == least and alone else MIDDLE
        found[seat] = HIGH if value == best else place
    return found

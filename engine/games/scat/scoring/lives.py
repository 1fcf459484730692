"""What a round of Thirty-one costs in lives or brings in points: plain arithmetic, no cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.payments import PaymentReason

LOW, MIDDLE, HIGH = 1, 2, 3
"""Points of the lowest hand, those between, and the highest (rule NE-1)."""
KNOCKER = {LOW: 0, MIDDLE: 1, HIGH: 4}
"""What the knocker gets instead (rule NE-2)."""
BLITZ_POINTS = 6
"""Points of a blitz (rule NE-4)."""

Scores = dict[int, tuple[int, PaymentReason, tuple[str, ...]]]
"""By seat: lives lost or points gained, why, and by which rules, the deciding one first."""


def lost_in_showdown(
    values: Mapping[int, Any], knocker: int | None, penalty: int, tie: str
) -> Scores:
    """Return the lives lost when hands are compared; nobody else loses any.

    Rules SC-7, SC-8, SC-9, SC-10; CQ-1, CQ-2; WL-2, WL-3; SB-7.

    Args:
        values: what each seat still in the round has; anything that compares.
        knocker: ``None``, or a seat without a value, if no knocker is there to be charged.
        penalty: lives that a beaten knocker loses (SC-10, CQ-2).
        tie: the option ``knock_tie``: what happens when the knocker ties for the lowest.
    """
    least = min(values.values())
    lowest = [seat for seat in values if values[seat] == least]
    others, knockers, rule = {
        "safe": (1, 0, "SC-9"),
        "both": (1, penalty, "CQ-1"),
        "knocker_only": (0, penalty, "WL-2"),
        "all_lose": (1, 1, "SC-10"),
    }[tie]
    if knocker not in lowest:
        others, rule = 1, "SC-7" if len(lowest) == 1 else "SC-8"
    elif len(lowest) == 1:
        knockers, rule = penalty, "SC-10"
    lost = {seat: knockers if seat == knocker else others for seat in lowest}
    cause = {knocker: PaymentReason.KNOCKER}
    return {s: (n, cause.get(s, PaymentReason.LOWEST), (rule,)) for s, n in lost.items() if n}


def lost_to_blitz(
    seats: Iterable[int], winners: Sequence[int], knocker: int | None, penalty: int
) -> Scores:
    """Return the lives lost to a blitz: one each, the knocker their penalty (SC-11, CQ-3)."""
    one = 1, PaymentReason.BLITZ, ("SC-11",)
    more = penalty, PaymentReason.BLITZ, ("SC-11", "CQ-3")
    return {seat: more if seat == knocker else one for seat in seats if seat not in winners}


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


def points_in_showdown(values: Mapping[int, Any], knocker: int | None, high: int = HIGH) -> Scores:
    """Return the points of a showdown (rules NE-1, NE-2, NE-3); *high* for the best (NE-5)."""
    best = max(values.values())
    winners = [seat for seat in values if values[seat] == best]
    scores = _ranked(values, winners, knocker)
    for seat in winners:
        n = KNOCKER[HIGH] if seat == knocker else high
        scores[seat] = n, *scores[seat][1:]
    return scores


def points_of_blitz(
    values: Mapping[int, Any], winners: Sequence[int], knocker: int | None, others: str
) -> Scores:
    """Return the points after a blitz: the others are ranked below it (rule NE-4)."""
    scores: Scores = {}
    for seat, (n, cause, rules) in _ranked(values, winners, knocker).items():
        scores[seat] = 0 if others == "zero" else n, cause, (*rules, "NE-4")
    blitz = BLITZ_POINTS, PaymentReason.BLITZ, ("NE-4",)
    return scores | {seat: blitz for seat in values if seat in winners}


def _ranked(values: Mapping[int, Any], winners: Sequence[int], knocker: int | None) -> Scores:
    """Return the points of those below the *winners*; ties get the higher place (rule NE-3)."""
    rest = [value for seat, value in values.items() if seat not in winners]
    alone = rest.count(min(rest)) == 1 if rest else False
    scores: Scores = {}
    for seat, value in values.items():
        place = LOW if alone and value == min(rest) else MIDDLE
        tie = ("NE-3",) if list(values.values()).count(value) > 1 else ()
        scores[seat] = place, PaymentReason.PLACE, ("NE-1", *tie)
        if seat == knocker:
            scores[seat] = KNOCKER[place], PaymentReason.KNOCKER, ("NE-2",)
    return scores

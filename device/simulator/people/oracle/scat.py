"""Thirty-one (Scat) and its variants: who loses, who gains, who is paid (RULES 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.simulator.people.oracle.brag import brag_rank
from device.simulator.people.packs import best_suit
from device.simulator.people.settings import Options

GOAL = 31
Rank = tuple[float, ...]

_NOTHING: Rank = (-1.0,)
"""A hand thrown in (SC-27)."""


@dataclass(slots=True)
class Match:
    """What is carried from hand to hand.

    Attributes:
        lives: of each seat; 0 is on the county, where there is one.
        out: seats out of the match.
        points: of each seat, where points are kept.
    """

    lives: dict[int, int]
    options: Options
    out: set[int] = field(default_factory=set)
    points: dict[int, int] = field(default_factory=dict)

    @classmethod
    def begun(cls, seats: Iterable[int], options: Options) -> Match:
        """Begin a match."""
        return cls({seat: options["lives"] for seat in seats}, options)

    @property
    def inside(self) -> list[int]:
        """Return the seats still in, by number."""
        return sorted(self.lives.keys() - self.out)

    def charge(self, lost: Mapping[int, int]) -> bool:
        """Take lives (SC-19 to SC-21, DB-2, WL-1); return whether the hand is void (SC-25)."""
        lives, gone = dict(self.lives), set()
        floor = 0 if self.options["free_ride"] else 1
        for seat, number in lost.items():
            lives[seat] -= number
            if lives[seat] < floor:
                gone.add(seat)
                lives[seat] = 0
        if gone and gone == set(self.inside):
            return True
        self.lives, self.out = lives, self.out | gone
        return False


@dataclass(frozen=True, slots=True)
class Round:
    """How a round ended.

    Attributes:
        kind: ``showdown``, ``blitz``, ``draw``, ``out-of-gate``.
        hands: the three cards of each seat at the end; ``None``: thrown in.
        knocker: who knocked.
        blitz: who called 31.
        elder: the seats from the dealer's left on.
    """

    kind: str
    hands: Mapping[int, Sequence[str] | None]
    knocker: int | None
    blitz: Sequence[int]
    elder: Sequence[int]


def value(cards: Sequence[str], options: Options) -> float:
    """Return the points of a hand (SC-2, TK-1, TK-2)."""
    if options["three_kind"] == "rank" and len({card[0] for card in cards}) == 1:
        return 30.5
    return float(best_suit(cards))


def ranks(end: Round, options: Options) -> dict[int, Rank]:
    """Return what each hand is worth, to be compared; hands thrown in are the lowest."""
    found: dict[int, Rank] = {}
    for seat, cards in end.hands.items():
        if cards is None:
            found[seat] = _NOTHING
        elif options["ranking"] == "brag":
            found[seat] = brag_rank(cards)
        else:
            found[seat] = (value(cards, options),)
    return found


def losses(end: Round, options: Options) -> dict[int, int]:
    """Return the lives that each seat is charged (SC-7 to SC-12, CQ-1 to CQ-4, WL-2, WL-3)."""
    if end.kind == "draw":
        return {}
    if end.kind == "blitz":
        return {
            seat: 2 if seat == end.knocker else 1 for seat in end.hands if seat not in end.blitz
        }
    worth = ranks(end, options)
    low = min(worth.values())
    lowest = [seat for seat in worth if worth[seat] == low]
    if end.knocker not in lowest:
        return dict.fromkeys(lowest, 1)
    if len(lowest) == 1:
        return {end.knocker: options["knock_penalty"]}
    rule = options["knock_tie"]
    lost = {seat: 0 if rule == "knocker_only" else 1 for seat in lowest}
    lost[end.knocker] = {"safe": 0, "all_lose": 1}.get(rule, options["knock_penalty"])
    return {seat: number for seat, number in lost.items() if number}


def gains(end: Round, options: Options) -> dict[int, int]:
    """Return the points that each seat gains (NE-1 to NE-6, SC-27)."""
    if end.kind == "draw":
        return dict.fromkeys(end.hands, 0)
    worth = ranks(end, options)
    others = {seat: rank for seat, rank in worth.items() if seat not in end.blitz}
    gained = dict.fromkeys(end.blitz, 6)
    if not others:
        return gained
    high, low = max(worth.values()), min(others.values())
    lowest = [seat for seat in others if others[seat] == low]
    for seat, rank in others.items():
        knocked = seat == end.knocker
        if rank == _NOTHING:
            gained[seat] = 0
        elif rank == high and not end.blitz:
            gained[seat] = 4 if knocked else 3
        elif lowest == [seat]:
            gained[seat] = 0 if knocked else 1
        else:
            gained[seat] = 1 if knocked else 2
    return gained


def pot(end: Round, options: Options) -> dict[int, int]:
    """Return the net tokens of each seat (BK-1, BK-4 to BK-6, BK-8)."""
    net = dict.fromkeys(end.hands, 0)
    if end.kind == "draw":
        return net
    worth = ranks(end, options)
    best = max(worth.values())
    winners = list(end.blitz) or [seat for seat in worth if worth[seat] == best]
    winners.sort(key=list(end.elder).index)
    paid = 0
    for seat in net:
        gives = options["ante"]
        if end.blitz and seat not in end.blitz:
            gives += options["blitz_bonus"]
        net[seat] -= gives
        paid += gives
    each, rest = divmod(paid, len(winners))
    for number, seat in enumerate(winners):
        net[seat] += each + (rest if number == 0 else 0)
    return net


def result_of(end: Round, match: Match, dealer: int) -> dict[str, Any]:
    """Settle a round: return what a record's results hold, and carry it into *match*."""
    options = match.options
    result: dict[str, Any] = {"end": end.kind, "knocker": end.knocker}
    if options["scoring"] == "points":
        gained = gains(end, options)
        for seat, points in gained.items():
            match.points[seat] = match.points.get(seat, 0) + points
        result["gained"] = _texts(gained)
    elif options["scoring"] == "ante":
        result["settlement"] = _texts(pot(end, options))
    else:
        lost = losses(end, options)
        before = set(match.out)
        void = match.charge(lost)
        result["void"] = void
        result["lost"] = {} if void else _texts(lost)
        result["eliminated"] = sorted(match.out - before)
        result["lives"] = _texts(match.lives)
    inside = match.inside
    later = [seat for seat in inside if seat > dealer]
    result["next_dealer"] = (later or inside)[0] if len(inside) > 1 else None
    return result


def _texts(by_seat: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): number for seat, number in sorted(by_seat.items())}

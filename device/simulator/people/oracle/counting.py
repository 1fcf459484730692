"""One-and-Thirty and Bone-Ace: who wins and what is paid (RULES 2 and 3, with OT-17 to OT-22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.simulator.people.packs import RANKS, pips
from device.simulator.people.settings import Options

GOAL = 31


@dataclass(slots=True)
class Holding:
    """A player's hand as it truly was.

    Attributes:
        cards: in the order dealt; *when* is the moment of each, counted over the whole hand.
        stuck: said or shown that they want no more; for the dealer only matters whether they acted.
        acted: the moment of their first move in their own turn, ``None`` before it.
        shown: the cards were laid open to the table, sooner or later.
        word: the moment at which they threw in, ``None`` if they did not.
    """

    seat: int
    cards: list[str] = field(default_factory=list)
    when: list[int] = field(default_factory=list)
    acted: int | None = None
    shown: bool = False
    word: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """How a hand ended: ``thirty-one``, ``dealer-wins``, ``sole-survivor``, ``showdown``."""

    kind: str
    winner: int | None


def totals(cards: Sequence[str], ace: object) -> list[int]:
    """Return every total that a hand can be counted as, least first (OT-4, OT-16, OT-25)."""
    plain = sum(pips(card) for card in cards)
    aces = sum(card[0] == "A" for card in cards)
    if ace == 1:
        return [plain]
    if ace == 11:
        return [plain + 10 * aces]
    return [plain + 10 * n for n in range(aces + 1)]


def best_total(cards: Sequence[str], ace: object) -> int:
    """Return the best total not over 31, or the least one over it."""
    may = totals(cards, ace)
    return max((total for total in may if total <= GOAL), default=may[0])


def turn_order(
    seats: Sequence[int],
    dealer: int,
    options: Options,
    ages: Mapping[int, int],
    bone: int | None = None,
) -> list[int]:
    """Return the order of turns (OT-5, OT-15, BA-8); the dealer is last but for BA-8."""
    ring = sorted(seats)
    from_left = [s for s in ring if s > dealer] + [s for s in ring if s < dealer]
    if options.get("bone_effect") == "first_turn" and bone is not None:
        first = bone
        if first == dealer:
            return [dealer, *from_left]
    elif options["eldest_means"] == "age":
        first = max(from_left, key=lambda s: (ages[s], -from_left.index(s)))
    else:
        return [*from_left, dealer]
    at = from_left.index(first)
    return [*from_left[at:], *from_left[:at], dealer]


def elder_order(
    seats: Sequence[int], dealer: int, options: Options, ages: Mapping[int, int]
) -> list[int]:
    """Return who is preferred in a tie, first the most (OT-13, OT-15, BA-4)."""
    ring = sorted(seats)
    order = [s for s in ring if s > dealer] + [s for s in ring if s <= dealer]
    if options["eldest_means"] == "age":
        order.sort(key=lambda s: -ages[s])  # equal ages keep the order of the seats
    return order


def bone_holder(upcards: Mapping[int, str], elder: Sequence[int], options: Options) -> int:
    """Return who has the best card face up (BA-2, BA-4, BA-7)."""

    def rank(seat: int) -> int:
        card = upcards[seat]
        if card == options["bone_ace"]:
            return 100
        if card[0] == "A":
            return 50 if options["upcard_ace"] == "high" else 0
        return RANKS.index(card[0])

    return max(elder, key=lambda s: (rank(s), -elder.index(s)))


def judge(hands: Mapping[int, Holding], dealer: int, elder: Sequence[int], options: Options) -> End:
    """Return how the hand ended, judged by the order in which the cards came (OT-18, OT-19)."""
    ace = options["ace_value"]
    inside = set(hands)
    for _, _, _, seat, what in sorted(_moments(hands, elder, ace)):
        if seat not in inside:
            continue
        if what == "31":
            return End("thirty-one", seat)
        inside.discard(seat)
        if len(inside) == 1:
            last = next(iter(inside))
            acted = hands[last].acted
            moment = _out_at(hands[seat], ace)
            waits = last == dealer and (acted is None or acted > moment)
            return End("dealer-wins" if waits else "sole-survivor", last)
    score = {seat: best_total(hands[seat].cards, ace) for seat in inside}
    winner = max(inside, key=lambda s: (score[s], -elder.index(s)))
    return End("showdown", winner)


def _moments(
    hands: Mapping[int, Holding], elder: Sequence[int], ace: object
) -> list[tuple[int, int, int, int, str]]:
    """Return what can end a hand: moment, order at the same moment, seat, what."""
    found = []
    for seat, hand in hands.items():
        at = thirty_one_at(hand, ace) if hand.shown else None
        if at is not None:
            found.append((at, 0, elder.index(seat), seat, "31"))
        out = _out_at(hand, ace)
        if out >= 0:
            found.append((out, 1, elder.index(seat), seat, "out"))
    return found


def thirty_one_at(hand: Holding, ace: object) -> int | None:
    """Return the moment at which a hand was exactly 31, if it ever was (OT-9, OT-19)."""
    for count in range(3, len(hand.cards) + 1):
        may = totals(hand.cards[:count], ace)
        if GOAL in may:
            return 0 if count == 3 else hand.when[count - 1]
        if may[0] > GOAL:
            return None
    return None


def _out_at(hand: Holding, ace: object) -> int:
    """Return the moment from which a hand counts as out; -1: never (OT-8, OT-17, OT-18)."""
    if hand.shown:
        for count in range(3, len(hand.cards) + 1):
            if totals(hand.cards[:count], ace)[0] > GOAL:
                return 0 if count == 3 else hand.when[count - 1]
    elif hand.word is not None and len(hand.cards) > 3:
        return hand.when[-1]
    return -1 if hand.word is None else hand.word


def payments(end: End, seats: Sequence[int], bone: int | None, options: Options) -> dict[int, int]:
    """Return the net tokens of each seat (OT-10, OT-12, BA-3, BA-6)."""
    stake = options["stake"]
    net = dict.fromkeys(seats, 0)
    if options.get("bone_effect") == "half_pot" and bone is not None:
        pool = stake * len(seats)
        for seat in seats:
            net[seat] -= stake
        net[bone] += pool // 2
        if end.winner is not None:
            net[end.winner] += pool - pool // 2
        return net
    if bone is not None and options.get("bone_effect") == "stake_each":
        _collect(net, bone, stake)
    if end.winner is not None:
        double = end.kind == "thirty-one" and options["double_on_31"]
        _collect(net, end.winner, stake * 2 if double else stake)
    return net


def result_of(
    hands: Mapping[int, Holding],
    dealer: int,
    options: Options,
    ages: Mapping[int, int],
    upcards: Mapping[int, str],
) -> dict[str, Any]:
    """Return what the rules give for a hand, in the form of a record's results."""
    seats = sorted(hands)
    elder = elder_order(seats, dealer, options, ages)
    bone = bone_holder(upcards, elder, options) if upcards else None
    end = judge(hands, dealer, elder, options)
    net = payments(end, seats, bone, options)
    later = [s for s in seats if s > dealer]
    return {
        "end": end.kind,
        "winner": end.winner,
        "settlement": {str(seat): tokens for seat, tokens in net.items()},
        "next_dealer": (later or seats)[0],
    }


def _collect(net: dict[int, int], winner: int, each: int) -> None:
    for seat in net:
        net[seat] += each * (len(net) - 1) if seat == winner else -each

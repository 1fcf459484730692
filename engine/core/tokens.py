"""Whole tokens that always sum to zero (rule G-18)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core.errors import BoneAceError, EventFormatError
from engine.core.text.limits import LARGEST_NUMBER

Tokens = tuple[tuple[int, int], ...]
"""``(seat, net tokens)``, by seat number, every seat once."""


class LedgerError(BoneAceError, ValueError):
    """A settlement that makes or loses tokens."""


def check_zero_sum(settlement: Mapping[int, int], to_pot: int = 0) -> None:
    """Refuse a settlement whose tokens do not sum to zero, with those left in the pot (G-18).

    Raises:
        LedgerError: the sum is not zero, or an amount is not a whole number.
    """
    for seat, amount in settlement.items():
        if type(amount) is not int:
            raise LedgerError(f"seat {seat} is to get {amount!r} tokens; pay whole tokens only")
    total = sum(settlement.values()) + to_pot
    if total:
        raise LedgerError(
            f"the settlement {dict(settlement)!r}, with {to_pot} to the pot, sums to "
            f"{total:+d}, not to 0; "
            "call a misdeal and report this hand"
        )


def share(amount: int, sharers: Iterable[int]) -> dict[int, int]:
    """Divide *amount*: each sharer the whole part, the first, who is eldest, the rest (rule G-18).

    >>> share(5, [2, 0, 1])
    {2: 3, 0: 1, 1: 1}
    """
    seats = list(sharers)
    part, rest = divmod(amount, len(seats))
    return {seat: part + (rest if place == 0 else 0) for place, seat in enumerate(seats)}


@dataclass(frozen=True, slots=True)
class Ledger:
    """Net tokens of each seat over the finished hands.

    Attributes:
        pot: tokens that those hands left on the table (rule BK-8).
    """

    entries: Tokens = ()
    pot: int = 0

    def add(self, settlement: Mapping[int, int], to_pot: int = 0) -> Ledger:
        """Return the ledger with one more hand in it, of which *to_pot* stays on the table.

        Raises:
            LedgerError: the hand does not sum to zero.
        """
        check_zero_sum(settlement, to_pot)
        net = dict(self.entries)
        for seat, amount in settlement.items():
            net[seat] = net.get(seat, 0) + amount
        return Ledger(tuple(sorted(net.items())), self.pot + to_pot)

    def of(self, seat: int) -> int:
        """Return the net tokens of *seat*; 0 for one that never played."""
        return dict(self.entries).get(seat, 0)


def flows(net: dict[int, int]) -> tuple[tuple[int, int, int], ...]:
    """Return who pays whom, so that everybody ends with *net*: ``(payer, payee, tokens)``."""
    owed = {seat: amount for seat, amount in sorted(net.items()) if amount > 0}
    found = []
    for payer, amount in sorted(net.items()):
        due = -amount
        for payee in owed:
            paid = min(due, owed[payee])
            if paid > 0:
                found.append((payer, payee, paid))
                owed[payee] -= paid
                due -= paid
    return tuple(found)


def whole_number(key: str, value: object) -> int:
    """Return *value*, the whole number that stands at *key* of a record.

    It may be below 0: the rules refuse that as the event's own fault.

    Raises:
        EventFormatError: it is no whole number, or out of range.
    """
    if type(value) is not int:
        raise EventFormatError(f"{key}: {value!r} is not a whole number; write 0, 1, 2…")
    if abs(value) > LARGEST_NUMBER:
        raise EventFormatError(f"{key}: is beyond {LARGEST_NUMBER}; write a smaller number")
    return value


def read_tokens(key: str, value: object) -> Tokens:
    """Read ``{"seat": tokens}``; JSON wants its keys in quotes. Either may be below 0.

    Raises:
        EventFormatError: the keys are no seats, or the values no whole tokens.
    """
    if not isinstance(value, Mapping):
        raise EventFormatError(f'{key}: {value!r} names no seats; write {{"0": 2, "1": 3}}')
    found = {}
    for seat, amount in value.items():
        digits = str(seat).removeprefix("-")
        if not digits.isdecimal() or len(digits) > len(str(LARGEST_NUMBER)):
            raise EventFormatError(f"{key}: {seat!r} is no seat; write its number in quotes")
        found[int(seat)] = whole_number(f"{key}.{seat}", amount)
    return tuple(sorted(found.items()))

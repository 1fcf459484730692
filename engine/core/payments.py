"""Every token, life and point of a hand one by one: from whom, to whom, and by which rule.

The settlement of a hand is the sum of its payments in tokens (:func:`net_tokens`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from engine.core.outcome import Result
from engine.core.tokens import Tokens, flows


class Unit(StrEnum):
    """What is counted."""

    TOKENS = "tokens"
    LIVES = "lives"
    POINTS = "points"


class PaymentReason(StrEnum):
    """Why something is paid."""

    SETTLED = "settled"
    """A game that says no more than its settlement."""
    BONE = "bone"
    POOL = "pool"
    HALF_POOL = "half-pool"
    POOL_WON = "pool-won"
    POOL_BACK = "pool-back"
    THIRTY_ONE = "thirty-one"
    LAST_IN = "last-in"
    BEST = "best"
    OVER = "over"
    LEFT = "left"
    THROWN_IN = "thrown-in"
    BANK_OVER = "bank-over"
    BEATS_BANK = "beats-bank"
    BEATEN = "beaten"
    TIE = "tie"
    ANTE = "ante"
    BONUS = "bonus"
    POT = "pot"
    LOWEST = "lowest"
    KNOCKER = "knocker"
    BLITZ = "blitz"
    PLACE = "place"
    BUY_IN = "buy-in"
    MATCH = "match"
    ENTRY = "entry"


class Payment(NamedTuple):
    """One payment.

    Attributes:
        payer: a seat; ``None`` is the pot on the table, or the box that points come from.
        payee: likewise; lives go to the pot.
        amount: whole tokens, lives or points, at least 1; a life lost "on the county", where none
            is left to lay down, is 0 lives and puts its player out (rule SC-20).
        rules: the ids that make it so, the deciding one first.
    """

    payer: int | None
    payee: int | None
    amount: int
    cause: PaymentReason
    rules: tuple[str, ...]
    unit: Unit = Unit.TOKENS


Payments = tuple[Payment, ...]

Why = tuple[PaymentReason, tuple[str, ...]]
"""A reason, and the ids of the rules behind it, the deciding one first."""


def net_tokens(payments: Payments, seats: Iterable[int] = ()) -> dict[int, int]:
    """Return net tokens by seat, of all *seats* and of everyone who paid or was paid.

    What was paid into the pot and not out of it stays there, so the sum may be below 0.
    """
    net = dict.fromkeys(seats, 0)
    for paid in payments:
        if paid.unit is Unit.TOKENS:
            if paid.payer is not None:
                net[paid.payer] = net.get(paid.payer, 0) - paid.amount
            if paid.payee is not None:
                net[paid.payee] = net.get(paid.payee, 0) + paid.amount
    return net


def transfers(payments: Payments) -> tuple[tuple[int, int, int], ...]:
    """Return ``(payer, payee, tokens)`` of what went from player to player."""
    return tuple(
        (paid.payer, paid.payee, paid.amount)
        for paid in payments
        if paid.payer is not None and paid.payee is not None and paid.unit is Unit.TOKENS
    )


def of_result(result: Result) -> Payments:
    """Return what a settlement alone tells: who paid in, and who took out (rule G-18)."""
    net = dict(result.settlement)
    for payer, payee, tokens in result.payments:
        net[payer] += tokens
        net[payee] -= tokens
    if not any(net.values()) and not result.to_pot:
        return tuple(
            Payment(payer, payee, tokens, PaymentReason.SETTLED, ("G-18",))
            for payer, payee, tokens in result.payments
            if tokens
        )
    return through_pot(dict(result.settlement), PaymentReason.SETTLED, ("G-18",))


def of_entry(tokens: Tokens) -> Payments:
    """Return who pays whom by an entry of net *tokens* by seat (rule G-22)."""
    return tuple(Payment(*each, PaymentReason.ENTRY, ("G-22",)) for each in flows(dict(tokens)))


def through_pot(net: dict[int, int], cause: PaymentReason, rules: tuple[str, ...]) -> Payments:
    """Return net tokens as payments into the pot and out of it, those into it first."""
    into = (Payment(seat, None, -n, cause, rules) for seat, n in sorted(net.items()) if n < 0)
    out_of = (Payment(None, seat, n, cause, rules) for seat, n in sorted(net.items()) if n > 0)
    return (*into, *out_of)

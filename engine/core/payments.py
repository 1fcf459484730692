"""Every token, life and point of a hand one by one: from whom, to whom, and by which rule.

A settlement says what a hand comes to; these say how it came about, so that a sceptic can follow
each of them. Added up they are the settlement, which :mod:`device.reports.audit` checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.outcome import Result


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


@dataclass(frozen=True, slots=True)
class Payment:
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


def through_pot(net: dict[int, int], cause: PaymentReason, rules: tuple[str, ...]) -> Payments:
    """Return net tokens as payments into the pot and out of it, those into it first."""
    into = (Payment(seat, None, -n, cause, rules) for seat, n in sorted(net.items()) if n < 0)
    out_of = (Payment(None, seat, n, cause, rules) for seat, n in sorted(net.items()) if n > 0)
    return (*into, *out_of)

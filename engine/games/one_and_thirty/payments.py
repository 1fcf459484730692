"""Who pays whom in One-and-Thirty and Bone-Ace, and by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.counting import GOAL, total
from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments, Why
from engine.core.tokens import share
from engine.games.base import Play


def of_cards(play: Play, flows: tuple[tuple[int, int, int], ...]) -> Payments:
    """Return the payments of the game, *flows*, with their reasons (OT-9 to OT-14, OT-19)."""
    cause, rules = _won(play)
    shared = ("G-18",) if len(play.winners) > 1 else ()
    found = []
    for payer, payee, tokens in flows:
        gone = ("G-17",) if play.hand(payer).left else ()
        found.append(Payment(payer, payee, tokens, cause, (*rules, *shared, *gone)))
    return tuple(found)


def of_the_bone(play: Play, ranks: Sequence[int]) -> Payments:
    """Return what was paid for the Bone (rules BA-2 to BA-4, BA-6, BA-11).

    Args:
        play: the hand.
        ranks: of each third card, as the Bone is decided by them.
    """
    if play.bone is None:
        return ()
    holder, options = play.bone.holder, play.options
    tie = ("BA-4",) if ranks.count(max(ranks)) > 1 else ()
    if options.bone_effect == "half_pot":
        stakes = (
            Payment(seat, None, int(options.stake), PaymentReason.POOL, ("BA-6",))
            for seat in sorted(play.eldest)
        )
        half = dict(play.bone.payments)[holder]
        won = Payment(None, holder, half, PaymentReason.HALF_POOL, ("BA-6", "BA-2", *tie))
        return (*stakes, won) if half else tuple(stakes)
    return tuple(
        Payment(seat, holder, -tokens, PaymentReason.BONE, ("BA-3", "BA-2", *tie))
        for seat, tokens in play.bone.payments
        if tokens < 0
    )


def of_the_pool(play: Play, rest: int, back_to: tuple[int, ...]) -> Payments:
    """Return who took the half of Cotton's pool that belongs to the game (rules BA-6, G-17)."""
    if play.end is None:
        return ()
    why: tuple[str, ...] = ()
    if play.end is End.ALL_OUT:
        cause, sharers = PaymentReason.POOL_BACK, back_to
    else:
        cause, sharers, why = PaymentReason.POOL_WON, play.winners, _won(play)[1]
    rules = ("BA-6", *why, *(("G-18",) if len(sharers) > 1 else ()))
    return tuple(
        Payment(None, seat, tokens, cause, rules)
        for seat, tokens in share(rest, sharers).items()
        if tokens
    )


def capped(payments: Payments, full: int) -> Payments:
    """Name the agreement by which some pay less for the game than *full* (rule BA-10)."""
    return tuple(
        Payment(each.payer, each.payee, each.amount, each.cause, (*each.rules, "BA-10"))
        if each.amount < full
        else each
        for each in payments
    )


def _won(play: Play) -> Why:
    options = play.options
    if play.end is End.THIRTY_ONE:
        winner = play.hand(play.winners[0])
        dealt = ("OT-16",) if len(winner.cards) == 3 and not winner.acted else ()
        late = ("OT-19",) if play.late else ()
        return PaymentReason.THIRTY_ONE, (
            "OT-9",
            *(("OT-10",) if options.double_on_31 else ()),
            *dealt,
            *late,
        )
    late = ("OT-18",) if play.late else ()
    if play.end is End.DEALER_WINS:
        return PaymentReason.LAST_IN, ("OT-11", *late)
    if play.end is End.SOLE_SURVIVOR:
        return PaymentReason.LAST_IN, ("OT-22", *late)
    totals = {h.seat: total(h.cards, options.ace_value) for h in play.hands if not h.out}
    best = totals[play.winners[0]]
    equal = [points for points in totals.values() if points == best]
    rules = ["OT-12"]
    if len(play.winners) > 1:
        rules.append("OT-14")
    elif len(equal) > 1:
        rules.append("OT-13" if options.eldest_means == "seat" else "OT-15")
    if best == GOAL:
        rules.append("OT-19")
    return PaymentReason.BEST, tuple(rules)

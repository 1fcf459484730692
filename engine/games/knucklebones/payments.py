"""Who pays whom in One-and-Twenty, and by which rule."""

from __future__ import annotations

from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments, Why
from engine.games.knucklebones.play import BonesPlay


def of_bones(play: BonesPlay) -> Payments:
    """Return what the bank took and paid, at once from who goes over (KB-4 to KB-10, KB-16)."""
    if play.end is End.MISDEAL:  # KB-21: the stakes go back
        return ()
    found = []
    for seat, stake in play.stakes:
        if not play.hand(seat).out and play.end is None:
            continue
        amount = -stake if play.hand(seat).out else play.paid_to(seat)
        cause, rules = _against_the_bank(play, seat)
        if amount > 0:
            found.append(Payment(play.dealer, seat, amount, cause, rules))
        elif amount < 0:
            found.append(Payment(seat, play.dealer, -amount, cause, rules))
    return tuple(found)


def _against_the_bank(play: BonesPlay, seat: int) -> Why:
    hand, bank = play.hand(seat), play.bank
    if hand.left:
        return PaymentReason.LEFT, ("G-17",)
    if hand.out:
        if len(hand.throws) == 1:
            return PaymentReason.OVER, ("KB-4",)
        singly = ("KB-17",) if play.options.extra_mode == "one_at_a_time" else ()
        return PaymentReason.OVER, ("KB-6", *singly)
    if bank.out:
        return PaymentReason.BANK_OVER, ("KB-9",)
    if hand.points == bank.points:
        return PaymentReason.TIE, ("KB-8",)
    ahead = (hand.points or 0) > (bank.points or 0)
    return (PaymentReason.BEATS_BANK if ahead else PaymentReason.BEATEN), ("KB-10",)

"""Who pays whom in One-and-Twenty, and by which rule."""

from __future__ import annotations

from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments
from engine.games.knucklebones.play import BonesPlay, Thrower


def payments(play: BonesPlay) -> Payments:
    """Return what the bank took and paid, at once from who goes over (KB-4 to KB-10, KB-16)."""
    if play.end is End.MISDEAL:  # KB-21: the stakes go back
        return ()
    found = []
    for seat, stake in play.stakes:
        hand = play.hand(seat)
        if play.end is not None or hand.out:
            won, cause, rules = against_the_bank(play, hand)
            if won:
                way = (play.dealer, seat) if won > 0 else (seat, play.dealer)
                found.append(Payment(*way, stake, cause, rules))
    return tuple(found)


def against_the_bank(play: BonesPlay, hand: Thrower) -> tuple[int, PaymentReason, tuple[str, ...]]:
    """Return whether a player wins a stake, 1, loses it, -1, or neither, 0; why, by which rules."""
    if hand.left:
        return -1, PaymentReason.LEFT, ("G-17",)
    if hand.out:
        if len(hand.throws) == 1:
            return -1, PaymentReason.OVER, ("KB-4",)
        return -1, PaymentReason.OVER, ("KB-6", "KB-17") if play.one_at_a_time else ("KB-6",)
    bank = play.hand(play.dealer)
    if bank.out:
        return 1, PaymentReason.BANK_OVER, ("KB-9",)
    if hand.total == bank.total:  # nothing moves where a tie is a push: KB-16
        return 0 if play.options.tie == "push" else -1, PaymentReason.TIE, ("KB-8",)
    if hand.total > bank.total:
        return 1, PaymentReason.BEATS_BANK, ("KB-10",)
    return -1, PaymentReason.BEATEN, ("KB-10",)

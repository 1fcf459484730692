"""Stakes laid against the bank, who wins them, and how they go on from round to round (KB-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.events import Join
from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments
from engine.core.players import Player
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Tokens, read_tokens
from engine.games.knucklebones.play import BankStanding, BonesPlay, Thrower
from engine.games.match_rules import MatchRules

LEAST_STAKE = 1


class BankMatch(MatchRules[BankStanding]):
    """Stakes that lie from round to round."""

    def read(
        self, options: Any, players: Sequence[Player], record: Mapping[str, Any]
    ) -> BankStanding:
        """Return the stakes of the first round from the key ``stakes`` of a case (rule KB-2).

        Raises:
            IllegalActionError: the game has no match, or nobody sits where a stake lies.
        """
        if record.get("start"):
            raise IllegalActionError(
                Refusal.WRONG_PHASE, f"start: {self.title} has no match; take the key 'start' away"
            )
        stakes = read_tokens("stakes", record.get("stakes", {}))
        seats = [player.seat for player in players]
        for seat, _ in stakes:
            if seat not in seats:
                raise IllegalActionError(
                    Refusal.UNKNOWN_SEAT,
                    f"stakes: nobody sits at seat {seat}; seats taken: {seats}",
                )
        return self.before_hand(options, BankStanding(), stakes)

    def after_hand(self, play: BonesPlay) -> BankStanding:
        """Let the stakes stand for the next round, but those of players who have gone."""
        stakes = {**dict(play.standing.stakes), **dict(play.stakes)}
        gone = {hand.seat for hand in play.hands if hand.left}
        kept = {seat: amount for seat, amount in stakes.items() if seat not in gone}
        return BankStanding(stakes=as_tokens(kept))

    def after_misdeal(self, play: BonesPlay) -> BankStanding:
        """Give the stakes back after a misdeal, to lie again as they were (rules G-13, KB-21)."""
        return self.after_hand(play)

    def without(self, options: Any, standing: BankStanding, seat: int) -> BankStanding:
        """Let a player who goes between rounds take their stake with them (rule G-16)."""
        kept = tuple((owner, amount) for owner, amount in standing.stakes if owner != seat)
        return BankStanding(stakes=kept)

    def with_newcomer(self, options: Any, standing: BankStanding, event: Join) -> BankStanding:
        """Take the stake that a newcomer brings, if they name one (rules G-15, KB-2)."""
        stakes = () if event.stake is None else ((event.seat, event.stake),)
        return self.before_hand(options, standing, stakes)

    def before_hand(self, options: Any, standing: BankStanding, stakes: Tokens) -> BankStanding:
        """Lay the stakes of the next round; a player who names none keeps the last (KB-2).

        Raises:
            IllegalActionError: ``BAD_STAKE``.
        """
        for seat, amount in stakes:
            check_stake(seat, amount)
        return BankStanding(stakes=as_tokens({**dict(standing.stakes), **dict(stakes)}))


def check_stake(seat: int, amount: int) -> None:
    """Refuse a stake that is no whole number of tokens from 1 (rule KB-2).

    Raises:
        IllegalActionError: ``BAD_STAKE``.
    """
    if type(amount) is not int or amount < LEAST_STAKE:
        raise IllegalActionError(
            Refusal.BAD_STAKE,
            f"seat {seat} cannot stake {amount!r}; lay whole tokens, at least {LEAST_STAKE}",
        )


def as_tokens(amounts: Mapping[int, int]) -> Tokens:
    """Return *amounts* by seat number."""
    return tuple(sorted(amounts.items()))


def payments(play: BonesPlay) -> Payments:
    """Return what the bank took and paid, at once from who is out (KB-4 to KB-10, KB-16, KB-23)."""
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
    if hand.thrown_in:
        return -1, PaymentReason.THROWN_IN, ("KB-23",)
    if hand.out:
        if len(hand.throws) == 1:
            return -1, PaymentReason.OVER, ("KB-4",)
        return -1, PaymentReason.OVER, ("KB-6", "KB-17") if play.one_at_a_time else ("KB-6",)
    bank = play.hand(play.dealer)
    if bank.out:
        return 1, PaymentReason.BANK_OVER, ("KB-9", *(("KB-23",) if bank.thrown_in else ()))
    if hand.total == bank.total:  # nothing moves where a tie is a push: KB-16
        return 0 if play.options.tie == "push" else -1, PaymentReason.TIE, ("KB-8",)
    if hand.total > bank.total:
        return 1, PaymentReason.BEATS_BANK, ("KB-10",)
    return -1, PaymentReason.BEATEN, ("KB-10",)

"""Antes, bonus and pot of Banking: who pays, who takes, and by which rule (BK-1 to BK-9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments, net_tokens
from engine.core.tokens import share
from engine.games.scat.match import ScatMatchState
from engine.games.scat.play import ScatPlay
from engine.games.scat.scoring.ranking import strengths


def payments(play: ScatPlay) -> Payments:
    """Return the tokens of a round; the antes lie as soon as it begins. None without antes.

    There are no lives and no penalty for a knocker (BK-7).
    """
    options, seats = play.options, sorted(hand.seat for hand in play.hands)
    if options.scoring != "ante":
        return ()
    laid = pot_payments(seats, options.ante)
    if play.winners:
        assert isinstance(play.standing, ScatMatchState)
        bonus = options.blitz_bonus if play.end is End.BLITZ else 0
        carried, rules = play.standing.pot, _pot_rules(play)
        return pot_payments(seats, options.ante, bonus, carried, play.winners, rules)
    waits = play.end is None or (play.end is End.DRAW and options.draw_pot == "carry")
    if waits:  # for the end of this hand, or for the next one
        return laid
    back = (Payment(None, seat, options.ante, PaymentReason.POT, ("BK-8",)) for seat in seats)
    return (*laid, *back)


def pot_payments(
    payers: Iterable[int],
    ante: int,
    bonus: int = 0,
    carried: int = 0,
    winners: Sequence[int] = (),
    rules: tuple[str, ...] = (),
) -> Payments:
    """Return what goes into the pot and who takes it (rules BK-1, BK-4, BK-5, BK-6, G-18).

    Args:
        payers: every seat that puts in an ante.
        ante: tokens of each.
        bonus: tokens more from everybody who did not win; 0 without a blitz.
        carried: tokens that lay on the table before.
        winners: who share, the eldest first; nobody: all stays on the table.
        rules: by which the winners take it.
    """
    seats = list(payers)
    found = [Payment(seat, None, ante, PaymentReason.ANTE, ("BK-1",)) for seat in seats]
    if bonus:
        found += [
            Payment(seat, None, bonus, PaymentReason.BONUS, ("BK-5",))
            for seat in seats
            if seat not in winners
        ]
    if winners:
        pot = carried + sum(each.amount for each in found)
        found += [
            Payment(None, seat, tokens, PaymentReason.POT, rules)
            for seat, tokens in share(pot, winners).items()
            if tokens
        ]
    return tuple(found)


def to_pot(play: ScatPlay) -> int:
    """Return how many tokens more lie on the table after the round; below 0: fewer (BK-8)."""
    return -sum(net_tokens(payments(play)).values())


def _pot_rules(play: ScatPlay) -> tuple[str, ...]:
    options, split = play.options, len(play.winners) > 1
    shared = ("G-18",) if split else ()
    if play.end is End.BLITZ:
        return ("BK-5", *shared)
    if play.end is End.WALKOVER:
        return ("G-17",)
    worth = strengths(play)
    if list(worth.values()).count(max(worth.values())) == 1:
        return ("BK-4",)
    return ("BK-4", "BK-9" if options.high_tie == "highest_card" else "BK-6", *shared)

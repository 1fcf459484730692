"""Each token, life and point that moved in Scat, and by which rule."""

from __future__ import annotations

from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments, Unit, Why
from engine.games.scat.match import ScatMatchState
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import ScatPlay
from engine.games.scat.points import BLITZ
from engine.games.scat.scoring import antes, lives
from engine.games.scat.scoring.ranking import strengths
from engine.games.scat.scoring.settlement import ScatDetails, details


def of_thirty_one(play: ScatPlay) -> Payments:
    """Return the lives, points or tokens of a round (SC-7 to SC-11, NE, BK); antes lie at once."""
    if play.options.scoring == "ante":
        return antes.payments(play)
    if play.end is None:
        return ()
    found = details(play)
    if play.options.scoring == "lives":
        return _lives(play, found)
    return tuple(
        Payment(None, seat, points, *_place(play, seat, points), Unit.POINTS)
        for seat, points in found.gained
        if points
    )


def of_a_match(options: ScatOptions, standing: ScatMatchState) -> Payments:
    """Return the pot of a match that is over: all buy-ins, and who takes them (SC-21, SC-25).

    The buy-ins were laid before the first hand; they count when the match is won.
    """
    if not options.buy_in or not standing.settlement:
        return ()
    into = (
        Payment(seat, None, options.buy_in, PaymentReason.BUY_IN, ("SC-21",))
        for seat in standing.entrants
    )
    rules = ("SC-21",) if standing.winner is not None else ("SC-25", "G-18")
    taken = ((seat, net + options.buy_in) for seat, net in standing.settlement)
    out_of = (Payment(None, seat, got, PaymentReason.MATCH, rules) for seat, got in taken if got)
    return (*into, *out_of)


def _lives(play: ScatPlay, found: ScatDetails) -> Payments:
    assert isinstance(play.standing, ScatMatchState)
    before, after = dict(play.standing.lives), dict(found.lives)
    paid = []
    for seat, _count in found.lost:
        cause, rules = _lost(play, seat)
        out = ("SC-20",) if seat in found.eliminated else ()
        county = ("SC-19",) if seat in found.county else ()
        amount = before[seat] - after[seat]
        paid.append(Payment(seat, None, amount, cause, (*rules, *out, *county), Unit.LIVES))
    return tuple(paid)


def _lost(play: ScatPlay, seat: int) -> Why:
    options, is_knocker = play.options, seat == play.knocker
    if play.end is End.BLITZ:
        return PaymentReason.BLITZ, ("SC-11", *(("CQ-3",) if is_knocker else ()))
    gate = ("CQ-4",) if play.end is End.OUT_OF_GATE else ()
    worth = strengths(play)
    lowest = [each for each in worth if worth[each] == min(worth.values())]
    if play.knocker not in lowest:
        return PaymentReason.LOWEST, ("SC-7" if len(lowest) == 1 else "SC-8", *gate)
    if len(lowest) == 1:
        return PaymentReason.KNOCKER, ("SC-10", *gate)
    by_option = {"safe": "SC-9", "both": "CQ-1", "knocker_only": "WL-2", "all_lose": "SC-10"}
    return (PaymentReason.KNOCKER if is_knocker else PaymentReason.LOWEST), (
        by_option[options.knock_tie],
        *gate,
    )


def _place(play: ScatPlay, seat: int, points: int) -> Why:
    if seat in play.winners:
        return PaymentReason.BLITZ, ("NE-4",)
    blitz = ("NE-4",) if play.end is End.BLITZ else ()
    if seat == play.knocker:
        return PaymentReason.KNOCKER, ("NE-2", *blitz)
    worth = strengths(play)
    tie = ("NE-3",) if list(worth.values()).count(worth[seat]) > 1 else ()
    late = points > lives.LOW and not blitz and play.value(seat) == BLITZ
    return PaymentReason.PLACE, ("NE-1", *tie, *(("NE-5",) if late else ()), *blitz)

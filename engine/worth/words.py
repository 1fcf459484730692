"""Seats and their worth in words, for the command and the screen alike."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine.core.messages.message import Message, Value
from engine.core.payments import Unit
from engine.games.base import Game
from engine.worth.seats import SeatWorths, Worth

HEADING = Message("What a seat is worth")
DEAL, BANK = Message("the deal"), Message("the bank")
"""What stands before what a dealer, or a banker, has more than the others."""
EVERYBODY = Message("Everybody plays like the program's best player.")
UNITS = {
    Unit.TOKENS: Message("mean tokens a hand"),
    Unit.POINTS: Message("mean points a hand"),
    Unit.LIVES: Message("matches won, of 100"),
}
"""What the figures count."""
EXACT = Message("exact")


def seat_names(game: Game, players: int) -> tuple[Value, ...]:
    """Return the seats: the first on the dealer's left first, the dealer last."""
    last = Message("the banker") if game.with_bones else Message("the dealer")
    return (*(Message("{n} to the left", n=n) for n in range(1, players)), last)


def deal_name(game: Game) -> Message:
    """Return what the deal is called, which in games with bones is the bank."""
    return BANK if game.with_bones else DEAL


def figures(worths: SeatWorths) -> Iterator[Value]:
    """Yield what each seat is worth and then the deal, with the intervals."""
    signed = worths.unit is Unit.TOKENS
    for worth in worths.seats:
        yield _figure(worths, worth, signed)
    yield _figure(worths, worths.deal, True)


def _figure(worths: SeatWorths, worth: Worth, signed: bool) -> Value:
    times, digits = (100, 1) if worths.unit is Unit.LIVES else (1, 2)
    value = decimal(times * worth.mean, digits, signed=signed)
    if worths.exact:
        return value
    within = decimal(times * worth.within, digits)
    return Message("{value} ±{within}", value=value, within=within)


def of_100(chance: Fraction | None) -> Value:
    """Return a chance in parts of 100."""
    return "" if chance is None else decimal(float(100 * chance), 1)


def decimal(value: float, digits: int, *, signed: bool = False) -> Value:
    """Return a number with so many decimals, as the language writes it."""
    whole, part = f"{value:{'+' if signed else ''}.{digits}f}".split(".")
    return Message("{whole}.{part}", whole=whole, part=part)

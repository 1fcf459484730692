"""What the teaching mode says: chances from what lies open, and why a hand ended."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.core.cards import Card
from engine.core.messages.message import Message, Value
from engine.core.outcome import End
from engine.core.views import ResultView, SeatView, View
from engine.odds.totals import next_card

ENDINGS: Mapping[End, Message] = {
    End.MISDEAL: Message("The hand is void: nobody wins or loses by it."),
    End.ALL_OUT: Message("Everybody is out: nobody is left to win."),
    End.ALL_BUST: Message("Nobody is left in to beat the bank."),
    End.DEALER_WINS: Message("All the others are out."),
    End.SOLE_SURVIVOR: Message("All the others are out."),
    End.WALKOVER: Message("All the others are out."),
}
"""Why a hand ended, in the endings that tell it all."""


class Hints:
    """What the teaching mode says in any game: why a hand ended, and no chances.

    It sees what the whole table sees, so nothing is told that only a player knows (rule G-7).
    """

    def hint(self, view: View, seat: SeatView, options: Any) -> Value:
        """Return what to know at the turn of *seat*; empty where there is nothing.

        Raises:
            OddsError: the cards seen cannot be those of the pack.
        """
        return ""

    def why(self, view: View, result: ResultView, options: Any) -> Value:
        """Return why a hand ended as it did; empty where there is nothing to explain."""
        return ENDINGS.get(result.end, "")


class CountingHints(Hints):
    """What there is to say in a game of counting cards."""

    def hint(self, view: View, seat: SeatView, options: Any) -> Value:
        """Return the chance that one more card is too much, by all that lies open (rule OT-8)."""
        if not seat.cards:
            return ""
        chance = per_cent(over_with_one_more(view, seat, options))
        return Message("One more card: over {target} in {n} of 100.", target=view.target, n=chance)


def per_cent(chance: Fraction) -> int:
    """Return a chance in whole parts of 100."""
    return round(100 * chance)


def over_with_one_more(view: View, seat: SeatView, options: Any) -> Fraction:
    """Return the chance that one more card takes *seat* over the target, by all that lies open.

    Raises:
        OddsError: the cards seen cannot be those of one pack.
    """
    totals = next_card(
        seat.cards,
        seen_besides(view, seat.seat),
        decks=options.decks,
        ace_value=options.ace_value,
        goal=view.target,
    )
    return totals.above(view.target)


def seen_besides(view: View, seat: int) -> list[Card]:
    """Return every card that lies open elsewhere than before *seat*."""
    others = (each for each in view.seats if each.seat != seat)
    return [card for each in others for card in each.cards if card is not None]


def against_the_bank(view: View, tie: str) -> Value:
    """Report what the bank had, and who wins a tie with it (rules KB-8 to KB-10, KB-16).

    *tie* is ``"push"`` where a tie moves nothing; else the bank wins it.
    """
    bank = next((seat for seat in view.seats if seat.is_dealer), None)
    if bank is None:
        return ""
    if bank.thrown_in:  # rule KB-23
        return Message("The bank throws in: it pays everybody still in.")
    if bank.total is None:
        return ""
    if bank.total > view.target:
        return Message("The bank is over {target}: it pays everybody still in.", target=view.target)
    if tie == "push":
        return Message(
            "The bank has {total}: more wins, less loses, a tie moves nothing.", total=bank.total
        )
    return Message("The bank has {total}: only more than that wins.", total=bank.total)

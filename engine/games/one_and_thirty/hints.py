"""Why a hand of One-and-Thirty or Bone-Ace was won, for the teaching mode."""

from __future__ import annotations

from typing import Any

from engine.core.counting import GOAL
from engine.core.messages.message import N_, Listing, Message, Value
from engine.core.outcome import End
from engine.core.views import ResultView, SeatStatus, View
from engine.games.hints import CountingHints


class OneAndThirtyHints(CountingHints):
    """What the teaching mode says in One-and-Thirty and Bone-Ace."""

    def why(self, view: View, result: ResultView, options: Any) -> Value:
        """Explain 31, and whose total was the highest, and who won a tie (rules OT-9 to OT-15)."""
        if result.late and result.end is End.THIRTY_ONE:
            return Message("The first 31 wins, in the order in which the cards were dealt.")
        if result.late and result.winners:
            return Message("All the others were out before, in the order of the cards dealt.")
        if result.end is End.THIRTY_ONE:
            return Message("Exactly 31 wins at once.")
        if result.end is End.DEALER_WINS:
            return Message("All the others are out: the dealer wins without drawing.")
        if result.end is not End.SHOWDOWN or not result.winners:
            return super().why(view, result, options)
        winner = view.seat(result.winners[0])
        if winner.total is None or winner.total > GOAL:
            return ""
        level = [
            seat.name
            for seat in view.seats
            if seat.total == winner.total and seat.status not in (SeatStatus.OUT, SeatStatus.LEFT)
        ]
        if len(level) <= len(result.winners):
            return Message("{total} is the highest total not over 31.", total=winner.total)
        said = {
            "age": N_("{names} have {total}; on a tie the older wins: {winner}."),
            "seat": N_("{names} have {total}; on a tie the earlier player wins: {winner}."),
        }[options.eldest_means]
        return Message(said, names=Listing(tuple(level)), total=winner.total, winner=winner.name)

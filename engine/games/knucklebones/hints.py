"""What the teaching mode says in One-and-Twenty: the best number of bones."""

from __future__ import annotations

from typing import Any

from engine.core.messages.message import Message, Value
from engine.core.messages.words import count
from engine.core.outcome import End
from engine.core.views import ResultView, SeatStatus, SeatView, View
from engine.games.hints import Hints, against_the_bank, per_cent
from engine.games.knucklebones.odds import BoneGame, best_bones, best_bones_of_banker


class BonesHints(Hints):
    """The best number of bones to throw, and how the bank stands."""

    def hint(self, view: View, seat: SeatView, options: Any) -> Value:
        """Return the best number of bones to throw (rules KB-5, KB-17)."""
        if view.stage not in ("choose", "one") or seat.total is None:
            return ""
        thrown = sum(len(throw) for throw in seat.throws[1:])
        game = BoneGame.of(options)
        if seat.is_dealer:
            # Players who are over have lost their stakes already: only the others still count.
            players = [
                (each.total, each.stake_laid)
                for each in view.seats
                if not each.is_dealer
                and each.total is not None
                and each.status not in (SeatStatus.OUT, SeatStatus.LEFT)
            ]
            best = best_bones_of_banker(seat.total, players, thrown, game=game).best
        else:
            best = best_bones(seat.total, thrown, game=game).best
        bones = count(best.bones, "bone")
        if not best.bones:
            return Message("Best: {bones}.", bones=bones)
        return Message("Best: {bones}; over in {n} of 100.", bones=bones, n=per_cent(best.bust))

    def why(self, view: View, result: ResultView, options: Any) -> Value:
        """Return how the bank stood (rules KB-8 to KB-10, KB-16)."""
        if result.end is End.COMPARED:
            return against_the_bank(view, options.tie)
        return super().why(view, result, options)

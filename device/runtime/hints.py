"""What the teaching mode says beside the prompt: chances from what lies open, and why one won.

Only the view of the whole table is used (rule G-7): nothing that only a player knows. The chances
are those of :mod:`engine.odds`, exact, and may take a board a while: they are counted on a thread,
and shown when they are ready.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from device.runtime.hints_scat import scat_hint, scat_why
from engine.core.cards import Card
from engine.core.counting import GOAL
from engine.core.errors import BoneAceError
from engine.core.messages.message import Listing, Message, Value
from engine.core.messages.words import count
from engine.core.views import Phase, ResultView, SeatStatus, SeatView, View
from engine.games.knucklebones.odds import BoneGame, best_bones, best_bones_of_banker
from engine.games.knucklebones.play import KnucklebonesOptions
from engine.games.one_and_thirty.options import OneAndThirtyOptions
from engine.games.scat.options import ScatOptions
from engine.odds.totals import next_card

log = logging.getLogger(__name__)

Start = Callable[[Callable[[], None]], None]
"""Runs a piece of work, now or soon."""


class HintProvider:
    """Answers with what is ready; what is not is counted meanwhile."""

    def __init__(self, start: Start | None = None) -> None:
        """Count on a thread of its own, or as *start* has it."""
        self._start = start or _on_a_thread
        self._lock = threading.Lock()
        self._asked: object = None
        self._said: Value = ""

    def hint(self, view: View, options: Any) -> Value:
        """Return what there is to say at *view*; empty until it is ready.

        Args:
            view: what the whole table sees.
            options: what was agreed; everybody knows it.
        """
        asked = (view, options)
        with self._lock:
            if asked == self._asked:
                return self._said
            self._asked, self._said = asked, ""

        def work() -> None:
            try:
                said: Value = hint_for(view, options)
            except BoneAceError as problem:
                log.debug("no chances here: %s", problem)
                said = ""
            with self._lock:
                if self._asked is asked:
                    self._said = said

        self._start(work)
        with self._lock:
            return self._said if self._asked is asked else ""


def hint_for(view: View, options: Any) -> Value:
    """Return what the teaching mode says at *view*; empty where it has nothing to say.

    Raises:
        OddsError: the cards seen cannot be those of one pack.
    """
    if view.phase is Phase.DONE and view.result is not None:
        return why(view, view.result, options)
    if view.phase is not Phase.PLAY or view.turn is None:
        return ""
    seat = view.seat(view.turn)
    if isinstance(options, OneAndThirtyOptions):
        return _one_more_card(view, seat, options)
    if isinstance(options, KnucklebonesOptions):
        return _more_bones(view, seat, options)
    if isinstance(options, ScatOptions):
        return scat_hint(view, seat, options)
    return ""


def over_with_one_more(view: View, seat: SeatView, options: OneAndThirtyOptions) -> Fraction:
    """Return the chance that one more card takes *seat* over 31, by all that lies open (OT-8).

    Raises:
        OddsError: the cards seen cannot be those of one pack.
    """
    return next_card(
        seat.cards,
        seen_besides(view, seat.seat),
        decks=options.decks,
        ace_value=options.ace_value,
        still_in=True,
    ).over


def seen_besides(view: View, seat: int) -> list[Card]:
    """Return every card that lies open elsewhere than before *seat*."""
    others = (each for each in view.seats if each.seat != seat)
    return [card for each in others for card in each.cards if card is not None]


def _one_more_card(view: View, seat: SeatView, options: OneAndThirtyOptions) -> Value:
    if not seat.cards:
        return ""
    chance = over_with_one_more(view, seat, options)
    return Message("One more card: over 31 in {n} of 100.", n=_per_cent(chance))


def _more_bones(view: View, seat: SeatView, options: KnucklebonesOptions) -> Value:
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
    return Message("Best: {bones}; over in {n} of 100.", bones=bones, n=_per_cent(best.bust))


def why(view: View, result: ResultView, options: Any) -> Value:
    """Explain why the hand ended as it did."""
    if isinstance(options, ScatOptions):
        return scat_why(view, result, options)
    if result.end == "misdeal":
        return Message("The hand is void: nobody wins or loses by it.")
    if result.end in ("all-out", "all-bust"):
        return Message("Everybody went over: nobody is left to win.")
    if result.end == "thirty-one":
        return Message("Exactly 31 wins at once.")
    if result.end == "dealer-wins":
        return Message("All the others are over 31: the dealer wins without drawing.")
    if result.end in ("sole-survivor", "walkover"):
        return Message("All the others are out.")
    if result.end == "compared":
        return _against_the_bank(view, options)
    if result.end == "showdown" and isinstance(options, OneAndThirtyOptions) and result.winners:
        return _highest(view, result, options)
    return ""


def _highest(view: View, result: ResultView, options: OneAndThirtyOptions) -> Value:
    """Explain whose total was the highest, and who won a tie (rules OT-12 to OT-15)."""
    best = view.seat(result.winners[0]).total
    level = [
        seat.name
        for seat in view.seats
        if seat.total == best and seat.status not in (SeatStatus.OUT, SeatStatus.LEFT)
    ]
    if best is None or best > GOAL:
        return ""
    if len(level) > len(result.winners):
        winner = view.seat(result.winners[0]).name
        names = Listing(tuple(level))
        if options.eldest_means == "age":
            return Message(
                "{names} have {total}; of equals the older wins: {winner}.",
                names=names,
                total=best,
                winner=winner,
            )
        return Message(
            "{names} have {total}; of equals the elder wins: {winner}.",
            names=names,
            total=best,
            winner=winner,
        )
    return Message("{total} is the highest total not over 31.", total=best)


def _against_the_bank(view: View, options: Any) -> Value:
    """Report what the bank had, and who wins a tie with it (rules KB-8 to KB-10, KB-16)."""
    bank = next((seat for seat in view.seats if seat.is_dealer), None)
    if bank is None or bank.total is None:
        return ""
    if bank.total > options.target:
        return Message(
            "The bank is over {target}: it pays everybody still in.", target=options.target
        )
    if options.tie == "push":
        return Message(
            "The bank has {total}: more wins, less loses, a tie moves nothing.", total=bank.total
        )
    return Message("The bank has {total}: only more than that wins.", total=bank.total)


def _per_cent(chance: Fraction) -> int:
    return round(100 * chance)


def _on_a_thread(work: Callable[[], None]) -> None:
    """Reckon beside the loop: an exact chance may take longer than a frame."""
    threading.Thread(target=work, name="teacher", daemon=True).start()

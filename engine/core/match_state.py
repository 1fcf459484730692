"""What goes on from hand to hand in games that are not settled hand by hand."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.tokens import Tokens


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a match between two hands; each game that has one adds its own fields.

    Attributes:
        eliminated: seats that are out of the match: no cards, no turn, no deal (rule G-21).
        over: the match is over; no further hand can begin.
        winner: who won the match.
        settlement: net tokens of the whole match by seat, once it is over.
    """

    eliminated: tuple[int, ...] = ()
    over: bool = False
    winner: int | None = None
    settlement: Tokens = ()


NO_MATCH = MatchState()
"""Nothing goes on from hand to hand."""

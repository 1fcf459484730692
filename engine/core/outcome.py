"""How a hand ended, who paid whom, and how the match stands after it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.core.cards import Card
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


class End(StrEnum):
    """Why a hand ended; the words of the event language."""

    THIRTY_ONE = "thirty-one"
    DEALER_WINS = "dealer-wins"
    SOLE_SURVIVOR = "sole-survivor"
    SHOWDOWN = "showdown"
    ALL_OUT = "all-out"
    COMPARED = "compared"
    ALL_BUST = "all-bust"
    MISDEAL = "misdeal"
    BLITZ = "blitz"
    OUT_OF_GATE = "out-of-gate"
    DRAW = "draw"
    RESTART = "restart"
    WALKOVER = "walkover"


@dataclass(frozen=True, slots=True)
class Bone:
    """Who holds the Bone, by which third card, and what moved for it (rules BA-2, BA-3, BA-6).

    Attributes:
        payments: net tokens by seat; with the half pot only what the holder takes from the pool.
    """

    holder: int
    card: Card
    payments: Tokens


@dataclass(frozen=True)
class Result:
    """What a game says of a finished hand; the table makes an :class:`Outcome` of it.

    Attributes:
        totals: ``(seat, points)``; ``None`` where a card was never seen.
        payments: ``(payer, payee, tokens)`` of the game, without the Bone (with the half pot:
            of the whole hand, since both come out of one pool).
        details: what only this game has to say of a hand: a frozen dataclass of its own.
        to_pot: tokens that stay on the table; with *settlement* they sum to zero (rule G-18).
    """

    end: End
    winners: tuple[int, ...]
    totals: tuple[tuple[int, float | None], ...]
    out: tuple[int, ...]
    settlement: Tokens
    payments: tuple[tuple[int, int, int], ...] = ()
    bone: Bone | None = None
    details: Any = None
    to_pot: int = 0


@dataclass(frozen=True, kw_only=True)
class Outcome(Result):
    """A finished hand: what the game says of it, who deals next, and how the match stands.

    In an outcome *settlement* has the Bone in it, and *to_pot* is below 0 where the hand took from
    the pot (rule BK-8).

    Attributes:
        next_dealer: ``None`` means that the cards are cut again.
        standing: how the match stands after the hand.
    """

    dealer: int
    next_dealer: int | None
    standing: MatchState = NO_MATCH

    @property
    def winner(self) -> int | None:
        """Return the only winner; ``None`` on a split or when nobody wins."""
        return self.winners[0] if len(self.winners) == 1 else None

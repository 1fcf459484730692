"""How a hand ended and who paid whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from engine.core.cards import Card
from engine.core.match_state import MatchState
from engine.core.tokens import Tokens


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


class Result(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished hand: who won and why, what was paid, and who deals next.

    Attributes:
        next_dealer: ``None`` means that the cards are cut again.
        settlement: net tokens of the whole hand by seat, the Bone in it; with *to_pot* it sums
            to zero.
        details: what only its game has to say of it.
        standing: how the match stands after the hand.
        to_pot: tokens that this hand left on the table (below 0: took from it, rule BK-8).
    """

    dealer: int
    next_dealer: int | None
    end: End
    winners: tuple[int, ...]
    totals: tuple[tuple[int, float | None], ...]
    out: tuple[int, ...]
    settlement: Tokens
    payments: tuple[tuple[int, int, int], ...] = ()
    bone: Bone | None = None
    details: Any = None
    standing: MatchState = field(default_factory=MatchState)
    to_pot: int = 0

    @property
    def winner(self) -> int | None:
        """Return the only winner; ``None`` on a split or when nobody wins."""
        return self.winners[0] if len(self.winners) == 1 else None

"""What an audience may see of a game: the only way out of the engine for a display (rule G-7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from engine.core.cards import Card
from engine.core.events import Pile, Source
from engine.core.outcome import Bone, End


class Phase(StrEnum):
    """Where a hand stands."""

    CUT = "cut"
    DEAL = "deal"
    TURN_UP = "turn_up"
    CHOOSE = "choose"
    PLAY = "play"
    SHOWDOWN = "showdown"
    RESTART = "restart"
    DONE = "done"


class TableKind(StrEnum):
    """Where the cards or bones of a game lie, which is how it is dealt and read."""

    SEATS = "seats"
    """Cards at the seats, and nowhere else."""
    MIDDLE = "middle"
    """Hands held or laid out, a stock, and cards in the middle."""
    BONES = "bones"
    """Bones, thrown anywhere."""


class Stage(StrEnum):
    """What the player whose turn it is has to do; the words of the case format."""

    FIRST = "first"
    """Throw all the bones (rule KB-4)."""
    CHOOSE = "choose"
    """Say how many more bones (rule KB-5)."""
    EXTRA = "extra"
    """Throw the bones asked for (rules KB-6, KB-17)."""
    ONE = "one"
    """Have one more bone, or stick (rule KB-17)."""


class SeatStatus(StrEnum):
    """How a player stands in the hand, as everybody at the table knows it."""

    WAITING = "waiting"
    STUCK = "stuck"
    OUT = "out"
    THIRTY_ONE = "thirty-one"
    WINNER = "winner"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class PlayerMatchView:
    """How a player stands in a match that goes on from hand to hand; all of it is public.

    Attributes:
        lives: lives left; ``None`` where none are counted.
        on_county: in play without a life left (rule SC-19).
        points: the running total; ``None`` where none are counted (rule NE-6).
        eliminated: out of the match: no cards, no turn, no deal (rule G-21).
    """

    lives: int | None = None
    on_county: bool = False
    points: int | None = None
    eliminated: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat, as the audience may see it.

    Attributes:
        cards: in the order dealt; ``None`` is a back.
        total: points of the hand, only when every card of it is visible to the audience.
        tokens: net tokens of the evening, finished hands only plus what was paid in this one.
        shown: the hand has been laid open.
        throws: in knucklebones, the points of each bone, throw by throw; *total* is their sum.
        stake_laid: in knucklebones, the tokens laid against the bank in this round.
        value: what the hand is worth, under the same condition as *total*: the same number, but
            three of a kind are worth 30.5 and then have no total (rule TK-1).
        known: cards of a hand that is held, not laid out, of which everybody knows because they
            were taken from an open place (Thirty-one, "Public").
        hand_name: in Brag what the hand is, such as ``running flush``, under the same condition
            as *total*.
        match: how the player stands in the match; ``None`` where every hand is settled by itself.
        thrown_in: they have thrown in, in the games where that is no ordinary way to be out
            (rules SC-27, KB-23).
    """

    seat: int
    name: str
    is_dealer: bool = False
    is_turn: bool = False
    is_bone_holder: bool = False
    status: SeatStatus = SeatStatus.WAITING
    cards: tuple[Card | None, ...] = ()
    total: int | None = None
    shown: bool = False
    tokens: int = 0
    throws: tuple[tuple[int, ...], ...] = ()
    stake_laid: int = 0
    value: float | None = None
    known: tuple[Card, ...] = ()
    hand_name: str | None = None
    match: PlayerMatchView | None = None
    thrown_in: bool = False


@dataclass(frozen=True, slots=True)
class PileView:
    """A pile between the players: ``widow``, ``second``, ``A``, ``B`` or ``table``.

    Attributes:
        cards: in the order of their places; ``None`` is a back.
    """

    name: str
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class MiddleView:
    """What lies between the players of Thirty-one, as the audience may see it.

    Attributes:
        stock: how many cards are left in the stock.
        discard_top: the top of the discard; ``None`` where there is none, or it was not read.
        deal_to: in the deal, the piles one of which gets the next card; empty when a player does.
        may_restart: who may restart Switch, in the phase ``restart``.
        table: what lies beside the hands: ``none``, ``widow``, ``switch`` or ``bus``.
        discards: the cards of the discard that were read, the topmost last; everybody saw them.
        top_is_unread: the top of the discard has not been read (rule SC-28).
        changed_suit: who threw the top of the discard, where the card that they threw before was
            of another suit.
        drawn: where the player whose turn it is has drawn from, and so must discard; ``None``
            while they have not.
        renewed: they have renewed a hand face down and must go on (rule SW-6).
        may_knock: they may knock now.
        may_stand: they may stand now.
        stopper: who has swapped and may still stop the bus (rule SB-3).
        last_turns: who has their last turn still to come, *turn* among them (rule SC-6).
    """

    stock: int
    discard_top: Card | None = None
    knocker: int | None = None
    piles: tuple[PileView, ...] = ()
    deal_to: tuple[Pile, ...] = ()
    may_restart: tuple[int, ...] = ()
    table: Literal["none", "widow", "switch", "bus"] = "none"
    discards: tuple[Card, ...] = ()
    top_is_unread: bool = False
    changed_suit: int | None = None
    drawn: Source | None = None
    renewed: bool = False
    may_knock: bool = False
    may_stand: bool = False
    stopper: int | None = None
    last_turns: tuple[int, ...] = ()

    def pile(self, name: str) -> tuple[Card | None, ...]:
        """Return the cards of a pile; none where there is no such pile."""
        return next((pile.cards for pile in self.piles if pile.name == name), ())


@dataclass(frozen=True, slots=True)
class MatchView:
    """How a match stands.

    Attributes:
        pot: tokens that wait for the winner: the buy-ins, the antes of the hand in play, and what a
            drawn hand left (BK-1, BK-8).
        winner: ``None`` while it goes on, or where the pot was shared.
        settlement: ``(seat, net tokens)`` of the whole match once it is over; sums to zero.
    """

    pot: int = 0
    over: bool = False
    winner: int | None = None
    settlement: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LossView:
    """What a finished hand of Thirty-one cost in lives, or brought in points.

    Attributes:
        lost: ``(seat, lives)`` of all who lost any in this hand (rules SC-7 to SC-11).
        gained: ``(seat, points)`` of this hand (rule NE-1).
        eliminated: who went out of the match by it (rule SC-20).
        void: all would have gone out, so no lives were lost (rule SC-25).
        pot: tokens that stay on the table (rule BK-8).
        restarter: who restarted Switch (rule SW-8).
    """

    lost: tuple[tuple[int, int], ...] = ()
    gained: tuple[tuple[int, int], ...] = ()
    eliminated: tuple[int, ...] = ()
    void: bool = False
    pot: int = 0
    restarter: int | None = None


@dataclass(frozen=True, slots=True)
class ResultView:
    """How the hand ended.

    Attributes:
        winners: the seats that share the win; empty when nobody wins.
        settlement: ``(seat, net tokens)`` of the whole hand, the Bone in it; sums to zero.
        payments: ``(payer, payee, tokens)`` of the game part, one line for each that moved.
        losses: lives or points, where the hand was about them.
        late: it had ended before, as was found by the order of the cards (rules OT-18, OT-19).
    """

    end: End
    winners: tuple[int, ...]
    settlement: tuple[tuple[int, int], ...]
    payments: tuple[tuple[int, int, int], ...]
    next_dealer: int | None
    losses: LossView | None = None
    late: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A hand as one audience sees it; immutable and safe to keep.

    Attributes:
        seats: clockwise by seat number.
        turn: whose turn it is in play, else ``None``.
        card_asked: the player whose turn it is has said "have it" and waits for their card.
        deal_to: in the deal, the next seat to get a card and whether it goes face up.
        to_cut: seats that still have to cut.
        to_reveal: seats that must show their hands.
        may_reveal: seats whose unseen hand may reach 31, to be shown after the end (rule OT-19).
        stage: in knucklebones, what *turn* has to do.
        bones_due: how many bones *turn* has to throw now; 0 while none may be thrown.
        middle: in Thirty-one, what lies between the players.
        match: how the match stands; ``None`` where every hand is settled by itself.
        cut_high: the ace that is the highest card of the cut, where one is (rule G-3).
        bone_ace: the ace that beats every other third card, where one does (rule BA-2).
        table: where the cards or bones of the game lie.
        target: the total that no hand may pass.
    """

    game: str
    preset: str
    phase: Phase
    hand_number: int
    stake: int
    seats: tuple[SeatView, ...]
    dealer: int | None = None
    turn: int | None = None
    card_asked: bool = False
    deal_to: tuple[int, bool] | None = None
    to_cut: tuple[int, ...] = ()
    to_reveal: tuple[int, ...] = ()
    may_reveal: tuple[int, ...] = ()
    bone: Bone | None = None
    result: ResultView | None = None
    cuts: tuple[tuple[int, Card], ...] = field(default=())
    stage: Stage | None = None
    bones_due: int = 0
    middle: MiddleView | None = None
    match: MatchView | None = None
    cut_high: Card | None = None
    bone_ace: Card | None = None
    table: TableKind = TableKind.SEATS
    target: int = 31

    def seat(self, number: int) -> SeatView:
        """Return the view of seat *number*.

        Raises:
            KeyError: nobody sits there.
        """
        for seat in self.seats:
            if seat.seat == number:
                return seat
        raise KeyError(f"nobody sits at seat {number}; seats taken: {[s.seat for s in self.seats]}")

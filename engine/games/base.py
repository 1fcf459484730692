"""What every game must be able to do; the sitting does all the rest.

A game knows one hand: dealing, turns, the end, the settlement. Cutting, misdeals, undo,
corrections, joining, the next dealer and the ledger belong to :mod:`engine.table`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from engine.cards import Card
from engine.errors import IllegalActionError
from engine.events import Claim, Event, Facing, PackEnd
from engine.hands import SeatHand
from engine.options import Preset
from engine.outcome import Bone, End, Result
from engine.players import Player
from engine.views import Phase

PlayT = TypeVar("PlayT", bound="Play")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is allowed next; prompts are drawn from these.

    Attributes:
        kind: the ``kind`` of the event.
        seat: who does it; ``None`` where the event names nobody (or, for a ``join``, any of the
            free seats).
        what: for a ``declare``, the claim.
        face: for a ``deal``, how the rules want the card laid. A card laid open by accident is
            taken too (rule BA-12).
        end: for a ``deal``, the only end of the pack allowed; ``None`` when either is.
        cards: how many cards the event must bring.
    """

    kind: str
    seat: int | None = None
    what: Claim | None = None
    face: Facing | None = None
    end: PackEnd | None = None
    cards: int = 0


@dataclass(frozen=True, slots=True)
class Play:
    """One hand of a game, from the first card to the end. Immutable.

    Attributes:
        eldest: the seats, eldest first, the dealer last (rule G-1).
        order: the seats in the order of turns; empty until it is determined.
        turn: whose turn it is, in play only.
        asked: the player whose turn it is waits for the card he asked for (rule OT-20).
        end: why the hand is over; ``None`` while it goes on.
    """

    options: Any
    dealer: int
    players: tuple[Player, ...]
    eldest: tuple[int, ...]
    hands: tuple[SeatHand, ...]
    phase: Phase = Phase.DEAL
    order: tuple[int, ...] = ()
    turn: int | None = None
    asked: bool = False
    bone: Bone | None = None
    end: End | None = None
    winners: tuple[int, ...] = ()

    def hand(self, seat: int) -> SeatHand:
        """Return the hand of *seat*."""
        for hand in self.hands:
            if hand.seat == seat:
                return hand
        raise IllegalActionError(
            "UNKNOWN_SEAT",
            f"nobody plays at seat {seat}; seats in the hand: {[h.seat for h in self.hands]}",
        )

    def seen(self, but: int | None = None) -> Iterator[Card]:
        """Iterate over the cards read so far, without those of seat *but*."""
        for hand in self.hands:
            if hand.seat != but:
                yield from (card for card in hand.cards if card is not None)

    def to_reveal(self) -> tuple[int, ...]:
        """Return the seats that must show their hands, in the order of turns (rule OT-18)."""
        if self.phase is not Phase.SHOWDOWN:
            return ()
        hands = map(self.hand, self.order)
        return tuple(hand.seat for hand in hands if not hand.out and hand.has_unread)


def with_hand(play: PlayT, hand: SeatHand) -> PlayT:
    """Return *play* with the hand of one seat replaced."""
    hands = tuple(hand if old.seat == hand.seat else old for old in play.hands)
    return replace(play, hands=hands)


class Game(ABC):
    """The rules of one game. Stateless: one object for each game stands in the registry."""

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str]
    presets: ClassVar[tuple[Preset, ...]]
    """The first one is the default."""
    options_type: ClassVar[type[Any]]
    min_players: ClassVar[int] = 2

    @abstractmethod
    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
    ) -> Play:
        """Return a hand before its first card; *order* holds the order of turns to a former one.

        A correction never changes the order of turns (rule G-10), so it passes the old one.
        """

    @abstractmethod
    def step(self, play: Any, event: Event) -> Play:
        """Return the hand after *event*.

        Raises:
            IllegalActionError: the event is not possible now.
        """

    @abstractmethod
    def leave(self, play: Any, seat: int) -> Play:
        """Return the hand after the player of *seat* went away in mid-play (rule G-17)."""

    @abstractmethod
    def actions(self, play: Any) -> tuple[Action, ...]:
        """Return what the rules of the game allow next."""

    @abstractmethod
    def total(self, play: Any, cards: Sequence[Card | None]) -> int | None:
        """Return the points of *cards*; ``None`` when one of them is unread."""

    @abstractmethod
    def result(self, play: Any) -> Result:
        """Return how a finished hand ended."""

    @abstractmethod
    def next_to_deal(self, play: Any) -> tuple[int, Facing] | None:
        """Return which seat gets the next card of the deal, and how it is laid."""

    def paid_so_far(self, play: Any) -> dict[int, int]:
        """Return net tokens that moved before the end of the hand, by seat: mostly none."""
        return {}

    def stick_for(self, play: Any, seat: int) -> Play | None:
        """Return the hand after *seat* counts as having stuck (G-11); ``None``: no such way."""
        return None

    def cut_rank(self, options: Any, card: Card) -> int:
        """Return the place of a card in the cut, the lowest deals (rules G-2, G-3)."""
        return card.rank.order

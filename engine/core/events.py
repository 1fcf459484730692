"""What can happen at the table: the only thing the engine takes and the journal keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, dataclass_transform

from engine.core.cards import Card
from engine.core.players import Player
from engine.core.tokens import Tokens


class Facing(StrEnum):
    """How a card is laid down."""

    UP = "up"
    DOWN = "down"


class PackEnd(StrEnum):
    """Which end of the pack a card comes from (rule OT-7)."""

    TOP = "top"
    BOTTOM = "bottom"


class Claim(StrEnum):
    """What a player says of their own hand (rule OT-17)."""

    OUT = "out"
    THIRTY_ONE = "31"


class Source(StrEnum):
    """Where a card is drawn from in Scat (rule SC-4)."""

    STOCK = "stock"
    DISCARD = "discard"


class Pile(StrEnum):
    """Cards of the deal that no player holds, or the dealer's other hand (BK-2, SW-1, SB-2)."""

    WIDOW = "widow"
    SECOND = "second"
    MIDDLE = "B"
    TABLE = "table"


class TableHand(StrEnum):
    """The two hands on the table of Switch: A was the dealer's, B lay in the middle (SW-1)."""

    A = "A"
    B = "B"


class Keep(StrEnum):
    """Which of their two hands the dealer of Switch keeps (rule SW-2)."""

    FIRST = "first"
    SECOND = "second"


EVENTS: list[type[Event]] = []
"""Every kind of event, in the order of this file."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Event:
    """What happened; each kind below is a frozen dataclass.

    Attributes:
        kind: its word in the event language; some kinds share theirs.
    """

    kind: ClassVar[str]

    def __init_subclass__(cls, kind: str) -> None:
        """Make a dataclass of the kind whose word is *kind*."""
        cls.kind = kind
        EVENTS.append(dataclass(frozen=True)(cls))


class Cut(Event, kind="cut"):
    """A player cuts a card for the deal (rule G-2)."""

    seat: int
    card: Card | None


class Deal(Event, kind="deal"):
    """A card comes to a player; ``card=None`` has not been read, ``end=None`` not been watched."""

    seat: int
    card: Card | None
    face: Facing = Facing.DOWN
    end: PackEnd | None = field(default=None, metadata={"key": "from"})


class Have(Event, kind="have"):
    """A player says "have it" (rule OT-6)."""

    seat: int


class Stick(Event, kind="stick"):
    """A player says "stick" (rule OT-6)."""

    seat: int


class Declare(Event, kind="declare"):
    """A player claims to be out or to have 31; *cards* in the order dealt (rule OT-17)."""

    seat: int
    what: Claim
    cards: tuple[Card | None, ...] = ()


class Reveal(Event, kind="reveal"):
    """A player lays their whole hand open, in the order dealt (rule OT-18)."""

    seat: int
    cards: tuple[Card | None, ...]


class Misdeal(Event, kind="misdeal"):
    """The hand is void, or hand number *hand* of the sitting, from 1 (rule G-13)."""

    reason: str = ""
    hand: int | None = None


class Undo(Event, kind="undo"):
    """The last accepted event since this hand began did not happen (rule G-14)."""


class Correct(Event, kind="correct"):
    """The card read as *was* is really *card* (rule G-10); *hand* as in a misdeal (rule G-12).

    With *discard*, from 0, it names a discard of *seat* that nobody had read (rule SC-28).
    """

    was: Card | None
    card: Card | None
    seat: int | None = None
    hand: int | None = None
    discard: int | None = None


class CorrectBone(Event, kind="correct"):
    """A bone of a throw really shows *face*: throw *roll* and place *pos*, both from 0 (KB-20)."""

    seat: int
    roll: int
    pos: int
    face: int
    hand: int | None = None


class NextHand(Event, kind="next_hand"):
    """The next hand begins; in knucklebones with the stakes of the next round (rule KB-2)."""

    stakes: Tokens = ()


class Join(Event, kind="join"):
    """A player sits down between hands (rule G-15)."""

    seat: int
    name: str = ""
    age: int | None = None
    stake: int | None = None

    def player(self) -> Player:
        """Return who sits down.

        Raises:
            PlayersError: a name that does not print, or an age that is none.
        """
        return Player(self.seat, self.name or f"Player {self.seat}", self.age)


class Leave(Event, kind="leave"):
    """A player goes (rules G-16, G-17)."""

    seat: int


class Entry(Event, kind="entry"):
    """Tokens change hands outside of any hand: net tokens by seat, and why (rule G-22)."""

    tokens: Tokens
    reason: str = ""


# --- knucklebones --------------------------------------------------------------------------------


class Stake(Event, kind="stake"):
    """A player lays their stake against the bank, before the first throw (rule KB-2)."""

    seat: int
    amount: int


class Roll(Event, kind="roll"):
    """Bones come to rest: their points 1, 3, 4, 6; 0 is cocked or unreadable (KB-4, KB-15)."""

    seat: int
    faces: tuple[int, ...]


class Choose(Event, kind="choose"):
    """A player says how many more bones they will throw (rule KB-5)."""

    seat: int
    n: int


# --- the Scat family -----------------------------------------------------------------------------


class DealTo(Event, kind="deal"):
    """A card comes to the table, or to the dealer's other hand (rules BK-2, SW-1, SB-2)."""

    to: Pile
    card: Card | None
    face: Facing = Facing.DOWN
    seat: int | None = None


class TurnUp(Event, kind="turn_up"):
    """The top card of the stock begins the discard (rule SC-3)."""

    card: Card | None


class ChooseHand(Event, kind="choose_hand"):
    """The dealer of Switch keeps a hand; *shown* is the other one, laid open (rule SW-2)."""

    seat: int
    keep: Keep
    shown: tuple[Card | None, ...] = ()


class Draw(Event, kind="draw"):
    """A player takes the top of the stock or of the discard (rule SC-4)."""

    seat: int
    source: Source = field(metadata={"key": "from"})
    card: Card | None = None


class Discard(Event, kind="discard"):
    """A player lays a card on the discard, back to three (rule SC-4)."""

    seat: int
    card: Card | None


class Knock(Event, kind="knock"):
    """A player knocks; "stop the bus", "nock" (rules SC-5, SB-3, SW-7)."""

    seat: int


class Stand(Event, kind="stand"):
    """A player stands on their cards in their last turn (rules SC-6, SB-8)."""

    seat: int


class Widow(Event, kind="widow"):
    """Cards of a hand change places with cards of the widow, places from 0 (rule BK-3)."""

    seat: int
    give: tuple[Card | None, ...]
    take: tuple[int, ...]
    got: tuple[Card | None, ...] = ()


class Exchange(Event, kind="exchange"):
    """A card changes places with card *pos*, from 0, of a hand on the table (rule SW-3)."""

    seat: int
    hand: TableHand
    pos: int
    give: Card | None
    got: Card | None = None


class SwapHand(Event, kind="swap"):
    """A player swaps their whole hand for one on the table of Switch (rule SW-4)."""

    seat: int
    hand: TableHand
    gave: tuple[Card | None, ...] = ()
    got: tuple[Card | None, ...] = ()


class SwapCards(Event, kind="swap"):
    """A player of Stop the bus swaps one or three cards with the table (rule SB-2)."""

    seat: int
    give: tuple[Card | None, ...]
    take: tuple[Card | None, ...]


class Renew(Event, kind="renew"):
    """Three new cards take the place of a hand on the table of Switch (rules SW-5, SW-6)."""

    seat: int
    hand: TableHand
    cards: tuple[Card | None, ...]
    face: Facing = Facing.UP


class Restart(Event, kind="restart"):
    """A player with more than 21 in one suit restarts Switch (rule SW-8)."""

    seat: int


class Accept(Event, kind="accept"):
    """Nobody restarts; the scoring goes on (rule SW-8)."""

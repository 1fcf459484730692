"""What can happen at the table: the only thing the engine takes and the journal keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from engine.core.cards import Card
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


@dataclass(frozen=True, slots=True)
class Cut:
    """A player cuts a card for the deal (rule G-2)."""

    kind: ClassVar[str] = "cut"
    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Deal:
    """A card comes to a player; ``card=None`` has not been read, ``end=None`` not been watched."""

    kind: ClassVar[str] = "deal"
    seat: int
    card: Card | None
    face: Facing = Facing.DOWN
    end: PackEnd | None = field(default=None, metadata={"key": "from"})


@dataclass(frozen=True, slots=True)
class Have:
    """A player says "have it" (rule OT-6)."""

    kind: ClassVar[str] = "have"
    seat: int


@dataclass(frozen=True, slots=True)
class Stick:
    """A player says "stick" (rule OT-6)."""

    kind: ClassVar[str] = "stick"
    seat: int


@dataclass(frozen=True, slots=True)
class Declare:
    """A player claims to be out or to have 31; *cards* in the order dealt (rule OT-17)."""

    kind: ClassVar[str] = "declare"
    seat: int
    what: Claim
    cards: tuple[Card | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """A player lays their whole hand open, in the order dealt (rule OT-18)."""

    kind: ClassVar[str] = "reveal"
    seat: int
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Misdeal:
    """The hand is void (rule G-13)."""

    kind: ClassVar[str] = "misdeal"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """The last accepted event of this hand did not happen (rule G-14)."""

    kind: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Correct:
    """The card read as *was* is really *card* (rule G-10)."""

    kind: ClassVar[str] = "correct"
    was: Card | None
    card: Card | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class CorrectBone:
    """A bone of a throw really shows *face*: throw *roll* and place *pos*, both from 0 (KB-20)."""

    kind: ClassVar[str] = "correct"
    seat: int
    roll: int
    pos: int
    face: int


@dataclass(frozen=True, slots=True)
class NextHand:
    """The next hand begins; in knucklebones with the stakes of the next round (rule KB-2)."""

    kind: ClassVar[str] = "next_hand"
    stakes: Tokens = ()


@dataclass(frozen=True, slots=True)
class Join:
    """A player sits down between hands (rule G-15)."""

    kind: ClassVar[str] = "join"
    seat: int
    name: str = ""
    age: int | None = None
    stake: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A player goes (rules G-16, G-17)."""

    kind: ClassVar[str] = "leave"
    seat: int


# --- knucklebones --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stake:
    """A player lays their stake against the bank, before the first throw (rule KB-2)."""

    kind: ClassVar[str] = "stake"
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Bones come to rest: their points 1, 3, 4, 6; 0 is cocked or unreadable (KB-4, KB-15)."""

    kind: ClassVar[str] = "roll"
    seat: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """A player says how many more bones they will throw (rule KB-5)."""

    kind: ClassVar[str] = "choose"
    seat: int
    n: int


# --- the Scat family -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DealTo:
    """A card comes to the table, or to the dealer's other hand (rules BK-2, SW-1, SB-2)."""

    kind: ClassVar[str] = "deal"
    to: Pile
    card: Card | None
    face: Facing = Facing.DOWN
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TurnUp:
    """The top card of the stock begins the discard (rule SC-3)."""

    kind: ClassVar[str] = "turn_up"
    card: Card | None


@dataclass(frozen=True, slots=True)
class ChooseHand:
    """The dealer of Switch keeps a hand; *shown* is the other one, laid open (rule SW-2)."""

    kind: ClassVar[str] = "choose_hand"
    seat: int
    keep: Keep
    shown: tuple[Card | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A player takes the top of the stock or of the discard (rule SC-4)."""

    kind: ClassVar[str] = "draw"
    seat: int
    source: Source = field(metadata={"key": "from"})
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A player lays a card on the discard, back to three (rule SC-4)."""

    kind: ClassVar[str] = "discard"
    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Knock:
    """A player knocks; "stop the bus", "nock" (rules SC-5, SB-3, SW-7)."""

    kind: ClassVar[str] = "knock"
    seat: int


@dataclass(frozen=True, slots=True)
class Stand:
    """A player stands on their cards in their last turn (rules SC-6, SB-8)."""

    kind: ClassVar[str] = "stand"
    seat: int


@dataclass(frozen=True, slots=True)
class Widow:
    """Cards of a hand change places with cards of the widow, places from 0 (rule BK-3)."""

    kind: ClassVar[str] = "widow"
    seat: int
    give: tuple[Card | None, ...]
    take: tuple[int, ...]
    got: tuple[Card | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A card changes places with card *pos*, from 0, of a hand on the table (rule SW-3)."""

    kind: ClassVar[str] = "exchange"
    seat: int
    hand: TableHand
    pos: int
    give: Card | None
    got: Card | None = None


@dataclass(frozen=True, slots=True)
class SwapHand:
    """A player swaps their whole hand for one on the table of Switch (rule SW-4)."""

    kind: ClassVar[str] = "swap"
    seat: int
    hand: TableHand
    gave: tuple[Card | None, ...] = ()
    got: tuple[Card | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SwapCards:
    """A player of Stop the bus swaps one or three cards with the table (rule SB-2)."""

    kind: ClassVar[str] = "swap"
    seat: int
    give: tuple[Card | None, ...]
    take: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Renew:
    """Three new cards take the place of a hand on the table of Switch (rules SW-5, SW-6)."""

    kind: ClassVar[str] = "renew"
    seat: int
    hand: TableHand
    cards: tuple[Card | None, ...]
    face: Facing = Facing.UP


@dataclass(frozen=True, slots=True)
class Restart:
    """A player with more than 21 in one suit restarts Switch (rule SW-8)."""

    kind: ClassVar[str] = "restart"
    seat: int


@dataclass(frozen=True, slots=True)
class Accept:
    """Nobody restarts; the scoring goes on (rule SW-8)."""

    kind: ClassVar[str] = "accept"


Event = (
    Cut
    | Deal
    | Have
    | Stick
    | Declare
    | Reveal
    | Misdeal
    | Undo
    | Correct
    | CorrectBone
    | NextHand
    | Join
    | Leave
    | Stake
    | Roll
    | Choose
    | DealTo
    | TurnUp
    | ChooseHand
    | Draw
    | Discard
    | Knock
    | Stand
    | Widow
    | Exchange
    | SwapHand
    | SwapCards
    | Renew
    | Restart
    | Accept
)

"""Playing cards: rank, suit, the pack, and cards nobody has read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import total_ordering

from engine.core.errors import BoneAceError


class CardCodeError(BoneAceError, ValueError):
    """A text that names no card."""


class Suit(StrEnum):
    """The four French suits; the value is the letter of the short form."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(StrEnum):
    """The thirteen ranks in the order of the cut, ace low (rule G-2)."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def order(self) -> int:
        """Place in the cut, from 0 for the ace to 12 for the king."""
        return _RANK_ORDER[self]

    @property
    def points(self) -> int:
        """Pips as their number, court cards 10, the ace 1 (rule OT-4)."""
        return _RANK_POINTS[self]


_RANK_ORDER = {rank: place for place, rank in enumerate(Rank)}
_RANK_POINTS = {rank: min(place, 10) for place, rank in enumerate(Rank, start=1)}


@total_ordering
@dataclass(frozen=True, slots=True)
class Card:
    """One card that has been read. An unread card is ``None`` wherever hands are kept.

    >>> Card.parse("TH")
    Card(TH)
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, code: str) -> Card:
        """Read a short form such as ``"AS"``, ``"TD"`` or ``"7H"``.

        Raises:
            CardCodeError: *code* is not a rank of ``A23456789TJQK`` and a suit of ``SHDC``.
        """
        try:
            rank, suit = tuple(code)
            return cls(Rank(rank), Suit(suit))
        except ValueError as problem:
            raise CardCodeError(
                f"unknown card {code!r}; write a rank of A23456789TJQK and a suit of SHDC, as 'TH'"
            ) from problem

    def __str__(self) -> str:
        """Return the short form, ``"TH"``."""
        return f"{self.rank}{self.suit}"

    def __repr__(self) -> str:
        """Return ``Card(TH)``."""
        return f"Card({self})"

    def __lt__(self, other: Card) -> bool:
        """Order by suit, then rank: for stable listings only, never a rule of a game."""
        return (self.suit, self.rank.order) < (other.suit, other.rank.order)


UNREAD = "??"
"""The short form of a card that nobody has read (rule G-6)."""


def deck() -> tuple[Card, ...]:
    """Return the 52 cards, suit by suit, ace first."""
    return tuple(Card(rank, suit) for suit in Suit for rank in Rank)


def parse_or_unread(code: str) -> Card | None:
    """Read a short form; ``"??"`` gives ``None``."""
    return None if code == UNREAD else Card.parse(code)


def code_of(card: Card | None) -> str:
    """Return the short form; ``None`` gives ``"??"``."""
    return UNREAD if card is None else str(card)

"""Hands that are partly unknown, and what may be claimed of them (rules G-6, G-8, G-20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.cards import Card, deck
from engine.core.fast_replace import replace
from engine.core.refusals import IllegalActionError, Refusal

PACK = frozenset(deck())
"""The whole pack; where no other one is agreed, the one in use (rule G-9)."""


@dataclass(frozen=True)
class PlayerCards:
    """What one seat holds and how it stands.

    Attributes:
        cards: in the order dealt; ``None`` has not been read (rule G-6).
        up: for each card, whether it lies face up.
        acted: the player has said something in this hand.
        shown: the whole hand was laid open by its owner.
        left: the player has gone; they count as out (rule G-17).
    """

    seat: int
    cards: tuple[Card | None, ...] = ()
    up: tuple[bool, ...] = ()
    acted: bool = False
    stuck: bool = False
    out: bool = False
    shown: bool = False
    left: bool = False

    @property
    def has_unread(self) -> bool:
        """Return whether a card of the hand has not been read."""
        return None in self.cards

    def take(self, card: Card | None, up: bool) -> PlayerCards:
        """Return the hand with one more card."""
        return replace(self, cards=(*self.cards, card), up=(*self.up, up))

    def lay_open(self, cards: Sequence[Card | None]) -> PlayerCards:
        """Return the hand shown to everybody, every card read."""
        return replace(self, cards=tuple(cards), shown=True)


def check_new_card(
    card: Card | None, seen: Iterable[Card], decks: int, pack: frozenset[Card] = PACK
) -> None:
    """Refuse a reading of a card that is already on the table or not in the *pack*.

    Raises:
        IllegalActionError: ``DUPLICATE_CARD`` (rule G-8) or ``NOT_IN_DECK`` (rule G-9).
    """
    if card is None:
        return
    if pack is not PACK and card not in pack:  # every card there is lies in the whole pack
        raise IllegalActionError(
            Refusal.NOT_IN_DECK, f"{card} is not in the pack in use; read the card again"
        )
    rank, suit = card.rank, card.suit
    lying = 0
    for other in seen:  # asked of every card on the table; ranks and suits are one of a kind
        if other.rank is rank and other.suit is suit:
            lying += 1
    if lying >= decks:
        raise IllegalActionError(
            Refusal.DUPLICATE_CARD,
            f"{card} is on the table already; read the card again, or correct the first reading",
        )


def check_shown_hand(
    hand: PlayerCards, cards: Sequence[Card | None], seen_elsewhere: Iterable[Card], decks: int
) -> None:
    """Refuse cards that cannot be this hand, in the order dealt (rule G-20).

    Raises:
        IllegalActionError: ``MISMATCH`` or ``DUPLICATE_CARD``.
    """
    if len(cards) != len(hand.cards) or None in cards:
        raise IllegalActionError(
            Refusal.MISMATCH,
            f"seat {hand.seat} holds {len(hand.cards)} cards; show every one of them",
        )
    for place, (known, card) in enumerate(zip(hand.cards, cards, strict=True), start=1):
        if known is not None and known != card:
            raise IllegalActionError(
                Refusal.MISMATCH,
                f"card {place} of seat {hand.seat} was read as {known}, now {card}; "
                "show the cards in the order dealt, or correct the reading first",
            )
    count = Counter(seen_elsewhere)
    for shown in cards:
        check_new_card(shown, count.elements(), decks)
        if shown is not None:
            count[shown] += 1

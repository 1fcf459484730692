"""One round of Thirty-one as it lies on the table: hands, stock, discard, and what lies beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards import Card
from engine.core.events import Source
from engine.core.fast_replace import replace
from engine.core.hands import PACK, PlayerCards, check_new_card
from engine.core.outcome import End, MatchState
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Tokens
from engine.games.base import Play, with_hand
from engine.games.scat import brag
from engine.games.scat.options import CARDS_DEALT, ScatOptions
from engine.games.scat.points import BLITZ, strength, value

Cards = tuple[Card | None, ...]

_SMALL_PACK = frozenset(card for card in PACK if card.rank not in tuple("23456"))
OPEN_HAND = "A"
"""The pile of Switch that lies open: the dealer's other hand, or the restarter's (SW-2, SW-8)."""


@dataclass(frozen=True, slots=True)
class ScatMatchState(MatchState):
    """What goes on from round to round.

    Attributes:
        eliminated: who is out of the match, those who left it among them (G-21, SC-26).
        entrants: who put a buy-in into the pot; empty where none is made.
        lives: ``(seat, lives left)`` of everybody who ever played the match.
        points: ``(seat, running total)`` (rule NE-6).
        pot: tokens left on the table by a drawn hand of Banking (rule BK-8).
        restart: the hand that lies open at the beginning of the next deal of Switch (SW-8).
    """

    entrants: tuple[int, ...] = ()
    lives: Tokens = ()
    points: Tokens = ()
    pot: int = 0
    restart: tuple[Card, ...] = ()

    def remaining(self) -> tuple[int, ...]:
        """Return who is still in a match with lives, by seat."""
        return tuple(seat for seat in self.entrants if seat not in self.eliminated)


@dataclass(frozen=True)
class ScatHand(PlayerCards):
    """A hand that is held, not dealt out: cards come and go, and some were seen to come.

    Attributes:
        known: for each card, whether everybody saw it go into the hand from an open place.
        acted: the player has finished a turn in this round.
        out: the player has gone or thrown in; the hand is worth nothing (rules SC-26, SC-27).
        thrown: what the player has thrown on the discard in this round, the last card last.
    """

    known: tuple[bool, ...] = ()
    thrown: tuple[Card | None, ...] = ()

    def take(self, card: Card | None, up: bool = False, known: bool = False) -> ScatHand:
        """Return the hand with one more card, held last."""
        return replace(
            self, cards=(*self.cards, card), up=(*self.up, up), known=(*self.known, known or up)
        )

    def without(self, place: int) -> ScatHand:
        """Return the hand without the card at *place*, from 0."""
        return replace(
            self,
            cards=self.cards[:place] + self.cards[place + 1 :],
            up=self.up[:place] + self.up[place + 1 :],
            known=self.known[:place] + self.known[place + 1 :],
        )

    def lay_open(self, cards: Sequence[Card | None]) -> ScatHand:
        """Return the hand shown to everybody, every card read."""
        same = len(cards)
        return replace(
            self, cards=tuple(cards), up=(True,) * same, known=(True,) * same, shown=True
        )

    @property
    def read_cards(self) -> list[Card]:
        """Return the cards of the hand that have been read."""
        return [card for card in self.cards if card is not None]


@dataclass(frozen=True, slots=True)
class Place:
    """A card on the table beside the hands, and whether it lies face up."""

    card: Card | None
    up: bool


@dataclass(frozen=True, slots=True)
class Thrown:
    """A card of the discard, and who threw it; nobody threw the first one (SC-3, SC-15).

    ``card=None`` was covered or taken before it could be read (rule SC-28).
    """

    card: Card | None
    seat: int | None


@dataclass(frozen=True)
class ScatPlay(Play):
    """One round, from the first card to the end. Immutable.

    Attributes:
        stock: how many cards lie in the stock (rule SC-3).
        discards: the discard, the top card last.
        piles: what lies on the table beside it, by the name of the pile (BK-2, SW-1, SB-2).
        gone: cards that left the game; they cannot be seen again (rule SW-5).
        drawn: where the card was drawn that the player whose turn it is still has to answer with
            a discard; ``None`` outside of that.
        before: how all lay before the unfinished turn, to make it void (rule SC-11).
        renewed: a hand was renewed face down in this turn, so it goes on (rule SW-6).
        stopper: who has swapped and may still stop the bus (rule SB-3).
        knocker: who knocked (rule SC-5).
        waiting: who has their last turn still to come (rule SC-6).
        last: who finished the last turn.
        ending: how the round ends once all have shown their hands.
        blitzed: who showed 31 (rule SC-11).
        restarter: who called for a new beginning (rule SW-8).
    """

    options: ScatOptions
    hands: tuple[ScatHand, ...]
    standing: ScatMatchState = ScatMatchState()
    stock: int = 0
    discards: tuple[Thrown, ...] = ()
    piles: tuple[tuple[str, tuple[Place, ...]], ...] = ()
    gone: tuple[Card, ...] = ()
    drawn: Source | None = None
    before: ScatPlay | None = None
    renewed: bool = False
    stopper: int | None = None
    knocker: int | None = None
    waiting: tuple[int, ...] = ()
    last: int | None = None
    ending: End | None = None
    blitzed: tuple[int, ...] = ()
    restarter: int | None = None

    def hand(self, seat: int) -> ScatHand:
        """Return the hand of *seat*.

        Raises:
            IllegalActionError: ``SEAT_OUT`` (rule G-21) or ``UNKNOWN_SEAT``.
        """
        for hand in self.hands:
            if hand.seat == seat:
                return hand
        if seat in self.standing.eliminated:
            raise IllegalActionError(
                Refusal.SEAT_OUT,
                f"seat {seat} is out of the match: no card and no turn; go on without",
            )
        raise IllegalActionError(
            Refusal.UNKNOWN_SEAT,
            f"nobody plays at seat {seat}; seats in the hand: {[h.seat for h in self.hands]}",
        )

    def seen(self, but: int | None = None) -> Iterator[Card]:
        """Iterate over the cards read so far, wherever they lie, without those of seat *but*."""
        yield from Play.seen(self, but)
        yield from (thrown.card for thrown in self.discards if thrown.card is not None)
        for _, places in self.piles:
            yield from (place.card for place in places if place.card is not None)
        yield from self.gone

    def pile(self, name: str) -> tuple[Place, ...]:
        """Return a pile on the table; an unknown one is empty."""
        return dict(self.piles).get(name, ())

    def with_pile(self, name: str, places: Iterable[Place]) -> ScatPlay:
        """Return the round with one pile laid again; without cards it is gone."""
        piles = {**dict(self.piles), name: tuple(places)}
        return replace(self, piles=tuple(pair for pair in piles.items() if pair[1]))

    @property
    def top(self) -> Thrown | None:
        """Return the top of the discard."""
        return self.discards[-1] if self.discards else None

    @property
    def active(self) -> tuple[int, ...]:
        """Return who is still in the round, eldest first; who threw in is (rule SC-27)."""
        return tuple(hand.seat for hand in self.hands if not hand.left)

    @property
    def holding(self) -> tuple[int, ...]:
        """Return who still holds a hand, eldest first (rule SC-27)."""
        return tuple(hand.seat for hand in self.hands if not hand.out)

    @property
    def has_begun(self) -> bool:
        """Return whether somebody has finished a turn."""
        return any(hand.acted for hand in self.hands)

    def value(self, seat: int) -> float | None:
        """Return what a hand is worth in suits; ``None``: not known, or no hand any more."""
        hand = self.hand(seat)
        return None if hand.out else self.value_of(hand.cards)

    def value_of(self, cards: Sequence[Card | None]) -> float | None:
        """Return what cards are worth by the options; ``None`` while one is unread."""
        return value(cards, self.options.three_kind, self.options.three_kind_suits)

    def strengths(self) -> dict[int, Any]:
        """Return what is compared, by seat: suit values, or Brag hands (rules SC-2, SB-1).

        A hand thrown in ranks below all others; the last one left above them, shown or not (SC-27).
        """
        nothing, best = (-1, BLITZ + 1) if self.options.ranking == "suit" else ((-1,), (BLITZ,))
        found: dict[int, Any] = dict.fromkeys(self.active, nothing)
        for seat in self.holding:
            hand = self.hand(seat)
            found[seat] = best if hand.has_unread else strength(hand.read_cards, self.options)
        return found

    def hand_name(self, cards: Sequence[Card | None]) -> str | None:
        """Return what three cards are in Brag (rule SB-1); ``None`` while one is unread."""
        known = [card for card in cards if card is not None]
        if self.options.ranking != "brag" or not len(known) == len(cards) == CARDS_DEALT:
            return None
        return brag.kind_of(known).words


def pack_of(options: ScatOptions) -> frozenset[Card]:
    """Return the cards in use: all, or seven to ace (rules G-9, ED-1)."""
    return PACK if options.deck == 52 else _SMALL_PACK


def refusal(code: Refusal, message: str) -> IllegalActionError:
    """Return the error to raise; the table stays as it is (rule G-19)."""
    return IllegalActionError(code, message)


def check_new(play: ScatPlay, card: Card | None, also: Iterable[Card] = ()) -> None:
    """Refuse a card that cannot come from the stock (rules G-8, G-9)."""
    check_new_card(card, (*play.seen(), *also), play.options.decks, pack_of(play.options))


def give_up(play: ScatPlay, seat: int, card: Card | None) -> tuple[ScatPlay, Card]:
    """Take a card out of a hand, to lie open; it may be one that had not been read (SC-23).

    Raises:
        IllegalActionError: ``UPCARD_UNREADABLE``, ``NOT_IN_HAND``, ``DUPLICATE_CARD``.
    """
    hand = play.hand(seat)
    if card is None:
        raise refusal(Refusal.UPCARD_UNREADABLE, "a card laid open must be read; straighten it")
    if card in hand.cards:
        place = hand.cards.index(card)
        held = hand.cards[place]
        assert held is not None
        return with_hand(play, hand.without(place)), held
    if not hand.has_unread:
        raise refusal(
            Refusal.NOT_IN_HAND,
            f"{card} is not in the hand of seat {seat}; read the card again, or correct the hand",
        )
    check_new(play, card)
    return with_hand(play, hand.without(hand.cards.index(None))), card


def check_any_order(
    seat: int, known: Cards, cards: Cards, elsewhere: Iterable[Card], options: ScatOptions
) -> None:
    """Refuse *cards* shown that cannot be the *known* three; here their order is free (rule G-20).

    Raises:
        IllegalActionError: ``MISMATCH``, ``DUPLICATE_CARD`` or ``NOT_IN_DECK``.
    """
    if len(cards) != len(known) or None in cards:
        raise refusal(
            Refusal.MISMATCH, f"seat {seat} holds {len(known)} cards; show every one of them"
        )
    read = Counter(card for card in known if card is not None)
    shown = Counter(card for card in cards if card is not None)
    if read - shown:  # which card is no business of the table's (rule G-7)
        raise refusal(
            Refusal.MISMATCH,
            f"a card read before in the hand of seat {seat} is not among those shown; show it, "
            "or correct the reading first",
        )
    pack, seen = pack_of(options), [*elsewhere, *read.elements()]
    for card in (shown - read).elements():
        check_new_card(card, seen, options.decks, pack)
        seen.append(card)

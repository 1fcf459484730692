"""What a history of Thirty-one believes of the mat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from device.croupier.history import History
from device.croupier.looks import Look, LyingCard, numbers_of
from device.croupier.scat.pile import Spot
from engine import State
from engine.core.cards import Card
from engine.core.fast_replace import replace
from engine.games.scat.play import ScatPlay
from vision.readings import Point

HAND = 3
"""Cards of a hand (rule SC-3)."""

Key = tuple[str, int]
"""A pile, and a place in it from 0."""

Tie = tuple[Key, int, Point]
"""A place, and the number of the card that lies there as the game knows it, and where."""

Ties = tuple[Tie, ...]


@dataclass(frozen=True)
class ScatMat:
    """What a history believes of the mat.

    Attributes:
        spent: cards of the hand before, or of a finished cut.
        left: those of them as they lay at the last rest before the first turn.
        dealt: backs that were counted as dealt.
        pile: for each card of the discard where it lay last, the bottom first.
        seen: cards of the discard that were read there, and how many events there were then.
        unseen: its only card is taken to lie there, though it was not seen at the last rest.
        rested: so many of them, from the bottom, lay there at the last rest.
        stock: where the back on the stock lay; ``None`` while none has been seen.
        drew: somebody has drawn from the stock since it was last seen to lie otherwise.
        over: the places that hands covered in the turn that is going on.
        others: after the hand that drew another one came over the mat, before the card was laid.
        turns: how many turns were finished since the last rest.
        ties: which cards lie at the places of the piles in the middle.
        early: cards laid open too early, which mean nothing yet.
        afar: cards of hands laid open off their own place, and whose they are.
        all_shown: all hands lie open after a call of 31, which they need not.
        loose: backs that are none of the stock, hands thrown in or strays, and where they lie.
        away: whose hands lie there.
        extra: the two cards that a player laid on the discard at once; one will be taken back.
        lost: what was drawn and laid is not known any more, for it led to hands that contradict it.
        swept: all cards were gathered though somebody had still to show: what comes is the next
            hand's.
        unnamed: the first card of the discard while nobody has read it.
        knocked: who knocked by a button at the own seat.
    """

    spent: frozenset[int] = frozenset()
    left: tuple[LyingCard, ...] = ()
    dealt: frozenset[int] = frozenset()
    pile: tuple[Spot | None, ...] = ()
    seen: tuple[tuple[Card, int], ...] = ()
    unseen: bool = False
    rested: int = 0
    stock: Spot | None = None
    drew: bool = False
    over: frozenset[str] = frozenset()
    others: bool = False
    turns: int = 0
    ties: Ties = ()
    early: frozenset[int] = frozenset()
    afar: tuple[tuple[int, int], ...] = ()
    all_shown: bool = False
    loose: tuple[tuple[int, Point], ...] = ()
    away: frozenset[int] = frozenset()
    extra: frozenset[int] = frozenset()
    lost: bool = False
    swept: bool = False
    unnamed: LyingCard | None = None
    knocked: int | None = None

    def passed(self) -> ScatMat:
        """Return the mat after a turn in which no card was touched."""
        return replace(self, over=frozenset())


At = History[ScatMat]


def play_of(state: State) -> ScatPlay | None:
    """Return the hand; ``None`` while cards are cut and after a misdeal."""
    play = state.live_play
    assert play is None or isinstance(play, ScatPlay)
    return play


def backs_of(look: Look) -> Iterator[LyingCard]:
    """Yield the cards that lie face down."""
    return (card for card in look.cards if not card.is_up)


def numbers_of_backs(look: Look) -> frozenset[int]:
    """Return the numbers of the cards that lie face down."""
    return numbers_of(backs_of(look))


def places_of(cards: Iterable[LyingCard]) -> tuple[tuple[int, Point], ...]:
    """Return the numbers of cards, each with where it lies."""
    return tuple(sorted((card.number, card.centre) for card in cards))

"""Cards left over on the mat: of the cut, or of the hand before, which the next deal begins with.

What is laid just where one of them lay looks like that one, and so does one that is dealt again
before the mat was seen without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from device.croupier.assumptions import Assumption
from device.croupier.looks import PUT_BACK_MM, Look, LyingCard
from device.croupier.moves import Move
from engine.table.hand import HandState


class MatLeftOver(Protocol):
    """What a history believes of a mat on which cards may be left over."""

    @property
    def spent(self) -> frozenset[int]:
        """Return the numbers of cards that are nobody's."""

    @property
    def left(self) -> tuple[LyingCard, ...]:
        """Return those of them that are left over, as they lay at the last rest."""


M = TypeVar("M", bound=MatLeftOver)


def lying_over(spent: frozenset[int], look: Look) -> tuple[LyingCard, ...]:
    """Return the cards that are left over as they lie now."""
    return tuple(card for card in look.cards if card.number in spent)


def laid_anew(mat: MatLeftOver, look: Look) -> frozenset[int]:
    """Return the numbers of cards of a cut that are other ones now: whoever ties cuts again.

    A face that reads otherwise although nobody came near was misread, then or now.
    """
    if look.hands == () and not look.blind:
        return frozenset()
    now = {card.number: card.card for card in look.cards if card.is_up}
    return frozenset(
        was.number
        for was in mat.left
        if was.card is not None and now.get(was.number, was.card) not in (None, was.card)
    )


def with_cut(mat: M, look: Look, hand: HandState) -> M:
    """Return *mat* where the open cards of those who need not cut any more are nobody's.

    They may have been lifted and laid again since. Once the deal is due, only what looks like what
    its player has cut, while others' cards of the cut still lie there.
    """
    last = dict(hand.last_cuts)
    cut = frozenset(
        card.number
        for card in look.cards
        if card.is_up and card.seat is not None and card.seat not in hand.to_cut
        if hand.to_cut or (card.card is not None and last.get(card.seat) == card.card)
    )
    others = any(look.card(was.number) is not None for was in mat.left)
    if cut <= mat.spent or not (hand.to_cut or others):
        return mat
    changed: Any = replace(mat, spent=mat.spent | cut)  # type: ignore[type-var]
    return changed  # type: ignore[no-any-return]


def gathered(
    mat: M, look: Look, dealer: int | None, may_be_dealt: Callable[[LyingCard], bool]
) -> Iterator[Move[M]]:
    """Offer that what lies otherwise than it was left was gathered, and dealt where it lies now.

    Else it was only pushed or turned over. Where others are gone it is likelier that all were
    gathered; so it is where the dealer did it, and none lies as it lay.
    """
    changed = _changed(mat, look, may_be_dealt)
    if not changed:
        return
    numbers = frozenset(card.number for card in changed)
    others = [was for was in mat.left if was.number not in numbers]
    deals = dealer in (look.hands or ()) and changed[0].seat != dealer
    if len(changed) > 1:  # nobody but the dealer touches those of several players
        deals = look.hands is None or bool({dealer, None} & {*look.hands})
    again = any(look.card(was.number) is None for was in others) or (deals and not others)
    word = (Assumption.STRAY,) * 2
    dealt: Any = replace(mat, spent=mat.spent - numbers)  # type: ignore[type-var]
    yield Move((), dealt, () if again else word, about=numbers)
    still: Any = replace(mat, left=(*others, *changed))  # type: ignore[type-var]
    yield Move((), still, word if again else (), about=numbers)


def _changed(
    mat: MatLeftOver, look: Look, may_be_dealt: Callable[[LyingCard], bool]
) -> list[LyingCard]:
    """Return the cards left over that lie otherwise now, of those that may be dealt."""
    found = []
    for was in mat.left:
        card = look.card(was.number)
        if card is None or card.number not in mat.spent or not may_be_dealt(card):
            continue
        there = math.dist(was.centre, card.centre) <= PUT_BACK_MM
        if not there or (was.side, was.seat) != (card.side, card.seat):
            found.append(card)
    return found

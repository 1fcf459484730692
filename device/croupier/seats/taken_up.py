"""Cards that were taken up and are laid back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from device.croupier.assumptions import Assumption
from device.croupier.looks import SPREAD_MM, Look, LyingCard, is_strewn, numbers_of
from device.croupier.moves import Move
from device.croupier.seats import on_mat
from device.croupier.seats.mat import TAKEN_UP, At, SeatMat, numbers_in, play_of
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.views import Phase

APART_MM = 50.0
"""Cards of a hand whose middles are this far from each other were laid out one by one."""


def laid_back(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer cards of a hand that was taken up: all of a place are laid back, or shown.

    What several lay back that costs nothing is offered together first: one after the other
    would be as many ways as there are orders.
    """
    new = list(on_mat.new_cards(at, look))
    ways: list[Move[SeatMat]] = []
    free: list[Move[SeatMat]] = []
    together = at.mat
    for hand in play_of(at).hands:
        here = [card for seat, card in new if seat == hand.seat]
        lying = numbers_of(on_mat.lying_at(at, look, hand.seat))
        there = lying & numbers_of(here)  # they lie just where they lay
        held = len(hand.cards) - len(lying - there)
        if not here or len(here) > held or _are_others(at, look, hand, here):
            continue
        astray = on_mat.left_astray(at, look, hand.seat)
        if len(here) == len(astray) == 1:  # the card that came to a neighbour is put right
            ways.append(Move((), at.mat.renamed(hand.seat, astray[0], here[0].number)))
            continue
        why = _why_laid_back(at, hand, new, held, look)
        if len(there) == held > 1:
            why = on_mat.by_hand(look, hand.seat)  # the whole hand lies as it lay
        if len(here) < held and on_mat.makes_target(at, look, hand.seat):
            why = (*why, *[Assumption.LAID_BACK] * 3)  # that is all of it
        mat = _with_back(at.mat, hand.seat, here, there)
        (ways if why else free).append(Move((), mat, why))
        if not why:
            together = _with_back(together, hand.seat, here, there)
        aside = _aside(at, new, look, here, held - len(here))
        if aside:
            slid = (Assumption.SLID, *on_mat.by_hand(look, hand.seat))
            ways.append(Move((), mat.laid_back(hand.seat, aside), slid))
    if len(free) > 1:
        yield Move((), together)
    if len(free) < 2 or play_of(at).phase is not Phase.SHOWDOWN:  # else they are nothing else
        yield from free
    yield from ways


def laid_elsewhere(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that a player laid the whole closed hand at another place, to take it up again."""
    new = list(on_mat.new_cards(at, look))
    places, cards = {seat for seat, _ in new}, [card for _, card in new]
    if any(card.is_up for card in cards):
        return
    gone = at.mat.lying - numbers_in(look)
    for hand in play_of(at).hands:
        numbers = at.mat.hand(hand.seat)
        whole = len(cards) == len(numbers) > 1 and gone.issuperset(numbers)
        alone = {*(look.hands or ())} == {hand.seat}
        if not hand.out and whole and alone and len(places - {hand.seat}) == 1:
            mat = at.mat.laid_back(hand.seat, cards)
            mat = mat.with_numbers(hand.seat, [TAKEN_UP] * len(numbers))
            yield Move((), mat, (Assumption.LAID_ASIDE,), about=numbers_of(cards))


def _are_others(at: At, look: Look, hand: PlayerCards, here: list[LyingCard]) -> bool:
    """Return whether open cards lie for others that are known: one reads otherwise."""
    lying, numbers = numbers_in(look), at.mat.hand(hand.seat)
    gone = [card for n, card in zip(numbers, hand.cards, strict=False) if n not in lying]
    faces = {card.card for card in here if card.is_up}
    return None not in {*gone, *faces} and len(faces) == len(gone) and faces != {*gone}


def _why_laid_back(
    at: At,
    hand: PlayerCards,
    new: Sequence[tuple[int, LyingCard]],
    held: int,
    look: Look,
) -> tuple[Assumption, ...]:
    """Return how unusual it is that of the *held* cards of a hand those of *new* are laid back.

    *new* are the cards that came to lie at places, each with the seat.
    """
    play, here = play_of(at), [card for seat, card in new if seat == hand.seat]
    own = play.turn == hand.seat and not hand.stuck
    if look.blind:
        return ()
    if own and play.asked:
        # One card is rather the one that is awaited; a whole hand is not.
        whole = len(here) == held > 1
        return (Assumption.LAID_BACK,) if whole else (Assumption.LAID_BACK_ASKED,)
    hand_seen = on_mat.by_hand(look, hand.seat)
    if is_strewn(here) and not any(card.is_up for card in here):
        return (Assumption.LAID_BACK_STREWN, *hand_seen)
    shown = all(card.is_up for card in here)
    if len(here) == held or (shown and not _lie_apart(here)):
        return hand_seen
    hands = {None} if look.hands is None else {*look.hands}
    dealt = bool(hands & {at.state.dealer, None})
    if len(here) == 1 and not shown and hand.seat in hands:
        # Their own hand laid it: the others lie under it, unless the dealer brought it.
        several = len({seat for seat, _ in new}) > 1
        return () if several or not dealt else (Assumption.LAID_BACK,)
    word = Assumption.LAID_BACK_TURN if own and not shown else Assumption.LAID_BACK
    return (word, *hand_seen)


def _lie_apart(cards: list[LyingCard]) -> bool:
    """Return whether several cards lie so far from each other that they hide none of the hand."""
    return len(cards) > 1 and all(
        math.dist(one.centre, other.centre) >= APART_MM
        for place, one in enumerate(cards)
        for other in cards[:place]
    )


def _with_back(
    mat: SeatMat, seat: int, cards: Sequence[LyingCard], there: frozenset[int]
) -> SeatMat:
    """Return *mat* with *cards* laid back by *seat*, those numbered in *there* as they lay."""
    mat = replace(mat, lying=mat.lying | there)
    return mat.laid_back(seat, (card for card in cards if card.number not in there))


def _aside(
    at: At,
    new: Sequence[tuple[int, LyingCard]],
    look: Look,
    here: Sequence[LyingCard],
    left: int,
) -> list[LyingCard]:
    """Return the open cards at other places that may be the *left* ones of the hand *here*.

    Of a hand that is not whole they are those that lie in its row; so are those between the places,
    such as one that lies half off the mat.
    """
    if not all(card.is_up for card in here):
        return []
    aside = [card for _, card in new if card.is_up and card.seat != here[0].seat]
    if len(aside) != left:
        aside = [card for card in aside if _is_of_row(card, look, here)]
    aside += [
        card
        for card in look.in_zone(None)
        if card.is_up and not at.mat.knows(card.number) and _is_of_row(card, look, here)
    ]
    return aside if len(aside) <= left else []


def _is_of_row(card: LyingCard, look: Look, row: Sequence[LyingCard]) -> bool:
    """Return whether a card continues a *row* at another place, and lies off its own neighbours."""
    apart = math.inf
    if card.seat is not None:
        apart = on_mat.nearest(card, look.at_seat(card.seat))
    return on_mat.nearest(card, row) <= SPREAD_MM < apart

"""Hands that are thrown in, given up, turned down or laid aside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from device.croupier.assumptions import Assumption, cost_of
from device.croupier.looks import (
    Look,
    LyingCard,
    Said,
    is_strewn,
    numbers_of,
    too_wide_for_one_throw,
)
from device.croupier.moves import Move
from device.croupier.seats import on_mat, showing
from device.croupier.seats.mat import (
    SHORT_RESTS,
    UNKNOWN,
    At,
    SeatMat,
    numbers_in,
    play_of,
)
from engine.core.events import Claim, Declare
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.views import Phase
from vision.readings import ZoneKind

HEAP_MM = 30.0
"""So near to a card that was thrown in the others of its heap come to light."""


def given_up(at: At, look: Look, said: Said) -> Iterator[Move[SeatMat]]:
    """Offer that NEXT tells that whoever has no card there and shows none has thrown in (G-17).

    It may have been pressed too early as well.
    """
    play = at.state.live_play
    if play is None or play.phase is not Phase.SHOWDOWN:
        return
    unshown = [hand.seat for hand in play.hands if not hand.out and not hand.shown]
    gone = [s for s in unshown if not on_mat.cards_here(at, look, s, unknown=True)]
    yield Move((), at.mat, said=said)
    if gone and len(unshown) < sum(not hand.out for hand in play.hands):
        away = replace(at.mat, away=at.mat.away | {*gone})
        events = tuple(Declare(seat, Claim.OUT) for seat in gone)
        yield Move(events, away, (Assumption.THROWN_IN,), said)


def throws_in(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer hands thrown into the middle, or turned face down (rules G-17, OT-17)."""
    yield from _turns_down(at, look)
    play, middle = play_of(at), on_mat.in_middle(at, look)
    if middle and len(middle) <= at.mat.hidden and not showing.is_turned_up(at, look):
        why = _why_not_new(at, look)
        yield Move((), at.mat.without(middle, at.mat.hidden - len(middle)), why)
    elif middle:
        several = _is_own_hand(at, look) and len(middle) > 1
        stray = (Assumption.STRAY,) * (3 if several else min(3, len(middle)))
        yield Move((), at.mat.without(middle), max(stray, _why_not_new(at, look), key=len))
    new = [(seat, card) for seat, card in on_mat.new_cards(at, look) if not card.is_up]
    heap = come_to_light(at, look, [card for _, card in new])
    if heap:
        yield Move((), at.mat.without(heap, at.mat.hidden - len(heap)))
    wide = too_wide_for_one_throw(card for _, card in new)
    for hand in play.hands:
        # Where several players laid something down, each did at their own place.
        own = [(seat, card) for seat, card in new if seat == hand.seat]
        yield from _throw(at, look, hand, middle, own if wide else new)


def laid_aside(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that a hand that is out, or the stock, lies face down at somebody's place."""
    play, mat = play_of(at), at.mat
    gone = mat.lying - numbers_in(look)
    out = {n for hand in play.hands if hand.out for n in mat.hand(hand.seat)}
    new = [card for _, card in on_mat.new_cards(at, look)]
    # Nobody's card that lay there is the stock; who has asked gets a card from it.
    stock = {n for n in gone if mat.owner(n) is None} - mat.spent - mat.exposed - mat.fallen
    if stock and len(new) == 1 and not (play.asked or look.in_zone(ZoneKind.STOCK)):
        aside = new
    elif out & gone:
        aside = [card for card in new if card.seat != play.turn]
    else:
        return
    if aside and not any(card.is_up for card in aside):
        yield Move((), mat.without(aside), (Assumption.STRAY,), about=numbers_of(aside))


def _throw(
    at: At,
    look: Look,
    hand: PlayerCards,
    middle: list[LyingCard],
    new: Sequence[tuple[int, LyingCard]],
) -> Iterator[Move[SeatMat]]:
    """Offer that a hand was thrown in, of which cards are not at its place.

    Args:
        at: the history.
        look: what is seen.
        hand: whose cards they may be.
        middle: cards in the middle that nobody has explained.
        new: backs that came to lie at somebody's place, each with the seat.
    """
    play = play_of(at)
    gone = len(hand.cards) - len(on_mat.cards_here(at, look, hand.seat))
    if gone < 1 or (hand.out and (hand.shown or hand.seat in at.mat.away)):
        return  # of cards thrown in before only the hidden ones can still show
    row = showing.row_of(at, look, hand)
    if len(row) == gone:
        return  # a hand that lies open is shown (rule OT-18), wherever it lies
    aside = [card for _, card in new]
    places = [card for seat in {seat for seat, _ in new} for card in look.at_seat(seat)]
    strewn, cards = is_strewn([*middle, *places]), [*middle, *aside]
    assumed = _whose_hand(at, look, hand.seat)
    if hand.out:  # they came to light only now
        assumed = max(assumed, _why_not_new(at, look), key=cost_of)
    else:
        assumed = (Assumption.THROWN_IN, *assumed, *(Assumption.STRAY,) * bool(row))
    events = () if hand.out else (Declare(hand.seat, Claim.OUT),)
    doubt = (Assumption.STRAY,) * (gone < len(hand.cards) and not hand.out)
    ways = [(middle, (*assumed, *doubt))] if middle else []
    seen = hand.seat in (look.hands or ())
    seen = seen or (None in (look.hands or ()) and _is_throw(at, look, hand))
    # The one card that the dealer brings is the one that was asked for.
    dealer_seen = at.state.dealer in (hand.seat, *(look.hands or ()))
    deals = play.asked and dealer_seen and len(cards) == 1
    brings = deals and not is_strewn(cards)
    by_throw = strewn or (seen and _is_throw(at, look, hand))
    elsewhere = any(seat != hand.seat for seat, _ in new)
    alone = {*(look.hands or ())} == {hand.seat} != {at.state.dealer}
    took_up = on_mat.took_up(at, look, hand)
    by_side = alone or len(cards) > 1 or took_up
    # Of a hand thrown down at its own place not every card shows.
    at_home = alone and took_up and len(aside) > 1
    if aside and by_throw and not brings:  # they came to lie at somebody's place
        # One who sits there, and held their cards, has rather laid down their own.
        others = ({seat for seat, _ in new} - {hand.seat}) & {*(look.hands or ())}
        holding = (play.hand(seat) for seat in others)
        theirs = any(len(o.cards) > len(on_mat.at_own_place(at, look, o.seat)) for o in holding)
        # So has who lays them at their own place while another one plays.
        at_ease = len(aside) > 1 and not elsewhere and play.turn not in (None, hand.seat)
        ways.append((cards, (*assumed, *(Assumption.STRAY,) * (2 * theirs + at_ease))))
    elif seen and (by_side if elsewhere else at_home):
        part = elsewhere and gone < len(hand.cards)  # nobody throws in one card of three
        stray = (Assumption.STRAY,) * (3 if brings or part else 1 if elsewhere else 2)
        ways.append((cards, (*assumed, *stray)))
    for thrown, why in ways:
        away = thrown[: len(hand.cards)]
        took = numbers_of(away)
        mat = at.mat.without(away, at.mat.hidden + max(0, gone - len(took)))
        mat = replace(mat, away=mat.away | {hand.seat})
        yield Move(events, mat, why, about=took)


def come_to_light(at: At, look: Look, backs: Sequence[LyingCard]) -> Sequence[LyingCard]:
    """Return those of new *backs* that are of a heap thrown in at somebody's place.

    Of such a heap a camera tells now these and now those.
    """
    heap = [card.centre for card in look.cards if card.number in at.mat.backs]
    near = [c for c in backs if any(math.dist(c.centre, other) <= HEAP_MM for other in heap)]
    return near[: at.mat.hidden]


def _is_own_hand(at: At, look: Look) -> bool:
    """Return whether nobody deals, and all hands that were seen are of players with cards."""
    play = play_of(at)
    holding = {hand.seat for hand in play.hands if not hand.out and hand.cards}
    return bool(look.hands) and holding >= {*(look.hands or ())} and not play.asked


def _turns_down(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer open cards turned face down: thrown in, or nothing at all."""
    for seat in on_mat.turned_down(at, look):
        about = numbers_of(on_mat.lying_at(at, look, seat))
        event = Declare(seat, Claim.OUT)
        away = replace(at.mat, away=at.mat.away | {seat})
        # Where the backs beside it are gone they rather lie on it: the hand was squared up.
        squared = len(about) == 1 and on_mat.took_up(at, look, play_of(at).hand(seat))
        doubt = (Assumption.STRAY,) * (3 * squared)
        yield Move((event,), away, (Assumption.THROWN_IN, *doubt), about=about)
        turned = {n for n in at.mat.hand(seat) if n > UNKNOWN}
        back = replace(at.mat, hands=_without(at.mat.hands, seat, turned))
        loose = tuple(sorted({*at.mat.loose, *((n, seat) for n in turned)}))
        # By one's own hand it counts as the word (G-17); somebody else may only tidy up.
        own = (Assumption.STRAY,) if look.hands == (seat,) else ()
        why = () if squared else (Assumption.TURNED_DOWN, *own)
        yield Move((), replace(back, loose=loose), why)


def _is_throw(at: At, look: Look, hand: PlayerCards) -> bool:
    """Return whether no card is dealt any more, and those of *hand* are gone from its place."""
    return play_of(at).phase is Phase.SHOWDOWN and on_mat.took_up(at, look, hand)


def _why_not_new(at: At, look: Look) -> tuple[Assumption, ...]:
    """Return how unusual it is that cards thrown in before show only now."""
    hands = look.hands or ()
    unlikely: tuple[Assumption, ...] = ()
    for hand in play_of(at).hands:
        if hand.out or not {hand.seat, None} & {*hands}:
            continue
        lay = at.mat.lying & frozenset(at.mat.hand(hand.seat)) - at.mat.spent
        here = len(on_mat.at_own_place(at, look, hand.seat))
        alone = {*hands} == {hand.seat}
        if lay - numbers_in(look) or (alone and not here):
            return (Assumption.STRAY,) * 3  # whose cards are gone, or held, has thrown them in
        if hand.seat in hands and here < len(hand.cards):
            unlikely = (Assumption.STRAY,)
    return unlikely


def _whose_hand(at: At, look: Look, seat: int) -> tuple[Assumption, ...]:
    """Return how unusual it is that the cards in the middle came from *seat*."""
    if look.hands is not None and seat in look.hands:
        return ()
    own = play_of(at).turn in (None, seat)
    return on_mat.by_hand(look, seat) or (() if own else (Assumption.OUT_OF_TURN,))


def unshown(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that whoever shows no card, when all others have shown, has thrown in."""
    for seat, cards, rests in at.mat.short:
        waited = cards == 0 and rests == SHORT_RESTS and not play_of(at).hand(seat).out
        here = on_mat.cards_here(at, look, seat, unknown=True)
        # Of several whose hands lie face down, as they were dealt, each may still be shown.
        lies = len(at.mat.short) > 1 and len(here) == len(play_of(at).hand(seat).cards)
        if waited and not (lies or any(card.is_up for card in here)):
            away = replace(at.mat, away=at.mat.away | {seat})
            yield Move((Declare(seat, Claim.OUT),), away, (Assumption.THROWN_IN,))
            waits = at.mat.short ^ {(seat, 0, rests), (seat, 0, rests + 1)}
            yield Move((), replace(at.mat, short=waits), (Assumption.STRAY,))


def _without(
    hands: tuple[tuple[int, tuple[int, ...]], ...], seat: int, numbers: set[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return *hands* where these cards of *seat* are not known apart any more."""
    return tuple(
        (each, tuple(UNKNOWN if each == seat and n in numbers else n for n in held))
        for each, held in hands
    )

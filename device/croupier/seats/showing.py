"""Hands that are laid open: in which order they were dealt, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from device.croupier.assumptions import Assumption
from device.croupier.legal import is_legal
from device.croupier.looks import SPREAD_MM, Look, LyingCard, numbers_of, rows_of
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats import on_mat
from device.croupier.seats.mat import SHORT_RESTS, At, SeatMat, numbers_in, play_of
from device.croupier.seats.orders import orders
from engine import State
from engine.core.cards import Card
from engine.core.events import Claim, Declare, Event, Reveal
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.views import Phase
from vision.readings import ZoneKind


def claims(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer a hand that lies open whole, in each order that may matter (G-20).

    Of several the first is tried; which of them is shown first makes no difference.
    """
    for hand, lying in open_hands(at, look):
        about = numbers_of(lying)
        ways = _orders(at, hand, lying)
        found = False
        for cards, last in ways:
            assumed = (Assumption.ORDER,) if len(ways) > 1 else ()
            if last < len(cards) - 1:
                assumed = (Assumption.TOOK_MORE,)
            event = claim(at.state, hand.seat, cards)
            if event is not None:
                found = True
                mat = at.mat.shown(hand.seat, cards, lying)
                yield Move((event,), mat, assumed, about=about)
        if found:
            return


def shown_astray(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer a hand that lies open with cards that had slid to a neighbour's place.

    All of the neighbour's own cards lie there as well, and further off than those of the hand.
    """
    for hand in play_of(at).hands:
        lying = on_mat.lying_at(at, look, hand.seat)
        slid = [c for c in lying if c.is_up and on_mat.is_of_another(at.mat, c)]
        if not slid or len(lying) < len(hand.cards) or not all(c.is_up for c in lying):
            continue
        others = [each for each in play_of(at).hands if each.seat in {c.seat for c in slid}]
        theirs = [on_mat.cards_here(at, look, each.seat) for each in others]
        whole = all(len(here) == len(o.cards) for here, o in zip(theirs, others, strict=True))
        nearest = on_mat.nearest
        if whole and all(nearest(c, lying) < nearest(c, chain(*theirs)) for c in slid):
            yield Move((), at.mat.laid_back(hand.seat, slid), about=numbers_of(slid))


def shown_afar(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that what somebody held is laid open, but not at the own place.

    Whose arm was there is seen, or all of it lies there; what lies open there is in one row.
    """
    for hand in play_of(at).hands:
        row = row_of(at, look, hand)
        if row and not hand.out:
            why = on_mat.by_hand(look, hand.seat)
            yield Move((), at.mat.laid_back(hand.seat, row), why, about=numbers_of(row))


def row_of(at: At, look: Look, hand: PlayerCards) -> list[LyingCard]:
    """Return the row off the own place in which a player laid open what they held; or none.

    Between the places not all of it need show yet.
    """
    hands, mat = {*(look.hands or ())}, at.mat
    if not hands or not look.turned_up:
        return []
    by_another = hand.seat not in hands
    laying = [other.seat for other in play_of(at).hands if other.seat in hands]
    if by_another and any(on_mat.held(at, look, seat) for seat in laying):
        return []  # it may be of who laid it there
    here = on_mat.cards_here(at, look, hand.seat)
    own = (c for c in on_mat.cards_here(at, look, hand.seat, unknown=True) if c.is_up)
    if sum(card.number not in look.across for card in own) >= len(hand.cards):
        return []  # all of it lies open at its own place
    row = [
        card
        for card in look.cards
        if card.number in look.turned_up and card not in here
        if card.seat not in hands or (by_another and card.seat != hand.seat)
        if mat.owner(card.number) in (None, hand.seat) and not mat.is_spent(card)
    ]
    held = len(hand.cards) - len(here)
    if not 1 < len(row) <= held or (by_another and len(row) < len(hand.cards)):
        return []
    if all(_may_be_own(at, look, card, len(row)) for card in row):
        return []  # it lies as the hand of who sits there does
    whole = len(row) == held or all(card.zone is not ZoneKind.SEAT for card in row)
    return row if whole and 1 in (len(rows_of(row)), len(rows_of([*row, *here]))) else []


def _may_be_own(at: At, look: Look, card: LyingCard, cards: int) -> bool:
    """Return whether a card may be of who sits where it lies, with *cards* of that hand."""
    if card.zone is not ZoneKind.SEAT or card.number in look.across:
        return False
    hand = next((h for h in play_of(at).hands if h.seat == card.seat and not h.out), None)
    if hand is None:
        return False
    return len(hand.cards) - len(on_mat.cards_here(at, look, hand.seat)) >= cards


def is_turned_up(at: At, look: Look) -> bool:
    """Return whether cards lie open of a hand that seemed thrown in: at its place, or a row."""
    mat = at.mat
    shown = (c for c in look.cards if c.is_up and mat.owner(c.number) in (None, c.seat))
    if any(c.seat in mat.away and c.number not in mat.spent for c in shown):
        return True
    thrown = (hand for hand in play_of(at).hands if hand.out and hand.seat in mat.away)
    return any(len(row_of(at, look, hand)) == len(hand.cards) for hand in thrown)


def is_laid_anew(at: At, look: Look, *, thrown_in: bool = False) -> bool:
    """Return whether a hand that was taken up lies open: nobody deals the next one so.

    Where *thrown_in*, also one that seemed thrown in.
    """
    if at.mat.open_cards is OpenCards.ALL:
        return False
    hands = (hand for hand in play_of(at).hands if not hand.shown)
    unshown = (hand for hand in hands if thrown_in or not hand.out)
    return any(len(on_mat.whole_hand(at, look, h.seat)) == len(h.cards) for h in unshown)


def shown_after(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that a hand that was held is laid open whole after the end (rule OT-19)."""
    new = list(on_mat.new_cards(at, look))
    for hand in play_of(at).hands:
        here = [card for seat, card in new if seat == hand.seat and card.is_up]
        held = on_mat.held(at, look, hand.seat)
        if hand.has_unread and not hand.out and len(here) == held > 1:
            yield Move((), at.mat.laid_back(hand.seat, here), about=numbers_of(here))


def shown_all_the_same(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that open cards at the place of somebody who threw in mean nothing.

    That is likely only where they show that the hand was over.
    """
    for seat in at.mat.away:
        here = [c for c in look.at_seat(seat) if c.is_up and not at.mat.is_spent(c)]
        shown = numbers_of(here) - at.mat.spent
        if shown:
            why = (Assumption.MISREAD,) * min(3, len(shown))
            if on_mat.is_more(at.state, [card.card for card in here]):
                why = (Assumption.STRAY,)
            yield Move((), replace(at.mat, spent=at.mat.spent | shown), why, about=shown)


def beside_shown(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that one more card at the place of a shown hand means nothing.

    Else it would hold up the others, who still show theirs. It may be one that is seen twice, or
    that somebody turned since; and a hand that is over is so with another card, too.
    """
    for hand, card in on_mat.more_shown(at, look):
        may_be = {*card.candidates} if card.card is None else {card.card}
        after = on_mat.came_after(at, look, hand, card)
        if hand.out or after or (may_be and may_be <= {*hand.cards}):
            about = frozenset((card.number,))
            why: tuple[Assumption, ...] = (Assumption.FELL,) * 2
            if hand.out:
                why = (Assumption.MISCOUNTED,)
            elif after:
                hidden = frozenset(at.mat.hand(hand.seat)) - numbers_in(look)
                why = (Assumption.STRAY,) if hidden else ()
            yield Move((), at.mat.without((card,)), why, about=about)


def laid_otherwise(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that open cards were pushed, or taken up and laid back, and one reads otherwise.

    Then it is asked which card that one is.
    """
    lying = numbers_in(look)
    for hand in play_of(at).hands:
        numbers = at.mat.hand(hand.seat)
        open_ones = zip(numbers, hand.cards, hand.up, strict=False)
        gone = {n: card for n, card, up in open_ones if up and card and n not in lying}
        here = [c for c in look.at_seat(hand.seat) if c.is_up and not at.mat.is_spent(c)]
        new = {c.card: c.number for c in here if at.mat.owner(c.number) is None}
        other = [number for number, card in gone.items() if card not in new]
        strange = [card for card in new if card not in gone.values()]
        if len(gone) != len(new) or not len(other) == len(strange) == 1 or None in new:
            continue
        if hand.shown and any(on_mat.nearest(card, here) > SPREAD_MM for card in here):
            continue  # it came to the others
        (left,) = strange
        now = {number: new[left if number in other else card] for number, card in gone.items()}
        mat = at.mat
        for was, number in now.items():
            mat = mat.renamed(hand.seat, was, number)
        about = frozenset(now.values())
        yield Move((), mat, (Assumption.LAID_BACK,), about=about)


def shown_asking(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that a player who waits for a card has laid the hand open all the same."""
    play = play_of(at)
    if not play.asked or play.turn is None or play.phase is not Phase.PLAY:
        return
    hand, mat = play.hand(play.turn), at.mat
    here = on_mat.cards_here(at, look, play.turn, unknown=True)
    settled = (play.turn, len(here), SHORT_RESTS + 1)
    whole = len(here) == len(hand.cards) and hand.has_unread
    if whole and all(card.is_up for card in here) and settled not in mat.short:
        after = replace(mat, short=mat.short | {settled})
        yield Move((), after, (Assumption.SHOWN_EARLY,) * 2)


def open_hands(at: At, look: Look) -> Iterator[tuple[PlayerCards, list[LyingCard]]]:
    """Yield the hands that the game does not know and that lie open whole, every card read."""
    play = at.state.live_play
    if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
        return
    for hand in play.hands:
        if hand.out or not hand.has_unread:
            continue
        lying = _with_known(hand, on_mat.cards_here(at, look, hand.seat))
        if len(lying) == len(hand.cards) and all(card.card is not None for card in lying):
            yield hand, lying


def _with_known(hand: PlayerCards, lying: list[LyingCard]) -> list[LyingCard]:
    """Return *lying* with its one unread card named, where only it can be one that is known.

    That one was dealt open, was taken up with the others, and is not among those that are read.
    """
    unread = [card for card in lying if card.is_up and card.card is None]
    cards = [card.card for card in lying]
    missing = [c for c, up in zip(hand.cards, hand.up, strict=True) if up and c not in cards]
    if len(unread) != 1 or len(missing) != 1 or missing[0] not in unread[0].candidates:
        return lying
    return [replace(c, card=missing[0]) if c is unread[0] else c for c in lying]


def unread_31(at: At, look: Look) -> Iterator[tuple[int, LyingCard]]:
    """Yield the one unread card of a hand shown after the end that may have won before."""
    for hand in play_of(at).hands:
        lying = on_mat.cards_here(at, look, hand.seat, unknown=True)
        unread = [card for card in lying if card.card is None]
        whole = len(lying) == len(hand.cards) and all(card.is_up for card in lying)
        if hand.out or not hand.has_unread or not whole or len(unread) != 1:
            continue
        for candidate in unread[0].candidates:
            read = [replace(c, card=candidate) if c is unread[0] else c for c in lying]
            ways = _orders(at, hand, read)
            if any(claim(at.state, hand.seat, cards) for cards, _ in ways):
                yield hand.seat, unread[0]
                break


def claim(state: State, seat: int, cards: tuple[Card, ...]) -> Event | None:
    """Return how a hand laid open counts: a call of 31, one that is over, or a hand shown."""
    ways: list[Event] = [Declare(seat, Claim.THIRTY_ONE, cards)]
    play, game = state.live_play, state.setup.game
    total = game.total(play, cards)
    own = play is not None and play.turn == seat
    if own and total is not None and total > game.target:
        ways.append(Declare(seat, Claim.OUT, cards))
    ways.append(Reveal(seat, cards))
    return next((event for event in ways if is_legal(state, event)), None)


def _orders(
    at: At, hand: PlayerCards, lying: list[LyingCard]
) -> list[tuple[tuple[Card, ...], int]]:
    """Return the orders in which the cards that lie open can have been dealt.

    With each goes the place of the card that made exactly the target, or went over it.
    """
    numbers = at.mat.hand(hand.seat)
    shown = {card.number: card.card for card in lying}
    fixed = [
        known if known is not None else shown.get(number)
        for known, number in zip(hand.cards, numbers, strict=True)
    ]
    cards = [card.card for card in lying if card.card is not None]
    if any(card is not None and card not in cards for card in fixed):
        return []
    state, play = at.state, play_of(at)
    game = state.setup.game
    dealt = on_mat.cards_dealt(state)
    return orders(cards, fixed, dealt, lambda c: game.total(play, c), game.target)

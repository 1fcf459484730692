"""Put a misread card right and work the hand out again (rules G-10, G-11, G-12)."""

from __future__ import annotations

from dataclasses import replace

from engine.core.events import (
    Correct,
    CorrectBone,
    Cut,
    Deal,
    Declare,
    Discard,
    Event,
    Join,
    Leave,
    Reveal,
)
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.views import Phase
from engine.table.card_tracking import corrected
from engine.table.hand import HandState, refold, settled, step, trace, turns_over


def correct(start: HandState, hand: HandState, event: Correct | CorrectBone) -> HandState:
    """Return the hand as if the card, or the bone, had been read rightly at once (rule G-10).

    Raises:
        IllegalActionError: the first card was not read in this hand, or the second is on the
            table already.
    """
    if hand.counted is not None:
        start = replace(start, counted=hand.counted)
    # The old order of turns is kept: nobody is to gain or lose a turn by the camera's mistake.
    order = hand.play.order if hand.play is not None else ()
    if event.seat is not None and all(event.seat != player.seat for player in hand.players):
        raise IllegalActionError(
            Refusal.UNKNOWN_SEAT, f"nobody plays at seat {event.seat}; name a seat of this hand"
        )
    if isinstance(event, CorrectBone):
        raw = hand.game.patch_bone(hand.raw, _accepted(start, hand.raw, order), event)
    elif event.discard is not None:
        raw = _name_discard(start, hand, event, order)
    else:
        if event.was is None or event.card is None:
            raise _bad("name the card as it was read and the card it really is")
        if event.seat is None and hand.game.decks(hand.options) > 1:
            raise _bad("with two packs a card may lie twice; name the seat that holds it")
        raw = _patch_cut(hand, event) if _is_cutting(hand) else _patch_play(start, hand, event)
    return refold(start, raw, order, hand)


def correct_past(start: HandState, hand: HandState, event: Correct | CorrectBone) -> HandState:
    """Return an earlier hand as if the reading had been right at once (rules G-10, G-12).

    Nobody can act in it any more: whose turn would go on counts as having stuck (rule G-11). Who
    came and went after it did so.

    Raises:
        IllegalActionError: as :func:`correct`; or the hand could not have ended without what
            nobody has seen: another card, another throw, a hand that was not shown.
    """
    order = hand.play.order if hand.play is not None else ()
    raw, before = [], start
    for one, after in zip(hand.raw, trace(start, hand.raw, order, hand), strict=True):
        if before.phase is not Phase.DONE or not isinstance(one, Join | Leave):
            raw.append(one)
        before = after
    again = turns_over(correct(start, replace(hand, raw=tuple(raw)), event))
    if again.phase is not Phase.DONE:
        raise _bad(
            "by that reading the hand would have gone on, and nobody knows how it would have "
            "ended; make it void, or write an entry"
        )
    return settled(replace(again, since=(*again.since, *hand.since)))


def _accepted(start: HandState, raw: tuple[Event, ...], order: tuple[int, ...]) -> list[int]:
    """Return the places of the events that were not void when the hand was folded again."""
    before, found = start, []
    for place, after in enumerate(trace(start, raw, order)):
        if after is not before:
            found.append(place)
        before = after
    return found


def can_correct(hand: HandState) -> bool:
    """Return whether a card has been read that could be put right."""
    if _is_cutting(hand):
        return True
    return hand.play is not None and any(True for _ in hand.play.seen())


def _is_cutting(hand: HandState) -> bool:
    """Return whether nothing but cuts has happened yet in this hand."""
    return bool(hand.raw) and all(isinstance(event, Cut) for event in hand.raw)


def _patch_cut(hand: HandState, event: Correct) -> tuple[Event, ...]:
    """Replace the last cut read as *was*; the dealer is found again."""
    current = hand.cuts or hand.last_cuts
    for place in reversed(range(len(hand.raw))):
        cut = hand.raw[place]
        if isinstance(cut, Cut) and cut.card == event.was and event.seat in (None, cut.seat):
            hand.check_new_card(event.card, (card for _, card in current))
            return _replaced(hand.raw, place, replace(cut, card=event.card))
    raise _bad(f"{event.was} was not cut")


def _patch_play(start: HandState, hand: HandState, event: Correct) -> tuple[Event, ...]:
    """Replace every reading of one card."""
    patch = corrected if hand.game.cards_move else _patch_held
    raw = patch(start, hand, event)
    if raw is None or hand.play is None:
        where = "" if event.seat is None else f" at seat {event.seat}"
        raise _bad(f"{event.was} was not read in this hand{where}")
    hand.check_new_card(event.card, hand.play.seen())
    return raw


def _patch_held(start: HandState, hand: HandState, event: Correct) -> tuple[Event, ...] | None:
    """Replace a card where it stays as it was dealt: in the deal, in claims, as shown."""
    holding = (
        (held.seat, held.cards.index(event.was))
        for held in (hand.play.hands if hand.play is not None else ())
        if event.seat in (None, held.seat) and event.was in held.cards
    )
    seat, place = next(holding, (None, 0))
    if seat is None:
        return None
    raw = hand.raw
    dealt = _deals_to(start, hand, seat)
    if place < len(dealt):
        deal = raw[dealt[place]]
        if isinstance(deal, Deal) and deal.card is not None:
            raw = _replaced(raw, dealt[place], replace(deal, card=event.card))
    for number, one in enumerate(raw):
        if isinstance(one, Reveal | Declare) and one.seat == seat and place < len(one.cards):
            cards = (*one.cards[:place], event.card, *one.cards[place + 1 :])
            raw = _replaced(raw, number, replace(one, cards=cards))
    return raw


_CONTRADICTIONS = (
    Refusal.DUPLICATE_CARD,
    Refusal.MISMATCH,
    Refusal.NOT_IN_DECK,
    Refusal.NOT_IN_HAND,
    Refusal.RETURNED_DISCARD,
)
"""Why an event cannot have been if a discard was the card that somebody names it."""


def _name_discard(
    start: HandState, hand: HandState, event: Correct, order: tuple[int, ...]
) -> tuple[Event, ...]:
    """Name a discard that nobody had read: number *discard* of a seat's, from 0 (rule SC-28).

    Raises:
        IllegalActionError: ``BAD_CORRECTION``: there is no such discard, or it was read;
            else why it cannot have been that card, which lies elsewhere (rules G-8 to G-10).
    """
    taken = _accepted(start, hand.raw, order)
    laid = [
        (place, one)
        for place, one in ((place, hand.raw[place]) for place in taken)
        if isinstance(one, Discard) and one.seat == event.seat
    ]
    number = -1 if event.discard is None else event.discard
    if event.was is not None or event.card is None or event.seat is None:
        raise _bad("name the seat, which of its discards was not read, and the card it is")
    if not 0 <= number < len(laid) or laid[number][1].card is not None:
        raise _bad(f"seat {event.seat} has laid no unread discard of number {number + 1}")
    place, unread = laid[number]
    raw = _replaced(hand.raw, place, replace(unread, card=event.card))
    states = [start, *trace(start, raw, order)]
    for number in sorted(set(taken).difference(_accepted(start, raw, order))):
        try:
            step(states[number], raw[number])
        except IllegalActionError as refusal:
            if refusal.code in _CONTRADICTIONS and hand.play is not None:
                hand.check_new_card(event.card, hand.play.seen())
                raise
    return raw


def _deals_to(start: HandState, hand: HandState, seat: int) -> list[int]:
    """Return which events of ``hand.raw`` brought the cards that *seat* holds, in order.

    Cards of void events do not count, so the hand is folded again to see which were taken.
    """
    order = hand.play.order if hand.play is not None else ()
    found = []
    before = 0
    for place, after in enumerate(trace(start, hand.raw, order, hand)):
        held = len(after.play.hand(seat).cards) if after.play is not None else 0
        if held > before:
            found.append(place)
        before = held
    return found


def _replaced(raw: tuple[Event, ...], place: int, event: Event) -> tuple[Event, ...]:
    return (*raw[:place], event, *raw[place + 1 :])


def _bad(message: str) -> IllegalActionError:
    return IllegalActionError(Refusal.BAD_CORRECTION, f"{message}; look at the cards and try again")

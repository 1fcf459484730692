"""Earlier turns told anew, as cards are read otherwise or lie elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from device.croupier.assumptions import Assumption
from device.croupier.looks import PUT_BACK_MM, Look, numbers_of
from device.croupier.moves import Move
from device.croupier.scat import on_mat
from device.croupier.scat.mat import At, ScatMat
from device.croupier.scat.pile import spot_of
from engine.core.cards import Card
from engine.core.events import Discard, Draw, Event, Source, TurnUp
from engine.core.fast_replace import replace
from engine.games.scat.play import ScatPlay


def named_late(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer the name of a discard that nobody had read (rule SC-28)."""
    fit = on_mat.fit(at, look)
    card = fit.new[0] if fit.new else None
    old = play.discards[: at.mat.rested]
    unseen = (place for place, thrown in enumerate(old) if thrown.card is None)
    found = [(place, card) for place in unseen if at.mat.pile[place] is None]
    doubt: tuple[Assumption, ...] = ()
    if fit.named is not None:
        found = [fit.named]
        doubt = (Assumption.CANDIDATE,) if fit.is_another(at.mat.pile, at.hands) else ()
    for place, face in found:
        number = discard_at(at.events, place)
        if face is None or face.card is None or number is None:
            continue
        laid = at.events[number]
        assert isinstance(laid, Discard)
        if face is card and card.card in {*play.seen(but=laid.seat)}:
            continue
        spots = (*at.mat.pile[:place], spot_of(face), *at.mat.pile[place + 1 :])
        yield Move(
            (),
            replace(at.mat, pile=spots),
            doubt,
            about=frozenset({face.number}),
            reread=(number, replace(laid, card=face.card)),
        )


def read_otherwise(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that the top of the discard, which nobody has touched, had been read wrongly."""
    fit, top = on_mat.fit(at, look), len(play.discards) - 1
    if look.hands != () or look.blind or len(fit.new) != 1 or top < 0:
        return
    number = discard_at(at.events, top)
    laid = None if number is None else at.events[number]
    face, spot = fit.new[0], at.mat.pile[top]
    if number is None or not isinstance(laid, Discard):
        return
    if spot is not None and math.dist(spot.at, face.centre) <= PUT_BACK_MM:
        yield Move(
            (),
            replace(at.mat, pile=(*at.mat.pile[:top], spot_of(face))),
            (Assumption.FACE_MISREAD,),
            about=frozenset({face.number}),
            reread=(number, replace(laid, card=face.card)),
        )


def from_elsewhere(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that a card whose place was covered had been drawn from elsewhere after all."""
    options = play.options
    if not options.has_discard or options.decks > 1:
        return
    if on_mat.fit(at, look).fits and not on_mat.is_elsewhere(at, look, play):
        return
    pile: list[Card | None] = []
    suspects = on_mat.suspects(at, look)
    for number, event in enumerate(at.events):
        top = pile[-1] if pile else None
        if isinstance(event, TurnUp | Discard):
            if isinstance(event, Discard) and event.card in suspects:
                yield from _own_again(at, look, play, number, len(pile))
            pile.append(event.card)
        elif isinstance(event, Draw):
            if event.source is Source.DISCARD:
                pile.pop()
            assumed = at.assumed[number]
            hidden = Assumption.SOURCE in assumed
            seen = event.source is Source.DISCARD and Assumption.ONE_MOTION not in assumed
            if top in suspects and (hidden or not seen):
                yield from _other_source(at, play, number, top, was_hidden=hidden)


def _own_again(
    at: At, look: Look, play: ScatPlay, number: int, place: int
) -> Iterator[Move[ScatMat]]:
    """Offer that a discard whose player shows it was taken back, and another laid unseen.

    It is the one that they are known to hold and do not show, if there is one.
    """
    laid = at.events[number]
    assert isinstance(laid, Discard)
    lying = on_mat.hand_shown(at, look, laid.seat)
    shown = [card.card for card in lying]
    lies = [thrown.card for thrown in play.discards][place : place + 1] == [laid.card]
    if laid.card not in shown or not lies or place >= len(at.mat.pile):
        return
    held = [card for card in play.hand(laid.seat).cards if card not in (None, *shown)]
    yield Move(
        (),
        replace(at.mat, pile=(*at.mat.pile[:place], None, *at.mat.pile[place + 1 :])),
        (Assumption.TAKEN_BACK, Assumption.UNSEEN_DISCARD),
        about=numbers_of(lying),
        insert=(number, 1, (Discard(laid.seat, next(iter(held), None)),)),
    )


def _other_source(
    at: At, play: ScatPlay, number: int, top: Card | None, *, was_hidden: bool
) -> Iterator[Move[ScatMat]]:
    """Offer the draw that is event *number*, when *top* lay on the pile, from elsewhere.

    Where it was not hidden from where, the stock was touched, and *top* taken after that; or
    another card lies on *top* that leaves much of it bare.
    """
    event, mat = at.events[number], at.mat
    assert isinstance(event, Draw)
    taken = event.source is Source.STOCK
    source = Source.DISCARD if taken else Source.STOCK
    events = (*at.events[:number], Draw(event.seat, source), *at.events[number + 1 :])
    before, after = [thrown.card for thrown in play.discards], pile_after(events)
    longer, shorter = (before, after) if taken else (after, before)
    if after is None or longer is None or shorter is None or top not in longer:
        return
    place = longer.index(top)
    if [*longer[:place], *longer[place + 1 :]] != shorter:
        return
    spots = mat.pile
    if taken:
        if any(card == top and since > number + (not was_hidden) for card, since in mat.seen):
            return  # it was seen lying there after that draw
        spots = (*spots[:place], *spots[place + 1 :])
    else:
        spots = (*spots[:place], None, *spots[place:])
    rested = mat.rested + (place < mat.rested) * (-1 if taken else 1)
    word = (Assumption.ONE_MOTION, Assumption.SOURCE) if taken else (Assumption.SOURCE,)
    if not was_hidden:
        word = (Assumption.STOCK_MOVED if taken else Assumption.CARD_HIDDEN,)
    yield Move(
        (),
        replace(mat, pile=spots, rested=rested),
        word,
        insert=(number, 1, (Draw(event.seat, source),)),
    )


def disturbed(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer what changes the pile or the stock and means nothing in the game."""
    fit = on_mat.fit(at, look)
    touched = len(fit.moved) + len(fit.gone)
    if touched and fit.top_shows and fit.next is None:
        if touched > 1:
            word = Assumption.SQUARED
        elif fit.gone:
            word = Assumption.CARD_HIDDEN
        elif fit.moved == (len(play.discards) - 1,):
            word = Assumption.PUT_BACK
        else:
            word = Assumption.SQUARED
        spots = fit.spots(at.mat.pile, anew=True)
        yield Move((), replace(at.mat, pile=spots), (word,))
    if fit.gone == (0,) and len(at.mat.pile) == 1 and not fit.new:
        unseen = replace(at.mat, pile=(None,), unseen=True)
        yield Move((), unseen, (Assumption.CARD_HIDDEN,))
    top, unread = next(reversed(at.mat.pile), None), fit.unread
    if top is not None and unread is not None and not fit.new and top.number == unread.number:
        # The top that nobody has read was pushed, and no other one lies on it.
        spots = (*fit.spots(at.mat.pile, anew=True)[:-1], spot_of(unread))
        yield Move((), replace(at.mat, pile=spots), (Assumption.SQUARED,))
    if fit.fits and on_mat.stock_differs(at, look) and play.stock > 0:
        back = on_mat.stock_spot(at, look)
        word = Assumption.STOCK_GONE if back is None else Assumption.STOCK_MOVED
        yield Move((), replace(at.mat, stock=back), (word,))


def pile_after(events: Iterable[Event]) -> list[Card | None] | None:
    """Return the cards of the pile after *events*; ``None`` where none is left to be taken."""
    pile: list[Card | None] = []
    for event in events:
        if isinstance(event, TurnUp | Discard):
            pile.append(event.card)
        elif isinstance(event, Draw) and event.source is Source.DISCARD:
            if not pile:
                return None
            pile.pop()
    return pile


def discard_at(events: Iterable[Event], place: int) -> int | None:
    """Return the number of the event that laid the card at *place* of the pile."""
    pile: list[int | None] = []
    for number, event in enumerate(events):
        if isinstance(event, TurnUp):
            pile.append(None)
        elif isinstance(event, Draw) and event.source is Source.DISCARD:
            pile.pop()
        elif isinstance(event, Discard):
            pile.append(number)
    return pile[place]

"""Cards that are cut, dealt and turned up before the first turn."""

from __future__ import annotations

from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.left_over import gathered
from device.croupier.looks import Look, LyingCard, Said
from device.croupier.moves import Move
from device.croupier.scat import exchanges, on_mat
from device.croupier.scat.mat import At, ScatMat, backs_of, numbers_of_backs, places_of, play_of
from device.croupier.scat.pile import spot_of
from device.ports import Button
from engine import State, apply
from engine.core.cards import Card
from engine.core.events import Cut, Deal, DealTo, Event, Facing, Pile, TurnUp
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.deal import due_piles, seat_due
from engine.games.scat.play import ScatPlay


def cuts(at: At, look: Look) -> Iterator[Move[ScatMat]]:
    """Offer the cards cut for the deal (rule G-2)."""
    for seat in at.state.round.to_cut:
        for card in on_mat.cards_cut(at, look, seat)[:1]:
            if card.card is not None:
                spent = at.mat.spent | {card.number}
                left = tuple(was for was in at.mat.left if was.number != card.number)
                yield Move(
                    (Cut(seat, card.card),),
                    replace(at.mat, spent=spent, left=left),
                    about=frozenset({card.number}),
                )


def gathers(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that what was left over was gathered, and dealt where it lies now."""
    seats = {hand.seat for hand in play.hands}

    def may_be_dealt(card: LyingCard) -> bool:
        return card.seat in seats and not card.is_up

    yield from gathered(at.mat, look, at.state.dealer, may_be_dealt)


def undealt(at: At, look: Look, seat: int) -> list[LyingCard]:
    """Return the cards at a place that were not yet counted as dealt."""
    known = at.mat.spent | at.mat.dealt
    new = [card for card in look.at_seat(seat) if card.number not in known]
    play = play_of(at.state)
    if not look.blind or at.mat.dealt or play is None:
        return new
    return new[len(play.hand(seat).cards) :]  # nobody saw which of them are dealt


def deals(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer the next card of the deal, or, once it is over, the rest that nobody saw."""
    seat = seat_due(play)
    if due_piles(play):
        yield from _middle_dealt(at, look, play)
    elif seat is not None:
        cards = undealt(at, look, seat)
        card = next((c for c in cards if not c.is_up or c.card is not None), None)
        if card is not None:
            event = Deal(seat, card.card, Facing.UP if card.is_up else Facing.DOWN)
            after = replace(at.mat, dealt=at.mat.dealt | {card.number})
            yield Move((event,), after, about=frozenset({card.number}))
    for said in _words_of_all(at):
        rest = rest_of_deal(at.state)
        yield Move(rest, _all_dealt(at, look), (Assumption.DEALT_UNSEEN,), said)
    early = after_the_deal(at, look, play)
    if early:
        yield Move(
            rest_of_deal(at.state),
            _all_dealt(at, look),
            (Assumption.DEALT_UNSEEN,),
            about=frozenset(card.number for card in early),
        )


def _middle_dealt(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer the next card of those between the players, or of the dealer's second hand."""
    due = due_piles(play)
    dealers = undealt(at, look, play.dealer) if Pile.SECOND in due else []
    known = {place.card for _, laid in play.piles for place in laid if place.card}
    lying = on_mat.middle_cards(at, look)
    free = [c for c in lying if c.number not in at.mat.dealt and c.card not in known]
    moved = exchanges.laid_right(at.mat.ties, look, free)
    if moved is not None:
        ties, number = moved
        yield Move((), replace(at.mat, dealt=at.mat.dealt | {number}, ties=ties))
        return
    for pile in due:
        event, card = exchanges.deal_to(pile, dealers, free)
        if event is not None and card is not None:
            ties = exchanges.laid(at.mat.ties, pile, play, card)
            after = replace(at.mat, dealt=at.mat.dealt | {card.number}, ties=ties)
            yield Move((event,), after, about=frozenset({card.number}))
            return


def _words_of_all(at: At) -> Iterator[Said]:
    """Yield the presses by which the dealer says that all have their cards."""
    for _, said in at.said:
        press = said.press
        if press is not None and press.button is Button.HAVE and press.seat is None:
            yield said


def after_the_deal(at: At, look: Look, play: ScatPlay) -> list[LyingCard]:
    """Return open cards that lie where one may lie only once all are dealt."""
    due = due_piles(play)
    early = on_mat.on_discard(at, look) if play.options.has_discard else []
    if Pile.TABLE not in due and play.options.table in ("bus", "switch"):
        kept = {place.card for place in play.pile("A")}
        early += [
            card
            for card in on_mat.middle_cards(at, look)
            if card.is_up and card.number not in at.mat.dealt and card.card not in kept
        ]
    return early


def _all_dealt(at: At, look: Look) -> ScatMat:
    return replace(at.mat, dealt=at.mat.dealt | numbers_of_backs(look))


def turn_up(at: At, look: Look) -> Iterator[Move[ScatMat]]:
    """Offer the first card of the discard (rule SC-3)."""
    was = at.mat.unnamed
    for card in on_mat.on_discard(at, look)[:1]:
        if was is not None and was.candidates and card.number != was.number:
            for named in was.candidates:  # it was taken, or covered, before it had its name
                yield _turned(at, look, was, named, (Assumption.CANDIDATE,))
        elif card.card is not None:
            yield _turned(at, look, card, card.card)


def _turned(
    at: At,
    look: Look,
    card: LyingCard,
    named: Card,
    assumed: tuple[Assumption, ...] = (),
) -> Move[ScatMat]:
    stock = on_mat.stock_card(at, look)
    loose = places_of(back for back in backs_of(look) if back is not stock)
    after = replace(at.mat, pile=(spot_of(card),), stock=None, loose=loose, unnamed=None)
    return Move((TurnUp(named),), after, assumed, about=frozenset({card.number}))


def rest_of_deal(state: State) -> tuple[Event, ...]:
    """Return the cards that are still to be dealt, as far as they need not be read."""
    events: list[Event] = []
    play = play_of(state)
    while play is not None and play.phase is Phase.DEAL:
        due, seat = due_piles(play), seat_due(play)
        event: Event
        if due and Pile.TABLE in due:
            break  # the open cards of Stop the bus must be read
        if due:
            event = DealTo(due[0], None, seat=play.dealer if due[0] is Pile.SECOND else None)
        elif seat is not None:
            event = Deal(seat, None)
        else:
            break
        events.append(event)
        state = apply(state, event)
        play = play_of(state)
    return tuple(events)

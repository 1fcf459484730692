"""Stock and discard of Thirty-one: turn up, draw, discard (SC-3, SC-4, SC-14 to SC-18)."""

from __future__ import annotations

from engine.core.cards import Card
from engine.core.events import Discard, Draw, Source, TurnUp
from engine.core.fast_replace import replace
from engine.core.refusals import Refusal
from engine.games.base import Action, with_hand
from engine.games.scat.play import ScatPlay, Thrown, check_new, give_up, refusal
from engine.games.scat.turns import begin_turns, end_turn, open_turn, own_turn


def turn_up(play: ScatPlay, event: TurnUp) -> ScatPlay:
    """Begin the discard with the top card of the stock (rule SC-3)."""
    if event.card is None:
        raise refusal(
            Refusal.UPCARD_UNREADABLE, "the first card of the discard must be read; turn it up"
        )
    check_new(play, event.card)
    first = Thrown(event.card, None)
    return begin_turns(replace(play, discards=(first,), stock=play.stock - 1))


def draw(play: ScatPlay, event: Draw) -> ScatPlay:
    """Take the top of the stock or of the discard (rules SC-4, SC-14, SC-15, SC-18)."""
    hand = own_turn(play, event.seat)
    if event.source is Source.STOCK:
        if not play.stock:
            raise refusal(Refusal.STOCK_EMPTY, "the stock is empty; take the discard or stand")
        check_new(play, event.card)
        hand = hand.take(event.card)
        after = replace(with_hand(play, hand), stock=play.stock - 1, drawn=event.source)
        return open_turn(play, after)
    top = play.top
    if top is None:
        raise refusal(Refusal.DISCARD_EMPTY, "no card lies on the discard; draw from the stock")
    if not may_take_discard(play, event.seat):
        cure = "draw from the stock" if play.stock else "stand"
        raise refusal(
            Refusal.OWN_DISCARD,
            f"seat {event.seat} threw {top.card} himself and may not take it back; {cure}",
        )
    if event.card not in (None, top.card):
        raise refusal(
            Refusal.MISMATCH,
            f"{top.card} lies on the discard, not {event.card}; read the card again",
        )
    hand = hand.take(top.card, known=True)  # everybody saw it there
    after = replace(with_hand(play, hand), discards=play.discards[:-1], drawn=event.source)
    return open_turn(play, after)


def discard(play: ScatPlay, event: Discard) -> ScatPlay:
    """Lay a card on the discard, back to three; that ends the turn (rules SC-4, SC-16)."""
    hand = own_turn(play, event.seat, drawn=True)
    if play.drawn is None:
        raise refusal(
            Refusal.MUST_DRAW, f"seat {event.seat} has drawn no card; draw or knock first"
        )
    if event.card is not None and not _may_throw(play, hand.cards, event.card):
        raise refusal(
            Refusal.RETURNED_DISCARD,
            f"seat {event.seat} has just taken {event.card} from the discard; throw another card",
        )
    play, card = give_up(play, event.seat, event.card)
    return end_turn(replace(play, discards=(*play.discards, Thrown(card, event.seat))), event.seat)


def may_take_discard(play: ScatPlay, seat: int) -> bool:
    """Return whether *seat* may take the top of the discard (rules SC-14, SC-15)."""
    top = play.top
    if top is None:
        return False
    if top.seat != seat or play.options.own_discard == "always":
        return True
    return play.knocker is not None and len(play.active) == 2


def actions(play: ScatPlay, seat: int) -> list[Action]:
    """Return how *seat* may draw, or what they may discard (rules SC-4, SC-15, SC-16, SC-18)."""
    if play.drawn is not None:
        cards = play.hand(seat).cards
        known = (card for card in dict.fromkeys(cards) if card)
        give = tuple(card for card in known if _may_throw(play, cards, card))
        return [Action("discard", seat, cards=1, give=give, unread=cards.count(None))]
    found = []
    if play.stock:
        found.append(Action("draw", seat, source=Source.STOCK, cards=1))
    if may_take_discard(play, seat):
        found.append(Action("draw", seat, source=Source.DISCARD))
    return found


def _may_throw(play: ScatPlay, cards: tuple[Card | None, ...], card: Card) -> bool:
    """Return whether a card of the hand may be thrown: not the one just taken (rule SC-16).

    With two packs it may be the other copy, which looks the same.
    """
    if play.drawn is not Source.DISCARD or play.options.return_discard or card != cards[-1]:
        return True
    return play.options.decks > 1 and (cards.count(card) > 1 or None in cards)

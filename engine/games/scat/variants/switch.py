"""The two hands on the table of Switch (rules SW-1 to SW-10)."""

from __future__ import annotations

from collections import Counter

from engine.core.cards import Card
from engine.core.events import (
    Accept,
    ChooseHand,
    Exchange,
    Facing,
    Keep,
    Pile,
    Renew,
    Restart,
    SwapHand,
    TableHand,
)
from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.refusals import Refusal
from engine.games.base import Action, with_hand
from engine.games.scat.options import CARDS_DEALT
from engine.games.scat.play import (
    OPEN_HAND,
    Cards,
    Place,
    ScatHand,
    ScatPlay,
    check_any_order,
    check_new,
    give_up,
    refusal,
)
from engine.games.scat.turns import (
    begin_turns,
    end_turn,
    finish,
    may_restart,
    open_turn,
    own_turn,
    seat_in_round,
)
from engine.games.scat.variants.banking import cards_taken

PLACES = tuple(range(CARDS_DEALT))


def choose_hand(play: ScatPlay, event: ChooseHand) -> ScatPlay:
    """Let the dealer keep one of their two hands; the other lies open as A (rule SW-2)."""
    hand = seat_in_round(play, event.seat)
    if event.seat != play.dealer:
        raise refusal(
            Refusal.NOT_YOUR_TURN, f"the dealer, seat {play.dealer}, has two hands; let him choose"
        )
    second = tuple(place.card for place in play.pile(Pile.SECOND))
    kept, other = (hand.cards, second) if event.keep is Keep.FIRST else (second, hand.cards)
    if event.shown:
        mine = [card for card in kept if card is not None]
        elsewhere = [*_but_dealers(play), *mine]
        check_any_order(event.seat, other, event.shown, elsewhere, play.options)
        other = event.shown
    if None in other:
        raise refusal(
            Refusal.UPCARD_UNREADABLE,
            "the hand laid down lies open; turn its cards up and read them",
        )
    fresh = ScatHand(event.seat)
    for card in kept:
        fresh = fresh.take(card)
    play = with_hand(play, fresh).with_pile(Pile.SECOND, ())
    return begin_turns(play.with_pile(OPEN_HAND, (Place(card, up=True) for card in other)))


def exchange(play: ScatPlay, event: Exchange) -> ScatPlay:
    """Exchange a card with a place of A or B; the one given lies face up there (rule SW-3)."""
    own_turn(play, event.seat)
    if event.pos not in PLACES:
        raise refusal(
            Refusal.BAD_SWAP, f"there is no place {event.pos}; choose one of {list(PLACES)}"
        )
    after, laid = give_up(play, event.seat, event.give)
    places = list(play.pile(event.hand))
    taken = places[event.pos]
    got = () if event.got is None else (event.got,)
    (card,) = cards_taken(replace(after, gone=(*after.gone, laid)), (taken,), got)
    places[event.pos] = Place(laid, up=True)
    hand = after.hand(event.seat).take(card, known=taken.up)
    return end_turn(with_hand(after, hand).with_pile(event.hand, places), event.seat)


def swap(play: ScatPlay, event: SwapHand) -> ScatPlay:
    """Swap the whole hand for A or B; the old one lies open there (rule SW-4)."""
    seat = event.seat
    hand = own_turn(play, seat)
    places = play.pile(event.hand)
    given: Cards = hand.cards
    if event.gave:
        check_any_order(seat, given, event.gave, play.seen(but=seat), play.options)
        given = event.gave
    same = play.options.swap_face == "same"
    laid = tuple(
        Place(card, up=place.up or not same) for card, place in zip(given, places, strict=True)
    )
    if any(place.up and place.card is None for place in laid):
        raise refusal(
            Refusal.UPCARD_UNREADABLE,
            f"the old hand of seat {seat} lies open; turn it up and read it",
        )
    also = [card for card in given if card is not None]
    got = _got(play, event.hand, event.got, also)
    fresh = ScatHand(seat, acted=hand.acted)
    for card, place in zip(got, places, strict=True):
        fresh = fresh.take(card, known=place.up)
    return end_turn(with_hand(play, fresh).with_pile(event.hand, laid), seat)


def renew(play: ScatPlay, event: Renew) -> ScatPlay:
    """Lay three new cards in place of A or B (rules SW-5, SW-6, SW-10)."""
    seat = event.seat
    own_turn(play, seat)
    if play.stock < CARDS_DEALT:
        raise refusal(
            Refusal.RENEW_NOT_ALLOWED, f"{play.stock} cards are left in the stock; exchange or swap"
        )
    if len(event.cards) != CARDS_DEALT:
        raise refusal(
            Refusal.RENEW_NOT_ALLOWED, f"{len(event.cards)} cards are no hand; lay three new ones"
        )
    up = event.face is Facing.UP
    if up and None in event.cards:
        raise refusal(Refusal.UPCARD_UNREADABLE, "cards laid face up must be read; straighten them")
    seen: list[Card] = []
    for card in event.cards:
        check_new(play, card, seen)
        if card is not None:
            seen.append(card)
    old = tuple(place.card for place in play.pile(event.hand) if place.card is not None)
    after = replace(play, gone=(*play.gone, *old), stock=play.stock - CARDS_DEALT)
    after = after.with_pile(event.hand, (Place(card, up) for card in event.cards))
    if up:
        return end_turn(after, seat)
    return open_turn(play, replace(after, renewed=True))


def restart(play: ScatPlay, event: Restart) -> ScatPlay:
    """Restart instead of taking lives: the hand becomes A of the next deal (rule SW-8)."""
    seat_in_round(play, event.seat)
    allowed = may_restart(play)
    if event.seat not in allowed:
        raise refusal(
            Refusal.RESTART_NOT_ALLOWED,
            f"seat {event.seat} has not more than 21 in one suit; ask seats {list(allowed)}",
        )
    return finish(replace(play, restarter=event.seat), End.RESTART)


def accept(play: ScatPlay, event: Accept) -> ScatPlay:
    """Go on to the scoring; nobody restarts (rule SW-8)."""
    assert play.ending is not None  # the phase says that a scoring waits
    return finish(play, play.ending)


def choices(play: ScatPlay) -> tuple[Action, ...]:
    """Return which hand the dealer may keep; one not read must be shown (rule SW-2)."""
    second = [place.card for place in play.pile(Pile.SECOND)]
    first = play.hand(play.dealer).cards
    return tuple(
        Action("choose_hand", play.dealer, keep=keep, cards=CARDS_DEALT if None in laid else 0)
        for keep, laid in ((Keep.FIRST, second), (Keep.SECOND, first))
    )


def actions(play: ScatPlay, seat: int) -> tuple[Action, ...]:
    """Return what may be done with the hands on the table (rules SW-3 to SW-6, SW-10)."""
    hand = play.hand(seat)
    give = tuple(card for card in dict.fromkeys(hand.cards) if card is not None)
    unread = hand.cards.count(None)
    found = []
    for table in TableHand:
        found.append(Action("exchange", seat, hand=table, give=give, unread=unread, places=PLACES))
        found.append(Action("swap", seat, hand=table, cards=_must_show(play, hand, table)))
        if play.stock >= CARDS_DEALT:
            found.extend(
                Action("renew", seat, hand=table, face=face, cards=CARDS_DEALT) for face in Facing
            )
    return tuple(found)


# --- private ------------------------------------------------------------------------------------


def _must_show(play: ScatPlay, hand: ScatHand, table: TableHand) -> int:
    """Return how many cards of their own a swap must name: all, or none where all are read."""
    up = play.options.swap_face == "up"
    laid = zip(hand.cards, play.pile(table), strict=True)
    return CARDS_DEALT if any(card is None and (up or place.up) for card, place in laid) else 0


def _got(play: ScatPlay, where: TableHand, got: Cards, also: list[Card]) -> Cards:
    """Return the cards of a hand taken up, read now or before, in any order (rule G-20)."""
    places = play.pile(where)
    if not got:
        return tuple(place.card for place in places)
    read = Counter(place.card for place in places if place.card is not None)
    shown = Counter(card for card in got if card is not None)
    if len(got) != len(places) or (read - shown).total() > got.count(None):
        raise refusal(
            Refusal.MISMATCH,
            f"other cards were read in hand {where} before; read the three cards again",
        )
    fresh = list((shown - read).elements())
    if len(fresh) > sum(1 for place in places if place.card is None):
        raise refusal(
            Refusal.MISMATCH,
            f"{fresh[-1]} does not lie in hand {where}; read the three cards again",
        )
    for place, card in enumerate(fresh):
        check_new(play, card, [*also, *fresh[:place]])
    rest = iter(fresh)
    return tuple(next(rest, None) if place.card is None else place.card for place in places)


def _but_dealers(play: ScatPlay) -> list[Card]:
    """Return the cards read outside of the dealer's two hands."""
    two = Counter(card for card in play.hand(play.dealer).cards if card is not None)
    two += Counter(place.card for place in play.pile(Pile.SECOND) if place.card is not None)
    return list((Counter(play.seen()) - two).elements())

"""The open cards of Stop the bus: swap one or three (rules SB-2, SB-3, SB-7, SB-8)."""

from __future__ import annotations

from collections import Counter

from engine.core.cards import Card
from engine.core.events import Pile, SwapCards
from engine.core.fast_replace import replace
from engine.core.refusals import Refusal
from engine.core.views import Phase
from engine.games.base import Action, with_hand
from engine.games.scat.play import Place, ScatPlay, give_up, refusal
from engine.games.scat.turns import end_turn, own_turn, stops_after_swap

COUNTS = (1, 3)
"""How many cards may be swapped at once, never two (rule SB-2)."""


def swap(play: ScatPlay, event: SwapCards) -> ScatPlay:
    """Swap cards with the table, each given one lying where its own came from (rule SB-2)."""
    seat = event.seat
    own_turn(play, seat)
    if len(event.give) != len(event.take) or len(event.give) not in COUNTS:
        raise refusal(
            Refusal.BAD_SWAP,
            f"seat {seat} gives {len(event.give)} cards for {len(event.take)}; swap one or three",
        )
    given: list[Card] = []
    after = play
    for card in event.give:
        after, laid = give_up(after, seat, card)
        given.append(laid)
        after = replace(after, gone=(*after.gone, laid))  # seen, until it lies on the table
    places = list(play.pile(Pile.TABLE))
    hand = after.hand(seat)
    for laid, taken in zip(given, event.take, strict=True):
        spot = _find(play, places, taken, given)
        held = places[spot].card
        hand = hand.take(held, known=True)
        places[spot] = Place(laid, up=True)
    after = with_hand(replace(after, gone=play.gone), hand).with_pile(Pile.TABLE, places)
    after = end_turn(after, seat)
    if after.phase is Phase.PLAY and after.knocker is None and stops_after_swap(after):
        return replace(after, stopper=seat)
    return after


def actions(play: ScatPlay, seat: int) -> tuple[Action, ...]:
    """Return the swap of a turn (rule SB-2)."""
    hand = play.hand(seat)
    give = tuple(card for card in dict.fromkeys(hand.cards) if card is not None)
    table = tuple(place.card for place in play.pile(Pile.TABLE) if place.card is not None)
    unread = hand.cards.count(None)
    return (Action("swap", seat, give=give, unread=unread, counts=COUNTS, take=table),)


def _find(play: ScatPlay, places: list[Place], card: Card | None, given: list[Card]) -> int:
    """Return where a card of the table lies; one given in the same swap cannot be taken back."""
    for spot, place in enumerate(play.pile(Pile.TABLE)):
        if place.card == card and places[spot] is place:
            return spot
    lying = Counter(place.card for place in places) - Counter(given)
    raise refusal(
        Refusal.NOT_ON_TABLE,
        f"{card} does not lie on the table for this swap; take one of "
        f"{', '.join(str(each) for each in lying)}",
    )

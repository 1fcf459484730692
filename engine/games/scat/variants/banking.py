"""The widow of Banking: three cards that lie between the players (rules BK-2, BK-3)."""

from __future__ import annotations

from engine.core.cards import Card
from engine.core.events import Pile, Widow
from engine.core.fast_replace import replace
from engine.core.refusals import Refusal
from engine.games.base import Action, with_hand
from engine.games.scat.options import CARDS_DEALT
from engine.games.scat.play import Place, ScatPlay, check_new, give_up, refusal
from engine.games.scat.turns import end_turn, must_discard, own_turn

PLACES = tuple(range(CARDS_DEALT))


def exchange(play: ScatPlay, event: Widow) -> ScatPlay:
    """Exchange one, two or three cards with the widow instead of drawing (rule BK-3)."""
    own_turn(play, event.seat)
    if play.drawn is not None:
        raise must_discard(event.seat)
    take = event.take
    if len(event.give) != len(take) or not take or not _are_places(take):
        raise refusal(
            Refusal.WIDOW_COUNT,
            f"{len(event.give)} cards for places {list(take)} of the widow; give one, two or "
            f"three cards for as many different places of {list(PLACES)}",
        )
    taken = [play.pile(Pile.WIDOW)[place] for place in take]
    given: list[Card] = []
    after = play
    for card in event.give:
        after, laid = give_up(after, event.seat, card)
        given.append(laid)
        after = replace(after, gone=(*after.gone, laid))  # seen, until it lies in the widow
    got = cards_taken(after, tuple(taken), event.got)
    places = list(play.pile(Pile.WIDOW))
    for place, laid in zip(take, given, strict=True):
        places[place] = Place(laid, up=True)
    hand = after.hand(event.seat)
    for card, old in zip(got, taken, strict=True):
        hand = hand.take(card, known=old.up)
    after = replace(after, gone=play.gone).with_pile(Pile.WIDOW, places)
    return end_turn(with_hand(after, hand), event.seat)


def cards_taken(
    play: ScatPlay, taken: tuple[Place, ...], got: tuple[Card | None, ...]
) -> tuple[Card | None, ...]:
    """Return the cards that come from places on the table, read now or before.

    Raises:
        IllegalActionError: ``MISMATCH``: the reading disagrees with what lies there;
            ``DUPLICATE_CARD`` or ``NOT_IN_DECK`` of a card read for the first time.
    """
    if got and len(got) != len(taken):
        raise refusal(
            Refusal.MISMATCH, f"{len(taken)} cards were taken and {len(got)} read; read every one"
        )
    found: list[Card | None] = []
    fresh: list[Card] = []
    for place, card in zip(taken, got or (None,) * len(taken), strict=True):
        if place.card is None and card is not None:
            check_new(play, card, fresh)
            fresh.append(card)
        elif card not in (None, place.card):
            raise refusal(Refusal.MISMATCH, f"{card} does not lie there; read the card again")
        found.append(card if place.card is None else place.card)
    return tuple(found)


def actions(play: ScatPlay, seat: int) -> tuple[Action, ...]:
    """Return the exchange with the widow, open in every turn that has not begun (BK-3)."""
    if play.drawn is not None:
        return ()
    hand = play.hand(seat)
    give = tuple(card for card in dict.fromkeys(hand.cards) if card is not None)
    unread = hand.cards.count(None)
    return (Action("widow", seat, give=give, unread=unread, counts=PLACES_COUNTS, places=PLACES),)


PLACES_COUNTS = (1, 2, 3)
"""How many cards may be exchanged at once (rule BK-3)."""


def _are_places(take: tuple[int, ...]) -> bool:
    return len(set(take)) == len(take) and all(place in PLACES for place in take)

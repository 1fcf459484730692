"""What variants put in the place of a draw: the widow of Banking, the two hands of Switch, the bus.

Rules BK-2, BK-3; SW-1 to SW-10; SB-2, SB-3, SB-7, SB-8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

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
    SwapCards,
    SwapHand,
    TableHand,
    Widow,
)
from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.refusals import Refusal
from engine.core.views import Phase
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
    stops_after_swap,
)

PLACES = tuple(range(CARDS_DEALT))
WIDOW_COUNTS = (1, 2, 3)
"""How many cards may be exchanged with the widow at once (rule BK-3)."""
BUS_COUNTS = (1, 3)
"""How many cards may be swapped in Stop the bus at once, never two (rule SB-2)."""


# --- cards for cards ----------------------------------------------------------------------------


def widow(play: ScatPlay, event: Widow) -> ScatPlay:
    """Exchange one, two or three cards with the widow instead of drawing (rule BK-3)."""
    own_turn(play, event.seat)
    give, take = event.give, event.take
    if not take or len(give) != len(take) or len(set(take) & set(PLACES)) != len(take):
        raise refusal(
            Refusal.WIDOW_COUNT,
            f"{len(give)} cards for places {list(take)} of the widow; give one, two or "
            f"three cards for as many different places of {list(PLACES)}",
        )
    after, given = _give(play, event.seat, give)
    return end_turn(_take(after, event.seat, Pile.WIDOW, take, given, event.got), event.seat)


def exchange(play: ScatPlay, event: Exchange) -> ScatPlay:
    """Exchange a card with a place of A or B of Switch (rule SW-3)."""
    own_turn(play, event.seat)
    if event.pos not in PLACES:
        raise refusal(
            Refusal.BAD_SWAP, f"there is no place {event.pos}; choose one of {list(PLACES)}"
        )
    after, given = _give(play, event.seat, (event.give,))
    got = () if event.got is None else (event.got,)
    return end_turn(_take(after, event.seat, event.hand, (event.pos,), given, got), event.seat)


def swap_cards(play: ScatPlay, event: SwapCards) -> ScatPlay:
    """Swap cards with the table of Stop the bus (rules SB-2, SB-3)."""
    seat = event.seat
    own_turn(play, seat)
    if len(event.give) != len(event.take) or len(event.give) not in BUS_COUNTS:
        raise refusal(
            Refusal.BAD_SWAP,
            f"seat {seat} gives {len(event.give)} cards for {len(event.take)}; swap one or three",
        )
    after, given = _give(play, seat, event.give)
    left = dict(enumerate(place.card for place in play.pile(Pile.TABLE)))
    spots = []
    for card in event.take:
        spot = next((spot for spot, lying in left.items() if lying == card), None)
        if spot is None:  # nor can one be taken back that is given in the same swap
            raise refusal(
                Refusal.NOT_ON_TABLE,
                f"{card} does not lie on the table for this swap; take one of "
                f"{', '.join(map(str, dict.fromkeys(left.values())))}",
            )
        spots.append(spot)
        del left[spot]
    after = end_turn(_take(after, seat, Pile.TABLE, spots, given), seat)
    if after.phase is Phase.PLAY and after.knocker is None and stops_after_swap(after):
        return replace(after, stopper=seat)
    return after


def _give(
    play: ScatPlay, seat: int, cards: Iterable[Card | None]
) -> tuple[ScatPlay, tuple[Card, ...]]:
    """Take cards out of a hand; until they lie on the table they are gone, but seen."""
    given: list[Card] = []
    for card in cards:
        play, laid = give_up(play, seat, card)
        given.append(laid)
        play = replace(play, gone=(*play.gone, laid))
    return play, tuple(given)


def _take(
    play: ScatPlay,
    seat: int,
    pile: str,
    spots: Sequence[int],
    given: Cards,
    got: Cards = (),
) -> ScatPlay:
    """Take cards from places on the table, read now or before, and lay those *given* there, open.

    Raises:
        IllegalActionError: ``MISMATCH``: the reading disagrees with what lies there;
            ``DUPLICATE_CARD`` or ``NOT_IN_DECK`` of a card read for the first time.
    """
    if got and len(got) != len(spots):
        raise refusal(
            Refusal.MISMATCH, f"{len(spots)} cards were taken and {len(got)} read; read every one"
        )
    places, hand = list(play.pile(pile)), play.hand(seat)
    fresh: list[Card] = []
    for spot, laid, card in zip(spots, given, got or (None,) * len(spots), strict=True):
        place = places[spot]
        if place.card is None and card is not None:
            check_new(play, card, fresh)
            fresh.append(card)
        elif card not in (None, place.card):
            raise refusal(Refusal.MISMATCH, f"{card} does not lie there; read the card again")
        hand = hand.take(card if place.card is None else place.card, known=place.up)
        places[spot] = Place(laid, up=True)
    play = replace(play, gone=play.gone[: -len(given)])
    return with_hand(play, hand).with_pile(pile, places)


# --- the hands of Switch ------------------------------------------------------------------------


def choose_hand(play: ScatPlay, event: ChooseHand) -> ScatPlay:
    """Let the dealer keep one of their two hands; the other lies open as A (rule SW-2)."""
    hand = seat_in_round(play, event.seat)
    if event.seat != play.dealer:
        raise refusal(
            Refusal.NOT_YOUR_TURN, f"the dealer, seat {play.dealer}, has two hands; let them choose"
        )
    second = tuple(place.card for place in play.pile(Pile.SECOND))
    kept, other = (hand.cards, second) if event.keep is Keep.FIRST else (second, hand.cards)
    if event.shown:
        seen = Counter(play.seen()) - Counter(card for card in other if card is not None)
        check_any_order(event.seat, other, event.shown, seen.elements(), play.options)
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


def swap_hand(play: ScatPlay, event: SwapHand) -> ScatPlay:
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
    for place, card in enumerate(event.cards):
        check_new(play, card, (each for each in event.cards[:place] if each is not None))
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


# --- what may be done ---------------------------------------------------------------------------


def choices(play: ScatPlay) -> tuple[Action, ...]:
    """Return which hand the dealer may keep; one not read must be shown (rule SW-2)."""
    second = [place.card for place in play.pile(Pile.SECOND)]
    first = play.hand(play.dealer).cards
    return tuple(
        Action("choose_hand", play.dealer, keep=keep, cards=CARDS_DEALT if None in laid else 0)
        for keep, laid in ((Keep.FIRST, second), (Keep.SECOND, first))
    )


def actions(play: ScatPlay, seat: int) -> list[Action]:
    """Return what *seat* may do with the cards on the table (BK-3, SW-3 to SW-6, SW-10, SB-2)."""
    table, hand, found = play.options.table, play.hand(seat), []
    give, unread = tuple(dict.fromkeys(hand.read_cards)), hand.cards.count(None)
    if table == "widow" and play.drawn is None:  # in every turn that has not begun
        found.append(
            Action("widow", seat, give=give, unread=unread, counts=WIDOW_COUNTS, places=PLACES)
        )
    elif table == "bus":
        take = tuple(place.card for place in play.pile(Pile.TABLE) if place.card is not None)
        found.append(Action("swap", seat, give=give, unread=unread, counts=BUS_COUNTS, take=take))
    for name in TableHand if table == "switch" else ():
        up = [place.up or play.options.swap_face == "up" for place in play.pile(name)]
        hidden = any(card is None for card, open_ in zip(hand.cards, up, strict=True) if open_)
        found += [
            Action("exchange", seat, hand=name, give=give, unread=unread, places=PLACES),
            Action("swap", seat, hand=name, cards=CARDS_DEALT if hidden else 0),
        ]
        if play.stock >= CARDS_DEALT:
            found += [
                Action("renew", seat, hand=name, face=face, cards=CARDS_DEALT) for face in Facing
            ]
    return found

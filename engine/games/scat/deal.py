"""The deal of Thirty-one: to the players and to the piles of a variant (SC-3, BK-2, SW-1, SB-2)."""

from __future__ import annotations

from engine.core.events import Deal, DealTo, Facing, PackEnd, Pile
from engine.core.fast_replace import replace
from engine.core.refusals import Refusal
from engine.core.views import Phase
from engine.games.base import Action, with_hand
from engine.games.scat import turns
from engine.games.scat.options import CARDS_DEALT
from engine.games.scat.play import OPEN_HAND, Place, ScatPlay, check_new, refusal

_ORDERED = {"none": (), "widow": (), "switch": (Pile.SECOND, Pile.MIDDLE), "bus": (Pile.TABLE,)}
"""Piles that are dealt once every player has their three cards (SW-1, SB-2)."""


def deal(play: ScatPlay, event: Deal) -> ScatPlay:
    """Deal a card to a player, one at a time from the dealer's left (rules SC-3, G-21)."""
    hand = play.hand(event.seat)
    if len(hand.cards) >= CARDS_DEALT:
        raise refusal(
            Refusal.TOO_MANY_CARDS,
            f"seat {event.seat} has three cards; put the card back, or call a misdeal",
        )
    due = due_piles(play)
    if due or seat_due(play) != event.seat:
        raise refusal(Refusal.WRONG_DEAL_ORDER, f"the next card goes {_goes_to(play, due)}")
    if event.end is PackEnd.BOTTOM:
        raise refusal(Refusal.WRONG_END, "cards come from the top of the pack; call a misdeal")
    check_new(play, event.card)
    hand = hand.take(event.card, up=event.face is Facing.UP)
    return _dealt(with_hand(play, hand))


def deal_to(play: ScatPlay, event: DealTo) -> ScatPlay:
    """Deal a card to the table, or to the dealer's other hand (BK-2, SW-1, SB-2)."""
    if event.to not in piles_of(play):
        raise refusal(
            Refusal.WRONG_PHASE, f"this deal has no pile {str(event.to)!r}; give it to a player"
        )
    if event.to is Pile.SECOND and event.seat not in (None, play.dealer):
        raise refusal(
            Refusal.WRONG_DEAL_ORDER, f"only the dealer, seat {play.dealer}, has a second hand"
        )
    lying = play.pile(event.to)
    if len(lying) >= CARDS_DEALT:
        raise refusal(
            Refusal.TOO_MANY_CARDS, f"{str(event.to)!r} has three cards; put the card back"
        )
    due = due_piles(play)
    if event.to not in due:
        raise refusal(Refusal.WRONG_DEAL_ORDER, f"the next card goes {_goes_to(play, due)}")
    if event.to is Pile.TABLE and (event.card is None or event.face is not Facing.UP):
        raise refusal(
            Refusal.UPCARD_UNREADABLE, "cards for the table lie face up; turn it up and read it"
        )
    check_new(play, event.card)
    laid = Place(event.card, up=event.face is Facing.UP)
    return _dealt(play.with_pile(event.to, (*lying, laid)))


def actions(play: ScatPlay) -> tuple[Action, ...]:
    """Return what may be dealt next."""
    due = due_piles(play)
    if due:
        return tuple(
            Action("deal", pile=pile, face=_face(pile), end=PackEnd.TOP, cards=1) for pile in due
        )
    return (Action("deal", seat_due(play), face=Facing.DOWN, end=PackEnd.TOP, cards=1),)


def seat_due(play: ScatPlay) -> int | None:
    """Return the seat with the fewest cards, eldest first; ``None`` once all have theirs."""
    waiting = [hand for hand in play.hands if len(hand.cards) < CARDS_DEALT]
    if play.phase is not Phase.DEAL or not waiting:
        return None
    return min(waiting, key=lambda hand: len(hand.cards)).seat


def piles_of(play: ScatPlay) -> tuple[Pile, ...]:
    """Return which piles this deal lays on the table; no second hand after a restart (SW-8)."""
    if play.options.table == "widow":
        return (Pile.WIDOW,)
    if play.pile(OPEN_HAND):
        return (Pile.MIDDLE,)
    return _ORDERED[play.options.table]


def due_piles(play: ScatPlay) -> tuple[Pile, ...]:
    """Return the piles one of which gets the next card; none while a player does (BK-2)."""
    if play.phase is not Phase.DEAL:
        return ()
    fewest = min(len(hand.cards) for hand in play.hands)
    if play.options.table == "widow":
        return (Pile.WIDOW,) if len(play.pile(Pile.WIDOW)) < fewest else ()
    if fewest < CARDS_DEALT:
        return ()
    return tuple(pile for pile in piles_of(play) if len(play.pile(pile)) < CARDS_DEALT)


def _dealt(play: ScatPlay) -> ScatPlay:
    """Count the card, and see whether it was the last of the deal (SC-3, SW-2, SB-2)."""
    play = replace(play, stock=play.stock - 1)
    if seat_due(play) is not None or due_piles(play):
        return play
    if play.options.has_discard:
        return replace(play, phase=Phase.TURN_UP)
    if play.pile(Pile.SECOND):
        return replace(play, phase=Phase.CHOOSE, turn=play.dealer)
    return turns.begin_turns(play)


def _face(pile: Pile) -> Facing:
    return Facing.UP if pile is Pile.TABLE else Facing.DOWN


def _goes_to(play: ScatPlay, due: tuple[Pile, ...]) -> str:
    if due:
        return f"to the table ({', '.join(due)}); deal it there"
    waiting = min(play.hands, key=lambda hand: len(hand.cards))
    return f"to seat {waiting.seat}; deal it there"

"""Cards from the pack and to the discard: the deal, draws and discards of Thirty-one.

Rules SC-3, SC-4, SC-14 to SC-18; BK-2, SW-1, SB-2 for the piles of a variant.
"""

from __future__ import annotations

from engine.core.cards import Card
from engine.core.events import Deal, DealTo, Discard, Draw, Facing, PackEnd, Pile, Source, TurnUp
from engine.core.fast_replace import replace
from engine.core.refusals import Refusal
from engine.core.views import Phase
from engine.games.base import Action, with_hand
from engine.games.scat.options import CARDS_DEALT
from engine.games.scat.play import (
    OPEN_HAND,
    Cards,
    Place,
    ScatPlay,
    Thrown,
    check_new,
    give_up,
    refusal,
)
from engine.games.scat.turns import begin_turns, end_turn, open_turn, own_turn

_PILES: dict[str, tuple[Pile, ...]] = {
    "none": (),
    "widow": (Pile.WIDOW,),
    "switch": (Pile.SECOND, Pile.MIDDLE),
    "bus": (Pile.TABLE,),
}
"""What is dealt to the table besides the hands (BK-2, SW-1, SB-2)."""


def deal(play: ScatPlay, event: Deal) -> ScatPlay:
    """Deal a card to a player, one at a time round the table (rules SC-3, G-21).

    Who gets theirs first within a round is not watched: nothing hangs on it.
    """
    hand = play.hand(event.seat)
    if len(hand.cards) >= CARDS_DEALT:
        raise refusal(
            Refusal.TOO_MANY_CARDS,
            f"seat {event.seat} has three cards; put the card back, or call a misdeal",
        )
    due = due_piles(play)
    if due or event.seat not in seats_due(play):
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


def deal_actions(play: ScatPlay) -> tuple[Action, ...]:
    """Return what may be dealt next."""
    due = due_piles(play)
    if due:
        face = Facing.UP if Pile.TABLE in due else Facing.DOWN
        return tuple(Action("deal", pile=pile, face=face, end=PackEnd.TOP, cards=1) for pile in due)
    return tuple(
        Action("deal", seat, face=Facing.DOWN, end=PackEnd.TOP, cards=1) for seat in seats_due(play)
    )


def seat_due(play: ScatPlay) -> int | None:
    """Return the seat with the fewest cards, eldest first; ``None`` once all have theirs."""
    return next(iter(seats_due(play)), None)


def seats_due(play: ScatPlay) -> tuple[int, ...]:
    """Return who may get the next card, eldest first: all who have the fewest (rule SC-3)."""
    fewest = min(len(hand.cards) for hand in play.hands)
    if play.phase is not Phase.DEAL or fewest == CARDS_DEALT:
        return ()
    return tuple(hand.seat for hand in play.hands if len(hand.cards) == fewest)


def piles_of(play: ScatPlay) -> tuple[Pile, ...]:
    """Return which piles this deal lays on the table; no second hand after a restart (SW-8)."""
    return (Pile.MIDDLE,) if play.pile(OPEN_HAND) else _PILES[play.options.table]


def due_piles(play: ScatPlay) -> tuple[Pile, ...]:
    """Return the piles one of which gets the next card; none while a player does.

    The widow gets one after each round (BK-2), the others once every player has their three.
    """
    if play.phase is not Phase.DEAL:
        return ()
    full = min(len(hand.cards) for hand in play.hands)
    if full < CARDS_DEALT and play.options.table != "widow":
        return ()
    return tuple(pile for pile in piles_of(play) if len(play.pile(pile)) < full)


def _dealt(play: ScatPlay) -> ScatPlay:
    """Count the card, and see whether it was the last of the deal (SC-3, SW-2, SB-2)."""
    play = replace(play, stock=play.stock - 1)
    if seat_due(play) is not None or due_piles(play):
        return play
    if play.options.has_discard:
        return replace(play, phase=Phase.TURN_UP)
    if play.pile(Pile.SECOND):
        return replace(play, phase=Phase.CHOOSE, turn=play.dealer)
    return begin_turns(play)


def _goes_to(play: ScatPlay, due: tuple[Pile, ...]) -> str:
    if due:
        return f"to the table ({', '.join(due)}); deal it there"
    waiting = min(play.hands, key=lambda hand: len(hand.cards))
    return f"to seat {waiting.seat}; deal it there"


# --- draw and discard ---------------------------------------------------------------------------


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
            f"seat {event.seat} threw {top.card} themselves and may not take it back; {cure}",
        )
    if top.card is None:
        check_new(play, event.card)  # read only as it was taken, or not at all (SC-28)
    elif event.card not in (None, top.card):
        raise refusal(
            Refusal.MISMATCH,
            f"{top.card} lies on the discard, not {event.card}; read the card again",
        )
    taken = event.card if top.card is None else top.card
    hand = hand.take(taken, known=taken is not None)  # everybody saw it there
    after = replace(with_hand(play, hand), discards=play.discards[:-1], drawn=event.source)
    return open_turn(play, after)


def discard(play: ScatPlay, event: Discard) -> ScatPlay:
    """Lay a card on the discard, back to three; that ends the turn (rules SC-4, SC-16, SC-28)."""
    hand = own_turn(play, event.seat, drawn=True)
    if play.drawn is None:
        raise refusal(
            Refusal.MUST_DRAW, f"seat {event.seat} has drawn no card; draw or knock first"
        )
    card = event.card
    if (card is not None or hand.has_unread) and not _may_throw(play, hand.cards, card):
        raise refusal(
            Refusal.RETURNED_DISCARD,
            f"seat {event.seat} has just taken {card or 'that card'} from the discard; "
            "throw another card",
        )
    if card is None and hand.has_unread:
        play = with_hand(play, hand.without(hand.cards.index(None)))
    else:
        play, card = give_up(play, event.seat, card)
    hand = play.hand(event.seat)
    play = with_hand(play, replace(hand, thrown=(*hand.thrown, card)))
    return end_turn(replace(play, discards=(*play.discards, Thrown(card, event.seat))), event.seat)


def may_take_discard(play: ScatPlay, seat: int) -> bool:
    """Return whether *seat* may take the top of the discard (rules SC-14, SC-15)."""
    top = play.top
    if top is None:
        return False
    if top.seat != seat or play.options.own_discard == "always":
        return True
    return play.knocker is not None and len(play.holding) == 2


def turn_actions(play: ScatPlay, seat: int) -> list[Action]:
    """Return how *seat* may draw, or what they may discard (rules SC-4, SC-15, SC-16, SC-18)."""
    if play.drawn is not None:
        cards = play.hand(seat).cards
        known = (card for card in dict.fromkeys(cards) if card)
        give = tuple(card for card in known if _may_throw(play, cards, card))
        unread = cards.count(None) if _may_throw(play, cards, None) else 0
        return [Action("discard", seat, cards=1, give=give, unread=unread)]
    found = []
    if play.stock:
        found.append(Action("draw", seat, source=Source.STOCK, cards=1))
    if may_take_discard(play, seat):
        found.append(Action("draw", seat, source=Source.DISCARD))
    return found


def _may_throw(play: ScatPlay, cards: Cards, card: Card | None) -> bool:
    """Return whether a card of the hand may be thrown: not the one just taken (rule SC-16).

    ``None``, and a card not read before, is one of the unread cards. With two packs it may be the
    other copy, which looks the same.
    """
    if play.drawn is not Source.DISCARD or play.options.return_discard:
        return True
    if cards[-1] is None:
        return card in cards[:-1] or None in cards[:-1]
    return card != cards[-1] or (
        play.options.decks > 1 and (cards.count(card) > 1 or None in cards)
    )

"""Hands judged in the order in which the cards were dealt (rules OT-17 to OT-19, OT-22).

The camera sees most cards only when they are shown, but it knows when each was dealt. So whenever
more is seen of a hand it is gone through again, and it ended at the first moment that decides it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from engine.core.counting import GOAL, most
from engine.core.events import Claim, Deal, Declare, Event, Have, Leave, Reveal, Stick
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.outcome import End
from engine.games.base import Play
from engine.games.counting_game import CountingGame, finish


@dataclass(frozen=True)
class OrderedPlay(Play):
    """A hand that keeps what happened in it.

    Attributes:
        played: the events taken, from the first card dealt on.
        claim: who claimed 31, and how many events had been taken by then (rules OT-9, OT-17).
    """

    played: tuple[Event, ...] = ()
    claim: tuple[int, int] | None = None

    def has_thrown_in(self, seat: int) -> bool:
        """Return whether the player has said that they are out, or has gone (rule G-17)."""
        return any(is_word(event) and _seat(event) == seat for event in self.played)

    def may_reveal(self) -> tuple[int, ...]:
        """Return who holds unseen cards that may reach 31, and may show them (OT-18, OT-19)."""
        return tuple(
            hand.seat
            for hand in map(self.hand, self.order)
            if hand.has_unread
            and not (hand.out or self.has_thrown_in(hand.seat))
            and most(hand.cards, self.options.ace_value) >= GOAL
        )


def is_word(event: Event) -> bool:
    """Return whether the event puts its player out, whatever the cards are (rule G-17)."""
    return isinstance(event, Leave) or (isinstance(event, Declare) and event.what is Claim.OUT)


def judged(game: CountingGame, play: OrderedPlay, elders: Sequence[int]) -> OrderedPlay | None:
    """Return the hand as it ended by all that is seen of it; ``None`` if nothing ended it yet.

    *elders* are the seats, the one that wins ties first.
    """
    over = {hand.seat: _over_with(game, play, hand) for hand in play.hands}
    exact = {hand.seat: _exact_with(game, play, hand) for hand in play.hands}
    claimed, claimed_at = play.claim or (None, 0)
    hands = {hand.seat: PlayerCards(hand.seat) for hand in play.hands}
    dealt = len(hands) * game.cards_dealt
    winner = None
    for number, event in enumerate(play.played, start=1):
        seat = _seat(event)
        hands[seat] = _after(hands[seat], event)
        if number < dealt:
            continue
        touched = [each for each in elders if number == dealt or each == seat]
        for each in touched:
            if (
                is_word(event)
                or len(hands[each].cards) >= over[each]
                or game.is_certainly_over(play, hands[each])
            ):
                hands[each] = replace(hands[each], out=True)
        if winner is None and isinstance(event, Deal):
            winner = next((s for s in touched if len(hands[s].cards) == exact[s]), None)
        if winner is None and claimed_at == number:
            winner = claimed
        ended = None
        if winner is None:
            alive = [hands[each] for each in play.order if not hands[each].out]
            ended = game.decided(play, alive)
        elif winner != claimed or number >= claimed_at:
            ended = finish(play, End.THIRTY_ONE, (winner,))
        if ended is not None:
            late = number < len(play.played) and (winner is None or winner != claimed)
            return _told(play, ended, hands, late=late)
    return None


def _told(
    play: OrderedPlay, ended: Any, hands: Mapping[int, PlayerCards], *, late: bool
) -> OrderedPlay:
    """Return the hand as *ended*, out those who were out by then."""
    if (play.end, play.winners) == (ended.end, ended.winners):
        late = play.late
    then = tuple(replace(hand, out=hands[hand.seat].out) for hand in play.hands)
    told: OrderedPlay = replace(ended, hands=then, late=late)
    return told


def _seat(event: Any) -> int:
    """Return whose event it is: none of those taken in a hand is nobody's."""
    return int(event.seat)


def _after(hand: PlayerCards, event: Event) -> PlayerCards:
    """Return a hand with what was seen of it at the time, and what its player had said."""
    match event:
        case Deal():
            return hand.take(event.card, up=False)
        case Have():
            return replace(hand, acted=True)
        case Stick():
            return replace(hand, acted=True, stuck=True)
        case Reveal() | Declare() if event.cards:
            return replace(hand, cards=event.cards)
    return hand


def _over_with(game: CountingGame, play: OrderedPlay, hand: PlayerCards) -> float:
    """Return with which of its cards a hand went over, from 1, judged by its order (OT-18).

    A hand that has drawn and was thrown in unseen counts as over with its last card (OT-17).
    """
    if play.options.late_out != "in_order":
        return inf  # it counts from when it is seen
    for number in range(game.cards_dealt, len(hand.cards) + 1):
        if game.is_certainly_over(play, replace(hand, cards=hand.cards[:number])):
            return number
    hidden = hand.has_unread and play.has_thrown_in(hand.seat)
    return len(hand.cards) if hidden and len(hand.cards) > game.cards_dealt else inf


def _exact_with(game: CountingGame, play: OrderedPlay, hand: PlayerCards) -> float:
    """Return with which of its cards a hand was 31 first, from 1, claimed or not (OT-19)."""
    if play.options.late_31 != "in_order":
        return inf  # it counts only if it is claimed
    for number in range(game.cards_dealt, len(hand.cards) + 1):
        if game.total(play, hand.cards[:number]) == GOAL:
            return number
    return inf

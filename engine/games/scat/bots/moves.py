"""What a turn of Thirty-one may make of a hand: one move after another, and where each may end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb

from engine.core.cards import Card
from engine.core.events import Draw, Event, Exchange, Source, SwapCards, SwapHand, Widow
from engine.games.base import Action
from engine.games.decision import Decision
from engine.games.scat.odds import HAND, starting_hand
from engine.games.scat.points import Strength, strength


@dataclass(frozen=True, slots=True)
class Move:
    """One thing to do in a turn that changes the hand.

    Attributes:
        event: what to do.
        keeps: the cards held after it, as far as one knows them.
        blind: how many cards come besides that nobody has seen.
        choice: of four cards one is thrown away afterwards.
        bound: a card that may not be thrown: the one just taken from the discard (SC-16).
    """

    event: Event
    keeps: tuple[Card, ...]
    blind: int = 0
    choice: bool = False
    bound: Card | None = None

    @property
    def makes(self) -> object:
        """Return what tells its ends from those of another move."""
        return frozenset(Counter(self.keeps).items()), self.blind, self.choice, self.bound

    def ends(self, unseen: Sequence[Card], asked: Decision) -> dict[tuple[Card, ...], float]:
        """Return the hands it may end with, and how likely each is."""
        found: dict[tuple[Card, ...], float] = defaultdict(float)
        times = comb(len(unseen), self.blind)
        for cards in combinations(unseen, self.blind):
            found[self._best((*self.keeps, *cards), asked)] += 1 / times
        return found

    def end(self, asked: Decision) -> Strength:
        """Return the strength after a move that is not blind."""
        return strength(self._best(self.keeps, asked), asked.options)

    def _best(self, cards: tuple[Card, ...], asked: Decision) -> tuple[Card, ...]:
        """Return the best three of the cards."""
        if not self.choice:
            return cards
        kept = (hand for hand in combinations(cards, HAND) if self.bound in (None, *hand))
        return max(kept, key=lambda hand: strength(hand, asked.options))


def moves(asked: Decision) -> Iterator[Move]:
    """Yield every way to change the hand in this turn."""
    for action in asked.actions:
        if action.kind == Draw.kind:
            yield from _draw(asked, action)
        elif action.kind == Widow.kind:
            yield from _widow(asked, action)
        elif action.kind == Exchange.kind:
            yield from _exchange(asked, action)
        elif action.kind == SwapHand.kind and action.hand is not None:
            yield _swap_hand(asked, action)
        elif action.kind == SwapCards.kind:
            yield from _swap_cards(asked, action)


def lying(asked: Decision, name: str) -> tuple[Card | None, ...]:
    """Return the cards of a pile between the players, as they are seen."""
    middle = asked.view.middle
    return () if middle is None else middle.pile(name)


def visible(asked: Decision) -> list[Card]:
    """Return the cards they see or know of, without their own."""
    middle = asked.view.middle
    found = [card for seat in asked.others for card in seat.known]
    if middle is not None:
        found += [card for pile in middle.piles for card in pile.cards if card is not None]
        if middle.discard_top is not None:
            found.append(middle.discard_top)
    return found


def all_new(asked: Decision) -> dict[Strength, float]:
    """Return how likely each value of three unseen cards is: counted, not tried one by one."""
    values = starting_hand([*asked.hand, *visible(asked)], **asked.options.for_odds)
    return {float(value): float(chance) for value, chance in values.chances}


def _draw(asked: Decision, action: Action) -> Iterator[Move]:
    middle = asked.view.middle
    top = None if middle is None else middle.discard_top
    if action.source is Source.STOCK:
        yield Move(Draw(asked.seat, Source.STOCK), asked.hand, blind=1, choice=True)
    elif top is not None:  # a card that nobody could read is left lying
        event = Draw(asked.seat, Source.DISCARD, top)
        bound = None if asked.options.return_discard else top
        yield Move(event, (*asked.hand, top), choice=True, bound=bound)


def _widow(asked: Decision, action: Action) -> Iterator[Move]:
    places = lying(asked, "widow")
    for count in action.counts:
        for give in combinations(asked.hand, count):
            for take in combinations(action.places, count):
                event = Widow(asked.seat, give, take)
                yield _changed(asked, event, give, [places[place] for place in take])


def _exchange(asked: Decision, action: Action) -> Iterator[Move]:
    assert action.hand is not None  # an exchange names a hand on the table
    places = lying(asked, action.hand)
    for give in asked.hand:
        for place in action.places:
            event = Exchange(asked.seat, action.hand, place, give)
            yield _changed(asked, event, (give,), [places[place]])


def _swap_hand(asked: Decision, action: Action) -> Move:
    assert action.hand is not None  # as above
    gave = asked.hand if action.cards else ()
    event = SwapHand(asked.seat, action.hand, gave)
    return _changed(asked, event, asked.hand, lying(asked, action.hand))


def _swap_cards(asked: Decision, action: Action) -> Iterator[Move]:
    for count in action.counts:
        for give in combinations(asked.hand, count):
            for take in permutations(action.take, count) if count == 1 else [action.take]:
                event = SwapCards(asked.seat, give, take)
                yield _changed(asked, event, give, take)


def _changed(
    asked: Decision, event: Event, give: Sequence[Card], take: Sequence[Card | None]
) -> Move:
    """Return a move that gives some cards for others, of which some lie face down."""
    left = list(asked.hand)
    for card in give:
        left.remove(card)
    got = [card for card in take if card is not None]
    return Move(event, (*left, *got), blind=len(take) - len(got))

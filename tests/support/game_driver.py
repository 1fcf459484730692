"""Plays whole games with :class:`engine.bots.Driver`, and knows where every card really lies.

The engine is told of the cards only what the camera would have read. Chance is a seeded ``Random``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine import Card, Deal, Event, Facing, NextHand, Phase, Player, State, bots, new_table, view
from engine.core.events import (
    ChooseHand,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Keep,
    Renew,
    Source,
    SwapCards,
    SwapHand,
    TurnUp,
    Widow,
)
from engine.games.decision import Strategy

MOST_STEPS = 3000
"""A hand that takes more events than that will never end."""


class Driver(bots.Driver):
    """A table, its players, and where every card really lies."""

    def __init__(
        self,
        game: str,
        preset: str | None,
        people: Sequence[Strategy],
        *,
        seed: int | str = 0,
        blind: float = 0.0,
        dealer: int | None = 0,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.blind = blind
        self.decided: list[tuple[int, Event]] = []
        players = [Player(seat, f"P{seat}", 20 + seat * 7 % 5) for seat, _ in enumerate(people)]
        state = new_table(game, players, dealer=dealer, preset=preset, options=options or {})
        super().__init__(state, people, random.Random(seed))

    # --- one thing after another --------------------------------------------------------------

    def shuffle(self) -> None:
        """Gather the cards and shuffle; what lies on the table already stays there (SW-8)."""
        super().shuffle()
        self.held: dict[int, list[Card]] = {seat: [] for seat in self.people}
        self.piles: dict[str, list[Card]] = {}
        self.discards: list[Card] = []
        play = self.state.round.play
        for name, places in getattr(play, "piles", ()):
            self.piles[str(name)] = [place.card for place in places]

    def play_hand(self) -> State:
        """Play to the end of the hand."""
        for _ in range(MOST_STEPS):
            if self.state.phase is Phase.DONE:
                return self.state
            self.go_on()
        raise AssertionError(f"no end after {MOST_STEPS} events: {self.state.events[-20:]}")

    def play(self, hands: int) -> State:
        """Play so many hands, or until the match is over."""
        for _ in range(hands):
            self.play_hand()
            if self.state.round.standing.over:
                break
            self.do(NextHand())
        return self.state

    def ask(self, seat, actions) -> Event | None:
        """Ask one player, who knows their own cards."""
        event = self.people[seat].decide(
            view(self.state, seat),
            actions,
            self.state.setup.options,
            self.hand_of(seat),
            self.piles.get("second"),
        )
        if event is not None:
            self.decided.append((seat, event))
        return event

    def hand_of(self, seat: int) -> tuple[Card, ...]:
        """Return the true cards of a seat."""
        return tuple(self.held.get(seat, ()))

    def next_card(self, face: Facing) -> Card | None:
        """Return the next card of the stock as the camera reads it; :meth:`move` takes it."""
        return None if face is Facing.DOWN and self.rng.random() < self.blind else self.pack[-1]

    def filled(self, event: Event) -> Event:
        """Fill in the cards that come from the stock."""
        if not isinstance(event, Renew):
            return super().filled(event)
        cards = self.pack[-1:-4:-1]
        unread = event.face is Facing.DOWN and self.rng.random() < self.blind
        return replace(event, cards=(None, None, None) if unread else tuple(cards))

    def do(self, event: Event) -> Event:
        """Apply the event and move the cards."""
        event = super().do(event)
        self.move(event)
        if isinstance(event, NextHand):
            self.shuffle()
        self.tidy()
        return event

    # --- where the cards lie ------------------------------------------------------------------

    def move(self, event: Event) -> None:
        """Carry the cards where the event took them."""
        match event:
            case Deal():
                self.held[event.seat].append(self.pack.pop())
            case DealTo():
                self.piles.setdefault(str(event.to), []).append(self.pack.pop())
            case TurnUp():
                self.discards.append(self.pack.pop())
            case Draw():
                self.before = {seat: list(cards) for seat, cards in self.held.items()}
                stock = event.source is Source.STOCK
                self.held[event.seat].append((self.pack if stock else self.discards).pop())
            case Discard():
                self.held[event.seat].remove(event.card)
                self.discards.append(event.card)
            case Widow():
                self.change(event.seat, "widow", event.give, event.take)
            case Exchange():
                self.change(event.seat, str(event.hand), (event.give,), (event.pos,))
            case SwapCards():
                table = self.piles["table"]
                places = tuple(table.index(card) for card in event.take)
                self.change(event.seat, "table", event.give, places)
            case SwapHand():
                name = str(event.hand)
                self.held[event.seat], self.piles[name] = self.piles[name], self.held[event.seat]
            case Renew():
                self.piles[str(event.hand)] = [self.pack.pop() for _ in range(3)]
            case ChooseHand():
                second = self.piles.pop("second")
                if event.keep is Keep.SECOND:
                    second, self.held[event.seat] = self.held[event.seat], second
                self.piles["A"] = second

    def change(self, seat, name, give, take) -> None:
        """Change cards of a hand for those in some places of a pile."""
        for card, place in zip(give, take, strict=True):
            self.held[seat].remove(card)
            self.held[seat].append(self.piles[name][place])
            self.piles[name][place] = card

    def tidy(self) -> None:
        """Keep the true cards in the order in which the engine keeps what it has read."""
        play = self.state.live_play
        if play is None:
            return
        for hand in play.hands:
            held = self.held[hand.seat]
            if len(hand.cards) < len(held):  # 31 was shown: an unfinished turn is void (SC-11)
                held = self.before[hand.seat]
            if hand.cards:
                self.held[hand.seat] = ordered(hand.cards, held)
        if play.turn is None and play.phase is not Phase.DEAL:
            return
        for name, places in getattr(play, "piles", ()):
            read = [place.card for place in places]
            self.piles[str(name)] = ordered(read, self.piles[str(name)])


def ordered(read: Sequence[Card | None], true: Sequence[Card]) -> list[Card]:
    """Return the *true* cards in the order of those that were *read*; it checks them too."""
    assert len(read) == len(true), (read, true)
    known = Counter(card for card in read if card is not None)
    assert not known - Counter(true), (read, true)
    rest = iter((Counter(true) - known).elements())
    return [next(rest) if card is None else card for card in read]

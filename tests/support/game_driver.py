"""Plays whole games with the players of ``engine.bots``: a pack, bones, and a dealer.

The cards are real: each lies in one place, and the engine is told of it only what the camera would
have read. Chance is a seeded ``Random``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine import (
    Card,
    Cut,
    Deal,
    Event,
    Facing,
    NextHand,
    Phase,
    Player,
    State,
    apply,
    legal_actions,
    new_table,
    view,
)
from engine.core.events import (
    Accept,
    ChooseHand,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Keep,
    Renew,
    Roll,
    Source,
    SwapCards,
    SwapHand,
    TurnUp,
    Widow,
)
from engine.games.decision import Strategy, actions_of

FACES = (1, 3, 4, 6)
WEIGHTS = (1, 4, 4, 1)
"""Flat, concave, convex, twisted, in tenths (after Winkelman)."""
MOST_STEPS = 3000
"""A hand that takes more events than that will never end."""


class Driver:
    """A table, its people, and where every card really lies."""

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
        self.rng = random.Random(seed)
        self.blind = blind
        self.people = dict(enumerate(people))
        players = [Player(seat, f"P{seat}", 20 + seat * 7 % 5) for seat in self.people]
        self.state: State = new_table(
            game, players, dealer=dealer, preset=preset, options=options or {}
        )
        self.decided: list[tuple[int, Event]] = []
        self.shuffle()

    # --- one thing after another --------------------------------------------------------------

    def shuffle(self) -> None:
        """Gather the cards and shuffle; what lies on the table already stays there (SW-8)."""
        setup = self.state.setup
        packs = setup.game.decks(setup.options)
        self.pack = [card for card in _pack(setup) for _ in range(packs)]
        self.rng.shuffle(self.pack)
        self.cuts = list(self.pack)
        self.held: dict[int, list[Card]] = {seat: [] for seat in self.people}
        self.piles: dict[str, list[Card]] = {}
        self.discards: list[Card] = []
        play = self.state.round.play
        for name, places in getattr(play, "piles", ()):
            self.piles[str(name)] = [place.card for place in places]
            for card in self.piles[str(name)]:
                self.pack.remove(card)

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

    def go_on(self) -> None:
        """Let one person decide; if nobody has anything to say, let the dealer go on."""
        event = self.decision() or self.chance()
        self.do(event)

    def decision(self) -> Event | None:
        """Ask everybody, the one whose turn it is last: calls come first."""
        actions = legal_actions(self.state)
        turn = self.state.turn
        for seat in sorted(self.people, key=lambda seat: (seat == turn, seat)):
            mine = actions_of(actions, seat)
            if mine:
                event = self.ask(seat, mine)
                if event is not None:
                    self.decided.append((seat, event))
                    return event
        return None

    def ask(self, seat, mine) -> Event | None:
        """Ask one person."""
        return self.people[seat].decide(
            view(self.state, seat),
            mine,
            self.state.setup.options,
            self.hand_of(seat),
            self.piles.get("second"),
        )

    def hand_of(self, seat: int) -> tuple[Card, ...]:
        """Return the true cards of a seat."""
        return tuple(self.held.get(seat, ()))

    def chance(self) -> Event:
        """Return what happens without anybody deciding it."""
        for action in legal_actions(self.state):
            match action.kind:
                case "cut":
                    return Cut(action.seat, self.cuts.pop())
                case "deal" if action.seat is not None:
                    return Deal(action.seat, self.read(action.face), action.face, action.end)
                case "deal":
                    face = action.face or Facing.DOWN
                    return DealTo(action.pile, self.read(face), face)
                case "turn_up":
                    return TurnUp(self.pack[-1])
                case "roll":
                    return Roll(
                        action.seat, tuple(self.rng.choices(FACES, WEIGHTS, k=action.bones))
                    )
                case "accept":
                    return Accept()
        raise AssertionError(f"nobody goes on: {legal_actions(self.state)}")

    def read(self, face: Facing) -> Card | None:
        """Return the next card of the stock as the camera reads it."""
        return None if face is Facing.DOWN and self.rng.random() < self.blind else self.pack[-1]

    def do(self, event: Event) -> None:
        """Fill in the cards that come from the stock, tell the engine, and move the cards."""
        if isinstance(event, Draw) and event.source is Source.STOCK:
            event = replace(event, card=self.read(Facing.DOWN))
        elif isinstance(event, Renew):
            cards = self.pack[-1:-4:-1]
            unread = event.face is Facing.DOWN and self.rng.random() < self.blind
            event = replace(event, cards=(None, None, None) if unread else tuple(cards))
        self.state = apply(self.state, event)
        self.move(event)
        if isinstance(event, NextHand):
            self.shuffle()
        self.tidy()

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


def _pack(setup) -> list[Card]:
    """Return the cards of one pack in use."""
    return sorted(setup.game.pack(setup.options))

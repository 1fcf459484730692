"""Players for demos and tests: a cautious, a bold and an exact strategy for every game.

A strategy gets the view of its seat (:func:`engine.view`) and the allowed actions
(:func:`engine.legal_actions`), nothing else. Each is pure: the same question has the same answer.
:class:`Driver` plays hands with them.
"""

from __future__ import annotations

import pkgutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from engine.core.cards import Card
from engine.core.events import (
    Accept,
    Claim,
    Cut,
    Deal,
    DealTo,
    Draw,
    Event,
    Facing,
    Leave,
    Renew,
    Reveal,
    Roll,
    Source,
    TurnUp,
)
from engine.core.text.suggest import did_you_mean
from engine.core.views import Phase
from engine.games import catalog
from engine.games.base import Action
from engine.games.decision import Strategy, StrategyError, Style, actions_of
from engine.table.state import State, apply, legal_actions
from engine.table.visibility import view


def is_played(game: str) -> bool:
    """Return whether there are strategies for *game*; a plugin may have none.

    >>> is_played("bone-ace")
    True

    Raises:
        UnknownGameError: no such game.
    """
    return bool(catalog.find(game).strategist)


def player(style: str, game: str) -> Strategy:
    """Return a strategy for *game* in that *style*.

    >>> player("bold", "bone-ace")
    OneAndThirtyPlayer('bold')

    Raises:
        StrategyError: no such style, or no strategies for that game.
        UnknownGameError: no such game.
    """
    styles = [str(each) for each in Style]
    if style not in styles:
        raise StrategyError(f"unknown style {style!r}; {did_you_mean(style, styles)}")
    rules = catalog.find(game)
    if not rules.strategist:
        raise StrategyError(f"nobody here plays {rules.name}; give the game a strategist")
    strategist: type[Strategy] = pkgutil.resolve_name(rules.strategist)
    return strategist(Style(style))


FACES = (1, 3, 4, 6)
WEIGHTS = (1, 4, 4, 1)
"""Flat, concave, convex, twisted, in tenths (after Winkelman)."""


class Chance(Protocol):
    """Source of chance; :class:`random.Random` is one."""

    def shuffle(self, x: list[Card], /) -> None:
        """Shuffle in place."""
        ...

    def choices(self, population: Sequence[int], weights: Sequence[int], *, k: int) -> list[int]:
        """Return *k* of *population*, each chosen with its weight."""
        ...


class Driver:
    """Plays a table by itself: asks the strategies, deals, and throws bones.

    Attributes:
        state: the table.
        people: the strategy of each seat.
        rng: shuffles the pack and throws the bones.
        pack: the cards that are left, the next one last.
        cuts: the cards to cut from, the next one last.
    """

    pack: list[Card]
    cuts: list[Card]
    _legal: tuple[State, tuple[Action, ...]] | None = None

    def __init__(self, state: State, people: Sequence[Strategy], rng: Chance) -> None:
        """Take over the table *state* with one strategy for each of its seats, from 0 on."""
        self.state = state
        self.people = dict(enumerate(people))
        self.rng = rng
        self.shuffle()

    def shuffle(self) -> None:
        """Gather and shuffle all cards but those that lie on the table."""
        setup, play = self.state.setup, self.state.live_play
        packs = setup.game.decks(setup.options)
        cards = sorted(setup.game.pack(setup.options))
        lying = Counter(() if play is None or play.phase is Phase.DONE else play.seen())
        self.pack = [card for card in cards for _ in range(packs - lying[card])]
        self.rng.shuffle(self.pack)
        self.cuts = list(self.pack)

    def go_on(self) -> Event:
        """Play the next event and return it.

        Raises:
            BoneAceError: nobody can act, or the rules refuse the event.
        """
        return self.do(self.decision() or self.chance())

    def do(self, event: Event) -> Event:
        """Add the cards that come from the stock to *event*, apply it, and return it."""
        event = self.filled(event)
        self.state = apply(self.state, event)
        return event

    def decision(self) -> Event | None:
        """Return what somebody does; the player in turn is asked last, since calls come first."""
        actions, turn = self.actions(), self.state.turn
        for seat in sorted(self.people, key=lambda each: (each == turn, each)):
            mine = actions_of(actions, seat)
            asked = seat == turn or any(map(self.may_matter, mine))
            event = self.ask(seat, mine) if mine and asked else None
            if event is not None:
                return event
        return None

    def may_matter(self, action: Action) -> bool:
        """Return whether somebody might do *action* in another's turn: worth a look at the table.

        Nobody throws in there or leaves (G-17), shows a hand before the end, or calls 31 with one
        that is something else; and a deal is no decision.
        """
        play, game = self.state.live_play, self.state.setup.game
        if action.kind == Reveal.kind:
            return self.state.phase is Phase.SHOWDOWN
        if action.what is not Claim.THIRTY_ONE or action.seat is None or play is None:
            return action.what is not Claim.OUT and action.kind not in (Deal.kind, Leave.kind)
        total = game.total(play, play.hand(action.seat).cards)
        return total is None or total == game.goal(play.options)

    def actions(self) -> tuple[Action, ...]:
        """Return what the rules allow next; worked out once for each state."""
        if self._legal is None or self._legal[0] is not self.state:
            self._legal = self.state, legal_actions(self.state)
        return self._legal[1]

    def ask(self, seat: int, actions: tuple[Action, ...]) -> Event | None:
        """Return the decision of one player."""
        return self.people[seat].decide(view(self.state, seat), actions, self.state.setup.options)

    def chance(self) -> Event:
        """Return what happens without a decision: a card or a throw.

        Raises:
            StrategyError: nothing of the kind can happen.
        """
        for action in self.actions():
            match action.kind:
                case "cut" if action.seat is not None:
                    return Cut(action.seat, self.cuts.pop())
                case "deal" if action.seat is not None:
                    face = action.face or Facing.DOWN
                    return Deal(action.seat, self.next_card(face), face, action.end)
                case "deal" if action.pile is not None:
                    face = action.face or Facing.DOWN
                    return DealTo(action.pile, self.next_card(face), face)
                case "turn_up":
                    return TurnUp(self.next_card(Facing.UP))
                case "roll" if action.seat is not None:
                    points = self.rng.choices(FACES, WEIGHTS, k=action.bones)
                    return Roll(action.seat, tuple(points))
                case "accept":
                    return Accept()
        raise StrategyError(f"nobody goes on: {self.actions()}")

    def filled(self, event: Event) -> Event:
        """Return *event* with the cards that come from the stock."""
        if isinstance(event, Draw) and event.source is Source.STOCK:
            return replace(event, card=self.next_card(Facing.DOWN))
        if isinstance(event, Renew):
            return replace(event, cards=tuple(self.next_card(Facing.DOWN) for _ in range(3)))
        return event

    def next_card(self, face: Facing) -> Card | None:
        """Take the next card of the stock, which is dealt that way up."""
        return self.pack.pop()

"""Hands played by the engine's best player at every seat, each shuffled pack from every seat.

As in duplicate bridge a pack is played once for each player: the hands that are dealt go round the
table, so that everybody holds each of them once. That takes most of the luck of the cards out of
what the seats differ by. Bones are thrown anew each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from engine.bots import Chance, Driver, player
from engine.core.cards import Card
from engine.core.events import Deal, Facing, NextHand
from engine.core.options import uses_ages
from engine.core.outcome import End
from engine.core.payments import Unit
from engine.core.players import Player
from engine.core.views import Phase
from engine.games import catalog
from engine.games.base import Game
from engine.odds.unseen import OddsError
from engine.table.state import State, new_table

MANY_LIVES = 9
"""More than any hand can cost, so that all that it costs is seen."""

MOST_EVENTS = 3000
"""A hand that takes more will never end."""

Hand = tuple[int, ...]
"""What a hand brought each player: the eldest first, the dealer last."""

Item = TypeVar("Item")


class Luck(Chance, Protocol):
    """Source of chance; :class:`random.Random` is one."""

    def choice(self, seq: Sequence[Item], /) -> Item:
        """Return one of *seq*, each as likely as any other."""
        ...


class Packs:
    """Plays packs for a number of players; the one at the last seat deals.

    Attributes:
        unit: what is counted: tokens or points gained, or lives lost (a hand of Switch that begins
            anew goes on until it ends otherwise).
    """

    def __init__(
        self, game: Game, preset: str, changes: Mapping[str, object], players: int
    ) -> None:
        """Get ready.

        Raises:
            BoneAceError: nobody plays the game, or not so many, or an option is wrong.
        """
        options = catalog.make_options(game, catalog.find_preset(game, preset), changes)
        self.unit = game.match.unit(options)
        lives = {"lives": MANY_LIVES} if self.unit is Unit.LIVES else {}
        self._game, self._preset, self._changes = game, preset, {**changes, **lives}
        self._players = players
        self._best = player("exact", game.name)
        self._start = self._table([30] * players)

    def play(self, rng: Luck) -> tuple[Hand, ...]:
        """Shuffle, play the pack as often as there are players, and return what each hand brought.

        Raises:
            BoneAceError: the best player does what the rules refuse.
        """
        start, seats = self._start, range(self._players)
        if uses_ages(start.setup.options):
            ages: list[Any] = [30 + seat for seat in seats]
            rng.shuffle(ages)
            start = self._table(ages)
        driver = _Turned(start, [self._best] * self._players, rng)
        order = list(driver.pack)
        hands = []
        for turned in seats:
            driver.state, driver.pack, driver.turned = start, list(order), turned
            hands.append(self._hand(driver))
        return tuple(hands)

    def _table(self, ages: Sequence[int]) -> State:
        people = [Player(seat, f"P{seat + 1}", age) for seat, age in enumerate(ages)]
        dealer, changes = self._players - 1, self._changes
        return new_table(self._game, people, dealer=dealer, preset=self._preset, options=changes)

    def _hand(self, driver: Driver) -> Hand:
        while True:
            for _ in range(MOST_EVENTS):
                if driver.state.phase is Phase.DONE:
                    break
                driver.go_on()
            else:
                raise OddsError(f"{self._game.title}: a hand of the best player never ends")
            outcome = driver.state.outcome
            assert outcome is not None  # the hand is over
            if outcome.end is not End.RESTART:
                break
            driver.do(NextHand())
            driver.shuffle()
        seats = range(self._players)
        if self.unit is Unit.TOKENS:
            tokens = dict(outcome.settlement)
            return tuple(tokens.get(seat, 0) for seat in seats)
        standing, options = outcome.standing, driver.state.setup.options
        views = [self._game.match.player_view(options, standing, seat) for seat in seats]
        if self.unit is Unit.LIVES:
            return tuple(MANY_LIVES - (0 if v is None else v.lives or 0) for v in views)
        return tuple(0 if v is None else v.points or 0 for v in views)


class _Turned(Driver):
    """Deals the hands of a pack to other players; the stock stays as it is.

    Attributes:
        turned: by how many seats.
    """

    turned = 0

    def next_card(self, face: Facing) -> Card | None:
        """Take a card for a hand from one end of the pack, any other card from the other."""
        play = self.state.live_play
        if play is None or play.phase is not Phase.DEAL:
            return super().next_card(face)
        seat = next(action.seat for action in self.actions() if action.kind == Deal.kind)
        if seat is None:  # a card for the middle of the table
            return super().next_card(face)
        players = len(self.people)
        return self.pack[len(play.hand(seat).cards) * players + (seat + self.turned) % players]

"""Attract mode: the engine plays itself from a shuffled pack while nobody is there.

Nothing of it is written to the journal. The screen shows the table's view, as in any hand
(rule G-7).
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence

from device.runtime.table import MOMENT_S
from engine import TABLE, Cut, Deal, Event, Phase, Player, new_table, view
from engine.bots import Driver, is_played, player
from engine.core.errors import BoneAceError
from engine.core.events import DealTo, Have, Stick
from engine.core.views import View
from engine.games import catalog
from engine.games.moments import Moment, moment_of

log = logging.getLogger(__name__)

NAMES = ("Ann", "Bess", "Cecil", "Doll")
STYLES = ("bold", "cautious", "bold", "cautious")
"""No exact players: they would calculate for too long."""

WELCOME_S = 20.0
"""Seconds for which the screen that waits is shown before each hand, and after a card was laid."""

RESULT_S = 7.0
"""Seconds for which a result is shown."""

PAUSES_S = {Deal.kind: 0.5, DealTo.kind: 0.5, Cut.kind: 0.9, Have.kind: 1.2, Stick.kind: 1.4}
PAUSE_S = 1.6
"""Seconds from one event to the next, by kind of event."""

MOST_EVENTS = 400
"""A hand with more events is broken off."""

MOST_IN_A_STEP = 5
"""Most events in one tick, so that a clock that jumps does not block the loop."""


class AttractMode:
    """Shows one hand of each game in turn.

    Attributes:
        view: the table's view; ``None`` while the screen that waits is shown.
        game: the current game.
        moment: the great moment that the last event has brought, if any.
        since_s: when that event happened, on the clock of :meth:`tick`.
    """

    def __init__(self, names: Sequence[str] = (), *, seed: int = 1) -> None:
        """Show the games *names*, by default all that have strategies."""
        known = (game.name for game in catalog.all_games())
        self._games = tuple(names) or tuple(name for name in known if is_played(name))
        self._random = random.Random(seed)
        self._at = -1
        self._driver: Driver | None = None
        self._due_s: float | None = None
        self._events = 0
        self.view: View | None = None
        self.moment: Moment | None = None
        self.since_s = 0.0
        self.game = self._games[0]

    def begin(self, time_s: float) -> None:
        """Show the screen that waits, then the next game."""
        self._at = (self._at + 1) % len(self._games)
        self.game = self._games[self._at]
        self.rest(time_s)

    def rest(self, time_s: float) -> None:
        """Show the screen that waits, for a while: somebody does something."""
        self._driver = self.view = self.moment = None
        self._due_s = time_s + WELCOME_S

    def tick(self, time_s: float) -> None:
        """Play the events that are due by *time_s*, on any monotonic clock."""
        if self._due_s is None:
            self.begin(time_s)
            return
        for _ in range(MOST_IN_A_STEP):
            if time_s < self._due_s:
                return
            self._play_next(time_s)
        self._due_s = time_s + PAUSE_S

    def _play_next(self, time_s: float) -> None:
        assert self._due_s is not None  # set by begin
        event: Event | None = None
        try:
            if self._driver is None:
                self._driver, self._events = self._new_hand(), 0
                self._due_s += PAUSE_S
            elif _is_over(self._driver) or self._events >= MOST_EVENTS:
                self.begin(time_s)
            else:
                event = self._driver.go_on()
                self._events += 1
                pause_s = PAUSES_S.get(event.kind, PAUSE_S)
                self._due_s += RESULT_S if _is_over(self._driver) else pause_s
        except BoneAceError as problem:
            # The show must never break the booth.
            log.warning("the show of %s stopped (%s); the next game is shown", self.game, problem)
            self.begin(time_s)
            return
        before, self.view = self.view, None
        if self._driver is not None:
            self.view = view(self._driver.state, TABLE)
        if event is not None and before is not None and self.view is not None:
            self.moment = moment_of(event, before, self.view)
            self.since_s = time_s
            if self.moment is not None and self._due_s is not None:
                self._due_s += MOMENT_S

    def _new_hand(self) -> Driver:
        game = catalog.find(self.game)
        players = [Player(seat, name, 30 + seat) for seat, name in enumerate(NAMES)]
        state = new_table(game, players, dealer=len(NAMES) - 1)
        return Driver(state, [player(style, game.name) for style in STYLES], self._random)


def _is_over(driver: Driver) -> bool:
    return driver.state.phase is Phase.DONE

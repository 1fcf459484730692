"""A table that plays itself: the real engine, dealt from a shuffled pack, while nobody is there.

Nothing of this is recorded, and no camera reads it. The screen shows what everybody at a table may
see, as at any other time (rule G-7).
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import replace

from engine import (
    TABLE,
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
from engine.bots import is_played, player
from engine.core.errors import BoneAceError
from engine.core.events import Accept, DealTo, Draw, Have, Renew, Roll, Source, Stick, TurnUp
from engine.core.views import View
from engine.games import catalog
from engine.games.decision import Strategy, his

log = logging.getLogger(__name__)

NAMES = ("Ann", "Bess", "Cecil", "Doll")
STYLES = ("bold", "cautious", "bold", "cautious")
"""No exact player: its calculations would hold up the picture."""

TITLE_S = 7.0
"""How long the name of the game is shown before its hand."""

RESULT_S = 7.0
"""How long the winner is shown."""

PAUSES_S = {Deal.kind: 0.5, DealTo.kind: 0.5, Cut.kind: 0.9, Have.kind: 1.2, Stick.kind: 1.4}
PAUSE_S = 1.6
"""Between two events: hands take that long."""

FACES = (1, 3, 4, 6)
WEIGHTS = (1, 4, 4, 1)
"""Flat, concave, convex, twisted, in tenths (after Winkelman)."""

MOST_EVENTS = 400
"""A hand that takes more is broken off."""

MOST_IN_A_STEP = 5
"""Events at once after a long pause: a clock that jumped must not hold up the loop."""


class AttractMode:
    """One hand of each game after another.

    Attributes:
        view: the hand as everybody sees it; ``None`` while the name of the game is shown.
        game: the game that is on.
    """

    def __init__(self, names: Sequence[str] = (), *, seed: int = 1) -> None:
        """Begin with the first of the games called *names*; without any, of all that are played."""
        known = (game.name for game in catalog.all_games())
        self._games = tuple(names) or tuple(name for name in known if is_played(name))
        self._random = random.Random(seed)
        self._at = -1
        self._state: State | None = None
        self._due_s: float | None = None
        self._events = 0
        self._pack: list[Card] = []
        self._strategies: list[Strategy] = []
        self.view: View | None = None
        self.game = self._games[0]

    def begin(self, time_s: float) -> None:
        """Show the name of the next game."""
        self._at = (self._at + 1) % len(self._games)
        self.game = self._games[self._at]
        self._state = self.view = None
        self._due_s = time_s + TITLE_S

    def tick(self, time_s: float) -> None:
        """Play what is due by *time_s*, of any monotonic clock."""
        if self._due_s is None:
            self.begin(time_s)
            return
        for _ in range(MOST_IN_A_STEP):
            if time_s < self._due_s:
                return
            self._go_on(time_s)
        self._due_s = time_s + PAUSE_S

    def _go_on(self, time_s: float) -> None:
        assert self._due_s is not None  # set by begin
        try:
            if self._state is None:
                self._start_hand()
                self._due_s += PAUSE_S
            elif self._state.phase is Phase.DONE or self._events >= MOST_EVENTS:
                self.begin(time_s)
            else:
                event = self._filled(self._decision() or self._chance())
                self._state = apply(self._state, event)
                self._events += 1
                over = self._state.phase is Phase.DONE
                self._due_s += RESULT_S if over else PAUSES_S.get(event.kind, PAUSE_S)
        except BoneAceError as problem:
            # A mere show must never break the table.
            log.warning("the show of %s stopped (%s); the next game is shown", self.game, problem)
            self.begin(time_s)
            return
        self.view = None if self._state is None else view(self._state, TABLE)

    def _start_hand(self) -> None:
        game = catalog.find(self.game)
        players = [Player(seat, name, 30 + seat) for seat, name in enumerate(NAMES)]
        self._state = new_table(game, players, dealer=len(NAMES) - 1)
        self._strategies = [player(style, game.name) for style in STYLES]
        self._pack = sorted(game.pack(self._state.setup.options))
        self._random.shuffle(self._pack)
        self._events = 0

    def _decision(self) -> Event | None:
        """Ask every player, the one whose turn it is last: calls come first."""
        assert self._state is not None
        actions, turn = legal_actions(self._state), self._state.turn
        for seat in sorted(range(len(self._strategies)), key=lambda each: (each == turn, each)):
            mine = his(actions, seat)
            if mine:
                options = self._state.setup.options
                event = self._strategies[seat].decide(view(self._state, seat), mine, options)
                if event is not None:
                    return event
        return None

    def _chance(self) -> Event:
        """Return an event that nobody decides."""
        assert self._state is not None
        for action in legal_actions(self._state):
            match action.kind:
                case "cut" if action.seat is not None:
                    return Cut(action.seat, self._pack[-1])
                case "deal" if action.seat is not None:
                    face = action.face or Facing.DOWN
                    return Deal(action.seat, self._pack.pop(), face, action.end)
                case "deal" if action.pile is not None:
                    return DealTo(action.pile, self._pack.pop(), action.face or Facing.DOWN)
                case "turn_up":
                    return TurnUp(self._pack.pop())
                case "roll" if action.seat is not None:
                    points = self._random.choices(FACES, WEIGHTS, k=action.bones)
                    return Roll(action.seat, tuple(points))
                case "accept":
                    return Accept()
        return NextHand()

    def _filled(self, event: Event) -> Event:
        """Return *event* with the cards that come from the stock."""
        if isinstance(event, Draw) and event.source is Source.STOCK:
            return replace(event, card=self._pack.pop())
        if isinstance(event, Renew):
            return replace(event, cards=tuple(self._pack.pop() for _ in range(3)))
        return event

"""Simulated players who throw knucklebones, as the screen asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from device.croupier.questions import Candidate, Choice, Question, QuestionKind
from device.ports import Button, Press
from device.simulator.answers import answer_from_table
from device.simulator.bone_table import BonesTable
from device.simulator.bones import PlacedBone
from device.simulator.players import dealer_of
from engine.bots import player
from engine.core.bones import Face
from engine.core.events import Choose, Have
from engine.core.views import Phase, View
from engine.games.base import Action
from engine.games.decision import Strategy, actions_of

BONES = 5
"""Bones in the set; a throw that needs more than are off the table lifts the others (KB-6)."""

LOOKED = 3
"""So often people look at a screen that shows no throw before they push a bone."""


class BonePlayers:
    """Players and banker of a :class:`BonesTable`."""

    def __init__(
        self,
        table: BonesTable,
        styles: Sequence[str],
        options: object,
        actions: Callable[[], Iterable[Action]],
        screen: Callable[[], View],
        *,
        game: str = "knucklebones",
    ) -> None:
        """Seat one player per style (``cautious``, ``bold`` or ``exact``), from seat 0 on.

        *actions* returns what the rules allow now, *screen* the view on the screen, and *game* is
        one whose strategies they play by.
        """
        self._table = table
        self._players: list[Strategy] = [player(style, game) for style in styles]
        self._options = options
        self._actions = actions
        self._screen = screen
        self._thrown: tuple[int, int, int] | None = None
        self._staked: set[tuple[int, int]] = set()
        self._tries = 0

    def act(self, view: View) -> list[Press]:
        """Make at most one move at the table; return the buttons pressed."""
        if self._table.is_moving:
            return []
        if view.phase is Phase.DONE:
            if self._table.bones:
                self._table.lift(dealer_of(view))
                return []
            return [Press(Button.NEXT, 0.0)]
        if view.turn is None:
            return []
        stake = self._stake(view)
        if stake:
            return stake
        if view.bones_due:
            self._throw(view, view.turn, view.bones_due)
        elif view.stage == "one":
            has_one = isinstance(self._decide(view, view.turn), Have)
            button = Button.HAVE if has_one else Button.STICK
            return [Press(button, 0.0, view.turn)]
        elif view.stage == "choose":
            number = self._number(view, view.turn)
            if number == 0:
                return [Press(Button.STICK, 0.0, view.turn)]
            self._throw(view, view.turn, number)
        return []

    def answer(self, question: Question) -> list[Press]:
        """Answer how many more bones were wanted, which face is up, or whether a bone counts."""
        if question.kind is QuestionKind.NUMBER and question.seat is not None:
            number = self._number(self._screen(), question.seat)
            return answer_from_table(question, (number,))
        if question.kind is QuestionKind.BUMPED:
            return answer_from_table(question, [c for c in question.candidates if _is_old(c)])
        bone = self._at(question.place)
        faces = () if bone is None or bone.face is None else (bone.face,)
        return answer_from_table(question, faces)

    def _stake(self, view: View) -> list[Press]:
        """Lay stakes of 1 to 3 before the first throw, so that the payments differ."""
        if any(seat.throws for seat in view.seats):
            return []
        for seat in view.seats:
            key = (view.hand_number, seat.seat)
            if seat.is_dealer or key in self._staked:
                continue
            wanted = 1 + (seat.seat + view.hand_number) % 3
            if seat.stake_laid == wanted:
                self._staked.add(key)
                continue
            more = seat.stake_laid < wanted
            return [Press(Button.HAVE if more else Button.STICK, 0.0, seat.seat)]
        return []

    def _number(self, view: View, seat: int) -> int:
        """Return how many more bones the player wants."""
        choice = self._decide(view, seat)
        return choice.n if isinstance(choice, Choose) else 0

    def _throw(self, view: View, seat: int, number: int) -> None:
        """Throw *number* bones; what is not said is seen (rules KB-5, KB-6)."""
        throw = (view.hand_number, seat, len(view.seat(seat).throws))
        if self._thrown == throw and self._table.bones:
            self._help(seat)
            return
        if self._table.bones and (
            not view.seat(seat).throws or len(self._table.bones) + number > BONES
        ):
            self._table.lift(seat)
            return
        self._table.throw(seat, number)
        self._thrown, self._tries = throw, 0

    def _help(self, seat: int) -> None:
        """Make the bones readable: push one, or tip over one that stands on its end (KB-15)."""
        on_end = [n for n, bone in enumerate(self._table.bones) if bone.face is None]
        number = on_end[0] if on_end else self._tries % len(self._table.bones)
        self._tries += 1
        if not on_end and self._tries <= LOOKED:
            return  # the screen may ask which face is up
        self._table.bump(number, seat, face=Face.CONCAVE if on_end else None)

    def _at(self, place: tuple[float, float] | None) -> PlacedBone | None:
        if place is None:
            return None
        return min(
            self._table.bones,
            key=lambda bone: math.dist((bone.x_mm, bone.y_mm), place),
            default=None,
        )

    def _decide(self, view: View, seat: int) -> object:
        actions = actions_of(self._actions(), seat)
        return self._players[seat % len(self._players)].decide(view, actions, self._options)


def _is_old(candidate: Candidate) -> bool:
    return isinstance(candidate, Choice) and candidate.key == "old"

"""Who plays? The table with its seats."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence, Sized

from device.booth.presets import preset_title
from device.booth.scenes.agreed import OptionsScene, PresetsScene
from device.booth.scenes.base import (
    Action,
    Do,
    Open,
    Scene,
    Then,
    choosing,
    follow,
    rules_title,
)
from device.booth.scenes.names_and_ages import (
    AgesScene,
    NamesScene,
    default_name,
)
from device.booth.scenes.stakes import next_stake
from device.booth.scenes.tiles import title_of
from device.ports import Button, Lamps, Press
from display.pages.base import Page
from display.pages.seats import Choice, SeatPlate, SeatsPage
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.options import uses_ages


def player_count(seated: Sized) -> Message:
    """Return how many have sat down."""
    return Message("{n} player", "{n} players", len(seated), n=len(seated))


class TableScene(Scene):
    """The table with its seats, and keys below it, the first of which NEXT presses as well."""

    @property
    @abstractmethod
    def seated(self) -> dict[int, str]:
        """Seat to name, of the players."""

    @property
    def is_proposed(self) -> bool:
        """Whether nobody has sat down yet: the players are only proposed."""
        return False

    @abstractmethod
    def choices(self) -> Sequence[tuple[Choice, Then]]:
        """Return the keys, each with what follows."""

    @abstractmethod
    def sit(self, seat: int) -> Action | None:
        """Handle that somebody sits down at *seat*."""

    @abstractmethod
    def get_up(self, seat: int) -> Action | None:
        """Handle that somebody gets up from *seat*."""

    @property
    def count(self) -> int:
        """How many keys and seats there are."""
        return len(self.choices()) + self.context.seats

    @property
    def lamps(self) -> Lamps:
        """The lamps of the players."""
        return Lamps(attention=True, lit=tuple(self.seated))

    def table_page(
        self, title: Message, note: Message, hints: tuple[KeyHint, ...], middle: tuple[Value, ...]
    ) -> Page:
        """Return the table with its seats, and *middle* in the middle of it."""
        return SeatsPage(
            title=title,
            note=self.refused or note,
            warning=bool(self.refused),
            hints=hints,
            focus=self.focus,
            seats=tuple(
                SeatPlate(seat, self.seated.get(seat, ""), proposed=self.is_proposed)
                for seat in range(self.context.seats)
            ),
            middle=middle,
            free=Message("free"),
            choices=tuple(choice for choice, _then in self.choices()),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE at a seat sits down there, STICK gets up."""
        if press.seat is None and press.button is Button.NEXT:
            return follow(self.choices()[0][1])
        if press.seat is None:
            return super().press(press)
        if press.button is Button.HAVE:
            return self.sit(press.seat)
        return self.get_up(press.seat) if press.button is Button.STICK else None

    def choose(self, number: int) -> Action | None:
        """Do what the key says, or sit down and get up."""
        choices = self.choices()
        if number < len(choices):
            return follow(choices[number][1])
        seat = number - len(choices)
        is_taken = seat in self.seated and not self.is_proposed
        return self.get_up(seat) if is_taken else self.sit(seat)


class SeatsScene(TableScene):
    """Who plays? A press at a seat sits down; HAVE deals.

    Attributes:
        waits_for_mat: Deal was pressed last, and what lies on the mat is to be cleared away first.
    """

    waits_for_mat = False
    _is_warned = False
    _are_ages_asked = False

    @property
    def seated(self) -> dict[int, str]:
        """Who has sat down, or is proposed."""
        return self.context.setup.seated

    @property
    def is_proposed(self) -> bool:
        """Whether nobody has sat down yet."""
        return self.context.setup.is_default

    def page(self) -> Page:
        """Return the table of the game that is set up."""
        setup = self.context.setup
        note = Message("Everybody presses the button at their own seat, or touches it; then deal.")
        middle = (title_of(setup.game), rules_title(setup.game, setup.preset, setup.options))
        return self.table_page(Message("Who plays?"), note, choosing(), middle)

    def choices(self) -> Sequence[tuple[Choice, Then]]:
        """Return what is to be agreed, and the deal."""
        setup, context = self.context.setup, self.context
        stake = Message("{n} token", "{n} tokens", setup.stake, n=setup.stake)
        has_stake = setup.has_stake or setup.game.lays_stakes
        deal = Choice(Message("Deal"), player_count(setup.seated), loud=True)
        rules = Choice(Message("Rules"), preset_title(setup.preset))
        return (
            (deal, self._deal),
            *([(Choice(Message("Stake"), stake), self._raise)] if has_stake else []),
            (rules, lambda: Open(PresetsScene(context))),
            (Choice(Message("Names"), _first_of(setup.seated)), self._ask_names),
            (Choice(Message("Options"), self._differs), lambda: Open(OptionsScene(context))),
            *([(Choice(Message("Ages"), self._ages), self._ask_ages)] if self._needs_ages else []),
        )

    @property
    def _differs(self) -> Value:
        n = len(self.context.setup.chosen)
        return Message("{n} changed", "{n} changed", n, n=n) if n else ""

    @property
    def _needs_ages(self) -> bool:
        return bool(self.seated) and uses_ages(self.context.setup.options)

    @property
    def _ages(self) -> Value:
        return Message("asked for") if self.context.setup.lacks_ages else ""

    def _ask_ages(self) -> Action:
        self._are_ages_asked = True
        return Open(AgesScene(self.context))

    def press(self, press: Press) -> Action | None:
        """Handle a press; at a seat it answers what was refused."""
        self.waits_for_mat = False
        if press.seat is not None:
            self.refused = ""
        return super().press(press)

    def choose(self, number: int) -> Action | None:
        """Do what the key says, or sit down and get up."""
        self.refused = ""
        return super().choose(number)

    def sit(self, seat: int) -> Action | None:
        """Seat a player who gives no name."""
        setup = self.context.setup
        if 0 <= seat < self.context.seats:
            if setup.is_default:
                # The players were only proposed: now people come themselves.
                setup.seated = {one: name for one, name in setup.seated.items() if one == seat}
                setup.ages = {}
                setup.is_default = False
            name = default_name(seat, setup.seated, setup.offered.get(seat))
            setup.seated.setdefault(seat, name)
            setup.seated = dict(sorted(setup.seated.items()))
        return None

    def get_up(self, seat: int) -> Action | None:
        """Free *seat*."""
        self.context.setup.is_default = False
        self.context.setup.seated.pop(seat, None)
        self.context.setup.ages.pop(seat, None)
        return None

    def _raise(self) -> None:
        setup = self.context.setup
        setup.stake = next_stake(setup.stake)

    def _ask_names(self) -> Action | None:
        if self.seated:
            return Open(NamesScene(self.context))
        self.refused = _more_must_come(self.context.setup.game.min_players)
        return None

    def _deal(self) -> Action | None:
        setup, lying = self.context.setup, self.context.leftovers
        if len(setup.seated) < setup.game.min_players:
            self.refused = _more_must_come(setup.game.min_players)
        elif len(setup.seated) > setup.most:
            self.refused = Message("At most {n} can play by these rules.", n=setup.most)
        elif setup.lacks_ages and not self._are_ages_asked:
            # Asked only once: who does not want to tell need not.
            return self._ask_ages()
        elif lying and not self._is_warned:
            # Asked only once: people know better than the camera that the mat is clear.
            self._is_warned = self.waits_for_mat = True
            self.refused = Message(
                "Clear the mat: {n} card or bone lies there. Deal again: play all the same.",
                "Clear the mat: {n} cards or bones lie there. Deal again: play all the same.",
                lying,
                n=lying,
            )
        else:
            return Do.START
        return None


def _more_must_come(needed: int) -> Message:
    """Return the sentence that too few have sat down, and how to."""
    return Message(
        "{n} player must sit down: press the button at a seat, or touch it.",
        "{n} players must sit down: press the button at another seat, or touch it.",
        needed,
        n=needed,
    )


def _first_of(seated: Mapping[int, str]) -> str:
    """Return the first name, and whether there are more."""
    first = next(iter(seated.values()), "")
    return f"{first} …" if len(seated) > 1 else first

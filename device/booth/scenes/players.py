"""Who plays on: people join and leave between hands, and may leave in mid-play."""

from __future__ import annotations

from collections.abc import Sequence

from device.booth.scenes.base import (
    Action,
    Close,
    ListScene,
    Open,
    Play,
    PressTable,
    SureScene,
    Then,
    choosing,
    rules_title,
)
from device.booth.scenes.names_and_ages import AgeScene, default_name
from device.booth.scenes.seats import TableScene, player_count
from device.booth.scenes.tiles import title_of
from device.ports import Button, Press
from display.pages.base import Page
from display.pages.list import Item
from display.pages.seats import Choice
from engine import State, legal_actions
from engine.core.events import Claim, Join, Leave
from engine.core.messages.message import Message
from engine.core.options import uses_ages
from engine.core.views import Phase

_PAYS = Message("Who gets up now pays as if they had lost.")


def may_change_players(state: State) -> bool:
    """Return whether the rules let anybody join or leave now (rules G-15 to G-17)."""
    return any(action.kind in (Join.kind, Leave.kind) for action in legal_actions(state))


def may_throw_in(state: State) -> tuple[int, ...]:
    """Return the seats whose players may throw their hand in now (rule G-17)."""
    actions = legal_actions(state)
    return tuple(sorted(a.seat for a in actions if a.what is Claim.OUT and a.seat is not None))


class ThrowInScene(ListScene):
    """Whose hand is thrown in? UNDO at the table takes it back."""

    title = Message("Who throws in?")
    note = Message("Or hold STICK at your seat for two seconds.")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return everybody who may."""
        state = self.context.state
        names = {player.seat: player.name for player in state.players}
        return [
            (Item(names[seat]), Close(PressTable(Button.OUT, seat))) for seat in may_throw_in(state)
        ]

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE at one's own seat says it as well."""
        if press.button is Button.HAVE and press.seat in may_throw_in(self.context.state):
            return Close(PressTable(Button.OUT, press.seat))
        return super().press(press)


class PeopleScene(TableScene):
    """HAVE IT at a free seat sits down, STICK at one's own gets up; NEXT plays on."""

    @property
    def seated(self) -> dict[int, str]:
        """Who plays."""
        return {player.seat: player.name for player in self.context.state.players}

    @property
    def _is_between(self) -> bool:
        return self.context.state.phase is Phase.DONE

    def page(self) -> Page:
        """Return the table in play."""
        setup = self.context.state.setup
        note = (
            Message("HAVE IT at a free seat sits down, STICK at yours gets up.")
            if self._is_between
            else _PAYS
        )
        rules = rules_title(setup.game, setup.preset, setup.options)
        middle = (title_of(setup.game), rules, player_count(self.seated))
        back = choosing(Message("to the table"))
        return self.table_page(Message("Who plays on?"), note, back, middle)

    def choices(self) -> Sequence[tuple[Choice, Then]]:
        """Return the one key."""
        go_on = Message("Deal") if self._is_between else Message("Go on")
        then = PressTable(Button.NEXT) if self._is_between else None
        return ((Choice(go_on, loud=True), Close(then)),)

    def sit(self, seat: int) -> Action | None:
        """Let somebody join at a free *seat*."""
        if seat in self.seated or seat >= self.context.seats:
            return None
        name = default_name(seat, self.seated)
        if not uses_ages(self.context.state.setup.options):
            return Play(Join(seat, name))
        return Open(AgeScene(self.context, name, lambda age: Close(Play(Join(seat, name, age)))))

    def get_up(self, seat: int) -> Action | None:
        """Let the player at *seat* leave; in mid-play they are asked first."""
        if seat not in self.seated:
            return None
        leave = Play(Leave(seat))
        if self._is_between:
            return leave
        title = Message("{name} gets up in mid-play?", name=self.seated[seat])
        return Open(SureScene(self.context, title, (Message("Get up"), leave), note=_PAYS))

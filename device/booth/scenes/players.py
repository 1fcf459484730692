"""Who plays on: people join and leave between hands, and may leave in mid-play."""

from __future__ import annotations

from device.booth.scenes.base import (
    Action,
    ChangePlayers,
    Close,
    Open,
    PressTable,
    Scene,
    SureScene,
    choosing,
    preset_title,
)
from device.booth.scenes.setup import default_name, title_of
from device.ports import Button, Lamps, Press
from display.i18n.translate import N_, _, plural
from display.pages.base import Page
from display.pages.seats import Choice, SeatPlate, SeatsPage
from engine import State, legal_actions
from engine.core.events import Join, Leave
from engine.core.views import Phase

_PAYS = N_("Who gets up now pays as if he had lost.")


def may_change_players(state: State) -> bool:
    """Return whether the rules let anybody join or leave now (rules G-15 to G-17)."""
    return any(action.kind in (Join.kind, Leave.kind) for action in legal_actions(state))


class PeopleScene(Scene):
    """HAVE at a free seat sits down, STICK at one's own gets up; NEXT plays on."""

    @property
    def _state(self) -> State:
        session = self.context.session
        assert session is not None  # opened from a table only
        return session.state

    @property
    def _seated(self) -> dict[int, str]:
        return {player.seat: player.name for player in self._state.players}

    @property
    def _is_between(self) -> bool:
        return self._state.phase is Phase.DONE

    @property
    def count(self) -> int:
        """How many keys and seats there are."""
        return 1 + self.context.seats

    @property
    def lamps(self) -> Lamps:
        """The lamps of the players."""
        return Lamps(attention=True, lit=tuple(self._seated))

    def page(self) -> Page:
        """Return the table with its seats."""
        seated = self._seated
        setup = self._state.setup
        players = plural("{n} player", "{n} players", len(seated)).format(n=len(seated))
        if self._is_between:
            note = _("HAVE at a free seat sits down, STICK at yours gets up.")
        else:
            note = _(_PAYS)
        return SeatsPage(
            title=_("Who plays on?"),
            note=self.refused or note,
            warning=bool(self.refused),
            hints=choosing(_("to the table")),
            focus=self.focus,
            seats=tuple(
                SeatPlate(seat, seated.get(seat, "")) for seat in range(self.context.seats)
            ),
            middle=(title_of(setup.game), preset_title(setup.preset), players),
            free=_("free"),
            choices=(Choice(_("Deal") if self._is_between else _("Go on"), loud=True),),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE at a seat sits down there, STICK gets up."""
        if press.seat is None:
            return self._go_on() if press.button is Button.NEXT else super().press(press)
        if press.button is Button.HAVE:
            return self._sit(press.seat)
        return self._get_up(press.seat) if press.button is Button.STICK else None

    def choose(self, number: int) -> Action | None:
        """Play on, or let somebody sit down or get up."""
        if number == 0:
            return self._go_on()
        seat = number - 1
        return self._get_up(seat) if seat in self._seated else self._sit(seat)

    def _sit(self, seat: int) -> Action | None:
        if seat in self._seated or seat >= self.context.seats:
            return None
        return ChangePlayers(Join(seat, default_name(seat, self._seated)))

    def _get_up(self, seat: int) -> Action | None:
        if seat not in self._seated:
            return None
        leave = ChangePlayers(Leave(seat))
        if self._is_between:
            return leave
        title = _("{name} gets up in mid-play?").format(name=self._seated[seat])
        return Open(SureScene(self.context, title, _("Get up"), leave, _(_PAYS)))

    def _go_on(self) -> Action:
        return Close(PressTable(Button.NEXT) if self._is_between else None)

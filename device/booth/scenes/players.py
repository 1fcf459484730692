"""Who plays on: people come and go between hands, and whoever must may go in mid-play."""

from __future__ import annotations

from typing import Protocol

from device.booth.scenes.base import Host, Scene, SureScene, choosing, preset_title
from device.booth.scenes.setup import GameSetup, house_name, title_of
from device.ports import Button, Lamps, Press
from display.i18n.translate import N_, _, plural
from display.pages.base import Page
from display.pages.seats import Choice, SeatPlate, SeatsPage
from engine import State, legal_actions
from engine.core.events import Join, Leave
from engine.core.views import Phase


class PeopleHost(Host, Protocol):
    """What this scene may ask of the booth besides."""

    @property
    def chairs(self) -> int:
        """Return how many seats the table has."""
        ...

    @property
    def agreed(self) -> GameSetup:
        """Return what was chosen last."""
        ...

    def press_table(self, button: Button) -> None:
        """Press a button of the table itself."""
        ...

    def change_players(self, event: Join | Leave) -> str:
        """Let somebody sit down or get up; return why not, or nothing."""
        ...


_PAYS = N_("Who gets up now pays as if he had lost.")


def may_come_or_go(state: State) -> bool:
    """Say whether the rules let anybody sit down or get up now (rules G-15 to G-17)."""
    return any(action.kind in (Join.kind, Leave.kind) for action in legal_actions(state))


class PeopleScene(Scene):
    """HAVE at a free seat sits down, STICK at one's own gets up; NEXT plays on."""

    host: PeopleHost

    def __init__(self, host: PeopleHost) -> None:
        """Show who sits where."""
        super().__init__(host)
        self._refused = ""

    @property
    def _state(self) -> State:
        session = self.host.session
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
        """Return how many keys and seats there are."""
        return 1 + self.host.chairs

    @property
    def lamps(self) -> Lamps:
        """Return the lamps of who sits there."""
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
            note=self._refused or note,
            warning=bool(self._refused),
            hints=choosing(_("to the table")),
            focus=self.focus,
            seats=tuple(SeatPlate(seat, seated.get(seat, "")) for seat in range(self.host.chairs)),
            middle=(title_of(setup.game), preset_title(setup.preset), players),
            free=_("free"),
            choices=(Choice(_("Deal") if self._is_between else _("Go on"), loud=True),),
        )

    def press(self, press: Press) -> None:
        """Let whoever presses his own button sit down (HAVE) or get up (STICK)."""
        if press.seat is None:
            if press.button is Button.NEXT:
                self._go_on()
            else:
                super().press(press)
        elif press.button is Button.HAVE:
            self._sit(press.seat)
        elif press.button is Button.STICK:
            self._get_up(press.seat)

    def choose(self, number: int) -> None:
        """Play on, or let somebody sit down or get up."""
        if number == 0:
            self._go_on()
        elif number - 1 in self._seated:
            self._get_up(number - 1)
        else:
            self._sit(number - 1)

    def _sit(self, seat: int) -> None:
        if seat not in self._seated and seat < self.host.chairs:
            self._refused = self.host.change_players(Join(seat, house_name(seat, self._seated)))

    def _get_up(self, seat: int) -> None:
        if seat not in self._seated:
            return
        if self._is_between:
            self._refused = self.host.change_players(Leave(seat))
            return
        self.host.open(
            SureScene(
                self.host,
                _("{name} gets up in mid-play?").format(name=self._seated[seat]),
                _("Get up"),
                lambda: self.host.change_players(Leave(seat)),
                _(_PAYS),
            )
        )

    def _go_on(self) -> None:
        between = self._is_between
        self.host.close()
        if between:
            self.host.press_table(Button.NEXT)

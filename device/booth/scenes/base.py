"""Scenes: the screens around the game and what their buttons do.

A scene makes a page of what there is, and takes presses. All are worked alike: STICK or the knob
goes to the next item, HAVE or the knob's push chooses it, UNDO goes back, MENU closes; a finger
chooses what it touches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

from device.booth.preferences import Preferences
from device.booth.summary import ledger_page, statistics_page
from device.ports import Button, Lamps, Press
from device.runtime.camera_trouble import words_for
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from display.controls import KeyHint
from display.i18n.translate import _, current
from display.pages.base import Page
from display.pages.camera import CameraPage
from display.pages.list import Item, ListPage
from display.pages.rules import Heading, RulesPage
from engine.core.views import Phase
from engine.games import catalog

STEPS = {Button.STICK: 1, Button.RIGHT: 1, Button.LEFT: -1}

COLOURS = ((60, 190, 70), (40, 130, 220), (255, 150, 0))
"""RGB of the outlines that :mod:`device.runtime.annotate` draws: read, face down, unsure."""


class Host(Protocol):
    """What a scene may ask of the booth."""

    @property
    def preferences(self) -> Preferences:
        """Return what is set at the table."""
        ...

    @property
    def session(self) -> Session | None:
        """Return the sitting in progress."""
        ...

    @property
    def looking(self) -> ReadingObserver | None:
        """Return what looks over the eyes' shoulder."""
        ...

    def open(self, scene: Scene) -> None:
        """Lay *scene* over what is shown."""
        ...

    def back(self) -> None:
        """Take the scene on top away."""
        ...

    def close(self) -> None:
        """Take every scene away: the table is shown, or the screen that waits."""
        ...

    def set(self, preferences: Preferences) -> None:
        """Use and keep *preferences*."""
        ...


class Scene(ABC):
    """One screen.

    Attributes:
        focus: which item is marked.
    """

    def __init__(self, host: Host) -> None:
        """Belong to *host*."""
        self.host = host
        self.focus = 0

    @abstractmethod
    def page(self) -> Page:
        """Return what is shown now."""

    @property
    def count(self) -> int:
        """Return how many items there are to go through."""
        return 0

    @property
    def lamps(self) -> Lamps:
        """Return which lamps are lit meanwhile."""
        return Lamps(attention=True)

    def choose(self, number: int) -> None:  # noqa: B027 - most pages that are read choose nothing
        """Take item *number* as chosen."""

    def left(self) -> None:  # noqa: B027 - most have nothing to end
        """Take note that this scene is no longer shown."""

    def press(self, press: Press) -> None:
        """Take a press."""
        if press.button in STEPS:
            self.step(STEPS[press.button])
        elif press.button in (Button.HAVE, Button.PUSH):
            number = self.focus if press.choice is None else press.choice
            if 0 <= number < self.count:
                self.focus = number
                self.choose(number)
            elif not self.count:
                self.host.back()
        elif press.button is Button.UNDO:
            self.host.back()
        elif press.button is Button.MENU:
            self.host.close()

    def step(self, way: int) -> None:
        """Mark the next item, or the one before."""
        if self.count:
            self.focus = (self.focus + way) % self.count


def choosing(back: str = "") -> tuple[KeyHint, ...]:
    """Return what the buttons do where something is chosen."""
    return (
        KeyHint("have", _("choose")),
        KeyHint("stick", _("next one")),
        KeyHint("undo", back or _("back")),
    )


def reading() -> tuple[KeyHint, ...]:
    """Return what the buttons do where something is only read."""
    return (KeyHint("undo", _("back")), KeyHint("menu", _("to the table")))


class SureScene(Scene):
    """Is this really to end? Going on is marked; UNDO goes back to the table as well."""

    def __init__(
        self, host: Host, title: str, end: str, act: Callable[[], object], note: str = ""
    ) -> None:
        """Ask *title*; *act* is called where the answer *end* is chosen."""
        super().__init__(host)
        self._title, self._end, self._act, self._note = title, end, act, note

    @property
    def count(self) -> int:
        """Return how many answers there are."""
        return 2

    def page(self) -> Page:
        """Return the question."""
        return ListPage(
            title=self._title,
            note=self._note,
            hints=choosing(_("to the table")),
            focus=self.focus,
            items=(Item(_("Go on")), Item(self._end)),
        )

    def choose(self, number: int) -> None:
        """Go back to the table, and end it there where that was chosen."""
        self.host.close()
        if number == 1:
            self._act()

    def press(self, press: Press) -> None:
        """Go back to the table where UNDO is pressed, wherever the question came from."""
        if press.button is Button.UNDO:
            self.host.close()
        else:
            super().press(press)


def sure_of_another_game(host: Host, new_game: Callable[[], None]) -> SureScene:
    """Ask before the game in progress is ended for another one."""
    return SureScene(host, _("End this game?"), _("Another game"), new_game, _what_is_lost(host))


def sure_of_the_end(host: Host, finish: Callable[[], None]) -> SureScene:
    """Ask before the evening is ended."""
    return SureScene(host, _("End the evening?"), _("End the evening"), finish, _what_is_lost(host))


def _what_is_lost(host: Host) -> str:
    session = host.session
    if session is None or session.view.phase is Phase.DONE:
        return ""
    return _("The hand in play would be lost.")


class LedgerScene(Scene):
    """Who stands where; STICK or the knob goes through the hands."""

    @property
    def count(self) -> int:
        """Return how many hands there are."""
        return 0 if self.host.session is None else max(1, len(self.host.session.state.hands))

    def page(self) -> Page:
        """Return the ledger."""
        session = self.host.session
        assert session is not None  # opened from a table only
        hints = (KeyHint("have", _("the evening in figures")), *reading())
        return ledger_page(session.state, hints, self.focus)

    def press(self, press: Press) -> None:
        """Go back to the table where NEXT is pressed: somebody wants to play on."""
        if press.button is Button.NEXT:
            self.host.close()
        else:
            super().press(press)

    def choose(self, number: int) -> None:
        """Show the figures."""
        self.host.open(StatisticsScene(self.host))


class StatisticsScene(Scene):
    """The evening in figures."""

    def page(self) -> Page:
        """Return the figures."""
        session = self.host.session
        assert session is not None  # opened from a table only
        return statistics_page(session.state, reading())


class RulesScene(Scene):
    """The rules in force, on one page."""

    def __init__(self, host: Host, game: str, preset: str, options: object) -> None:
        """Show the page of *game* with *options*; *preset* names whose they are."""
        super().__init__(host)
        self._game, self._preset, self._options = catalog.find(game), preset, options

    def page(self) -> Page:
        """Return the page; the words of a rule are translated before its numbers are put in."""
        sections = tuple(
            Heading(_(section.heading), tuple(_(r.text).format(**r.values) for r in section.rules))
            for section in self._game.rules(self._options)
        )
        return RulesPage(
            title=_(self._game.title),
            note=preset_title(self._preset),
            hints=reading(),
            focus=self.focus,
            sections=sections,
        )

    def step(self, way: int) -> None:
        """Turn the leaf, where there are several."""
        self.focus = max(0, self.focus + way)


class CameraScene(Scene):
    """What the camera sees, live."""

    def __init__(self, host: Host) -> None:
        """Begin to look."""
        super().__init__(host)
        if host.looking is not None:
            host.looking.forget()
            host.looking.live = True

    def left(self) -> None:
        """Look no more: pictures nobody sees are not drawn."""
        if self.host.looking is not None:
            self.host.looking.live = False

    def page(self) -> Page:
        """Return the picture and what is read on it."""
        looking = self.host.looking
        last = None if looking is None else looking.last
        facts: list[tuple[str, str]] = []
        if last is not None:
            seen = last.reading
            unsure = len(seen.unsure) + len(seen.unsure_bones)
            mat = _("yes") if seen.seats is not None else _("not seen")
            facts = [
                (_("Mat in the picture"), mat),
                (_("Cards read"), str(len(seen.cards))),
                (_("Cards face down"), str(len(seen.backs))),
                (_("Bones read"), str(len(seen.bones))),
                (_("Not sure"), str(unsure)),
            ]
        remarks = (
            ()
            if looking is None
            else tuple(current().render(words_for(each)) for each in looking.remarks)
        )
        words = (_("read"), _("face down"), _("not sure"))
        return CameraPage(
            title=_("What the camera sees"),
            hints=reading(),
            picture=None if looking is None else looking.picture,
            waiting=_("No picture has come yet."),
            facts=tuple(facts),
            remarks=remarks[:3],
            fine=_("The picture is good.") if last is not None and not remarks else "",
            colours=tuple(zip(COLOURS, words, strict=True)),
        )


def preset_title(name: str) -> str:
    """Return the name of a preset as it is shown.

    >>> preset_title("california-quick")
    'California Quick'
    """
    return name.replace("-", " ").title()

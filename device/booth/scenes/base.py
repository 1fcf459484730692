"""Scenes: the screens around the game and what their buttons do.

A scene makes a page of what it knows, and answers a press with an action that the booth carries
out. All are used alike: STICK or the knob goes to the next item, HAVE or the knob's push chooses
it, UNDO goes back, MENU closes; a finger chooses what it touches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from device.booth.game_setup import GameSetup
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
from engine.core.events import Correct, CorrectBone, Join, Leave
from engine.core.views import Phase
from engine.games import catalog

STEPS = {Button.STICK: 1, Button.RIGHT: 1, Button.LEFT: -1}

COLOURS = ((60, 190, 70), (40, 130, 220), (255, 150, 0))
"""RGB of the outlines that :mod:`device.runtime.annotate` draws: read, face down, unsure."""


@dataclass(slots=True)
class Context:
    """What scenes know; the booth keeps it up to date.

    Attributes:
        preferences: what is set at the table.
        setup: what is chosen for the next game; scenes change it.
        seats: how many the table has.
        session: in progress, or left unfinished.
        observer: keeps the last frame and reading.
        leftovers: cards and bones on the mat at the last reading.
    """

    preferences: Preferences
    setup: GameSetup
    seats: int
    session: Session | None = None
    observer: ReadingObserver | None = None
    leftovers: int = 0


@dataclass(frozen=True, slots=True)
class Open:
    """Open *scene* over what is shown."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class Back:
    """Close the scene on top."""


@dataclass(frozen=True, slots=True)
class Close:
    """Close every scene, then carry out *then*."""

    then: Action | None = None


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """Use and keep *preferences*."""

    preferences: Preferences


@dataclass(frozen=True, slots=True)
class StartGame:
    """Start the game that is set up."""

    setup: GameSetup


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """Go on with the game that was left."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """End the game, and ask which one is played next."""


@dataclass(frozen=True, slots=True)
class EndSession:
    """End the evening, and show its picture."""


@dataclass(frozen=True, slots=True)
class PressTable:
    """Press *button* at the table in play."""

    button: Button


@dataclass(frozen=True, slots=True)
class CorrectReading:
    """Correct a card or a bone that was read wrongly."""

    event: Correct | CorrectBone


@dataclass(frozen=True, slots=True)
class ChangePlayers:
    """Let a player join or leave."""

    event: Join | Leave


GameAction = (
    StartGame | ResumeGame | NewGame | EndSession | PressTable | CorrectReading | ChangePlayers
)
Action = Open | Back | Close | SetPreferences | GameAction
"""What a scene answers a press with."""


class Scene(ABC):
    """One screen.

    Attributes:
        focus: which item is marked.
        refused: why the last press did nothing.
    """

    def __init__(self, context: Context) -> None:
        """Show what is in *context*."""
        self.context = context
        self.focus = 0
        self.refused = ""

    @abstractmethod
    def page(self) -> Page:
        """Return what is shown now."""

    @property
    def count(self) -> int:
        """How many items there are to go through."""
        return 0

    @property
    def lamps(self) -> Lamps:
        """Which lamps are lit meanwhile."""
        return Lamps(attention=True)

    def choose(self, number: int) -> Action | None:
        """Handle that item *number* was chosen."""
        return None

    def closed(self) -> None:  # noqa: B027 - most have nothing to end
        """Handle that this scene is no longer shown."""

    def press(self, press: Press) -> Action | None:
        """Handle a press; return what the booth is to do."""
        if press.button in STEPS:
            self.step(STEPS[press.button])
        elif press.button in (Button.HAVE, Button.PUSH):
            number = self.focus if press.choice is None else press.choice
            if 0 <= number < self.count:
                self.focus = number
                return self.choose(number)
            if not self.count:
                return Back()
        elif press.button is Button.UNDO:
            return Back()
        elif press.button is Button.MENU:
            return Close()
        return None

    def step(self, way: int) -> None:
        """Mark the next item, or the one before."""
        if self.count:
            self.focus = (self.focus + way) % self.count


def choosing(back: str = "") -> tuple[KeyHint, ...]:
    """Return the key hints of a scene in which something is chosen."""
    return (
        KeyHint("have", _("choose")),
        KeyHint("stick", _("next one")),
        KeyHint("undo", back or _("back")),
    )


def reading() -> tuple[KeyHint, ...]:
    """Return the key hints of a scene that is only read."""
    return (KeyHint("undo", _("back")), KeyHint("menu", _("to the table")))


class SureScene(Scene):
    """Asks before something ends. Going on is marked; UNDO goes back to the table as well."""

    def __init__(
        self, context: Context, title: str, end: str, action: Action, note: str = ""
    ) -> None:
        """Ask *title*; *action* follows where the answer *end* is chosen."""
        super().__init__(context)
        self._title, self._end, self._action, self._note = title, end, action, note

    @property
    def count(self) -> int:
        """How many items there are."""
        return 2

    def page(self) -> Page:
        """Return the page."""
        return ListPage(
            title=self._title,
            note=self._note,
            hints=choosing(_("to the table")),
            focus=self.focus,
            items=(Item(_("Go on")), Item(self._end)),
        )

    def choose(self, number: int) -> Action | None:
        """Handle that item *number* was chosen."""
        return Close(self._action if number == 1 else None)

    def press(self, press: Press) -> Action | None:
        """Handle a press; UNDO closes everything, wherever the question came from."""
        return Close() if press.button is Button.UNDO else super().press(press)


def confirm_new_game(context: Context) -> SureScene:
    """Ask before the game in progress is ended for another one."""
    note = _what_is_lost(context)
    return SureScene(context, _("End this game?"), _("Another game"), NewGame(), note)


def confirm_end(context: Context) -> SureScene:
    """Ask before the evening is ended."""
    note = _what_is_lost(context)
    return SureScene(context, _("End the evening?"), _("End the evening"), EndSession(), note)


def _what_is_lost(context: Context) -> str:
    session = context.session
    if session is None or session.view.phase is Phase.DONE:
        return ""
    return _("The hand in play would be lost.")


class LedgerScene(Scene):
    """The ledger; STICK or the knob goes through the hands."""

    @property
    def count(self) -> int:
        """How many items there are."""
        session = self.context.session
        return 0 if session is None else max(1, len(session.state.hands))

    def page(self) -> Page:
        """Return the page."""
        session = self.context.session
        assert session is not None  # opened from a table only
        hints = (KeyHint("have", _("the evening in figures")), *reading())
        return ledger_page(session.state, hints, self.focus)

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT closes everything: somebody wants to play on."""
        return Close() if press.button is Button.NEXT else super().press(press)

    def choose(self, number: int) -> Action | None:
        """Show the figures."""
        return Open(StatisticsScene(self.context))


class StatisticsScene(Scene):
    """The evening in figures."""

    def page(self) -> Page:
        """Return the page."""
        session = self.context.session
        assert session is not None  # opened from a table only
        return statistics_page(session.state, reading())


class RulesScene(Scene):
    """The rules in force, on one page."""

    def __init__(self, context: Context, game: str, preset: str, options: object) -> None:
        """Show the page of *game* with *options*, which *preset* names."""
        super().__init__(context)
        self._game, self._preset, self._options = catalog.find(game), preset, options

    def page(self) -> Page:
        """Return the page."""
        # The words of a rule are translated before its numbers are put in.
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
        """Go to the next page, or the one before."""
        self.focus = max(0, self.focus + way)


class CameraScene(Scene):
    """What the camera sees, live."""

    def __init__(self, context: Context) -> None:
        """Start the live view."""
        super().__init__(context)
        if context.observer is not None:
            context.observer.forget()
            context.observer.live = True

    def closed(self) -> None:
        """End the live view: pictures that nobody sees are not drawn."""
        if self.context.observer is not None:
            self.context.observer.live = False

    def page(self) -> Page:
        """Return the page."""
        observer = self.context.observer
        last = None if observer is None else observer.last
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
            if observer is None
            else tuple(current().render(words_for(each)) for each in observer.remarks)
        )
        words = (_("read"), _("face down"), _("not sure"))
        return CameraPage(
            title=_("What the camera sees"),
            hints=reading(),
            picture=None if observer is None else observer.picture,
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

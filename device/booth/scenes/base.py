"""Scenes: the screens around the game and what their buttons do.

A scene makes a page of what it knows, and answers a press with an action that the booth carries
out. All are used alike: STICK or the knob goes to the next item, HAVE or the knob's push chooses
it, UNDO goes back, MENU closes; a finger chooses what it touches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from device.booth.preferences import GameSetup, Preferences
from device.booth.presets import preset_title
from device.croupier.looks import LyingCard
from device.ports import Button, Lamps, Press
from device.runtime.camera_trouble import words_for
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.storage.journal.wagers import PlacedWager
from display.i18n.money import TokenValue
from display.pages.base import Page
from display.pages.camera import CameraPage
from display.pages.list import Item, ListPage
from engine import State
from engine.core.events import Correct, CorrectBone, Entry, Join, Leave, Misdeal, Stake
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.views import Phase
from engine.games import catalog
from engine.games.agreed import changed
from engine.games.base import Game
from engine.table.wagers import Wager

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
        count: returns the scene that counts bones and cards; ``None`` where nothing tells them.
        by_hand: what MENU at the table does where people enter what lies there, or may do so.
        may_enter: people may enter the rest of the hand although the camera sees the mat.
        lying: the cards that the camera had read when MENU was pressed, in the game or not yet.
        currency: of the money that tokens may be worth.
        phones: returns the scene with the codes for phones; ``None`` where the feed is off.
    """

    preferences: Preferences
    setup: GameSetup
    seats: int
    session: Session | None = None
    observer: ReadingObserver | None = None
    leftovers: int = 0
    count: Callable[[], Scene] | None = None
    by_hand: Value = ""
    may_enter: bool = False
    lying: tuple[LyingCard, ...] = ()
    currency: str = "EUR"
    phones: Callable[[], Scene] | None = None

    @property
    def state(self) -> State:
        """The game of the session; asked for by scenes that are opened from a table only."""
        assert self.session is not None
        return self.session.state

    @property
    def token_value(self) -> TokenValue | None:
        """What a token of the session is worth in money."""
        return None if self.session is None else self.session.token_value

    @property
    def wagers(self) -> tuple[PlacedWager, ...]:
        """The side wagers of the session."""
        return () if self.session is None else self.session.wagers


@dataclass(frozen=True, slots=True)
class Open:
    """Open *scene* over what is shown; it is the first to handle *press*."""

    scene: Scene
    press: Press | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Close every scene, then carry out *then*."""

    then: Action | None = None


@dataclass(frozen=True, slots=True)
class BackTo:
    """Close what covers *scene*."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """Use and keep *preferences*."""

    preferences: Preferences


@dataclass(frozen=True, slots=True)
class PressTable:
    """Press *button* at the table in play, that of *seat* or the console's."""

    button: Button
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Play *event* at the table: what puts something right, who joins or leaves, or a stake."""

    event: Correct | CorrectBone | Misdeal | Entry | Join | Leave | Stake


@dataclass(frozen=True, slots=True)
class Bet:
    """Keep a side wager of the table in play; *reason* says in its entries what was bet."""

    wager: Wager
    reason: str


@dataclass(frozen=True, slots=True)
class CallOff:
    """Call side wager *number* of the table in play off."""

    number: int


class Do(Enum):
    """Actions that nothing more belongs to."""

    BACK = "close the scene on top"
    START = "start the game that is set up"
    RESUME = "go on with the game that was left"
    NEW_GAME = "end the game, and ask which one is played next"
    LEAVE = "leave the game as it is, and ask which one is played next"
    BY_HAND = "enter the rest of the hand by hand"
    END = "end the evening, and show its picture"


Action = Open | Close | BackTo | SetPreferences | PressTable | Play | Bet | CallOff | Do
"""What a scene answers a press with."""

Then = Action | Callable[[], Action | None]
"""What follows when something is chosen, or what decides it."""

Shown = TypeVar("Shown")


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
        self.refused: Value = ""

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
                return Do.BACK
        elif press.button is Button.UNDO:
            return Do.BACK
        elif press.button is Button.MENU:
            return Close()
        return None

    def step(self, way: int) -> None:
        """Mark the next item, or the one before."""
        if self.count:
            self.focus = (self.focus + way) % self.count


BACK = Message("back")


def choosing(back: Message = BACK) -> tuple[KeyHint, ...]:
    """Return the key hints of a scene in which something is chosen."""
    return (
        KeyHint("have", Message("choose")),
        KeyHint("stick", Message("next one")),
        KeyHint("undo", back),
    )


def reading() -> tuple[KeyHint, ...]:
    """Return the key hints of a scene that is only read."""
    return (KeyHint("undo", BACK), KeyHint("menu", Message("to the table")))


class ChoiceScene(Scene, Generic[Shown]):
    """One of several things is chosen.

    Attributes:
        kind: makes the page that shows them.
        title: what is asked.
        note: a sentence below it.
        hints: what the buttons do.
    """

    kind: Callable[..., Page]
    title: Value
    note: Value = ""
    hints = choosing()

    @abstractmethod
    def rows(self) -> Sequence[tuple[Shown, Then]]:
        """Return what can be chosen now, each with what follows."""

    @property
    def count(self) -> int:
        """How many things there are to choose from."""
        return len(self.rows())

    def page(self) -> Page:
        """Return everything that can be chosen."""
        items = tuple(item for item, _then in self.rows())
        focus = min(self.focus, max(0, len(items) - 1))
        return self.kind(
            title=self.title,
            note=self.refused or self.note,
            warning=bool(self.refused),
            hints=self.hints,
            focus=focus,
            items=items,
        )

    def choose(self, number: int) -> Action | None:
        """Do what follows."""
        return follow(self.rows()[number][1])


def follow(then: Then) -> Action | None:
    """Return the action, or what decides it decides."""
    return then() if callable(then) else then


class ListScene(ChoiceScene[Item]):
    """One of several rows of text is chosen."""

    kind = ListPage


class SureScene(ListScene):
    """Asks before something ends. Going on is marked; UNDO goes back to the table as well."""

    hints = choosing(Message("to the table"))

    go_on = Message("Go on")

    def __init__(
        self, context: Context, title: Message, *ends: tuple[Message, Action], note: Value = ""
    ) -> None:
        """Ask *title*; each of *ends* is an answer besides going on, with what follows."""
        super().__init__(context)
        self.title, self.note = title, note
        self._ends = ends

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return every answer."""
        ends = ((Item(end), Close(action)) for end, action in self._ends)
        return ((Item(self.go_on), Close()), *ends)

    def press(self, press: Press) -> Action | None:
        """Handle a press; UNDO closes everything, wherever the question came from."""
        return Close() if press.button is Button.UNDO else super().press(press)


_ANOTHER_GAME = (Message("Another game"), Do.NEW_GAME)
_END_EVENING = (Message("End the evening"), Do.END)


def confirm_new_game(context: Context) -> SureScene:
    """Ask before the game in progress is ended for another one."""
    title = Message("End this game?")
    return SureScene(context, title, _ANOTHER_GAME, note=_what_is_lost(context))


def confirm_end(context: Context) -> SureScene:
    """Ask before the evening is ended."""
    title = Message("End the evening?")
    return SureScene(context, title, _END_EVENING, note=_what_is_lost(context))


class AfterMatchScene(SureScene):
    """Asks what comes after a match; its last hand can still be put right at the table."""

    go_on = Message("Back to the table")


def after_match(context: Context) -> SureScene:
    """Ask what comes now that the match is over."""
    title = Message("The match is over. What now?")
    return AfterMatchScene(context, title, _ANOTHER_GAME, _END_EVENING)


def _what_is_lost(context: Context) -> Value:
    session = context.session
    if session is None or session.view.phase is Phase.DONE:
        return ""
    return Message("The hand in play would be lost.")


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
        return camera_page(self.context.observer, reading())


def camera_page(observer: ReadingObserver | None, hints: tuple[KeyHint, ...] = ()) -> CameraPage:
    """Return what *observer* sees, with what is read; *hints* say what the buttons do."""
    last = None if observer is None else observer.last
    facts: tuple[tuple[Value, Value], ...] = ()
    if last is not None:
        seen = last.reading
        unsure = len(seen.unsure) + len(seen.unsure_bones)
        facts = (
            (
                Message("Mat in the picture"),
                Message("yes") if seen.seats is not None else Message("not seen"),
            ),
            (Message("Cards read"), len(seen.cards)),
            (Message("Cards face down"), len(seen.backs)),
            (Message("Bones read"), len(seen.bones)),
            (Message("Not sure"), unsure),
        )
    remarks = () if observer is None else tuple(map(words_for, observer.remarks))
    words = (Message("read"), Message("face down"), Message("not sure"))
    return CameraPage(
        title=Message("What the camera sees"),
        hints=hints,
        picture=None if observer is None else observer.picture,
        waiting=Message("No picture has come yet."),
        facts=facts,
        remarks=remarks[:3],
        fine=Message("The picture is good.") if last is not None and not remarks else "",
        colours=tuple(zip(COLOURS, words, strict=True)),
    )


def rules_title(game: Game, preset: str, options: object) -> Value:
    """Return after whose rules is played, and how many of them are changed."""
    title = preset_title(preset)
    n = len(changed(game, catalog.find_preset(game, preset), options))
    if not n:
        return title
    return Message(
        "{preset}, {n} rule changed", "{preset}, {n} rules changed", n, preset=title, n=n
    )

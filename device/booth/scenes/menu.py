"""Over the table: the menu, the settings, and what was read wrongly put right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from device.booth.preferences import Preferences
from device.booth.scenes.base import (
    CameraScene,
    Host,
    LedgerScene,
    RulesScene,
    Scene,
    StatisticsScene,
    choosing,
    sure_of_another_game,
    sure_of_the_end,
)
from device.booth.scenes.players import PeopleHost, PeopleScene, may_come_or_go
from device.ports import Button, Press
from display.controls import KeyHint
from display.i18n.languages import language_of
from display.i18n.translate import _, current
from display.pages.base import Page
from display.pages.cards import CardsPage, Pick
from display.pages.list import Item, ListPage
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.events import Correct, CorrectBone
from engine.core.messages.words import card_words
from engine.core.views import MiddleView, Phase, View

DISCARDS = 6
"""So many of the discards can be put right, the top card first: one mends what was just seen."""


class TableHost(PeopleHost, Protocol):
    """What these scenes may ask of the booth besides."""

    def correct(self, event: Correct | CorrectBone) -> None:
        """Put a reading right."""
        ...

    def finish(self) -> None:
        """End the evening: the ledger, then the screen that waits."""
        ...

    def new_game(self) -> None:
        """End the game, and ask which one is played next."""
        ...


class MenuScene(Scene):
    """Everything the dealer may want; the game waits meanwhile."""

    host: TableHost

    @property
    def _rows(self) -> tuple[tuple[str, Callable[[], None]], ...]:
        rows: list[tuple[str, Callable[[], None]]] = [(_("Go on"), self.host.close)]
        session = self.host.session
        if session is not None:
            rows.append((_("Take the last thing back"), self._undo))
            rows.append((_("Another game"), self._another_game))
            rows.append((_("Correct a reading"), lambda: self._open(CorrectScene(self.host))))
            if session.view.phase not in (Phase.CUT, Phase.DONE):
                rows.append((_("Call a misdeal"), self._misdeal))
            if may_come_or_go(session.state):
                rows.append((_("Who plays on?"), lambda: self._open(PeopleScene(self.host))))
            rows.append((_("The ledger"), lambda: self._open(LedgerScene(self.host))))
            rows.append((_("The evening in figures"), lambda: self._open(_figures(self.host))))
            rows.append((_("The rules"), self._rules))
        if self.host.looking is not None:
            rows.append((_("What the camera sees"), lambda: self._open(CameraScene(self.host))))
        rows.append((_("Settings"), lambda: self._open(SettingsScene(self.host))))
        if session is not None:
            rows.append((_("End the evening"), self._end))
        return tuple(rows)

    @property
    def count(self) -> int:
        """Return how many rows there are."""
        return len(self._rows)

    def page(self) -> Page:
        """Return the rows."""
        return ListPage(
            title=_("Menu"),
            note=_("The game waits.") if self.host.session is not None else "",
            hints=choosing(_("to the table")),
            focus=self.focus,
            items=tuple(Item(text) for text, _act in self._rows),
        )

    def choose(self, number: int) -> None:
        """Do what the row says."""
        self._rows[number][1]()

    def _open(self, scene: Scene) -> None:
        self.host.open(scene)

    def _undo(self) -> None:
        self.host.close()
        self.host.press_table(Button.UNDO)

    def _another_game(self) -> None:
        self._open(sure_of_another_game(self.host, self.host.new_game))

    def _end(self) -> None:
        self._open(sure_of_the_end(self.host, self.host.finish))

    def _misdeal(self) -> None:
        self.host.close()
        self.host.press_table(Button.MENU)

    def _rules(self) -> None:
        session = self.host.session
        assert session is not None  # the row is there with a sitting only
        setup = session.state.setup
        self.host.open(RulesScene(self.host, setup.game.name, setup.preset, setup.options))


def _figures(host: Host) -> Scene:
    return StatisticsScene(host)


class SettingsScene(Scene):
    """What can be set at the table; each row goes through its values."""

    @property
    def _rows(self) -> tuple[tuple[Item, Callable[[], Preferences]], ...]:
        now = self.host.preferences
        suits = _("Four colours") if now.four_colours else _("Two colours")
        return (
            (Item(_("Language"), language_of(now.language).name), now.next_language),
            (Item(_("Look"), _(now.look.title)), now.next_theme),
            (Item(_("Suits"), suits), lambda: replace(now, four_colours=not now.four_colours)),
            (Item(_("Sound"), _on(not now.mute)), lambda: replace(now, mute=not now.mute)),
            (Item(_("Volume"), f"{now.volume} %"), now.louder),
            (Item(_("Voice"), _on(now.voice)), lambda: replace(now, voice=not now.voice)),
            (
                Item(_("Teaching: show the chances"), _on(now.teaching)),
                lambda: replace(now, teaching=not now.teaching),
            ),
        )

    @property
    def count(self) -> int:
        """Return how many rows there are."""
        return len(self._rows)

    def page(self) -> Page:
        """Return the rows and how they stand."""
        return ListPage(
            title=_("Settings"),
            hints=choosing(),
            focus=self.focus,
            items=tuple(item for item, _change in self._rows),
        )

    def choose(self, number: int) -> None:
        """Set the row to its next value."""
        self.host.set(self._rows[number][1]())


class CorrectScene(Scene):
    """Which card, or which bone, was read wrongly? Only what lies open can be chosen (G-7)."""

    host: TableHost

    @property
    def _read(self) -> tuple[tuple[Pick, Callable[[], Scene]], ...]:
        session = self.host.session
        return () if session is None else tuple(_readings(self.host, session.view))

    @property
    def count(self) -> int:
        """Return how many readings there are."""
        return len(self._read)

    def page(self) -> Page:
        """Return them as pictures."""
        return CardsPage(
            title=_("What was read wrongly?"),
            note=_("Everything that hangs on it is worked out anew, the ledger too."),
            hints=choosing(),
            focus=min(self.focus, max(0, self.count - 1)),
            picks=tuple(pick for pick, _next in self._read),
            empty=_("Nothing lies open that could be put right."),
        )

    def choose(self, number: int) -> None:
        """Ask what it is really."""
        self.host.open(self._read[number][1]())


class RankScene(Scene):
    """What is the card really? First its rank, in the suit that was read."""

    host: TableHost

    def __init__(self, host: TableHost, was: Card, seat: int | None) -> None:
        """Ask about the card of *seat* (``None``: of nobody) read as *was*."""
        super().__init__(host)
        self._was, self._seat = was, seat
        self.focus = list(Rank).index(was.rank)

    @property
    def count(self) -> int:
        """Return how many ranks there are."""
        return len(Rank)

    def page(self) -> Page:
        """Return a card of each rank."""
        cards = [Card(rank, self._was.suit) for rank in Rank]
        return CardsPage(
            title=_("Which rank is it?"),
            note=_("It was read as {card}.").format(card=current().render(card_words(self._was))),
            hints=choosing(),
            focus=self.focus,
            picks=tuple(Pick(card, spoken=current().render(card_words(card))) for card in cards),
        )

    def choose(self, number: int) -> None:
        """Ask for the suit."""
        self.host.open(SuitScene(self.host, self._was, list(Rank)[number], self._seat))


class SuitScene(Scene):
    """And which suit?"""

    host: TableHost

    def __init__(self, host: TableHost, was: Card, rank: Rank, seat: int | None) -> None:
        """Ask for the suit of the card of *seat* read as *was*, which has *rank*."""
        super().__init__(host)
        self._was, self._rank, self._seat = was, rank, seat
        self.focus = list(Suit).index(was.suit)

    @property
    def count(self) -> int:
        """Return how many suits there are."""
        return len(Suit)

    def page(self) -> Page:
        """Return a card of each suit."""
        cards = [Card(self._rank, suit) for suit in Suit]
        return CardsPage(
            title=_("Which suit is it?"),
            note=_("It was read as {card}.").format(card=current().render(card_words(self._was))),
            hints=choosing(),
            focus=self.focus,
            picks=tuple(Pick(card, spoken=current().render(card_words(card))) for card in cards),
        )

    def choose(self, number: int) -> None:
        """Put it right."""
        card = Card(self._rank, list(Suit)[number])
        self.host.close()
        if card != self._was:
            self.host.correct(Correct(self._was, card, self._seat))


class FaceScene(Scene):
    """How does the bone really lie?"""

    host: TableHost

    def __init__(self, host: TableHost, seat: int, roll: int, place: int, points: int) -> None:
        """Ask about one bone of a throw, read as *points*; *roll* and *place* count from 0."""
        super().__init__(host)
        self._where, self._points = (seat, roll, place), points
        self.focus = [face.points for face in Face].index(points)

    @property
    def count(self) -> int:
        """Return how many faces there are."""
        return len(Face)

    def page(self) -> Page:
        """Return the four faces."""
        return CardsPage(
            title=_("How does the bone lie?"),
            note=_("It was read as {n}.").format(n=self._points),
            hints=choosing(),
            focus=self.focus,
            picks=tuple(Pick(face, spoken=str(face.points)) for face in Face),
        )

    def choose(self, number: int) -> None:
        """Put it right."""
        points = list(Face)[number].points
        seat, roll, place = self._where
        self.host.close()
        if points != self._points:
            self.host.correct(CorrectBone(seat, roll, place, points))


class EndScene(Scene):
    """The evening is over: its picture, and nothing to decide."""

    host: TableHost

    def __init__(self, host: TableHost, page: Page) -> None:
        """Show *page*; the booth takes it away after a while."""
        super().__init__(host)
        self._page = page

    def page(self) -> Page:
        """Return the picture to keep, and how to go on."""
        return replace(self._page, hints=(KeyHint("have", _("a new game")),))

    def press(self, press: Press) -> None:
        """HAVE goes on to the next game, any other button to the screen that waits."""
        self.host.close()
        if press.button in (Button.HAVE, Button.PUSH):
            self.host.new_game()


def _readings(host: TableHost, view: View) -> list[tuple[Pick, Callable[[], Scene]]]:
    """Return everything that was read and lies open, with the scene that asks what it is."""
    found: list[tuple[Pick, Callable[[], Scene]]] = []
    for seat in view.seats:
        for card in seat.cards:
            if card is not None:
                found.append(_card_pick(host, card, seat.seat, seat.name))
        for roll, throw in enumerate(seat.throws):
            for place, points in enumerate(throw):
                found.append(_bone_pick(host, seat.seat, seat.name, (roll, place, points)))
    if view.middle is not None:
        # Who discarded a card is no longer known: with one pack its name is enough (rule G-10).
        found += [_card_pick(host, card, None, _("discard")) for card in _latest(view.middle)]
        for pile in view.middle.piles:
            lying = (card for card in pile.cards if card is not None)
            found += [_card_pick(host, card, None, _("middle")) for card in lying]
    if view.phase is Phase.CUT:
        names = {seat.seat: seat.name for seat in view.seats}
        found += [_card_pick(host, card, seat, names.get(seat, "")) for seat, card in view.cuts]
    return found


def _latest(middle: MiddleView) -> tuple[Card, ...]:
    """Return the discards that people still have in mind, the top card first."""
    return tuple(reversed(middle.discards[-DISCARDS:]))


def _card_pick(
    host: TableHost, card: Card, seat: int | None, name: str
) -> tuple[Pick, Callable[[], Scene]]:
    spoken = f"{name}: {current().render(card_words(card))}"
    return Pick(card, name, spoken), lambda: RankScene(host, card, seat)


def _bone_pick(
    host: TableHost, seat: int, name: str, bone: tuple[int, int, int]
) -> tuple[Pick, Callable[[], Scene]]:
    roll, place, points = bone
    pick = Pick(Face.from_points(points), name, f"{name}: {points}")
    return pick, lambda: FaceScene(host, seat, roll, place, points)


def _on(value: bool) -> str:
    return _("on") if value else _("off")

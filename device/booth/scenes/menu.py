"""Over the table: the menu, the settings, and corrections of what was read wrongly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from device.booth.preferences import Preferences
from device.booth.scenes.base import (
    Action,
    CameraScene,
    Close,
    Context,
    CorrectReading,
    LedgerScene,
    NewGame,
    Open,
    PressTable,
    RulesScene,
    Scene,
    SetPreferences,
    StatisticsScene,
    choosing,
    confirm_end,
    confirm_new_game,
)
from device.booth.scenes.players import PeopleScene, may_change_players
from device.ports import Button, Press
from display.controls import KeyHint
from display.i18n.languages import language_of
from display.i18n.translate import N_, _, current
from display.pages.base import Page
from display.pages.cards import CardsPage, Pick
from display.pages.list import Item, ListPage
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.events import Correct, CorrectBone
from engine.core.messages.words import card_words
from engine.core.views import MiddleView, Phase, View

DISCARDS = 6
"""How many discards can be corrected, the top card first: people correct what they just saw."""


class MenuScene(Scene):
    """Everything the dealer may want; the game is paused."""

    @property
    def _rows(self) -> tuple[tuple[str, Callable[[], Action]], ...]:
        context, session = self.context, self.context.session
        rows: list[tuple[str, Callable[[], Action]]] = [(_("Go on"), Close)]
        if session is not None:
            undo, misdeal = PressTable(Button.UNDO), PressTable(Button.MENU)
            rows.append((_("Take the last thing back"), lambda: Close(undo)))
            rows.append((_("Another game"), lambda: Open(confirm_new_game(context))))
            rows.append((_("Correct a reading"), lambda: Open(CorrectScene(context))))
            if session.view.phase not in (Phase.CUT, Phase.DONE):
                rows.append((_("Call a misdeal"), lambda: Close(misdeal)))
            if may_change_players(session.state):
                rows.append((_("Who plays on?"), lambda: Open(PeopleScene(context))))
            rows.append((_("The ledger"), lambda: Open(LedgerScene(context))))
            rows.append((_("The evening in figures"), lambda: Open(StatisticsScene(context))))
            setup = session.state.setup
            rules = partial(RulesScene, context, setup.game.name, setup.preset, setup.options)
            rows.append((_("The rules"), lambda: Open(rules())))
        if context.observer is not None:
            rows.append((_("What the camera sees"), lambda: Open(CameraScene(context))))
        rows.append((_("Settings"), lambda: Open(SettingsScene(context))))
        if session is not None:
            rows.append((_("End the evening"), lambda: Open(confirm_end(context))))
        return tuple(rows)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def page(self) -> Page:
        """Return the rows."""
        return ListPage(
            title=_("Menu"),
            note=_("The game waits.") if self.context.session is not None else "",
            hints=choosing(_("to the table")),
            focus=self.focus,
            items=tuple(Item(text) for text, _act in self._rows),
        )

    def choose(self, number: int) -> Action | None:
        """Do what the row says."""
        return self._rows[number][1]()


class SettingsScene(Scene):
    """What can be set at the table; each row goes through its values."""

    @property
    def _rows(self) -> tuple[tuple[Item, Callable[[], Preferences]], ...]:
        now = self.context.preferences
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
        """How many rows there are."""
        return len(self._rows)

    def page(self) -> Page:
        """Return the rows and how they stand."""
        return ListPage(
            title=_("Settings"),
            hints=choosing(),
            focus=self.focus,
            items=tuple(item for item, _change in self._rows),
        )

    def choose(self, number: int) -> Action | None:
        """Set the row to its next value."""
        return SetPreferences(self._rows[number][1]())


class CorrectScene(Scene):
    """Which card, or which bone, was read wrongly? Only what lies open can be chosen (G-7)."""

    @property
    def _read(self) -> tuple[tuple[Pick, Callable[[], Scene]], ...]:
        session = self.context.session
        return () if session is None else tuple(_readings(self.context, session.view))

    @property
    def count(self) -> int:
        """How many readings there are."""
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

    def choose(self, number: int) -> Action | None:
        """Ask what it is really."""
        return Open(self._read[number][1]())


class PickScene(Scene):
    """One of several pictures is chosen."""

    title = ""

    def __init__(self, context: Context, note: str, picks: Sequence[Pick], focus: int) -> None:
        """Show *picks*, with number *focus* marked."""
        super().__init__(context)
        self.focus = focus
        self._note, self._picks = note, tuple(picks)

    @property
    def count(self) -> int:
        """How many pictures there are."""
        return len(self._picks)

    def page(self) -> Page:
        """Return the pictures."""
        return CardsPage(
            title=_(self.title),
            note=self._note,
            hints=choosing(),
            focus=self.focus,
            picks=self._picks,
        )


class RankScene(PickScene):
    """What is the card really? First its rank, in the suit that was read."""

    title = N_("Which rank is it?")

    def __init__(self, context: Context, was: Card, seat: int | None) -> None:
        """Ask about the card of *seat* (``None``: of nobody) read as *was*."""
        cards = [Card(rank, was.suit) for rank in Rank]
        super().__init__(context, _read_as(was), _card_picks(cards), list(Rank).index(was.rank))
        self._was, self._seat = was, seat

    def choose(self, number: int) -> Action | None:
        """Ask for the suit."""
        return Open(SuitScene(self.context, self._was, list(Rank)[number], self._seat))


def _words_of(card: Card) -> str:
    return current().render(card_words(card))


def _read_as(was: Card) -> str:
    return _("It was read as {card}.").format(card=_words_of(was))


def _card_picks(cards: Sequence[Card]) -> list[Pick]:
    return [Pick(card, spoken=_words_of(card)) for card in cards]


class SuitScene(PickScene):
    """And which suit?"""

    title = N_("Which suit is it?")

    def __init__(self, context: Context, was: Card, rank: Rank, seat: int | None) -> None:
        """Ask for the suit of the card of *seat* read as *was*, which has *rank*."""
        cards = [Card(rank, suit) for suit in Suit]
        super().__init__(context, _read_as(was), _card_picks(cards), list(Suit).index(was.suit))
        self._was, self._rank, self._seat = was, rank, seat

    def choose(self, number: int) -> Action | None:
        """Correct it."""
        card = Card(self._rank, list(Suit)[number])
        event = Correct(self._was, card, self._seat)
        return Close(CorrectReading(event) if card != self._was else None)


class FaceScene(PickScene):
    """How does the bone really lie?"""

    title = N_("How does the bone lie?")

    def __init__(self, context: Context, seat: int, roll: int, place: int, points: int) -> None:
        """Ask about one bone of a throw, read as *points*; *roll* and *place* count from 0."""
        picks = [Pick(face, spoken=str(face.points)) for face in Face]
        note = _("It was read as {n}.").format(n=points)
        super().__init__(context, note, picks, [face.points for face in Face].index(points))
        self._where, self._points = (seat, roll, place), points

    def choose(self, number: int) -> Action | None:
        """Correct it."""
        points = list(Face)[number].points
        event = CorrectBone(*self._where, points)
        return Close(CorrectReading(event) if points != self._points else None)


class EndScene(Scene):
    """The evening is over: its picture, and nothing to decide."""

    def __init__(self, context: Context, page: Page) -> None:
        """Show *page*; the booth takes it away after a while."""
        super().__init__(context)
        self._page = page

    def page(self) -> Page:
        """Return the picture to keep, and how to go on."""
        return replace(self._page, hints=(KeyHint("have", _("a new game")),))

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE asks for the next game, any other button closes."""
        return NewGame() if press.button in (Button.HAVE, Button.PUSH) else Close()


def _readings(context: Context, view: View) -> list[tuple[Pick, Callable[[], Scene]]]:
    """Return everything that was read and lies open, with the scene that asks what it is."""
    found: list[tuple[Pick, Callable[[], Scene]]] = []
    for seat in view.seats:
        for card in seat.cards:
            if card is not None:
                found.append(_card_pick(context, card, seat.seat, seat.name))
        for roll, throw in enumerate(seat.throws):
            for place, points in enumerate(throw):
                found.append(_bone_pick(context, seat.seat, seat.name, (roll, place, points)))
    if view.middle is not None:
        # Who discarded a card is no longer known: with one pack its name is enough (rule G-10).
        found += [_card_pick(context, card, None, _("discard")) for card in _latest(view.middle)]
        for pile in view.middle.piles:
            lying = (card for card in pile.cards if card is not None)
            found += [_card_pick(context, card, None, _("middle")) for card in lying]
    if view.phase is Phase.CUT:
        names = {seat.seat: seat.name for seat in view.seats}
        found += [_card_pick(context, card, seat, names.get(seat, "")) for seat, card in view.cuts]
    return found


def _latest(middle: MiddleView) -> tuple[Card, ...]:
    """Return the last discards, the top card first."""
    return tuple(reversed(middle.discards[-DISCARDS:]))


def _card_pick(
    context: Context, card: Card, seat: int | None, name: str
) -> tuple[Pick, Callable[[], Scene]]:
    spoken = f"{name}: {_words_of(card)}"
    return Pick(card, name, spoken), lambda: RankScene(context, card, seat)


def _bone_pick(
    context: Context, seat: int, name: str, bone: tuple[int, int, int]
) -> tuple[Pick, Callable[[], Scene]]:
    roll, place, points = bone
    pick = Pick(Face.from_points(points), name, f"{name}: {points}")
    return pick, lambda: FaceScene(context, seat, roll, place, points)


def _on(value: bool) -> str:
    return _("on") if value else _("off")

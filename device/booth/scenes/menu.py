"""Over the table: the menu, the settings, corrections, and what comes when nobody plays on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from device.booth.preferences import Preferences
from device.booth.scenes.base import (
    Action,
    CameraScene,
    ChoiceScene,
    Close,
    Context,
    Do,
    LedgerScene,
    ListScene,
    Open,
    Play,
    PressTable,
    RulesScene,
    Scene,
    SetPreferences,
    StatisticsScene,
    Then,
    choosing,
    confirm_end,
    confirm_new_game,
    reading,
)
from device.booth.scenes.players import (
    PeopleScene,
    ThrowInScene,
    may_change_players,
    may_throw_in,
)
from device.booth.summary import payments
from device.ports import Button, Press
from display.i18n.languages import language_of
from display.pages.base import Page, joined
from display.pages.cards import CardsPage, Pick
from display.pages.list import Item
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.events import Correct, CorrectBone
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import card_words, count
from engine.core.views import Phase, View

DISCARDS = 6
"""How many discards can be corrected, the top card first: people correct what they just saw."""


class MenuScene(ListScene):
    """Everything the dealer may want; the game is paused."""

    title = Message("Menu")
    note = Message("The game waits.")
    hints = choosing(Message("to the table"))

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return what can be done now."""
        context, state = self.context, self.context.state
        setup = state.setup
        rules = partial(RulesScene, context, setup.game.name, setup.preset, setup.options)
        rows: list[tuple[Message, Then]] = [
            (Message("Go on"), Close()),
            (Message("Take the last thing back"), Close(PressTable(Button.UNDO))),
            (Message("Another game"), lambda: Open(confirm_new_game(context))),
            (Message("Correct a reading"), lambda: Open(CorrectScene(context))),
        ]
        if state.phase not in (Phase.CUT, Phase.DONE):
            rows.append((Message("Call a misdeal"), Close(PressTable(Button.MENU))))
        if may_throw_in(state):
            rows.append((Message("I throw in"), lambda: Open(ThrowInScene(context))))
        if may_change_players(state):
            rows.append((Message("Who plays on?"), lambda: Open(PeopleScene(context))))
        rows += [
            (Message("The ledger"), lambda: Open(LedgerScene(context))),
            (Message("Settle up"), lambda: Open(SettleScene(context))),
            (Message("The evening in figures"), lambda: Open(StatisticsScene(context))),
            (Message("The rules"), lambda: Open(rules())),
        ]
        if context.observer is not None:
            rows.append((Message("What the camera sees"), lambda: Open(CameraScene(context))))
        rows += [
            (Message("Settings"), lambda: Open(SettingsScene(context))),
            (Message("End the evening"), lambda: Open(confirm_end(context))),
        ]
        return [(Item(text), then) for text, then in rows]


class SettleScene(ListScene):
    """The fewest payments that square the evening; there is nothing to choose."""

    title = Message("Settle up")
    hints = reading()

    @property
    def note(self) -> Value:  # type: ignore[override]
        """Return what the rows are."""
        if payments(self.context.state):
            return Message("The fewest payments that square the evening.")
        return Message("Nobody owes anybody anything.")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return who pays whom."""
        return [
            (
                Item(
                    Message(
                        "{payer} pays {payee}",
                        payer=each.payer or _POT,
                        payee=each.payee or _POT,
                    ),
                    count(each.tokens, "token"),
                ),
                Do.BACK,
            )
            for each in payments(self.context.state)
        ]


_POT = Message("the pot")


class SettingsScene(ListScene):
    """What can be set at the table; each row goes through its values."""

    title = Message("Settings")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return how everything stands."""
        now = self.context.preferences
        suits = Message("Four colours") if now.four_colours else Message("Two colours")
        chances = Message("Teaching: show the chances")
        rows: tuple[tuple[Message, Value, Preferences], ...] = (
            (Message("Language"), language_of(now.language).name, now.next_language()),
            (Message("Look"), Message(now.look.title), now.next_theme()),
            (Message("Suits"), suits, replace(now, four_colours=not now.four_colours)),
            (Message("Sound"), _on(not now.mute), replace(now, mute=not now.mute)),
            (Message("Volume"), f"{now.volume} %", now.louder()),
            (Message("Voice"), _on(now.voice), replace(now, voice=not now.voice)),
            (chances, _on(now.teaching), replace(now, teaching=not now.teaching)),
        )
        return [(Item(text, value), SetPreferences(to)) for text, value, to in rows]


def _on(value: bool) -> Message:
    return Message("on") if value else Message("off")


class CardsScene(ChoiceScene[Pick]):
    """One of several pictures is chosen."""

    kind: Callable[..., Page] = CardsPage


class CorrectScene(CardsScene):
    """Which card, or which bone, was read wrongly? Only what lies open can be chosen (G-7)."""

    title = Message("What was read wrongly?")
    note = Message("Everything that hangs on it is worked out anew, the ledger too.")
    kind = partial(CardsPage, empty=Message("Nothing lies open that could be put right."))

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return what lies open, each with the scene that asks what it is really."""
        session = self.context.session
        found = () if session is None else _readings(self.context, session.view)
        return [(pick, Open(scene)) for pick, scene in found]


class RankScene(CardsScene):
    """What is the card really? First its rank, in the suit that was read."""

    title = Message("Which rank is it?")

    def __init__(
        self,
        context: Context,
        was: Card | None,
        then: Callable[[Card], Action],
        likely: Card | None = None,
    ) -> None:
        """Ask about the card read as *was*; *then* says what follows. *likely* is marked."""
        super().__init__(context)
        self._marked = likely or was or Card(Rank.ACE, Suit.SPADES)
        self.note, self.focus = _read_as(was), list(Rank).index(self._marked.rank)
        self._was, self._then = was, then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return every rank; the suit is asked next."""
        cards = [Card(rank, self._marked.suit) for rank in Rank]
        return [
            (_pick(card), Open(SuitScene(self.context, self._was, card, self._then)))
            for card in cards
        ]


class SuitScene(CardsScene):
    """And which suit?"""

    title = Message("Which suit is it?")

    def __init__(
        self, context: Context, was: Card | None, likely: Card, then: Callable[[Card], Action]
    ) -> None:
        """Ask for the suit of the card read as *was*, which has the rank of *likely*."""
        super().__init__(context)
        self.note, self.focus = _read_as(was), list(Suit).index(likely.suit)
        self._rank, self._then = likely.rank, then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return every suit, each with what follows."""
        cards = [Card(self._rank, suit) for suit in Suit]
        return [(_pick(card), partial(self._then, card)) for card in cards]


class FaceScene(CardsScene):
    """How does the bone really lie?"""

    title = Message("How does the bone lie?")

    def __init__(
        self,
        context: Context,
        was: Face | None,
        then: Callable[[Face], Action],
        likely: Face | None = None,
    ) -> None:
        """Ask about the bone read as *was*; *then* says what follows. *likely* is marked."""
        super().__init__(context)
        self.note = "" if was is None else Message("It was read as {n}.", n=was.points)
        self.focus = list(Face).index(likely or was or Face.FLAT)
        self._then = then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return every face, each with what follows."""
        return [(Pick(face, spoken=str(face.points)), partial(self._then, face)) for face in Face]


class EndScene(Scene):
    """The evening is over: its picture, and nothing to decide."""

    def __init__(self, context: Context, page: Page) -> None:
        """Show *page*; the booth takes it away after a while."""
        super().__init__(context)
        self._page = replace(page, hints=(KeyHint("have", Message("a new game")),))

    def page(self) -> Page:
        """Return the picture to keep, and how to go on."""
        return self._page

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE asks for the next game, any other button closes."""
        return Do.NEW_GAME if press.button in (Button.HAVE, Button.PUSH) else Close()


def _readings(context: Context, view: View) -> Iterator[tuple[Pick, Scene]]:
    """Yield everything that was read and lies open, with the scene that asks what it is."""
    for seat in view.seats:
        up = (each for each in seat.cards if each is not None)
        yield from (_card(context, each, seat.seat, seat.name) for each in up)
        for roll, throw in enumerate(seat.throws):
            for place, points in enumerate(throw):
                yield _bone(context, (seat.seat, roll, place), Face.from_points(points), seat.name)
    if view.middle is not None:
        # Who discarded a card is no longer known: with one pack its name is enough (rule G-10).
        for each in reversed(view.middle.discards[-DISCARDS:]):
            yield _card(context, each, None, Message("discard"))
        piles = (each for pile in view.middle.piles for each in pile.cards)
        lying = (each for each in piles if each is not None)
        yield from (_card(context, each, None, Message("middle")) for each in lying)
    if view.phase is Phase.CUT:
        names = {seat.seat: seat.name for seat in view.seats}
        yield from (_card(context, each, n, names.get(n, "")) for n, each in view.cuts)


def _card(context: Context, was: Card, seat: int | None, name: Value) -> tuple[Pick, Scene]:
    def put_right(to: Card) -> Action:
        return Close(Play(Correct(was, to, seat)) if to != was else None)

    return _pick(was, name), RankScene(context, was, put_right)


def _bone(context: Context, at: tuple[int, int, int], was: Face, name: Value) -> tuple[Pick, Scene]:
    """Return the pick and the scene of the bone *at* a seat, a throw and a place in it, from 0."""

    def put_right(to: Face) -> Action:
        return Close(Play(CorrectBone(*at, to.points)) if to is not was else None)

    return Pick(was, name, joined(name, ": ", str(was.points))), FaceScene(context, was, put_right)


def _pick(card: Card, name: Value = "") -> Pick:
    return Pick(card, name, joined(name, ": ", card_words(card)) if name else card_words(card))


def _read_as(was: Card | None) -> Value:
    return "" if was is None else Message("It was read as {card}.", card=card_words(was))


class StillThereScene(ListScene):
    """Nobody has moved for a while: people who come now see that they may start a new game.

    A card that moves on the mat closes it as well: then somebody plays.
    """

    title = Message("Is anybody still playing?")
    note = Message("If nobody says so, the welcome screen comes back by itself.")
    hints = choosing()[:2]

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Go on, or ask which game is played next."""
        return (
            (Item(Message("Yes, go on with this hand")), Do.BACK),
            (Item(Message("No: a new game")), Do.NEW_GAME),
        )


class AfterwardsScene(LedgerScene):
    """The ledger that appears by itself when nobody goes on after a hand."""

    # People who come now see how to begin.
    hints = (
        KeyHint("have", Message("a new game")),
        KeyHint("next", Message("play on")),
        *reading()[1:],
    )

    def choose(self, number: int) -> Action | None:
        """Ask whether this game is over, and then which one is played next."""
        return Open(confirm_new_game(self.context))

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT and UNDO go back to the table, where the same people play on."""
        return Close() if press.button is Button.UNDO else super().press(press)

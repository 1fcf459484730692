"""Over the table: the menu, the settings, and what comes when nobody plays on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from device.booth.preferences import PACES, Preferences
from device.booth.scenes.base import (
    Action,
    CameraScene,
    Close,
    Context,
    Do,
    ListScene,
    Open,
    PressTable,
    Scene,
    SetPreferences,
    Then,
    choosing,
    confirm_end,
    confirm_new_game,
    reading,
)
from device.booth.scenes.correct import CALLED, CorrectScene, put_right
from device.booth.scenes.entry import PayerScene
from device.booth.scenes.ledger import LedgerScene, SettleScene, StatisticsScene
from device.booth.scenes.players import (
    PeopleScene,
    ThrowInScene,
    may_change_players,
    may_throw_in,
)
from device.booth.scenes.rules import OddsScene, RulesScene
from device.booth.scenes.stakes import StakesScene
from device.booth.scenes.wager import WagerScene, may_bet
from device.croupier import messages as say
from device.croupier.by_hand import stakes_of
from device.ports import Button, Press, Talk
from display.i18n.languages import language_of
from display.i18n.money import token_value
from display.pages.base import Page
from display.pages.list import Item
from engine import legal_actions
from engine.core.events import Entry, Misdeal
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.views import Phase


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
        rows: list[tuple[Value, Then]] = [
            (Message("Go on"), Close()),
            (Message("Take the last thing back"), Close(PressTable(Button.UNDO))),
            (Message("Another game"), lambda: Open(confirm_new_game(context))),
            (Message("Correct a reading"), lambda: Open(CorrectScene(context))),
        ]
        if context.by_hand:
            rows.insert(1, (context.by_hand, Close(PressTable(Button.MENU))))
        elif context.may_enter and state.phase is not Phase.DONE:
            rows.append((say.ENTER_THE_REST, Close(Do.BY_HAND)))
        legal = {action.kind for action in legal_actions(state)}
        if (state.phase is Phase.DONE or context.by_hand) and Misdeal.kind in legal:
            rows.append((Message("Call a misdeal"), partial(put_right, context, Misdeal(CALLED))))
        elif Misdeal.kind in legal:
            rows.append((Message("Call a misdeal"), Close(PressTable(Button.MENU))))
        if may_throw_in(state):
            rows.append((Message("I throw in"), lambda: Open(ThrowInScene(context))))
        if may_change_players(state):
            rows.append((Message("Who plays on?"), lambda: Open(PeopleScene(context))))
        rows += self._about_tokens(Entry.kind in legal)
        rows += [
            (Message("The ledger"), lambda: Open(LedgerScene(context))),
            (Message("Settle up"), lambda: Open(SettleScene(context))),
            (Message("The evening in figures"), lambda: Open(StatisticsScene(context))),
            (Message("The rules"), lambda: Open(rules())),
        ]
        if context.preferences.teaching:
            odds = partial(OddsScene, context, setup.game, setup.preset, setup.options)
            rows.append((Message("Chances"), lambda: Open(odds())))
        if context.phones is not None:
            phones = context.phones
            rows.append((Message("Phones"), lambda: Open(phones())))
        if context.observer is not None:
            rows.append((Message("What the camera sees"), lambda: Open(CameraScene(context))))
        rows += [
            (Message("Settings"), lambda: Open(SettingsScene(context))),
            (Message("End the evening"), lambda: Open(confirm_end(context))),
        ]
        return [(Item(text), then) for text, then in rows]

    def _about_tokens(self, may_enter: bool) -> list[tuple[Value, Then]]:
        """Return how tokens change hands outside of the hand in play."""
        context, state = self.context, self.context.state
        rows: list[tuple[Value, Then]] = []
        if state.hands:
            which = Message("Which hand was wrong?")
            rows.append((Message("Put a hand right"), lambda: Open(LedgerScene(context, which))))
        if stakes_of(state):
            rows.append((Message("The stakes"), lambda: Open(StakesScene(context))))
        if may_enter:
            rows.append((Message("Write an entry"), lambda: Open(PayerScene(context))))
        if may_bet(state):
            rows.append((Message("Side bet"), lambda: Open(WagerScene(context))))
        return rows


TALK = {
    Talk.FEW.value: Message("the results"),
    Talk.NORMAL.value: Message("what a croupier says"),
    Talk.ALL.value: Message("all that is shown"),
}
"""How much the voice says, in words."""


def _pace(words_per_minute: int) -> Message:
    """Return how fast the voice speaks, in a word."""
    if words_per_minute < PACES[1]:
        return Message("slowly")
    if words_per_minute < PACES[2]:
        return Message("as people do")
    return Message("fast") if words_per_minute < PACES[3] else Message("very fast")


class SettingsScene(ListScene):
    """What can be set at the table; each row goes through its values."""

    title = Message("Settings")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return how everything stands."""
        now = self.context.preferences
        suits = Message("Four colours") if now.four_colours else Message("Two colours")
        chances = Message("Teaching: show the chances")
        currency = self.context.currency
        worth: Value = Message("nothing")
        if now.token_value:
            worth = token_value(now.token_value, currency).of(1)
        less_motion = replace(now, less_motion=not now.less_motion)
        rows: tuple[tuple[Message, Value, Preferences], ...] = (
            (Message("Language"), language_of(now.language).name, now.next_language()),
            (Message("Look"), Message(now.look.title), now.next_theme()),
            (Message("Suits"), suits, replace(now, four_colours=not now.four_colours)),
            (Message("Sound"), _on(not now.mute), replace(now, mute=not now.mute)),
            (Message("Volume"), f"{now.volume} %", now.louder()),
            (Message("Voice"), _on(now.voice), replace(now, voice=not now.voice)),
            (Message("The voice says"), TALK[now.talk], now.next_talk()),
            (Message("It speaks"), _pace(now.pace), now.faster()),
            (Message("Motion"), _on(not now.less_motion), less_motion),
            (chances, _on(now.teaching), replace(now, teaching=not now.teaching)),
            (Message("A token is worth"), worth, now.next_token_value(currency)),
        )
        return [(Item(text, value), SetPreferences(to)) for text, value, to in rows]


def _on(value: bool) -> Message:
    return Message("on") if value else Message("off")


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


class StillThereScene(ListScene):
    """Nobody has moved for a while: people who come now see that they may start a new game.

    A card that moves on the mat closes it as well: then somebody plays.
    """

    title = Message("Is anybody still playing?")
    note = Message("If nobody says so, the welcome screen comes back by itself.")
    hints = choosing()[:2]

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Go on, or ask which game is played next; this one can then still be gone on with."""
        return (
            (Item(Message("Yes, go on with this hand")), Do.BACK),
            (Item(Message("No: a new game")), Do.LEAVE),
        )


class AfterwardsScene(LedgerScene):
    """The ledger that appears by itself when nobody goes on after a hand."""

    marks = False
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

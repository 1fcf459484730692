"""Scenes that only a booth needs: is anybody still there, and what comes after the last hand."""

from __future__ import annotations

from collections.abc import Sequence

from device.booth.scenes.base import (
    Action,
    Back,
    Choose,
    Close,
    LedgerScene,
    ListScene,
    NewGame,
    Open,
    choosing,
    confirm_new_game,
    reading,
)
from device.ports import Button, Press
from display.pages.list import Item
from engine.core.messages.message import Message
from engine.core.messages.prompt import KeyHint


class StillThereScene(ListScene):
    """Nobody has moved for a while: people who come now see that they may start a new game.

    A card that moves on the mat closes it as well: then somebody plays.
    """

    title = Message("Is anybody still playing?")
    note = Message("If nobody says so, the welcome screen comes back by itself.")
    hints = choosing()[:2]

    def rows(self) -> Sequence[tuple[Item, Choose]]:
        """Go on, or ask which game is played next."""
        return (
            (Item(Message("Yes, go on with this hand")), Back),
            (Item(Message("No: a new game")), NewGame),
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

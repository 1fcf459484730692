"""Scenes that only a booth needs: is anybody still there, and what comes after the last hand."""

from __future__ import annotations

from dataclasses import replace

from device.booth.scenes.base import (
    Action,
    Back,
    Close,
    LedgerScene,
    NewGame,
    Open,
    Scene,
    choosing,
    confirm_new_game,
    reading,
)
from device.ports import Button, Press
from display.controls import KeyHint
from display.i18n.translate import _
from display.pages.base import Page
from display.pages.list import Item, ListPage


class StillThereScene(Scene):
    """Nobody has moved for a while: people who come now see that they may start a new game.

    A card that moves on the mat closes it as well: then somebody plays.
    """

    @property
    def count(self) -> int:
        """How many answers there are."""
        return 2

    def page(self) -> Page:
        """Return the question."""
        return ListPage(
            title=_("Is anybody still playing?"),
            note=_("If nobody says so, the welcome screen comes back by itself."),
            hints=choosing()[:2],
            focus=self.focus,
            items=(Item(_("Yes, go on with this hand")), Item(_("No: a new game"))),
        )

    def choose(self, number: int) -> Action | None:
        """Go on, or ask which game is played next."""
        return Back() if number == 0 else NewGame()


class AfterwardsScene(LedgerScene):
    """The ledger that appears by itself when nobody goes on after a hand."""

    def page(self) -> Page:
        """Return the ledger; people who come now see how to begin."""
        hints = (KeyHint("have", _("a new game")), KeyHint("next", _("play on")), *reading()[1:])
        return replace(super().page(), hints=hints)

    def choose(self, number: int) -> Action | None:
        """Ask whether this game is over, and then which one is played next."""
        return Open(confirm_new_game(self.context))

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT and UNDO go back to the table, where the same people play on."""
        return Close() if press.button is Button.UNDO else super().press(press)

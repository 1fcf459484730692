"""Screens that only a booth needs: is anybody still there, and what comes after the last hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from device.booth.scenes.base import (
    Host,
    LedgerScene,
    Scene,
    choosing,
    reading,
    sure_of_another_game,
)
from device.ports import Button, Press
from display.controls import KeyHint
from display.i18n.translate import _
from display.pages.base import Page
from display.pages.list import Item, ListPage


class BoothHost(Host, Protocol):
    """What these scenes may ask of the booth besides."""

    def new_game(self) -> None:
        """End the game, and ask which one is played next; strangers find nothing of it."""
        ...


class StillThereScene(Scene):
    """Nobody has moved for a while: people who come now must see that they may begin anew.

    A card that moves on the mat takes it away as well: then somebody plays.
    """

    host: BoothHost

    @property
    def count(self) -> int:
        """Return how many answers there are."""
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

    def choose(self, number: int) -> None:
        """Go on, or ask which game is played next."""
        if number == 0:
            self.host.back()
        else:
            self.host.new_game()


class AfterwardsScene(LedgerScene):
    """The ledger that comes by itself after a hand with which nobody went on."""

    host: BoothHost

    def page(self) -> Page:
        """Return the ledger; whoever comes now sees how to begin."""
        hints = (KeyHint("have", _("a new game")), KeyHint("next", _("play on")), *reading()[1:])
        return replace(super().page(), hints=hints)

    def choose(self, number: int) -> None:
        """Ask whether this game is over, and then which one is played next."""
        self.host.open(sure_of_another_game(self.host, self.host.new_game))

    def press(self, press: Press) -> None:
        """Go back to the table where NEXT or UNDO is pressed: the same people play on."""
        if press.button is Button.UNDO:
            self.host.close()
        else:
            super().press(press)

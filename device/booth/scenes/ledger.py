"""The evening so far: the ledger, its figures, and settling up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from device.booth.scenes.base import (
    Action,
    Close,
    Context,
    Do,
    ListScene,
    Open,
    Scene,
    Then,
    choosing,
    reading,
)
from device.booth.scenes.correct import HandScene
from device.booth.summary import THE_POT, ledger_page, payments, statistics_page
from device.ports import Button, Press
from display.pages.base import Page, joined
from display.pages.evening import LedgerPage
from display.pages.list import Item
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import count
from engine.core.outcome import End


class LedgerScene(Scene):
    """The ledger; STICK or the knob goes through the hands, HAVE puts the one marked right."""

    hints = (KeyHint("have", Message("put it right")), *choosing()[1:])
    marks = True

    def __init__(self, context: Context, title: Value = "") -> None:
        """Show the ledger, under another *title* where one is given."""
        super().__init__(context)
        self._title = title

    @property
    def count(self) -> int:
        """How many rows there are."""
        return max(1, len(self._page().rows))

    def page(self) -> Page:
        """Return the ledger."""
        return self._page()

    def _page(self) -> LedgerPage:
        context = self.context
        page = ledger_page(
            context.state, self.hints, self.focus, context.token_value, context.wagers
        )
        marks = self.marks and bool(page.rows)
        row = page.rows[min(self.focus, len(page.rows) - 1)] if marks else None
        reason = row.note if row is not None else ""
        return replace(
            page,
            title=self._title or page.title,
            note=self.refused or reason or page.note,
            warning=bool(self.refused),
            marks=marks,
            hints=self.hints if marks or not self.marks else reading(),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT closes everything: somebody wants to play on."""
        self.refused = ""
        return Close() if press.button is Button.NEXT else super().press(press)

    def choose(self, number: int) -> Action | None:
        """Ask what was wrong with the hand of a row."""
        rows = self._page().rows
        hand = rows[number].number if number < len(rows) else None
        if hand is None and rows and rows[number].heading:
            return None
        if hand is None:
            self.refused = Message("An entry stays; another one makes it good.") if rows else ""
            return None
        if self.context.state.hands[hand - 1].end is End.MISDEAL:
            self.refused = Message("That hand is void already.")
            return None
        return Open(HandScene(self.context, hand))


class StatisticsScene(Scene):
    """The evening in figures."""

    def page(self) -> Page:
        """Return the figures."""
        return statistics_page(self.context.state, reading(), self.context.wagers)


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

    def _amount(self, tokens: int) -> Value:
        worth, words = self.context.token_value, count(tokens, "token")
        return words if worth is None else joined(words, " (", worth.of(tokens), ")")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return who pays whom."""
        return [
            (
                Item(
                    Message(
                        "{payer} pays {payee}",
                        payer=each.payer or THE_POT,
                        payee=each.payee or THE_POT,
                    ),
                    self._amount(each.tokens),
                ),
                Do.BACK,
            )
            for each in payments(self.context.state)
        ]

"""Something is spelled out, sign by sign: numbers, names, reasons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from device.booth.scenes.base import (
    Action,
    Context,
    Scene,
    choosing,
)
from device.ports import Button, Press
from display.i18n.languages import language_of
from display.pages.base import Page
from display.pages.list import SPACE, LettersPage
from engine.core.messages.message import Message, Value

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class TypedScene(Scene):
    """Something is spelled out, sign by sign; the last two keys delete a sign, and are done."""

    def __init__(self, context: Context, title: Value, before: str) -> None:
        """Ask *title*; until something is spelled show *before*."""
        super().__init__(context)
        self._title, self._before, self._text = title, before, ""

    @property
    @abstractmethod
    def _keys(self) -> tuple[Value, ...]: ...

    @abstractmethod
    def _add(self, number: int) -> None:
        """Add the sign of key *number*."""

    @abstractmethod
    def _done(self) -> Action | None: ...

    @property
    def count(self) -> int:
        """How many keys there are."""
        return len(self._keys)

    def page(self) -> Page:
        """Return what is spelled so far, and the keys."""
        return LettersPage(
            title=self._title,
            note=self.refused or Message("NEXT: done."),
            warning=bool(self.refused),
            hints=choosing(),
            focus=self.focus,
            name=self._text or self._before,
            keys=self._keys,
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT is done, UNDO deletes a sign.

        After a sign that was typed or touched "done" is marked, for HAVE.
        """
        if press.button is Button.NEXT:
            return self._done()
        if press.button is Button.UNDO and self._text:
            self._delete()
            return None
        action = super().press(press)
        if press.choice is not None:
            self.focus = self.count - 1
        return action

    def choose(self, number: int) -> Action | None:
        """Add a sign, delete the last one, or finish."""
        self.refused = ""
        left = self.count - number
        if left == 1:
            return self._done()
        if left == 2:
            self._delete()
        else:
            self._add(number)
        return None

    def _delete(self) -> None:
        self.refused = ""
        self._text = self._text[:-1].rstrip()


class NumberScene(TypedScene):
    """A number, digit by digit; NEXT is done."""

    _keys = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", Message("delete"), Message("done"))

    def __init__(
        self,
        context: Context,
        title: Value,
        most: int,
        then: Callable[[int | None], Action | None],
    ) -> None:
        """Ask *title*; *then* gets the number, at *most* that, or ``None`` without a digit."""
        super().__init__(context, title, "-")
        self._most, self._then = most, then

    def _add(self, number: int) -> None:
        typed = f"{self._text}{self._keys[number]}"
        if int(typed) <= self._most:
            self._text = typed

    def _done(self) -> Action | None:
        return self._then(int(self._text) if self._text else None)


class TextScene(TypedScene):
    """Some words, letter by letter."""

    def __init__(
        self,
        context: Context,
        title: Value,
        longest: int,
        then: Callable[[str], Action | None],
        before: str = "",
    ) -> None:
        """Ask *title*; *then* gets at most *longest* letters. Until then show *before*."""
        super().__init__(context, title, before)
        self._longest, self._then = longest, then

    def spelled(self, text: str) -> str:
        """Return *text* with the capitals that it is to have."""
        return text.capitalize()

    @property
    def _keys(self) -> tuple[Value, ...]:
        more = language_of(self.context.preferences.language).letters
        return (*LETTERS, *more, "-", "'", SPACE, Message("delete"), Message("done"))

    def _add(self, number: int) -> None:
        key = self._keys[number]
        letter = " " if key == SPACE else str(key)
        if len(self._text) < self._longest and (self._text or letter != " "):
            self._text = self.spelled(f"{self._text}{letter}")

    def _done(self) -> Action | None:
        return self._then(self._text.strip(" -'"))

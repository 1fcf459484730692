"""Names and ages of those who sit at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, count

from device.booth.scenes.base import (
    Action,
    Context,
    Do,
    ListScene,
    Open,
    Then,
    choosing,
)
from device.booth.scenes.typed import LETTERS, NumberScene, TextScene
from device.config.checks import OLDEST
from device.ports import Button, Press
from display.pages.list import Item
from engine.core.messages.message import Message, stranger
from engine.core.messages.prompt import KeyHint
from engine.core.players import name_key

LONGEST_NAME = 16


class AgesScene(ListScene):
    """How old is everybody? Asked only by rules in which that decides something."""

    title = Message("How old is everybody?")
    note = Message("By these rules the older player goes before the younger.")
    hints = (*choosing(), KeyHint("next", Message("done")))

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return who sits where, and how old they say they are."""
        setup = self.context.setup
        return [
            (Item(name, str(setup.ages.get(seat, "-"))), partial(self._ask, seat, name))
            for seat, name in setup.seated.items()
        ]

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT goes back to the table."""
        return Do.BACK if press.button is Button.NEXT else super().press(press)

    def _ask(self, seat: int, name: str) -> Action:
        def use(age: int | None) -> Action:
            ages = self.context.setup.ages
            ages.pop(seat, None)
            if age is not None:
                ages[seat] = age
            return Do.BACK

        return Open(AgeScene(self.context, name, use))


class AgeScene(NumberScene):
    """An age; who does not want to tell presses NEXT at once."""

    def __init__(self, context: Context, name: str, then: Callable[[int | None], Action]) -> None:
        """Ask how old *name* is; *then* gets the age, ``None`` where it is not told."""
        super().__init__(context, Message("How old is {name}?", name=name), OLDEST, then)


class NamesScene(ListScene):
    """Whose name is to be changed?"""

    title = Message("Names")
    note = Message("Nobody needs one; choose yours to change it.")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return who sits where."""
        return [
            (
                Item(name, Message("Seat {number}", number=seat + 1)),
                partial(self._ask, seat),
            )
            for seat, name in self.context.setup.seated.items()
        ]

    def _ask(self, seat: int) -> Action:
        return Open(LettersScene(self.context, seat))


class LettersScene(TextScene):
    """The name of a player."""

    def __init__(self, context: Context, seat: int) -> None:
        """Ask for the name of *seat*."""
        title, before = Message("A name for seat {n}", n=seat + 1), context.setup.seated.get(seat)
        super().__init__(context, title, LONGEST_NAME, self._use, before or "")
        self._seat = seat

    def spelled(self, text: str) -> str:
        """Return a name with its capitals."""
        return text.title()

    def _use(self, text: str) -> Action | None:
        """Use the name, unless another player has it: then it can be changed."""
        seated = self.context.setup.seated
        others = {name_key(other): other for seat, other in seated.items() if seat != self._seat}
        if name_key(text) in others:
            short = text[: LONGEST_NAME - 2].rstrip()
            free = (f"{short} {letter}" for letter in LETTERS[1:])
            self.refused = Message(
                "{name} plays already: choose another name, such as {other}.",
                name=others[name_key(text)],
                other=next(each for each in free if name_key(each) not in others),
            )
            return None
        if text:
            seated[self._seat] = text
        return Do.BACK


def default_name(seat: int, seated: Mapping[int, str], offered: str | None = None) -> str:
    """Return a name for the player at *seat* who gives none; nobody in *seated* has it.

    It is the one *offered*, else that of a stranger.
    """
    taken = {name_key(name) for name in seated.values()}
    names = chain(filter(None, (offered,)), map(stranger, count(seat + 1)))
    return next(name for name in names if name_key(name) not in taken)

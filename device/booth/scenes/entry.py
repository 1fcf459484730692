"""An entry: tokens that change hands outside of any hand, and what for (rule G-22)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from device.booth.scenes.base import Action, Context, ListScene, Open, Then
from device.booth.scenes.correct import put_right
from device.booth.scenes.typed import NumberScene, TextScene
from device.booth.summary import player_names
from display.i18n.translate import Translator
from display.pages.list import Item
from engine.core.events import Entry
from engine.core.messages.message import Message

MOST_TOKENS = 9999
"""In one entry from the screen."""

LONGEST_REASON = 40
"""Letters of a reason that is spelled out."""

REASONS = (Message("Paid by mistake"), Message("A side wager"), Message("Borrowed"))
"""What people most often write an entry for."""


class PayerScene(ListScene):
    """Who pays? Everybody who has sat at the table."""

    title = Message("An entry: who pays?")
    note = Message("Tokens that change hands outside of the game.")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return everybody."""
        people = player_names(self.context.state)
        return [(Item(name), Open(PayeeScene(self.context, seat))) for seat, name in people.items()]


class PayeeScene(ListScene):
    """Who gets it?"""

    def __init__(self, context: Context, payer: int) -> None:
        """Ask whom the player at seat *payer* pays."""
        super().__init__(context)
        self._payer = payer
        self.title = Message("Whom does {name} pay?", name=player_names(context.state)[payer])

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return everybody else."""
        people = player_names(self.context.state)
        return [
            (Item(name), partial(self._ask, seat))
            for seat, name in people.items()
            if seat != self._payer
        ]

    def _ask(self, payee: int) -> Action:
        def use(tokens: int | None) -> Action | None:
            return Open(ReasonScene(self.context, self._payer, payee, tokens)) if tokens else None

        return Open(NumberScene(self.context, Message("How many tokens?"), MOST_TOKENS, use))


class ReasonScene(ListScene):
    """What for?"""

    title = Message("What for?")

    def __init__(self, context: Context, payer: int, payee: int, tokens: int) -> None:
        """Ask why seat *payer* pays seat *payee* so many *tokens*."""
        super().__init__(context)
        self._tokens = tuple(sorted([(payer, -tokens), (payee, tokens)]))

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return the usual reasons, and that it is spelled out."""
        translator = Translator.of(self.context.preferences.language)
        rows: list[tuple[Item, Then]] = [
            (Item(reason), partial(self._write, translator.render(reason))) for reason in REASONS
        ]
        own = TextScene(self.context, self.title, LONGEST_REASON, self._write)
        return [*rows, (Item(Message("Another reason")), Open(own))]

    def _write(self, reason: str) -> Action | None:
        return put_right(self.context, Entry(self._tokens, reason)) if reason else None

"""The table, the phone there, and the others are asked whether another phone may have a seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from device.clock import Clock
from device.ports import Button, Press
from display.pages.base import Page
from display.pages.list import Item, ListPage
from engine.core.messages.message import Message, Value, sentences
from engine.core.messages.prompt import KeyHint

ASKED_S = 30.0
"""Seconds after which silence means no."""

NOTICE_S = 10.0
"""Seconds for which everybody can see the question before the phones of others let anybody in."""

VOTES = 2
"""So many of the others are needed; where two play, the other one."""

Decided = Callable[[bool, frozenset[int]], object]
"""Takes whether the phone is let in, and the seats that have said so; none of them: the table."""


@dataclass(frozen=True, slots=True)
class _Guest:
    name: str
    seat: int
    since_s: float
    others: tuple[int, ...]
    votes: int
    decided: Decided


class Door:
    """One question at a time, over all that is shown: may another phone have a seat?

    The console, a finger or the phone that is there decide alone. The phones of the others let it
    in together, when all have had time to see the question; one no of anybody is enough.
    """

    def __init__(self, clock: Clock) -> None:
        """Time the question by *clock*."""
        self._clock = clock
        self._guest: _Guest | None = None  # set by one thread, taken away by another
        self._yes: frozenset[int] = frozenset()

    def knock(
        self, name: str, seat: int, decided: Decided, others: Sequence[int] = (), votes: int = VOTES
    ) -> bool:
        """Ask for *seat*, that of *name*; return whether nobody else waits.

        Args:
            name: of its player.
            seat: that another phone has.
            decided: is called with the answer, from the loop.
            others: the seats whose phones may let it in as well.
            votes: how many of them it takes.
        """
        if self._guest is not None:
            return False
        self._yes = frozenset()
        others = tuple(others) if len(others) >= votes else ()
        self._guest = _Guest(name, seat, self._clock.monotonic(), others, votes, decided)
        return True

    @property
    def asks(self) -> tuple[int, ...]:
        """The seats whose phones may answer: that which somebody waits for, and the others."""
        guest = self._guest
        return () if guest is None else (guest.seat, *guest.others)

    def page(self) -> Page | None:
        """Return the question while it is asked; silence is no."""
        guest = self._guest
        if guest is not None:
            asked_s = self._clock.monotonic() - guest.since_s
            if len(self._yes) >= guest.votes and asked_s >= NOTICE_S:
                self._decide(True, self._yes)
            elif asked_s >= ASKED_S:
                self._decide(False)
        if guest is None or self._guest is None:
            return None
        note: Value = Message("Is it {name}'s?", name=guest.name)
        if guest.others:
            by_phone = Message(
                "Two other players may let it in by phone: it then has the buttons, and no cards."
            )
            if guest.votes == 1:
                by_phone = Message(
                    "The other player may let it in by phone: it then has the buttons, and no "
                    "cards."
                )
            if 0 < len(self._yes) < guest.votes:
                by_phone = Message("One has said yes; one more must.")
            note = sentences(note, by_phone)
        return ListPage(
            title=Message("Another phone wants the seat of {name}", name=guest.name),
            note=note,
            items=(Item(Message("Yes, let it in")), Item(Message("No"))),
            focus=0,
            hints=(KeyHint("have", Message("yes")), KeyHint("stick", Message("no"))),
        )

    def press(self, press: Press) -> bool:
        """Take a press that answers, of the console or a phone that may; return whether it did."""
        guest = self._guest
        if guest is None or press.time_s < guest.since_s:
            return False
        if press.seat is not None and (press.seat not in self.asks or press.choice is None):
            return False
        if press.button in (Button.STICK, Button.UNDO) or press.choice not in (None, 0):
            self._decide(False)
        elif press.button not in (Button.HAVE, Button.PUSH):
            return False
        elif press.seat in guest.others:
            self._yes |= {press.seat}
        else:
            self._decide(True, frozenset() if press.seat is None else frozenset({press.seat}))
        return True

    def _decide(self, may: bool, by: frozenset[int] = frozenset()) -> None:
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.decided(may, by)

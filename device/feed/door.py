"""The table, and the phone there, are asked whether another phone may have a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from device.clock import Clock
from device.ports import Button, Press
from display.pages.base import Page
from display.pages.list import Item, ListPage
from engine.core.messages.message import Message
from engine.core.messages.prompt import KeyHint

ASKED_S = 30.0
"""Seconds after which silence means no."""


@dataclass(frozen=True, slots=True)
class _Guest:
    name: str
    seat: int
    since_s: float
    decided: Callable[[bool], object]


class Door:
    """One question at a time, over all that is shown; the console and a finger answer it."""

    def __init__(self, clock: Clock) -> None:
        """Time the question by *clock*."""
        self._clock = clock
        self._guest: _Guest | None = None  # set by one thread, taken away by another

    def knock(self, name: str, seat: int, decided: Callable[[bool], object]) -> bool:
        """Ask for *seat*, that of *name*; return whether nobody else waits.

        *decided* is called with the answer, from the loop.
        """
        if self._guest is not None:
            return False
        self._guest = _Guest(name, seat, self._clock.monotonic(), decided)
        return True

    @property
    def asked_of(self) -> int | None:
        """The seat that somebody waits for; its phone may answer."""
        guest = self._guest
        return None if guest is None else guest.seat

    def page(self) -> Page | None:
        """Return the question while it is asked; silence is no."""
        guest = self._guest
        if guest is not None and self._clock.monotonic() >= guest.since_s + ASKED_S:
            self._decide(False)
        if guest is None or self._guest is None:
            return None
        return ListPage(
            title=Message("Another phone wants the seat of {name}", name=guest.name),
            note=Message("Is it {name}'s?", name=guest.name),
            items=(Item(Message("Yes, let it in")), Item(Message("No"))),
            focus=0,
            hints=(KeyHint("have", Message("yes")), KeyHint("stick", Message("no"))),
        )

    def press(self, press: Press) -> bool:
        """Take a press that answers, of the console or the phone there; return whether it did."""
        guest = self._guest
        if guest is None or press.time_s < guest.since_s:
            return False
        if press.seat is not None and (press.seat != guest.seat or press.choice is None):
            return False
        if press.button in (Button.HAVE, Button.PUSH):
            self._decide(press.choice in (None, 0))
        elif press.button in (Button.STICK, Button.UNDO):
            self._decide(False)
        else:
            return False
        return True

    def _decide(self, may: bool) -> None:
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.decided(may)

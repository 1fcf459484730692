"""The page of codes by which phones come to their seats."""

from __future__ import annotations

import math
from functools import lru_cache

from device.clock import Clock
from device.feed.feed import Feed
from device.feed.phones import PIN_S
from device.ports import Button, Press
from device.runtime.session import Session
from display.pages.base import Page
from display.pages.phones import PhoneCode, PhonesPage
from engine.core.errors import BoneAceError
from engine.core.messages.message import Message
from engine.core.messages.prompt import KeyHint
from engine.core.views import View

INSTALL = "pip install 'boneace[web]'"

CURE = (
    f"phones need more packages than are installed here; run: {INSTALL}, or leave [web] enabled out"
)


class NoCodesError(BoneAceError):
    """What draws codes is not installed."""


def check_codes() -> None:
    """Check that codes can be drawn.

    Raises:
        NoCodesError: the extra ``web`` is not installed.
    """
    try:
        import segno  # noqa: F401
    except ImportError as problem:
        raise NoCodesError(CURE) from problem


def seat_address(address: str, seat: int, secret: str) -> str:
    """Return where the phone of *seat* finds its buttons; what follows # reaches no server."""
    return f"{address}/seat/{seat + 1}#{secret}"


@lru_cache(maxsize=32)
def modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return the rows of the QR code of *text*; true is dark."""
    import segno

    code = segno.make(text, error="l", micro=False)
    return tuple(tuple(bool(module & 1) for module in row) for row in code.matrix)


BEGINS_S = 2.0
"""Seconds in which a table has done all that it does by itself when it begins."""


class CodesAtStart:
    """Shows the codes at a table that begins: for a minute, or until a press or an event.

    What the table does by itself when it begins, such as dealing face down, is no such event.
    """

    def __init__(self, feed: Feed, session: Session, clock: Clock) -> None:
        """Show the codes of *session*."""
        self._feed, self._session, self._clock = feed, session, clock
        self._events, self._from_s = session.events, clock.monotonic() + BEGINS_S
        self._until_s = clock.monotonic() + PIN_S
        feed.show_pin()

    def page(self, now_s: float) -> Page | None:
        """Return the codes while they are shown; a task of the loop."""
        if now_s < self._from_s:
            self._events = self._session.events
        if now_s >= self._until_s or self._session.events != self._events:
            self._until_s = -math.inf
            return None
        return phones_page(self._feed, self._session.view)

    def press(self, press: Press) -> bool:
        """Take the console's first press, which only closes the page; NEXT goes on as well."""
        shown = press.seat is None and self._clock.monotonic() < self._until_s
        if shown:
            self._until_s = -math.inf
        return shown and press.button is not Button.NEXT


def phones_page(feed: Feed, view: View) -> Page:
    """Return the codes of all seats of *view*, and the PIN of the host while it counts."""
    secrets = feed.phones.secrets
    codes = tuple(
        PhoneCode(
            seat.name,
            modules(seat_address(feed.address, seat.seat, secrets[seat.seat])),
            f"{seat.seat + 1}: {secrets[seat.seat]}",
            seat.seat in feed.phones.holders,
        )
        for seat in view.seats
        if seat.seat in secrets
    )
    return PhonesPage(
        title=Message("Your phone is your buttons"),
        note=Message(
            "Scan the code of your seat. Or open {address}/seat/1, with your number, and type the "
            "letters below the code.",
            address=feed.address,
        ),
        codes=codes,
        foot=Message("Host: {address}, PIN {pin}", address=f"{feed.address}/host", pin=pin)
        if (pin := feed.pin)
        else "",
        hints=(KeyHint("undo", Message("back")),),
    )

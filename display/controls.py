"""What is printed on the buttons, and where a screen can be touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pygame import Rect

from engine.core.messages.message import Message

BUTTON_WORDS: Mapping[str, Message] = {
    # Translators: what is printed on the buttons, as in "HAVE IT: the one marked."
    "have": Message("HAVE IT"),
    "stick": Message("STICK"),
    "out": Message("OUT"),
    "next": Message("NEXT"),
    "undo": Message("UNDO"),
    "menu": Message("MENU"),
}


@dataclass(frozen=True, slots=True)
class TouchArea:
    """A place on the screen, in pixels, that presses a button, or chooses number *choice*."""

    area: Rect
    button: str
    choice: int | None = None
    seat: int | None = None

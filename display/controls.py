"""What buttons do on a screen, and where it can be touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pygame import Rect

from display.i18n.translate import N_

BUTTON_WORDS: Mapping[str, str] = {
    # Translators: what is printed on the buttons, as in "HAVE: the one marked."
    "have": N_("HAVE"),
    "stick": N_("STICK"),
    "next": N_("NEXT"),
    "undo": N_("UNDO"),
    "menu": N_("MENU"),
}


@dataclass(frozen=True, slots=True)
class KeyHint:
    """What a button does here; *button* is ``have``, ``stick``, ``next``, ``undo`` or ``menu``."""

    button: str
    text: str


@dataclass(frozen=True, slots=True)
class TouchArea:
    """A place on the screen, in pixels, that presses a button, or chooses number *choice*."""

    area: Rect
    button: str
    choice: int | None = None
    seat: int | None = None

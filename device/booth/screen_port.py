"""The screen of a booth, and where it can be touched."""

from __future__ import annotations

from typing import Protocol

from device.hardware.buttons import BAND, Touchable
from device.ports import Button
from display import PromptText
from display.controls import TouchArea
from display.drawing.theme import Theme
from display.pages.base import Page
from engine.core.views import View


class Screen(Protocol):
    """Shows everything; :class:`display.Window` is one."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def show(self, view: View, prompt: PromptText | None = None, time_s: float = 0.0) -> None:
        """Draw the table."""
        ...

    def show_page(self, page: Page, time_s: float = 0.0) -> None:
        """Draw a screen around the game."""
        ...

    def set_style(self, theme: Theme | None = None, language: str = "en") -> None:
        """Draw in another theme and another language from now on."""
        ...

    def touches(self) -> tuple[TouchArea, ...]:
        """Return where what is shown can be touched, in pixels."""
        ...


def touchables(screen: Screen | None) -> tuple[Touchable, ...]:
    """Return where what *screen* shows can be touched, as shares of its size."""
    if screen is None:
        return ()
    width, height = screen.size
    return tuple(
        Touchable(
            touch.area.left / width,
            touch.area.top / height,
            touch.area.right / width,
            touch.area.bottom / height,
            Button(touch.button),
            touch.seat,
            touch.choice,
        )
        for touch in screen.touches()
    )


def at_the_table(touched: tuple[Touchable, ...]) -> tuple[Touchable, ...]:
    """Return what can be touched at a table: its prompt bar and corners, and *touched*."""
    if not touched:
        return BAND
    # A finger that misses a card must not ask for the next hand.
    return (*(place for place in BAND if place.button is not Button.NEXT), *touched)

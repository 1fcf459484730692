"""What a booth shows and says now: a scene, the table in play, or the game it plays with itself."""

from __future__ import annotations

from dataclasses import replace

from device.booth.attract import AttractMode
from device.booth.hints import idle_prompt, with_key_hints
from device.booth.presentation import Presentation
from device.booth.state import Idle, Playing, Stage
from device.booth.stuck_buttons import StuckButtons, stuck_words
from device.booth.welcome import Welcome
from device.hardware.buttons import BAND, Touchable
from device.ports import Button, Lamps
from device.runtime.table import MOMENT_S
from display import Window
from display.pages.base import Page
from display.prompts.prompt import PromptText, render, with_moment
from engine.core.views import View


class BoothView:
    """Shows the state of a booth.

    Attributes:
        attract: plays while nobody is there.
        welcome: shown while nobody is there, before each game that it plays.
        stuck: buttons that stay down are named on every screen.
    """

    def __init__(
        self,
        stage: Stage,
        presentation: Presentation,
        welcome: Welcome,
        stuck: StuckButtons,
        screen: Window | None,
    ) -> None:
        """Show what is on *stage* by *presentation*; *screen* says where it can be touched."""
        self.attract = AttractMode()
        self.welcome, self.stuck = welcome, stuck
        self._stage, self._presentation, self._screen = stage, presentation, screen

    @property
    def lamps(self) -> Lamps:
        """Which lamps are lit now."""
        if self._stage.top is not None:
            return self._stage.top.lamps
        table = self._stage.in_play
        return Lamps(attention=True) if table is None else table.lamps

    @property
    def page(self) -> Page | None:
        """The screen around the game that is shown; ``None`` while a table is."""
        if self._stage.top is not None:
            page = self._stage.top.page()
        elif isinstance(self._stage.state, Idle) and self.attract.view is None:
            page = self.welcome.page()
        else:
            return None
        alarm = stuck_words(self.stuck.keys)
        return replace(page, note=alarm, warning=True) if alarm else page

    def table(self, now_s: float) -> tuple[View, PromptText] | None:
        """Return the table that is shown, with its prompt; ``None`` while a page is."""
        state = self._stage.state
        if isinstance(state, Playing):
            table = state.table
            view = table.session.view
            prompt = with_key_hints(table.prompt, view, table.is_by_hand)
        elif isinstance(state, Idle) and self.attract.view is not None:
            view = self.attract.view
            prompt = idle_prompt(view)
        else:
            return None
        alarm = stuck_words(self.stuck.keys)
        if alarm:
            prompt = replace(prompt, detail=alarm)
        if isinstance(state, Playing):
            return view, state.table.render(prompt)
        shown = render(prompt, self._presentation.translator)
        since_s, moment = now_s - self.attract.since_s, self.attract.moment
        if moment is not None and since_s < MOMENT_S:
            return view, with_moment(
                shown, moment, since_s, self._presentation.preferences.language
            )
        return view, replace(shown, result_s=since_s - MOMENT_S * (moment is not None))

    def touchables(self) -> tuple[Touchable, ...]:
        """Return what can be touched now, for :class:`device.hardware.buttons.TouchPanel`."""
        waits = isinstance(self._stage.state, Idle)
        whole = (Touchable(0.0, 0.0, 1.0, 1.0, Button.HAVE),) if waits else ()
        return (*whole, *touchables(self._screen))

    def show(self, now_s: float) -> None:
        """Show the page on top, or the table; it is read aloud where somebody is there."""
        self.welcome.look(isinstance(self._stage.state, Idle) and self.attract.view is None)
        # Passers-by are not talked to.
        aloud = not isinstance(self._stage.state, Idle)
        page = self.page
        if page is not None:
            self._presentation.show_page(page, now_s, aloud=aloud)
            return
        table = self.table(now_s)
        if table is not None:
            self._presentation.show_table(*table, now_s, aloud=aloud)


def touchables(screen: Window | None) -> tuple[Touchable, ...]:
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
    """Return what can be touched at a table: its prompt bar and corners, and *touched*.

    Cards are put right by the menu of a booth; here there is none.
    """
    touched = tuple(
        place for place in touched if place.button is not Button.MENU or place.choice is None
    )
    if not touched:
        return BAND
    # A finger that misses a card must not ask for the next hand.
    return (*(place for place in BAND if place.button is not Button.NEXT), *touched)

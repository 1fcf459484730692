"""Open a display, show pictures on it, and listen to its keyboard."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pygame

from display.controls import TouchArea
from display.drawing.text import SurfaceCache
from display.drawing.theme import Theme
from display.inputs import QUIT_KEY, Inputs, Place
from display.pages.base import Page
from display.pages.legend import draw_legend
from display.pages.renderer import PageScreen
from display.prompts.prompt import PromptText
from display.table.screen import TableScreen
from display.table.seats import ALL_GLIDE_S
from engine.core.errors import BoneAceError
from engine.core.messages.message import Value
from engine.core.views import Phase, View

__all__ = ["QUIT_KEY", "DisplayError", "Window"]


log = logging.getLogger(__name__)

RETRY_S = 2.0
"""Seconds between two tries to open a display that has gone; one may take a tenth of a second."""

PULSES_PER_S, GLIDES_PER_S = 6, 30
"""Pictures a second of animations: of slow ones, such as the pointer, and of great moments and
coins that cross the table, while they do. What changes otherwise is shown at once."""


class DisplayError(BoneAceError, OSError):
    """No display could be opened, or a picture of it not written."""


class Window(contextlib.AbstractContextManager["Window"]):
    """A window (or the whole panel) that shows the table.

    The thread that makes a window is the only one that may use it.

    Attributes:
        beside: returns the page that is shown left of the table, where there is room for it.
        legend: returns what the keyboard's keys are, while those that it is given type something.
    """

    def __init__(
        self,
        size: tuple[int, int] = (800, 480),
        headless: bool = False,
        fullscreen: bool = False,
        title: str = "Bone-Ace",
        *,
        aside: int = 0,
        foot: int = 0,
        theme: Theme | None = None,
        language: str = "en",
    ) -> None:
        """Open the display; *headless* draws off screen, for :meth:`save` and for tests.

        *aside* is the width in pixels of the room left of the table, for :attr:`beside`, and *foot*
        the height of that below it, for :attr:`legend`; both are part of *size*.

        Raises:
            DisplayError: there is no display to open.
        """
        self._open = False
        self.beside: Callable[[], Page] | None = None
        self.legend: Callable[[Collection[str]], Value] = lambda _signs: ""
        self._aside, self._foot = aside, foot
        self._how = (size, headless, fullscreen, title)
        self._retry_at_s: float | None = None
        self._surface = _opened(*self._how)
        self._driver = pygame.display.get_driver()
        self._open = True
        self._inputs = Inputs(self._surface.get_size())
        self._touches: tuple[TouchArea, ...] = ()
        self.set_style(theme, language)

    def set_style(self, theme: Theme | None = None, language: str = "en") -> None:
        """Draw in another theme and another language from now on."""
        self._style = (theme, language)
        width, height = self._surface.get_size()
        cache = SurfaceCache.of_screen((width, height))
        self._shown: object = None
        height -= self._foot
        size = (width - self._aside, height)
        self._screen = TableScreen(size, theme=theme, language=language, cache=cache)
        self._pages = PageScreen(size, theme=theme, language=language, cache=cache)
        self._left: PageScreen | None = None
        if self._aside:
            size = (self._aside, height)
            self._left = PageScreen(size, theme=theme, language=language, cache=cache)

    @property
    def is_lost(self) -> bool:
        """Return whether the display has gone; it is opened again as soon as it can be."""
        return self._retry_at_s is not None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._surface.get_size()

    def show(self, view: View, prompt: PromptText | None = None, time_s: float = 0.0) -> None:
        """Draw the table and show it."""
        glides = prompt is not None and (
            prompt.moment is not None
            or (view.phase is Phase.DONE and prompt.result_s < ALL_GLIDE_S)
        )
        per_s = GLIDES_PER_S if glides else PULSES_PER_S
        if self._is_shown(view, prompt, int(time_s * per_s)):
            return

        def draw(surface: pygame.Surface) -> tuple[TouchArea, ...]:
            self._screen.draw(surface, view, prompt, time_s=time_s)
            return self._screen.touches(view, prompt)

        self._put(draw, time_s)

    def show_page(self, page: Page, time_s: float = 0.0) -> None:
        """Draw a page and show it."""
        if self._is_shown(page, None, int(time_s * PULSES_PER_S)):
            return
        self._put(lambda surface: self._pages.draw(surface, page, time_s=time_s).touches, time_s)

    def _put(self, draw: Callable[[pygame.Surface], tuple[TouchArea, ...]], time_s: float) -> None:
        """Show what *draw* draws; a display that has gone must not stop the game."""
        if self._retry_at_s is not None and (time_s < self._retry_at_s or not self._reopen(time_s)):
            return
        try:
            self._touches = self._drawn(draw)
            pygame.display.flip()
        except pygame.error as problem:
            log.warning(
                "the display is lost (%s); the game goes on, check the screen's cable", problem
            )
            self._retry_at_s, self._shown = time_s + RETRY_S, None

    def _drawn(
        self, draw: Callable[[pygame.Surface], tuple[TouchArea, ...]]
    ) -> tuple[TouchArea, ...]:
        """Draw on the surface, the page beside it and the keys below it where they have room."""
        width, height = self._screen.size
        if self._left is not None and self._beside is not None:
            self._left.draw(self._surface.subsurface((0, 0, self._aside, height)), self._beside)
        touches = draw(self._surface.subsurface((self._aside, 0, width, height)))
        if self._foot:
            strip = self._surface.subsurface((0, height, self.size[0], self._foot))
            draw_legend(strip, self.legend(_signs(touches)), self._screen)
        return tuple(replace(each, area=each.area.move(self._aside, 0)) for each in touches)

    def _reopen(self, time_s: float) -> bool:
        """Try to open the display again, as it was."""
        pygame.display.quit()
        try:
            surface = _opened(*self._how)
            if pygame.display.get_driver() != self._driver:
                # Where there is no screen SDL does not fail: it draws where nobody sees it.
                raise DisplayError("no display that can be seen; check the screen's cable")
        except DisplayError as problem:
            log.debug("still no display: %s", problem)
            self._retry_at_s = time_s + RETRY_S
            return False
        log.info("the display is back")
        self._surface = surface
        self._retry_at_s = None
        self._inputs.close()
        self._inputs = Inputs(self._surface.get_size())
        self.set_style(*self._style)
        return True

    def _is_shown(self, what: object, prompt: PromptText | None, picture: int) -> bool:
        """Return whether exactly this is shown, at step *picture* of its movement."""
        self._beside = None if self.beside is None else self.beside()
        wanted = (what, prompt, picture, self._beside)
        shown, self._shown = self._shown, wanted
        return shown == wanted

    def touches(self) -> tuple[TouchArea, ...]:
        """Return where what is shown can be touched, in pixels of :attr:`size`."""
        return self._touches

    def signs(self) -> dict[str, int]:
        """Return the keys that type what is shown, by name, and the number of each there."""
        return _signs(self._touches)

    def steps(self) -> dict[str, int]:
        """Return the keys that several answers share, and how far each moves the mark.

        To the first of these answers, and from one of them to the next; below 0 it moves back.
        """
        return _steps(self._touches)

    def keys(self) -> list[str]:
        """Return the keys pressed since the last call, by name, and ``"quit"`` for a closed window.

        A key that types a sign is called by it, whatever else is printed there: ``"h"``, ``"1"``.
        Others have pygame's names: ``"space"``, ``"return"``, ``"left"``; a gamepad's begin with
        ``pad``: ``"pad a"``, ``"pad left"``; the mouse's wheel is ``"wheel up"`` and ``"wheel
        down"``. What they mean is the caller's business.
        """
        self._listen()
        return self._inputs.keys()

    def taps(self) -> list[Place]:
        """Return where the window was touched, or clicked, since the last call.

        Each place is across and down, as shares of the window, 0 to 1.
        """
        self._listen()
        return self._inputs.taps()

    def _listen(self) -> None:
        if not self._open or self.is_lost:
            return
        # A display that has just gone has no keys; the next picture finds out.
        with contextlib.suppress(pygame.error):
            self._inputs.take(pygame.event.get())

    def save(self, path: str | Path) -> None:
        """Write what is shown as a PNG.

        Raises:
            DisplayError: the file cannot be written.
        """
        try:
            pygame.image.save(self._surface, str(path))
        except (pygame.error, OSError) as problem:
            raise DisplayError(
                f"cannot write the picture {str(path)!r}: {problem}; choose a folder you may write"
            ) from problem

    def close(self) -> None:
        """Close the window; may be called twice."""
        if self._open:
            self._open = False
            self._inputs.close()
            pygame.display.quit()

    def __exit__(self, *_error: object) -> None:
        """Close the window."""
        self.close()


def _signs(touches: Sequence[TouchArea]) -> dict[str, int]:
    return {
        sign: touch.choice for touch in touches for sign in touch.signs if touch.choice is not None
    }


def _steps(touches: Sequence[TouchArea]) -> dict[str, int]:
    marked = next((touch.choice for touch in touches if touch.is_marked), None)
    found: dict[str, int] = {}
    for sign in _signs(touches):
        share = [t.choice for t in touches if t.choice is not None and sign in t.signs]
        if marked is not None and len(share) > 1:
            at = share.index(marked) + 1 if marked in share else 0
            found[sign] = share[at % len(share)] - marked
    return found


def _opened(
    size: tuple[int, int], headless: bool, fullscreen: bool, title: str
) -> pygame.surface.Surface:
    """Open pygame's display.

    Raises:
        DisplayError: there is none to open.
    """
    before = os.environ.get("SDL_VIDEODRIVER")
    if headless:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        pygame.display.init()
        if fullscreen and not headless:
            # The panel's own resolution: asking for another would blur every letter.
            surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
            pygame.mouse.set_visible(False)
        else:
            surface = pygame.display.set_mode(size)
    except pygame.error as problem:
        pygame.display.quit()
        raise DisplayError(
            f"no display: {problem}; start from a desktop or the Pi's own screen, "
            "or run with --headless"
        ) from problem
    finally:
        if headless:
            # SDL has read it; a later window in this process may want a real display.
            if before is None:
                del os.environ["SDL_VIDEODRIVER"]
            else:
                os.environ["SDL_VIDEODRIVER"] = before
    pygame.display.set_caption(title)
    return surface

"""The screens around the game: any page, drawn on any surface of the screen's size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pygame
from pygame import Rect

from display.drawing.canvas import Canvas
from display.drawing.screen import ScreenSizeError, check_size, lamplight, unit_of
from display.drawing.text import SurfaceCache, TextPainter
from display.drawing.theme import Theme
from display.pages.base import Page, RenderResult, frame
from display.pages.camera import CameraPage, draw_camera
from display.pages.cards import CardsPage, draw_cards
from display.pages.faces import FacesPage, draw_faces
from display.pages.games import GamesPage, draw_games
from display.pages.keyboard import LettersPage, draw_letters
from display.pages.ledger import LedgerPage, draw_ledger
from display.pages.list import ListPage, draw_list
from display.pages.rules import RulesPage, draw_rules
from display.pages.seats import SeatsPage, draw_seats
from display.pages.statistics import StatisticsPage, draw_statistics
from display.pages.summary import SharePage, draw_share
from display.pages.welcome import WelcomePage, draw_welcome

_DRAW: Mapping[type[Page], Callable[[Canvas, Any], None]] = {
    CameraPage: draw_camera,
    CardsPage: draw_cards,
    FacesPage: draw_faces,
    GamesPage: draw_games,
    LedgerPage: draw_ledger,
    LettersPage: draw_letters,
    ListPage: draw_list,
    RulesPage: draw_rules,
    SeatsPage: draw_seats,
    SharePage: draw_share,
    StatisticsPage: draw_statistics,
    WelcomePage: draw_welcome,
}

_BARE = (WelcomePage, SharePage)
"""Pages that fill the whole screen themselves."""


SHARE_SIZE = (1200, 900)
"""Pixels of the picture of the evening."""


def save_page(page: Page, path: Path, size: tuple[int, int] = SHARE_SIZE) -> None:
    """Write *page* as a PNG to *path*, whose folder is made where it is not there.

    Raises:
        OSError: the file cannot be written.
    """
    surface = pygame.Surface(size)
    PageScreen(size).draw(surface, page)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        pygame.image.save(surface, str(path))
    except pygame.error as problem:
        raise OSError(f"cannot write {path}: {problem}; check the disk") from problem


class PageScreen:
    """Draws pages. What is drawn depends on the arguments alone."""

    def __init__(
        self,
        size: tuple[int, int] = (800, 480),
        *,
        theme: Theme | None = None,
        language: str = "en",
        cache: SurfaceCache | None = None,
    ) -> None:
        """Prepare a screen of *size* pixels.

        Args:
            size: width and height.
            theme: its colours and the size of its words.
            language: of the few words that are the screen's own.
            cache: the store of finished pictures, shared with the table's screen.

        Raises:
            ScreenSizeError: nobody could read a screen that small.
        """
        check_size(size)
        self.size = size
        self._theme = theme if theme is not None else Theme()
        self._language = language
        self._cache = cache if cache is not None else SurfaceCache()

    def draw(self, surface: pygame.Surface, page: Page, *, time_s: float = 0.0) -> RenderResult:
        """Draw *page* on all of *surface*, which must be of this screen's size.

        Raises:
            ScreenSizeError: *surface* is not of this screen's size.
        """
        if surface.get_size() != self.size:
            raise ScreenSizeError(
                f"surface must be {self.size}, got {surface.get_size()}; make a PageScreen for it"
            )
        surface.blit(self._ground(), (0, 0))
        painter = TextPainter(surface, self._cache, self._theme.text)
        area = Rect((0, 0), self.size)
        canvas = Canvas(painter, self._theme, unit_of(self.size), self._language, time_s, area)
        if not isinstance(page, _BARE):
            frame(canvas, page, self.size)
        _DRAW[type(page)](canvas, page)
        return RenderResult(tuple(painter.written), tuple(canvas.touches))

    def _ground(self) -> pygame.Surface:
        """Return the empty felt."""

        def make() -> pygame.Surface:
            sheet = pygame.Surface(self.size)
            sheet.fill(self._theme.felt_edge if self._theme.name != "contrast" else (0, 0, 0))
            if self._theme.name != "contrast":
                sheet.blit(lamplight(self.size), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
            return sheet

        return self._cache.get(("page ground", self._theme, self.size), make)

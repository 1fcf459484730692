"""The screens around the game: any page, drawn on any surface of the screen's size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pygame

from display.drawing.canvas import Canvas
from display.drawing.screen import Screen, lamplight
from display.pages.base import Page, RenderResult, frame
from display.pages.camera import CameraPage, draw_camera
from display.pages.cards import CardsPage, draw_cards
from display.pages.count import CountPage, draw_count
from display.pages.evening import (
    LedgerPage,
    SharePage,
    StatisticsPage,
    draw_ledger,
    draw_share,
    draw_statistics,
)
from display.pages.faces import FacesPage, draw_faces
from display.pages.games import GamesPage, draw_games
from display.pages.list import LettersPage, ListPage, draw_letters, draw_list
from display.pages.phones import PhonesPage, draw_phones
from display.pages.rules import RulesPage, draw_rules
from display.pages.seats import SeatsPage, draw_seats
from display.pages.welcome import WelcomePage, draw_welcome

_DRAW: Mapping[type[Page], Callable[[Canvas, Any], None]] = {
    CameraPage: draw_camera,
    CardsPage: draw_cards,
    CountPage: draw_count,
    FacesPage: draw_faces,
    GamesPage: draw_games,
    LedgerPage: draw_ledger,
    LettersPage: draw_letters,
    ListPage: draw_list,
    PhonesPage: draw_phones,
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


def save_page(page: Page, path: Path, language: str) -> None:
    """Write *page* in *language* as a PNG to *path*, whose folder is made where it is not there.

    It is a PNG whatever the name ends with.

    Raises:
        OSError: the file cannot be written.
    """
    surface = pygame.Surface(SHARE_SIZE)
    PageScreen(SHARE_SIZE, language=language).draw(surface, page)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = BytesIO()
    pygame.image.save(surface, picture, ".png")
    path.write_bytes(picture.getvalue())


class PageScreen(Screen):
    """Draws pages."""

    def draw(self, surface: pygame.Surface, page: Page, *, time_s: float = 0.0) -> RenderResult:
        """Draw *page* on all of *surface*, which must be of this screen's size.

        Raises:
            ScreenSizeError: *surface* is not of this screen's size.
        """
        canvas = self._canvas(surface, time_s)
        surface.blit(self._ground(), (0, 0))
        if not isinstance(page, _BARE):
            frame(canvas, page, self.size)
        _DRAW[type(page)](canvas, page)
        return RenderResult(tuple(canvas.painter.written), tuple(canvas.touches))

    def _ground(self) -> pygame.Surface:
        """Return the empty felt."""

        def make() -> pygame.Surface:
            sheet = pygame.Surface(self.size)
            sheet.fill(self.theme.felt_edge if self.theme.name != "contrast" else (0, 0, 0))
            if self.theme.name != "contrast":
                sheet.blit(lamplight(self.size), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
            return sheet

        return self._cache.get(("page ground", self.theme, self.size), make)

"""The table screen: seats round a table seen from above, and the croupier's words below it."""

from __future__ import annotations

import pygame

from display.controls import TouchArea
from display.drawing.screen import ScreenSizeError, check_size, lamplight, unit_of
from display.drawing.shapes import panel, stamp
from display.drawing.text import SurfaceCache, TextPainter, Written
from display.drawing.theme import Theme
from display.i18n.translate import Translator
from display.prompts.moments import prompt_for
from display.prompts.prompt import PromptText
from display.table.centre import draw_middle
from display.table.choice_sheet import draw_sheet, is_sheet, touches
from display.table.layout import Layout, lay_out
from display.table.payments import draw_payments
from display.table.prompt_bar import band_touches, draw_band
from display.table.seats import draw_seat
from engine.core.views import View


class TableScreen:
    """Draws a view of the table on any surface of its size.

    What is drawn depends on the arguments alone: the same view at the same time gives the same
    pixels. Pictures of cards and words are kept between frames, nothing else is.
    """

    def __init__(
        self,
        size: tuple[int, int] = (800, 480),
        *,
        theme: Theme | None = None,
        language: str = "en",
        sprites: SurfaceCache | None = None,
    ) -> None:
        """Prepare a screen of *size* pixels; *sprites* may be shared with other screens.

        Raises:
            ScreenSizeError: nobody could read a screen that small.
        """
        check_size(size)
        self.size = (size[0], size[1])
        self._theme = theme if theme is not None else Theme()
        self._language = language
        self._sprites = sprites if sprites is not None else SurfaceCache()

    def draw(
        self,
        surface: pygame.Surface,
        view: View,
        prompt: PromptText | None = None,
        *,
        time_s: float = 0.0,
    ) -> tuple[Written, ...]:
        """Draw *view* on *surface*.

        Args:
            surface: of this screen's size; all of it is painted.
            view: what the whole table may see; a state of the engine is refused.
            prompt: what the croupier says; the ordinary sentence of the moment without it.
            time_s: any clock that runs on; it moves nothing but the gentle animation.

        Returns:
            Every text that was written, with the room it had: for tests and for readers aloud.

        Raises:
            TypeError: *view* is not a :class:`engine.core.views.View` (rule G-7).
            ScreenSizeError: *surface* is not of this screen's size.
        """
        if type(view) is not View:
            raise TypeError(
                f"only a View may be drawn, got {type(view).__name__}; ask the engine for a view"
            )
        if surface.get_size() != self.size:
            raise ScreenSizeError(
                f"surface must be {self.size}, got {surface.get_size()}; make a TableScreen for it"
            )
        said = prompt if prompt is not None else prompt_for(view, self._language)
        unit = unit_of(self.size)
        places = lay_out(self.size, len(view.seats))
        pen = TextPainter(surface, self._sprites, self._theme.text)
        surface.blit(self._ground(places), (0, 0))
        words = Translator.of(self._language)
        asks = is_sheet(said)
        if not asks:
            draw_middle(pen, self._theme, view, places.middle, self._language, unit, time_s)
        for seat, plate in zip(view.seats, places.plates, strict=True):
            draw_seat(pen, self._theme, view, seat, plate, words, unit)
        if not asks:
            plates = dict(zip((seat.seat for seat in view.seats), places.plates, strict=True))
            draw_payments(pen, self._theme, view, plates, unit, time_s)
        if asks:
            pen.written.clear()
            draw_sheet(pen, self._theme, said, places.sheet, unit)
        draw_band(pen, self._theme, said, places.band, unit, time_s, words)
        return tuple(pen.written)

    def touches(self, view: View, prompt: PromptText | None) -> tuple[TouchArea, ...]:
        """Return where the keys of *prompt*, its answers and a player's own stake are touched."""
        places = lay_out(self.size, len(view.seats))
        unit = unit_of(self.size)
        keys: tuple[TouchArea, ...] = ()
        if prompt is not None:
            words = Translator.of(self._language)
            keys = band_touches(prompt, places.band, unit, words, self._theme.text)
            if is_sheet(prompt):
                return (*keys, *touches(prompt, places.sheet, unit))
        if view.stage != "first" or any(seat.throws for seat in view.seats):
            return keys
        # Each player lays his own stake before the first throw (rule KB-2): his plate is his HAVE.
        return keys + tuple(
            TouchArea(plate, "have", seat=seat.seat)
            for seat, plate in zip(view.seats, places.plates, strict=True)
            if not seat.is_dealer
        )

    def _ground(self, places: Layout) -> pygame.Surface:
        """Return the empty table: felt in a wooden rim."""

        def make() -> pygame.Surface:
            theme, unit = self._theme, unit_of(self.size)
            sheet = pygame.Surface(self.size)
            sheet.fill(theme.felt if places.oval is None else theme.room)
            if places.oval is not None:
                table = places.oval
                rim = table.inflate(round(0.045 * unit), round(0.045 * unit))
                for rect, fill, edge in (
                    (rim, theme.rim, theme.brass_deep),
                    (table, theme.felt, theme.felt_edge),
                ):
                    piece = panel(
                        self._sprites,
                        rect.size,
                        fill,
                        edge,
                        radius=rect.h / 2,
                        line=0.006 * unit,
                    )
                    stamp(sheet, piece, rect.topleft)
            if theme.name != "contrast":
                sheet.blit(lamplight(self.size), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
            return sheet

        return self._sprites.get(("ground", places.oval is None), make)

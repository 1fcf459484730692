"""The table screen: seats round a table seen from above, and the croupier's words below it."""

from __future__ import annotations

import pygame

from display.controls import TouchArea
from display.drawing.canvas import Canvas
from display.drawing.screen import Screen, lamplight
from display.drawing.text import Written
from display.prompts.prompt import PromptText, prompt_for
from display.table.centre import draw_centre
from display.table.choice_sheet import draw_sheet, sheet_touches
from display.table.correcting import card_touches, draw_put_right
from display.table.layout import PROMPT_BAR, Layout, lay_out
from display.table.moment import draw_moment
from display.table.prompt_bar import PromptBar, bar_height, is_sheet
from display.table.seats import draw_payments, draw_seat
from engine.core.views import View

LEAST_CENTRE = 0.06
"""Nothing is drawn in a lower centre."""


class TableScreen(Screen):
    """Draws a view of the table on any surface of its size."""

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
        canvas = self._canvas(surface, time_s)
        shown = prompt if prompt is not None else prompt_for(view, self.language)
        places = self._places(canvas, view, shown)
        surface.blit(self._ground(canvas, places), (0, 0))
        asks = is_sheet(canvas, shown, self.size[0])
        if not asks:
            if places.centre.h > canvas.px(LEAST_CENTRE):
                draw_centre(canvas, view, places.centre)
            plates = dict(zip((seat.seat for seat in view.seats), places.plates, strict=True))
            draw_payments(canvas, view, plates, shown.result_s)
        for seat, plate in zip(view.seats, places.plates, strict=True):
            draw_seat(canvas, view, seat, plate)
        if shown.put_right is not None:
            draw_put_right(canvas, view, places, shown.put_right)
        if asks:
            canvas.painter.written.clear()
            draw_sheet(canvas, shown, places.sheet)
        elif shown.moment is not None:
            draw_moment(canvas, shown.moment, places, shown.moment_s)
        PromptBar(canvas, shown, places.prompt_bar).draw()
        return tuple(canvas.painter.written)

    def touches(self, view: View, prompt: PromptText | None) -> tuple[TouchArea, ...]:
        """Return where what is shown can be touched.

        That is the keys of *prompt* and its answers, or a player's own stake, or a card that lies
        open, to be put right.
        """
        canvas = self._canvas(None)
        places = self._places(canvas, view, prompt)
        keys: tuple[TouchArea, ...] = ()
        if prompt is not None:
            keys = PromptBar(canvas, prompt, places.prompt_bar).touches()
            if is_sheet(canvas, prompt, self.size[0]):
                return (*keys, *sheet_touches(canvas, prompt, places.sheet))
        cards = card_touches(canvas, view, places)
        if view.stage != "first" or any(seat.throws for seat in view.seats):
            return (*cards, *keys)
        # Before the first throw players lay their own stakes (rule KB-2) by touching their plates.
        return keys + tuple(
            TouchArea(plate, "have", seat=seat.seat)
            for seat, plate in zip(view.seats, places.plates, strict=True)
            if not seat.is_dealer
        )

    def _places(self, canvas: Canvas, view: View, prompt: PromptText | None) -> Layout:
        bar = PROMPT_BAR if prompt is None else bar_height(canvas, view, prompt, self.size[0])
        taken = [seat.seat for seat in view.seats]
        if prompt is not None and max(taken, default=0) < prompt.mat_seats:
            return lay_out(self.size, prompt.mat_seats, bar=bar, taken=taken)
        return lay_out(self.size, len(taken), bar=bar)

    def _ground(self, canvas: Canvas, places: Layout) -> pygame.Surface:
        """Return the empty table: felt in a wooden rim."""

        def make() -> pygame.Surface:
            theme = self.theme
            sheet = pygame.Surface(self.size)
            sheet.fill(theme.felt if places.oval is None else theme.room)
            if places.oval is not None:
                table = places.oval
                rim = table.inflate(canvas.px(0.045), canvas.px(0.045))
                ground = self._canvas(sheet)
                ground.box(rim, theme.rim, theme.brass_deep, radius=1.0, line=0.006)
                ground.box(table, theme.felt, theme.felt_edge, radius=1.0, line=0.006)
            if theme.name != "contrast":
                sheet.blit(lamplight(self.size), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
            return sheet

        return self._cache.get(("ground", places.oval is None), make)

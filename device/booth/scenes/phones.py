"""The codes that bring phones to the table, and the host's PIN."""

from __future__ import annotations

from device.booth.scenes.base import Context, Scene
from device.feed.codes import phones_page
from device.feed.feed import Feed
from display.pages.base import Page


class PhonesScene(Scene):
    """Shows the codes of the session in play, and for a minute the PIN of the host."""

    def __init__(self, context: Context, feed: Feed) -> None:
        """Show the codes of *feed*."""
        super().__init__(context)
        self._feed = feed
        feed.show_pin()

    def page(self) -> Page:
        """Return the page."""
        assert self.context.session is not None
        return phones_page(self._feed, self.context.session.view)

"""How the house looks and sounds: what is set at the table, put into force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.booth import preferences as settings
from device.booth.preferences import Preferences
from device.booth.screen_port import Screen
from device.config.model import Config
from device.narration.announcer import Announcer
from device.ports import Speaker
from display import PromptText
from display.i18n.translate import set_language
from display.pages.base import Page
from engine import Event
from engine.core.views import View

SpeakerFactory = Callable[[Preferences], Speaker]
"""Opens the speaker as the preferences want it."""


class House:
    """Screen, voice and words, after the preferences.

    Attributes:
        preferences: what is in force.
        folder: where they are kept.
    """

    def __init__(
        self,
        config: Config,
        folder: Path,
        glass: Screen | None = None,
        hear: SpeakerFactory | None = None,
    ) -> None:
        """Put into force what was set last; *hear* is ``None`` where nothing is to be heard."""
        self.folder = folder
        self.preferences = settings.load(folder, config)
        self._own = settings.of_config(config)
        self._glass, self._hear = glass, hear
        self._speaker: Speaker | None = None
        self._announcer: Announcer | None = None
        self._dress()
        self._open_speaker()

    def set(self, preferences: Preferences) -> None:
        """Put *preferences* into force, and keep them."""
        settings.save(self.folder, preferences)
        self._use(preferences)

    def reset(self) -> None:
        """Put into force what the config says, and forget what was set at the table."""
        settings.forget(self.folder)
        if self.preferences != self._own:
            self._use(self._own)

    def show_page(self, page: Page, time_s: float, *, aloud: bool) -> None:
        """Show a screen around the game, and read it to who cannot see it."""
        if self._glass is not None:
            self._glass.show_page(page, time_s)
        if aloud and self._announcer is not None:
            self._announcer.read(page)
        self._tick()

    def show_table(self, view: View, prompt: PromptText, time_s: float, *, aloud: bool) -> None:
        """Show a table; what is said there is heard where it is *aloud*."""
        if self._glass is not None:
            self._glass.show(view, prompt, time_s)
        if aloud and self._announcer is not None:
            self._announcer.watch(prompt, view)
        self._tick()

    def listen(self, event: Event, before: View, after: View) -> None:
        """Take one event of a table; a listener of :class:`device.runtime.session.Session`."""
        if self._announcer is not None:
            self._announcer.listen(event, before, after)

    def close(self) -> None:
        """Fall silent; may be called twice."""
        if self._speaker is not None:
            self._speaker.close()
        self._speaker = self._announcer = None

    def _use(self, preferences: Preferences) -> None:
        before, self.preferences = self.preferences, preferences
        if (before.look, before.language) != (preferences.look, preferences.language):
            self._dress()
        heard = ("language", "volume", "mute", "voice")
        if any(getattr(before, name) != getattr(preferences, name) for name in heard):
            self._open_speaker()

    def _tick(self) -> None:
        if self._speaker is not None:
            self._speaker.tick()

    def _dress(self) -> None:
        set_language(self.preferences.language)
        if self._glass is not None:
            self._glass.set_style(self.preferences.look, self.preferences.language)

    def _open_speaker(self) -> None:
        if self._hear is None:
            return
        if self._speaker is not None:
            self._speaker.close()
        self._speaker = self._hear(self.preferences)
        self._announcer = Announcer(self._speaker, self.preferences.language)

"""How the booth looks and sounds: applies what is set at the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.booth import preferences as settings
from device.booth.preferences import Preferences
from device.config.model import Config
from device.narration.announcer import Announcer
from device.narration.speech import SilentSpeaker
from device.ports import Speaker, Talk
from display import PromptText, Window
from display.i18n.translate import Translator
from display.pages.base import Page
from engine import Event
from engine.core.views import View

SpeakerFactory = Callable[[Preferences], Speaker]
"""Opens the speaker that the preferences ask for."""


class Presentation:
    """Screen, voice and language, as the preferences say.

    Attributes:
        preferences: what applies now.
        folder: where they are kept.
    """

    def __init__(
        self,
        config: Config,
        folder: Path,
        screen: Window | None = None,
        speaker_for: SpeakerFactory | None = None,
    ) -> None:
        """Apply what was set last; without *speaker_for* the booth is silent."""
        self.folder = folder
        self.preferences = settings.load(folder, config)
        self._own = settings.of_config(config)
        self._screen = screen
        self._speaker_for = speaker_for or (lambda _preferences: SilentSpeaker())
        self._apply_style()
        self._open_speaker()

    @property
    def translator(self) -> Translator:
        """What puts everything into the language that is set."""
        return Translator.of(self.preferences.language)

    @property
    def is_own(self) -> bool:
        """Return whether all is as the config says."""
        return self.preferences == self._own

    def set(self, preferences: Preferences) -> None:
        """Apply *preferences*, and keep them."""
        settings.save(self.folder, preferences)
        self._use(preferences)

    def reset(self) -> None:
        """Apply what the config says, and forget what was set at the table."""
        self.forget_file()
        if self.preferences != self._own:
            self._use(self._own)

    def forget_file(self) -> None:
        """Forget what was set at the table, once it no longer applies."""
        settings.forget(self.folder)

    def show_page(self, page: Page, time_s: float, *, aloud: bool) -> None:
        """Show a screen around the game; it is read aloud where *aloud*."""
        if self._screen is not None:
            self._screen.show_page(page, time_s)
        if aloud:
            self._announcer.read(page)
        self._speaker.tick()

    def show_table(self, view: View, prompt: PromptText, time_s: float, *, aloud: bool) -> None:
        """Show a table; its prompt is read aloud where *aloud*."""
        if self._screen is not None:
            self._screen.show(view, prompt, time_s)
        if aloud:
            self._announcer.watch(prompt, view)
        self._speaker.tick()

    def read_again(self) -> None:
        """Read the screen around the game aloud again."""
        self._announcer.read_again()

    def listen(self, event: Event, before: View, after: View, assumed: str = "") -> None:
        """Announce one event; a listener of :class:`device.runtime.session.Session`."""
        self._announcer.listen(event, before, after, assumed)

    def close(self) -> None:
        """Fall silent; may be called twice."""
        self._speaker.close()

    def _use(self, preferences: Preferences) -> None:
        before, self.preferences = self.preferences, preferences
        if (before.look, before.language) != (preferences.look, preferences.language):
            self._apply_style()
        heard = ("language", "volume", "mute", "voice", "talk", "pace")
        if any(getattr(before, name) != getattr(preferences, name) for name in heard):
            self._speaker.close()
            self._open_speaker()

    def _apply_style(self) -> None:
        if self._screen is not None:
            self._screen.set_style(self.preferences.look, self.preferences.language)

    def _open_speaker(self) -> None:
        self._speaker: Speaker = self._speaker_for(self.preferences)
        now = self.preferences
        self._announcer = Announcer(self._speaker, now.language, Talk(now.talk))

"""A booth put together from the config: what ``boneace play --booth`` runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from device.booth.booth import Booth
from device.booth.preferences import Preferences
from device.clock import Clock
from device.config.model import Config
from device.hardware.buttons import GpioPanel, KeyboardPanel, TouchPanel
from device.narration.speech import open_speaker
from device.narration.story import opening_lines, tell
from device.ports import Panel, Speaker
from device.runtime.camera_worker import FrameProcessor, ReadingSource, SyncReadingSource
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.storage.journal import Journal
from display import Window
from display.pages.renderer import save_page
from engine import Event
from engine.core.views import View
from engine.games import catalog
from vision import MotionGate
from vision.tracking.motion_gate import FrameReader

FRAME_S = 1 / 60
"""A press is on the glass one frame later; what moves by itself is drawn less often."""

ENDS = "q"
"""The key that ends the program elsewhere. A booth belongs to nobody who walks up to it: its window
can be closed, and the service stopped."""


class Watches:
    """Makes the watch of each game; the networks of games that were played stay loaded.

    Loaded anew for every game of an evening they take memory that is never whole again, and the
    first card of a game waits for them.
    """

    def __init__(self, reader: Callable[[str, int], FrameReader]) -> None:
        """Keep what *reader* makes for a game and its number of packs."""
        self._make = reader
        self._readers: dict[tuple[bool, int], FrameReader] = {}

    def __call__(self, game: str, options: object) -> FrameProcessor:
        """Return a watch for a game with its options."""
        packs = getattr(options, "decks", 1)
        key = (catalog.find(game).with_bones, packs)
        if key not in self._readers:
            self._readers[key] = self._make(game, packs)
        return MotionGate(self._readers[key])


def make_booth(
    config: Config,
    journal: Journal,
    clock: Clock,
    eyes: ReadingSource,
    panels: Sequence[Panel],
    *,
    looking: ReadingObserver,
    window: Window | None,
    watch_for: Callable[[str, object], FrameProcessor] | None = None,
) -> Booth:
    """Put the booth together.

    Args:
        config: what is set beforehand.
        journal: where every sitting is written down.
        clock: the machine's.
        eyes: one pair for the whole evening.
        panels: buttons and lamps; panels of touches and of the keyboard are replaced by the
            booth's own.
        looking: what looks over the eyes' shoulder.
        window: what it is shown on, if anything.
        watch_for: makes the watch for a game with its options.
    """
    beep = next((panel.beep for panel in panels if isinstance(panel, GpioPanel)), None)

    def hear(now: Preferences) -> Speaker:
        sound = replace(config.sound, mute=now.mute, volume=now.volume, voice=now.voice)
        return open_speaker(sound, now.language, beep=beep)

    all_panels: list[Panel] = [panel for panel in panels if not isinstance(panel, TouchPanel)]
    if window is not None:
        pressed = window.keys
        keys = KeyboardPanel(lambda: [name for name in pressed() if name != ENDS])
        all_panels = [keys if isinstance(panel, KeyboardPanel) else panel for panel in all_panels]
        # Where the glass can be touched, the booth says.
        all_panels.append(TouchPanel(window.taps, lambda: booth.touchables()))
    is_recording = isinstance(eyes, SyncReadingSource) and window is None
    booth = Booth(
        journal,
        clock,
        config,
        eyes,
        all_panels,
        looking=looking,
        glass=window,
        hear=None if is_recording else hear,
        watch_for=watch_for,
        save=save_page,
        listener=_tell,
    )
    booth.frame_s = 0.0 if is_recording else FRAME_S
    return booth


def _tell(session: Session) -> None:
    """Print the story of a sitting as it goes on."""
    for line in opening_lines(session.view):
        print(line, flush=True)

    def listen(event: Event, before: View, after: View) -> None:
        for line in tell(event, before, after):
            print(line, flush=True)

    session.listeners.append(listen)

"""The sessions of a booth: opened, resumed, ended, and each put on a table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from device.booth.preferences import GameSetup
from device.booth.presentation import Presentation, SpeakerFactory
from device.clock import Clock
from device.config.model import Config
from device.feed.feed import Feed
from device.ports import Panel
from device.runtime.camera_worker import FrameProcessor, ReadingSource
from device.runtime.hints import HintProvider
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.taught import BONES
from display import Window
from display.i18n.translate import Translator
from display.pages.base import Page
from engine.core.errors import BoneAceError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """What a booth works with.

    Attributes:
        journal: where every session is recorded; settings and pictures are kept beside it.
        clock: the machine's.
        source: of readings, for the whole evening.
        panels: buttons and lamps.
        observer: keeps the last frame and reading.
        screen: without one the booth is only heard.
        speaker_for: opens the speaker that the preferences ask for.
        processor_for: makes what reads the frames of a game with its options; called by one thread
            at a time.
        save: writes the picture of the evening, in a language.
        on_session: called with each new session, and with what returns the booth's language.
        scripted: the presses are those of a file.
        by_hand: there is no camera: people enter what lies on the table.
        feed: tells other processes what happens; ``None`` where that is off.
    """

    journal: Journal
    clock: Clock
    source: ReadingSource
    panels: tuple[Panel, ...] = ()
    observer: ReadingObserver | None = None
    screen: Window | None = None
    speaker_for: SpeakerFactory | None = None
    processor_for: Callable[[str, object], FrameProcessor] | None = None
    save: Callable[[Page, Path, str], object] | None = None
    on_session: Callable[[Session, Callable[[], Translator]], None] | None = None
    scripted: bool = False
    by_hand: bool = False
    feed: Feed | None = None


class Tables:
    """Makes the table of each session.

    Attributes:
        asked: questions put to the tables whose sessions have ended.
    """

    def __init__(self, services: Services, config: Config, presentation: Presentation) -> None:
        """Use *services*; what happens at a table is heard by *presentation*."""
        self.asked = 0
        self._services, self._config, self._presentation = services, config, presentation
        self._teacher = HintProvider()
        self._newest: object = None
        self._loading = threading.Lock()

    def open(self, setup: GameSetup) -> TableController:
        """Return the table of a new session.

        Raises:
            BoneAceError: the game cannot be played so.
        """
        game = setup.game
        seats = sorted(setup.seated)
        session = Session.begin(
            self._services.journal,
            self._services.clock,
            game.name,
            setup.players,
            # Who holds the bank first is agreed, not cut for: the last seat has it.
            dealer=None if game.cuts_for_deal else seats[-1],
            preset=setup.preset,
            options=setup.changes,
            stake=setup.stake,
            bones=BONES.own_name(self._config.game.bones) if game.with_bones else "",
            settings=replace(
                self._config.game,
                name=game.name,
                token_value=self._presentation.preferences.token_value,
            ).settings,
        )
        return self.table_of(session)

    def resume_last(self) -> TableController | None:
        """Return the table of the session that nobody has ended; ``None`` where there is none."""
        session = Session.resume_last(self._services.journal, self._services.clock)
        return None if session is None else self.table_of(session)

    def end(self, table: TableController) -> None:
        """End the session; if the disk refuses it can be resumed, and nothing is lost."""
        self.asked += table.asked
        try:
            table.session.close()
        except JournalError as problem:
            log.error("%s", problem)

    def apply_preferences(self, table: TableController) -> None:
        """Set language and hints of *table* as the preferences say."""
        now = self._presentation.preferences
        table.language = now.language
        table.teacher = self._teacher if now.teaching else None

    def load_networks_of(self, session: Session) -> None:
        """Load the networks that the game of *session* needs."""
        setup = session.state.setup
        self.load_networks(setup.game.name, setup.options)

    def load_networks(self, game: str, options: object = None) -> None:
        """Load the networks that *game* needs, in a thread: it takes a while.

        What was asked for last is what reads, whichever is loaded first.
        """
        observer, make = self._services.observer, self._services.processor_for
        if observer is None or make is None:
            return
        mine = self._newest = object()

        def work() -> None:
            with self._loading:
                if mine is not self._newest:
                    return
                try:
                    watch = make(game, options)
                except BoneAceError as problem:
                    log.error("%s", problem)
                except Exception:
                    # The table must survive whatever a damaged network does.
                    log.exception("%s cannot be read; run: boneace doctor", game)
                else:
                    if mine is self._newest:
                        observer.watch = watch

        threading.Thread(target=work, name="refit", daemon=True).start()

    def table_of(self, session: Session) -> TableController:
        """Return the table of *session*."""
        services = self._services
        table = TableController(
            session,
            services.source,
            (),
            services.clock,
            notices=services.journal.notices,
            observer=services.observer,
            by_hand=services.by_hand,
            scripted=services.scripted,
        )
        self.apply_preferences(table)
        services.journal.notices.clear()  # said once, not at every table of the evening
        session.listeners.append(self._presentation.listen)
        if services.feed is not None:
            services.feed.open(session)
        if services.on_session is not None:
            services.on_session(session, lambda: self._presentation.translator)
        self.load_networks_of(session)
        return table

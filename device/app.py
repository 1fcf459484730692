"""The composition root: builds and connects the parts of ``play``, of the booth and of ``demo``.

Commands parse arguments, call this, and print. Nothing else opens cameras, panels, windows and
journals for a game.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.booth.booth import Booth
from device.booth.counting import CountLoop
from device.booth.preferences import Preferences, default_setup
from device.booth.presentation import Presentation, SpeakerFactory
from device.booth.scenes.base import Context, camera_page
from device.booth.tables import Services
from device.booth.view import at_the_table, touchables
from device.clock import Clock, FilmClock, HandClock, SystemClock
from device.config.model import Config, GameConfig, SoundConfig
from device.croupier.counting.counter import Kind
from device.feed.codes import CodesAtStart, check_codes
from device.feed.feed import Feed, shown_at
from device.hardware.buttons import (
    GpioPanel,
    KeyboardPanel,
    PanelError,
    ScriptedPanel,
    Touchable,
    TouchPanel,
    pin_factory,
    read_presses,
)
from device.hardware.camera_names import AUTO, is_live, problem_with
from device.hardware.cameras import open_camera
from device.hardware.freeze_detector import FreezeDetector
from device.hardware.key_names import legend
from device.hardware.panel_names import box_of
from device.hardware.pins import wires
from device.hardware.plugin_panel import open_box
from device.hardware.screen import desktop_size, is_seen, may_be_seen, require_screen
from device.heartbeat import Heartbeats
from device.narration.announcer import Announcer, NarratedScreen
from device.narration.speech import open_speaker
from device.ports import Camera, CameraError, Panel, Speaker, Talk
from device.runtime.camera_worker import (
    FrameProcessor,
    NoCamera,
    ReadingSource,
    SyncReadingSource,
    ThreadedReadingSource,
)
from device.runtime.counting import Counting, Listener, game_to_count
from device.runtime.hints import HintProvider
from device.runtime.loop import MainLoop, Task
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.runtime.table import Screen, TableController
from device.runtime.without_sets import passed_over
from device.service.service import Service
from device.storage.copies.keeper import Keeper
from device.storage.copies.table_name import table_name
from device.storage.counts import counts_path
from device.storage.journal.journal import Journal
from device.storage.lens_file import load_lens
from device.storage.taught import BONES, bone_reader, find_deck, problem_with_set
from display import Window
from display.chimes import Chime
from display.drawing.theme import Theme, theme_of
from display.i18n.languages import ENGLISH
from display.i18n.translate import Translator
from display.pages.legend import HEIGHT_PX
from display.pages.renderer import save_page
from display.window import DisplayError
from engine import Player
from engine.core.errors import BoneAceError
from engine.core.messages.message import N_
from engine.games import catalog
from vision import MotionGate, TableReader
from vision.bones.on_table import BonesOnMat
from vision.tracking.motion_gate import FrameReader

if TYPE_CHECKING:
    # Imported when a demo is built: `boneace play` does not need the simulator.
    from device.simulator.camera import Recorder
    from device.simulator.demo import Demo
    from device.simulator.simulation import SimulationSetup

FRAME_S = 1 / 60
"""A press is on the screen one frame later; what moves by itself is drawn less often."""

QUIT_KEY = "q"
"""The key that ends the program at a table. A booth is for strangers and ignores it: its window can
be closed, and the service stopped."""

NEVER_S = 10**9
"""Seconds after which a table of people who know each other waits for others."""

DEMO_SIZE = (1280, 720)
DEMO_ASIDE, DEMO_WINDOW = 480, (1340, 580)
"""A demo's window on a screen, of which the left shows what the camera sees; a laptop holds it."""

TITLE_BAR = 60
"""Pixels of a display that the title of a window and the desktop's own bar take of its height."""

LEAST_TABLE = 640
"""Where a window leaves the table less width than this it does not show what the camera sees."""

DEMO_LINGER = 30
"""Frames for which the window of a demo stays as it is when there is something to see."""

log = logging.getLogger(__name__)


class Appliance:
    """What ``boneace play`` needs for a table or a booth, opened step by step."""

    def __init__(
        self,
        config: Config,
        stack: contextlib.ExitStack,
        *,
        headless: bool = False,
        fullscreen: bool = False,
        script: Path | None = None,
        by_hand: bool = False,
    ) -> None:
        """Open the journal and tell the service manager that the start has begun.

        *stack* closes everything, in reverse order; *script* is a file of button presses. Played
        *by_hand* there is no camera: people enter what lies on the table.

        Raises:
            JournalError: the journal cannot be used.
        """
        self._config, self._stack = config, stack
        self._headless, self._fullscreen, self._by_hand = headless, fullscreen, by_hand
        self._script = None if script is None else read_presses(script)
        self._reader: FrameReader | None = None
        self._clock = SystemClock()
        self._service = Service(self._clock)
        stack.callback(self._service.close)
        self._journal = stack.enter_context(Journal(config.journal.file))
        table_name(config.journal.file.parent)  # a table without a name gets one

    def forget_old(self) -> Task:
        """Erase sittings that are kept no longer, and return the task that does so each day."""
        keeper = Keeper(self._journal, self._clock, self._config.keep_days)
        keeper.look(self._clock.monotonic())
        return keeper.look

    def pass_over_sets(self, kinds: Sequence[str]) -> None:
        """Do without the deck or bones of the config that cannot be used, and say so at the table.

        A table that starts with its machine must not stay dark because an upgrade brought other
        networks. Only *kinds* (``"bones"``, ``"deck"``) are looked at.
        """
        for kind in kinds:
            name, without = getattr(self._config.game, kind), dict[str, Any]({kind: ""})
            if problem := problem_with_set(kind, name):
                log.error("%s; the table plays without what was taught", problem)
                self._journal.notices.append(passed_over(kind, name))
                self._config = replace(self._config, game=replace(self._config.game, **without))

    def unfinished(self) -> Session | None:
        """Return the session to go on with; ``None`` where there is none or it is unplayable."""
        with contextlib.suppress(BoneAceError):  # open_session ends it and says so
            return Session.unfinished(self._journal, self._clock)
        return None

    def table(
        self, seats: Sequence[int], last: Session | None = None, *, new: bool = False
    ) -> TableController:
        """Return the loop of one table, with players on *seats* where a new session is opened.

        *last* is the unfinished session, where it was asked for; *new* ends it.

        Raises:
            BoneAceError: something cannot be opened; then no session was begun.
        """
        game = self._game(last)
        observer, source, window = self._open_reading(game)
        panels = self._panels(source)
        panels += window_panels(window, lambda: at_the_table(touchables(window)))
        feed = self._feed()
        # Last: a mistyped camera or script must not leave a session behind that is resumed.
        session = open_session(self._journal, self._clock, game, seats, new=new, session=last)
        batch = is_batch(source, window, self._by_hand and self._script is not None)
        language = self._config.display.language
        screen: Screen | None = window
        if not batch:
            # A table without a window can still be heard.
            sound, beep = self._config.sound, beep_of(panels)
            screen = narrated(self._stack, window, session, sound, language, beep)
        clock = self._clock_of(source)
        table = TableController(
            session,
            source,
            panels,
            clock,
            screen=screen,
            language=language,
            notices=self._journal.notices,
            observer=observer,
            teacher=HintProvider() if self._config.display.teaching else None,
            by_hand=self._by_hand,
            scripted=self._script is not None,
        )
        table.frame_s = 0.0 if batch else FRAME_S
        if feed is not None:
            feed.open(session)
            feed.shows = lambda: shown_at(table)
            if window is not None and self._script is None:
                show_codes(feed, session, table)
            attach(feed, table)
        self._service.attend(
            table, source, lambda: session, power=self._config.power, window=window
        )
        return table

    def table_of_log(
        self, seats: Sequence[int], last: Session | None = None, *, new: bool = False
    ) -> tuple[TableController, HandClock]:
        """Return a table without a camera, for a log of readings, and its clock.

        Its panels are those of the window. *last* and *new* are as in :meth:`table`.

        Raises:
            BoneAceError: the game cannot be played so, or there is no window.
        """
        window = self._window()
        panels = window_panels(window, lambda: ())
        clock = HandClock(wall=self._clock.wall())
        game = self._game(last)
        session = open_session(self._journal, clock, game, seats, new=new, session=last)
        table = TableController(
            session,
            NoCamera(),
            panels,
            clock,
            screen=window,
            language=self._config.display.language,
            notices=self._journal.notices,
            scripted=True,
        )
        return table, clock

    @property
    def has_menu(self) -> bool:
        """Whether a table has a menu: there is a window, and people play as they go."""
        is_played = self._by_hand or is_live(self._config.camera.spec)
        return is_played and not self._headless and self._script is None

    def booth(
        self,
        last: Session | None = None,
        *,
        new: bool = False,
        seats: Sequence[int] | None = None,
        on_session: Callable[[Session, Callable[[], Translator]], None] | None = None,
    ) -> Booth:
        """Return the loop of a booth; *on_session* is called with each new session.

        *last* is the unfinished session, where it was asked for; *new* ends it. What *on_session*
        is called with besides returns the booth's translator. With *seats* it is a table with a
        menu: it begins with a game of the players there, and never waits for others.

        Raises:
            BoneAceError: something cannot be opened.
        """
        game = self._game(last)
        observer, source, window = self._open_reading(game)
        first = None if self._reader is None else (game.name, packs_of(game), self._reader)
        panels = self._panels(source)
        feed = self._feed()
        config, session = self._config, None
        clock = self._clock_of(source)
        if seats is not None:
            booth_config = replace(config.booth, keep_settings=True, idle_s=NEVER_S)
            config = replace(config, booth=booth_config)
            session = open_session(self._journal, clock, game, seats, new=new, session=last)
        elif new:
            end_unfinished(self._journal, clock)

        def reader(game: str, packs: int) -> FrameReader:
            return reader_for(replace(config.game, name=game, preset="", options={"decks": packs}))

        services = Services(
            self._journal,
            clock,
            source,
            tuple(panels),
            observer=observer,
            processor_for=None if self._by_hand else processor_cache(reader, first),
            on_session=on_session,
            scripted=self._script is not None,
            by_hand=self._by_hand,
            feed=feed,
        )
        booth = build_booth(config, services, window, session)
        if feed is not None:
            if session is not None:
                show_codes(feed, session, booth)
            attach(feed, booth)
        self._stack.callback(booth.shut)
        self._service.attend(
            booth, source, lambda: booth.session, power=self._config.power, window=window
        )
        return booth

    def counting(self, kind: Kind, listener: Listener) -> tuple[CountLoop, Counting]:
        """Return the loop that counts without a game, and its count; *listener* hears each throw.

        Raises:
            BoneAceError: something cannot be opened.
        """
        game = replace(self._config.game, name=game_to_count(kind), preset="", options={})
        observer, source, window = self._open_reading(game)
        panels = self._panels(source)
        clock = self._clock_of(source)
        batch = is_batch(source, window, self._by_hand and self._script is not None)
        speaker_for = None if batch else speaker_opener(self._config, beep_of(panels))
        folder = self._config.journal.file.parent
        presentation = Presentation(self._config, folder, window, speaker_for)
        self._stack.callback(presentation.close)
        counting = Counting(kind, counts_path(self._config.journal.file), clock, listener)
        self._stack.callback(counting.end)
        context = Context(
            presentation.preferences, default_setup(self._config), 0, observer=observer
        )
        panels += window_panels(window, lambda: touchables(window))
        loop = CountLoop(
            source, panels, clock, presentation, context, counting, by_hand=self._by_hand
        )
        loop.frame_s = 0.0 if batch else FRAME_S
        self._service.attend(loop, source, lambda: None, power=self._config.power, window=window)
        return loop, counting

    def _game(self, last: Session | None) -> GameConfig:
        if last is None:
            return self._config.game
        name = last.state.setup.game.name
        return replace(self._config.game, name=name, options=last.record.options)

    def _clock_of(self, source: ReadingSource) -> Clock:
        """Return the clock by which is waited: of a film it is the film's."""
        if isinstance(source, SyncReadingSource):
            return FilmClock(lambda: source.time_s)
        return self._clock

    def _open_reading(
        self, game: GameConfig
    ) -> tuple[ReadingObserver | None, ReadingSource, Window | None]:
        if self._by_hand:
            presses = self._script or ()
            last = None if self._script is None else max((p.frame for p in presses), default=0)
            return None, NoCamera(last), self._window()
        self._reader = reader_for(game)
        observer = ReadingObserver(MotionGate(self._reader))
        source = open_source(
            self._config.camera.spec, observer, self._service.heartbeats, self._clock.wake
        )
        self._stack.callback(source.close)
        return observer, source, self._window()

    def _feed(self) -> Feed | None:
        """Open what tells other processes what happens; ``None`` where that is off."""
        web, journal = self._config.web, self._config.journal.file
        if not web.enabled:
            return None
        check_codes()
        feed = Feed(
            web.feed_of(journal),
            journal,
            table_name(journal.parent),
            self._clock,
            address=web.address,
            wake=self._clock.wake,
        )
        return self._stack.enter_context(feed)

    def _window(self) -> Window | None:
        """Open the window; ``None`` where none is wanted."""
        if self._headless:
            return None
        shown = self._config.display
        fullscreen = self._fullscreen or shown.fullscreen
        foot = 0 if fullscreen else HEIGHT_PX  # on a desktop there is a keyboard
        window = self._stack.enter_context(
            Window(
                (shown.width, shown.height + foot),
                foot=foot,
                fullscreen=fullscreen,
                theme=theme_of(
                    shown.theme, four_colours=shown.has_four_colours, calm=shown.less_motion
                ),
                language=shown.language,
            )
        )
        require_screen()
        return window

    def _panels(self, source: ReadingSource) -> list[Panel]:
        panels = header_panels(self._config)
        for panel in panels:
            self._stack.callback(panel.close)
        if self._script is None:
            return panels
        return [ScriptedPanel(self._script, lambda: source.frame - 1), *panels]


def is_batch(source: ReadingSource, window: Window | None, scripted: bool) -> bool:
    """Return whether nobody watches a run, so that it need not keep time nor sound.

    *scripted* is one by hand whose presses are those of a file.
    """
    return window is None and (scripted or isinstance(source, SyncReadingSource))


def show_codes(feed: Feed, session: Session, loop: MainLoop) -> None:
    """Let *loop* begin with the codes by which phones come to the seats of *session*."""
    codes = CodesAtStart(feed, session, loop.clock)
    loop.tasks.append(codes.page)
    loop.intercepts.append(codes.press)


def attach(feed: Feed, loop: MainLoop) -> None:
    """Let *feed* see what *loop* shows and bring it presses."""
    loop.panels.append(feed)
    loop.tasks.append(feed.tick)
    loop.intercepts.append(feed.door.press)


def processor_cache(
    reader: Callable[[str, int], FrameReader],
    first: tuple[str, int, FrameReader] | None = None,
) -> Callable[[str, object], FrameProcessor]:
    """Return what makes the frame processor of each game with its options.

    It keeps what *reader* makes for a game and its number of packs: loading networks again for
    every game of an evening fragments the memory, and the first card of a game would wait for it.
    So it keeps the *first* one, loaded before. It may be called by one thread at a time.
    """
    readers: dict[tuple[bool, int], FrameReader] = {}
    if first is not None:
        game, packs, loaded = first
        readers[catalog.find(game).with_bones, packs] = loaded

    def processor_for(game: str, options: object) -> FrameProcessor:
        packs = getattr(options, "decks", 1)
        key = (catalog.find(game).with_bones, packs)
        if key not in readers:
            readers[key] = reader(game, packs)
        return MotionGate(readers[key])

    return processor_for


def speaker_opener(config: Config, beep: Callable[[Chime], None] | None) -> SpeakerFactory:
    """Return what opens the speaker that the preferences at the table ask for."""

    def speaker_for(now: Preferences) -> Speaker:
        sound = replace(
            config.sound,
            mute=now.mute,
            volume=now.volume,
            voice=now.voice,
            words_per_minute=now.pace,
        )
        return open_speaker(sound, now.language, beep=beep)

    return speaker_for


def build_booth(
    config: Config, services: Services, window: Window | None, session: Session | None = None
) -> Booth:
    """Return a booth over *services*, with the screen, the panels and the voice of *window*.

    One that begins with a *session* is a table of people who know each other: a key may end it.
    """
    speaker_for = speaker_opener(config, beep_of(services.panels))
    batch = is_batch(services.source, window, services.by_hand and services.scripted)
    services = replace(
        services, screen=window, speaker_for=None if batch else speaker_for, save=save_page
    )
    booth = Booth(services, config, session)
    without = (QUIT_KEY,) if session is None else ()
    booth.panels += window_panels(window, booth.view.touchables, without)
    booth.frame_s = 0.0 if batch else FRAME_S
    return booth


def open_source(
    spec: str,
    processor: FrameProcessor,
    heartbeats: Heartbeats | None = None,
    wake: Callable[[], object] = lambda: None,
) -> ReadingSource:
    """Open a camera or a recording: a recording frame by frame, a live camera in a thread.

    *heartbeats* show a watchdog that a live camera and its reading are at work; *wake* is called
    when there is a reading.

    Raises:
        CameraError: there is no such recording, or no such camera. A camera that is merely absent
            is waited for: the screen says so meanwhile.
    """
    if not is_live(spec):
        return SyncReadingSource(open_camera(spec), processor)
    problem = problem_with(spec)
    if problem:
        raise CameraError(problem)
    freeze = FreezeDetector()

    def camera() -> Camera:
        try:
            return freeze.guard(open_camera(spec))
        except CameraError as problem:
            if spec != AUTO:
                raise
            raise CameraError(f"{problem}. Or do without a camera: --no-camera") from problem

    def pause_s() -> float:
        return processor.pause_s if isinstance(processor, ReadingObserver) else 0.0

    return ThreadedReadingSource(camera, processor, hearts=heartbeats, pause_s=pause_s, wake=wake)


def reader_for(game: GameConfig) -> FrameReader:
    """Return what reads the cards or bones of *game*."""
    lens = load_lens()
    if has_bones(game):
        return BonesOnMat(bone_reader(game.bones), lens)
    return TableReader(packs=packs_of(game), deck=find_deck(game.deck or None), lens=lens)


def packs_of(game: GameConfig) -> int:
    """Return the number of packs; a wrong one is the engine's to refuse, with its own words."""
    packs = game.options.get("decks", 1)
    return packs if isinstance(packs, int) else 1


def has_bones(game: GameConfig) -> bool:
    """Return whether bones are thrown in it, by whatever name it was asked for."""
    return catalog.find(game.name).with_bones


def window_panels(
    window: Window | None, places: Callable[[], Sequence[Touchable]], without: Sequence[str] = ()
) -> list[Panel]:
    """Return the panels of keyboard and touch of *window*; none without a window.

    *places* returns what can be touched now; the keys *without* are no commands.
    """
    if window is None:
        return []
    window.legend = partial(legend, without=without)
    keyboard = KeyboardPanel(window.keys, window.signs, without, window.steps)
    return [keyboard, TouchPanel(window.taps, places)]


def header_panels(config: Config) -> list[Panel]:
    """Open the panel that the config names: a plugin's, or the buttons on the header.

    Raises:
        PanelError: it cannot be opened; with ``backend = "auto"`` a warning says so instead.
    """
    pins = config.panel.pins()
    if box_of(config.panel.backend) is not None:
        return [open_box(config.panel.backend)]
    if config.panel.backend == "gpio" or (config.panel.backend == "auto" and wires(pins)):
        try:
            full = config.panel.lamp_brightness / 100
            return [GpioPanel(pins, full=full, pin_factory=pin_factory(config.panel.chip))]
        except PanelError as problem:
            if config.panel.backend == "gpio":
                raise
            log.warning("%s", problem)
    return []


def beep_of(panels: Sequence[Panel]) -> Callable[[Chime], None] | None:
    """Return what sounds the buzzer on the header; ``None`` where no header is used."""
    return next((panel.beep for panel in panels if isinstance(panel, GpioPanel)), None)


def narrated(
    stack: contextlib.ExitStack,
    screen: Screen | None,
    session: Session,
    sound: SoundConfig,
    language: str,
    beep: Callable[[Chime], None] | None = None,
) -> Screen:
    """Return a screen that says what it shows; what happens in *session* is said as well."""
    speaker = open_speaker(sound, language, beep=beep)
    stack.callback(speaker.close)
    announcer = Announcer(speaker, language, Talk(sound.talk))
    session.listeners.append(announcer.listen)
    return NarratedScreen(screen, announcer, speaker)


def end_unfinished(journal: Journal, clock: Clock) -> None:
    """End every unfinished session."""
    for record in journal.open_sittings():
        journal.end(record.number, clock.wall())


def open_session(
    journal: Journal,
    clock: Clock,
    game: GameConfig,
    seats: Sequence[int],
    *,
    new: bool = False,
    session: Session | None = None,
) -> Session:
    """Resume the last session when nobody has ended it, else begin a new one.

    One in which nothing has happened, or whose match is over, is not resumed: what is asked for
    now counts. *session* is the last one where it has been read already.

    Raises:
        BoneAceError: the game cannot be played so.
    """
    if session is None and not new:
        session = Session.resume_last(journal, clock)
    if session is not None and not session.state.round.standing.over:
        return session
    end_unfinished(journal, clock)
    dealer = None if game.dealer < 0 else game.dealer
    if dealer is None and not catalog.find(game.name).cuts_for_deal:
        # Who holds the bank first is agreed; unless they say so, the last seat has it.
        dealer = seats[-1]
    return Session.begin(
        journal,
        clock,
        game.name,
        [Player(seat, *person) for seat, person in zip(seats, game.people, strict=True)],
        dealer=dealer,
        preset=game.preset or None,
        options=game.changes,
        stake=game.stake,
        bones=BONES.own_name(game.bones) if has_bones(game) else "",
        settings=game.settings,
    )


def build_demo(
    setup: SimulationSetup,
    stack: contextlib.ExitStack,
    say: Callable[[str], None],
    *,
    language: str = ENGLISH,
    theme: Theme | None = None,
    sound: SoundConfig | None = None,
    teaching: bool = False,
    headless: bool = False,
    out: Path | None = None,
    record: Path | None = None,
) -> tuple[Demo, Recorder | None]:
    """Return a game on a drawn table, read by the real networks, and its recorder.

    It is silent without *sound*. Pictures and the journal go to the existing folder *out*, to a
    temporary one without; the folder *record* keeps every frame and press.

    Raises:
        BoneAceError: the game cannot be played so, or something cannot be opened.
    """
    from device.simulator.camera import Recorder, SimulatedCamera
    from device.simulator.deck.faces import has_indices
    from device.simulator.deck.taught import taught
    from device.simulator.demo import Demo
    from device.simulator.film_demo import FilmDemo
    from device.simulator.people.drawn import film_table
    from device.simulator.simulation import build_simulation

    folder = out
    if folder is None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneace-demo-")))
    window, is_hidden = open_demo_window(headless, theme, language)
    stack.enter_context(window)
    # Without a window nobody waits: the clock goes on as fast as frames can be drawn.
    clock: Clock = HandClock(wall=SystemClock().wall()) if is_hidden else SystemClock()
    journal = stack.enter_context(Journal(folder / "journal.sqlite3"))
    game = catalog.find(setup.game)
    session = Session.begin(
        journal,
        clock,
        setup.game,
        [Player(seat, *person) for seat, person in enumerate(setup.people)],
        # Who holds the bank first is agreed, not cut for; the last seat has it here.
        dealer=None if game.cuts_for_deal and not setup.people_mix else setup.players - 1,
        preset=setup.preset,
        options=setup.options,
        bones=BONES.own_name(setup.bones or ""),
        settings=setup.settings,
    )
    reader: FrameReader = (
        BonesOnMat(bone_reader(setup.bones))
        if game.with_bones
        else TableReader(
            packs=getattr(setup.rules, "decks", 1),
            # Without indices a deck must be taught, as at a table.
            deck=None if has_indices(setup.deck) else taught(setup.deck),
        )
    )
    observer = ReadingObserver(MotionGate(reader))
    observer.live = not is_hidden
    window.beside = None if is_hidden else lambda: camera_page(observer)
    screen: Screen | None = None if is_hidden else window
    if sound is not None:
        screen = narrated(stack, screen, session, sound, language)

    def table(source: ReadingSource) -> TableController:
        stack.callback(source.close)
        return TableController(
            session,
            source,
            [] if is_hidden else [KeyboardPanel(window.keys, window.signs, steps=window.steps)],
            clock,
            screen=screen,
            language=language,
            teacher=HintProvider() if teaching else None,
        )

    shown: dict[str, Any] = {"say": say, "picture": window, "out": out, "language": language}
    shown["holds"] = not is_hidden
    if setup.people_mix:
        drawn = film_table(setup.film, seed=setup.seed, style=setup.deck, dye=setup.dye)
        film = FilmDemo(
            table(NoCamera()),
            observer,
            drawn,
            clock,
            people=setup.people_mix,
            setup=setup.film,
            seed=setup.seed,
            **shown,
        )
        return film, None
    simulation = build_simulation(setup, session, lambda event: app.enter(event))
    camera = SimulatedCamera(simulation.table)
    recorder = None if record is None else Recorder(camera, record)
    app = table(SyncReadingSource(recorder or camera, observer))
    if recorder is not None:
        app.on_press = recorder.press
    demo = Demo(
        app,
        simulation.people,
        clock,
        tally=simulation.tally,
        fingerprint=simulation.table.fingerprint,
        linger=0 if is_hidden else DEMO_LINGER,
        camera=lambda: camera.latest,
        **shown,
    )
    return demo, recorder


def demo_window(desktop: tuple[int, int]) -> tuple[tuple[int, int], int]:
    """Return the size in pixels of a demo's window on a *desktop*, and of it the left's width.

    >>> demo_window((1920, 1080)), demo_window((1280, 800)), demo_window((800, 480))
    (((1340, 580), 480), ((1280, 580), 480), ((800, 420), 0))
    """
    width, height = min(DEMO_WINDOW[0], desktop[0]), min(DEMO_WINDOW[1], desktop[1] - TITLE_BAR)
    return (width, height), DEMO_ASIDE if width - DEMO_ASIDE >= LEAST_TABLE else 0


def open_demo_window(
    headless: bool, theme: Theme | None = None, language: str = ENGLISH
) -> tuple[Window, bool]:
    """Open a window, and return whether it is off screen: it says so where there is no display."""
    if not headless:
        if may_be_seen():
            with contextlib.suppress(DisplayError):
                size, aside = demo_window(desktop_size())
                window = Window(size, aside=aside, theme=theme, language=language)
                if is_seen():
                    return window, False
                window.close()
        why = Translator.of(language)(N_("No display here: playing headless."))
        print(why, file=sys.stderr)
    return Window(DEMO_SIZE, headless=True, theme=theme, language=language), True

"""``boneace play``: the appliance on the table."""

from __future__ import annotations

import argparse
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from device.booth.build import FRAME_S, Watches, make_booth
from device.booth.screen_port import at_the_table, touchables
from device.clock import Clock, SystemClock
from device.config.model import Config, ConfigError, GameConfig, load
from device.hardware.buttons import GpioPanel, KeyboardPanel, PanelError, ScriptedPanel, TouchPanel
from device.hardware.camera_names import is_live
from device.hardware.cameras import open_camera
from device.hardware.freeze_detector import FreezeDetector
from device.hardware.panel_names import box_of
from device.hardware.pin_factory import pin_factory
from device.hardware.pins import wires
from device.hardware.plugin_panel import open_box
from device.hardware.screen import require_screen
from device.heartbeat import Heartbeats
from device.narration.announcer import Announcer, NarratedScreen
from device.narration.speech import open_speaker
from device.narration.story import closing_lines, opening_lines, tell
from device.ports import Camera, Panel
from device.runtime.camera_worker import (
    FrameProcessor,
    ReadingSource,
    SyncReadingSource,
    ThreadedReadingSource,
)
from device.runtime.hints import HintProvider
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.runtime.table import Screen, TableController
from device.service.service import Service
from device.storage.bone_sets import bone_reader, set_name
from device.storage.decks import find_deck
from device.storage.journal import Journal, default_path
from device.storage.lens_file import load_lens
from device.usage import UsageError
from display import Window
from display.drawing.theme import theme_of
from display.i18n.translate import set_language
from engine import Event, Player
from engine.core.errors import BoneAceError
from engine.core.players import PlayersError, check_names
from engine.core.views import Phase, View
from engine.games import catalog
from vision import MotionGate, TableReader
from vision.bones.on_table import BonesOnMat
from vision.tracking.motion_gate import Reader

OF_THE_GAME = ("game", "preset", "players", "seats", "stake", "dealer")
"""Arguments that a game is begun with; one that goes on has them already."""

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace play --camera /dev/video0 --players Ann,Bess,Cecil --stake 2"
    parser.add_argument(
        "--camera", metavar="SPEC", help="picamera2, v4l2:0, a video, a folder of pictures, auto"
    )
    parser.add_argument(
        "--deck", metavar="NAME", help="the deck on the table, taught before: boneace teach deck"
    )
    parser.add_argument(
        "--bones", metavar="NAME", help="the set of bones, taught before: boneace teach bones"
    )
    parser.add_argument("--presses", type=Path, metavar="FILE", help="a script of button presses")
    parser.add_argument("--players", help="names, clockwise, with commas between them")
    parser.add_argument(
        "--seats", help="their seats, such as 0,2,3 (0 is seat 1 of the mat); default: 0,1,2..."
    )
    parser.add_argument("--game", help="the game, such as bone-ace")
    parser.add_argument("--preset", help="rules after which source, such as willughby")
    parser.add_argument("--stake", type=int, help="tokens in one stake")
    parser.add_argument(
        "--dealer",
        type=int,
        help="seat of the first dealer, from 0; default: they cut, or the last has the bank",
    )
    parser.add_argument("--new", action="store_true", help="do not go on with the last sitting")
    parser.add_argument(
        "--booth",
        action="store_true",
        help="wait for people, ask them what they play, and wait again when they have gone",
    )
    parser.add_argument("--headless", action="store_true", help="no window; the story is printed")
    parser.add_argument("--fullscreen", action="store_true", help="the whole screen")
    parser.add_argument("--journal", type=Path, metavar="PATH", help="the journal's file")


def run(args: argparse.Namespace) -> int:
    """Play until somebody quits, or the recording is over."""
    config = settings(args)
    set_language(config.display.language)
    # As a service we are stopped by SIGTERM: leave as by Ctrl-C, with everything closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    clock = SystemClock()
    with contextlib.ExitStack() as stack:
        service = Service(clock)
        stack.callback(service.close)
        path = Path(config.journal.path) if config.journal.path else default_path()
        journal = stack.enter_context(Journal(path))
        booth = is_booth(args, config)
        last = None if args.new or (booth and not _asked(args)) else unfinished(journal, clock)
        game, places = config.game, tuple[int, ...]()
        if last is None:
            places = seats(args, game)
        else:
            check_asked(args, last)
            setup = last.state.setup  # what is read depends on it, whatever is set now
            game = replace(game, name=setup.game.name, options=last.sitting.options)
        looking = ReadingObserver(MotionGate(_reader(game)))
        eyes = open_eyes(config.camera.spec, looking, service.heartbeats, clock.wake)
        stack.callback(eyes.close)
        window = None
        if not args.headless:
            shown = config.display
            window = stack.enter_context(
                Window(
                    (shown.width, shown.height),
                    fullscreen=args.fullscreen or shown.fullscreen,
                    theme=theme_of(shown.theme, four_colours=shown.four_colours),
                    language=shown.language,
                )
            )
            require_screen()
        panels = open_panels(config, window, args.presses, eyes)
        for panel in panels:
            stack.callback(panel.close)
        attend = partial(service.attend, power=config.power, window=window)
        if booth:
            if args.new:
                end_unfinished(journal, clock)

            def reader(game: str, packs: int) -> Reader:
                chosen = replace(config.game, name=game, preset="", options={"decks": packs})
                return _reader(chosen)

            evening = make_booth(
                config,
                journal,
                clock,
                eyes,
                panels,
                looking=looking,
                window=window,
                watch_for=Watches(reader),
            )
            stack.callback(evening.shut)
            attend(evening, eyes, lambda: evening.session)
            evening.run()
            return 0
        # Last: a mistyped camera or script must not leave a sitting behind that is gone on with.
        session = open_session(journal, clock, game, places, new=args.new, session=last)
        screen: Screen | None = window
        if window is not None or not isinstance(eyes, SyncReadingSource):
            screen = _heard(config, window, panels, session, stack)
        app = TableController(
            session,
            eyes,
            panels,
            clock,
            screen=screen,
            language=config.display.language,
            notices=journal.notices,
            looking=looking,
            teacher=HintProvider() if config.display.teaching else None,
        )
        app.frame_s = 0.0 if isinstance(eyes, SyncReadingSource) and window is None else FRAME_S
        session.listeners.append(_print_story)
        attend(app, eyes, lambda: session)
        app.run()
        for line in closing_lines(session.view):
            print(line)
        if app.asked:
            print(f"Asked {app.asked} times.", file=sys.stderr)
        if session.view.phase is Phase.DONE:
            session.close()
    return 0


def is_booth(args: argparse.Namespace, config: Config) -> bool:
    """Say whether the table runs itself; who names the players wants one game with them."""
    return bool(args.booth or (config.booth.enabled and args.players is None))


def _heard(
    config: Config,
    window: Window | None,
    panels: Sequence[Panel],
    session: Session,
    stack: contextlib.ExitStack,
) -> Screen:
    """Let be heard what the screen shows; a table without a screen can still be heard."""
    beep = next((panel.beep for panel in panels if isinstance(panel, GpioPanel)), None)
    speaker = open_speaker(config.sound, config.display.language, beep=beep)
    stack.callback(speaker.close)
    announcer = Announcer(speaker, config.display.language)
    session.listeners.append(announcer.listen)
    return NarratedScreen(window, announcer, speaker)


def _reader(game: GameConfig) -> Reader:
    lens = load_lens()
    if _has_bones(game):
        return BonesOnMat(bone_reader(game.bones), lens)
    packs = game.options.get("decks", 1)
    # A wrong number of packs is the engine's to refuse, with its own words.
    whole = packs if isinstance(packs, int) else 1
    return TableReader(packs=whole, deck=find_deck(game.deck or None), lens=lens)


def _has_bones(game: GameConfig) -> bool:
    """Say whether bones are thrown in it, by whatever name it was asked for."""
    return catalog.find(game.name).with_bones


def settings(args: argparse.Namespace) -> Config:
    """Return the config with the command line over it.

    Raises:
        ConfigError: an argument that cannot be used.
    """
    config = load()
    game = config.game
    if args.players is not None:
        names = tuple(name.strip() for name in args.players.split(",") if name.strip())
        if len(names) < 2:
            raise ConfigError('--players: needs two or more names; try --players "Ann,Bess"')
        try:
            check_names(names)
        except PlayersError as problem:
            raise ConfigError(f"--players: {problem}") from problem
        game = replace(game, players=names)
    if args.stake is not None:
        if args.stake < 1:
            raise ConfigError(f"--stake: {args.stake} is below 1; try --stake 1")
        game = replace(game, stake=args.stake)
    if args.game is not None:
        # A preset belongs to its game: the config's must not be laid over another.
        game = replace(game, name=args.game, preset="", options={})
    game = replace(
        game,
        preset=game.preset if args.preset is None else args.preset,
        dealer=game.dealer if args.dealer is None else args.dealer,
        bones=game.bones if args.bones is None else args.bones,
        deck=game.deck if args.deck is None else args.deck,
    )
    if args.stake is not None and not game.has_stake:
        raise ConfigError(
            f"--stake: no stake is agreed for all in {game.name}; leave --stake out, "
            f"and see what is agreed: boneace rules {game.name}"
        )
    camera = config.camera if args.camera is None else replace(config.camera, spec=args.camera)
    journal = config.journal
    if args.journal is not None:
        journal = replace(journal, path=str(args.journal))
    return replace(config, game=game, camera=camera, journal=journal)


def seats(args: argparse.Namespace, game: GameConfig) -> tuple[int, ...]:
    """Return the seat of each player.

    Raises:
        ConfigError: not as many seats as players.
    """
    if args.seats is None:
        return tuple(range(len(game.players)))
    words = [word.strip() for word in args.seats.split(",")]
    if len(words) != len(game.players) or not all(word.isdecimal() for word in words):
        raise ConfigError(
            f"--seats: {args.seats!r} does not give {len(game.players)} players a number each; "
            f"try --seats {','.join(str(n) for n in range(len(game.players)))}"
        )
    return tuple(int(word) for word in words)


def unfinished(journal: Journal, clock: Clock) -> Session | None:
    """Return the sitting to go on with; ``None`` where there is none, or it cannot be played."""
    with contextlib.suppress(BoneAceError):  # :func:`open_session` ends it and says so
        return Session.unfinished(journal, clock)
    return None


def check_asked(args: argparse.Namespace, session: Session) -> None:
    """Refuse arguments that ask for another game than the unfinished *session*.

    Raises:
        UsageError: they do; the message names each, and both ways to go on.
        UnknownGameError: no game has the name that is asked for.
    """
    begun = _begun_with(session)
    other = {
        name: value
        for name, value in _asked(args).items()
        if _spelled(name, value, session) != begun[name]
    }
    if not other:
        return
    people = ", ".join(seat.name for seat in session.view.seats)
    differs = ", ".join(
        f"--{name} {value} (the unfinished game has {begun[name]})" for name, value in other.items()
    )
    raise UsageError(
        f"hand {session.view.hand_number} of {people} is unfinished, and another game is asked "
        f"for: {differs}; leave out {' and '.join(f'--{name}' for name in other)} to go on with "
        "the unfinished game, or add --new to begin a new one"
    )


def _asked(args: argparse.Namespace) -> dict[str, str]:
    """Return the arguments of :data:`OF_THE_GAME` that are given."""
    found = {name: getattr(args, name) for name in OF_THE_GAME}
    return {name: str(value) for name, value in found.items() if value is not None}


def _begun_with(session: Session) -> dict[str, str]:
    """Return what each of :data:`OF_THE_GAME` is in *session*."""
    setup, players = session.state.setup, session.sitting.players
    return {
        "game": setup.game.name,
        "preset": setup.preset,
        "players": ",".join(str(player["name"]) for player in players),
        "seats": ",".join(str(player["seat"]) for player in players),
        "stake": str(getattr(setup.options, "stake", "none that all share")),
        "dealer": "-1, they cut" if setup.dealer is None else str(setup.dealer),
    }


def _spelled(name: str, value: str, session: Session) -> str:
    """Return the *value* of an argument as :func:`_begun_with` spells it."""
    game = session.state.setup.game
    if name == "game":
        return catalog.find(value).name
    if name == "preset":
        return value or game.presets[0].name
    if name in ("players", "seats"):
        return ",".join(word.strip() for word in value.split(",") if word.strip())
    if name == "dealer" and int(value) < 0:
        begun = _begun_with(session)
        return "-1, they cut" if game.cuts_for_deal else begun["seats"].rpartition(",")[2]
    return value


def end_unfinished(journal: Journal, clock: Clock) -> None:
    """End the unfinished sitting, if there is one."""
    sitting = journal.unfinished()
    if sitting is not None:
        journal.end(sitting.number, clock.wall())


def open_session(
    journal: Journal,
    clock: Clock,
    game: GameConfig,
    places: Sequence[int],
    *,
    new: bool = False,
    session: Session | None = None,
) -> Session:
    """Go on with the last sitting when nobody has ended it, else begin a new one.

    A sitting in which nothing has happened yet holds nothing to go on with: what is asked for
    now counts. *session* is the last sitting where it has been read already.
    """
    if new:
        end_unfinished(journal, clock)
    elif session is None:
        session = Session.resume_last(journal, clock)
    if session is not None:
        names = ", ".join(seat.name for seat in session.view.seats)
        print(f"Going on with hand {session.view.hand_number} of {names} (--new begins afresh).")
        return session
    dealer = None if game.dealer < 0 else game.dealer
    if dealer is None and not catalog.find(game.name).cuts_for_deal:
        # Who holds the bank first is agreed; unless they say so, the last seat has it.
        dealer = places[-1]
    session = Session.begin(
        journal,
        clock,
        game.name,
        [Player(seat, name) for seat, name in zip(places, game.players, strict=True)],
        dealer=dealer,
        preset=game.preset or None,
        options=game.changes,
        bones=set_name(game.bones) if _has_bones(game) else "",
    )
    for line in opening_lines(session.view):
        print(line)
    return session


def open_eyes(
    spec: str,
    watch: FrameProcessor,
    hearts: Heartbeats | None = None,
    wake: Callable[[], object] = lambda: None,
) -> ReadingSource:
    """Look at a recording frame by frame, and at a live camera beside the loop.

    *hearts* tell a watchdog that a live camera and the eyes are at work; *wake* is called when
    they have something to say.

    Raises:
        CameraError: no recording is called so, and no camera. A camera that is merely absent
            is waited for: the screen says so meanwhile.
    """
    if is_live(spec):
        freeze = FreezeDetector()

        def camera() -> Camera:
            return freeze.guard(open_camera(spec))

        def pause_s() -> float:
            return watch.pause_s if isinstance(watch, ReadingObserver) else 0.0

        return ThreadedReadingSource(camera, watch, hearts=hearts, pause_s=pause_s, wake=wake)
    return SyncReadingSource(open_camera(spec), watch)


def open_panels(
    config: Config, window: Window | None, presses: Path | None, eyes: ReadingSource
) -> list[Panel]:
    """Open what there is to press."""
    panels: list[Panel] = []
    if presses is not None:
        panels.append(ScriptedPanel.from_file(presses, lambda: eyes.frame - 1))
    if window is not None:
        panels.append(KeyboardPanel(window.keys))
        panels.append(TouchPanel(window.taps, lambda: at_the_table(touchables(window))))
    pins = config.panel.pins()
    if box_of(config.panel.backend) is not None:
        panels.append(open_box(config.panel.backend))
    elif config.panel.backend == "gpio" or (config.panel.backend == "auto" and wires(pins)):
        try:
            full = config.panel.lamp_brightness / 100
            made = pin_factory(config.panel.chip)
            panels.append(GpioPanel(pins, full=full, pin_factory=made))
        except PanelError as problem:
            if config.panel.backend == "gpio":
                raise
            log.warning("%s", problem)
    return panels


def _print_story(event: Event, before: View, after: View) -> None:
    for line in tell(event, before, after):
        print(line, flush=True)

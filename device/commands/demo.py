"""``boneace demo``: whole hands on a drawn table, through the real eyes, from pixels to ledger."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from device.clock import Clock, HandClock, SystemClock
from device.config.model import ConfigError, load
from device.hardware.buttons import KeyboardPanel
from device.hardware.screen import is_seen
from device.narration.announcer import Announcer, NarratedScreen
from device.narration.speech import open_speaker
from device.runtime.camera_worker import ReadingSource, SyncReadingSource
from device.runtime.hints import HintProvider
from device.runtime.session import Session
from device.runtime.table import Screen, TableController
from device.simulator.bone_players import BonePlayers
from device.simulator.bone_table import BonesTable
from device.simulator.bones import DYES
from device.simulator.camera import SimulatedCamera
from device.simulator.demo import BoneTally, CardTally, Demo, Players
from device.simulator.players import CardPlayers
from device.simulator.recorder import PRESSES, Recorder, RecordingController
from device.simulator.scat_players import ScatPlayers
from device.simulator.scat_table import ScatTable
from device.simulator.table import SimulatedTable
from device.storage.bone_sets import bone_reader, set_name
from device.storage.journal import Journal
from display import Window
from display.drawing.theme import THEMES, Theme
from display.i18n.languages import ENGLISH, language_of_environment, languages
from display.i18n.translate import set_language
from display.window import DisplayError
from engine import Event, Player, apply, legal_actions, view
from engine.core.events import Correct
from engine.core.views import View
from engine.games import catalog
from engine.games.base import Action
from engine.table.visibility import actions_for
from vision import MotionGate, TableReader
from vision.bones.on_table import BonesOnMat
from vision.mat.pose import MatLayout
from vision.tracking.motion_gate import FrameReader

NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")
DECKS = ("modern", "four-colour", "old")
STYLES = ("cautious", "bold", "exact")
SIZE = (1280, 720)

LINGER = 30
"""Frames for which the window stays as it is when there is something to look at."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace demo --hands 1 --seed 7 --headless --out pictures"
    parser.add_argument("--hands", type=int, default=3, help="how many hands; default: 3")
    parser.add_argument("--seed", type=int, default=1, help="another shuffle; default: 1")
    parser.add_argument("--game", default="bone-ace", help="default: bone-ace")
    parser.add_argument("--preset", help="rules after which source")
    parser.add_argument("--players", type=int, default=4, help="how many, 2 to 8; default: 4")
    parser.add_argument(
        "--deck",
        choices=DECKS,
        default="modern",
        help="how the drawn cards look; none of them is taught",
    )
    parser.add_argument("--dye", choices=list(DYES), default="ivory", help="how the bones look")
    parser.add_argument(
        "--bones", metavar="NAME", help="read with a set taught before: boneace teach bones NAME"
    )
    parser.add_argument("--paper", default="A1", help="the size of the play mat; default: A1")
    parser.add_argument(
        "--language", choices=languages(), help="of the screen and the story; default: yours"
    )
    parser.add_argument("--theme", choices=tuple(THEMES), default="felt", help="the look")
    parser.add_argument("--teaching", action="store_true", help="show the chances")
    parser.add_argument("--sound", action="store_true", help="chimes and voice, as [sound] says")
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--out", type=Path, metavar="DIR", help="pictures and transcript go here")
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="keep every frame and press, for boneace play"
    )


def run(args: argparse.Namespace) -> int:
    """Play the hands; 0 when they were played to the end."""
    _check(args)
    language = args.language or language_of_environment()
    set_language(language)
    with contextlib.ExitStack() as stack:
        folder = args.out
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneace-demo-")))
        else:
            _make(folder)
        window, headless = _window(args.headless, THEMES[args.theme], language)
        stack.enter_context(window)
        # Without a window nobody waits: the clock goes on as fast as frames can be drawn.
        clock: Clock = HandClock(wall=SystemClock().wall()) if headless else SystemClock()
        names = NAMES[: args.players]
        journal = stack.enter_context(Journal(folder / "journal.sqlite3"))
        session = Session.begin(
            journal,
            clock,
            args.game,
            [Player(seat, name) for seat, name in enumerate(names)],
            # Who holds the bank first is agreed, not cut for; the last seat has it here.
            dealer=None if catalog.find(args.game).cuts_for_deal else args.players - 1,
            preset=args.preset,
            bones=set_name(args.bones) if args.bones else "",
        )
        table, people, tally = _company(args, session, lambda event: demo.app.correct(event))
        camera = SimulatedCamera(table)
        recorder = None if args.record is None else Recorder(camera, args.record)
        has_bones = catalog.find(args.game).with_bones
        reader: FrameReader = BonesOnMat(bone_reader(args.bones)) if has_bones else TableReader()
        eyes = SyncReadingSource(recorder or camera, MotionGate(reader))
        stack.callback(eyes.close)

        screen = _screen(args, None if headless else window, session, language, stack)

        def loop(noting: ReadingSource) -> TableController:
            panels = [] if headless else [KeyboardPanel(window.keys)]
            make: Callable[..., TableController] = TableController
            if recorder is not None:
                make = partial(RecordingController, on_press=recorder.press)
            teacher = HintProvider() if args.teaching else None
            return make(
                session, noting, panels, clock, screen=screen, language=language, teacher=teacher
            )

        demo = Demo(
            session,
            eyes,
            people,
            clock,
            tally=tally,
            fingerprint=table.fingerprint,
            say=_print,
            picture=window,
            out=args.out,
            app=loop,
            linger=0 if headless else LINGER,
            camera=lambda: camera.latest,
        )
        finished = demo.run(args.hands)
        session.close()
        if args.out is not None:
            text = "\n".join(demo.lines) + "\n"
            (args.out / "transcript.txt").write_text(text, encoding="utf-8")
            print(f"{len(demo.pictures)} pictures in {args.out}", file=sys.stderr)
        if recorder is not None:
            print(_how_to_score(args, recorder), file=sys.stderr)
    return 0 if finished else 1


def _company(
    args: argparse.Namespace,
    session: Session,
    put_right: Callable[[Correct], object] | None = None,
) -> tuple[SimulatedTable, Players, CardTally | BoneTally]:
    """Return the drawn table of the game, who plays at it, and what keeps count of the eyes.

    *put_right* tells the croupier what a misread card is.
    """
    layout = MatLayout(args.players, args.paper)
    styles = [STYLES[seat % len(STYLES)] for seat in range(args.players)]
    options = session.state.setup.options
    if session.view.is_of("knucklebones"):
        bones = BonesTable(layout, seed=args.seed, dye=args.dye)
        throwers = BonePlayers(
            bones, styles, options, lambda: legal_actions(session.state), lambda: session.view
        )
        return bones, throwers, BoneTally(bones.lying, bones.fingerprint)
    if session.view.is_of("scat"):
        return _scat_company(args, session, styles, put_right)
    if not session.view.is_of("one-and-thirty"):
        raise ConfigError(
            f"--game: nobody here plays {args.game}; play it with people: boneace play --game "
            f"{args.game}"
        )
    table = SimulatedTable(layout, style=args.deck, seed=args.seed)
    names = NAMES[: args.players]
    people = CardPlayers(table, args.seed, names, styles, options)
    return table, people, CardTally(table.face_up)


def _scat_company(
    args: argparse.Namespace,
    session: Session,
    styles: list[str],
    put_right: Callable[[Correct], object] | None,
) -> tuple[SimulatedTable, Players, CardTally]:
    """Return who plays Thirty-one; a variant with cards in the middle has a place more for them."""
    options = session.state.setup.options
    middle = None if options.table == "none" else args.players
    layout = MatLayout(args.players + (middle is not None), args.paper)
    table = ScatTable(layout, middle=middle, style=args.deck, seed=args.seed)

    def ask(seat: int, *supposed: Event) -> tuple[View, Sequence[Action]]:
        state = session.state
        for event in supposed:
            state = apply(state, event)
        return view(state, seat), actions_for(state, seat)

    names = NAMES[: args.players]
    people = ScatPlayers(table, args.seed, names, styles, options, ask, put_right)
    return table, people, CardTally(table.face_up)


def _check(args: argparse.Namespace) -> None:
    if args.hands < 1:
        raise ConfigError(f"--hands: {args.hands} is below 1; try --hands 3")
    if not 2 <= args.players <= len(NAMES):
        raise ConfigError(f"--players: {args.players} cannot sit; choose 2 to {len(NAMES)}")


def _how_to_score(args: argparse.Namespace, recorder: Recorder) -> str:
    """Say how the recording is played: with the players and the rules of this demo."""
    words = ["boneace", "play", "--headless", "--camera", str(args.record)]
    words += ["--presses", str(args.record / PRESSES)]
    words += ["--journal", str(args.record / "journal.sqlite3")]
    words += ["--players", ",".join(NAMES[: args.players]), "--game", args.game]
    if args.preset is not None:
        words += ["--preset", args.preset]
    if args.bones is not None:
        words += ["--bones", args.bones]
    return f"{recorder.frames} frames in {args.record}; score them: {shlex.join(words)}"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ConfigError(
            f"--out: {folder} cannot be made ({problem}); choose a folder you may write"
        ) from problem


def _screen(
    args: argparse.Namespace,
    window: Window | None,
    session: Session,
    language: str,
    stack: contextlib.ExitStack,
) -> Screen | None:
    """Return what the table is shown on, and heard by where ``--sound`` asks for it."""
    if not args.sound:
        return window
    speaker = open_speaker(load().sound, language)
    stack.callback(speaker.close)
    announcer = Announcer(speaker, language)
    session.listeners.append(announcer.listen)
    return NarratedScreen(window, announcer, speaker)


def _window(
    headless: bool, theme: Theme | None = None, language: str = ENGLISH
) -> tuple[Window, bool]:
    """Open a window; where there is no display, draw off screen and say so."""
    if not headless:
        with contextlib.suppress(DisplayError):
            window = Window(SIZE, theme=theme, language=language)
            if is_seen():
                return window, False
            window.close()
        print("No display here: playing headless.", file=sys.stderr)
    return Window(SIZE, headless=True, theme=theme, language=language), True


def _print(line: str) -> None:
    print(line, flush=True)

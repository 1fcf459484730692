"""``boneace demo``: whole hands on a drawn table, through the real eyes, from pixels to ledger."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from vision.mat import MatLayout

from device.app import App
from device.clock import HandClock, SystemClock
from device.config import ConfigError
from device.demo import Demo
from device.eyes import Eyes, SteadyEyes
from device.journal import Journal
from device.panels import KeyboardPanel
from device.session import Session
from device.virtual import VirtualCamera, VirtualPeople, VirtualTable
from display import Window
from display.window import DisplayError
from engine import Player
from vision import TableReader, TableWatch

NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")
DECKS = ("modern", "four-colour", "old")
STYLES = ("cautious", "bold", "exact")
SIZE = (1280, 720)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace demo --hands 1 --seed 7 --headless --out pictures"
    parser.add_argument("--hands", type=int, default=3, help="how many hands; default: 3")
    parser.add_argument("--seed", type=int, default=1, help="another shuffle; default: 1")
    parser.add_argument("--game", default="bone-ace", help="default: bone-ace")
    parser.add_argument("--preset", help="rules after which source")
    parser.add_argument("--players", type=int, default=4, help="how many, 2 to 8; default: 4")
    parser.add_argument("--deck", choices=DECKS, default="modern", help="how the cards look")
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--out", type=Path, metavar="DIR", help="pictures and transcript go here")


def run(args: argparse.Namespace) -> int:
    """Play the hands; 0 when they were played to the end."""
    _check(args)
    with contextlib.ExitStack() as stack:
        folder = args.out
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneace-demo-")))
        else:
            _make(folder)
        window, headless = _window(args.headless)
        stack.enter_context(window)
        wall = SystemClock()
        clock = HandClock(wall=wall.wall())
        table = VirtualTable(MatLayout(args.players), style=args.deck, seed=args.seed)
        names = NAMES[: args.players]
        styles = [STYLES[seat % len(STYLES)] for seat in range(args.players)]
        people = VirtualPeople(table, args.seed, names, styles)
        camera = VirtualCamera(table)
        eyes = SteadyEyes(camera, TableWatch(TableReader()))
        stack.callback(eyes.close)
        journal = stack.enter_context(Journal(folder / "journal.sqlite3"))
        session = Session.begin(
            journal,
            wall,
            args.game,
            [Player(seat, name) for seat, name in enumerate(names)],
            dealer=None,
            preset=args.preset,
        )

        def loop(noting: Eyes) -> App:
            if headless:
                return App(session, noting, [], clock)
            return App(session, noting, [KeyboardPanel(window.keys)], wall, screen=window)

        demo = Demo(
            session,
            eyes,
            people,
            clock,
            truth=table.face_up,
            lying=table.fingerprint,
            say=_print,
            picture=window,
            out=args.out,
            app=loop,
        )
        finished = demo.run(args.hands)
        session.close()
        if args.out is not None:
            text = "\n".join(demo.lines) + "\n"
            (args.out / "transcript.txt").write_text(text, encoding="utf-8")
            print(f"{len(demo.pictures)} pictures in {args.out}", file=sys.stderr)
    return 0 if finished else 1


def _check(args: argparse.Namespace) -> None:
    if args.hands < 1:
        raise ConfigError(f"--hands: {args.hands} is below 1; try --hands 3")
    if not 2 <= args.players <= len(NAMES):
        raise ConfigError(f"--players: {args.players} cannot sit; choose 2 to {len(NAMES)}")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ConfigError(
            f"--out: {folder} cannot be made ({problem}); choose a folder you may write"
        ) from problem


def _window(headless: bool) -> tuple[Window, bool]:
    """Open a window; where there is no display, draw off screen and say so."""
    if not headless:
        try:
            return Window(SIZE), False
        except DisplayError:
            print("No display here: playing headless.", file=sys.stderr)
    return Window(SIZE, headless=True), True


def _print(line: str) -> None:
    print(line, flush=True)

"""``boneace demo``: whole hands on a drawn table, from pixels to ledger, by the real networks."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import shlex
import shutil
import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

from device.app import build_demo
from device.commands.common import add_ages, add_set_argument, language_of, read_ages, say_doubt
from device.config.model import ConfigError, load
from device.croupier.open_cards import OpenCards, has_open_cards
from device.files import write_file
from device.simulator.bones import DYES
from device.simulator.camera import PRESSES, Recorder
from device.simulator.people import MIXES
from device.simulator.simulation import NAMES, SimulationSetup
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.i18n.translate import Translator
from engine.core.messages.message import N_, Message
from engine.core.options import parse_changes, uses_ages
from engine.games import catalog

DECKS = ("modern", "four-colour", "old")
PAPER = "A1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace demo --hands 1 --seed 7 --headless --out pictures"
    parser.add_argument("--hands", type=int, default=3, help="how many hands; default: 3")
    parser.add_argument("--seed", type=int, default=1, help="another shuffle; default: 1")
    parser.add_argument("--game", help="default: that of the config, with its rules")
    parser.add_argument("--preset", help="rules after which source")
    add_set_argument(parser)
    parser.add_argument(
        "--open",
        action="store_const",
        dest="open_cards",
        const=OpenCards.ALL,
        default=OpenCards.NONE,
        help="all cards are dealt face up: totals, who is over and who has 31 show as they fall",
    )
    parser.add_argument("--players", type=int, default=4, help="how many, 2 to 8; default: 4")
    add_ages(parser)
    parser.add_argument(
        "--people",
        dest="people_mix",
        metavar="MIX",
        choices=MIXES,
        default="",
        help="careful, mixed or wild people, who do not wait for the camera: fast, two-handed, "
        "hesitant, careless, talkative, forgetful, showing early, throwing in",
    )
    parser.add_argument(
        "--deck",
        choices=DECKS,
        default="modern",
        help="how the drawn cards look; the reader has been taught the old ones, without indices",
    )
    parser.add_argument("--dye", choices=list(DYES), default="ivory", help="how the bones look")
    parser.add_argument(
        "--bones", metavar="NAME", help="read with a set taught before: boneace teach bones NAME"
    )
    parser.add_argument("--paper", default=PAPER, help="the size of the play mat; default: A1")
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
    """Play the hands; return 0 when they were played to the end."""
    language = language_of(args)
    words = Translator.of(language)
    options: dict[str, object] = {}
    if args.game is None:
        configured = load().game
        args.game, options = configured.name, configured.changes
        if args.preset is None:
            args.preset = configured.preset or None
    game, preset = catalog.choose(args.game, args.preset)
    say_doubt(args.game)
    args.game, args.preset = game.name, preset.name
    args.options = options | parse_changes(game.options_type, args.set)
    _check(args)
    if args.out is not None:
        _make(args.out)
    told, args.ages = args.ages, ()
    setup = SimulationSetup(
        **{each.name: getattr(args, each.name) for each in fields(SimulationSetup)}
    )
    setup = replace(setup, ages=read_ages(told, args.players, setup.rules))
    with contextlib.ExitStack() as stack:
        demo, recorder = build_demo(
            setup,
            stack,
            partial(print, flush=True),
            language=language,
            theme=THEMES[args.theme],
            sound=load().sound if args.sound else None,
            teaching=args.teaching,
            headless=args.headless,
            out=args.out,
            record=args.record,
        )
        finished = demo.run(args.hands)
        demo.session.close()
        if args.out is not None:
            text = "\n".join(demo.lines) + "\n"
            write_file(args.out / "transcript.txt", text.encode())
            n = len(demo.pictures)
            kept = Message(
                "{n} picture in {folder}", "{n} pictures in {folder}", n, n=n, folder=str(args.out)
            )
            print(words.render(kept), file=sys.stderr)
        if recorder is not None:
            print(_how_to_score(args, setup, recorder), file=sys.stderr)
    print(what_next(words), file=sys.stderr)
    return 0 if finished else 1


def what_next(words: Translator) -> str:
    """Return what to do after a demo, with the command as it can be typed here."""
    command = "boneace" if shutil.which("boneace") else sys.argv[0]
    rest = f"{sys.executable} -m pip install --editable '.[mat,fast]'"
    first = [f"  {rest}  # {words(N_('first: the rest of what a table needs'))}"]
    if importlib.util.find_spec("gpiozero") is not None:  # make demo installs less
        first = []
    rows = (
        ("read photo.jpg", N_("your own cards, on a photograph")),
        ("watch", N_("your own cards, before a camera")),
        ("mat -o mat.pdf --tile A4", N_("the mat to play on, to be taped together")),
        ("play", N_("a game, with your cards and your camera")),
    )
    wide = max(len(typed) for typed, _told in rows)
    lines = (f"  {command} {typed.ljust(wide)}  # {words(told)}" for typed, told in rows)
    return "\n".join((words(N_("What next? The README tells more.")), *first, *lines))


def _check(args: argparse.Namespace) -> None:
    if args.open_cards is not OpenCards.NONE and not has_open_cards(args.game):
        raise ConfigError(
            f"--open: in {args.game} no cards lie at the places of the players; leave it out"
        )
    if args.people_mix:
        given = {
            "--open": args.open_cards is not OpenCards.NONE,
            "--record": args.record,
            "--paper": args.paper != PAPER,
        }
        for name in (name for name, value in given.items() if value):
            raise ConfigError(f"{name}: not with --people; leave out one of them")
    if args.hands < 1:
        raise ConfigError(f"--hands: {args.hands} is below 1; try --hands 3")
    if not 2 <= args.players <= len(NAMES):
        raise ConfigError(f"--players: {args.players} cannot sit; choose 2 to {len(NAMES)}")


def _how_to_score(args: argparse.Namespace, setup: SimulationSetup, recorder: Recorder) -> str:
    words = ["boneace", "play", "--headless", "--camera", str(args.record)]
    words += ["--presses", str(args.record / PRESSES)]
    words += ["--journal", str(args.record / "journal.sqlite3")]
    words += ["--players", ",".join(setup.names), "--game", args.game]
    if args.preset is not None:
        words += ["--preset", args.preset]
    for name, value in setup.options.items():
        words += ["--set", f"{name}={str(value).lower()}"]
    if setup.settings:
        words += ["--open-cards", args.open_cards]
    if uses_ages(setup.rules):
        words += ["--ages", ",".join(str(age) for _name, age in setup.people)]
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

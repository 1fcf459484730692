"""``boneace play``: the appliance on the table."""

from __future__ import annotations

import argparse
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.app import Appliance
from device.booth.booth import Booth
from device.commands import readings
from device.commands.common import (
    add_ages,
    add_set_argument,
    check_folder,
    is_number,
    read_ages,
    say_doubt,
)
from device.config.model import CameraConfig, Config, ConfigError, GameConfig, JournalConfig, load
from device.croupier.by_hand import can_be_entered
from device.croupier.open_cards import OpenCards, has_open_cards
from device.narration.story import closing_lines, opening_lines, tell_live
from device.output import READER_GONE, give_up_output, unwritten
from device.ports import MOST_SEATS
from device.runtime.readings import Out, play_readings, run_told
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.replay import STAKES
from device.usage import UsageError
from display.i18n.money import token_value
from display.i18n.translate import Translator
from engine import Event
from engine.core.messages.message import Message
from engine.core.options import parse_changes, uses_ages
from engine.core.players import PlayersError, check_names
from engine.core.views import Phase, View
from engine.games import catalog

log = logging.getLogger(__name__)

MONEY = ("token_value", "currency")
OF_THE_GAME = (
    *("game", "preset", "players", "ages", "seats", "stake", "dealer", "open_cards"),
    *MONEY,
)
"""Arguments that a game is begun with; one that goes on has them already."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace play --camera /dev/video0 --players Ann,Bess,Cecil --stake 2"
    parser.add_argument(
        "--camera", metavar="SPEC", help="picamera2, v4l2:0, a video, a folder of pictures, auto"
    )
    parser.add_argument(
        "--no-camera", action="store_true", help="each card and throw is entered by buttons"
    )
    parser.add_argument(
        "--deck", metavar="NAME", help="the deck on the table, taught before: boneace teach deck"
    )
    parser.add_argument(
        "--bones", metavar="NAME", help="the set of bones, taught before: boneace teach bones"
    )
    parser.add_argument("--presses", type=Path, metavar="FILE", help="a script of button presses")
    readings.add_arguments(parser)
    parser.add_argument("--players", help="names, clockwise, with commas between them")
    parser.add_argument(
        "--seats", help="their seats, such as 0,2,3 (0 is seat 1 of the mat); default: 0,1,2..."
    )
    parser.add_argument("--game", help="the game, such as bone-ace")
    parser.add_argument("--preset", help="rules after which source, such as willughby")
    add_set_argument(parser)
    add_ages(parser)
    parser.add_argument("--stake", type=int, help="tokens in one stake")
    parser.add_argument(
        "--open-cards",
        choices=list(OpenCards),
        help="which cards lie open for everybody where cards lie at the places; default: none",
    )
    parser.add_argument(
        "--token-value", metavar="AMOUNT", help="what one token is worth in money, such as 0.25"
    )
    parser.add_argument("--currency", metavar="CODE", help="of the money; default: EUR")
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
    asked = args.game
    config = settings(args)
    say_doubt(asked or config.game.name)
    played = readings.log_of(args)  # all of it is read before anything is opened or begun
    translator = Translator.of(config.display.language)
    # As a service we are stopped by SIGTERM: leave as by Ctrl-C, with everything closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    story = Story()
    with contextlib.ExitStack() as stack:
        appliance = Appliance(
            config,
            stack,
            headless=args.headless,
            fullscreen=args.fullscreen,
            script=args.presses,
            by_hand=args.no_camera,
        )
        if not args.no_camera and played is None:
            # Who names a set in the command wants that one, or none of the table.
            appliance.pass_over_sets([k for k in ("bones", "deck") if getattr(args, k) is None])
        # Naming the players asks for one game with them.
        booth = args.booth or (config.booth.enabled and args.players is None and played is None)
        forget_old = appliance.forget_old()
        last = None if args.new or (booth and not _asked(args)) else appliance.unfinished()
        places: tuple[int, ...] = ()
        if last is None:
            places = seats(args, config.game)
            if len(places) > MOST_SEATS and played is None and not args.no_camera:
                raise UsageError(
                    f"--players: a mat has places for {MOST_SEATS}, and {len(places)} are named; "
                    "leave some out, or name the cards yourselves with --no-camera"
                )
            if not booth:
                _ask_for_ages(config.game)
        else:
            check_asked(args, last)
        if args.no_camera:
            _check_can_be_entered(config.game.rules if last is None else last.state.setup.options)
        if booth:
            loop = appliance.booth(last, new=args.new, on_session=story.open)
            loop.tasks.append(forget_old)
            loop.run()
            return story.status
        if played is not None:
            told = readings.told_to(args, stack)
            table, clock = appliance.table_of_log(places, last, new=args.new)
            if not args.interactive:  # there standard output is for another program
                story.open(table.session, lambda: translator)
            play_readings(table, played.lines, clock, told=told, people=played.people)
        else:
            opened = readings.told_to(args, stack), readings.kept_in(args, stack)
            if appliance.has_menu:
                loop = appliance.booth(last, new=args.new, seats=places, on_session=story.open)
                loop.tasks.append(forget_old)
                table = _play_with_menu(loop, *opened)
            else:
                table = appliance.table(places, last, new=args.new)
                table.tasks.append(forget_old)
                story.open(table.session, lambda: translator)
                run_told(table, *opened, table.run)
        _end(table, translator, None if args.interactive else story)
    return story.status


def _play_with_menu(
    loop: Booth, told: Out | None, kept: Callable[[str], None] | None
) -> TableController:
    """Play until somebody quits; return the table of the last game."""
    first = loop.stage.in_play
    assert first is not None  # it begins with a game
    run_told(first, told, kept, loop.run)
    return loop.stage.table or first


def _end(table: TableController, translator: Translator, story: Story | None) -> None:
    """Tell how it stands at *table*, and end its session where no hand is in play."""
    if story is not None:
        story.say(closing_lines(table.session.view, translator))
    if table.asked:
        n = table.asked
        asked = Message("Asked {n} time.", "Asked {n} times.", n, n=n)
        print(translator.render(asked), file=sys.stderr)
    if table.session.view.phase is Phase.DONE:
        table.session.close()


def settings(args: argparse.Namespace) -> Config:
    """Return the config with the command line over it.

    Raises:
        BoneAceError: an argument that cannot be used.
    """
    config = load()
    check_folder(args.journal)
    _name_game(args)
    _read_money(args, config.game)
    laid_over = ("preset", "stake", "dealer", "bones", "deck", "open_cards", *MONEY)
    given: dict[str, Any] = {name: getattr(args, name) for name in laid_over}
    if args.players is not None:
        names = tuple(name.strip() for name in args.players.split(",") if name.strip())
        if len(names) < 2:
            raise ConfigError('--players: needs two or more names; try --players "Ann,Bess"')
        try:
            check_names(names)
        except PlayersError as problem:
            raise ConfigError(f"--players: {problem}") from problem
        given["players"] = names
        given["ages"] = ()  # those of the config are others'
    if args.stake is not None and args.stake < 1:
        raise ConfigError(f"--stake: {args.stake} is below 1; try --stake 1")
    game = config.game
    if args.game is not None:
        # A preset belongs to its game: the config's must not be laid over another.
        game = replace(game, name=args.game, preset="", options={})
    game = replace(game, **{name: value for name, value in given.items() if value is not None})
    if args.stake is not None and not (game.has_stake or catalog.find(game.name).lays_stakes):
        raise ConfigError(
            f"--stake: there are no stakes in {game.name}; leave --stake out, "
            f"and see what is agreed: boneace rules {game.name}"
        )
    if args.open_cards not in (None, OpenCards.NONE) and not has_open_cards(game.name):
        raise ConfigError(
            f"--open-cards: in {game.name} no cards lie at the places of the players; leave it out"
        )
    changes = parse_changes(catalog.find(game.name).options_type, args.set)
    # --stake counts before the config's options, and after what is set beside it.
    kept = {
        name: value for name, value in game.options.items() if name != "stake" or args.stake is None
    }
    game = replace(game, options={**kept, **changes})
    if args.ages is not None:
        game = replace(game, ages=read_ages(args.ages, len(game.players), game.rules))
    camera = config.camera if args.camera is None else CameraConfig(args.camera)
    journal = config.journal if args.journal is None else JournalConfig(str(args.journal))
    return replace(config, game=game, camera=camera, journal=journal)


def _check_can_be_entered(options: object) -> None:
    if not can_be_entered(options):
        raise UsageError(
            "--no-camera: in this game cards in the middle change places with those of the "
            "players, which only a camera can follow; leave out --no-camera"
        )


def _name_game(args: argparse.Namespace) -> None:
    """Let ``--game`` be the game's own name; the name of a variant chooses its preset too."""
    if args.game is None:
        return
    found, preset = catalog.choose(args.game, args.preset)
    args.game = found.name
    if preset is not found.presets[0]:
        args.preset = preset.name


def _read_money(args: argparse.Namespace, game: GameConfig) -> None:
    """Let ``--token-value`` be written as a session keeps it; the config may tell the currency."""
    if args.token_value is None and args.currency is not None and not game.token_value:
        raise ConfigError("--currency: no token value is set; add for example --token-value 0.25")
    text = args.token_value or game.token_value
    if text and (args.token_value or args.currency):
        worth = token_value(text, args.currency or game.currency)
        args.token_value, args.currency = worth.of(1).plain, worth.currency


def _ask_for_ages(game: GameConfig) -> None:
    """Say on standard error that ages decide and are not told: the game goes on without."""
    if uses_ages(game.rules) and None in (age for _name, age in game.people):
        print(
            "By these rules the older player goes before the younger. Tell how old they are: "
            f"--ages {','.join('30' for _player in game.players)} (in the order of the players). "
            "Until then who sits first on the dealer's left counts as the oldest.",
            file=sys.stderr,
        )


def seats(args: argparse.Namespace, game: GameConfig) -> tuple[int, ...]:
    """Return the seat of each player.

    Raises:
        ConfigError: not as many seats as players.
    """
    if args.seats is None:
        return tuple(range(len(game.players)))
    words = [word.strip() for word in args.seats.split(",")]
    if len(words) != len(game.players) or not all(is_number(word) for word in words):
        raise ConfigError(
            f"--seats: {args.seats!r} does not give {len(game.players)} players a number each; "
            f"try --seats {','.join(str(n) for n in range(len(game.players)))}"
        )
    return tuple(int(word) for word in words)


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
        if name in begun and _spelled(name, value, session) != begun[name]
    }
    setup = session.state.setup
    for text in args.set:
        ((option, value),) = parse_changes(setup.game.options_type, [text]).items()
        now = getattr(setup.options, option, "no such option")
        if now != value or type(now) is not type(value):
            other["set"], begun["set"] = text, f"{option}={now}"
    if not other:
        return
    people = ", ".join(seat.name for seat in session.view.seats)
    differs = ", ".join(
        f"{_argument(name)} {value} (the unfinished game has {begun[name]})"
        for name, value in other.items()
    )
    raise UsageError(
        f"hand {session.view.hand_number} of {people} is unfinished, and another game is asked "
        f"for: {differs}; leave out {' and '.join(map(_argument, other))} to go on with "
        "the unfinished game, or add --new to begin a new one"
    )


def _argument(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _asked(args: argparse.Namespace) -> dict[str, str]:
    found = {name: getattr(args, name) for name in OF_THE_GAME}
    asked = {name: str(value) for name, value in found.items() if value is not None}
    return asked | {f"set {text}": "" for text in args.set}


def _begun_with(session: Session) -> dict[str, str]:
    """Return what each of :data:`OF_THE_GAME` is in *session*."""
    setup, players = session.state.setup, session.record.players
    worth = session.token_value
    laid = next(iter(setup.start.get(STAKES, {}).values()), 1)
    return {
        "game": setup.game.name,
        "preset": setup.preset,
        "players": ",".join(str(player["name"]) for player in players),
        "ages": ",".join(str(player.get("age", "none")) for player in players),
        "seats": ",".join(str(player["seat"]) for player in players),
        "stake": str(getattr(setup.options, "stake", laid if setup.game.lays_stakes else "none")),
        "open_cards": str(session.open_cards),
        "token_value": "nothing" if worth is None else worth.of(1).plain,
        "currency": "none" if worth is None else worth.currency,
        "dealer": "-1, they cut" if setup.dealer is None else str(setup.dealer),
    }


def _spelled(name: str, value: str, session: Session) -> str:
    """Return the *value* of an argument as :func:`_begun_with` spells it."""
    game = session.state.setup.game
    if name == "game":
        return catalog.find(value).name
    if name == "preset":
        return value or game.presets[0].name
    if name in ("players", "ages", "seats"):
        return ",".join(word.strip() for word in value.split(",") if word.strip())
    if name == "dealer" and int(value) < 0:
        begun = _begun_with(session)
        return "-1, they cut" if game.cuts_for_deal else begun["seats"].rpartition(",")[2]
    return value


class Story:
    """Tells on standard output what happens; where that cannot be written, the game goes on.

    Attributes:
        status: of the program: 0 as long as all could be told.
    """

    def __init__(self) -> None:
        """Begin."""
        self.status = 0

    def say(self, lines: Iterable[str]) -> None:
        """Print *lines*, if all before could be printed."""
        if self.status:
            return
        try:
            for line in lines:
                print(line, flush=True)
        except BrokenPipeError:
            self.status = READER_GONE
            give_up_output()
        except OSError as problem:
            told = unwritten(problem)
            if not told:
                raise
            self.status = 1
            give_up_output()
            log.error("%s; the game goes on without its story", told)

    def open(self, session: Session, translator: Callable[[], Translator]) -> None:
        """Say who plays what in *session*, or that they go on; then what happens."""
        if session.events:
            names = ", ".join(seat.name for seat in session.view.seats)
            n = session.view.hand_number
            on = Message(
                "Going on with hand {n} of {names} (--new begins afresh).", n=n, names=names
            )
            self.say([translator().render(on)])
        else:
            self.say(opening_lines(session.view, translator()))

        def listen(event: Event, before: View, after: View, assumed: str) -> None:
            self.say(tell_live(event, before, after, assumed, translator()))

        session.listeners.append(listen)

"""What several commands share: recurring arguments, and the journal they read."""

from __future__ import annotations

import argparse
import contextlib
import socket
import sys
from pathlib import Path

from device.config.checks import OLDEST
from device.config.model import Config, ConfigError, load
from device.ports import Camera, EndOfFramesError, Image
from device.storage.journal.errors import JournalError
from device.storage.journal.reader import JournalReader, SessionRecord
from device.usage import UsageError
from display.i18n.languages import LANGUAGES, language_of_environment
from engine.core.errors import BoneAceError
from engine.core.options import uses_ages
from engine.core.text.limits import one_line
from engine.games import catalog


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Add ``--journal``, the file that :func:`journal_path` returns."""
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")


def check_folder(journal: Path | None) -> None:
    """Check that a *journal* that is named lies in a folder that is there, or in a new one of it.

    Raises:
        UsageError: more folders would have to be made: the name is rather misspelt.
    """
    if journal is not None and not journal.absolute().parent.parent.is_dir():
        raise UsageError(
            f"--journal: there is no folder {journal.absolute().parent.parent}; check the name, "
            "or make the folder"
        )


def add_session(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--sitting``; *default* names what is taken without it."""
    told = f"which sitting, from 1; default: {default}"
    parser.add_argument("--sitting", dest="session", type=int, metavar="SITTING", help=told)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add ``--language``, which :func:`language_of` returns."""
    told = f"{', '.join(LANGUAGES.names)}; default: yours"
    parser.add_argument("--language", metavar="L", help=told)


def language_of(args: argparse.Namespace) -> str:
    """Return the language of ``--language``, else that of the config or the machine."""
    if args.language is not None:
        return str(args.language)
    try:
        return load().display.language
    except ConfigError:
        return language_of_environment()  # a page of rules is read while the config is broken too


def confirm(question: str, what: str) -> bool:
    """Return whether *question* is answered with yes; who cannot be asked is told of ``--yes``."""
    if not sys.stdin.isatty():
        print(f"add --yes to {what} without being asked", file=sys.stderr)
        return False
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def add_set_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--set``, which lays single options over the preset."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="lay one option over the preset, such as late_31=single; may be given again; "
        "boneace rules GAME lists them",
    )


def add_unsealed(parser: argparse.ArgumentParser) -> None:
    """Add ``--unsealed``, for game records that have no digest."""
    parser.add_argument(
        "--unsealed",
        action="store_true",
        help="take a record without a digest, such as one written by hand",
    )


MOST_DIGITS = 9
"""Digits of a number that somebody may mean; Python turns some thousands into none."""


def is_number(word: str) -> bool:
    """Return whether *word* is a whole number, from 0, that somebody may mean: of few digits."""
    return word.isdecimal() and len(word) <= MOST_DIGITS


def check_broker(config: Config) -> None:
    """Check that the config names the broker of a hall.

    Raises:
        UsageError: it names none.
    """
    if not config.hall.broker:
        raise UsageError('no broker is named; write [hall] and below it broker = "HOST"')


class PortError(BoneAceError):
    """Pages cannot be served at an address."""


def listen(host: str, port: int, setting: str) -> socket.socket:
    """Return the socket at which pages are asked for; *setting* is where the port is set.

    Raises:
        PortError: it cannot be had.
    """
    try:
        family = socket.getaddrinfo(host or None, port, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as problem:  # the latter where the host cannot be a name
        why = str(getattr(problem, "strerror", problem)).partition(" (")[0]
        raise PortError(
            f"{host}:{port} cannot be used ({why}); if another program has it, set {setting}, else "
            "look at host there"
        ) from problem


def say_doubt(game: str) -> None:
    """Say on standard error what else the name of a *game* could mean."""
    if doubt := catalog.doubtful(game):
        print(doubt, file=sys.stderr)


def add_ages(parser: argparse.ArgumentParser) -> None:
    """Add ``--ages``, which :func:`read_ages` reads."""
    parser.add_argument(
        "--ages",
        metavar="AGES",
        help="of the players, in their order, such as 34,28,45; for rules that ask for them, "
        "such as --preset davis",
    )


def read_ages(text: str | None, players: int, options: object) -> tuple[int, ...]:
    """Return the ages that *text* tells; none without it.

    Raises:
        ConfigError: it does not give each of the *players* an age, or *options* ask for none.
    """
    if text is None:
        return ()
    words = [word.strip() for word in text.split(",")]
    whole = all(is_number(word) and int(word) <= OLDEST for word in words)
    if not whole or len(words) != players:
        example = ",".join(str(30 + number) for number in range(players))
        raise ConfigError(
            f"--ages: {text!r} does not give {players} players an age from 0 to {OLDEST} each; "
            f"try --ages {example}"
        )
    if not uses_ages(options):
        raise ConfigError(
            "--ages: nobody's age decides anything by these rules; leave --ages out, or let the "
            "older player go first: --set eldest_means=age"
        )
    return tuple(map(int, words))


def add_thing(parser: argparse.ArgumentParser, name: str, summary: str) -> argparse.ArgumentParser:
    """Add a word that must follow the command, and return the parser of what comes after it."""
    things = parser.add_subparsers(dest="thing", metavar="WHAT", required=True)
    sub = things.add_parser(name, help=summary, description=f"Tell {summary}.")
    sub.epilog = parser.epilog
    return sub


def add_camera(parser: argparse.ArgumentParser) -> None:
    """Add ``--camera``."""
    parser.add_argument("--camera", metavar="SPEC", help="picamera2, v4l2:0, a video, a folder")


def read_frames(camera: Camera, count: int) -> list[Image]:
    """Read *count* frames; fewer where a recording is over sooner.

    Raises:
        CameraError: no frame came.
    """
    frames = [camera.read().image]
    with contextlib.suppress(EndOfFramesError):
        frames.extend(camera.read().image for _ in range(count - 1))
    return frames


def chart_marks(encoding: str | None) -> tuple[str, str, str]:
    """Return what a chart is drawn with on a terminal of this *encoding*."""
    from device.reports.fairness import BLOCKS, PLAIN

    try:
        "".join(BLOCKS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return BLOCKS


def complain(text: str) -> None:
    """Print *text* as one line on standard error; what a file from elsewhere holds is escaped."""
    print(one_line(text), file=sys.stderr)


UNREADABLE = "could be read: the journal is damaged, or somebody has changed it"
"""Ends the sentence that there is nothing, where that is so only for what is damaged."""


def journal_path(args: argparse.Namespace) -> Path:
    """Return the journal that *args* name, or the config.

    Raises:
        ConfigError: it is not named, and the config cannot be used.
    """
    path: Path = args.journal or load().journal.file
    return path


def open_journal(args: argparse.Namespace) -> JournalReader:
    """Open the journal of *args* for reading.

    Raises:
        JournalError: it cannot be read.
        ConfigError: it is not named, and the config cannot be used.
    """
    return JournalReader(journal_path(args))


def find_session(journal: JournalReader, number: int | None) -> SessionRecord:
    """Return session *number*, or the last.

    Raises:
        JournalError: it is not there; the message names those that are.
    """
    sessions = journal.sittings()
    if not sessions and journal.damage:
        raise JournalError(
            f"{journal.path}: no sitting {UNREADABLE}; go back to a copy: boneace restore"
        )
    if not sessions:
        raise JournalError(f"{journal.path}: nobody has sat down yet; play a hand: boneace play")
    for session in sessions:
        if session.number == number:
            return session
    if number is None:
        return sessions[-1]
    raise JournalError(
        f"--sitting: there is no sitting {number}; choose one from {sessions[0].number} to "
        f"{sessions[-1].number}"
    )

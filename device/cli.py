"""The ``boneace`` command: parse the arguments, call one command, report errors in one line."""

from __future__ import annotations

import sys

try:
    import argparse
    import contextlib
    import errno
    import importlib
    import io
    import logging
    import os
    import shlex
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any, NoReturn

    from device import plugins
    from device.output import READER_GONE, give_up_output, unwritten
    from device.service.systemd import error_lines, formatter
    from device.usage import UsageError
    from device.version import missing_for, program_version
    from engine.core.errors import BoneAceError
    from engine.core.text.limits import one_line
    from engine.core.text.suggest import nearest
    from engine.games.catalog import OtherGameError
except KeyboardInterrupt:
    sys.exit(130)  # as main does: Ctrl-C while all this is imported is silent, too

LONGEST_ERROR = 20_000
"""Characters: a config's problems, each on a line, may be many."""

COMMANDS = {
    "play": "run the table: camera, screen, buttons",
    "web": "serve the table's pages: phones as buttons, a scoreboard, an overlay for streams",
    "count": "count bones that are thrown, or cards that are laid, without any game",
    "demo": "play whole hands on a drawn table, with the real reader",
    "read": "read cards and knucklebones on photographs",
    "watch": "tell what lies before a camera, a line for each change",
    "check": "deal a deck past the camera: which cards are missing, or too many",
    "bones": "how often each face of the bones fell, and whether they are fair",
    "teach": "learn a deck of cards, or a set of bones, from a few looks",
    "mat": "print a play mat (PDF)",
    "card": "print a card for visitors, to lay beside the table (PDF)",
    "wiring": "which wire goes to which pin, as a table and a picture",
    "referee": "replay written game records and judge them",
    "replay": "tell the story of the hands in a journal or a game record",
    "rules": "print a page of rules with the options in force",
    "odds": "what each seat and the deal are worth, and the chances of each total",
    "export": "write a sitting of the journal as a game record",
    "ledger": "who won what: the tokens of the journal",
    "correct": "put a hand right, make it void, or write an entry; shows what changes",
    "accuracy": "what was read, and what people put right, by card and by seat",
    "calibrate": "find the mat, and measure how the lens bends",
    "config": "what is set, where it comes from, and what every key means",
    "doctor": "check camera, screen, buttons, models, disk and service",
    "support": "bundle a report for an issue, with nobody's name in it",
    "backup": "copy journal, settings, decks and bones: to the state folder, and to a USB stick",
    "restore": "list the copies there are, or bring one back",
    "publish": "send what happens at this table to an MQTT broker, for a hall",
    "hall": "listen to all tables of a hall: one page, a ranking, CSV",
    "name": "the name of this table, in its copies, support reports and a hall",
    "erase": "remove a player's name, or whole sittings, from journal and copies",
}
"""Name and help of every command; ``device/commands/NAME.py`` holds it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0 done, 1 failed, 2 misused; 130 stopped by Ctrl-C, 141 the reader of the output has gone.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = next((each for each in arguments if each in COMMANDS), "")
    try:
        try:
            return _run(arguments)
        finally:
            # Here, and not when Python ends: what cannot be written must be told.
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except Exception as problem:
        if os.environ.get("BONEACE_DEBUG"):
            raise
        lines = _explained(problem)
        if lines is None:
            raise
        give_up_output()
        if lines:
            # What a file from elsewhere holds must not control the terminal.
            told = "\n".join(map(one_line, lines))[:LONGEST_ERROR]
            said_by = f"boneace {name}".strip()
            print(error_lines(f"{said_by}: {told}", os.environ), file=sys.stderr)
        if isinstance(problem, BrokenPipeError):
            return READER_GONE
        return 2 if isinstance(problem, (UsageError, OtherGameError)) else 1


def _run(arguments: Sequence[str]) -> int:
    # pygame greets on standard output, where results belong.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The name of a file need not be text.
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = _Parser(
        prog="boneace", description="A table that reads real cards, and keeps the score."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    parser.add_argument("--verbose", action="store_true", help="tell more on standard error")
    _add_config(parser, default=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    plugins.enable()
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary)
        _add_config(sub, default=argparse.SUPPRESS)
        # Only the command asked for is imported: `boneace mat` must not wait for OpenCV or pygame.
        if name in arguments:
            importlib.import_module(f"device.commands.{name}").add_arguments(sub)
    args = parser.parse_args(arguments)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(os.environ))
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO, handlers=[handler])
    command = importlib.import_module(f"device.commands.{args.command}")
    with contextlib.ExitStack() as stack:
        if args.config_file is not None:
            # Only now: the config knows pins and themes, for which much is imported.
            from device.config.model import with_config_file

            stack.enter_context(with_config_file(args.config_file))
        return int(command.run(args))


def _missing(module: str) -> Sequence[str] | None:
    """Return how to install what is not there; ``make demo`` leaves some."""
    wanted = missing_for(module)
    if not wanted:
        return None
    install = shlex.join([sys.executable, "-m", "pip", "install", *wanted])
    return (f"this needs {module}, which is not installed; run: {install}",)


def _explained(problem: Exception) -> Sequence[str] | None:
    """Return what went wrong and what to do, in lines; ``None`` where it is our own fault."""
    if isinstance(problem, BoneAceError):
        # Only a config has several problems.
        return getattr(problem, "lines", None) or (str(problem),)
    if isinstance(problem, BrokenPipeError):
        return ()  # the reader of our output has what it wants (`boneace read ... | head`)
    if is_out_of_memory(problem):
        return ("there is not enough memory; close other programs, then do it again",)
    if isinstance(problem, ModuleNotFoundError):
        return _missing((problem.name or "").split(".")[0])
    if not isinstance(problem, OSError):
        return None
    if problem.filename is not None:
        name = os.fsdecode(problem.filename)
        return (f"{name}: cannot be used ({problem.strerror}); check its name and its owner",)
    told = unwritten(problem)
    return (told,) if told else None


def is_out_of_memory(problem: Exception) -> bool:
    """Return whether memory was short: each library says so in its own way."""
    if isinstance(problem, MemoryError) or getattr(problem, "errno", None) == errno.ENOMEM:
        return True
    if isinstance(problem, ImportError):
        return "failed to map segment" in str(problem) or "annot allocate" in str(problem)
    return getattr(problem, "code", None) == -4  # OpenCV's number for it


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, and nothing of what it cannot print in silence."""

    def error(self, message: str) -> NoReturn:
        """End with status 2 and one line on standard error."""
        end = "" if message.endswith("?") else ";"
        self.exit(2, f"{self.prog}: {one_line(message)}{end} see: {self.prog} --help\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse here what is left over: the parser of the whole knows no command's options."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            near = nearest(left[0].partition("=")[0], self._option_string_actions, cutoff=0.7)
            meant = f"; did you mean {near}?" if near and left[0].startswith("-") else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{meant}")
        return found, left

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.dest == "command" and value not in COMMANDS:
            near = nearest(value, COMMANDS)
            meant = f"; did you mean {near!r}?" if near else ""
            raise argparse.ArgumentError(None, f"unknown command {value!r}{meant}")
        super()._check_value(action, value)

    def _print_message(self, message: str, file: Any = None) -> None:
        # The original passes over a full disk.
        (file or sys.stderr).write(message)


class _Version(argparse.Action):
    """Print the version, which is in ``pyproject.toml`` alone, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        # Only now: it takes longer than all other arguments together.
        print(f"boneace {program_version()}")
        parser.exit()


def _add_config(parser: argparse.ArgumentParser, default: object) -> None:
    """Accept the config before the command or after it."""
    parser.add_argument(
        "--config",
        dest="config_file",
        type=Path,
        metavar="FILE",
        default=default,
        help="a config laid over those of the system and the user",
    )


if __name__ == "__main__":
    sys.exit(main())

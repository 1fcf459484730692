"""The options of ``boneace play`` for logs of what was seen; docs/reference/readings.md."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.croupier.lines import Line
from device.files import LineFile
from device.runtime.readings import (
    Interactive,
    Out,
    People,
    TruthTeller,
    read_answers,
    read_log,
)
from device.runtime.truth import Truth
from device.usage import UsageError

INSTEAD = ("camera", "no_camera", "presses", "keep_readings", "booth")
"""Arguments that mean nothing where a log is played."""

WITHOUT_CAMERA = ("camera", "keep_readings")
"""Arguments that mean nothing without a camera."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that are about logs."""
    parser.add_argument(
        "--readings",
        type=Path,
        metavar="FILE",
        help="play a log of what was seen, instead of a camera and presses",
    )
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="what is true: answers the questions of a log"
    )
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="tell each line of a log's table on standard output, and read answers from the input",
    )
    parser.add_argument(
        "--told",
        type=Path,
        metavar="FILE",
        help="write what the table books, asks and says, line by line",
    )
    parser.add_argument(
        "--keep-readings",
        type=Path,
        metavar="FILE",
        help="write what the camera sees, and the presses, as a log for --readings",
    )


@dataclass(frozen=True, slots=True)
class Log:
    """A log that is to be played, and who answers its questions: ``None`` for nobody."""

    lines: Sequence[Line]
    people: People | None


def log_of(args: argparse.Namespace) -> Log | None:
    """Return the log that is to be played, all of it checked; ``None`` where there is none.

    Raises:
        UsageError: the arguments do not go together.
        ReadingsError: the log or the file of answers cannot be read.
    """
    given = [name for name in INSTEAD if getattr(args, name)]
    if args.readings is not None and given:
        raise UsageError(
            f"--readings takes the place of the camera and its presses; leave out {_names(given)}"
        )
    unseen = [name for name in WITHOUT_CAMERA if getattr(args, name)]
    if args.no_camera and unseen:
        raise UsageError(f"--no-camera sees nothing; leave out {_names(unseen)}")
    only = [name for name in ("answers", "interactive") if getattr(args, name)]
    if args.readings is None and only:
        raise UsageError(f"{_names(only)} needs a log to be played: add --readings FILE")
    if len(only) == 2:
        raise UsageError("--answers and --interactive both answer; leave out one of them")
    if args.booth and (args.told or args.keep_readings):
        raise UsageError("--told and --keep-readings are for one table; leave out --booth")
    _check_different(args)
    if args.readings is None:
        return None
    people: People | None = None
    if args.interactive:
        people = Interactive(0 if sys.stdin is None else sys.stdin.fileno())
    elif args.answers is not None:
        people = TruthTeller(Truth(read_answers(args.answers)))
    return Log(read_log(args.readings), people)


def told_to(args: argparse.Namespace, stack: contextlib.ExitStack) -> Out | None:
    """Return what takes each line that is told; ``None`` where nobody wants it.

    Raises:
        OSError: a file cannot be opened; when *stack* closes: it could not be written.
    """
    takers: list[Callable[[str], None]] = []
    if args.told is not None:
        takers.append(_file(args.told, stack))
    if args.interactive:
        takers.append(_print)
    if not takers:
        return None

    def tell(line: dict[str, Any]) -> None:
        text = json.dumps(line, ensure_ascii=False)
        for take in takers:
            take(text)

    return tell


def kept_in(args: argparse.Namespace, stack: contextlib.ExitStack) -> Callable[[str], None] | None:
    """Return what takes the lines of the log that is kept; ``None`` where none is wanted.

    Raises:
        OSError: the file cannot be opened; when *stack* closes: it could not be written.
    """
    return None if args.keep_readings is None else _file(args.keep_readings, stack)


def _file(path: Path, stack: contextlib.ExitStack) -> Callable[[str], None]:
    file = LineFile(path)
    stack.callback(file.close)
    return file.write


def _print(text: str) -> None:
    print(text, flush=True)


def _names(names: list[str]) -> str:
    return " and ".join(f"--{name.replace('_', '-')}" for name in names)


def _check_different(args: argparse.Namespace) -> None:
    """Refuse one file for two purposes: what is written would destroy what is read."""
    names = ("readings", "answers", "told", "keep_readings", "journal", "presses", "camera")
    found: dict[Path, str] = {}
    for name in names:
        value = getattr(args, name)
        if value is None:
            continue
        path = Path(value).absolute()
        with contextlib.suppress(OSError, RuntimeError):
            path = path.resolve()
        if path in found:
            raise UsageError(f"{_names([found[path], name])} name one file: {value}")
        found[path] = name

"""``boneace count``: bones that are thrown, or cards that are laid, without any game."""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.app import Appliance
from device.commands.common import chart_marks, check_folder
from device.config.model import CameraConfig, Config, JournalConfig, load
from device.croupier.counting.counter import Kind, Throw
from device.reports.bone_counts import FaceCounts
from device.reports.fairness import chart, falls
from device.runtime.counting import Counting, bars
from device.usage import UsageError
from engine.core.bones import Face
from engine.core.text.counted import counted

COLUMNS = ("throw", "seconds", "number", "what", "value", "by_hand", "total")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace count bones --camera /dev/video0"
    kinds = parser.add_subparsers(dest="kind", metavar="WHAT", required=True)
    for kind, what in ((Kind.BONES, "each throw of knucklebones"), (Kind.CARDS, "each card")):
        summary = f"count {what}, say the total, and show how often each fell"
        sub = kinds.add_parser(str(kind), help=summary, description=f"{summary.capitalize()}.")
        sub.epilog = parser.epilog
        seen = sub.add_mutually_exclusive_group()
        seen.add_argument(
            "--camera",
            metavar="SPEC",
            help="picamera2, v4l2:0, a video, a folder, auto",
        )
        seen.add_argument(
            "--no-camera", action="store_true", help=f"{kind} are entered by buttons, keys or touch"
        )
        told = sub.add_mutually_exclusive_group()
        told.add_argument(
            "--csv", action="store_true", help=f"at the end a line for each {str(kind)[:-1]}"
        )
        told.add_argument(
            "--json", action="store_true", help="a line for each throw when it rests, as JSON"
        )
        if kind is Kind.BONES:
            sub.add_argument("--bones", metavar="NAME", help="the set, taught: boneace teach bones")
        else:
            sub.add_argument("--deck", metavar="NAME", help="the deck, taught: boneace teach deck")
        sub.add_argument("--headless", action="store_true", help="no window; throws are printed")
        sub.add_argument("--fullscreen", action="store_true", help="the whole screen")
        sub.add_argument("--presses", type=Path, metavar="FILE", help="a script of button presses")
        sub.add_argument(
            "--journal", type=Path, metavar="PATH", help="the journal's file; counts lie beside it"
        )


def run(args: argparse.Namespace) -> int:
    """Count until somebody ends it, or the film is over."""
    kind = Kind(args.kind)
    if args.no_camera and args.headless and args.presses is None:
        raise UsageError(
            f"--no-camera: {kind} are entered in the window; leave out --headless, or add --presses"
        )
    # As a service we are stopped by SIGTERM: leave as by Ctrl-C, with everything closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    counting: Counting | None = None

    def hear(throw: Throw, how: str) -> None:
        if counting is None or args.csv:
            return
        if args.json:
            print(json.dumps(as_json(counting, throw, how)), flush=True)
        else:
            print(as_text(kind, throw, how), flush=True)

    with contextlib.ExitStack() as stack:
        appliance = Appliance(
            settings(args),
            stack,
            headless=args.headless,
            fullscreen=args.fullscreen,
            script=args.presses,
            by_hand=args.no_camera,
        )
        loop, counting = appliance.counting(kind, hear)
        with contextlib.suppress(KeyboardInterrupt):
            loop.run()
        if args.csv:
            _write_csv(counting)
        elif not args.json:
            print(*summary(counting), sep="\n")
    return 0


def settings(args: argparse.Namespace) -> Config:
    """Return the config with the command line over it."""
    config = load()
    check_folder(args.journal)
    given: dict[str, Any] = {name: getattr(args, name, None) for name in ("bones", "deck")}
    game = replace(config.game, **{name: value for name, value in given.items() if value})
    camera = config.camera if args.camera is None else CameraConfig(args.camera)
    journal = config.journal if args.journal is None else JournalConfig(str(args.journal))
    return replace(config, game=game, camera=camera, journal=journal)


def as_text(kind: Kind, throw: Throw, how: str) -> str:
    """Return a throw as a line for people."""
    name = f"{'throw' if kind is Kind.BONES else 'card'} {throw.number}"
    if how == "undone":
        return f"{name} taken back"
    what = " ".join(str(item.what) for item in throw.items)
    points = sum(item.value for item in throw.items)
    more = f", with what lies there {throw.total}" if throw.kept else ""
    again = " (put right)" if how == "again" else ""
    return f"{name}: {what}: {points}{more}{again}"


def as_json(counting: Counting, throw: Throw, how: str) -> dict[str, object]:
    """Return a throw as JSON data; ``how`` is new, again (put right, or more fell) or undone."""
    counter = counting.counter
    return {
        "throw": throw.number,
        "how": how,
        "seconds": counting.seconds(throw),
        str(counting.kind): [
            {"what": str(item.what), "value": item.value, "by_hand": item.by_hand}
            for item in throw.items
        ],
        "points": sum(item.value for item in throw.items),
        "total": throw.total,
        "unread": len(counter.unread),
        "beside": counter.beside,
        "counted": counter.counts.total(),
    }


def summary(counting: Counting) -> Iterator[str]:
    """Yield what the count came to, with the chart beside theory."""
    counter = counting.counter
    number = counter.counts.total()
    if not number:
        yield "Nothing was counted."
        return
    pace = f", {counter.pace:.0f} a minute" if counter.pace else ""
    if counting.kind is Kind.BONES:
        yield f"{counted(number, 'bone')} in {counted(len(counter.throws), 'throw')}{pace}."
    else:
        yield f"{counted(number, 'card')}{pace}."
    yield ""
    marks = chart_marks(sys.stdout.encoding)
    if counting.kind is Kind.BONES:
        faces = Counter({face: counter.counts[face] for face in Face})
        yield from falls(FaceCounts(first=faces, throws=len(counter.throws)), marks)
        return
    rows = bars(counting.kind, counter.counts)
    whole = max(max(row.high, row.published) for row in rows)
    for row in rows:
        yield f"{row.name!s:<4}{row.count:>5}{row.share:>6.0%}  {chart(row, whole, marks)}"
    bar, line, mark = marks
    yield f"{bar} laid   {line} its true chance lies here, 95 times of 100   {mark} in a pack"


def _write_csv(counting: Counting) -> None:
    write = csv.writer(sys.stdout, lineterminator="\n").writerow
    write(COLUMNS)
    for throw in counting.counter.throws:
        for number, item in enumerate(throw.items, start=1):
            by_hand = "yes" if item.by_hand else "no"
            seconds = counting.seconds(throw)
            write((throw.number, seconds, number, item.what, item.value, by_hand, throw.total))

"""``boneace doctor``: what works, what does not, and what to do about it."""

from __future__ import annotations

import argparse
import contextlib
import grp
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from device.config import SYSTEM_PATH, ConfigError, load, user_path
from device.journal import Journal, default_path
from engine.errors import BoneAceError

LITTLE_SPACE_MB = 100
DEVICES = Path("/dev")

NETWORKS = ("finder.onnx", "straightener.onnx", "reader.onnx")
"""What the eyes need: where cards lie, how they lie exactly, and which they are."""


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at; *remedy* is empty when there is nothing to do."""

    status: Status
    title: str
    detail: str
    remedy: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace doctor camera"
    parser.add_argument("name", nargs="?", choices=list(CHECKS), help="one check only")
    parser.add_argument("--json", action="store_true", help="for another program to read")


def run(args: argparse.Namespace) -> int:
    """Look at everything; 1 when something is a problem."""
    names = [args.name] if args.name else list(CHECKS)
    checks = [examine(name) for name in names]
    if args.json:
        print(json.dumps([asdict(check) for check in checks], indent=2))
    else:
        for check in checks:
            print(f"{check.status:<8} {check.title}: {check.detail}")
            if check.remedy:
                print(f"{'':<8} -> {check.remedy}")
        print(_summary(checks))
    return int(any(check.status is Status.PROBLEM for check in checks))


def examine(name: str) -> Check:
    """Run one check; whatever goes wrong in it is its result."""
    try:
        check = CHECKS[name]()
    except ConfigError:
        check = Check(
            Status.WARNING,
            name,
            "not looked at, because the config cannot be used",
            "mend the config first; this tells what is wrong with it: boneace doctor config",
        )
    except Exception as problem:
        check = Check(
            Status.PROBLEM,
            name,
            f"could not be looked at ({type(problem).__name__}: {problem})",
            "put this line into an issue",
        )
    return replace(check, detail=_homeless(check.detail), remedy=_homeless(check.remedy))


def _summary(checks: list[Check]) -> str:
    """Say in one line what it all comes to."""
    bad = [check.title for check in checks if check.status is Status.PROBLEM]
    if not bad:
        return "No problem found."
    count = "1 problem" if len(bad) == 1 else f"{len(bad)} problems"
    text = f"{count}: {', '.join(bad)}."
    if set(bad) <= {"camera", "buttons"}:
        text += " This needs neither camera nor buttons: boneace demo --headless"
    return text


def versions() -> Check:
    """Look at versions."""
    found = [f"Python {platform.python_version()}", platform.machine()]
    for name in ("boneace", "opencv-python-headless", "pygame-ce", "gpiozero", "numpy"):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{name} not installed")
    found.append(f"SQLite {sqlite3.sqlite_version}")
    return Check(Status.INFO, "versions", ", ".join(found))


def config() -> Check:
    """Look at the config."""
    try:
        load()
    except BoneAceError as problem:
        return Check(Status.PROBLEM, "config", str(problem), "mend what is named above")
    paths = [str(path) for path in (SYSTEM_PATH, user_path()) if path.exists()]
    if not paths:
        return Check(
            Status.INFO,
            "config",
            "none, the defaults hold",
            f"to change them, write {user_path()} or {SYSTEM_PATH}",
        )
    return Check(Status.OK, "config", f"{' and '.join(paths)} can be used")


def camera() -> Check:
    """Look at the camera."""
    from device.cameras import open_camera, video_devices

    spec = load().camera.spec
    try:
        eye = open_camera(spec)
    except BoneAceError as problem:
        if spec == "auto" and not video_devices() and importlib.util.find_spec("picamera2") is None:
            return Check(
                Status.PROBLEM,
                "camera",
                "none found: there is no video device, and picamera2 is not installed",
                "plug in a USB camera; or, on a Raspberry Pi with its own camera: sudo apt install "
                "python3-picamera2, and make the virtual environment with --system-site-packages",
            )
        return Check(
            Status.PROBLEM,
            "camera",
            str(problem),
            "do what the sentence says, or name another camera in the config: [camera] spec",
        )
    try:
        height, width = eye.read().image.shape[:2]
    except BoneAceError as problem:
        return Check(Status.PROBLEM, "camera", str(problem), "unplug it and plug it in again")
    finally:
        eye.close()
    return Check(Status.OK, "camera", f"{spec}: gives pictures of {width}x{height}")


def buttons() -> Check:
    """Look at the buttons."""
    panel = load().panel
    pins = panel.pins()
    wired = len(pins.buttons) + len(pins.turn_lamps) + (pins.attention_lamp is not None)
    if not wired or panel.backend == "keyboard":
        return Check(
            Status.INFO,
            "buttons",
            "the keyboard is used",
            "for wired buttons, name their pins in the config: [panel.console] have = 17",
        )
    named = f"{wired} pin{'' if wired == 1 else 's'} named"
    chips = sorted(DEVICES.glob("gpiochip*"))
    if not chips:
        return Check(
            Status.PROBLEM,
            "buttons",
            f"{named}, but this machine has no header (/dev/gpiochip*)",
            "run on a Raspberry Pi, or set [panel] backend to keyboard",
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        groups = ", ".join(sorted({grp.getgrgid(chip.stat().st_gid).gr_name for chip in chips}))
        return Check(
            Status.PROBLEM,
            "buttons",
            "the header may not be used by this user",
            f"join the group: sudo usermod -aG {groups} $USER, then log in again",
        )
    if importlib.util.find_spec("lgpio") is None:
        return Check(
            Status.PROBLEM,
            "buttons",
            "lgpio, which drives the header, is not installed",
            "run: sudo apt install python3-lgpio, and make the virtual environment with "
            "--system-site-packages; or: pip install 'boneace[gpio]'",
        )
    return Check(Status.OK, "buttons", f"{named}, the header can be used")


def display() -> Check:
    """Look at the display."""
    import pygame

    from device.screen import is_seen
    from display import Window

    connect = "connect a screen, or play without one: boneace play --headless"
    try:
        with _hushed(), Window((800, 480)):
            seen, driver = is_seen(), pygame.display.get_driver()
    except BoneAceError as problem:
        return Check(Status.WARNING, "display", str(problem), connect)
    if not seen:
        told = os.environ.get("SDL_VIDEODRIVER")
        why = f"none is used, as SDL_VIDEODRIVER={told} says" if told else "no screen found"
        return Check(Status.WARNING, "display", why, connect)
    return Check(Status.OK, "display", f"can be opened (SDL driver {driver})")


def models() -> Check:
    """Look at the networks."""
    from vision import TableReader
    from vision.models import load_network

    problems = []
    for name in NETWORKS:
        try:
            load_network(name)
        except (BoneAceError, OSError) as problem:
            problems.append(f"{name}: {problem}")
    if problems:
        return Check(
            Status.PROBLEM,
            "models",
            "; ".join(problems),
            "install boneace again: pip install --force-reinstall . in its clone",
        )
    TableReader()
    return Check(Status.OK, "models", f"{', '.join(NETWORKS)} can be loaded")


def space() -> Check:
    """Look at the free space."""
    folder = _journal_path().parent
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < LITTLE_SPACE_MB:
        return Check(
            Status.PROBLEM,
            "space",
            f"{free_mb} MB free for the journal",
            f"delete something on the disk of {folder}; the game stops when it is full",
        )
    return Check(Status.OK, "space", f"{free_mb} MB free for the journal")


def journal() -> Check:
    """Look at the journal."""
    path = _journal_path()
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        return Check(
            Status.PROBLEM,
            "journal",
            f"nothing can be written in {folder}",
            "run as the user it belongs to, or name another file in the config: [journal] path",
        )
    if not path.exists():
        return Check(Status.INFO, "journal", "none yet", "the first hand makes it: boneace play")
    try:
        with Journal(path, read_only=True) as opened:
            count = len(opened.sittings())
    except BoneAceError as problem:
        return Check(Status.PROBLEM, "journal", str(problem), "do what the sentence says")
    return Check(Status.OK, "journal", f"sound, {count} sitting{'' if count == 1 else 's'}")


CHECKS: dict[str, Callable[[], Check]] = {
    "versions": versions,
    "config": config,
    "camera": camera,
    "buttons": buttons,
    "display": display,
    "models": models,
    "space": space,
    "journal": journal,
}
"""The checks by name, in the order in which they run."""


def _journal_path() -> Path:
    return Path(load().journal.path or default_path())


def _homeless(text: str) -> str:
    """Take home paths out: the output may be pasted into an issue."""
    return text.replace(str(Path.home()), "~")


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Keep what C libraries write to standard error off it: looking for Wayland they grumble."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)

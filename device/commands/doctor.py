"""``boneace doctor``: what works, what does not, and what to do about it."""

from __future__ import annotations

import argparse
import grp
import importlib.metadata
import importlib.resources
import json
import os
import platform
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from device.config import load
from device.journal import Journal, default_path
from engine.errors import BoneAceError

LITTLE_SPACE_MB = 100


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
    checks = [examine(CHECKS[name]) for name in names]
    if args.json:
        print(json.dumps([asdict(check) for check in checks], indent=2))
    else:
        for check in checks:
            print(f"{check.status:<8} {check.title}: {check.detail}")
            if check.remedy:
                print(f"{'':<8} -> {check.remedy}")
    return int(any(check.status is Status.PROBLEM for check in checks))


def examine(check: Callable[[], Check]) -> Check:
    """Run one check; whatever goes wrong in it is its result."""
    try:
        return check()
    except Exception as problem:
        return Check(
            Status.PROBLEM,
            (check.__doc__ or "check").split(".")[0].removeprefix("Look at ").lower(),
            _homeless(f"could not be looked at ({type(problem).__name__}: {problem})"),
            "put this line into an issue",
        )


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
        return Check(Status.PROBLEM, "config", _homeless(str(problem)), "mend the keys named above")
    return Check(Status.OK, "config", "can be used")


def camera() -> Check:
    """Look at the camera."""
    from device.cameras import open_camera

    spec = load().camera.spec
    try:
        eye = open_camera(spec)
    except BoneAceError as problem:
        return Check(
            Status.PROBLEM,
            "camera",
            str(problem),
            "check the cable, or name one in [camera] spec of the config",
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
    if not wired:
        return Check(Status.INFO, "buttons", "no pins named in the config; the keyboard is used")
    chips = sorted(Path("/dev").glob("gpiochip*"))
    if not chips:
        return Check(
            Status.PROBLEM,
            "buttons",
            f"{wired} pins named, but this machine has no header (/dev/gpiochip*)",
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
    return Check(Status.OK, "buttons", f"{wired} pins named, the header can be used")


def display() -> Check:
    """Look at the display."""
    from display import Window

    had = os.environ.get("SDL_VIDEODRIVER")
    try:
        with Window((320, 200)):
            import pygame

            driver = pygame.display.get_driver()
    except BoneAceError as problem:
        return Check(
            Status.WARNING,
            "display",
            str(problem),
            "connect a screen, or play with --headless",
        )
    if driver in ("dummy", "offscreen"):
        return Check(
            Status.WARNING,
            "display",
            f"SDL draws nowhere (driver {driver}{', as SDL_VIDEODRIVER says' if had else ''})",
            "connect a screen, or play with --headless",
        )
    return Check(Status.OK, "display", f"driver {driver}")


def models() -> Check:
    """Look at the models."""
    folder = importlib.resources.files("vision") / "models"
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".onnx"))
    if not found:
        return Check(
            Status.PROBLEM, "models", "no model is installed", "install boneace again: pip install"
        )
    from vision import TableReader

    TableReader()
    return Check(Status.OK, "models", f"{', '.join(found)} can be loaded")


def space() -> Check:
    """Look at the free space."""
    folder = default_path().parent
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < LITTLE_SPACE_MB:
        return Check(
            Status.PROBLEM,
            "space",
            f"{free_mb} MB free for the journal",
            "delete something; the journal stops when the disk is full",
        )
    return Check(Status.OK, "space", f"{free_mb} MB free for the journal")


def journal() -> Check:
    """Look at the journal."""
    path = Path(load().journal.path or default_path())
    if not path.exists():
        return Check(Status.INFO, "journal", "none yet; the first hand makes it")
    try:
        with Journal(path, read_only=True) as opened:
            count = len(opened.sittings())
    except BoneAceError as problem:
        return Check(
            Status.PROBLEM, "journal", _homeless(str(problem)), "follow the sentence above"
        )
    return Check(Status.OK, "journal", f"sound, {count} sittings")


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


def _homeless(text: str) -> str:
    """Take home paths out: the output may be pasted into an issue."""
    return text.replace(str(Path.home()), "~")

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
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from device.clock import SystemClock
from device.commands.common import read_frames
from device.config.model import SYSTEM_PATH, ConfigError, load, load_layers, user_path
from device.diagnostics import machine, service, trial
from device.diagnostics.button_test import WAIT_S, ButtonTest
from device.diagnostics.check import Check, Status, failed, info, ok, warning
from device.diagnostics.hall import hall
from device.diagnostics.plugins import additions, check_box, try_box
from device.diagnostics.taught import taught
from device.hardware import pins as wiring
from device.hardware.buttons import GpioPanel, pin_factory
from device.hardware.panel_names import box_of
from device.narration.speech import PATIENCE_S
from device.storage.journal.reader import JournalReader
from device.storage.journal.recovery import is_cut_off
from engine.core.errors import BoneAceError
from engine.core.text.counted import counted
from engine.core.text.limits import one_line

VOICE_TRIAL = "Bone-Ace."
"""Spoken to check that samples come; it is not played."""

LITTLE_SPACE_MB = 100
DEVICES = Path("/dev")

FRAMES = 5
"""Frames of the camera that are assessed: flicker shows only from one to the next."""

NETWORKS = (
    "card_finder.onnx",
    "straightener.onnx",
    "reader.onnx",
    "corner_reader.onnx",
    "bones-finder.onnx",
    "bones-faces.onnx",
)
"""The networks of the card and bone readers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace doctor camera"
    parser.add_argument(
        "name",
        nargs="?",
        choices=[*CHECKS, *ONLY_BY_NAME],
        help="one check only; upgrade: try all that an upgrade must not break",
    )
    parser.add_argument("--json", action="store_true", help="for another program to read")
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="buttons: wait so long for each; 0 only looks; default: 10 at a terminal",
    )


def run(args: argparse.Namespace) -> int:
    """Run the checks and print them; return 1 when one is a problem."""
    names = [args.name] if args.name else list(CHECKS)
    checks = [examine(name) for name in names]
    if args.name == "buttons" and checks[0].status is Status.OK:
        # Without a terminal nobody can be asked to press anything.
        usual = WAIT_S if sys.stdin.isatty() else 0.0
        seconds = usual if args.seconds is None else args.seconds
        if seconds > 0:
            checks += try_buttons(seconds)
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
    """Run one check; an error in it becomes its result."""
    try:
        check = {**CHECKS, **ONLY_BY_NAME}[name]()
    except ConfigError:
        check = warning(
            "not looked at, because the config cannot be used",
            "mend the config first; this tells what is wrong with it: boneace doctor config",
        )
    except Exception as problem:
        check = failed(
            f"could not be looked at ({type(problem).__name__}: {problem})",
            "put this line into an issue",
        )
    # Without home paths: it may be pasted into an issue.
    detail, remedy = (text.replace(str(Path.home()), "~") for text in (check.detail, check.remedy))
    return replace(check, title=check.title or name, detail=detail, remedy=remedy)


def _summary(checks: list[Check]) -> str:
    bad = [check.title for check in checks if check.status is Status.PROBLEM]
    if not bad:
        return "No problem found."
    text = f"{counted(len(bad), 'problem')}: {', '.join(bad)}."
    if set(bad) <= {"camera", "buttons"}:
        text += " This needs neither camera nor buttons: boneace demo --headless"
    return text


def versions() -> Check:
    """List the versions of Python and of the libraries."""
    found = [f"Python {platform.python_version()}", platform.machine()]
    for name in ("boneace", "opencv-python-headless", "pygame-ce", "gpiozero", "numpy"):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{name} not installed")
    found.append(f"SQLite {sqlite3.sqlite_version}")
    return info(", ".join(found))


def config() -> Check:
    """Check that the config can be used."""
    try:
        layers = load_layers()
    except BoneAceError as problem:
        return failed(
            str(problem), "mend what is named above; what each key takes: boneace config --explain"
        )
    paths = [str(path) for path in layers.files]
    if not paths:
        return info(
            "none, the defaults hold", f"to change them, write {user_path()} or {SYSTEM_PATH}"
        )
    return ok(f"{' and '.join(paths)} can be used")


def camera() -> Check:
    """Check that the camera gives good pictures."""
    from device.hardware.cameras import open_camera, video_devices
    from device.storage.lens_file import CalibrationError, load_lens
    from vision.image_quality import assess

    spec = load().camera.spec
    try:
        source = open_camera(spec)
    except BoneAceError as problem:
        if spec == "auto" and not video_devices() and importlib.util.find_spec("picamera2") is None:
            return failed(
                "none found: there is no video device, and picamera2 is not installed",
                "plug in a USB camera; or, on a Raspberry Pi with its own camera: sudo apt install "
                "python3-picamera2, and make the virtual environment with --system-site-packages",
            )
        return failed(
            str(problem),
            "do what the sentence says, or name another camera in the config: [camera] spec",
        )
    try:
        frames = read_frames(source, FRAMES)
    except BoneAceError as problem:
        return failed(str(problem), "unplug it and plug it in again")
    finally:
        source.close()
    height, width = frames[0].shape[:2]
    gives = f"{spec}: gives pictures of {width}x{height}"
    lens = None
    with contextlib.suppress(CalibrationError):
        lens = load_lens()
    remarks = assess(frames, lens)
    if remarks:
        found = "; ".join(f"{remark.kind.value}: {remark.measured}" for remark in remarks)
        cures = "; ".join(dict.fromkeys(remark.cure for remark in remarks))
        return warning(f"{gives}, but {found}", cures)
    return ok(gives)


def buttons() -> Check:
    """Check that the buttons can be used."""
    panel = load().panel
    pins = panel.pins()
    wired = len(wiring.wires(pins))
    if box_of(panel.backend) is not None:
        return check_box(panel.backend)
    if not wired or panel.backend == "keyboard":
        return info(
            "the keyboard is used",
            "for wired buttons, name their pins in the config: [panel.console] have = 17",
        )
    named = f"{counted(wired, 'pin')} named"
    taken = wiring.find_conflicts(pins, wiring.interfaces_on())
    if taken:
        return failed("; ".join(taken), "mend [panel] in the config")
    if _has_mock_pins():
        return ok(f"{named}, on pins that stand in for the header")
    chips = sorted(DEVICES.glob("gpiochip*"))
    if not chips:
        return failed(
            f"{named}, but this machine has no header (/dev/gpiochip*)",
            "run on a Raspberry Pi, or set [panel] backend to keyboard",
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        groups = ", ".join(sorted({grp.getgrgid(chip.stat().st_gid).gr_name for chip in chips}))
        return failed(
            "the header may not be used by this user",
            f"join the group: sudo usermod -aG {groups} $USER, then log in again",
        )
    if importlib.util.find_spec("lgpio") is None:
        return failed(
            "lgpio, which drives the header, is not installed",
            "run: sudo apt install python3-lgpio, and make the virtual environment with "
            "--system-site-packages; or: pip install lgpio",
        )
    return ok(f"{named}, the header can be used")


def try_buttons(seconds: float) -> list[Check]:
    """Light every lamp and wait *seconds* for every button."""
    config = load().panel
    pins = config.pins()
    say = partial(print, file=sys.stderr, flush=True)
    clock = SystemClock()
    if box_of(config.backend) is not None:
        return [try_box(config.backend, seconds, clock, say)]
    try:
        made, full = pin_factory(config.chip), config.lamp_brightness / 100
        with GpioPanel(pins, clock=clock, full=full, pin_factory=made) as panel:
            return ButtonTest(panel, pins, clock, wait_s=seconds, say=say).run()
    except BoneAceError as problem:
        return [failed(str(problem), "do what the sentence says")]


def _has_mock_pins() -> bool:
    import gpiozero

    factory = gpiozero.Device.pin_factory
    # gpiozero keeps the factory it has found by itself here as well; that one is the header.
    mock = factory is not None and type(factory).__name__ == "MockFactory"
    return mock or os.environ.get("GPIOZERO_PIN_FACTORY") == "mock"


def sound() -> Check:
    """Check that chimes and voice can be heard."""
    from device.narration.speech import SpeechSynthesizer
    from display.chimes import Chimes

    config = load()
    if config.sound.mute or not config.sound.volume:
        return info("off by the config; everything is on the screen")
    with _silenced(), Chimes(config.sound.volume / 100) as chimes:
        problem = chimes.problem
    if problem:
        return warning(
            f"nothing can be heard ({problem}); everything is on the screen",
            "connect a loudspeaker, join the group audio, or say so in the config: "
            "[sound] mute = true",
        )
    if not config.sound.voice:
        return ok("chimes can be heard; the voice is off by the config")
    voice = SpeechSynthesizer(
        config.display.language, words_per_minute=config.sound.words_per_minute
    )
    if voice.problem:
        return info(
            f"chimes can be heard; nobody speaks, for {voice.problem}",
            "for spoken prompts: sudo apt install espeak-ng",
        )
    voice.say(VOICE_TRIAL)
    made = voice.wait(2 * PATIENCE_S) and voice.take() is not None
    voice.close()
    if not made:
        return warning(
            f"chimes can be heard, but the voice gives no sound in {config.display.language!r}",
            "try: espeak-ng hello; and install its voices: sudo apt install espeak-ng-data",
        )
    return ok(f"chimes and the voice ({config.display.language}) are ready")


def display() -> Check:
    """Check that a window can be opened and seen."""
    import pygame

    from device.hardware.screen import is_seen
    from display import Window

    connect = "connect a screen, or play without one: boneace play --headless"
    try:
        with _silenced(), Window((800, 480)):
            seen, driver = is_seen(), pygame.display.get_driver()
    except BoneAceError as problem:
        return warning(str(problem), connect)
    if not seen:
        asked = os.environ.get("SDL_VIDEODRIVER")
        why = f"none is used, as SDL_VIDEODRIVER={asked} says" if asked else "no screen found"
        return warning(why, connect)
    return ok(f"can be opened (SDL driver {driver})")


def models() -> Check:
    """Check that the networks can be loaded."""
    from vision.inference import Network
    from vision.runtime_probe import fast_runtime

    problems = []
    for name in NETWORKS:
        try:
            # What loads them writes about a damaged one by itself, with bytes out of it.
            with _silenced():
                Network(name)
        except BoneAceError as problem:
            problems.append(one_line(str(problem)))
    if problems:
        return failed(
            "; ".join(problems),
            "install boneace again: pip install --force-reinstall . in its clone",
        )
    detail = f"{', '.join(NETWORKS)} can be loaded"
    fast = fast_runtime()
    if fast.identity and not fast.works:
        return warning(
            f"{detail}; OpenCV runs them, more slowly, because ONNX Runtime {fast.reason}",
            "the table plays all the same; a newer boneace may bring one that works",
        )
    return ok(f"{detail}, and {'ONNX Runtime' if fast.works else 'OpenCV'} runs them")


def space() -> Check:
    """Check the free disk space of the journal."""
    folder = machine.existing_folder(load().journal.file)
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    detail = f"{free_mb} MB free for the journal"
    if free_mb < LITTLE_SPACE_MB:
        cure = f"delete something on the disk of {folder}; the game stops when it is full"
        return failed(detail, cure)
    return ok(detail)


def journal() -> Check:
    """Check that the journal can be read and written."""
    path = load().journal.file
    folder = machine.existing_folder(path)
    writable = os.access(folder, os.W_OK | os.X_OK)
    unwritable = f"nothing can be written in {folder}"
    cure = "run as the user it belongs to, or name another file in the config: [journal] path"
    # Unlike Path.exists, this is no error in a folder that may not be looked into.
    there = os.path.exists(path)
    if not writable and not there:
        return failed(unwritable, cure)
    if not there and not is_cut_off(path):
        return info("none yet", "the first hand makes it: boneace play")
    try:
        with JournalReader(path) as opened:
            count, damage = len(opened.sittings()), opened.check()
    except BoneAceError as problem:
        return failed(str(problem), "do what the sentence says")
    if damage:
        return failed(
            f"{len(damage)} things are damaged, such as: {damage[0]}",
            "check the memory card, unless somebody has changed the file; "
            "what is not in play is kept as it is, up to the damage",
        )
    sound = f"sound, {counted(count, 'sitting')}"
    if not writable:
        copy = "if the memory card is failing, copy it: boneace backup --to FOLDER"
        return failed(f"{unwritable}; the journal there is {sound}", f"{cure}; {copy}")
    return ok(sound)


CHECKS: dict[str, Callable[[], Check]] = {
    "versions": versions,
    "config": config,
    "camera": camera,
    "buttons": buttons,
    "groups": machine.groups,
    "display": display,
    "console": machine.console,
    "sound": sound,
    "models": models,
    "taught": taught,
    "additions": additions,
    "fonts": machine.fonts,
    "space": space,
    "memory": machine.memory,
    "heat": machine.heat,
    "power": machine.power,
    "clock": machine.clock,
    "journal": journal,
    "backup": service.backup,
    "service": service.service,
    "hall": hall,
}
"""The checks by name, in the order in which they run."""


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """Silence the standard error of C libraries, which complain when there is no Wayland."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


ONLY_BY_NAME: dict[str, Callable[[], Check]] = {"upgrade": trial.upgrade}
"""Checks that take longer, and are not of a table that plays."""

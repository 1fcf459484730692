"""Checks of the machine: heat, power, memory, clock, groups, fonts, console."""

from __future__ import annotations

import contextlib
import ctypes
import grp
import os
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from device.diagnostics.check import Check, failed, info, ok, warning

SYS = Path("/sys")
PROC = Path("/proc")
DEV = Path("/dev")

HOT_C = 80.0
"""A Raspberry Pi slows down from here on."""

LITTLE_MEMORY_MB = 150
"""Reading a frame takes so much more."""

BUILT_S = 1_735_689_600.0
"""1 January 2025: no boneace is older, so an earlier clock is wrong."""

FAR_S = BUILT_S + 50 * 365.25 * 86_400

DEVICES = ("video*", "media*", "gpiochip*", "dri/card*", "dri/render*", "input/event*", "snd/pcm*")
"""Devices that the table uses, below :data:`DEV`."""

FONTS = ("Lato-Bold.ttf", "LinLibertine_RZ.otf")
_FONT_MARKS = (b"\0\1\0\0", b"OTTO", b"true")


def heat() -> Check:
    """Check the temperature."""
    text = read_text(SYS / "class" / "thermal" / "thermal_zone0" / "temp")
    if not text.lstrip("-").isdecimal():
        return info("this machine does not say how warm it is")
    degrees = int(text) / 1000
    if degrees >= HOT_C:
        return warning(
            f"{degrees:.0f} degrees Celsius: it slows itself down",
            "give it air, out of the sun, or fit a fan",
        )
    return ok(f"{degrees:.0f} degrees Celsius")


def power() -> Check:
    """Check the power supply."""
    text = read_text(SYS / "devices" / "platform" / "soc" / "soc:firmware" / "get_throttled")
    try:
        flags: int | None = int(text, 16)
    except ValueError:
        flags = _alarm()
    if flags is None:
        return info("this machine does not say how it is fed")
    cure = "use the supply made for this Raspberry Pi, with its own short cable"
    if flags & 0x1:
        return warning("the voltage is too low just now", cure)
    if flags & 0x10000:
        return warning("the voltage has been too low since the start", cure)
    return ok("the voltage is high enough")


def _alarm() -> int | None:
    """Return 1 for a voltage that is too low, 0 for a good one, ``None`` if unknown."""
    for folder in sorted((SYS / "class" / "hwmon").glob("hwmon*")):
        if read_text(folder / "name") == "rpi_volt":
            return int(read_text(folder / "in0_lcrit_alarm") == "1")
    return None


def memory() -> Check:
    """Check the free memory."""
    for line in read_text(PROC / "meminfo").splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable" and rest.split():
            free_mb = int(rest.split()[0]) // 1000
            detail = f"{free_mb} MB can be used"
            cure = "stop other programs; a desktop takes most: sudo raspi-config, System, Boot"
            return warning(detail, cure) if free_mb < LITTLE_MEMORY_MB else ok(detail)
    return info("this machine does not say how much it has")


def clock(now: Callable[[], float] = time.time) -> Check:
    """Check that the date is possible."""
    now_s = now()
    told = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now_s))
    if BUILT_S <= now_s < FAR_S:
        return ok(told)
    return warning(
        f"{told} cannot be right; games go on, but the evening's dates will be wrong",
        "let the machine have a network once, set it by hand (sudo date -s '2026-11-21 18:00'), "
        "or fit a clock module",
    )


def groups() -> Check:
    """Check the permissions of the devices."""
    missing: dict[str, list[str]] = {}
    seen = 0
    for pattern in DEVICES:
        for path in sorted(DEV.glob(pattern)):
            with contextlib.suppress(OSError):
                owner = path.stat().st_gid
                seen += 1
                if not os.access(path, os.R_OK | os.W_OK):
                    missing.setdefault(_group(owner), []).append(str(path))
    if missing:
        names = ", ".join(path for found in missing.values() for path in found[:3])
        wanted = ",".join(sorted(name for name in missing if name != "root"))
        cure = (
            f"join the groups: sudo usermod -aG {wanted} $USER, then log in again"
            if wanted
            else "run: sudo ./systemd/install.sh, which gives these devices to a group"
        )
        return warning(f"this user may not use {names}", cure)
    if not seen:
        return info("no camera, header, screen, keys or sound is there")
    return ok(f"all {seen} devices that are there may be used")


def fonts() -> Check:
    """Check that the fonts can be read."""
    broken = []
    for name in FONTS:
        try:
            data = (files("display.drawing") / "fonts" / name).read_bytes()
        except OSError as problem:
            broken.append(f"{name}: {problem.strerror}")
            continue
        if not data.startswith(_FONT_MARKS):
            broken.append(f"{name}: is no font")
    if broken:
        return failed(
            "; ".join(broken), "install boneace again: sudo ./systemd/install.sh in its clone"
        )
    return ok(f"{', '.join(FONTS)} can be read")


def console(load: Callable[[str], object] = ctypes.CDLL) -> Check:
    """Check the libraries that drawing on the bare console needs."""
    if os.environ.get("SDL_VIDEODRIVER", "").lower() != "kmsdrm":
        return info("the table is not shown on the bare console here")
    cards = sorted(DEV.glob("dri/card*"))
    if not cards:
        return failed(
            "there is no graphics device (/dev/dri/card*)",
            "on a Raspberry Pi, put dtoverlay=vc4-kms-v3d into /boot/firmware/config.txt",
        )
    lacking = []
    for library in ("libGL.so.1", "libEGL.so.1", "libgbm.so.1"):
        try:
            load(library)
        except OSError:
            lacking.append(library)
    if lacking:
        return failed(
            f"{', '.join(lacking)} missing: the screen would stay black without a word",
            "run: sudo apt install libgl1 libegl1 libgbm1 libgl1-mesa-dri",
        )
    return ok(f"{cards[0]}, with all that SDL needs to draw on it")


def existing_folder(path: Path) -> Path:
    """Return the nearest folder above *path* that exists."""
    return next(folder for folder in path.parents if folder.exists())


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def read_text(path: Path | str) -> str:
    """Return the text of a file of the system without white space at its ends; empty without it."""
    with contextlib.suppress(OSError):
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    return ""

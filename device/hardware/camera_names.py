"""Names of cameras: ``KIND`` or ``KIND:WHERE``, a recording, or ``auto``.

The kinds are a registry, so that a package can add one. Nothing is imported to know the names:
the config is read without OpenCV or a driver.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from device.files import is_video_device
from device.ports import Camera
from engine.core.plugins import PluginError, Registry, unknown

AUTO = "auto"

NO_VIDEO = "is no video device; name one, such as /dev/video0, a video, or a folder of pictures"

Opener = Callable[[str], Camera]
"""Opens a live camera; takes the text after the colon, empty where there is none."""

_BUILTIN: Mapping[str, Opener | str] = {
    "picamera2": "device.hardware.cameras:open_picamera2",
    "v4l2": "device.hardware.cameras:open_v4l2",
}

_TAKES = {"picamera2": "", "v4l2": r"\d+|/.+"}
"""Pattern of the text after the colon; without it a mistyped camera would be waited for."""


def _validate(name: str, found: object) -> Opener:
    if name == AUTO:
        raise PluginError("auto takes the first camera there is; choose another name")
    if not callable(found):
        raise PluginError(f"{found!r} cannot be called; name what opens the camera")
    return cast("Opener", found)


CAMERAS: Registry[Opener] = Registry("boneace.cameras", lambda: _BUILTIN, _validate)
"""Kinds of live cameras by name; see docs/how-to/extend.md."""


def parse_camera(spec: str) -> tuple[str, str] | None:
    """Return the kind of the live camera *spec*, and where it is; ``None`` for a recording.

    >>> parse_camera("picamera2"), parse_camera("v4l2:0"), parse_camera("film.mp4")
    (('picamera2', ''), ('v4l2', '0'), None)
    >>> parse_camera("/dev/video2")
    ('v4l2', '/dev/video2')
    """
    if re.fullmatch(r"\d+|/dev/.+", spec):
        return ("v4l2", spec)
    name, _colon, where = spec.partition(":")
    wanted = _TAKES.get(name, ".*")
    return (name, where) if name in CAMERAS.names and re.fullmatch(wanted, where) else None


def is_live(spec: str) -> bool:
    """Return whether *spec* is a live camera, which may be plugged in later."""
    return spec == AUTO or (parse_camera(spec) is not None and not os.path.isdir(spec))


def forms() -> str:
    """Return examples of camera names."""
    added = [f"{name}:WHERE" for name in CAMERAS.names if name not in _TAKES]
    return ", ".join(
        ("picamera2", "v4l2:0", "/dev/video0", *added, "a video, a folder of pictures, or auto")
    )


def problem_with(spec: str) -> str | None:
    """Return what is wrong with the name of a camera, as far as known without opening it.

    A path is not checked: a stick may be plugged in later.
    """
    if is_live(spec):
        kind = parse_camera(spec)
        if kind is not None and CAMERAS.plugin_of(kind[0]) and kind[0] not in CAMERAS:
            return unknown("camera", kind[0], CAMERAS)
        if kind is not None and kind[1].startswith("/") and os.path.exists(kind[1]):
            # What is not there may be plugged in later; what is something else never will be.
            return None if is_video_device(Path(kind[1])) else f"{kind[1]}: {NO_VIDEO}"
        return None
    name = spec.partition(":")[0]
    if re.fullmatch(r"[A-Za-z][\w-]*", name) and not os.path.exists(spec):
        return unknown("camera", name, CAMERAS)
    return None

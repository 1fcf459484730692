"""Which cameras can be named: ``KIND`` or ``KIND:WHERE``, a recording, or ``auto``.

The kinds stand in a registry, so that a package can add one. Nothing is imported to know their
names: the config is read where neither OpenCV nor a driver is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from device.ports import Camera
from engine.core.plugins import PluginError, Registry, unknown

AUTO = "auto"

Opener = Callable[[str], Camera]
"""Opens a live camera; takes what stands after the colon, empty where there is none."""

_OURS: Mapping[str, Opener | str] = {
    "picamera2": "device.hardware.cameras:open_picamera2",
    "v4l2": "device.hardware.cameras:open_v4l2",
}

_TAKES = {"picamera2": "", "v4l2": r"\d+|/.+"}
"""What may stand after the colon: a mistyped camera is not one to be waited for."""


def _fit(name: str, found: object) -> Opener:
    if name == AUTO:
        raise PluginError("auto takes the first camera there is; choose another name")
    if not callable(found):
        raise PluginError(f"{found!r} cannot be called; name what opens the camera")

    def opened(where: str) -> Camera:
        camera: Camera = found(where)
        return camera

    return opened


CAMERAS: Registry[Opener] = Registry("boneace.cameras", lambda: _OURS, _fit)
"""Every kind of live camera by its name; docs/extend.md says how to add one."""


def kind_of(spec: str) -> tuple[str, str] | None:
    """Return the kind of live camera that *spec* names, and where; ``None`` for a recording.

    >>> kind_of("picamera2"), kind_of("v4l2:0"), kind_of("/dev/video2"), kind_of("film.mp4")
    (('picamera2', ''), ('v4l2', '0'), ('v4l2', '/dev/video2'), None)
    """
    if re.fullmatch(r"\d+|/dev/.+", spec):
        return ("v4l2", spec)
    name, _colon, where = spec.partition(":")
    wanted = _TAKES.get(name, ".*")
    return (name, where) if name in CAMERAS.names and re.fullmatch(wanted, where) else None


def is_live(spec: str) -> bool:
    """Say whether *spec* names a camera, which may be plugged in later; a recording may not."""
    return spec == AUTO or (kind_of(spec) is not None and not Path(spec).is_dir())


def forms() -> str:
    """Return what a camera may be called, for the config's page and for advice."""
    added = [f"{name}:WHERE" for name in CAMERAS.names if name not in _TAKES]
    return ", ".join(
        ("picamera2", "v4l2:0", "/dev/video0", *added, "a video, a folder of pictures, or auto")
    )


def problem_with(spec: str) -> str | None:
    """Say what is wrong with the name of a camera, as far as that can be known without opening it.

    A path is left to the moment when it is opened: a stick may be plugged in later.
    """
    if is_live(spec):
        kind = kind_of(spec)
        if kind is not None and CAMERAS.plugin_of(kind[0]) and kind[0] not in CAMERAS:
            return unknown("camera", kind[0], CAMERAS)
        return None
    name = spec.partition(":")[0]
    if re.fullmatch(r"[A-Za-z][\w-]*", name) and not Path(spec).exists():
        return unknown("camera", name, CAMERAS)
    return None

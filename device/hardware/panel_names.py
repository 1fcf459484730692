"""Names of button panels: ``auto``, ``gpio``, ``keyboard``, and plugins: ``BOX``, ``BOX:WHERE``.

Nothing is imported to know the names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from device.ports import Panel
from engine.core.plugins import PluginError, Registry, unknown
from engine.core.text.suggest import did_you_mean

BUILT_IN = ("auto", "gpio", "keyboard")

Opener = Callable[[str], Panel]
"""Opens a box; takes the text after the colon, empty where there is none."""

_BUILTIN: Mapping[str, Opener | str] = {}


def _validate(name: str, found: object) -> Opener:
    if name in BUILT_IN:
        raise PluginError("that name is taken; choose another")
    if not callable(found):
        raise PluginError(f"{found!r} cannot be called; name what opens the box")
    return cast("Opener", found)


PANELS: Registry[Opener] = Registry("boneace.panels", lambda: _BUILTIN, _validate)
"""Button boxes of plugins by name; see docs/how-to/extend.md."""


def box_of(backend: str) -> tuple[str, str] | None:
    """Return the box of *backend*, and where it is; ``None`` for the built-in ones.

    >>> box_of("gpio"), box_of("keyboard")
    (None, None)
    """
    if backend in BUILT_IN:
        return None
    name, _colon, where = backend.partition(":")
    return name, where


def forms() -> tuple[str, ...]:
    """Return the known names."""
    return (*BUILT_IN, *PANELS.names)


def problem_with(backend: str) -> str | None:
    """Return what is wrong with the name *backend*, as far as known without opening it."""
    box = box_of(backend)
    if box is None or box[0] in PANELS:
        return None
    if box[0] in PANELS.names:
        return unknown("backend", box[0], PANELS)
    return f"unknown backend {box[0][:60]!r}; {did_you_mean(box[0][:60], forms())}"

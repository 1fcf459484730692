"""Which button boxes can be named: ``auto``, ``gpio``, ``keyboard``, and boxes that were added.

As with the cameras, a box may need to be told where it is: ``BOX:WHERE``. Nothing is imported to
know the names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from device.ports import Panel
from engine.core.plugins import PluginError, Registry, unknown
from engine.core.text.suggest import did_you_mean

BUILT_IN = ("auto", "gpio", "keyboard")

Opener = Callable[[str], Panel]
"""Opens a box; takes what stands after the colon, empty where there is none."""

_OURS: Mapping[str, Opener | str] = {}


def _fit(name: str, found: object) -> Opener:
    if name in BUILT_IN:
        raise PluginError("that name is taken; choose another")
    if not callable(found):
        raise PluginError(f"{found!r} cannot be called; name what opens the box")

    def opened(where: str) -> Panel:
        panel: Panel = found(where)
        return panel

    return opened


PANELS: Registry[Opener] = Registry("boneace.panels", lambda: _OURS, _fit)
"""Every box of buttons that was added, by its name; docs/extend.md says how to add one."""


def box_of(backend: str) -> tuple[str, str] | None:
    """Return the box that *backend* names, and where; ``None`` for what is built in.

    >>> box_of("gpio"), box_of("keyboard")
    (None, None)
    """
    if backend in BUILT_IN:
        return None
    name, _colon, where = backend.partition(":")
    return name, where


def forms() -> tuple[str, ...]:
    """Return the names there are, for the config's page."""
    return (*BUILT_IN, *PANELS.names)


def problem_with(backend: str) -> str | None:
    """Say what is wrong with the name *backend*, as far as that is known without opening it."""
    box = box_of(backend)
    if box is None or box[0] in PANELS:
        return None
    if box[0] in PANELS.names:
        return unknown("backend", box[0], PANELS)
    return f"unknown backend {box[0][:60]!r}; {did_you_mean(box[0][:60], forms())}"

"""Check of what other packages add."""

from __future__ import annotations

from typing import Any

from device.diagnostics.check import Check, failed, info, ok
from device.hardware.camera_names import CAMERAS
from device.hardware.panel_names import PANELS
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES
from engine.core.plugins import Registry
from engine.games.catalog import GAMES

REGISTRIES: tuple[Registry[Any], ...] = (GAMES, THEMES, LANGUAGES, CAMERAS, PANELS)


def additions() -> Check:
    """Check the games, themes, languages, cameras and button boxes of plugins."""
    broken = [problem for registry in REGISTRIES for problem in registry.problems()]
    if broken:
        return failed(
            "; ".join(broken),
            "the table runs without them; how they are made: docs/how-to/extend.md",
        )
    found = [
        f"{registry.group.removeprefix('boneace.')}: {name} ({registry.plugin_of(name)})"
        for registry in REGISTRIES
        for name in registry
        if registry.plugin_of(name)
    ]
    if not found:
        return info("none; how to add something: docs/how-to/extend.md")
    return ok(", ".join(found))

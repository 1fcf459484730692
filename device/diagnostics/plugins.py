"""Checks of what other packages add, button boxes among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.clock import Clock
from device.diagnostics.check import Check, failed, info, ok
from device.hardware.camera_names import CAMERAS
from device.hardware.panel_names import PANELS
from device.hardware.plugin_panel import open_box
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES
from engine.core.plugins import Registry
from engine.games.catalog import GAMES

REGISTRIES: tuple[Registry[Any], ...] = (GAMES, THEMES, LANGUAGES, CAMERAS, PANELS)

STEP_S = 0.02
"""Pause between two polls of a box."""


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


def check_box(backend: str) -> Check:
    """Check that the box *backend* can be opened."""
    with open_box(backend) as box:
        box.poll(0.0)
        if box.trouble:
            return failed(
                f"{backend}: {box.trouble}",
                "plug the box in; does [panel] backend say where it is? "
                "docs/how-to/extend.md tells what the service needs to reach it",
            )
    return ok(f"{backend}: can be opened")


def try_box(backend: str, seconds: float, clock: Clock, say: Callable[[str], None]) -> Check:
    """Wait *seconds* for presses of the box, and print each."""
    say(f"Press every button of {backend} ({seconds:g} s)")
    pressed: dict[str, None] = {}
    until_s = clock.monotonic() + seconds
    with open_box(backend) as box:
        while clock.monotonic() < until_s and not box.trouble:
            for press in box.poll(clock.monotonic()):
                label = press.button if press.seat is None else f"{press.button} of {press.seat}"
                say(f"  that was: {label}")
                pressed[label] = None
            clock.wait(STEP_S)
        if box.trouble:
            return failed(box.trouble, "plug it in again", title="box")
    if not pressed:
        return failed(
            f"no press within {seconds:g} s",
            "look at what the box sends, and at what its file makes of that",
            title="box",
        )
    return ok(f"answers: {', '.join(pressed)}", title="box")

"""Checks of button boxes of plugins."""

from __future__ import annotations

from collections.abc import Callable

from device.clock import Clock
from device.diagnostics.check import Check, failed, ok
from device.hardware.plugin_panel import open_box

STEP_S = 0.02
"""Pause between two polls."""


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

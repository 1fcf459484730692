"""Whether the window is on a real screen."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pygame

from display.window import DisplayError

_NOWHERE = frozenset({"dummy", "offscreen"})


def may_be_seen() -> bool:
    """Return whether there may be a display; where there is none SDL looks for it noisily."""
    named = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    return (
        sys.platform != "linux"
        or any(os.environ.get(name) for name in named)
        or Path("/dev/dri").exists()  # what a console without a desktop draws on
    )


def is_seen() -> bool:
    """Return whether the open display is a real one.

    Where there is no screen SDL does not fail: it draws off screen and says nothing.
    """
    return pygame.display.get_driver() not in _NOWHERE


def desktop_size() -> tuple[int, int]:
    """Return width and height in pixels of the first display.

    Raises:
        DisplayError: there is none.
    """
    try:
        pygame.display.init()
        return pygame.display.get_desktop_sizes()[0]
    except (pygame.error, IndexError) as problem:
        raise DisplayError(f"no display: {problem}; run with --headless") from problem


def require_screen() -> None:
    """Refuse to play without a screen, unless ``SDL_VIDEODRIVER`` asks for it.

    Raises:
        DisplayError: the open display cannot be seen.
    """
    if not is_seen() and not os.environ.get("SDL_VIDEODRIVER"):
        raise DisplayError(
            "no screen found; start from a desktop or the Pi's own screen, or run with --headless"
        )

"""How long a frame takes at 1920x1080, screen by screen, on one core of this machine.

python tests/bench/screens.py

Every frame is drawn whole and flipped, with no pause between: the slowest of a hundred must be
below 16.7 ms for 60 frames a second. The first frame, in which pictures are made, is told apart.
Judged is the time that this thread had on its core; the wall clock beside it also counts what else
the machine was doing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from display import Prompt, TableScreen
from display.menu import Page
from display.pages import PageScreen
from display.theme import THEMES
from engine.views import View

SIZE = (1920, 1080)
FRAMES = 300
BUDGET_MS = 1000 / 60
BREATH_S = 4.0


def times_ms(draw: Callable[[float], object]) -> tuple[float, float, float, float]:
    """Return the first frame, the middle one, and the 99th of a hundred by core and by wall."""
    began = time.perf_counter()
    draw(0.0)
    first = (time.perf_counter() - began) * 1000
    for step in range(int(BREATH_S * 30)):  # one whole breath: every picture it needs is made
        draw(step / 30)
    core, wall = [], []
    for step in range(FRAMES):
        began, began_wall = time.thread_time(), time.perf_counter()
        draw(step / 60)
        pygame.display.flip()
        core.append((time.thread_time() - began) * 1000)
        wall.append((time.perf_counter() - began_wall) * 1000)
    slow = int(FRAMES * 0.99) - 1
    return first, sorted(core)[FRAMES // 2], sorted(core)[slow], sorted(wall)[slow]


def _draw_table(
    table: TableScreen, surface: pygame.Surface, view: View, prompt: Prompt | None, time_s: float
) -> None:
    table.draw(surface, view, prompt, time_s=time_s)


def _draw_page(screen: PageScreen, surface: pygame.Surface, page: Page, time_s: float) -> None:
    screen.draw(surface, page, time_s=time_s)


def main() -> int:
    """Print a line for each screen; 1 when one is too slow."""
    # The samples are helpers of the display's tests.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "display"))
    from screen_samples import pages
    from table_moments import moments

    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    surface = pygame.display.set_mode(SIZE)
    rows: list[tuple[str, float, float, float, float]] = []
    for theme in ("felt", "contrast"):
        table = TableScreen(SIZE, theme=THEMES[theme])
        for name, (view, prompt) in moments(8).items():
            times = times_ms(partial(_draw_table, table, surface, view, prompt))
            rows.append((f"{theme} table {name}", *times))
        screen = PageScreen(SIZE, theme=THEMES[theme])
        for name, page in pages().items():
            times = times_ms(partial(_draw_page, screen, surface, page))
            rows.append((f"{theme} {name}", *times))
    print(f"{'screen':<28}{'first':>9}{'middle':>9}{'99 %':>9}{'wall':>9}   ms")
    for name, first, middle, slow, wall in rows:
        mark = "" if slow < BUDGET_MS else "  too slow"
        print(f"{name:<28}{first:>9.1f}{middle:>9.1f}{slow:>9.1f}{wall:>9.1f}{mark}")
    return int(any(slow >= BUDGET_MS for *_, slow, _wall in rows))


if __name__ == "__main__":
    raise SystemExit(main())

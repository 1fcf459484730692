"""``make bench``: time of a frame at 1920x1080; writes "The screens" of docs/why/performance.md.

python benchmarks/screens.py

Every frame is drawn whole and flipped, with no pause between: the slowest of a hundred must be
below 16.7 ms for 60 frames a second. The first frame, in which pictures are made, is told apart.
Judged is the time that this thread had on its core; the wall clock beside it also counts what else
the machine was doing.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from datetime import date
from functools import partial

import pygame

from benchmarks.frames import BUDGET_MS, Frames, measure, one_core
from benchmarks.page import write_section
from display import PromptText, TableScreen
from display.drawing.theme import THEMES
from display.pages.base import Page
from display.pages.renderer import PageScreen
from engine.core.views import View

SIZE = (1920, 1080)
FRAMES = 200
BREATH_S = 4.0
HEADING = "## The screens"


def times_ms(draw: Callable[[float], object], frames: int) -> tuple[float, float, float, float]:
    """Return the first frame, the middle one, and the 99th of a hundred by core and by wall."""
    began = time.perf_counter()
    draw(0.0)
    first = (time.perf_counter() - began) * 1000
    for step in range(int(BREATH_S * 30)):  # one whole breath: every picture it needs is made
        draw(step / 30)
    core, wall = [], []
    for step in range(frames):
        began, began_wall = time.thread_time(), time.perf_counter()
        draw(step / 60)
        pygame.display.flip()
        core.append((time.thread_time() - began) * 1000)
        wall.append((time.perf_counter() - began_wall) * 1000)
    slow = int(frames * 0.99) - 1
    return first, sorted(core)[frames // 2], sorted(core)[slow], sorted(wall)[slow]


def _draw_table(
    table: TableScreen,
    surface: pygame.Surface,
    view: View,
    prompt: PromptText | None,
    time_s: float,
) -> None:
    table.draw(surface, view, prompt, time_s=time_s)


def _draw_page(screen: PageScreen, surface: pygame.Surface, page: Page, time_s: float) -> None:
    screen.draw(surface, page, time_s=time_s)


def every_screen(frames: int) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Time each screen in two themes: felt, which has most to draw, and contrast."""
    from tests.support.bone_moments import bone_moments
    from tests.support.scat_moments import scat_moments
    from tests.support.screen_samples import pages
    from tests.support.table_moments import moments

    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    surface = pygame.display.set_mode(SIZE)
    rows: list[tuple[str, tuple[float, float, float, float]]] = []
    for theme in ("felt", "contrast"):
        table = TableScreen(SIZE, theme=THEMES[theme])
        tables: dict[str, tuple[View, PromptText | None]] = {
            **{f"table {name}": pair for name, pair in moments(8).items()},
            **{f"thirty-one {name}": (seen, None) for name, seen in scat_moments(8).items()},
            **{f"bones {name}": pair for name, pair in bone_moments().items()},
        }
        for name, (view, prompt) in tables.items():
            draw = partial(_draw_table, table, surface, view, prompt)
            rows.append((f"{theme} {name}", times_ms(draw, frames)))
        screen = PageScreen(SIZE, theme=THEMES[theme])
        for name, page in pages().items():
            draw = partial(_draw_page, screen, surface, page)
            rows.append((f"{theme} {name}", times_ms(draw, frames)))
    pygame.display.quit()
    return rows


def report(rows: list[tuple[str, tuple[float, float, float, float]]], frames: Frames) -> str:
    """Return the section of the page."""
    slowest = sorted(rows, key=lambda row: -row[1][2])[:8]
    slow = max(row[1][2] for row in rows)
    lines = [
        HEADING,
        "",
        f"Measured by `python benchmarks/screens.py` on {date.today().isoformat()}: {SIZE[0]}x"
        f"{SIZE[1]}, one core of a {platform.machine()} machine, Python "
        f"{platform.python_version()}, milliseconds. Judged is processor time, since other work "
        "ran on the machine; sixty frames a second leave 16.7 ms.",
        "",
        f"The whole loop, the eyes at work on the same core: {frames.steps:,} steps through all "
        f"screens, {frames.readings} readings of 24 cards meanwhile, {frames.busy:.0%} of the "
        "core's time theirs. Time of the core from the beginning of a step to its end, the eyes' "
        "share of it included:",
        "",
        "| | ms |",
        "|---|---:|",
        f"| the middle step | {frames.middle:.1f} |",
        f"| 99 of 100 steps below | {frames.slow:.1f} |",
        f"| the same by the wall clock, other work on the machine | {frames.wall:.0f} |",
        f"| frames from a press to its picture, at most | {frames.press} |",
        "",
        f"Each of {len(rows)} screens drawn whole, every frame: 99 of 100 below {slow:.1f} ms. "
        "The eight slowest:",
        "",
        "| screen | first | middle | 99 of 100 |",
        "|---|---:|---:|---:|",
    ]
    for name, (first, middle, late, _wall) in slowest:
        lines.append(f"| {name} | {first:.0f} | {middle:.1f} | {late:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure and write; 1 when a screen or the loop is too slow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=FRAMES, help="of each screen")
    parser.add_argument("--steps", type=int, default=1800, help="of the whole loop")
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    one_core()
    frames = measure(args.steps)
    rows = every_screen(args.frames)
    section = report(rows, frames)
    print(section)
    if not args.dry:
        write_section(section)
    late = frames.slow >= BUDGET_MS or frames.press > 2
    return int(late or any(times[2] >= BUDGET_MS for _name, times in rows))


if __name__ == "__main__":
    raise SystemExit(main())

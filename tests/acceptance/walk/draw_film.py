"""Draws the moving picture at the head of the README anew: part of ``make pictures``.

python -m tests.acceptance.walk.draw_film [--out docs/pictures/demo.webp]

A hand of ``boneace demo``, as its window shows it on a screen, from the first card to the payment.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pygame

from device import app
from device.clock import HandClock
from device.simulator.demo import Demo
from device.simulator.simulation import SimulationSetup
from display import Window

WIDTH = 1000
"""Pixels across: as wide as a README is shown."""

EVERY = 3
"""Of the demo's frames, ten a second, each third is shown."""

SHOWN_MS, RESULT_MS = 300, 4000
"""Milliseconds for which a picture stands, and the last one."""

SEED = 3
"""A short hand of three that ends with thirty-one."""

QUALITY = 80

Picture = np.ndarray


class FilmedWindow(Window):
    """A window off screen that keeps what it shows."""

    def __init__(self, **style: object) -> None:
        super().__init__(app.DEMO_WINDOW, headless=True, aside=app.DEMO_ASIDE, **style)
        self.film: list[Picture] = []
        self._count = 0

    def show(self, *what: object) -> None:
        super().show(*what)
        self._count += 1
        if self._count % EVERY == 0:
            self.keep()

    def keep(self) -> None:
        """Keep what is shown now."""
        surface = pygame.display.get_surface()
        pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
        width, height = surface.get_size()
        image = cv2.cvtColor(pixels.reshape(height, width, 3), cv2.COLOR_RGB2BGR)
        size = (WIDTH, round(WIDTH * height / width))
        self.film.append(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def film(seed: int = SEED) -> list[Picture]:
    """Play a hand, and return what its window has shown."""
    windows: list[FilmedWindow] = []

    def opened(headless, theme=None, language="en"):
        windows.append(FilmedWindow(theme=theme, language=language))
        return windows[-1], False

    with (
        contextlib.ExitStack() as stack,
        mock.patch.object(app, "open_demo_window", opened),
        mock.patch.object(app, "SystemClock", return_value=HandClock(wall=1.7e9)),
        mock.patch.object(Demo, "_hold", lambda demo, window: window.keep()),
    ):
        setup = SimulationSetup(game="bone-ace", preset="willughby", seed=seed, players=3)
        demo, _recorder = app.build_demo(setup, stack, lambda line: None)
        if not demo.run(1):
            sys.exit("the hand was not played to its end; mend that first")
        demo.session.close()
    return windows[0].film


def write(pictures: Sequence[Picture], path: Path) -> None:
    """Write an animated picture that begins again and again."""
    moving = cv2.Animation()
    moving.frames = list(pictures)
    moving.durations = np.array([SHOWN_MS] * (len(pictures) - 1) + [RESULT_MS])
    if not cv2.imwriteanimation(str(path), moving, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]):
        sys.exit(f"cannot write {path}; is the folder yours?")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures/demo.webp"))
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    pictures = film(args.seed)
    write(pictures, args.out)
    print(f"{args.out}: {len(pictures)} pictures, {args.out.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

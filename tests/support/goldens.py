"""Golden pictures of every screen: drawn, and kept beside the tests; most of them made small.

python tests/support/goldens.py writes them again: view what has changed before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray

from tests.support.paths import ROOT

OUT = ROOT / "out" / "goldens"
"""Where what looks otherwise than its golden is put, to be looked at."""

FOLDER = ROOT / "tests" / "unit" / "display" / "goldens"
SIZES = ((800, 480), (1920, 1080))
WIDTH = 320
"""Pixels across a stored picture: enough to see what has moved, small enough to keep 150."""

COARSE = 16
"""Stored colours are rounded to this: what the eye does not see need not be kept."""

MOMENTS = (
    "cut", "deal-up", "bone", "turn", "asked", "showdown", "won-31", "shared", "misdeal",
    "question", "yes-no", "trouble", "refused",
)  # fmt: skip
"""Of the games in which cards lie at the seats."""

SCAT_MOMENTS = ("draw", "widow", "switch", "bus", "restart", "lost", "points", "match-over")
"""Of Thirty-one and its variants."""

BONE_MOMENTS = ("stakes", "how-many", "done")
"""Of One-and-Twenty."""

SHAPE = 80
"""Height of the icons, cards and bones of the sheet of shapes, which is kept as large as it is
drawn: on a whole screen the shaft of an arrow is a pixel."""

IN_FULL = (
    "table-turn", "table-question", "table-showdown", "table-won-31", "scat-draw", "scat-points",
    "bones-how-many", "bones-done", "ledger",
)  # fmt: skip
"""The main scenes, kept as they are on the screen: there a stroke more or less shows."""

PACKED = {
    ".png": [cv2.IMWRITE_PNG_COMPRESSION, 9],
    ".webp": [cv2.IMWRITE_WEBP_QUALITY, 101],  # above 100: nothing is lost
}

Picture = NDArray[np.uint8]


def every_screen() -> Iterator[tuple[str, Callable[[], Picture]]]:
    """Yield the name of each picture, and what draws it."""
    yield "shapes.png", shapes
    from display.drawing.theme import THEMES
    from tests.support.screen_samples import pages

    for theme in THEMES:
        for size in SIZES:
            names = [*pages(), *(f"table-{moment}" for moment in MOMENTS)]
            names += [f"scat-{moment}" for moment in SCAT_MOMENTS]
            names += [f"bones-{moment}" for moment in BONE_MOMENTS]
            for name in names:
                # The larger size of one theme is enough: the themes differ in colours and widths.
                if name in IN_FULL and (theme == "felt" or size == SIZES[0]):
                    yield f"{name}-{theme}-{size[1]}.webp", partial(draw, name, theme, size)
                else:
                    yield f"{name}-{theme}-{size[1]}.png", partial(draw_small, name, theme, size)


def draw_small(name: str, theme: str, size: tuple[int, int]) -> Picture:
    """Draw one screen as it is stored: uint8, shape (height, WIDTH, 3), blue first."""
    height = round(size[1] * WIDTH / size[0])
    small = cv2.resize(draw(name, theme, size), (WIDTH, height), interpolation=cv2.INTER_AREA)
    coarse = small.astype(np.int16) // COARSE * COARSE + COARSE // 2
    return np.asarray(coarse.clip(0, 255), np.uint8)


def draw(name: str, theme: str, size: tuple[int, int]) -> Picture:
    """Draw one screen: uint8, shape (height, width, 3), blue first."""
    from display import TableScreen
    from display.drawing.theme import THEMES
    from display.pages.renderer import PageScreen
    from tests.support.bone_moments import bone_moments
    from tests.support.scat_moments import scat_moments
    from tests.support.screen_samples import pages
    from tests.support.table_moments import moments

    surface = pygame.Surface(size)
    if name.startswith("table-"):
        view, prompt = moments(4)[name.removeprefix("table-")]
        TableScreen(size, theme=THEMES[theme]).draw(surface, view, prompt, time_s=1.0)
    elif name.startswith("scat-"):
        seen = scat_moments(5)[name.removeprefix("scat-")]
        TableScreen(size, theme=THEMES[theme]).draw(surface, seen, time_s=1.0)
    elif name.removeprefix("bones-") in BONE_MOMENTS:
        view, prompt = bone_moments()[name.removeprefix("bones-")]
        TableScreen(size, theme=THEMES[theme]).draw(surface, view, prompt, time_s=1.0)
    else:
        PageScreen(size, theme=THEMES[theme]).draw(surface, pages()[name], time_s=1.0)
    return stored(surface)


def shapes() -> Picture:
    """Draw every icon, every bone, and cards of each suit and both kinds, as they are stored."""
    from display.drawing.bones import bone_face
    from display.drawing.shapes import Icon, card_back, card_face, icon
    from display.drawing.text import SurfaceCache
    from display.drawing.theme import THEMES
    from engine.core.bones import Face
    from engine.core.cards import Card

    look, cache = THEMES["felt"], SurfaceCache()
    drawn = [icon(cache, which, SHAPE, look.ivory, look.room) for which in Icon]
    drawn += [bone_face(cache, look, face, SHAPE) for face in (*Face, None)]
    for n, card in enumerate(map(Card.parse, ("6H", "TS", "QD", "AC"))):
        drawn += [card_face(cache, look, card, SHAPE, gold=n == 1, large=k == 0) for k in (0, 1)]
    drawn.append(card_back(cache, look, SHAPE))
    columns = WIDTH // SHAPE
    surface = pygame.Surface((WIDTH, -(-len(drawn) // columns) * SHAPE))
    surface.fill(look.room)
    for n, shape in enumerate(drawn):
        place = (n % columns * SHAPE, n // columns * SHAPE)
        surface.blit(shape, place, special_flags=pygame.BLEND_PREMULTIPLIED)
    return stored(surface)


def stored(surface: pygame.Surface) -> Picture:
    """Return a surface as it is stored: uint8, shape (height, WIDTH, 3), blue first."""
    size = surface.get_size()
    pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return np.ascontiguousarray(pixels.reshape(size[1], size[0], 3)[:, :, ::-1])


def show_changed(name: str, drawn: Picture, golden: Picture, out: Path = OUT) -> Path:
    """Write what was drawn, the golden, and how they differ, beside each other; return the file.

    Black in the third is alike; the more they differ the brighter it is.
    """
    height, width = np.maximum(drawn.shape, golden.shape)[:2]
    pair = np.zeros((2, height, width, 3), np.uint8)
    for place, picture in zip(pair, (drawn, golden), strict=True):
        place[: picture.shape[0], : picture.shape[1]] = picture
    apart = np.minimum(4 * cv2.absdiff(*pair).astype(np.uint16), 255).astype(np.uint8)
    path = out / f"{Path(name).stem}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), np.hstack([*pair, apart]))
    return path


def main() -> None:
    """Write every picture anew, and none that is no longer drawn."""
    FOLDER.mkdir(exist_ok=True)
    names = set()
    for name, make in every_screen():
        names.add(name)
        cv2.imwrite(str(FOLDER / name), make(), PACKED[Path(name).suffix])
    for path in FOLDER.iterdir():
        if path.name not in names:
            path.unlink()
    whole = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{len(names)} pictures, {whole / 1e6:.2f} MB in {FOLDER}")


if __name__ == "__main__":
    main()

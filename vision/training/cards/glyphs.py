"""A bank of letters, figures and pips, from which indices no printer ever made are put together.

python -m vision.training.cards.glyphs --work WORK
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.training.cards.synthetic_decks import fonts, pip_outline

SIDE = 64
"""Pixels of a stored glyph's height."""

NAMES: dict[str, tuple[str, ...]] = {
    "A": ("A", "A", "A", "A", "1", "\u0422", "E"),
    "T": ("10", "10", "10", "10", "10", "T"),
    "J": ("J", "J", "J", "V", "B", "\u0412", "F", "W", "Kn"),
    "Q": ("Q", "Q", "Q", "D", "D", "\u0414"),
    "K": ("K", "K", "K", "R", "H", "\u041a"),
}
"""What ranks are called, as often as they are called so: English, French, German, Dutch, Russian,
Italian, Polish, Scandinavian. The Dutch queen, V, is left to the face: most V are French jacks."""


def glyph(text: str, file: str) -> np.ndarray | None:
    """The ink of *text*: uint8 (SIDE, w); ``None`` if the type lacks it."""
    try:
        font = ImageFont.truetype(file, SIDE * 2)
        left, top, right, bottom = font.getbbox(text)
    except OSError:
        return None
    if right - left < 4 or bottom - top < 20:
        return None
    picture = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(picture).text((-left, -top), text, font=font, fill=255)
    wide = max(int(picture.width * SIDE / picture.height), 3)
    out = np.asarray(picture.resize((wide, SIDE), Image.Resampling.LANCZOS))
    return out if out.max() > 200 else None


def pip(suit: str, rng: np.random.Generator) -> np.ndarray:
    """The ink of a pip: uint8 (SIDE, SIDE)."""
    picture = np.zeros((SIDE * 4, SIDE * 4), np.uint8)
    for polygon in pip_outline(suit, rng):
        cv2.fillPoly(picture, [np.rint(polygon * SIDE * 4).astype(np.int32)], 255)
    return cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def main() -> None:
    """Write ``glyphs.npz``: ink by type and rank name, and pips by suit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    args = parser.parse_args()
    rng = np.random.default_rng(7)
    cyrillic = glyph("\u0414", "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf")
    assert cyrillic is not None
    words = sorted({name for names in NAMES.values() for name in names} | set("23456789"))
    kept, out = 0, {}
    for file in fonts():
        drawn = {word: glyph(word, file) for word in words}
        missing = glyph("\uf8ff", file)  # a box, where the type has no such letter
        for word, ink in drawn.items():
            if ink is None or (missing is not None and np.array_equal(ink, missing)):
                continue
            out[f"{kept}:{word}"] = ink
        kept += 1
    for suit in "SHDC":
        out[f"pip:{suit}"] = np.stack([pip(suit, rng) for _ in range(150)])
    np.savez_compressed(args.work / "glyphs.npz", **out)
    print(f"{kept} types")


if __name__ == "__main__":
    main()

"""Draws the pictures of the README and of docs/how-to/wiring.md anew: part of ``make pictures``.

python tests/acceptance/walk/draw_pictures.py [--out docs/pictures]

Each is made by the command that a reader would type, and only made smaller here.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from device.cli import main as boneace
from tests.support.doc_pages import blocks

WIDTH = 1000
"""Pixels across a photograph: a page shows no more."""

MOMENT = "04-hand1-showdown"
"""The end of the first hand of ``make demo``: every card lies open, and somebody has won."""

Picture = np.ndarray


def readme_settings() -> str:
    """Return the pins that the README names above its wiring diagram."""
    return next(block.text for block in blocks("toml") if block.page == "README.md")


def run(*words: str) -> None:
    """Run a command as a reader would.

    Raises:
        SystemExit: it failed; it has said why.
    """
    if boneace(words) != 0:
        sys.exit(f"boneace {' '.join(words)} failed; mend that first")


def smaller(path: Path) -> Picture:
    """Return a picture, :data:`WIDTH` pixels wide."""
    image = cv2.imread(str(path))
    high = round(WIDTH * image.shape[0] / image.shape[1])
    return cv2.resize(image, (WIDTH, high), interpolation=cv2.INTER_AREA)


def draw(folder: Path, demo: Path | None = None) -> dict[str, Picture]:
    """Return every picture by its file's name.

    Args:
        folder: for what lies about meanwhile.
        demo: what ``make demo`` has left; it is played now where there is none.
    """
    if demo is None:
        demo = folder / "demo"
        # One hand is the same whatever comes after it.
        run("demo", "--headless", "--hands", "1", "--out", str(demo))
    seen = demo / f"{MOMENT}-camera.jpg"
    run("read", "--format", "picture", str(seen))
    settings = folder / "config.toml"
    settings.write_text(readme_settings(), encoding="utf-8")
    run("wiring", "--png", str(folder / "wiring.png"), "--config", str(settings))
    run("wiring", "--example", "--png", str(folder / "wiring-seats.png"))
    run("wiring", "--rig", "--png", str(folder / "rig.png"))
    return {
        "camera.jpg": smaller(seen),
        "read.jpg": smaller(seen.with_name(f"{seen.stem}.read.png")),
        "wiring.png": smaller(folder / "wiring.png"),
        "wiring-seats.png": smaller(folder / "wiring-seats.png"),
        "rig.png": cv2.imread(str(folder / "rig.png")),
    }


DRAWN = ("camera.jpg", "read.jpg", "wiring.png", "wiring-seats.png", "rig.png")
"""What :func:`draw` draws."""


def difference(one: Picture, other: Picture) -> float:
    """Return how far two pictures are apart, in grey levels on average; 255 for another shape."""
    if one is None or other is None or one.shape != other.shape:
        return 255.0
    return float(cv2.absdiff(one, other).mean())


def main() -> int:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    os.environ["LC_ALL"] = "C.UTF-8"
    with tempfile.TemporaryDirectory(prefix="boneace-pictures-") as folder:
        for name, picture in draw(Path(folder)).items():
            path = args.out / name
            how = cv2.IMWRITE_PNG_COMPRESSION if path.suffix == ".png" else cv2.IMWRITE_JPEG_QUALITY
            if not cv2.imwrite(str(path), picture, [how, 9 if path.suffix == ".png" else 85]):
                sys.exit(f"cannot write {path}; is the folder yours?")
            print(f"{path}: {picture.shape[1]} x {picture.shape[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

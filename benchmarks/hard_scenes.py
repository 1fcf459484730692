"""Draw the simulator's hardest scenes, with what is read on them, for docs/why/accuracy.md.

python benchmarks/hard_scenes.py [--out docs/pictures]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dealing import Style, deal
from device.runtime.annotate import annotate
from tests.support import lights
from vision import TableReader
from vision.mat.pose import MatLayout

SCENES = (
    ("hard-glare", "modern", ("glare", "noise")),
    ("hard-bands", "four-colour", ("rolling bands", "dim")),
    ("hard-untaught", "old", ("warm lamp", "arm's shadow")),
)
"""A name, the deck (none is taught), and what is wrong with the light."""

WIDTH = 1000


def main() -> int:
    """Draw each scene, read it, and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    reader = TableReader()
    for number, (name, style, evils) in enumerate(SCENES):
        table = Style(style).table(MatLayout(6, "A1"), seed=40 + number, size=(2304, 1296))
        deal(table, 22, seed=40 + number, down=6)
        image, rng = table.frame(), np.random.default_rng(number)
        for evil in evils:
            image = lights.EVILS[evil](image, rng)
        reading = reader.read(image)
        shown = annotate(image, reading)
        high = round(WIDTH * shown.shape[0] / shown.shape[1])
        small = cv2.resize(shown, (WIDTH, high), interpolation=cv2.INTER_AREA)
        path = args.out / f"{name}.jpg"
        if not cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 80]):
            print(f"cannot write {path}; is the folder yours?", file=sys.stderr)
            return 1
        up = table.face_up()
        wrong = [str(card.card) for card in reading.cards if card.card not in up]
        print(
            f"{path}: {style}, {', '.join(evils)}: {len(reading.cards)} of {len(up)} read, "
            f"{len(reading.unsure)} unsure, wrong: {' '.join(wrong) or 'none'}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

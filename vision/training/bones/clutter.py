"""Gather what the bone finder takes for bones on tables without any, for the face reader to drop.

python -m vision.training.bones.clutter --work WORK --count 6000
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.bones.classifier import cut
from vision.bones.detector import BoneDetector
from vision.bones.pipeline import MIN_SCORE
from vision.training.cards import art
from vision.training.cards.tables import Tables
from vision.training.common.camera import Camera

CLUTTER_FILE = "bones-clutter.npy"

SIZE, CARD_PX = (640, 480), (40.0, 240.0)
"""Pixels of a scene, and of a card's width in it."""

MOST = 6
"""Crops kept of one scene, the likeliest first."""


def gather(work: Path, count: int, seed: int = 1) -> None:
    """Write uint8 (count, CROP, CROP, 3) BGR to :data:`CLUTTER_FILE` in *work*.

    Raises:
        FileNotFoundError: the art of the cards' training is not in *work*.
    """
    tables, camera = Tables(art.load(work), SIZE, CARD_PX), Camera("cpu")
    rng, finder = np.random.default_rng(seed), BoneDetector()
    camera.seed(seed)
    crops: list[np.ndarray] = []
    while len(crops) < count:
        with torch.inference_mode():
            pictures = camera.photograph(tables.draw(8, rng).pictures)
        for picture in pictures.permute(0, 2, 3, 1).numpy():
            image = np.ascontiguousarray(picture)
            crops += [cut(image, bone) for bone in finder.find(image, threshold=MIN_SCORE)[:MOST]]
    np.save(work / CLUTTER_FILE, np.stack(crops[:count]))


def main() -> None:
    """Gather them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    gather(args.work, args.count, args.seed)


if __name__ == "__main__":
    main()

"""Fit the face reader's temperature, and say how often a confidence is right, on bones held out.

python -m vision.training.bones.calibrate --work WORK --textures FOLDER... --count 3000
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.bones.classifier import KINDS
from vision.training.bones import samples
from vision.training.bones.networks import BoneFaces
from vision.training.bones.scenes import HELD_OUT, BoneScenes
from vision.training.bones.sprites import load_bank
from vision.training.common.backgrounds import Backgrounds, load_pictures

BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)


@torch.no_grad()
def main() -> None:
    """Print the log loss at several temperatures, and the reliability table at the best."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--textures", type=Path, nargs="*", default=[])
    parser.add_argument("--count", type=int, default=3000)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    scenes = BoneScenes(
        load_bank(args.work),
        Backgrounds(load_pictures(args.textures, most=150)),
        slice(-HELD_OUT, None),
    )
    net = BoneFaces()
    net.load_state_dict(torch.load(args.work / "bones-faces.pt"))
    net.eval()
    rng = np.random.default_rng(95)
    made = [samples.crop(scenes, rng) for _ in range(args.count)]
    crops = torch.from_numpy(np.stack([m[0].transpose(2, 0, 1) for m in made])).float() / 255
    kind = torch.tensor([m[1] for m in made])
    logits = torch.cat(
        [
            (net(part)[:, :KINDS] + net(part.transpose(2, 3))[:, :KINDS]) / 2
            for part in crops.split(64)
        ]
    )
    losses = {
        t: float(nn.functional.cross_entropy(logits / t, kind))
        for t in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)
    }
    print(" ".join(f"{t}: {loss:.4f}" for t, loss in losses.items()))
    best = min(losses, key=lambda t: losses[t])
    chances = (logits / best).softmax(1)[:, :4]
    confidence, face = chances.max(1)
    right = face == kind
    print(f"at temperature {best}:")
    for low, high in pairwise(BINS):
        here = (confidence >= low) & (confidence < high)
        if here.any():
            told, true = confidence[here].mean(), right[here].float().mean()
            print(f"told {told:.3f} right {true:.3f} of {int(here.sum())}")


if __name__ == "__main__":
    main()

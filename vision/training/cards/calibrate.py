"""Fit the reader's temperature on designs held out (Guo et al., "On Calibration", 2017).

python -m vision.training.cards.calibrate --work WORK --textures FOLDER...
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from vision.cards.geometry import READ
from vision.training.cards.crops import FACE_UP, CropMaker
from vision.training.cards.networks import Reader
from vision.training.cards.train_classifier import STRAIGHTENED, load_art
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.loop import arguments


@torch.no_grad()
def main() -> None:
    """Print the negative log likelihood of rank and suit at several temperatures."""
    args = arguments(__doc__).parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures, most=150))
    maker = CropMaker(load_art(args.work, held_out=True), backgrounds, READ, STRAIGHTENED)
    net = Reader()
    net.load_state_dict(torch.load(args.work / "reader.pt"))
    net.eval()
    rng = np.random.default_rng(96)
    made = [sample for sample in (maker.make(rng) for _ in range(2000)) if sample[1] == FACE_UP]
    crops = torch.from_numpy(np.stack([m[0].transpose(2, 0, 1) for m in made])).float() / 255
    both = [(net(part) + net(part.flip(2, 3))) / 2 for part in crops.split(100)]
    out = torch.cat(both)
    rank, suit = (torch.tensor([m[i] for m in made]) for i in (2, 3))
    for temperature in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2):
        loss = sum(
            float(nn.functional.cross_entropy(part / temperature, wanted))
            for part, wanted in ((out[:, 3:16], rank), (out[:, 16:20], suit))
        )
        print(f"temperature {temperature}: {loss:.4f}")


if __name__ == "__main__":
    main()

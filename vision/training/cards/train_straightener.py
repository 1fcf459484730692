"""Train the straightener; the checkpoint is WORK/straightener.pt.

python -m vision.training.cards.train_straightener --work WORK --textures FOLDER... --minutes 20
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from vision.cards.geometry import WIDE
from vision.training.cards.crops import NO_CARD, CropMaker
from vision.training.cards.networks import Straightener
from vision.training.cards.train_classifier import load_art
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.loop import arguments, train

FOUND = 0.06
"""By what part of its width the finder's quad may be off."""


def losses(out: torch.Tensor, kind: torch.Tensor, corners: torch.Tensor) -> dict[str, torch.Tensor]:
    """L1 of the corners where there is a card."""
    off = (out - corners).abs().mean(1)
    return {"corners": (off * (kind != NO_CARD)).mean() * 100}


@torch.no_grad()
def judge(net: nn.Module, maker: CropMaker, count: int = 800) -> str:
    """Score on designs held out: how far corners lie before and after, in parts of the width."""
    net.eval()
    rng = np.random.default_rng(97)
    made = [sample for sample in (maker.make(rng) for _ in range(count)) if sample[1] != NO_CARD]
    crops = torch.from_numpy(np.stack([m[0].transpose(2, 0, 1) for m in made]))
    out = torch.cat([net(part.float() / 255) for part in crops.split(100)]).numpy()
    corners = np.stack([m[4].ravel() for m in made])
    net.train()
    before, after = np.abs(corners).mean(1), np.abs(out - corners).mean(1)
    return (
        f"held out: off {np.median(before):.4f} before, {np.median(after):.4f} after, "
        f"worst tenth {np.quantile(after, 0.9):.4f}"
    )


def main() -> None:
    """Train for a while."""
    args = arguments(__doc__).parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures))
    maker = CropMaker(load_art(args.work), backgrounds, WIDE, FOUND)
    judged = CropMaker(load_art(args.work, held_out=True), backgrounds, WIDE, FOUND)

    def make(rng: np.random.Generator):
        crop, kind, _, _, corners = maker.make(rng)
        return np.ascontiguousarray(crop.transpose(2, 0, 1)), kind, corners.ravel()

    checkpoint = args.work / "straightener.pt"
    train(Straightener(), make, losses, lambda net: judge(net, judged), checkpoint, args)


if __name__ == "__main__":
    main()

"""Train the finder; the checkpoint is WORK/finder.pt.

python -m vision.training.train_finder --work WORK --textures FOLDER... --minutes 60
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
from torch import nn

from vision.finder import UNIT, decode_quad
from vision.training.backgrounds import Backgrounds, load_pictures
from vision.training.loop import arguments, train
from vision.training.nets import Finder
from vision.training.scenes import SceneMaker
from vision.training.train_reader import load_art


def losses(out: torch.Tensor, heat: torch.Tensor, shapes: torch.Tensor) -> dict[str, torch.Tensor]:
    """Focal loss of the heat (Law and Deng, "CornerNet", 2018), L1 of the shape by card size."""
    chance = torch.sigmoid(out[:, :2]).clamp(1e-4, 1 - 1e-4)
    peak = heat >= 0.999
    good = -((1 - chance) ** 2) * chance.log() * peak
    bad = -((1 - heat) ** 4) * chance**2 * (1 - chance).log() * ~peak
    weight = shapes[:, 10:]
    length_u = (shapes[:, 2:3] + shapes[:, 4:5]).clamp(min=0.05)
    length_v = (shapes[:, 5:6] + shapes[:, 7:8]).clamp(min=0.05)
    off = (out[:, 2:] - shapes[:, :10]).abs() / torch.sqrt(length_u * length_v)
    return {
        "heat": (good + bad).sum() / peak.sum().clamp(min=1),
        "shape": (off * weight).sum() / weight.sum().clamp(min=1),
    }


@torch.no_grad()
def judge(net: nn.Module, maker: SceneMaker, count: int = 150) -> str:
    """Score on scenes with designs held out: peaks found, false ones, and how far corners lie."""
    net.eval()
    rng = np.random.default_rng(98)
    wanted = found = false = 0
    off = []
    for _ in range(count):
        image, heat, shapes = maker.make(rng)
        out = net(torch.from_numpy(image.transpose(2, 0, 1)[None].copy()).float() / 255)[0]
        chance = torch.sigmoid(out[:2]).amax(0, keepdim=True)
        high = nn.functional.max_pool2d(chance[None], 3, 1, 1)[0]
        peaks = ((chance == high) & (chance > 0.3))[0].numpy()
        near = np.zeros_like(peaks)
        numbers = out[2:].numpy()
        for row, column in zip(*np.nonzero(heat.max(0) == 1), strict=True):
            wanted += 1
            y, x = slice(max(row - 2, 0), row + 3), slice(max(column - 2, 0), column + 3)
            near[y, x] = True
            if peaks[y, x].any():
                found += 1
                a = decode_quad(shapes[:10, row, column] * UNIT)
                b = decode_quad(numbers[:, row, column] * UNIT)
                size = np.sqrt(max(cv2.contourArea(a), 1.0))
                off.append(min(np.abs(a - b).mean(), np.abs(np.roll(a, 2, 0) - b).mean()) / size)
        false += int((peaks & ~near).sum())
    net.train()
    return f"held out: found {found}/{wanted} false {false} corners off {np.median(off):.4f}"


def main() -> None:
    """Train for a while."""
    args = arguments(__doc__).parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures))
    maker = SceneMaker(load_art(args.work), backgrounds)
    judged = SceneMaker(load_art(args.work, held_out=True), backgrounds)

    def make(rng: np.random.Generator):
        image, heat, shapes = maker.make(rng)
        return np.ascontiguousarray(image.transpose(2, 0, 1)), heat, shapes

    train(Finder(), make, losses, lambda net: judge(net, judged), args.work / "finder.pt", args)


if __name__ == "__main__":
    main()

"""Train the finder; the checkpoint is WORK/finder.pt.

python -m vision.training.cards.train_detector --work WORK --textures FOLDER... --minutes 60
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from vision.cards.detector import CARD_NUMBERS, INDEX_NUMBERS
from vision.training.cards.networks import Finder
from vision.training.cards.scenes import SceneMaker
from vision.training.cards.train_classifier import load_art
from vision.training.common.augment import photograph
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.loop import arguments, train

KEPT, AGAIN = 400, 4
"""Scenes kept by a worker, and how often each is used: drawing costs more than a photograph."""

WEIGHT = 4 + CARD_NUMBERS
"""Map of the weight of a card's numbers."""

INDEX = WEIGHT + 1
"""First map of an index's numbers."""


def losses(out: torch.Tensor, maps: torch.Tensor) -> dict[str, torch.Tensor]:
    """Focal loss of the heat (Law and Deng, "CornerNet", 2018), L1 of the shapes by card size."""
    chance = torch.sigmoid(out[:, :3]).clamp(1e-4, 1 - 1e-4)
    heat = maps[:, :3]
    counts = torch.ones_like(heat)
    counts[:, 2] = maps[:, 3]
    peak = heat >= 0.999
    good = -((1 - chance) ** 2) * chance.log() * peak
    bad = -((1 - heat) ** 4) * chance**2 * (1 - chance).log() * ~peak * counts
    told = (good + bad).sum((0, 2, 3))
    peaks = peak.sum((0, 2, 3)).clamp(min=1)
    both = (told[0] + told[1]) / (peaks[0] + peaks[1])
    card, index = maps[:, 4:], maps[:, INDEX:]
    size = torch.sqrt(
        (card[:, 2:3] + card[:, 4:5]).clamp(min=0.05)
        * (card[:, 5:6] + card[:, 7:8]).clamp(min=0.05)
    )
    off = (out[:, 3 : 3 + CARD_NUMBERS] - card[:, :CARD_NUMBERS]).abs() / size
    weight = maps[:, WEIGHT : WEIGHT + 1]
    across = torch.linalg.vector_norm(index[:, 2:4], dim=1, keepdim=True).clamp(min=0.1)
    index_off = (out[:, 3 + CARD_NUMBERS :] - index[:, :INDEX_NUMBERS]).abs() / across
    # Where the index lies is read from; where the card's middle is only tells cards apart.
    index_off = index_off * torch.tensor([3.0, 3.0, 1, 1, 1, 1, 0.5, 0.5])[None, :, None, None]
    index_weight = maps[:, INDEX + INDEX_NUMBERS : INDEX + INDEX_NUMBERS + 1]
    return {
        "heat": both,
        "index": told[2] / peaks[2],
        "shape": (off * weight).sum() / weight.sum().clamp(min=1),
        "frame": (index_off * index_weight).sum() / index_weight.sum().clamp(min=1),
    }


@torch.no_grad()
def judge(net: nn.Module, maker: SceneMaker, count: int = 150) -> str:
    """Score on scenes with designs held out: peaks found and false ones of each kind."""
    net.eval()
    rng = np.random.default_rng(98)
    wanted, found, false = (np.zeros(3, int) for _ in range(3))
    off = []
    for _ in range(count):
        image, maps = maker.make(rng)
        out = net(torch.from_numpy(image.transpose(2, 0, 1)[None].copy()).float() / 255)[0]
        chance = torch.sigmoid(out[:3])
        high = nn.functional.max_pool2d(chance[None], 3, 1, 1)[0]
        peaks = ((chance == high) & (chance > 0.3)).numpy()
        for kind in range(3):
            near = np.zeros_like(peaks[kind])
            for row, column in zip(*np.nonzero(maps[kind] == 1), strict=True):
                wanted[kind] += 1
                y, x = slice(max(row - 1, 0), row + 2), slice(max(column - 1, 0), column + 2)
                near[y, x] = True
                if peaks[kind][y, x].any():
                    found[kind] += 1
                if kind == 2:
                    told = maps[INDEX : INDEX + 6, row, column]
                    miss = out[3 + CARD_NUMBERS :, row, column].numpy()[:6] - told
                    off.append(np.abs(miss).mean() / np.hypot(*told[2:4]))
            ignored = maps[3] == 0 if kind == 2 else np.zeros_like(near)
            false[kind] += int((peaks[kind] & ~near & ~ignored).sum())
    net.train()
    parts = [
        f"{name} {f}/{w} false {n}"
        for name, f, w, n in zip(("faces", "backs", "indices"), found, wanted, false, strict=True)
    ]
    return f"held out: {', '.join(parts)}, frames off {np.median(off):.4f}"


def main() -> None:
    """Train for a while."""
    args = arguments(__doc__).parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures))
    maker = SceneMaker(load_art(args.work), backgrounds)
    judged = SceneMaker(load_art(args.work, held_out=True), backgrounds)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    uses = [0]

    def make(rng: np.random.Generator):
        if len(kept) < KEPT or uses[0] % AGAIN == 0:
            drawn = maker.draw(rng)
            if len(kept) < KEPT:
                kept.append(drawn)
            else:
                kept[rng.integers(KEPT)] = drawn
            image, maps = drawn
        else:
            image, maps = kept[rng.integers(KEPT)]
        uses[0] += 1
        image = photograph(image, rng, rough=0.8)
        return np.ascontiguousarray(image.transpose(2, 0, 1)), maps

    train(Finder(), make, losses, lambda net: judge(net, judged), args.work / "finder.pt", args)


if __name__ == "__main__":
    main()

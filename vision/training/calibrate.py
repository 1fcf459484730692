"""Fit a reader's temperature on what is held out (Guo et al., "On Calibration", 2017).

python -m vision.training.calibrate --model bones-faces --work WORK
"""

from __future__ import annotations

from itertools import islice, pairwise

import torch
from torch import Tensor, nn

from vision.bones.classifier import KINDS
from vision.training.export import load
from vision.training.train import TASKS, parser

BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
TEMPERATURES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2)

PARTS = {"reader": (slice(3, 16), slice(16, 20)), "bones-faces": (slice(0, KINDS),)}
"""The numbers of an output that are calibrated together: ranks and suits, or faces."""


def both_ways(net: nn.Module, crops: Tensor, name: str) -> Tensor:
    """Return the mean of two readings, as the product makes them."""
    other = crops.flip(2, 3) if name == "reader" else crops.transpose(2, 3)
    return (net(crops) + net(other)) / 2


def reliability(chances: Tensor, right: Tensor) -> None:
    """Print how often each confidence was right."""
    for low, high in pairwise(BINS):
        here = (chances >= low) & (chances < high)
        if here.any():
            told, true = chances[here].mean(), right[here].float().mean()
            print(f"told {told:.3f} right {true:.3f} of {int(here.sum())}")


@torch.no_grad()
def main() -> None:
    """Print the log loss at several temperatures, and the reliability at the best."""
    options = parser(__doc__)
    options.set_defaults(batch=100, device="cpu")
    args = options.parse_args()
    torch.set_num_threads(args.threads)
    task = TASKS[args.model]
    net = load(task, args.work / args.model / "last.pt").eval()
    outs, wants = [], []
    for crops, kind, *more in islice(task.batches(args, 96, held_out=True), 30):
        outs.append(both_ways(net, crops.float() / 255, args.model))
        wants.append(more if args.model == "reader" else [kind])
    out = torch.cat(outs)
    wanted = [torch.cat(parts) for parts in zip(*wants, strict=True)]
    up = wanted[0] >= 0
    logits = [out[up, part] for part in PARTS[args.model]]
    wanted = [each[up] for each in wanted]

    def loss(temperature: float) -> float:
        pairs = zip(logits, wanted, strict=True)
        return sum(float(nn.functional.cross_entropy(a / temperature, b)) for a, b in pairs)

    losses = {each: loss(each) for each in TEMPERATURES}
    print(" ".join(f"{each}: {value:.4f}" for each, value in losses.items()))
    best = min(losses, key=lambda each: losses[each])
    chances, right = torch.ones(len(wanted[0])), torch.ones(len(wanted[0]), dtype=torch.bool)
    for part, want in zip(logits, wanted, strict=True):
        chance, told = (part / best).softmax(1).max(1)
        chances, right = chances * chance, right & (told == want)
    print(f"at temperature {best}:")
    reliability(chances, right)


if __name__ == "__main__":
    main()

"""What the trainer must know of the two bone networks: pictures, losses, and how to judge."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import nn

from vision.bones.classifier import CROP, KINDS
from vision.training.bones.networks import BoneFaces, BoneFinder
from vision.training.bones.samples import Source
from vision.training.common.task import Batch, Task


def finder_losses(
    out: torch.Tensor, heat: torch.Tensor, shapes: torch.Tensor
) -> dict[str, torch.Tensor]:
    """Focal loss of the heat (Law and Deng, "CornerNet", 2018), L1 of offset and length."""
    chance = torch.sigmoid(out[:, :1]).clamp(1e-4, 1 - 1e-4)
    peak = heat >= 0.999
    good = -((1 - chance) ** 2) * chance.log() * peak
    bad = -((1 - heat) ** 4) * chance**2 * (1 - chance).log() * ~peak
    weight = shapes[:, 3:]
    total = weight.sum().clamp(min=1)
    return {
        "heat": (good + bad).sum() / peak.sum().clamp(min=1),
        "offset": ((out[:, 1:3] - shapes[:, :2]).abs() * weight).sum() / total * 0.3,
        "length": ((out[:, 3:] - shapes[:, 2:3]).abs() * weight).sum() / total,
    }


def faces_losses(
    out: torch.Tensor, kind: torch.Tensor, mask: torch.Tensor
) -> dict[str, torch.Tensor]:
    """Cross entropy of the kind and of the mask."""
    known = nn.functional.cross_entropy(out[:, :KINDS], kind, label_smoothing=0.03)
    cells = mask[0].numel()
    covered = nn.functional.binary_cross_entropy_with_logits(out[:, -cells:], mask.flatten(1))
    return {"kind": known, "mask": covered}


def batches(draw: Callable[[Source, int], Batch]) -> Callable[..., Iterator[Batch]]:
    """Make what yields batches of what *draw* gives: scenes for the finder, or crops."""

    def make(args: argparse.Namespace, seed: object, *, held_out: bool = False) -> Iterator[Batch]:
        number = int(np.random.default_rng(seed).integers(2**31))
        source = Source(args.work, args.device, number, held_out=held_out)
        while True:
            yield draw(source, args.batch)

    return make


@torch.no_grad()
def judge_finder(net: nn.Module, held: Iterator[Batch], count: int) -> dict[str, float]:
    """Count bones found and false ones, and tell how far off middles and lengths lie."""
    wanted = found = false = done = 0
    off, long = [], []
    while done < count:
        pictures, heats, all_shapes = next(held)
        outs = net(pictures.float() / 255).float().cpu()
        for out, heat, shapes in zip(outs, heats.cpu(), all_shapes.cpu().numpy(), strict=True):
            done += 1
            chance = torch.sigmoid(out[:1])
            high = nn.functional.max_pool2d(chance[None], 3, 1, 1)[0]
            peaks = ((chance == high) & (chance > 0.3))[0].numpy()
            near = np.zeros_like(peaks)
            for row, column in zip(*np.nonzero(heat[0].numpy() == 1), strict=True):
                wanted += 1
                reach = max(int(np.exp(shapes[2, row, column]) * 40 / 4 * 0.25), 2)
                here = (
                    slice(max(row - reach, 0), row + reach + 1),
                    slice(max(column - reach, 0), column + reach + 1),
                )
                near[here] = True
                if peaks[here].any():
                    found += 1
                    told = out[1:, row, column].numpy()
                    off.append(np.abs(told[:2] - shapes[:2, row, column]).mean())
                    long.append(abs(told[2] - shapes[2, row, column]))
            false += int((peaks & ~near).sum())
    return {
        "found": found / max(wanted, 1),
        "false in a picture": false / done,
        "middle off, cells": float(np.mean(off)),
        "length off": float(np.mean(long)),
    }


@torch.no_grad()
def judge_faces(net: nn.Module, held: Iterator[Batch], count: int) -> dict[str, float]:
    """Count right faces, and tell how far masks agree."""
    outs, kinds, masks = [], [], []
    while sum(map(len, outs)) < count:
        crops, kind, mask = next(held)
        outs.append(net(crops.float() / 255).float().cpu())
        kinds.append(kind.cpu())
        masks.append(mask.flatten(1).cpu() > 0.5)
    out, kind, mask = torch.cat(outs), torch.cat(kinds), torch.cat(masks)
    told = out[:, :KINDS].argmax(1)
    guess = out[:, -mask.shape[1] :] > 0
    bones = kind != KINDS - 1
    shared = (guess & mask)[bones].sum(1) / (guess | mask)[bones].sum(1).clamp(min=1)
    right = {f"kind {k}": float((told == kind)[kind == k].float().mean()) for k in range(KINDS)}
    faces = float((told == kind)[kind < 4].float().mean())
    return {"faces": faces, **right, "mask": float(shared.mean())}


TASKS = {
    "bones-finder": Task(
        BoneFinder,
        "bones-finder.onnx",
        (352, 448),
        batches(Source.scenes),
        finder_losses,
        judge_finder,
        any_size=True,
    ),
    "bones-faces": Task(
        BoneFaces,
        "bones-faces.onnx",
        (CROP, CROP),
        batches(Source.crops),
        faces_losses,
        judge_faces,
    ),
}

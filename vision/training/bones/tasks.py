"""What the trainer must know of the two bone networks: pictures, losses, and how to judge."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import torch
from torch import nn

from vision.bones.classifier import CROP, KINDS
from vision.training.bones import samples
from vision.training.bones.networks import BoneFaces, BoneFinder
from vision.training.bones.scenes import HELD_OUT, BoneScenes
from vision.training.bones.sprites import load_bank
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.task import Batch, Task

Sample = tuple[object, ...]


class Recycled:
    """Draws every sample anew only now and then, and else turns over one of the last ones."""

    def __init__(
        self,
        make: Callable[[np.random.Generator], Sample],
        turn: Callable[[Sample, np.random.Generator], Sample],
        fresh: float,
        keep: int,
    ) -> None:
        """Draw a share *fresh* of the samples anew; remember *keep* of them."""
        self.make, self.turn, self.fresh, self.keep = make, turn, fresh, keep
        self.kept: list[Sample] = []

    def __call__(self, rng: np.random.Generator) -> Sample:
        """One sample, pictures as (3, h, w)."""
        if len(self.kept) < 64 or rng.random() < self.fresh:
            sample = self.make(rng)
            if len(self.kept) < self.keep:
                self.kept.append(sample)
            else:
                self.kept[rng.integers(self.keep)] = sample
        else:
            sample = self.kept[rng.integers(len(self.kept))]
        picture, *rest = self.turn(sample, rng)
        return np.ascontiguousarray(tinted(picture, rng).transpose(2, 0, 1)), *rest


def tinted(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Change a picture's colours, or take them away."""
    if rng.random() < 0.5:
        return picture
    out = picture.astype(np.float32)
    if rng.random() < 0.2:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.08:
        out = 255 - out
    if rng.random() < 0.25:
        grey = out.mean(2, keepdims=True)
        out = grey + (out - grey) * rng.uniform(0, 0.6)
    out = out * np.exp(rng.normal(0, 0.12, 3)) + rng.normal(0, 8)
    return np.clip(out, 0, 255).astype(np.uint8)


def turned_scene(sample: Sample, rng: np.random.Generator) -> Sample:
    """Mirror a finder's sample and its maps."""
    image, heat, shapes = sample
    if rng.random() < 0.5:
        image, heat, shapes = image[:, ::-1], heat[..., ::-1], shapes[..., ::-1].copy()
        shapes[0] *= -1
    if rng.random() < 0.5:
        image, heat, shapes = image[::-1], heat[:, ::-1], shapes[:, ::-1].copy()
        shapes[1] *= -1
    return image, np.ascontiguousarray(heat), np.ascontiguousarray(shapes)


def turned_crop(sample: Sample, rng: np.random.Generator) -> Sample:
    """Turn a crop by quarters, mirror it, move and stretch it a little."""
    image, kind, mask = sample
    quarters = int(rng.integers(4))
    image, mask = np.rot90(image, quarters), np.rot90(mask, quarters)
    if rng.random() < 0.5:
        image, mask = image[:, ::-1], mask[:, ::-1]
    if rng.random() < 0.6:
        size, small = image.shape[0], mask.shape[0]
        angle, stretch = rng.normal(0, 0.2), np.exp(rng.normal(0, 0.06, 2))
        linear = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        linear = linear @ np.diag(stretch)
        shift = np.clip(rng.normal(0, 0.02, 2), -0.06, 0.06)

        def moved(layer: np.ndarray, width: int) -> np.ndarray:
            middle = np.full(2, width / 2 - 0.5)
            matrix = np.column_stack([linear, middle - linear @ middle + shift * width])
            return cv2.warpAffine(
                np.ascontiguousarray(layer), matrix, (width, width), borderMode=cv2.BORDER_REFLECT
            )

        image, mask = moved(image, size), moved(mask, small)
    return image, kind, np.ascontiguousarray(mask)


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


def batches(kind: str) -> Callable[..., Iterator[Batch]]:
    """Make what yields batches for the finder or for the reader of faces."""

    def make(args: argparse.Namespace, seed: object, *, held_out: bool = False) -> Iterator[Batch]:
        rng = np.random.default_rng(seed)
        part = slice(-HELD_OUT, None) if held_out else slice(None, -HELD_OUT)
        backgrounds = Backgrounds(load_pictures(args.textures, most=350))
        scenes = BoneScenes(load_bank(args.work), backgrounds, part)
        draw = samples.scene if kind == "finder" else samples.crop
        turn = turned_scene if kind == "finder" else turned_crop
        fresh, keep = (0.12, 2000) if kind == "finder" else (0.15, 10_000)
        source = Recycled(lambda r: draw(scenes, r), turn, 1.0 if held_out else fresh, keep)
        while True:
            columns = zip(*(source(rng) for _ in range(args.batch)), strict=True)
            yield tuple(torch.from_numpy(np.stack(each)).to(args.device) for each in columns)

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
        batches("finder"),
        finder_losses,
        judge_finder,
        any_size=True,
        halved=False,
    ),
    "bones-faces": Task(
        BoneFaces,
        "bones-faces.onnx",
        (CROP, CROP),
        batches("faces"),
        faces_losses,
        judge_faces,
        halved=False,
    ),
}

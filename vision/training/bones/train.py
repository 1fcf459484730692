"""Train the bone networks; the checkpoints are WORK/bones-finder.pt and WORK/bones-faces.pt.

python -m vision.training.bones.train faces --work WORK --textures FOLDER... --minutes 60
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import torch
from torch import nn

from vision.bones.classifier import KINDS
from vision.training.bones import samples
from vision.training.bones.networks import BoneFaces, BoneFinder
from vision.training.bones.scenes import HELD_OUT, BoneScenes
from vision.training.bones.sprites import load_bank
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.loop import Sample, arguments, train


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


@torch.no_grad()
def judge_finder(net: nn.Module, scenes: BoneScenes, count: int = 120) -> str:
    """Score on scenes of sprites held out: bones found, false ones, how far off middles lie."""
    net.eval()
    rng = np.random.default_rng(98)
    wanted = found = false = 0
    off, long = [], []
    for _ in range(count):
        image, heat, shapes = samples.scene(scenes, rng)
        out = net(torch.from_numpy(image.transpose(2, 0, 1)[None].copy()).float() / 255)[0]
        chance = torch.sigmoid(out[:1])
        high = nn.functional.max_pool2d(chance[None], 3, 1, 1)[0]
        peaks = ((chance == high) & (chance > 0.3))[0].numpy()
        near = np.zeros_like(peaks)
        for row, column in zip(*np.nonzero(heat[0] == 1), strict=True):
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
    net.train()
    return (
        f"held out: found {found}/{wanted} false {false} "
        f"off {np.mean(off):.3f} cells, length off {np.mean(long):.3f}"
    )


@torch.no_grad()
def judge_faces(net: nn.Module, scenes: BoneScenes, count: int = 1200) -> str:
    """Score on crops of sprites held out."""
    net.eval()
    rng = np.random.default_rng(99)
    made = [samples.crop(scenes, rng) for _ in range(count)]
    crops = torch.from_numpy(np.stack([m[0].transpose(2, 0, 1) for m in made]))
    out = torch.cat([net(part.float() / 255) for part in crops.split(100)])
    kind = torch.tensor([m[1] for m in made])
    mask = torch.from_numpy(np.stack([m[2] for m in made])).flatten(1) > 0.5
    told = out[:, :KINDS].argmax(1)
    right = [(told == kind)[kind == k].float().mean().item() for k in range(KINDS)]
    guess = out[:, -mask.shape[1] :] > 0
    bones = kind != KINDS - 1
    shared = (guess & mask)[bones].sum(1) / (guess | mask)[bones].sum(1).clamp(min=1)
    net.train()
    rates = " ".join(f"{value:.3f}" for value in right)
    faces = (told == kind)[kind < 4].float().mean()
    return f"held out: faces {faces:.4f} by kind {rates} mask {shared.mean():.3f}"


def main() -> None:
    """Train for a while."""
    parser = arguments(__doc__)
    parser.add_argument("net", choices=("finder", "faces"))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    backgrounds = Backgrounds(load_pictures(args.textures, most=350))
    bank = load_bank(args.work)
    scenes = BoneScenes(bank, backgrounds, slice(None, -HELD_OUT))
    judged = BoneScenes(bank, backgrounds, slice(-HELD_OUT, None))
    checkpoint = args.work / f"bones-{args.net}.pt"
    if args.net == "finder":
        make = Recycled(lambda rng: samples.scene(scenes, rng), turned_scene, 0.12, 2000)
        train(
            BoneFinder(), make, finder_losses, lambda n: judge_finder(n, judged), checkpoint, args
        )
    else:
        make = Recycled(lambda rng: samples.crop(scenes, rng), turned_crop, 0.15, 10000)
        train(BoneFaces(), make, faces_losses, lambda n: judge_faces(n, judged), checkpoint, args)


if __name__ == "__main__":
    main()

"""What the trainer must know of each of the card networks: pictures, losses, and how to judge."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, nn

from vision.cards.detector import CARD_NUMBERS, INDEX_NUMBERS
from vision.cards.geometry import READ, WIDE
from vision.training.cards import art, targets
from vision.training.cards.networks import CornerReader, Finder, Reader, Straightener
from vision.training.cards.tables import Tables
from vision.training.common.camera import Camera
from vision.training.common.task import Batch, Task

FOUND, STRAIGHTENED = 0.06, 0.025
"""How far a card's corners are off as finder and straightener leave it, in parts of its width."""

WEIGHT = 4 + CARD_NUMBERS
"""Map of the weight of a card's numbers."""

INDEX = WEIGHT + 1
"""First map of an index's numbers."""

AT_ONCE = 32
"""Scenes drawn at once for crops."""

KEPT = 384
"""Scenes kept, to be photographed again."""


def finder_losses(out: Tensor, maps: Tensor) -> dict[str, Tensor]:
    """Focal loss of the heat (Law and Deng, "CornerNet", 2018), L1 of the shapes by card size."""
    maps = maps.float()
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
    parts = torch.tensor([3.0, 3, 1, 1, 1, 1, 0.5, 0.5], device=out.device)
    index_off = index_off * parts[None, :, None, None]
    index_weight = maps[:, INDEX + INDEX_NUMBERS : INDEX + INDEX_NUMBERS + 1]
    return {
        "heat": both,
        "index": told[2] / peaks[2],
        "shape": (off * weight).sum() / weight.sum().clamp(min=1),
        "frame": (index_off * index_weight).sum() / index_weight.sum().clamp(min=1),
    }


def corner_losses(out: Tensor, kind: Tensor, corners: Tensor) -> dict[str, Tensor]:
    """L1 of the corners where there is a card."""
    off = (out - corners).abs().mean(1)
    return {"corners": (off * (kind != targets.NO_CARD)).mean() * 100}


def reading_losses(kinds: int, share: float) -> Callable[..., dict[str, Tensor]]:
    """Cross entropy of what a crop is (which counts *share*), its rank and its suit."""

    def losses(out: Tensor, kind: Tensor, rank: Tensor, suit: Tensor) -> dict[str, Tensor]:
        cross = nn.functional.cross_entropy
        readable = (rank >= 0).any()
        ranks, suits = out[:, kinds : kinds + 13], out[:, kinds + 13 :]
        nothing = out.sum() * 0
        return {
            "kind": cross(out[:, :kinds], kind) * share,
            "rank": cross(ranks, rank, ignore_index=-1, label_smoothing=0.02)
            if readable
            else nothing,
            "suit": cross(suits, suit, ignore_index=-1, label_smoothing=0.02)
            if readable
            else nothing,
        }

    return losses


class _Pictures:
    """Draws and photographs scenes of the designs to train on, or of those held out."""

    def __init__(
        self,
        args: argparse.Namespace,
        seed: object,
        *,
        held_out: bool,
        size: tuple[int, int],
        card_px: tuple[float, float],
    ) -> None:
        drawn = art.load(args.work, args.device, held_out=held_out, share=args.share)
        self.tables = Tables(drawn, size, card_px)
        self.camera = Camera(args.device)
        self.rng = np.random.default_rng(seed)
        self.camera.seed(int(self.rng.integers(2**31)))


def finder_batches(
    args: argparse.Namespace, seed: object, *, held_out: bool = False
) -> Iterator[Batch]:
    """Yield photographs and maps; each scene is photographed ``args.again`` times."""
    made = _Pictures(args, seed, held_out=held_out, size=args.size, card_px=(20.0, 220.0))
    rng, again = made.rng, 1 if held_out else args.again
    kept: list[tuple[Tensor, Tensor]] = []
    while True:
        fresh = args.batch if len(kept) < args.batch else max(args.batch // again, 1)
        scenes = made.tables.draw(fresh, rng)
        drawn = scenes.pictures.to(torch.uint8)
        new = list(zip(drawn, targets.finder_maps(scenes).half(), strict=True))
        old = [kept[k] for k in rng.integers(0, len(kept), args.batch - fresh)] if kept else []
        chosen = [*new, *old]
        if again > 1:
            for each in new:
                if len(kept) < KEPT:
                    kept.append(each)
                else:
                    kept[int(rng.integers(KEPT))] = each
        pictures = torch.stack([picture for picture, _ in chosen]).float()
        yield made.camera.photograph(pictures), torch.stack([maps for _, maps in chosen])


def _crops(
    args: argparse.Namespace,
    seed: object,
    held_out: bool,
    cut: Callable[..., tuple[Tensor, ...]],
    card_px: tuple[float, float],
) -> Iterator[Batch]:
    """Yield batches of what *cut* gives of scenes, shuffled over several scenes."""
    made = _Pictures(args, seed, held_out=held_out, size=(384, 288), card_px=card_px)
    waiting: list[tuple[Tensor, ...]] = []
    while True:
        while sum(len(each[0]) for each in waiting) < args.batch * 4:
            scenes = made.tables.draw(AT_ONCE, made.rng)
            for _ in range(1 if held_out else args.again):
                crops = cut(scenes, made.camera.photograph(scenes.pictures), made.rng)
                if len(crops[0]):
                    waiting.append(crops)
        columns = [torch.cat(parts) for parts in zip(*waiting, strict=True)]
        order = torch.from_numpy(made.rng.permutation(len(columns[0]))).to(columns[0].device)
        taken, left = order[: args.batch], order[args.batch :]
        waiting = [tuple(column[left] for column in columns)]
        yield tuple(column[taken] for column in columns)


def straightener_batches(args, seed, *, held_out=False) -> Iterator[Batch]:
    """Yield crops as the finder leaves them, what they are, and how far their corners are off."""

    def cut(scenes, photographs, rng):
        crops, kind, _, _, corners = targets.card_crops(scenes, photographs, WIDE, FOUND, rng)
        return crops, kind, corners

    return _crops(args, seed, held_out, cut, (26.0, 150.0))


def reader_batches(args, seed, *, held_out=False) -> Iterator[Batch]:
    """Yield crops as the straightener leaves them, what they are, ranks and suits."""

    def cut(scenes, photographs, rng):
        return targets.card_crops(scenes, photographs, READ, STRAIGHTENED, rng)[:4]

    return _crops(args, seed, held_out, cut, (36.0, 170.0))


def index_batches(args, seed, *, held_out=False) -> Iterator[Batch]:
    """Yield patches round indices, whether there is one, ranks and suits."""
    return _crops(args, seed, held_out, targets.corner_crops, (32.0, 150.0))


@torch.no_grad()
def judge_finder(net: nn.Module, batches: Iterator[Batch], count: int) -> dict[str, float]:
    """Count the peaks found and the false ones of each kind."""
    tally = {name: np.zeros(3) for name in ("wanted", "found", "false")}
    off: list[float] = []
    done = 0
    while done < count:
        pictures, maps = next(batches)
        done += len(pictures)
        out = net(pictures.float() / 255).float().cpu()
        maps = maps.float().cpu()
        chance = torch.sigmoid(out[:, :3])
        peaks = (chance == nn.functional.max_pool2d(chance, 3, 1, 1)) & (chance > 0.3)
        true = maps[:, :3] == 1
        near = nn.functional.max_pool2d(true.float(), 3, 1, 1) > 0
        answered = nn.functional.max_pool2d(peaks.float(), 3, 1, 1) > 0
        ignored = torch.zeros_like(true)
        ignored[:, 2] = maps[:, 3] == 0
        tally["wanted"] += true.sum((0, 2, 3)).numpy()
        tally["found"] += (true & answered).sum((0, 2, 3)).numpy()
        tally["false"] += (peaks & ~near & ~ignored).sum((0, 2, 3)).numpy()
        n, y, x = true[:, 2].nonzero().unbind(1)
        told = maps[n, INDEX : INDEX + 6, y, x]
        miss = (out[n, 3 + CARD_NUMBERS :, y, x][:, :6] - told).abs().mean(1)
        off += (miss / told[:, 2:4].norm(dim=1)).tolist()
    result = {}
    for k, name in enumerate(("faces", "backs", "indices")):
        result[f"{name} found"] = tally["found"][k] / max(tally["wanted"][k], 1)
        result[f"{name} false in a picture"] = tally["false"][k] / done
    return result | {"frames off": float(np.median(off))}


@torch.no_grad()
def judge_straightener(net: nn.Module, batches: Iterator[Batch], count: int) -> dict[str, float]:
    """Tell how far corners lie before and after, in parts of the width."""
    before, after = [], []
    done = 0
    while done < count:
        crops, kind, corners = next(batches)
        done += len(crops)
        out = net(crops.float() / 255).float()
        cards = kind != targets.NO_CARD
        before.append(corners.abs().mean(1)[cards].cpu().numpy())
        after.append((out - corners).abs().mean(1)[cards].cpu().numpy())
    told = np.concatenate(after)
    return {
        "off before": float(np.median(np.concatenate(before))),
        "off after": float(np.median(told)),
        "worst tenth": float(np.quantile(told, 0.9)),
    }


def judge_reading(kinds: int) -> Callable[..., dict[str, float]]:
    """Make the judge of a reader whose crops are of so many kinds."""

    @torch.no_grad()
    def judge(net: nn.Module, batches: Iterator[Batch], count: int) -> dict[str, float]:
        """Count right kinds, ranks and suits, and wrong ones among those that are sure."""
        outs, wants = [], []
        while sum(map(len, outs)) < count:
            crops, *wanted = next(batches)
            outs.append(net(crops.float() / 255).float().cpu())
            wants.append([each.cpu() for each in wanted])
        out = torch.cat(outs)
        kind, rank, suit = (torch.cat(parts) for parts in zip(*wants, strict=True))
        up = rank >= 0
        # An exported reader gives its embedding behind them.
        parts = out[:, : kinds + 17].split((kinds, 13, 4), 1)
        right = [
            part.argmax(1) == want for part, want in zip(parts, (kind, rank, suit), strict=True)
        ]
        sure = parts[0].softmax(1)[:, 0] * parts[1].softmax(1).amax(1) * parts[2].softmax(1).amax(1)
        sure = sure > 0.9
        wrong = sure & ~(right[1] & right[2] & up)
        return {
            "rank": float(right[1][up].float().mean()),
            "suit": float(right[2][up].float().mean()),
            "kind": float(right[0].float().mean()),
            "sure": float(sure[up].float().mean()),
            "wrong of sure": float(wrong.sum() / sure.sum().clamp(min=1)),
        }

    return judge


TASKS = {
    "finder": Task(
        Finder, "card_finder.onnx", (576, 768), finder_batches, finder_losses, judge_finder, True
    ),
    "straightener": Task(
        Straightener,
        "straightener.onnx",
        (WIDE.height, WIDE.width),
        straightener_batches,
        corner_losses,
        judge_straightener,
    ),
    "reader": Task(
        Reader,
        "reader.onnx",
        (READ.height, READ.width),
        reader_batches,
        reading_losses(3, 0.5),
        judge_reading(3),
    ),
    "corners": Task(
        CornerReader,
        "corner_reader.onnx",
        (targets.PATCH_H, targets.PATCH_W),
        index_batches,
        reading_losses(2, 1.0),
        judge_reading(2),
    ),
}

"""Train the reader; checkpoints go to WORK, the finished network to vision/models/reader.onnx.

    python -m vision.training.train_reader --work WORK --textures FOLDER... --minutes 60
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.training.art import HELD_OUT
from vision.training.backgrounds import Backgrounds, load_pictures
from vision.training.crops import FACE_H, FACE_UP, FACE_W, NO_CARD, Art, CropMaker
from vision.training.nets import Reader


def shrink(faces: np.ndarray) -> np.ndarray:
    """Bring stored faces to the size they are drawn from."""
    size = (FACE_W, FACE_H)
    return np.stack([cv2.resize(face, size, interpolation=cv2.INTER_AREA) for face in faces])


def load_art(work: Path, *, held_out: bool = False) -> Art:
    """The faces to train on, or those of the designs held out."""
    faces, labels = np.load(work / "faces.npy"), np.load(work / "labels.npy")
    faces, backs = shrink(faces), shrink(np.load(work / "backs.npy"))
    decks = np.load(work / "decks.npy")
    out = np.isin(decks, HELD_OUT)
    if held_out:
        keep = out & (labels >= 0)
        return Art(((1.0, faces[keep], labels[keep]),), backs)
    real = decks == "photographed"
    drawn = np.load(work / "drawn.npy", mmap_mode="r")
    drawn_labels = np.tile(np.arange(52), len(drawn))
    return Art(
        (
            (0.46, faces[~out & ~real], labels[~out & ~real]),
            (0.34, shrink(drawn.reshape(-1, *drawn.shape[2:])), drawn_labels),
            (0.20, faces[real], labels[real]),
        ),
        backs,
    )


class Crops(IterableDataset):
    """An endless stream of crops."""

    def __init__(self, maker: CropMaker, seed: int) -> None:
        """Keep the maker."""
        self.maker, self.seed = maker, seed

    def __iter__(self):
        """Draw for ever, each worker from its own seed."""
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0, time.time_ns() % 2**31])
        while True:
            crop, kind, rank, suit, corners = self.maker.make(rng)
            yield np.ascontiguousarray(crop.transpose(2, 0, 1)), kind, rank, suit, corners.ravel()


def losses(out: torch.Tensor, kind, rank, suit, corners) -> dict[str, torch.Tensor]:
    """The parts of the loss; -1 labels count for nothing."""
    cross = nn.functional.cross_entropy
    seen = kind != NO_CARD
    off = (out[:, 20:] - corners).abs().mean(1)
    return {
        "kind": cross(out[:, :3], kind) * 0.5,
        "rank": cross(out[:, 3:16], rank, ignore_index=-1, label_smoothing=0.02),
        "suit": cross(out[:, 16:20], suit, ignore_index=-1, label_smoothing=0.02),
        "corners": (off * seen).mean() * 20,
    }


@torch.no_grad()
def judge(net: Reader, maker: CropMaker, count: int = 1500) -> str:
    """Score on crops of the held-out designs."""
    net.eval()
    rng = np.random.default_rng(99)
    made = [maker.make(rng) for _ in range(count)]
    crops = torch.from_numpy(np.stack([m[0].transpose(2, 0, 1) for m in made]))
    out = torch.cat([net(part.float() / 255) for part in crops.split(100)])
    kind, rank, suit = (torch.tensor([m[i] for m in made]) for i in (1, 2, 3))
    up = (kind == FACE_UP) & (rank >= 0)
    right_rank = (out[:, 3:16].argmax(1) == rank)[up].float().mean()
    right_suit = (out[:, 16:20].argmax(1) == suit)[up].float().mean()
    right_kind = (out[:, :3].argmax(1) == kind).float().mean()
    off = (out[:, 20:] - torch.tensor(np.stack([m[4].ravel() for m in made]))).abs()[up].mean()
    net.train()
    return f"held out: rank {right_rank:.4f} suit {right_suit:.4f} kind {right_kind:.4f} off {off:.4f}"


def main() -> None:
    """Train for a while, with a warm-up and a cosine decay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--textures", type=Path, nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    backgrounds = Backgrounds(load_pictures(args.textures))
    maker = CropMaker(load_art(args.work), backgrounds)
    judged = CropMaker(load_art(args.work, held_out=True), backgrounds)
    net = Reader().to(memory_format=torch.channels_last)
    checkpoint = args.work / "reader.pt"
    if args.resume:
        net.load_state_dict(torch.load(checkpoint))
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    loader = iter(DataLoader(Crops(maker, args.seed), args.batch, num_workers=1, prefetch_factor=6))
    began, step = time.monotonic(), 0
    running: dict[str, float] = {}
    while (part := (time.monotonic() - began) / (args.minutes * 60)) < 1:
        rate = args.rate * min(1, (step + 1) / 200) * 0.5 * (1 + np.cos(np.pi * part))
        for group in optimizer.param_groups:
            group["lr"] = rate
        crops, kind, rank, suit, corners = next(loader)
        crops = (crops.float() / 255).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(crops)
        parts = losses(out.float(), kind, rank, suit, corners)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        optimizer.step()
        step += 1
        for name, value in parts.items():
            running[name] = 0.98 * running.get(name, value.item()) + 0.02 * value.item()
        if step % 100 == 0:
            told = " ".join(f"{k} {v:.3f}" for k, v in running.items())
            print(f"{(time.monotonic() - began) / 60:.1f} min step {step}: {told}", flush=True)
        if step % 500 == 0:
            torch.save(net.state_dict(), checkpoint)
            print(judge(net, judged), flush=True)
    torch.save(net.state_dict(), checkpoint)
    print(judge(net, judged), flush=True)


if __name__ == "__main__":
    main()

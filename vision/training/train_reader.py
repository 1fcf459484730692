"""Train the reader; the checkpoint is WORK/reader.pt.

python -m vision.training.train_reader --work WORK --textures FOLDER... --minutes 60
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.art import HELD_OUT
from vision.training.backgrounds import Backgrounds, load_pictures
from vision.training.crops import FACE_H, FACE_UP, FACE_W, NO_CARD, Art, CropMaker
from vision.training.loop import arguments, train
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
def judge(net: nn.Module, maker: CropMaker, count: int = 1500) -> str:
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
    right = f"rank {right_rank:.4f} suit {right_suit:.4f} kind {right_kind:.4f}"
    return f"held out: {right} corners off {off:.4f}"


def main() -> None:
    """Train for a while."""
    args = arguments(__doc__).parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures))
    maker = CropMaker(load_art(args.work), backgrounds)
    judged = CropMaker(load_art(args.work, held_out=True), backgrounds)

    def make(rng: np.random.Generator):
        crop, kind, rank, suit, corners = maker.make(rng)
        return np.ascontiguousarray(crop.transpose(2, 0, 1)), kind, rank, suit, corners.ravel()

    train(Reader(), make, losses, lambda net: judge(net, judged), args.work / "reader.pt", args)


if __name__ == "__main__":
    main()

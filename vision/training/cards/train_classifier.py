"""Train the reader; the checkpoint is WORK/reader.pt.

python -m vision.training.cards.train_classifier --work WORK --textures FOLDER... --minutes 60
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.cards.geometry import READ
from vision.training.cards.crops import FACE_H, FACE_UP, FACE_W, Art, CropMaker
from vision.training.cards.deck_art import CODES, HELD_OUT
from vision.training.cards.networks import Reader
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.loop import arguments, train

STRAIGHTENED = 0.025
"""By what part of its width a straightened crop may still be off."""


def shrink(faces: np.ndarray) -> np.ndarray:
    """Bring stored faces to the size they are drawn from."""
    size = (FACE_W, FACE_H)
    return np.stack([cv2.resize(face, size, interpolation=cv2.INTER_AREA) for face in faces])


def with_four(faces: np.ndarray, labels: np.ndarray, decks: np.ndarray) -> np.ndarray:
    """Whether the deck of each face has indices in all four corners: bool (n,).

    On number cards the top right corner of other decks is bare.
    """
    box = faces[:, round(0.04 * FACE_H) : round(0.2 * FACE_H), round(0.86 * FACE_W) : -4]
    inked = (np.ptp(box.reshape(len(faces), -1).astype(np.int16), axis=1) > 90).astype(float)
    number = (labels >= 0) & (labels % 13 > 0) & (labels % 13 < 10)
    out = np.zeros(len(faces), bool)
    for deck in np.unique(decks):
        own = decks == deck
        if (own & number).any():
            out[own] = inked[own & number].mean() > 0.8
    return out


def load_art(work: Path, *, held_out: bool = False) -> Art:
    """The faces to train on, or those of the designs held out."""
    faces, labels = np.load(work / "faces.npy"), np.load(work / "labels.npy")
    faces, backs = shrink(faces), shrink(np.load(work / "backs.npy"))
    decks = np.load(work / "decks.npy")
    out = np.isin(decks, HELD_OUT)
    if held_out:
        keep = out & (labels >= 0)
        four = with_four(faces[keep], labels[keep], decks[keep])
        return Art(((1.0, faces[keep], labels[keep]),), backs, (four,))
    real = decks == "photographed"
    photographs = faces[real], labels[real]
    if (work / "tables.npy").exists():  # cut out by photographs.py with the networks so far
        tables = shrink(np.load(work / "tables.npy"))
        table_labels = np.load(work / "tables-labels.npy")
        photographs = tuple(
            np.concatenate(pair) for pair in zip(photographs, (tables, table_labels), strict=True)
        )
    drawn = np.load(work / "drawn.npy", mmap_mode="r")
    aces = shrink(np.load(work / "aces.npy"))
    drawn_labels = np.tile(np.arange(52), len(drawn))
    drawn_decks = np.repeat(np.arange(len(drawn)), 52)
    drawn_faces = shrink(drawn.reshape(-1, *drawn.shape[2:]))
    printed = faces[~out & ~real], labels[~out & ~real]
    return Art(
        (
            (0.44, *printed),
            (0.34, drawn_faces, drawn_labels),
            (0.18, *photographs),
            (0.04, aces, np.full(len(aces), CODES.index("AS"))),
        ),
        backs,
        (
            with_four(*printed, decks[~out & ~real]),
            with_four(drawn_faces, drawn_labels, drawn_decks),
            np.zeros(len(photographs[0]), bool),
            np.zeros(len(aces), bool),
        ),
    )


def losses(out: torch.Tensor, kind, rank, suit) -> dict[str, torch.Tensor]:
    """The parts of the loss; -1 labels count for nothing."""
    cross = nn.functional.cross_entropy
    return {
        "kind": cross(out[:, :3], kind) * 0.5,
        "rank": cross(out[:, 3:16], rank, ignore_index=-1, label_smoothing=0.02),
        "suit": cross(out[:, 16:20], suit, ignore_index=-1, label_smoothing=0.02),
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
    net.train()
    return f"held out: rank {right_rank:.4f} suit {right_suit:.4f} kind {right_kind:.4f}"


def main() -> None:
    """Train for a while."""
    args = arguments(__doc__).parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures))
    maker = CropMaker(load_art(args.work), backgrounds, READ, STRAIGHTENED)
    judged = CropMaker(load_art(args.work, held_out=True), backgrounds, READ, STRAIGHTENED)

    def make(rng: np.random.Generator):
        crop, kind, rank, suit, _ = maker.make(rng)
        return np.ascontiguousarray(crop.transpose(2, 0, 1)), kind, rank, suit

    train(Reader(), make, losses, lambda net: judge(net, judged), args.work / "reader.pt", args)


if __name__ == "__main__":
    main()

"""Train the corner reader; the checkpoint is WORK/corners.pt.

python -m vision.training.cards.train_index --work WORK --textures FOLDER... --minutes 30
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.cards.deck_art import CODES
from vision.training.cards.index_samples import READABLE, CornerMaker, Indices
from vision.training.cards.networks import CornerReader
from vision.training.cards.train_classifier import load_art
from vision.training.common.backgrounds import Backgrounds, load_pictures
from vision.training.common.loop import arguments, train


def load_real(shared: Path) -> tuple[np.ndarray, np.ndarray]:
    """The photographs of one deck in a dealing shoe, cut to the index: pictures and labels."""
    pictures, labels = [], []
    for file in sorted((shared / "cards" / "train" / "zpigula").iterdir()):
        picture = cv2.imread(str(file))
        if picture is not None and file.name[:2] in CODES:
            pictures.append(picture[86:224, 92:188])  # rank and suit lie there in all of them
            labels.append(CODES.index(file.name[:2]))
    return np.array(pictures), np.array(labels)


def losses(out: torch.Tensor, kind, rank, suit) -> dict[str, torch.Tensor]:
    """The parts of the loss; -1 labels count for nothing."""
    cross = nn.functional.cross_entropy
    return {
        "kind": cross(out[:, :2], kind),
        "rank": cross(out[:, 2:15], rank, ignore_index=-1, label_smoothing=0.02),
        "suit": cross(out[:, 15:19], suit, ignore_index=-1, label_smoothing=0.02),
    }


@torch.no_grad()
def judge(net: nn.Module, maker: CornerMaker, count: int = 3000) -> str:
    """Score on patches of the held-out designs."""
    net.eval()
    rng = np.random.default_rng(95)
    made = [maker.make(rng) for _ in range(count)]
    patches = torch.from_numpy(np.stack([m[0].transpose(2, 0, 1) for m in made]))
    out = torch.cat([net(part.float() / 255) for part in patches.split(200)])
    kind, rank, suit = (torch.tensor([m[i] for m in made]) for i in (1, 2, 3))
    up = (kind == READABLE) & (rank >= 0)
    right_rank = out[:, 2:15].argmax(1) == rank
    right_suit = out[:, 15:19].argmax(1) == suit
    right_kind = (out[:, :2].argmax(1) == kind).float().mean()
    sure = out[:, 2:15].softmax(1).amax(1) * out[:, 15:19].softmax(1).amax(1)
    sure = (sure * out[:, :2].softmax(1)[:, 0]) > 0.9
    wrong = sure & ~(right_rank & right_suit & up)
    net.train()
    return (
        f"held out: rank {right_rank[up].float().mean():.4f} "
        f"suit {right_suit[up].float().mean():.4f} kind {right_kind:.4f} "
        f"sure {sure[up].float().mean():.4f} wrong of sure {wrong.sum() / sure.sum():.4f}"
    )


def main() -> None:
    """Train for a while."""
    parser = arguments(__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    args = parser.parse_args()
    backgrounds = Backgrounds(load_pictures(args.textures, most=300))
    real = load_real(args.shared)
    maker = CornerMaker(load_art(args.work), backgrounds, Indices(args.work), real)
    judged = CornerMaker(load_art(args.work, held_out=True), backgrounds, None)

    def make(rng: np.random.Generator):
        patch, kind, rank, suit = maker.make(rng)
        return np.ascontiguousarray(patch.transpose(2, 0, 1)), kind, rank, suit

    checkpoint = args.work / "corners.pt"
    train(CornerReader(), make, losses, lambda net: judge(net, judged), checkpoint, args)


if __name__ == "__main__":
    main()

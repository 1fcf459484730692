"""Write the trained bone networks as ONNX into vision/models/.

python -m vision.training.bones.export --work WORK
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.bones.classifier import CROP
from vision.training.bones.networks import BoneFaces, BoneFinder
from vision.training.cards.export import write
from vision.training.common.digests import note_digest

MODELS = Path(__file__).resolve().parents[2] / "models"


def main() -> None:
    """Export whatever has a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=MODELS)
    args = parser.parse_args()
    for name, net, size in (
        ("finder", BoneFinder(), (352, 448)),
        ("faces", BoneFaces(), (CROP, CROP)),
    ):
        checkpoint = args.work / f"bones-{name}.pt"
        if not checkpoint.exists():
            continue
        net.load_state_dict(torch.load(checkpoint))
        net.eval()
        out = args.out / f"bones-{name}.onnx"
        write(net, size, out, any_size=name == "finder")
        note_digest(out)
        print(f"{out}: {out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

"""Write trained checkpoints as ONNX into vision/models/.

python -m vision.training.export --work WORK
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.card_geometry import READ, WIDE
from vision.finder import INPUT_SIZES
from vision.training.nets import Finder, Reader, Straightener

MODELS = Path(__file__).resolve().parent.parent / "models"


def main() -> None:
    """Export whatever of the three networks has a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    args = parser.parse_args()
    shapes = {
        "reader": (Reader(), (READ.height, READ.width)),
        "straightener": (Straightener(), (WIDE.height, WIDE.width)),
        "finder": (Finder(), INPUT_SIZES[0][::-1]),
    }
    for name, (net, size) in shapes.items():
        checkpoint = args.work / f"{name}.pt"
        if not checkpoint.exists():
            continue
        net.load_state_dict(torch.load(checkpoint))
        net.eval()
        out = MODELS / f"{name}.onnx"
        torch.onnx.export(
            net,
            (torch.zeros(1, 3, *size),),
            str(out),
            opset_version=17,
            dynamo=False,
            input_names=["picture"],
            output_names=["out"],
        )
        print(f"{out}: {out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

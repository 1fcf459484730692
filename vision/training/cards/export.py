"""Write trained checkpoints as ONNX into vision/models/, their numbers in half precision.

python -m vision.training.cards.export --work WORK
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.cards.detector import INPUT_SIZES
from vision.cards.geometry import PATCH_H, PATCH_W, READ, WIDE
from vision.training.cards.networks import CornerReader, Finder, Reader, Straightener
from vision.training.common.digests import note_digest

MODELS = Path(__file__).resolve().parents[2] / "models"


class WithPrint(nn.Module):
    """A reader that also gives what it sees before it decides: taught decks are matched by that."""

    def __init__(self, reader: Reader) -> None:
        """Wrap a trained reader."""
        super().__init__()
        self.reader = reader

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 20 + numbers of the print)."""
        seen = self.reader.body(x)
        return torch.cat([self.reader.out(self.reader.fold(seen)), seen.flatten(1)], 1)


HALVED = 64
"""Tensors of at least so many numbers are stored as float16, and cast to float32 when loaded."""


def halve(file: Path) -> None:
    """Store the weights of a network in half as many bytes, in place.

    Each gets a Cast of its own, which OpenCV and ONNX Runtime carry out once, when they load it:
    a convolution of float32 by float16 is no valid ONNX, though OpenCV puts up with it.
    """
    model = onnx.load(str(file))
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size >= HALVED:
            name, half = tensor.name, f"{tensor.name}_half"
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), half))
            casts.append(helper.make_node("Cast", [half], [name], to=TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*casts, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, str(file))


def write(net: nn.Module, size: tuple[int, int], out: Path, *, any_size: bool) -> None:
    """Write a network that takes any number of pictures, of one height and width or of any."""
    axes = {0: "count"}
    if any_size:
        axes |= {2: "height", 3: "width"}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, *size),),
        str(out),
        opset_version=17,
        dynamo=False,
        input_names=["pictures"],
        output_names=["out"],
        dynamic_axes={"pictures": axes, "out": {0: "count"}},
    )


def main() -> None:
    """Export whatever of the networks has a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=MODELS)
    parser.add_argument("--only", nargs="*", help="names of networks; by default all")
    args = parser.parse_args()
    shapes: dict[str, tuple[str, nn.Module, tuple[int, int]]] = {
        "reader": ("reader", Reader(), (READ.height, READ.width)),
        "straightener": ("straightener", Straightener(), (WIDE.height, WIDE.width)),
        "corner_reader": ("corners", CornerReader(), (PATCH_H, PATCH_W)),
        "card_finder": ("finder", Finder(), INPUT_SIZES[0][::-1]),
    }
    for name, (stem, net, size) in shapes.items():
        checkpoint = args.work / f"{stem}.pt"
        if not checkpoint.exists() or (args.only and name not in args.only):
            continue
        net.load_state_dict(torch.load(checkpoint))
        if isinstance(net, Reader):
            net = WithPrint(net)
        net.eval()
        out = args.out / f"{name}.onnx"
        write(net, size, out, any_size=name == "card_finder")
        halve(out)
        note_digest(out)
        print(f"{out}: {out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

"""Write trained networks as ONNX, and note their digests; by default into vision/models/.

python -m vision.training.export --work WORK --only finder
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.training.cards.networks import Reader
from vision.training.common.digests import note_digest
from vision.training.common.task import Task
from vision.training.train import TASKS

MODELS = Path(__file__).resolve().parents[1] / "models"


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


def write(net: nn.Module, task: Task, file: Path) -> None:
    """Write a network as the product loads it, and note its digest in the folder."""
    axes = {0: "count"}
    if task.any_size:
        axes |= {2: "height", 3: "width"}
    net = WithPrint(net) if isinstance(net, Reader) else net
    net.eval().to("cpu")
    with warnings.catch_warnings():
        # The newer exporter writes other graphs, which OpenCV has not been tried with.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            net,
            (torch.zeros(1, 3, *task.size),),
            str(file),
            opset_version=17,
            dynamo=False,
            input_names=["pictures"],
            output_names=["out"],
            dynamic_axes={"pictures": axes, "out": {0: "count"}},
        )
    halve(file)
    note_digest(file)


def load(task: Task, checkpoint: Path) -> nn.Module:
    """Return a network with the mean of its weights."""
    net = task.net()
    kept = torch.load(checkpoint, map_location="cpu", weights_only=True)
    net.load_state_dict(kept["mean"])
    return net


def main() -> None:
    """Export whatever of the networks has a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder that holds NAME/last.pt")
    parser.add_argument("--out", type=Path, default=MODELS)
    parser.add_argument("--only", nargs="*", choices=TASKS, help="by default all")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name, task in TASKS.items():
        checkpoint = args.work / name / "last.pt"
        if not checkpoint.exists() or (args.only and name not in args.only):
            continue
        file = args.out / task.file
        write(load(task, checkpoint), task, file)
        print(f"{file}: {file.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

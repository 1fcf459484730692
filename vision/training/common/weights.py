"""Take the weights of an exported network back into the one it was made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def _layers(file: Path) -> list[tuple[np.ndarray, np.ndarray | None]]:
    """Return weights and biases of an ONNX file's convolutions and linear layers, in order."""
    graph = onnx.load(str(file)).graph
    known = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:  # numbers kept in half precision are cast when they are loaded
        if node.op_type in ("Cast", "Identity") and node.input[0] in known:
            known[node.output[0]] = known[node.input[0]].astype(np.float32)
    layers: list[tuple[np.ndarray, np.ndarray | None]] = []
    for node in graph.node:
        weights = [known[name] for name in node.input[1:] if name in known]
        if node.op_type in ("Conv", "Gemm", "MatMul") and weights:
            weight = weights[0]
            plain = node.op_type == "MatMul" or any(
                each.name == "transB" and each.i == 0 for each in node.attribute
            )
            layers.append((weight.T if plain else weight, weights[1] if len(weights) > 1 else None))
    return layers


@torch.no_grad()
def take_weights(net: nn.Module, file: Path, pictures: Tensor) -> None:
    """Load an exported network into *net*, in place.

    The export folds each batch normalization into the convolution before it. Here it is unfolded:
    *pictures*, float32 (n, 3, h, w), show what mean and spread it has, and its own factors undo
    them, so that the output stays the same and training goes on as it began.

    Raises:
        ValueError: the file is of another network.
    """
    given = iter(_layers(file))
    hooks = []

    def fill(layer: nn.Conv2d | nn.Linear, _inputs: object) -> None:
        weight, bias = next(given, (np.zeros(0), None))
        if tuple(weight.shape) != tuple(layer.weight.shape):
            raise ValueError(f"{file} is no such network: {weight.shape}, {layer.weight.shape}")
        layer.weight.copy_(torch.from_numpy(weight.astype(np.float32)))
        layer.folded = None if bias is None else torch.from_numpy(bias.astype(np.float32))
        if layer.bias is not None and layer.folded is not None:
            layer.bias.copy_(layer.folded)

    last: list[nn.Module] = []

    def remember(layer: nn.Module, _inputs: object, _out: object) -> None:
        last[:] = [layer]

    def unfold(norm: nn.BatchNorm2d, inputs: tuple[Tensor, ...]) -> None:
        spread, mean = torch.var_mean(inputs[0], (0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        folded = last[0].folded
        norm.bias.copy_(mean if folded is None else mean + folded.to(mean.device))

    for layer in net.modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            hooks.append(layer.register_forward_pre_hook(fill))
            hooks.append(layer.register_forward_hook(remember))
        elif isinstance(layer, nn.BatchNorm2d):
            hooks.append(layer.register_forward_pre_hook(unfold))
    was = net.training
    net.eval()
    net(pictures)
    net.train(was)
    for hook in hooks:
        hook.remove()
    if next(given, None) is not None:
        raise ValueError(f"{file} has more layers than this network")

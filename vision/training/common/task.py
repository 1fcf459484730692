"""What the trainer must know of a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from torch import Tensor, nn

Batch = tuple[Tensor, ...]
"""Pictures, uint8 (n, 3, h, w), and what the losses need besides."""


@dataclass(frozen=True)
class Task:
    """A network and how it is trained.

    Attributes:
        net: makes it.
        file: its name in ``vision/models``.
        size: height and width of its input when it is exported.
        batches: called with the arguments, a seed and ``held_out=``: yields batches for ever.
        losses: the parts of the loss, of its output and the rest of a batch.
        judge: figures by name, of the network, batches held out, and how many samples to use.
        any_size: whether its input may have any height and width.
    """

    net: Callable[[], nn.Module]
    file: str
    size: tuple[int, int]
    batches: Callable[..., Iterator[Batch]]
    losses: Callable[..., dict[str, Tensor]]
    judge: Callable[..., dict[str, float]]
    any_size: bool = False

"""Random numbers on a device, all of one generator."""

from __future__ import annotations

import math

import torch
from torch import Tensor


class Dice:
    """Throws numbers of any shape; the same seed gives the same throws on the same device."""

    def __init__(self, device: torch.device | str, seed: int) -> None:
        """Begin with a seed."""
        self.device = torch.device(device)
        self.generator = torch.Generator(self.device)
        self.generator.manual_seed(seed)

    def u(self, low: float, high: float, *shape: int) -> Tensor:
        """Even between two bounds."""
        there = torch.rand(*shape, generator=self.generator, device=self.device)
        return low + (high - low) * there

    def log(self, low: float, high: float, *shape: int) -> Tensor:
        """Even in the logarithm."""
        return self.u(math.log(low), math.log(high), *shape).exp()

    def n(self, spread: float, *shape: int) -> Tensor:
        """Normal round 0."""
        return spread * torch.randn(*shape, generator=self.generator, device=self.device)

    def chance(self, part: float, *shape: int) -> Tensor:
        """True in this part of the throws."""
        return self.u(0, 1, *shape) < part

    def whole(self, count: int, *shape: int) -> Tensor:
        """Whole numbers below *count*."""
        return torch.randint(count, shape, generator=self.generator, device=self.device)

    def one_of(self, choices: Tensor, *shape: int) -> Tensor:
        """Rows of *choices*."""
        return choices[self.whole(len(choices), *shape)]

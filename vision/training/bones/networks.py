"""The two networks of the bone reader, in PyTorch: together under 4 MB as ONNX."""

from __future__ import annotations

import torch
from torch import nn

from vision.bones.classifier import FEATURES, KINDS
from vision.training.cards.networks import Residual, conv


def twice(x: torch.Tensor) -> torch.Tensor:
    """Double a map in width and height."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class BoneFinder(nn.Module):
    """A picture to a heat map of bones' middles, and how long the bone is there."""

    def __init__(self) -> None:
        """Build for (3, h, w), h and w multiples of 32, BGR, 0-1; everything is convolutional."""
        super().__init__()
        self.s4 = nn.Sequential(conv(3, 12, 2), conv(12, 20, 2), Residual(20))
        self.s8 = nn.Sequential(conv(20, 36, 2), Residual(36))
        self.s16 = nn.Sequential(conv(36, 52, 2), Residual(52), Residual(52))
        self.s32 = nn.Sequential(conv(52, 64, 2), Residual(64, 2), Residual(64))
        self.up32 = conv(64, 52, size=1)
        self.up16 = conv(52, 36, size=1)
        self.up8 = nn.Sequential(conv(36, 36), conv(36, 20, size=1))
        self.head = nn.Sequential(conv(20, 24), nn.Conv2d(24, 4, 1))
        nn.init.constant_(self.head[1].bias[:1], -3.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 4, h/4, w/4): heat (before the sigmoid), offset x, y, log of the length."""
        s4 = self.s4(x)
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        x = self.up16(twice(self.up32(self.s32(s16))) + s16)
        x = self.up8(twice(x) + s8)
        return self.head(twice(x) + s4)


class BoneFaces(nn.Module):
    """A crop with a bone in its middle to the face uppermost, and to the bone's mask."""

    def __init__(self) -> None:
        """Build for (3, CROP, CROP), BGR, 0-1."""
        super().__init__()
        self.s4 = nn.Sequential(conv(3, 24, 2), conv(24, 40, 2), Residual(40))
        self.s8 = nn.Sequential(conv(40, 72, 2), Residual(72), Residual(72))
        self.s16 = nn.Sequential(conv(72, 128, 2), Residual(128), Residual(128))
        self.fold = nn.Sequential(nn.Linear(256, FEATURES), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.15)
        self.out = nn.Linear(FEATURES, KINDS)
        self.up16 = conv(128, 72, size=1)
        self.up8 = conv(72, 40, size=1)
        self.mask = nn.Sequential(conv(40, 24), nn.Conv2d(24, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, KINDS + FEATURES + MASK * MASK): logits, features, the mask's logits."""
        s4 = self.s4(x)
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        seen = torch.cat([s16.mean((2, 3)), s16.amax((2, 3))], 1)
        features = self.fold(seen)
        mask = self.mask(twice(self.up8(twice(self.up16(s16)) + s8)) + s4)
        return torch.cat([self.out(self.drop(features)), features, mask.flatten(1)], 1)

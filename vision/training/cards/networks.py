"""The networks, in PyTorch: small enough for a Pi, exported to ONNX."""

from __future__ import annotations

import torch
from torch import nn

from vision.cards.detector import CARD_NUMBERS, INDEX_NUMBERS
from vision.cards.geometry import PATCH_H, PATCH_W, READ, WIDE


def conv(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions and a way round them."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        """Keep the width."""
        super().__init__()
        self.one = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
        )
        self.two = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add what the convolutions found."""
        return torch.relu(x + self.two(self.one(x)))


class Reader(nn.Module):
    """A straightened card to what it is, its rank and its suit."""

    def __init__(self) -> None:
        """Build for crops of the shape READ, BGR, 0-1."""
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 32, 2),
            Residual(32),
            conv(32, 64, 2),
            Residual(64),
            Residual(64),
            conv(64, 128, 2),
            Residual(128),
            Residual(128),
            conv(128, 32, size=1),
        )
        cells = -(-READ.height // 16) * -(-READ.width // 16)
        self.fold = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * cells, 192), nn.ReLU(inplace=True)
        )
        self.out = nn.Linear(192, 3 + 13 + 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 20): kind 3, rank 13, suit 4."""
        return self.out(self.fold(self.body(x)))


class CornerReader(nn.Module):
    """The patch of an index to whether there is one, its rank and its suit."""

    def __init__(self) -> None:
        """Build for patches of PATCH_W by PATCH_H, BGR, 0-1."""
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 32),
            conv(32, 48, 2),
            Residual(48),
            Residual(48),
            conv(48, 64, 2),
            Residual(64),
            Residual(64),
            conv(64, 32, size=1),
        )
        cells = -(-PATCH_H // 8) * -(-PATCH_W // 8)
        self.fold = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(32 * cells, 48, bias=False),  # a narrow way: two fifths of the numbers
            nn.Linear(48, 128),
            nn.ReLU(inplace=True),
        )
        self.out = nn.Linear(128, 2 + 13 + 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 19): readable or not 2, rank 13, suit 4."""
        return self.out(self.fold(self.body(x)))


class Straightener(nn.Module):
    """A roughly straightened card to how far its corners are off."""

    def __init__(self) -> None:
        """Build for crops of the shape WIDE, BGR, 0-1."""
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2),
            conv(16, 32, 2),
            Residual(32),
            conv(32, 64, 2),
            Residual(64),
            Residual(64, 2),
            conv(64, 24, size=1),
        )
        cells = (WIDE.height // 8) * (WIDE.width // 8)
        self.out = nn.Sequential(
            nn.Flatten(),
            nn.Linear(24 * cells, 32, bias=False),  # a narrow way: a fifth of the numbers
            nn.Linear(32, 128),
            nn.ReLU(inplace=True),
            nn.Linear(128, 8),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 8): x, y of each corner, in parts of the crop's width."""
        return self.out(self.body(x))


class Finder(nn.Module):
    """A picture of a table to heat maps of cards and indices and the shape of what lies there."""

    def __init__(self) -> None:
        """Build for (3, h, w), h and w multiples of 32, BGR, 0-1; everything is convolutional."""
        super().__init__()
        self.s4 = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), Residual(32))
        self.s8 = nn.Sequential(conv(32, 64, 2), Residual(64))
        self.s16 = nn.Sequential(conv(64, 96, 2), Residual(96), Residual(96))
        self.s32 = nn.Sequential(
            conv(96, 128, 2), Residual(128), Residual(128, 2), Residual(128, 3), Residual(128)
        )
        self.up32 = conv(128, 96, size=1)
        self.up16 = nn.Sequential(conv(96, 96), conv(96, 64, size=1))
        self.head = nn.Sequential(conv(64, 96), nn.Conv2d(96, 3 + CARD_NUMBERS + INDEX_NUMBERS, 1))
        nn.init.constant_(self.head[1].bias[:3], -3.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 21, h/8, w/8): see ``vision.cards.detector``."""

        def twice(t: torch.Tensor) -> torch.Tensor:
            return nn.functional.interpolate(t, scale_factor=2.0, mode="nearest")

        s8 = self.s8(self.s4(x))
        s16 = self.s16(s8)
        x = self.up16(twice(self.up32(self.s32(s16))) + s16)
        return self.head(twice(x) + s8)

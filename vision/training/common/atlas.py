"""Many pictures in one tensor, each at several sizes, looked up by number and place."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
import torch
from torch import Tensor

LEVELS = 5
"""Each picture is kept in its own size, a half of it, a quarter and so on."""


class Atlas:
    """Pictures (BGR) on a device.

    Attributes:
        size: width and height of each picture, int32 (n, 2).
    """

    def __init__(self, pictures: Iterable[np.ndarray], device: torch.device | str = "cpu") -> None:
        """Copy the pictures, uint8 (h, w, 3) each."""
        texels: list[np.ndarray] = []
        places: list[list[tuple[int, int, int]]] = []
        start = 0
        for picture in pictures:
            own = []
            for level in range(LEVELS):
                if level:
                    half = max(picture.shape[1] // 2, 1), max(picture.shape[0] // 2, 1)
                    picture = cv2.resize(picture, half, interpolation=cv2.INTER_AREA)
                h, w = picture.shape[:2]
                # Four bytes a texel: one look-up gives all its colours.
                packed = np.zeros((h, w, 4), np.uint8)
                packed[..., :3] = picture
                texels.append(packed.reshape(-1))
                own.append((start, w, h))
                start += w * h
            places.append(own)
        self.texels = torch.from_numpy(np.concatenate(texels).view(np.int32)).to(device)
        self._places = places
        self.places = torch.tensor(places, dtype=torch.int32, device=device)
        self.size = self.places[:, 0, 1:]
        self.jitter = torch.rand(1 << 18, device=device) - 0.5

    def levels(self, picture: Tensor, across: Tensor) -> Tensor:
        """Return the level at which pictures, *across* pixels wide in the scene, do not alias."""
        wide = self.size[picture, 0] / across.clamp(min=1)
        return torch.log2(wide).add(0.3).floor().clamp(0, LEVELS - 1).long()

    def width(self, picture: int) -> int:
        """Return how many pixels wide a picture is."""
        return self._places[picture][0][1]

    def place(self, picture: int, across: float) -> Tensor:
        """Return the place of one picture for its width in the scene, int32 (1, 3)."""
        level = math.floor(math.log2(self.width(picture) / max(across, 1)) + 0.3)
        place = self._places[picture][min(max(level, 0), LEVELS - 1)]
        return torch.tensor([place], dtype=torch.int32, device=self.texels.device)

    def look_up(self, place: Tensor, u: Tensor, v: Tensor) -> Tensor:
        """Return colours between texels.

        Args:
            place: start, width and height, int32 (n, 3), out of :attr:`places`.
            u: where across, 0 to 1, float32 (n,).
            v: where downwards.

        Returns:
            float32 (n, 4), 0-255; the fourth is of no use.
        """
        start, w, h = place.unbind(1)
        x = (u * w - 0.5).clamp_(min=0).minimum(w - 1)
        y = (v * h - 0.5).clamp_(min=0).minimum(h - 1)
        column, row = x.int(), y.int()
        # Spread over the colours first: mixing is then done in one sweep.
        fx, fy = ((f[:, None]).expand(-1, 4).contiguous() for f in (x - column, y - row))
        right = column < w - 1
        one = start + row * w + column
        other = one + w * (row < h - 1)
        top = self._texel(one).lerp_(self._texel(one + right), fx)
        low = self._texel(other).lerp_(self._texel(other + right), fx)
        return top.lerp_(low, fy)

    def grain(self, place: Tensor, u: Tensor, v: Tensor, jitter: Tensor) -> Tensor:
        """Look up one texel each, by chance that of a neighbour: a fourth of the work.

        What is coarse is then grainy, as most cloth and wood is; *jitter* is -0.5 to 0.5, (n,).
        """
        start, w, h = place.unbind(1)
        x = (u * w + jitter).clamp_(min=0).minimum(w - 1).int()
        y = (v * h - jitter.roll(1)).clamp_(min=0).minimum(h - 1).int()
        return self._texel(start + y * w + x)

    def _texel(self, at: Tensor) -> Tensor:
        return self.texels.index_select(0, at).view(torch.uint8).view(-1, 4).float()

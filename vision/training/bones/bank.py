"""The bank of sprites on a device: looked up by number and place, with the outline of each."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from vision.training.bones.sprites import LAYERS, NO_BONE, ODD, SPRITE

HELD_OUT = 600
"""Bones, the last of a bank, that nothing is trained on; of the lumps a tenth."""

LEVELS = 3
"""Each sprite is kept in its own size, a half and a quarter of it."""

RAYS = 32
"""Directions in which the outline of a sprite is known."""


class Bank:
    """Sprites of bones and of lumps.

    Attributes:
        kinds: int64 (n,): faces, ODD, NO_BONE.
        tilts: degrees of the camera off the vertical, (n,).
        px_per_mm: of the sprite, (n,).
        rim: pixels of the sprite from its middle to the outline, clockwise from +x, (n, RAYS).
        middle: of the narrowest box round it, from the sprite's middle, (n, 2).
        long: the longer side of that box, (n,).
        area: pixels covered, (n,).
        sorted_tilts: of the bones that lie on a face, from the smallest.
    """

    def __init__(self, file: Path, device: torch.device | str, *, held_out: bool = False) -> None:
        """Load the part of a bank that is trained on, or the one held out."""
        with np.load(file) as kept:
            kinds = kept["kinds"]
            bones, others = (np.flatnonzero(each) for each in (kinds < NO_BONE, kinds == NO_BONE))
            few = min(HELD_OUT, len(bones) // 8)
            parts = (bones, few), (others, len(others) // 10)
            cut = [own[-last:] if held_out else own[:-last] for own, last in parts]
            chosen = np.concatenate(cut)
            # Bones of a kind lie together, by their tilt: neighbours can stand in one scene.
            chosen = chosen[np.lexsort((kept["tilts"][chosen], kinds[chosen]))]
            layers = kept["layers"][chosen]
            told = {name: kept[name][chosen] for name in ("kinds", "tilts", "scales", "boxes")}
        self.device = torch.device(device)
        self.kinds = torch.from_numpy(told["kinds"].astype(np.int64)).to(device)
        self.tilts = torch.from_numpy(told["tilts"]).to(device)
        self.px_per_mm = torch.from_numpy(told["scales"]).to(device)
        counts = torch.bincount(self.kinds, minlength=NO_BONE + 1)
        self.first, self.count = counts.cumsum(0) - counts, counts
        boxes = torch.from_numpy(told["boxes"]).to(device)
        self.middle, self.long = boxes[:, :2].contiguous(), boxes[:, 2].contiguous()
        self.sorted_tilts = self.tilts[self.kinds < ODD].sort().values.contiguous()
        self._load(layers)

    def _load(self, layers: np.ndarray) -> None:
        """Pack the layers, weighed by coverage, eight bytes a texel; measure the outlines."""
        packed = [[] for _ in range(LEVELS)]
        rims, areas = [], []
        angle = torch.arange(RAYS, device=self.device) * (2 * math.pi / RAYS)
        far = torch.arange(1, SPRITE * 3 // 4, device=self.device)[:, None]
        column = (SPRITE / 2 + far * angle.cos()).long().clamp(0, SPRITE - 1)
        row = (SPRITE / 2 + far * angle.sin()).long().clamp(0, SPRITE - 1)
        for some in np.array_split(layers, max(len(layers) // 256, 1)):
            given = torch.from_numpy(some).to(self.device).permute(0, 3, 1, 2).float()
            cover = given[:, :1] / 255
            given = torch.cat([given[:, :1], given[:, 1:] * cover], 1)
            inside = cover[:, 0, row, column] > 0.5
            rims.append((inside * far).amax(1).float() + 0.5)
            areas.append(cover.sum((1, 2, 3)))
            for level in range(LEVELS):
                small = torch.nn.functional.avg_pool2d(given, 2**level)
                texels = torch.nn.functional.pad(small.round().byte().permute(0, 2, 3, 1), (0, 2))
                packed[level].append(texels.contiguous().view(torch.int64).flatten())
        self.rim, self.area = torch.cat(rims), torch.cat(areas)
        starts = np.cumsum([0, *(len(layers) * (SPRITE >> level) ** 2 for level in range(2))])
        self.starts = torch.tensor(starts, device=self.device)
        self.texels = torch.cat([torch.cat(each) for each in packed])

    def near(self, kind: Tensor, tilt: Tensor, chance: Tensor) -> Tensor:
        """Pick sprites of a *kind* seen about as steeply as *tilt*; *chance* is 0-1, one each."""
        count, first = self.count[kind], self.first[kind]
        # The tilts of all kinds are drawn alike: what share of them is lower tells the place.
        lower = torch.searchsorted(self.sorted_tilts, tilt.contiguous()) / len(self.sorted_tilts)
        place = torch.where(kind == NO_BONE, chance, lower + (chance - 0.5) * 0.12)
        place = torch.where(kind == ODD, lower * 0.5 + (chance - 0.5) * 0.5, place)
        return first + (place.clamp(0, 0.9999) * count).long().minimum(count - 1)

    def look_up(self, sprite: Tensor, level: Tensor, x: Tensor, y: Tensor) -> Tensor:
        """Return the layers of sprites, (m, LAYERS), *x* and *y* pixels from their middle.

        Coverage is 0-1, normals -1 to 1, height in millimetres, hollow -3 to 3.
        """
        side = SPRITE >> level
        part = 0.5**level
        start = self.starts[level] + sprite * side * side
        last = (side - 1).float()
        x = (x * part + side / 2 - 0.5).clamp_(min=0).minimum(last)
        y = (y * part + side / 2 - 0.5).clamp_(min=0).minimum(last)
        column, row = x.long(), y.long()
        fx, fy = (x - column)[:, None], (y - row)[:, None]
        right = (column < side - 1).long()
        one = start + row * side + column
        other = one + side * (row < side - 1)
        top = self._texel(one).lerp_(self._texel(one + right), fx.expand(-1, 8))
        low = self._texel(other).lerp_(self._texel(other + right), fx.expand(-1, 8))
        out = top.lerp_(low, fy.expand(-1, 8))[:, :LAYERS]
        cover = out[:, :1] / 255
        out = out / cover.clamp(min=0.02)
        return torch.cat(
            [cover, (out[:, 1:4] - 128) / 127, out[:, 4:5] / 5.0, (out[:, 5:] - 128) / 40], 1
        )

    def _texel(self, at: Tensor) -> Tensor:
        return self.texels.index_select(0, at).view(torch.uint8).view(-1, 8).float()

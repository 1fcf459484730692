"""What the bone networks learn from: scenes with heat maps, and crops with faces and masks."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.bones.classifier import CROP, CROP_BONE, MASK
from vision.bones.detector import SIZE_UNIT, STRIDE
from vision.training.bones.bank import Bank
from vision.training.bones.clutter import CLUTTER_FILE
from vision.training.bones.layout import Pieces, place, turned
from vision.training.bones.materials import Materials
from vision.training.bones.render import Geometry, Lamps, compose, developed, table_normal
from vision.training.bones.sprites import NO_BONE, ODD, ensure_bank
from vision.training.bones.tops import Tops
from vision.training.common.camera import Camera
from vision.training.common.dice import Dice

SCENE = 320, 224
"""Pixels of a finder's scene."""

BONES, OTHERS, GHOSTS = 12, 4, 2
"""The most bones and other things in a scene, and shadows of what lies out of sight."""

CROP_SIZES = (40, 56, 72, 88, 104, 128, 152, 184)
"""Pixels of a crop in the photograph that it is cut from."""

CLUTTER = 0.12
"""Part of the crops that is of clutter, where ``clutter.py`` has gathered some."""

FEW, MANY = (4, 16), (64, 192)
"""Scenes and crops drawn at once: a processor is fastest with what fits its cache, an accelerator
with many. The crops drawn at once are of one size."""


@lru_cache(maxsize=4)
def loaded(
    work: Path, device: str, *, held_out: bool
) -> tuple[Bank, Tops, Materials, Lamps, Tensor | None]:
    """Load all that scenes are made of; what is not there yet is made in WORK, but for clutter."""
    file = work / CLUTTER_FILE
    has_clutter = file.exists() and not held_out
    return (
        Bank(ensure_bank(work), device, held_out=held_out),
        Tops(work, device, held_out=held_out),
        Materials(device),
        Lamps(device),
        torch.from_numpy(np.load(file)).to(device) if has_clutter else None,
    )


class Source:
    """Draws scenes and crops on a device."""

    def __init__(
        self, work: Path, device: torch.device | str, seed: int, *, held_out: bool = False
    ) -> None:
        """Load what there is, and begin with a seed."""
        self.work, self.device = work, torch.device(device)
        self.dice = Dice(device, seed)
        everything = loaded(work, str(device), held_out=held_out)
        self.bank, self.tops, self.materials, self.lamps, self.clutter = everything
        self.cameras = [Camera(device, rough=rough) for rough in (0.25, 0.7)]
        for k, camera in enumerate(self.cameras):
            camera.seed(seed * 2 + k)
        self.turns = 0
        self.at_once = FEW if self.device.type == "cpu" else MANY

    def _tilt(self, b: int) -> Tensor:
        return self.dice.n(17, b).abs().clamp(max=41)

    def _pieces(self, kind: Tensor, tilt: Tensor, turn: Tensor, long: Tensor) -> Pieces:
        """Pieces (b, k) of these kinds, *long* pixels long, as a camera tilted so sees them."""
        b, k = kind.shape
        sprite = self.bank.near(kind, tilt[:, None].expand(b, k), self.dice.u(0, 0.9999, b, k))
        lying = turn[:, None] + self.dice.n(0.15, b, k)
        # Seen from right above, or no bone at all: it may be turned in any way.
        free = (kind == NO_BONE) | (self.bank.tilts[sprite] < 5)
        lying = torch.where(free, self.dice.u(0, 2 * math.pi, b, k), lying)
        mirror = torch.where(self.dice.chance(0.5, b, k), 1.0, -1.0)
        centre = torch.zeros(b, k, 2, device=self.device)
        there = torch.ones(b, k, dtype=torch.bool, device=self.device)
        return Pieces(sprite, long / self.bank.long[sprite], lying, mirror, centre, there)

    def _photograph(
        self, scene: Geometry, shade: Tensor, bone_px: Tensor, things: int, print_there: Tensor
    ) -> Tensor:
        """Make things of something, light them and take a photograph: uint8 (b, 3, h, w)."""
        b, _, h, w = scene.cover.shape
        ground = self.tops.draw(bone_px, (w, h), self.dice, print_there)
        materials = self.materials.draw(b, things, self.dice)
        # Dark bones on pale cloth are rare by chance, and are not to be taken for print.
        dark = self.dice.chance(0.12, b)[:, None, None]
        dyed = materials.clone()
        dyed[..., :3] *= self.dice.u(0.05, 0.4, b, 1, 1)
        materials = torch.where(dark & (materials[..., 7:8] == 0), dyed, materials)
        pale = torch.where(dark[..., None], self.dice.u(0.2, 0.6, b, 1, 1, 1), 1.0)
        ground = 255 - (255 - ground) * pale
        image = self.lamps.light(scene, ground, materials, bone_px, shade, self.dice)
        image = developed(image, self.dice).permute(0, 2, 3, 1)
        # Most cameras are fair, and a small network has to learn those well.
        fair = round(b * 0.65)
        parts = zip(self.cameras, (image[:fair], image[fair:]), strict=True)
        return torch.cat([camera.photograph(part) for camera, part in parts if len(part)])

    def _ghosts(self, b: int, bone_px: Tensor, size: tuple[int, int], up: Tensor) -> Tensor:
        """Hard and soft shadows of things out of sight, (b, 1, h, w)."""
        dice = self.dice
        kind = torch.where(dice.chance(0.5, b, GHOSTS), NO_BONE, dice.whole(4, b, GHOSTS))
        long = bone_px[:, None] * dice.log(0.6, 4, b, GHOSTS)
        pieces = self._pieces(kind, dice.u(0, 20, b), dice.u(0, 6.3, b), long)
        pieces.centre = dice.u(0, 1, b, GHOSTS, 2) * torch.tensor(size, device=self.device)
        pieces.there = dice.chance(0.12, b, GHOSTS)
        return compose(self.bank, pieces, up, size).cover * dice.u(0.4, 1, b, 1, 1, 1)

    @torch.inference_mode()
    def scenes(self, b: int) -> tuple[Tensor, ...]:
        """Draw scenes for the finder.

        Returns:
            Pictures, uint8 (b, 3, h, w) BGR; heat, float32 (b, 1, h/4, w/4); offsets x, y, the
            logarithm of the length and a weight, float32 (b, 4, h/4, w/4).
        """
        most = self.at_once[0]
        parts = [self._scenes(min(most, b - first)) for first in range(0, b, most)]
        return tuple(torch.cat(each) for each in zip(*parts, strict=True))

    def _scenes(self, b: int) -> tuple[Tensor, Tensor, Tensor]:
        dice, (width, height) = self.dice, SCENE
        tilt, turn = self._tilt(b), dice.u(0, 2 * math.pi, b)
        bone_px = dice.log(15, 120, b)
        k = BONES + OTHERS
        kind = torch.where(dice.chance(0.04, b, k), ODD, dice.whole(4, b, k))
        kind[:, BONES:] = NO_BONE
        long = bone_px[:, None] * dice.u(0.85, 1.15, b, k)
        long[:, BONES:] *= dice.n(0.5, b, OTHERS).exp()
        pieces = self._pieces(kind, tilt, turn, long)
        most = (0.45 * width * height / bone_px**2).clamp(1, BONES)
        count = 1 + (dice.u(0, 1, b) * most).floor()
        count = torch.where(dice.chance(0.08, b), 0, count)
        slots = torch.arange(k, device=self.device)
        lumps = torch.where(dice.chance(0.45, b), 1 + dice.whole(OTHERS, b), 0)
        pieces.there = torch.where(
            slots < BONES, slots < count[:, None], slots - BONES < lumps[:, None]
        )
        touch = dice.chance(0.55, b, 1) & dice.chance(0.65, b, k)
        place(self.bank, pieces, touch, SCENE, dice)
        up = table_normal(tilt, turn)
        geometry = compose(self.bank, pieces, up, SCENE)
        shade = self._ghosts(b, bone_px, SCENE, up)
        pictures = self._photograph(geometry, shade, bone_px, k, dice.chance(0.15, b))
        return pictures, *self._maps(geometry, pieces)

    def _maps(self, geometry: Geometry, pieces: Pieces) -> tuple[Tensor, Tensor]:
        b, _ = pieces.there.shape
        h, w = SCENE[1] // STRIDE, SCENE[0] // STRIDE
        rows = torch.arange(b, device=self.device)[:, None]
        sprite, scale = pieces.sprite[:, :BONES], pieces.scale[:, :BONES]
        owner = geometry.owner.flatten(1)
        seen = torch.zeros(b, pieces.there.shape[1] + 1, device=self.device)
        seen.scatter_add_(1, owner + 1, torch.ones_like(owner, dtype=torch.float32))
        seen = seen[:, 1 : BONES + 1]
        whole = self.bank.area[sprite] * scale**2
        middle = turned(
            self.bank.middle[sprite][:, :, None], pieces.turn[:, :BONES], scale,
            pieces.mirror[:, :BONES],
        )[:, :, 0] + pieces.centre[:, :BONES]  # fmt: skip
        inside = (middle > 0).all(2) & (middle < torch.tensor(SCENE, device=self.device)).all(2)
        counted = pieces.there[:, :BONES] & inside & (seen >= (0.45 * whole).clamp(min=20))
        long = self.bank.long[sprite] * scale
        x = (torch.arange(w, device=self.device) + 0.5) * STRIDE
        y = (torch.arange(h, device=self.device)[:, None] + 0.5) * STRIDE
        dx, dy = middle[..., 0, None, None] - x, middle[..., 1, None, None] - y
        sigma = (0.09 * long).clamp(min=0.75 * STRIDE)[..., None, None]
        bump = torch.exp(-(dx**2 + dy**2) / (2 * sigma**2)) * counted[..., None, None]
        cell = (middle / STRIDE).long()
        column, row = cell[..., 0].clamp(0, w - 1), cell[..., 1].clamp(0, h - 1)
        slot = torch.arange(BONES, device=self.device)
        bump[rows, slot, row, column] = counted.float()
        heat, first = bump.max(1, keepdim=True)
        pick = (each.gather(1, first)[:, 0] for each in torch.broadcast_tensors(
            dx / STRIDE, dy / STRIDE, (long / SIZE_UNIT).log()[..., None, None]))  # fmt: skip
        weight = heat[:, 0] * (heat[:, 0] > 0.3)
        return heat, torch.stack([*pick, weight], 1)

    @torch.inference_mode()
    def crops(self, b: int) -> tuple[Tensor, ...]:
        """Draw crops for the face reader, as the finder would cut them out.

        Returns:
            Crops, uint8 (b, 3, CROP, CROP) BGR; kinds (faces, ODD, NO_BONE), int64 (b,); masks of
            the bones in the middle, float32 (b, MASK, MASK).
        """
        groups = []
        # Each size in turn, coarse ones as often as fine ones; several sizes in a batch.
        most = min(self.at_once[1], max(b // 2, 1))
        for first in range(0, b, most):
            self.turns += 1
            size = CROP_SIZES[self.turns * 3 % len(CROP_SIZES)]
            groups.append(self._crops(min(most, b - first), size))
        return tuple(torch.cat(each) for each in zip(*groups, strict=True))

    def _crops(self, b: int, size: int) -> tuple[Tensor, Tensor, Tensor]:
        dice, k = self.dice, 4
        tilt, turn = self._tilt(b), dice.u(0, 2 * math.pi, b)
        off = dice.n(0.12, b).clamp(-0.3, 0.3).exp()
        bone_px = size * CROP_BONE / CROP * off
        middle = torch.full((b, 2), size / 2, device=self.device)
        bare = dice.chance(0.14, b)
        amiss = ~bare & dice.chance(0.07, b)
        kind = dice.whole(4, b, k)
        kind[:, 0] = torch.where(dice.chance(0.08, b), ODD, kind[:, 0])
        other = dice.chance(0.15, b, k)
        other[:, 0] = bare
        kind = torch.where(other, NO_BONE, kind)
        long = bone_px[:, None] * dice.u(0.85, 1.15, b, k)
        long[:, 0] = bone_px
        # A bone, but not as the finder should have cut it out: that is to be dropped, too.
        how = dice.u(0, 1, b)
        factor = torch.where(how < 0.75, dice.u(1.9, 3.0, b), dice.u(0.2, 0.45, b))
        wrong_size = amiss & (how > 0.45)
        long[:, 0] = torch.where(wrong_size, bone_px * factor, bone_px)
        pieces = self._pieces(kind, tilt, turn, long)
        pieces.there[:, 0] = ~bare | dice.chance(0.4, b)
        # No neighbours to what is amiss: one could lie where a bone should.
        crowd = dice.chance(0.5, b) & ~amiss & (pieces.there[:, 0])
        many = 1 + dice.whole(k - 1, b)
        slots = torch.arange(k, device=self.device)
        pieces.there[:, 1:] = (slots[1:] <= many[:, None]) & crowd[:, None]
        box = turned(
            self.bank.middle[pieces.sprite[:, :1]][:, :, None], pieces.turn[:, :1],
            pieces.scale[:, :1], pieces.mirror[:, :1],
        )[:, 0, 0]  # fmt: skip
        centre = middle - box + dice.n(0.035, b, 2).clamp(-0.09, 0.09) * size
        angle = dice.u(0, 2 * math.pi, b)
        away = dice.u(0.42, 0.75, b) * bone_px * (amiss & (how <= 0.45))
        centre = centre + torch.stack([angle.cos(), angle.sin()], 1) * away[:, None]
        touch = torch.ones(b, k, dtype=torch.bool, device=self.device)
        place(self.bank, pieces, touch, (size, size), dice, centre)
        kind = torch.where(amiss | bare, NO_BONE, kind[:, 0])
        up = table_normal(tilt, turn)
        geometry = compose(self.bank, pieces, up, (size, size))
        shade = self._ghosts(b, bone_px, (size, size), up)
        print_there = torch.where(bare, dice.chance(0.6, b), dice.chance(0.12, b))
        pictures = self._photograph(geometry, shade, bone_px, k, print_there)
        mask = (geometry.owner == 0) & (geometry.cover[:, 0] > 0.5)
        mask = mask & (kind != NO_BONE)[:, None, None]
        smooth = "area" if size > CROP else "bilinear"
        pictures = functional.interpolate(pictures.float(), (CROP, CROP), mode=smooth)
        mask = functional.interpolate(mask[:, None].float(), (MASK, MASK), mode="area")[:, 0]
        pictures = pictures.round().to(torch.uint8)
        if self.clutter is not None:
            for k in dice.chance(CLUTTER, b).nonzero()[:, 0].tolist():
                number, turns = dice.whole(len(self.clutter), 1), int(dice.whole(4, 1))
                pictures[k] = self.clutter[number][0].rot90(turns).permute(2, 0, 1)
                kind[k], mask[k] = NO_BONE, 0
        return pictures, kind, mask

    @torch.inference_mode()
    def alone(self, face: Tensor, materials: Tensor, size: tuple[int, int], long: float) -> Tensor:
        """Draw bones of given materials, one on each table, *face* uppermost, by a fair camera.

        *materials* is (b, 1, columns); the pictures are uint8 (b, 3, h, w).
        """
        b, dice = len(face), self.dice
        tilt, turn = dice.n(8, b).abs().clamp(max=20), dice.u(0, 2 * math.pi, b)
        bone_px = torch.full((b,), long, device=self.device)
        pieces = self._pieces(face[:, None], tilt, turn, bone_px[:, None])
        pieces.centre[:, 0] = torch.tensor(size, device=self.device) / 2 + dice.n(30, b, 2)
        geometry = compose(self.bank, pieces, table_normal(tilt, turn), size)
        nowhere = torch.zeros(b, dtype=torch.bool, device=self.device)
        ground = self.tops.draw(bone_px, size, dice, nowhere)
        shade = torch.zeros_like(geometry.cover)
        image = self.lamps.light(geometry, ground, materials, bone_px, shade, dice)
        return self.cameras[0].photograph(developed(image, dice).permute(0, 2, 3, 1))

"""Compose bones on tables and light them: shadows, gloss, metal, amber and glass, in batches.

The geometry is what one camera sees: at each pixel the way the surface faces and how high it lies
over the table. Shadows are found by walking from each pixel towards the lamp through the heights; a
mirror shows the room or the table, and what is clear shows the table below, bent. Colours are BGR
and linear until :func:`developed`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.training.bones.bank import LEVELS, Bank
from vision.training.bones.layout import Pieces
from vision.training.bones.materials import COLUMNS
from vision.training.common.dice import Dice

AT = {name: k for k, name in enumerate(COLUMNS)}
PATTERN = 512
"""Width and height of the noise that patterns are cut from."""
WINDOWS = 6
"""Bright and dark shapes of the room that mirrors show."""


@dataclass
class Geometry:
    """What lies where; tensors (b, 1, h, w) unless said otherwise.

    Attributes:
        cover: 0-1, how much of a pixel is not table.
        normal: (b, 3, h, w), x right, y down, z to the camera.
        height: over the table, in pixels.
        hollow: -3 (ridge) to 3 (pit).
        x, y: where on its thing a pixel lies, about -1 to 1.
        owner: int64 (b, h, w), the number of the thing there, -1 for the table.
        up: (b, 3), the table's normal.
    """

    cover: Tensor
    normal: Tensor
    height: Tensor
    hollow: Tensor
    x: Tensor
    y: Tensor
    owner: Tensor
    up: Tensor


def table_normal(tilt: Tensor, turn: Tensor) -> Tensor:
    """The table's normal in the picture, (b, 3), for a camera tilted by *tilt* degrees."""
    # Drawn with the far side up: high things move up, so the normal leans up the picture.
    sine = torch.sin(torch.deg2rad(tilt))
    return torch.stack([sine * turn.sin(), -sine * turn.cos(), (1 - sine**2).sqrt()], 1)


def compose(bank: Bank, pieces: Pieces, up: Tensor, size: tuple[int, int]) -> Geometry:
    """Lay the pieces that are there over each other, the far ones below."""
    b, (width, height), device = len(pieces.sprite), size, bank.device
    scene, slot = pieces.there.nonzero(as_tuple=True)
    away = (pieces.centre[scene, slot] * up[scene, :2]).sum(1)
    order = (scene * 1e4 - away.clamp(-4e3, 4e3)).argsort()
    scene, slot = scene[order], slot[order]
    sprite, scale, turn, mirror, centre = (
        getattr(pieces, name)[scene, slot]
        for name in ("sprite", "scale", "turn", "mirror", "centre")
    )
    level = torch.log2(1 / scale).add(0.2).floor().clamp(0, LEVELS - 1).long()
    half = (bank.rim[sprite].amax(1) * scale + 2)[:, None]
    most = torch.tensor([width, height], device=device)
    low = (centre - half).floor().long().clamp(min=0).minimum(most)
    many = ((centre + half).ceil().long().clamp(min=0).minimum(most) - low).clamp(min=0)
    count = many[:, 0] * many[:, 1]
    item = torch.repeat_interleave(torch.arange(len(count), device=device), count)
    within = torch.arange(len(item), device=device) - (count.cumsum(0) - count)[item]
    wide = many[item, 0]
    x, y = low[item, 0] + within % wide, low[item, 1] + within // wide
    dx, dy = x + 0.5 - centre[item, 0], y + 0.5 - centre[item, 1]
    cosine, sine = turn.cos()[item], turn.sin()[item]
    flip, size_there = mirror[item], scale[item]
    u = (cosine * dx + sine * dy) / size_there * flip
    v = (cosine * dy - sine * dx) / size_there
    values = bank.look_up(sprite[item], level[item], u, v)
    seen = (values[:, 0] > 0.02).nonzero()[:, 0]
    values, item, u, v = values[seen], item[seen], u[seen] / 48, v[seen] / 48
    cosine, sine, flip = cosine[seen], sine[seen], flip[seen]
    tall = values[:, 4] * (bank.px_per_mm[sprite] * scale)[item]
    nx, ny = values[:, 1] * flip, values[:, 2]
    layers = torch.stack(
        [cosine * nx - sine * ny, sine * nx + cosine * ny, values[:, 3],
         tall, values[:, 5].clamp(-3, 3), u, v], 1
    )  # fmt: skip
    cover = values[:, 0]
    at = scene[item] * (width * height) + y[seen] * width + x[seen]

    pixels = b * width * height
    out = torch.zeros(pixels, 7, device=device)
    out.view(b, -1, 7)[..., :3] = up[:, None]
    total = torch.zeros(pixels, device=device)
    number = (item + 1).int()
    top = torch.zeros(pixels, dtype=torch.int32, device=device)
    top.scatter_reduce_(0, at, number, "amax")
    first = (number == top[at]).nonzero()[:, 0]
    on_top = torch.zeros(pixels, device=device)
    on_top[at[first]] = cover[first]
    lower = ((number < top[at]) & (on_top[at] < 0.98)).nonzero()[:, 0]
    second = torch.zeros(pixels, dtype=torch.int32, device=device)
    second.scatter_reduce_(0, at[lower], number[lower], "amax")
    lower = lower[number[lower] == second[at[lower]]]
    for chosen in (lower, first):
        here, share = at[chosen], cover[chosen]
        # On the table a thing begins with its own values; its cover says how much of it is seen.
        bare = (total[here] < 0.02)[:, None]
        old = torch.where(bare, layers[chosen], out[here])
        mixed = old.lerp(layers[chosen], share[:, None])
        mixed[:, 3] = torch.where(bare[:, 0], tall[chosen] * share, mixed[:, 3])
        out[here] = mixed
        total[here] = 1 - (1 - total[here]) * (1 - share)
    owner = torch.where((on_top >= 0.5) | (second == 0), top, second).long() - 1
    owner = torch.where(owner >= 0, slot[owner.clamp(min=0)] if len(slot) else owner, owner)
    maps = out.view(b, height, width, 7).permute(0, 3, 1, 2)
    return Geometry(
        total.view(b, 1, height, width), maps[:, :3], *(maps[:, k : k + 1] for k in range(3, 7)),
        owner.view(b, height, width), up,
    )  # fmt: skip


def patterns(device: torch.device | str) -> Tensor:
    """Noise that goes on at its edges: blobs, grains, streaks, pores, two slopes; (n, 6)."""
    rng = np.random.default_rng(3)
    fy, fx = np.meshgrid(*(np.fft.fftfreq(PATTERN),) * 2, indexing="ij")

    def noise(long: float, thin: float) -> np.ndarray:
        bell = np.exp(-((fx * long) ** 2 + (fy * thin) ** 2) * 10)
        out = np.fft.ifft2(np.fft.fft2(rng.standard_normal((PATTERN, PATTERN))) * bell).real
        return out / out.std()

    blobs = (noise(24, 24) + 0.5 * noise(9, 9)) / 1.1
    grains, streaks, bumps = noise(3, 3), noise(70, 3), noise(7, 7) + 0.6 * noise(2.5, 2.5)
    pores = np.clip(noise(2.2, 2.2) - 1.7, 0, 1)
    slopes = (np.roll(bumps, -1, axis) - np.roll(bumps, 1, axis) for axis in (1, 0))
    layers = np.stack([blobs, grains, streaks, pores, *slopes], 2).reshape(-1, 6)
    return torch.from_numpy(layers.astype(np.float32)).to(device)


def unit(vectors: Tensor, dim: int = 1) -> Tensor:
    """Vectors of length 1."""
    return vectors / vectors.norm(dim=dim, keepdim=True).clamp(min=1e-6)


class Lamps:
    """Lights composed scenes."""

    def __init__(self, device: torch.device | str) -> None:
        """Draw the patterns."""
        self.device = torch.device(device)
        self.patterns = patterns(device)

    @torch.inference_mode()
    def light(
        self, scene: Geometry, ground: Tensor, materials: Tensor, bone_px: Tensor, shade: Tensor,
        dice: Dice,
    ) -> Tensor:  # fmt: skip
        """Light scenes.

        Args:
            scene: the geometry.
            ground: float32 (b, 3, h, w), the tables without light, 0-255.
            materials: of each thing, (b, k, columns).
            bone_px: length of a bone in pixels, (b,).
            shade: where the lamp does not reach for other reasons, 0-1, (b, 1, h, w).
            dice: where the lamps stand, and how strong they are.

        Returns:
            float32 (b, 3, h, w), linear BGR.
        """
        b, _, h, w = ground.shape
        table = (ground / 255) ** 2.2
        made_of = self._per_pixel(scene.owner, materials)
        colour, normal, mirror, rough = self._surface(scene, made_of, dice)
        clear, cloudy = made_of["clear"], made_of["cloudy"]
        normal = unit(torch.cat([normal[:, :2], normal[:, 2:].clamp(min=0.05)], 1))
        px = bone_px[:, None, None, None]

        # The sky, and what stands near.
        pyramid = self._pyramid(scene.height)
        hidden = self._nearby(scene.height, pyramid, bone_px)
        open_ = torch.exp(-dice.u(0.5, 1.6, b, 1, 1, 1) * hidden)
        up = scene.up[:, :, None, None]
        ambient = dice.log(0.06, 0.9, b, 1, 1, 1) * dice.n(0.1, b, 3, 1, 1).exp()
        window = unit(dice.n(1, b, 3))[:, :, None, None]
        lean = dice.u(0, 0.6, b, 1, 1, 1)
        bounce = table.mean((2, 3), keepdim=True) * dice.u(0.2, 0.9, b, 1, 1, 1)

        def sky(facing: Tensor) -> Tensor:
            above = (0.5 + 0.5 * (facing * up).sum(1, keepdim=True)).clamp(0, 1)
            side = 1 + lean * (facing * window).sum(1, keepdim=True)
            return ambient * (above * side + (1 - above) * bounce)

        on_things, on_table = sky(normal) * open_, sky(up) * open_
        gloss = torch.zeros_like(table)
        glow = torch.zeros_like(table)
        # What the clear things of a scene let through falls into their shadows.
        lets = materials[:, :, AT["clear"]].mean(1)[:, None, None, None]
        stained = materials[:, :, :3].mean(1)[:, :, None, None]
        spots = self._noise(scene.x * 0 + self._column(w), scene.x * 0 + self._row(h), px, dice)
        facing_camera = normal[:, 2:]
        exponent = 2 / (rough.clamp(min=0.03) ** 4 + 1e-4)
        exponent = exponent.clamp(2, 900)
        lobes = []
        second_lamp = dice.chance(0.4, b, 1, 1, 1)
        for k in range(2):
            lamp = self._lamp(scene.up, dice)
            power = dice.log(0.5, 2.8, b, 1, 1, 1) * (0.5 * second_lamp if k else 1.0)
            warm = torch.cat(
                [dice.u(0.55, 1, b, 1), dice.u(0.8, 1, b, 1), torch.ones(b, 1, device=self.device)],
                1,
            )
            gaudy = dice.n(0.45, b, 3).exp() * dice.chance(0.1, b, 1)
            tint = torch.where(gaudy > 0, gaudy, warm)[:, :, None, None] * power
            dark = self._shadow(scene, pyramid, lamp, bone_px, dice, 2 - k)
            if k == 0:
                dark = dark.maximum(shade)
            dark = dark * dice.u(0.8, 1, b, 1, 1, 1)
            way = lamp[:, :, None, None]
            facing = (normal * way).sum(1, keepdim=True)
            wrap = made_of["wrap"]
            toward = ((facing + wrap) / (1 + wrap)).clamp(0, 1)
            on_things = on_things + tint * toward * (1 - dark)
            level = (scene.up * lamp).sum(1).clamp(min=0)[:, None, None, None]
            through = dark * lets * stained * (0.35 + 1.6 * spots.clamp(min=0) ** 2)
            on_table = on_table + tint * level * (1 - dark + through * (1 - scene.cover))
            half = unit(lamp + torch.tensor([0.0, 0.0, 1.0], device=self.device))[:, :, None, None]
            near = (normal * half).sum(1, keepdim=True).clamp(0, 1)
            gloss = gloss + tint * (exponent + 8) / 25 * near**exponent * (1 - dark) * (facing > 0)
            # Light that has gone through something clear gathers on the far side of it.
            far_side = (-(normal[:, :2] * way[:, :2]).sum(1, keepdim=True)).clamp(min=0)
            glow = glow + tint * (far_side**2 * 1.6 + 0.25 * scene.hollow.clamp(0, 3)) * (
                1 - 0.5 * dark
            )
            lobes.append((lamp, tint))

        lit_table = table * on_table
        # The room in a mirror, and below its horizon the table.
        view = torch.cat(
            [2 * facing_camera * normal[:, :2], 2 * facing_camera * normal[:, 2:] - 1], 1
        )
        room = self._room(view, rough, ambient[:, :, 0, 0], scene.up, lobes, dice)
        down = (view * up).sum(1, keepdim=True)
        below = self._at(
            lit_table,
            view[:, :2] * (scene.height / (0.15 - down).clamp(min=0.15)).minimum(1.5 * px),
        )
        reflected = room.lerp(below * 0.9, torch.sigmoid(-down / (0.03 + 0.2 * rough)))
        reflected = reflected * (0.3 + 0.7 * open_)
        grazing = (1 - facing_camera) ** 5
        fresnel = 0.045 + 0.955 * grazing * (1 - rough * 0.8)
        dielectric = colour * on_things
        # Clear: the table below, bent and stained by the way through, and light gathered in it.
        thick = (scene.height / px * 2.2).clamp(0, 2)
        bent = -normal[:, :2] * scene.height * dice.u(0.35, 0.9, b, 1, 1, 1)
        stain = colour.clamp(0.02, 0.98) ** (thick * dice.u(0.5, 1.6, b, 1, 1, 1) + 0.15)
        seen = self._at(lit_table, bent) * stain * (0.75 + 0.5 * facing_camera)
        seen = seen + stain * glow * (0.15 + 0.6 * cloudy)
        murky = colour * (on_things * 0.6 + 0.4 * glow)
        seen = seen.lerp(murky, cloudy)
        body = dielectric.lerp(seen, clear)
        plain = body * (1 - fresnel) + reflected * fresnel + gloss * 0.06 * (1 + 8 * grazing)
        metal = colour * (reflected + gloss * (0.35 + 0.65 * rough))
        # Hollows of a metal mirror each other.
        metal = metal * (0.35 + 0.65 * open_) + colour**2 * (1 - open_) * 0.25 * on_things
        image = plain.lerp(metal, mirror)
        return lit_table.lerp(image, scene.cover)

    def _per_pixel(self, owner: Tensor, materials: Tensor) -> dict[str, Tensor]:
        b, k, n = materials.shape
        rows = torch.cat([materials.flatten(0, 1), materials.new_zeros(1, n)])
        first = torch.arange(b, device=owner.device)[:, None, None] * k
        number = torch.where(owner >= 0, owner + first, b * k)
        spread = rows.index_select(0, number.flatten()).view(*owner.shape, n).permute(0, 3, 1, 2)
        told = {name: spread[:, at : at + 1] for name, at in AT.items()}
        return told | {"colour": spread[:, :3], "second": spread[:, 3:6]}

    def _cut(self, u: Tensor, v: Tensor) -> Tensor:
        """The patterns at these places, (b, 6, h, w)."""
        at = (v.long() & (PATTERN - 1)) * PATTERN + (u.long() & (PATTERN - 1))
        out = self.patterns.index_select(0, at.flatten())
        return out.view(len(u), *u.shape[-2:], 6).permute(0, 3, 1, 2)

    def _column(self, w: int) -> Tensor:
        return torch.arange(w, device=self.device).float()

    def _row(self, h: int) -> Tensor:
        return torch.arange(h, device=self.device).float()[:, None]

    def _noise(self, x: Tensor, y: Tensor, px: Tensor, dice: Dice) -> Tensor:
        """Blobs about a tenth of a bone wide, (b, 1, h, w)."""
        fine = 150 / px
        start = dice.u(0, PATTERN, len(px), 2, 1, 1)
        return self._cut(x * fine + start[:, :1], y * fine + start[:, 1:])[:, :1]

    def _surface(
        self, scene: Geometry, made_of: dict[str, Tensor], dice: Dice
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Colours, bumpy normals, how far it is a mirror, and how rough."""
        b = len(scene.x)
        fine = made_of["fine"]
        along, beside = made_of["grain_x"], made_of["grain_y"]
        x, y = scene.x * fine, scene.y * fine
        u, v = along * x + beside * y, along * y - beside * x
        blobs, grains, streaks, pores, slope_x, slope_y = self._cut(
            u + made_of["u"], v + made_of["v"]
        ).unsqueeze(2).unbind(1)  # fmt: skip
        pit, ridge = scene.hollow.clamp(0, 3), (-scene.hollow).clamp(0, 3)
        tone = 1 - made_of["dirt"] * pit / 2 + made_of["blotch"] * blobs.clamp(-2, 2)
        tone = tone - made_of["pores"] * pores + 0.3 * made_of["blotch"] * grains.clamp(-2, 2)
        colour = made_of["colour"]
        # Rings of wood are cut by the surface: they bend with its height.
        grain = made_of["grain"]
        rise = scene.height / 20
        rings = (
            torch.sin((v / fine.clamp(min=1) * 14 + rise + 0.5 * blobs) * 2) * 0.5 + 0.5 * streaks
        )
        colour = colour.lerp(made_of["second"], (grain * rings.clamp(0, 1)).clamp(0, 1))
        # Patina and second paints lie in pits and patches.
        patina = made_of["patina"]
        cut = (blobs * 0.8 + 0.35 * grains + pit * 0.9 - ridge * 0.7 + 3.2 * patina - 2.3) * 1.8
        patch = (cut.clamp(0, 1) * (patina > 0.03)).clamp(0, 1)
        colour = colour.lerp(made_of["second"], patch)
        warm = torch.tensor([1.0, 0.4, 0.0], device=self.device)[:, None, None]
        metal = made_of["metal"]
        warm = warm * (made_of["dirt"].clamp(min=0) * pit * 0.15) * dice.u(0, 2, b, 1, 1, 1)
        colour = colour * tone.clamp(0.08, 1.6) * (1 - warm * (1 - metal)).clamp(0.1, 1)
        worn = (made_of["wear"] * ridge * (0.7 + 0.4 * grains)).clamp(0, 0.9) * (1 - metal)
        pale = dice.u(0.2, 0.75, b, 1, 1, 1) * (1 + dice.n(0.1, b, 3, 1, 1))
        colour = colour.lerp(pale.expand_as(colour), worn).clamp(0.005, 0.97)
        bump = made_of["bump"]
        normal = torch.cat(
            [scene.normal[:, :1] + bump * slope_x * 2, scene.normal[:, 1:2] + bump * slope_y * 2,
             scene.normal[:, 2:]], 1
        )  # fmt: skip
        mirror = metal * (1 - 0.85 * patch) * (1 - 0.5 * (made_of["dirt"] * pit / 3).clamp(0, 1))
        rough = (made_of["rough"] + 0.4 * patch + 0.08 * grains * made_of["blotch"]).clamp(0.01, 1)
        return colour, normal, mirror, rough

    def _pyramid(self, height: Tensor) -> list[Tensor]:
        """The heights, ever more blurred."""
        h, w = height.shape[2:]
        out = [height]
        for level in range(1, 6):
            size = max(h >> level, 1), max(w >> level, 1)
            small = functional.interpolate(height, size, mode="area")
            out.append(functional.interpolate(small, (h, w), mode="bilinear"))
        return out

    def _nearby(self, height: Tensor, pyramid: list[Tensor], bone_px: Tensor) -> Tensor:
        """How much of the sky is hidden by what stands near."""
        hidden = torch.zeros_like(height)
        levels = torch.arange(len(pyramid), device=self.device)
        for part in (0.05, 0.15, 0.4):
            sigma = (part * bone_px).clamp(min=0.6)
            wanted = torch.log2(sigma * 2).clamp(0, len(pyramid) - 1)
            share = (1 - (wanted[:, None] - levels).abs()).clamp(min=0)[..., None, None, None]
            around = sum(share[:, k] * each for k, each in enumerate(pyramid))
            reach = (2.2 * sigma + 0.15 * bone_px)[:, None, None, None]
            hidden = hidden + ((around - height) / reach).clamp(0, 1)
        return hidden

    def _lamp(self, up: Tensor, dice: Dice) -> Tensor:
        """Where a lamp stands, as unit vectors: 20 to 85 degrees over the table."""
        b = len(up)
        raised, around = torch.deg2rad(dice.u(20, 85, b, 1)), dice.u(0, 2 * math.pi, b, 1)
        one = torch.tensor([0.2, 1.0, 0.1], device=self.device).expand(b, 3)
        side = unit(torch.linalg.cross(up, one))
        way = around.cos() * side + around.sin() * torch.linalg.cross(up, side)
        return unit(raised.sin() * up + raised.cos() * way)

    def _at(self, image: Tensor, shift: Tensor) -> Tensor:
        """The picture as seen at each pixel moved by *shift*, (b, 2, h, w) or (b, 2, 1, 1)."""
        _, _, h, w = image.shape
        x = (self._column(w) + 0.5 + shift[:, 0]) * (2 / w) - 1
        y = (self._row(h) + 0.5 + shift[:, 1]) * (2 / h) - 1
        grid = torch.stack(torch.broadcast_tensors(x, y), 3)
        return functional.grid_sample(image, grid, padding_mode="border", align_corners=False)

    def _shadow(
        self,
        scene: Geometry,
        pyramid: list[Tensor],
        lamp: Tensor,
        bone_px: Tensor,
        dice: Dice,
        rays: int,
    ) -> Tensor:
        """How much of the lamp is hidden at each pixel, 0-1: more softly far from what hides."""
        b = len(lamp)
        gain = (lamp * scene.up).sum(1).clamp(min=0.2)
        tall = scene.height.amax((1, 2, 3))
        wide = dice.u(0.0, 0.35, b)
        total = torch.zeros_like(scene.height)
        for _ in range(rays):
            way = unit(lamp + dice.n(0.45, b, 3) * wide[:, None]) if rays > 1 else lamp
            longest = (tall / gain).minimum(2.5 * bone_px)
            most = torch.zeros_like(scene.height)
            count = 9
            for k in range(count):
                far = (
                    0.05 * bone_px
                    + 0.6
                    + (longest - 0.05 * bone_px).clamp(min=0) * (k + dice.u(0, 0.9, b)) / count
                )
                shift = (way[:, :2] * far[:, None])[:, :, None, None]
                over = self._at(pyramid[min(k // 4, 2)], shift) - scene.height
                over = over - (far * gain + 0.02 * bone_px)[:, None, None, None]
                soft = (0.035 * bone_px + 0.3 + 0.35 * wide * far)[:, None, None, None]
                most = torch.maximum(most, (over / soft).clamp(0, 1))
            total = total + most
        return total / rays

    def _room(
        self, view: Tensor, rough: Tensor, ambient: Tensor, up: Tensor,
        lamps: list[tuple[Tensor, Tensor]], dice: Dice,
    ) -> Tensor:  # fmt: skip
        """What a mirror shows of a room: walls, windows, lamps and dark things, blurred."""
        b, _, h, w = view.shape
        ways = unit(dice.n(1, b, WINDOWS, 3) + 0.7 * up[:, None], 2)
        spin = unit(dice.n(1, b, WINDOWS, 3), 2)
        side = unit(torch.linalg.cross(ways, spin), 2)
        other = torch.linalg.cross(ways, side)
        seen = torch.cat([ways, side, other, up[:, None]], 1) @ view.flatten(2)
        seen = seen.view(b, -1, h, w)
        high = seen[:, -1:]
        walls = dice.log(0.1, 1.2, b, 1, 1, 1) * ambient[:, :, None, None]
        out = walls * (1 + dice.u(-0.6, 1.5, b, 1, 1, 1) * high.clamp(-1, 1))
        strength = dice.u(-0.8, 1, b, WINDOWS, 1, 1) * dice.log(0.4, 4, b, WINDOWS, 1, 1)
        strength = strength * dice.chance(0.6, b, WINDOWS, 1, 1)
        wide, tall = dice.log(0.12, 0.9, 2, b, WINDOWS, 1, 1)
        edge = 0.05 + 1.1 * rough**1.3
        for k in range(WINDOWS):
            toward = seen[:, k : k + 1].clamp(min=0.08)
            x = seen[:, WINDOWS + k, None].abs() / toward
            y = seen[:, 2 * WINDOWS + k, None].abs() / toward
            inside = ((wide[:, k, None] - x) / edge + 0.5).clamp(0, 1)
            inside = inside * ((tall[:, k, None] - y) / edge + 0.5).clamp(0, 1)
            inside = inside * (seen[:, k : k + 1] > 0.08)
            tint = dice.n(0.15, b, 3, 1, 1).exp() * strength[:, k, None]
            out = out + inside * tint * (walls + 0.25)
        for way, tint in lamps:
            near = (view * way[:, :, None, None]).sum(1, keepdim=True)
            spot = ((near - 0.985 + 0.1 * rough) / (0.012 + 0.25 * rough)).clamp(0, 1)
            out = out + spot * tint * 3 / (1 + 12 * rough)
        return out.clamp(0, 12)


def developed(image: Tensor, dice: Dice) -> Tensor:
    """Expose linear pictures (b, 3, h, w) and give them a camera's tones: 0-255."""
    b = len(image)
    spread = image[:, :, ::2, ::2].mean(1).flatten(1)
    white = torch.quantile(spread, 0.975, dim=1).lerp(spread.mean(1) * 2.5, dice.u(0, 0.55, b))
    white = white.clamp(min=1e-3)[:, None, None, None]
    exposed = image / white * dice.u(0.5, 1.15, b, 1, 1, 1)
    shoulder = dice.chance(0.5, b, 1, 1, 1)
    exposed = torch.where(shoulder, exposed / (1 + 0.35 * exposed) * 1.35, exposed)
    toned = exposed.clamp(0, 1) ** (1 / dice.u(1.7, 2.5, b, 1, 1, 1))
    dim = torch.where(dice.chance(0.1, b, 1, 1, 1), dice.u(0.2, 0.6, b, 1, 1, 1), 1.0)
    return toned * dim * 255

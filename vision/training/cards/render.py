"""Draw scenes in batches: flat things with round corners, one over another, by their geometry.

Everything is one kind of thing: a picture in a quad. A finger is one with very round corners. Each
pixel shows the uppermost thing that covers it, blended at its edge with the one below; what lies
higher throws a soft shadow. Pictures are cut into squares of 8 by 8 pixels, and only the squares
that a thing may touch are worked out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from vision.training.common.atlas import Atlas

TILE = 8
HALO = 9.0
"""Pixels round a thing in which its shadow may fall."""


@dataclass
class Things:
    """The things of a batch, those of one scene together and from the lowest up; tensors.

    Attributes:
        scene: which scene it lies in, int64 (n,).
        quad: float32 (n, 4, 2), pixels, clockwise from its own top left.
        picture: number in the atlas, int64 (n,).
        radius: of its corners, in parts of its width; *cut*: how much of each corner is cut off.
        curl: float32 (n, 2), how far its edges bulge, in parts of its size.
        shadow: float32 (n, 4): how dark, how soft (pixels), and which way it falls (pixels).
        tint: float32 (n, 6): factors of blue, green and red, and what is added.
        redden: how much darker its reds are than in the picture, 0-1.
        bend: float32 (n, 2), how much brightness changes across and down.
        gloss: float32 (n, 4): a mirrored lamp: how bright, where (pixels), how wide (pixels).
        rim: how much darker its edge is, 0-1.
    """

    scene: Tensor
    quad: Tensor
    picture: Tensor
    radius: Tensor
    cut: Tensor
    curl: Tensor
    shadow: Tensor
    tint: Tensor
    redden: Tensor
    bend: Tensor
    gloss: Tensor
    rim: Tensor

    @classmethod
    def of(cls, columns: dict[str, list], device: torch.device | str) -> Things:
        """Make tensors of lists by name."""
        whole = ("scene", "picture")
        made = {}
        for field in fields(cls):
            values = np.asarray(columns[field.name], np.float64)
            values = values.reshape(-1, *_SHAPES.get(field.name, ()))
            kind = torch.int64 if field.name in whole else torch.float32
            made[field.name] = torch.as_tensor(values, dtype=kind).to(device)
        return cls(**made)

    def part(self, start: int, end: int) -> Things:
        """Return some of them."""
        return Things(*(getattr(self, field.name)[start:end] for field in fields(self)))


_SHAPES = {"quad": (4, 2), "curl": (2,), "shadow": (4,), "tint": (6,), "bend": (2,), "gloss": (4,)}


@dataclass
class Grounds:
    """What the scenes lie on; arrays, so that no accelerator need be waited for.

    Attributes:
        picture: number in the atlas, int64 (b,).
        plane: pixels to parts of the picture, float (b, 3, 3).
        across: pixels of the scene that the picture is wide, float (b,).
        tint: factors and what is added, float (b, 6).
        beyond: the colour where the picture ends, float (b, 3); below 0 it goes on, mirrored.
    """

    picture: np.ndarray
    plane: np.ndarray
    across: np.ndarray
    tint: np.ndarray
    beyond: np.ndarray


def homographies(quads: Tensor) -> Tensor:
    """Map the unit square to quads: float64 (n, 3, 3)."""
    a, b, c, d = quads.double().unbind(1)
    # Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989, 2.2.3.
    s, e, f = a - b + c - d, b - c, d - c
    below = e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]
    below = torch.where(below.abs() < 1e-9, torch.full_like(below, 1e-9), below)
    g = (s[:, 0] * f[:, 1] - s[:, 1] * f[:, 0]) / below
    h = (e[:, 0] * s[:, 1] - e[:, 1] * s[:, 0]) / below
    u, v = b - a + g[:, None] * b, d - a + h[:, None] * d
    last = torch.stack([g, h, torch.ones_like(g)], 1)
    return torch.cat([torch.stack([u, v, a], 2), last[:, None]], 1)


def project(matrices: Tensor, points: Tensor) -> Tensor:
    """Apply matrices (n, 3, 3) to points of the unit square, (m, 2): float32 (n, m, 2)."""
    one = torch.ones(len(points), 1, dtype=matrices.dtype, device=points.device)
    out = torch.cat([points.to(matrices.dtype), one], 1) @ matrices.transpose(1, 2)
    return (out[..., :2] / out[..., 2:].clamp(min=1e-6)).float()


def _distance(p: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return u, v on the things *p*, (n, 15), and how far outside of them a place is, in pixels."""
    (h0, h1, h2, h3, h4, h5, h6, h7, h8, cu, cv, wide, tall, radius, cut) = p[:, :15, None].unbind(
        1
    )
    below = (h6 * x + h7 * y + h8).clamp(min=1e-4)
    u, v = (h0 * x + h1 * y + h2) / below - 0.5, (h3 * x + h4 * y + h5) / below - 0.5
    if bool((cu != 0).any() | (cv != 0).any()):
        u, v = u + cu * (4 * v * v - 1), v + cv * (4 * u * u - 1)
    across, down = u.abs() * wide, v.abs() * tall
    qx, qy = across - wide / 2 + radius, down - tall / 2 + radius
    far = torch.maximum(qx, qy).clamp_(max=0).sub_(radius)
    qx, qy = qx.clamp_(min=0), qy.clamp_(min=0)
    far += (qx.mul_(qx).add_(qy.mul_(qy))).sqrt_()
    if bool((cut > 0).any()):
        far = far.maximum((across + down - (wide + tall) / 2 + cut) * 0.7071)
    return u + 0.5, v + 0.5, far


@torch.inference_mode()
def paint(
    things: Things, grounds: Grounds, atlas: Atlas, size: tuple[int, int]
) -> tuple[Tensor, Tensor]:
    """Draw a batch.

    Args:
        things: what lies on the tables.
        grounds: the tables.
        atlas: the pictures.
        size: width and height in pixels, multiples of 8.

    Returns:
        Pictures, float32 (b, h, w, 3) BGR, 0-255; and which thing each pixel shows, int64
        (b, h, w), -1 for none.
    """
    batch = len(grounds.picture)
    # A processor is fastest with what fits its cache; an accelerator with all at once.
    step = 2 if things.quad.device.type == "cpu" else batch
    ends = torch.searchsorted(things.scene, torch.arange(batch + 1, device=things.scene.device))
    ends = ends.tolist()
    pictures, owners = [], []
    for first in range(0, batch, step):
        last = min(first + step, batch)
        part = things.part(ends[first], ends[last])
        part.scene = part.scene - first
        image, owner = _paint(part, grounds, range(first, last), atlas, size)
        pictures.append(image)
        owners.append(torch.where(owner >= 0, owner + ends[first], owner))
    return torch.cat(pictures), torch.cat(owners)


def _paint(
    things: Things, grounds: Grounds, scenes: range, atlas: Atlas, size: tuple[int, int]
) -> tuple[Tensor, Tensor]:
    """Draw some scenes of a batch."""
    width, height = size
    batch = len(scenes)
    device = things.quad.device
    pixels = batch * width * height
    inverse = torch.linalg.inv(homographies(things.quad))
    inverse = (inverse / inverse[:, 2:, 2:]).flatten(1).float()
    sides = (things.quad - things.quad.roll(-1, 1)).norm(dim=2)
    wide, tall = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    shape = torch.stack([wide, tall, things.radius * wide, things.cut * wide], 1)
    p = torch.cat([inverse, things.curl, shape, things.shadow], 1)
    place = atlas.places[things.picture, atlas.levels(things.picture, wide)]
    look = torch.cat([things.redden[:, None], things.bend, things.rim[:, None], things.gloss], 1)
    tint = torch.nn.functional.pad(things.tint.view(-1, 2, 3), (0, 1))

    tile_p, item, x0, y0 = _tiles(things, p, size, batch)
    step = torch.arange(TILE, device=device)
    x = x0[:, None] + step.repeat(TILE)
    y = y0[:, None] + step.repeat_interleave(TILE)
    u, v, far = _distance(tile_p, x + 0.5, y + 0.5)
    cover = (0.5 - far).clamp(0, 1)
    at = (things.scene[item] * (width * height))[:, None] + y * width + x
    order = (item + 1).int()[:, None].expand_as(at)
    inside = cover > 0

    top = torch.zeros(pixels, dtype=torch.int32, device=device)
    top.scatter_reduce_(0, at.flatten(), (order * inside).flatten(), "amax")
    above = top.index_select(0, at.flatten()).view_as(at)
    first = (inside & (order == above)).flatten().nonzero()[:, 0]
    flat_at, flat_cover, flat_order = at.flatten(), cover.flatten(), order.flatten()
    covered = torch.zeros(pixels, device=device)
    covered.index_copy_(0, flat_at.index_select(0, first), flat_cover.index_select(0, first))
    below = (
        (inside & (order < above) & (covered.index_select(0, at.flatten()).view_as(at) < 1))
        .flatten()
        .nonzero()[:, 0]
    )
    second = torch.zeros(pixels, dtype=torch.int32, device=device)
    second.scatter_reduce_(0, flat_at[below], flat_order[below], "amax")
    below = below[flat_order[below] == second[flat_at[below]]]

    image = torch.zeros(pixels, 4, device=device)
    whole = torch.arange(width * height, device=device)
    for place_, scene in enumerate(scenes):
        own = slice(place_ * width * height, (place_ + 1) * width * height)
        if device.type == "cpu":
            bare = (covered[own] < 1).nonzero()[:, 0]
            image[own].index_copy_(0, bare, _ground(bare, grounds, scene, atlas, size))
        else:  # painting all of it takes less than to wait for how much it is
            image[own] = _ground(whole, grounds, scene, atlas, size)
    for chosen in (below, first):
        here, share, *where = (
            each.flatten().index_select(0, chosen) for each in (at, cover, u, v, far)
        )
        number = item.index_select(0, chosen // TILE**2)
        colour = _colour(number, *where, here, (look, tint, place), atlas, size)
        share = share[:, None].expand(-1, 4).contiguous()
        image.index_copy_(0, here, image.index_select(0, here).lerp_(colour, share))

    shade = torch.zeros(pixels, device=device)
    dark, soft, way_x, way_y = tile_p[:, 15:19, None].unbind(1)
    # A shadow falls beside its thing, never on it.
    edge = ((far.amax(1) > 0) & (dark[:, 0] > 0)).nonzero()[:, 0]
    shifted = _distance(tile_p[edge], x[edge] + 0.5 - way_x[edge], y[edge] + 0.5 - way_y[edge])[2]
    fall = dark[edge] * torch.exp(-((shifted.clamp(min=0) / soft[edge]) ** 2))
    fall = fall * (order[edge] > above[edge])
    shade.scatter_reduce_(0, at[edge].flatten(), fall.flatten(), "amax")
    image = image.view(batch, height, width, 4)[..., :3] * (1 - shade).view(batch, height, width, 1)

    owner = torch.where(covered >= 0.5, top, second).long() - 1
    return image, owner.view(batch, height, width)


def _tiles(
    things: Things, p: Tensor, size: tuple[int, int], batch: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the squares that things touch and nothing hides: numbers, thing, left, top."""
    width, height = size
    columns, rows = width // TILE, height // TILE
    low = ((things.quad.amin(1) - HALO) / TILE).floor().long()
    high = ((things.quad.amax(1) + HALO) / TILE).floor().long() + 1
    most = torch.tensor([columns, rows], device=low.device)
    low, high = low.clamp(min=0).minimum(most), high.clamp(min=0).minimum(most)
    many = (high - low).clamp(min=0)
    count = many[:, 0] * many[:, 1]
    item = torch.repeat_interleave(torch.arange(len(count), device=low.device), count)
    within = torch.arange(len(item), device=low.device) - (count.cumsum(0) - count)[item]
    wide = many[item, 0].clamp(min=1)
    tx, ty = low[item, 0] + within % wide, low[item, 1] + within // wide
    middle = (tx * TILE + TILE / 2)[:, None], (ty * TILE + TILE / 2)[:, None]
    far = _distance(p[item], *middle)[2][:, 0]
    square = (things.scene[item] * rows + ty) * columns + tx
    highest = torch.zeros(batch * rows * columns, dtype=torch.int64, device=low.device)
    highest.scatter_reduce_(0, square, item * (far < -TILE), "amax")
    kept = ((far < TILE * 0.75 + HALO) & (item >= highest[square])).nonzero()[:, 0]
    item = item[kept]
    return p[item], item, tx[kept] * TILE, ty[kept] * TILE


def _ground(
    at: Tensor, grounds: Grounds, scene: int, atlas: Atlas, size: tuple[int, int]
) -> Tensor:
    """Return the colours of a table at these pixels of its scene."""
    width, height = size
    m = grounds.plane[scene].tolist()
    x = torch.arange(width, device=at.device) + 0.5
    y = torch.arange(height, device=at.device)[:, None] + 0.5
    below = (m[2][0] * x + (m[2][1] * y + m[2][2])).clamp_(min=1e-4)
    u = (m[0][0] * x + (m[0][1] * y + m[0][2])).div_(below).flatten().index_select(0, at)
    v = (m[1][0] * x + (m[1][1] * y + m[1][2])).div_(below).flatten().index_select(0, at)
    ends = bool(grounds.beyond[scene, 0] >= 0)
    out = ((u - 0.5).abs().maximum((v - 0.5).abs()) > 0.5) if ends else None
    # Beyond its edge a picture goes on mirrored.
    u, v = (w.sub_(torch.round(w / 2).mul_(2)).abs_() for w in (u, v))
    picture, across = int(grounds.picture[scene]), float(grounds.across[scene])
    place = atlas.place(picture, across)
    fine = across < 1.2 * atlas.width(picture)
    if ends or not fine or len(at) >= len(atlas.jitter):
        colour = atlas.look_up(place, u, v)
    else:
        first = (scene * 7919 + len(at)) % (len(atlas.jitter) - len(at))
        colour = atlas.grain(place, u, v, atlas.jitter[first : first + len(at)])
    factor, added = (
        torch.tensor([*each, 0.0], dtype=torch.float32, device=at.device)
        for each in grounds.tint[scene].reshape(2, 3)
    )
    colour.mul_(factor.expand(len(at), 4).contiguous()).add_(added)
    if out is not None:
        beyond = torch.tensor([*grounds.beyond[scene], 0.0], dtype=torch.float32, device=at.device)
        colour = torch.where(out[:, None], beyond, colour)
    return colour


def _colour(
    number: Tensor,
    u: Tensor,
    v: Tensor,
    far: Tensor,
    at: Tensor,
    looks: tuple[Tensor, Tensor, Tensor],
    atlas: Atlas,
    size: tuple[int, int],
) -> Tensor:
    """Return the colours of things at places *u*, *v* on them."""
    look, tint, place = looks
    own = look.index_select(0, number)
    colour = atlas.look_up(place.index_select(0, number), u, v)
    factor, added = tint.index_select(0, number).unbind(1)
    dyed = (own[:, 0] > 0).nonzero()[:, 0]
    if len(dyed):
        blue, green, red = colour[dyed, :3].unbind(1)
        much = (red - blue.maximum(green)).clamp_(min=0) * own[dyed, 0] / 255
        colour[dyed] *= (1 - much)[:, None]
    light = 1 + own[:, 1] * (u - 0.5) + own[:, 2] * (v - 0.5)
    light -= own[:, 3] * (1 - (far + 0.7).abs_()).clamp_(min=0)
    colour.mul_(factor).add_(added).mul_(light[:, None].expand(-1, 4).contiguous())
    lit = (own[:, 4] > 0).nonzero()[:, 0]
    if len(lit):
        width, height = size
        bright, cx, cy, wide = own[lit, 4:].unbind(1)
        away = (at[lit] % width - cx) ** 2 + (at[lit] // width % height - cy) ** 2
        colour[lit] += (bright * torch.exp(-away / wide**2))[:, None]
    return colour.clamp_(0, 255)

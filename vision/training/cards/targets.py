"""What the networks should answer for drawn scenes: the finder's maps, and crops with labels."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.cards.detector import CARD_NUMBERS, INDEX_NUMBERS, STRIDE, UNIT
from vision.cards.geometry import (
    INDEX_X,
    INDEX_Y,
    PATCH_H,
    PATCH_W,
    SPAN_X,
    SPAN_Y,
    CropShape,
)
from vision.training.cards.render import homographies, project
from vision.training.cards.tables import BACK, FACE, THING, Scenes

MAPS = 3 + 1 + CARD_NUMBERS + 1 + INDEX_NUMBERS + 1
"""Heat of faces, backs and indices; what the heat of indices counts for; the numbers of the card
and their weight; the numbers of the index and their weight."""

FACE_SEEN, BACK_SEEN = 0.3, 0.1
"""Part of a card that must be seen for it to be found as a whole."""

INDEX_SEEN, INDEX_LOST = 0.75, 0.35
"""Part of an index seen above which it must be found, and below which it must not."""

SMALLEST = 70
"""Pixels of a card that must be seen."""

SMALLEST_INDEX = 22
"""Width of a card, pixels, whose index must be found."""

READ_SEEN, LOST_SEEN = 0.55, 0.2
"""Part of a face seen above which its rank and suit are asked for, and below which it is none."""

FACE_UP, FACE_DOWN, NO_CARD = 0, 1, 2
"""What the reader calls a crop."""

READABLE, NO_INDEX = 0, 1
"""What the corner reader calls a patch."""

_STEP = 0.1


class Frames:
    """Where the indices of the faces of a batch lie; tensors.

    Attributes:
        card: the face that each index is of, int64 (m,).
        middle, across, down, centre: as in ``vision.cards.geometry``, float32 (m, 2).
        seen: which part of it is seen, float32 (m,).
    """

    def __init__(self, scenes: Scenes) -> None:
        """Work them out by geometry, two for each face, or four."""
        device = scenes.quad.device
        near = torch.tensor([INDEX_X, INDEX_Y], device=device)
        ways = torch.tensor([[1.0, 1], [-1, -1], [-1, 1], [1, -1]], device=device)
        self.card = torch.cat([(scenes.indices >= need).nonzero()[:, 0] for need in (1, 1, 4, 4)])
        two, four = int((scenes.indices >= 1).sum()), int((scenes.indices >= 4).sum())
        many = (two, two, four, four)
        way = torch.cat([w.expand(n, 2) for w, n in zip(ways, many, strict=True)])
        matrix = homographies(scenes.quad[self.card])
        grid = torch.linspace(-1, 1, 7, device=device)
        box = torch.stack(torch.meshgrid(grid * 0.09, grid * 0.11, indexing="ij"), -1).view(-1, 2)
        cross = torch.tensor([[0.0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]], device=device) * _STEP
        # In the frame of each index: a point of the card, seen from its own corner.
        local = torch.cat([near + cross, near + box])[None].expand(len(way), -1, 2)
        points = torch.where(way[:, None] > 0, local, 1 - local).double()
        one = torch.ones_like(points[..., :1])
        out = torch.cat([points, one], 2) @ matrix.transpose(1, 2)
        at = (out[..., :2] / out[..., 2:].clamp(min=1e-6)).float()
        self.middle = at[:, 0]
        self.across, self.down = (at[:, 2] - at[:, 1]) / 0.2, (at[:, 4] - at[:, 3]) / 0.2
        # The other two of four look like those of the mirrored card, read from the other side.
        self.across = self.across * way[:, :1] * way[:, 1:]
        self.centre = project(matrix, torch.full((1, 2), 0.5, device=device))[:, 0]
        _, h, w = scenes.owner.shape
        sample = at[:, 5:].floor().long()
        inside = (sample >= 0).all(2) & (sample[..., 0] < w) & (sample[..., 1] < h)
        sample[..., 0].clamp_(0, w - 1)
        sample[..., 1].clamp_(0, h - 1)
        flat = (scenes.scene[self.card][:, None] * h + sample[..., 1]) * w + sample[..., 0]
        mine = scenes.owner.view(-1)[flat] == self.card[:, None]
        self.seen = (mine & inside).float().mean(1)


def seen_pixels(scenes: Scenes) -> tuple[Tensor, Tensor]:
    """Return how many pixels of each thing are seen, (n,), and their middle, (n, 2); float32."""
    n = len(scenes.quad) + 1
    step = 2  # every second pixel, every second row: enough to count
    shown = scenes.owner[:, ::step, ::step] + 1
    _, h, w = shown.shape
    count = torch.bincount(shown.flatten(), minlength=n)[1:]
    # Sums over columns and rows, by which thing lies there.
    x = torch.arange(w, device=shown.device, dtype=torch.float32).expand(shown.shape)
    y = torch.arange(h, device=shown.device, dtype=torch.float32)[:, None].expand(shown.shape)
    sums = [torch.bincount(shown.flatten(), each.flatten(), n)[1:] for each in (x, y)]
    middle = torch.stack(sums, 1).float() / count.clamp(min=1)[:, None]
    return count.float() * step**2, (middle + 0.5) * step


def _areas(quad: Tensor) -> Tensor:
    """Return the areas of quads."""
    x, y = quad.unbind(2)
    return 0.5 * (x * y.roll(-1, 1) - y * x.roll(-1, 1)).sum(1).abs()


def encode_quads(quad: Tensor) -> Tensor:
    """Return what ``vision.cards.detector.decode_quad`` takes, of many quads: float32 (n, 10)."""
    a, b, c, d = quad.unbind(1)
    u, v, w = (b + c - a - d) / 4, (c + d - a - b) / 4, (a + c - b - d) / 4

    def matrix(vector: Tensor) -> Tensor:
        x, y = vector.unbind(1)
        length = torch.hypot(x, y).clamp(min=1e-6)
        return torch.stack([x * x, x * y, y * y], 1) / length[:, None]

    return torch.cat([(a + b + c + d) / 4, matrix(u), matrix(v), w], 1)


class _Maps:
    """The maps of a batch, to which bumps are added."""

    def __init__(self, scenes: Scenes) -> None:
        self.batch, h, w = scenes.owner.shape
        self.h, self.w = h // STRIDE, w // STRIDE
        device = scenes.quad.device
        self.px = (torch.arange(self.w, device=device) + 0.5) * STRIDE
        self.py = ((torch.arange(self.h, device=device) + 0.5) * STRIDE)[:, None]
        self.out = torch.zeros(self.batch, MAPS, self.h, self.w, device=device)
        self.out[:, 3] = 1.0

    def bumps(self, at: Tensor, sigma: Tensor) -> tuple[Tensor, Tensor]:
        """Return bumps with a peak of 1, (n, h, w), and which of them are in the picture."""
        far = (self.px - at[:, 0, None, None]) ** 2 + (self.py - at[:, 1, None, None]) ** 2
        bump = torch.exp(-far / (2 * sigma[:, None, None] ** 2))
        x, y = (at[:, 0] / STRIDE).floor().long(), (at[:, 1] / STRIDE).floor().long()
        there = (x >= 0) & (y >= 0) & (x < self.w) & (y < self.h)
        n = torch.arange(len(at), device=at.device)[there]
        bump[n, y[there], x[there]] = 1.0
        return bump, there

    def add(
        self, layer: Tensor, scene: Tensor, bump: Tensor, first: int, values: Tensor, near: list
    ) -> None:
        """Raise the heat, and write the numbers where a bump is the highest of its kind.

        *layer* is the map of heat of each; *near* tells which numbers count from the cell.
        """
        heat = self.out.view(-1, self.h, self.w)
        flat = (scene * MAPS + layer)[:, None, None].expand_as(bump)
        heat.scatter_reduce_(0, flat, bump, "amax")
        best = torch.full((self.batch, self.h, self.w), 0.25, device=bump.device)
        best.scatter_reduce_(0, scene[:, None, None].expand_as(bump), bump, "amax")
        n, y, x = ((bump == best[scene]) & (bump > 0.25)).nonzero().unbind(1)
        told = values[n]
        for k in near:
            told[:, k] -= self.px[x] if k % 2 == 0 else self.py[y, 0]
        numbers = values.shape[1]
        self.out[scene[n], first : first + numbers, y, x] = told / UNIT
        self.out[scene[n], first + numbers, y, x] = bump[n, y, x]


@torch.inference_mode()
def finder_maps(scenes: Scenes) -> Tensor:
    """Draw the maps of a batch: float32 (b, MAPS, h / STRIDE, w / STRIDE)."""
    maps = _Maps(scenes)
    count, middle = seen_pixels(scenes)
    need = torch.where(scenes.kind == FACE, FACE_SEEN, BACK_SEEN) * _areas(scenes.quad).clamp(1)
    found = ((scenes.kind != THING) & (count >= need) & (count >= SMALLEST)).nonzero()[:, 0]
    # The heat sits on what can be seen: of a covered card that is not its middle.
    bump, there = maps.bumps(middle[found], (0.1 * count[found].sqrt()).clamp(min=3.5))
    found, bump = found[there], bump[there]
    layer = (scenes.kind[found] == BACK).long()
    maps.add(layer, scenes.scene[found], bump, 4, encode_quads(scenes.quad[found]), [0, 1])

    frames = Frames(scenes)
    wide = frames.across.norm(dim=1)
    bump, there = maps.bumps(frames.middle, (0.06 * wide).clamp(min=3.5))
    there &= frames.seen >= INDEX_LOST
    clear = there & (frames.seen >= INDEX_SEEN) & (wide >= SMALLEST_INDEX)
    clear &= scenes.label[frames.card] >= 0  # whether a joker's corner is found does not matter
    scene = scenes.scene[frames.card]
    unsure = there & ~clear
    # Neither right nor wrong.
    n, y, x = ((bump > 0.3) & unsure[:, None, None]).nonzero().unbind(1)
    maps.out[scene[n], 3, y, x] = 0.0
    told = torch.cat([frames.middle, frames.across, frames.down, frames.centre], 1)[clear]
    layer = torch.full_like(scene[clear], 2)
    maps.add(layer, scene[clear], bump[clear], 5 + CARD_NUMBERS, told, [0, 1, 6, 7])
    return maps.out


def cut(photographs: Tensor, scene: Tensor, quads: Tensor, target: Tensor, size: tuple) -> Tensor:
    """Straighten quads to crops, as the product does.

    Args:
        photographs: uint8 (b, 3, h, w).
        scene: the picture of each, int64 (n,).
        quads: float32 (n, 4, 2), in the photographs.
        target: float32 (4, 2), where their corners lie in the crops.
        size: width and height of the crops.

    Returns:
        uint8 (n, 3, height, width).
    """
    width, height = size
    matrix = homographies(quads) @ torch.linalg.inv(homographies(target[None].to(quads.device)))
    matrix, pictures = matrix.float(), photographs.float()
    shrunk = (quads[:, 1] - quads[:, 0]).norm(dim=1) / float(target[1, 0] - target[0, 0])
    _, _, h, w = photographs.shape
    half = torch.tensor([w / 2, h / 2], device=quads.device)
    out = torch.empty(len(quads), 3, height, width, dtype=torch.uint8, device=quads.device)
    # A processor is fastest with what fits its cache; an accelerator with many at once.
    many = 2 if quads.device.type == "cpu" else 256
    for times, chosen in ((1, shrunk <= 1.25), (2, shrunk > 1.25)):
        # A large card is sampled at twice the size first, then averaged: no aliasing.
        x = (torch.arange(width * times, device=quads.device) + 0.5) / times
        y = (torch.arange(height * times, device=quads.device) + 0.5) / times
        grid = torch.stack(torch.meshgrid(x, y, indexing="xy"), -1).view(-1, 2)
        for own in chosen.nonzero()[:, 0].split(many):
            at = project(matrix[own], grid).view(-1, height * times, width * times, 2)
            crops = functional.grid_sample(
                pictures[scene[own]], at / half - 1, padding_mode="border", align_corners=False
            )
            crops = crops if times == 1 else functional.avg_pool2d(crops, times)
            out[own] = crops.round().to(torch.uint8)
    return out


def noisy(corners: Tensor, count: int, off: float, rng: np.random.Generator) -> Tensor:
    """Move the corners (4, 2) of crops as their finder does: float32 (count, 4, 2).

    Moved, turned, scaled, and each by itself, by *off* in parts of the card's width.
    """
    given = corners.numpy().astype(np.float64)
    centred = given - given.mean(axis=0)
    wide = np.ptp(given[:, 0])
    out = []
    for _ in range(count):
        own = off * (1 if rng.random() < 0.5 else 0.3)
        angle, scale = rng.normal(0, own * 1.2), np.exp(rng.normal(0, own, 2))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        moved = centred * scale @ turn - centred
        moved += (rng.normal(0, own * 0.5, (4, 2)) + rng.normal(0, own * 0.8, 2)) * wide
        out.append(given + moved)
    return torch.tensor(np.array(out), dtype=torch.float32)


def half_turned(quads: Tensor, rng: np.random.Generator) -> Tensor:
    """Turn half of the quads by half a turn: a card has no way up."""
    turn = torch.as_tensor(rng.random(len(quads)) < 0.5, device=quads.device)
    return torch.where(turn[:, None, None], quads.roll(2, 1), quads)


@torch.inference_mode()
def card_crops(
    scenes: Scenes, photographs: Tensor, shape: CropShape, off: float, rng: np.random.Generator
) -> tuple[Tensor, ...]:
    """Cut the cards of a batch out as the finder would.

    Returns:
        Crops, uint8; what each is; rank 0-12 and suit 0-3, -1 where there is none to read; how
        far, in parts of the crop's width, each corner is off, float32 (n, 8).
    """
    count, _ = seen_pixels(scenes)
    seen = count / _areas(scenes.quad).clamp(min=1)
    wide = (scenes.quad[:, 1] - scenes.quad[:, 0]).norm(dim=1)
    clear = (seen >= READ_SEEN) | (seen < LOST_SEEN) & (scenes.kind != BACK)
    chosen = clear & (wide > 24) & (count > 0.1 * _areas(scenes.quad))
    # Of what is no card a few are enough.
    few = torch.as_tensor(rng.random(len(seen)) < 0.3, device=seen.device)
    chosen = (chosen & ((scenes.kind != THING) & (seen >= READ_SEEN) | few)).nonzero()[:, 0]
    quad = half_turned(scenes.quad[chosen], rng)
    target = torch.tensor(shape.corners)
    moved = noisy(target, len(chosen), off, rng).to(quad.device)
    # Where the card's corners lie in a crop that is cut askew: the other way round.
    askew = homographies(quad) @ torch.linalg.inv(homographies(moved))
    at = project(askew, target.to(quad.device))
    size = (shape.width, shape.height)
    crops = cut(photographs, scenes.scene[chosen], at, target, size)
    kind = torch.full_like(chosen, NO_CARD)
    readable = seen[chosen] >= READ_SEEN
    kind[(scenes.kind[chosen] == FACE) & readable] = FACE_UP
    kind[(scenes.kind[chosen] == BACK) & readable] = FACE_DOWN
    label = torch.where(kind == FACE_UP, scenes.label[chosen], -1)
    rank, suit = (torch.where(label >= 0, part, -1) for part in (label % 13, label // 13))
    offset = ((moved - target.to(quad.device)) / shape.width).flatten(1)
    return crops, kind, rank, suit, offset


JOKERS_KEPT = 0.25
"""Part of the corners of jokers that is shown to the reader of indices, as none."""

PATCH = torch.tensor([[0, 0], [PATCH_W, 0], [PATCH_W, PATCH_H], [0, PATCH_H]], dtype=torch.float32)


@torch.inference_mode()
def corner_crops(
    scenes: Scenes, photographs: Tensor, rng: np.random.Generator
) -> tuple[Tensor, ...]:
    """Cut patches round the indices of a batch, and some where none is.

    Returns:
        Patches, uint8; readable or not; rank and suit, -1 where there is none to read.
    """
    frames = Frames(scenes)
    wide = frames.across.norm(dim=1)
    _, h, w = scenes.owner.shape
    inside = ((frames.middle > 0) & (frames.middle < torch.tensor([w, h], device=wide.device))).all(
        1
    )
    clear = (frames.seen >= INDEX_SEEN) | (frames.seen < INDEX_LOST) & torch.as_tensor(
        rng.random(len(wide)) < 0.3, device=wide.device
    )
    # Of jokers a few are enough: with more of them odd types are taken for none.
    few = torch.as_tensor(rng.random(len(wide)) < JOKERS_KEPT, device=wide.device)
    clear &= (scenes.label[frames.card] >= 0) | few
    chosen = (clear & inside & (wide > 30)).nonzero()[:, 0]
    device = wide.device
    n = len(chosen)
    rough = torch.tensor(np.where(rng.random(n) < 0.5, 1.0, 0.4), device=device).float()[:, None]

    def noise(spread: float) -> Tensor:
        return torch.tensor(rng.normal(0, spread, (n, 1)), device=device).float() * rough

    across, down = frames.across[chosen], frames.down[chosen]
    middle = frames.middle[chosen] + across * noise(0.018) + down * noise(0.012)
    label = torch.where(frames.seen[chosen] >= INDEX_SEEN, scenes.label[frames.card[chosen]], -1)
    # Elsewhere on the table, and in the middles of cards, nothing may be read.
    away = torch.as_tensor(rng.random(n) < 0.12, device=device)[:, None]
    middle = torch.where(away, middle + across * 0.3 + down * noise(0.3), middle)
    label = torch.where(away[:, 0], -1, label)
    turn, skew = noise(0.09), noise(0.06)
    across, down = across + down * turn * 0.7, down - across * turn * 1.4 + across * skew
    a, d = across * noise(0.09).exp() * SPAN_X / 2, down * noise(0.09).exp() * SPAN_Y / 2
    quad = torch.stack([middle - a - d, middle + a - d, middle + a + d, middle - a + d], 1)
    crops = cut(photographs, scenes.scene[frames.card[chosen]], quad, PATCH, (PATCH_W, PATCH_H))
    kind = torch.where(label >= 0, READABLE, NO_INDEX)
    rank, suit = (torch.where(label >= 0, part, -1) for part in (label % 13, label // 13))
    return crops, kind, rank, suit

"""Lay bones on tables, apart or touching, for a whole batch at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from vision.training.bones.bank import RAYS, Bank
from vision.training.common.dice import Dice

TRIES = 6
"""Places tried for a bone before it is left out."""


@dataclass
class Pieces:
    """What lies on the tables of a batch: tensors (b, k) or (b, k, 2).

    Attributes:
        sprite: number in the bank; *scale*: pixels for one of the sprite's.
        turn: radians clockwise, after the mirroring along x where *mirror* is -1.
        centre: of the sprite, in pixels.
        there: whether it is there at all.
    """

    sprite: Tensor
    scale: Tensor
    turn: Tensor
    mirror: Tensor
    centre: Tensor
    there: Tensor


def turned(points: Tensor, turn: Tensor, scale: Tensor, mirror: Tensor) -> Tensor:
    """Points of sprites, (..., m, 2), as they lie on the table, round the sprite's centre."""
    x, y = points[..., 0] * (mirror * scale)[..., None], points[..., 1] * scale[..., None]
    cosine, sine = turn.cos()[..., None], turn.sin()[..., None]
    return torch.stack([cosine * x - sine * y, sine * x + cosine * y], -1)


def outlines(bank: Bank, pieces: Pieces) -> Tensor:
    """The outlines round the centres, (b, k, RAYS, 2)."""
    angle = torch.arange(RAYS, device=bank.device) * (2 * math.pi / RAYS)
    ways = torch.stack([angle.cos(), angle.sin()], 1)
    points = bank.rim[pieces.sprite][..., None] * ways
    return turned(points, pieces.turn, pieces.scale, pieces.mirror)


def _inside(points: Tensor, rim: Tensor, turn: Tensor, scale: Tensor, mirror: Tensor) -> Tensor:
    """Whether points round a piece's centre, (..., m, 2), lie in its outline *rim*, (..., RAYS)."""
    x, y = points.unbind(-1)
    cosine, sine = turn.cos()[..., None], turn.sin()[..., None]
    u, v = (cosine * x + sine * y) * mirror[..., None], cosine * y - sine * x
    ray = (torch.atan2(v, u) * (RAYS / (2 * math.pi))).round().long() % RAYS
    far = (u * u + v * v).sqrt() / scale[..., None]
    return far < rim.expand(*ray.shape[:-1], RAYS).gather(-1, ray)


def place(
    bank: Bank,
    pieces: Pieces,
    touch: Tensor,
    size: tuple[int, int],
    dice: Dice,
    centre: Tensor | None = None,
) -> None:
    """Give pieces a centre each, in place, and take away those without room.

    Args:
        bank: the sprites.
        pieces: what is to be placed; *centre* is filled in.
        touch: bool (b, k), whether a piece is pushed against an earlier one.
        size: of the pictures.
        dice: chance.
        centre: where the first pieces lie, (b, 2).
    """
    b, k = pieces.sprite.shape
    rims, outline = bank.rim[pieces.sprite], outlines(bank, pieces)
    rows = torch.arange(b, device=bank.device)
    extent = torch.tensor(size, device=bank.device)
    steps = torch.linspace(0.1, 1.25, 20, device=bank.device)
    reach = rims.amax(2) * pieces.scale

    def within(points: Tensor, other: Tensor) -> Tensor:
        """Whether points (b, t, m, 2), round the centres of pieces *other* (b, t), are inside."""
        own = (each.gather(1, other)[..., None] for each in (pieces.turn, pieces.scale))
        turn, scale = (each[..., 0] for each in own)
        return _inside(
            points, rims[rows[:, None], other], turn, scale, pieces.mirror.gather(1, other)
        )

    for n in range(k):
        tried = dice.u(0, 1, b, TRIES, 2) * extent
        if n == 0 and centre is not None:
            tried = centre[:, None].expand(-1, TRIES, -1)
        elif n:
            # Push it along a ray away from another one, until they hardly overlap.
            other = (dice.u(0, 1, b, TRIES) * n).long()
            other = torch.where(pieces.there.gather(1, other), other, torch.zeros_like(other))
            angle = dice.u(0, 2 * math.pi, b, TRIES)
            way = torch.stack([angle.cos(), angle.sin()], -1)
            both = reach[:, n, None] + reach.gather(1, other)
            away = both[..., None] * steps
            moved = outline[:, n, None, None] + (away[..., None] * way[:, :, None])[:, :, :, None]
            over = within(moved.flatten(2, 3), other).view(b, TRIES, len(steps), RAYS).sum(3)
            back = (
                outline[rows[:, None], other][:, :, None]
                - (away[..., None] * way[:, :, None])[:, :, :, None]
            )
            alone = (each[:, n, None].expand(-1, TRIES) for each in (pieces.turn, pieces.scale))
            turn, scale = alone
            over = over + _inside(
                back.flatten(2, 3), rims[:, n, None], turn, scale,
                pieces.mirror[:, n, None].expand(-1, TRIES),
            ).view(b, TRIES, len(steps), RAYS).sum(3)  # fmt: skip
            # From the last step at which they overlap: hollows do not hook into each other.
            first = ((over > 1) * torch.arange(len(steps), device=bank.device)).amax(2) + 1
            gap = dice.u(0, 0.12, b, TRIES) * dice.chance(0.5, b, TRIES)
            near = steps[first.clamp(max=len(steps) - 1)] + gap - 0.03
            pushed = pieces.centre[rows[:, None], other] + (both * near)[..., None] * way
            wanted = touch[:, n, None] & pieces.there.gather(1, other)
            tried = torch.where(wanted[..., None], pushed, tried)
        good = pieces.there[:, n, None].expand(-1, TRIES)
        if n:
            from_others = tried[:, :, None] - pieces.centre[:, None, :n]
            points = outline[:, n, None, None] + from_others[..., None, :]
            all_others = torch.arange(n, device=bank.device).expand(b, n)
            spread = points.transpose(1, 2).flatten(2, 3)
            over = within(spread, all_others).view(b, n, TRIES, RAYS).sum(3)
            back = outline[:, None, :n] - from_others[..., None, :]
            over = over.transpose(1, 2) + _inside(
                back.flatten(2, 3), rims[:, n, None],
                pieces.turn[:, n, None].expand(-1, TRIES),
                pieces.scale[:, n, None].expand(-1, TRIES),
                pieces.mirror[:, n, None].expand(-1, TRIES),
            ).view(b, TRIES, n, RAYS).sum(3)  # fmt: skip
            clear = (over <= 3) | ~pieces.there[:, None, :n]
            good = good & clear.all(2)
        best = good.float().argmax(1)
        pieces.centre[:, n] = tried[rows, best]
        pieces.there[:, n] = good.any(1)

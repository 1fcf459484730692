"""How cards lie on tables: scattered, squared up, in fans, rows, columns and heaps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

MOST = 56
"""Cards of one scene."""


@dataclass(frozen=True)
class Lying:
    """A card to be laid: its middle, its turn in degrees, and whether its face is up."""

    x: float
    y: float
    degrees: float
    face_up: bool


def lay_out(
    size: tuple[int, int], wide: float, tall: float, rng: np.random.Generator
) -> list[Lying]:
    """Lay cards of *wide* by *tall* pixels on a table of *size*; in the order they are laid."""
    if rng.random() < 0.3:
        return _scattered(size, wide, tall, rng)
    most = max(2, int(0.9 * size[0] * size[1] / (wide * tall)))
    out: list[Lying] = []
    base = rng.uniform(0, 360)
    groups = int(rng.integers(1, 2 + np.clip(most / 5, 1, 7)))
    same = _GROUPS[rng.choice(len(_GROUPS), p=_CHANCES)] if rng.random() < 0.6 else None
    for _ in range(groups):
        make = same or _GROUPS[rng.choice(len(_GROUPS), p=_CHANCES)]
        at = rng.uniform([0.12, 0.12], [0.88, 0.88]) * np.array(size)
        turn = base + 90 * int(rng.integers(4)) * (rng.random() < 0.4) + rng.normal(0, 6)
        if rng.random() < 0.3:
            turn = rng.uniform(0, 360)
        pick = rng.random()
        ups = 1.0 if pick < 0.7 else 0.0 if pick < 0.85 else 0.6
        out.extend(make(at, turn, wide, tall, ups, rng))
        if len(out) > min(most, 36):
            break
    return out[:MOST]


def _scattered(
    size: tuple[int, int], wide: float, tall: float, rng: np.random.Generator
) -> list[Lying]:
    """Cards that do not touch."""
    most = max(1, int(0.6 * size[0] * size[1] / (wide * tall)))
    count = 1 if rng.random() < 0.35 else int(rng.integers(1, min(most, 26) + 1))
    straight, base = rng.random() < 0.4, rng.uniform(0, 180)
    out: list[Lying] = []
    boxes: list[np.ndarray] = []
    for _ in range(count * 6):
        x, y = rng.uniform([0.02, 0.02], [0.98, 0.98]) * np.array(size)
        turn = base + 90 * int(rng.integers(2)) + rng.normal(0, 4)
        if not straight:
            turn = rng.uniform(0, 360)
        box = corners(x, y, turn, wide, tall)
        if any(cv2.intersectConvexConvex(box, other)[0] > 0 for other in boxes):
            continue
        boxes.append(box)
        out.append(Lying(x, y, turn, bool(rng.random() < 0.7)))
        if len(out) >= count:
            break
    return out


def _fan(at, turn, wide, tall, ups, rng) -> list[Lying]:
    """Cards held by their lower ends and spread."""
    count, step = int(rng.integers(2, 11)), rng.uniform(4, 20)
    radius = tall * rng.uniform(0.4, 2.5)
    step = max(step, np.degrees(0.13 * wide / (radius + tall / 2)))
    way = 1 if rng.random() < 0.7 else -1
    out = []
    for k in range(count):
        degrees = turn + way * (k - (count - 1) / 2) * step + rng.normal(0, 1.2)
        a = np.radians(degrees)
        middle = at + radius * np.array([np.sin(a), -np.cos(a)])
        middle = middle + radius * np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))])
        out.append(Lying(*middle, degrees, bool(rng.random() < ups)))
    return out


def _line(at, turn, wide, tall, ups, rng, *, along: bool) -> list[Lying]:
    """A row (each card shows its left strip) or a column (each shows its top strip)."""
    count = int(rng.integers(2, 14))
    a = np.radians(turn)
    across, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    step = (across * wide if along else down * tall) * (
        rng.uniform(0.09, 0.7) if along else rng.uniform(0.08, 0.45)
    )
    if rng.random() < 0.25:
        step = -step
    rough = rng.uniform(0, 1.5)
    hidden = int(rng.integers(0, count)) if not along and rng.random() < 0.35 else 0
    out = []
    for k in range(count):
        # Face-down cards of a column lie closer, as in a game of patience.
        slip = rng.normal(0, 0.02, 2) * wide * rough
        near = 0.5 if k < hidden else 1.0
        x, y = at + step * near * (k - count / 2) + slip
        up = k >= hidden and bool(rng.random() < ups)
        out.append(Lying(x, y, turn + rng.normal(0, 1.5 * rough), up))
    return out


def _row(at, turn, wide, tall, ups, rng) -> list[Lying]:
    return _line(at, turn, wide, tall, ups, rng, along=True)


def _column(at, turn, wide, tall, ups, rng) -> list[Lying]:
    return _line(at, turn, wide, tall, ups, rng, along=False)


def _heap(at, turn, wide, tall, ups, rng) -> list[Lying]:
    """Cards thrown over each other."""
    spread = rng.uniform(0.25, 1.0)
    out = []
    for _ in range(int(rng.integers(2, 8))):
        x, y = at + rng.normal(0, spread, 2) * wide
        out.append(Lying(x, y, rng.uniform(0, 360), bool(rng.random() < ups)))
    return out


def _pair(at, turn, wide, tall, ups, rng) -> list[Lying]:
    """Two or three cards, each half over the one before."""
    out = []
    x, y = at
    for _ in range(int(rng.integers(2, 4))):
        degrees = turn + rng.normal(0, 16)
        out.append(Lying(x, y, degrees, bool(rng.random() < ups)))
        a = np.radians(turn + rng.choice([0.0, 0.0, 180.0, 90.0]) + rng.normal(0, 25))
        x, y = np.array([x, y]) + wide * rng.uniform(0.25, 0.95) * np.array([np.cos(a), np.sin(a)])
    return out


def _pile(at, turn, wide, tall, ups, rng) -> list[Lying]:
    """A hand squared up, more or less: it shows one card."""
    rough = rng.uniform(0, 0.05)
    up = bool(rng.random() < ups)
    out = []
    for _ in range(int(rng.integers(2, 6))):
        x, y = at + rng.normal(0, rough, 2) * wide
        out.append(Lying(x, y, turn + rng.normal(0, 40 * rough), up))
    return out


def _columns(at, turn, wide, tall, ups, rng) -> list[Lying]:
    """Columns side by side as in patience; or a whole deck, spread in rows."""
    many, gap = int(rng.integers(2, 9)), rng.uniform(1.02, 1.35)
    step, closed = rng.uniform(0.12, 0.32), rng.uniform(0.05, 0.16)
    if rng.random() < 0.3:
        gap, step, closed = rng.uniform(0.12, 0.5), rng.uniform(1.0, 1.2), 1.1
    rough = rng.uniform(0, 0.03)
    a = np.radians(turn)
    across, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    backs = rng.random() < 0.6
    out = []
    for column in range(many):
        hidden = int(rng.integers(0, column + 1)) if backs else 0
        count = hidden + int(rng.integers(1, 9))
        far = 0.0
        for k in range(count):
            middle = at + across * wide * gap * (column - (many - 1) / 2) + down * tall * far
            middle = middle + rng.normal(0, rough, 2) * wide
            out.append(Lying(*middle, turn + rng.normal(0, 40 * rough), k >= hidden))
            far += closed if k < hidden else step
    return out


_GROUPS = (_fan, _row, _column, _columns, _heap, _pair, _pile)
_CHANCES = (0.23, 0.17, 0.17, 0.14, 0.06, 0.15, 0.08)


def corners(x: float, y: float, degrees: float, wide: float, tall: float) -> np.ndarray:
    """The corners of a lying card: float32 (4, 2), clockwise from its own top left."""
    a = np.radians(degrees)
    u = np.array([np.cos(a), np.sin(a)]) * wide / 2
    v = np.array([-np.sin(a), np.cos(a)]) * tall / 2
    c = np.array([x, y])
    return np.array([c - u - v, c + u - v, c + u + v, c - u + v], np.float32)

"""The mesh of a knucklebone: two pulleys and a waist, computed, not scanned.

The astragalus of a sheep is a double pulley. Here it is put together from rounded discs and
ellipsoids that flow into each other (Quilez, "smooth minimum"), with a pit on the dorsal side, an
S-shaped hollow on the lateral and a slight one on the medial side. The virtual table throws this
bone, and the networks learn from it besides others.

Frame: +x distal, +y lateral (twisted up), -y medial (flat up), +z dorsal (concave up), -z plantar
(convex up). Lengths in millimetres.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face

Floats = NDArray[np.float64]

LENGTH_MM = 31.0
"""Along x; sheep's and goats' bones are 25 to 40 mm long."""

UP = {
    Face.FLAT: (0.0, -1.0, 0.0),
    Face.CONCAVE: (0.0, 0.0, 1.0),
    Face.CONVEX: (0.0, 0.0, -1.0),
    Face.TWISTED: (0.0, 1.0, 0.0),
}
"""Which axis of the bone points up when a face lies uppermost."""

_S_CURVE = np.array(
    [
        [-0.98, 0.10],
        [-0.80, 0.36],
        [-0.50, 0.32],
        [-0.28, 0.0],
        [0.05, -0.22],
        [0.5, -0.24],
        [0.8, -0.04],
    ]
)
"""The hollow of the lateral side, x and z."""


_START = np.array([0.02, -0.02, -0.2])
"""A point inside, from which every point of the surface can be seen, or nearly so."""


@dataclass(frozen=True, slots=True, eq=False)
class BoneShape:
    """A closed mesh about its centre of mass.

    Attributes:
        points: float64 (n, 3), millimetres.
        triangles: int64 (m, 3), outside counterclockwise.
        normals: float64 (n, 3), unit, outwards.
        openness: float64 (n,), 0.0 (deep in a hollow) to 1.0 (free): how much light finds it.
    """

    points: Floats
    triangles: NDArray[np.int64]
    normals: Floats
    openness: Floats


@lru_cache(maxsize=32)
def knucklebone(length_mm: float = LENGTH_MM, detail: int = 5) -> BoneShape:
    """Build the bone of a left leg; the right one is its mirror image in x.

    *detail* is how often the faces of an icosahedron are split: 4 gives 2,562 points,
    5 gives 10,242.
    """
    ways, triangles = _sphere(detail)
    points = _START + ways * _reach(ways)[:, None]
    normals = _normals(points, triangles)
    # How far the surface keeps away along the normal tells how open a place is (Quilez).
    openness = np.ones(len(points))
    for step, weight in ((0.08, 0.5), (0.2, 0.35), (0.4, 0.25)):
        openness -= weight * np.clip(1 - distance(points + normals * step) / step, 0, 1)
    points *= length_mm / np.ptp(points[:, 0])
    points -= _middle(points, triangles)
    openness = np.clip(openness, 0, 1)
    for part in (points, triangles, normals, openness):
        part.flags.writeable = False
    return BoneShape(points, triangles, normals, openness)


def distance(points: Floats) -> Floats:
    """Return about how far points (n, 3) lie outside a bone 2.5 long; negative inside: (n,)."""
    x, y, z = points.T
    upper = _smooth_min(
        _disc(x + 0.60, y - 0.47, z - 0.10, 0.60, 0.24),
        _disc(x + 0.58, y + 0.45, z - 0.06, 0.54, 0.22),
        0.10,
    )
    upper = _smooth_min(upper, _disc(x + 0.52, y, z + 0.0, 0.44, 0.55), 0.12)
    lower = _smooth_min(
        _disc(x - 0.62, y - 0.42, z + 0.08, 0.63, 0.28),
        _disc(x - 0.62, y + 0.40, z + 0.06, 0.60, 0.28),
        0.10,
    )
    lower = _smooth_min(lower, _disc(x - 0.62, y, z + 0.10, 0.53, 0.5), 0.10)
    waist = _ellipsoid(x - 0.08, y + 0.02, z + 0.22, 0.85, 0.62, 0.42)
    hump = _ellipsoid(x - 0.02, y - 0.06, z + 0.40, 0.62, 0.52, 0.36)
    bone = _smooth_min(_smooth_min(upper, lower, 0.16), _smooth_min(waist, hump, 0.2), 0.16)
    # Horns: corners of the plantar side, where ligaments hold.
    for px, py, pz, r in (
        (-0.98, 0.50, -0.30, 0.20),
        (-0.92, -0.52, -0.34, 0.22),
        (0.98, 0.50, -0.42, 0.16),
        (0.92, -0.56, -0.40, 0.20),
    ):
        bone = _smooth_min(bone, np.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2) - r, 0.22)
    # The medial side is one oval plate; the lateral one has a rim that runs over as an S.
    plate = _bar(x, y + 0.46, z, (-0.52, 0.06), (0.74, -0.14), 0.46, 0.17)
    bone = _smooth_min(bone, plate, 0.14)
    wall = _bar(x, y - 0.44, z, (-0.40, -0.22), (0.60, -0.10), 0.30, 0.20)
    bone = _smooth_min(bone, wall, 0.12)
    pit = _ellipsoid(x + 0.06, y - 0.02, z - 0.60, 0.36, 0.32, 0.60)
    bone = _smooth_max(bone, -pit, 0.10)
    bone = _smooth_max(bone, -_tube(np.stack([x, z], axis=1), y - 0.88, _S_CURVE, 0.34), 0.06)
    bowl = _ellipsoid(x - 0.62, y - 0.86, z + 0.10, 0.50, 0.34, 0.44)
    bone = _smooth_max(bone, -bowl, 0.08)
    hollow = _ellipsoid(x - 0.05, y + 1.24, z + 0.02, 0.9, 0.66, 0.34)
    return _smooth_max(bone, -hollow, 0.14)


def _reach(ways: Floats) -> Floats:
    """Return how far the bone's surface lies from its middle in each direction (n, 3)."""
    low, high = np.zeros(len(ways)), np.full(len(ways), 1.8)
    # From outside inwards to the first point inside, then by halves.
    steps = np.linspace(1.8, 0.1, 86)
    met = np.zeros(len(ways), bool)
    for far in steps:
        inside = (distance(_START + ways * far) < 0) & ~met
        low[inside], high[inside] = far, far + steps[0] - steps[1]
        met |= inside
    for _ in range(12):
        half = (low + high) / 2
        inside = distance(_START + ways * half[:, None]) < 0
        low, high = np.where(inside, half, low), np.where(inside, high, half)
    return np.asarray((low + high) / 2, np.float64)


def _middle(points: Floats, triangles: NDArray[np.int64]) -> Floats:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    return np.asarray(((a + b + c) / 4 * volume[:, None]).sum(0) / volume.sum(), np.float64)


def _normals(points: Floats, triangles: NDArray[np.int64]) -> Floats:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    out = np.zeros_like(points)
    for k in range(3):
        np.add.at(out, triangles[:, k], flat)
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), np.float64)


def _disc(x: Floats, y: Floats, z: Floats, radius: float, half: float) -> Floats:
    """Return the distance to a rounded disc whose axis is y."""
    return _rounded(np.hypot(x, z), y, radius, half, 0.14)


def _rounded(far: Floats, y: Floats, radius: float, half: float, edge: float) -> Floats:
    """Return the distance to what lies within *radius* of an axis, *half* thick across y."""
    out_r, out_y = far - (radius - edge), np.abs(y) - max(half - edge, 0.01)
    outside = np.hypot(np.maximum(out_r, 0), np.maximum(out_y, 0))
    return np.asarray(outside + np.minimum(np.maximum(out_r, out_y), 0) - edge, np.float64)


def _bar(
    x: Floats,
    y: Floats,
    z: Floats,
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
    half: float,
) -> Floats:
    """Return the distance to a rounded flat bar across y, along a line in x and z."""
    along = np.array(end) - np.array(start)
    part = np.clip(((x - start[0]) * along[0] + (z - start[1]) * along[1]) / (along @ along), 0, 1)
    far = np.hypot(x - start[0] - part * along[0], z - start[1] - part * along[1])
    return _rounded(far, y, radius, half, 0.12)


def _ellipsoid(x: Floats, y: Floats, z: Floats, a: float, b: float, c: float) -> Floats:
    near = np.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2)
    steep = np.sqrt((x / a**2) ** 2 + (y / b**2) ** 2 + (z / c**2) ** 2)
    return np.asarray(near * (near - 1) / np.maximum(steep, 1e-6), np.float64)


def _tube(flat: Floats, deep: Floats, curve: Floats, radius: float) -> Floats:
    """Return the distance to a tube along a curve of the plane, *deep* over it."""
    best = np.full(len(flat), np.inf)
    for start, end in itertools.pairwise(curve):
        along = end - start
        part = np.clip((flat - start) @ along / (along @ along), 0, 1)
        off = flat - start - part[:, None] * along
        best = np.minimum(best, np.hypot(off[:, 0], off[:, 1]))
    return np.asarray(np.hypot(best, deep) - radius, np.float64)


def _smooth_min(a: Floats, b: Floats, k: float) -> Floats:
    near = np.maximum(k - np.abs(a - b), 0) / k
    return np.asarray(np.minimum(a, b) - near * near * k / 4, np.float64)


def _smooth_max(a: Floats, b: Floats, k: float) -> Floats:
    return -_smooth_min(-a, -b, k)


def _sphere(detail: int) -> tuple[Floats, NDArray[np.int64]]:
    """Split an icosahedron: unit vectors (n, 3) and triangles (m, 3)."""
    golden = (1 + 5**0.5) / 2
    points = [
        (x, y, 0.0) for x in (-1.0, 1.0) for y in (-golden, golden)
    ]  # and the same with the axes moved on
    corners = np.array(
        points + [(0.0, x, y) for x, y, _ in points] + [(y, 0.0, x) for x, y, _ in points]
    )
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    near = corners @ corners.T > 0.4
    faces = [
        (i, j, k)
        for i in range(12)
        for j in range(i + 1, 12)
        for k in range(j + 1, 12)
        if near[i, j] and near[j, k] and near[i, k]
    ]
    triangles = np.array(faces, np.int64)
    a, b, c = (corners[triangles[:, n]] for n in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    for _ in range(detail):
        edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        edges.sort(axis=1)
        unique, back = np.unique(edges, axis=0, return_inverse=True)
        middles = corners[unique].sum(1)
        middles /= np.linalg.norm(middles, axis=1, keepdims=True)
        first, second, third = (back.reshape(3, -1) + len(corners)).astype(np.int64)
        one, two, three = triangles.T
        triangles = np.concatenate(
            [
                np.stack([one, first, third], 1),
                np.stack([two, second, first], 1),
                np.stack([three, third, second], 1),
                np.stack([first, second, third], 1),
            ]
        )
        corners = np.concatenate([corners, middles])
    return corners, triangles

"""Knucklebones as meshes: shapes widened at random, and how they come to rest on a table.

Every mesh is in millimetres, about its centre of mass, in this frame: +x distal, +y lateral
(twisted up), -y medial (flat up), +z dorsal (concave up), -z plantar (convex up).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.core.bones import Face
from vision.bones.shape import UP


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A closed mesh: *points* float64 (n, 3), *triangles* int (m, 3), outside counterclockwise."""

    points: np.ndarray
    triangles: np.ndarray

    def centred(self) -> Mesh:
        """Move the centre of mass to the origin."""
        a, b, c = (self.points[self.triangles[:, k]] for k in range(3))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
        middle = ((a + b + c) / 4 * volume[:, None]).sum(0) / volume.sum()
        return Mesh(self.points - middle, self.triangles)

    def mirrored(self) -> Mesh:
        """The bone of the other leg; the faces stay on their axes."""
        return Mesh(self.points * [-1, 1, 1], self.triangles[:, ::-1])

    def normals(self) -> np.ndarray:
        """Unit normals at the points, float64 (n, 3)."""
        a, b, c = (self.points[self.triangles[:, k]] for k in range(3))
        flat = np.cross(b - a, c - a)
        out = np.stack(
            [
                sum(
                    np.bincount(self.triangles[:, k], flat[:, axis], len(self.points))
                    for k in range(3)
                )
                for axis in range(3)
            ],
            axis=1,
        )
        return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)

    def hollows(self, normals: np.ndarray) -> np.ndarray:
        """How hollow the surface is at each point, about -3 (ridge) to 3 (pit), float64 (n,)."""
        edges = np.concatenate([self.triangles[:, [0, 1]], self.triangles[:, [1, 2]]])
        edges = np.concatenate([edges, self.triangles[:, [2, 0]]])
        one, two = edges.T
        size = len(self.points)
        rise = ((self.points[two] - self.points[one]) * normals[one]).sum(1)
        count = np.maximum(np.bincount(one, minlength=size), 1)
        out = np.bincount(one, rise, size) / count
        for _ in range(6):
            out = 0.5 * out + 0.5 * np.bincount(one, out[two], size) / count
        return np.clip(out / (np.abs(out).std() + 1e-9), -3, 3)


class ShapeModel:
    """Random bones from a linear shape model (``bone_model_public.npz``)."""

    def __init__(self, path: Path) -> None:
        """Load the model; ``docs/how-to/training.md`` says where it is from."""
        with np.load(path) as kept:
            self.mean, self.modes, self.sd = kept["mean"], kept["modes"], kept["sd"]
            self.triangles = kept["faces"]

    def sample(self, rng: np.random.Generator) -> Mesh:
        """One bone, about 1 in RMS radius."""
        spread = rng.uniform(0.3, 1.2)
        weights = np.clip(rng.normal(size=len(self.sd)), -2.5, 2.5) * self.sd * spread
        return Mesh(self.mean + np.tensordot(weights, self.modes, 1), self.triangles)


def widened(mesh: Mesh, rng: np.random.Generator, strength: float = 1.0) -> Mesh:
    """Bend, stretch, twist, roughen and wear a bone smoothly, and give it a size in millimetres.

    Sheep and goats of many breeds differ; so do bones that were filed, worn or cast in resin.
    """
    points = mesh.points - mesh.points.mean(0)
    points = points / np.sqrt((points**2).sum(1).mean())
    points = points * np.exp(rng.normal(0, 0.055 * strength, 3))
    shear = np.eye(3) + np.clip(rng.normal(0, 0.04 * strength, (3, 3)), -0.1, 0.1)
    points = points @ shear.T
    twist = rng.normal(0, 0.09 * strength) * points[:, 0]
    y, z = points[:, 1], points[:, 2]
    points = np.stack(
        [
            points[:, 0],
            y * np.cos(twist) - z * np.sin(twist),
            y * np.sin(twist) + z * np.cos(twist),
        ],
        axis=1,
    )
    for _ in range(5):
        wave = rng.normal(0, 1.3, 3)
        push = rng.normal(0, 0.028 * strength, 3)
        points = points + np.sin(points @ wave + rng.uniform(0, 6.3))[:, None] * push
    length = rng.uniform(25, 40)
    points = points * (length / np.ptp(points[:, 0]))
    if rng.random() < 0.35:  # filed or worn sides, as players' bones often are
        for axis, chance in ((1, 0.9), (2, 0.35)):
            for sign in (1, -1):
                if rng.random() > chance:
                    continue
                limit = (points[:, axis] * sign).max() - rng.uniform(0.2, 1.3)
                over = points[:, axis] * sign > limit
                points[over, axis] = sign * (limit + 0.1 * (points[over, axis] * sign - limit))
    mesh = Mesh(points, mesh.triangles)
    if rng.random() < 0.3:  # tumbled smooth, or cast from a soft mould
        mesh = smoothed(mesh, int(rng.integers(2, 14)))
    return mesh


def smoothed(mesh: Mesh, times: int) -> Mesh:
    """Let every point go half way to the middle of its neighbours, some times."""
    edges = np.concatenate(
        [mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]]
    )
    one, two = edges.T
    points, size = mesh.points, len(mesh.points)
    count = np.maximum(np.bincount(one, minlength=size), 1)[:, None]
    for _ in range(times):
        around = np.stack([np.bincount(one, points[two, k], size) for k in range(3)], axis=1)
        points = 0.5 * points + 0.5 * around / count
    return Mesh(points, mesh.triangles)


def at_rest(mesh: Mesh, face: Face) -> np.ndarray:
    """The way up (a unit vector of the bone's frame) in the stable pose that shows *face*.

    A bone rests where its centre of mass is lowest: the height over the table, seen as a function
    of the way down, is followed downhill from the face's axis.
    """
    up = np.array(UP[face])
    points = mesh.points

    def height(ways: np.ndarray) -> np.ndarray:
        return (points @ -ways.T).max(0)

    best = float(height(up[None])[0])
    for reach in (0.10, 0.04, 0.015, 0.005):
        for _ in range(12):
            side = np.cross(up, [1.0, 0.3, 0.2])
            side /= np.linalg.norm(side)
            other = np.cross(up, side)
            angles = np.linspace(0, 2 * np.pi, 10, endpoint=False)
            ways = up + reach * (np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other)
            ways /= np.linalg.norm(ways, axis=1, keepdims=True)
            heights = height(ways)
            k = int(heights.argmin())
            if heights[k] >= best:
                break
            best, up = float(heights[k]), ways[k]
    return up


def turned_up(mesh: Mesh, up: np.ndarray, spin: float) -> np.ndarray:
    """The mesh's points with *up* as +z, turned by *spin* (radians), standing on z = 0."""
    side = np.cross(up, [0.3, 1.0, 0.2])
    side /= np.linalg.norm(side)
    frame = np.stack([side, np.cross(up, side), up])
    turn = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    points = mesh.points @ (turn @ frame).T
    points[:, :2] -= (points[:, :2].max(0) + points[:, :2].min(0)) / 2
    points[:, 2] -= points[:, 2].min()
    return points

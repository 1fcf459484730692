"""Knucklebones as a frame shows them: three-dimensional, lit by the lamp, with their shadows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.scenery import FOCAL, Matrix, Sprite, apply_homography, region, rotation
from engine.core.bones import Face
from vision.bones.shape import UP, BoneShape, knucklebone

LENGTHS_MM = (28.0, 34.0)
"""Shortest and longest bone of the set."""

DYES: dict[str, tuple[int, int, int]] = {
    "ivory": (188, 218, 232),
    "brown": (84, 126, 168),
    "red": (48, 44, 176),
    "blue": (168, 92, 52),
    "green": (72, 132, 64),
    "black": (52, 50, 50),
}
"""Colours of bones, BGR."""

_LAMP = np.array([-0.42, -0.58, 0.70])
"""Direction of the light: x right, y down the mat, z up; as the cards' shadows fall."""

_FINE = 3
"""Supersampling factor."""

_PAD = 6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlacedBone:
    """One bone on the mat.

    Attributes:
        number: which bone of the set it is; shape, side and size go with it.
        x_mm, y_mm: its middle on the mat.
        degrees: clockwise as seen from above.
        face: the face uppermost; ``None`` for a bone on its end.
        z_mm: how high it flies over the mat.
        roll, pitch: by how many degrees it is turned away from its resting pose, in flight.
    """

    number: int
    x_mm: float
    y_mm: float
    degrees: float
    face: Face | None
    z_mm: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0


def length_mm(number: int) -> float:
    """Return the length of bone *number*; the bones of a set differ a little."""
    low, high = LENGTHS_MM
    return low + (high - low) * ((number * 7) % 10) / 9


def bone_points(lying: PlacedBone) -> Floats:
    """Return a bone's points on the mat: float64 (n, 3), x right, y down, z up, millimetres."""
    points = _shape(lying.number, _detail(lying)).points @ _pose(lying).T
    points = points - [0, 0, points[:, 2].min() - lying.z_mm]
    return np.asarray(points + np.array([lying.x_mm, lying.y_mm, 0.0]), np.float64)


def draw_bone(matrix: Matrix, size: tuple[int, int], lying: PlacedBone, dye: str) -> Sprite | None:
    """Draw one bone as the camera sees it; ``None`` when it is outside the frame.

    *matrix* leads from millimetres of the mat to pixels of the frame.
    """
    shape, pose = _shape(lying.number, _detail(lying)), _pose(lying)
    points = bone_points(lying)
    seen = project(matrix, size, points)
    fallen = points[:, :2] - points[:, 2:] * (_LAMP[:2] / _LAMP[2])
    shade = apply_homography(matrix, cv2.convexHull(fallen.astype(np.float32))[:, 0])
    part = region(np.concatenate([seen[:, :2], shade]), _PAD, size)
    if part is None:
        return None
    low, small = part
    wide, tall = small
    tones = _tones(shape, pose, np.array(DYES[dye], np.float64), lying.number)
    layer = np.zeros((tall * _FINE, wide * _FINE, 3), np.uint8)
    layer[:] = DYES[dye]
    alpha = np.zeros(layer.shape[:2], np.uint8)
    corners = np.round((seen[shape.triangles][..., :2] - low) * _FINE * 16).astype(np.int32)
    nearness = seen[shape.triangles][..., 2].mean(axis=1)
    x, y = corners[..., 0].astype(np.int64), corners[..., 1].astype(np.int64)
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    colours = tones[shape.triangles].mean(axis=1)
    # The far triangles first, the near ones over them; those that face away are left out.
    for k in np.argsort(nearness):
        if area[k] < 0:
            blue, green, red = (int(each) for each in colours[k])
            cv2.fillConvexPoly(layer, corners[k], (blue, green, red), cv2.LINE_8, 4)
            cv2.fillConvexPoly(alpha, corners[k], (255,), cv2.LINE_8, 4)
    drawn = cv2.resize(layer, small, interpolation=cv2.INTER_AREA)
    cover = cv2.GaussianBlur(cv2.resize(alpha, small, interpolation=cv2.INTER_AREA), (0, 0), 0.5)
    shadow = np.zeros((tall, wide), np.uint8)
    cv2.fillConvexPoly(shadow, np.round((shade - low) * 16).astype(np.int32), (255,), 16, 4)
    blurred = cv2.GaussianBlur(shadow, (0, 0), 1.5 + 0.1 * lying.z_mm)
    return Sprite(
        low,
        np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.5), np.uint8),
        np.asarray(cover, np.uint8),
        np.asarray(blurred, np.uint8),
    )


def project(matrix: Matrix, size: tuple[int, int], points: Floats) -> Floats:
    """Project points above the mat, float64 (n, 3), to the frame.

    The matrix maps only the plane; with the focal length it gives the camera's pose, and so the
    third axis (Zhang, "A flexible new technique", 2000).

    Returns:
        float64 (n, 3): x, y in pixels, and nearness to the camera (larger is nearer).
    """
    focal = FOCAL * size[0]
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    across, down, _ = (np.linalg.inv(lens) @ matrix).T
    unit = (np.linalg.norm(across) + np.linalg.norm(down)) / 2
    # x right and y down the mat: their cross product points into the table.
    up = -np.cross(across / np.linalg.norm(across), down / np.linalg.norm(down)) * unit
    full = np.column_stack([matrix[:, 0], matrix[:, 1], lens @ up, matrix[:, 2]])
    moved = np.column_stack([points, np.ones(len(points))]) @ full.T
    return np.column_stack([moved[:, :2] / moved[:, 2:], -moved[:, 2]])


def _detail(lying: PlacedBone) -> int:
    """Return the level of detail: lower in flight, where no bone is read."""
    return 3 if lying.z_mm or lying.roll or lying.pitch else 4


@lru_cache(maxsize=32)
def _shape(number: int, detail: int = 4) -> BoneShape:
    """Return the shape of bone *number*: left and right ones in turn."""
    left = knucklebone(length_mm(number), detail)
    if number % 2 == 0:
        return left
    flip = np.array([-1.0, 1.0, 1.0])
    return BoneShape(
        left.points * flip, left.triangles[:, ::-1], left.normals * flip, left.openness
    )


@lru_cache(maxsize=64)
def _resting(number: int, face: Face | None) -> Floats:
    """Return the resting rotation of bone *number* with *face* up: rows x, y, z of the table."""
    points = _shape(number).points
    up = np.array([1.0, 0.0, 0.0]) if face is None else np.array(UP[face])
    lowest = float((points @ -up).max())
    # A bone rests where its centre is lowest: descend from the axis of the face.
    for reach in (0.08, 0.03, 0.01):
        for _ in range(20):
            side = np.cross(up, [0.2, 0.4, 0.9])
            side /= np.linalg.norm(side)
            other = np.cross(up, side)
            turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
            ways = (
                up + reach * np.outer(np.cos(turns), side) + reach * np.outer(np.sin(turns), other)
            )
            ways /= np.linalg.norm(ways, axis=1, keepdims=True)
            heights = (points @ -ways.T).max(axis=0)
            if face is None or heights.min() >= lowest:
                break
            lowest, up = float(heights.min()), ways[int(heights.argmin())]
    side = np.cross(up, [0.1, 0.9, 0.3]) if face is None else np.cross(up, [0.9, 0.1, 0.2])
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(up, side), up])


def _pose(lying: PlacedBone) -> Floats:
    """Return the matrix from the bone's frame to the mat's: x right, y down, z up."""
    upright = _resting(lying.number, lying.face)
    turn = rotation(2, lying.degrees) @ rotation(0, lying.roll) @ rotation(1, lying.pitch)
    # The mat's y points down, so that its frame is left-handed: mirror to stay the same bone.
    return np.asarray(np.diag([1.0, -1.0, 1.0]) @ turn @ upright, np.float64)


def _tones(shape: BoneShape, pose: Floats, dye: Floats, number: int) -> Floats:
    """Shade the points, float64 (n, 3), 0-255: lamp, sky, hollows, a little gloss."""
    normals = shape.normals @ pose.T
    lamp = _LAMP / np.linalg.norm(_LAMP)
    half = lamp + np.array([0.0, 0.0, 1.0])
    half /= np.linalg.norm(half)
    facing = np.clip(normals @ lamp, 0, 1)
    gloss = np.clip(normals @ half, 0, 1) ** 28
    light = 0.42 * (0.65 + 0.35 * normals[:, 2]) + 0.72 * facing
    hollow = 0.35 + 0.65 * shape.openness
    # Old bone is blotched, each in its own way.
    waves = np.random.default_rng([number, 5]).normal(0, 0.22, (3, 3))
    blotch = 1 + 0.03 * np.sin(shape.points @ waves).sum(axis=1)
    lit = dye * (light * hollow * blotch)[:, None] + 26 * gloss[:, None]
    return np.asarray(np.clip(lit, 0, 255), np.float64)

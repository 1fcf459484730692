"""The surroundings of the simulated table: mat, wood, light, camera, noise and arms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from vision.mat.pose import MatLayout, draw_mat
from vision.readings import Zone, ZoneKind

Matrix = NDArray[np.float64]
"""float64, shape (3, 3): a homography from one plane to another."""

Point = tuple[float, float]
"""x, y in millimetres of the mat."""

Light = NDArray[np.float32]
"""float32, shape (height, width, 1): brightness of each pixel, 1 for full."""

WOOD_MM = (1.9, 2.3)
"""Size of the table in widths and heights of the mat."""

WARMTH = np.array([0.93, 0.98, 1.0], np.float32)
"""Factors of a warm lamp on blue, green and red."""

NOISE = 2.2
"""Standard deviation of the sensor noise in grey levels."""

FOCAL = 1.15
"""Focal length in frame widths: a field of view of 47 degrees."""

_MARGIN = 0.04
"""Free space at each side of the mat, as a part of the frame."""

_SLACK = 64
"""Pixels by which the noise field is larger than the frame, so that it can be shifted."""

_SLEEVES = (
    (92, 58, 40),
    (60, 62, 128),
    (84, 104, 62),
    (62, 60, 64),
    (120, 116, 158),
    (46, 88, 120),
)
_SKINS = ((148, 178, 224), (110, 142, 196), (164, 192, 232), (70, 98, 150), (132, 164, 212))
"""Colours of sleeves and hands, BGR, by seat."""


class Stage:
    """A mat on a wooden table under a lamp, and the camera above it.

    *matrix* leads from millimetres of the mat to pixels of a frame of *size* (width, height).
    """

    def __init__(
        self, layout: MatLayout, seed: int, size: tuple[int, int], tilt_deg: float
    ) -> None:
        """Set up the table; *seed* chooses the wood, the light and the noise."""
        self.layout = layout
        self.size = size
        chance = np.random.default_rng([seed, 1])
        roll = float(chance.uniform(-1.5, 1.5))
        self.matrix = mat_to_frame(layout.size_mm, size, tilt_deg, roll)
        self.light = lamplight(size, chance)
        self.noise = Noise(size, np.random.default_rng([seed, 2]))
        self._chance = chance

    def home(self, seat: int) -> Point:
        """Return where the player of *seat* sits: well outside the edge that the place faces."""
        wide, high = self.layout.size_mm
        zone = Zone(ZoneKind.SEAT, seat)
        x, y = (float(each) for each in self.layout.zone_polygon(zone).mean(axis=0))
        away = 0.45 * min(wide, high)
        homes = {
            0.0: (x, high + away),
            90.0: (-away, y),
            180.0: (x, -away),
            270.0: (wide + away, y),
        }
        return homes[self.layout.degrees(zone)]

    def draw_arm(self, image: Image, seat: int, tip: Point) -> None:
        """Draw the arm of *seat* into *image*, from the player to the finger tips."""
        draw_arm(image, self.matrix, self.light, self.home(seat), tip, seat)

    def draw_bare(self) -> Image:
        """Draw the table before anything lies on the mat, each time in other wood."""
        wide, high = self.layout.size_mm
        fine = min(1.0, 0.6 * self.size[0] / wide)
        boards = wood(
            (round(wide * WOOD_MM[0] * fine), round(high * WOOD_MM[1] * fine)), self._chance
        )
        to_mat = np.diag([1 / fine, 1 / fine, 1.0])
        to_mat[:2, 2] = -(WOOD_MM[0] - 1) / 2 * wide, -(WOOD_MM[1] - 1) / 2 * high
        image = warp(boards, self.matrix @ to_mat, self.size)
        printed = _printed(self.layout, round(1.6 * self.size[0] / wide, 1))
        to_mm = np.diag([wide / printed.shape[1], high / printed.shape[0], 1.0])
        opaque = np.dstack([printed, np.full(printed.shape[:2], 255, np.uint8)])
        mat = warp(opaque, self.matrix @ to_mm, self.size)
        alpha = np.ascontiguousarray(mat[..., 3])
        shadow = shadow_of(alpha, (3, 4), 4.0)
        image = np.clip(image * self.light, 0, 255).astype(np.uint8)
        Sprite((0, 0), mat[..., :3], alpha, shadow).draw(image, self.light)
        return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)


@lru_cache(maxsize=4)
def _printed(layout: MatLayout, px_per_mm: float) -> Image:
    """Draw a mat once for all tables: it takes longer than the rest."""
    return draw_mat(layout, px_per_mm)


def rotation(axis: int, degrees: float) -> Matrix:
    """Return the rotation about an axis: 0 for x, 1 for y, 2 for z."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    one, two = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[one, one] = turn[two, two] = cosine
    turn[one, two], turn[two, one] = -sine, sine
    return turn


def mat_to_frame(
    mat_mm: tuple[float, float], size: tuple[int, int], tilt_deg: float, roll_deg: float
) -> Matrix:
    """Place a camera so that all of a mat of *mat_mm* (width, height) is in view.

    It leans *tilt_deg* off the vertical, at the mat's lower edge, and is turned by *roll_deg*.
    Return the matrix from millimetres of the mat to pixels of the frame.
    """
    pose = rotation(2, roll_deg) @ rotation(0, -tilt_deg)
    wide, high = mat_mm
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    free = np.array(size, np.float64) * (1 - 2 * _MARGIN)

    def seen_from(distance_mm: float) -> Matrix:
        lens = np.diag([FOCAL * size[0], FOCAL * size[0], 1.0])
        middle = pose @ np.array([-wide / 2, -high / 2, 0.0]) + np.array([0, 0, distance_mm])
        return np.asarray(lens @ np.column_stack([pose[:, 0], pose[:, 1], middle]), np.float64)

    near, far = max(mat_mm), 20.0 * max(mat_mm)
    for _ in range(50):
        distance = (near + far) / 2
        box = np.ptp(apply_homography(seen_from(distance), corners), axis=0)
        near, far = (near, distance) if (box <= free).all() else (distance, far)
    matrix = seen_from(far)
    outline = apply_homography(matrix, corners)
    centre = (outline.max(axis=0) + outline.min(axis=0)) / 2
    shift = np.eye(3)
    shift[:2, 2] = np.array(size) / 2 - centre
    return np.asarray(shift @ matrix, np.float64)


def apply_homography(matrix: Matrix, points: NDArray[np.floating]) -> NDArray[np.float64]:
    """Transform points, shape (n, 2), by *matrix*."""
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:], np.float64)


def between(start: Point, end: Point, part: float) -> Point:
    """Return the point at *part* (0 to 1) of the way from *start* to *end*."""
    if part == 1:
        return end
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def warp(picture: Image, matrix: Matrix, size: tuple[int, int]) -> Image:
    """Warp *picture* by *matrix* (its pixels to the frame's), antialiased where it shrinks.

    Pixels are squares here: the first one spans 0 to 1.
    """
    to_squares = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    double = np.array([[2, 0, -0.5], [0, 2, -0.5], [0, 0, 1.0]])
    large = cv2.warpPerspective(
        picture, double @ matrix @ to_squares, (2 * size[0], 2 * size[1]), flags=cv2.INTER_LINEAR
    )
    return np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), np.uint8)


def wood(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Draw boards of brown wood, lying crosswise: uint8 (height, width, 3), BGR."""
    width, height = size
    board = max(height // 7, 1)
    top = np.empty((height, width, 3), np.float32)
    for start in range(0, height, board):
        rows = min(board, height - start)
        fine = rng.normal(size=(rows, max(width // 60, 2))).astype(np.float32)
        coarse = rng.normal(size=(max(rows // 12, 2), max(width // 240, 2))).astype(np.float32)
        grain = cv2.resize(fine, (width, rows), interpolation=cv2.INTER_CUBIC) * 3.0
        waves = cv2.resize(coarse, (width, rows), interpolation=cv2.INTER_CUBIC)
        height_here = np.linspace(0, rng.uniform(5, 9), rows, dtype=np.float32)[:, None]
        rings = np.sin(2 * np.pi * (height_here + 0.8 * waves)) * 5.0
        tone = np.array([52, 84, 122], np.float32) * np.float32(rng.uniform(0.85, 1.1))
        part = tone + (grain + rings)[..., None] * np.array([0.6, 0.85, 1.0], np.float32)
        part[:2] *= 0.45  # the joint between two boards
        top[start : start + rows] = part
    return np.asarray(np.clip(top, 0, 255), np.uint8)


def lamplight(size: tuple[int, int], rng: np.random.Generator) -> Light:
    """Return the light of a lamp over the table, with the lens's darker corners."""
    width, height = size
    angle, strength = rng.uniform(0, 2 * math.pi), rng.uniform(0.06, 0.13)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x / width - 0.5) * 2, (y / height - 0.5) * 2
    slope = 1 + np.float32(strength) * (math.cos(angle) * x + math.sin(angle) * y)
    vignette = 1 - 0.09 * (x * x + y * y)
    return np.asarray((slope * vignette)[..., None], np.float32)


class Noise:
    """Sensor noise: one precomputed field, shifted for each frame."""

    def __init__(self, size: tuple[int, int], rng: np.random.Generator) -> None:
        """Make the field for frames of *size* (width, height)."""
        self._size = size
        self._rng = rng
        shape = (size[1] + _SLACK, size[0] + _SLACK, 3)
        field = rng.normal(scale=NOISE, size=shape).round().astype(np.int8)
        # Two unsigned fields: OpenCV adds and subtracts bytes many times faster than mixed types.
        self._more = np.maximum(field, 0).astype(np.uint8)
        self._less = np.maximum(-field, 0).astype(np.uint8)

    def over(self, image: Image) -> Image:
        """Return *image* with noise added."""
        x, y = (int(each) for each in self._rng.integers(0, _SLACK, 2))
        rows, columns = slice(y, y + self._size[1]), slice(x, x + self._size[0])
        noisy = cv2.add(image, self._more[rows, columns])
        return np.asarray(cv2.subtract(noisy, self._less[rows, columns]), np.uint8)


def region(
    outline: NDArray[np.floating], pad: int, size: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the corner (x, y) and the size of the part of a frame that holds *outline*.

    It is *pad* pixels wider at each side; ``None`` when all of it is outside the frame.
    """
    low = np.maximum(np.floor(outline.min(axis=0)) - pad, 0).astype(int)
    high = np.minimum(np.ceil(outline.max(axis=0)) + pad, size).astype(int)
    wide, tall = (int(each) for each in high - low)
    return ((int(low[0]), int(low[1])), (wide, tall)) if min(wide, tall) > 0 else None


def shadow_of(alpha: NDArray[np.uint8], shift: Point, blur: float) -> NDArray[np.uint8]:
    """Return the soft shadow of what *alpha* covers, *shift* pixels beside it.

    Both are shape (height, width): 0 none, 255 all.
    """
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    fallen = cv2.warpAffine(alpha, move, (alpha.shape[1], alpha.shape[0]))
    return np.asarray(cv2.GaussianBlur(fallen, (0, 0), blur), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing as a frame shows it, with its shadow; *corner* (x, y) is in the frame.

    *alpha* and *shadow* are as large as *layer*, shape (height, width): 0 none, 255 all.
    """

    corner: tuple[int, int]
    layer: Image
    alpha: NDArray[np.uint8]
    shadow: NDArray[np.uint8]

    def draw(self, image: Image, light: Light) -> None:
        """Draw it into *image*, lit like the table, in place."""
        x, y = self.corner
        rows, columns = slice(y, y + self.alpha.shape[0]), slice(x, x + self.alpha.shape[1])
        under = image[rows, columns].astype(np.float32)
        under *= 1 - self.shadow[..., None].astype(np.float32) * np.float32(0.45 / 255)
        cover = self.alpha[..., None].astype(np.float32) * np.float32(1 / 255)
        lit = self.layer.astype(np.float32) * light[rows, columns] * WARMTH
        under += (lit - under) * cover
        image[rows, columns] = np.clip(under + 0.5, 0, 255).astype(np.uint8)


def draw_arm(
    image: Image, matrix: Matrix, light: Light, shoulder: Point, tip: Point, seat: int
) -> None:
    """Draw the arm of *seat* into *image*, from *shoulder* to the finger tips (millimetres)."""
    start, end = np.array(shoulder, np.float64), np.array(tip, np.float64)
    length = float(np.linalg.norm(end - start))
    if length < 1.0:
        return
    along = (end - start) / length
    place = np.column_stack([along, [-along[1], along[0]], end])
    to_frame = matrix @ np.vstack([place, [0, 0, 1]])
    parts = [
        (
            apply_homography(to_frame, _outline(*limb)),
            [min(255, round(each * tone)) for each in colour],
        )
        for limb, colour, tone in _limbs(length, seat)
    ]
    outline = np.concatenate([points for points, _ in parts])
    part = region(outline, 40, image.shape[1::-1])
    if part is None:
        return
    corner, (wide, tall) = part
    layer = np.zeros((tall, wide, 3), np.uint8)
    alpha = np.zeros((tall, wide), np.uint8)
    for points, colour in parts:
        fixed = np.round((points - corner) * 16).astype(np.int32)
        cv2.fillPoly(layer, [fixed], colour, cv2.LINE_AA, 4)
        cv2.fillPoly(alpha, [fixed], (255,), cv2.LINE_AA, 4)
    layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), 2.0), np.uint8)
    alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), 1.0), np.uint8)
    Sprite(corner, layer, alpha, shadow_of(alpha, (14, 18), 9.0)).draw(image, light)


_Limb = tuple[tuple[float, float], float, tuple[float, float], float]


def _limbs(length: float, seat: int) -> list[tuple[_Limb, tuple[int, int, int], float]]:
    """List the parts of an arm, lowest first: from, half width, to, half width; colour, tone.

    Millimetres, x from the shoulder (at -length) to the finger tips (at 0).
    """
    sleeve, skin = _SLEEVES[seat % len(_SLEEVES)], _SKINS[seat % len(_SKINS)]
    limbs: list[tuple[_Limb, tuple[int, int, int], float]] = [
        (((-205.0, 0.0), 27.0, (-160.0, 0.0), 26.0), skin, 0.86),
        (((-length, 0.0), 50.0, (-215.0, 0.0), 35.0), sleeve, 0.8),
        (((-length, -5.0), 38.0, (-219.0, -4.0), 26.0), sleeve, 1.0),
        (((-length, -12.0), 17.0, (-226.0, -9.0), 12.0), sleeve, 1.15),
        (((-140.0, 0.0), 34.0, (-96.0, 2.0), 38.0), skin, 0.93),
        (((-138.0, -4.0), 24.0, (-98.0, -3.0), 29.0), skin, 1.0),
        (((-122.0, 28.0), 13.0, (-72.0, 52.0), 10.0), skin, 0.95),
    ]
    for side, reach, half in ((30.0, -34.0, 8.0), (11.0, -10.0, 9.0), (-8.0, -6.0, 9.0)):
        ends = (-88.0, side), (reach, side * 0.8)
        lit = (-86.0, side - 2), (reach - 2, side * 0.8 - 2)
        limbs.append(((ends[0], half + 1, ends[1], half), skin, 0.88))
        limbs.append(((lit[0], half - 3, lit[1], half - 4), skin, 1.03))
    limbs.append((((-90.0, -27.0), 8.0, (-28.0, -25.0), 7.0), skin, 0.9))
    return limbs


def _outline(
    start: tuple[float, float], half_start: float, end: tuple[float, float], half_end: float
) -> NDArray[np.float64]:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    front = angle + np.linspace(-math.pi / 2, math.pi / 2, 13)
    back = front + math.pi
    return np.concatenate(
        [
            np.array(end) + half_end * np.column_stack([np.cos(front), np.sin(front)]),
            np.array(start) + half_start * np.column_stack([np.cos(back), np.sin(back)]),
        ]
    )

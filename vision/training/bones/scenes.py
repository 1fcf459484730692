"""Samples for the bone networks: thrown bones under random lights, and single bones cut out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.training.bones.distractors import lump
from vision.training.bones.lighting import Geometry, Material, developed, lit, material
from vision.training.bones.sprites import HEIGHT_UNIT, ODD, REACH, SPRITE, SurfaceCache
from vision.training.bones.surfaces import table_top
from vision.training.common.augment import photograph
from vision.training.common.backgrounds import Backgrounds

HELD_OUT = 600
"""Sprites, the last of a bank, that nothing is trained on."""

NO_BONE = 5
"""The kind of a thing that is no bone."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One thing in a scene: its *kind*, and its sprite warped to the scene."""

    kind: int
    layers: np.ndarray
    corner: tuple[int, int]
    high_px: float


class BoneScenes:
    """Composes bones of a bank on tables."""

    def __init__(
        self, bank: SurfaceCache, backgrounds: Backgrounds, only: slice = slice(None)
    ) -> None:
        """Keep what to draw; *only* takes a part of the bank, others are held out."""
        self.bank, self.backgrounds = bank, backgrounds
        numbers = np.arange(len(bank.kinds))[only]
        self.by_kind = [numbers[bank.kinds[numbers] == kind] for kind in range(5)]
        self.long = np.zeros(len(bank.kinds), np.float32)

    def length(self, number: int) -> float:
        """Pixels that sprite *number* is long."""
        if self.long[number] == 0:
            cover = (self.bank.layers[number, ..., 0] > 127).astype(np.uint8)
            points = cv2.findNonZero(cover)
            self.long[number] = max(cv2.minAreaRect(points)[1]) if points is not None else REACH
        return float(self.long[number])

    def pick(self, kind: int, tilt: float | None, rng: np.random.Generator) -> int:
        """A sprite of this kind, seen about as steeply as the rest of the scene."""
        numbers = self.by_kind[kind]
        for _ in range(12):
            number = int(numbers[rng.integers(len(numbers))])
            if tilt is None or abs(self.bank.tilts[number] - tilt) < 7:
                return number
        return number

    def thing(
        self,
        number: int,
        px_per_mm: float,
        centre: np.ndarray,
        turn: float,
        rng: np.random.Generator,
    ) -> Thing:
        """Warp a sprite to its place in a scene."""
        layers = self.bank.layers[number]
        scale = px_per_mm / float(self.bank.px_per_mm[number])
        kind = int(self.bank.kinds[number])
        return _warped(kind, layers, scale, px_per_mm, centre, turn, rng)


def _warped(
    kind: int,
    layers: np.ndarray,
    scale: float,
    px_per_mm: float,
    centre: np.ndarray,
    turn: float,
    rng: np.random.Generator,
) -> Thing:
    mirrored = rng.random() < 0.5  # the bone of the other leg
    if mirrored:
        layers = layers[:, ::-1]
    source = SPRITE
    while scale * SPRITE < 0.6 * source and source > 14:
        source //= 2
    if source != SPRITE:
        layers = cv2.resize(layers, (source, source), interpolation=cv2.INTER_AREA)
    factor = scale * SPRITE / source
    cosine, sine = np.cos(turn), np.sin(turn)
    half = int(np.ceil(scale * SPRITE * 0.72)) + 1
    corner = np.floor(centre).astype(int) - half
    offset = centre - corner
    linear = factor * np.array([[cosine, -sine], [sine, cosine]])
    move = offset - linear @ np.array([source / 2 - 0.5, source / 2 - 0.5])
    matrix = np.column_stack([linear, move])
    size = (2 * half + 1, 2 * half + 1)
    warped = cv2.warpAffine(np.ascontiguousarray(layers[..., :4]), matrix, size)
    rest = cv2.warpAffine(np.ascontiguousarray(layers[..., 4:]), matrix, size)
    out = np.dstack([warped, rest]).astype(np.float32)
    # Outside the bone the layers are black: undo what the border mixed in.
    cover = out[..., 0] / 255
    inside = np.maximum(cover, 0.05)[..., None]
    out[..., 1:] /= inside
    out[..., 0] = cover
    x, y = (out[..., 1] - 128) / 127, (out[..., 2] - 128) / 127
    if mirrored:
        x = -x
    out[..., 1] = cosine * x - sine * y
    out[..., 2] = sine * x + cosine * y
    out[..., 3] = np.clip((out[..., 3] - 128) / 127, -1, 1)
    out[..., 4] = np.clip(out[..., 4], 0, 255) / HEIGHT_UNIT * px_per_mm
    out[..., 5] = np.clip((out[..., 5] - 128) / 40, -3, 3)
    return Thing(kind, out, (int(corner[0]), int(corner[1])), float(out[..., 4].max()))


def odd_or_face(rng: np.random.Generator, odd: float) -> int:
    """A kind: a face, or with chance *odd* a bone on its end or leaning."""
    return ODD if rng.random() < odd else int(rng.integers(4))


def other_thing(
    px_per_mm: float, long_px: float, centre: np.ndarray, rng: np.random.Generator
) -> Thing:
    """Something that is no bone, about *long_px* long."""
    turn = rng.uniform(0, 2 * np.pi)
    return _warped(NO_BONE, lump(rng), long_px / REACH, px_per_mm, centre, turn, rng)


def lay(scene: Geometry, thing: Thing, number: int) -> None:
    """Put a thing over what lies in the scene, in place."""
    h, w = scene.cover.shape
    x, y = thing.corner
    size = thing.layers.shape[0]
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + size, w), min(y + size, h)
    if x1 <= x0 or y1 <= y0:
        return
    part = thing.layers[y0 - y : y1 - y, x0 - x : x1 - x]
    at = (slice(y0, y1), slice(x0, x1))
    over = part[..., :1]
    scene.owner[at][over[..., 0] > 0.5] = number
    thin = (scene.owner[at] < 0) & (over[..., 0] > 0.02)
    scene.owner[at][thin] = number
    for layer, values in (
        (scene.normal, part[..., 1:4]),
        (scene.height, part[..., 4]),
        (scene.hollow, part[..., 5]),
    ):
        alpha = over if layer.ndim == 3 else over[..., 0]
        layer[at] += alpha * (values - layer[at])
    scene.cover[at] = 1 - (1 - scene.cover[at]) * (1 - over[..., 0])


def overlap(one: Thing, other: Thing) -> int:
    """Pixels that both things cover."""
    x0, y0 = np.maximum(one.corner, other.corner)
    a, b = one.layers.shape[0], other.layers.shape[0]
    x1 = min(one.corner[0] + a, other.corner[0] + b)
    y1 = min(one.corner[1] + a, other.corner[1] + b)
    if x1 <= x0 or y1 <= y0:
        return 0
    first = one.layers[
        y0 - one.corner[1] : y1 - one.corner[1], x0 - one.corner[0] : x1 - one.corner[0], 0
    ]
    second = other.layers[
        y0 - other.corner[1] : y1 - other.corner[1],
        x0 - other.corner[0] : x1 - other.corner[0],
        0,
    ]
    return int(((first > 0.5) & (second > 0.5)).sum())


def moved(thing: Thing, by: np.ndarray) -> Thing:
    """The same thing elsewhere, by whole pixels."""
    dx, dy = (round(float(v)) for v in by)
    return Thing(
        thing.kind, thing.layers, (thing.corner[0] + dx, thing.corner[1] + dy), thing.high_px
    )


def pushed_against(thing: Thing, other: Thing, angle: float, most: float) -> Thing:
    """Slide *thing*, which lies over *other*, away from it until they hardly overlap."""
    way = np.array([np.cos(angle), np.sin(angle)])
    area = (thing.layers[..., 0] > 0.5).sum()
    step = max(thing.layers.shape[0] / 50, 1.0)
    for k in range(80):
        there = moved(thing, way * k * step)
        if overlap(there, other) <= most * area:
            return there
    return there


def one_set(rng: np.random.Generator, count: int) -> list[Material]:
    """Materials of *count* things: mostly a set of one kind, with small differences."""
    if rng.random() > 0.8:
        return [material(rng) for _ in range(count)]
    base = material(rng)
    out = []
    for _ in range(count):
        colour = base.colour * np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.03, 3))
        out.append(
            Material(
                np.clip(colour, 0.01, 0.93).astype(np.float32),
                *(getattr(base, name) for name in Material.__slots__[1:]),
            )
        )
    return out


def darkened(one: Material, rng: np.random.Generator) -> Material:
    """The same stuff, dyed dark."""
    colour = one.colour / one.colour.max() * rng.uniform(0.02, 0.25)
    return replace(one, colour=np.clip(colour, 0.01, 0.9).astype(np.float32), clear=0.0)


def table_normal(tilt: float, turn: float) -> np.ndarray:
    """The table's normal in the picture, for a camera tilted by *tilt* degrees."""
    t = np.radians(tilt)
    # Drawn with the far side up: high things move up, so the normal leans up the picture.
    x, y, z = 0.0, -np.sin(t), np.cos(t)
    return np.array([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y, z])


def finish(
    scene: Geometry,
    things: list[Thing],
    backgrounds: Backgrounds,
    thing_px: float,
    rng: np.random.Generator,
    rough: float,
    materials: list[Material] | None = None,
) -> np.ndarray:
    """Light a composed scene and photograph it: uint8 (h, w, 3), BGR.

    What the things are made of is drawn at random, unless *materials* says it of each.
    """
    h, w = scene.cover.shape
    ground = table_top(backgrounds, w, h, thing_px, rng)
    if materials is None:
        materials = one_set(rng, len(things))
        if rng.random() < 0.2:
            # Dark bones on pale cloth are rare by chance, and are not to be taken for print.
            materials = [darkened(each, rng) for each in materials]
            pale = rng.uniform(0.2, 0.6)
            ground = (255 - (255 - ground.astype(np.float32)) * pale).astype(np.uint8)
    image = developed(lit(scene, ground, materials, thing_px, rng), rng)
    return photograph(image, rng, rough=rough)

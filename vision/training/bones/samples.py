"""What the bone networks learn from: scenes with heat maps, and crops with faces and masks."""

from __future__ import annotations

import cv2
import numpy as np

from vision.bones.classifier import CROP, CROP_BONE, MASK
from vision.bones.detector import SIZE_UNIT, STRIDE
from vision.training.bones.lighting import Geometry
from vision.training.bones.scenes import (
    NO_BONE,
    BoneScenes,
    Thing,
    finish,
    lay,
    moved,
    odd_or_face,
    other_thing,
    overlap,
    pushed_against,
    table_normal,
)
from vision.training.bones.surfaces import table_top

SCENE_W, SCENE_H = 320, 224
"""Pixels of a finder's scene."""


def scene(
    scenes: BoneScenes, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a scene for the finder.

    Returns:
        The picture, uint8 (SCENE_H, SCENE_W, 3) BGR; heat, float32 (1, h, w); offsets x, y, the
        logarithm of the length and a weight, float32 (4, h, w); h, w a fourth of the scene's.
    """
    tilt, turn = min(abs(rng.normal(0, 16)), 40.0), rng.uniform(0, 2 * np.pi)
    bone_px = float(np.exp(rng.uniform(np.log(15), np.log(120))))
    px_per_mm = bone_px / 31
    most = int(np.clip(0.45 * SCENE_W * SCENE_H / bone_px**2, 1, 14))
    count = 0 if rng.random() < 0.06 else int(rng.integers(1, most + 1))
    touching = rng.random() < 0.5
    things: list[Thing] = []
    for _ in range(count):
        number = scenes.pick(odd_or_face(rng, 0.04), tilt, rng)
        new = scenes.thing(
            number,
            px_per_mm * rng.uniform(0.9, 1.1),
            rng.uniform([0, 0], [SCENE_W, SCENE_H]),
            turn + rng.normal(0, 0.15),
            rng,
        )
        if things and touching and rng.random() < 0.6:
            other = things[rng.integers(len(things))]
            over = moved(new, np.array(_middle(other)) - np.array(_middle(new)))
            new = pushed_against(over, other, rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.03))
        if sum(overlap(new, other) for other in things) > 0.04 * bone_px**2:
            continue
        things.append(new)
    for _ in range(int(rng.integers(1, 6)) if rng.random() < 0.4 else 0):
        new = other_thing(
            px_per_mm,
            bone_px * np.exp(rng.normal(0, 0.5)),
            rng.uniform([0, 0], [SCENE_W, SCENE_H]),
            rng,
        )
        if not any(overlap(new, other) for other in things):
            things.append(new)
    # The far ones first: the nearer ones stand before them.
    up = table_normal(tilt, turn)
    things.sort(key=lambda thing: -float(np.dot(_middle(thing), up[:2])))
    geometry = Geometry.empty(SCENE_W, SCENE_H, up)
    for number, thing in enumerate(things):
        lay(geometry, thing, number)
    heat, shapes = _maps(geometry.owner, things)
    image = finish(geometry, things, scenes.backgrounds, bone_px, rng, rough=_roughness(rng))
    return image, heat, shapes


def _roughness(rng: np.random.Generator) -> float:
    """How bad a camera is: most are fair, and a small network has to learn those well."""
    return 0.3 if rng.random() < 0.6 else 0.8


def _middle(thing: Thing) -> tuple[float, float]:
    half = thing.layers.shape[0] / 2
    return thing.corner[0] + half, thing.corner[1] + half


def _maps(owner: np.ndarray, things: list[Thing]) -> tuple[np.ndarray, np.ndarray]:
    h, w = SCENE_H // STRIDE, SCENE_W // STRIDE
    heat = np.zeros((1, h, w), np.float32)
    shapes = np.zeros((4, h, w), np.float32)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    px, py = (x + 0.5) * STRIDE, (y + 0.5) * STRIDE
    for number, thing in enumerate(things):
        if thing.kind == NO_BONE:
            continue
        rows, columns = np.nonzero(owner == number)
        whole = (thing.layers[..., 0] > 0.5).sum()
        if len(rows) < max(0.45 * whole, 25):
            continue
        (cx, cy), size, _ = box(columns, rows)
        long = max(size)
        sigma = max(0.09 * long, 0.75 * STRIDE)
        bump = np.exp(-((px - cx) ** 2 + (py - cy) ** 2) / (2 * sigma**2))
        bump[np.unravel_index(bump.argmax(), bump.shape)] = 1.0
        np.maximum(heat[0], bump, out=heat[0])
        near = bump > np.maximum(shapes[3], 0.3)
        shapes[0][near] = ((cx - px) / STRIDE)[near]
        shapes[1][near] = ((cy - py) / STRIDE)[near]
        shapes[2][near] = np.log(long / SIZE_UNIT)
        shapes[3][near] = bump[near]
    return heat, shapes


def box(columns: np.ndarray, rows: np.ndarray):
    """The narrowest box round some pixels: middle, size, degrees."""
    points = np.stack([columns, rows], axis=1).astype(np.float32) + 0.5
    return cv2.minAreaRect(points)


def crop(scenes: BoneScenes, rng: np.random.Generator) -> tuple[np.ndarray, int, np.ndarray]:
    """Draw a crop for the face reader, as the finder would cut it out.

    Returns:
        The crop, uint8 (CROP, CROP, 3) BGR; the kind (0-3 faces, ODD, NO_BONE); the mask of the
        bone in its middle, float32 (MASK, MASK).
    """
    # Pixels that the bone is long on the photograph: few of them make a coarse crop.
    fewest = 24 if rng.random() < 0.3 else 45
    seen_px = float(np.exp(rng.uniform(np.log(fewest), np.log(130))))
    size = int(np.clip(round(CROP * seen_px / CROP_BONE), 36, 150))
    bone_px = size * CROP_BONE / CROP * float(np.exp(np.clip(rng.normal(0, 0.13), -0.32, 0.32)))
    tilt, turn = min(abs(rng.normal(0, 17)), 42.0), rng.uniform(0, 2 * np.pi)
    up = table_normal(tilt, turn)
    geometry = Geometry.empty(size, size, up)
    things: list[Thing] = []
    middle = np.array([size / 2, size / 2])
    centre = middle + np.clip(rng.normal(0, 0.035, 2), -0.09, 0.09) * size
    empty = rng.random()
    bare, amiss = empty < 0.13, 0.13 < empty < 0.19
    if amiss:
        # A bone, but not as the finder should have cut it out: that is to be dropped too.
        amiss_way = rng.uniform(0, 2 * np.pi)
        how = rng.random()
        if how < 0.45:
            away = rng.uniform(0.42, 0.75) * bone_px
            centre = middle + away * np.array([np.cos(amiss_way), np.sin(amiss_way)])
        else:
            bone_px *= rng.uniform(1.9, 3.0) if how < 0.75 else rng.uniform(0.2, 0.45)
    if bare:
        if rng.random() < 0.45:
            things.append(other_thing(bone_px / 31, bone_px, centre, rng))
    else:
        number = scenes.pick(odd_or_face(rng, 0.08), tilt, rng)
        px_per_mm = float(scenes.bank.px_per_mm[number]) * bone_px / scenes.length(number)
        things.append(scenes.thing(number, px_per_mm, centre, turn + rng.normal(0, 0.2), rng))
    kind = NO_BONE if bare or amiss else things[0].kind
    # No neighbours to what is amiss: one could lie where a bone should.
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.5 and not amiss else 0):
        if rng.random() < 0.8:
            number = scenes.pick(int(rng.integers(4)), tilt, rng)
            factor = bone_px / scenes.length(number) * rng.uniform(0.8, 1.15)
            scale = float(scenes.bank.px_per_mm[number]) * factor
            new = scenes.thing(number, scale, middle, turn + rng.normal(0, 0.2), rng)
        else:
            new = other_thing(bone_px / 31, bone_px * np.exp(rng.normal(0, 0.4)), middle, rng)
        angle = rng.uniform(0, 2 * np.pi)
        if things and not bare:
            new = pushed_against(new, things[0], angle, rng.uniform(0, 0.04))
        else:
            new = moved(new, 0.9 * bone_px * np.array([np.cos(angle), np.sin(angle)]))
        gap = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0, 0.25) * bone_px
        new = moved(new, gap if rng.random() < 0.5 else 0 * gap)
        if all(overlap(new, other) < 0.02 * bone_px**2 for other in things[1:]):
            things.append(new)
    order = sorted(range(len(things)), key=lambda k: -float(np.dot(_middle(things[k]), up[:2])))
    for k in order:
        lay(geometry, things[k], k)
    mask = (geometry.owner == 0) & (geometry.cover > 0.5) & (kind != NO_BONE)
    image = finish(geometry, things, scenes.backgrounds, bone_px, rng, rough=_roughness(rng))
    if bare and not things and rng.random() < 0.35:
        image = table_top(scenes.backgrounds, size, size, bone_px, rng)
    shrinks = size > CROP
    image = cv2.resize(
        image, (CROP, CROP), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    )
    soft = cv2.resize(mask.astype(np.float32), (MASK, MASK), interpolation=cv2.INTER_AREA)
    return image, kind, soft

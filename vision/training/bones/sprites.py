"""Draw one bone as a sprite of geometry: coverage, normals, height and hollows, to be lit later.

Splatting points into a depth buffer takes some milliseconds; lighting is done for whole scenes
(:mod:`vision.training.bones.render`), so that one sprite serves under any light, in any material.

python -m vision.training.bones.sprites --work WORK --count 8000
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from pathlib import Path

import cv2
import numpy as np

from vision.bones.shape import UP
from vision.training.bones.distractors import lump
from vision.training.bones.meshes import Mesh, at_rest, turned_up, widened
from vision.training.bones.sources import Shapes

SPRITE = 112
"""Width and height of a sprite in pixels."""

REACH = 96
"""Pixels that the longer side of a bone takes of its sprite."""

HEIGHT_UNIT = 5.0
"""Grey levels for one millimetre of height."""

LAYERS = 6
"""Coverage, normal x, y, z, height and hollow."""

ODD, NO_BONE = 4, 5
"""Kinds of bones on their end or leaning, and of other things; 0 to 3 are the faces in the order of
:data:`vision.bones.shape.UP`."""

LUMP_MM = 31.0
"""Length of a lump in its own sprite."""

CHUNK = 64
"""Sprites drawn by one process at a time: a seed gives the same bank with any number of them."""


def draw(
    mesh: Mesh, up: np.ndarray, spin: float, tilt: float, distance_mm: float
) -> tuple[np.ndarray, float]:
    """Draw a bone that lies with *up* uppermost, as a camera tilted by *tilt* radians sees it.

    Returns:
        uint8 (SPRITE, SPRITE, 6), and the scale in pixels a millimetre.
    """
    points = turned_up(mesh, up, spin)
    lying = Mesh(points, mesh.triangles)
    normals = lying.normals()
    hollows = lying.hollows(normals)
    sine, cosine = np.sin(tilt), np.cos(tilt)
    # The camera leans back: what is high moves up in the picture (y grows downwards there).
    view = np.array([[1, 0, 0], [0, -cosine, -sine], [0, -sine, cosine]])
    look_at = np.array([0, 0, points[:, 2].max() / 2])
    seen = (points - look_at) @ view.T
    facing = normals @ view.T
    scale = distance_mm / (distance_mm - seen[:, 2])
    flat = seen[:, :2] * scale[:, None]
    low, high = flat.min(0), flat.max(0)
    px = REACH / (high - low).max()
    flat = (flat - (low + high) / 2) * px + SPRITE / 2
    values = np.concatenate(
        [facing, points[:, 2:], hollows[:, None], seen[:, 2:], flat], axis=1
    ).astype(np.float32)
    fine = 2  # a buffer twice as fine, for smooth edges
    corners = values[mesh.triangles]
    corners = corners[corners[..., 2].mean(1) > -0.25]
    samples = _sampled(corners, fine)
    size = SPRITE * fine
    column = (samples[:, 6] * fine).astype(np.int32).clip(0, size - 1)
    row = (samples[:, 7] * fine).astype(np.int32).clip(0, size - 1)
    order = np.argsort(samples[:, 5])
    buffer = np.full(size * size, -1, np.int32)
    buffer[(row * size + column)[order]] = order
    return _filled(samples[:, :5], buffer.reshape(size, size)), float(px)


def _sampled(corners: np.ndarray, fine: int) -> np.ndarray:
    """Spread samples over triangles (n, 3, 8), so densely that none leaves a gap."""
    x, y = corners[..., 6], corners[..., 7]
    longest = np.hypot(x - np.roll(x, 1, axis=1), y - np.roll(y, 1, axis=1)).max(1) * fine
    level = np.minimum(np.ceil(longest / 1.15), 24).astype(int)
    out = []
    for parts in np.unique(level):
        chosen = corners[level == parts]
        steps = (np.arange(parts + 1) + 0.0) / max(parts, 1)
        u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
        inside = u + v <= 1.0001
        weights = np.stack([1 - u - v, u, v], axis=1)[inside].astype(np.float32)
        out.append(np.einsum("wk,nkc->nwc", weights, chosen).reshape(-1, corners.shape[2]))
    return np.concatenate(out)


def _filled(values: np.ndarray, buffer: np.ndarray) -> np.ndarray:
    """Close the gaps between splats and reduce the buffer to the sprite."""
    hit = (buffer >= 0).astype(np.uint8)
    whole = cv2.morphologyEx(hit, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    layers = np.zeros((*buffer.shape, 5), np.float32)
    layers[hit > 0] = values[buffer[hit > 0]]
    # Splats seen through gaps from the far side are rare but black: smooth over neighbours.
    weight = cv2.GaussianBlur(hit.astype(np.float32), (0, 0), 1.1)
    smooth = np.dstack([cv2.GaussianBlur(layers[..., k], (0, 0), 1.1) for k in range(5)])
    smooth /= np.maximum(weight, 1e-3)[..., None]
    smooth[whole == 0] = 0
    small = cv2.resize(smooth, (SPRITE, SPRITE), interpolation=cv2.INTER_AREA)
    cover = cv2.resize(whole.astype(np.float32), (SPRITE, SPRITE), interpolation=cv2.INTER_AREA)
    small /= np.maximum(cover, 0.05)[..., None]
    out = np.empty((SPRITE, SPRITE, 6), np.uint8)
    out[..., 0] = np.rint(cover * 255)
    out[..., 1:4] = np.rint(np.clip(small[..., :3] * 127 + 128, 0, 255))
    out[..., 4] = np.rint(np.clip(small[..., 3] * HEIGHT_UNIT, 0, 255))
    out[..., 5] = np.rint(np.clip(small[..., 4] * 40 + 128, 0, 255))
    return out


def pose(mesh: Mesh, kind: int, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """A way up for *kind*, and the camera's tilt in radians."""
    tilt = min(abs(rng.normal(0, 18)), 42.0)
    if kind != ODD:
        up = at_rest(mesh, tuple(UP)[kind])
        up = up + rng.normal(0, 0.035, 3)  # cloth gives way, tables slope
    elif rng.random() < 0.6:  # on end
        up = np.array([rng.choice([-1.0, 1.0]), *rng.normal(0, 0.25, 2)])
    else:  # half way between two faces, seen from nearly above: else a camera could do the same
        roll = np.radians(45 + 90 * rng.integers(4) + rng.normal(0, 5))
        up = np.array([rng.normal(0, 0.15), np.sin(roll), np.cos(roll)])
        tilt = min(tilt, 12.0)
    return up / np.linalg.norm(up), float(np.radians(tilt))


def draw_some(job: tuple[Path | None, int, int, int]) -> tuple[np.ndarray, ...]:
    """Draw *count* sprites: the four faces as often as each other, one in twelve odd.

    *job* is the folder of the shape model, the seed, which sprites of it, and how many.
    """
    folder, seed, first, count = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, first])
    shapes = Shapes(folder)
    layers = np.empty((count, SPRITE, SPRITE, LAYERS), np.uint8)
    kinds = np.where(rng.random(count) < 1 / 12, ODD, np.arange(count) % 4).astype(np.int8)
    tilts, scales = np.empty(count, np.float32), np.empty(count, np.float32)
    mesh = None
    for k in range(count):
        if mesh is None or k % 4 == 0:
            mesh = widened(shapes.sample(rng), rng)
            if rng.random() < 0.5:
                mesh = mesh.mirrored()
            mesh = mesh.centred()
        up, tilt = pose(mesh, int(kinds[k]), rng)
        distance = float(np.exp(rng.uniform(np.log(140), np.log(900))))
        layers[k], scales[k] = draw(mesh, up, rng.uniform(0, 2 * np.pi), tilt, distance)
        tilts[k] = np.degrees(tilt)
    return layers, kinds, tilts, scales, boxes(layers)


def boxes(layers: np.ndarray) -> np.ndarray:
    """The narrowest box round each sprite: its middle from the sprite's, and its longer side."""
    found = np.empty((len(layers), 3), np.float32)
    for k, each in enumerate(layers[..., 0]):
        (x, y), size, _ = cv2.minAreaRect(cv2.findNonZero((each > 127).astype(np.uint8)))
        found[k] = x + 0.5 - SPRITE / 2, y + 0.5 - SPRITE / 2, max(size) + 1
    return found


def lumps(count: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw things that are no bones, in the form of :func:`draw_some`."""
    kinds, tilts = np.full(count, NO_BONE, np.int8), np.zeros(count, np.float32)
    scales = np.full(count, REACH / LUMP_MM, np.float32)
    layers = np.stack([lump(rng) for _ in range(count)])
    return layers, kinds, tilts, scales, boxes(layers)


def ensure_bank(
    work: Path, count: int = 8000, *, processes: int | None = None, seed: int = 1
) -> Path:
    """Draw the bank that WORK/bones.npz is to hold, if it is not there: first bones, then lumps.

    The shapes are those of WORK/bone_model_public.npz and the project's own; without that file
    only the project's own.
    """
    file = work / "bones.npz"
    if file.exists():
        return file
    began = time.monotonic()
    folder = work if (work / "bone_model_public.npz").exists() else None
    jobs = [(folder, seed, first, min(CHUNK, count - first)) for first in range(0, count, CHUNK)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        parts = pool.map(draw_some, jobs, chunksize=1)
    parts.append(lumps(max(count // 12, 40), np.random.default_rng([seed, count])))
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    names = "layers", "kinds", "tilts", "scales", "boxes"
    partly = work / f"bones-{os.getpid()}.part.npz"
    np.savez(partly, **dict(zip(names, columns, strict=True)))
    partly.replace(file)
    print(f"{count} bones in {time.monotonic() - began:.0f} s", flush=True)
    return file


def main() -> None:
    """Draw a bank into WORK."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    ensure_bank(args.work, args.count, processes=args.processes, seed=args.seed)


if __name__ == "__main__":
    main()

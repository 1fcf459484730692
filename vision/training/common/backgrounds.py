"""Table tops drawn at random: cloth, wood, stone and leather."""

from __future__ import annotations

import cv2
import numpy as np


def cloth(w: int, h: int, rng: np.random.Generator) -> np.ndarray:
    """Felt, carpet, wood grain, weave or plain lacquer: noise at several scales, stretched."""
    base = rng.uniform(0, 255, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0, 255))
    if rng.random() < 0.25:
        base = np.full(3, rng.uniform(180, 250)) - rng.uniform(0, 20, 3)  # pale: cards hide on it
    if rng.random() < 0.2:
        base = np.full(3, rng.uniform(5, 40))
    out = np.zeros((h, w, 1), np.float32)
    stretch = rng.uniform(1, 14) if rng.random() < 0.4 else 1.0
    for _ in range(3):
        cell = rng.uniform(1, 30)
        rows, cols = max(int(h / cell), 2), max(int(w / cell / stretch), 2)
        noise = rng.normal(0, 1, (rows, cols)).astype(np.float32)
        out[..., 0] += cv2.resize(noise, (w, h)) * rng.uniform(1, 18)
    tint = rng.normal(1, 0.25, 3)
    image = np.clip(base + out * tint, 0, 255).astype(np.float32)
    if rng.random() < 0.2:
        step, wide = int(rng.integers(20, 150)), int(rng.integers(1, 6))
        line = rng.uniform(0, 255, 3)
        image[::step, :] = line
        for k in range(wide):
            image[k::step, :] = line
            image[:, k::step] = line
    if rng.random() < 0.5:
        image = _turned(image, rng.uniform(0, 360))
    return image.astype(np.uint8)


def _turned(image: np.ndarray, degrees: float) -> np.ndarray:
    h, w = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1.5)
    return cv2.warpAffine(image, matrix, (w, h), borderMode=cv2.BORDER_REFLECT)


def weave(w: int, h: int, rng: np.random.Generator) -> np.ndarray:
    """Woven cloth, planks, speckled stone or leather, in any colour."""
    base = rng.uniform(8, 235) * (0.5 + 0.5 * rng.uniform(size=3))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    u, v = x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)
    kind = rng.random()
    grain = rng.normal(0, 1, (h, w)).astype(np.float32)
    if kind < 0.4:
        f, g = rng.uniform(0.15, 1.6, 2)
        field = np.sin(u * f) + np.sin(v * (f if rng.random() < 0.7 else g))
        field = field * rng.uniform(0.02, 0.2) + grain * rng.uniform(0.0, 0.1)
    elif kind < 0.65:
        long, thin = rng.uniform(8, 40), rng.uniform(0.7, 4)
        wide = cv2.GaussianBlur(
            rng.normal(0, 1, (2 * h, 2 * w)).astype(np.float32), (0, 0), long, None, thin
        )
        wide /= wide.std() + 1e-6
        map_x = (u * 0.7 + w).astype(np.float32) % (2 * w)
        map_y = (v * 0.7 + h).astype(np.float32) % (2 * h)
        field = cv2.remap(wide, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        field = field * rng.uniform(0.05, 0.35)
    else:
        spot = cv2.GaussianBlur(grain, (0, 0), np.exp(rng.uniform(-0.6, 2.3)))
        field = spot / (spot.std() + 1e-6) * rng.uniform(0.02, 0.3)
    image = base * (1 + field[..., None] * rng.uniform(0.7, 1.2, 3))
    return np.clip(image, 0, 255).astype(np.uint8)

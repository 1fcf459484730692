"""Things that are no bones, as sprites of geometry: pebbles, dice, coins, fingers, rings."""

from __future__ import annotations

import cv2
import numpy as np

SPRITE, REACH, HEIGHT_UNIT = 112, 96, 5.0


def lump(rng: np.random.Generator) -> np.ndarray:
    """One thing, uint8 (112, 112, 6), in the layers of a bone's sprite."""
    y, x = (np.mgrid[0:SPRITE, 0:SPRITE].astype(np.float32) - SPRITE / 2 + 0.5) / (REACH / 2)
    kind = rng.random()
    slim = rng.uniform(0.45, 1.0)
    if kind < 0.35:  # pebble, bean, nut: a bent ellipsoid
        bend = rng.uniform(-0.6, 0.6)
        round_ = x**2 + ((y + bend * (x**2 - 0.4)) / slim) ** 2
        high = np.sqrt(np.clip(1 - round_, 0, None)) * slim * rng.uniform(0.4, 1.0)
    elif kind < 0.5:  # coin, button, chip
        far = np.sqrt(x**2 + y**2)
        high = np.clip((0.95 - far) * 8, 0, 1) * rng.uniform(0.08, 0.3)
        high = high * (1 + rng.uniform(0, 0.3) * (np.abs(far - 0.85) < 0.06))
    elif kind < 0.68:  # die, domino, block, with rounded edges
        power = rng.uniform(4, 14)
        box = np.abs(x) ** power + np.abs(y / slim) ** power
        high = np.clip(1 - box, 0, 1) ** (1 / power) * rng.uniform(0.3, 0.9)
        for _ in range(int(rng.integers(0, 7))):  # pips
            px, py = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6) * slim
            high = high - 0.12 * (np.hypot(x - px, y - py) < 0.12) * (high > 0.2)
    elif kind < 0.85:  # finger, stick, pen
        thick = rng.uniform(0.12, 0.4)
        far = np.hypot(np.clip(np.abs(x) - (1 - thick), 0, None), y + rng.uniform(-0.3, 0.3) * x**2)
        high = np.sqrt(np.clip(thick**2 - far**2, 0, None))
    elif kind < 0.93:  # ring
        thick = rng.uniform(0.08, 0.3)
        far = np.abs(np.hypot(x, y / slim) - (1 - thick))
        high = np.sqrt(np.clip(thick**2 - far**2, 0, None))
    else:  # shell, crumpled paper
        wrinkles = cv2.resize(rng.normal(0, 1, (9, 9)).astype(np.float32), (SPRITE, SPRITE))
        inside = np.clip(1 - x**2 - (y / slim) ** 2, 0, None)
        high = np.sqrt(inside) * 0.5 + 0.12 * wrinkles * np.minimum(inside * 4, 1)
    high = np.clip(high, 0, None).astype(np.float32)
    inside = (high > 0).astype(np.float32)
    smooth = cv2.GaussianBlur(high, (0, 0), 1.5)
    step = REACH / 2
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8 * step
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8 * step
    normal = np.dstack([-dx, -dy, np.ones_like(dx)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    hollow = (cv2.GaussianBlur(high, (0, 0), 6) - high) * 12
    out = np.empty((SPRITE, SPRITE, 6), np.uint8)
    out[..., 0] = np.rint(cv2.GaussianBlur(inside, (0, 0), 0.6) * 255)
    out[..., 1:4] = np.rint(normal * 127 + 128)
    out[..., 4] = np.rint(np.clip(high * 15 * HEIGHT_UNIT, 0, 255))
    out[..., 5] = np.rint(np.clip(hollow * 40 + 128, 0, 255))
    return out

"""What a camera and a room do to a picture: light, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np


def shade(shape: tuple[int, int], rng: np.random.Generator, strength: float) -> np.ndarray:
    """A smooth field round 1.0, float32 (height, width, 1): uneven light over the table."""
    small = rng.normal(0, strength, (int(rng.integers(2, 5)), int(rng.integers(2, 5))))
    field = cv2.resize(small.astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.exp(field)[..., None]


def hard_shadow(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """The edge of a shadow across the picture, float32 (height, width, 1)."""
    h, w = shape
    mask = np.zeros((h, w), np.float32)
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
    normal = np.array([np.cos(angle), np.sin(angle)])
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    side = (x / w - 0.5) * normal[0] + (y / h - 0.5) * normal[1] - offset
    if rng.random() < 0.5:
        side = np.abs(side) - rng.uniform(0.05, 0.2)
    mask[side > 0] = 1
    soft = max(3, int(rng.uniform(0.005, 0.06) * w)) | 1
    mask = cv2.GaussianBlur(mask, (soft, soft), 0)
    return 1 - mask[..., None] * rng.uniform(0.25, 0.65)


def glare(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """A lamp mirrored in the varnish, to be added: float32 (height, width, 1), 0-255."""
    h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    cx, cy = rng.uniform(0, w), rng.uniform(0, h)
    a, b = rng.uniform(0.05, 0.4) * w, rng.uniform(0.05, 0.4) * w
    spot = np.exp(-(((x - cx) / a) ** 2) - ((y - cy) / b) ** 2)
    return (spot * rng.uniform(40, 230))[..., None]


def photograph(image: np.ndarray, rng: np.random.Generator, *, rough: float = 1.0) -> np.ndarray:
    """Pass a drawn picture through a room and a camera; *rough* 0 (kind) to 1 (cruel)."""
    shape = image.shape[:2]
    out = image.astype(np.float32)
    if rng.random() < 0.7:
        out *= shade(shape, rng, 0.25 * rough)
    if rng.random() < 0.2 * rough:
        out *= hard_shadow(shape, rng)
    cast = np.exp(rng.normal(0, 0.1 * rough, 3))
    exposure = np.exp(rng.normal(-0.1, 0.3 * rough))
    out *= (cast * exposure).astype(np.float32)
    if rng.random() < 0.2 * rough:
        out += glare(shape, rng)
    if rng.random() < 0.3:
        out = 255 * np.clip(out / 255, 0, 1) ** rng.uniform(0.6, 1.6)
    if rng.random() < 0.35:
        grey = out.mean(axis=2, keepdims=True)
        out = grey + (out - grey) * rng.uniform(0.35, 1.4)
    if rng.random() < 0.3:
        low = rng.uniform(0, 50)
        out = low + out * (255 - low) / 255 * rng.uniform(0.7, 1.1)
    kind = rng.random()
    if kind < 0.35:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.8 * rough + 0.3))
    elif kind < 0.45:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((length, length), np.float32)
        if rng.random() < 0.5:
            kernel[length // 2] = 1 / length
        else:
            np.fill_diagonal(kernel, 1 / length)
        out = cv2.filter2D(out, -1, kernel)
    elif kind < 0.6:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = out + (out - soft) * rng.uniform(0.3, 1.5)
    if rng.random() < 0.7:
        out += rng.normal(0, rng.uniform(0.5, 11 * rough), out.shape).astype(np.float32)
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(25, 95))
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    return out

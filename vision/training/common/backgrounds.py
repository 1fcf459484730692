"""Tables without cards: photographs, textures, and cloth, wood and clutter drawn at random."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np


def load_pictures(folders: list[Path], most: int = 700) -> list[np.ndarray]:
    """Load photographs and textures (BGR, longer side at most 640 px), a few per folder."""
    files = sorted(
        file
        for folder in folders
        for file in folder.rglob("*")
        if file.suffix.lower() in (".jpg", ".png", ".jpeg") and file.stat().st_size > 20_000
    )
    rng = np.random.default_rng(0)
    rng.shuffle(files)
    pictures = []
    for file in files:
        picture = cv2.imread(str(file))
        if picture is None or min(picture.shape[:2]) < 100 or picture.std() < 4:
            continue
        scale = 640 / max(picture.shape[:2])
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        pictures.append(picture)
        if len(pictures) >= most:
            break
    return pictures


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


class Backgrounds:
    """Hands out a table top of any size."""

    def __init__(self, pictures: list[np.ndarray]) -> None:
        """Keep the photographs to cut from."""
        self.pictures = pictures

    def cut(self, w: int, h: int, rng: np.random.Generator) -> np.ndarray:
        """A table top, uint8 (h, w, 3) BGR, of this size."""
        if not self.pictures or rng.random() < 0.4:
            return cloth(w, h, rng)
        picture = self.pictures[rng.integers(len(self.pictures))]
        ph, pw = picture.shape[:2]
        part = rng.uniform(0.4, 1.0)
        scale = min(pw / w, ph / h) * part
        cw, ch = max(int(w * scale), 4), max(int(h * scale), 4)
        x, y = int(rng.integers(0, pw - cw + 1)), int(rng.integers(0, ph - ch + 1))
        out = cv2.resize(picture[y : y + ch, x : x + cw], (w, h), interpolation=cv2.INTER_LINEAR)
        if rng.random() < 0.5:
            out = out[:, ::-1]
        return np.ascontiguousarray(out)

    def clutter(self, image: np.ndarray, rng: np.random.Generator) -> None:
        """Lay paper, books, cases, cables and hands' colours on the table, in place."""
        h, w = image.shape[:2]
        for _ in range(int(rng.integers(0, 5))):
            kind = rng.random()
            if kind < 0.6:
                size = (rng.uniform(0.05, 0.7) * w, rng.uniform(0.05, 0.7) * w)
                box = ((rng.uniform(0, w), rng.uniform(0, h)), size, rng.uniform(0, 180))
                corners = cv2.boxPoints(box).astype(np.float32)
                if rng.random() < 0.5:
                    grey = rng.uniform(120, 255)
                    colour = np.full(3, grey) - rng.uniform(0, 25, 3)
                    if rng.random() < 0.4:
                        colour = rng.uniform(0, 255, 3)
                    cv2.fillConvexPoly(
                        image, corners.astype(np.int32), colour.tolist(), cv2.LINE_AA
                    )
                    for _ in range(int(rng.integers(0, 7))):  # print on the paper
                        t = rng.uniform(0.1, 0.9)
                        a = corners[0] * t + corners[1] * (1 - t)
                        b = corners[3] * t + corners[2] * (1 - t)
                        ends = (a * 0.9 + b * 0.1).astype(int), (b * 0.9 + a * 0.1).astype(int)
                        cv2.line(image, ends[0].tolist(), ends[1].tolist(), (40, 40, 40), 1)
                else:
                    patch = self.cut(64, 64, rng)
                    square = np.array([[0, 0], [64, 0], [64, 64], [0, 64]], np.float32)
                    matrix = cv2.getPerspectiveTransform(square, corners)
                    cv2.warpPerspective(
                        patch, matrix, (w, h), dst=image, borderMode=cv2.BORDER_TRANSPARENT
                    )
            elif kind < 0.8:
                points = rng.uniform([0, 0], [w, h], (4, 2))
                t = np.linspace(0, 1, 30)[:, None]
                curve = (
                    (1 - t) ** 3 * points[0]
                    + 3 * t * (1 - t) ** 2 * points[1]
                    + 3 * t**2 * (1 - t) * points[2]
                    + t**3 * points[3]
                )
                colour = rng.uniform(0, 255, 3).tolist() if rng.random() < 0.5 else (20, 20, 20)
                cv2.polylines(
                    image,
                    [curve.astype(np.int32)],
                    False,
                    colour,
                    int(rng.integers(1, 9)),
                    cv2.LINE_AA,
                )
            else:
                centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
                axes = (int(rng.uniform(0.02, 0.25) * w), int(rng.uniform(0.02, 0.25) * w))
                skin = rng.random() < 0.4
                colour = [90, 120, 190] if skin else rng.uniform(0, 255, 3).tolist()
                cv2.ellipse(
                    image, centre, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA
                )

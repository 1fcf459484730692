"""Samples for the straightener and the reader: one card each, more or less straightened."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.geometry import CropShape
from vision.training.common.augment import photograph
from vision.training.common.backgrounds import Backgrounds

FACE_UP, FACE_DOWN, NO_CARD = 0, 1, 2
"""What the reader calls a crop."""

FACE_W, FACE_H = 120, 168
"""Faces are kept hardly larger than they are drawn: warping a large one would alias fine print."""

ART_CORNERS = np.array([[0, 0], [FACE_W, 0], [FACE_W, FACE_H], [0, FACE_H]], np.float32)


@dataclass(frozen=True)
class Art:
    """Every face and back to draw from, FACE_W by FACE_H; labels 13 * suit + rank, -1 a joker."""

    groups: tuple[tuple[float, np.ndarray, np.ndarray], ...]
    backs: np.ndarray
    four: tuple[np.ndarray, ...] = ()
    """For each group and face, whether the deck has indices in all four corners."""

    def face(self, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """Pick a group by its weight, then a face."""
        return self.pick(rng)[:2]

    def pick(self, rng: np.random.Generator) -> tuple[np.ndarray, int, bool]:
        """Pick a face: it, its label, and whether it has four indices."""
        pick, group = rng.random(), 0
        while pick > self.groups[group][0] and group < len(self.groups) - 1:
            pick -= self.groups[group][0]
            group += 1
        _, faces, labels = self.groups[group]
        index = rng.integers(len(faces))
        four = bool(self.four[group][index]) if self.four else False
        return faces[index], int(labels[index]), four

    def back(self, rng: np.random.Generator) -> np.ndarray:
        """A printed back, or one drawn at random."""
        if rng.random() < 0.4:
            back = self.backs[rng.integers(len(self.backs))]
            return np.roll(back, int(rng.integers(3)), axis=2) if rng.random() < 0.6 else back
        return draw_back(rng)


def draw_back(rng: np.random.Generator) -> np.ndarray:
    """Draw the back of a card: a border (or none) round a pattern of two colours."""
    paper = np.full(3, 255.0) - rng.uniform(0, 25, 3)
    ink = rng.uniform(0, 200, 3)
    back = np.empty((FACE_H, FACE_W, 3), np.float32)
    back[:] = paper if rng.random() < 0.8 else rng.uniform(0, 255, 3)
    m = int(rng.integers(0, 15))
    h, w = FACE_H - 2 * m, FACE_W - 2 * m
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = np.abs(x - w / 2), np.abs(y - h / 2)
    waves = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        a, b = rng.uniform(0.04, 1.3, 2)
        kind = rng.integers(4)
        if kind == 0:
            waves += np.sin(a * x) * np.sin(b * y)
        elif kind == 1:
            waves += np.sin(a * x + b * y)
        elif kind == 2:
            waves += np.sin(np.hypot(x, y * rng.uniform(0.6, 1.4)) * a)
        else:
            waves += cv2.resize(rng.normal(0, 1, (9, 7)).astype(np.float32), (w, h))
    mask = np.clip((waves - rng.uniform(-0.6, 0.6)) * rng.uniform(1, 8) + 0.5, 0, 1)[..., None]
    second = paper if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    if rng.random() < 0.15:
        mask = mask * 0 + rng.uniform(0.7, 1)
    back[m : m + h, m : m + w] = mask * ink + (1 - mask) * second
    return back.astype(np.uint8)


def rounded_mask(radius: float) -> np.ndarray:
    """The outline of a card whose corners have this *radius* in pixels: float32, 0-1."""
    r = max(int(radius), 1)
    mask = np.zeros((FACE_H, FACE_W), np.uint8)
    cv2.rectangle(mask, (r, 0), (FACE_W - 1 - r, FACE_H - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (FACE_W - 1, FACE_H - 1 - r), 255, -1)
    for cx in (r, FACE_W - 1 - r):
        for cy in (r, FACE_H - 1 - r):
            cv2.circle(mask, (cx, cy), r, 255, -1, cv2.LINE_AA)
    return mask


MASKS = [rounded_mask(r) for r in (1, 4, 7, 10)]


def wear(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other paper and other ink: yellowed, tinted, faded, or with the indices painted out."""
    out = face
    if rng.random() < 0.35:
        paper = np.array([rng.uniform(0.72, 1), rng.uniform(0.85, 1), rng.uniform(0.9, 1)])
        if rng.random() < 0.4:
            rng.shuffle(paper)
        out = out * paper
    if rng.random() < 0.2:
        out = 255 - (255 - out.astype(np.float32)) * rng.uniform(0.5, 1)
    if rng.random() < 0.25:
        spots = cv2.resize(rng.normal(0, 1, (12, 9)).astype(np.float32), (FACE_W, FACE_H))
        out = out + spots[..., None] * rng.uniform(2, 12)
    if rng.random() < 0.04:  # edged with tape, or printed with a dark rim
        rim = int(rng.integers(2, 7))
        inner = cv2.resize(
            np.clip(out, 0, 255).astype(np.uint8),
            (FACE_W - 2 * rim, FACE_H - 2 * rim),
            interpolation=cv2.INTER_AREA,
        )
        out = np.full((FACE_H, FACE_W, 3), rng.uniform(5, 70), np.float32)
        out[rim:-rim, rim:-rim] = inner
    if rng.random() < 0.06:
        out = np.array(out, np.float32)
        a, b = int(FACE_W * 0.16), int(FACE_H * 0.26)
        out[:b, :a] = out[-b:, -a:] = np.median(out.reshape(-1, 3), axis=0)
    return np.clip(out, 0, 255).astype(np.uint8)


class CropMaker:
    """Draws crops with their labels."""

    def __init__(self, art: Art, backgrounds: Backgrounds, shape: CropShape, off: float) -> None:
        """Keep what to draw, for crops of *shape* whose corners are *off* by parts of the width."""
        self.art, self.backgrounds, self.shape, self.off = art, backgrounds, shape, off

    def make(self, rng: np.random.Generator) -> tuple[np.ndarray, int, int, int, np.ndarray]:
        """Draw one crop.

        Returns:
            The crop, uint8, of the shape asked for, BGR; what it is; rank 0-12; suit 0-3 (both -1
            where there is none to read); and how far, in parts of the crop's width, each corner
            of the card lies from where a perfect crop has it: float32 (4, 2).
        """
        background = self.backgrounds.cut(self.shape.width, self.shape.height, rng)
        chance = rng.random()
        if chance < 0.04:
            return self._no_card(background, rng)
        if chance < 0.16:
            face, kind, label = self.art.back(rng), FACE_DOWN, -1
        else:
            face, label = self.art.face(rng)
            face, kind = wear(face, rng), FACE_UP
        corners = self.shape.corners + self._noise(rng)
        if rng.random() < 0.5:
            face = np.ascontiguousarray(face[::-1, ::-1])
        matrix = cv2.getPerspectiveTransform(ART_CORNERS, corners.astype(np.float32))
        size = (self.shape.width, self.shape.height)
        mask = cv2.warpPerspective(
            MASKS[rng.integers(len(MASKS))], matrix, size, flags=cv2.INTER_AREA
        )
        mask = mask.astype(np.float32)[..., None] / 255
        card = cv2.warpPerspective(
            face, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        if rng.random() < 0.5:  # its shadow on the table
            dx, dy = rng.integers(-4, 5, 2)
            dark = cv2.GaussianBlur(
                np.roll(mask[..., 0], (dy, dx), (0, 1)), (0, 0), rng.uniform(0.8, 3)
            )
            background = background * (1 - dark[..., None] * rng.uniform(0.2, 0.7))
        crop = (card * mask + background * (1 - mask)).astype(np.uint8)
        if rng.random() < 0.12:
            self._cover(crop, rng)
        elif rng.random() < 0.1:
            self._half_cover(crop, corners, rng)
        # Small in the picture: the crop was enlarged from fewer pixels.
        small = float(np.exp(rng.uniform(np.log(0.38), np.log(1.3))))
        if small < 1:
            crop = cv2.resize(crop, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
        crop = photograph(crop, rng)
        if small < 1:
            way = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
            crop = cv2.resize(crop, size, interpolation=way)
        offset = (corners - self.shape.corners) / self.shape.width
        rank, suit = (label % 13, label // 13) if label >= 0 else (-1, -1)
        return crop, kind, rank, suit, offset.astype(np.float32)

    def _noise(self, rng: np.random.Generator) -> np.ndarray:
        """How far the corners are off, in pixels: moved, turned, scaled and each by itself."""
        off = self.off * (1 if rng.random() < 0.5 else 0.3)
        centred = self.shape.corners - self.shape.corners.mean(axis=0)
        angle, scale = rng.normal(0, off * 1.2), np.exp(rng.normal(0, off, 2))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        moved = centred * scale @ turn - centred
        own = rng.normal(0, off * 0.5, (4, 2)) + rng.normal(0, off * 0.8, 2)
        return (moved + own * self.shape.width).astype(np.float32)

    def _no_card(
        self, background: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, int, int, int, np.ndarray]:
        self.backgrounds.clutter(background, rng)
        return photograph(background, rng), NO_CARD, -1, -1, np.zeros((4, 2), np.float32)

    def _half_cover(self, crop: np.ndarray, corners: np.ndarray, rng: np.random.Generator) -> None:
        """Lay a book or another card over one side of the card, up to 55 % of it, in place."""
        side, part = int(rng.integers(4)), rng.uniform(0.1, 0.55)
        a, b, c, d = np.roll(corners, -side, axis=0)
        # From the far edge a-b towards c-d; the near edge of the cover is not quite parallel.
        left, right = np.clip(part + rng.normal(0, 0.06, 2), 0.05, 0.6)
        outward = (a + b - c - d) * 0.5
        quad = np.array([a + outward, b + outward, b + (c - b) * right, a + (d - a) * left])
        patch = self.backgrounds.cut(self.shape.width, self.shape.height, rng)
        mask = np.zeros(crop.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.rint(quad).astype(np.int32)], 255)
        crop[mask > 0] = patch[mask > 0]

    def _cover(self, crop: np.ndarray, rng: np.random.Generator) -> None:
        """Lay a finger, a glint or another thing over an edge of the card."""
        angle = rng.uniform(0, 2 * np.pi)
        at = np.array([self.shape.width / 2, self.shape.height / 2]) * (
            1 + 0.95 * np.array([np.cos(angle), np.sin(angle)])
        )
        colour = (90, 120, 190) if rng.random() < 0.5 else rng.uniform(0, 255, 3).tolist()
        axes = (int(rng.uniform(6, 26)), int(rng.uniform(6, 26)))
        cv2.ellipse(
            crop,
            at.astype(int).tolist(),
            axes,
            rng.uniform(0, 180),
            0,
            360,
            colour,
            -1,
            cv2.LINE_AA,
        )

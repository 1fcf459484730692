"""Samples for the finder: tables with cards on them, seen by a camera."""

from __future__ import annotations

import cv2
import numpy as np

from vision.finder import STRIDE, UNIT, encode_quad
from vision.training.augment import photograph
from vision.training.backgrounds import Backgrounds
from vision.training.crops import ART_CORNERS, FACE_H, FACE_W, MASKS, Art, wear

SCENE_W, SCENE_H = 384, 288
"""Pixels of a training scene; the network itself takes any multiple of 32."""

LEVELS = (1.0, 0.5, 0.25)
"""Faces are reduced before they are warped, so that small cards do not alias."""


class SceneMaker:
    """Draws scenes with the maps the finder should give."""

    def __init__(self, art: Art, backgrounds: Backgrounds) -> None:
        """Keep what to draw."""
        self.art, self.backgrounds = art, backgrounds

    def make(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw one scene.

        Returns:
            The picture, uint8 (SCENE_H, SCENE_W, 3) BGR; the heat maps, float32 (2, h, w); the
            shapes and their weight, float32 (11, h, w), with h, w a fourth of the scene's.
        """
        image = self.backgrounds.cut(SCENE_W, SCENE_H, rng)
        if rng.random() < 0.6:
            self.backgrounds.clutter(image, rng)
        table = self._camera(rng)
        owners = np.full((SCENE_H, SCENE_W), -1, np.int16)
        quads, face_up = [], []
        for quad in self._places(table, rng):
            up = rng.random() < 0.7
            if self._lay(image, owners, quad, len(quads), up, rng):
                quads.append(quad)
                face_up.append(up)
        if rng.random() < 0.15:
            self._cover(image, owners, rng)
        heat, shapes = self._maps(owners, quads, face_up)
        if rng.random() < 0.1:  # an arm over the table, after the cards are laid
            self._arm(image, rng)
        return photograph(image, rng, rough=0.8), heat, shapes

    def _camera(self, rng: np.random.Generator) -> np.ndarray:
        """Map the plane of the table (pixels as seen from above) to the tilted view."""
        tilt = (
            np.radians(rng.uniform(0, 38)) if rng.random() < 0.7 else np.radians(rng.uniform(0, 8))
        )
        way = rng.uniform(0, 2 * np.pi)
        focal = rng.uniform(0.8, 1.6) * SCENE_W
        axis = np.array([np.cos(way), np.sin(way), 0]) * tilt
        turn, _ = cv2.Rodrigues(axis)
        k = np.array([[focal, 0, SCENE_W / 2], [0, focal, SCENE_H / 2], [0, 0, 1]])
        plane = np.array([[1, 0, -SCENE_W / 2], [0, 1, -SCENE_H / 2], [0, 0, 1]])
        seen = turn @ np.diag([1 / focal, 1 / focal, 0]) + np.outer([0, 0, 1.0], [0, 0, 1])
        return k @ seen @ plane

    def _places(self, table: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
        """Quads of the cards, in the order they are laid."""
        wide = float(np.exp(rng.uniform(np.log(19), np.log(190))))
        tall = wide * rng.uniform(1.3, 1.58)
        most = max(1, int(0.6 * SCENE_W * SCENE_H / (wide * tall)))
        count = 1 if rng.random() < 0.35 else int(rng.integers(1, min(most, 26) + 1))
        overlapping = rng.random() < 0.25
        straight = rng.random() < 0.4
        base = rng.uniform(0, 180)
        placed: list[np.ndarray] = []
        flat: list[np.ndarray] = []
        if overlapping and rng.random() < 0.5:
            centre = np.array([rng.uniform(0.2, 0.8) * SCENE_W, rng.uniform(0.2, 0.8) * SCENE_H])
            step, turn = rng.uniform(0.2, 0.7) * wide, rng.uniform(-18, 18)
            along = np.radians(rng.uniform(0, 360))
            boxes = [
                (
                    centre + k * step * np.array([np.cos(along), np.sin(along)]),
                    base + k * turn,
                )
                for k in range(int(rng.integers(2, 7)))
            ]
        else:
            boxes = [
                (
                    rng.uniform([0.02, 0.02], [0.98, 0.98]) * [SCENE_W, SCENE_H],
                    base + 90 * int(rng.integers(2)) + rng.normal(0, 4)
                    if straight
                    else rng.uniform(0, 360),
                )
                for _ in range(count * 6)
            ]
        for centre, degrees in boxes:
            if len(placed) >= count and not overlapping:
                break
            if len(placed) >= max(count, 7):
                break
            a = np.radians(degrees)
            u = np.array([np.cos(a), np.sin(a)]) * wide / 2
            v = np.array([-np.sin(a), np.cos(a)]) * tall / 2
            c = np.asarray(centre)
            box = np.array([c - u - v, c + u - v, c + u + v, c - u + v], np.float32)
            if not overlapping and any(cv2.intersectConvexConvex(box, o)[0] > 0 for o in flat):
                continue
            flat.append(box)
            quad = cv2.perspectiveTransform(box[None].astype(np.float64), table)[0]
            placed.append(quad.astype(np.float32))
        return placed

    def _lay(
        self,
        image: np.ndarray,
        owners: np.ndarray,
        quad: np.ndarray,
        number: int,
        up: bool,
        rng: np.random.Generator,
    ) -> bool:
        """Draw a card into *image*, in place; whether any of it was in the picture."""
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 6
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 7
        x0, y0 = max(x0, 0), max(y0, 0)
        x1, y1 = min(x1, SCENE_W), min(y1, SCENE_H)
        if x1 - x0 < 4 or y1 - y0 < 4 or not cv2.isContourConvex(quad):
            return False
        face = wear(self.art.face(rng)[0], rng) if up else self.art.back(rng)
        mask = MASKS[rng.integers(len(MASKS))]
        width = np.linalg.norm(quad[1] - quad[0])
        level = next((s for s in LEVELS[::-1] if FACE_W * s >= width), 1.0)
        source = ART_CORNERS
        if level < 1:
            size = (int(FACE_W * level), int(FACE_H * level))
            face = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
            mask = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
            source = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, quad - np.array([x0, y0], np.float32))
        size = (x1 - x0, y1 - y0)
        card = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpPerspective(mask, matrix, size).astype(np.float32)[..., None] / 255
        part = image[y0:y1, x0:x1]
        if rng.random() < 0.6:
            shift = rng.integers(-3, 4, 2)
            dark = cv2.GaussianBlur(np.roll(cover[..., 0], tuple(shift), (0, 1)), (0, 0), 1.5)
            part = part * (1 - dark[..., None] * rng.uniform(0.1, 0.6))
        image[y0:y1, x0:x1] = card * cover + part * (1 - cover)
        region = owners[y0:y1, x0:x1]
        region[cover[..., 0] > 0.5] = number
        return bool((cover > 0.5).any())

    def _maps(
        self, owners: np.ndarray, quads: list[np.ndarray], face_up: list[bool]
    ) -> tuple[np.ndarray, np.ndarray]:
        h, w = SCENE_H // STRIDE, SCENE_W // STRIDE
        heat = np.zeros((2, h, w), np.float32)
        shapes = np.zeros((11, h, w), np.float32)
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        px, py = (x + 0.5) * STRIDE, (y + 0.5) * STRIDE
        for number, (quad, up) in enumerate(zip(quads, face_up, strict=True)):
            rows, columns = np.nonzero(owners == number)
            whole = max(cv2.contourArea(quad), 1)
            if len(rows) < 0.35 * whole or len(rows) < 120:
                continue
            # The heat sits on what can be seen: of a covered card that is not its middle.
            cx, cy = columns.mean(), rows.mean()
            sigma = max(0.11 * np.sqrt(len(rows)), STRIDE * 0.75)
            bump = np.exp(-((px - cx) ** 2 + (py - cy) ** 2) / (2 * sigma**2))
            peak = np.unravel_index(bump.argmax(), bump.shape)
            bump[peak] = 1.0
            layer = heat[0 if up else 1]
            np.maximum(layer, bump, out=layer)
            near = bump > np.maximum(shapes[10], 0.25)
            numbers = encode_quad(quad)
            for k in range(10):
                value = np.full((h, w), numbers[k])
                if k == 0:
                    value = numbers[0] - px
                elif k == 1:
                    value = numbers[1] - py
                shapes[k][near] = value[near] / UNIT
            shapes[10][near] = bump[near]
        return heat, shapes

    def _cover(self, image: np.ndarray, owners: np.ndarray, rng: np.random.Generator) -> None:
        """Lay a book over some of the cards, in place."""
        size = (rng.uniform(0.1, 0.5) * SCENE_W, rng.uniform(0.1, 0.5) * SCENE_H)
        box = ((rng.uniform(0, SCENE_W), rng.uniform(0, SCENE_H)), size, rng.uniform(0, 180))
        mask = np.zeros((SCENE_H, SCENE_W), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(cv2.boxPoints(box)).astype(np.int32), 255)
        patch = self.backgrounds.cut(SCENE_W, SCENE_H, rng)
        image[mask > 0] = patch[mask > 0]
        owners[mask > 0] = -1

    def _arm(self, image: np.ndarray, rng: np.random.Generator) -> None:
        side = rng.uniform(0, 2 * np.pi)
        far = np.array([SCENE_W / 2, SCENE_H / 2]) + 300 * np.array([np.cos(side), np.sin(side)])
        hand = rng.uniform([0, 0], [SCENE_W, SCENE_H])
        wide = int(rng.uniform(10, 40))
        colour = [int(v) for v in (np.array([95, 130, 200]) * rng.uniform(0.4, 1.2)).clip(0, 255)]
        cv2.line(
            image, far.astype(int).tolist(), hand.astype(int).tolist(), colour, wide, cv2.LINE_AA
        )

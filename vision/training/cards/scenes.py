"""Samples for the finder: tables with cards on them, seen by a camera."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.cards.crops import ART_CORNERS, FACE_H, FACE_W, MASKS, Art, wear
from vision.training.cards.layouts import corners, lay_out
from vision.training.cards.targets import SCENE_H, SCENE_W, Laid, targets
from vision.training.common.augment import photograph
from vision.training.common.backgrounds import Backgrounds

LEVELS = (1.0, 0.5, 0.25)
"""Faces are reduced before they are warped, so that small cards do not alias."""


class SceneMaker:
    """Draws scenes with the maps the finder should give."""

    def __init__(self, art: Art, backgrounds: Backgrounds) -> None:
        """Keep what to draw."""
        self.art, self.backgrounds = art, backgrounds

    def make(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw one scene and pass it through a camera.

        Returns:
            The picture, uint8 (SCENE_H, SCENE_W, 3) BGR; the maps of :class:`Targets`.
        """
        image, maps = self.draw(rng)
        return photograph(image, rng, rough=0.8), maps

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw one scene, before any camera."""
        image = self.backgrounds.cut(SCENE_W, SCENE_H, rng)
        if rng.random() < 0.6:
            self.backgrounds.clutter(image, rng)
        table = self._camera(rng)
        wide = float(np.exp(rng.uniform(np.log(19), np.log(190))))
        tall = wide * rng.uniform(1.3, 1.58)
        if rng.random() < 0.3:
            _print_mat(image, table, wide, tall, rng)
        owners = np.full((SCENE_H, SCENE_W), -1, np.int16)
        back, one_back = self.art.back(rng), rng.random() < 0.75
        laid: list[Laid] = []
        for card in lay_out((SCENE_W, SCENE_H), wide, tall, rng):
            box = corners(card.x, card.y, card.degrees, wide, tall)
            quad = cv2.perspectiveTransform(box[None].astype(np.float64), table)[0]
            quad = quad.astype(np.float32)
            face, four = back if one_back else self.art.back(rng), False
            if card.face_up:
                face, _, four = self.art.pick(rng)
            if self._lay(image, owners, quad, len(laid), face, rng):
                laid.append(Laid(quad, card.face_up, four))
        if rng.random() < 0.15:
            self._cover(image, owners, rng)
        maps = targets(owners, laid)
        if rng.random() < 0.1:  # an arm over the table, after the cards are laid
            self._arm(image, rng)
        return image, maps

    def _camera(self, rng: np.random.Generator) -> np.ndarray:
        """Map the plane of the table (pixels as seen from above) to the tilted view."""
        tilt = (
            np.radians(rng.uniform(0, 47)) if rng.random() < 0.7 else np.radians(rng.uniform(0, 8))
        )
        way = rng.uniform(0, 2 * np.pi)
        focal = rng.uniform(0.8, 1.6) * SCENE_W
        axis = np.array([np.cos(way), np.sin(way), 0]) * tilt
        turn, _ = cv2.Rodrigues(axis)
        k = np.array([[focal, 0, SCENE_W / 2], [0, focal, SCENE_H / 2], [0, 0, 1]])
        plane = np.array([[1, 0, -SCENE_W / 2], [0, 1, -SCENE_H / 2], [0, 0, 1]])
        seen = turn @ np.diag([1 / focal, 1 / focal, 0]) + np.outer([0, 0, 1.0], [0, 0, 1])
        return k @ seen @ plane

    def _lay(
        self,
        image: np.ndarray,
        owners: np.ndarray,
        quad: np.ndarray,
        number: int,
        face: np.ndarray,
        rng: np.random.Generator,
    ) -> bool:
        """Draw a card into *image*, in place; whether any of it was in the picture."""
        x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 6
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 7
        x0, y0 = max(x0, 0), max(y0, 0)
        x1, y1 = min(x1, SCENE_W), min(y1, SCENE_H)
        if x1 - x0 < 4 or y1 - y0 < 4 or not cv2.isContourConvex(quad):
            return False
        face = wear(face, rng)
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


def _print_mat(
    image: np.ndarray, table: np.ndarray, wide: float, tall: float, rng: np.random.Generator
) -> None:
    """Print what mats have, which is no card: outlines, places for cards, words; in place."""
    colour = rng.uniform(0, 255, 3).tolist()
    thick = int(rng.integers(1, 4))
    turn = rng.uniform(0, 180)
    for _ in range(int(rng.integers(1, 9))):
        x, y = rng.uniform([0, 0], [SCENE_W, SCENE_H])
        scale = rng.uniform(0.9, 1.3) if rng.random() < 0.5 else rng.uniform(0.5, 5)
        degrees = turn + 90 * int(rng.integers(2))
        box = corners(x, y, degrees, wide * scale, tall * scale * rng.uniform(0.7, 1.3))
        seen = cv2.perspectiveTransform(box[None].astype(np.float64), table)[0]
        outline = [np.rint(seen).astype(np.int32)]
        if rng.random() < 0.2:
            cv2.fillPoly(image, outline, rng.uniform(0, 255, 3).tolist(), cv2.LINE_AA)
        cv2.polylines(image, outline, True, colour, thick, cv2.LINE_AA)
        if rng.random() < 0.5:
            word = ("SEAT 3", "STOCK", "DISCARD", "4", "DEALER", "K")[int(rng.integers(6))]
            at = (int(seen[0][0]), int(seen[0][1]))
            size = rng.uniform(0.3, 1.2)
            cv2.putText(image, word, at, int(rng.integers(0, 8)), size, colour, thick, cv2.LINE_AA)

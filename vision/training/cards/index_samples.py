"""Samples for the corner reader: patches with an index in the middle, or with none."""

from __future__ import annotations

import functools
from pathlib import Path

import cv2
import numpy as np

from vision.cards.geometry import INDEX_X, INDEX_Y, PATCH_H, PATCH_W, SPAN_X, SPAN_Y
from vision.training.cards.crops import FACE_H, FACE_W, MASKS, Art, wear
from vision.training.cards.deck_art import RANKS, SUITS
from vision.training.cards.glyphs import NAMES
from vision.training.common.augment import photograph
from vision.training.common.backgrounds import Backgrounds

READABLE, NO_INDEX = 0, 1
"""What the corner reader calls a patch."""

CARD_W = PATCH_W / SPAN_X
"""Pixels of a card's width at the scale of a patch."""


class Indices:
    """Draws new indices over the corners of printed faces."""

    def __init__(self, work: Path) -> None:
        """Load the bank of glyphs."""
        bank = np.load(work / "glyphs.npz")
        self.ink = {name: bank[name] for name in bank.files}
        self.types = sorted({int(name.split(":")[0]) for name in bank.files if name[0] != "p"})

    @functools.cached_property
    def by_type(self) -> dict[int, dict[str, np.ndarray]]:
        """The glyphs of each type."""
        out: dict[int, dict[str, np.ndarray]] = {number: {} for number in self.types}
        for name, ink in self.ink.items():
            number, _, word = name.partition(":")
            if number != "pip":
                out[int(number)][word] = ink
        return out

    def draw(self, face: np.ndarray, rank: int, suit: int, rng: np.random.Generator) -> np.ndarray:
        """Paint out the top left corner of a face and draw another index there."""
        out = face.astype(np.float32)
        name = RANKS[rank]
        names = NAMES.get(name, (name,))
        word = names[rng.integers(len(names))]
        while True:
            glyphs = self.by_type[self.types[rng.integers(len(self.types))]]
            if word in glyphs:
                break
        large = rng.random() < 0.15
        tall = FACE_H * (rng.uniform(0.11, 0.17) if large else rng.uniform(0.052, 0.11))
        ink = glyphs[word]
        wide = ink.shape[1] * tall / ink.shape[0] * rng.uniform(0.55, 1.1)
        wide = min(wide * (0.85 if len(word) == 2 else 1.0), FACE_W * (0.26 if large else 0.19))
        pips = self.ink[f"pip:{SUITS[suit]}"]
        small = tall * rng.uniform(0.5, 1.05)
        room = max(wide, small)
        x = max(FACE_W * rng.uniform(0.055, 0.115), room / 2 + FACE_W * 0.015)
        y = FACE_H * rng.uniform(0.02, 0.065)
        gap = tall * rng.uniform(0.05, 0.35)
        # Outwards of the new index the old one must not show.
        paper = np.median(out[::9, ::9].reshape(-1, 3), axis=0)
        if paper.mean() < 150:
            paper = np.array([250.0, 250, 250])
        right = max(int(x + room / 2 + 3), int(FACE_W * 0.15))
        out[: max(int(y + tall + gap + small + 3), int(FACE_H * 0.24)), :right] = paper
        red = (rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(165, 255))
        dark = rng.uniform(0, 55)
        colour = np.array(red if suit in (1, 2) else (dark, dark, dark))
        pick = rng.random()
        if pick < 0.12:
            four = ((0, 0, 0), (30, 20, 210), (210, 90, 20), (40, 120, 10))
            colour = np.array(four[suit], np.float64)
        elif pick < 0.16:
            colour = rng.uniform(0, 170, 3)
        _stamp(out, ink, (x, y + tall / 2), (wide, tall), colour)
        shape = pips[rng.integers(len(pips))]
        squat = small * rng.uniform(0.75, 1.05)
        _stamp(out, shape, (x, y + tall + gap + small / 2), (squat, small), colour)
        return out.clip(0, 255).astype(np.uint8)


def _stamp(
    face: np.ndarray,
    ink: np.ndarray,
    middle: tuple[float, float],
    size: tuple[float, float],
    colour: np.ndarray,
) -> None:
    """Print a glyph on a face, in place."""
    w, h = max(round(size[0]), 2), max(round(size[1]), 2)
    part = cv2.resize(ink, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    x, y = max(round(middle[0] - w / 2), 0), max(round(middle[1] - h / 2), 0)
    region = face[y : y + h, x : x + w]
    part = part[: region.shape[0], : region.shape[1]]
    region[:] = region * (1 - part) + colour * part


class CornerMaker:
    """Draws patches with their labels."""

    def __init__(
        self,
        art: Art,
        backgrounds: Backgrounds,
        indices: Indices | None,
        real: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Keep what to draw; *real*: photographed patches and their labels."""
        self.art, self.backgrounds, self.indices, self.real = art, backgrounds, indices, real

    def make(self, rng: np.random.Generator) -> tuple[np.ndarray, int, int, int]:
        """Draw one patch: uint8 (PATCH_H, PATCH_W, 3) BGR; readable or not; rank; suit.

        Rank and suit are -1 where there is none to read.
        """
        if self.real is not None and rng.random() < 0.05:
            return self._photographed(rng)
        ground = self._ground(rng)
        chance = rng.random()
        if chance < 0.17:
            patch, label, kind = self._other(ground, rng), -1, NO_INDEX
        else:
            patch, label, kind = self._corner(ground, rng)
        patch = self._camera(patch, rng)
        rank, suit = (label % 13, label // 13) if label >= 0 and kind == READABLE else (-1, -1)
        return patch, kind, rank, suit

    def _ground(self, rng: np.random.Generator) -> np.ndarray:
        """What lies under the card: the table, or other cards."""
        ground = self.backgrounds.cut(PATCH_W, PATCH_H, rng)
        if rng.random() < 0.45:
            ground = self._lay(ground, self._any_face(rng), self._far(rng), rng)
        return ground

    def _any_face(self, rng: np.random.Generator) -> np.ndarray:
        face = self.art.face(rng)[0] if rng.random() < 0.75 else self.art.back(rng)
        return wear(face, rng)

    def _far(self, rng: np.random.Generator) -> np.ndarray:
        """Map a face's pixels to the patch, anywhere and anyhow turned."""
        angle = rng.uniform(0, 360)
        if rng.random() < 0.5:
            angle = 90 * int(rng.integers(4)) + rng.normal(0, 6)
        scale = CARD_W / FACE_W * np.exp(rng.normal(0, 0.05))
        matrix = cv2.getRotationMatrix2D((FACE_W / 2, FACE_H / 2), angle, scale)
        at = rng.uniform([-0.6, -0.6], [1.6, 1.6]) * [PATCH_W, PATCH_H]
        matrix[:, 2] += at - np.array([FACE_W / 2, FACE_H / 2])
        return matrix

    def _near(self, rng: np.random.Generator) -> np.ndarray:
        """Map a face's pixels to the patch, its top left index about in the middle."""
        rough = 1.0 if rng.random() < 0.5 else 0.4
        angle = rng.normal(0, 5 * rough)
        if rng.random() < 0.1:
            angle = rng.normal(0, 12)
        scale = np.exp(rng.normal(0, 0.09 * rough, 2))
        a = np.radians(angle)
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        shear = np.array([[1, rng.normal(0, 0.06 * rough)], [rng.normal(0, 0.05 * rough), 1]])
        unit = np.array([PATCH_W / (SPAN_X * FACE_W), PATCH_H / (SPAN_Y * FACE_H)])
        linear = turn @ shear @ np.diag(scale * unit)
        middle = np.array([PATCH_W / 2, PATCH_H / 2]) + rng.normal(0, 1.8 * rough, 2)
        index = np.array([INDEX_X * FACE_W, INDEX_Y * FACE_H])
        return np.column_stack([linear, middle - linear @ index])

    def _lay(
        self, ground: np.ndarray, face: np.ndarray, matrix: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Draw a card on the ground."""
        size = (PATCH_W, PATCH_H)
        mask = cv2.warpAffine(MASKS[rng.integers(len(MASKS))], matrix, size)
        cover = mask.astype(np.float32)[..., None] / 255
        card = cv2.warpAffine(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        if rng.random() < 0.6:
            shift = rng.integers(-3, 4, 2)
            dark = cv2.GaussianBlur(np.roll(cover[..., 0], tuple(shift), (0, 1)), (0, 0), 1.4)
            ground = ground * (1 - dark[..., None] * rng.uniform(0.1, 0.65))
        if rng.random() < 0.15:  # the cut edge, or tape round it
            edge = cv2.warpAffine(_EDGE, matrix, size).astype(np.float32)[..., None] / 255
            card = card * (1 - edge) + rng.uniform(0, 130) * edge
        return card * cover + ground * (1 - cover)

    def _corner(self, ground: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, int, int]:
        """Draw a card's corner with its index, covered here and there."""
        face, label = self.art.face(rng)
        if rng.random() < 0.5:
            face = face[::-1, ::-1]
        if self.indices is not None and rng.random() < 0.5:
            label = int(rng.integers(52))
            face = self.indices.draw(face, label % 13, label // 13, rng)
        kind = READABLE if label >= 0 else NO_INDEX
        if rng.random() < 0.05:  # the index painted out, as on period decks
            face = face.copy()
            h, w = int(FACE_H * 0.3), int(FACE_W * 0.18)
            face[:h, :w] = np.median(face.reshape(-1, 3), axis=0)
            kind = NO_INDEX
        matrix = self._near(rng)
        patch = self._lay(ground, _aged(face, rng), matrix, rng)
        pick = rng.random()
        if pick < 0.4:
            self._edge_over(patch, matrix, rng)
        elif pick < 0.47:  # something over the index itself
            self._edge_over(patch, matrix, rng, hides=True)
            kind = NO_INDEX
        return patch, label, kind

    def _edge_over(
        self, patch: np.ndarray, matrix: np.ndarray, rng: np.random.Generator, hides: bool = False
    ) -> None:
        """Lay another card over the face, beyond the index or over it, in place."""
        upright = rng.random() < 0.5
        if upright:
            at = rng.uniform(0.0, 0.1) if hides else rng.uniform(0.17, 0.32)
            line = np.array([[at * FACE_W, -50.0], [at * FACE_W, FACE_H + 50.0]])
        else:
            at = rng.uniform(0.0, 0.1) if hides else rng.uniform(0.22, 0.36)
            line = np.array([[FACE_W + 50.0, at * FACE_H], [-50.0, at * FACE_H]])
        lean = np.radians(rng.normal(0, 8))
        turn = np.array([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
        index = np.array([INDEX_X * FACE_W, INDEX_Y * FACE_H])
        # Lean about the point beside the index, so that the edge stays clear of it.
        pivot = np.array([at * FACE_W, index[1]] if upright else [index[0], at * FACE_H])
        line = (line - pivot) @ turn + pivot
        (ax, ay), (bx, by) = line @ matrix[:, :2].T + matrix[:, 2]
        y, x = np.mgrid[0:PATCH_H, 0:PATCH_W].astype(np.float32)
        away = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / max(np.hypot(bx - ax, by - ay), 1)
        # Positive on the side of the rest of the card: that is covered, the index is not.
        rest = matrix[:, :2] @ np.array([2.0 * FACE_W, 2.0 * FACE_H]) + matrix[:, 2]
        if (bx - ax) * (rest[1] - ay) - (by - ay) * (rest[0] - ax) < 0:
            away = -away
        over = np.clip(away + 0.5, 0, 1)[..., None]
        pick = rng.random()
        if pick < 0.75:
            cover = self._lay(
                patch.copy(), self._any_face(rng), self._beside(line, matrix, rng), rng
            )
        elif pick < 0.9:
            cover = np.full_like(patch, 0.0) + np.array([90, 120, 190]) * rng.uniform(0.4, 1.2)
        else:
            cover = self.backgrounds.cut(PATCH_W, PATCH_H, rng)
        dark = cv2.GaussianBlur(over[..., 0], (0, 0), 1.5)[..., None] * (1 - over)
        patch[:] = (cover * over + patch * (1 - over)) * (1 - dark * rng.uniform(0, 0.6))

    def _beside(self, line: np.ndarray, matrix: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Map another face so that its edge lies about on *line* of the card under it."""
        if rng.random() < 0.3:
            return self._far(rng)
        other = matrix.copy()
        upright = abs(line[0, 0] - line[1, 0]) < abs(line[0, 1] - line[1, 1])
        middle = line.mean(axis=0)
        moved = np.array([middle[0], 0.0]) if upright else np.array([0.0, middle[1]])
        other[:, 2] += matrix[:, :2] @ moved
        return other

    def _other(self, ground: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw something in which no index lies in the middle."""
        if rng.random() < 0.75:
            face = self.art.face(rng)[0] if rng.random() < 0.7 else self.art.back(rng)
            matrix = self._far(rng)
            index = matrix[:, :2] @ np.array([INDEX_X * FACE_W, INDEX_Y * FACE_H]) + matrix[:, 2]
            other = (
                matrix[:, :2] @ np.array([(1 - INDEX_X) * FACE_W, (1 - INDEX_Y) * FACE_H])
                + matrix[:, 2]
            )
            middle = np.array([PATCH_W / 2, PATCH_H / 2])
            for at in (index, other):
                if np.abs(at - middle).max() < 14:
                    matrix[:, 2] += np.array([PATCH_W, PATCH_H]) * 0.7
            return self._lay(ground, wear(face, rng), matrix, rng)
        ground = np.ascontiguousarray(ground, np.uint8)
        if rng.random() < 0.5:
            self.backgrounds.clutter(ground, rng)
        return ground

    def _camera(self, patch: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Pass a patch through the camera: small in the picture, it has fewer pixels."""
        patch = np.ascontiguousarray(patch.clip(0, 255), np.uint8)
        size = (PATCH_W, PATCH_H)
        small = float(np.exp(rng.uniform(np.log(0.33), np.log(1.4))))
        if small < 1:
            patch = cv2.resize(patch, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
        patch = photograph(patch, rng, rough=0.85)
        if small < 1:
            way = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
            patch = cv2.resize(patch, size, interpolation=way)
        return patch

    def _photographed(self, rng: np.random.Generator) -> tuple[np.ndarray, int, int, int]:
        assert self.real is not None
        number = rng.integers(len(self.real[0]))
        picture, label = self.real[0][number], int(self.real[1][number])
        h, w = picture.shape[:2]
        scale = np.exp(rng.normal(0.05, 0.09, 2)) * w / 1.25
        middle = np.array([w, h]) / 2 + rng.normal(0, 0.025, 2) * [w, h]
        half = np.array([scale[0], scale[1] * h / w]) / 2
        x0, y0 = np.maximum(middle - half, 0).astype(int)
        x1, y1 = (middle + half).astype(int)
        patch = cv2.resize(picture[y0:y1, x0:x1], (PATCH_W, PATCH_H), interpolation=cv2.INTER_AREA)
        return self._camera(patch, rng), READABLE, label % 13, label // 13


def _aged(face: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other paper and ink, with the index left in place."""
    state = wear(face, rng)
    h, w = int(FACE_H * 0.26), int(FACE_W * 0.16)
    # `wear` paints indices out now and then; here that is decided with the label.
    return face if state[:h, :w].std() < 0.5 * face[:h, :w].std() else state


_EDGE = np.zeros((FACE_H, FACE_W), np.uint8)
cv2.rectangle(_EDGE, (0, 0), (FACE_W - 1, FACE_H - 1), 255, 3)

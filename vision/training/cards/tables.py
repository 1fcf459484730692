"""Lay tables for the renderer: which cards and things lie where, and how they look."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor

from vision.training.cards.art import Art, Deck
from vision.training.cards.layouts import corners, lay_out
from vision.training.cards.render import Grounds, Things, paint
from vision.training.cards.things import FINGER, PALM, SIZES

FACE, BACK, THING = 0, 1, 2
"""Kinds of things."""

CARD_MM = 62.0

JOKERS = 0.12
"""Part of the faces that is a joker."""


@dataclass
class Scenes:
    """A batch of drawn scenes, before any camera.

    Attributes:
        pictures: float32 (b, h, w, 3) BGR, 0-255.
        owner: which thing each pixel shows, int64 (b, h, w), -1 for none.
        scene, quad: of each thing, as in :class:`~vision.training.cards.render.Things`.
        kind: :data:`FACE`, :data:`BACK` or :data:`THING`, int64 (n,).
        label: 13 * suit + rank, -1 for what has none, int64 (n,).
        indices: how many indices a face has, 0, 2 or 4, int64 (n,).
    """

    pictures: Tensor
    owner: Tensor
    scene: Tensor
    quad: Tensor
    kind: Tensor
    label: Tensor
    indices: Tensor


class Tables:
    """Draws scenes, on the device of its art."""

    def __init__(
        self,
        art: Art,
        size: tuple[int, int] = (384, 288),
        card_px: tuple[float, float] = (20.0, 220.0),
    ) -> None:
        """Keep what to draw, for scenes of *size* with cards so many pixels wide."""
        self.art, self.size, self.card_px = art, size, card_px
        self.device = art.atlas.texels.device

    def draw(self, count: int, rng: np.random.Generator) -> Scenes:
        """Draw *count* scenes."""
        columns: dict[str, list] = defaultdict(list)
        tables: dict[str, list] = defaultdict(list)
        for scene in range(count):
            _Table(self, scene, columns, tables, rng).lay()
        things = Things.of(columns, self.device)
        names = ("picture", "plane", "across", "tint", "beyond")
        grounds = Grounds(*(np.array(tables[name]) for name in names))
        pictures, owner = paint(things, grounds, self.art.atlas, self.size)
        kind, label, indices = (
            torch.as_tensor(np.array(columns[name]), dtype=torch.int64, device=self.device)
            for name in ("kind", "label", "indices")
        )
        return Scenes(pictures, owner, things.scene, things.quad, kind, label, indices)


class _Table:
    """One scene in the making."""

    def __init__(
        self,
        of: Tables,
        scene: int,
        columns: dict[str, list],
        tables: dict[str, list],
        rng: np.random.Generator,
    ) -> None:
        self.art, self.size, self.scene, self.columns = of.art, of.size, scene, columns
        self.tables, self.rng = tables, rng
        self.wide = float(np.exp(rng.uniform(*np.log(of.card_px))))
        self.tall = self.wide * rng.uniform(1.32, 1.56)
        self.view = self._camera()
        self.radius, self.cut = rng.uniform(0.015, 0.075), 0.0
        if rng.random() < 0.04:
            self.cut = rng.uniform(0.05, 0.16)
        angle, high = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.05) * self.wide
        dark = rng.uniform(0.1, 0.6) if rng.random() < 0.7 else 0.0
        soft = max(rng.uniform(0.01, 0.06) * self.wide, 0.8)
        far = min(high, 6.0) * np.array([np.cos(angle), np.sin(angle)])
        self.shadow = np.array([dark, min(soft, 5.0), *far])
        self.rim = rng.uniform(-0.1, 0.5) if rng.random() < 0.6 else 0.0
        # Varnish: each card mirrors the lamp in another place.
        shiny = rng.random() < 0.3
        self.gloss = rng.uniform(30, 210) if shiny else 0.0
        self.lamp = rng.uniform([0, 0], self.size)
        self.lamp_px = rng.uniform(0.1, 1.0) * max(self.wide, 40)
        self.bulge = abs(rng.normal(0, 0.018)) if rng.random() < 0.5 else 0.0
        self.paper = self._paper()
        self.redden = rng.uniform(0, 0.65) if rng.random() < 0.3 else 0.0
        self.skin = np.array([rng.uniform(0.6, 1.15), 1.0, 1.0]) * rng.uniform(0.35, 1.2)

    def lay(self) -> None:
        """Lay everything, from the lowest up."""
        rng = self.rng
        mat = self._ground()
        for _ in range(int(rng.integers(1, 5)) if rng.random() < 0.45 else 0):
            self._thing()
        deck = self._deck()
        pack = rng.permutation(list(deck.faces)).tolist()
        backs = [self._one_of(self.art.backs)]
        if rng.random() < 0.2:
            backs.append(self._one_of(self.art.backs))
        mixed = rng.random() < 0.25
        lying = lay_out(self.size, self.wide, self.tall, rng) if rng.random() < 0.96 else []
        pinched = rng.integers(len(lying)) if lying and rng.random() < 0.1 else -1
        for number, card in enumerate(lying):
            if mixed:
                deck = self._deck()
                pack = [self._one_of(list(deck.faces))]
            degrees = card.degrees
            if mat is not None and rng.random() < 0.5:
                degrees = mat + 90 * round((degrees - mat) / 90) + rng.normal(0, 4)
            box = corners(card.x, card.y, degrees, self.wide, self.tall)
            if card.face_up:
                if not pack:
                    pack = rng.permutation(list(deck.faces)).tolist()
                label = pack.pop()
                picture = deck.faces[label]
                if deck.jokers and rng.random() < JOKERS:
                    label, picture = -1, self._one_of(deck.jokers)
                indices = (4 if deck.four else 2) if deck.indexed else 0
                self._card(box, FACE, picture, label, indices)
            else:
                self._card(box, BACK, self._one_of(backs), -1, 0)
            if number == pinched:
                self._hand(np.array([card.x, card.y]))
        for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.12 else 0):
            self._thing()
        if rng.random() < 0.1:
            self._hand(rng.uniform([0, 0], self.size))

    def _camera(self) -> np.ndarray:
        """Map the plane of the table (pixels as seen from above) to the tilted view."""
        w, h = self.size
        rng = self.rng
        tilt = np.radians(rng.uniform(0, 47) if rng.random() < 0.65 else rng.uniform(0, 8))
        way = rng.uniform(0, 2 * np.pi)
        focal = rng.uniform(0.8, 1.6) * w
        turn, _ = cv2.Rodrigues(np.array([np.cos(way), np.sin(way), 0]) * tilt)
        k = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1]])
        plane = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1]])
        seen = turn @ np.diag([1 / focal, 1 / focal, 0]) + np.outer([0, 0, 1.0], [0, 0, 1])
        return k @ seen @ plane

    def _paper(self) -> np.ndarray:
        """Other paper and ink: yellowed, grey, tinted or faded; factors, then what is added."""
        rng = self.rng
        factor, added = np.ones(3), 0.0
        if rng.random() < 0.4:
            factor = np.array([rng.uniform(0.72, 1), rng.uniform(0.85, 1), rng.uniform(0.9, 1)])
            if rng.random() < 0.4:
                rng.shuffle(factor)
        factor = factor * rng.uniform(0.75, 1.0)
        if rng.random() < 0.2:
            added = rng.uniform(0, 90)
        return np.concatenate([factor * (1 - added / 255), np.full(3, added)])

    def _deck(self) -> Deck:
        return self._one_of(self.art.printed if self.rng.random() < 0.25 else self.art.drawn)

    def _one_of(self, given: list) -> Any:
        return given[int(self.rng.integers(len(given)))]

    def _ground(self) -> float | None:
        """Choose the table; return how the printed mat is turned, degrees, if it is that."""
        rng = self.rng
        w, h = self.size
        degrees = rng.uniform(0, 360)
        mat = rng.random() < 0.17
        if mat:
            picture, millimetres = self.art.mats[int(rng.integers(len(self.art.mats)))]
            across = millimetres / CARD_MM * self.wide
            tint = np.repeat([rng.uniform(0.75, 1.0), 0.0], 3)
        else:
            picture = self._one_of(self.art.grounds)
            across = float(np.exp(rng.uniform(np.log(0.9), np.log(4)))) * w
            tint = np.concatenate([rng.uniform(0.5, 1.2) * np.exp(rng.normal(0, 0.1, 3)), [0] * 3])
        wide_px, tall_px = self.art.atlas.size[picture].tolist()
        down = across * tall_px / wide_px
        a = np.radians(degrees)
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        middle = rng.uniform(0.15, 0.85, 2) if mat else rng.uniform(0, 1, 2)
        linear = np.diag([1 / across, 1 / down]) @ turn
        plane = np.eye(3)
        plane[:2, :2] = linear
        plane[:2, 2] = middle - linear @ np.array([w / 2, h / 2])
        self.tables["picture"].append(picture)
        self.tables["plane"].append(plane @ np.linalg.inv(self.view))
        self.tables["across"].append(across)
        self.tables["tint"].append(tint)
        self.tables["beyond"].append(rng.uniform(10, 200, 3) if mat else np.full(3, -1.0))
        return degrees if mat else None

    def _add(self, box: np.ndarray, kind: int, picture: int, radius: float, **look: object) -> None:
        """Lay a thing under *box*, float (4, 2), pixels of the table; it need not be in sight."""
        quad = cv2.perspectiveTransform(box[None].astype(np.float64), self.view)[0]
        low, high = quad.min(axis=0), quad.max(axis=0)
        if (high < 0).any() or (low > self.size).any():
            return
        if not cv2.isContourConvex(quad.astype(np.float32)):
            return
        given = {
            "scene": self.scene, "quad": quad, "picture": picture, "radius": radius, "cut": 0.0,
            "curl": (0.0, 0.0), "shadow": self.shadow, "tint": (1.0, 1.0, 1.0, 0.0, 0.0, 0.0),
            "redden": 0.0, "bend": (0.0, 0.0), "gloss": (0.0, 0.0, 0.0, 1.0), "rim": 0.0,
            "kind": kind, "label": -1, "indices": 0,
        }  # fmt: skip
        for name, value in (given | look).items():
            self.columns[name].append(value)

    def _card(self, box: np.ndarray, kind: int, picture: int, label: int, indices: int) -> None:
        rng = self.rng
        curl = np.array([0.0, 0.0])
        if self.bulge:
            curl[int(rng.random() < 0.5)] = rng.normal(0, self.bulge)
        bend = rng.normal(0, 0.05, 2) + 4 * curl
        lamp = self.lamp + rng.normal(0, 0.6, 2) * self.wide
        gloss = self.gloss * rng.uniform(0.2, 1) if rng.random() < 0.7 else 0.0
        tint = self.paper.copy()
        tint[:3] *= rng.uniform(0.94, 1.0)
        self._add(
            box, kind, picture, self.radius, cut=self.cut, curl=curl, tint=tint, bend=bend,
            redden=self.redden, gloss=(gloss, *lamp, self.lamp_px), rim=self.rim,
            label=label, indices=indices,
        )  # fmt: skip

    def _thing(self) -> None:
        rng = self.rng
        name = self._one_of(list(SIZES))
        across, ratio, radius = SIZES[name]
        wide = across * self.wide * rng.uniform(0.8, 1.25)
        at, degrees = rng.uniform([0, 0], self.size), rng.uniform(0, 360)
        if rng.random() < 0.5:
            wide, ratio = wide * rng.uniform(0.9, 1.1), ratio * rng.uniform(0.9, 1.1)
        if radius == 0.5:
            ratio = 1.0
        several = int(rng.integers(1, 9)) if name in ("chip", "coin") else 1
        pictures = self.art.things[name]
        for _ in range(several):
            box = corners(*at, degrees, wide, wide * ratio)
            tint = (*np.exp(rng.normal(0, 0.1, 3)), 0.0, 0.0, 0.0)
            self._add(box, THING, self._one_of(pictures), radius, tint=tint, rim=self.rim)
            at = at + rng.normal(0, 0.7, 2) * wide

    def _hand(self, tip: np.ndarray) -> None:
        """Lay a hand over the table, the tip of its longest finger about at *tip*."""
        rng = self.rng
        toward = rng.uniform(0, 360)
        tint = (*self.skin, 0.0, 0.0, 0.0)
        size = self.wide * rng.uniform(1.0, 1.4)
        a = np.radians(toward)
        up, side = np.array([np.sin(a), -np.cos(a)]), np.array([np.cos(a), np.sin(a)])
        mirrored = rng.choice([-1, 1])
        shadow = self.shadow * [1, 1, 1, 1]
        shadow[0] = rng.uniform(0.2, 0.6)

        def part(name: str, middle: np.ndarray, turn: float, wide: float, tall: float, r: float):
            box = corners(*middle, toward + turn, wide * size, tall * size)
            picture = self._one_of(self.art.things[name])
            self._add(box, THING, picture, r, tint=tint, shadow=shadow)

        palm = tip - up * size * 1.75
        part(PALM, palm - up * size * 2.6, 0, 0.8, 4.2, 0.3)
        long = np.array([0.95, 1.1, 1.02, 0.78]) * rng.uniform(0.45, 1.05)
        fan = rng.uniform(0, 9)
        for k in range(4):
            turn = mirrored * (k - 1.4) * fan + rng.normal(0, 3)
            b = np.radians(toward + turn)
            way = np.array([np.sin(b), -np.cos(b)])
            root = palm + up * size * 0.6 + side * mirrored * (k - 1.5) * 0.31 * size
            part(FINGER, root + way * long[k] * size / 2, turn, 0.29, long[k] + 0.3, 0.48)
        turn = -mirrored * rng.uniform(15, 60)
        b = np.radians(toward + turn)
        way = np.array([np.sin(b), -np.cos(b)])
        root = palm - side * mirrored * 0.5 * size
        part(FINGER, root + way * 0.45 * size, turn, 0.33, 1.2, 0.48)
        part(PALM, palm, 0, 1.25, 1.5, 0.32)

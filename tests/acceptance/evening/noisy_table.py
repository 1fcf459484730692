"""The drawn table of the evening: cards fall beside the mat, mats are knocked, light changes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import cv2
import numpy as np

from device.simulator.bone_table import BonesTable
from device.simulator.scat_table import ScatTable
from device.simulator.scenery import draw_arm
from device.simulator.sprites import PlacedCard, draw_sprite
from tests.support.lights import EVILS
from vision.mat.pose import MatLayout

SEATS = 6
MIDDLE = SEATS
"""The mat has a place more than there are players: in Thirty-one cards may lie between them."""

PAPER = "A1"
KEPT_SPRITES = 48
"""Few, so that what is drawn takes no more memory as the evening goes on."""


class ClumsyTable(ScatTable):
    """A table on which cards are also dropped, found, and laid where they belong."""

    def __init__(self, style, seed, size):
        super().__init__(
            MatLayout(SEATS + 1, PAPER), middle=MIDDLE, style=style, seed=seed, size=size
        )
        self._sprite = lru_cache(maxsize=KEPT_SPRITES)(
            partial(draw_sprite, self.matrix, style, size)
        )

    def drop(self, lying: PlacedCard, by: int) -> PlacedCard:
        """Let a card lie half beside the mat, on the side of the player *by*."""
        home, wide = self._stage.home(by), self.layout.size_mm
        x = min(max(home[0], -12.0), wide[0] + 12.0)
        y = min(max(home[1], -12.0), wide[1] + 12.0)
        fallen = replace(lying, x_mm=x, y_mm=y, degrees=lying.degrees + 25)
        self._change(by, {lying: fallen})
        return fallen

    def pick_up(self, lying: PlacedCard, by: int) -> None:
        """Take one card up, wherever it lies."""
        here = next(each for each in self.cards if each == lying)
        self._take(here, by)

    def turn_over(self, seat: int, cards, face_up: bool, by: int) -> None:
        """Turn cards of a seat over where they lie."""
        chosen = set(cards)
        after = tuple(
            self._places.wobbled(replace(each, face_up=face_up)) if each in chosen else each
            for each in self.cards
        )
        one = next(iter(chosen))
        self._cards.move(by, one.centre_mm, (self.cards, 0.8), (after, 1.0), (after, 0.6))

    def jolt(self, rng, most_mm: float) -> None:
        """Let every card slide a little, as they do when the mat is knocked."""
        self._cards.things = _jolted(self.cards, rng, most_mm)
        self._cards.acts += 1


class ClumsyBones(BonesTable):
    """The same mat with bones on it."""

    def __init__(self, dye, seed, size):
        super().__init__(MatLayout(SEATS + 1, PAPER), seed=seed, size=size, dye=dye)

    def jolt(self, rng, most_mm: float) -> None:
        """Let every bone slide a little."""
        self._bones.things = _jolted(self.bones, rng, most_mm)
        self._bones.acts += 1


class Room:
    """The table in its room, as the camera over it sees both.

    Attributes:
        table: what lies on it.
        light: one of ``lights.EVILS``, or nothing.
        cover: ``hand``, ``arm`` or ``black`` while something keeps the camera from seeing.
        arm: whose arm it is; ``None``: of somebody who stands where nobody sits.
        plugged: the camera's cable is in.
    """

    def __init__(self, table, size, seed):
        self.table = table
        self.size = size
        self.light, self.strength = "", 1.0
        self.cover, self.arm = "", None
        self.plugged = True
        self.frames = 0
        self._seed = seed
        self._knocked = np.eye(2, 3)
        self._way: list[np.ndarray] = []
        self._noise = np.random.default_rng([seed, 7])

    @property
    def is_moving(self) -> bool:
        """Say whether anything moves that a person would wait for."""
        return bool(self._way) or self.table.is_moving

    def knock(self, dx: float, dy: float, degrees: float) -> None:
        """Push the mat; it lies there from now on, *dx* and *dy* pixels from where it began."""
        middle = (self.size[0] / 2, self.size[1] / 2)
        # A little smaller, so that all of the mat stays in the picture however it is turned.
        shrunk = 1 - 0.012 * abs(degrees)
        after = cv2.getRotationMatrix2D(middle, degrees, shrunk)
        after[:, 2] += (dx, dy)
        self._way = [
            self._knocked + (after - self._knocked) * part for part in (0.3, 0.8, 1.05, 1.0)
        ]

    def frame(self):
        """Draw the next moment: uint8 (height, width, 3), BGR."""
        self.frames += 1
        if self.cover == "black":
            noise = self._noise.integers(0, 3, (self.size[1], self.size[0], 1), np.uint8)
            self.table.settle()
            return np.repeat(noise, 3, axis=2)
        image = self.table.frame()
        if self._way:
            self._knocked = self._way.pop(0)
        if not np.array_equal(self._knocked, np.eye(2, 3)):
            image = cv2.warpAffine(
                image, self._knocked, self.size, flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
        if self.light:
            # The lamp stays where it is from frame to frame: only the noise is another.
            rng = np.random.default_rng([self._seed, 3])
            if self.light in ("dim", "noise"):
                rng = self._noise
            image = EVILS[self.light](image, rng, self.strength)
        if self.cover:
            image = self._covered(image)
        return image

    def _covered(self, image):
        """Hold a hand before the lens: close to it and blurred, or an arm over a part."""
        image = image.copy()
        wide, high = self.size
        if self.cover == "hand":
            cv2.ellipse(
                image, (int(0.52 * wide), int(0.5 * high)), (int(0.6 * wide), int(0.62 * high)),
                20, 0, 360, (110, 142, 196), -1,
            )  # fmt: skip
            return cv2.GaussianBlur(image, (0, 0), 9.0)
        across, down = self.table.layout.size_mm
        stage = self.table._stage
        if self.arm is None:
            shoulder, tip = (0.5 * across, down + 260), (0.35 * across, 0.3 * down)
            draw_arm(image, self.table.matrix, stage.light, shoulder, tip, 2)
        else:
            x, y = stage.home(self.arm)
            stage.draw_arm(image, self.arm, ((x + across) / 3, (y + down) / 3))
        return image


def _jolted(things, rng, most_mm: float):
    """Return cards or bones, each pushed a little aside."""
    return tuple(
        replace(
            each,
            x_mm=each.x_mm + rng.uniform(-most_mm, most_mm),
            y_mm=each.y_mm + rng.uniform(-most_mm, most_mm),
        )
        for each in things
    )

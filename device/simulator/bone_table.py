"""The simulated table for knucklebones: they are thrown, tumble and come to rest."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.bones import DYES, PlacedBone, bone_points, draw_bone, length_mm, project
from device.simulator.scenery import Point, between
from device.simulator.table import SimulatedTable, Spread, TableFullError, middle_of
from engine.core.bones import Face
from vision.mat.pose import MatLayout

FALLS = {Face.FLAT: 0.135, Face.CONCAVE: 0.385, Face.CONVEX: 0.385, Face.TWISTED: 0.095}
"""Share of each face in 200 throws by students (2018)."""

ON_END = 0.001
"""Share of throws that leave a bone on its end, which shows no face (KB-15)."""

TUMBLE_FRAMES = 6
"""Frames from the throw until the bones rest."""

_APART_MM = 1.5
"""Minimum distance between two bones."""

_TRIES = 400


class BonesTable(SimulatedTable):
    """A simulated table on which bones are thrown.

    Every act is a movement of a few frames; :attr:`bones` is the state at its end.
    """

    def __init__(
        self, layout: MatLayout, *, seed: int = 0, dye: str = "ivory", **more: Any
    ) -> None:
        """Set up the table; *dye* is one of :data:`DYES`, *more* is for the base class."""
        super().__init__(layout, seed=seed, **more)
        if dye not in DYES:
            raise ValueError(f"no bones are dyed {dye!r}; choose one of {', '.join(DYES)}")
        self._bones = Spread[PlacedBone](self._stage)
        self._spreads.append(self._bones)
        self._fate = random.Random(f"{seed}-bones")
        self._bone_sprite = lru_cache(maxsize=64)(
            lambda lying: draw_bone(self.matrix, self._stage.size, lying, dye)
        )

    @property
    def bones(self) -> tuple[PlacedBone, ...]:
        """Return the bones that lie on the table, first thrown first."""
        return self._bones.things

    def lying(self) -> tuple[tuple[Point, Face | None], ...]:
        """Return where each bone lies, in millimetres, and the face uppermost."""
        return tuple(((bone.x_mm, bone.y_mm), bone.face) for bone in self.bones)

    def outline(self, lying: PlacedBone) -> NDArray[np.float32]:
        """Return the outline of a bone in the frame, float32 (n, 2): its hull."""
        seen = project(self.matrix, self._stage.size, bone_points(lying))[:, :2]
        return np.asarray(cv2.convexHull(seen.astype(np.float32))[:, 0], np.float32)

    def throw(
        self, by: int, count: int, *, faces: Sequence[Face | None] | None = None
    ) -> tuple[Face | None, ...]:
        """Throw *count* bones from the hand of seat *by*; those that lie there stay.

        They fall as *faces* says, ``None`` for one on its end; without it by chance. Return the
        faces that lie uppermost when the bones rest (KB-1).

        Raises:
            TableFullError: there is no room left.
        """
        fallen = tuple(faces) if faces is not None else tuple(self._fall() for _ in range(count))
        if len(fallen) != count:
            raise ValueError(f"{count} bones are thrown, but {len(fallen)} faces named; name each")
        rest = list(self.bones)
        taken = {bone.number for bone in rest}
        numbers = [n for n in range(count + len(rest)) if n not in taken][:count]
        wide, high = self.layout.size_mm
        middle = wide * self._fate.uniform(0.42, 0.58), high * self._fate.uniform(0.42, 0.58)
        for number, face in zip(numbers, fallen, strict=True):
            rest.append(self._put_bone(number, face, middle, rest))
        new = rest[len(self.bones) :]
        home = self._stage.home(by)
        steps: list[tuple[Sequence[PlacedBone], float | None]] = [(self.bones, 0.45)]
        for step in range(1, TUMBLE_FRAMES + 1):
            part = 1 - (1 - step / (TUMBLE_FRAMES + 1)) ** 2
            flying = [_flying(bone, home, part) for bone in new]
            steps.append(((*self.bones, *flying), 0.45 * (1 - part) if part < 0.7 else None))
        self._bones.move(by, middle, *steps)
        self._bones.things = tuple(rest)
        return fallen

    def bump(
        self, index: int, by: int, *, face: Face | None = None, spread_mm: float = 30.0
    ) -> PlacedBone:
        """Push one bone aside, and turn it to *face* if given.

        Raises:
            TableFullError: there is no room beside it.
        """
        old = self.bones[index]
        others = [bone for bone in self.bones if bone is not old]
        new = self._put_bone(old.number, face or old.face, (old.x_mm, old.y_mm), others, spread_mm)
        self._reach(by, [new if bone is old else bone for bone in self.bones], (new.x_mm, new.y_mm))
        return new

    def lift(self, by: int) -> None:
        """Take all bones up."""
        if self.bones:
            self._reach(by, [], middle_of(self.bones))

    def frame(self) -> Image:
        """Draw the next moment: uint8 (height, width, 3), BGR; a movement goes on by one step."""
        image = super().frame()
        bones, seat, tip = self._bones.advance()
        for lying in sorted(bones, key=lambda bone: bone.y_mm):  # the far ones first
            sprite = self._bone_sprite(lying)
            if sprite is not None:
                sprite.draw(image, self._stage.light)
        if tip is not None:
            self._stage.draw_arm(image, seat, tip)
        return image

    # Private

    def _empty(self) -> Image:
        return self._stage.draw_bare()  # the stock would be in the way of the bones

    def _reach(self, by: int, after: Sequence[PlacedBone], goal: Point) -> None:
        self._bones.move(by, goal, (self.bones, 0.7), (after, 1.0), (after, 0.5))

    def _fall(self) -> Face | None:
        if self._fate.random() < ON_END:
            return None
        return self._fate.choices(list(FALLS), list(FALLS.values()))[0]

    def _put_bone(
        self,
        number: int,
        face: Face | None,
        middle: Point,
        others: Sequence[PlacedBone],
        spread_mm: float = 60.0,
    ) -> PlacedBone:
        """Find a resting place near *middle*, on the mat and clear of the *others*."""
        wide, high = self.layout.size_mm
        for k in range(_TRIES):
            reach = spread_mm * (1 + 3 * k / _TRIES)
            lying = PlacedBone(
                number,
                self._fate.gauss(middle[0], reach),
                self._fate.gauss(middle[1], 0.7 * reach),
                self._fate.uniform(0, 360),
                face,
            )
            inside = 40 < lying.x_mm < wide - 40 and 40 < lying.y_mm < high - 40
            if inside and not any(_touch(lying, other) for other in others):
                return lying
        raise TableFullError(
            f"no room for another bone on {self.layout.paper}; lift the bones, or take larger paper"
        )


def _flying(rest: PlacedBone, home: Point, part: float) -> PlacedBone:
    """Return a bone after *part* (0-1) of its flight: it bounces, and tumbles less and less."""
    x, y = between(home, (rest.x_mm, rest.y_mm), 0.35 + 0.65 * part)
    bounce = abs(np.cos(2.5 * np.pi * part)) * 70 * (1 - part) ** 1.5
    left = (1 - part) * 540
    return replace(
        rest,
        x_mm=x,
        y_mm=y,
        z_mm=float(bounce),
        degrees=rest.degrees + left * (1 if rest.number % 2 else -1),
        roll=left * 1.3,
        pitch=left * (0.4 + 0.1 * rest.number),
    )


def _touch(one: PlacedBone, other: PlacedBone) -> bool:
    near = (length_mm(one.number) + length_mm(other.number)) / 2 + _APART_MM
    if np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > 1.4 * near:
        return False
    shared, _ = cv2.intersectConvexConvex(_hull(one), _hull(other))
    return shared > 0


@lru_cache(maxsize=256)
def _hull(lying: PlacedBone) -> NDArray[np.float32]:
    """Return a bone's outline from above, slightly widened: float32 (n, 2), millimetres."""
    flat = bone_points(lying)[:, :2].astype(np.float32)
    middle = flat.mean(axis=0)
    hull = cv2.convexHull(flat)[:, 0]
    return np.asarray(middle + (hull - middle) * (1 + _APART_MM / 15), np.float32)

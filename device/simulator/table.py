"""A table that exists only as pictures: a mat, cards that lie on it, and arms that move them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.scenery import (
    Noise,
    blend,
    carry,
    draw_arm,
    lamplight,
    mat_to_frame,
    warp,
    wood,
)
from device.simulator.sprites import CARD_MM, Lying, draw_sprite
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from vision.mat.pose import MatLayout, draw_mat
from vision.readings import Zone, ZoneKind

FRAME_SIZE = (1600, 1200)
"""Width and height of a frame in pixels."""

WOOD_MM = (1.9, 2.3)
"""How much wider and higher than the mat the table is."""

_Point = tuple[float, float]
_GAPS_MM = (20.0, 16.0, 12.0, 9.0, 6.0)
_ENOUGH = 7
"""Cards that a place should hold with a wide gap; few hands have more."""


class TableFullError(BoneAceError, ValueError):
    """There is no room left for another card."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """One frame of a movement: the cards, and the seat whose arm reaches to *tip*."""

    cards: tuple[Lying, ...]
    seat: int
    tip: _Point


class VirtualTable:
    """Cards on a mat, seen by a camera that hangs over it.

    Every act (:meth:`lay`, :meth:`turn_up`, ...) is a movement of a few frames with an arm in the
    picture; what :meth:`face_up` tells is what lies there when it is over.

    Attributes:
        layout: the mat.
        matrix: carries millimetres of the mat to pixels of a frame.
    """

    def __init__(
        self,
        layout: MatLayout,
        *,
        style: str = "modern",
        seed: int = 0,
        size: tuple[int, int] = FRAME_SIZE,
        tilt_deg: float = 12.0,
    ) -> None:
        """Lay the mat on a table; *seed* chooses the wood, the light and how neatly cards lie."""
        self.layout = layout
        self._size = size
        self._rng = random.Random(f"{seed}-places")
        chance = np.random.default_rng([seed, 1])
        roll = float(chance.uniform(-1.5, 1.5))
        self.matrix = mat_to_frame(layout.size_mm, size, tilt_deg, roll)
        self._light = lamplight(size, chance)
        self._noise = Noise(size, np.random.default_rng([seed, 2]))
        self._slots = {seat: _slots(layout, seat) for seat in range(layout.seats)}
        self._cards: tuple[Lying, ...] = ()
        self._scenes: list[_Scene] = []
        self._acts = 0
        self._sprite = lru_cache(maxsize=256)(partial(draw_sprite, self.matrix, style, size))
        self._pictures: dict[tuple[Lying, ...], Image] = {(): self._empty(chance)}

    # What lies there

    @property
    def is_moving(self) -> bool:
        """Say whether an arm is still in the picture."""
        return bool(self._scenes)

    @property
    def cards(self) -> tuple[Lying, ...]:
        """Return all that lies on the mat, first laid first."""
        return self._cards

    def at(self, seat: int) -> tuple[Lying, ...]:
        """Return the cards of *seat*, in the order laid."""
        return tuple(each for each in self._cards if each.seat == seat)

    def face_up(self) -> frozenset[Card]:
        """Return the cards that lie face up."""
        return frozenset(each.card for each in self._cards if each.face_up)

    def fingerprint(self) -> int:
        """Return a number that differs after every act."""
        return self._acts

    def room(self, seat: int) -> int:
        """Return how many more cards the place of *seat* can hold."""
        return len(self._free(seat))

    def quad(self, lying: Lying) -> NDArray[np.float64]:
        """Return a card's corners in the frame, float64 (4, 2), clockwise from its own top left."""
        return carry(self.matrix, lying.corners_mm())

    # What people do

    def lay(self, seat: int, card: Card, *, face_up: bool, by: int | None = None) -> None:
        """Lay *card* on the place of *seat*; *by* says whose arm does it, his own when ``None``.

        Raises:
            TableFullError: the place is full.
        """
        free = self._free(seat)
        if not free:
            raise TableFullError(
                f"no room for another card at seat {seat}; take a larger paper or fewer seats"
            )
        new = self._put(card, seat, free[0], face_up=face_up)
        self._move((*self._cards, new), seat if by is None else by, (new.x_mm, new.y_mm), new)

    def turn_up(self, seat: int) -> None:
        """Turn all the cards of *seat* face up where they lie."""
        self._change(seat, [self._wobbled(replace(each, face_up=True)) for each in self.at(seat)])

    def touch(self, seat: int, index: int = -1) -> None:
        """Push one card of *seat* a little, so that it is looked at again."""
        old = self.at(seat)[index]
        (x, y, degrees), (offset, turn) = self._spot(old)
        # To the other side of its spot: a push too small to be seen would not be looked at.
        side_x, side_y = (-1 if old.x_mm > x else 1), (-1 if old.y_mm > y else 1)
        pushed = replace(
            old,
            x_mm=x + side_x * self._rng.uniform(0.6, 1.0) * offset,
            y_mm=y + side_y * self._rng.uniform(0.6, 1.0) * offset,
            degrees=degrees + self._rng.uniform(-turn, turn),
        )
        self._change(seat, [pushed])

    def lay_again(self, seat: int, index: int = -1) -> None:
        """Take one card of *seat* up and lay it on another spot of the place, if there is one."""
        old = self.at(seat)[index]
        slot = self._rng.choice(self._free(seat) or [old.slot])
        new = self._put(old.card, seat, slot, face_up=old.face_up)
        rest = tuple(each for each in self._cards if each is not old)
        self._move((*rest, new), seat, (new.x_mm, new.y_mm), new)

    def take_up(self, seat: int | None = None, *, by: int) -> None:
        """Gather the cards of *seat*, of everybody when ``None``, in one sweep of *by*'s arm."""
        gone = self._cards if seat is None else self.at(seat)
        if not gone:
            return
        wide, high = self.layout.size_mm
        pile = (wide / 2, high / 2) if seat is None else (gone[-1].x_mm, gone[-1].y_mm)
        rest = tuple(each for each in self._cards if each not in gone)
        swept = tuple(
            replace(
                each,
                x_mm=each.x_mm + 0.75 * (pile[0] - each.x_mm),
                y_mm=each.y_mm + 0.75 * (pile[1] - each.y_mm),
                face_up=False,
            )
            for each in gone
        )
        home = self._home(by)
        self._scenes = [
            _Scene(self._cards, by, _between(home, pile, 0.6)),
            _Scene((*rest, *swept), by, pile),
            _Scene(rest, by, _between(home, pile, 0.5)),
        ]
        self._cards = rest
        self._acts += 1

    # What the camera sees

    def settle(self) -> None:
        """Let everything come to rest at once; nobody looks at the way there."""
        self._scenes = []

    def frame(self) -> Image:
        """Draw the next moment: uint8 (height, width, 3), BGR; a movement goes on by one step."""
        if not self._scenes:
            return self._noise.over(self._picture(self._cards))
        scene = self._scenes.pop(0)
        image = self._picture(scene.cards, keep=False).copy()
        draw_arm(image, self.matrix, self._light, self._home(scene.seat), scene.tip, scene.seat)
        return self._noise.over(image)

    # Private

    def _move(self, after: tuple[Lying, ...], by: int, goal: _Point, carried: Lying) -> None:
        """Begin a movement that carries one card from a player's side to its spot."""
        home = self._home(by)
        on_the_way = _between(home, goal, 0.72)
        in_hand = replace(
            carried, x_mm=on_the_way[0], y_mm=on_the_way[1], degrees=carried.degrees + 12
        )
        before = tuple(each for each in after if each is not carried)
        self._scenes = [
            _Scene((*before, in_hand), by, on_the_way),
            _Scene(after, by, goal),
            _Scene(after, by, _between(home, goal, 0.55)),
        ]
        self._cards = after
        self._acts += 1

    def _change(self, seat: int, changed: Sequence[Lying]) -> None:
        """Begin a movement in which a player touches his own cards where they lie."""
        by_slot = {each.slot: each for each in changed}
        after = tuple(
            by_slot.get(each.slot, each) if each.seat == seat else each for each in self._cards
        )
        goal = (
            sum(each.x_mm for each in changed) / len(changed),
            sum(each.y_mm for each in changed) / len(changed),
        )
        home = self._home(seat)
        self._scenes = [
            _Scene(self._cards, seat, _between(home, goal, 0.8)),
            _Scene(after, seat, goal),
            _Scene(after, seat, _between(home, goal, 0.6)),
        ]
        self._cards = after
        self._acts += 1

    def _free(self, seat: int) -> list[int]:
        taken = {each.slot for each in self.at(seat)}
        return [slot for slot in range(len(self._slots[seat][0])) if slot not in taken]

    def _put(self, card: Card, seat: int, slot: int, *, face_up: bool) -> Lying:
        """Lay a card into its slot as a hand does: nearly straight, and never on another one."""
        x, y, degrees = self._slots[seat][0][slot]
        return self._wobbled(Lying(card, seat, slot, x, y, degrees, face_up))

    def _spot(self, lying: Lying) -> tuple[tuple[float, float, float], tuple[float, float]]:
        """Return the spot of a card, and how far off and turned it may lie there.

        Half of the gap to the next card is its own: a quarter for the offset, one for the turn.
        """
        places, gap = self._slots[lying.seat]
        turn = math.degrees(math.asin(gap / 4 / (CARD_MM[1] / 2)))
        return places[lying.slot], (gap / 4 - 0.2, turn)

    def _wobbled(self, lying: Lying) -> Lying:
        """Lay a card on its spot another way."""
        (x, y, degrees), (offset, turn) = self._spot(lying)
        return replace(
            lying,
            x_mm=x + self._rng.uniform(-offset, offset),
            y_mm=y + self._rng.uniform(-offset, offset),
            degrees=degrees + self._rng.uniform(-turn, turn),
        )

    def _home(self, seat: int) -> _Point:
        """Return where the player of *seat* sits: well outside the edge nearest to his place."""
        wide, high = self.layout.size_mm
        x, y = (float(each) for each in self.layout.zone_polygon(_zone(seat)).mean(axis=0))
        away = 0.45 * min(wide, high)
        _, home = min(
            (y, (x, -away)),
            (high - y, (x, high + away)),
            (x, (-away, y)),
            (wide - x, (wide + away, y)),
        )
        return home

    def _picture(self, cards: tuple[Lying, ...], *, keep: bool = True) -> Image:
        """Return the table with *cards* on it, made from the latest picture that has the first."""
        known = max((each for each in self._pictures if cards[: len(each)] == each), key=len)
        if known == cards:
            return self._pictures[cards]
        image = self._pictures[known].copy()
        for lying in cards[len(known) :]:
            self._paste(image, lying)
        if keep:
            # The empty table is the root of every picture; of the others the latest will do.
            self._pictures = {(): self._pictures[()], cards: image}
        return image

    def _paste(self, image: Image, lying: Lying) -> None:
        sprite = self._sprite(lying)
        if sprite is not None:
            blend(image, sprite.corner, sprite.layer, sprite.alpha, sprite.shadow, self._light)

    def _empty(self, chance: np.random.Generator) -> Image:
        """Draw the table with the mat and the stock, before any card is dealt."""
        wide, high = self.layout.size_mm
        fine = min(1.0, 0.6 * self._size[0] / wide)
        boards = wood((round(wide * WOOD_MM[0] * fine), round(high * WOOD_MM[1] * fine)), chance)
        to_mat = np.diag([1 / fine, 1 / fine, 1.0])
        to_mat[:2, 2] = -(WOOD_MM[0] - 1) / 2 * wide, -(WOOD_MM[1] - 1) / 2 * high
        image = warp(boards, self.matrix @ to_mat, self._size)
        printed = _printed(self.layout, round(1.6 * self._size[0] / wide, 1))
        to_mm = np.diag([wide / printed.shape[1], high / printed.shape[0], 1.0])
        opaque = np.dstack([printed, np.full(printed.shape[:2], 255, np.uint8)])
        mat = warp(opaque, self.matrix @ to_mm, self._size)
        alpha = np.ascontiguousarray(mat[..., 3])
        fallen = cv2.warpAffine(alpha, np.array([[1, 0, 3], [0, 1, 4.0]]), self._size)
        shadow = np.asarray(cv2.GaussianBlur(fallen, (0, 0), 4.0), np.uint8)
        image = np.clip(image * self._light, 0, 255).astype(np.uint8)
        blend(image, (0, 0), np.ascontiguousarray(mat[..., :3]), alpha, shadow, self._light)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)
        for lying in _stock(self.layout):
            self._paste(image, lying)
        return image


@lru_cache(maxsize=4)
def _printed(layout: MatLayout, px_per_mm: float) -> Image:
    """Print a mat once for all tables: it takes longer than the rest of the room."""
    return draw_mat(layout, px_per_mm)


def _zone(seat: int) -> Zone:
    return Zone(ZoneKind.SEAT, seat)


def _slots(layout: MatLayout, seat: int) -> tuple[tuple[tuple[float, float, float], ...], float]:
    """Choose the spots of a place, with the widest gap that leaves room for most hands."""
    for gap in _GAPS_MM:
        places = layout.slots(_zone(seat), card_mm=CARD_MM, gap_mm=gap)
        if len(places) >= _ENOUGH:
            break
    return tuple(places), gap


def _stock(layout: MatLayout) -> Iterable[Lying]:
    """Pile up some backs: the pack that cards are dealt from."""
    places = layout.slots(Zone(ZoneKind.STOCK), card_mm=CARD_MM, gap_mm=2.0)
    if places:
        x, y, degrees = places[0]
        for height in range(6):
            yield Lying(
                Card.parse("AS"), -1, height, x - 0.4 * height, y - 0.4 * height, degrees, False
            )


def _between(start: _Point, end: _Point, part: float) -> _Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])

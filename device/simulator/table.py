"""A simulated table: pictures of a mat, of cards on it, and of arms that move them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.scenery import (
    Noise,
    Point,
    apply_homography,
    between,
    blend,
    draw_arm,
    lamplight,
    mat_to_frame,
    warp,
    wood,
)
from device.simulator.sprites import CARD_MM, PlacedCard, draw_sprite
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from vision.mat.pose import MatLayout, draw_mat
from vision.readings import Zone, ZoneKind

FRAME_SIZE = (1600, 1200)
"""Width and height of a frame in pixels."""

WOOD_MM = (1.9, 2.3)
"""Size of the table in widths and heights of the mat."""

Spot = tuple[float, float, float]
"""Centre in millimetres of the mat, and degrees clockwise."""

Cards = tuple[PlacedCard, ...]

_GAPS_MM = (20.0, 16.0, 12.0, 9.0, 6.0)
_ENOUGH = 7
"""Cards that a place should hold; few hands have more."""


class TableFullError(BoneAceError, ValueError):
    """There is no room left for another card or bone."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """One frame of a movement: the cards, and the seat whose arm reaches to *tip*."""

    cards: Cards
    seat: int
    tip: Point


class SimulatedTable:
    """Cards on a mat, seen by a camera above it.

    Every act (:meth:`lay`, :meth:`turn_up`, ...) is a movement of a few frames with an arm in the
    picture; :attr:`cards` and :meth:`face_up` are the state at its end.

    Attributes:
        layout: the mat.
        matrix: from millimetres of the mat to pixels of a frame.
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
        """Set up the table; *seed* chooses the wood, the light and how neatly cards lie."""
        self.layout = layout
        self._size = size
        self._rng = random.Random(f"{seed}-places")
        chance = np.random.default_rng([seed, 1])
        roll = float(chance.uniform(-1.5, 1.5))
        self.matrix = mat_to_frame(layout.size_mm, size, tilt_deg, roll)
        self._light = lamplight(size, chance)
        self._noise = Noise(size, np.random.default_rng([seed, 2]))
        self._slots = {
            seat: spots(layout, Zone(ZoneKind.SEAT, seat), _GAPS_MM, _ENOUGH)
            for seat in range(layout.seats)
        }
        self._cards: Cards = ()
        self._scenes: list[_Scene] = []
        self._acts = 0
        self._sprite = lru_cache(maxsize=256)(partial(draw_sprite, self.matrix, style, size))
        self._pictures: dict[Cards, Image] = {(): self._empty(chance)}

    # What lies there

    @property
    def is_moving(self) -> bool:
        """Return whether an arm is in the picture."""
        return bool(self._scenes)

    @property
    def cards(self) -> Cards:
        """Return all cards on the mat, first laid first."""
        return self._cards

    def at(self, seat: int) -> Cards:
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

    def quad(self, card: PlacedCard) -> NDArray[np.float64]:
        """Return a card's corners in the frame, float64 (4, 2), clockwise from its own top left."""
        return apply_homography(self.matrix, card.corners_mm())

    # What players do

    def lay(self, seat: int, card: Card, *, face_up: bool, by: int | None = None) -> None:
        """Lay *card* on the place of *seat*; *by* is whose arm does it, by default that of *seat*.

        Raises:
            TableFullError: the place is full.
        """
        free = self._free(seat)
        if not free:
            raise TableFullError(
                f"no room for another card at seat {seat}; take a larger paper or fewer seats"
            )
        new = self._put(card, seat, free[0], face_up=face_up)
        self._bring(self._cards, new, seat if by is None else by)

    def turn_up(self, seat: int) -> None:
        """Turn all the cards of *seat* face up where they lie."""
        cards = self.at(seat)
        self._change(seat, {each: self._wobbled(replace(each, face_up=True)) for each in cards})

    def touch(self, seat: int, index: int = -1) -> None:
        """Push one card of *seat* a little, so that it is read again."""
        old = self.at(seat)[index]
        (x, y, degrees), (offset, turn) = self._spot(old)
        # To the other side of its spot: a push too small to be seen would not be read again.
        side_x, side_y = (-1 if old.x_mm > x else 1), (-1 if old.y_mm > y else 1)
        pushed = replace(
            old,
            x_mm=x + side_x * self._rng.uniform(0.6, 1.0) * offset,
            y_mm=y + side_y * self._rng.uniform(0.6, 1.0) * offset,
            degrees=degrees + self._rng.uniform(-turn, turn),
        )
        self._change(seat, {old: pushed})

    def lay_elsewhere(self, seat: int, index: int = -1) -> None:
        """Move one card of *seat* to another spot of its place, if there is one."""
        old = self.at(seat)[index]
        slot = self._rng.choice(self._free(seat) or [old.slot])
        new = self._put(old.card, seat, slot, face_up=old.face_up)
        self._bring(tuple(each for each in self._cards if each is not old), new, seat)

    def take_up(self, seat: int | None = None, *, by: int) -> None:
        """Gather the cards of *seat*, or of everybody when ``None``, in one sweep of *by*'s arm."""
        gone = self._cards if seat is None else self.at(seat)
        if not gone:
            return
        wide, high = self.layout.size_mm
        pile = (wide / 2, high / 2) if seat is None else gone[-1].centre_mm
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
        self._move(by, pile, (self._cards, 0.6), ((*rest, *swept), 1.0), (rest, 0.5))

    # What the camera sees

    def settle(self) -> None:
        """Skip the frames of the current movement."""
        self._scenes = []

    def frame(self) -> Image:
        """Draw the next frame: uint8 (height, width, 3), BGR; a movement advances by one step."""
        if not self._scenes:
            return self._noise.over(self._picture(self._cards))
        scene = self._scenes.pop(0)
        image = self._picture(scene.cards, keep=False).copy()
        draw_arm(image, self.matrix, self._light, self._home(scene.seat), scene.tip, scene.seat)
        return self._noise.over(image)

    # Private

    def _move(self, by: int, goal: Point, *steps: tuple[Cards, float]) -> None:
        """Begin a movement of the arm of seat *by*; it ends with the cards of the last step.

        Args:
            by: the seat.
            goal: the point that the arm reaches for, in millimetres.
            steps: for each frame the cards that lie there, and how far the arm reaches (0 to 1).
        """
        home = self._home(by)
        self._scenes = [_Scene(cards, by, between(home, goal, reach)) for cards, reach in steps]
        self._cards = steps[-1][0]
        self._acts += 1

    def _bring(self, rest: Cards, new: PlacedCard, by: int) -> None:
        """Begin a movement that carries *new* from the player's side to its spot."""
        x, y = between(self._home(by), new.centre_mm, 0.72)
        in_hand = replace(new, x_mm=x, y_mm=y, degrees=new.degrees + 12)
        after = (*rest, new)
        self._move(by, new.centre_mm, ((*rest, in_hand), 0.72), (after, 1.0), (after, 0.55))

    def _change(self, by: int, changed: Mapping[PlacedCard, PlacedCard]) -> None:
        """Begin a movement that replaces cards, old to new, where they lie."""
        after = tuple(changed.get(each, each) for each in self._cards)
        new = changed.values()
        goal = (sum(e.x_mm for e in new) / len(new), sum(e.y_mm for e in new) / len(new))
        self._move(by, goal, (self._cards, 0.8), (after, 1.0), (after, 0.6))

    def _free(self, seat: int) -> list[int]:
        taken = {each.slot for each in self.at(seat)}
        return [slot for slot in range(len(self._slots[seat][0])) if slot not in taken]

    def _put(self, card: Card, seat: int, slot: int, *, face_up: bool) -> PlacedCard:
        """Return *card* in a slot, nearly straight, and never on another card."""
        x, y, degrees = self._slots[seat][0][slot]
        return self._wobbled(PlacedCard(card, seat, slot, x, y, degrees, face_up))

    def _spot(self, card: PlacedCard) -> tuple[Spot, tuple[float, float]]:
        """Return the spot of a card, and how far off (mm) and turned (degrees) it may lie there.

        Half of the gap to the next card is its own: a quarter for the offset, one for the turn.
        """
        places, gap = self._slots[card.seat]
        turn = math.degrees(math.asin(gap / 4 / (CARD_MM[1] / 2)))
        return places[card.slot], (gap / 4 - 0.2, turn)

    def _wobbled(self, card: PlacedCard) -> PlacedCard:
        """Return a card on its spot, off and turned by chance."""
        (x, y, degrees), (offset, turn) = self._spot(card)
        return replace(
            card,
            x_mm=x + self._rng.uniform(-offset, offset),
            y_mm=y + self._rng.uniform(-offset, offset),
            degrees=degrees + self._rng.uniform(-turn, turn),
        )

    def _home(self, seat: int) -> Point:
        """Return where the player of *seat* sits: well outside the nearest edge of the mat."""
        wide, high = self.layout.size_mm
        x, y = (
            float(each) for each in self.layout.zone_polygon(Zone(ZoneKind.SEAT, seat)).mean(axis=0)
        )
        away = 0.45 * min(wide, high)
        _, home = min(
            (y, (x, -away)),
            (high - y, (x, high + away)),
            (x, (-away, y)),
            (wide - x, (wide + away, y)),
        )
        return home

    def _picture(self, cards: Cards, *, keep: bool = True) -> Image:
        """Return the table with *cards*, drawn onto the kept picture that has most of them."""
        known = max((each for each in self._pictures if cards[: len(each)] == each), key=len)
        if known == cards:
            return self._pictures[cards]
        image = self._pictures[known].copy()
        for card in cards[len(known) :]:
            self._paste(image, card)
        if keep:
            # Keep the empty table and the latest picture.
            self._pictures = {(): self._pictures[()], cards: image}
        return image

    def _paste(self, image: Image, card: PlacedCard) -> None:
        sprite = self._sprite(card)
        if sprite is not None:
            sprite.draw(image, self._light)

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
        for card in _stock(self.layout):
            self._paste(image, card)
        return image


@lru_cache(maxsize=4)
def _printed(layout: MatLayout, px_per_mm: float) -> Image:
    """Draw a mat once for all tables: it takes longer than the rest."""
    return draw_mat(layout, px_per_mm)


def spots(
    layout: MatLayout, zone: Zone, gaps_mm: Iterable[float], enough: int
) -> tuple[tuple[Spot, ...], float]:
    """Return the spots of a zone with the first of *gaps_mm* that leaves *enough*, and that gap."""
    for gap in gaps_mm:
        places = layout.slots(zone, card_mm=CARD_MM, gap_mm=gap)
        if len(places) >= enough:
            break
    return tuple(places), gap


def _stock(layout: MatLayout) -> Iterable[PlacedCard]:
    """Return the stock: a pile of backs."""
    places = layout.slots(Zone(ZoneKind.STOCK), card_mm=CARD_MM, gap_mm=2.0)
    if places:
        x, y, degrees = places[0]
        for height in range(6):
            yield PlacedCard(
                Card.parse("AS"), -1, height, x - 0.4 * height, y - 0.4 * height, degrees, False
            )

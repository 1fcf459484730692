"""A simulated table: pictures of a mat, of cards on it, and of arms that move them."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from device.ports import Image
from device.simulator.bones import PlacedBone
from device.simulator.scenery import Point, Stage, apply_homography, between
from device.simulator.sprites import PlacedCard, draw_sprite
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from vision.mat.layout import CARD_MM
from vision.mat.pose import MatLayout
from vision.readings import Zone, ZoneKind

FRAME_SIZE = (1600, 1200)
"""Width and height of a frame in pixels."""

Spot = tuple[float, float, float]
"""Centre in millimetres of the mat, and degrees clockwise."""

Cards = tuple[PlacedCard, ...]
Thing = TypeVar("Thing")

_GAPS_MM = (20.0, 16.0, 12.0, 9.0, 6.0)
_ENOUGH = 7
"""Cards that a place should hold; few hands have more."""


class TableFullError(BoneAceError, ValueError):
    """There is no room left for another card or bone."""


class Spread(Generic[Thing]):
    """All things of one kind on the mat, and the arm that moves them.

    Attributes:
        things: what lies there when the movement is over, first laid first.
        scenes: the frames of the movement that are still to come: what lies there, and the seat
            whose arm reaches to a point in millimetres, if it is in the picture.
        acts: how often anything was moved.
    """

    def __init__(self, stage: Stage) -> None:
        """Start with an empty mat."""
        self.things: tuple[Thing, ...] = ()
        self.scenes: list[tuple[tuple[Thing, ...], int, Point | None]] = []
        self.acts = 0
        self._stage = stage

    def move(self, by: int, goal: Point, *steps: tuple[Sequence[Thing], float | None]) -> None:
        """Begin a movement of the arm of seat *by* towards *goal*.

        Each step is a frame: what lies there, and how far the arm reaches (0 to 1), ``None`` when
        it is out of the picture. What lies there in the last one stays.
        """
        home = self._stage.home(by)
        self.scenes = [
            (tuple(things), by, None if reach is None else between(home, goal, reach))
            for things, reach in steps
        ]
        self.things = self.scenes[-1][0]
        self.acts += 1

    def advance(self) -> tuple[tuple[Thing, ...], int, Point | None]:
        """Return the next scene; when the movement is over, how things lie at rest."""
        return self.scenes.pop(0) if self.scenes else (self.things, 0, None)


class Places:
    """Where on the mat cards may lie, and by chance how neatly they do."""

    def __init__(self, layout: MatLayout, seed: int) -> None:
        """Make room at every seat."""
        self._layout = layout
        self._rng = random.Random(f"{seed}-places")
        self._slots: dict[int, tuple[Sequence[Spot], float]] = {}
        for seat in range(layout.seats):
            self.add(seat, Zone(ZoneKind.SEAT, seat), _GAPS_MM, _ENOUGH)

    def add(self, seat: int, zone: Zone, gaps_mm: Iterable[float], enough: int) -> Sequence[Spot]:
        """Use *zone* for *seat*, with the first of *gaps_mm* that leaves *enough* spots there."""
        for gap in gaps_mm:
            spots = self._layout.slots(zone, card_mm=CARD_MM, gap_mm=gap)
            if len(spots) >= enough:
                break
        self._slots[seat] = spots, gap
        return spots

    def pile(self, seat: int, zone: Zone, gap_mm: float) -> None:
        """Use *zone* for a pile, whose cards lie as far off as if *gap_mm* were between them."""
        self._slots[seat] = self._layout.slots(zone, card_mm=CARD_MM), gap_mm

    def free(self, seat: int, lying: Iterable[PlacedCard]) -> list[int]:
        """Return the slots of *seat* in which none of the cards *lying* there is."""
        taken = {each.slot for each in lying}
        return [slot for slot in range(len(self._slots[seat][0])) if slot not in taken]

    def put(self, card: Card, seat: int, slot: int, *, face_up: bool) -> PlacedCard:
        """Return *card* in a slot, nearly straight, and never on another card."""
        x, y, degrees = self._slots[seat][0][slot]
        return self.wobbled(PlacedCard(card, seat, slot, x, y, degrees, face_up))

    def wobbled(self, card: PlacedCard) -> PlacedCard:
        """Return a card on its spot, off and turned by chance."""
        (x, y, degrees), offset, turn = self._spot(card)
        return replace(
            card,
            x_mm=x + self._rng.uniform(-offset, offset),
            y_mm=y + self._rng.uniform(-offset, offset),
            degrees=degrees + self._rng.uniform(-turn, turn),
        )

    def pushed(self, card: PlacedCard) -> PlacedCard:
        """Return a card on the other side of its spot: a smaller push would not be seen."""
        (x, y, degrees), offset, turn = self._spot(card)
        side_x, side_y = (-1 if card.x_mm > x else 1), (-1 if card.y_mm > y else 1)
        return replace(
            card,
            x_mm=x + side_x * self._rng.uniform(0.6, 1.0) * offset,
            y_mm=y + side_y * self._rng.uniform(0.6, 1.0) * offset,
            degrees=degrees + self._rng.uniform(-turn, turn),
        )

    def elsewhere(self, card: PlacedCard, lying: Iterable[PlacedCard]) -> PlacedCard:
        """Return a card in another slot of its seat, if one is free of those *lying* there."""
        slot = self._rng.choice(self.free(card.seat, lying) or [card.slot])
        return self.put(card.card, card.seat, slot, face_up=card.face_up)

    def _spot(self, card: PlacedCard) -> tuple[Spot, float, float]:
        """Return the spot of a card, and how far off (mm) and turned (degrees) it may lie there.

        Half of the gap to the next card is its own: a quarter for the offset, one for the turn.
        """
        spots, gap = self._slots[card.seat]
        turn = math.degrees(math.asin(gap / 4 / (CARD_MM[1] / 2)))
        return spots[card.slot], gap / 4 - 0.2, turn


class SimulatedTable:
    """Cards on a mat, seen by a camera above it.

    Every act (:meth:`lay`, :meth:`turn_up`, ...) is a movement of a few frames with an arm in the
    picture; :attr:`cards` and :meth:`face_up` are the state at its end. *matrix* leads from
    millimetres of the mat to pixels of a frame.
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
        self._stage = Stage(layout, seed, size, tilt_deg)
        self.matrix = self._stage.matrix
        self._places = Places(layout, seed)
        self._cards = Spread[PlacedCard](self._stage)
        self._spreads: list[Spread[Any]] = [self._cards]
        self._sprite = lru_cache(maxsize=256)(partial(draw_sprite, self.matrix, style, size))
        self._pictures: dict[Cards, Image] = {(): self._empty()}

    # What lies there

    @property
    def is_moving(self) -> bool:
        """Return whether an arm is in the picture, or anything in the air."""
        return any(each.scenes for each in self._spreads)

    @property
    def cards(self) -> Cards:
        """Return all cards on the mat, first laid first."""
        return self._cards.things

    def at(self, seat: int) -> Cards:
        """Return the cards of *seat*, in the order laid."""
        return tuple(each for each in self.cards if each.seat == seat)

    def face_up(self) -> frozenset[Card]:
        """Return the cards that lie face up."""
        return frozenset(each.card for each in self.cards if each.face_up)

    def fingerprint(self) -> int:
        """Return a number that differs after every act."""
        return sum(each.acts for each in self._spreads)

    def room(self, seat: int) -> int:
        """Return how many more cards the place of *seat* can hold."""
        return len(self._places.free(seat, self.at(seat)))

    def quad(self, card: PlacedCard) -> NDArray[np.float64]:
        """Return a card's corners in the frame, float64 (4, 2), clockwise from its own top left."""
        return apply_homography(self.matrix, card.corners_mm())

    # What players do

    def lay(self, seat: int, card: Card, *, face_up: bool, by: int | None = None) -> None:
        """Lay *card* on the place of *seat*; *by* is whose arm does it, by default that of *seat*.

        Raises:
            TableFullError: the place is full.
        """
        free = self._places.free(seat, self.at(seat))
        if not free:
            raise TableFullError(
                f"no room for another card at seat {seat}; take a larger paper or fewer seats"
            )
        new = self._places.put(card, seat, free[0], face_up=face_up)
        self._bring(self.cards, new, seat if by is None else by)

    def turn_up(self, seat: int) -> None:
        """Turn all the cards of *seat* face up where they lie."""
        wobbled = self._places.wobbled
        self._change(seat, {each: wobbled(replace(each, face_up=True)) for each in self.at(seat)})

    def touch(self, seat: int, index: int = -1) -> None:
        """Push one card of *seat* a little, so that it is read again."""
        old = self.at(seat)[index]
        self._change(seat, {old: self._places.pushed(old)})

    def lay_elsewhere(self, seat: int, index: int = -1) -> None:
        """Move one card of *seat* to another spot of its place, if there is one."""
        mine = self.at(seat)
        new = self._places.elsewhere(mine[index], mine)
        self._bring(tuple(each for each in self.cards if each is not mine[index]), new, seat)

    def take_up(self, seat: int | None = None, *, by: int) -> None:
        """Gather the cards of *seat*, or of everybody when ``None``, in one sweep of *by*'s arm."""
        gone = self.cards if seat is None else self.at(seat)
        if not gone:
            return
        wide, high = self.layout.size_mm
        pile = (wide / 2, high / 2) if seat is None else gone[-1].centre_mm
        rest = tuple(each for each in self.cards if each not in gone)
        swept = tuple(
            replace(
                each,
                x_mm=each.x_mm + 0.75 * (pile[0] - each.x_mm),
                y_mm=each.y_mm + 0.75 * (pile[1] - each.y_mm),
                face_up=False,
            )
            for each in gone
        )
        self._cards.move(by, pile, (self.cards, 0.6), ((*rest, *swept), 1.0), (rest, 0.5))

    # What the camera sees

    def settle(self) -> None:
        """Skip the frames of the current movement."""
        for each in self._spreads:
            each.scenes.clear()

    def frame(self) -> Image:
        """Draw the next frame: uint8 (height, width, 3), BGR; a movement advances by one step."""
        cards, seat, tip = self._cards.advance()
        image = self._picture(cards, keep=tip is None)
        if tip is not None:
            image = image.copy()
            self._stage.draw_arm(image, seat, tip)
        return self._stage.noise.over(image)

    # Private

    def _bring(self, rest: Cards, new: PlacedCard, by: int) -> None:
        """Begin a movement that carries *new* from the player's side to its spot."""
        x, y = between(self._stage.home(by), new.centre_mm, 0.72)
        in_hand = replace(new, x_mm=x, y_mm=y, degrees=new.degrees + 12)
        after = (*rest, new)
        steps = ((*rest, in_hand), 0.72), (after, 1.0), (after, 0.55)
        self._cards.move(by, new.centre_mm, *steps)

    def _change(self, by: int, changed: Mapping[PlacedCard, PlacedCard]) -> None:
        """Begin a movement that replaces cards, old to new, where they lie."""
        after = tuple(changed.get(each, each) for each in self.cards)
        goal = middle_of(changed.values())
        self._cards.move(by, goal, (self.cards, 0.8), (after, 1.0), (after, 0.6))

    def _picture(self, cards: Cards, *, keep: bool) -> Image:
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

    def _empty(self) -> Image:
        image = self._stage.draw_bare()
        for card in _stock(self.layout):
            self._paste(image, card)
        return image

    def _paste(self, image: Image, card: PlacedCard) -> None:
        sprite = self._sprite(card)
        if sprite is not None:
            sprite.draw(image, self._stage.light)


def middle_of(things: Collection[PlacedCard | PlacedBone]) -> Point:
    """Return the point in the middle of things on the mat, in millimetres."""
    count = len(things)
    return sum(each.x_mm for each in things) / count, sum(each.y_mm for each in things) / count


def _stock(layout: MatLayout) -> Iterable[PlacedCard]:
    places = layout.slots(Zone(ZoneKind.STOCK), card_mm=CARD_MM, gap_mm=2.0)
    if places:
        x, y, degrees = places[0]
        for height in range(6):
            yield PlacedCard(
                Card.parse("AS"), -1, height, x - 0.4 * height, y - 0.4 * height, degrees, False
            )

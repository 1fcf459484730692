"""The mat as it lies there in truth, in millimetres, and what a camera above it can see."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from vision.mat.layout import CARD_MM, MatLayout
from vision.readings import Zone, ZoneKind

_WIDE, _HIGH = CARD_MM[0] / 2, CARD_MM[1] / 2
_CORNER = tuple((x, y) for x in (-29.0, -22.0) for y in (-41.0, -26.0))
_INDICES = (*_CORNER, *((-x, -y) for x, y in _CORNER))
"""Points of the two indices of a card, from its middle: four at the top left, four opposite."""

_REACH = 2 * math.hypot(_WIDE, _HIGH)

HIDDEN_MM = 12.8
"""Nearer than this in both directions to the middle of a later card a card counts as covered.

The reader of a log drops at 12 mm; the rest is for the noise of the measured places.
"""

NOISE_MM = 0.35
"""How far a place is measured wrongly at most."""

Spot = tuple[float, float, float]
"""Middle in millimetres, and degrees clockwise."""

Place = str | None
"""``seat N``, ``stock``, ``discard``, ``dealer``; ``None`` between the places."""


@dataclass(slots=True, eq=False)
class Lying:
    """A card on the mat.

    Attributes:
        card: its true rank and suit.
        up: face up.
        maybe: what a camera that cannot read it takes it for; ``None``: it is read.
        seen: some rest has shown it here.
    """

    card: str
    up: bool
    x: float
    y: float
    deg: float
    place: Place = None
    maybe: tuple[str, ...] | None = None
    seen: bool = False
    points: list[tuple[float, float]] = field(default_factory=list)
    covers: list[int] = field(default_factory=list)
    turn: tuple[float, float] = (1.0, 0.0)

    def settle(self) -> None:
        """Work out where its indices lie."""
        angle = math.radians(self.deg)
        cos, sin = math.cos(angle), math.sin(angle)
        self.turn = cos, sin
        self.points = [
            (self.x + cos * x - sin * y, self.y + sin * x + cos * y) for x, y in _INDICES
        ]
        self.covers = [0] * len(_INDICES)

    def hides(self, point: tuple[float, float]) -> bool:
        """Return whether a point of the mat lies under this card."""
        dx, dy = point[0] - self.x, point[1] - self.y
        cos, sin = self.turn
        return abs(cos * dx + sin * dy) <= _WIDE and abs(cos * dy - sin * dx) <= _HIGH

    @property
    def readable(self) -> bool:
        """Return whether one of its indices is quite free."""
        return not any(self.covers[:4]) or not any(self.covers[4:])


@dataclass(slots=True, eq=False)
class Bone:
    """A knucklebone on the mat, or beside it; *face* is 1 3 4 6, ``None`` when it leans."""

    face: int | None
    x: float
    y: float
    off: bool = False


@cache
def _boxes(seats: int) -> tuple[tuple[str, tuple[float, float, float, float]], ...]:
    layout = MatLayout(seats)
    boxes = []
    for zone, polygon in layout.zones:
        name = f"seat {zone.seat}" if zone.kind is ZoneKind.SEAT else str(zone.kind)
        (left, top), (right, bottom) = polygon.min(axis=0), polygon.max(axis=0)
        boxes.append((name, (float(left), float(top), float(right), float(bottom))))
    return tuple(boxes)


@cache
def _slots(seats: int) -> Mapping[int, tuple[Spot, ...]]:
    layout = MatLayout(seats)
    return {n: layout.slots(Zone(ZoneKind.SEAT, n)) for n in range(seats)}


class Mat:
    """All that lies on a mat for a number of seats.

    Attributes:
        cards: first laid first.
        bones: in no order.
        size: width and height in millimetres.
    """

    def __init__(self, seats: int, rng: random.Random) -> None:
        """Begin with an empty mat."""
        self.cards: list[Lying] = []
        self.bones: list[Bone] = []
        self.size = MatLayout(seats).size_mm
        self.slots = _slots(seats)
        self._boxes = _boxes(seats)
        self._rng = rng

    def middle(self, place: str) -> Spot:
        """Return the middle of a place, straight."""
        left, top, right, bottom = dict(self._boxes)[place]
        return (left + right) / 2, (top + bottom) / 2, 0.0

    def place_at(self, x: float, y: float) -> Place:
        """Return the place in which a point lies."""
        for name, (left, top, right, bottom) in self._boxes:
            if left <= x <= right and top <= y <= bottom:
                return name
        return None

    def lay(self, card: str, up: bool, spot: Spot) -> Lying:
        """Lay a card on top of everything that is there."""
        x, y, deg = spot
        new = Lying(card, up, x, y, deg, self.place_at(x, y))
        new.settle()
        for each in self.cards:
            self._cover(each, new, 1)
        self.cards.append(new)
        return new

    def take(self, lying: Lying) -> None:
        """Take a card from the mat."""
        index = self.cards.index(lying)
        del self.cards[index]
        for each in self.cards[:index]:
            self._cover(each, lying, -1)

    def move(self, lying: Lying, spot: Spot) -> Lying:
        """Take a card up and lay it elsewhere, on top."""
        self.take(lying)
        return self.lay(lying.card, lying.up, spot)

    def clear(self) -> None:
        """Take everything from the mat."""
        self.cards.clear()
        self.bones.clear()

    def at(self, place: str) -> list[Lying]:
        """Return the cards of a place, first laid first."""
        return [each for each in self.cards if each.place == place]

    def look(self) -> list[dict[str, object]]:
        """Return all that a camera sees, in the form of a log, and mark it as seen."""
        lies = []
        for number, each in enumerate(self.cards):
            if each.readable and not self._is_hidden(number, each):
                each.seen = True
                lies.append(self._reading(each))
        return lies + [self._bone(each) for each in self.bones]

    def _cover(self, under: Lying, over: Lying, by: int) -> None:
        if abs(under.x - over.x) > _REACH or abs(under.y - over.y) > _REACH:
            return
        for number, point in enumerate(under.points):
            if over.hides(point):
                under.covers[number] += by

    def _is_hidden(self, number: int, card: Lying) -> bool:
        return any(
            abs(later.x - card.x) < HIDDEN_MM and abs(later.y - card.y) < HIDDEN_MM
            for later in self.cards[number + 1 :]
        )

    def _noisy(self, length: float) -> float:
        return round(length + self._rng.uniform(-NOISE_MM, NOISE_MM), 1)

    def _reading(self, each: Lying) -> dict[str, object]:
        where = {
            "at": each.place,
            "x": self._noisy(each.x),
            "y": self._noisy(each.y),
            "deg": round((each.deg + self._rng.uniform(-0.5, 0.5)) % 360.0, 1),
        }
        if not each.up:
            return {"card": "back", **where}
        if each.maybe is None:
            return {"card": each.card, **where}
        return {"card": "??", "maybe": list(each.maybe), **where}

    def _bone(self, bone: Bone) -> dict[str, object]:
        seen: dict[str, object] = {
            "bone": bone.face,
            "x": self._noisy(bone.x),
            "y": self._noisy(bone.y),
        }
        if bone.face is None:
            seen["maybe"] = [3, 4]
        if bone.off:
            seen["off"] = True
        return seen

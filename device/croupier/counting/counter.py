"""Count what is thrown or laid: readings in, throws out. No clock, no pixels, no files."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter as Multiset
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median

from device.croupier.looks import Look, Looks, LyingBone, LyingCard
from engine.core.bones import Face
from engine.core.cards import Card
from vision.readings import Place, Point, Reading, Spot

BONE_MM, CARD_MM = 31.0, 88.0
"""Lengths by which a picture without a mat is measured."""

RECENT = 10
"""Throws over which the pace is told."""

What = Face | Card
Lying = LyingBone | LyingCard
Found = Sequence[tuple[int, What]]
"""Numbers of things that lie there and are read, with what they are."""


class Kind(StrEnum):
    """What is counted."""

    BONES = "bones"
    CARDS = "cards"


@dataclass(frozen=True, slots=True)
class Item:
    """One bone or card that was counted; *number* is its own, *by_hand* says that it was named."""

    number: int
    what: What
    by_hand: bool = False

    @property
    def value(self) -> int:
        """Return its points: of a face as in knucklebones (KB-1), of a card as in OT-4, aces 1."""
        return self.what.points if isinstance(self.what, Face) else self.what.rank.points


@dataclass(frozen=True, slots=True)
class Throw:
    """What came to rest together.

    Attributes:
        number: from 1, in order.
        time_s: of the reading that showed it.
        items: bones or cards of this throw.
        kept: those of earlier throws that lay there still; of cards all since the table was bare.
    """

    number: int
    time_s: float
    items: tuple[Item, ...]
    kept: tuple[Item, ...] = ()

    @property
    def shown(self) -> tuple[Item, ...]:
        """All that the total is of."""
        return (*self.kept, *self.items)

    @property
    def total(self) -> int:
        """The points of all that lay there."""
        return sum(item.value for item in self.shown)


class Counter(ABC):
    """Counts what readings show.

    Attributes:
        throws: those that stand, in order.
        unread: what lies on the mat and is not counted: it leans, or is not read for sure.
        beside: how many bones lie beside the mat, and do not count.
        sees: whether the last reading showed the mat, if there is one.
    """

    def __init__(self, throws: Iterable[Throw] = ()) -> None:
        """Go on after *throws*: what the first reading shows alike lies there still."""
        self.throws = list(throws)
        self.unread: tuple[Lying, ...] = ()
        self.beside = 0
        self.sees = True
        self._looks = Looks()
        self._scale: float | None = None
        self._has_mat = False
        self._resumed = bool(self.throws)
        self._before = len(self.throws)
        self._last_item = max((i.number for t in self.throws for i in t.shown), default=0)
        self._item_of: dict[int, int] = {}  # by the number of what lies there
        self._rest_s = -math.inf

    @property
    def counts(self) -> Multiset[What]:
        """How often each face or card fell."""
        return Multiset(item.what for throw in self.throws for item in throw.items)

    @property
    def pace(self) -> float | None:
        """Throws a minute, over the last :data:`RECENT`; ``None`` before the second."""
        last = self.throws[self._before :][-RECENT:]
        if len(last) < 2 or last[-1].time_s <= last[0].time_s:
            return None
        return 60.0 * (len(last) - 1) / (last[-1].time_s - last[0].time_s)

    def see(self, reading: Reading) -> bool:
        """Take the next settled reading; return whether it added or changed a throw."""
        self.sees = reading.seats is not None or not self._has_mat
        if not self.sees:
            return False
        look = self._looks.see(self._placed(reading))
        before = list(self.throws)
        if self._resumed:
            self._go_on(look)
        self._count(look, reading.time_s)
        return self.throws != before

    def undo(self) -> Throw | None:
        """Take the last throw back, and return it; what lies there is not counted again."""
        if not self.throws:
            return None
        self._before = min(self._before, len(self.throws) - 1)
        return self.throws.pop()

    def name(self, number: int, what: What) -> None:
        """Take the word of people for what item *number* is."""
        for lying, item in self._item_of.items():
            if item == number:
                self._looks.name(lying, what)
        self._rename(number, what, by_hand=True)

    def name_unread(self, number: int, what: What) -> None:
        """Take the word of people for what lies there as *number* and is not read: it counts."""
        self._looks.name(number, what)
        self._count(self._looks.hear(), self._rest_s)
        if number in self._item_of:
            self._rename(self._item_of[number], what, by_hand=True)

    def enter(self, what: What, time_s: float, *, begins: bool) -> None:
        """Count what no camera saw, by the word of people.

        A bone belongs to the last throw unless it *begins* one; a card is added to those that lie
        there unless it is the first. A camera that sees all of it later knows it again.
        """
        self._last_item += 1
        item = Item(self._last_item, what, by_hand=True)
        last = self.throws[-1] if self.throws else Throw(0, time_s, ())
        self._resumed = True
        if begins or isinstance(what, Card):
            kept = () if begins else last.shown
            self.throws.append(Throw(last.number + 1, time_s, (item,), kept))
        else:
            self.throws[-1] = replace(last, items=(*last.items, item))

    @abstractmethod
    def _count(self, look: Look, time_s: float) -> None:
        """Count what *look* shows otherwise than the one before."""

    @abstractmethod
    def _found(self, look: Look) -> Found:
        """Return what lies on the mat and is read."""

    @abstractmethod
    def _recall(self, look: Look) -> None:
        """Take what *look* shows for what lay there before."""

    def _go_on(self, look: Look) -> None:
        """Know again what lay there before the program ended."""
        found = self._found(look)
        self._resumed = not found
        left = list(self.throws[-1].shown) if self.throws else []
        if not found or Multiset(w for _, w in found) != Multiset(i.what for i in left):
            return
        for number, what in found:
            item = next(each for each in left if each.what == what)
            left.remove(item)
            self._item_of[number] = item.number
        self._recall(look)

    def _rename(self, number: int, what: What, *, by_hand: bool) -> None:
        def renamed(items: tuple[Item, ...]) -> tuple[Item, ...]:
            new = Item(number, what, by_hand)
            return tuple(new if item.number == number else item for item in items)

        self.throws = [
            replace(throw, items=renamed(throw.items), kept=renamed(throw.kept))
            for throw in self.throws
        ]

    def _items(self, found: Found) -> tuple[Item, ...]:
        """Return new items for what lies there."""
        items = []
        for number, what in found:
            self._last_item += 1
            self._item_of[number] = self._last_item
            items.append(Item(self._last_item, what))
        return tuple(items)

    def _add(self, found: Found, kept: Collection[int], time_s: float) -> None:
        """Add a throw; *kept* are the numbers of items that lay there already."""
        last = self.throws[-1] if self.throws else Throw(0, time_s, ())
        lying = tuple(item for item in last.shown if item.number in kept)
        self.throws.append(Throw(last.number + 1, time_s, self._items(found), lying))

    def _extend(self, found: Found) -> None:
        """Add to the last throw."""
        last = self.throws[-1]
        self.throws[-1] = replace(last, items=(*last.items, *self._items(found)))

    def _placed(self, reading: Reading) -> Reading:
        """Return *reading* with places; without a mat the first things seen are the measure."""
        if reading.seats is not None:
            if not self._has_mat and self._scale is not None:
                self._resumed = bool(self.throws)  # the places are others: known by what it is
            self._has_mat = True
            return reading
        if self._scale is None:
            spots = [bone.spot for bone in reading.bones]
            spots += [bone.spot for bone in reading.unsure_bones]
            lengths = [_length(spot.outline) / BONE_MM for spot in spots]
            lengths += [_length(card.place.corners) / CARD_MM for card in reading.cards]
            if not lengths:
                return replace(reading, unsure=(), backs=())
            self._scale = 1.0 / max(median(lengths), 1e-6)
        scale = self._scale

        def moved(at: Spot) -> Spot:
            return replace(at, centre_mm=(at.centre[0] * scale, at.centre[1] * scale))

        def place(at: Place) -> Place:
            x, y = (sum(each) / len(at.corners) for each in zip(*at.corners, strict=True))
            return replace(at, centre_mm=(x * scale, y * scale))

        return replace(
            reading,
            bones=tuple(replace(each, spot=moved(each.spot)) for each in reading.bones),
            unsure_bones=tuple(
                replace(each, spot=moved(each.spot)) for each in reading.unsure_bones
            ),
            cards=tuple(replace(each, place=place(each.place)) for each in reading.cards),
            backs=tuple(replace(each, place=place(each.place)) for each in reading.backs),
            unsure=tuple(replace(each, place=place(each.place)) for each in reading.unsure),
        )


def _length(outline: Sequence[Point]) -> float:
    """Return how long an outline is, in its own unit."""
    return max(math.dist(a, b) for a in outline for b in outline)

"""What lies on the mat at one settled moment, and how sure the reader is of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.bones import Face
from engine.core.cards import Card

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Four corners in pixels of the frame, clockwise, starting at the card's own top left."""


class ZoneKind(StrEnum):
    """What a marked area of the mat is for."""

    SEAT = "seat"
    DEALER = "dealer"
    STOCK = "stock"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Zone:
    """A marked area of the mat; *seat* is set for :attr:`ZoneKind.SEAT` only."""

    kind: ZoneKind
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing lies.

    Attributes:
        corners: in pixels of the frame.
        centre_mm: on the mat, from its top left corner, x right and y down; ``None`` without a mat.
        zone: the zone its centre lies in; ``None`` without a mat or between the zones.
        turn_deg: how it is turned on the mat, clockwise, 0 to 180; ``None`` where nobody knows.
        layer: its place in the order of laying, the last lies on top; ``None`` where nobody knows.
    """

    corners: Quad
    centre_mm: Point | None = None
    zone: Zone | None = None
    turn_deg: float | None = None
    layer: int | None = None


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card face up; *confidence* is 0.0-1.0 and never below the reader's threshold."""

    card: Card
    confidence: float
    place: Place


@dataclass(frozen=True, slots=True)
class BackReading:
    """A card face down; *confidence* is 0.0-1.0."""

    confidence: float
    place: Place


@dataclass(frozen=True, slots=True)
class JokerReading:
    """A joker face up; *confidence*, 0.0-1.0, is how sure it is none of the 52 cards."""

    confidence: float
    place: Place


@dataclass(frozen=True, slots=True)
class UnsureReading:
    """A card face up that the reader is unsure of: its candidates, best first, maybe none.

    *confidence* (0.0-1.0) is that of the first candidate; *face_up* (0.0-1.0) is the probability
    that a card lies there face up, whichever it is.
    """

    candidates: tuple[Card, ...]
    confidence: float
    place: Place
    face_up: float = 0.0


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a knucklebone lies.

    Attributes:
        outline: its rim in pixels of the frame, clockwise, 3 points or more.
        centre: the middle of its rim in pixels of the frame.
        centre_mm: on the mat, from its top left corner, x right and y down; ``None`` without a mat.
        zone: the zone its centre lies in; ``None`` without a mat or between the zones.
        off_mat: its centre lies beside the mat that is in view.
    """

    outline: tuple[Point, ...]
    centre: Point
    centre_mm: Point | None = None
    zone: Zone | None = None
    off_mat: bool = False


@dataclass(frozen=True, slots=True)
class BoneReading:
    """A knucklebone at rest (KB-1); *confidence* is 0.0-1.0, never below the threshold."""

    face: Face
    confidence: float
    spot: Spot

    @property
    def value(self) -> int:
        """Return the points of the face uppermost: 1, 3, 4 or 6."""
        return self.face.points


@dataclass(frozen=True, slots=True)
class UnsureBoneReading:
    """A knucklebone that the reader is unsure of: doubtful, leaning or on its end (KB-15).

    *candidates* are the likeliest faces, best first, maybe none; *confidence* (0.0-1.0) is that of
    the first.
    """

    candidates: tuple[Face, ...]
    confidence: float
    spot: Spot


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything seen at one settled moment.

    Attributes:
        time_s: the monotonic time stamp of the frame.
        seats: how many seats the mat in view has; ``None`` when no mat is seen.
        hands: whose hands were over the mat since the reading before, seat by seat in order,
            ``None`` for one that nobody knows; ``None`` altogether where they are not told apart.
        over: the places that those hands covered, such as ``stock``, as far as it is known.
    """

    time_s: float
    cards: tuple[CardReading, ...] = ()
    backs: tuple[BackReading, ...] = ()
    unsure: tuple[UnsureReading, ...] = ()
    seats: int | None = None
    bones: tuple[BoneReading, ...] = ()
    unsure_bones: tuple[UnsureBoneReading, ...] = ()
    hands: tuple[int | None, ...] | None = None
    over: frozenset[str] = frozenset()
    jokers: tuple[JokerReading, ...] = ()

    @property
    def bones_total(self) -> int:
        """Return the points of all bones that were read."""
        return sum(bone.value for bone in self.bones)

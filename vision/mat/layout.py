"""Where everything lies on a play mat, in millimetres: markers, seats, dealer, stock, discard.

A mat is seen from above, before the player of seat 0: x runs right and y down from its top left
corner. Seat 0 is the leftmost of the bottom edge; from there the numbers run clockwise (G-1): the
left edge, the top edge from left to right, the right edge, and the bottom edge back from right to
left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import BoneAceError
from vision.geometry import holds, shared_area
from vision.readings import Zone, ZoneKind

Array = NDArray[np.float64]
"""float64, shape (n, 2), millimetres."""

Slot = tuple[float, float, float]
"""Centre of a card in millimetres, and its turn in degrees clockwise: 0 reads from the bottom."""

PAPERS: dict[str, tuple[int, int]] = {
    "A3": (420, 297),
    "A2": (594, 420),
    "A1": (841, 594),
    "A0": (1189, 841),
    "ANSI-C": (559, 432),
    "ANSI-D": (864, 559),
    "ANSI-E": (1118, 864),
}
"""Width and height in millimetres, landscape. The order is printed into the markers: only append.

Seven papers of seven tables with four markers each use 196 of the dictionary's 250 markers.
"""

SEATS = range(2, 9)

CARD_MM = (63.0, 88.0)
"""A poker card; a bridge card is 6 mm narrower and lies as well."""

CARD_WIDTH_MM = 60.0
"""Of a card that is read: between bridge (57 mm) and poker size."""

PILES = (ZoneKind.STOCK, ZoneKind.DISCARD)
"""What lies there is of nobody's row."""

GAP_MM = 6.0
"""Between cards laid side by side: enough to see two cards and not one."""

ENOUGH = 5
"""Cards that a seat should hold side by side: three are dealt (OT-3), two more are often drawn."""

REACHES = 0.12
"""So much of a card at least lies at the place of its player, though its middle lies elsewhere."""

ASKEW_DEG = 20.0
"""Cards of a row lie no further turned than this."""

_MARGIN = 7.0  # printers leave the last millimetres of a sheet white
_BETWEEN = 5.0
_PILE = (74.0, 100.0)  # the frame of the stock and of the discard
_LEAST_BAND = 74.0  # a pile must fit between the rows of seats, if only on its side


class MatError(BoneAceError, ValueError):
    """A mat that cannot be made."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A zone, where it lies, from which side it is read, and whether cards lie sideways in it."""

    zone: Zone
    polygon: Array
    degrees: float
    sideways: bool = False

    def slots(self, card_mm: tuple[float, float], gap_mm: float) -> tuple[Slot, ...]:
        size = np.ptp(self.polygon, axis=0)
        across, deep = (size[1], size[0]) if self.degrees in (90.0, 270.0) else (size[0], size[1])
        wide, high = (card_mm[1], card_mm[0]) if self.sideways else card_mm
        columns = int((across + 1e-6) // (wide + gap_mm))
        rows = int((deep + 1e-6) // (high + gap_mm))
        centre = self.polygon.mean(axis=0)
        turn = math.radians(self.degrees)
        right = np.array([math.cos(turn), math.sin(turn)])
        near = np.array([-math.sin(turn), math.cos(turn)])
        lies = (self.degrees + 90.0) % 360.0 if self.sideways else self.degrees
        places = []
        for row in range(rows):
            for column in range(columns):
                aside = ((column + 0.5) / columns - 0.5) * across
                back = ((row + 0.5) / rows - 0.5) * deep
                x, y = centre + aside * right + back * near
                places.append((round(float(x), 3), round(float(y), 3), lies))
        return tuple(places)

    def is_upright(self, turn_deg: float) -> bool:
        """Return whether a card turned so lies as its player's do: on small mats on its side."""
        lies = self.degrees + 90.0 * self.sideways
        off = (turn_deg - lies + 90.0) % 180.0 - 90.0
        return self.zone.kind is ZoneKind.SEAT and abs(off) <= ASKEW_DEG


@dataclass(frozen=True, slots=True)
class MatLayout:
    """A mat of a number of seats on a sheet of paper.

    Attributes:
        zones: with their polygons: the seats in order, dealer, stock, discard.
        markers: each marker's corners, by its id, clockwise from the marker's own top left.

    Raises:
        MatError: no such paper, or too many seats for it.
    """

    seats: int = 4
    paper: str = "A1"
    zones: tuple[tuple[Zone, Array], ...] = field(init=False, repr=False, compare=False)
    markers: dict[int, Array] = field(init=False, repr=False, compare=False)
    _laid: tuple[_Place, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay out the mat."""
        if self.paper not in PAPERS:
            raise MatError(f"unknown paper {self.paper!r}; choose one of {', '.join(PAPERS)}")
        if self.seats not in SEATS:
            raise MatError(f"a mat has 2 to 8 seats, not {self.seats!r}; try seats 4")
        object.__setattr__(self, "_laid", _places(self.seats, self.paper))
        zones = tuple((each.zone, each.polygon) for each in self._laid)
        object.__setattr__(self, "zones", zones)
        object.__setattr__(self, "markers", _markers(self.seats, self.paper))

    @property
    def size_mm(self) -> tuple[float, float]:
        """Return width and height of the sheet."""
        width, height = PAPERS[self.paper]
        return float(width), float(height)

    @property
    def outline_mm(self) -> Array:
        """Return the corners of the sheet, clockwise from its top left."""
        return rectangle(0.0, 0.0, *self.size_mm)

    @property
    def marker_mm(self) -> float:
        """Return the side of a marker."""
        return _marker_mm(self.paper)

    def _place(self, zone: Zone) -> _Place:
        for place in self._laid:
            if place.zone == zone:
                return place
        raise MatError(f"a mat for {self.seats} seats has no {zone}; its seats count from 0")

    def zone_polygon(self, zone: Zone) -> Array:
        """Return the corners of *zone*, clockwise from the top left of the mat's view.

        Raises:
            MatError: the mat has no such zone.
        """
        return self._place(zone).polygon

    def zone_at(self, x_mm: float, y_mm: float) -> Zone | None:
        """Return the zone that holds a point; ``None`` between the zones."""
        for zone, polygon in self.zones:
            if holds(polygon, (x_mm, y_mm)):
                return zone
        return None

    def zone_of_card(self, corners_mm: NDArray[np.floating], turn_deg: float) -> Zone | None:
        """Return the zone in which a card counts as lying; ``None`` between the zones.

        It is the zone of its middle. But a row of cards slides over a line: a card that lies in the
        middle, or on its side at somebody's place, is of a player whose place it reaches into and
        before whom it lies upright.

        Args:
            corners_mm: its corners on the mat, shape (4, 2), clockwise.
            turn_deg: how it is turned: 0 is upright before the bottom edge, 90 is on its side.
        """
        x, y = corners_mm.mean(axis=0).tolist()
        zone = self.zone_at(x, y)
        upright = [place.zone for place in self._laid if place.is_upright(turn_deg)]
        if zone in upright or (zone is not None and zone.kind in PILES):
            return zone
        size = shared_area(corners_mm, corners_mm)
        shares = {each: shared_area(area, corners_mm) / size for each, area in self.zones}
        most = max(upright, key=lambda each: shares[each], default=None)
        middle = max(share for each, share in shares.items() if each.kind is not ZoneKind.SEAT)
        return zone if most is None or shares[most] < max(REACHES, middle) else most

    def holds(self, point_mm: tuple[float, float], beyond_mm: float = 0.0) -> bool:
        """Return whether a point lies on the sheet, or at most *beyond_mm* beside it."""
        return all(
            -beyond_mm <= at <= side + beyond_mm
            for at, side in zip(point_mm, self.size_mm, strict=True)
        )

    def degrees(self, zone: Zone) -> float:
        """Return how far clockwise a card in *zone* is turned to be read by its player.

        0 at the bottom edge, 90 at the left, 180 at the top, 270 at the right.

        Raises:
            MatError: the mat has no such zone.
        """
        return self._place(zone).degrees

    def slots(
        self, zone: Zone, card_mm: tuple[float, float] = CARD_MM, gap_mm: float = GAP_MM
    ) -> tuple[Slot, ...]:
        """Return places for separate cards in *zone*, evenly spread.

        They come in reading order for the player of that seat: the farthest row first, each from
        left to right. Where room is short the cards lie sideways. The dealer's zone of a small mat
        has none.

        Raises:
            MatError: the mat has no such zone.
        """
        return self._place(zone).slots(card_mm, gap_mm)

    def fits(self, card_mm: tuple[float, float] = CARD_MM, gap_mm: float = GAP_MM) -> int:
        """Return how many cards can lie side by side in the smallest seat."""
        return min(
            len(self.slots(zone, card_mm, gap_mm))
            for zone, _ in self.zones
            if zone.kind is ZoneKind.SEAT
        )


def layout_of_marker(number: int) -> MatLayout | None:
    """Return the mat that carries marker *number*; ``None`` for a marker of no mat."""
    index = number // 4
    if not 0 <= index < len(PAPERS) * len(SEATS):
        return None
    paper = list(PAPERS)[index // len(SEATS)]
    try:
        return MatLayout(SEATS[index % len(SEATS)], paper)
    except MatError:
        return None


def _marker_mm(paper: str) -> float:
    # A fifteenth of the height: 40 pixels in a 720-line picture that the mat fills, 6 a module.
    return float(min(max(round(PAPERS[paper][1] * 0.065), 22), 54))


def rectangle(x: float, y: float, width: float, height: float) -> Array:
    """Return the corners of an upright rectangle, clockwise from its top left; read only."""
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    corners.setflags(write=False)
    return corners


@cache
def _markers(seats: int, paper: str) -> dict[int, Array]:
    width, height = PAPERS[paper]
    side = _marker_mm(paper)
    first = 4 * (list(PAPERS).index(paper) * len(SEATS) + SEATS.index(seats))
    far_x, far_y = width - _MARGIN - side, height - _MARGIN - side
    corners = ((_MARGIN, _MARGIN), (far_x, _MARGIN), (far_x, far_y), (_MARGIN, far_y))
    return {first + number: rectangle(x, y, side, side) for number, (x, y) in enumerate(corners)}


@cache
def _places(seats: int, paper: str) -> tuple[_Place, ...]:
    """Try every arrangement of the seats; keep the one whose smallest seat is largest.

    Layouts with sideways cards are only for a mat that has no room for :data:`ENOUGH` straight
    ones: those are easier on the players.
    """
    best: tuple[tuple[int, bool, int, bool, int], tuple[_Place, ...]] | None = None
    for around in _arrangements(seats):
        for straight, places in _candidates(paper, around):
            seats_ = (each for each in places if each.zone.kind is ZoneKind.SEAT)
            room = [len(each.slots(CARD_MM, GAP_MM)) for each in seats_]
            bottom, left, top, right = around
            even = bottom == top and left == right
            score = (min(*room, ENOUGH), straight, min(room), even, sum(room))
            if min(room) and (best is None or score > best[0]):
                best = score, places
    if best is None:
        raise MatError(
            f"{paper} is too small for {seats} seats: no card would fit; choose a larger paper"
        )
    return best[1]


def _arrangements(seats: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield possible numbers of seats at the bottom, left, top and right edge."""
    for left, right in ((0, 0), (1, 0), (1, 1)):
        long_edges = seats - left - right
        if long_edges >= 2:
            yield (long_edges + 1) // 2, left, long_edges // 2, right


def _candidates(
    paper: str, around: tuple[int, int, int, int]
) -> Iterator[tuple[bool, tuple[_Place, ...]]]:
    """Yield the layouts for these numbers of seats, and whether all cards lie straight in each."""
    for rows in range(1, 5):
        for straight, lay_out in ((True, _lay_out), (False, _lay_out_sideways)):
            places = lay_out(paper, around, rows)
            if places is not None:
                yield straight, places


def _lay_out(paper: str, around: tuple[int, int, int, int], rows: int) -> tuple[_Place, ...] | None:
    """Lay out the zones, with *rows* of cards in each zone of the long edges."""
    bottom, left, top, right = around
    width, height = PAPERS[paper]
    pitch_x, pitch_y = CARD_MM[0] + GAP_MM, CARD_MM[1] + GAP_MM
    free = height - 2 * _MARGIN - 2 * _BETWEEN - 2 * rows * pitch_y
    if free < _LEAST_BAND:
        return None
    # What no card needs is shared by the two rows of seats and the band between them.
    need = max(free // pitch_x * pitch_x if left else 0.0, min(free, _PILE[1] + GAP_MM))
    deep = rows * pitch_y + (free - need) / 3
    band = need + (free - need) / 3
    # The long edges' zones lie between the markers, the side seats between the long edges' zones.
    start = _clear_of_marker(paper)
    low = _share(bottom, start, height - _MARGIN - deep, width - 2 * start, deep)
    high = _share(top, start, _MARGIN, width - 2 * start, deep)
    band_y = _MARGIN + deep + _BETWEEN
    turn, piles = _piles(band, narrow=bool(left))
    piles_w = max(x + w for x, _, w, _ in piles)
    inner = width - 2 * _MARGIN
    # With no seat at the right edge the piles move over, to leave the left edge more room.
    side = inner - piles_w - _BETWEEN if left and not right else (inner - piles_w) / 2 - _BETWEEN
    if side < 0:
        return None
    west = [rectangle(_MARGIN, band_y, side, band)] * left
    east = [rectangle(width - _MARGIN - side, band_y, side, band)] * right
    return (
        *_seats(low, west, high, east, sideways=False),
        *_middle(_MARGIN + side + _BETWEEN, band_y, piles, turn),
    )


def _lay_out_sideways(
    paper: str, around: tuple[int, int, int, int], rows: int
) -> tuple[_Place, ...] | None:
    """Lay out one row of cards along each short edge, and sideways ones between them.

    The side seats take the whole length between two markers, which leaves the long edges less
    width and all of the depth.
    """
    bottom, left, top, right = around
    if not (left and right):
        return None
    width, height = PAPERS[paper]
    side = CARD_MM[1] + GAP_MM
    deep = rows * (CARD_MM[0] + GAP_MM)
    band = height - 2 * _MARGIN - 2 * _BETWEEN - 2 * deep
    start, x = _clear_of_marker(paper), _MARGIN + side + _BETWEEN
    inner = width - 2 * x
    if band < _LEAST_BAND or inner <= 0:
        return None
    turn, piles = _piles(band, narrow=inner < 3 * max(_PILE) + 2 * _BETWEEN)
    piles_w = max(pile_x + w for pile_x, _, w, _ in piles)
    if piles_w > inner:
        return None
    low = _share(bottom, x, height - _MARGIN - deep, inner, deep)
    high = _share(top, x, _MARGIN, inner, deep)
    west = [rectangle(_MARGIN, start, side, height - 2 * start)]
    east = [rectangle(width - _MARGIN - side, start, side, height - 2 * start)]
    return (
        *_seats(low, west, high, east, sideways=True),
        *_middle((width - piles_w) / 2, _MARGIN + deep + _BETWEEN, piles, turn),
    )


def _clear_of_marker(paper: str) -> float:
    """Return how far from the edge a zone is clear of the markers and the white round them."""
    return _MARGIN + math.ceil(_marker_mm(paper) * 7 / 6)


def _share(count: int, x: float, y: float, width: float, deep: float) -> list[Array]:
    each = (width - (count - 1) * _BETWEEN) / count
    return [rectangle(x + i * (each + _BETWEEN), y, each, deep) for i in range(count)]


def _seats(
    low: list[Array], west: list[Array], high: list[Array], east: list[Array], *, sideways: bool
) -> list[_Place]:
    """Number the seats: clockwise from the leftmost of the bottom edge (G-1)."""
    places = [
        (low[0], 0.0, sideways),
        *((polygon, 90.0, False) for polygon in west),
        *((polygon, 180.0, sideways) for polygon in high),
        *((polygon, 270.0, False) for polygon in east),
        *((polygon, 0.0, sideways) for polygon in reversed(low[1:])),
    ]
    return [_Place(Zone(ZoneKind.SEAT, n), *place) for n, place in enumerate(places)]


def _middle(
    x: float, y: float, piles: list[tuple[float, float, float, float]], turn: float
) -> list[_Place]:
    kinds = (ZoneKind.DEALER, ZoneKind.STOCK, ZoneKind.DISCARD)
    return [
        _Place(Zone(kind), rectangle(x + off_x, y + off_y, w, h), turn)
        for kind, (off_x, off_y, w, h) in zip(kinds, piles, strict=True)
    ]


def _piles(band: float, *, narrow: bool) -> tuple[float, list[tuple[float, float, float, float]]]:
    """Place dealer, stock and discard in the middle.

    Returns:
        How their cards are turned, and for each x, y, width and height from the band's corner.
    """
    wide, high = _PILE
    turn = 0.0
    if band < CARD_MM[1] + GAP_MM:
        turn, wide, high = 90.0, high, wide
    high = min(high, band)
    step = wide + _BETWEEN
    below = min(band - high - _BETWEEN, high)
    if not narrow or below < 20.0:
        top = (band - high) / 2
        return turn, [(n * step, top, wide, high) for n in (1, 0, 2)]
    # Between two side seats width is short: the dealer's place goes below the piles, if flat.
    top = (band - high - _BETWEEN - below) / 2
    return turn, [
        (0.0, top + high + _BETWEEN, wide + step, below),
        (0.0, top, wide, high),
        (step, top, wide, high),
    ]

"""Where things stand on the screen: seats round the table, its centre, and the prompt bar.

Every length is a share of the screen's height, so that one panel looks like another.
"""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from display.drawing.screen import unit_of

MARGIN = 0.014

PROMPT_BAR = 0.195
"""Height of the prompt bar at the bottom."""

WIDEST_PLATE = 0.66
TALL_PLATE, LOW_PLATE = 0.275, 0.25
"""Height of a seat's plate without and with seats at the two ends of the table."""

_SIDES = {
    1: (1, 0, 0, 0),
    2: (1, 0, 1, 0),
    3: (2, 0, 1, 0),
    4: (2, 0, 2, 0),
    5: (2, 0, 3, 0),
    6: (3, 0, 3, 0),
    7: (2, 1, 3, 1),
    8: (3, 1, 3, 1),
    9: (3, 1, 4, 1),
    10: (4, 1, 4, 1),
}
"""Seats on each side of the table: near, left, far, right."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one screen.

    Attributes:
        plates: one for each seat, in the order of the seats: clockwise from the near left.
        centre: the free centre of the table.
        oval: the table's outline, the plates lie over its rim; ``None``: it fills the screen.
        sheet: where questions are laid over the table.
        prompt_bar: where the croupier speaks.
    """

    plates: tuple[Rect, ...]
    centre: Rect
    oval: Rect | None
    sheet: Rect
    prompt_bar: Rect


def lay_out(size: tuple[int, int], seats: int) -> Layout:
    """Place *seats* seats on a screen of *size* pixels."""
    width, height = size
    unit = unit_of(size)
    margin = max(2, round(MARGIN * unit))
    bar = Rect(0, height - round(PROMPT_BAR * unit), width, round(PROMPT_BAR * unit))
    region = Rect(margin, margin, width - 2 * margin, bar.top - 2 * margin)
    near, left, far, right = _sides(seats)
    columns = max(near, far, 1)
    plate_h = round((LOW_PLATE if left or right else TALL_PLATE) * unit)
    plate_w = min(round(WIDEST_PLATE * unit), (region.w - (columns - 1) * margin) // columns)
    top = [Rect(x, region.top, plate_w, plate_h) for x in _spread(region, far, plate_w)]
    bottom = [
        Rect(x, region.bottom - plate_h, plate_w, plate_h) for x in _spread(region, near, plate_w)
    ]
    side_y = region.centery - plate_h // 2
    ends_left = [Rect(region.left, side_y, plate_w, plate_h)] * left
    ends_right = [Rect(region.right - plate_w, side_y, plate_w, plate_h)] * right
    # Clockwise seen from above, from the near left corner: up the left end, along the far
    # side, down the right end, and back along the near side.
    around = [*bottom[:1], *ends_left, *top, *ends_right, *reversed(bottom[1:])]
    middle_top = region.top + plate_h + margin
    centre = Rect(region.left, middle_top, region.w, region.bottom - plate_h - margin - middle_top)
    oval: Rect | None = region.inflate(-round(0.1 * unit), -round(0.1 * unit))
    if left or right:
        # So many plates would hide most of the rim: the felt fills the screen.
        oval = None
        centre = centre.inflate(-2 * (plate_w + margin), 0)
    else:
        centre = centre.inflate(-round(0.2 * unit), 0)
    return Layout(tuple(around[:seats]), centre, oval, region, bar)


def _sides(seats: int) -> tuple[int, int, int, int]:
    if seats in _SIDES:
        return _SIDES[seats]
    long = max(0, seats - 2)
    return (long // 2, 1, long - long // 2, 1) if seats else (0, 0, 0, 0)


def _spread(region: Rect, count: int, width: int) -> list[int]:
    """Return the left edges of *count* plates spread evenly over *region*."""
    if count == 0:
        return []
    gap = (region.w - count * width) / count
    if count > 1 and gap < width / 4:
        # A full side reaches from edge to edge, in line with the seats at the ends.
        gap = (region.w - count * width) / (count - 1)
        return [round(region.x + n * (width + gap)) for n in range(count)]
    return [round(region.x + gap / 2 + n * (width + gap)) for n in range(count)]

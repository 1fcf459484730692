"""Where things stand on the screen: seats round the table, its centre, and the prompt bar.

Every length is a share of the screen's height, so that one panel looks like another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pygame import Rect

from display.drawing.screen import unit_of

MARGIN = 0.014

PROMPT_BAR = 0.195
"""Height of the prompt bar at the bottom."""

LARGE_BAR, SHORT_BAR, LONG_BAR = 0.41, 0.29, 0.546
"""The same where words are large: two lines of a question, a line below it, and the keys; one line
of a result, for which the middle needs room; three lines of a question, for which it is empty."""

WIDEST_PLATE, WIDEST_OF_TWO = 0.66, 1.2
"""Width of a seat's plate, and of those of two players, who fill the table."""

FARTHEST = 0.1
"""So far a plate may be moved aside where that makes it larger, as a share of the table's width."""

TALL_PLATE, LOW_PLATE, LARGE_PLATE = 0.275, 0.25, 0.215
"""Height of a seat's plate: as usual, with seats at the two ends, and where words are large."""

_ROWS = {1: (1, 0), 2: (1, 1), 3: (1, 2), 4: (1, 3), 5: (2, 3), 6: (2, 4), 7: (3, 4), 8: (4, 4)}
"""Near and far plates; the seats at the two ends of a mat stand at the ends of the far row. So none
is more than 45 degrees from where it lies on a mat of A2 or more, and the middle is free from edge
to edge."""

_SIDES = {9: (3, 1, 4, 1), 10: (4, 1, 4, 1)}
"""More seats than a mat has, on each side of the table: near, left, far, right."""


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


def lay_out(
    size: tuple[int, int], seats: int, *, bar: float = PROMPT_BAR, taken: Sequence[int] = ()
) -> Layout:
    """Place *seats* seats on a screen of *size* pixels, above a prompt bar of a share of it.

    Where only some of them are *taken*, these have a plate, larger, and on the side of the table
    where they lie.
    """
    width, height = size
    unit = unit_of(size)
    margin = max(2, round(MARGIN * unit))
    speaks = Rect(0, height - round(bar * unit), width, round(bar * unit))
    region = Rect(margin, margin, width - 2 * margin, speaks.top - 2 * margin)
    near, left, far, right = _sides(seats)
    # Of three the second sits at the left end of a mat, and nobody at the right one.
    columns = 3 if seats == 3 else max(near, far, 1)
    plate_h = round(_plate_share(bool(left or right), bar) * unit)
    if not (left or right):
        plate_h = min(plate_h, (region.h - margin - 1) // 2)
    widest = round((WIDEST_OF_TWO if seats == 2 else WIDEST_PLATE) * unit)
    plate_w = min(widest, (region.w - (columns - 1) * margin) // columns)
    tops = _spread(region, columns, plate_w)[:far] if seats == 3 else _spread(region, far, plate_w)
    top = [Rect(x, region.top, plate_w, plate_h) for x in tops]
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
    centre_h = max(1, region.bottom - plate_h - margin - middle_top)
    centre = Rect(region.left, middle_top, region.w, centre_h)
    oval: Rect | None = region.inflate(-round(0.1 * unit), -round(0.1 * unit))
    if left or right:
        # So many plates would hide most of the rim: the felt fills the screen.
        oval = None
        centre = centre.inflate(-2 * (plate_w + margin), 0)
    else:
        centre = centre.inflate(-round(0.2 * unit), 0)
    plates = around[:seats]
    if taken and len(taken) < seats:
        plates = _only(plates, taken, region, margin, unit)
    return Layout(tuple(plates), centre, oval, region, speaks)


def _only(
    plates: Sequence[Rect], taken: Sequence[int], region: Rect, margin: int, unit: int
) -> list[Rect]:
    """Return the plates of the seats that are *taken*, as wide as none is moved far by."""
    rows: dict[int, list[int]] = {}
    for seat in sorted(taken, key=lambda seat: plates[seat].x):
        rows.setdefault(plates[seat].y, []).append(seat)
    columns = max(len(row) for row in rows.values())
    if any(
        plates[seat].left == region.left or plates[seat].right == region.right for seat in taken
    ):
        columns = max(columns, 3)  # a wider plate would not stand at the end of its row
    widest = round((WIDEST_OF_TWO if len(taken) == 2 else WIDEST_PLATE) * unit)
    widest = min(widest, (region.w - (columns - 1) * margin) // columns)
    for width in range(widest, plates[0].w, -margin):
        found = {
            seat: place
            for row in rows.values()
            for seat, place in _side_by_side(plates, row, width, region, margin)
        }
        if all(
            abs(found[seat].centerx - plates[seat].centerx) <= FARTHEST * region.w for seat in taken
        ):
            return [found[seat] for seat in taken]
    return [plates[seat] for seat in taken]


def _side_by_side(
    plates: Sequence[Rect], row: Sequence[int], width: int, region: Rect, margin: int
) -> Iterator[tuple[int, Rect]]:
    """Yield the seats of a row with plates of that *width*, as near to their own as may be."""
    left = region.left
    for number, seat in enumerate(row):
        last = region.right - (len(row) - number) * (width + margin) + margin
        left = max(left, min(plates[seat].centerx - width // 2, last))
        yield seat, Rect(left, plates[seat].y, width, plates[seat].h)
        left += width + margin


def _plate_share(has_ends: bool, bar: float) -> float:
    """Return the height of a plate; two above each other give way to a line more on the bar."""
    if has_ends:
        return LOW_PLATE
    return LARGE_PLATE if bar >= SHORT_BAR else TALL_PLATE - (bar - PROMPT_BAR) / 2


def _sides(seats: int) -> tuple[int, int, int, int]:
    if seats in _ROWS:
        near, far = _ROWS[seats]
        return (near, 0, far, 0)
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

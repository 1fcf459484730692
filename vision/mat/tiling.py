"""Take a thing apart that is as large as some cards which touch, each turned a little otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Points

CARD_MM = (62.0, 88.0)
"""Width and height of a card, between bridge and poker size."""

SLACK_MM, FILLED = 4, 0.985
"""So much narrower and lower is the place that is looked for, as blur and round corners take some;
and the part of it that the thing fills at least."""

LEAST, MOST = 1.75, 5.3
"""How many cards a thing is as large as, at least and at most."""

EDGE_MM, ALIKE_DEG, NOISE_MM = 30.0, 3.0, 3.0
"""Length of a side from which a card may lie along it; how far apart two directions are; and how
far an outline lies beside the side that it follows."""

STRIP_MM = 12
"""Places that lie along more than this are those of some cards side by side."""

OVERLAP, COVER, MOST_PLACES = 0.1, 0.95, 24
"""Part of a card that may lie on another; part of the thing that all of them cover at least; and
how many places are tried."""

ROOM_MM = 8
"""Room round a thing."""

_SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def tiles_of(contour: NDArray[np.int32]) -> list[Points]:
    """Return the cards that lie in a thing beside each other, and fill it; none where they do not.

    Cards that overlap may look so, too: it is for those who ask to see that they are cards.

    Args:
        contour: of the thing, int32 (n, 1, 2), in millimetres.

    Returns:
        The outlines, float32 (4, 2), in millimetres.
    """
    count = cv2.contourArea(contour) / (CARD_MM[0] * CARD_MM[1])
    if not LEAST < count < MOST:
        return []
    left, top, wide, high = cv2.boundingRect(contour)
    origin = np.array([left - ROOM_MM, top - ROOM_MM])
    mask = np.zeros((high + 2 * ROOM_MM, wide + 2 * ROOM_MM), np.uint8)
    cv2.drawContours(mask, [contour - origin], -1, 1, -1)
    places = list(_places(mask, _directions(contour)))[:MOST_PLACES]
    found = _cover(mask > 0, [_filled(quad, mask.shape) for quad in places], round(count))
    return [places[n] + origin.astype(np.float32) for n in found]


def _directions(contour: NDArray[np.int32]) -> list[float]:
    """Return the directions of the long sides of a thing, in degrees from 0 to 90."""
    corners = cv2.approxPolyDP(contour, NOISE_MM, True).reshape(-1, 2).astype(np.float64)
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*sides.T)
    found: list[float] = []
    for n in np.argsort(-lengths):
        degrees = float(np.degrees(np.arctan2(sides[n][1], sides[n][0])) % 90)
        new = all(abs((degrees - other + 45) % 90 - 45) > ALIKE_DEG for other in found)
        if lengths[n] >= EDGE_MM and new:
            found.append(degrees)
    return found


def _places(mask: NDArray[np.uint8], directions: Sequence[float]) -> Iterator[Points]:
    """Yield where a card fits into a thing along one of its sides."""
    high, wide = mask.shape
    reach = int(np.hypot(wide, high)) + 1
    for degrees in directions:
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
        turn[:, 2] += (reach - wide) / 2, (reach - high) / 2
        turned = cv2.warpAffine(mask, turn, (reach, reach), flags=cv2.INTER_NEAREST)
        back = cv2.invertAffineTransform(turn)
        for size in (CARD_MM, CARD_MM[::-1]):
            place = (round(size[0]) - SLACK_MM, round(size[1]) - SLACK_MM)
            part = cv2.boxFilter(
                turned.astype(np.float32), -1, place, borderType=cv2.BORDER_CONSTANT
            )
            fits = (part >= FILLED).astype(np.uint8)
            number, _, stats, middles = cv2.connectedComponentsWithStats(fits)
            for n in range(1, number):
                for middle in _middles(stats[n], middles[n], size):
                    quad = middle + _SIGNS * np.array(size) / 2
                    yield (quad @ back[:, :2].T + back[:, 2]).astype(np.float32)


def _middles(
    stats: NDArray[np.int32], middle: NDArray[np.float64], size: tuple[float, float]
) -> Iterator[NDArray[np.float64]]:
    """Yield the middles of the cards whose places lie together: one, or those of a strip."""
    start, lengths = stats[:2].astype(np.float64), stats[2:4].astype(np.float64)
    along = int(lengths.argmax())
    if lengths[along] <= STRIP_MM:
        yield middle
        return
    count = max(1, round((lengths[along] - SLACK_MM) / size[along]))
    for n in range(count + 1):
        at = middle.copy()
        at[along] = start[along] + SLACK_MM / 2 + n * (lengths[along] - SLACK_MM) / count
        yield at


def _filled(quad: Points, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    out = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(out, np.rint(quad).astype(np.int32), 1)
    return out > 0


def _cover(
    thing: NDArray[np.bool_], shapes: Sequence[NDArray[np.bool_]], count: int
) -> tuple[int, ...]:
    """Return the numbers of *count* shapes beside each other that cover most of a thing."""
    beside = [[int((a & b).sum()) <= OVERLAP * int(a.sum()) for b in shapes] for a in shapes]
    bare, card = (1 - COVER) * int(thing.sum()), max((int(a.sum()) for a in shapes), default=0)
    best: tuple[float, tuple[int, ...]] = (bare, ())

    def grow(chosen: tuple[int, ...], free: Sequence[int], rest: NDArray[np.bool_]) -> None:
        nonlocal best
        left, more = int(rest.sum()), count - len(chosen)
        if more == 0 and left < best[0]:
            best = (left, chosen)
        # So much can still be covered at most.
        if 0 < more <= len(free) and left < best[0] + more * card:
            first, *others = free
            beside_first = [n for n in others if beside[first][n]]
            grow((*chosen, first), beside_first, rest & ~shapes[first])
            grow(chosen, others, rest)

    grow((), range(len(shapes)), thing)
    return best[1]

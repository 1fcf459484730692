"""Find cards on a mat by segmentation: whatever differs from the print lies on it.

What is as large as a card is one: of whatever deck, without any network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import check_image
from vision.geometry import Box, Image, Points, bounds, grown, holds, within
from vision.mat.foreground import segment_beside_glare, segment_foreground, whole_mat
from vision.mat.pose import MatPose
from vision.mat.tiling import tiles_of
from vision.readings import ZoneKind

SHORT_MM, LONG_MM = (51.0, 69.0), (80.0, 97.0)
"""Sides of a card, with what blur and shadow take and add."""

USUAL_MM = (60.0, 88.0)
"""Width and height of a card, between bridge and poker size."""

OFF = (0.75, 1.65)
"""How many times too large the networks may find a card; what is further off is none."""

TOO_LARGE = 1.1
"""How many times too large a find is from which it is the less likely a card."""

FILLED = 0.9
"""Part of its rectangle that a card fills."""

INSIDE_MM = (7, 11)
"""How far within a printed frame the plain mat begins: its line, and the blur of it."""

BEYOND_MM = 25.0
"""How far beyond the frame cards of a pile may lie."""

ASKEW_DEG, ASKEW_PART, ASKEW_WITHIN, BLUR_MM = 12, (0.8, 1.03), 0.97, 2.0
"""How far a card is turned that lies across printed lines; how much of it is left; how much of that
lies within its outline; and what blur adds to its sides."""

NEARLY = 0.003
"""Turns by which so little less lies within are as good: the middle of them is taken."""

WIDTHS_MM, MOST_IN_ROW = (55.0, 66.0), 5
"""Width of each of some cards that touch, and how many are looked for: six may be as wide as five
wider ones."""

HEAP_MM = (51.0, 130.0)
"""Shortest and longest side of a thing that may be some cards on top of each other, strewn."""

ASIDE_MM = 10.0
"""How far beyond the printed frame the cards of a heap lie, where on white paper none shows."""

LEAST_MM2 = 250.0
"""Smaller things are left out: crumbs, and the edges of the print."""

MOST_IN_PARTS = 0.7
"""Part of the mat beyond which all of it is segmented."""

ROUND_MM = 20
"""How far round a thing is segmented again, so that none of it lies at the edge."""

REACH_MM = 120
"""How far round a part of the mat to search for what lies partly in it: more than a card."""


@dataclass(frozen=True, slots=True, eq=False)
class MatScene:
    """What lies on a mat.

    Attributes:
        cards: float32 (4, 2) each, pixels of the picture, clockwise: things as large as a card.
        rows: things as large as some cards that touch, side by side: what these would be.
        heaps: things a little larger than a card: where one would lie on top of each.
        unresolved: left, top, right, bottom in pixels round all else: cards that overlap, hands.
        contours: the outlines of all of them in millimetres of the mat: int32 (n, 1, 2) each.
        mat: width and height of the mat in millimetres.
    """

    cards: tuple[Points, ...]
    rows: tuple[tuple[Points, ...], ...]
    heaps: tuple[Points, ...]
    unresolved: tuple[Box, ...]
    contours: tuple[NDArray[np.int32], ...]
    mat: tuple[float, float]

    def share_taken(self, quad_mm: Points) -> float:
        """Return the part (0.0-1.0) of a quad, in millimetres, where something lies.

        Beyond the edge of the mat nothing is known, and all counts as taken.
        """
        low = np.floor(quad_mm.min(axis=0)).astype(int)
        wide, tall = (np.ceil(quad_mm.max(axis=0)).astype(int) + 1 - low).tolist()
        inside, taken = np.zeros((tall, wide), np.uint8), np.zeros((tall, wide), np.uint8)
        cv2.fillConvexPoly(inside, np.rint(quad_mm - low).astype(np.int32), 1)
        cv2.drawContours(taken, [thing - low for thing in self.contours], -1, 1, -1)
        y, x = np.ogrid[low[1] : low[1] + tall, low[0] : low[0] + wide]
        beyond = (x < 0) | (y < 0) | (x >= self.mat[0]) | (y >= self.mat[1])
        return float(((taken > 0) | beyond)[inside > 0].mean())

    def rest(self, pose: MatPose, quads: Sequence[Points]) -> list[Points]:
        """Return what is as large as cards once those under *quads* are taken away, as *cards*.

        What they do not lie on is left out: it was looked at as it is.
        """
        quads_mm = [pose.to_mm(quad) for quad in quads]
        out: list[Points] = []
        for contour in self.contours:
            left, top, wide, high = cv2.boundingRect(contour)
            origin = np.array([left, top])
            mask = np.zeros((high, wide), np.uint8)
            cv2.drawContours(mask, [contour - origin], -1, 1, -1)
            before = int(mask.sum())
            for quad in quads_mm:
                cv2.fillConvexPoly(mask, np.rint(quad - origin).astype(np.int32), 0)
            if int(mask.sum()) in (0, before):
                continue
            mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9))), np.uint8)
            for thing in _outlines(mask, (left, top)):
                out += _cards_of(thing) or _row_of(thing) or _card_askew(thing, quads_mm)
        return [_upright(pose.to_px(quad + 0.5)) for quad in out]


def find_on_mat(image: Image, pose: MatPose, boxes: Sequence[Box] | None = None) -> MatScene:
    """Find what lies on the mat, or at least partly in *boxes* of it, in millimetres.

    The time grows with the boxes.
    """
    cards: list[Points] = []
    rows: list[tuple[Points, ...]] = []
    heaps: list[Points] = []
    unresolved: list[Box] = []
    height, width = image.shape[:2]
    contours = _contours(image, pose, boxes)
    frames = [
        bounds(np.asarray(at, np.float32))
        for zone, at in pose.layout.zones
        if zone.kind is ZoneKind.DISCARD
    ]
    for number, contour in enumerate(contours):
        quads = _cards_of(contour)
        if quads and not any(_is_frame(quad, frame) for quad in quads for frame in frames):
            cards += [_upright(pose.to_px(quad + 0.5)) for quad in quads]
            continue
        left, top, right, bottom = bounds(pose.to_px(contour.reshape(-1, 2)))
        room = round(BEYOND_MM * pose.px_per_mm) if quads else 0
        box = within(grown((left, top, right + 1, bottom + 1), room), (0, 0, width, height))
        if box[2] - box[0] > 4 and box[3] - box[1] > 4:
            unresolved.append(box)
            beside = [] if quads else _cards_beside_glare(image, pose, contour)
            cards += [_upright(pose.to_px(quad + 0.5)) for quad in beside]
            row = [] if quads or beside else _row_of(contour) or tiles_of(contour)
            if row:
                rows.append(tuple(_upright(pose.to_px(quad + 0.5)) for quad in row))
            heap = None if row or beside else _top_of(contour)
            if heap is not None:
                heaps.append(_upright(pose.to_px(heap + 0.5)))
                if quads:  # more of it lies beyond the frame than shows
                    contours[number] = _wider(heap, ASIDE_MM)
    return MatScene(
        tuple(cards),
        tuple(rows),
        tuple(heaps),
        tuple(unresolved),
        tuple(contours),
        pose.layout.size_mm,
    )


def _cards_beside_glare(image: Image, pose: MatPose, contour: NDArray[np.int32]) -> list[Points]:
    """Return the cards of a thing that is also glare, in which nothing is to be seen."""
    if cv2.contourArea(contour) < 1.6 * SHORT_MM[0] * LONG_MM[0]:
        return []
    left, top, wide, high = cv2.boundingRect(contour)
    part = grown((left, top, left + wide, top + high), ROUND_MM)
    box = within(part, whole_mat(pose.layout))
    mask = segment_beside_glare(image, pose, box)
    # Of a card's white rim no more is seen than of the glare.
    hulls = () if mask is None else map(cv2.convexHull, _outlines(mask, box[:2]))
    found = [_card(np.asarray(hull, np.int32), 0) for hull in hulls]
    return [quad for quad in found if quad is not None and holds(contour, quad.mean(axis=0))]


def _is_frame(quad: Points, frame: Box) -> bool:
    """Return whether an outline is the inside of a printed frame: what lies there lies beyond it.

    On white paper beside the frame a white card does not show.
    """
    left, top, right, bottom = bounds(quad)
    inside = (left - frame[0], top - frame[1], frame[2] - right, frame[3] - bottom)
    return all(INSIDE_MM[0] <= each <= INSIDE_MM[1] for each in inside)


def _cards_of(contour: NDArray[np.int32]) -> list[Points]:
    """Return the cards that a thing is: one, or some that hardly touch; none if it is no card."""
    whole = _card(contour, 0)
    if whole is not None:
        return [whole]
    if cv2.contourArea(contour) < 1.6 * SHORT_MM[0] * LONG_MM[0]:
        return []
    left, top, wide, high = cv2.boundingRect(contour)
    room = 2
    mask = np.zeros((high + 2 * room, wide + 2 * room), np.uint8)
    origin = np.array([left - room, top - room])
    cv2.drawContours(mask, [contour - origin], -1, 1, -1)
    for shrunk in (5, 9, 15):
        apart = cv2.erode(mask, np.ones((shrunk, shrunk), np.uint8))
        outlines, _ = cv2.findContours(apart, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        large = [o for o in outlines if cv2.contourArea(o) > LEAST_MM2]
        quads = [_card(np.asarray(o, np.int32), shrunk - 1) for o in large]
        found = [quad + origin.astype(np.float32) for quad in quads if quad is not None]
        if len(found) > 1 and len(found) == len(large):
            return found
    return []


def _card_askew(contour: NDArray[np.int32], known: Sequence[Points]) -> list[Points]:
    """Return the card that a thing is whose ends are cut off where it lies across printed lines.

    The rectangle round what is left lies straight and is too wide. It has the size of those that
    are *known*, in millimetres.
    """
    area, box = cv2.contourArea(contour), cv2.minAreaRect(contour)
    sides = [sorted(np.linalg.norm(quad[[1, 2]] - quad[[0, 1]], axis=1)) for quad in known]
    short, long = np.median(sides, axis=0).tolist()
    if not ASKEW_PART[0] * short * long < area < ASKEW_PART[1] * short * long:
        return []
    left, top, wide, high = cv2.boundingRect(contour)
    room = 20
    origin = np.array([left - room, top - room])
    mask = np.zeros((high + 2 * room, wide + 2 * room), np.uint8)
    cv2.drawContours(mask, [contour - origin], -1, 1, -1)
    upright = box[2] + (0 if box[1][0] < box[1][1] else 90)

    def within(degrees: int) -> int:
        shape, blurred = np.zeros_like(mask), (short + BLUR_MM, long + BLUR_MM)
        quad = cv2.boxPoints((box[0], blurred, upright + degrees))
        cv2.fillConvexPoly(shape, np.rint(quad - origin).astype(np.int32), 1)
        return int((mask & shape).sum())

    turns = np.arange(-ASKEW_DEG, ASKEW_DEG + 1)
    parts = np.array([within(int(degrees)) for degrees in turns]) / int(mask.sum())
    if parts.max() < ASKEW_WITHIN:
        return []
    turned = float(turns[parts >= parts.max() - NEARLY].mean())
    return [np.asarray(cv2.boxPoints((box[0], (short, long), upright + turned)), np.float32)]


def _row_of(contour: NDArray[np.int32]) -> list[Points]:
    """Return the cards that a thing would be if it is a row of some that touch, side by side.

    Cards that overlap may look so, too: it is for those who ask to see that they are cards.
    """
    rectangle = cv2.minAreaRect(contour)
    quad = cv2.boxPoints(rectangle)
    one, other = (float(np.linalg.norm(quad[n + 1] - quad[n])) for n in (0, 1))
    if cv2.contourArea(contour) < FILLED * one * other:
        return []
    if LONG_MM[0] < one < LONG_MM[1]:
        quad, one, other = np.roll(quad, -1, axis=0), other, one
    count = round(one / USUAL_MM[0])
    if not (LONG_MM[0] < other < LONG_MM[1] and 1 < count <= MOST_IN_ROW):
        return []
    if not WIDTHS_MM[0] < one / count < WIDTHS_MM[1]:
        return []
    first, along = quad[[0, 0, 3, 3]], quad[1] - quad[0]
    steps = np.array([0, 1, 1, 0])[:, None] / count
    return [np.asarray(first + along * (steps + n / count), np.float32) for n in range(count)]


def _top_of(contour: NDArray[np.int32]) -> Points | None:
    """Return about where the card on top of a thing lies that is little larger than one."""
    middle, (one, other), degrees = cv2.minAreaRect(contour)
    if not HEAP_MM[0] < min(one, other) <= max(one, other) < HEAP_MM[1]:
        return None
    across, along = USUAL_MM if one < other else USUAL_MM[::-1]
    return np.asarray(cv2.boxPoints((middle, (across, along), degrees)), np.float32)


def _wider(quad: Points, by: float) -> NDArray[np.int32]:
    """Return the outline of a rectangle that is larger on each side, as a contour."""
    middle, (one, other), degrees = cv2.minAreaRect(quad)
    corners = cv2.boxPoints((middle, (one + 2 * by, other + 2 * by), degrees))
    return np.rint(corners).astype(np.int32)[:, None]


def _card(contour: NDArray[np.int32], shrunk: int) -> Points | None:
    """Return the rectangle of a contour that is as large as a card when grown by *shrunk*."""
    middle, (one, other), degrees = cv2.minAreaRect(contour)
    filled = cv2.contourArea(contour) / max(one * other, 1.0)
    one, other = one + shrunk, other + shrunk
    short, long = min(one, other), max(one, other)
    if not (SHORT_MM[0] < short < SHORT_MM[1] and LONG_MM[0] < long < LONG_MM[1]):
        return None
    if filled < FILLED:
        return None
    return np.asarray(cv2.boxPoints((middle, (one, other), degrees)), np.float32)


def _upright(quad: Points) -> Points:
    """Order a quad clockwise, from an end of a short side: float32 (4, 2)."""
    middle = quad.mean(axis=0)
    order = np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))
    quad = quad[order]
    if np.linalg.norm(quad[1] - quad[0]) > np.linalg.norm(quad[2] - quad[1]):
        quad = np.roll(quad, -1, axis=0)
    return np.asarray(quad, np.float32)


def _contours(image: Image, pose: MatPose, boxes: Sequence[Box] | None) -> list[NDArray[np.int32]]:
    """Return the outlines, in millimetres of the mat, of what differs from it within the boxes."""
    all_ = whole_mat(pose.layout)
    parts = [within(box, all_) for box in boxes or ()]
    parts = [part for part in parts if part[2] > part[0] and part[3] > part[1]]
    windows = [within(grown(part, REACH_MM), all_) for part in parts]
    if boxes is None or sum(map(_area, windows)) > MOST_IN_PARTS * _area(all_):
        found = _outlines(segment_foreground(image, pose, all_), (0, 0))
        return [
            outline
            for outline in found
            if boxes is None or any(_meets(outline, part) for part in parts)
        ]
    contours: dict[Box, NDArray[np.int32]] = {}
    for part, window in zip(parts, windows, strict=True):
        for outline in _contours_at(image, pose, part, window):
            left, top, wide, high = cv2.boundingRect(outline)
            contours.setdefault((left, top, wide, high), outline)  # it may lie in two parts
    return list(contours.values())


def _contours_at(image: Image, pose: MatPose, box: Box, window: Box) -> list[NDArray[np.int32]]:
    """Return the outlines of what lies at least partly in *box*, searching *window* first."""
    all_ = whole_mat(pose.layout)
    while True:
        found = _outlines(segment_foreground(image, pose, window), window[:2])
        found = [outline for outline in found if _meets(outline, box)]
        if not any(_is_cut(outline, window, all_) for outline in found):
            return found
        # It goes on beyond the window: an arm, or a row of cards.
        window = within(grown(window, 2 * REACH_MM), all_)


def _outlines(mask: NDArray[np.uint8], origin: tuple[int, int]) -> list[NDArray[np.int32]]:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=origin)
    return [
        np.asarray(outline, np.int32)
        for outline in outlines
        if cv2.contourArea(outline) > LEAST_MM2
    ]


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _meets(outline: NDArray[np.int32], box: Box) -> bool:
    """Return whether a contour's bounding box and a box overlap."""
    left, top, wide, high = cv2.boundingRect(outline)
    return left < box[2] and top < box[3] and left + wide > box[0] and top + high > box[1]


def _is_cut(outline: NDArray[np.int32], window: Box, mat: Box) -> bool:
    """Return whether a contour reaches an edge of the window that is no edge of the mat."""
    left, top, wide, high = cv2.boundingRect(outline)
    right, bottom = left + wide, top + high
    reached = left <= window[0], top <= window[1], right >= window[2], bottom >= window[3]
    return any(r and w != m for r, w, m in zip(reached, window, mat, strict=True))


def with_card_size(pose: MatPose, quad: Points) -> Points:
    """Resize an outline that cannot be a card's to the size of one, about its middle.

    Between two cards that nearly touch the networks take the gap for a part of a card, which would
    then be dropped for its size.
    """
    at = pose.to_mm(quad)
    across, down = (at[1] + at[2] - at[0] - at[3]) / 2, (at[2] + at[3] - at[0] - at[1]) / 2
    wide, high = float(np.hypot(*across)), float(np.hypot(*down))
    if SHORT_MM[0] < wide < SHORT_MM[1] and LONG_MM[0] < high < LONG_MM[1]:
        return quad
    if not (OFF[0] < wide / USUAL_MM[0] < OFF[1] and OFF[0] < high / USUAL_MM[1] < OFF[1]):
        return quad
    across, down = across / wide * USUAL_MM[0] / 2, down / high * USUAL_MM[1] / 2
    corners = [-across - down, across - down, across + down, down - across]
    return np.asarray(pose.to_px(at.mean(axis=0) + np.array(corners)), np.float32)


def card_size_fit(pose: MatPose, quad: Points) -> float:
    """Return how well an outline that the networks found has the size of a card, 0.0-1.0.

    Where cards touch, halves of two of them are taken for a third, larger one that lies across.
    """
    across, down = np.diff(pose.to_mm(quad)[:3], axis=0)
    times = float(np.sqrt(np.hypot(*across) * np.hypot(*down) / np.prod(USUAL_MM)))
    return min(1.0, (TOO_LARGE / times) ** 4)


CELL_PX = 8
"""Pixels of the frame, across and down, that are compared as one."""


class FrameAnalysis:
    """Made once a frame, and handed to all that look for hands, for changes and for cards in it.

    Attributes:
        image: the frame.
    """

    def __init__(self, image: Image) -> None:
        """Compute nothing yet.

        Raises:
            ImageError: *image* has another shape or type.
        """
        check_image(image)
        self.image = image
        self._scenes: dict[tuple[MatPose, tuple[Box, ...] | None], MatScene] = {}

    @cached_property
    def cells(self) -> NDArray[np.float32]:
        """Return the mean colour of each cell: float32, shape (rows, columns, 3)."""
        height, width = self.image.shape[:2]
        size = (max(width // CELL_PX, 1), max(height // CELL_PX, 1))
        small = cv2.resize(self.image, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32)

    def scene(self, pose: MatPose, boxes: Sequence[Box] | None = None) -> MatScene:
        """Return what lies on the mat, as :func:`find_on_mat` does."""
        key = (pose, None if boxes is None else tuple(boxes))
        if key not in self._scenes:
            self._scenes[key] = find_on_mat(self.image, pose, boxes)
        return self._scenes[key]

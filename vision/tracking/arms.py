"""Tell whose arms reach over the mat, by where they come in and from which direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.layout import MatLayout
from vision.mat.pose import MatPose
from vision.readings import Zone, ZoneKind

EDGE_MM = 20.0
"""What changes so near to the edge of the mat, within it and beyond, crosses the edge."""

WIDTH_MM = (25.0, 230.0)
"""Width of an arm, with sleeve and shadow; what is wider is more than one."""

NEAR_MM, STEP_MM = (-100.0, 170.0), 30.0
"""The part of an arm by which its direction is judged, from beyond the edge inwards, in steps."""

AWAY_MM = 250.0
"""So far from the edge of the mat people have their shoulders."""

STEEPEST = 1.5
"""An arm that lies flatter along the edge tells nothing."""

FIT_MM, APART_MM = 150.0, 50.0
"""How far an arm may point beside a player, and how much farther beside the next one."""

OFTEN, BESIDE = 0.3, 2
"""Part of the frames of a visit with an arm that is known in which it must be somebody's; frames
in which it is seen beside another's from which it is an arm of its own, however short."""

EDGES = (0.0, 90.0, 180.0, 270.0)
"""Bottom, left, top, right, as :meth:`MatLayout.degrees` has them."""


def arms_over(
    changed: NDArray[np.uint8],
    size: tuple[int, int],
    pose: MatPose,
    seated: Collection[int] | None = None,
) -> tuple[int | None, ...]:
    """Return whose arms reach in over the edge of the mat; ``None`` for one that nobody knows.

    Args:
        changed: cells of a frame that differ from the table at rest, uint8 0 or 1, shape
            (rows, columns); a cell is best some 10 mm large.
        size: width and height of the frame in pixels.
        pose: where the mat lies in the frame.
        seated: the seats at which people sit; ``None``: any.
    """
    cell_px = np.array([size[0] / changed.shape[1], size[1] / changed.shape[0]])
    count, labels = cv2.connectedComponents(changed)
    layout, found = pose.layout, []
    sit = range(layout.seats) if seated is None else [n for n in range(layout.seats) if n in seated]
    shown = {edge for edge in EDGES if _shows_beyond(edge, size, pose)}
    for number in range(1, count):
        rows, columns = np.nonzero(labels == number)
        at = pose.to_mm((np.column_stack([columns, rows]) + 0.5) * cell_px)
        crossed = _crossed(at, layout, shown)
        if crossed is not None:
            found.append(_whose(at, crossed, layout, sit))
    return tuple(found)


class ArmWatch:
    """Puts together, frame by frame, whose hands were over the mat since the last reading."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._hands: list[int | None] = []
        self._visit: Counter[int | None] = Counter()
        self._beside_others: Counter[int | None] = Counter()
        self._known_frames = 0

    def see(self, arms: tuple[int | None, ...]) -> None:
        """Take the arms of the next frame; a visit is over when none is there."""
        if arms:
            self._visit.update(set(arms))
            known = {*arms} - {None}
            self._known_frames += bool(known)
            if len(known) > 1:
                self._beside_others.update(known)
        elif self._visit:
            self._leave()

    @property
    def has_seen(self) -> bool:
        """Return whether an arm was seen since the last reading."""
        return bool(self._visit or self._hands)

    def take(self) -> tuple[int | None, ...]:
        """Return whose hands they were, in order, and begin anew.

        Where no arm was seen at all, one that nobody knows: frames may have been missed.
        """
        if self._visit:
            self._leave()
        hands, self._hands = tuple(self._hands) or (None,), []
        return hands

    def _leave(self) -> None:
        least = OFTEN * self._known_frames
        often = [
            seat
            for seat, frames in self._visit.items()
            if seat is not None and (frames >= least or self._beside_others[seat] >= BESIDE)
        ]
        self._hands += often or [None]
        self._visit.clear()
        self._beside_others.clear()
        self._known_frames = 0


def _inwards(
    at: NDArray[np.floating], edge: float, layout: MatLayout
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return how far within an edge points lie, and where along it: millimetres, shape (n,)."""
    wide, high = layout.size_mm
    x, y = at[:, 0], at[:, 1]
    return {0.0: (high - y, x), 90.0: (x, y), 180.0: (y, x), 270.0: (wide - x, y)}[edge]


def _shows_beyond(edge: float, size: tuple[int, int], pose: MatPose) -> bool:
    """Return whether a frame of that *size* shows what lies beyond the middle of an edge."""
    wide, high = pose.layout.size_mm
    out = {
        0.0: (wide / 2, high + EDGE_MM),
        90.0: (-EDGE_MM, high / 2),
        180.0: (wide / 2, -EDGE_MM),
        270.0: (wide + EDGE_MM, high / 2),
    }[edge]
    x, y = pose.to_px(np.array([out]))[0].tolist()
    return bool(0 <= x < size[0] and 0 <= y < size[1])


def _crossed(at: NDArray[np.floating], layout: MatLayout, shown: Collection[float]) -> float | None:
    """Return over which edge something reaches in; ``None`` where it lies on the mat, or beside.

    Where the frame shows what lies beyond an edge, an arm is seen there, too: a card that was laid
    near the edge is none.
    """
    crossing = {}
    for edge in EDGES:
        depth, along = _inwards(at, edge, layout)
        length = layout.size_mm[0 if edge in (0.0, 180.0) else 1]
        beside = (along > 0) & (along < length)
        on_edge = (np.abs(depth) < EDGE_MM) & beside
        if edge in shown and not (beside & (depth < 0)).any():
            continue
        if on_edge.any() and (depth > EDGE_MM).any() and np.ptp(along[on_edge]) >= WIDTH_MM[0]:
            crossing[edge] = int(on_edge.sum())
    return max(crossing, key=lambda edge: crossing[edge], default=None)


def _whose(
    at: NDArray[np.floating], edge: float, layout: MatLayout, seated: Iterable[int]
) -> int | None:
    """Return whose arm it is: who sits where it points to, if nobody else nearly does."""
    depth, along = _inwards(at, edge, layout)
    if np.ptp(along[np.abs(depth) < EDGE_MM]) > WIDTH_MM[1]:
        return None
    steps = np.floor((depth - NEAR_MM[0]) / STEP_MM)
    middles = []
    for step in range(int((NEAR_MM[1] - NEAR_MM[0]) / STEP_MM)):
        inside = along[steps == step]
        if inside.size > 1:
            middles.append((NEAR_MM[0] + (step + 0.5) * STEP_MM, float(inside.mean())))
    if len(middles) < 3:
        return None
    depths, middle = np.array(middles).T
    slope, start = np.polyfit(depths, middle, 1).tolist()
    if abs(slope) > STEEPEST:
        return None
    shoulder = start - slope * AWAY_MM
    beside = sorted((abs(shoulder - home), seat) for seat, home in _homes(edge, layout, seated))
    if not beside or beside[0][0] > FIT_MM:
        return None
    is_clear = len(beside) == 1 or beside[1][0] - beside[0][0] >= APART_MM
    return beside[0][1] if is_clear else None


def _homes(edge: float, layout: MatLayout, seated: Iterable[int]) -> Iterator[tuple[int, float]]:
    """Yield who of those that are *seated* sits at an edge, and where along it, in millimetres."""
    for seat in seated:
        zone = Zone(ZoneKind.SEAT, seat)
        if layout.degrees(zone) == edge:
            _, along = _inwards(layout.zone_polygon(zone), edge, layout)
            yield seat, float(along.mean())

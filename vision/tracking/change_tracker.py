"""Follow a mat: look again only where something changed, and vote where a look left doubt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.lens import Lens
from vision.cards.classifier import CardPrediction
from vision.cards.pipeline import CardPipeline
from vision.geometry import Points, overlap
from vision.mat.foreground import Box
from vision.mat.pose import MatPose, find_mat

log = logging.getLogger(__name__)

CELL_PX = 8
"""Pixels of the frame, across and down, that are compared as one."""

CHANGED = 8.0
"""Grey levels (0-255) by which a cell must differ from when it was read to be read again."""

CLEAR = 0.98
"""Confidence from which a look needs no vote."""

AROUND_MM = 15
"""Round what changed: more than a card's outline there may be off."""

MOST_VOTES = 3
"""Frames that vote on a doubtful look."""

MOVED_MM = 2.0
"""How far the mat's corners must have moved in the picture for the camera to be told of."""


@dataclass(slots=True, eq=False)
class TrackedPrediction:
    """A look that is kept from frame to frame, and how many frames have voted on it."""

    look: CardPrediction
    votes: int = 1


class ChangeTracker:
    """Remembers what was read where, frame by frame.

    Attributes:
        pose: where the mat lies; ``None`` while none is seen.
        moved: whether the mat or the camera was found moved in the last frame.
    """

    def __init__(
        self,
        looker: CardPipeline,
        card_mm: float,
        judge: Callable[[CardPrediction, MatPose], bool],
        lens: Lens | None = None,
    ) -> None:
        """Start with nothing seen.

        Args:
            looker: looks.
            card_mm: the width of a card.
            judge: says whether a look can be a card of the mat.
            lens: how the camera's lens bends its pictures, where that was measured.
        """
        self._looker, self._card_mm, self._judge, self._lens = (
            looker,
            card_mm,
            judge,
            lens,
        )
        self._cells: NDArray[np.float32] | None = None
        self._glance: tuple[NDArray[np.uint8], NDArray[np.float32]] | None = None
        self._followed: list[TrackedPrediction] = []
        self.pose: MatPose | None = None
        self.moved = False

    def look(self, image: NDArray[np.uint8]) -> list[CardPrediction] | None:
        """Look at what changed since the last call; ``None`` where no mat is seen.

        Args:
            image: uint8, shape (height, width, 3), BGR, of the same size each time.
        """
        glance, self._glance = self._glance, None
        cells = glance[1] if glance is not None and glance[0] is image else _cells(image)
        changed = self._changed(cells)
        # Until this look is done nothing is known: whoever fails in it looks at all of it again.
        self._cells = None
        self._find(image, changed)
        if self.pose is None:
            self._followed = []
            return None
        if self.moved or changed is None:
            self._look_anew(image, self.pose)
        elif changed.any():
            self._look_where(image, self.pose, changed)
        self._cells = cells
        return self.looks()

    def is_clear(self, image: NDArray[np.uint8]) -> bool:
        """Say whether what changed since the last look is cards, each by itself, or bare mat.

        A hand is something else, and so are cards that overlap: there may be a finger on them. What
        comes in over the edge of the mat is an arm, however little of it is seen there.

        Args:
            image: uint8, shape (height, width, 3), BGR, of the same size each time.
        """
        cells = _cells(image)
        changed = self._changed(cells)
        if self.pose is None or changed is None or _touches_markers(self.pose, changed):
            return False
        boxes = _boxes(_grown(changed, 1), self.pose)
        if any(_reaches_in(box, self.pose) for box in boxes):
            return False
        self._glance = (image, cells)
        return not self._looker.on_mat(image, self.pose, boxes).rest

    def looks(self) -> list[CardPrediction]:
        """Return all that is followed."""
        return [followed.look for followed in self._followed]

    @property
    def in_doubt(self) -> bool:
        """Say whether a look is doubtful that another frame may settle."""
        return bool(self._doubtful())

    def vote(self, image: NDArray[np.uint8]) -> None:
        """Look once more at what is doubtful.

        Args:
            image: uint8, shape (height, width, 3), BGR; another frame of the same still table.
        """
        doubtful = self._doubtful()
        looks = self._looker.again(image, [f.look for f in doubtful])
        for followed, look in zip(doubtful, looks, strict=True):
            followed.look = _mean(followed.look, look, followed.votes)
            followed.votes += 1

    def _doubtful(self) -> list[TrackedPrediction]:
        return [f for f in self._followed if f.votes < MOST_VOTES and _is_doubtful(f.look)]

    def _changed(self, cells: NDArray[np.float32]) -> NDArray[np.uint8] | None:
        """Mark the cells that changed, uint8 0 or 1; ``None`` where nothing can be compared."""
        if self._cells is None or self._cells.shape != cells.shape:
            return None
        off = cells - self._cells
        # A lamp that flickers or a cloud moves all cells alike: that is no card.
        off -= np.median(off[::4, ::4], axis=(0, 1))
        return np.asarray(np.abs(off).max(axis=2) > CHANGED, np.uint8)

    def _find(self, image: NDArray[np.uint8], changed: NDArray[np.uint8] | None) -> None:
        """Find the mat, unless its markers look as they did."""
        self.moved = False
        before = self.pose
        if before is not None and changed is not None and not _touches_markers(before, changed):
            return
        pose = find_mat(image, self._lens)
        if pose is None or before is None:
            self.pose = pose
            return
        wide, high = before.layout.size_mm
        outline = np.array([[0.0, 0.0], [wide, 0.0], [wide, high], [0.0, high]])
        off = np.linalg.norm(pose.to_mm(before.to_px(outline)) - outline, axis=1).max()
        self.moved = pose.layout != before.layout or bool(off > MOVED_MM)
        if self.moved:
            log.warning("the camera or the mat was moved; the mat is found again and read anew")
            self.pose = pose
        else:
            # The place stands, to the last hair: what is kept is compared with it. But something
            # may lie on a marker now, or no longer.
            self.pose = replace(before, bare=pose.bare)

    def _look_anew(self, image: NDArray[np.uint8], pose: MatPose) -> None:
        looks = self._looker.detect_on_mat(image, pose, self._card_mm)
        self._followed = [TrackedPrediction(look) for look in looks if self._judge(look, pose)]

    def _look_where(
        self, image: NDArray[np.uint8], pose: MatPose, changed: NDArray[np.uint8]
    ) -> None:
        """Look at the places that changed; what is known beside them stands, with its votes."""
        near = _grown(changed, 1)
        kept = [f for f in self._followed if not _is_touched(f.look.quad, near)]
        known = [f.look.quad for f in kept]

        def wanted(quad: Points) -> bool:
            return not any(overlap(quad, other) > 0.7 for other in known)

        boxes = _boxes(near, pose)
        looks = self._looker.detect_on_mat(image, pose, self._card_mm, wanted, boxes)
        self._followed = kept + [
            TrackedPrediction(look) for look in looks if self._judge(look, pose)
        ]


def _cells(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Mean colour of each cell: float32 (rows, columns, 3)."""
    size = (max(image.shape[1] // CELL_PX, 1), max(image.shape[0] // CELL_PX, 1))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def _grown(changed: NDArray[np.uint8], cells: int) -> NDArray[np.uint8]:
    kernel = np.ones((2 * cells + 1, 2 * cells + 1), np.uint8)
    return np.asarray(cv2.dilate(changed, kernel), np.uint8)


def _fill(quad_px: Points, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Fill a quad on a grid of cells: uint8 0 or 1."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad_px / CELL_PX).astype(np.int32), 1)
    return mask


def _boxes(changed: NDArray[np.uint8], pose: MatPose) -> list[Box]:
    """Return the parts of the mat, in millimetres, round each place where cells changed."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(changed)
    boxes: list[Box] = []
    for left, top, wide, high, _ in stats[1:count].tolist():
        right, bottom = left + wide, top + high
        corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
        at = pose.to_mm(np.array(corners, np.float64) * CELL_PX)
        (x, y), (to_x, to_y) = at.min(axis=0).tolist(), at.max(axis=0).tolist()
        boxes.append(
            (
                int(x) - AROUND_MM,
                int(y) - AROUND_MM,
                int(to_x) + AROUND_MM,
                int(to_y) + AROUND_MM,
            )
        )
    return boxes


def _reaches_in(box: Box, pose: MatPose) -> bool:
    """Judge whether something that changed lies over the edge of the mat."""
    wide, high = pose.layout.size_mm
    beyond = 2 * AROUND_MM
    meets = box[0] < wide and box[1] < high and box[2] > 0 and box[3] > 0
    inside = box[0] > -beyond and box[1] > -beyond and box[2] < wide + beyond
    return meets and not (inside and box[3] < high + beyond)


def _is_touched(quad: Points, changed: NDArray[np.uint8]) -> bool:
    return bool((_fill(quad, changed.shape) & changed).any())


def _touches_markers(pose: MatPose, changed: NDArray[np.uint8]) -> bool:
    return any(
        _is_touched(pose.to_px(corners), changed) for corners in pose.layout.markers.values()
    )


def _is_doubtful(look: CardPrediction) -> bool:
    return max(look.face_down, look.face_up * float(look.cards.max())) < CLEAR


def _mean(one: CardPrediction, other: CardPrediction, votes: int) -> CardPrediction:
    """The mean of *votes* looks, whose mean *one* is, and another."""

    def mean(a: float, b: float) -> float:
        return (a * votes + b) / (votes + 1)

    return CardPrediction(
        one.quad,
        mean(one.face_up, other.face_up),
        mean(one.face_down, other.face_down),
        np.asarray((one.cards * votes + other.cards) / (votes + 1), np.float64),
    )

"""Follow a mat from frame to frame: read only what changed, and vote on what is in doubt."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.lens import Lens
from vision.cards.classifier import CardPrediction
from vision.cards.pipeline import CardPipeline
from vision.geometry import Box, Image, Points, overlap
from vision.mat.foreground import brightest
from vision.mat.pose import MatPose, find_mat
from vision.mat.segmentation import CELL_PX, FrameAnalysis, MatScene

log = logging.getLogger(__name__)

CHANGED = 8.0
"""Grey levels (0-255) by which a cell must differ from when it was read to be read again."""

FAINT = 0.3
"""Confidence below which a prediction is hardly one."""

CLEAR = 0.98
"""Confidence from which a prediction needs no vote."""

AROUND_MM = 15
"""Added round what changed: more than a card's outline there may be off."""

MOST_VOTES = 3
"""Frames that vote on a doubtful prediction."""

SAME = 0.7
"""Part of one find that another shares from which both are one card."""

PART = 0.15
"""Part of an unsure find, of a back, or of the same card again, that cards known before share: more
than outlines err."""

HALVES = 0.8
"""Part of a doubtful find that others share, found anew without it, from which it is made of
them."""

MOSTLY = 0.5
"""Part of what was hardly a card that others share, found anew, from which it is none."""

STAYED = 0.3
"""Part of a back whose cells may have changed while it stays: a card came to lie beside it."""

CORE = 0.5, 0.65
"""Parts of its width and height, in the middle, where none may have: there a face would show."""

UNCOVERED = 0.03
"""Part of its place that may be bare since: of a back that was pushed more is."""

MOVED_MM = 2.0
"""How far the mat's corners must have moved for it to be found again."""


@dataclass(slots=True, eq=False)
class TrackedPrediction:
    """A prediction that is kept from frame to frame.

    Attributes:
        taken: the part of its place where something lay when it was read, 0.0-1.0.
        votes: how many frames have voted on it.
        by_arm: it was read where an arm had come in, which may have hidden a part of it.
    """

    prediction: CardPrediction
    taken: float = 1.0
    votes: int = 1
    by_arm: bool = False


class ChangeTracker:
    """Remembers what was read where, frame by frame.

    Attributes:
        pose: where the mat lies; ``None`` while none is seen.
        moved: whether the mat or the camera was found moved in the last frame.
    """

    def __init__(self, pipeline: CardPipeline, lens: Lens | None = None) -> None:
        """Start with nothing seen; *lens* is the camera's, where it was measured."""
        self._pipeline, self._lens = pipeline, lens
        self._cells: NDArray[np.float32] | None = None
        self._tracked: list[TrackedPrediction] = []
        self._refused: list[Points] = []  # where parts of hidden cards seemed to lie
        self.pose: MatPose | None = None
        self.moved = False

    def update(self, frame: FrameAnalysis) -> list[CardPrediction] | None:
        """Read what changed since the last call; ``None`` where no mat is seen.

        A frame of another size than the last is read whole.
        """
        changed = self._changed(frame.cells)
        # A failure below leaves nothing to compare with, so that the next frame is read whole.
        self._cells = None
        self._find_mat(frame.image, changed)
        if self.pose is None:
            self._tracked, self._refused = [], []
            return None
        if self.moved or changed is None:
            read = self._pipeline.detect_on_mat(frame, self.pose)
            self._tracked, self._refused = _tracked(read, self.pose, frame.scene(self.pose)), []
        elif changed.any():
            self._read_changed(frame, self.pose, changed)
        self._cells = frame.cells
        return self.predictions()

    def is_clear(self, frame: FrameAnalysis) -> bool:
        """Return whether what changed since the last update is cards, each apart, or bare mat.

        A hand is something else, and so are cards that overlap: there may be a finger on them. What
        comes in over the edge of the mat is an arm, however little of it is seen there.
        """
        changed = self._changed(frame.cells)
        if self.pose is None or changed is None or _touches_markers(self.pose, changed):
            return False
        boxes = _boxes(_grown(changed), self.pose)
        if any(_reaches_in(box, self.pose) for box in boxes):
            return False
        return not frame.scene(self.pose, boxes).unresolved

    def predictions(self) -> list[CardPrediction]:
        """Return all that is tracked."""
        return [tracked.prediction for tracked in self._tracked]

    @property
    def in_doubt(self) -> bool:
        """Return whether a prediction is doubtful that another frame may settle."""
        return bool(self._doubtful())

    def vote(self, frame: FrameAnalysis) -> None:
        """Read once more what is doubtful, on another frame of the same still table."""
        doubtful = self._doubtful()
        read = self._pipeline.reclassify(frame.image, [each.prediction for each in doubtful])
        for tracked, prediction in zip(doubtful, read, strict=True):
            tracked.prediction = _mean(tracked.prediction, prediction, tracked.votes)
            tracked.votes += 1
        left = [t for t in doubtful if t.votes == MOST_VOTES and _clarity(t.prediction) < CLEAR]
        if left and self.pose is not None:
            self._find_again(frame, self.pose, left)

    def _find_again(
        self, frame: FrameAnalysis, pose: MatPose, doubtful: Sequence[TrackedPrediction]
    ) -> None:
        """Find cards anew that no vote has settled: one that is found more surely now counts.

        What was hardly one, and is seen no more where a card is known, was a part of that; and so
        were halves of some that are found there without it.
        """
        places = np.zeros(frame.cells.shape[:2], np.uint8)
        for each in doubtful:
            _fill(places, each.prediction.quad)
        read = self._pipeline.detect_on_mat(frame, pose, None, _boxes(places, pose))
        for each in doubtful:
            others = [other for other in self._tracked if other is not each]
            there = [new for new in read if overlap(new.quad, each.prediction.quad) > SAME]
            new = [n for n in there if not any(_is_again(n, o.prediction) for o in others)]
            found = max(new, key=lambda n: overlap(n.quad, each.prediction.quad), default=None)
            shared = sum(overlap(n.quad, each.prediction.quad) for n in read)
            if found is not None and _clarity(found) > _clarity(each.prediction):
                each.prediction = found
                continue
            faint = not new and _clarity(each.prediction) < FAINT
            if (faint and (there or shared > MOSTLY)) or (not there and shared > HALVES):
                self._tracked = others

    def _doubtful(self) -> list[TrackedPrediction]:
        return [t for t in self._tracked if t.votes < MOST_VOTES and _clarity(t.prediction) < CLEAR]

    def _changed(self, cells: NDArray[np.float32]) -> NDArray[np.uint8] | None:
        """Mark the cells that changed, uint8 0 or 1; ``None`` where nothing can be compared."""
        if self._cells is None or self._cells.shape != cells.shape:
            return None
        off = cells - self._cells
        # A lamp that flickers or a cloud changes all cells alike: that is no card.
        off -= np.median(off[::4, ::4], axis=(0, 1))
        return np.asarray(brightest(np.abs(off)) > CHANGED, np.uint8)

    def _find_mat(self, image: Image, changed: NDArray[np.uint8] | None) -> None:
        """Find the mat, unless its markers look as they did."""
        self.moved = False
        before = self.pose
        if before is not None and changed is not None and not _touches_markers(before, changed):
            return
        pose = find_mat(image, self._lens)
        if pose is None or before is None:
            self.pose = pose
            return
        outline = before.layout.outline_mm
        off = np.linalg.norm(pose.to_mm(before.to_px(outline)) - outline, axis=1).max()
        self.moved = pose.layout != before.layout or bool(off > MOVED_MM)
        if self.moved:
            log.warning("the camera or the mat was moved; the mat is found again and read anew")
            self.pose = pose
        else:
            # The pose is kept exactly: what is tracked is compared with it. But something may lie
            # on a marker now, or no longer.
            self.pose = replace(before, bare=pose.bare)

    def _read_changed(
        self, frame: FrameAnalysis, pose: MatPose, changed: NDArray[np.uint8]
    ) -> None:
        """Read the places that changed; what is known beside them is kept, with its votes."""
        near = _grown(changed)
        hidden = [t.prediction.quad for t in self._tracked if t.by_arm]
        for quad in (*self._refused, *(each for each in hidden if _share(each, near))):
            _fill(near, quad)  # read again whole
        boxes = _boxes(near, pose)
        scene = frame.scene(pose, boxes)

        def stays(tracked: TrackedPrediction) -> bool:
            each = tracked.prediction
            if not _share(each.quad, near):
                return True
            if each.face_down <= each.face_up or tracked.by_arm:
                return False
            if _share(each.quad, changed) > STAYED:
                return False
            if _share(_core(each.quad), changed):
                return False
            return scene.share_taken(pose.to_mm(each.quad)) > tracked.taken - UNCOVERED

        kept = [tracked for tracked in self._tracked if stays(tracked)]

        def wanted(quad: Points) -> bool:
            return not any(overlap(quad, t.prediction.quad) > SAME for t in kept)

        known = [t.prediction for t in kept]
        backs = [each.quad for each in known if each.face_down > each.face_up]
        read = self._pipeline.detect_on_mat(frame, pose, wanted, boxes, backs)
        kept = [t for t in kept if not (_share(t.prediction.quad, near) and _is_halves(t, read))]
        known = [t.prediction for t in kept]
        read = [each for each in read if not _is_among(each, known)]
        again = [each for each in read if self._is_found_again(each, kept)]
        read = [each for each in read if each in again or not _is_part(each, again)]
        by_arm, parts = any(_reaches_in(box, pose) for box in boxes), list[CardPrediction]()
        if by_arm:
            gone = [t.prediction for t in self._tracked if not (t in kept or t.by_arm)]
            parts = [each for each in read if _is_part(each, gone)]
            read = [each for each in read if each not in parts]
        self._refused = [each.quad for each in parts]
        self._tracked = kept + _tracked(read, pose, scene, by_arm)

    def _is_found_again(self, new: CardPrediction, kept: Sequence[TrackedPrediction]) -> bool:
        """Return whether a card that an arm may have hidden a part of lies where it did."""
        return any(
            known.by_arm and known not in kept and overlap(new.quad, known.prediction.quad) > SAME
            for known in self._tracked
        )


def _tracked(
    read: Sequence[CardPrediction], pose: MatPose, scene: MatScene, by_arm: bool = False
) -> list[TrackedPrediction]:
    taken = (scene.share_taken(pose.to_mm(each.quad)) for each in read)
    return [TrackedPrediction(*each, by_arm=by_arm) for each in zip(read, taken, strict=True)]


def _clarity(prediction: CardPrediction) -> float:
    """Return how sure it is which card lies there, or that one lies face down, 0.0-1.0."""
    return max(prediction.face_down, prediction.confidence)


def _is_again(new: CardPrediction, known: CardPrediction) -> bool:
    """Return whether what was read anew is the same card at the same place as one *known*."""
    return new.best == known.best and overlap(new.quad, known.quad) > SAME


def _is_among(new: CardPrediction, known: Sequence[CardPrediction]) -> bool:
    """Return whether what was read anew is a card *known* before, or made of parts of such cards.

    What lies over one changes it, and then it is read anew too. So a back that shares something
    with cards that look as they did is halves of them; a face that is read for sure may be one of
    which more shows now. One that shares something with the same card is that card again, laid to
    the other side of its index.
    """
    shares = [(overlap(new.quad, each.quad), each.best == new.best) for each in known]
    if new.confidence < CLEAR:
        return sum(share for share, _ in shares) > PART
    return any(share > (PART if is_alike else SAME) for share, is_alike in shares)


def _is_halves(tracked: TrackedPrediction, read: Sequence[CardPrediction]) -> bool:
    """Return whether a back was made of parts of cards that are *read* now, each apart.

    So it is where a hand hid the rest of them.
    """
    known = tracked.prediction
    if known.face_down <= known.face_up:
        return False
    backs = [each.quad for each in read if each.face_down >= CLEAR]
    shares = [(overlap(quad, known.quad), quad) for quad in backs]
    parts = [(share, quad) for share, quad in shares if PART < share <= SAME]
    is_apart = all(overlap(a, b) <= PART for (_, a), (_, b) in combinations(parts, 2))
    return len(parts) > 1 and is_apart and sum(share for share, _ in parts) > HALVES


def _is_part(new: CardPrediction, backs: Sequence[CardPrediction]) -> bool:
    """Return whether a back is made of parts of backs that an arm has come to hide, or let stay."""
    if new.face_up >= new.face_down:
        return False
    return any(
        was.face_down > was.face_up and PART < overlap(new.quad, was.quad) <= SAME for was in backs
    )


def _grown(changed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.dilate(changed, np.ones((3, 3), np.uint8)), np.uint8)


def _boxes(changed: NDArray[np.uint8], pose: MatPose) -> list[Box]:
    """Return the parts of the mat, in millimetres, round each place where cells changed."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(changed)
    boxes: list[Box] = []
    for left, top, wide, high, _ in stats[1:count].tolist():
        right, bottom = left + wide, top + high
        corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
        at = pose.to_mm(np.array(corners, np.float64) * CELL_PX)
        (x, y), (to_x, to_y) = at.min(axis=0).tolist(), at.max(axis=0).tolist()
        low = (int(x) - AROUND_MM, int(y) - AROUND_MM)
        boxes.append((*low, int(to_x) + AROUND_MM, int(to_y) + AROUND_MM))
    return boxes


def _reaches_in(box: Box, pose: MatPose) -> bool:
    """Return whether something that changed lies over the edge of the mat."""
    wide, high = pose.layout.size_mm
    beyond = 2 * AROUND_MM
    meets = box[0] < wide and box[1] < high and box[2] > 0 and box[3] > 0
    inside = box[0] > -beyond and box[1] > -beyond and box[2] < wide + beyond
    return meets and not (inside and box[3] < high + beyond)


def _core(quad: Points) -> Points:
    """Return the middle of a card, whose first side is a short one: float32 (4, 2)."""
    across, down = (quad[1] - quad[0]) * CORE[0] / 2, (quad[3] - quad[0]) * CORE[1] / 2
    ways = np.array([-across - down, across - down, across + down, down - across])
    return np.asarray(quad.mean(axis=0) + ways, np.float32)


def _fill(cells: NDArray[np.uint8], quad: Points) -> None:
    """Mark the cells under *quad*, in place."""
    cv2.fillConvexPoly(cells, np.rint(quad / CELL_PX).astype(np.int32), 1)


def _share(quad: Points, changed: NDArray[np.uint8]) -> float:
    """Return the part of the cells under *quad* that *changed*, 0.0-1.0."""
    mask = np.zeros_like(changed)
    _fill(mask, quad)
    return float((mask & changed).sum()) / max(int(mask.sum()), 1)


def _touches_markers(pose: MatPose, changed: NDArray[np.uint8]) -> bool:
    return any(_share(pose.to_px(corners), changed) > 0 for corners in pose.layout.markers.values())


def _mean(one: CardPrediction, other: CardPrediction, votes: int) -> CardPrediction:
    """Return the mean of *votes* predictions, whose mean *one* is, and another."""
    return replace(
        one,
        face_up=(one.face_up * votes + other.face_up) / (votes + 1),
        face_down=(one.face_down * votes + other.face_down) / (votes + 1),
        cards=np.asarray((one.cards * votes + other.cards) / (votes + 1), np.float64),
    )

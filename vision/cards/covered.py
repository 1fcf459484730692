"""Read the cards of which only indices are seen: in fans, rows and columns.

A finder takes the strip that is seen of such a card for a card lying across, so that it knows where
its index is but neither its size nor its turn. Cards of one deck have one size, and beside each
other they mostly lie alike: such an index is read again as the cards nearest to it lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Rank
from vision.cards.classifier import IndexClassifier, IndexPrediction
from vision.cards.detector import IndexDetection
from vision.cards.evidence import (
    APART,
    READABLE,
    Evidence,
    conflicts,
    is_near,
    is_sure,
    mark_grey,
)
from vision.cards.geometry import (
    INDEX_X,
    INDEX_Y,
    IndexFrame,
    frames_of,
    has_corner_at,
    is_same_index,
)
from vision.geometry import Image, Points, overlap
from vision.mat.pose import MatPose
from vision.mat.segmentation import USUAL_MM

ALONE, TOGETHER = 0.5, 0.7
"""Confidence from which one index, and more of one card, are worth a question."""

SIZES = (0.6, 1.6)
"""How wide a card may be, in parts of the others: cards of one picture are seen at an angle."""

ASIDE = (-0.04, 0.0, 0.04)
"""How far along the card its index may lie from where it was found, in parts of its height."""

SAME = 0.6
"""Part of a doubtful card that is shared with one that is seen by its indices, if they are one."""

BETWEEN = (0.55, 0.95)
"""How far two indices of one card lie apart across it, in widths of it, where a card is between."""

MORE, FAR_MORE = 0.03, 0.3
"""By how much more of a card on a mat something lies if it is laid on the other side of its index:
then it may lie there, or does.

On 48 drawn mats, half of them with four indices a card, 9 of 115 cards seen by their indices alone
were laid on the wrong side. Three of these had 0.38 and more, 5 had 0.04 to 0.20; of those that
were laid rightly, and not between two indices, none had more than 0.03 but one, with 0.19.
"""

NEIGHBOURS = 4
"""How many of the frames nearest to an index are tried for it."""

SHOWN = 0.15
"""How far from its place in a doubtful card's corner an index of it may lie, in widths of it."""

_Read = tuple[IndexDetection, IndexPrediction]


class CoveredCards:
    """Reads indices that belong to no card seen as a whole."""

    def __init__(self, indices: IndexClassifier) -> None:
        """Read with the network of *indices*."""
        self._indices = indices

    def read(
        self,
        image: Image,
        found: Sequence[IndexDetection],
        whole: Sequence[Evidence],
        pose: MatPose | None = None,
        taken: Callable[[Points], float] = lambda quad: 1.0,
    ) -> list[Evidence]:
        """Return a card for each group of the indices *found* that none of *whole* explains.

        On a mat, whose *pose* is known, they have the size of cards; *taken* gives the part of a
        quad, float32 (4, 2), where something lies.
        """
        sure = [e for e in whole if is_sure(e)]
        lone = [i for i in found if not _is_explained(i, sure, is_on_mat=pose is not None)]
        # A face that contradicts its indices keeps them: they are no card of their own.
        doubted = [e.quad for e in whole if e.is_contradicted and not is_sure(e)]
        lone = [i for i in lone if not any(has_corner_at(q, i.frame, SHOWN) for q in doubted)]
        if pose is not None:
            lone = [replace(i, frame=_with_card_size(pose, i.frame)) for i in lone]
        read = list(zip(lone, self._indices.read(image, _frames(lone), augment=True), strict=True))
        cards = _grouped(image, read, sure, is_on_mat=pose is not None)
        known = [frame for e in sure for frame in frames_of(e.quad)]
        known += [e.own_indices[0] for e in cards if is_sure(e)]
        unread = [detection for detection, index in read if index.readable < READABLE]
        if again := self._read_as(image, unread, known):
            cards = _grouped(image, [*read, *again], sure, is_on_mat=pose is not None)
            for e in cards:
                e.is_refitted = not any(i.frame in e.own_indices for i in lone)
        cards = [e for e in cards if _worth(e) >= (ALONE if len(e.indices) == 1 else TOGETHER)]
        if pose is None:
            return [e for e in cards if not any(_is_one(e, known) for known in sure)]
        for e in cards:
            _put_on_its_side(e, taken)
        return [e for e in cards if not _is_taken(e, whole)]

    def _read_as(
        self, image: Image, unread: Sequence[IndexDetection], known: Sequence[IndexFrame]
    ) -> list[_Read]:
        """Read indices with the size and turn of those *known*; what is none is left out."""
        tries = [(i, frame) for i in unread for frame in _refitted(i.frame, known)]
        first = self._indices.read(image, [frame for _, frame in tries])
        best: dict[int, tuple[float, IndexDetection]] = {}
        for (detection, frame), index in zip(tries, first, strict=True):
            if index.readable > max(READABLE, best.get(id(detection), (0.0,))[0]):
                best[id(detection)] = (index.readable, replace(detection, frame=frame))
        found = [detection for _, detection in best.values()]
        return list(
            zip(found, self._indices.read(image, _frames(found), augment=True), strict=True)
        )


def _is_explained(index: IndexDetection, sure: Sequence[Evidence], *, is_on_mat: bool) -> bool:
    """Return whether an index lies in a corner of a card that is read.

    On a mat it is that of the card that it fits best, as the next one's of a fan is the next's. On
    photographs this names one card more wrongly, of 516 of the half that chooses, and none more
    rightly: there the size of a card is not known.
    """
    if is_on_mat and any(index.frame in e.own_indices for e in sure):
        return True
    return any(
        has_corner_at(e.quad, index.frame) and not (is_on_mat and index.frame in e.foreign_indices)
        for e in sure
    )


def _put_on_its_side(e: Evidence, taken: Callable[[Points], float]) -> None:
    """Lay a card to the right or the left of its indices, or note that it may lie on either.

    Decks with four indices have them at the right corners, too. Two that are read alike have their
    card between them; of one alone, that card lies where something lies.
    """
    first = e.own_indices[0]
    side = _side(first, first.across)
    for other in e.own_indices[1:]:
        aside = float((other.middle - first.middle) @ first.across) / first.width_px**2
        if BETWEEN[0] < abs(aside) < BETWEEN[1]:
            if aside * side < 0:
                e.quad = _mirrored(first).quad()
            return
    mirrored = _mirrored(first).quad()
    more = taken(mirrored) - taken(e.quad)
    if more > FAR_MORE:
        e.quad = mirrored
    e.is_aside = MORE < more <= FAR_MORE


def _mirrored(frame: IndexFrame) -> IndexFrame:
    """Return *frame* with its card on the other side of the index."""
    to_centre = _to_centre(frame.across, frame.down, -_side(frame, frame.across))
    return replace(frame, centre=(frame.middle + to_centre).astype(np.float32))


def _is_one(covered: Evidence, whole: Evidence) -> bool:
    """Return whether a card seen by its indices is one seen whole, with another suit."""
    alike = (each.fuse().best % len(Rank) for each in (covered, whole))
    return len(set(alike)) == 1 and conflicts(covered.quad, whole.quad)


def _is_taken(covered: Evidence, whole: Sequence[Evidence]) -> bool:
    """Return whether these are indices of a card that is seen whole, one of *whole*.

    If that one is doubtful, it takes them: its face says what it is, too. If it is sure, the next
    card of a fan may have an index there, but hardly one of the same rank.
    """
    rank = covered.fuse().best % len(Rank)
    for e in whole:
        if e.face is not None and e.face.kinds[0] <= e.face.kinds[1]:
            continue
        at = (has_corner_at(e.quad, frame, SHOWN) for frame in covered.own_indices)
        if not any(at) or overlap(covered.quad, e.quad) <= SAME:
            continue
        if not is_sure(e):
            e.take(covered)
            return True
        if e.fuse().best % len(Rank) == rank:
            return True
    return False


def _with_card_size(pose: MatPose, frame: IndexFrame) -> IndexFrame:
    """Return a frame with the size that cards have where it lies on a mat, its card beside it."""
    steps = np.stack(
        [frame.middle, frame.middle + 0.1 * frame.across, frame.middle + 0.1 * frame.down]
    )
    at, to_right, to_bottom = pose.to_mm(steps)
    right, bottom = to_right - at, to_bottom - at
    right *= USUAL_MM[0] / max(float(np.hypot(*right)), 1e-6)
    bottom *= USUAL_MM[1] / max(float(np.hypot(*bottom)), 1e-6)
    centre = at + _to_centre(right, bottom, _side(frame, frame.across))
    ends = pose.to_px(np.stack([at, at + right, at + bottom, centre]))
    return IndexFrame(ends[0], ends[1] - ends[0], ends[2] - ends[0], ends[3])


def _frames(found: Sequence[IndexDetection]) -> list[IndexFrame]:
    return [detection.frame for detection in found]


def _grouped(
    image: Image, read: Sequence[_Read], sure: Sequence[Evidence], *, is_on_mat: bool
) -> list[Evidence]:
    """Put the indices of one card together; those of cards that are *sure* are left out."""
    out: list[Evidence] = []
    usual = float(np.median([frames_of(e.quad)[0].width_px for e in sure])) if sure else 0.0
    alone = [
        Evidence(d.frame.quad(), d.score, True, None, [index], [d.frame], is_on_mat=is_on_mat)
        for d, index in sorted(read, key=lambda pair: -pair[1].readable)
        if index.readable >= READABLE
        and not (usual and not SIZES[0] < d.frame.width_px / usual < SIZES[1])
    ]
    mark_grey(image, alone)
    for e in alone:
        (index,), (frame,) = e.indices, e.own_indices
        best = e.fuse().best
        if any(o.fuse().best == best and is_near(e.quad, o.quad) for o in sure):
            continue
        near = [o for o in out if o.fuse().best == best and is_near(e.quad, o.quad)]
        if not near:
            out.append(e)
        elif not any(is_same_index(frame, seen, APART) for seen in near[0].own_indices):
            near[0].indices = [*near[0].indices, index]
            near[0].own_indices = [*near[0].own_indices, frame]
            near[0].score = max(near[0].score, e.score)
    return out


def _refitted(frame: IndexFrame, known: Sequence[IndexFrame]) -> list[IndexFrame]:
    """Return *frame* with the size and the turn of the nearest that are *known*, either way up."""
    near = sorted(known, key=lambda other: float(np.hypot(*(other.middle - frame.middle))))
    out: list[IndexFrame] = []
    tried: list[IndexFrame] = []
    for other in near[:NEIGHBOURS]:
        for sign in (np.float32(1), np.float32(-1)):
            across, down = other.across * sign, other.down * sign
            turned = IndexFrame(frame.middle, across, down, frame.centre)
            if any(_is_alike(turned, before) for before in tried):
                continue
            tried.append(turned)
            to_centre = _to_centre(across, down, _side(frame, across))
            for aside in ASIDE:
                middle = (frame.middle + down * aside).astype(np.float32)
                out.append(
                    IndexFrame(middle, across, down, (middle + to_centre).astype(np.float32))
                )
    return out


def _side(frame: IndexFrame, across: NDArray[np.float32]) -> float:
    """Return 1.0 where the middle of the card lies along *across* from its index, else -1.0."""
    return 1.0 if float((frame.centre - frame.middle) @ across) >= 0 else -1.0


def _to_centre(
    across: NDArray[np.float32], down: NDArray[np.float32], side: float
) -> NDArray[np.float32]:
    """Return the way from an index to the middle of its card, float32 (2,), as the sides are."""
    return across * (side * (0.5 - INDEX_X)) + down * (0.5 - INDEX_Y)


def _is_alike(one: IndexFrame, other: IndexFrame) -> bool:
    """Return whether two frames have about one size and one turn."""
    cosine = float(one.across @ other.across) / max(one.width_px * other.width_px, 1e-6)
    return cosine > 0.97 and 0.9 < one.width_px / max(other.width_px, 1e-6) < 1.1


def _worth(e: Evidence) -> float:
    """Return how sure it is that an index is there, and what it says: 0.0-1.0."""
    return max(index.readable for index in e.indices) * float(e.fuse().cards.max())

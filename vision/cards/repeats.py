"""Tell once what was found twice: each part of the picture speaks for one card.

The finder gives strips of one covered card quads of their own, and takes parts of two cards for one
between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from engine.core.cards import Rank
from vision.cards.backs import CLEAR_INDEX, is_clear_back
from vision.cards.evidence import APART, READABLE, Evidence, is_likely, is_sure
from vision.cards.geometry import (
    INDEX_X,
    INDEX_Y,
    IndexFrame,
    is_same_index,
    is_same_outline,
)
from vision.geometry import Points

ALIGNED = 0.9
"""Cosine of the angle between two indices from which they may be of one card."""

OFF = 0.25
"""How far a second index may lie from its corner, in parts of the card's width and height: its
size is a guess where only a strip of it is seen."""

HIDDEN = 0.7
"""Part of a detection over which cards lie whose indices are read there, from which it is none.

So much of a card that is hidden leaves a strip: what looks like one is made of those cards.
"""

MADE_OF = 0.9
"""Part of it over which any cards lie that are read, from which what is no clear back is none."""


def without_hidden(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Leave out the backs, and what is hardly a card, that are made of cards that are read."""
    up = [e for e in evidence if is_sure(e)]

    def is_hidden(e: Evidence) -> bool:
        seen = e.fuse()
        doubtful = e.score < 1.0 and (seen.face_down >= seen.face_up or not is_likely(e))
        if not doubtful:
            return False
        vague = not is_clear_back(e) and _hidden(e.quad, up, anywhere=True) > MADE_OF
        return vague or _hidden(e.quad, up) > HIDDEN

    return [e for e in evidence if not is_hidden(e)]


def without_repeats(told: Sequence[Evidence]) -> list[Evidence]:
    """Tell once what is told twice of one card, as the surer of both, with what both have read."""
    kept: list[Evidence] = []
    for e in sorted(told, key=lambda e: -e.fuse().confidence):
        seen = e.fuse()
        frames = _read_at(e)
        for other in kept:
            if _is_on(e, other):
                break
            best = other.fuse().best
            # Of an index half covered only the rank may show.
            alike = seen.best == best or (
                not is_sure(other) and (seen.best - best) % len(Rank) == 0
            )
            if not alike or seen.face_down > seen.face_up:
                continue
            pairs = [(one, two) for one in _read_at(other) for two in frames]
            if seen.best == best and any(is_same_index(two, one, APART) for one, two in pairs):
                break
            if any(_are_of_one(one, two) for one, two in pairs):
                other.indices = [*other.indices, *e.indices]
                other.own_indices = [*other.own_indices, *frames]
                break
        else:
            kept.append(e)
    return kept


def _is_on(e: Evidence, surer: Evidence) -> bool:
    """Return whether an unread face lies just where a surer card does: nothing else shows there."""
    seen = e.fuse()
    if is_sure(e) or seen.face_down > seen.face_up:
        return False
    return is_same_outline(e.quad, surer.quad, away=0.07, share=0.85)


def _read_at(e: Evidence) -> list[IndexFrame]:
    """Return where the indices of a card that are read lie."""
    if e.face is None:
        return e.own_indices
    read = zip(e.index_frames(), e.indices, strict=False)
    return [at[-1] for at, index in read if index.readable >= READABLE]


def _are_of_one(frame: IndexFrame, other: IndexFrame) -> bool:
    """Return whether two indices lie in two corners of one card, at either end of it."""
    if float(frame.across @ other.across) > -ALIGNED * frame.width_px * other.width_px:
        return False
    sides = np.stack([frame.across - other.across, frame.down - other.down]).T / 2
    if abs(float(np.linalg.det(sides))) < 1.0:
        return False
    apart = np.linalg.solve(sides, other.middle - frame.middle)
    across, along = abs(apart - [1 - 2 * INDEX_X, 1 - 2 * INDEX_Y])
    return bool(along < OFF and min(across, abs(apart[0])) < OFF)


def _hidden(quad: Points, cards: Iterable[Evidence], *, anywhere: bool = False) -> float:
    """Return the part of *quad*, 0.0-1.0, over which *cards* lie that show an index there.

    *anywhere*: whether they show one there or not.
    """
    low = quad.min(axis=0)
    size = np.ceil(quad.max(axis=0) - low).astype(int) + 1
    own, over = (np.zeros(size[::-1], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(own, np.rint(quad - low).astype(np.int32), 1)
    for e in cards:
        seen = zip(e.indices, e.index_frames(), strict=False)
        places = [group[0].middle for index, group in seen if index.readable >= CLEAR_INDEX]
        shows = (cv2.pointPolygonTest(quad, at.tolist(), measureDist=False) > 0 for at in places)
        if anywhere or any(shows):
            cv2.fillConvexPoly(over, np.rint(e.quad - low).astype(np.int32), 1)
    return float((own & over).sum()) / max(int(own.sum()), 1)

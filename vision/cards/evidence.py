"""What is known of each card of a picture while it is being looked at, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.classifier import CardPrediction, FacePrediction
from vision.cards.detector import IndexDetection
from vision.cards.fusion import ON_MAT, WEIGHTS, fuse_scores
from vision.cards.index_classifier import IndexPrediction
from vision.cards.index_geometry import IndexFrame, frames_of
from vision.geometry import Points, area, overlap

NOT_UP = 0.2
"""Probability of lying face up below which a card is taken for a back if the finder says so."""

IS_CARD = 0.5
"""Probability below which a thing found is no card at all."""

SETTLED = 0.98
"""Certainty of each of two indices that makes reading the face unnecessary on a mat."""

DOUBTFUL = 0.9
"""Confidence below which a card is read again from other crops."""

REACH = 0.2
"""How far from a card's corner its index may lie, in widths of the card."""

MISFIT = 0.45
"""How badly an index may fit a card that it belongs to, in parts of the card's width."""

READABLE = 0.5
"""Probability above which an index is taken for one."""

LONE = 0.85
"""Confidence below which a card of which only one index is seen is in doubt."""

TAKEN = 0.8
"""Part of a find on a mat where something must lie: half a card and half the mat are no card."""

BESIDE = 0.2
"""Part of a find that a surer one may share before its face alone is not believed."""

UNLIKE = 0.55
"""Likeness to its taught prints below which a card is not believed by its face alone.

A match says which taught card is the likest, not that it is like any. On drawn tables in all lights
1 of 50 cards that were read right by the face alone had less; parts of a card and of the mat, or
parts of two cards, had 0.51 and less.
"""

ANOTHER = 0.08
"""By how much liker another taught print must be for a card not to be believed by its indices."""

CLEAR = 0.9
"""Probability of an index from which it is believed of a card that looks otherwise."""

MIN_SCORE, MIN_SCORE_ON_MAT = 0.3, 0.2
"""Heat below which a thing found is not looked at; on a mat its size speaks for it as well."""


@dataclass(slots=True, eq=False)
class Evidence:
    """All that is known of one card while it is being looked at."""

    quad: Points
    heat: float
    detected_face_up: bool
    face: FacePrediction | None = None
    indices: list[IndexPrediction] = field(default_factory=list)
    found: list[IndexFrame] = field(default_factory=list)
    """Indices that the finder saw at its corners."""
    strange: list[IndexFrame] = field(default_factory=list)
    """Indices of other cards near its corners."""
    taught: NDArray[np.float64] | None = None
    """The word of a taught deck on each card, (52,)."""
    similarity: NDArray[np.float64] | None = None
    """How like its face is to each taught card and the back, (53,); -1 where none was taught."""
    covered: float = 0.0
    """Part of it, 0.0-1.0, over or under which other cards lie."""
    doubted: bool = False
    """What is seen of its face may be another card's."""
    _weighed: tuple[tuple[object, ...], CardPrediction] | None = None
    """What was last weighed, and what came of it."""

    def places(self) -> list[list[IndexFrame]]:
        """Return where its indices may lie: for each, one or more frames to read it in.

        The outline of a card half covered is a guess at its far end; where the finder saw an
        index itself, that is the better place to look.
        """
        own: list[list[IndexFrame]] = [
            [frame]
            for frame in frames_of(self.quad)
            if not any(is_same_index(seen, frame, REACH) for seen in self.strange)
        ]
        others: list[list[IndexFrame]] = []
        for seen in self.found:
            near = [group for group in own if is_same_index(seen, group[0], REACH)]
            if near:
                near[0].append(seen)
            else:
                others.append([seen])
        return own + others

    def is_settled(self) -> bool:
        """Judge whether the indices alone leave no doubt: both are read, surely and alike."""
        if len(self.indices) != 2 or min(look.readable for look in self.indices) < SETTLED:
            return False
        told = [fuse_scores(None, [look]) for look in self.indices]
        best = int(told[0].argmax())
        return all(cards[best] > SETTLED for cards in told)

    def look(self) -> CardPrediction:
        """Weigh the evidence; what was weighed before and has not changed is not weighed again."""
        known = (
            *(self.face, self.indices, self.taught, self.similarity),
            *(self.covered, self.doubted),
        )
        if self._weighed is not None and _are_same(self._weighed[0], known):
            return self._weighed[1]
        look = self._weigh()
        self._weighed = (known, look)
        return look

    def _weigh(self) -> CardPrediction:
        clear = any(look.readable > READABLE for look in self.indices)
        counts = max(0.0, 1.0 - 2.5 * self.covered) if clear else 1.0
        weights = ON_MAT if self.heat >= 1.0 else WEIGHTS
        cards = fuse_scores(
            self.face, self.indices, face_counts=counts, taught=self.taught, weights=weights
        )
        if self.face is None:
            up = max(look.readable for look in self.indices)
            # One witness alone must be sure of itself: else it is asked about.
            up = up if up * float(cards.max()) >= LONE else min(up, 0.5)
            return CardPrediction(self.quad, up, 0.0, cards)
        up, down = float(self.face.kinds[0]), float(self.face.kinds[1])
        if clear and up < 0.9:
            # An index is never on a back, nor where no card is.
            up = max(up, *(look.readable for look in self.indices))
            down = min(down, 1 - up)
        elif self.doubted:
            up = min(up, 0.5)
        if self._is_unlike(int(cards.argmax())):
            up = min(up, 0.5)
        return CardPrediction(self.quad, up, down, cards)

    def _is_unlike(self, card: int) -> bool:
        """Judge whether the card of that number was taught, and looks otherwise.

        An index speaks for it where it is clear; against another card's print none does.
        """
        if self.similarity is None or self.similarity[card] <= -1.0:
            return False
        own, likest = float(self.similarity[card]), float(self.similarity[:-1].max())
        sure = any(look.readable > CLEAR for look in self.indices)
        return likest - own > ANOTHER or (own < UNLIKE and not sure)


def _are_same(ones: Sequence[object], others: Sequence[object]) -> bool:
    """Judge whether these are the very same things; numbers, the same values."""
    return all(
        one == other if isinstance(one, float) else one is other
        for one, other in zip(ones, others, strict=True)
    )


def as_found(face: FacePrediction, e: Evidence) -> FacePrediction:
    """Take for a card what on a mat has the size of one.

    A back overlooked there stalls the hand, and a card that looks like none is asked about.
    """
    if e.heat < MIN_SCORE or face.kinds[2] < IS_CARD:
        return face
    kinds = face.kinds.copy()
    clear_back = not e.detected_face_up and kinds[0] < NOT_UP
    kinds[:2] = (0.0, 1.0) if clear_back else kinds[:2] / max(float(kinds[:2].sum()), 1e-9)
    # It may lie either way: certain of neither, it is asked about.
    kinds[0] = max(kinds[0], 0.5) if not clear_back else kinds[0]
    kinds[2] = 0.0
    return replace(face, kinds=kinds)


def is_doubtful(look: CardPrediction) -> bool:
    """Judge whether a card lies there face up that is read again from other crops."""
    return look.face_up > look.face_down and look.face_up * float(look.cards.max()) < DOUBTFUL


def is_card(look: CardPrediction) -> bool:
    """Judge whether what was found is a card at all."""
    return look.face_up + look.face_down >= IS_CARD


def centre_distance(one: Points, other: Points) -> float:
    """Return how far apart two cards' middles lie, in heights of the other."""
    height = float(np.linalg.norm(other[3] - other[0]))
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))) / max(height, 1.0)


def says(e: Evidence, card: int) -> bool:
    """Judge whether a card is most likely the one of that number."""
    return int(e.look().cards.argmax()) == card


def is_same_index(frame: IndexFrame, other: IndexFrame, reach: float) -> bool:
    """Judge whether two frames are of one index."""
    off = float(np.hypot(*(frame.middle - other.middle)))
    along = float(frame.down @ other.down)
    cosine = along / max(float(np.hypot(*frame.down) * np.hypot(*other.down)), 1e-6)
    return off < reach * other.width_px and cosine > 0.85


def assign_indices(indices: Sequence[IndexDetection], evidence: Sequence[Evidence]) -> None:
    """Give each index to the card it fits best, if any, and let the others know; in place.

    In a fan the next card's index lies where an index of this one could be: what tells them
    apart is where each says the middle of its card is.
    """
    if not indices:
        return
    places = [(*frames_of(e.quad), *frames_of(e.quad[[1, 0, 3, 2]])) for e in evidence]
    for detection in indices:
        costs = [_misfit(detection.frame, four) for four in places]
        best = int(np.argmin(costs)) if costs else -1
        for number, e in enumerate(evidence):
            if number == best and costs[number] < MISFIT:
                e.found.append(detection.frame)
            else:
                e.strange.append(detection.frame)


def _misfit(frame: IndexFrame, places: Sequence[IndexFrame]) -> float:
    """Return how badly an index fits a card, in parts of its width; infinite if not at all.

    *places* are where an index may lie on it: two in their own corners, then two in the others,
    where only some decks have one.
    """
    own = places[0]
    width = max(own.width_px, 1.0)
    apart = float(np.hypot(*(frame.centre - own.centre))) / width
    if apart > MISFIT:
        return float("inf")
    costs = [float("inf")]
    for number, other in enumerate(places):
        if is_same_index(frame, other, REACH):
            off = float(np.hypot(*(frame.middle - other.middle))) / max(other.width_px, 1.0)
            costs.append(off + apart + (0.0 if number < 2 else 0.15))
    return min(costs)


def mark_occluded(evidence: list[Evidence]) -> None:
    """Note how much of each card others cover, or are covered by it."""
    near = _near([e.quad for e in evidence])
    for one, other in zip(*(each.tolist() for each in np.nonzero(near)), strict=True):
        e, beside = evidence[one], evidence[other]
        if not excludes(e.quad, beside.quad):
            e.covered = max(e.covered, part_shared(e, beside))


def _near(quads: Sequence[Points]) -> NDArray[np.bool_]:
    """Mark the pairs of quads whose bounding boxes meet: bool (n, n); none meets itself."""
    if not quads:
        return np.zeros((0, 0), bool)
    corners = np.stack(quads)
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = np.all((low[:, None] <= high[None]) & (low[None] <= high[:, None]), axis=2)
    np.fill_diagonal(near, False)
    return np.asarray(near, bool)


def part_shared(e: Evidence, other: Evidence) -> float:
    """Return the part of *e* on which *other* lies, or that lies on it."""
    shared = overlap(e.quad, other.quad) * min(area(e.quad), area(other.quad))
    return shared / max(area(e.quad), 1.0)


def mark_duplicates(evidence: Sequence[Evidence]) -> None:
    """Doubt each find that has no index of its own and shares much with one found surer.

    It may be half of that card, whose pips it sees elsewhere: half of a six is a three.
    """
    for e in evidence:
        e.doubted = not has_index(e) and any(
            o.heat > e.heat and part_shared(e, o) > BESIDE for o in evidence
        )


def is_false_positive(e: Evidence, taken: Callable[[], float]) -> bool:
    """Judge whether a find is half a card and half bare mat; *taken* tells the part that is not.

    One that is doubted (:func:`mark_duplicates`) stays so where glare hides the mat; one that is
    hardly warm besides is none: it would be a card, or a back, too many.
    """
    if has_index(e):
        return False
    if e.doubted and e.heat < MIN_SCORE:
        return True
    return (e.doubted or e.heat < MIN_SCORE) and taken() < TAKEN


def has_index(e: Evidence) -> bool:
    """Judge whether an index is read at one of its corners."""
    return any(look.readable > READABLE for look in e.indices)


def has_only_shape_evidence(e: Evidence) -> bool:
    """Judge whether little but its form says that a card lies there: no index, no clear face.

    A frame of the print has that form, and glare or noise may hide that it is bare.
    """
    if has_index(e):
        return False
    look = e.look()
    clear = max(look.face_down, look.face_up * float(look.cards.max())) >= DOUBTFUL
    return e.heat < 1.0 or not clear


def best_of(evidence: list[Evidence]) -> list[Evidence]:
    """Of two that cannot both be cards keep the better."""

    def worth(e: Evidence) -> float:
        look = e.look()
        return e.heat * max(look.face_up * float(look.cards.max()), look.face_down)

    near = _near([e.quad for e in evidence])
    kept: list[int] = []
    for n in sorted(range(len(evidence)), key=lambda n: -worth(evidence[n])):
        if not any(near[n, m] and excludes(evidence[n].quad, evidence[m].quad) for m in kept):
            kept.append(n)
    return [evidence[n] for n in kept]


def excludes(one: Points, other: Points) -> bool:
    """Judge whether two quads cannot both be cards: the same card twice, or one inside another.

    Cards of one deck have one size: a small "card" on a large one is its court or a group of pips.
    """
    if overlap(one, other) < 0.6:
        return False
    near = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    ratio = area(one) / max(area(other), 1.0)
    return near < 0.2 * np.sqrt(area(other)) or not 0.5 < ratio < 2

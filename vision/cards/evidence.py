"""What is known of each card of a picture while it is read, and what follows from it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Rank
from vision.cards.classifier import CardPrediction, FacePrediction, IndexPrediction, softmax
from vision.cards.colour import has_colour, without_colour
from vision.cards.detector import IndexDetection
from vision.cards.geometry import READ, IndexFrame, frames_of, is_same_index, straighten
from vision.geometry import Image, Points, area, holds, overlap, without_conflicts

NOT_UP = 0.2
"""Probability of lying face up below which a card is a back if the detector says so too."""

IS_CARD = 0.5
"""Probability below which a detection is no card at all."""

SETTLED = 0.98
"""Certainty of each of two indices that makes reading the face unnecessary on a mat."""

DOUBTFUL = 0.9
"""Confidence below which a card is read again from other crops."""

REACH = 0.2
"""How far from a card's corner its index may lie, in widths of the card."""

MISFIT = 0.45
"""How badly an index may fit a card that it belongs to, in parts of the card's width."""

APART = 0.2
"""How far two indices of a card lie from each other at least, in widths of the card."""

READABLE = 0.5
"""Probability above which an index is taken for one."""

SURE = 0.7
"""Confidence from which a card is read; chosen on the dev photographs."""

SURE_ON_MAT = 0.9
"""Confidence from which a card on a mat is read: there money moves, somebody can be asked, and
every card is seen well."""

ASKED, CLEAR_SCORE = 0.3, 0.6
"""Confidence below which a reading is mostly of no card, and the finder's score of a clear one.

On the half of the photographs that chooses 2 of 27 readings of less confidence that little covers
named a card of the picture; 1 had such a score, and 0 of these did.
"""

LONE, LONE_REFITTED = 0.85, 0.95
"""Confidence below which a card of which only indices are seen is in doubt, and where the place of
the other cards says how those lie.

On the half of the photographs that chooses, of single indices found as they lie 43 of 45 with 0.85
were right, with 0.7 to 0.85 10 of 14; of those refitted 11 of 11 with 0.95, 4 of 6 with 0.85.
"""

CLEARLY_FOUND = 0.35
"""The finder's score below which cards of which only indices are seen are in doubt: print on paper
looks like some. On a mat lies none.
"""

UNNAMED = 0.25
"""How much a card surely face up counts at least beside others at its place, whichever it is: of a
deck without indices a court says little of that.
"""

LIKELY = 0.5
"""Confidence, or probability of lying face down, below which a detection is hardly a card.

It covers no other, and is none where cards that are read lie over it.
"""

TAKEN = 0.8
"""Part of a detection on a mat where something must lie: half a card and half the mat are none."""

BEYOND_TAKEN = 0.7
"""So of what of it lies beyond a surer card that it shares much with."""

HALF_TAKEN = 0.6
"""The same of one that is hardly found and shows an index, but no card for sure."""

BACK_TAKEN, CLEAR_BACK_TAKEN = 0.68, 0.4
"""Part of a back on a mat where something must lie, and where it is clearly found (CLEAR_SCORE).

On the rendered mats of the half that chooses 0.72 and more of those that were backs, 0.65 and less
of the hands, tokens and print that were taken for some, none clearly found. In bad light drawn
backs that are clearly found have 0.45 and more.
"""

BESIDE = 0.2
"""Part of a detection that a surer one may share before its face alone is not believed."""

UNLIKE = 0.55
"""Similarity to its own embeddings below which a card is not believed by its face alone.

A match says which learnt card is the likest, not that it is like any. On drawn tables in all lights
1 of 50 cards that were read right by the face alone had less; parts of a card and of the mat, or
parts of two cards, had 0.51 and less.
"""

ALIKE, DENIED = 0.8, 0.1
"""Similarity to a learnt card below which a clear index may deny it, and probability of its rank
below which it does: half of a four looks like a two, and has the index of a four."""

ANOTHER = 0.08
"""By how much liker another learnt card must be for a card not to be believed by its indices."""

CLEAR = 0.9
"""Probability of an index from which it is believed of a card that looks otherwise."""

MIN_SCORE, MIN_SCORE_ON_MAT = 0.3, 0.2
"""Detector score below which a detection is not read; lower on a mat, where its size helps."""


FACE, INDEX = 0.5, 1.5
"""How much each logit of the whole face counts beside an index that is read, and each of an index,
times the probability that it is one; chosen on the dev photographs and held-back scenes."""

FACE_ON_MAT = 1.0
"""As much as the face counts on a mat, where the outline of a card is true.

On the rendered mats of the half that chooses, and 48 drawn ones, of 527 cards that show an index it
gives 453 for 444 with 0.9 or more and one wrong less, of 10.
"""

FACE_ALONE, FACE_ALONE_UNCOVERED = 0.5, 1.0
"""How much those of the face count where no index is: what another card covers may look like any.

On the half of the photographs that chooses, all 21 uncovered cards without an index that had 0.7 or
more were right; with 0.5 as the weight 18 of these were asked about.
"""

COURT_ALONE = 0.7
"""As much as those of a court count at most where no index is: its maker's figures may be like
another's king.

On faces drawn without their indices, of five designs never trained on, of courts that had 0.7 or
more 10 of 94 were wrong with 1.0 as the weight, 2 of 67 with 0.85, 1 of 47 with 0.7; of 796 pip
cards none was, with any.
"""

COURTS = slice(10, 13)
"""Jack, queen and king among the ranks."""

CONTRADICTS, CONTRADICTS_COVERED = 0.95, 0.2
"""Probability from which a face contradicts the suit that its indices say; and the part of it that
may be covered."""

COURT_CONTRADICTS, COURT_CONTRADICTS_COVERED = 0.7, 0.35
"""The same for a court where the indices say a pip card, or the other way round: a German B looks
like an 8, its figure does not.

Of 742 sure cards of the halves that choose (rendered mats, dev2, every third photograph of dev)
that were right, none is so contradicted; three would be from 0.6 on. On a mat OUTVOTED_COVERED
counts.
"""

DOUBTED = 0.65
"""Confidence, at most, of a card whose witnesses contradict each other: not sure, but a card."""

OUTVOTED_COVERED = 0.6
"""Part of a card on a mat that may be covered for its face and one index to outvote another index,
which is the next card's: on mats of the half that chooses, that hits 2 of 9 wrong and no right one
of 458.
"""

MOSTLY_COVERED = 0.4
"""Part of a card that is covered from which its face contradicts no two clear indices of it."""

BARELY = 0.02
"""Part of a card that others may seem to cover without covering any."""

FACE_CUSTOM = 0.3
"""How much those of the face count where a custom deck has logits of its own."""


def fuse_scores(
    face: FacePrediction | None,
    indices: Sequence[IndexPrediction],
    *,
    face_counts: float = 1.0,
    custom: NDArray[np.float64] | None = None,
    face_alone: float = FACE_ALONE,
    face_beside: float = FACE,
) -> NDArray[np.float64]:
    """Return the probability of each card, float64 (52,), from all that was read of it.

    The networks' logits are added, as those of witnesses who err apart: where they agree the card
    is surer than by either, and where they contradict each other neither card is likely.
    *face_counts* (0.0-1.0) is less where other cards lie over the face; *custom* are the logits of
    a custom deck, float64 (52,).
    """
    readable = min(sum(index.readable for index in indices), 1.0)
    face_weight = readable * face_beside + (1 - readable) * face_alone
    if custom is not None:
        face_weight = FACE_CUSTOM
    ranks, suits = np.zeros(13), np.zeros(4)
    if face is not None:
        ranks += face_weight * face_counts * face.ranks
        suits += face_weight * face_counts * face.suits
    for index in indices:
        ranks += INDEX * index.readable * index.ranks
        suits += INDEX * index.readable * index.suits
    logits = np.add.outer(suits, ranks).ravel()
    if custom is not None:
        logits = logits + face_counts * custom
    return softmax(logits)


def mean_of(indices: Sequence[IndexPrediction]) -> IndexPrediction:
    """Return what the indices of one card say on average."""
    weights = np.array([index.readable for index in indices])
    weights /= max(float(weights.sum()), 1e-9)
    ranks = weights @ np.stack([index.ranks for index in indices])
    return IndexPrediction(1.0, ranks, weights @ np.stack([index.suits for index in indices]))


@dataclass(slots=True, eq=False)
class Evidence:
    """All that is known of one card while it is read.

    Attributes:
        quad: its corners in pixels, clockwise.
        score: the detector's, 0.0-1.0; 1.0 for one found by its outline on a mat.
        own_indices: the indices that the detector saw at its corners.
        foreign_indices: indices of other cards near its corners.
        custom: the logits of a custom deck, float64 (52,).
        similarity: of its face to each learnt card and the back, (53,); -1 where none was learnt.
        covered: part of it, 0.0-1.0, over or under which other cards lie.
        is_whole: its outline shows that none of them lies over it.
        is_duplicate: what is seen of its face may be another card's.
        is_grey: neither it nor the picture shows colour.
        is_on_mat: it lies on a mat, which says how large it is.
        is_refitted: its indices are read as the cards beside it lie.
        is_aside: it may lie on the other side of its index.
        is_joker: it is no card of the 52, if its deck has indices.
        is_contradicted: its face surely says that it is not what its indices say.
        fit: how well the outline that the networks found has the size of a card, 0.0-1.0.
    """

    quad: Points
    score: float
    detected_face_up: bool
    face: FacePrediction | None = None
    indices: list[IndexPrediction] = field(default_factory=list)
    own_indices: list[IndexFrame] = field(default_factory=list)
    foreign_indices: list[IndexFrame] = field(default_factory=list)
    custom: NDArray[np.float64] | None = None
    similarity: NDArray[np.float64] | None = None
    covered: float = 0.0
    is_whole: bool = False
    is_duplicate: bool = False
    is_grey: bool = False
    is_refitted: bool = False
    is_aside: bool = False
    is_on_mat: bool = False
    is_joker: bool = False
    is_contradicted: bool = False
    fit: float = 1.0
    _fused: tuple[tuple[object, ...], CardPrediction] | None = None
    """What was fused last, and the result."""

    def index_frames(self) -> list[list[IndexFrame]]:
        """Return where its indices may lie: for each, one or more frames to read it in.

        The outline of a card half covered is a guess at its far end; where the detector saw an
        index itself, that is the better place.
        """
        own: list[list[IndexFrame]] = [
            [frame]
            for frame in frames_of(self.quad)
            if not any(is_same_index(seen, frame, REACH) for seen in self.foreign_indices)
        ]
        others: list[list[IndexFrame]] = []
        for seen in self.own_indices:
            near = [group for group in own if is_same_index(seen, group[0], REACH)]
            if near:
                near[0].append(seen)
                if self.is_on_mat:  # there the card's size is truer than the index's
                    near[0].append(replace(near[0][0], middle=seen.middle))
            else:
                others.append([seen])
        return own + others

    def take(self, other: Evidence) -> None:
        """Count the indices of *other*, of which only they are seen, for this card: it is one."""
        read_again = {
            number
            for number, (at, *_) in enumerate(self.index_frames())
            if any(is_same_index(frame, at, APART) for frame in other.own_indices)
        }
        kept = [index for n, index in enumerate(self.indices) if n not in read_again]
        self.indices, self.is_joker = [*kept, *other.indices], False

    def is_settled(self) -> bool:
        """Return whether both indices are read, surely and alike: the face is not needed."""
        if len(self.indices) != 2 or min(index.readable for index in self.indices) < SETTLED:
            return False
        each = [fuse_scores(None, [index]) for index in self.indices]
        best = int(each[0].argmax())
        return all(cards[best] > SETTLED for cards in each)

    def is_uncovered(self) -> bool:
        """Return whether the whole card is seen: on a mat, where much else is, by its outline."""
        shows = self.score >= 1.0 or self.is_whole
        return shows or (self.covered < BARELY and not self.is_on_mat)

    def has_index(self) -> bool:
        """Return whether an index is read at one of its corners."""
        return any(index.readable > READABLE for index in self.indices)

    def fuse(self) -> CardPrediction:
        """Fuse the evidence; the result is kept until the evidence changes."""
        known = (
            *(self.quad, self.face, self.indices, self.custom, self.similarity),
            *(self.covered, self.is_whole, self.is_duplicate, self.is_refitted, self.is_aside),
            self.is_joker,
        )
        if self._fused is None or not all(map(operator.is_, self._fused[0], known)):
            self._fused = (known, self._fuse())
        return self._fused[1]

    def _fuse(self) -> CardPrediction:
        clear = self.has_index()
        cards = fuse_scores(
            self.face,
            self.indices,
            face_counts=max(0.0, 1.0 - 2.5 * self.covered) if clear else 1.0,
            custom=self.custom,
            face_alone=self._face_alone(),
            face_beside=FACE_ON_MAT if self.is_on_mat else FACE,
        )
        if self.is_grey:
            cards = without_colour(cards)
        if self.face is None:
            up = max(index.readable for index in self.indices)
            # Few witnesses must be sure of themselves: else they are asked about.
            sure = up * float(cards.max()) >= (LONE_REFITTED if self.is_refitted else LONE)
            # They are of one print: where each is hardly read, their sum is too sure of itself.
            sure = sure and float(fuse_scores(None, [mean_of(self.indices)]).max()) >= SURE
            found = self.is_refitted or self.is_on_mat or self.score >= CLEARLY_FOUND
            if self.is_aside or not (sure and found):
                up = min(up, 0.5)
            return CardPrediction(self.quad, up, 0.0, cards, clear)
        up, down = float(self.face.kinds[0]), float(self.face.kinds[1])
        if clear and up < 0.9:
            # An index is never on a back, nor where no card is.
            up = max(up, *(index.readable for index in self.indices))
            down = min(down, 1 - up)
        elif self.is_duplicate:
            up = min(up, 0.5)
        best = int(cards.argmax())
        self.is_contradicted = clear and self._contradicts(best)
        if self._is_unlike(best):
            up = min(up, 0.5)
        if self.is_contradicted or (clear and not self._is_said(best)):
            up = min(up, DOUBTED / float(cards.max()))
        return CardPrediction(self.quad, up, down, cards, clear, self.is_joker)

    def _contradicts(self, card: int) -> bool:
        """Return whether the face surely says that it is not the card of that number.

        Of a custom deck the face has told the card, and an index may say so.
        """
        if self.face is None:
            return False
        if self.custom is not None:
            return self._is_denied(card)
        if self.covered >= MOSTLY_COVERED and self._agree(card) > 1:
            return False  # what still shows of the face is a strip
        if self.is_on_mat and self.covered < OUTVOTED_COVERED and self._is_outvoted(card):
            return True
        court = float(softmax(self.face.ranks)[COURTS].sum())
        other = 1 - court if card % len(Rank) >= COURTS.start else court
        most = OUTVOTED_COVERED if self.is_on_mat else COURT_CONTRADICTS_COVERED
        if self.covered < most and other >= COURT_CONTRADICTS:
            return True
        suits = softmax(self.face.suits)
        other_suit = float(suits.max()) if int(suits.argmax()) != card // len(Rank) else 0.0
        return self.covered < CONTRADICTS_COVERED and other_suit >= CONTRADICTS

    def _agree(self, card: int) -> int:
        """Return how many of its indices are clear, and surely those of the card of that number."""
        suit, rank = divmod(card, len(Rank))
        return sum(
            min(index.readable, softmax(index.ranks)[rank], softmax(index.suits)[suit]) > CLEAR
            for index in self.indices
        )

    def _is_denied(self, card: int) -> bool:
        """Return whether a clear index denies what a face hardly like any learnt card says."""
        if self.similarity is None or float(self.similarity.max()) >= ALIKE:
            return False
        return any(
            index.readable > CLEAR and softmax(index.ranks)[card % len(Rank)] < DENIED
            for index in self.indices
        )

    def _is_said(self, card: int) -> bool:
        """Return whether the face or one of the indices says that it is the card of that number.

        The rank of one index and the suit of another are those of two cards: of 1,495 sure cards
        of the halves that choose 4 were like that, 2 of them wrong.
        """
        said = [(e.ranks, e.suits) for e in self.indices if e.readable > READABLE]
        if self.face is not None:
            said.append((self.face.ranks, self.face.suits))
        suit, rank = divmod(card, len(Rank))
        return self.custom is not None or any(
            ranks.argmax() == rank and suits.argmax() == suit for ranks, suits in said
        )

    def _is_outvoted(self, card: int) -> bool:
        """Return whether the face and one of the indices agree on a rank that is not its own."""
        assert self.face is not None
        rank = int(self.face.ranks.argmax())
        return rank != card % len(Rank) and any(
            index.readable > CLEAR and softmax(index.ranks)[rank] > 0.5 for index in self.indices
        )

    def _face_alone(self) -> float:
        """Return how much the face counts where no index is."""
        if not self.is_uncovered():
            return FACE_ALONE
        ranks = None if self.face is None else self.face.ranks
        is_court = ranks is not None and ranks[COURTS].max() >= ranks.max()
        return COURT_ALONE if is_court else FACE_ALONE_UNCOVERED

    def _is_unlike(self, card: int) -> bool:
        """Return whether the card of that number was learnt, and looks otherwise.

        An index speaks for it where it is clear; against another card's embedding none does.
        """
        if self.similarity is None or self.similarity[card] <= -1.0:
            return False
        own, likest = float(self.similarity[card]), float(self.similarity[:-1].max())
        sure = any(index.readable > CLEAR for index in self.indices)
        return likest - own > ANOTHER or (own < UNLIKE and not sure)


def as_found(face: FacePrediction, e: Evidence) -> FacePrediction:
    """Take for a card what on a mat has the size of one.

    A back overlooked there stalls the hand, and a card that looks like none is asked about.
    """
    if e.score < MIN_SCORE or face.kinds[2] < IS_CARD:
        return face
    kinds = face.kinds.copy()
    clear_back = not e.detected_face_up and kinds[0] < NOT_UP
    kinds[:2] = (0.0, 1.0) if clear_back else kinds[:2] / max(float(kinds[:2].sum()), 1e-9)
    # It may lie either way: certain of neither, it is asked about.
    kinds[0] = max(kinds[0], 0.5) if not clear_back else kinds[0]
    kinds[2] = 0.0
    return replace(face, kinds=kinds)


def is_doubtful(prediction: CardPrediction) -> bool:
    """Return whether a card lies there face up that is to be read again from other crops."""
    return prediction.face_up > prediction.face_down and prediction.confidence < DOUBTFUL


def is_sure(e: Evidence) -> bool:
    """Return whether a card is read, and not only seen."""
    return e.fuse().confidence >= (SURE_ON_MAT if e.is_on_mat else SURE)


def is_likely(e: Evidence) -> bool:
    """Return whether this is rather a card, read or face down, than none."""
    seen = e.fuse()
    return max(seen.confidence, seen.face_down) >= LIKELY


def is_worth_asking(e: Evidence) -> bool:
    """Return whether a card on a photograph is told at all, if only as a doubtful one.

    What is hardly like any card is none, unless a whole one is clearly seen: a joker is, and so is
    one that shows an index and another face.
    """
    seen = e.fuse()
    is_clear = e.score >= CLEAR_SCORE and e.covered < BESIDE and seen.face_up >= CLEAR
    is_clear = is_clear or e.is_contradicted or e.is_joker
    return seen.face_down > seen.face_up or seen.confidence >= ASKED or is_clear


def is_card(prediction: CardPrediction) -> bool:
    """Return whether a detection is a card at all."""
    return prediction.face_up + prediction.face_down >= IS_CARD


def is_near(one: Points, other: Points) -> bool:
    """Return whether two cards' middles lie within little more than the height of the other."""
    height = float(np.linalg.norm(other[3] - other[0]))
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))) / max(height, 1.0) < 1.2


def assign_indices(indices: Sequence[IndexDetection], evidence: Sequence[Evidence]) -> None:
    """Assign each index to the card it fits best, if any, and note it as foreign to the others.

    In a fan the next card's index lies where an index of this one could be: what tells them
    apart is where each says the middle of its card is. A corner has one index: on a mat, where the
    size of a card is known, of two side by side the one that fits less well is another card's.
    """
    if not indices:
        return
    places = [(*frames_of(e.quad), *frames_of(e.quad[[1, 0, 3, 2]])) for e in evidence]
    fits = [[_misfit(detection.frame, four) for four in places] for detection in indices]
    bests = [min(range(len(evidence)), key=lambda n: costs[n][0], default=-1) for costs in fits]
    taken: dict[tuple[int, int], float] = {}
    for costs, best in zip(fits, bests, strict=True):
        if best >= 0:
            cost, corner = costs[best]
            taken[best, corner] = min(cost, taken.get((best, corner), MISFIT))
    for detection, costs, best in zip(indices, fits, bests, strict=True):
        for number, e in enumerate(evidence):
            cost, corner = costs[number]
            first = cost <= taken.get((number, corner), MISFIT) or not e.is_on_mat
            if number == best and cost < MISFIT and first:
                e.own_indices.append(detection.frame)
            else:
                e.foreign_indices.append(detection.frame)


def _misfit(frame: IndexFrame, places: Sequence[IndexFrame]) -> tuple[float, int]:
    """Return how badly an index fits a card, in parts of its width, and in which corner.

    It is infinite if not at all. *places* are where an index may lie on it: two in their own
    corners, then two in the others, where only some decks have one.
    """
    own = places[0]
    width = max(own.width_px, 1.0)
    apart = float(np.hypot(*(frame.centre - own.centre))) / width
    if apart > MISFIT:
        return float("inf"), 0
    costs = [(float("inf"), 0)]
    for number, other in enumerate(places):
        if is_same_index(frame, other, REACH):
            off = float(np.hypot(*(frame.middle - other.middle))) / max(other.width_px, 1.0)
            costs.append((off + apart + (0.0 if number < 2 else 0.15), number))
    return min(costs)


def mark_occluded(evidence: Sequence[Evidence]) -> None:
    """Note how much of each card others cover, or are covered by it.

    What then is hardly a card covers none: it is made of parts of those that it lies on.
    """
    for e in evidence:
        e.covered = 0.0
    near = np.nonzero(_near([e.quad for e in evidence]))
    pairs = [(evidence[one], evidence[other]) for one, other in zip(*near, strict=True)]
    shared = [(e, o, part_shared(e, o)) for e, o in pairs if not conflicts(e.quad, o.quad)]
    for e, _, part in shared:
        e.covered = max(e.covered, part)
    hardly = {other for _, other, _ in shared if not is_likely(other)}
    for e, _, _ in shared:
        e.covered = 0.0
    for e, other, part in shared:
        if other not in hardly:
            e.covered = max(e.covered, part)


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
    """Doubt each detection that has no index of its own and shares much with a surer one.

    It may be half of that card, whose pips it sees elsewhere: half of a six is a three. Of a deck
    that was taught the one that looks more like its card is surer, else the one found more clearly.
    """

    def is_surer(other: Evidence, e: Evidence) -> bool:
        if other.similarity is None or e.similarity is None:
            return other.score > e.score
        return float(other.similarity.max()) > float(e.similarity.max())

    for e in evidence:
        e.is_duplicate = not e.has_index() and any(
            is_surer(o, e) and part_shared(e, o) > BESIDE for o in evidence if o is not e
        )


def is_false_positive(e: Evidence, taken: Callable[[], float]) -> bool:
    """Return whether a detection is half a card and half bare mat, or a back and mostly mat.

    A duplicate (:func:`mark_duplicates`) stays one where glare hides the mat; one of low score
    besides is dropped: it would be a card, or a back, too many.

    *taken* gives the part of it, 0.0-1.0, that is not bare mat. What is hardly found, and read as
    no card for sure, shows an index of the card beside it where half of it is bare mat.
    """
    if e.has_index():
        return e.score < MIN_SCORE and not is_sure(e) and taken() < HALF_TAKEN
    if e.is_duplicate and e.score < MIN_SCORE:
        return True
    seen = e.fuse()
    least = BACK_TAKEN if e.score < CLEAR_SCORE else CLEAR_BACK_TAKEN
    if e.score < 1.0 and seen.face_down > seen.face_up and taken() < least:
        return True
    if e.is_duplicate and taken() - e.covered < BEYOND_TAKEN * (1 - e.covered):
        return True
    faint = e.score < MIN_SCORE and seen.face_down < DOUBTFUL
    return (e.is_duplicate or faint) and taken() < TAKEN


def has_only_shape_evidence(e: Evidence) -> bool:
    """Return whether little but its form says that a card lies there: no index, no clear face.

    A frame of the print has that form, and glare or noise may hide that it is bare.
    """
    if e.has_index():
        return False
    prediction = e.fuse()
    clear = max(prediction.face_down, prediction.confidence) >= DOUBTFUL
    return e.score < 1.0 or not clear


def without_explained(whole: Sequence[Evidence], covered: Sequence[Evidence]) -> list[Evidence]:
    """Leave out what is doubtful of *whole* and shows an index of a card that is sure.

    It is a strip of that card, or two cards that were taken for one.
    """
    taken = [frame for e in (*whole, *covered) if is_sure(e) for frame in e.own_indices]
    return [
        e for e in whole if is_sure(e) or not any(holds(e.quad, frame.middle) for frame in taken)
    ]


def mark_grey(image: Image, evidence: Sequence[Evidence]) -> None:
    """Note which cards show no colour, in a picture that shows none either."""
    if evidence and not has_colour(image):
        for e in evidence:
            e.is_grey = not has_colour(straighten(image, e.quad, READ))


def best_of(evidence: list[Evidence]) -> list[Evidence]:
    """Keep the better of two that cannot both be cards."""

    def worth(e: Evidence) -> float:
        seen = e.fuse()
        # What may lie either way is no more likely a back than that it is rather one.
        rather = seen.face_down - seen.face_up
        return e.score * max(seen.confidence, e.fit * rather, -UNNAMED * rather)

    near = _near([e.quad for e in evidence])
    kept = without_conflicts(
        sorted(range(len(evidence)), key=lambda n: -worth(evidence[n])),
        lambda n, m: bool(near[n, m]) and conflicts(evidence[n].quad, evidence[m].quad),
    )
    return [evidence[n] for n in kept]


def conflicts(one: Points, other: Points) -> bool:
    """Return whether two quads cannot both be cards: one card twice, or one inside another.

    Cards of one deck have one size: a small "card" on a large one is its court or a group of pips.
    """
    if overlap(one, other) < 0.6:
        return False
    near = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    ratio = area(one) / max(area(other), 1.0)
    return near < 0.2 * np.sqrt(area(other)) or not 0.5 < ratio < 2

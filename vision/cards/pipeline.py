"""Read the cards of a picture: detect, straighten, read faces and indices, fuse the evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from vision.cards.backs import (
    CLEAR_BACK,
    CLEAR_INDEX,
    has_pattern,
    is_clear_back,
    is_same_back,
    traits,
    without_false_backs,
)
from vision.cards.classifier import CardPrediction, FaceClassifier, FacePrediction, IndexClassifier
from vision.cards.covered import CoveredCards
from vision.cards.custom_deck import BACK, CustomDeck, DeckMatcher
from vision.cards.detector import CardDetector, Detection, IndexDetection
from vision.cards.evidence import (
    CLEAR_SCORE,
    IS_CARD,
    MIN_SCORE,
    MIN_SCORE_ON_MAT,
    NOT_UP,
    TAKEN,
    Evidence,
    as_found,
    assign_indices,
    best_of,
    conflicts,
    has_only_shape_evidence,
    is_card,
    is_doubtful,
    is_false_positive,
    is_sure,
    is_worth_asking,
    mark_duplicates,
    mark_grey,
    mark_occluded,
    without_explained,
)
from vision.cards.geometry import (
    READ,
    frames_of,
    has_card_size,
    is_card_like,
    is_same_index,
    straighten,
)
from vision.cards.jokers import mark_jokers
from vision.cards.outline import is_seen_whole
from vision.cards.repeats import without_hidden, without_repeats
from vision.geometry import Box, Image, Points, grown, holds, overlap, within
from vision.mat.foreground import is_bare_label, is_unoccupied
from vision.mat.layout import CARD_WIDTH_MM
from vision.mat.pose import MatPose
from vision.mat.segmentation import FrameAnalysis, card_size_fit, with_card_size
from vision.readings import ZoneKind

D = TypeVar("D", bound=Detection | IndexDetection)

ONCE = 0.1
"""How far apart one index may be seen in two parts of a picture, in widths of its card."""

PART = 0.15
"""Part of a detection that may lie on a card found by its outline, where both were asked."""

UNDER = 0.6
"""Part of a card on the discard that another covers from which only the other is told."""

SEEN = 0.5
"""Part of a thing that a card found there covers from which it is seen what that is."""

HEAP = 0.25
"""Score of what may lie on top of a thing on a mat where the detector sees no card: nothing but a
clear face makes a card of it."""

CLEAR_FACE = 0.9
"""Probability of lying face up from which it does: glare looks like a back."""

REST = 0.99
"""Score of what is as large as a card once those that are read are taken away: only backs are told
of it, as what is left of some cards that overlap may show the index of one in the place of another.
"""

FITS = 0.6
"""How well what was found has the size of a card, 0.0-1.0, below which it may be parts of two."""

NEARER = 0.8
"""Cards of this part of their size are looked for in a thing on a mat that is wider than a card and
in which none was found: the cards of a heap are seen from nearer."""

CUSTOM_ALIKE = 0.75
"""Similarity to a learnt card or back above which a detection is one of that deck."""

SURE_BACK = 0.99
"""Probability of lying face down above which what looks the same is taken for the same back."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownCard:
    """A card to learn: float32 (4, 2) *quad*, what its face says, and its straight crop."""

    quad: Points
    face: FacePrediction
    crop: Image


class CardPipeline:
    """Runs the networks over a picture, in passes over all cards at once."""

    def __init__(self, deck: CustomDeck | None = None) -> None:
        """Load the networks; *deck* is the one on the table, if it is a custom one."""
        self._detector = CardDetector(threshold=MIN_SCORE_ON_MAT, index_threshold=0.25)
        self._faces = FaceClassifier()
        self._indices = IndexClassifier()
        self._covered = CoveredCards(self._indices)
        self._matcher = self.matcher(deck) if deck else None

    def matcher(self, deck: CustomDeck) -> DeckMatcher:
        """Return what compares cards with those of *deck*.

        Raises:
            EnrolmentError: no card of it has been learnt.
        """
        return DeckMatcher(deck, self._faces.embed)

    def crop_cards(self, image: Image, pose: MatPose | None) -> list[ShownCard]:
        """Return the cards that lie there, whatever they are.

        *pose* is where the mat lies, if there is one.
        """
        if pose is None:
            cards = [d for d in self._detector.find(image).cards if d.score >= MIN_SCORE]
        else:
            found, _ = self._detections(FrameAnalysis(image), pose)
            cards = [d for d in found if d.score != HEAP]  # what is no card is not to be learnt
        kept: list[Points] = [d.quad for d in cards if d.score >= 1.0]
        bent = [d.quad for d in cards if d.score < 1.0]
        for quad in self._faces.straightened(image, bent):
            if is_card_like(quad) and not any(conflicts(quad, other) for other in kept):
                kept.append(quad)
        faces = self._faces.read(image, kept)
        return [
            ShownCard(quad, face, straighten(image, quad, READ))
            for quad, face in zip(kept, faces, strict=True)
            if pose is not None or face.kinds[2] < IS_CARD
        ]

    def detect(self, image: Image) -> list[CardPrediction]:
        """Read all that can be found; of two that cannot both be cards the better is kept."""
        found = self._detector.find(image)
        cards = [d for d in found.cards if d.score >= MIN_SCORE]
        whole = best_of(self._read_cards(image, cards, found.indices))
        covered = self._covered.read(image, found.indices, whole)
        told = (*without_explained(whole, covered), *covered)
        return [e.fuse() for e in without_repeats(told) if is_worth_asking(e)]

    def detect_on_mat(
        self,
        frame: FrameAnalysis,
        pose: MatPose,
        wanted: Callable[[Points], bool] | None = None,
        boxes: Sequence[Box] | None = None,
        backs: Sequence[Points] = (),
    ) -> list[CardPrediction]:
        """Read the cards of a mat: all, or those *wanted* by their outlines, float32 (4, 2).

        What is as large as a card is read at once; where cards overlap, or something else lies,
        the detector is asked. *boxes* are the parts of the mat to search, by default all of it;
        *backs* are the outlines of cards that are known to lie face down beside them.
        """
        image, scene = frame.image, frame.scene(pose, boxes)
        cards, indices = self._detections(frame, pose, boxes, backs)
        middles = [pose.to_mm(index.frame.middle[None])[0] for index in indices]
        seen_at = zip(indices, middles, strict=True)
        indices = [i for i, at in seen_at if not is_bare_label(image, pose, at)]
        if wanted is not None:
            # An index of a card that is not wanted may be none of another.
            other = [d.quad for d in cards if d.score >= MIN_SCORE and not wanted(d.quad)]
            cards = [d for d in cards if wanted(d.quad)]
            indices = [
                i
                for i in indices
                if wanted(i.frame.quad()) and not any(holds(q, i.frame.middle) for q in other)
            ]
        whole = best_of(self._read_cards(image, cards, indices, pose=pose))
        card_px = pose.px_per_mm * CARD_WIDTH_MM
        for box in scene.unresolved:
            is_small = min(box[2] - box[0], box[3] - box[1]) < card_px
            if is_small or any(_lies_in(box, e.quad) for e in whole):
                continue
            more, seen = self._look_into(image, box, NEARER * card_px)
            more = [d for d in more if wanted is None or wanted(d.quad)]
            read = self._read_cards(image, more, seen, pose=pose)
            whole = best_of([*whole, *(e for e in read if is_sure(e) or is_clear_back(e))])
        told = [e.quad for e in whole if is_sure(e) or (is_clear_back(e) and e.fit > FITS)]
        rest = [Detection(quad, False, REST) for quad in scene.rest(pose, told)]
        rest = [d for d in rest if wanted is None or wanted(d.quad)]
        left = self._read_cards(image, rest, indices, pose=pose)
        whole = best_of([*whole, *filter(is_clear_back, left)])
        mark_duplicates(whole)

        def taken(quad: Points) -> float:
            return scene.share_taken(pose.to_mm(quad))

        def is_print(e: Evidence) -> bool:
            at = pose.to_mm(e.quad)
            if e.score == HEAP and e.fuse().face_up < CLEAR_FACE:
                return True
            if is_false_positive(e, lambda: taken(e.quad)):
                return True
            return has_only_shape_evidence(e) and is_unoccupied(image, pose, at)

        whole = [e for e in whole if not is_print(e)]
        whole = without_hidden(whole)
        whole = without_false_backs(image, whole, lambda e: taken(e.quad), backs)
        mark_occluded(whole)  # what was none covers nothing
        covered = self._covered.read(image, indices, whole, pose, taken)
        # A word of the print beside a card is no index of another one, which would lie on bare mat.
        covered = [e for e in covered if is_sure(e) or taken(e.quad) >= TAKEN]
        covered = [e for e in covered if not _is_under_top(pose, e, whole)]
        return [e.fuse() for e in without_repeats((*whole, *covered))]

    def reclassify(
        self, image: Image, predictions: Sequence[CardPrediction]
    ) -> list[CardPrediction]:
        """Read the cards of *predictions* again, on another frame of a still table."""
        faces = self._faces.read(image, [each.quad for each in predictions])
        frames = [frame for each in predictions for frame in frames_of(each.quad)]
        indices = self._indices.read(image, frames)
        evidence = [
            Evidence(each.quad, 1.0, True, face, indices[2 * n : 2 * n + 2], is_on_mat=True)
            for n, (each, face) in enumerate(zip(predictions, faces, strict=True))
        ]
        mark_grey(image, evidence)
        self._match(evidence)
        mark_occluded(evidence)
        return [e.fuse() for e in evidence]

    def _detections(
        self,
        frame: FrameAnalysis,
        pose: MatPose,
        boxes: Sequence[Box] | None = None,
        backs: Sequence[Points] = (),
    ) -> tuple[list[Detection], list[IndexDetection]]:
        """Return what is found by outline, with score 1, and by the network where else is more.

        What touches one of the *backs* that are known is found by the outline of all but them.
        """
        image, scene = frame.image, frame.scene(pose, boxes)
        card_px = pose.px_per_mm * CARD_WIDTH_MM
        rows = [back for row in scene.rows for back in self._backs(image, row)]
        alone = [*scene.cards, *rows]
        beside = scene.rest(pose, backs) if backs else []
        beside = [q for q in beside if not any(overlap(q, other) > PART for other in alone)]
        alone += beside
        cards: list[Detection] = []
        indices: list[IndexDetection] = []
        for box in scene.unresolved:
            others, seen_there = self._look_into(image, box, card_px)
            if any(not d.face_up and card_size_fit(pose, d.quad) < FITS for d in others):
                others = _once(others, self._look_turned(image, box, card_px), _are_one_card)
            # The room round the box shows parts of cards that were found by their outlines.
            others = [d for d in others if not any(overlap(d.quad, q) > PART for q in alone)]
            # It may be another box's room, too: what was found in both is told once.
            cards = _once(cards, others, _are_one_card)
            indices = _once(indices, seen_there, _are_one_index)
        outlined = ((scene.cards, True), (rows, False), (beside, True))
        cards = [*(Detection(q, up, 1.0) for quads, up in outlined for q in quads), *cards]
        seen = [d.quad for d in cards if d.score >= MIN_SCORE]
        bare = (q for q in scene.heaps if not any(overlap(q, other) > SEEN for other in seen))
        return [*cards, *(Detection(quad, True, HEAP) for quad in bare)], indices

    def _look_into(
        self, image: Image, box: Box, card_px: float
    ) -> tuple[list[Detection], list[IndexDetection]]:
        """Return what the network finds in a box of the picture, and half a card all round."""
        room = within(grown(box, round(0.6 * card_px)), (0, 0, *image.shape[1::-1]))
        left, top, right, bottom = room
        found = self._detector.find(image[top:bottom, left:right], card_px)
        by = np.array([left, top], np.float32)
        return (
            [replace(d, quad=d.quad + by) for d in found.cards],
            [replace(i, frame=i.frame.moved(by)) for i in found.indices],
        )

    def _look_turned(self, image: Image, box: Box, card_px: float) -> list[Detection]:
        """Return the backs that the network finds where it sees the picture upside down."""
        height, width = image.shape[:2]
        turned = image[::-1, ::-1]  # no copy: only what is looked at is turned
        there = (width - box[2], height - box[3], width - box[0], height - box[1])
        looks = (self._look_into(turned, there, scale * card_px)[0] for scale in (1.0, NEARER))
        size = np.array([width - 1, height - 1], np.float32)
        return [replace(d, quad=size - d.quad) for found in looks for d in found if not d.face_up]

    def _backs(self, image: Image, row: Sequence[Points]) -> list[Points]:
        """Return the cards face down of a thing as large as some cards that touch.

        Backs without a border leave no line between them, and the detector takes two for one. What
        shows one back in two of the places is two of them, also where no network knows that back.
        """
        faces = self._faces.read(image, row)
        looks = ((quad, face, traits(image, quad)) for quad, face in zip(row, faces, strict=True))
        backs = [
            (quad, own)
            for quad, face, own in looks
            if face.kinds[1] > CLEAR_BACK or (face.kinds[0] < NOT_UP and has_pattern(own))
        ]
        return [
            quad for quad, own in backs if sum(is_same_back(own, other) for _, other in backs) > 1
        ]

    def _read_cards(
        self,
        image: Image,
        cards: Sequence[Detection],
        indices: Sequence[IndexDetection],
        *,
        pose: MatPose | None = None,
    ) -> list[Evidence]:
        """Read what was found as whole cards.

        On a mat, whose *pose* is known, all is seen well: what was found by its outline, with score
        1, is straight, and a face is left unread where both its indices say the same and are sure;
        what the network found is given the size of a card.
        """
        quick = pose is not None
        outlined = [d for d in cards if quick and d.score >= 1.0]
        bent = [d for d in cards if not (quick and d.score >= 1.0)]
        straight = self._faces.straightened(image, [d.quad for d in bent])
        fits = [1.0] * len(cards)
        if pose is not None:
            fits[len(outlined) :] = [card_size_fit(pose, quad) for quad in straight]
            straight = [with_card_size(pose, quad) for quad in straight]
        quads = [*(d.quad for d in outlined), *straight]
        evidence = [
            Evidence(quad, d.score, d.face_up, is_on_mat=quick, fit=fit)
            for d, quad, fit in zip([*outlined, *bent], quads, fits, strict=True)
            if is_card_like(quad) and (pose is None or has_card_size(pose.to_mm(quad)))
        ]
        mark_grey(image, evidence)
        assign_indices(indices, evidence)
        self._read_indices(image, evidence)
        open_ = [e for e in evidence if not (quick and self._matcher is None and e.is_settled())]
        faces = self._read_faces(image, open_, quick=quick)
        for e, face in zip(open_, faces, strict=True):
            e.face = as_found(face, e) if quick else face
            if face.kinds[1] > 0.9:
                e.indices = []
        self._match(open_)
        mark_occluded(evidence)
        self._mark_whole(image, open_)
        doubtful = [e for e in open_ if is_card(e.fuse()) and is_doubtful(e.fuse())]
        self._reread(image, doubtful)
        mark_jokers(image, doubtful, self._indices)
        return [e for e in evidence if is_card(e.fuse())]

    def _mark_whole(self, image: Image, evidence: Sequence[Evidence]) -> None:
        """Note of the cards that only their faces tell which others do not cover."""
        for e in evidence if self._matcher is None else ():
            assert e.face is not None
            if e.face.kinds[0] >= IS_CARD and not (e.has_index() or e.is_uncovered()):
                e.is_whole = is_seen_whole(image, e.quad)

    def _read_faces(
        self, image: Image, evidence: Sequence[Evidence], *, quick: bool
    ) -> list[FacePrediction]:
        """Read the faces; on a mat one of those that show the same back is read for all."""
        one_end = quick and self._matcher is None
        known: dict[int, FacePrediction] = {}
        blank = {  # what may be a back: found by its outline, with no clear index
            n: traits(image, e.quad)
            for n, e in enumerate(evidence)
            if quick and e.score >= 1.0 and all(i.readable < CLEAR_INDEX for i in e.indices)
        }
        for first, back in blank.items() if len(blank) > 1 else ():
            if first in known:
                continue
            known[first] = self._faces.read(image, [evidence[first].quad], one_end=one_end)[0]
            if known[first].kinds[1] >= SURE_BACK:
                same = (n for n, other in blank.items() if is_same_back(back, other))
                known.update((n, known[first]) for n in same if n not in known)
        unread = [n for n in range(len(evidence)) if n not in known]
        read = self._faces.read(image, [evidence[n].quad for n in unread], one_end=one_end)
        known.update(zip(unread, read, strict=True))
        backs = [n for n in blank if known[n].kinds[1] >= CLEAR_BACK]
        for n in blank.keys() - backs:
            # What looks like the back of another card is a back, too.
            like = (known[back] for back in backs if is_same_back(blank[back], blank[n]))
            known[n] = next(like, known[n])
        return [known[n] for n in range(len(evidence))]

    def _read_indices(
        self, image: Image, evidence: Sequence[Evidence], *, augment: bool = False
    ) -> None:
        """Read the indices of each card, in place; of frames for the same one the best counts."""
        places = [e.index_frames() for e in evidence]
        frames = [frame for groups in places for group in groups for frame in group]
        read = iter(self._indices.read(image, frames, augment=augment))
        for e, groups in zip(evidence, places, strict=True):
            e.indices = [
                max((next(read) for _ in group), key=lambda index: index.readable)
                for group in groups
            ]

    def _reread(self, image: Image, doubtful: Sequence[Evidence]) -> None:
        """Read doubtful cards again from crops cut otherwise, in place."""
        faces = self._faces.read(image, [e.quad for e in doubtful], augment=True)
        self._read_indices(image, doubtful, augment=True)
        for e, face in zip(doubtful, faces, strict=True):
            assert e.face is not None
            e.face = replace(face, kinds=e.face.kinds)
        self._match(doubtful)

    def _match(self, evidence: Sequence[Evidence]) -> None:
        """Add what the custom deck says, in place."""
        if self._matcher is None or not evidence:
            return
        embeddings = np.stack([e.face.embedding for e in evidence if e.face is not None])
        logits = self._matcher.logits(embeddings)
        similarities = self._matcher.similarity(embeddings)
        for e, custom, similarity in zip(evidence, logits, similarities, strict=True):
            assert e.face is not None
            e.custom, e.similarity = custom, similarity
            best = float(similarity[:BACK].max())
            if max(best, float(similarity[BACK])) > CUSTOM_ALIKE:
                # What looks like a learnt card or back is one.
                up = float(best > similarity[BACK])
                e.face = replace(e.face, kinds=np.array([up, 1 - up, 0.0]))


def _once(found: Sequence[D], others: Sequence[D], are_one: Callable[[D, D], bool]) -> list[D]:
    """Return what was found in two parts of a picture; of what is in both the better find."""
    worse = {
        id(min(one, other, key=lambda each: each.score))
        for one in found
        for other in others
        if are_one(one, other)
    }
    return [each for each in (*found, *others) if id(each) not in worse]


def _are_one_card(one: Detection, other: Detection) -> bool:
    return conflicts(one.quad, other.quad)


def _are_one_index(one: IndexDetection, other: IndexDetection) -> bool:
    return is_same_index(one.frame, other.frame, ONCE)


def _lies_in(box: Box, quad: Points) -> bool:
    """Return whether the middle of a quad lies in a box."""
    x, y = quad.mean(axis=0).tolist()
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _is_under_top(pose: MatPose, e: Evidence, whole: Sequence[Evidence]) -> bool:
    """Return whether a card lies under the one on top of the discard: nobody reads it there."""
    x, y = pose.to_mm(e.quad).mean(axis=0).tolist()
    zone = pose.layout.zone_at(x, y)
    if zone is None or zone.kind is not ZoneKind.DISCARD:
        return False
    tops = (top for top in whole if is_sure(top) and top.score >= CLEAR_SCORE)
    return any(overlap(e.quad, top.quad) > UNDER for top in tops)

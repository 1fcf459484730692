"""Look at a picture: find, straighten, read faces and indices, and weigh one against the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.cards.backs import is_same_back, traits
from vision.cards.classifier import CardPrediction, FaceClassifier, FacePrediction
from vision.cards.custom_deck import BACK, CustomDeck, DeckMatcher
from vision.cards.detector import CardDetector, Detection, IndexDetection
from vision.cards.evidence import (
    IS_CARD,
    MIN_SCORE,
    MIN_SCORE_ON_MAT,
    Evidence,
    as_found,
    assign_indices,
    best_of,
    centre_distance,
    excludes,
    has_only_shape_evidence,
    is_card,
    is_doubtful,
    is_false_positive,
    mark_duplicates,
    mark_occluded,
    says,
)
from vision.cards.geometry import READ, is_card_like, straighten, with_room
from vision.cards.index_classifier import IndexClassifier
from vision.cards.index_geometry import frames_of
from vision.geometry import Points, overlap
from vision.mat.foreground import Box, is_unoccupied
from vision.mat.pose import MatPose
from vision.mat.segmentation import MatScene, find_on_mat, sized

PART = 0.15
"""Part of a find that may lie on a card found by its outline, where the finder was asked too."""

TAUGHT_ALIKE = 0.75
"""Likeness to a taught print above which a thing found is a card of that deck."""

CLEAR_INDEX = 0.9
"""Probability of an index above which a card is no back; patterned backs show something like it."""

SURE_BACK = 0.99
"""Probability of lying face down above which what looks the same is taken for the same back."""

ALONE = 0.8
"""The same where nothing but the index speaks for a card."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownCard:
    """A card as it was shown: float32 (4, 2) *quad*, what its face says, and its straight crop."""

    quad: Points
    face: FacePrediction
    crop: NDArray[np.uint8]


class CardPipeline:
    """Runs the networks over a picture, in passes over all cards at once."""

    def __init__(self, taught: CustomDeck | None = None) -> None:
        """Load the networks; *taught* is the deck on the table, if it was taught.

        Raises:
            EnrolmentError: no card of the deck has been taught.
            ModelError: a network is missing or damaged.
        """
        self._detector = CardDetector(threshold=MIN_SCORE_ON_MAT, index_threshold=0.25)
        self._faces = FaceClassifier()
        self._indices = IndexClassifier()
        self._matcher = DeckMatcher(taught, self._faces.embed) if taught else None
        self._glance: tuple[NDArray[np.uint8], object, MatScene] | None = None

    def on_mat(
        self, image: NDArray[np.uint8], pose: MatPose, boxes: Sequence[Box] | None = None
    ) -> MatScene:
        """Find what lies on a mat, as :func:`find_on_mat` does; for one picture only once.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            pose: where the mat lies.
            boxes: the parts of the mat to look at, in millimetres; by default all of it.
        """
        key = (pose, None if boxes is None else tuple(boxes))
        if self._glance is None or self._glance[0] is not image or self._glance[1] != key:
            self._glance = (image, key, find_on_mat(image, pose, boxes))
        return self._glance[2]

    def embed(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """Return the embeddings of straightened cards, uint8 (READ.height, READ.width, 3) each.

        As :meth:`FaceClassifier.embed` does: float32 (len(crops), numbers), rows of length 1.
        """
        return self._faces.embed(crops)

    def crop_cards(
        self, image: NDArray[np.uint8], pose: MatPose | None, card_mm: float
    ) -> list[ShownCard]:
        """Return the cards that lie there, whatever they are.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            pose: where the mat lies, if there is one.
            card_mm: the width of a card.
        """
        if pose is None:
            cards = [d for d in self._detector.find(image).cards if d.heat >= MIN_SCORE]
        else:
            cards, _, _ = self._found_on_mat(image, pose, pose.px_per_mm * card_mm)
        kept: list[Points] = [d.quad for d in cards if d.heat >= 1.0]
        bent = [d.quad for d in cards if d.heat < 1.0]
        for quad in self._faces.straightened(image, bent):
            if is_card_like(quad) and not any(excludes(quad, other) for other in kept):
                kept.append(quad)
        faces = self._faces.read(image, kept)
        return [
            ShownCard(quad, face, straighten(image, quad, READ))
            for quad, face in zip(kept, faces, strict=True)
            if pose is not None or face.kinds[2] < IS_CARD
        ]

    def look(self, image: NDArray[np.uint8], card_px: float | None = None) -> list[CardPrediction]:
        """Look at all that can be found; of two that cannot both be cards the better is kept.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            card_px: the width of a card in pixels, where it is known.
        """
        found = self._detector.find(image, card_px)
        cards = [d for d in found.cards if d.heat >= MIN_SCORE]
        whole = best_of(self._wholes(image, cards, found.indices))
        alone = self._alone(image, found.indices, whole)
        return [e.look() for e in (*whole, *alone)]

    def detect_on_mat(
        self,
        image: NDArray[np.uint8],
        pose: MatPose,
        card_mm: float,
        wanted: Callable[[Points], bool] | None = None,
        boxes: Sequence[Box] | None = None,
    ) -> list[CardPrediction]:
        """Look at what lies on a mat.

        What is as large as a card is read at once; where cards overlap, or something else lies,
        the finder is asked.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            pose: where the mat lies.
            card_mm: the width of a card.
            wanted: says of an outline, float32 (4, 2), whether to look there; by default
                everywhere.
            boxes: the parts of the mat to look at, in millimetres; by default all of it.
        """
        card_px = pose.px_per_mm * card_mm
        cards, indices, on_mat = self._found_on_mat(image, pose, card_px, boxes)
        if wanted is not None:
            cards = [d for d in cards if wanted(d.quad)]
            indices = [i for i in indices if wanted(i.frame.quad())]
        whole = best_of(self._wholes(image, cards, indices, pose=pose))
        taken = [partial(on_mat.share, pose.to_mm(e.quad)) for e in whole]
        mark_duplicates(whole)
        ghosts = [is_false_positive(e, part) for e, part in zip(whole, taken, strict=True)]
        whole = [
            e
            for e, ghost in zip(whole, ghosts, strict=True)
            if not (
                ghost
                or (has_only_shape_evidence(e) and is_unoccupied(image, pose, pose.to_mm(e.quad)))
            )
        ]
        alone = self._alone(image, indices, whole)
        return [e.look() for e in (*whole, *alone)]

    def _found_on_mat(
        self,
        image: NDArray[np.uint8],
        pose: MatPose,
        card_px: float,
        boxes: Sequence[Box] | None = None,
    ) -> tuple[list[Detection], list[IndexDetection], MatScene]:
        """Find by outline, with all heat, and by the network where something else lies."""
        on_mat = self.on_mat(image, pose, boxes)
        self._glance = None
        cards = [Detection(quad, True, 1.0) for quad in on_mat.cards]
        indices: list[IndexDetection] = []
        for box in on_mat.rest:
            left, top, right, bottom = with_room(box, card_px, image.shape)
            found = self._detector.find(image[top:bottom, left:right], card_px)
            by = np.array([left, top], np.float32)
            others = [replace(d, quad=d.quad + by) for d in found.cards]
            # The room round the box shows parts of cards that were found by their outlines.
            cards += [d for d in others if not any(overlap(d.quad, q) > PART for q in on_mat.cards)]
            indices += [replace(i, frame=i.frame.moved(by)) for i in found.indices]
        return cards, indices, on_mat

    def again(
        self, image: NDArray[np.uint8], looks: Sequence[CardPrediction]
    ) -> list[CardPrediction]:
        """Look again at cards whose outlines are known, on another frame of a still table.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            looks: what :meth:`look` gave on a frame before.
        """
        faces = self._faces.read(image, [look.quad for look in looks])
        frames = [frame for look in looks for frame in frames_of(look.quad)]
        indices = self._indices.read(image, frames)
        evidence = [
            Evidence(look.quad, 1.0, True, face, indices[2 * n : 2 * n + 2])
            for n, (look, face) in enumerate(zip(looks, faces, strict=True))
        ]
        self._match(evidence)
        mark_occluded(evidence)
        return [e.look() for e in evidence]

    def _wholes(
        self,
        image: NDArray[np.uint8],
        cards: Sequence[Detection],
        indices: Sequence[IndexDetection],
        *,
        pose: MatPose | None = None,
    ) -> list[Evidence]:
        """Read what was found as whole cards.

        On a mat, whose *pose* is known, all is seen well: what was found by its outline, with all
        heat, is straight, and a face is left unread where both its indices say the same and are
        sure; what the network found is given the size of a card.
        """
        quick = pose is not None
        bent = [d for d in cards if not (quick and d.heat >= 1.0)]
        straight = self._faces.straightened(image, [d.quad for d in bent])
        if pose is not None:
            straight = [sized(pose, quad) for quad in straight]
        cards = [d for d in cards if quick and d.heat >= 1.0] + bent
        quads = [d.quad for d in cards[: len(cards) - len(bent)]] + straight
        evidence = [
            Evidence(quad, d.heat, d.face_up)
            for d, quad in zip(cards, quads, strict=True)
            if is_card_like(quad)
        ]
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
        self._again(image, [e for e in open_ if is_doubtful(e.look())])
        return [e for e in evidence if is_card(e.look())]

    def _read_faces(
        self, image: NDArray[np.uint8], evidence: Sequence[Evidence], *, quick: bool
    ) -> list[FacePrediction]:
        """Read the faces; on a mat one of those that show the same back is read for all."""
        once = quick and self._matcher is None
        known: dict[int, FacePrediction] = {}
        blank = [n for n, e in enumerate(evidence) if quick and _may_be_back(e)]
        while len(blank) > 1:
            first, *blank = blank
            known[first] = self._faces.read(image, [evidence[first].quad], once=once)[0]
            if known[first].kinds[1] < SURE_BACK:
                continue
            back = traits(image, evidence[first].quad)
            same = [n for n in blank if is_same_back(back, traits(image, evidence[n].quad))]
            known.update((n, known[first]) for n in same)
            blank = [n for n in blank if n not in known]
        rest = [n for n in range(len(evidence)) if n not in known]
        read = self._faces.read(image, [evidence[n].quad for n in rest], once=once)
        known.update(zip(rest, read, strict=True))
        return [known[n] for n in range(len(evidence))]

    def _read_indices(
        self,
        image: NDArray[np.uint8],
        evidence: Sequence[Evidence],
        *,
        often: bool = False,
    ) -> None:
        """Read the indices of each card, in place; of frames for the same one the best counts."""
        places = [e.places() for e in evidence]
        frames = [frame for groups in places for group in groups for frame in group]
        looks = iter(self._indices.read(image, frames, often=often))
        for e, groups in zip(evidence, places, strict=True):
            e.indices = [
                max((next(looks) for _ in group), key=lambda look: look.readable)
                for group in groups
            ]

    def _again(self, image: NDArray[np.uint8], doubtful: Sequence[Evidence]) -> None:
        """Read doubtful cards again from crops cut otherwise, in place."""
        faces = self._faces.read(image, [e.quad for e in doubtful], often=True)
        self._read_indices(image, doubtful, often=True)
        for e, face in zip(doubtful, faces, strict=True):
            assert e.face is not None
            e.face = replace(face, kinds=e.face.kinds)
        self._match(doubtful)

    def _match(self, evidence: Sequence[Evidence]) -> None:
        """Add the word of the taught deck, in place."""
        if self._matcher is None or not evidence:
            return
        prints = np.stack([e.face.embedding for e in evidence if e.face is not None])
        words = self._matcher.logits(prints)
        likeness = self._matcher.similarity(prints)
        for e, word, alike in zip(evidence, words, likeness, strict=True):
            assert e.face is not None
            e.taught, e.similarity = word, alike
            best = float(alike[:BACK].max())
            if max(best, float(alike[BACK])) > TAUGHT_ALIKE:
                # What looks like a taught print is what was taught, face or back.
                up = float(best > alike[BACK])
                e.face = replace(e.face, kinds=np.array([up, 1 - up, 0.0]))

    def _alone(
        self,
        image: NDArray[np.uint8],
        indices: Sequence[IndexDetection],
        whole: list[Evidence],
    ) -> list[Evidence]:
        """Read the indices that belong to none of the cards already read."""
        kept = {id(frame) for e in whole for frame in e.found}
        orphans = [i for i in indices if id(i.frame) not in kept]
        looks = self._indices.read(image, [i.frame for i in orphans], often=True)
        alone: list[Evidence] = []
        pairs = sorted(zip(orphans, looks, strict=True), key=lambda pair: -pair[1].readable)
        for orphan, look in pairs:
            if look.readable < ALONE:
                continue
            e = Evidence(orphan.frame.quad(), orphan.heat, True, None, [look])
            best = int(e.look().cards.argmax())
            if any(
                says(other, best) and centre_distance(e.quad, other.quad) < 1.2 for other in whole
            ):
                continue
            if any(
                says(other, best) and centre_distance(e.quad, other.quad) < 1.2 for other in alone
            ):
                continue
            alone.append(e)
        return alone


def _may_be_back(e: Evidence) -> bool:
    """Judge whether a card found by its outline may be a back: no index is clear."""
    return e.heat >= 1.0 and all(look.readable < CLEAR_INDEX for look in e.indices)

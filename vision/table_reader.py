"""Frame in, reading out: find cards and indices, read them, place them on the mat."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np

from vision.bones.on_table import with_bones
from vision.bones.pipeline import BoneReader
from vision.camera.lens import Lens
from vision.cards.classifier import CARDS, CardPrediction
from vision.cards.custom_deck import CustomDeck
from vision.cards.evidence import SURE, SURE_ON_MAT
from vision.cards.pipeline import CardPipeline
from vision.errors import check_image
from vision.geometry import Image, Points
from vision.mat.pose import MatPose, find_mat
from vision.mat.segmentation import FrameAnalysis
from vision.readings import (
    BackReading,
    CardReading,
    JokerReading,
    Place,
    Quad,
    Reading,
    UnsureReading,
)
from vision.tracking.change_tracker import ChangeTracker

LIKE_NONE = 0.5
"""Confidence below which a joker is told where no card beside it says what deck it is."""

MOST_ODDS = 1000.0
"""Odds for a card that no reading exceeds where another claims the same card."""


class TableReader:
    """Reads everything on one picture of a table."""

    def __init__(
        self,
        *,
        sure: float | None = None,
        packs: int = 1,
        deck: CustomDeck | None = None,
        lens: Lens | None = None,
        bones: BoneReader | None = None,
    ) -> None:
        """Load the networks.

        Args:
            sure: confidence (0.0-1.0) below which a card is reported unsure; ``None`` asks for
                :data:`SURE_ON_MAT` where a mat is in view and :data:`SURE` where there is none.
            packs: how often a card may lie there.
            deck: the deck on the table, where it is a custom one.
            lens: how the camera's lens bends its pictures, where that was measured.
            bones: reads the knucklebones; without it none are read.

        Raises:
            EnrolmentError: no card of the deck has been learnt.
            ModelError: a network is missing or damaged.
        """
        self.sure, self.packs, self._lens, self._bones = sure, packs, lens, bones
        self._pipeline = CardPipeline(deck)
        self._tracker = ChangeTracker(self._pipeline, lens)

    def read(self, image: Image, time_s: float = 0.0) -> Reading:
        """Read one picture; *time_s* is the monotonic time stamp that the reading gets.

        Raises:
            ImageError: *image* has another shape or type.
        """
        check_image(image)
        mat = find_mat(image, self._lens)
        if mat is None:
            return self._reading(image, self._pipeline.detect(image), None, time_s)
        found = self._pipeline.detect_on_mat(FrameAnalysis(image), mat)
        return self._reading(image, found, mat, time_s)

    def follow(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Read the next frame of one camera: on a mat only what changed since the last call."""
        predictions = self._tracker.update(frame)
        if predictions is None:
            predictions = self._pipeline.detect(frame.image)
        return self._reading(frame.image, predictions, self._tracker.pose, time_s)

    def is_clear(self, frame: FrameAnalysis) -> bool:
        """Return whether what changed since the last call shows no hand: only cards and mat."""
        return self._tracker.is_clear(frame)

    @property
    def pose(self) -> MatPose | None:
        """Where the mat lay when :meth:`follow` last looked; ``None`` where none was seen."""
        return self._tracker.pose

    @property
    def in_doubt(self) -> bool:
        """Return whether another frame may settle what :meth:`follow` left open."""
        return self._tracker.in_doubt

    def vote(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Read what is in doubt on another frame of the same still table; the mean counts."""
        self._tracker.vote(frame)
        return self._reading(frame.image, self._tracker.predictions(), self._tracker.pose, time_s)

    def _reading(
        self,
        image: Image,
        predictions: list[CardPrediction],
        mat: MatPose | None,
        time_s: float,
    ) -> Reading:
        sure = self.sure
        if sure is None:
            sure = SURE if mat is None else SURE_ON_MAT
        cards, backs, unsure, jokers = [], [], [], []
        have_index = [each.has_index for each in predictions if each.confidence >= sure]
        # Of a deck without indices any card may look like one. On a mat somebody can be asked.
        most = sure if 2 * sum(have_index) > len(have_index) else 0.0
        if mat is None and not have_index:
            most = LIKE_NONE
        for each in _without_repeats(predictions, self.packs):
            place = _place(each.quad, mat)
            beside = mat and place.centre_mm and not mat.layout.holds(place.centre_mm)
            if each.face_down > each.face_up:
                if not beside:
                    backs.append(BackReading(each.face_down, place))
            elif each.confidence >= sure:
                cards.append(CardReading(CARDS[each.best], each.confidence, place))
            elif each.is_joker and each.confidence < most:
                jokers.append(JokerReading(each.face_up - each.confidence, place))
            elif not beside:
                # Beside the mat, its edge and its markers look like cards, and nobody plays there.
                candidates = each.candidates()
                unsure.append(UnsureReading(candidates, each.confidence, place, each.face_up))
        reading = Reading(
            time_s=time_s,
            cards=tuple(cards),
            backs=tuple(backs),
            unsure=tuple(_not_elsewhere(each, cards, self.packs) for each in unsure),
            seats=mat.layout.seats if mat else None,
            jokers=tuple(jokers),
        )
        if self._bones is None:
            return reading
        seen = self._bones.read(image, None if mat is None else mat.px_per_mm)
        return with_bones(reading, seen, image, mat)


def _without_repeats(predictions: list[CardPrediction], packs: int = 1) -> list[CardPrediction]:
    """Let no card lie there more often than there are packs (G-8).

    Readings of one card, too many of them, share what speaks for it: by Bayes, the odds of each
    against those of the others. One that is far surer keeps it, of two that are as sure both are
    asked about. What is taken from one card is given to none: it speaks for doubt.
    """
    out = [each for each in predictions if each.face_up <= each.face_down]
    of_card: dict[int, list[CardPrediction]] = {}
    for each in sorted(predictions, key=lambda each: -each.confidence):
        if each.face_up > each.face_down:
            of_card.setdefault(each.best, []).append(each)
    for card, same in of_card.items():
        odds = [min(each.confidence / max(1 - each.confidence, 1e-9), MOST_ODDS) for each in same]
        for number, each in enumerate(same):
            others = odds[:number] + odds[number + 1 :]
            if len(same) <= packs:
                out.append(each)
                continue
            cards = each.cards.copy()
            cards[card] *= (1 + odds[number]) / (1 + odds[number] + sum(others[packs - 1 :]))
            out.append(replace(each, cards=cards))
    return sorted(out, key=lambda each: -each.confidence)


def _not_elsewhere(
    unsure: UnsureReading, cards: list[CardReading], packs: int = 1
) -> UnsureReading:
    """Leave out the candidates that lie elsewhere, as often as there are packs (G-8).

    Nobody is to be asked about those.
    """
    there = Counter(each.card for each in cards)
    left = tuple(card for card in unsure.candidates if there[card] < packs)
    return replace(unsure, candidates=left or unsure.candidates)


def _place(quad: Points, mat: MatPose | None) -> Place:
    corners: Quad = tuple((float(x), float(y)) for x, y in quad)  # type: ignore[assignment]
    if mat is None:
        return Place(corners)
    on_mat = mat.to_mm(quad)
    x, y = on_mat.mean(axis=0).tolist()
    turn_deg = _turn_deg(on_mat)
    return Place(corners, (x, y), mat.layout.zone_of_card(on_mat, turn_deg), turn_deg)


def _turn_deg(quad: Points) -> float:
    """Return how a card with these corners is turned: 0 is upright, 90 is lying on its side."""
    across, along = quad[1] + quad[2] - quad[0] - quad[3], quad[2] + quad[3] - quad[0] - quad[1]
    if np.hypot(*across) > np.hypot(*along):  # the first corner is another one
        across = along
    return math.degrees(math.atan2(across[1], across[0])) % 180.0

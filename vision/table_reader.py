"""Frame in, reading out: find cards and indices, read them, place them on the mat."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bones.on_table import Bones, with_bones
from vision.camera.lens import Lens
from vision.cards.classifier import CARDS, CardPrediction
from vision.cards.custom_deck import CustomDeck
from vision.cards.geometry import CARD_MM, has_card_size
from vision.cards.pipeline import CardPipeline
from vision.errors import ImageError
from vision.geometry import Points
from vision.mat.pose import MatPose, find_mat
from vision.readings import (
    BackReading,
    CardReading,
    Place,
    Quad,
    Reading,
    UnsureReading,
)
from vision.tracking.change_tracker import ChangeTracker

SURE = 0.7
"""Confidence below which a card on a photograph is unsure; chosen on the dev photographs."""

SURE_ON_MAT = 0.9
"""The same on a mat: there money moves, somebody can be asked, and every card is seen well."""


class TableReader:
    """Reads everything on one picture of a table."""

    def __init__(
        self,
        *,
        sure: float | None = None,
        packs: int = 1,
        deck: CustomDeck | None = None,
        lens: Lens | None = None,
        bones: Bones | None = None,
    ) -> None:
        """Load the networks.

        Args:
            sure: confidence (0.0-1.0) below which a card is reported unsure; ``None`` asks for
                :data:`SURE_ON_MAT` where a mat is in view and :data:`SURE` where there is none.
            packs: how often a card may lie there.
            deck: the deck on the table, where it was taught.
            lens: how the camera's lens bends its pictures, where that was measured.
            bones: reads the knucklebones, such as a ``BoneReader``; without it none are read.

        Raises:
            EnrolmentError: no card of the deck has been taught.
            ModelError: a network is missing or damaged.
        """
        self.sure, self.packs, self._lens, self._bones = sure, packs, lens, bones
        self._looker = CardPipeline(deck)
        self._follower = ChangeTracker(self._looker, CARD_MM, _can_be_card, lens)

    def read(self, image: NDArray[np.uint8], time_s: float = 0.0) -> Reading:
        """Read one picture.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            time_s: the monotonic time stamp that the reading gets.

        Raises:
            ImageError: *image* has another shape or type.
        """
        _check(image)
        mat = find_mat(image, self._lens)
        if mat is None:
            return self._reading(image, self._looker.look(image), None, time_s)
        looks = self._looker.detect_on_mat(image, mat, CARD_MM)
        looks = [look for look in looks if _can_be_card(look, mat)]
        return self._reading(image, looks, mat, time_s)

    def follow(self, image: NDArray[np.uint8], time_s: float = 0.0) -> Reading:
        """Read the next picture of one camera: on a mat only what changed since the last call.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            time_s: the monotonic time stamp that the reading gets.

        Raises:
            ImageError: *image* has another shape or type.
        """
        _check(image)
        looks = self._follower.look(image)
        if looks is None:
            return self._reading(image, self._looker.look(image), None, time_s)
        return self._reading(image, looks, self._follower.pose, time_s)

    def is_clear(self, image: NDArray[np.uint8]) -> bool:
        """Say whether what changed since the last call shows no hand: cards and bare mat only.

        Args:
            image: uint8, shape (height, width, 3), BGR, of the same camera.

        Raises:
            ImageError: *image* has another shape or type.
        """
        _check(image)
        return self._follower.is_clear(image)

    @property
    def in_doubt(self) -> bool:
        """Say whether another frame of the still mat may settle what :meth:`follow` left open."""
        return self._follower.in_doubt

    def vote(self, image: NDArray[np.uint8], time_s: float = 0.0) -> Reading:
        """Look once more at what is in doubt; the mean of all looks counts.

        Args:
            image: uint8, shape (height, width, 3), BGR; another frame of the same still table.
            time_s: the monotonic time stamp that the reading gets.
        """
        self._follower.vote(image)
        return self._reading(image, self._follower.looks(), self._follower.pose, time_s)

    def _reading(
        self,
        image: NDArray[np.uint8],
        looks: list[CardPrediction],
        mat: MatPose | None,
        time_s: float,
    ) -> Reading:
        """Say what the looks amount to."""
        sure = self.sure
        if sure is None:
            sure = SURE if mat is None else SURE_ON_MAT
        looks = _once_each(looks, sure, self.packs)
        cards, backs, unsure = [], [], []
        for look in looks:
            place = _place(look.quad, mat)
            best = int(look.cards.argmax())
            confidence = look.face_up * float(look.cards[best])
            if look.face_down > look.face_up:
                backs.append(BackReading(look.face_down, place))
            elif confidence >= sure:
                cards.append(CardReading(CARDS[best], confidence, place))
            elif mat is None or _is_on(mat, place):
                # Beside the mat, its edge and its markers look like cards, and nobody plays there.
                unsure.append(UnsureReading(look.candidates(), confidence, place))
        reading = Reading(
            time_s=time_s,
            cards=tuple(cards),
            backs=tuple(backs),
            unsure=tuple(unsure),
            seats=mat.layout.seats if mat else None,
        )
        return reading if self._bones is None else with_bones(reading, self._bones, image, mat)


def _check(image: NDArray[np.uint8]) -> None:
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ImageError(
            f"image must be uint8 of shape (height, width, 3), got {image.dtype} "
            f"{image.shape}; convert it to BGR first"
        )


def _is_on(mat: MatPose, place: Place) -> bool:
    """Say whether a place lies on the paper of the mat."""
    assert place.centre_mm is not None
    x, y = place.centre_mm
    width, height = mat.layout.size_mm
    return 0 <= x <= width and 0 <= y <= height


def _can_be_card(look: CardPrediction, mat: MatPose) -> bool:
    return has_card_size(mat.to_mm(look.quad))


def _once_each(looks: list[CardPrediction], sure: float, packs: int = 1) -> list[CardPrediction]:
    """Let no card lie there more often than there are packs: the surest looks have it (G-8)."""
    taken: Counter[int] = Counter()
    out = []
    for look in sorted(looks, key=lambda look: -look.face_up * float(look.cards.max())):
        if look.face_up > look.face_down:
            cards = look.cards.copy()
            cards[[index for index, times in taken.items() if times >= packs]] = 0.0
            best = int(cards.argmax())
            # Not made to sum to one again: what spoke for a taken card now speaks for doubt.
            look = replace(look, cards=cards)
            if look.face_up * cards[best] >= sure:
                taken[best] += 1
        out.append(look)
    return out


def _place(quad: Points, mat: MatPose | None) -> Place:
    corners: Quad = tuple((float(x), float(y)) for x, y in quad)  # type: ignore[assignment]
    if mat is None:
        return Place(corners)
    x, y = mat.to_mm(quad).mean(axis=0).tolist()
    return Place(corners, (x, y), mat.zone_at((x, y)))

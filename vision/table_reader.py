"""Frame in, reading out: find the cards, straighten them, read them, place them on the mat."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bone_table import Bones, with_bones
from vision.card_geometry import Points, area, is_card_like, overlap
from vision.card_reader import CARDS, CardLook, CardReader
from vision.errors import ImageError
from vision.finder import CardFinder
from vision.mat import MatPose, find_mat
from vision.readings import BackReading, CardReading, Place, Quad, Reading, UnsureReading

SURE = 0.75
"""Confidence below which a card on a photograph is unsure; chosen on the dev photographs."""

SURE_ON_MAT = 0.9
"""The same on a mat: there money moves, somebody can be asked, and every card is seen well."""

CARD_MM = 60.0
"""Width of a card on the mat, between bridge (57 mm) and poker size (63 mm)."""

WARM, WARM_ON_MAT = 0.3, 0.15
"""Heat below which a thing found is not looked at; on a mat its size speaks for it as well."""

NOT_UP = 0.2
"""Probability of lying face up below which a card is taken for a back if the finder says so."""

IS_CARD = 0.5
"""Probability below which a thing found is no card at all."""


class TableReader:
    """Reads everything on one picture of a table."""

    def __init__(
        self, *, sure: float | None = None, packs: int = 1, bones: Bones | None = None
    ) -> None:
        """Load the networks.

        Args:
            sure: confidence (0.0-1.0) below which a card is reported unsure; ``None`` asks for
                :data:`SURE_ON_MAT` where a mat is in view and :data:`SURE` where there is none.
            packs: how often a card may lie on the mat.
            bones: reads the knucklebones, such as a ``BoneReader``; without it none are read.

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.sure, self.packs, self._bones = sure, packs, bones
        self._finder = CardFinder(threshold=WARM_ON_MAT)
        self._cards = CardReader()

    def read(self, image: NDArray[np.uint8], time_s: float = 0.0) -> Reading:
        """Read one picture.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            time_s: the monotonic time stamp that the reading gets.

        Raises:
            ImageError: *image* has another shape or type.
        """
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise ImageError(
                f"image must be uint8 of shape (height, width, 3), got {image.dtype} "
                f"{image.shape}; convert it to BGR first"
            )
        mat = find_mat(image)
        looks = self._looks(image, mat.px_per_mm * CARD_MM if mat else None)
        if mat is not None:
            looks = [look for look in looks if _has_card_size(mat.to_mm(look.quad))]
        sure = self.sure
        if sure is None:
            sure = SURE if mat is None else SURE_ON_MAT
        if mat is not None:
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
            else:
                unsure.append(UnsureReading(look.candidates(), confidence, place))
        reading = Reading(
            time_s=time_s,
            cards=tuple(cards),
            backs=tuple(backs),
            unsure=tuple(unsure),
            seats=mat.layout.seats if mat else None,
        )
        return reading if self._bones is None else with_bones(reading, self._bones, image, mat)

    def _looks(self, image: NDArray[np.uint8], card_px: float | None) -> list[CardLook]:
        """Look at all that was found; of two that cannot both be cards the better one is kept."""
        scored = []
        for detection in self._finder.find(image, card_px):
            if card_px is None and detection.heat < WARM:
                continue
            look = self._cards.look(image, detection.quad)
            clear_back = not detection.face_up and detection.heat >= WARM
            if card_px is not None and clear_back and look.face_up < NOT_UP:
                # On a mat the finder's word is enough for a back: cards there have one size, and
                # a back overlooked stalls the hand.
                look = replace(look, face_down=max(look.face_down, detection.heat))
            is_card = look.face_up + look.face_down
            if is_card >= IS_CARD and is_card_like(look.quad):
                known = max(look.face_up * float(look.cards.max()), look.face_down)
                scored.append((detection.heat * known, look))
        looks: list[CardLook] = []
        for _, look in sorted(scored, key=lambda pair: -pair[0]):
            if not any(_excludes(look.quad, other.quad) for other in looks):
                looks.append(look)
        return looks


def _once_each(looks: list[CardLook], sure: float, packs: int = 1) -> list[CardLook]:
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


def _has_card_size(quad_mm: Points) -> bool:
    """Judge whether a quad on the mat is as large as a card; a printed place or a label is not."""
    sides = np.linalg.norm(np.roll(quad_mm, -1, axis=0) - quad_mm, axis=1)
    short, long = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
    return 44 < short < 80 and 68 < long < 115


def _excludes(one: Points, other: Points) -> bool:
    """Judge whether two quads cannot both be cards: the same card twice, or one inside another.

    Cards of one deck have one size: a small "card" on a large one is its court or a group of pips.
    """
    if overlap(one, other) < 0.6:
        return False
    near = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    ratio = area(one) / max(area(other), 1.0)
    return near < 0.35 * np.sqrt(area(other)) or not 0.5 < ratio < 2


def _place(quad: Points, mat: MatPose | None) -> Place:
    corners: Quad = tuple((float(x), float(y)) for x, y in quad)  # type: ignore[assignment]
    if mat is None:
        return Place(corners)
    x, y = mat.to_mm(quad).mean(axis=0).tolist()
    return Place(corners, (x, y), mat.zone_at((x, y)))

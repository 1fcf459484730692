"""Read the knucklebones of a picture: detect them, classify the faces, name what is sure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bones.classifier import FACES, BoneClassifier, BonePrediction
from vision.bones.detector import BoneCandidate, BoneDetector
from vision.errors import check_image
from vision.geometry import Image, area, shared_area, without_conflicts
from vision.readings import BoneReading, Point, Spot, UnsureBoneReading

SURE = 0.8
"""Confidence below which a bone is unsure; chosen on renders of other renderers."""

IS_BONE = 0.5
"""Probability of being a bone below which a detection is dropped."""

MIN_SCORE = 0.2
"""Detector score below which a detection is not classified."""

MIN_SCORE_ALONE = 0.1
"""The same on a mat on which no cards are played: a bone across printed lines scored 0.2 in some
pictures and less in others. The rendered mats read alike with it, and take longer."""

BONE_MM = 31.0
"""Length of a sheep's knucklebone; 25 to 40 mm occur."""

LENGTHS_MM = (14.0, 60.0)
"""What a bone may measure on the mat, even on its end or leaning towards the lens."""

MOST = 30
"""Detections classified in one picture, best first: a table holds ten bones, and clutter."""

LIKELY = 0.05
"""Probability below which a face is no candidate."""

BoneOrUnsure = BoneReading | UnsureBoneReading

Adapt = Callable[[BonePrediction], NDArray[np.float32]]
"""Turns a prediction into probabilities of its kinds, shape (6,): custom sets do."""


@dataclass(frozen=True, slots=True, eq=False)
class BoneDetection:
    """A bone found, and what the network made of it; *score* is 0.0-1.0."""

    found: BoneCandidate
    prediction: BonePrediction
    score: float

    @property
    def is_bone(self) -> float:
        """Return the probability that it is a bone, 0.0-1.0."""
        return 1 - float(self.prediction.kinds[-1])


class BoneReader:
    """Reads every knucklebone of a picture."""

    def __init__(
        self, *, sure: float = SURE, adapt: Adapt | None = None, is_bone: float = IS_BONE
    ) -> None:
        """Load the networks.

        Args:
            sure: confidence (0.0-1.0) below which a bone is reported unsure.
            is_bone: probability of being a bone below which a detection is dropped.
            adapt: tells the faces of a custom set, see ``vision.bones.custom_set``.

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.sure = sure
        self._adapt, self._is_bone = adapt, is_bone
        self._finder = BoneDetector()
        self._classifier = BoneClassifier()

    def read(
        self, image: Image, px_per_mm: float | None = None, *, alone: bool = False
    ) -> tuple[BoneOrUnsure, ...]:
        """Read one picture, from top to bottom.

        *px_per_mm* is the scale where it is known, as on a mat; *alone*: no cards are played there.

        Raises:
            ImageError: *image* has another shape or type.
        """
        return self.named(self.detect(image, px_per_mm, alone=alone))

    def named(self, seen: Iterable[BoneDetection]) -> tuple[BoneOrUnsure, ...]:
        """Name the bones of one picture, from top to bottom; leave out what is likelier none."""
        readings = [self._named(each) for each in seen if each.is_bone >= self._is_bone]
        return tuple(sorted(readings, key=lambda bone: (bone.spot.centre[1], bone.spot.centre[0])))

    def detect(
        self,
        image: Image,
        px_per_mm: float | None = None,
        *,
        thorough: bool | None = None,
        alone: bool = False,
    ) -> list[BoneDetection]:
        """Find the bones and classify each, without naming them.

        *alone*: no cards are played where the scale is known, so the faint ones are tried as well.

        *thorough* classifies every bone twice; by default only those of custom sets are.

        Raises:
            ImageError: *image* has another shape or type.
        """
        check_image(image)
        bone_px = px_per_mm * BONE_MM if px_per_mm else None
        least = MIN_SCORE_ALONE if alone and px_per_mm else MIN_SCORE
        found = self._finder.find(image, bone_px, threshold=least)
        if px_per_mm:
            low, high = LENGTHS_MM
            found = [bone for bone in found if low <= bone.length / px_per_mm <= high]
        found = found[:MOST]
        if thorough is None:
            thorough = self._adapt is not None
        seen = []
        predictions = self._classifier.classify(image, found, thorough=thorough)
        for bone, prediction in zip(found, predictions, strict=True):
            if self._adapt is not None:
                prediction = replace(prediction, kinds=self._adapt(prediction))
            is_bone = 1 - float(prediction.kinds[-1])
            if is_bone >= self._is_bone:
                seen.append(BoneDetection(bone, prediction, is_bone * bone.score))
        # Of two that cover the same place the likelier is kept.
        return without_conflicts(sorted(seen, key=lambda bone: -bone.score), covers_the_same)

    def _named(self, seen: BoneDetection) -> BoneOrUnsure:
        chances = seen.prediction.kinds[: len(FACES)]
        order = np.argsort(-chances)
        best = FACES[int(order[0])]
        confidence = float(chances[order[0]])
        spot = _spot(seen.prediction.outline)
        if confidence >= self.sure:
            return BoneReading(best, confidence, spot)
        likely = tuple(FACES[int(k)] for k in order if chances[k] >= LIKELY)
        return UnsureBoneReading(likely, confidence, spot)


def _spot(outline: NDArray[np.float32]) -> Spot:
    points: tuple[Point, ...] = tuple((float(x), float(y)) for x, y in outline)
    moments = cv2.moments(outline)
    if moments["m00"] > 0:
        centre = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
    else:
        centre = (float(outline[:, 0].mean()), float(outline[:, 1].mean()))
    return Spot(points, centre)


def covers_the_same(one: BoneDetection, other: BoneDetection) -> bool:
    """Return whether two bones cover the same place."""
    first, second = (cv2.convexHull(bone.prediction.outline)[:, 0] for bone in (one, other))
    least = max(min(area(first), area(second)), 1.0)
    return shared_area(first, second) > 0.45 * least

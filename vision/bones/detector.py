"""Find knucklebones in a picture: where their middles lie, and how long they are.

A fully convolutional network gives a heat map of bones' middles, as the detector of cards does
(:mod:`vision.cards.detector`). A bone may be small in a wide picture or fill a narrow one, so the
picture is searched in more than one size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Image, without_conflicts
from vision.inference import Network, peaks

STRIDE = 4
"""Pixels of the input for one cell of the heat map."""

SIZE_UNIT = 40.0
"""Pixels of the input for a bone whose length is given as 0."""

SEARCH_PX = (512, 288, 160, 96)
"""Longer sides that a picture is reduced to: the small ones see bones that fill the picture."""

FINE_PX = 896
"""Longer side for one more search when the bones found are small."""

SMALL_PX = 20.0
"""Length in pixels of the input under which a bone is small."""

BEST_BONE_PX = 32.0
"""Pixels of the input along a bone that suit the network, used where the scale is known."""

LARGEST_INPUT_PX = 1024
"""No input is longer: a Pi would be too slow."""


@dataclass(frozen=True, slots=True)
class BoneCandidate:
    """A bone's middle *x*, *y* and *length* in pixels of the picture; *score* 0.0-1.0."""

    x: float
    y: float
    length: float
    score: float


class BoneDetector:
    """Runs the detector network on pictures of any size."""

    def __init__(self) -> None:
        """Load the network."""
        self._net = Network("bones-finder.onnx")

    def find(
        self, image: Image, bone_px: float | None = None, *, threshold: float
    ) -> list[BoneCandidate]:
        """Find the bones of one picture, those of highest score first.

        *bone_px* is the length of a bone in pixels where it is known, as on the mat; the picture is
        then searched once, at the size that suits the bones. *threshold* is the score (0.0-1.0)
        below which a peak is no bone.
        """
        longer = max(image.shape[:2])
        if bone_px is not None:
            scale = min(BEST_BONE_PX / max(bone_px, 1.0), 2.0, LARGEST_INPUT_PX / longer)
            return merge_duplicates(self._search(image, scale, threshold))
        scales = [side / longer for side in SEARCH_PX]
        found = [bone for scale in scales for bone in self._search(image, scale, threshold)]
        small = [bone for bone in found if bone.length * scales[0] < SMALL_PX]
        if small and longer > SEARCH_PX[0]:
            found += self._search(image, min(FINE_PX / longer, 1.0), threshold)
        return merge_duplicates(found)

    def _search(self, image: Image, scale: float, threshold: float) -> list[BoneCandidate]:
        """Find the bones of a picture resized by *scale*."""
        maps = self._net.run_resized(image, scale)
        scores = 1 / (1 + np.exp(-maps[0]))
        return [
            BoneCandidate(
                x=(column + 0.5 + float(maps[1, row, column])) * STRIDE / scale,
                y=(row + 0.5 + float(maps[2, row, column])) * STRIDE / scale,
                length=float(np.exp(np.clip(maps[3, row, column], -3, 3))) * SIZE_UNIT / scale,
                score=float(scores[row, column]),
            )
            for row, column in peaks(scores, threshold)
        ]


def merge_duplicates(found: list[BoneCandidate]) -> list[BoneCandidate]:
    """Sort by score, and drop what is the same bone as one of higher score."""
    # Bones that touch side by side lie half a length apart, never a third.
    return without_conflicts(
        sorted(found, key=lambda bone: -bone.score),
        lambda one, other: bool(
            np.hypot(one.x - other.x, one.y - other.y) <= 0.33 * (one.length + other.length) / 2
        ),
    )

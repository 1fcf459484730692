"""Weigh several looks at bones that lie still: in dim light one look may be wrong, and sure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bones.classifier import KINDS
from vision.bones.pipeline import BoneDetection, BoneOrUnsure, BoneReader, covers_the_same
from vision.geometry import Image

CLEAR = 0.97
"""Probability of a kind from which a bone needs no vote."""

MOST_VOTES = 5
"""Pictures that vote on a doubtful bone."""

MOST_WEIGHT = 10
"""Votes that count at most, of a bone that lies where it lay at the rest before."""

SAME_LENGTH = 0.04
"""Part of a bone's length by which its middle may be found elsewhere while it lies still: 1 mm."""

NO_BONE = np.eye(KINDS, dtype=np.float32)[-1]
"""What a picture says that shows no bone there: float32 (KINDS,), the last kind for sure."""


@dataclass(slots=True, eq=False)
class _Voted:
    """A bone, the mean of what *votes* pictures made of it."""

    seen: BoneDetection
    votes: int = 1

    @property
    def is_clear(self) -> bool:
        return float(self.seen.prediction.kinds.max()) >= CLEAR

    def add(self, kinds: NDArray[np.float32], votes: int = 1) -> None:
        was = self.seen.prediction
        mean = (was.kinds * self.votes + kinds * votes) / (self.votes + votes)
        self.seen = replace(self.seen, prediction=replace(was, kinds=np.asarray(mean, np.float32)))
        self.votes += votes


class BoneVotes:
    """Reads the bones of one still mat in several pictures; the mean of all counts."""

    def __init__(self, reader: BoneReader) -> None:
        """Read with *reader*; nothing is known yet."""
        self._reader = reader
        self._voted: list[_Voted] = []

    def look(self, image: Image, px_per_mm: float | None) -> tuple[BoneOrUnsure, ...]:
        """Read the first picture of a rest.

        A bone that has not been touched since the rest before keeps its votes.

        Raises:
            ImageError: *image* has another shape or type.
        """
        before, self._voted = self._voted, []
        for seen in self._reader.detect(image, px_per_mm, alone=True):
            bone = _Voted(seen)
            known = next((each for each in before if _lies_still(each.seen, seen)), None)
            if known is not None and not (bone.is_clear and _differ(known.seen, seen)):
                bone.add(known.seen.prediction.kinds, min(known.votes, MOST_WEIGHT))
            self._voted.append(bone)
        return self._read()

    def vote(self, image: Image, px_per_mm: float | None) -> tuple[BoneOrUnsure, ...]:
        """Read another picture of the same rest.

        What one of the pictures does not show counts there as no bone.

        Raises:
            ImageError: *image* has another shape or type.
        """
        more = self._reader.detect(image, px_per_mm, alone=True)
        looks = min((each.votes for each in self._voted), default=1)
        for known in self._voted:
            again = next((each for each in more if covers_the_same(known.seen, each)), None)
            known.add(NO_BONE if again is None else again.prediction.kinds)
            more = [each for each in more if each is not again]
        for seen in more:
            bone = _Voted(seen)
            bone.add(NO_BONE, looks)
            self._voted.append(bone)
        return self._read()

    @property
    def in_doubt(self) -> bool:
        """Return whether another picture may settle which face of a bone lies up."""
        return any(not each.is_clear and each.votes < MOST_VOTES for each in self._voted)

    def _read(self) -> tuple[BoneOrUnsure, ...]:
        return self._reader.named([each.seen for each in self._voted])


def _lies_still(known: BoneDetection, seen: BoneDetection) -> bool:
    away = np.hypot(known.found.x - seen.found.x, known.found.y - seen.found.y)
    return bool(away <= SAME_LENGTH * seen.found.length)


def _differ(one: BoneDetection, other: BoneDetection) -> bool:
    """Return whether another face lies up."""
    return int(one.prediction.kinds.argmax()) != int(other.prediction.kinds.argmax())

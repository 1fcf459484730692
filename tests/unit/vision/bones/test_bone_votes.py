"""Looks at bones that lie still, weighed together, by hand-written finds."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.bones import Face
from vision.bones.classifier import KINDS, BonePrediction
from vision.bones.detector import BoneCandidate
from vision.bones.pipeline import IS_BONE, SURE, BoneDetection, BoneReader
from vision.bones.votes import BoneVotes
from vision.readings import BoneReading, UnsureBoneReading

PICTURE = np.zeros((300, 300, 3), np.uint8)


def found(x: float, y: float, **kinds: float) -> BoneDetection:
    """Return a bone of 40 pixels at a place, by what the network makes of it."""
    chances = np.zeros(KINDS, np.float32)
    names = [*(face.name.lower() for face in Face), "odd", "none"]
    for name, chance in kinds.items():
        chances[names.index(name)] = chance
    half = 15.0
    rim = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    prediction = BonePrediction(chances, np.zeros(1, np.float32), np.array(rim, np.float32))
    return BoneDetection(BoneCandidate(x, y, 40.0, 0.9), prediction, 0.9)


class Pictures(BoneReader):
    """Finds what is written for each picture in turn."""

    def __init__(self, *pictures: list[BoneDetection]) -> None:
        self.sure, self._is_bone, self._pictures = SURE, IS_BONE, list(pictures)

    def detect(self, image, px_per_mm=None, *, thorough=None, alone=False):
        return self._pictures.pop(0)


def faces(read) -> list[Face | tuple[Face, ...]]:
    return [b.face if isinstance(b, BoneReading) else b.candidates for b in read]


def voted(votes: BoneVotes):
    read = votes.look(PICTURE, 1.0)
    while votes.in_doubt:
        read = votes.vote(PICTURE, 1.0)
    return read


def test_a_clear_bone_needs_one_picture() -> None:
    reader = Pictures([found(100, 100, convex=0.99)])
    assert faces(voted(BoneVotes(reader))) == [Face.CONVEX]


def test_a_bone_that_one_picture_takes_for_another_face_is_doubtful() -> None:
    """Measured on a film in dim light: a 6 was read so in five pictures, one after the other."""
    chances = (0.93, 0.65, 0.87, 0.86, 0.29)
    looks = [[found(100, 100, flat=each, twisted=0.98 - each, odd=0.02)] for each in chances]
    read = voted(BoneVotes(Pictures(*looks)))
    assert faces(read) == [(Face.FLAT, Face.TWISTED)]
    assert isinstance(read[0], UnsureBoneReading)
    assert read[0].confidence == pytest.approx(0.72, abs=0.001)


def test_what_one_picture_of_five_shows_is_no_bone() -> None:
    shown = [found(100, 100, convex=0.9, none=0.1)]
    assert voted(BoneVotes(Pictures(shown, *[[]] * 4))) == ()


def test_a_bone_that_one_picture_of_five_lacks_is_one() -> None:
    shown = [found(100, 100, convex=0.9, none=0.1)]
    read = voted(BoneVotes(Pictures(shown, [], *[shown] * 3)))
    assert faces(read) == [(Face.CONVEX,)]
    assert read[0].confidence == pytest.approx(0.72)


def test_what_only_a_later_picture_shows_counts_as_missing_before() -> None:
    doubtful, more = found(100, 100, concave=0.9), found(200, 100, flat=0.99)
    read = voted(BoneVotes(Pictures([doubtful], *[[doubtful, more]] * 4)))
    assert faces(read) == [Face.CONCAVE, (Face.FLAT,)]


def test_a_bone_that_nobody_touched_keeps_its_votes() -> None:
    """Else a bone is read as another face each time that a hand passes."""
    doubtful = [found(100, 100, flat=0.7, twisted=0.3)]
    other = [found(100.5, 100, flat=0.15, twisted=0.85)]
    votes = BoneVotes(Pictures(*[doubtful] * 5, other))
    voted(votes)
    assert faces(votes.look(PICTURE, 1.0)) == [(Face.FLAT, Face.TWISTED)]


def test_a_bone_that_was_turned_over_in_its_place_is_read_anew() -> None:
    votes = BoneVotes(
        Pictures(
            [found(100, 100, flat=0.99)],
            [found(100, 100, twisted=0.98)],
            [found(150, 100, flat=0.7, twisted=0.3)],
            *[[found(150, 100, flat=0.99)]] * 4,
        )
    )
    assert faces(voted(votes)) == [Face.FLAT]
    assert faces(voted(votes)) == [Face.TWISTED]
    assert faces(voted(votes)) == [Face.FLAT]

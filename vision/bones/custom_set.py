"""A set of bones (metal, resin or carved ones) as examples of each face, and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face
from vision.bones.classifier import FEATURES, KINDS
from vision.custom_set import FORMAT, CustomSet
from vision.errors import EnrolmentError

Floats = NDArray[np.float64]
"""float64; its shape is given where it is used."""

MOST_SAMPLES = 4_000
MOST_SHOWINGS = 200
"""Samples and pictures in a file, ten times what anybody shows: judging a set takes as long as the
one times the other."""

LARGEST_FEATURE = 1e6
"""Networks give numbers of some tens; the squares of a damaged file's must not overflow."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolmentSample:
    """One bone on one picture.

    Attributes:
        face: the one uppermost.
        showing: the number of the picture, from 1.
        features: float64 (FEATURES,), what the network sees.
        kinds: float64 (KINDS,), the probabilities that it gives.
    """

    face: Face
    showing: int
    features: Floats
    kinds: Floats

    def to_json(self) -> dict[str, object]:
        """Return the sample as it is kept in a file."""
        return {
            "face": self.face.value,
            "showing": self.showing,
            "features": [round(float(value), 4) for value in self.features],
            "kinds": [round(float(value), 6) for value in self.kinds],
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_json` gave.

        Raises:
            ValueError: *kept* holds another count of numbers, or numbers that are too large.
        """
        return cls(
            Face(kept["face"]),
            int(kept["showing"]),
            _numbers(kept["features"], FEATURES),
            _numbers(kept["kinds"], KINDS),
        )


@dataclass(slots=True, eq=False)
class CustomBoneSet(CustomSet):
    """The samples a set of bones is learnt from; grows picture by picture."""

    KIND = "taught set of bones"
    CURE = "teach the set again: boneace teach bones NAME"
    LARGEST_FILE = 16 * 2**20

    name: str
    samples: list[EnrolmentSample] = field(default_factory=list)

    def showings(self, face: Face | None = None) -> int:
        """Return how many pictures there are, of *face* or of all."""
        return len({(s.face, s.showing) for s in self.samples if face in (None, s.face)})

    def to_bytes(self) -> bytes:
        """Return the set as JSON text."""
        samples = [sample.to_json() for sample in self.samples]
        return json.dumps({"format": FORMAT, "bones": self.name, "samples": samples}).encode()

    @classmethod
    def _parse(cls, data: bytes) -> Self:
        kept = json.loads(data.decode())
        name = cls._checked_name(kept, "bones")
        if len(kept["samples"]) > MOST_SAMPLES:
            raise EnrolmentError(f"holds too many looks for a {cls.KIND}; {cls.CURE}")
        made = cls(name, [EnrolmentSample.from_json(each) for each in kept["samples"]])
        if made.showings() > MOST_SHOWINGS:
            raise EnrolmentError(f"holds too many showings for a {cls.KIND}; {cls.CURE}")
        return made


def _numbers(values: object, count: int) -> Floats:
    out = np.asarray(values, np.float64)
    if out.shape != (count,) or not (np.abs(out) <= LARGEST_FEATURE).all():
        raise ValueError(f"expected {count} numbers, got shape {out.shape}")
    return out

"""A set of bones (metal, resin or carved ones): examples of each face, its file, and its matcher.

The network's own features are kept for every sample. A face's samples make a mean and a variance in
each feature (diagonal discriminant analysis with the variances shared, shrunk towards each other).
What that says is mixed with what the network says by itself, in the share that read held-out
samples best.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face
from vision.bones.classifier import FACES, FEATURES, KINDS, NETWORK, BonePrediction
from vision.custom_set import FORMAT, CustomSet
from vision.errors import EnrolmentError
from vision.models import digest

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
        head = {"format": FORMAT, "bones": self.name, "network": digest(NETWORK)}
        return json.dumps(head | {"samples": samples}).encode()

    @classmethod
    def _parse(cls, data: bytes) -> Self:
        kept = json.loads(data.decode())
        name = cls._checked_name(kept, "bones")
        # Another network's features mean something else: faces would be told wrongly.
        if kept.get("network") != digest(NETWORK):
            raise EnrolmentError(f"was taught to another version of boneace; {cls.CURE}")
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


SHOWINGS = 2
"""Pictures of each face from which the set can be judged: one is held out, the other learnt."""

SHARES = (0.0, 0.25, 0.5, 0.75, 0.9)
"""How much of the custom set is mixed in; the network always keeps a part."""

BELIEFS = (1.0, 0.7, 0.5, 0.35)
"""How much of the certainty is believed: less of a set that is read badly; more is asked then."""


@dataclass(frozen=True, slots=True)
class EnrolmentReport:
    """How well the faces are told apart, judged on samples that were held out.

    Attributes:
        table: how often each face shown was taken for each face, ``{(shown, read): samples}``.
        before: part of the samples that the network alone read right, 0.0-1.0.
    """

    table: dict[tuple[Face, Face], int]
    before: float

    @property
    def looks(self) -> int:
        """Return how many samples were judged."""
        return sum(self.table.values())

    @property
    def right(self) -> float:
        """Return the part of the samples read right, 0.0-1.0."""
        good = sum(count for (shown, read), count in self.table.items() if shown is read)
        return good / max(self.looks, 1)

    @property
    def confused(self) -> tuple[tuple[Face, Face, int], ...]:
        """Return the faces taken for others, ``(shown, read, samples)``, the commonest first."""
        wrong = [(a, b, n) for (a, b), n in self.table.items() if a is not b and n]
        return tuple(sorted(wrong, key=lambda each: -each[2]))


class BoneMatcher:
    """Tells the faces of a custom set; give :meth:`adapt` to a ``BoneReader``.

    Attributes:
        bones: the set.
        report: how well its faces are told apart.
    """

    def __init__(self, bones: CustomBoneSet) -> None:
        """Learn from the samples of *bones*.

        Raises:
            EnrolmentError: a face was never shown, or too seldom to judge the set.
        """
        for face in FACES:
            if bones.showings(face) < SHOWINGS:
                raise EnrolmentError(
                    f"{face} was shown {bones.showings(face)} times, at least {SHOWINGS} are "
                    f"needed; show bones with this face uppermost, turned another way each time"
                )
        self.bones = bones
        samples = bones.samples
        held_out = _held_out(samples)
        self._share, self._belief = min(
            itertools.product(SHARES, BELIEFS), key=lambda way: _loss(samples, held_out, *way)
        )
        self.report = _report(samples, held_out, self._share)
        self._fit = _fit(samples)
        nearest = [_distances(self._fit, each.features).min() for each in samples]
        self._usual_distance = float(np.percentile(nearest, 95))

    def adapt(self, prediction: BonePrediction) -> NDArray[np.float32]:
        """Return the probabilities of the six kinds, float32 (6,), the learnt faces mixed in."""
        kinds = np.asarray(prediction.kinds, np.float64)
        distances = _distances(self._fit, np.asarray(prediction.features, np.float64))
        if float(distances.min()) <= 1.5 * self._usual_distance:
            # It looks like what was shown, so it is a bone, whatever it is made of.
            none = min(float(kinds[-1]), 0.2)
            kinds = kinds * (1 - none) / max(1 - float(kinds[-1]), 1e-6)
            kinds[-1] = none
        mixed = _mixed(kinds, _log_probabilities(distances), self._share, self._belief)
        out = kinds.copy()
        out[: len(FACES)] = mixed * kinds[: len(FACES)].sum()
        return out.astype(np.float32)


def _held_out(samples: Sequence[EnrolmentSample]) -> list[Floats]:
    """Return, for each sample, what those of other pictures say of it: float64 (4,)."""
    out: list[Floats] = []
    fits: dict[tuple[Face, int], tuple[Floats, Floats]] = {}
    for sample in samples:
        key = (sample.face, sample.showing)
        if key not in fits:
            fits[key] = _fit([s for s in samples if (s.face, s.showing) != key])
        out.append(_log_probabilities(_distances(fits[key], sample.features)))
    return out


def _report(
    samples: Sequence[EnrolmentSample], held_out: list[Floats], share: float
) -> EnrolmentReport:
    table: dict[tuple[Face, Face], int] = {}
    before = 0
    for sample, learnt in zip(samples, held_out, strict=True):
        read = FACES[int(_mixed(sample.kinds, learnt, share).argmax())]
        table[sample.face, read] = table.get((sample.face, read), 0) + 1
        before += FACES[int(sample.kinds[: len(FACES)].argmax())] is sample.face
    return EnrolmentReport(table, before / max(len(samples), 1))


def _fit(samples: Sequence[EnrolmentSample]) -> tuple[Floats, Floats]:
    """Return the means of the faces, float64 (4, FEATURES), and their shared variances."""
    means = np.stack(
        [
            np.mean([s.features for s in samples if s.face is face] or [np.zeros(FEATURES)], axis=0)
            for face in FACES
        ]
    )
    spread = np.mean([(s.features - means[FACES.index(s.face)]) ** 2 for s in samples], axis=0)
    # Few samples make single variances unsure: shrink them towards their mean.
    return means, 0.5 * spread + 0.5 * spread.mean() + 1e-6


def _distances(fit: tuple[Floats, Floats], features: Floats) -> Floats:
    """Return how far some features lie from each face, float64 (4,), about 1 where they belong."""
    means, variances = fit
    return np.asarray(((features - means) ** 2 / variances).mean(axis=1), np.float64)


def _log_probabilities(distances: Floats) -> Floats:
    """Return what distances say of the faces, float64 (4,)."""
    # Features go together, so that 64 of them tell no more than about a dozen would.
    scores = -6.0 * distances
    scores -= scores.max()
    return np.asarray(scores - np.log(np.exp(scores).sum()), np.float64)


def _mixed(kinds: Floats, learnt: Floats, share: float, belief: float = 1.0) -> Floats:
    """Return probabilities of the faces, float64 (4,): the network's and the learnt ones, mixed."""
    network = np.log(np.maximum(kinds[: len(FACES)], 1e-4))
    scores = belief * ((1 - share) * network + share * learnt)
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _loss(
    samples: Sequence[EnrolmentSample], held_out: list[Floats], share: float, belief: float
) -> float:
    """Return the mean negative log likelihood of the true faces of held-out samples."""
    likelihoods = [
        _mixed(sample.kinds, learnt, share, belief)[FACES.index(sample.face)]
        for sample, learnt in zip(samples, held_out, strict=True)
    ]
    return -float(np.mean([np.log(likelihood + 1e-6) for likelihood in likelihoods]))

"""Learn the faces of one set of bones from a few looks at each: metal, glass, or carved ones.

The network's own features are kept for every look. A face's looks make a middle and a width in each
feature (diagonal discriminant analysis with the widths shared, shrunk towards each other), and what
that says is mixed with what the network says by itself, in the share that told held-out looks best.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face
from engine.core.errors import BoneAceError
from vision.atomic_file import write_whole
from vision.bones.classifier import FACES, FEATURES, KINDS, BonePrediction
from vision.bones.pipeline import BoneDetection, BoneReader

Floats = NDArray[np.float64]

FORMAT = 1
"""Of the file; a reader of another one refuses it."""

SHOWINGS = 2
"""Looks at each face from which the set can be judged: one is held out, the other taught."""

IS_BONE = 0.1
"""Probability of being a bone below which a thing shown is not taken for one: odd bones are odd."""

LARGEST_FILE = 16 * 2**20
"""Bytes; a set of five bones shown four times to each face takes a quarter of a million."""

LONGEST_NAME = 200
"""Letters of a set's name, which is printed."""

MOST_SAMPLES = 4_000
MOST_SHOWINGS = 200
"""Looks and pictures in a file, ten times what anybody shows: judging a set takes as long as the
one times the other."""

LARGEST_FEATURE = 1e6

SHARES = (0.0, 0.25, 0.5, 0.75, 0.9)
"""How much of the taught set is mixed in; the network always keeps a word."""

BELIEFS = (1.0, 0.7, 0.5, 0.35)
"""How much of the certainty is believed: less of a set that is told badly; more is asked then."""


class TeachError(BoneAceError, ValueError):
    """Something shown cannot be learnt from; the message says what to show instead."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One look at one bone: its *face*, the number of the *showing*, what the network saw."""

    face: Face
    showing: int
    features: Floats
    kinds: Floats


@dataclass(frozen=True, slots=True)
class TeachReport:
    """How well a set is told apart, judged on looks that were held out.

    Attributes:
        table: how often each face shown was taken for each face, ``{(shown, read): looks}``.
        before: part of the looks that the network told right without being taught, 0.0-1.0.
    """

    table: dict[tuple[Face, Face], int]
    before: float

    @property
    def looks(self) -> int:
        """How many looks were judged."""
        return sum(self.table.values())

    @property
    def right(self) -> float:
        """Part of the looks told right, 0.0-1.0."""
        good = sum(count for (shown, read), count in self.table.items() if shown is read)
        return good / max(self.looks, 1)

    @property
    def confused(self) -> tuple[tuple[Face, Face, int], ...]:
        """Faces taken for others, ``(shown, read, looks)``, the commonest first."""
        wrong = [(a, b, n) for (a, b), n in self.table.items() if a is not b and n]
        return tuple(sorted(wrong, key=lambda each: -each[2]))


class TaughtBones:
    """A set of bones that was taught; give :meth:`adapt` to a ``BoneReader``."""

    def __init__(self, name: str, samples: Iterable[Sample]) -> None:
        """Learn from *samples*.

        Raises:
            TeachError: a face was never shown, or one was shown too seldom to judge the set.
        """
        self.name = name
        self.samples = tuple(samples)
        for face in FACES:
            showings = {sample.showing for sample in self.samples if sample.face is face}
            if len(showings) < SHOWINGS:
                raise TeachError(
                    f"{face} was shown {len(showings)} times, at least {SHOWINGS} are needed; "
                    f"show bones with this face uppermost, turned another way each time"
                )
        held_out = self._held_out()
        self.share, self.belief = min(
            itertools.product(SHARES, BELIEFS), key=lambda way: _loss(self.samples, held_out, *way)
        )
        self.report = self._judged(held_out)
        self._learnt = _learn(self.samples)
        distances = [_distances(self._learnt, each.features).min() for each in self.samples]
        self._usual = float(np.percentile(distances, 95)) if distances else 0.0

    def adapt(self, look: BonePrediction) -> NDArray[np.float32]:
        """Probabilities of the six kinds, float32 (6,), with the taught faces mixed in."""
        kinds = np.asarray(look.kinds, np.float64)
        distances = _distances(self._learnt, np.asarray(look.features, np.float64))
        if float(distances.min()) <= 1.5 * self._usual:
            # It looks like what was shown, so it is a bone, whatever it is made of.
            none = min(float(kinds[-1]), 0.2)
            kinds = kinds * (1 - none) / max(1 - float(kinds[-1]), 1e-6)
            kinds[-1] = none
        mixed = _mixed(kinds, _taught(distances), self.share, self.belief)
        out = kinds.copy()
        out[: len(FACES)] = mixed * kinds[: len(FACES)].sum()
        return out.astype(np.float32)

    def save(self, path: Path) -> None:
        """Write a small file of text that can be copied to another table.

        Raises:
            TeachError: it cannot be written.
        """
        _write(path, self.name, self.samples)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what :meth:`save` wrote.

        Raises:
            TeachError: the file is missing, damaged or of another version.
        """
        name, samples = _read(path)
        return cls(name, samples)

    def _held_out(self) -> list[Floats]:
        """For each sample what the others of other showings would say of it, float64 (4,)."""
        out: list[Floats] = []
        kept: dict[tuple[Face, int], tuple[Floats, Floats]] = {}
        for sample in self.samples:
            key = (sample.face, sample.showing)
            if key not in kept:
                kept[key] = _learn([s for s in self.samples if (s.face, s.showing) != key])
            out.append(_taught(_distances(kept[key], sample.features)))
        return out

    def _judged(self, held_out: list[Floats]) -> TeachReport:
        table: dict[tuple[Face, Face], int] = {}
        before = 0
        for sample, taught in zip(self.samples, held_out, strict=True):
            read = FACES[int(_mixed(sample.kinds, taught, self.share).argmax())]
            table[sample.face, read] = table.get((sample.face, read), 0) + 1
            before += FACES[int(sample.kinds[: len(FACES)].argmax())] is sample.face
        return TeachReport(table, before / max(len(self.samples), 1))


class BoneSetEnrolment:
    """Gathers looks at a set of bones, one picture after the other."""

    def __init__(self, name: str, reader: BoneReader | None = None) -> None:
        """Begin with nothing; *reader* finds the bones.

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.name = name
        self._reader = reader or BoneReader(is_bone=IS_BONE)
        self._samples: list[Sample] = []
        self._showings = 0

    def show(self, face: Face, image: NDArray[np.uint8], px_per_mm: float | None = None) -> int:
        """Take a picture on which every bone lies with *face* uppermost.

        Args:
            face: the face.
            image: uint8, shape (height, width, 3), BGR.
            px_per_mm: the scale where a mat is in view.

        Returns:
            How many bones were seen on it.

        Raises:
            TeachError: no bone was seen.
            ImageError: *image* has another shape or type.
        """
        count = 0
        # Turned by quarters the same bone looks a little different: four looks for one.
        for quarters in range(4):
            turned = np.ascontiguousarray(np.rot90(image, quarters))
            seen = _likeliest(self._reader.see(turned, px_per_mm, thorough=True))
            if quarters == 0:
                if not seen:
                    raise TeachError(
                        f"no bone is seen with {face} uppermost; lay one or more bones apart from "
                        f"each other on a plain cloth of another colour, and light them evenly"
                    )
                count = len(seen)
                self._showings += 1
            self._samples += [
                Sample(
                    face,
                    self._showings,
                    np.asarray(bone.look.features, np.float64),
                    np.asarray(bone.look.kinds, np.float64),
                )
                for bone in seen
            ]
        return count

    def showings(self, face: Face) -> int:
        """How many pictures of *face* were taken so far."""
        return len({sample.showing for sample in self._samples if sample.face is face})

    def keep(self, path: Path) -> None:
        """Write down what was shown so far, for :meth:`go_on`.

        Raises:
            TeachError: it cannot be written.
        """
        _write(path, self.name, self._samples)

    def go_on(self, path: Path) -> None:
        """Take up what :meth:`keep` wrote, as if it had been shown just now.

        Raises:
            TeachError: the file is missing, damaged or of another version.
        """
        _, self._samples = _read(path)
        self._showings = max((sample.showing for sample in self._samples), default=0)

    def taught(self) -> TaughtBones:
        """Learn from all that was shown.

        Raises:
            TeachError: a face was shown less than :data:`SHOWINGS` times.
        """
        return TaughtBones(self.name, self._samples)


def _likeliest(seen: list[BoneDetection]) -> list[BoneDetection]:
    """Of what was found take what is likely a bone; the doubtful only where nothing is."""
    likely = [bone for bone in seen if bone.look.kinds[-1] < 0.5]
    return likely or seen


def _write(path: Path, name: str, samples: Iterable[Sample]) -> None:
    """Write looks at the set *name*, whole or not at all.

    Raises:
        TeachError: they cannot be written.
    """
    kept = {
        "format": FORMAT,
        "bones": name,
        "samples": [
            {
                "face": sample.face.value,
                "showing": sample.showing,
                "features": [round(float(value), 4) for value in sample.features],
                "kinds": [round(float(value), 6) for value in sample.kinds],
            }
            for sample in samples
        ],
    }
    try:
        write_whole(path, json.dumps(kept).encode())
    except OSError as problem:
        raise TeachError(
            f"{path}: cannot be written ({problem.strerror}); check the folder's permissions"
        ) from problem


def _read(path: Path) -> tuple[str, list[Sample]]:
    """Read what :func:`_write` wrote: the name of the set, and the looks at it.

    Raises:
        TeachError: the file is missing, damaged or of another version.
    """
    again = "teach the set again: boneace teach bones NAME"
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise TeachError(f"{path}: is too large for a taught set; {again}")
        kept = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise TeachError(f"{path}: cannot be read ({problem.strerror}); {again}") from problem
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, TeachError):
            raise
        raise TeachError(f"{path}: is damaged; {again}") from problem
    try:
        if kept["format"] != FORMAT:
            raise TeachError(f"{path}: is of format {kept['format']!r}, not {FORMAT}; {again}")
        if len(kept["samples"]) > MOST_SAMPLES:
            raise TeachError(f"{path}: holds too many looks for a taught set; {again}")
        samples = [
            Sample(
                Face(each["face"]),
                int(each["showing"]),
                _numbers(each["features"], FEATURES),
                _numbers(each["kinds"], KINDS),
            )
            for each in kept["samples"]
        ]
        name = str(kept["bones"])
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise TeachError(f"{path}: its name does not print; {again}")
        if len({(each.face, each.showing) for each in samples}) > MOST_SHOWINGS:
            raise TeachError(f"{path}: holds too many showings for a taught set; {again}")
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as problem:
        if isinstance(problem, TeachError):
            raise
        raise TeachError(f"{path}: is damaged ({problem}); {again}") from problem
    return name, samples


def _numbers(values: object, count: int) -> Floats:
    out = np.asarray(values, np.float64)
    # Networks give numbers of some tens; the squares of a stranger's must not overflow.
    if out.shape != (count,) or not (np.abs(out) <= LARGEST_FEATURE).all():
        raise ValueError(f"expected {count} numbers, got shape {out.shape}")
    return out


def _learn(samples: Iterable[Sample]) -> tuple[Floats, Floats]:
    """Middles of the faces, float64 (4, FEATURES), and the widths they share, (FEATURES,)."""
    samples = tuple(samples)
    middles = np.stack(
        [
            np.mean([s.features for s in samples if s.face is face] or [np.zeros(FEATURES)], axis=0)
            for face in FACES
        ]
    )
    spread = np.mean([(s.features - middles[FACES.index(s.face)]) ** 2 for s in samples], axis=0)
    # Few looks make single widths unsure: lean them on their mean.
    return middles, 0.5 * spread + 0.5 * spread.mean() + 1e-6


def _distances(learnt: tuple[Floats, Floats], features: Floats) -> Floats:
    """How far some features lie from each face, float64 (4,), about 1 where they belong."""
    middles, widths = learnt
    return np.asarray(((features - middles) ** 2 / widths).mean(axis=1), np.float64)


def _taught(distances: Floats) -> Floats:
    """What distances say of the faces: log probabilities, float64 (4,)."""
    # Features go together, so that 64 of them tell no more than about a dozen would.
    scores = -6.0 * distances
    scores -= scores.max()
    return np.asarray(scores - np.log(np.exp(scores).sum()), np.float64)


def _mixed(kinds: Floats, taught: Floats, share: float, belief: float = 1.0) -> Floats:
    """Probabilities of the faces, float64 (4,): the network's and the taught ones, mixed."""
    network = np.log(np.maximum(kinds[: len(FACES)], 1e-4))
    scores = belief * ((1 - share) * network + share * taught)
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _loss(samples: tuple[Sample, ...], taught: list[Floats], share: float, belief: float) -> float:
    """Mean surprise at the true faces of held-out samples."""
    return -float(
        np.mean(
            [
                np.log(_mixed(sample.kinds, says, share, belief)[FACES.index(sample.face)] + 1e-6)
                for sample, says in zip(samples, taught, strict=True)
            ]
        )
    )

"""Notice when thrown bones have come to rest, and when one that was read is touched later.

Pure logic over successive readings: no pixels, no clock of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import hypot

from engine.bones import Face
from vision.readings import BoneReading, Spot, UnsureBoneReading

AnyBone = BoneReading | UnsureBoneReading

AT_REST = 0.12
"""How far, in lengths of the bone, its middle may wander between frames while it lies still."""

SAME_BONE = 1.5
"""How far, in lengths, a bone can have been pushed and still be taken for the same one."""


class Happened(StrEnum):
    """What became of a bone between two moments of rest."""

    ADDED = "added"
    GONE = "gone"
    MOVED = "moved"
    TURNED = "turned"


@dataclass(frozen=True, slots=True)
class BoneChange:
    """One bone that is not as it was; *before* is ``None`` if added, *after* if gone."""

    happened: Happened
    before: AnyBone | None
    after: AnyBone | None


@dataclass(frozen=True, slots=True)
class BonesAtRest:
    """The bones that lie at rest, and how they differ from the last time they did.

    Attributes:
        time_s: the time stamp of the reading that settled it.
        bones: all of them, in the order of that reading; confidence is the mean of the readings.
        changes: what differs from the moment of rest before; the first time every bone is added.
    """

    time_s: float
    bones: tuple[AnyBone, ...]
    changes: tuple[BoneChange, ...]

    @property
    def total(self) -> int | None:
        """The points of all bones; ``None`` while one is unsure (KB-15)."""
        values = [bone.value for bone in self.bones if isinstance(bone, BoneReading)]
        return sum(values) if len(values) == len(self.bones) else None

    @property
    def bumped(self) -> tuple[BoneChange, ...]:
        """The bones that lay there before and were moved, turned or taken since."""
        return tuple(each for each in self.changes if each.happened is not Happened.ADDED)


class BoneWatch:
    """Turns readings of bones, frame by frame, into moments of rest.

    The bones are at rest once *frames* successive readings over at least *rest_s* seconds show
    the same number of bones in the same places with the same faces. A bone that rocks changes its
    middle or its face, and starts the count again.
    """

    def __init__(self, *, frames: int = 2, rest_s: float = 0.2) -> None:
        """Watch an empty table."""
        self._frames, self._rest_s = max(frames, 1), rest_s
        self._run: list[tuple[float, tuple[AnyBone, ...]]] = []
        self._settled: tuple[AnyBone, ...] = ()

    @property
    def settled(self) -> tuple[AnyBone, ...]:
        """The bones as they lay at the last moment of rest."""
        return self._settled

    def forget(self) -> None:
        """Begin with an empty table again, as when a new throw begins with the bones lifted."""
        self._run, self._settled = [], ()

    def see(self, time_s: float, bones: Sequence[AnyBone]) -> BonesAtRest | None:
        """Take the bones of one reading.

        Args:
            time_s: when it was taken, monotonic.
            bones: what was read, unsure ones included.

        Returns:
            The bones when they have come to rest and something differs from the last time;
            ``None`` while they move, and while nothing is new.
        """
        now = tuple(bones)
        if self._run:
            paired = _matched(self._run[-1][1], now, AT_REST)
            if paired is None:
                self._run = []
        self._run.append((time_s, now))
        if len(self._run) < self._frames or time_s - self._run[0][0] < self._rest_s:
            return None
        voted = self._voted()
        changes = compare(self._settled, voted)
        self._run = self._run[-self._frames :]
        if not changes:
            return None
        self._settled = voted
        return BonesAtRest(time_s, voted, changes)

    def _voted(self) -> tuple[AnyBone, ...]:
        """The last bones, each with the mean confidence of the frames of this rest."""
        latest = self._run[-1][1]
        sums = [bone.confidence for bone in latest]
        for _, bones in self._run[:-1]:
            for k, bone in enumerate(latest):
                sums[k] += _nearest(bone, bones).confidence
        return tuple(
            replace(bone, confidence=total / len(self._run))
            for bone, total in zip(latest, sums, strict=True)
        )


def compare(before: Sequence[AnyBone], after: Sequence[AnyBone]) -> tuple[BoneChange, ...]:
    """Tell what became of each bone; bones that lie as before are not mentioned.

    A bone is taken for the same one if it lies nearest and within :data:`SAME_BONE` lengths. A
    doubtful reading of a bone that has not moved is no change: light and shadows may do that.
    """
    gaps = sorted(
        (_gap(old, new), i, j) for i, old in enumerate(before) for j, new in enumerate(after)
    )
    left, right = set(range(len(before))), set(range(len(after)))
    changes = []
    for gap, i, j in gaps:
        if gap > SAME_BONE or i not in left or j not in right:
            continue
        left.discard(i)
        right.discard(j)
        old, new = _face(before[i]), _face(after[j])
        if old is not None and new is not None and old is not new:
            changes.append(BoneChange(Happened.TURNED, before[i], after[j]))
        elif gap > AT_REST:
            changes.append(BoneChange(Happened.MOVED, before[i], after[j]))
        elif old is None and new is not None:
            # It was in doubt and is clear now: whoever asked about it wants to know.
            changes.append(BoneChange(Happened.TURNED, before[i], after[j]))
    changes += [BoneChange(Happened.GONE, before[i], None) for i in sorted(left)]
    changes += [BoneChange(Happened.ADDED, None, after[j]) for j in sorted(right)]
    return tuple(changes)


def _matched(
    before: Sequence[AnyBone], after: Sequence[AnyBone], slack: float
) -> tuple[tuple[int, int], ...] | None:
    """Pair bones one to one that lie in the same places with the same faces, or ``None``."""
    if len(before) != len(after):
        return None
    pairs = []
    free = set(range(len(after)))
    for i, old in enumerate(before):
        j = min(free, key=lambda j: _gap(old, after[j]))
        if _gap(old, after[j]) > slack or _face(old) is not _face(after[j]):
            return None
        free.discard(j)
        pairs.append((i, j))
    return tuple(pairs)


def _nearest(bone: AnyBone, others: Sequence[AnyBone]) -> AnyBone:
    return min(others, key=lambda other: _gap(bone, other))


def _face(bone: AnyBone) -> Face | None:
    return bone.face if isinstance(bone, BoneReading) else None


def _gap(one: AnyBone, other: AnyBone) -> float:
    """How far apart two bones' middles lie, in lengths of the longer bone."""
    (ax, ay), (bx, by) = one.spot.centre, other.spot.centre
    return hypot(ax - bx, ay - by) / max(_length(one.spot), _length(other.spot), 1e-6)


def _length(spot: Spot) -> float:
    """The longest way across the outline, in pixels."""
    return max(
        (hypot(a[0] - b[0], a[1] - b[1]) for a in spot.outline for b in spot.outline),
        default=0.0,
    )

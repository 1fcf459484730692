"""Decide which frames to read: none while hands move, and nothing twice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face
from engine.core.cards import Card
from vision.geometry import Image
from vision.mat.foreground import brightest
from vision.mat.pose import MatPose
from vision.mat.segmentation import FrameAnalysis
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    Point,
    Reading,
)
from vision.tracking.arms import ArmWatch, arms_over

GRID = (96, 72)
"""Cells, across and down, in which frames are compared; a card is some cells large."""

MOVING = 9.0
"""Grey levels (0-255) by which a cell must differ from the frame before to be moving."""

CHANGED = 7.0
"""Grey levels by which a cell must differ from the frame last read to be worth reading."""

STILL_FRAMES, STILL_S = 2, 0.15
"""Still frames, and the seconds that they last, after which the table is at rest."""

SWAYING, SWAY_S = 30.0, 0.35
"""Grey levels by which cells differ from frame to frame where a fist is held over the mat, and
nothing else moves; the seconds after which the table under it is at rest."""

CLEAR_S, SOON_S = 0.06, 0.03
"""Seconds of stillness after which a table with no hand over it is at rest, and where no arm
reaches over the edge of the mat, either: then two frames that are alike are enough."""

SAME_MM = 8.0
"""What lies so near to where the same thing lay, in millimetres, has not been moved."""

NOWHERE = (0.0, 0.0)
"""Stands for the place of what lies on no mat; on a mat everything has one."""


class FrameReader(Protocol):
    """Whatever reads a picture."""

    def read(self, image: Image, time_s: float = 0.0) -> Reading:
        """Read one picture; *time_s* is the monotonic time stamp that the reading gets."""
        ...


@runtime_checkable
class IncrementalReader(Protocol):
    """A reader that remembers the frame before; :class:`vision.TableReader` is one."""

    def follow(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Read what changed since the last call; *time_s* is that of the reading."""
        ...

    def is_clear(self, frame: FrameAnalysis) -> bool:
        """Return whether what changed since the last reading shows no hand."""
        ...

    @property
    def in_doubt(self) -> bool:
        """Return whether another frame may settle something."""
        ...

    def vote(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Read once more what is in doubt; *time_s* is that of the reading."""
        ...


@runtime_checkable
class MatReader(Protocol):
    """A reader that knows where the mat lies; :class:`vision.TableReader` is one."""

    @property
    def pose(self) -> MatPose | None:
        """Where the mat lay at the last reading; ``None`` where none was seen."""
        ...


class StillnessDetector:
    """Tells when a table has come to rest.

    A frame is still when no cell of a coarse grid differs from the frame before by more than
    :data:`MOVING`; the table is at rest after :data:`STILL_FRAMES` such frames over at least
    :data:`STILL_S` seconds. Cells average some dozen pixels, so camera noise does not move them.

    Attributes:
        cells: what the last frame is compared by: float32 (rows, columns, 3), or ``None``.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.cells: NDArray[np.float32] | None = None
        self._still_count = 0
        self._is_repeated = False
        self._since_s = self._now_s = self._moved_s = 0.0

    def see(self, image: Image, time_s: float) -> bool:
        """Take the next frame; return whether the table is at rest."""
        self._now_s = time_s
        cells = _cells(image)
        before, self.cells = self.cells, cells
        moved = math.inf if before is None else float(np.abs(cells - before).max())
        if moved > SWAYING:
            self._moved_s = time_s
        if moved > MOVING:
            self._still_count, self._since_s = 0, time_s
            return False
        self._still_count += 1
        self._is_repeated = moved == 0.0
        return self.is_still_for(STILL_S)

    def is_still_for(self, still_s: float, frames: int = STILL_FRAMES) -> bool:
        """Return whether the frames have been still for *still_s*, and enough of them."""
        return self._still_count >= frames and self._now_s - self._since_s >= still_s

    @property
    def has_stopped(self) -> bool:
        """Return whether nothing has moved from one frame to the next, for :data:`SOON_S`.

        A frame that differs in nothing, not even in noise, may be the last one given twice.
        """
        return not self._is_repeated and self.is_still_for(SOON_S, frames=1)

    def sways_since(self, time_s: float) -> bool:
        """Return whether what moves only sways, for long enough, and did more since *time_s*."""
        only_sways = self.is_moving and self._now_s - self._moved_s >= SWAY_S
        return only_sways and self._moved_s > time_s

    @property
    def still_s(self) -> float:
        """Return for how long the frames have been still, in seconds."""
        return 0.0 if self.is_moving else self._now_s - self._since_s

    @property
    def is_moving(self) -> bool:
        """Return whether something moved in the last frame."""
        return self._still_count == 0

    def differs(self, other: NDArray[np.float32] | None) -> bool:
        """Return whether the last frame shows another table than *other* did.

        *other* is :attr:`cells` of a frame before, float32, shape (rows, columns, 3), or ``None``.
        """
        if other is None or self.cells is None:
            return True
        return float(np.abs(self.cells - other).max()) > CHANGED


class MotionGate:
    """Turns a stream of frames into readings, one each time the table comes to rest changed.

    The rest must last: a hand that lays a card stops for a moment before it goes. Where fists that
    hold cards sway over the mat, it is read once each time that nothing else moves. An incremental
    reader can tell when no hand is there, and then need not wait. It is given the frames after,
    too, until nothing is in doubt that another frame may settle.

    Attributes:
        seated: the seats at which people sit, whose arms are told apart; ``None``: any.
    """

    def __init__(self, reader: FrameReader) -> None:
        """Read with *reader*."""
        self.seated: frozenset[int] | None = None
        self._reader = reader
        self._incremental = reader if isinstance(reader, IncrementalReader) else None
        self._mat = reader if isinstance(reader, MatReader) else None
        self._hands = ArmWatch()
        self._stillness = StillnessDetector()
        self._read: NDArray[np.float32] | None = None
        self._at_rest: NDArray[np.float32] | None = None
        self._read_s = -math.inf
        self._voting = False
        self._last: Reading | None = None
        self._checked_for_hands = False

    def see(self, image: Image, time_s: float) -> Reading | None:
        """Take the next frame; return a reading when the table has come to rest and has changed.

        *time_s* is when it was taken, monotonic; no earlier than the frame before.
        """
        frame = FrameAnalysis(image)
        at_rest = self._stillness.see(image, time_s)
        if self._stillness.is_moving and (arms := self._arms(frame)) is not None:
            self._hands.see(arms)
        if self._stillness.is_moving and self._voting:
            # What was being voted on moves again: it is read when it rests.
            self._voting, self._read = False, None
        sways = self._stillness.sways_since(self._read_s)
        if not (at_rest or sways or self._is_clear(frame)):
            return None
        if not self._stillness.differs(self._read):
            return self._told(self._vote(frame, time_s))
        # Only what has been read is not read again: a reader that fails gets the next frame too.
        self._read, self._voting = None, False
        cells = self._stillness.cells
        if self._incremental is None:
            reading = self._reader.read(image, time_s)
        else:
            reading = self._incremental.follow(frame, time_s)
            self._voting = self._incremental.in_doubt and not sways
        self._read, self._read_s = cells, time_s
        self._at_rest = cells
        return None if self._voting else self._told(reading)

    def _arms(self, frame: FrameAnalysis) -> tuple[int | None, ...] | None:
        """Return whose arms are over the mat; ``None`` where there is nothing to tell them by."""
        pose = None if self._mat is None else self._mat.pose
        cells, before = self._stillness.cells, self._at_rest
        if pose is None or cells is None or before is None:
            return None
        changed = brightest(np.abs(cells - before)) > CHANGED
        height, width = frame.image.shape[:2]
        return arms_over(changed.astype(np.uint8), (width, height), pose, self.seated)

    def _told(self, reading: Reading | None) -> Reading | None:
        """Return *reading* with whose hands were over the mat before it, where arms are seen."""
        if reading is None or self._mat is None or reading.seats is None:
            return reading
        was, self._last = self._last, reading
        if was is not None and not self._hands.has_seen and _shows_the_same(was, reading):
            return replace(reading, hands=())  # it was only looked at once more
        return replace(reading, hands=self._hands.take())

    @property
    def idle_s(self) -> float:
        """Return for how long nothing has moved, in seconds; 0.0 while something is to be read."""
        return 0.0 if self._voting or self._read is None else self._stillness.still_s

    @property
    def hands_move(self) -> bool:
        """Return whether a hand is over the mat, or what it did has not come to rest."""
        return self._hands.has_seen and not self._stillness.is_still_for(STILL_S)

    def _is_clear(self, frame: FrameAnalysis) -> bool:
        """Return, once each time that all is still, whether it has changed and no hand is there."""
        if self._stillness.is_moving:
            self._checked_for_hands = False
        if self._checked_for_hands or not (
            self._stillness.is_still_for(CLEAR_S)
            or (self._stillness.has_stopped and self._arms(frame) == ())
        ):
            return False
        self._checked_for_hands = True
        if self._incremental is None or not self._stillness.differs(self._read):
            return False
        return self._incremental.is_clear(frame)

    def _vote(self, frame: FrameAnalysis, time_s: float) -> Reading | None:
        """Let another still frame vote; return a reading when nothing is left to be settled so."""
        if not self._voting or self._incremental is None:
            return None
        reading = self._incremental.vote(frame, time_s)
        self._voting = self._incremental.in_doubt
        return None if self._voting else reading


def _shows_the_same(one: Reading, other: Reading) -> bool:
    """Return whether two readings of a mat show the same, as far as both say what it is."""
    left = list(_things(other))
    for kind, names, at in _things(one):
        same = (
            each
            for each in left
            if each[0] is kind
            and (not names or not each[1] or names & each[1])
            and math.dist(each[2], at) < SAME_MM
        )
        found = next(same, None)
        if found is None:
            return False
        left.remove(found)
    return not left


_Thing = tuple[type, frozenset[Card | Face], Point]


def _things(reading: Reading) -> Iterator[_Thing]:
    """Yield of which kind each thing on the mat is, what it may be, and where it lies."""
    for card in reading.cards:
        yield CardReading, frozenset({card.card}), card.place.centre_mm or NOWHERE
    for unsure in reading.unsure:
        yield CardReading, frozenset(unsure.candidates), unsure.place.centre_mm or NOWHERE
    for joker in reading.jokers:
        yield JokerReading, frozenset(), joker.place.centre_mm or NOWHERE
    for back in reading.backs:
        yield BackReading, frozenset(), back.place.centre_mm or NOWHERE
    for bone in reading.bones:
        yield BoneReading, frozenset({bone.face}), bone.spot.centre_mm or NOWHERE
    for doubtful in reading.unsure_bones:
        yield BoneReading, frozenset(doubtful.candidates), doubtful.spot.centre_mm or NOWHERE


def _cells(image: Image) -> NDArray[np.float32]:
    """Return the mean colour of each cell less that of all: float32 (rows, columns, 3)."""
    # Six by six pixels are enough to average noise; of larger pictures every second or third.
    step = max(min(image.shape[0] // (6 * GRID[1]), image.shape[1] // (6 * GRID[0])), 1)
    sparse = cv2.resize(
        image,
        (max(image.shape[1] // step, 1), max(image.shape[0] // step, 1)),
        interpolation=cv2.INTER_NEAREST,
    )
    small = cv2.resize(sparse, GRID, interpolation=cv2.INTER_AREA).astype(np.float32)
    # A lamp that flickers changes all cells alike: that is not a hand.
    return np.asarray(small - np.median(small, axis=(0, 1)), np.float32)

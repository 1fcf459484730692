"""Keeps the last frame and its reading, for questions and the live view.

It runs on the thread of the reader; the main loop only takes what is ready.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.croupier.questions import Question
from device.ports import Image
from device.runtime.annotate import annotate
from device.runtime.camera_worker import FrameProcessor
from display.drawing.image import Picture
from vision.image_quality import QualityIssue, assess
from vision.readings import Point, Reading
from vision.tracking.motion_gate import MotionGate

NEAR_MM = 45.0
"""A card or bone read farther than this from the place asked about is another one."""

CARD_PX = (280, 392)
"""Size of a card cut out: width and height."""

MARGIN = 0.12
"""How much of the mat is shown round what is cut out, as a share of its size."""

BONE_PX = 320
"""Side of the square in which a bone is shown."""

LIVE_PX = (960, 720)
"""The live picture is made no larger than this, width and height."""

SMALLEST_PX = 120
"""A picture with a shorter side is none of a table: there is nothing to be judged."""

LOOK_OVER_S = 5.0
"""The picture's quality is judged this often: it takes as long as finding the mat."""

STILL_S = 6.0
"""After so long without a movement the picture is judged once: does anything hide what lies there?
"""

PAUSES_S = ((10.0, 0.2), (2.0, 0.1))
"""When nothing has moved for so many seconds, the pause between two frames, in seconds, the longest
first: it is over before the next hand is at the cards, and saves most of the work while people
think."""

Outline = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class ObservedReading:
    """A reading and the frame that it was read from."""

    image: Image
    reading: Reading


class ReadingObserver:
    """A frame processor that passes on what another one reads, and keeps it.

    Attributes:
        last: the last reading with its frame.
        live: the live picture is shown: it is made with every frame.
        plain: the live picture has outlines without words: the screen writes its own.
        seated: the seats at which people sit; ``None`` where nobody knows.
        remarks: what is wrong with the picture; assessed only while nothing can be read, while the
            live picture is shown, and once when the table has been still for a while.
    """

    def __init__(self, watch: FrameProcessor) -> None:
        """Observe *watch*."""
        self.live = self.plain = False
        self.seated: frozenset[int] | None = None
        self.remarks: tuple[QualityIssue, ...] = ()
        self.watch = watch
        # One reference, set at once: no lock is needed.
        self.last: ObservedReading | None = None
        self._picture: Picture | None = None
        self._judged_s = -math.inf
        self._first_s = math.inf
        self._was_still = False

    def see(self, image: Image, time_s: float) -> Reading | None:
        """Process one frame: return what the other processor reads."""
        if isinstance(self.watch, MotionGate):
            self.watch.seated = self.seated
        reading = self.watch.see(image, time_s)
        if reading is not None:
            self.last = ObservedReading(image, reading)
        if self.last is None:
            # The first reading is on its way: no picture is to be blamed for what takes a moment.
            self._first_s = min(self._first_s, time_s)
            blind = time_s - self._first_s >= LOOK_OVER_S
        else:
            blind = self.last.reading.seats is None
        if min(image.shape[:2]) < SMALLEST_PX:
            return reading
        still = self.idle_s >= STILL_S
        if (self.live or blind) and not 0 <= time_s - self._judged_s < LOOK_OVER_S:
            self._judged_s = time_s
            self.remarks = tuple(assess([image]))
        elif not blind and not self.live and not (still and self._was_still):
            self.remarks = tuple(assess([image])) if still else ()
        self._was_still = still
        if self.live:
            last, words = self.last, not self.plain
            marked = image if last is None else annotate(image, last.reading, words=words)
            self._picture = picture_of(marked, LIVE_PX)
        return reading

    @property
    def idle_s(self) -> float:
        """Return for how long nothing has moved, in seconds; 0.0 where that is not known."""
        watch = self.watch
        return watch.idle_s if isinstance(watch, MotionGate) else 0.0

    @property
    def hands_move(self) -> bool:
        """Return whether a hand is over the mat, or what it did has not come to rest."""
        return isinstance(self.watch, MotionGate) and self.watch.hands_move

    @property
    def pause_s(self) -> float:
        """Return how long the next frame may wait, in seconds: nothing moves at the table."""
        idle_s = self.idle_s
        return next((pause_s for still_s, pause_s in PAUSES_S if idle_s >= still_s), 0.0)

    @property
    def picture(self) -> Picture | None:
        """Return the live picture with the readings drawn on it; only while :attr:`live`."""
        return self._picture if self.live else None

    def forget(self) -> None:
        """Drop the live picture, so that an old one is never taken for a new one."""
        self._picture = None


def crop(sighting: ObservedReading, question: Question) -> Picture | None:
    """Cut out what *question* is about; ``None`` where it is not found on the picture."""
    if question.place is None:
        return None
    reading = sighting.reading
    places = [each.place for each in reading.unsure]
    places += [each.place for each in reading.cards] + [each.place for each in reading.backs]
    spots = [each.spot for each in reading.unsure_bones] + [each.spot for each in reading.bones]
    card = _nearest([(at.centre_mm, at.corners) for at in places], question.place)
    bone = _nearest([(at.centre_mm, at.outline) for at in spots], question.place)
    if bone is not None and (card is None or bone[0] <= card[0]):
        return picture_of(_around(sighting.image, bone[1]), (BONE_PX, BONE_PX))
    if card is None:
        return None
    return picture_of(_flattened(sighting.image, card[1]), CARD_PX)


def picture_of(image: Image, most: tuple[int, int]) -> Picture:
    """Return *image* for the screen, no larger than *most* (width, height)."""
    height, width = image.shape[:2]
    scale = min(1.0, most[0] / width, most[1] / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale < 1.0:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Picture(size, np.ascontiguousarray(image).tobytes())


def _nearest(
    things: Sequence[tuple[Point | None, Outline]], place: Point
) -> tuple[float, Outline] | None:
    found = [(math.dist(at, place), what) for at, what in things if at is not None]
    best = min(found, key=lambda pair: pair[0], default=None)
    return best if best is not None and best[0] <= NEAR_MM else None


def _flattened(image: Image, corners: Outline) -> Image:
    """Return a card flattened and upright, with a little of the mat round it."""
    width, height = CARD_PX
    x, y = width * MARGIN, height * MARGIN
    target = np.array(
        [(x, y), (width - x, y), (width - x, height - y), (x, height - y)], np.float32
    )
    turn = cv2.getPerspectiveTransform(np.array(corners, np.float32), target)
    return np.asarray(cv2.warpPerspective(image, turn, CARD_PX, flags=cv2.INTER_AREA), np.uint8)


def _around(image: Image, outline: Outline) -> Image:
    """Return the square round a bone, with as much of the mat round it again."""
    points = np.array(outline)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    half = max(float(np.ptp(points, axis=0).max()) * (0.5 + 2 * MARGIN), 8.0)
    left, top = (max(0, int(each - half)) for each in middle)
    right, low = (max(0, int(each + half)) for each in middle)
    piece = np.asarray(image[top:low, left:right], np.uint8)
    if min(piece.shape[:2]) < 2:
        return image
    times = BONE_PX / max(piece.shape[:2])
    size = (max(1, round(piece.shape[1] * times)), max(1, round(piece.shape[0] * times)))
    return np.asarray(cv2.resize(piece, size, interpolation=cv2.INTER_CUBIC), np.uint8)

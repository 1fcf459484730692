"""The camera is away, comes back, stands still, tears and goes dark; the game waits meanwhile."""

import threading

import cv2
import numpy as np
import pytest

from device.clock import HandClock
from device.hardware.freeze_detector import FROZEN_FRAMES, FROZEN_S, NOISY_FRAMES, FreezeDetector
from device.ports import CameraError, EndOfFramesError, Frame
from device.runtime.camera_worker import ThreadedReadingSource
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from display import PromptKind
from engine import Player
from tests.support.mat_readings import NAMES, Mat
from vision import MotionGate

OVER = EndOfFramesError("the test is over")


class Script:
    """A camera that plays frames, and does what it is told between them."""

    def __init__(self, *frames):
        self.frames = list(frames)

    def read(self, timeout_s=2.0):
        found = self.frames.pop(0) if self.frames else OVER
        if callable(found):
            found()
            return self.read()
        if isinstance(found, Exception):
            raise found
        return found

    def close(self):
        pass


class PassingWatch:
    """The picture is the reading."""

    def see(self, image, time_s):
        return image


class Watched:
    """A table whose loop takes one step at each pause of the eyes, and one at their end.

    Attributes:
        seen: prompt, events on disk and the console's lamp at each pause.
    """

    def __init__(self, opened, watch, session, clock):
        self.seen, self.session = [], session
        self._opened, self._over = opened, False
        self._paused, self._go = threading.Semaphore(0), threading.Semaphore(0)
        self.eyes = ThreadedReadingSource(self._open, watch, wait=self._pause)
        self.app = TableController(session, self.eyes, [], clock)

    def run(self):
        while True:
            assert self._paused.acquire(timeout=30)
            if self._over:
                self.eyes._thread.join()
                self.app.step()
                return
            self.app.step()
            lamp = self.app.lamps.attention
            self.seen.append((self.app.prompt_text, self.session.events, lamp))
            self._go.release()

    def _pause(self, pause_s):
        self._paused.release()
        assert self._go.acquire(timeout=30)

    def _open(self):
        camera = self._opened()
        read = camera.read

        def reading(timeout_s=2.0):
            try:
                return read(timeout_s)
            except EndOfFramesError:
                self._over = True
                self._paused.release()
                raise

        camera.read = reading
        return camera


@pytest.fixture
def table(tmp_path):
    """A hand of two players; table(opened) is run with the cameras that opened gives."""
    clock = HandClock(wall=1_700_000_000.0)
    mat = Mat(2)
    with Journal(tmp_path / "journal.sqlite3") as journal:
        company = [Player(seat, NAMES[seat]) for seat in range(2)]
        session = Session.begin(journal, clock, "bone-ace", company, dealer=1)

        def make(opened, watch=None):
            return Watched(opened, watch or PassingWatch(), session, clock)

        make.session, make.mat, make.journal = session, mat, journal
        yield make


def lay(mat, seat):
    mat.lay(seat)
    return Frame(mat.reading(), 0.0)


@pytest.mark.fault(
    "camera absent at the start",
    sees="I cannot see the table just now; the game waits.",
    does="looks for it again after 1, 2, 4 and then every 8 seconds; the console's lamp is lit",
)
def test_the_table_opens_without_a_camera_and_begins_when_it_comes(table, sees):
    absent = CameraError("no camera found; plug one in")
    tries = [absent, absent, Script(lay(table.mat, 0))]

    def opened():
        found = tries.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    watched = table(opened)
    watched.run()
    assert len(watched.seen) == 2
    for prompt, events, attention in watched.seen:
        assert (prompt.title, prompt.kind) == (sees, PromptKind.TROUBLE)
        assert str(prompt.detail).startswith("Check the camera and its cable.")
        assert (events, attention) == (0, True)
    assert watched.app.prompt_text.kind is PromptKind.TURN
    assert table.session.events == 1


@pytest.mark.fault(
    "camera lost in the middle, and returning",
    sees="I cannot see the table just now; the game waits.",
    does="keeps the hand as it was, opens the camera anew, and takes up what lies there then",
)
def test_a_cable_pulled_in_the_middle_of_a_deal(table, sees):
    lost = CameraError("/dev/video0: gave no frame; check the cable")
    films = [
        Script(lay(table.mat, 0), lost),
        Script(lost),
        # Somebody went on dealing meanwhile.
        Script(lay(table.mat, 1)),
    ]
    watched = table(lambda: films.pop(0))
    watched.run()
    assert [(prompt.title, events) for prompt, events, _ in watched.seen] == [(sees, 1), (sees, 1)]
    assert watched.app.prompt_text.kind is PromptKind.TURN
    assert table.session.events == 2
    assert len(table.journal.events(table.session.record.number)) == 2


def noisy(count, start_s=0.0, step_s=0.1, seed=1):
    rng = np.random.default_rng(seed)
    still = np.full((96, 128, 3), 120, np.int16)
    for number in range(count):
        noise = rng.integers(-3, 4, still.shape)
        yield Frame((still + noise).astype(np.uint8), start_s + number * step_s)


@pytest.mark.fault(
    "camera freezes on one frame",
    sees="I cannot see the table just now; the game waits.",
    does="notices within 3 seconds that the picture has lost its noise; opens the camera anew",
)
def test_a_frozen_picture_is_no_still_table(table, sees, caplog):
    alive = list(noisy(NOISY_FRAMES + 2))
    dead = [Frame(alive[-1].image, alive[-1].time_s + 0.2 * n) for n in range(1, 40)]
    still_dead = [Frame(alive[-1].image, 20.0 + 0.2 * n) for n in range(40)]
    again = list(noisy(3, start_s=40.0, seed=2))
    films = [Script(*alive, *dead), Script(*still_dead), Script(*still_dead[:4], *again)]
    looked = []

    class CountingWatch:
        def see(self, image, time_s):
            looked.append(time_s)

    freeze = FreezeDetector()
    watched = table(lambda: freeze.guard(films.pop(0)), CountingWatch())
    watched.run()
    assert [prompt.title for prompt, _, _ in watched.seen] == [sees, sees]
    assert "same picture over and over" in caplog.text
    frozen_at = looked[len(alive) :]
    assert frozen_at[: -len(again)][-1] - alive[-1].time_s < FROZEN_S + 0.2
    assert looked[-len(again) :] == [frame.time_s for frame in again]
    assert all(not 20.0 <= time_s < 40.0 for time_s in looked), "the old picture is not looked at"
    assert watched.eyes.trouble is None


def test_a_drawn_table_that_stands_still_is_not_frozen():
    freeze = FreezeDetector()
    picture = np.zeros((96, 128, 3), np.uint8)
    for number in range(300):
        if number % 40 == 0:
            picture = picture.copy()
            picture[10:40, 10 + number // 10 :] += 1  # a card slides in
        assert not freeze.see(picture, number * 0.1)
    assert not freeze.has_noise


def test_a_few_dark_frames_alike_are_not_frozen():
    freeze = FreezeDetector()
    frames = list(noisy(NOISY_FRAMES + 2))
    black = np.zeros_like(frames[0].image)
    last_s = frames[-1].time_s
    for frame in frames:
        assert not freeze.see(frame.image, frame.time_s)
    assert freeze.has_noise
    # Few and long, then many and quick: neither is a frozen camera.
    assert not any(freeze.see(black, last_s + 2 * FROZEN_S * n) for n in range(FROZEN_FRAMES - 1))
    freeze.see(frames[0].image, 100.0)
    assert not any(freeze.see(black, 100.0 + 0.01 * n) for n in range(100))


class CountingReader:
    """Says how often it was asked to read."""

    def __init__(self):
        self.read_at = []

    def read(self, image, time_s=0.0):
        self.read_at.append(time_s)
        return "a reading"


@pytest.fixture
def photographed():
    rng = np.random.default_rng(7)
    blocks = rng.integers(0, 255, (27, 48, 3)).astype(np.uint8)
    return cv2.resize(blocks, (480, 270), interpolation=cv2.INTER_NEAREST)


@pytest.mark.fault(
    "camera gives torn frames",
    sees="nothing of it",
    does="reads nothing from a frame that differs from the one after it",
)
def test_torn_frames_between_good_ones_are_never_read(photographed):
    torn = photographed.copy()
    torn[150:] = 128  # what OpenCV makes of a JPEG whose end is missing
    reader = CountingReader()
    watch = MotionGate(reader)
    given = []
    for number in range(60):
        image = torn if number % 5 == 4 else photographed
        given.append(watch.see(image, number * 0.1))
    assert sum(reading is not None for reading in given) == 1
    (at,) = reader.read_at
    assert round(at / 0.1) % 5 != 4


@pytest.mark.fault(
    "camera gives black frames",
    sees="There is too little light.",
    does="waits; what lies on the mat is remembered, and nothing is taken for taken up",
)
def test_a_black_picture_is_no_empty_mat(table, sees):
    from vision.readings import Reading

    session, mat = table.session, table.mat

    class Blind:
        """What a reader says of a black picture: there is no mat on it."""

        def see(self, image, time_s):
            return Reading(time_s) if image.max() == 0 else mat.reading()

    looking = ReadingObserver(Blind())
    eyes = ThreadedReadingSource(lambda: Script(), PassingWatch(), wait=lambda pause: None)
    eyes._thread.join()
    app = TableController(session, eyes, [], HandClock(), observer=looking)
    bright = np.full((240, 320, 3), 120, np.uint8)
    for seat in (0, 1):
        mat.lay(seat)
        app.see(looking.see(bright, 0.0))
    before = session.view
    app.see(looking.see(np.zeros((240, 320, 3), np.uint8), 10.0))
    assert (app.prompt_text.title, app.prompt_text.kind) == (sees, PromptKind.TROUBLE)
    assert (session.events, session.view) == (2, before)
    app.see(looking.see(bright, 20.0))
    assert app.prompt_text.kind is PromptKind.TURN
    assert (session.events, session.view) == (2, before)


def test_a_camera_that_stays_away_is_told_to_the_log_once(table, caplog):
    lost = CameraError("/dev/video0: gave no frame; check the cable")
    absent = CameraError("no camera found; plug one in")
    mat = table.mat
    tries = [Script(lay(mat, 0), lost), *[absent] * 20, Script(lay(mat, 1), lost), *[absent] * 20]
    tries.append(Script(lay(mat, 0)))

    def opened():
        found = tries.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    watched = table(opened)
    with caplog.at_level("WARNING", logger="device.runtime.camera_worker"):
        watched.run()
    assert len(watched.seen) == 42
    told = [
        record.getMessage()
        for record in caplog.records
        if record.name == "device.runtime.camera_worker"
    ]
    assert told == 2 * [str(lost), str(absent)], "each loss once, however long it lasts"


def test_eyes_that_fail_over_and_over_are_told_to_the_log_once(table, caplog):
    class Failing:
        def see(self, image, time_s):
            raise MemoryError("no room for a picture")

    frames = [lay(table.mat, 0) for _ in range(12)]
    tries = [*(Script(frame) for frame in frames), Script()]
    watched = table(lambda: tries.pop(0), Failing())
    with caplog.at_level("WARNING", logger="device.runtime.camera_worker"):
        watched.run()
    told = [record for record in caplog.records if record.name == "device.runtime.camera_worker"]
    assert len(told) == 1
    assert told[0].exc_info is not None, "with the traceback"
    assert "no room for a picture" in told[0].getMessage()

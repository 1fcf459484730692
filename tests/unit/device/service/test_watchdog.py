"""The watchdog is fed only while camera, vision and display are each alive."""

import threading

import numpy as np
import pytest

from device.clock import HandClock
from device.croupier.questions import Notice
from device.heartbeat import Heartbeats
from device.ports import CameraError, Frame, Lamps
from device.runtime.camera_worker import LONGEST_PAUSE_S, ThreadedReadingSource
from device.runtime.loop import MainLoop
from device.service.service import LOST_S, TIMES, Service, Watchdog, status

PATIENCE_S = 30.0


class Heard:
    """A notifier that keeps what it was told to send."""

    watchdog_s = PATIENCE_S

    def __init__(self):
        self.lines = []

    def send(self, **lines):
        self.lines.append(lines)

    def close(self):
        pass

    def count(self, key):
        return sum(key in lines for lines in self.lines)


class StillEyes:
    """Eyes whose state a test sets."""

    def __init__(self):
        self.frame = 0
        self.trouble = None
        self.ended = False

    def poll(self):
        return ()

    def close(self):
        pass


class Bench:
    def __init__(self):
        self.clock = HandClock()
        self.heard = Heard()
        self.eyes = StillEyes()
        self.hearts = Heartbeats(self.clock, PATIENCE_S)
        self.is_lost = False
        self.watchdog = Watchdog(
            self.heard,
            self.eyes,
            self.hearts,
            lambda: "hand 1",
            lambda: self.is_lost,
        )

    def run(self, seconds, *, alive=()):
        """Let time pass with a step every tenth of a second; *alive* are hearts that beat."""
        for _ in range(round(seconds * 10)):
            self.clock.wait(0.1)
            for heart in alive:
                heart.begin()
            self.watchdog.beat(self.clock.monotonic())


@pytest.fixture
def bench():
    return Bench()


def test_ready_is_said_once_with_the_first_frame(bench):
    bench.run(20)
    assert bench.heard.count("READY") == 0
    bench.eyes.frame = 1
    bench.run(0.1)
    assert bench.heard.count("READY") == 1, "the manager waits for it"
    bench.run(20)
    assert bench.heard.count("READY") == 1
    often = 20 / PATIENCE_S * TIMES
    assert often - 1 <= bench.heard.count("WATCHDOG") <= often + 1


def test_a_start_without_camera_is_given_more_time_and_says_why(bench):
    bench.eyes.trouble = Notice("The camera gives no picture.", "")
    bench.run(120)
    extended = [lines for lines in bench.heard.lines if "EXTEND_TIMEOUT_USEC" in lines]
    # Each gives more time than passes until the next.
    assert len(extended) >= 120 / PATIENCE_S * TIMES - 1
    assert all(lines["EXTEND_TIMEOUT_USEC"] >= 2e6 * PATIENCE_S / TIMES for lines in extended)
    assert extended[-1]["STATUS"] == "The camera gives no picture."


@pytest.mark.fault("a worker hangs")
@pytest.mark.parametrize("hung", ["camera", "vision"])
def test_a_worker_that_hangs_stops_the_feeding(bench, hung, caplog):
    bench.eyes.frame = 1
    bench.run(10)
    getattr(bench.hearts, hung).begin()  # and no more is heard of it
    bench.run(PATIENCE_S + PATIENCE_S / TIMES)
    before = bench.heard.count("WATCHDOG")
    bench.run(5 * PATIENCE_S)
    assert bench.heard.count("WATCHDOG") == before
    name = getattr(bench.hearts, hung).name
    assert bench.heard.lines[-1]["STATUS"] == f"no sign of life from {name}"
    assert [r.levelname for r in caplog.records] == ["ERROR"], "said once, not at every look"


def test_a_display_that_is_lost_for_good_stops_the_feeding(bench):
    """It is opened again meanwhile; what no opening brings back a new start may."""
    bench.eyes.frame = 1
    bench.run(10)
    bench.is_lost = True
    bench.run(60)
    before = bench.heard.count("WATCHDOG")
    bench.is_lost = False
    bench.run(60)
    assert bench.heard.count("WATCHDOG") > before, "for a minute nobody minds"
    bench.is_lost = True
    bench.run(PATIENCE_S + LOST_S + PATIENCE_S / TIMES)
    before = bench.heard.count("WATCHDOG")
    bench.run(5 * PATIENCE_S)
    assert bench.heard.count("WATCHDOG") == before
    assert bench.heard.lines[-1]["STATUS"] == "no sign of life from the display"


def test_without_a_display_it_is_not_ready(bench):
    bench.eyes.frame = 1
    bench.is_lost = True
    bench.run(20)
    assert bench.heard.count("READY") == 0
    bench.is_lost = False
    bench.run(20)
    assert bench.heard.count("READY") == 1


def test_a_worker_that_comes_back_feeds_again(bench, caplog):
    bench.eyes.frame = 1
    bench.hearts.vision.begin()
    bench.run(2 * PATIENCE_S)
    before = bench.heard.count("WATCHDOG")
    bench.hearts.vision.rest()
    bench.run(PATIENCE_S)
    assert bench.heard.count("WATCHDOG") >= before + TIMES - 1
    assert caplog.records[-1].getMessage() == "everything moves again"


def test_workers_that_beat_are_left_in_peace_for_hours(bench):
    bench.eyes.frame = 1
    bench.run(3600, alive=(bench.hearts.camera, bench.hearts.vision))
    assert bench.heard.count("WATCHDOG") >= 3600 / PATIENCE_S * TIMES * 0.95


class Table(MainLoop):
    """A table whose screen, or anything else, fails when a test says so."""

    def __init__(self, eyes, clock):
        super().__init__(eyes, (), clock)
        self.steps = 0
        self.breaks_at = set()
        self.ends_at = 200

    lamps = Lamps()

    def press(self, press):
        pass

    def see(self, reading):
        pass

    def failed(self):
        pass

    def show(self, now_s):
        self.steps += 1
        self._source.ended = self.steps >= self.ends_at
        self._clock.wait(1.0)
        if self.steps in self.breaks_at:
            raise OSError("the display is gone")


def test_a_display_that_fails_feeds_nobody(bench):
    bench.eyes.frame = 1
    table = Table(bench.eyes, bench.clock)
    # A step in ten is good: fewer beats than the manager wants are no beats, but none is lost.
    table.breaks_at = set(range(20, 39))
    table.ends_at = 39
    before = []

    def beat(now_s):
        before.append(table.steps)
        bench.watchdog.beat(now_s)

    table.tasks.append(beat)
    table.run()
    assert before == [*range(1, 20), 39]


@pytest.mark.fault(
    "a worker hangs",
    sees="the last picture; half a minute later the table as it was",
    does="the watchdog is no longer fed: the service manager ends the program and starts it anew",
)
def test_the_eyes_show_that_they_live_and_a_hang_is_seen():
    """A real thread: the picture's reading hangs, and its heart is late."""
    clock = HandClock()
    hearts = Heartbeats(clock, PATIENCE_S)
    let_go, reached = threading.Event(), threading.Event()

    class Camera:
        def read(self, timeout_s=2.0):
            return Frame(np.zeros((4, 4, 3), np.uint8), 0.0)

        def close(self):
            pass

    class Hangs:
        def see(self, image, time_s):
            reached.set()
            assert let_go.wait(20)

    eyes = ThreadedReadingSource(Camera, Hangs(), hearts=hearts)
    assert reached.wait(20)
    assert hearts.late(clock.monotonic()) == ()
    clock.wait(PATIENCE_S + 1)
    assert hearts.late(clock.monotonic()) == ("the camera", "the reader")
    let_go.set()
    eyes.close()
    assert hearts.late(clock.monotonic()) == (), "whoever was told to stop is not late"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_camera_that_is_away_is_alive_however_long_the_pauses():
    """It is tried again with growing pauses; starting anew would bring no camera back."""
    clock = HandClock()
    hearts = Heartbeats(clock, PATIENCE_S)
    late, tries = [], 0
    done = threading.Event()

    def no_camera():
        nonlocal tries
        tries += 1
        raise CameraError("unplugged; plug it in")

    def pause(seconds):
        clock.wait(seconds)
        late.extend(hearts.late(clock.monotonic()))
        if tries == 20:
            done.set()
            raise SystemExit  # the thread ends here, as if it had died

    ThreadedReadingSource(no_camera, object(), wait=pause, hearts=hearts)._thread.join()
    assert done.is_set()
    assert late == []
    assert clock.monotonic() > 10 * LONGEST_PAUSE_S
    clock.wait(LONGEST_PAUSE_S + PATIENCE_S)
    assert hearts.late(clock.monotonic()) == ("the camera",), "a thread that has died is missed"


def test_the_service_listens_to_the_loop_and_says_when_it_ends(monkeypatch):
    heard = Heard()
    monkeypatch.setattr("device.service.service.Notifier", lambda environment: heard)
    clock, eyes = HandClock(), StillEyes()
    service = Service(clock, {})
    table = Table(eyes, clock)
    eyes.frame = 7
    service.attend(table, eyes, lambda: None)
    table.run()
    service.close()
    service.close()
    assert heard.lines[0]["STATUS"].startswith("starting")
    assert heard.lines[1] == {
        "READY": 1,
        "WATCHDOG": 1,
        "STATUS": "waiting for people; 7 pictures seen",
    }
    assert heard.lines[-1]["STOPPING"] == 1
    assert heard.count("STOPPING") == 1


def test_the_status_names_nobody():
    eyes = StillEyes()
    eyes.trouble = Notice("lost", "")

    class SessionRecord:
        class view:
            game, hand_number, turn = "bone-ace", 3, 2

            class phase:
                value = "play"

    assert (
        status(SessionRecord(), eyes)
        == "bone-ace, hand 3: play, seat 2; no picture from the camera"
    )

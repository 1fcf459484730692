"""The program's own faults: no memory, a bad config, a missing network, a second instance."""

import fcntl
import logging
import os
import threading

import cv2
import numpy as np
import pytest

from device.booth.booth import Booth
from device.cli import main
from device.ports import EndOfFramesError, Frame
from device.runtime.camera_worker import ThreadedReadingSource
from device.runtime.loop import MOST_FAILURES
from device.runtime.table import RETRY_S
from device.storage.journal.journal import Journal
from engine import Phase
from tests.support.booth_rig import Company
from tests.support.booth_rig import Rig as BoothRig
from vision import MotionGate
from vision.errors import ModelError
from vision.models import SUMS, read_network
from vision.tracking.change_tracker import ChangeTracker

CALM = "I cannot see the table just now; the game waits."


class FailingReader:
    """Has no memory left for the first look, and then has."""

    def __init__(self, times=1):
        self.times = times
        self.read_at = []

    def read(self, image, time_s=0.0):
        self.read_at.append(time_s)
        if len(self.read_at) <= self.times:
            raise MemoryError
        return "a reading"


class Film:
    def __init__(self, image, start_s, count):
        self.frames = [Frame(image, start_s + 0.1 * number) for number in range(count)]

    def read(self, timeout_s=2.0):
        if not self.frames:
            raise EndOfFramesError("over")
        return self.frames.pop(0)

    def close(self):
        pass


def eyes_of(films, watch, pause):
    """Look at all films to their end; *pause* is called with the eyes between two of them."""
    made = threading.Event()
    box = []

    def opened():
        assert made.wait(30)
        return films.pop(0)

    eyes = ThreadedReadingSource(opened, watch, wait=lambda seconds: pause(box[0], seconds))
    box.append(eyes)
    made.set()
    eyes._thread.join()
    return eyes


@pytest.mark.fault(
    "out of memory in a worker",
    sees="I cannot see the table just now; the game waits. Please wait.",
    does="lets go of the camera, opens it again after a second, and reads the same table again",
)
def test_the_eyes_run_out_of_memory(sees, caplog):
    image = np.random.default_rng(3).integers(0, 255, (90, 120, 3)).astype(np.uint8)
    reader = FailingReader(times=2)
    films = [Film(image, 10.0 * number, 12) for number in range(3)]
    said = []
    eyes = eyes_of(
        films, MotionGate(reader), lambda eyes, pause: said.append((eyes.trouble, pause))
    )
    assert [f"{trouble.text} {trouble.detail}" for trouble, _ in said] == [sees, sees]
    # The table has not changed since: what was not read is read all the same.
    assert len(reader.read_at) == 3
    assert eyes.poll() == ("a reading",)
    assert eyes.trouble is None
    assert "the reader failed" in caplog.text


def test_a_look_that_fails_is_taken_again_as_a_whole():
    class CardPipeline:
        def __init__(self):
            self.asked = []

        def detect_on_mat(self, frame, pose, wanted=None, boxes=None, backs=()):
            self.asked.append(wanted)
            if len(self.asked) == 2:
                raise MemoryError
            return []

    from device.simulator.table import SimulatedTable
    from engine import Card
    from vision.mat.pose import MatLayout
    from vision.mat.segmentation import FrameAnalysis

    table = SimulatedTable(MatLayout(2), style="modern", seed=3)
    empty = table.frame()
    table.lay(0, Card.parse("7H"), face_up=True)
    while table.is_moving:
        table.frame()
    laid = table.frame()
    looker = CardPipeline()
    follower = ChangeTracker(looker)
    follower.update(FrameAnalysis(empty))
    with pytest.raises(MemoryError):
        follower.update(FrameAnalysis(laid))
    follower.update(FrameAnalysis(laid))
    assert looker.asked[0] is None
    assert looker.asked[1] is not None, "only what changed"
    assert looker.asked[2] is None, "all of it again: nobody knows how far the last look came"


@pytest.mark.fault(
    "the program itself fails",
    sees="Something went wrong. The scores are safe.",
    does="logs it, looks again after 5 seconds; after 20 failures in a row it is started anew",
)
def test_a_fault_in_the_croupier(tmp_path, sees, caplog, monkeypatch):
    rig = BoothRig(tmp_path).start()
    rig.play(Company(2, seed=3), lambda seen: seen.phase is Phase.PLAY)
    before = rig.booth.session.state
    think = rig.booth.stage.table.croupier.on_reading

    def broken(reading, state):
        raise ZeroDivisionError("a fault nobody has thought of")

    monkeypatch.setattr(rig.booth.stage.table.croupier, "on_reading", broken)
    rig.eyes.before = None
    with pytest.raises(ZeroDivisionError):
        rig.booth.step()
    rig.booth.failed()
    rig.step()
    assert rig.glass.prompt.title == sees
    assert rig.booth.session.state == before
    monkeypatch.setattr(rig.booth.stage.table.croupier, "on_reading", think)
    for _ in range(int(RETRY_S * 10) + 2):
        rig.step()
    assert rig.glass.prompt.title != sees, "nobody had to do anything"
    rig.play(Company(2, seed=3), lambda seen: True)
    rig.journal.close()


def test_what_does_not_heal_ends_the_program_and_the_next_goes_on(tmp_path, caplog):
    rig = BoothRig(tmp_path).start()
    rig.play(Company(2, seed=3), lambda seen: seen.phase is Phase.PLAY)
    before = rig.booth.session.state

    def broken():
        raise ZeroDivisionError("for ever")

    rig.eyes.poll = broken
    with (
        caplog.at_level(logging.ERROR),
        pytest.raises(ZeroDivisionError, match="for ever"),
    ):
        rig.booth.run()
    assert caplog.text.count("the loop failed") == MOST_FAILURES - 1
    rig.journal.close()
    again = BoothRig(tmp_path)
    assert isinstance(again.booth, Booth)
    assert again.booth.session.state == before
    assert not again.booth.is_waiting
    again.journal.close()


@pytest.mark.fault(
    "config broken",
    sees="what is wrong, on the console: file, key, value and cure, every problem at once",
    does="does not start, touches nothing; the service tries again, so a mended config is enough",
)
def test_a_broken_config_is_told_whole(tmp_path, monkeypatch, capsys):
    home = tmp_path / "config"
    (home / "boneace").mkdir(parents=True)
    (home / "boneace" / "config.toml").write_text(
        "[game]\nstake = -3\n[camera]\nspek = 'x'\n[sound]\nvolume = 900\n"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert main(["play", "--headless"]) == 1
    error = capsys.readouterr().err
    for word in ("config.toml", "game.stake", "-3", "camera.spek", "spec", "sound.volume", "900"):
        assert word in error
    assert not (tmp_path / "state").exists()


@pytest.mark.fault(
    "model missing or corrupt",
    sees="which file is missing or damaged, on the console",
    does="does not start: what cannot read must not play; boneace doctor names the file too",
)
@pytest.mark.parametrize("content", [None, b"", b"torn", "cut"])
def test_a_network_that_is_not_whole(tmp_path, monkeypatch, content):
    import vision.models

    folder = vision.models.files("vision.models")
    whole = (folder / "reader.onnx").read_bytes()
    (tmp_path / SUMS).write_bytes((folder / SUMS).read_bytes())
    if content is not None:
        data = whole[: len(whole) // 2] if content == "cut" else content
        (tmp_path / "reader.onnx").write_bytes(data)
    monkeypatch.setattr("vision.models.files", lambda package: tmp_path)
    what = "missing" if content is None else "damaged"
    with pytest.raises(ModelError, match=rf"reader\.onnx is {what}\b.*; install boneace again"):
        read_network("reader.onnx")


@pytest.mark.fault(
    "two instances at once",
    sees="the first one's table; the second says on its console that another writes the journal",
    does="leaves at once and touches nothing: no camera, no screen, no journal",
)
def test_the_second_instance_leaves(tmp_path, monkeypatch, capsys):
    path = tmp_path / "journal.sqlite3"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    with Journal(path):
        opened = []
        monkeypatch.setattr("device.app.open_source", lambda *args, **more: opened.append(args))
        assert main(["play", "--headless", "--journal", str(path)]) == 1
        assert "another boneace is writing to this journal; close its" in capsys.readouterr().err
        assert opened == []
    with Journal(path) as journal:
        assert journal.sittings() == ()
    # A lock that a killed program left behind is none.
    lock = os.open(f"{path}.lock", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(lock)


def test_an_opencv_error_is_no_end_of_the_eyes(caplog):
    class Broken:
        def __init__(self):
            self.looks = 0

        def see(self, image, time_s):
            self.looks += 1
            if self.looks == 1:
                raise cv2.error("an assertion of OpenCV")

    image = np.zeros((60, 80, 3), np.uint8)
    films = [Film(image, 0.0, 2), Film(image, 1.0, 2)]
    troubles = []
    watch = Broken()
    eyes_of(films, watch, lambda eyes, pause: troubles.append(str(eyes.trouble.text)))
    assert troubles == [CALM]
    assert watch.looks == 3

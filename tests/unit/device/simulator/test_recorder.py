"""Recordings: what the eyes saw and what was pressed, so that it can be played again."""

import numpy as np
import pytest

from device.clock import HandClock
from device.hardware.buttons import ScriptedPress, read_presses
from device.hardware.cameras import FolderCamera
from device.ports import Button, EndOfFramesError, Press
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.camera import PRESSES, Recorder, RecordingError, SimulatedCamera
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from engine import Card, Player
from tests.support.mat_readings import NAMES, Mat
from vision.mat.pose import MatLayout


@pytest.fixture
def table():
    return SimulatedTable(MatLayout(2), seed=1, size=(320, 240))


def test_a_recording_played_again_shows_exactly_what_was_seen(table, tmp_path):
    recorder = Recorder(SimulatedCamera(table), tmp_path / "film")
    seen = [recorder.read()]
    table.lay(0, Card.parse("KH"), face_up=True)
    seen += [recorder.read() for _ in range(4)]
    recorder.close()
    again = FolderCamera(tmp_path / "film")
    for frame in seen:
        copy = again.read()
        assert np.array_equal(copy.image, frame.image)
        assert copy.time_s == pytest.approx(frame.time_s)
    with pytest.raises(EndOfFramesError):
        again.read()


def test_presses_come_with_the_frame_before_them(table, tmp_path):
    recorder = Recorder(SimulatedCamera(table), tmp_path)
    recorder.read()
    recorder.press(Press(Button.NEXT, 0.0))
    for _ in range(3):
        recorder.read()
    recorder.press(Press(Button.STICK, 0.3, seat=1))
    recorder.close()
    recorder.close()
    assert read_presses(tmp_path / PRESSES) == (
        ScriptedPress(0, Button.NEXT),
        ScriptedPress(3, Button.STICK, 1),
    )


def test_a_folder_with_something_in_it_is_left_alone(table, tmp_path):
    (tmp_path / "00000.jpg").write_bytes(b"mine")
    with pytest.raises(RecordingError, match="not empty; name a new folder"):
        Recorder(SimulatedCamera(table), tmp_path)
    assert (tmp_path / "00000.jpg").read_bytes() == b"mine"


def test_a_folder_that_cannot_be_made_is_named(table, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match=r"file.* name a folder you may write"):
        Recorder(SimulatedCamera(table), tmp_path / "file")


def test_every_press_of_the_loop_is_noted_before_it_is_taken(tmp_path):
    class NoEyes:
        frame, trouble, ended = 0, None, False

        def poll(self):
            return (Mat(2).reading(),)

        def close(self):
            pass

    with Journal(tmp_path / "journal.sqlite3") as journal:
        clock = HandClock()
        company = [Player(seat, NAMES[seat]) for seat in range(2)]
        session = Session.begin(journal, clock, "bone-ace", company, dealer=1)
        noted = []
        app = TableController(session, NoEyes(), [], clock)
        app.on_press = noted.append
        app.step()
        press = Press(Button.HAVE, 0.0, 0)
        app.press(press)
    assert noted == [press]

"""A box that is unplugged, comes back, or gives nonsense: that costs its buttons, not the table."""

from __future__ import annotations

import logging
import os
import tty
from itertools import pairwise
from types import ModuleType

import pytest

from device.clock import HandClock
from device.diagnostics.plugins import try_box
from device.hardware.plugin_panel import PluginPanel
from device.ports import Button, Lamps, Press
from tests.support.plugin_package import files


@pytest.fixture(scope="module")
def serial_box():
    """The box of the page."""
    module = ModuleType("serial_box_of_the_page")
    exec(files()["my_table/serial_box.py"], module.__dict__)
    return module.SerialBox


class Plug:
    """A serial line that is plugged in and pulled out, always under the same name."""

    def __init__(self, link):
        self.link = link
        self._ends = []

    def put_in(self):
        self._ends = list(os.openpty())
        tty.setraw(self._ends[1])
        os.set_blocking(self._ends[0], False)
        self.link.symlink_to(os.ttyname(self._ends[1]))

    def pull_out(self):
        self.link.unlink(missing_ok=True)
        while self._ends:
            os.close(self._ends.pop())

    def send(self, data):
        os.write(self._ends[0], data)

    def told(self):
        try:
            return os.read(self._ends[0], 1000)
        except BlockingIOError:
            return b""


@pytest.fixture
def plug(tmp_path):
    line = Plug(tmp_path / "box")
    line.put_in()
    yield line
    line.pull_out()


@pytest.fixture
def box(plug, serial_box):
    with PluginPanel("serial", lambda: serial_box(str(plug.link))) as made:
        yield made


def test_presses_come_with_their_seat_and_time(plug, box):
    assert box.poll(1.0) == ()
    plug.send(b"stick 2\nhave\nmen")
    assert box.poll(2.0) == (Press(Button.STICK, 2.0, 2), Press(Button.HAVE, 2.0))
    plug.send(b"u\nfire!\n\xff\xfe\n\nnext -1\n")
    assert box.poll(3.0) == (Press(Button.MENU, 3.0), Press(Button.NEXT, 3.0))


def test_noise_without_an_end_is_not_kept(plug, box):
    for time_s in range(20):
        plug.send(b"x" * 1000)
        assert box.poll(float(time_s)) == ()
    plug.send(b"\nundo\n")
    assert box.poll(20.0) == (Press(Button.UNDO, 20.0),)


def test_lamps_are_told_when_they_change(plug, box):
    box.poll(0.0)
    assert plug.told() == b"turn -\n"
    for _ in range(3):
        box.show(Lamps(turn=1))
    assert plug.told() == b"turn 1\n"
    box.show(Lamps(winners=(0, 3)))
    assert plug.told() == b"won 0 3\n"


def test_a_box_that_is_pulled_out_comes_back_with_its_lamps(plug, box, caplog):
    caplog.set_level(logging.INFO)
    box.poll(0.0)
    box.show(Lamps(turn=1))
    plug.pull_out()
    for tenth in range(1, 200):
        assert box.poll(tenth / 10) == ()
        box.show(Lamps(turn=2))
    assert box.trouble
    lost = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert 1 <= len(lost) <= 2, "it is gone, and then it is not there: each is said once"
    assert all("plug it in again" in line for line in lost)
    plug.put_in()
    presses = [press for second in range(20, 60) for press in box.poll(float(second))]
    assert presses == []
    assert not box.trouble
    assert plug.told() == b"turn 2\n"
    assert caplog.records[-1].message == "button box serial: is back"
    plug.send(b"stick 1\n")
    assert box.poll(61.0) == (Press(Button.STICK, 61.0, 1),)


def test_it_is_not_opened_again_all_the_time():
    tries = []

    def opened():
        tries.append(now)
        raise OSError("nobody there")

    box = PluginPanel("none", opened)
    for now in range(600):
        assert box.poll(float(now)) == ()
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert pauses[0] >= 1
    assert pauses == sorted(pauses)
    assert pauses[-1] == 30
    box.close()
    assert box.poll(10_000.0) == ()
    assert len(tries) == len(pauses) + 1, "a closed box stays closed"


class Odd:
    """A box that gives what it was told to give."""

    def __init__(self, gives):
        self.gives = gives
        self.closed = 0

    def poll(self, time_s):
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives

    def show(self, lamps):
        """No lamps."""

    def close(self):
        self.closed += 1
        raise RuntimeError("it sticks")


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        pytest.param(["stick"], "'stick', which is no device.ports.Press", id="text"),
        pytest.param(None, "not iterable", id="nothing"),
        pytest.param(ZeroDivisionError(), "ZeroDivisionError", id="raises"),
    ],
)
def test_nonsense_costs_the_box_alone(gives, told):
    odd = Odd(gives)
    box = PluginPanel("odd", lambda: odd)
    assert box.poll(0.0) == ()
    assert told in box.trouble
    assert odd.closed == 1
    box.show(Lamps(turn=0))


class Waiting(HandClock):
    """A clock at which the box is pressed now and then."""

    def __init__(self, presses):
        super().__init__()
        self.presses = presses

    def wait(self, seconds):
        super().wait(seconds)
        if self.presses:
            self.presses.pop(0)()


def test_the_doctor_tells_each_press(plug, serial_box, monkeypatch):
    monkeypatch.setattr("device.hardware.plugin_panel.PANELS", {"serial": serial_box})
    said = []
    clock = Waiting([lambda: plug.send(b"stick 2\n"), lambda: plug.send(b"menu\nstick 2\n")])
    check = try_box(f"serial:{plug.link}", 1.0, clock, said.append)
    assert (check.status, check.detail) == ("ok", "answers: stick of 2, menu")
    assert said[1:] == ["  that was: stick of 2", "  that was: menu", "  that was: stick of 2"]
    check = try_box(f"serial:{plug.link}", 1.0, Waiting([]), said.append)
    assert (check.status, check.detail) == ("problem", "no press within 1 s")
    plug.pull_out()
    check = try_box(f"serial:{plug.link}", 1.0, Waiting([]), said.append)
    assert check.status == "problem"
    assert "No such file" in check.detail

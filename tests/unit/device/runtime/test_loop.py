"""How often the main loop looks for presses: less often when nothing has happened for a while."""

import itertools

import pytest

from device.clock import HandClock
from device.ports import Button, Lamps, Press
from device.runtime.loop import CALM_AFTER_S, CALM_FRAME_S, MainLoop

FRAME_S = 1 / 60


class Table(MainLoop):
    """A table that does nothing but note when each of its steps began."""

    lamps = Lamps()

    def __init__(self, source, panel, clock, steps):
        super().__init__(source, [panel], clock)
        self.frame_s = FRAME_S
        self.began = []
        self._steps = steps

    def press(self, press):
        pass

    def see(self, reading):
        pass

    def failed(self):
        raise AssertionError("no step fails here")

    def show(self, now_s):
        self.began.append(now_s)
        self._source.ended = len(self.began) == self._steps


class Once:
    """A camera, or buttons, from which something comes once, at a time."""

    trouble, ended = None, False

    def __init__(self, clock, what=None, at_s=0.0):
        self._clock, self._what, self._at_s = clock, what, at_s

    def poll(self, _now_s=0.0):
        if self._what is None or self._clock.monotonic() < self._at_s:
            return ()
        what, self._what = self._what, None
        return (what,)

    def show(self, lamps):
        pass


def pauses(source, panel, clock, steps=700):
    table = Table(source, panel, clock, steps)
    table.run()
    return [(began, later - began) for began, later in itertools.pairwise(table.began)]


@pytest.mark.parametrize("pressed", [True, False])
def test_steps_come_half_as_often_when_all_is_calm_until_something_comes(pressed):
    clock = HandClock()
    at_s = CALM_AFTER_S + 2.0
    came = Press(Button.STICK, at_s) if pressed else "a reading"
    source, panel = (Once(clock), Once(clock, came, at_s)) if pressed else (
        Once(clock, came, at_s), Once(clock))  # fmt: skip
    for began_s, pause_s in pauses(source, panel, clock):
        calm = CALM_AFTER_S <= began_s < at_s or began_s - at_s >= CALM_AFTER_S + CALM_FRAME_S
        busy = began_s < CALM_AFTER_S - FRAME_S or 0 <= began_s - at_s - CALM_FRAME_S < 1.0
        assert not calm or pause_s == pytest.approx(CALM_FRAME_S)
        assert not busy or pause_s == pytest.approx(FRAME_S)


def test_a_slower_pace_of_its_own_stays():
    clock = HandClock()
    table = Table(Once(clock), Once(clock), clock, 300)
    table.frame_s = 0.1
    table.run()
    assert table.began[-1] - table.began[-2] == pytest.approx(0.1)

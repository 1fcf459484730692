"""Buttons held down together switch the machine off, and nothing less does."""

import pytest
from gpiozero.pins.mock import MockFactory

from device.clock import HandClock
from device.config.model import ConfigError, PowerConfig, load
from device.hardware.buttons import GpioPanel, KeyboardPanel, Pins
from device.ports import Button, Lamps
from device.runtime.loop import MainLoop
from device.service.power_off import REQUEST, PowerSwitch, open_switch

CONFIG = PowerConfig(buttons=("menu", "undo"), hold_s=5)
PINS = Pins({(Button.MENU, None): 24, (Button.UNDO, None): 23, (Button.MENU, 0): 5})


class Table(MainLoop):
    """A table that counts what it does, and is over when a test says so."""

    lamps = Lamps()

    def __init__(self, source, panels, clock):
        super().__init__(source, panels, clock)
        self.readings = self.shown = 0

    def press(self, press):
        pass

    def see(self, reading):
        self.readings += 1

    def failed(self):
        raise AssertionError("no step fails here")

    def show(self, now_s):
        self.shown += 1


class Source:
    """Something is read in every step."""

    frame, trouble, ended = 1, None, False

    def poll(self):
        return ("a reading",)


class Bench:
    """Real gpiozero buttons on mock pins, and the main loop whose task the switch is."""

    def __init__(self, folder):
        self.clock = HandClock()
        self.pins = MockFactory()
        self.panel = GpioPanel(PINS, clock=self.clock, pin_factory=self.pins)
        self.table = Table(Source(), [self.panel], self.clock)
        self.table.show_overlay = lambda page, now_s: self.pages.append(page)
        self.pages = []
        self.beats = 0
        self.request = folder / REQUEST
        self.environment = {"RUNTIME_DIRECTORY": str(folder)}

    def open(self, config=CONFIG):
        switch = open_switch(config, [self.panel], self.environment)
        if switch is not None:
            self.table.tasks += [self.beat, switch.tick]
        return switch

    def beat(self, now_s):
        self.beats += 1

    def run(self, seconds, step_s=0.05):
        """Let the loop go on for so long."""
        for _ in range(round(seconds / step_s)):
            self.clock.wait(step_s)
            assert self.table.step()

    def hold(self, *pins):
        for pin in pins:
            self.pins.pin(pin).drive_low()

    def release(self, *pins):
        for pin in pins:
            self.pins.pin(pin).drive_high()


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    yield made
    made.panel.close()


def test_held_long_enough_it_asks_and_waits_for_the_end(bench):
    bench.open()
    bench.run(0.1)
    bench.hold(24, 23)
    began_s = bench.clock.monotonic()
    while not bench.request.exists():
        bench.run(0.05)
    assert 5.0 <= bench.clock.monotonic() - began_s < 5.2
    bench.run(1.0)
    assert str(bench.pages[0].title) == "Keep holding to switch off"
    counted = dict.fromkeys(page.items[0].value for page in bench.pages if page.items[0].value)
    assert list(counted) == ["4", "3", "2", "1"]
    assert str(bench.pages[-1].title) == "Switching off"


def test_the_loop_goes_on_while_the_buttons_are_held_and_the_machine_goes_down(bench):
    bench.open()
    bench.run(0.1)
    bench.hold(24, 23)
    bench.run(10.0)
    assert str(bench.pages[-1].title) == "Switching off"
    assert bench.table.readings == bench.beats == 202, "every step reads, and feeds the watchdog"
    assert bench.table.shown + len(bench.pages) == 202, "the page takes the place of the table"


def test_let_go_in_time_the_game_goes_on(bench):
    bench.open()
    bench.run(0.1)
    bench.hold(24, 23)
    bench.run(4.0)
    bench.release(23)
    bench.run(0.1)
    shown = bench.table.shown
    bench.run(0.1)
    assert bench.table.shown == shown + 2, "the table is shown again"
    assert not bench.request.exists()
    bench.hold(23)
    bench.run(1.5)
    assert not bench.request.exists(), "what was held before the release does not count"


@pytest.mark.parametrize("held", [(24,), (23,), (5, 23)], ids=["menu", "undo", "a seat's menu"])
def test_fewer_buttons_never_switch_off(bench, held):
    bench.open()
    bench.run(0.1)
    bench.hold(*held)
    bench.run(100.0, step_s=1.0)
    assert not bench.request.exists()
    assert bench.pages == []


def test_buttons_that_are_stuck_when_it_starts_are_nobodys_wish(bench):
    bench.hold(24, 23)
    bench.open()
    bench.run(100.0, step_s=1.0)
    assert not bench.request.exists()
    bench.release(24)
    bench.run(0.1)
    bench.hold(24)
    bench.run(10.0, step_s=5.0)
    assert bench.pages == []
    bench.run(0.05)
    assert [str(page.title) for page in bench.pages] == ["Switching off"], "let go once, they count"


def test_a_short_press_is_a_press_and_no_more(bench):
    bench.open()
    bench.run(0.1)
    bench.hold(24, 23)
    bench.run(0.9)
    bench.release(24, 23)
    bench.run(0.1)
    assert bench.pages == []


def test_where_nobody_hears_the_game_goes_on(bench, caplog):
    bench.open()
    bench.run(0.1)
    bench.hold(24, 23)
    bench.run(6.0)
    assert bench.request.exists()
    bench.run(60.0)
    assert not bench.request.exists(), "a request left behind would switch off the next start"
    assert "boneace-power-off.path" in caplog.records[-1].getMessage()
    pages = len(bench.pages)
    bench.run(10.0)  # still held: it does not ask again
    assert not bench.request.exists()
    assert len(bench.pages) == pages


def test_an_old_request_is_taken_back_at_the_start(bench):
    bench.request.touch()
    bench.open()
    assert not bench.request.exists()


def test_folder_that_is_gone_names_the_cure(bench, caplog):
    switch = PowerSwitch(lambda: held, CONFIG, bench.request.parent / "gone" / REQUEST)
    held = set()
    assert switch.tick(0.0) is None
    held = {Button.MENU, Button.UNDO}
    assert switch.tick(0.1) is None
    assert switch.tick(6.1) is None
    assert "sudo systemctl poweroff" in caplog.records[-1].getMessage()


def test_where_it_cannot_work_it_says_so(bench, caplog):
    assert bench.open(PowerConfig()) is None
    assert caplog.records == []
    bench.environment = {}
    assert bench.open() is None
    keyboard = KeyboardPanel(list)
    assert open_switch(CONFIG, [keyboard], {"RUNTIME_DIRECTORY": "/run/x"}) is None
    told = [record.getMessage() for record in caplog.records]
    assert ["not the service" in told[0], "no header" in told[1]] == [True, True]


def test_a_button_that_is_wired_nowhere_is_refused_by_the_config(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('[power]\nbuttons = ["menu", "undo"]\n[panel.console]\nmenu = 24\n')
    with pytest.raises(ConfigError, match=r"power\.buttons: undo has no pin.*name its pin"):
        load([file])
    file.write_text(file.read_text() + "undo = 23\n")
    assert load([file]).power.buttons == ("menu", "undo")

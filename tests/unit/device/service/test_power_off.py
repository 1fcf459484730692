"""Buttons held down together switch the machine off, and nothing less does."""

import pytest
from gpiozero.pins.mock import MockFactory

from device.clock import HandClock
from device.config.model import ConfigError, PowerConfig, load
from device.hardware.buttons import GpioPanel, KeyboardPanel, Pins
from device.ports import Button
from device.service.power_off import REQUEST, PowerSwitch, open_switch

CONFIG = PowerConfig(buttons=("menu", "undo"), hold_s=5)
PINS = Pins({(Button.MENU, None): 24, (Button.UNDO, None): 23, (Button.MENU, 0): 5})


class Bench:
    """Real gpiozero buttons on mock pins; what happens while the game stands still is scripted."""

    def __init__(self, folder):
        self.clock = HandClock()
        self.pins = MockFactory()
        self.panel = GpioPanel(PINS, clock=self.clock, pin_factory=self.pins)
        self.pages = []
        self.beats = 0
        self.request = folder / REQUEST
        self.during = lambda: None
        self.environment = {"RUNTIME_DIRECTORY": str(folder)}

    def open(self, config=CONFIG):
        return open_switch(
            config,
            [self.panel],
            self.clock,
            show=self.pages.append,
            alive=self.alive,
            environment=self.environment,
        )

    def alive(self):
        self.beats += 1
        self.during()

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
    switch = bench.open()
    switch.tick()
    bench.hold(24, 23)
    switch.tick()
    bench.clock.wait(1.0)
    asked_at = []

    def during():
        # The service manager ends us with SIGTERM, which the program takes as this.
        if bench.request.exists():
            asked_at.append(bench.clock.monotonic())
            raise KeyboardInterrupt

    bench.during = during
    with pytest.raises(KeyboardInterrupt):
        switch.tick()
    assert 5.0 <= asked_at[0] < 5.2
    assert bench.pages[0].title == "Keep holding to switch off"
    counted = dict.fromkeys(page.items[0].value for page in bench.pages[:-1])
    assert list(counted) == ["4", "3", "2", "1"]
    assert bench.pages[-1].title == "Switching off"
    assert bench.beats == len(bench.pages), "the watchdog hears us while the game stands still"


def test_let_go_in_time_the_game_goes_on(bench):
    switch = bench.open()
    switch.tick()
    bench.hold(24, 23)
    switch.tick()
    bench.clock.wait(1.0)

    def during():
        if bench.clock.monotonic() > 4.0:
            bench.release(23)

    bench.during = during
    switch.tick()
    assert not bench.request.exists()
    bench.hold(23)
    switch.tick()
    bench.clock.wait(0.5)
    switch.tick()
    assert not bench.request.exists(), "what was held before the release does not count"


@pytest.mark.parametrize("held", [(24,), (23,), (5, 23)], ids=["menu", "undo", "a seat's menu"])
def test_fewer_buttons_never_switch_off(bench, held):
    switch = bench.open()
    switch.tick()
    bench.hold(*held)
    for _ in range(100):
        switch.tick()
        bench.clock.wait(1.0)
    assert not bench.request.exists()
    assert bench.pages == []


def test_buttons_that_are_stuck_when_it_starts_are_nobodys_wish(bench):
    bench.hold(24, 23)
    switch = bench.open()
    for _ in range(100):
        switch.tick()
        bench.clock.wait(1.0)
    assert not bench.request.exists()
    bench.release(24)
    switch.tick()
    bench.hold(24)
    switch.tick()
    bench.clock.wait(10.0)
    switch.tick()
    assert [page.title for page in bench.pages][:1] == ["Switching off"], "let go once, they count"


def test_a_short_press_is_a_press_and_no_more(bench):
    switch = bench.open()
    switch.tick()
    bench.hold(24, 23)
    switch.tick()
    bench.clock.wait(0.9)
    switch.tick()
    bench.release(24, 23)
    switch.tick()
    assert bench.pages == []


def test_where_nobody_hears_the_game_goes_on(bench, caplog):
    switch = bench.open()
    switch.tick()
    bench.hold(24, 23)
    switch.tick()
    bench.clock.wait(6.0)
    switch.tick()
    assert not bench.request.exists(), "a request left behind would switch off the next start"
    assert "boneace-power-off.path" in caplog.records[-1].getMessage()
    switch.tick()  # still held: it does not ask again


def test_an_old_request_is_taken_back_at_the_start(bench):
    bench.request.touch()
    bench.open()
    assert not bench.request.exists()


def test_folder_that_is_gone_names_the_cure(bench, caplog):
    switch = PowerSwitch(lambda: held, CONFIG, bench.clock, bench.request.parent / "gone" / REQUEST)
    held = set()
    switch.tick()
    held = {Button.MENU, Button.UNDO}
    switch.tick()
    bench.clock.wait(6.0)
    switch.tick()
    assert "sudo systemctl poweroff" in caplog.records[-1].getMessage()


def test_where_it_cannot_work_it_says_so(bench, caplog):
    assert bench.open(PowerConfig()) is None
    assert caplog.records == []
    bench.environment = {}
    assert bench.open() is None
    keyboard = KeyboardPanel(list)
    nothing = {"show": print, "alive": print, "environment": {"RUNTIME_DIRECTORY": "/run/x"}}
    assert open_switch(CONFIG, [keyboard], bench.clock, **nothing) is None
    told = [record.getMessage() for record in caplog.records]
    assert ["not the service" in told[0], "no header" in told[1]] == [True, True]


def test_a_button_that_is_wired_nowhere_is_refused_by_the_config(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('[power]\nbuttons = ["menu", "undo"]\n[panel.console]\nmenu = 24\n')
    with pytest.raises(ConfigError, match=r"power\.buttons: undo has no pin.*name its pin"):
        load([file])
    file.write_text(file.read_text() + "undo = 23\n")
    assert load([file]).power.buttons == ("menu", "undo")

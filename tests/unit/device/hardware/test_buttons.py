"""One contract for every panel, then what each adds."""

import json
import re

import pytest
from gpiozero.pins.mock import MockFactory

from device.clock import HandClock
from device.hardware.buttons import (
    BAND,
    PAD_KEYS,
    GpioPanel,
    KeyboardPanel,
    PanelError,
    Pins,
    ScriptedPanel,
    ScriptedPress,
    Touchable,
    TouchPanel,
    read_presses,
    write_press,
)
from device.ports import Button, Lamps, Press
from display.chimes import Chime
from tests.support.paths import ROOT

PINS = Pins(
    {
        (Button.HAVE, None): 17,
        (Button.STICK, None): 27,
        (Button.STICK, 2): 5,
        (Button.UNDO, None): 6,
    },
    {0: 12, 2: 13},
    attention_lamp=16,
)


class GpioRig:
    def __init__(self):
        self.clock = HandClock(10.0)
        self.factory = MockFactory()
        self.panel = GpioPanel(PINS, clock=self.clock, pin_factory=self.factory)

    def push(self, button, seat=None):
        pin = self.factory.pin(PINS.buttons[button, seat])
        pin.drive_low()
        self.clock.wait(0.1)
        pin.drive_high()
        self.clock.wait(0.1)

    def close(self):
        self.panel.close()
        self.factory.reset()


class KeyRig:
    def __init__(self):
        self.pressed = []
        self.panel = KeyboardPanel(self.take)

    def take(self):
        names, self.pressed = self.pressed, []
        return names

    def push(self, button, seat=None):
        self.pressed.append({Button.HAVE: "h", Button.STICK: "s", Button.UNDO: "u"}[button])

    def close(self):
        self.panel.close()


class TouchRig:
    def __init__(self):
        self.touched = []
        self.panel = TouchPanel(self.take)

    def take(self):
        places, self.touched = self.touched, []
        return places

    def push(self, button, seat=None):
        place = next(place for place in BAND if place.button is button)
        self.touched.append(((place.left + place.right) / 2, (place.top + place.bottom) / 2))

    def close(self):
        self.panel.close()


class ScriptRig:
    def __init__(self):
        self.now = 0
        script = [
            ScriptedPress(1, Button.HAVE),
            ScriptedPress(2, Button.STICK),
            ScriptedPress(3, Button.UNDO),
        ]
        self.panel = ScriptedPanel(script, lambda: self.now)

    def push(self, button, seat=None):
        self.now += 1

    def close(self):
        self.panel.close()


@pytest.fixture(params=[GpioRig, KeyRig, TouchRig, ScriptRig])
def rig(request):
    made = request.param()
    yield made
    made.close()


def test_nothing_pressed_is_nothing(rig):
    assert rig.panel.poll(0.0) == ()


def test_presses_come_once_and_in_order(rig):
    rig.push(Button.HAVE)
    rig.push(Button.STICK)
    rig.push(Button.UNDO)
    got = rig.panel.poll(99.0)
    assert [press.button for press in got] == [Button.HAVE, Button.STICK, Button.UNDO]
    assert all(isinstance(press, Press) and press.seat is None for press in got)
    assert rig.panel.poll(100.0) == ()


def test_lamps_may_be_shown_any_time(rig):
    rig.panel.show(Lamps(turn=2, winners=(0,), attention=True))
    rig.panel.show(Lamps())


def test_close_twice_and_with_block(rig):
    with rig.panel as panel:
        assert panel is rig.panel
    rig.panel.close()
    assert rig.panel.poll(0.0) == ()


def test_seat_button_names_its_seat():
    rig = GpioRig()
    rig.push(Button.STICK, 2)
    (press,) = rig.panel.poll(0.0)
    assert (press.button, press.seat) == (Button.STICK, 2)
    assert press.time_s == 10.0, "a press bears the time of its edge, not of the poll"
    rig.close()


@pytest.mark.fault("a button bounces")
def test_bounce_on_the_header_is_one_press():
    rig = GpioRig()
    pin = rig.factory.pin(17)
    for _ in range(5):
        pin.drive_low()
        rig.clock.wait(0.002)
        pin.drive_high()
        rig.clock.wait(0.002)
    assert len(rig.panel.poll(0.0)) == 1
    rig.close()


@pytest.mark.parametrize(
    ("held_s", "said"),
    [(1.4, [Button.STICK]), (1.6, [Button.OUT]), (9.0, [Button.OUT]), (11.0, [])],
    ids=["pressed", "held", "held long", "a cup stands on it"],
)
def test_stick_held_says_im_out(held_s, said):
    rig = GpioRig()
    pin = rig.factory.pin(PINS.buttons[Button.STICK, 2])
    pin.drive_low()
    rig.clock.wait(held_s)
    assert rig.panel.poll(0.0) == (), "nobody knows yet how long it is held"
    pin.drive_high()
    rig.clock.wait(5.0)  # how late it is looked at makes no difference
    assert [(press.button, press.seat) for press in rig.panel.poll(0.0)] == [
        (button, 2) for button in said
    ]
    assert rig.panel.poll(0.0) == ()
    rig.close()


def test_stick_pressed_twice_before_anybody_looks_counts_twice():
    rig = GpioRig()
    rig.push(Button.STICK, 2)
    rig.push(Button.STICK, 2)
    rig.push(Button.UNDO)
    rig.push(Button.STICK, 2)
    buttons = [press.button for press in rig.panel.poll(0.0)]
    assert buttons == [Button.STICK, Button.STICK, Button.UNDO, Button.STICK]
    rig.close()


def test_lamps_on_the_header():
    rig = GpioRig()
    rig.panel.show(Lamps(turn=2, attention=True))
    assert [rig.factory.pin(pin).state for pin in (12, 13, 16)] == [0, 1, 1]
    rig.panel.show(Lamps(turn=0))
    assert [rig.factory.pin(pin).state for pin in (12, 13, 16)] == [1, 0, 0]
    rig.close()


class Knob:
    """A rotary encoder on two mock pins, both phases high at rest."""

    def __init__(self):
        self.clock = HandClock(10.0)
        self.factory = MockFactory()
        pins = Pins({(Button.PUSH, None): 24}, knob=(22, 23), buzzer=18)
        self.panel = GpioPanel(pins, clock=self.clock, pin_factory=self.factory)

    def step(self, first, second):
        for pin in (first, second):
            self.factory.pin(pin).drive_low()
        for pin in (first, second):
            self.factory.pin(pin).drive_high()

    def close(self):
        self.panel.close()
        self.factory.reset()


@pytest.fixture
def knob():
    made = Knob()
    yield made
    made.close()


def test_knob_turns_both_ways_without_end_and_is_pushed(knob):
    for _ in range(40):
        knob.step(22, 23)
    presses = knob.panel.poll(0.0)
    assert presses == (Press(Button.RIGHT, 10.0),) * 40
    knob.step(23, 22)
    knob.factory.pin(24).drive_low()
    assert [press.button for press in knob.panel.poll(0.0)] == [Button.LEFT, Button.PUSH]


def test_knob_that_chatters_on_one_phase_does_not_turn(knob):
    for _ in range(5):
        knob.factory.pin(22).drive_low()
        knob.factory.pin(22).drive_high()
    assert knob.panel.poll(0.0) == ()


def test_buttons_that_are_down_can_be_asked_for(knob):
    assert knob.panel.held() == ()
    knob.factory.pin(24).drive_low()
    assert knob.panel.held() == ((Button.PUSH, None),)


def test_buzzer_of_the_panel_stops_with_the_frames(knob):
    knob.panel.beep(Chime.BUST)
    assert knob.factory.pin(18).state == 1
    knob.clock.wait(0.5)
    knob.panel.show(Lamps())
    assert knob.factory.pin(18).state == 0


def test_pin_used_twice_names_the_cure():
    factory = MockFactory()
    pins = Pins({(Button.HAVE, None): 17, (Button.STICK, None): 17})
    with pytest.raises(PanelError, match="check \\[panel\\] pins"):
        GpioPanel(pins, pin_factory=factory)
    again = GpioPanel(Pins({(Button.HAVE, None): 17}), pin_factory=factory)
    again.close()


def test_unknown_keys_mean_nothing_and_the_cross_quits():
    keys = KeyboardPanel(lambda: ["f11", "QUIT", "pad 17", "9"])
    assert keys.poll(1.0) == (Press(Button.QUIT, 1.0),)


@pytest.mark.parametrize(
    ("name", "button"),
    [("left", Button.LEFT), ("wheel down", Button.RIGHT), ("pad a", Button.HAVE),
     ("pad b", Button.STICK), ("pad start", Button.MENU), ("h", Button.HAVE),
     ("pad 9", Button.OUT), ("o", Button.OUT)],
)  # fmt: skip
def test_arrows_wheel_and_gamepad_press_what_buttons_press(name, button):
    assert KeyboardPanel(lambda: [name]).poll(2.0) == (Press(button, 2.0),)


@pytest.mark.parametrize(
    ("name", "press"),
    [("1", Press(Button.HAVE, 2.0, 0)), ("8", Press(Button.HAVE, 2.0, 7)),
     ("f1", Press(Button.STICK, 2.0, 0)), ("F8", Press(Button.STICK, 2.0, 7))],
)  # fmt: skip
def test_a_keyboard_has_every_seats_own_buttons(name, press):
    assert KeyboardPanel(lambda: [name]).poll(2.0) == (press,)


def test_the_page_on_button_boxes_names_every_button():
    page = (ROOT / "docs" / "how-to" / "add-a-button-box.md").read_text(encoding="utf-8")
    told = page.partition("- Buttons are ")[2].partition("With a seat")[0]
    assert {*re.findall(r"`(\w+)`", told)} == {*Button}


def test_every_button_of_the_console_can_be_pressed_without_a_keyboard():
    assert {*PAD_KEYS.values()} >= {*Button} - {Button.QUIT, Button.PUSH}
    assert {place.button for place in BAND} >= {
        Button.HAVE, Button.STICK, Button.NEXT, Button.UNDO, Button.MENU,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("place", "button"),
    [
        pytest.param((0.2, 0.9), Button.HAVE, id="band-left"),
        pytest.param((0.9, 0.99), Button.STICK, id="band-right"),
        pytest.param((0.05, 0.05), Button.UNDO, id="corner"),
        pytest.param((0.95, 0.05), Button.MENU, id="other-corner"),
        pytest.param((0.5, 0.5), Button.NEXT, id="middle"),
        pytest.param((0.1, 0.5), None, id="felt"),
    ],
)
def test_touching_the_table(place, button):
    panel = TouchPanel(lambda: [place])
    assert panel.poll(3.0) == (() if button is None else (Press(button, 3.0),))
    panel.close()
    assert panel.poll(4.0) == ()


def test_of_places_that_overlap_the_one_painted_last_is_touched():
    places = [
        Touchable(0, 0, 1, 1, Button.NEXT),
        Touchable(0.4, 0.4, 0.6, 0.6, Button.HAVE, seat=3),
    ]
    panel = TouchPanel(lambda: [(0.5, 0.5), (0.1, 0.1)], lambda: places)
    assert panel.poll(1.0) == (Press(Button.HAVE, 1.0, 3), Press(Button.NEXT, 1.0))


def test_script_reads_back(tmp_path):
    script = (ScriptedPress(3, Button.STICK, 2), ScriptedPress(9, Button.NEXT))
    path = tmp_path / "presses.jsonl"
    path.write_text("\n".join(write_press(press) for press in script) + "\n\n")
    assert read_presses(path) == script


def test_script_waits_for_its_frames(tmp_path):
    frame = 0
    panel = ScriptedPanel([ScriptedPress(5, Button.HAVE, 1)], lambda: frame)
    frame = 4
    assert panel.poll(0.0) == ()
    frame = 6
    assert panel.poll(0.5) == (Press(Button.HAVE, 0.5, 1),)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("{", "line 1: is not JSON", id="not-json"),
        pytest.param("[1]", "whole 'frame' number", id="list"),
        pytest.param(json.dumps({"button": "have"}), "whole 'frame' number", id="no-frame"),
        pytest.param(
            json.dumps({"frame": 1, "button": "jump"}), "unknown button 'jump'", id="button"
        ),
        pytest.param(
            json.dumps({"frame": 1, "button": "have", "seat": "x"}), "seat 'x'", id="seat"
        ),
        pytest.param("[" * 2000, r"line 1: is not JSON \(nested too deeply\)", id="deep"),
    ],
)
def test_bad_script_names_line_and_cure(tmp_path, line, words):
    path = tmp_path / "presses.jsonl"
    path.write_text(line)
    with pytest.raises(PanelError, match=words):
        read_presses(path)


def test_missing_script_says_so(tmp_path):
    with pytest.raises(PanelError, match=r"read \(No such file or directory\); check --presses"):
        read_presses(tmp_path / "none.jsonl")

"""``boneace doctor buttons`` and ``sound``: fingers on mock pins, by a clock of their own."""

import io
import json

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from device.cli import main
from device.clock import HandClock
from device.commands import doctor
from device.diagnostics.button_test import LIT_S, WAIT_S, ButtonTest
from device.diagnostics.check import Status
from device.hardware.buttons import GpioPanel, Pins
from device.ports import Button

PINS = Pins(
    {
        (Button.HAVE, None): 6,
        (Button.STICK, None): 5,
        (Button.STICK, 2): 12,
        (Button.PUSH, None): 22,
    },
    {2: 13},
    attention_lamp=16,
    knob=(17, 27),
    buzzer=18,
)
LABELS = {
    "Console: have it": 6,
    "Console: stick": 5,
    "Seat 3: stick": 12,
    "Console: knob, push": 22,
}


class Person(HandClock):
    """Does what the trial says, at the moment the trial waits for it.

    *pushes* names the pin that a label's button really hangs on; ``None`` is a loose wire.
    """

    def __init__(self, factory, pushes=LABELS, knob=(17, 27)):
        super().__init__(100.0)
        self.factory = factory
        self.pushes = pushes
        self.knob = knob
        self.told = []
        self.lit = []

    def say(self, text):
        self.told.append(text)
        self.task = text

    def wait(self, seconds):
        super().wait(seconds)
        task, self.task = getattr(self, "task", ""), ""
        if task.startswith("Press: "):
            self.push(self.pushes[task.removeprefix("Press: ").split(" (")[0]])
        elif task.startswith("Turn") and self.knob:
            for move in ("drive_low", "drive_high"):
                for pin in self.knob:
                    getattr(self.factory.pin(pin), move)()
        if task:
            lamps = [pin for pin in (13, 16, 18) if self.factory.pin(pin).state]
            self.lit.append((task.split(" (")[0], lamps))

    def push(self, pin):
        if pin is not None:
            self.factory.pin(pin).drive_low()
            super().wait(0.1)
            self.factory.pin(pin).drive_high()


@pytest.fixture
def factory():
    made = MockFactory()
    yield made
    made.reset()


def attempt(factory, before=lambda factory: None, **habits):
    person = Person(factory, **habits)
    with GpioPanel(PINS, clock=person, pin_factory=factory) as panel:
        before(factory)
        checks = ButtonTest(panel, PINS, person, wait_s=4.0, say=person.say).run()
    return person, {check.title: check for check in checks}


def test_sound_wiring_answers_everywhere(factory):
    person, checks = attempt(factory)
    assert set(checks) == {*LABELS, "Console: lamp", "Seat 3: lamp", "Console: buzzer",
                           "Console: knob"}  # fmt: skip
    for title, check in checks.items():
        lamp = title in ("Console: lamp", "Seat 3: lamp", "Console: buzzer")
        assert check.status is (Status.INFO if lamp else Status.OK), check
    assert checks["Seat 3: stick"].detail == "answers (pin 32, BCM 12)"
    assert person.monotonic() - 100.0 < 3 * LIT_S + 4.0, "nobody waits after the press"


def test_each_lamp_is_lit_alone_and_beside_its_button(factory):
    person, _ = attempt(factory)
    lit = dict(person.lit)
    assert lit["Lit now: Console: lamp"] == [16]
    assert lit["Lit now: Seat 3: lamp"] == [13]
    assert lit["Beeps now: Console: buzzer"] == [18]
    assert lit["Press: Seat 3: stick"] == [13]
    assert lit["Press: Console: have it"] == [16]


def test_a_lamp_that_stays_dark_has_its_remedy(factory):
    _, checks = attempt(factory)
    assert "turn the LED round" in checks["Seat 3: lamp"].remedy
    assert "ground, pin 34" in checks["Seat 3: lamp"].remedy


def test_a_loose_wire_is_named_with_its_pins(factory):
    person, checks = attempt(factory, pushes={**LABELS, "Console: stick": None})
    check = checks["Console: stick"]
    assert check.status is Status.PROBLEM
    assert check.detail == "no press within 4 s (pin 29, BCM 5)"
    assert "pin 29" in check.remedy
    assert "pin 30" in check.remedy
    assert "boneace wiring" in check.remedy
    assert checks["Console: have it"].status is Status.OK, "the others are tried all the same"
    assert person.monotonic() > 104.0


def test_swapped_wires_are_told_as_such(factory):
    person, checks = attempt(factory, pushes={**LABELS, "Console: stick": 6, "Console: have it": 5})
    for title, other in (
        ("Console: stick", "Console: have it"),
        ("Console: have it", "Console: stick"),
    ):
        assert checks[title].status is Status.PROBLEM
        assert f"{other} came instead" in checks[title].detail
        assert "swap the two wires" in checks[title].remedy
    assert "  that was: Console: have it" in person.told


def test_a_shorted_button_is_not_waited_for(factory):
    person, checks = attempt(factory, before=lambda factory: factory.pin(5).drive_low())
    check = checks["Console: stick"]
    assert check.status is Status.PROBLEM
    assert check.detail.startswith("is down though nobody presses it")
    assert not any("Press: Console: stick" in text for text in person.told)


def test_a_press_before_the_question_does_not_count(factory):
    def early(factory):
        factory.pin(6).drive_low()
        factory.pin(6).drive_high()

    _, checks = attempt(factory, before=early, pushes={**LABELS, "Console: have it": None})
    assert checks["Console: have it"].status is Status.PROBLEM


@pytest.mark.parametrize(
    ("knob", "words", "remedy"),
    [
        pytest.param((27, 17), "turns the wrong way", "swap a and b", id="swapped"),
        pytest.param(None, "no step within 4 s", "middle leg", id="loose"),
    ],
)
def test_a_knob_that_is_amiss_says_how(factory, knob, words, remedy):
    _, checks = attempt(factory, knob=knob)
    assert checks["Console: knob"].status is Status.PROBLEM
    assert words in checks["Console: knob"].detail
    assert remedy in checks["Console: knob"].remedy


CONFIG = """
[panel]
attention_lamp = 16
buzzer = 18
[panel.console]
have = 6
stick = 5
[panel.knob]
a = 17
b = 27
push = 22
[panel.seats.2]
stick = 12
lamp = 13
"""


@pytest.fixture
def machine(tmp_path, monkeypatch, factory):
    """A machine whose header is gpiozero's mock, and the config of the table above."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for module in ("device.config.model", "device.commands.doctor"):
        monkeypatch.setattr(f"{module}.SYSTEM_PATH", tmp_path / "none.toml")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    (tmp_path / "boneace").mkdir()
    (tmp_path / "boneace" / "config.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path / "boneace" / "config.toml"


def doctor_says(capsys, *words):
    status = main(["doctor", *words, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_the_command_tries_everything(machine, factory, monkeypatch, capsys):
    person = Person(factory)
    monkeypatch.setattr(doctor, "SystemClock", lambda: person)
    # What the person is told goes to standard error; here it reaches him directly.
    monkeypatch.setattr(doctor, "partial", lambda *args, **named: person.say)
    status, checks = doctor_says(capsys, "buttons", "--seconds", "4")
    assert status == 0
    assert [check["status"] for check in checks].count("ok") == 1 + len(LABELS) + 1
    assert checks[0]["detail"] == "9 pins named, on pins that stand in for the header"


def test_the_command_fails_when_a_button_is_silent(machine, factory, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "SystemClock", HandClock)
    status = main(["doctor", "buttons", "--seconds", "3", "--json"])
    told = capsys.readouterr()
    assert status == 1
    bad = {check["title"] for check in json.loads(told.out) if check["status"] == "problem"}
    assert bad == {*LABELS, "Console: knob"}
    assert "Press: Seat 3: stick (3 s)" in told.err


def test_where_nobody_sits_at_a_terminal_looking_has_to_do(machine, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    _, checks = doctor_says(capsys, "buttons")
    assert len(checks) == 1
    _, checks = doctor_says(capsys, "buttons", "--seconds", "0")
    assert len(checks) == 1


def test_at_a_terminal_each_button_is_waited_for(machine, monkeypatch, capsys):
    waited = []
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr(doctor, "try_buttons", lambda seconds: waited.append(seconds) or [])
    doctor_says(capsys, "buttons")
    assert waited == [WAIT_S]


def test_pins_that_the_machine_uses_itself_are_a_problem(machine, monkeypatch, capsys):
    monkeypatch.setattr("device.hardware.pins.interfaces_on", lambda: ("i2s",))
    status, checks = doctor_says(capsys, "buttons", "--seconds", "4")
    assert status == 1
    assert len(checks) == 1
    assert "panel.buzzer: pin 18 is taken, it is also BCLK of I2S" in checks[0]["detail"]


def test_sound_that_is_off_is_no_problem(machine, capsys):
    machine.write_text("[sound]\nmute = true\n", encoding="utf-8")
    status, (check,) = doctor_says(capsys, "sound")
    assert (status, check["status"]) == (0, "info")


def test_no_sound_card_and_no_voice_have_their_remedies(machine, monkeypatch, capsys):
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    status, (check,) = doctor_says(capsys, "sound")
    assert (status, check["status"]) == (0, "warning")
    assert "[sound] mute = true" in check["remedy"]
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("PATH", str(machine.parent))
    status, (check,) = doctor_says(capsys, "sound")
    assert (status, check["status"]) == (0, "info")
    assert "espeak-ng is not installed" in check["detail"]
    assert "apt install espeak-ng" in check["remedy"]


def test_a_voice_without_sound_is_told(machine, monkeypatch, capsys):
    program = machine.parent / "espeak-ng"
    program.write_text("#!/bin/sh\ncat > /dev/null\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("PATH", str(machine.parent), prepend=":")
    _, (check,) = doctor_says(capsys, "sound")
    assert check["status"] == "warning"
    assert "the voice gives no sound in 'en'" in check["detail"]

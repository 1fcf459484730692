"""Pins: the table, the picture, and every way in which two things want the same pin."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pygame
import pytest
from gpiozero.pins.mock import MockFactory

from device.cli import main
from device.commands.wiring import EXAMPLE
from device.config.model import ConfigError, load
from device.hardware import pins as wiring
from device.hardware.buttons import GpioPanel, Pins
from device.hardware.pins import GROUNDS, INTERFACES, PHYSICAL, POWER, RESERVED, WireKind, wires
from device.ports import Button
from device.printing.shapes import Box, Text
from device.printing.wiring_diagram import HEIGHT, WIDTH, draw
from tests.support.paths import ROOT


def config(tmp_path, text):
    file = tmp_path / "c.toml"
    file.write_text(text, encoding="utf-8")
    return load([file])


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Write the config that the command will find."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")

    def write(text):
        (tmp_path / "boneace").mkdir(exist_ok=True)
        (tmp_path / "boneace" / "config.toml").write_text(text, encoding="utf-8")

    return write


WHOLE = """
[panel]
attention_lamp = 14
buzzer = 18
lamp_brightness = 60
[panel.console]
stick = 5
have = 6
[panel.knob]
a = 17
b = 27
push = 22
[panel.seats.7]
stick = 12
lamp = 9
"""


def test_the_header_is_that_of_gpiozero():
    header = MockFactory().board_info.headers["J8"]
    names = {pin.number: pin.name for pin in header.pins.values()}
    for pin, place in PHYSICAL.items():
        assert names[place] == f"GPIO{pin}"
    assert all(names[place] == "GND" for place in GROUNDS)
    assert all(names[place] == name for place, name in POWER.items())
    assert len(PHYSICAL) + len(GROUNDS) + len(POWER) == 40


def test_reserved_pins_are_those_of_gpiozero():
    header = MockFactory().board_info.headers["J8"]
    roles = {pin: header.pins[place].interfaces for pin, place in PHYSICAL.items()}
    for interface in ("i2c", "spi", "uart"):
        # gpiozero also lists the interfaces that a header can be given besides its usual ones.
        assert all(interface in roles[pin] for pin in RESERVED[interface]), interface


def test_a_whole_console_is_read_from_the_config(tmp_path):
    panel = config(tmp_path, WHOLE).panel
    assert panel.lamp_brightness == 60
    assert panel.pins() == Pins(
        {
            (Button.STICK, None): 5,
            (Button.HAVE, None): 6,
            (Button.STICK, 7): 12,
            (Button.PUSH, None): 22,
        },
        {7: 9},
        14,
        (17, 27),
        18,
    )


def test_the_panel_takes_every_pin_of_the_config(tmp_path):
    pins = config(tmp_path, WHOLE).panel.pins()
    factory = MockFactory()
    panel = GpioPanel(pins, pin_factory=factory)
    wired = {pin.info.name for pin in factory.pins.values()}
    assert wired == {f"GPIO{wire.pin}" for wire in wires(pins)}
    panel.close()
    factory.reset()


def test_every_wire_has_its_place_and_its_nearest_ground(tmp_path):
    found = {wire.key: wire for wire in wires(config(tmp_path, WHOLE).panel.pins())}
    assert set(found) == {
        "panel.console.stick", "panel.console.have", "panel.knob.a", "panel.knob.b",
        "panel.knob.push", "panel.attention_lamp", "panel.buzzer", "panel.seats.7.stick",
        "panel.seats.7.lamp",
    }  # fmt: skip
    stick = found["panel.seats.7.stick"]
    assert (stick.label, stick.place, stick.ground) == ("Seat 8: stick", 32, 30)
    assert found["panel.knob.a"].kind is WireKind.KNOB
    for wire in found.values():
        assert all(abs(wire.ground - wire.place) <= abs(g - wire.place) for g in GROUNDS)
        assert f"(pin {wire.ground})" in wire.advice


def test_lamps_on_pins_that_start_pulled_up_are_said_to_glow():
    early, late = wires(Pins({}, {0: 5, 1: 12}))
    assert "glows at power-up" in early.advice
    assert "glows" not in late.advice


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "[panel]\nbuzzer = 6\n[panel.console]\nhave = 6\n",
            "pin 6 is used 2 times, by panel.console.have and panel.buzzer; give every button and "
            "lamp its own, such as 9 or 10",
            id="buzzer-and-button",
        ),
        pytest.param(
            "[panel.knob]\na = 5\nb = 5\n",
            "by panel.knob.a and panel.knob.b",
            id="both-phases",
        ),
        pytest.param(
            "[panel.seats.0]\nlamp = 0\n",
            "panel.seats.0.lamp: pin 0 is taken, it is also ID_SD of EEPROM",
            id="id-eeprom",
        ),
        pytest.param(
            '[panel]\ninterfaces = ["spi"]\n[panel.seats.1]\nlamp = 9\n[panel.console]\nnext = 7\n',
            "panel.seats.1.lamp: pin 9 is taken, it is also MISO of SPI; choose another, such as "
            "12 or 13, or switch spi off",
            id="spi",
        ),
        pytest.param(
            '[panel]\ninterfaces = ["uart"]\n[panel.console]\nundo = 14\n',
            "panel.console.undo: pin 14 is taken, it is also TXD of UART",
            id="uart",
        ),
        pytest.param('[panel]\ninterfaces = ["usb"]\n', "unknown interface 'usb'; ", id="usb"),
        pytest.param("[panel]\ninterfaces = 3\n", 'write ["spi"], or [] for none', id="list"),
        pytest.param("[panel.knob]\na = 5\n", "b is missing; name its pin too: b = 23", id="half"),
        pytest.param("[panel.knob]\nleft = 5\n", "panel.knob.left: unknown wire", id="knob"),
        pytest.param("[panel.console]\npush = 5\n", "console.push: unknown button", id="push"),
        pytest.param("[panel.seats.8]\nlamp = 5\n", "a mat has 8 seats; write 0 to 7", id="seat"),
        pytest.param("[panel]\nbuzzer = 28\n", "panel.buzzer: 28 is above 27", id="no-pin"),
        pytest.param("[panel]\nlamp_brightness = 101\n", "101 is above 100", id="brightness"),
        pytest.param("[sound]\nvolume = 101\n", "sound.volume: 101 is above 100", id="volume"),
        pytest.param("[sound]\nwords_per_minute = 9\n", "9 is below 80", id="speed"),
        pytest.param("[sound]\nmute = 1\n", "sound.mute: 1; write true or false", id="mute"),
        pytest.param(
            '[display]\nlanguage = "tlh"\n', "known are: en, de, es, fr, nl", id="klingon"
        ),
        pytest.param("[display]\nlanguage = ''\n", "leave the key out to take LANG", id="none"),
    ],
)
def test_conflicts_name_both_uses_and_the_cure(tmp_path, text, words):
    with pytest.raises(ConfigError, match=re.escape(words)):
        config(tmp_path, text)


def test_all_conflicts_are_told_at_once():
    pins = Pins({(Button.HAVE, None): 0, (Button.STICK, None): 9}, {0: 9, 1: 2}, buzzer=14)
    found = wiring.find_conflicts(pins, INTERFACES)
    assert len(found) == 5
    for words in ("pin 0 is taken", "pin 9 is used 2 times", "pin 9 is taken", "SDA of I2C"):
        assert any(words in line for line in found), words


def test_free_pins_that_are_proposed_are_free():
    pins = Pins({(Button.HAVE, None): 12, (Button.STICK, None): 12})
    (line,) = wiring.find_conflicts(pins, ("spi", "uart", "i2s"))
    first, second = map(int, re.search(r"such as (\d+) or (\d+)", line).groups())
    assert not wiring.find_conflicts(
        Pins({(Button.HAVE, None): first, (Button.STICK, None): second}), ("spi", "uart", "i2s")
    )


def test_more_wires_than_pins_says_what_to_leave_out():
    numbers = sorted(PHYSICAL)
    buttons = {(Button.STICK, None): 2, (Button.HAVE, None): 3}
    for seat in range(8):
        buttons[Button.STICK, seat] = numbers[4 + 3 * seat]
        buttons[Button.HAVE, seat] = numbers[5 + 3 * seat]
    lamps = {seat: numbers[6 + 3 * seat] for seat in range(8)}
    assert wiring.find_conflicts(Pins(buttons, lamps)) == [], "26 wires fit"
    first = wiring.find_conflicts(Pins(buttons, lamps, attention_lamp=4))[0]
    assert first.startswith("panel: 27 wires want a pin each and the header has 26")
    assert "wires of 3 for 7 seats, or a lamp alone for each (8)" in first
    assert "MCP23017, are not supported yet" in first


def test_the_longest_wiring_that_fits_has_no_problem():
    free = [pin for pin in PHYSICAL if pin > 1]
    assert len(free) == wiring.USABLE == 26
    pins = Pins({(Button.STICK, seat): pin for seat, pin in enumerate(free)})
    assert wiring.find_conflicts(pins) == []


def machine(root, model, cmdline="", devices=()):
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "dev").mkdir()
    (root / "proc/device-tree/model").write_text(f"{model}\0")
    (root / "proc/cmdline").write_text(cmdline)
    for name in devices:
        (root / "dev" / name).touch()
    return root


@pytest.mark.parametrize(
    ("model", "cmdline", "devices", "found"),
    [
        pytest.param("Raspberry Pi 4 Model B", "", (), (), id="bare"),
        pytest.param(
            "Raspberry Pi 4 Model B",
            "console=ttyS0,115200 console=tty1",
            ("i2c-1", "spidev0.0"),
            ("i2c", "spi", "uart"),
            id="all",
        ),
        pytest.param("Raspberry Pi 4", "console=tty1", ("i2c-20",), (), id="screen-only"),
        pytest.param("Raspberry Pi 5", "console=serial0,115200", (), (), id="own-plug"),
        pytest.param("Raspberry Pi 5", "console=ttyAMA0,115200", (), ("uart",), id="pi-5"),
        pytest.param("Some PC", "console=ttyS0", ("i2c-1",), (), id="no-pi"),
    ],
)
def test_interfaces_that_are_switched_on_are_seen(tmp_path, model, cmdline, devices, found):
    assert wiring.interfaces_on(machine(tmp_path, model, cmdline, devices)) == found


def test_command_prints_the_table_in_the_order_of_the_header(configured, capsys):
    configured(WHOLE)
    assert main(["wiring"]) == 0
    head, rule, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["pin", "BCM", "use", "how"]
    assert set(rule) == {"-"}
    assert [int(row.split()[0]) for row in rows] == [8, 11, 12, 13, 15, 21, 29, 31, 32]
    assert rows[-1].startswith(" 32   12  Seat 8: stick")


def test_command_without_pins_says_what_to_do(configured, capsys):
    configured("")
    assert main(["wiring"]) == 1
    assert "boneace wiring --example" in capsys.readouterr().err


def test_what_the_machine_uses_is_a_problem_too(configured, capsys, monkeypatch):
    configured(WHOLE)
    monkeypatch.setattr(wiring, "interfaces_on", lambda: ("spi",))
    assert main(["wiring"]) == 1
    told = capsys.readouterr()
    assert "Seat 8: lamp" in told.out, "the table is printed all the same"
    assert "panel.seats.7.lamp: pin 9 is taken, it is also MISO of SPI" in told.err


def test_the_example_can_be_wired():
    assert wiring.find_conflicts(EXAMPLE, ("i2c", "one-wire")) == []


def test_the_config_of_the_page_can_be_used(tmp_path):
    page = (ROOT / "docs" / "how-to" / "wiring.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    found = config(tmp_path, "\n".join(blocks))
    assert len(wires(found.panel.pins())) == 13
    assert found.sound.words_per_minute == 175
    for pins, holder in re.findall(r"^\| ([\d, to]+) \| (.+?) \|", page, re.MULTILINE):
        numbers = [int(word) for word in re.findall(r"\d+", pins)]
        held = next(set(RESERVED[name]) for name in RESERVED if numbers[0] in RESERVED[name])
        assert set(range(numbers[0], numbers[-1] + 1)) == held, holder


def words_of(shapes):
    return [shape.words for shape in shapes if isinstance(shape, Text)]


def test_the_drawing_says_what_the_table_says():
    words = words_of(draw(EXAMPLE))
    for wire in wires(EXAMPLE):
        assert words.count(wire.label) == 1
        assert f"GPIO{wire.pin}" in words
        assert f"GND {wire.ground}" in words
    assert [str(place) for place in range(1, 41)] == [word for word in words if word.isdecimal()]


def test_nothing_of_the_drawing_overlaps_or_leaves_the_paper():
    shapes = draw(EXAMPLE)
    parts = [shape for shape in shapes if isinstance(shape, Box) and shape.w == 340]
    assert len(parts) == len(wires(EXAMPLE))
    rects = [pygame.Rect(part.x, part.y, part.w, part.h) for part in parts]
    for number, rect in enumerate(rects):
        assert rect.collidelist(rects[number + 1 :]) == -1
        assert pygame.Rect(0, 0, WIDTH, HEIGHT).contains(rect)
    assert all(0 < shape.y < HEIGHT for shape in shapes if isinstance(shape, Text))


def test_svg_and_png_are_written(configured, tmp_path, capsys):
    configured("")
    made = [tmp_path / "w.svg", tmp_path / "w.png"]
    assert main(["wiring", "--example", "--svg", str(made[0]), "--png", str(made[1])]) == 0
    root = ElementTree.parse(made[0]).getroot()
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [text[:14] for text in texts[-4:]] == [
        "Button: one le",
        "Lamp: pin - 33",
        "Knob: A and B ",
        "GND n is the n",
    ]
    assert texts == words_of(draw(EXAMPLE))
    picture = pygame.image.load(made[1])
    assert picture.get_size() == (WIDTH, HEIGHT)
    # The lead of the first part has the colour of its owner all the way.
    assert picture.get_at((1100, 339))[:3] == picture.get_at((1150, 339))[:3] != (251, 247, 236)
    capsys.readouterr()


@pytest.mark.parametrize("kind", ["--svg", "--png"])
def test_a_picture_that_cannot_be_written_names_the_cure(configured, tmp_path, capsys, kind):
    configured("")
    assert main(["wiring", "--example", kind, str(tmp_path / "none" / "w.png")]) == 1
    assert "choose a folder you may write" in capsys.readouterr().err


def test_one_wire_and_one_seat_are_one():
    pins = Pins({(Button.HAVE, None): 17}, {0: 25})
    words = [shape.words for shape in draw(pins) if isinstance(shape, Text)]
    assert any(text.startswith("2 wires: console and 1 seat.") for text in words)
    words = [shape.words for shape in draw(replace(pins, turn_lamps={})) if isinstance(shape, Text)]
    assert any(text.startswith("1 wire: console.") for text in words)

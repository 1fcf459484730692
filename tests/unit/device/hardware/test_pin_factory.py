"""Which chip the header is: gpiozero's choice, or the config's."""

import re
import sys
import types

import pytest

from device.app import header_panels
from device.config.model import load
from device.hardware.buttons import GpioPanel, PanelError, Pins, pin_factory


class Factory:
    def __init__(self, chip):
        if chip == 7:
            raise RuntimeError("can not open gpiochip")
        self.chip = chip


@pytest.fixture
def lgpio(monkeypatch):
    """gpiozero's module for lgpio, which itself is there on few machines only."""
    module = types.ModuleType("gpiozero.pins.lgpio")
    module.LGPIOFactory = Factory
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", module)


def test_nobody_named_one(lgpio):
    assert pin_factory(-1) is None


def test_the_chip_that_is_named_is_used(lgpio):
    assert pin_factory(3).chip == 3


def test_a_chip_that_is_not_there_names_the_cure(lgpio):
    with pytest.raises(PanelError, match=r"panel\.chip: /dev/gpiochip7 cannot.*ls -l /dev/gpio"):
        pin_factory(7)


def test_without_lgpio_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(PanelError, match="python3-lgpio, or leave the key out"):
        pin_factory(0)


def test_without_gpiozero_the_table_that_it_names_is_one_of_the_keyboard(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(PanelError) as refused:
        GpioPanel(Pins())
    file = tmp_path / "config.toml"
    lines = re.search(r"write (\[\w+\]) in the config and below it (.*)", str(refused.value))
    file.write_text("\n".join([*lines.groups(), "[panel.console]", "have = 17"]))
    assert header_panels(load([file])) == []

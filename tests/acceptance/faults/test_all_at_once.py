"""Keys, mouse, fingers, a gamepad and the header, all in one frame: nothing is lost or doubled."""

from collections import Counter

import pygame
import pytest
from gpiozero.pins.mock import MockFactory

from device.app import build_booth
from device.booth.tables import Services
from device.clock import HandClock
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig, SoundConfig
from device.hardware.buttons import GpioPanel, Pins
from device.ports import Button
from device.runtime.observer import ReadingObserver
from device.storage.journal.journal import Journal
from display import Window
from tests.support.booth_rig import PaperEyes

PINS = Pins(
    {(Button.STICK, None): 27, (Button.HAVE, 3): 17, (Button.PUSH, None): 25},
    {3: 13},
    knob=(22, 23),
    buzzer=18,
)


class Nobody:
    """A watch that sees nothing."""

    def see(self, image, time_s):
        return None


@pytest.fixture
def table(tmp_path):
    config = Config(
        game=GameConfig(players=("Ann", "Bess")),
        display=DisplayConfig(language="en"),
        sound=SoundConfig(mute=True),
        booth=BoothConfig(enabled=True),
    )
    clock, factory = HandClock(10.0), MockFactory()
    with Window((800, 480), headless=True) as window, Journal(tmp_path / "j.sqlite3") as journal:
        header = GpioPanel(PINS, clock=clock, pin_factory=factory)
        observer = ReadingObserver(Nobody())
        services = Services(journal, clock, PaperEyes(), (header,), observer=observer)
        booth = build_booth(config, services, window)
        pygame.event.clear()
        assert booth.step()
        yield booth, window, factory, clock
        booth.shut()
        header.close()
        factory.reset()


def post(kind, **what):
    pygame.event.post(pygame.event.Event(kind, **what))


def test_every_way_to_press_counts_once_and_in_the_same_frame(table):
    booth, window, factory, clock = table
    post(pygame.KEYDOWN, key=pygame.K_h)
    clock.wait(0.1)
    assert booth.step()
    assert str(booth.view.page.title) == "Which game?"
    taken = []
    take = booth.press
    booth.press = lambda press: (taken.append(press), take(press))
    tile = next(touch.area.center for touch in window.touches() if touch.choice == 2)
    across, down = tile[0] / 800, tile[1] / 480
    post(pygame.KEYDOWN, key=pygame.K_RIGHT)
    post(pygame.KEYDOWN, key=pygame.K_F4)
    post(pygame.MOUSEWHEEL, y=-1, x=0)
    post(pygame.JOYHATMOTION, value=(1, 0), instance_id=0, hat=0)
    post(pygame.JOYBUTTONDOWN, button=1, instance_id=0)
    post(pygame.FINGERDOWN, touch_id=1, finger_id=1, x=across, y=down, dx=0.0, dy=0.0)
    # SDL makes a click of the touch as well: that must not choose a second time.
    post(pygame.MOUSEBUTTONDOWN, button=1, pos=tile, touch=True)
    for pin in (22, 23):
        factory.pin(pin).drive_low()
    for pin in (22, 23):
        factory.pin(pin).drive_high()
    for pin in (27, 17):
        factory.pin(pin).drive_low()
    clock.wait(0.1)
    factory.pin(27).drive_high()  # a wired STICK counts when it is let go
    assert booth.step()
    counted = Counter((press.button, press.seat, press.choice) for press in taken)
    assert counted == {
        (Button.RIGHT, None, None): 4,  # arrow, wheel, the pad's cross, the knob
        (Button.STICK, None, None): 2,  # the pad's B, the console
        (Button.STICK, 3, None): 1,  # F4
        (Button.HAVE, 3, None): 1,  # the seat's own
        (Button.HAVE, None, 2): 1,  # the finger
    }


def test_a_mouse_click_is_a_touch(table):
    booth, window, _factory, clock = table
    post(pygame.MOUSEBUTTONDOWN, button=1, pos=(400, 200))
    clock.wait(0.1)
    assert booth.step()
    assert str(booth.view.page.title) == "Which game?"
    tile = next(touch.area.center for touch in window.touches() if touch.choice == 0)
    clock.wait(1.0)
    post(pygame.MOUSEBUTTONDOWN, button=1, pos=tile)
    clock.wait(0.1)
    assert booth.step()
    assert str(booth.view.page.title) == "Who plays?"

"""Keys, gamepads, mouse and fingers, as pygame reports them."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from display import Window
from display.inputs import QUIT_KEY, Inputs

Event = pygame.event.Event


@pytest.fixture
def inputs() -> Iterator[Inputs]:
    made = Inputs((800, 480))
    yield made
    made.close()
    made.close()


@pytest.mark.parametrize(
    ("event", "name"),
    [
        pytest.param(Event(pygame.KEYDOWN, key=pygame.K_SPACE), "space", id="key"),
        pytest.param(Event(pygame.KEYDOWN, key=pygame.K_AMPERSAND, unicode="1"), "1", id="sign"),
        pytest.param(Event(pygame.KEYDOWN, key=pygame.K_q, unicode="\x11"), "q", id="control"),
        pytest.param(Event(pygame.QUIT), QUIT_KEY, id="cross"),
        pytest.param(Event(pygame.MOUSEWHEEL, y=-2), "wheel down", id="wheel"),
        pytest.param(Event(pygame.JOYBUTTONDOWN, button=0), "pad a", id="pad"),
        pytest.param(Event(pygame.JOYBUTTONDOWN, button=7), "pad start", id="start"),
        pytest.param(Event(pygame.JOYBUTTONDOWN, button=12), "pad 12", id="pad-of-many"),
        pytest.param(Event(pygame.JOYHATMOTION, value=(-1, 0)), "pad left", id="cross-left"),
        pytest.param(Event(pygame.JOYHATMOTION, value=(0, 1)), "pad up", id="cross-up"),
    ],
)
def test_what_is_pressed_has_a_name(inputs: Inputs, event: Event, name: str) -> None:
    inputs.take([event])
    assert inputs.keys() == [name]
    assert inputs.keys() == []
    assert inputs.taps() == []


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(Event(pygame.KEYUP, key=pygame.K_SPACE), id="key-up"),
        pytest.param(Event(pygame.JOYHATMOTION, value=(0, 0)), id="cross-let-go"),
        pytest.param(Event(pygame.MOUSEBUTTONDOWN, button=3, pos=(4, 4)), id="right-click"),
        pytest.param(Event(pygame.JOYAXISMOTION, axis=4, value=1.0, instance_id=0), id="trigger"),
        pytest.param(Event(pygame.JOYDEVICEREMOVED, instance_id=9), id="pad-unplugged"),
    ],
)
def test_all_else_is_passed_over(inputs: Inputs, event: Event) -> None:
    inputs.take([event])
    assert inputs.keys() == []
    assert inputs.taps() == []


def test_a_touch_counts_once_though_sdl_makes_a_click_of_it(inputs: Inputs) -> None:
    inputs.take(
        [
            Event(pygame.FINGERDOWN, x=0.25, y=0.5),
            Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(200, 240), touch=True),
        ]
    )
    assert inputs.taps() == [(0.25, 0.5)]
    assert inputs.taps() == []


def test_a_click_is_a_place_of_the_window(inputs: Inputs) -> None:
    inputs.take([Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(600, 120), touch=False)])
    assert inputs.taps() == [(0.75, 0.25)]


def test_one_push_of_the_stick_is_one_step_however_it_trembles(inputs: Inputs) -> None:
    for value in (0.2, 0.7, 0.55, 0.9, 0.4, 0.8, 0.1, -0.7, 0.0, 0.61):
        inputs.take([Event(pygame.JOYAXISMOTION, axis=0, value=value, instance_id=1)])
    inputs.take([Event(pygame.JOYAXISMOTION, axis=1, value=0.9, instance_id=1)])
    assert inputs.keys() == ["pad right", "pad left", "pad right", "pad down"]


def test_the_window_hears_keys_and_touches_whoever_asks_first() -> None:
    with Window((800, 480), headless=True) as window:
        window.keys()
        pygame.event.post(Event(pygame.KEYDOWN, key=pygame.K_h))
        pygame.event.post(Event(pygame.FINGERDOWN, x=0.5, y=0.9))
        assert window.taps() == [(0.5, 0.9)]
        assert window.keys() == ["h"]
    assert window.taps() == []


def test_gamepads_are_let_go_when_the_window_closes() -> None:
    made = Inputs((800, 480))
    assert pygame.joystick.get_init()
    made.close()
    assert not pygame.joystick.get_init()

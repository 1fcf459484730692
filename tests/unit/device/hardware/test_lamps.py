"""Lamps and buzzer on gpiozero's own mock pins, by a clock moved by hand."""

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.clock import HandClock
from device.hardware.lamps import BEEPS, FLASH_S, LOW, Buzzer, LampBoard, brightness
from device.ports import Lamps
from display.chimes import Chime


@pytest.fixture(params=[None, MockPWMPin], ids=["on-off", "dimmed"])
def factory(request):
    made = MockFactory() if request.param is None else MockFactory(pin_class=request.param)
    yield made
    made.reset()


@pytest.fixture
def clock():
    return HandClock(5.0)


@pytest.fixture
def board(factory, clock):
    made = LampBoard({0: 12, 3: 13}, 16, clock=clock, pin_factory=factory)
    yield made
    made.close()


def lit(factory, *pins):
    return [factory.pin(pin).state for pin in pins]


def test_turn_is_lit_and_all_others_dark(board, factory):
    board.show(Lamps(turn=3))
    assert lit(factory, 12, 13, 16) == [0, 1, 0]
    board.show(Lamps(turn=0, attention=True))
    assert lit(factory, 12, 13, 16) == [1, 0, 1]
    board.show(Lamps())
    assert lit(factory, 12, 13, 16) == [0, 0, 0]


def test_winner_flashes_once_a_second_and_begins_lit(board, factory, clock):
    lamps = Lamps(winners=(0,))
    seen = []
    for _ in range(8):
        board.show(lamps)
        seen.append(factory.pin(12).state)
        clock.wait(FLASH_S / 2)
    assert seen == [1, 1, 0, 0, 1, 1, 0, 0]
    assert factory.pin(13).state == 0
    clock.wait(FLASH_S / 2)
    board.show(Lamps(winners=(0, 3)))
    assert lit(factory, 12, 13) == [1, 1], "a new win begins lit, whatever flashed before"


def test_turn_breathes_where_lamps_can_be_dimmed(board, factory, clock):
    seen = []
    for _ in range(24):
        board.show(Lamps(turn=0))
        seen.append(factory.pin(12).state)
        clock.wait(0.1)
    if not board.dims:
        assert set(seen) == {1}
        return
    assert max(seen) == 1
    assert 0 < min(seen) < 0.2, "the current swings wider than the light that eyes see"
    assert seen[12] == min(seen), "one breath in 2.4 seconds"
    assert seen[0] > seen[6] > seen[12] < seen[18]


def test_full_dims_every_lamp_that_can_be(factory, clock):
    board = LampBoard({0: 12}, clock=clock, full=0.5, pin_factory=factory)
    board.show(Lamps(turn=0))
    assert factory.pin(12).state == (pytest.approx(0.5**2.2) if board.dims else 1)
    board.close()


@pytest.mark.parametrize("dims", [False, True])
def test_brightness_is_always_of_this_range(dims):
    for tenth in range(60):
        assert brightness(Lamps(turn=1), 0, tenth / 10, dims=dims) == 0
        assert LOW <= brightness(Lamps(turn=1), 1, tenth / 10, dims=dims) <= 1
        assert brightness(Lamps(turn=1, winners=(1,)), 1, tenth / 10, dims=dims) in (0, 1)


def test_doctor_lights_one_alone(board, factory):
    board.light(3)
    assert lit(factory, 12, 13, 16) == [0, 1, 0]
    board.light(None)
    assert lit(factory, 12, 13, 16) == [0, 0, 1]


def test_no_lamps_claim_no_pins(factory):
    board = LampBoard({}, pin_factory=factory)
    board.show(Lamps(turn=0, attention=True))
    board.close()
    assert not factory.pins


def test_closed_twice_the_pins_are_free_again(factory):
    for _ in range(2):
        board = LampBoard({0: 12}, pin_factory=factory)
        board.close()
        board.close()
        board.show(Lamps(turn=0))


def test_every_chime_has_its_beeps():
    assert set(BEEPS) == set(Chime)
    assert len(set(BEEPS.values())) == len(BEEPS), "a deaf hand on the table tells them apart"
    for pattern in BEEPS.values():
        assert len(pattern) % 2 == 1, "ends with a beep, not with a pause"
        assert sum(pattern) < 1.0


def test_buzzer_beeps_the_pattern_and_falls_silent(factory, clock):
    buzzer = Buzzer(18, clock=clock, pin_factory=factory)
    buzzer.tick()
    assert factory.pin(18).state == 0
    buzzer.beep(Chime.QUESTION)  # on 60 ms, off 80 ms, on 60 ms
    clock.wait(0.005)  # between the edges, where rounding cannot blur them
    seen = []
    for _ in range(24):
        buzzer.tick()
        seen.append(int(factory.pin(18).state))
        clock.wait(0.01)
    assert "".join(map(str, seen)) == "1" * 6 + "0" * 8 + "1" * 6 + "0" * 4
    buzzer.close()
    buzzer.close()
    buzzer.tick()


def test_a_new_chime_takes_over(factory, clock):
    buzzer = Buzzer(18, clock=clock, pin_factory=factory)
    buzzer.beep(Chime.BUST)
    clock.wait(0.3)
    buzzer.beep(Chime.CARD)
    clock.wait(0.03)
    buzzer.tick()
    assert factory.pin(18).state == 0
    buzzer.close()

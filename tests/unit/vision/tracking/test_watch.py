"""Nothing is read while hands move, and nothing twice."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readings import Reading
from vision.tracking.motion_gate import MotionGate


class Counting:
    """A reader that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, image, time_s=0.0) -> Reading:
        self.asked += 1
        return Reading(time_s=time_s)


def table(seed: int, card_at: int | None = None, light: float = 0.0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 4, (480, 640, 3))
    image = np.full((480, 640, 3), 90.0) + noise + light
    if card_at is not None:
        image[200:300, card_at : card_at + 60] = 235
    return image.clip(0, 255).astype(np.uint8)


@pytest.fixture
def reader() -> Counting:
    return Counting()


def show(watch: MotionGate, frames: list[np.ndarray]) -> list[int]:
    """The numbers of the frames that gave a reading."""
    return [n for n, frame in enumerate(frames) if watch.see(frame, n * 0.1) is not None]


def test_a_resting_table_is_read_once(reader) -> None:
    read = show(MotionGate(reader), [table(n) for n in range(12)])
    assert len(read) == 1
    assert reader.asked == 1


def test_nothing_is_read_while_a_card_moves(reader) -> None:
    watch = MotionGate(reader)
    show(watch, [table(n) for n in range(5)])
    moving = [table(n, card_at=100 + 30 * n) for n in range(8)]
    assert show(watch, moving) == []
    assert reader.asked == 1


def test_a_card_laid_down_is_read_when_it_rests(reader) -> None:
    watch = MotionGate(reader)
    show(watch, [table(n) for n in range(5)])
    frames = [table(n, card_at=100 + 30 * n) for n in range(3)]
    frames += [table(n, card_at=190) for n in range(6)]
    assert len(show(watch, frames)) == 1
    assert reader.asked == 2


def test_under_fists_that_sway_a_card_that_was_laid_is_read_once(reader) -> None:
    def sways(n: int, **kwargs) -> np.ndarray:
        image = table(n, **kwargs)
        image[420:, 500:560] = 150 + 20 * (n % 2)
        return image

    frames = [table(n) for n in range(5)]
    frames += [sways(n, card_at=30 * n) for n in range(5, 8)]
    frames += [sways(n, card_at=210) for n in range(8, 20)]
    read = show(MotionGate(reader), frames)
    # The card moved last from frame 6 to 7.
    assert read[1:] == [11], "0.4 s after that, and not again"


def test_a_hand_that_passes_and_changes_nothing_costs_no_reading(reader) -> None:
    watch = MotionGate(reader)
    show(watch, [table(n) for n in range(5)])
    frames = [table(n, card_at=100 + 30 * n) for n in range(3)] + [table(n) for n in range(6)]
    assert show(watch, frames) == []


def test_light_that_flickers_all_over_is_not_a_hand(reader) -> None:
    frames = [table(n, light=12.0 * (n % 2)) for n in range(10)]
    assert len(show(MotionGate(reader), frames)) == 1


def test_the_reading_carries_the_time_of_its_frame(reader) -> None:
    watch = MotionGate(reader)
    readings = [watch.see(table(n), 5.0 + n * 0.1) for n in range(6)]
    taken = [(n, r) for n, r in enumerate(readings) if r is not None]
    assert [r.time_s for _, r in taken] == [5.0 + n * 0.1 for n, _ in taken]


class Following(Counting):
    """A reader that follows; *clear* says whether it sees a hand."""

    in_doubt = False

    def __init__(self, clear: bool) -> None:
        super().__init__()
        self.clear = clear
        self.checked_for_hands = 0

    def is_clear(self, frame) -> bool:
        self.checked_for_hands += 1
        return self.clear

    def follow(self, frame, time_s=0.0) -> Reading:
        return self.read(frame.image, time_s)

    def vote(self, frame, time_s=0.0) -> Reading:
        raise AssertionError("nothing is in doubt")


@pytest.mark.parametrize(
    ("clear", "fps", "still"),
    [(True, 30, 2), (True, 45, 3), (False, 30, 5), (False, 45, 7), (True, 10, 2), (False, 10, 2)],
)
def test_a_table_without_a_hand_need_not_be_still_for_long(clear, fps, still) -> None:
    reader = Following(clear)
    watch = MotionGate(reader)
    film = [table(n) for n in range(20)] + [table(n, card_at=100 + 30 * n) for n in range(3)]
    film += [table(n, card_at=190) for n in range(20)]
    read = [n for n, frame in enumerate(film) if watch.see(frame, n / fps) is not None]
    # Of the frames after the last that differs from the one before it, the one so far on.
    assert read[1:] == [23 + still]
    assert reader.asked == 2


def test_a_hand_is_looked_for_once_each_time_that_all_is_still() -> None:
    reader = Following(clear=False)
    watch = MotionGate(reader)
    for n in range(30):
        watch.see(table(n, card_at=100), n / 30)
    assert reader.checked_for_hands == 1
    for n in range(30, 50):
        watch.see(table(n, card_at=100 + 30 * (n == 30)), n / 30)
    assert reader.checked_for_hands == 1, "what looks as it was read is not looked at"
    for n in range(50, 70):
        watch.see(table(n, card_at=300), n / 30)
    assert reader.checked_for_hands == 2


def test_how_long_the_table_has_been_idle() -> None:
    watch = MotionGate(Counting())
    assert watch.idle_s == 0.0
    for n in range(31):
        watch.see(table(n), n / 10)
    assert watch.idle_s == pytest.approx(3.0)
    watch.see(table(31, card_at=100), 3.1)
    assert watch.idle_s == 0.0

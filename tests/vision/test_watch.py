"""Nothing is read while hands move, and nothing twice."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readings import Reading
from vision.watch import TableWatch


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


def show(watch: TableWatch, frames: list[np.ndarray]) -> list[int]:
    """The numbers of the frames that gave a reading."""
    return [n for n, frame in enumerate(frames) if watch.see(frame, n * 0.1) is not None]


def test_a_resting_table_is_read_once(reader) -> None:
    read = show(TableWatch(reader), [table(n) for n in range(12)])
    assert len(read) == 1
    assert reader.asked == 1


def test_nothing_is_read_while_a_card_moves(reader) -> None:
    watch = TableWatch(reader)
    show(watch, [table(n) for n in range(5)])
    moving = [table(n, card_at=100 + 30 * n) for n in range(8)]
    assert show(watch, moving) == []
    assert reader.asked == 1


def test_a_card_laid_down_is_read_when_it_rests(reader) -> None:
    watch = TableWatch(reader)
    show(watch, [table(n) for n in range(5)])
    frames = [table(n, card_at=100 + 30 * n) for n in range(3)]
    frames += [table(n, card_at=190) for n in range(6)]
    assert len(show(watch, frames)) == 1
    assert reader.asked == 2


def test_a_hand_that_passes_and_changes_nothing_costs_no_reading(reader) -> None:
    watch = TableWatch(reader)
    show(watch, [table(n) for n in range(5)])
    frames = [table(n, card_at=100 + 30 * n) for n in range(3)] + [table(n) for n in range(6)]
    assert show(watch, frames) == []


def test_light_that_flickers_all_over_is_not_a_hand(reader) -> None:
    frames = [table(n, light=12.0 * (n % 2)) for n in range(10)]
    assert len(show(TableWatch(reader), frames)) == 1


def test_the_reading_carries_the_time_of_its_frame(reader) -> None:
    watch = TableWatch(reader)
    readings = [watch.see(table(n), 5.0 + n * 0.1) for n in range(6)]
    taken = [(n, r) for n, r in enumerate(readings) if r is not None]
    assert [r.time_s for _, r in taken] == [5.0 + n * 0.1 for n, _ in taken]

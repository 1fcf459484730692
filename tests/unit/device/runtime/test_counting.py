"""A count is kept line by line, goes on after a power cut, and survives a full disk."""

import pytest

from device.clock import HandClock
from device.croupier.counting.counter import Kind
from device.runtime import counting as module
from device.runtime.counting import Counting, bars, counted
from engine.core.bones import Face
from engine.core.cards import Card
from tests.support.count_readings import FIVE, reading, thrown


class Desk:
    """A file of counts, and what was told of them."""

    def __init__(self, path):
        self.path, self.clock, self.told = path, HandClock(wall=1_700_000_000.0), []

    def open(self, kind=Kind.BONES):
        return Counting(
            kind, self.path, self.clock, lambda throw, how: self.told.append((throw.number, how))
        )


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "counts.jsonl")


def values(counting):
    return [[item.value for item in throw.items] for throw in counting.counter.throws]


def test_what_is_counted_is_told_and_kept(desk):
    counting = desk.open()
    counting.see(reading(FIVE[:4], 1.0))
    counting.see(reading(FIVE, 1.5))
    counting.see(reading((), 3.0))
    counting.see(reading(thrown(1), 4.0))
    assert counting.undo()
    assert desk.told == [(1, "new"), (1, "again"), (2, "new"), (2, "undone")]
    found, throws, counts = counted(desk.path, Kind.BONES)
    assert (found, throws, counts) == (counting.counter.counts, 1, 1)
    assert counted(desk.path, Kind.CARDS) == ({}, 0, 0)
    assert counting.seconds(counting.counter.throws[0]) == 1.0


def test_a_count_that_was_cut_off_goes_on(desk):
    before = desk.open()
    for number in range(3):
        before.see(reading(thrown(number), 3.0 * number))
    before.name(before.counter.throws[1].items[0].number, Face.TWISTED)
    after = desk.open()
    assert values(after) == values(before)
    assert after.counter.throws[1].items[0].by_hand
    after.see(reading(thrown(2), 20.0))
    assert len(after.counter.throws) == 3, "they lie there still"
    after.end()
    assert desk.open().counter.throws == []
    assert counted(desk.path, Kind.BONES)[1:] == (3, 1)


def test_one_count_after_the_other(desk):
    for number in range(2):
        counting = desk.open()
        counting.see(reading(thrown(number), 1.0))
        counting.end()
    assert counted(desk.path, Kind.BONES)[1:] == (2, 2), "a clock that stands tells them apart too"
    empty = desk.open()
    empty.end()
    assert counted(desk.path, Kind.BONES)[1:] == (2, 2)


def test_nothing_is_taken_back_where_nothing_was_counted(desk):
    assert not desk.open().undo()
    assert not desk.path.exists()


def test_a_disk_that_refuses_stops_no_count(desk, monkeypatch, caplog):
    def refuse(path, line):
        raise OSError(28, "No space left on device")

    counting = desk.open()
    monkeypatch.setattr(module, "append", refuse)
    counting.see(reading(FIVE, 1.0))
    counting.see(reading((), 2.0))
    counting.see(reading(thrown(1), 3.0))
    assert (len(counting.counter.throws), counting.is_kept) == (2, False)
    assert caplog.text.count("not kept") == 1
    monkeypatch.undo()
    counting.undo()
    assert counting.is_kept


def test_a_file_that_cannot_be_read_is_no_end(desk, caplog):
    desk.path.mkdir()
    assert desk.open().counter.throws == []
    assert "counting afresh" in caplog.text


def test_words_that_nobody_knows_are_left_out(desk):
    desk.open().see(reading(FIVE, 1.0))
    desk.path.write_text(desk.path.read_text().replace("twisted", "sideways"))
    assert counted(desk.path, Kind.BONES)[0].total() == 4


def test_the_bars_are_beside_what_is_expected():
    faces = bars(Kind.BONES, {Face.FLAT: 5, Face.CONVEX: 15})
    assert [(bar.count, bar.share, bar.published) for bar in faces] == [
        (5, 0.25, 0.1),
        (0, 0.0, 0.4),
        (15, 0.75, 0.4),
        (0, 0.0, 0.1),
    ]
    assert faces[0].low == pytest.approx(0.112, abs=0.001)
    assert faces[0].high == pytest.approx(0.469, abs=0.001)
    ranks = bars(Kind.CARDS, {Card.parse("TH"): 1, Card.parse("TD"): 1})
    assert len(ranks) == 13
    assert [(bar.name, bar.count, bar.share) for bar in ranks if bar.count] == [("10", 2, 1.0)]
    assert all(bar.published == pytest.approx(1 / 13) for bar in ranks)
    assert all(bar.high == 0.0 for bar in bars(Kind.BONES, {}))

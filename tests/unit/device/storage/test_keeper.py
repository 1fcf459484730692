"""A booth forgets its guests after a day; a wrong clock makes it forget nobody."""

import pytest

from device.clock import HandClock
from device.config.model import BoothConfig, Config, PrivacyConfig
from device.storage.copies import erase
from device.storage.copies.keeper import EVERY_S, Keeper
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from tests.support.table_state import play, sitting

NOW_S = 1_700_000_000.0
DAY_S = 86_400.0


@pytest.fixture
def path(tmp_path):
    for back in (3, 0):
        play(tmp_path / "journal.sqlite3", NOW_S - back * DAY_S)
    return tmp_path / "journal.sqlite3"


def left(journal):
    return [each.number for each in journal.sittings()]


def clock_at(wall_s):
    clock = HandClock()
    clock.wall = lambda: wall_s
    return clock


@pytest.mark.parametrize(
    ("wall_s", "wanted"),
    [(NOW_S + 100, [2]), (NOW_S + 2 * DAY_S, []), (0.0, [1, 2]), (2.2e9, [1, 2])],
)
def test_at_the_start(path, wall_s, wanted):
    with Journal(path) as journal:
        Keeper(journal, clock_at(wall_s), 1).look(0.0)
        assert left(journal) == wanted
        assert journal.check() == []
        if wanted == []:
            Keeper(journal, clock_at(wall_s), 1).look(0.0)
            assert len(journal.notes()) == 3, "once is enough"


def test_each_day_while_it_plays_on(path):
    clock = clock_at(NOW_S + 100)
    with Journal(path) as journal:
        keeper = Keeper(journal, clock, 2)
        keeper.look(0.0)
        clock.wall = lambda: NOW_S + 3 * DAY_S
        keeper.look(EVERY_S - 1)
        assert left(journal) == [2]
        keeper.look(EVERY_S)
        assert left(journal) == []


def test_what_was_closed_since_yesterday_is_no_older_than_that(path, tmp_path, monkeypatch):
    """The clock was a month late, until the network set it."""
    monkeypatch.setattr(erase, "SYNCHRONIZED", tmp_path)
    clock = clock_at(NOW_S + 100)
    with Journal(path) as journal:
        keeper = Keeper(journal, clock, 1)
        keeper.look(0.0)
        number = journal.begin(sitting(NOW_S + 200)).number
        journal.end(number, NOW_S + 300)
        clock.wall = lambda: NOW_S + 30 * DAY_S
        keeper.look(EVERY_S)
        assert left(journal) == [number]
        keeper.look(2 * EVERY_S)
        assert left(journal) == []


def test_a_disk_that_refuses_stops_no_game(path, monkeypatch, caplog):
    def refuse(*_):
        raise JournalError("the disk is full")

    with Journal(path) as journal:
        monkeypatch.setattr(journal, "erase", refuse)
        Keeper(journal, clock_at(NOW_S + 100), 1).look(0.0)
        assert left(journal) == [1, 2]
    assert "the disk is full" in caplog.text


def test_how_long_a_table_keeps_what_was_played():
    booth = BoothConfig(enabled=True)
    assert Config().keep_days == 0
    assert Config(booth=booth).keep_days == 1
    assert Config(booth=booth, privacy=PrivacyConfig(keep_days=0)).keep_days == 0

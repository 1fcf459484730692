"""The machine's clock stands in 1970 or in 2040 while people play, copy, look up, and erase."""

import json

import pytest

from device.cli import main
from device.clock import HandClock, SystemClock
from device.runtime.session import Session
from device.storage.copies import erase
from device.storage.copies.copies import check, found_in
from device.storage.copies.keeper import EVERY_S, Keeper
from device.storage.journal.journal import Journal
from engine import Player
from engine.core.events import Deal

NOW_S = 1_700_000_000.0
DAY_S = 86_400.0
WRONG = {"1970": 300.0, "2040": 2_208_988_800.0}


@pytest.fixture(params=WRONG.values(), ids=WRONG)
def wrong_s(request):
    return request.param


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The table's folder; a test moves its clock by :func:`at`."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    config = tmp_path / "config.toml"
    config.write_text("[backup]\nkeep = 3\n[privacy]\nkeep_days = 2\n")
    monkeypatch.setenv("BONEACE_CONFIG", str(config))
    monkeypatch.setattr(erase, "SYNCHRONIZED", tmp_path / "synchronized")
    return tmp_path / "state"


@pytest.fixture
def at(monkeypatch):
    def move(wall_s):
        monkeypatch.setattr(SystemClock, "wall", lambda _: wall_s)
        return HandClock(wall=wall_s)

    return move


def play(folder, clock, *, close=True):
    """Play an evening, or a part of it; return what it left."""
    company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess"))]
    with Journal(folder / "journal.sqlite3") as journal:
        assert journal.notices == []
        session = Session.begin(journal, clock, "bone-ace", company, dealer=1)
        for number in range(3):
            session.apply(Deal(number % 2, None))
            clock.wait(60)
        if close:
            session.close()
        return session.state


def keep(folder, clock, *looks_s):
    """Start the table, and let it look at what is too old."""
    with Journal(folder / "journal.sqlite3") as journal:
        keeper = Keeper(journal, clock, 2)
        for each in looks_s:
            keeper.look(each)


def ledger(capsys):
    capsys.readouterr()
    assert main(["ledger", "--json"]) == 0
    return [each["sitting"] for each in json.loads(capsys.readouterr().out)["sittings"]]


@pytest.mark.fault("clock jumps by years")
def test_a_hand_goes_on_after_the_clock_has_jumped(folder, at, wrong_s, capsys):
    for first_s, then_s in ((NOW_S, wrong_s), (wrong_s, NOW_S)):
        left = play(folder, at(first_s), close=False)
        with Journal(folder / "journal.sqlite3") as journal:
            session = Session.resume_last(journal, at(then_s))
            assert session.state == left
            session.apply(Deal(1, None))
            session.close()
            assert journal.notices == []
    assert ledger(capsys) == [1, 2]
    assert main(["doctor", "journal"]) == 0


@pytest.mark.fault("a wrong clock while copies are made")
def test_copies_are_made_kept_and_brought_back(folder, at, wrong_s):
    for wall_s in (NOW_S - DAY_S, NOW_S, wrong_s, wrong_s + 3600, NOW_S + 3600):
        play(folder, at(wall_s))
        assert main(["backup"]) == 0
    found = found_in(folder / "backups")
    assert [check(each.path).sittings for each in found] == [5, 4, 3], "the newest three"
    play(folder, at(wrong_s))
    assert main(["restore", "newest", "--yes"]) == 0
    with Journal(folder / "journal.sqlite3") as journal:
        assert [each.number for each in journal.sittings()] == [1, 2, 3, 4, 5]
        assert journal.damage == ()


@pytest.mark.fault(
    "a sitting with a wrong date",
    sees="nothing of it",
    does="takes it for no older than the next one with a right date, and never erases what goes on",
)
@pytest.mark.parametrize("close", [True, False], ids=["closed", "goes on"])
def test_an_evening_with_a_wrong_date_is_not_too_old_once_the_clock_is_right(
    folder, at, wrong_s, capsys, close
):
    play(folder, at(NOW_S))
    play(folder, at(wrong_s), close=close)
    assert main(["backup"]) == 0
    (folder.parent / "synchronized").touch()
    clock = at(NOW_S + 5 * DAY_S)
    keep(folder, clock, 0.0, EVERY_S)
    assert main(["backup"]) == 0
    assert ledger(capsys) == [2], "the other is five days old"
    assert [check(each.path).sittings for each in found_in(folder / "backups")] == [1, 1]


@pytest.mark.fault("a wrong clock while what is old is erased")
def test_nothing_is_erased_while_the_clock_is_wrong(folder, at, wrong_s, capsys):
    play(folder, at(NOW_S))
    play(folder, at(NOW_S + 60), close=False)
    keep(folder, at(wrong_s), 0.0, EVERY_S)
    assert main(["backup"]) == 0
    assert ledger(capsys) == [1, 2]


def test_a_date_on_the_command_line_is_compared_with_right_dates(folder, at, wrong_s, capsys):
    for wall_s in (NOW_S - 9 * DAY_S, wrong_s, NOW_S):
        play(folder, at(wall_s))
    at(wrong_s)
    assert main(["erase", "--before", "2023-11-10", "--yes"]) == 0
    assert ledger(capsys) == [2, 3]
    at(NOW_S + 600)
    assert main(["erase", "--before", "2023-12-01", "--yes"]) == 0
    assert ledger(capsys) == []

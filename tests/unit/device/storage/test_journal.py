import os
import re
import sqlite3
import subprocess
import sys

import pytest

from device.storage.journal import (
    APPLICATION_ID,
    Journal,
    JournalError,
    SessionRecord,
    default_path,
)

SITTING = SessionRecord(
    "bone-ace", "willughby", {"stake": 2}, ({"seat": 0, "name": "Ann"},), 0, started=1000.5
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "journal.sqlite3"


def filled(path, events=60):
    with Journal(path) as journal:
        number = journal.begin(SITTING).number
        for each in range(events):
            # Long enough that the table needs many pages.
            journal.append(number, each, {"e": "have", "seat": 0, "n": "x" * 400}, 1000.0 + each)
    return path


def test_new_journal_keeps_its_promises(path):
    with Journal(path) as journal:
        assert journal.notices == []
        pragma = {
            name: journal._connection().execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "application_id")
        }
    assert pragma == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "application_id": APPLICATION_ID,
    }


def test_reads_back(path):
    with Journal(path) as journal:
        made = journal.begin(SITTING)
        assert made.number == 1
        journal.append(1, 0, {"e": "deal", "seat": 1, "card": "??"}, 1001.0)
        journal.append(1, 1, {"e": "undo"}, 1002.5)
    with Journal(path) as journal:
        (found,) = journal.sittings()
        assert found == made
        assert (found.options, found.players, found.dealer) == (
            {"stake": 2},
            ({"seat": 0, "name": "Ann"},),
            0,
        )
        assert journal.events(1) == (
            (1001.0, {"e": "deal", "seat": 1, "card": "??"}),
            (1002.5, {"e": "undo"}),
        )
        assert journal.unfinished() == made
        journal.end(1, 1003.0)
        assert journal.unfinished() is None


def test_event_without_sitting_is_refused(path):
    with Journal(path) as journal, pytest.raises(JournalError, match="could not be written"):
        journal.append(7, 0, {"e": "undo"}, 0.0)


def test_same_number_twice_is_refused_and_keeps_the_first(path):
    with Journal(path) as journal:
        journal.begin(SITTING)
        journal.append(1, 0, {"e": "undo"}, 0.0)
        with pytest.raises(JournalError, match="could not be written"):
            journal.append(1, 0, {"e": "have"}, 0.0)
        assert [record for _, record in journal.events(1)] == [{"e": "undo"}]


@pytest.mark.fault("two instances at once")
def test_second_writer_says_so_and_readers_may_look(path):
    with Journal(path) as journal:
        journal.begin(SITTING)
        with pytest.raises(JournalError, match=r"another boneace is writing.*systemctl stop"):
            Journal(path)
        with Journal(path, read_only=True) as reader:
            assert len(reader.sittings()) == 1
        # Another process is refused as well.
        code = (
            "import sys; from pathlib import Path; from device.storage.journal import *\n"
            "try: Journal(Path(sys.argv[1]))\n"
            "except JournalError: sys.exit(7)"
        )
        run = subprocess.run([sys.executable, "-c", code, str(path)], check=False, cwd=os.getcwd())
        assert run.returncode == 7
    Journal(path).close()


def test_reading_makes_nothing(path):
    with pytest.raises(JournalError, match="no journal yet"):
        Journal(path, read_only=True)
    assert not path.parent.exists()


@pytest.mark.fault("journal is a foreign file")
def test_foreign_database_is_untouched(path):
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE theirs (x)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program and was not touched"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.fault(
    "journal is a foreign file",
    sees="on the console: it is not a journal of boneace and was not touched",
    does="does not start, and changes nothing in it",
)
def test_foreign_file_is_untouched(path):
    path.parent.mkdir()
    path.write_text("Dear diary, today we played Bone-Ace.\n" * 10)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="not a journal of boneace and was not touched"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.fault(
    "journal from a newer version",
    sees="on the console: which version wrote it, and to upgrade",
    does="does not start, and changes nothing in it",
)
def test_newer_journal_is_refused_untouched(path):
    filled(path, 1)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"newer boneace \(version 99.*upgrade"):
        Journal(path)
    assert path.read_bytes() == before


def test_empty_file_is_a_new_journal(path):
    path.parent.mkdir()
    path.touch()
    with Journal(path) as journal:
        assert journal.begin(SITTING).number == 1


def aside_of(path):
    return sorted(p for p in path.parent.iterdir() if re.search(r"\.damaged-[-0-9]+$", p.name))


def test_file_of_zeros_is_put_aside(path):
    path.parent.mkdir()
    path.write_bytes(bytes(4096))
    with Journal(path) as journal:
        assert "0 of its events" in journal.notices[0]
        assert journal.sittings() == ()
    (aside,) = aside_of(path)
    assert aside.read_bytes() == bytes(4096)


@pytest.mark.fault("journal with a torn page")
def test_damaged_journal_is_put_aside_and_salvaged(path):
    filled(path)
    whole = path.read_bytes()
    page = 4096
    assert len(whole) > 6 * page
    # The last leaf page of the events is torn; the start is good.
    broken = bytearray(whole)
    broken[-page:] = b"\xff" * page
    path.write_bytes(broken)
    with Journal(path, read_only=False) as journal:
        (notice,) = journal.notices
        saved = journal.events(1)
        assert journal.sittings()[0].options == {"stake": 2}
        assert f"{len(saved)} of its events" in notice
    assert 0 < len(saved) < 60
    assert [record["n"] for _, record in saved] == ["x" * 400] * len(saved)
    (aside,) = aside_of(path)
    assert aside.read_bytes() == bytes(broken), "put aside, never changed"
    with Journal(path) as journal:
        assert journal.notices == []


def test_damaged_journal_is_not_touched_by_readers(path):
    filled(path)
    broken = bytearray(path.read_bytes())
    broken[-4096:] = b"\xff" * 4096
    path.write_bytes(broken)
    with pytest.raises(JournalError, match="is damaged; boneace play will"):
        Journal(path, read_only=True)
    assert aside_of(path) == []


def test_damaged_header_of_ours_is_put_aside(path):
    filled(path, 3)
    broken = bytearray(path.read_bytes())
    broken[:16] = bytes(16)
    path.write_bytes(broken)
    with Journal(path) as journal:
        assert len(journal.notices) == 1
        assert journal.begin(SITTING).number >= 1
    assert len(aside_of(path)) == 1


@pytest.mark.fault("disk full")
def test_full_disk_is_said_and_loses_nothing(path):
    with Journal(path) as journal:
        number = journal.begin(SITTING).number
        db = journal._connection()
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 1}")
        written = 0

        def write_until_full():
            nonlocal written
            while written < 1000:
                journal.append(number, written, {"e": "have", "n": "x" * 500}, 0.0)
                written += 1

        with pytest.raises(JournalError, match=r"disk is full.*free some space"):
            write_until_full()
        assert written > 0
        assert len(journal.events(number)) == written
        db.execute("PRAGMA max_page_count = 100000")
        journal.append(number, written, {"e": "stick"}, 0.0)
    with Journal(path) as journal:
        assert journal.notices == []
        assert len(journal.events(number)) == written + 1


def test_folder_that_cannot_be_made_names_the_cure(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="choose another folder with --journal"):
        Journal(tmp_path / "file" / "journal.sqlite3")


def test_closed_journal_says_so(path):
    journal = Journal(path)
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.sittings()


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param(
            {"STATE_DIRECTORY": "/var/lib/boneace:/x"}, "/var/lib/boneace", id="the service"
        ),
        pytest.param({"XDG_STATE_HOME": "/s"}, "/s/boneace", id="xdg"),
        pytest.param({"HOME": "/h"}, "/h/.local/state/boneace", id="home"),
    ],
)
def test_where_it_lives(monkeypatch, variables, expected):
    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(default_path()) == f"{expected}/journal.sqlite3"


@pytest.mark.parametrize(
    "damage",
    [
        "options = '[]'",
        "players = '{}'",
        "players = '[1]'",
        "options = 'null'",
        "options = '{'",
    ],
)
def test_a_sitting_whose_row_is_damaged_is_passed_over_and_its_events_are_kept(
    path, caplog, damage
):
    filled(path, events=2)
    with Journal(path) as journal:
        journal.begin(SITTING)
        journal._connection().execute(f"UPDATE sittings SET {damage} WHERE number = 1")
        assert [sitting.number for sitting in journal.sittings()] == [2]
        assert "sitting 1 cannot be read" in caplog.text
        assert len(journal.events(1)) == 2


@pytest.mark.parametrize("event", ["[]", "3", "{"])
def test_a_damaged_event_is_named_and_what_to_do(path, event):
    filled(path, events=3)
    with Journal(path) as journal:
        journal._connection().execute("UPDATE events SET event = ? WHERE number = 1", (event,))
        with pytest.raises(JournalError, match=r"event 1 of sitting 1 is damaged.*--new"):
            journal.events(1)

import contextlib
import dataclasses
import os
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest

from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.last_file import path_of, read_last
from device.storage.journal.reader import JournalReader, Note, SessionRecord, default_path
from device.storage.journal.schema import APPLICATION_ID

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
        assert journal.open_sittings() == (made,)
        journal.end(1, 1003.0)
        assert not journal.open_sittings()


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


def test_a_journal_that_has_gone_is_still_held_by_its_writer(path):
    with Journal(path):
        path.rename(path.with_name("away.sqlite3"))
        with pytest.raises(JournalError, match="another boneace is writing"):
            Journal(path)


@pytest.mark.fault("two instances at once")
def test_second_writer_says_so_and_readers_may_look(path):
    with Journal(path) as journal:
        journal.begin(SITTING)
        with pytest.raises(JournalError, match=r"another boneace.*its window.*systemctl stop"):
            Journal(path)
        with JournalReader(path) as reader:
            assert len(reader.sittings()) == 1
        # Another process is refused as well.
        code = (
            "import sys; from pathlib import Path; from device.storage.journal.journal import *\n"
            "try: Journal(Path(sys.argv[1]))\n"
            "except JournalError: sys.exit(7)"
        )
        run = subprocess.run([sys.executable, "-c", code, str(path)], check=False, cwd=os.getcwd())
        assert run.returncode == 7
    Journal(path).close()


def test_reading_makes_nothing(path):
    with pytest.raises(JournalError, match="no journal yet"):
        JournalReader(path)
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
    with Journal(path) as journal:
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


def test_damaged_journal_is_read_as_far_as_it_is_sound_and_not_touched(path, caplog):
    filled(path)
    broken = bytearray(path.read_bytes())
    broken[-4096:] = b"\xff" * 4096
    path.write_bytes(broken)
    with JournalReader(path) as journal:
        assert 0 < len(journal.events(1)) < 60
        assert [each.sitting for each in journal.damage] == [None, 1]
    assert "pages of the file are damaged; check the memory card, unless somebody" in caplog.text
    assert aside_of(path) == []
    assert path.read_bytes() == broken


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


def spoil(path, change):
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(change)
        db.commit()


@pytest.mark.parametrize(
    "damage",
    [
        "options = '[]'",
        "players = '{}'",
        "players = '[1]'",
        "options = 'null'",
        "options = '{'",
        "opened = x''",
    ],
)
def test_a_sitting_whose_row_is_damaged_is_passed_over_and_told(path, caplog, damage):
    filled(path, events=2)
    with Journal(path) as journal:
        journal.begin(SITTING)
    spoil(path, f"UPDATE sittings SET {damage} WHERE number = 1")
    with JournalReader(path) as journal:
        assert [sitting.number for sitting in journal.sittings()] == [2]
        assert journal.events(1) == ()
    assert "sitting 1: its names and options" in caplog.text


@pytest.mark.parametrize("event", ["[]", "3", "{"])
def test_events_before_a_damaged_one_are_used_and_it_is_named(path, event):
    filled(path, events=3)
    with Journal(path) as journal:
        wanted = journal.events(1)
        journal.begin(SITTING)
    spoil(path, f"UPDATE events SET event = '{event}' WHERE number = 1")
    with JournalReader(path) as journal:
        assert journal.events(1) == wanted[:1]
        (damage,) = journal.damage
    assert (damage.sitting, damage.event, damage.since) == (1, 1, 1000.0)
    said = r"sitting 1: event 1 is damaged; 1 events before it are used, the last of 19"
    assert re.match(said, str(damage))


def test_one_event_and_several_are_written_alike(path):
    with Journal(path) as journal:
        journal.begin(SITTING)
        journal.append(1, 0, {"e": "have"}, 1.5)
        journal.append_all(1, 1, [({"e": "undo"}, ""), ({"e": "stick"}, "silent")], 2, batch=1)
    with JournalReader(path) as journal:
        found = [(each.time, each.entry()["e"], each.assumed, each.batch) for each in stored(path)]
    assert found == [(1.5, "have", b"", 0), (2.0, "undo", b"", 1), (2.0, "stick", b"silent", 1)]


def stored(path):
    with JournalReader(path) as journal:
        return journal.stored(1)


def test_several_events_are_written_all_or_none(path):
    with Journal(path) as journal:
        journal.begin(SITTING)
        with pytest.raises(TypeError, match="not JSON serializable"):
            journal.append_all(1, 0, [({"e": "have"}, ""), ({"e": object()}, "")], 1.0)
        assert journal.events(1) == ()
        journal.append(1, 0, {"e": "have"}, 1.0)
        assert len(journal.events(1)) == 1


def test_looks_are_kept_until_the_next_hand(path):
    with Journal(path) as journal:
        journal.begin(SITTING)
        journal.append_all(1, 0, [({"e": "have"}, "")], 1.0, looks=["one", "two"])
        journal.append_all(1, 1, [], 1.0, looks=["three"])
        assert journal.looks(1) == ["one", "two", "three"]
        journal.append_all(1, 1, [({"e": "next_hand"}, "")], 1.0, looks=["new"], forget_looks=True)
        assert journal.looks(1) == ["new"]
    spoil(path, "UPDATE looks SET line = 'something else'")
    with JournalReader(path) as journal:
        assert journal.looks(1) == []
        assert [each.what for each in journal.damage] == ["what was seen: damaged"]


def test_notes_settings_and_rules_come_back(path):
    sitting = dataclasses.replace(SITTING, rules=2, settings={"token": "5 ct"})
    with Journal(path) as journal:
        assert journal.begin(sitting) == dataclasses.replace(sitting, number=1)
        journal.note("wager", {"who": [0, 1]}, 5.0, sitting=1)
        journal.note("settings", {"open_cards": True}, 6.0)
        assert journal.notes() == (
            Note(1, "wager", {"who": [0, 1]}, 1),
            Note(2, "settings", {"open_cards": True}),
        )
    spoil(path, "UPDATE notes SET kind = 'other' WHERE number = 1")
    with JournalReader(path) as journal:
        assert [note.number for note in journal.notes()] == [2]
        assert "a note: damaged" in str(journal.damage[0])


# The number outside


def without_the_last(path, table="events"):
    """Leave the journal as a disk does that lost what it had confirmed."""
    key = "number = (SELECT max(number) FROM events)" if table == "events" else "closed > 0"
    change = "DELETE FROM events" if table == "events" else "UPDATE sittings SET closed = NULL"
    sealed = "" if table == "events" else ", sealed = x''"
    spoil(path, f"{change}{sealed} WHERE {key}")


@pytest.mark.fault(
    "the disk loses what it had confirmed",
    sees="The disk has lost something: sitting 1: its last 1 events are missing",
    does="goes on with what is there, and puts nothing aside: the journal itself is sound",
)
def test_a_journal_behind_the_number_outside_is_told_and_not_salvaged(path):
    filled(path, 3)
    without_the_last(path)
    with JournalReader(path) as journal:
        assert len(journal.events(1)) == 2
        assert journal.damage[0].lost
    with Journal(path) as journal:
        (notice,) = journal.notices
        assert notice.startswith("The disk has lost something: sitting 1: its last 1 events are mi")
        assert len(journal.events(1)) == 2
    assert aside_of(path) == []
    with Journal(path) as journal:
        assert journal.notices == [], "said once"


def test_an_end_that_is_lost_is_told(path):
    filled(path, 3)
    with Journal(path) as journal:
        journal.end(1, 5.0)
    without_the_last(path, "sittings")
    with Journal(path) as journal:
        assert "sitting 1: its end is missing" in journal.notices[0]
        assert journal.open_sittings()


def test_a_number_outside_that_lags_is_nothing(path):
    filled(path, 3)
    sector = path_of(path).read_bytes()
    assert len(sector) == 512
    with Journal(path) as journal:
        journal.append(1, 3, {"e": "undo"}, 9.0)
        journal.begin(SITTING)
    path_of(path).write_bytes(sector)
    with Journal(path) as journal:
        assert journal.notices == []


@pytest.mark.parametrize("sector", [b"", b"\0" * 512, b"x\ny\n", None])
def test_a_number_outside_that_is_torn_is_nothing(path, sector):
    filled(path, 3)
    if sector is None:
        path_of(path).unlink()
    else:
        path_of(path).write_bytes(sector)
    with Journal(path) as journal:
        assert journal.notices == []
    assert read_last(path).events == 3


def test_a_journal_that_was_replaced_or_is_gone_is_told(path, tmp_path):
    filled(path, 3)
    with Journal(tmp_path / "other.sqlite3") as journal:
        journal.begin(SITTING)
        for number in range(5):
            journal.append(1, number, {"e": "undo"}, 1.0)
    shutil.copy(tmp_path / "other.sqlite3", path)
    with Journal(path) as journal:
        assert "another one than that which was played in last" in journal.notices[0]
    path.unlink()
    with Journal(path) as journal:
        assert journal.notices == ["The journal is gone; a new one begins. Check the memory card."]


def test_it_plays_on_where_the_number_outside_cannot_be_written(path, caplog):
    filled(path, 1)
    path_of(path).unlink()
    path_of(path).mkdir()
    with Journal(path) as journal:
        journal.append(1, 1, {"e": "undo"}, 1.0)
        assert len(journal.events(1)) == 2
    assert "cannot be written" in caplog.text

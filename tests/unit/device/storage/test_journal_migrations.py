"""Journals of every earlier version: nothing in them is lost, and a power cut harms none."""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys

import pytest

from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal import schema as journal_schema
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from device.storage.journal.schema import SCHEMA_VERSION
from engine import Card, Deal, Facing, Player, Undo, apply, new_table
from tests.support.old_journals import OLD, write_old
from tests.support.paths import ROOT

DEALT = [Deal(seat, Card.parse(name), Facing.UP) for seat, name in ((0, "TS"), (1, "9H"))]


def played(path):
    """Play the beginning of a hand in a new journal; return it as an older boneace judged it."""
    clock = HandClock(wall=1_700_000_000.0)
    company = [Player(seat, name) for seat, name in enumerate(("Ann", "Zoë"))]
    state = new_table("bone-ace", company, dealer=1, edition=1)
    with Journal(path) as journal:
        session = Session.begin(journal, clock, "bone-ace", company, dealer=1)
        for event in DEALT:
            session.apply(event)
            state = apply(state, event)
    return state


@pytest.fixture(params=list(OLD))
def old(request, tmp_path):
    """A journal of an older version, what it holds, and its name."""
    state = played(tmp_path / "new.sqlite3")
    path = tmp_path / "journal.sqlite3"
    write_old(path, request.param, tmp_path / "new.sqlite3")
    return path, state, request.param


def tables_of(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return {
            table: [row[1:] for row in db.execute(f"PRAGMA table_info({table})")]
            for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }


def test_every_earlier_version_is_tried():
    assert {version for version, _ in OLD.values()} == set(range(SCHEMA_VERSION))
    assert set(journal_schema._MIGRATIONS) == set(range(SCHEMA_VERSION))


@pytest.mark.fault(
    "journal from an older version",
    sees="the hand they left",
    does="brings the journal to the new version, all or nothing, and keeps a copy for going back",
)
def test_the_hand_goes_on_where_it_was(old):
    path, state, _ = old
    clock = HandClock(wall=1_700_000_100.0)
    with Journal(path) as journal:
        assert journal.notices == []
        session = Session.resume(journal, clock, journal.open_sittings()[0])
        assert session.state == state
        options = session.state.setup.options
        assert (options.late_out, options.late_31) == ("at_showdown", "single"), "rule OT-26"
        session.apply(Undo())
        session.close()
        assert not journal.open_sittings()
    with JournalReader(path) as journal:
        assert len(journal.events(1)) == len(DEALT) + 1
        assert journal.sittings()[0].rules == 1
        assert journal.damage == (), "it is chained from its first event on"
    assert tables_of(path) == tables_of(path.with_name("new.sqlite3"))
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_the_older_boneace_finds_its_own_beside_it(old):
    path, _, name = old
    version, _ = OLD[name]
    before = tables_of(path)
    Journal(path).close()
    copy = path.with_name(f"journal.sqlite3.version-{version}")
    assert tables_of(copy) == before
    with contextlib.closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)
        assert db.execute("SELECT count(*) FROM events").fetchone() == (len(DEALT),)
    kept = copy.read_bytes()
    Journal(path).close()
    assert copy.read_bytes() == kept, "the second start has nothing to migrate"


def test_the_page_on_upgrades_names_what_0_1_finds_again():
    """0.1.0 wrote version 2; an earlier one was never given away."""
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert set(re.findall(r"journal\.sqlite3\.version-\d", page)) == {"journal.sqlite3.version-2"}


def test_readers_read_it_without_changing_it(old):
    path, _, _ = old
    before = path.read_bytes()
    with JournalReader(path) as journal:
        (sitting,) = journal.sittings()
        assert [player["name"] for player in sitting.players] == ["Ann", "Zoë"]
        assert sitting.bones == ""
        assert len(journal.events(sitting.number)) == len(DEALT)
    assert path.read_bytes() == before


def test_a_migration_that_fails_leaves_the_old_journal(old, monkeypatch):
    path, state, _ = old
    before = tables_of(path)
    schema_steps = journal_schema._MIGRATIONS[SCHEMA_VERSION - 1]

    def half(db):
        schema_steps(db)
        db.execute("ALTER TABLE sittings ADD COLUMN half TEXT")
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setitem(journal_schema._MIGRATIONS, SCHEMA_VERSION - 1, half)
        with pytest.raises(JournalError, match=r"cannot be prepared .*check the free space"):
            Journal(path)
    assert tables_of(path) == before
    with Journal(path) as journal:
        assert Session.resume(journal, HandClock(), journal.open_sittings()[0]).state == state


def test_a_power_cut_in_the_middle_leaves_the_old_journal(old):
    path, state, _ = old
    before = tables_of(path)
    code = (
        "import os, sys; from pathlib import Path\n"
        "from device.storage.journal import schema\n"
        "from device.storage.journal.journal import Journal\n"
        "def cut(db):\n"
        "    db.execute('ALTER TABLE sittings ADD COLUMN half TEXT')\n"
        "    os._exit(9)\n"
        "schema._MIGRATIONS[schema.SCHEMA_VERSION - 1] = cut\n"
        "Journal(Path(sys.argv[1]))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(path)], check=False, cwd=os.getcwd())
    assert run.returncode == 9
    assert tables_of(path) == before
    with Journal(path) as journal:
        assert Session.resume(journal, HandClock(), journal.open_sittings()[0]).state == state


def test_where_no_copy_can_be_kept_it_migrates_all_the_same(old, caplog):
    path, state, name = old
    path.with_name(f"journal.sqlite3.version-{OLD[name][0]}").mkdir()
    with Journal(path) as journal:
        assert Session.resume(journal, HandClock(), journal.open_sittings()[0]).state == state
    assert "no copy of the older journal was kept" in caplog.text


def test_a_damaged_journal_of_an_older_version_is_salvaged_into_the_new_one(old):
    path, state, _ = old
    data = bytearray(path.read_bytes())
    data[44] ^= 2  # SQLite does not open it any more
    path.write_bytes(data)
    with JournalReader(path) as journal:
        assert len(journal.events(1)) == len(DEALT)
        assert str(journal.damage[0]) == "pages of the file are damaged"
    with Journal(path) as journal:
        assert f"{len(DEALT)} of its events could be read" in journal.notices[0]
        assert Session.resume(journal, HandClock(), journal.open_sittings()[0]).state == state
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)

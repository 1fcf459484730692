"""A copy brings all of it back; what was there is kept; nothing half is ever in place."""

import contextlib
import os
import shutil
import sqlite3

import pytest

from device.cli import main
from device.storage.copies.backup import back_up
from device.storage.copies.copies import BEFORE, CopyError, check, found_in
from device.storage.copies.restore import restore
from device.storage.copies.table_name import TableNameError, rename_table, table_name
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from device.storage.journal.restoring import PLAN, staging
from tests.support.old_journals import write_old
from tests.support.table_state import play, told

NOW_S = 1_700_000_000.0


@pytest.fixture
def state(tmp_path, monkeypatch):
    folder = tmp_path / "state"
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.delenv("BONEACE_CONFIG", raising=False)
    rename_table(folder, "red-otter")
    for name in ("decks/mine.deck", "bones/brass.json", "lens.json", "settings.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"old {name}")
    config = tmp_path / "home" / "boneace" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[game]\nstake = 2\n")
    play(folder / "journal.sqlite3", 1000.0, close=False)
    return folder


def newest(state):
    return next(each.path for each in found_in(state / "backups") if not each.kind)


def test_a_blank_machine_plays_on_after_a_restore(state, tmp_path, capsys):
    assert main(["backup"]) == 0
    wanted = told(state / "journal.sqlite3")
    stick = shutil.copy(newest(state), tmp_path)
    shutil.rmtree(state)
    (tmp_path / "home" / "boneace" / "config.toml").unlink()
    assert main(["restore", stick, "--yes"]) == 0
    assert "brought back, with 6 other files" in capsys.readouterr().out
    assert told(state / "journal.sqlite3") == wanted
    assert table_name(state) == "red-otter"
    for name in ("decks/mine.deck", "bones/brass.json", "lens.json", "settings.json"):
        assert (state / name).read_text() == f"old {name}"
    assert (tmp_path / "home" / "boneace" / "config.toml").read_text() == "[game]\nstake = 2\n"
    with Journal(state / "journal.sqlite3") as journal:
        assert journal.open_sittings()[0].number == 1
        assert journal.notices == []


def test_all_that_is_brought_back_is_on_the_disk_before_the_plan(state, monkeypatch):
    """What the next start finishes must be whole after a power cut."""
    assert main(["backup"]) == 0
    synced, fsync, replace = set(), os.fsync, os.replace
    planned = []

    def sync(handle):
        synced.add(os.readlink(f"/proc/self/fd/{handle}"))
        fsync(handle)

    def rename(part, path):
        if path.name == PLAN:
            planned.extend((set(synced), {str(each) for each in path.parent.rglob("*")}))
        replace(part, path)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    assert main(["restore", "newest", "--yes"]) == 0
    before, staged = planned
    assert len(staged) > 6
    assert staged <= before


def test_newest_is_no_copy_that_a_new_machine_made_of_itself(state, tmp_path, capsys):
    """It has been switched on, and the stick plugged in, before anybody typed restore."""
    assert main(["backup"]) == 0
    wanted, stick = told(state / "journal.sqlite3"), tmp_path / "home" / "stick" / "boneace"
    stick.mkdir(parents=True)
    shutil.copy(newest(state), stick)
    shutil.rmtree(state)
    with Journal(state / "journal.sqlite3"):
        pass
    assert main(["backup"]) == 0
    assert main(["backup", "--to", str(stick)]) == 0
    assert len(found_in(stick)) == 2
    assert main(["restore", "newest", "--yes"]) == 1, "its own copy holds nothing"
    assert "there is no sound copy with a hand in it" in capsys.readouterr().err
    assert main(["restore", "newest", "--yes", "--from", str(stick)]) == 0
    assert told(state / "journal.sqlite3") == wanted


@pytest.mark.fault(
    "an old log beside a restored journal",
    sees="nothing of it",
    does="deletes it before the copy is put in place",
)
def test_what_lies_beside_the_old_journal_undoes_nothing(state):
    main(["backup"])
    path = state / "journal.sqlite3"
    wanted = told(path)
    with Journal(path) as journal:
        for number in range(3, 40):
            journal.append(1, number, {"e": "stick", "seat": 0}, 2000.0)
        left = {tail: (state / f"{path.name}{tail}").read_bytes() for tail in ("-wal", ".last")}
        assert left["-wal"]
    for tail, data in left.items():
        (state / f"{path.name}{tail}").write_bytes(data)
    assert main(["restore", "newest", "--yes"]) == 0
    assert told(path) == wanted
    with Journal(path) as journal:
        assert journal.notices == []
    kept = [each for each in found_in(state / "backups") if each.kind == BEFORE]
    assert [check(each.path).events for each in kept] == [40], "what was there is kept"


def test_a_damaged_journal_is_kept_byte_by_byte(state):
    main(["backup"])
    path = state / "journal.sqlite3"
    wanted = told(path)
    path.write_bytes(b"not a journal any more")
    assert main(["restore", "newest", "--yes"]) == 0
    (kept,) = (each for each in state.glob("*.damaged-*") if each.name[-1].isdigit())
    assert kept.read_bytes() == b"not a journal any more"
    assert told(path) == wanted


def test_a_copy_of_an_older_boneace_is_brought_back(state, capsys):
    path, bare = state / "journal.sqlite3", state / "backups" / "journal-20200101-000000.sqlite3"
    bare.parent.mkdir()
    write_old(bare, "version 2", path)
    wanted = told(bare)
    assert main(["restore", bare.name, "--yes"]) == 0
    assert told(path) == wanted
    assert (state / "lens.json").exists()
    capsys.readouterr()
    assert main(["restore"]) == 0
    assert "journal-20200101-000000.sqlite3  no name  2020-01-01" in capsys.readouterr().out


def test_a_copy_that_is_not_sound_changes_nothing(state, capsys):
    main(["backup"])
    copy = newest(state)
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 4
    copy.write_bytes(data)
    before = {path: path.read_bytes() for path in state.iterdir() if path.is_file()}
    assert main(["restore", str(copy), "--yes"]) == 1
    assert "is no sound copy" in capsys.readouterr().err
    main(["restore"])
    assert "not sound" in capsys.readouterr().out
    assert main(["restore", "nowhere.zip", "--yes"]) == 1
    assert {path: path.read_bytes() for path in before} == before


def test_a_copy_whose_sittings_cannot_be_read_is_not_brought_back(state, tmp_path, capsys):
    bad = shutil.copy(state / "journal.sqlite3", tmp_path / "bad.sqlite3")
    with contextlib.closing(sqlite3.connect(bad)) as db:
        db.execute("ALTER TABLE sittings RENAME COLUMN players TO people")
        db.commit()
    before = told(state / "journal.sqlite3")
    assert main(["restore", str(bad), "--yes"]) == 1
    assert str(bad) in capsys.readouterr().err
    assert told(state / "journal.sqlite3") == before


def test_nobody_is_robbed_of_the_game_in_play(state, capsys):
    main(["backup"])
    with Journal(state / "journal.sqlite3"):
        assert main(["restore", "newest", "--yes"]) == 1
        assert "systemctl stop boneace" in capsys.readouterr().err
        assert main(["erase", "--all", "--yes"]) == 1
        assert "systemctl stop boneace" in capsys.readouterr().err


def test_without_yes_a_script_changes_nothing(state, capsys):
    main(["backup"])
    play(state / "journal.sqlite3", 5000.0)
    wanted = told(state / "journal.sqlite3")
    assert main(["restore", "newest"]) == 1
    assert "nothing was changed" in capsys.readouterr().out
    assert told(state / "journal.sqlite3") == wanted


def test_newest_of_a_stick_that_only_others_share_names_them(state, tmp_path, capsys):
    stick = tmp_path / "stick"
    for name in ("red-otter", "blue-heron"):
        rename_table(state, name)
        play(state / "journal.sqlite3", 5000.0)
        assert main(["backup", "--to", str(stick)]) == 0
    rename_table(state, "calm-owl")
    assert main(["restore", "newest", "--yes", "--from", str(stick)]) == 1
    told = capsys.readouterr().err
    assert "no copy is of this table, calm-owl, but of blue-heron, red-otter; name one" in told


@pytest.mark.fault(
    "a restore cut off",
    sees="nothing of it",
    does="finishes it at the next start, or undoes it where its plan was not yet on the disk",
)
@pytest.mark.parametrize("planned", [False, True])
def test_a_restore_that_was_cut_off_is_finished_or_undone(state, planned, monkeypatch):
    path = state / "journal.sqlite3"
    copy = back_up(path, state / "backups", keep=1, wall_s=NOW_S).path
    old = told(path)
    play(path, 5000.0)
    new = told(path)

    class Cut(Exception):
        pass

    def cut(*_):
        raise Cut

    what = (
        "device.storage.copies.restore.finish"
        if planned
        else "device.storage.copies.restore.write_whole"
    )
    calls = iter([lambda _: None])
    monkeypatch.setattr(what, lambda *words: next(calls, cut)(*words) if planned else cut())
    with pytest.raises(Cut):
        restore(copy, path, state / "backups", lambda name: state / name, wall_s=NOW_S)
    assert (staging(path) / PLAN).exists() == planned
    if planned:
        with pytest.raises(JournalError, match="a restore was cut off; boneace play"):
            JournalReader(path)
    with Journal(path):
        pass
    assert told(path) == (old if planned else new)
    assert not staging(path).exists()


def test_a_newer_journal_is_refused(state):
    path = state / "journal.sqlite3"
    bare = state / "newer.sqlite3"
    shutil.copy(path, bare)
    data = bytearray(bare.read_bytes())
    data[60:64] = (99).to_bytes(4)
    bare.write_bytes(data)
    with pytest.raises(CopyError):
        check(bare)


def test_a_file_whose_name_has_no_date_is_no_copy(state, capsys):
    assert main(["backup"]) == 0
    for name in ("boneace-red-otter-000009-20269999-999999.zip", "journal-20269999-999999.sqlite3"):
        (state / "backups" / name).touch()
    assert main(["restore"]) == 0
    assert "20269999" not in capsys.readouterr().out


def test_the_name_of_a_table(state, capsys):
    assert main(["name"]) == 0
    assert capsys.readouterr().out == "red-otter\n"
    assert main(["name", "blue-owl-7"]) == 0
    assert table_name(state) == "blue-owl-7"
    assert main(["name", "../x"]) == 1
    (state / "name").unlink()
    made = table_name(state)
    assert made == table_name(state)
    assert len(made.split("-")) == 3


def test_a_name_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "state").write_text("no folder")
    with pytest.raises(TableNameError, match="cannot be written"):
        rename_table(tmp_path / "state", "red-otter")

"""Copies of the journal: whole while the game is played, and a stick that fails harms nobody."""

import contextlib
import os
import sqlite3
import subprocess
import sys

import pytest

from device.cli import main
from device.storage import backup
from device.storage.backup import BackupError, back_up, copies, find_stick
from device.storage.journal import Journal, SessionRecord

SITTING = SessionRecord("bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0, started=1.0)
NOON_S = 1_700_000_000.0  # 2023-11-14 22:13:20 UTC


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "copies"


def fill(path, events):
    with Journal(path) as journal:
        number = journal.begin(SITTING).number
        for each in range(events):
            journal.append(number, each, {"e": "have", "seat": 0}, 1000.0 + each)


def numbers(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT number FROM events ORDER BY number")]


def test_a_copy_is_a_journal_that_can_be_played_on(path, folder):
    fill(path, 7)
    copy = back_up(path, folder, keep=5, wall_s=NOON_S)
    assert copy.path.name == "journal-20231114-221320.sqlite3"
    assert copy.events == 7
    assert [each.name for each in folder.iterdir()] == [copy.path.name], "nothing beside it"
    with Journal(copy.path) as journal:
        assert len(journal.events(1)) == 7
        journal.append(1, 7, {"e": "stick", "seat": 0}, 2000.0)


def test_the_game_is_not_held_up_and_the_copy_holds_whole_events(path, folder):
    """The journal is open and written to, with events that are only in its log."""
    with Journal(path) as journal:
        number = journal.begin(SITTING).number
        for each in range(200):
            journal.append(number, each, {"e": "have", "seat": 0, "n": "x" * 400}, 1000.0)
            if each % 50 == 25:
                assert os.path.getsize(f"{path}-wal") > 0
                copy = back_up(path, folder, keep=50, wall_s=NOON_S + each)
                assert numbers(copy.path) == list(range(each + 1))
        assert len(journal.events(number)) == 200


def test_copies_beside_a_writer_of_another_process_are_always_whole(path, folder):
    code = (
        "import sys; from pathlib import Path\n"
        "from device.storage.journal import Journal, SessionRecord\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "journal.begin(SessionRecord('bone-ace', 'w', {}, (), 0))\n"
        "print('ready', flush=True)\n"
        "for each in range(100000):\n"
        "    journal.append(1, each, {'e': 'have', 'seat': 0}, 0.0)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=os.getcwd(), stdout=subprocess.PIPE
    ) as writer:
        try:
            assert writer.stdout.readline() == b"ready\n"
            seen = []
            for each in range(20):
                copy = back_up(path, folder, keep=50, wall_s=NOON_S + each)
                found = numbers(copy.path)
                assert found == list(range(copy.events))
                seen.append(copy.events)
        finally:
            writer.kill()
    assert seen == sorted(seen)
    assert seen[-1] > 0, "it wrote meanwhile"


def test_the_oldest_go_and_what_is_not_ours_stays(path, folder):
    fill(path, 1)
    folder.mkdir()
    theirs = folder / "journal-of-my-holidays.sqlite3"
    theirs.write_text("dear diary")
    for each in range(6):
        copy = back_up(path, folder, keep=3, wall_s=NOON_S + 3600 * each)
    assert copy.removed == 1
    assert [each.name for each in copies(folder)] == [
        "journal-20231115-031320.sqlite3",
        "journal-20231115-021320.sqlite3",
        "journal-20231115-011320.sqlite3",
    ]
    assert theirs.exists()


def test_two_in_one_second_and_a_clock_that_jumps_back_overwrite_nothing(path, folder):
    fill(path, 1)
    made = [back_up(path, folder, keep=9, wall_s=NOON_S).path for _ in range(3)]
    made.append(back_up(path, folder, keep=9, wall_s=0.0).path)
    assert len(set(made)) == 4
    assert copies(folder) == (made[2], made[1], made[0], made[3])
    newest = back_up(path, folder, keep=2, wall_s=1.0).path
    assert copies(folder) == (made[2], newest), "what was just made stays, whatever the clock says"


@pytest.mark.fault(
    "a copy of a damaged journal",
    sees="nothing of it; boneace backup names the damage and ends with 1",
    does="keeps it under a name of its own; it pushes out no copy but the damaged one before",
)
def test_a_copy_of_a_damaged_journal_pushes_out_no_sound_one(path, folder):
    fill(path, 3)
    good = back_up(path, folder, keep=1, wall_s=NOON_S)
    assert good.damage == ()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE events SET time = 0 WHERE number = 1")
        db.commit()
    for each in range(1, 4):
        bad = back_up(path, folder, keep=1, wall_s=NOON_S + each)
        assert str(bad.damage[0]).startswith("sitting 1: event 1 is damaged")
    assert copies(folder) == (good.path,)
    assert copies(folder, damaged=True) == (bad.path,)
    assert bad.path.name == "journal-20231114-221323-damaged.sqlite3"


def test_a_torn_copy_of_a_power_cut_is_no_copy_and_is_swept_up(path, folder):
    fill(path, 1)
    folder.mkdir()
    torn = folder / ".journal-20200101-000000.sqlite3.part"
    torn.write_bytes(b"half")
    assert copies(folder) == ()
    back_up(path, folder, keep=3, wall_s=NOON_S)
    assert not torn.exists()


def test_a_full_disk_keeps_the_copies_there_are(path, folder, monkeypatch):
    fill(path, 1)
    good = back_up(path, folder, keep=1, wall_s=NOON_S).path
    before = good.read_bytes()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.storage.atomic_file.os.fsync", full)
    with pytest.raises(BackupError, match=r"No space left.*made before are as they were"):
        back_up(path, folder, keep=1, wall_s=NOON_S + 60)
    assert [each.name for each in folder.iterdir()] == [good.name]
    assert good.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "play a hand first", id="none"),
        pytest.param(b"words, words, words" * 100, "was not copied", id="no database"),
    ],
)
def test_what_is_no_journal_is_not_copied(path, folder, content, words):
    if content is not None:
        path.parent.mkdir()
        path.write_bytes(content)
    with pytest.raises(BackupError, match=words):
        back_up(path, folder, keep=3, wall_s=NOON_S)
    assert copies(folder) == ()


def test_a_foreign_database_is_not_copied(path, folder):
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE events (x)")
    with pytest.raises(BackupError, match="no journal of boneace"):
        back_up(path, folder, keep=3, wall_s=NOON_S)


@pytest.fixture
def stick(tmp_path, monkeypatch):
    """A stick called ``MY STICK``, plugged in but not mounted; calling it mounts it."""
    labels, mounts = tmp_path / "by-label", tmp_path / "mountinfo"
    device, where = tmp_path / "sda1", tmp_path / "me dia"
    labels.mkdir()
    where.mkdir()
    device.touch()
    (labels / r"MY\x20STICK").symlink_to(device)
    root = "22 1 8:2 / / rw,noatime shared:1 - ext4 /dev/root rw\nnonsense\n"
    mounts.write_text(root)
    monkeypatch.setattr(backup, "LABELS", labels)
    monkeypatch.setattr(backup, "MOUNTS", mounts)

    def mount():
        at = str(where).replace(" ", r"\040")
        mounts.write_text(f"{root}36 22 8:1 / {at} rw,nosuid shared:9 - vfat {device} rw\n")
        return where

    return mount


def test_a_stick_is_found_by_its_label_where_it_is_mounted(stick):
    assert find_stick("MY STICK") is None
    where = stick()
    assert find_stick("MY STICK") == where
    assert find_stick("OTHER") is None
    assert find_stick("") is None


@pytest.fixture
def configured(tmp_path, monkeypatch, path):
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("STATE_DIRECTORY", str(path.parent))
    file = tmp_path / "c.toml"
    file.write_text('[backup]\nkeep = 2\nstick = "MY STICK"\n')
    monkeypatch.setenv("BONEACE_CONFIG", str(file))


def test_the_command_copies_to_the_state_folder_and_to_the_stick(configured, path, stick, capsys):
    fill(path, 5)
    where = stick()
    assert main(["backup"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.rpartition(": ")[2] for line in out] == ["5 events", "5 events"]
    assert len(copies(path.parent / "backups")) == 1
    assert len(copies(where / "boneace")) == 1


def test_a_stick_that_refuses_leaves_the_copy_in_the_state_folder(configured, path, stick, capsys):
    fill(path, 5)
    (stick() / "boneace").write_text("a file in the way")
    assert main(["backup"]) == 1
    assert len(copies(path.parent / "backups")) == 1
    assert "5 events" in capsys.readouterr().out


def test_the_timer_of_a_table_that_never_played_is_content(configured, path, capsys):
    assert main(["backup", "--if-any"]) == 0
    assert "nothing to copy" in capsys.readouterr().out
    assert main(["backup"]) == 1


def test_a_folder_can_be_named(configured, path, tmp_path, stick):
    fill(path, 5)
    where = stick()
    assert main(["backup", "--to", str(tmp_path / "here")]) == 0
    assert len(copies(tmp_path / "here")) == 1
    assert list(where.iterdir()) == [], "who names a folder wants it there alone"

"""Copies of the journal: whole while the game is played, and a stick that fails harms nobody."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from device.cli import main
from device.storage.copies import backup
from device.storage.copies.backup import BackupError, back_up, copies, find_stick, ours_in
from device.storage.copies.copies import CopyError, check, found_in, unpack
from device.storage.copies.table_name import rename_table, table_name
from device.storage.journal.journal import Journal
from device.storage.journal.reader import SessionRecord

SITTING = SessionRecord("bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0, started=1.0)
NOON_S = 1_700_000_000.0  # 2023-11-14 22:13:20 UTC


@pytest.fixture
def path(tmp_path):
    rename_table(tmp_path / "state", "red-otter")
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "copies"


def more(path):
    with Journal(path) as journal:
        journal.note("wager", {}, 1.0)


def fill(path, events):
    with Journal(path) as journal:
        number = journal.begin(SITTING).number
        for each in range(events):
            journal.append(number, each, {"e": "have", "seat": 0}, 1000.0 + each)


def bare(copy):
    """Return the journal in a copy, written beside it."""
    path = copy.parent.with_name(f"{copy.parent.name}-unpacked-{copy.stem}")
    unpack(copy, path)
    return path / "journal.sqlite3"


def names(journal, folder):
    return [each.path for each in copies(journal, folder)]


def numbers(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT number FROM events ORDER BY number")]


def test_a_copy_is_a_journal_that_can_be_played_on(path, folder):
    fill(path, 7)
    copy = back_up(path, folder, keep=5, wall_s=NOON_S)
    assert copy.path.name == "boneace-red-otter-000001-20231114-221320.zip"
    assert copy.events == 7
    assert [each.name for each in folder.iterdir()] == [copy.path.name], "nothing beside it"
    with Journal(bare(copy.path)) as journal:
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
                assert numbers(bare(copy.path)) == list(range(each + 1))
        assert len(journal.events(number)) == 200


def test_copies_beside_a_writer_of_another_process_are_always_whole(path, folder):
    code = (
        "import sys; from pathlib import Path\n"
        "from device.storage.journal.journal import Journal\n"
        "from device.storage.journal.reader import SessionRecord\n"
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
                found = numbers(bare(copy.path))
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
        more(path)
        copy = back_up(path, folder, keep=3, wall_s=NOON_S + 3600 * each)
    assert copy.removed == 1
    assert [each.name for each in names(path, folder)] == [
        "boneace-red-otter-000006-20231115-031320.zip",
        "boneace-red-otter-000005-20231115-021320.zip",
        "boneace-red-otter-000004-20231115-011320.zip",
    ]
    assert theirs.exists()


def test_two_in_one_second_overwrite_nothing(path, folder):
    made = []
    for _ in range(3):
        fill(path, 1)
        made.append(back_up(path, folder, keep=9, wall_s=NOON_S).path)
    assert names(path, folder) == made[::-1]


@pytest.mark.fault(
    "a wrong clock while copies are made",
    sees="nothing of it",
    does="counts the copies, so that their order does not depend on the clock",
)
def test_copies_of_a_wrong_clock_push_out_no_newer_ones(path, folder):
    made = []
    for clock in (2.2e9, 2.2e9 + 60, NOON_S, NOON_S + 60, 0.0, NOON_S + 120):
        fill(path, 1)
        made.append(back_up(path, folder, keep=3, wall_s=clock).path)
    assert "-2039" in made[0].name
    assert names(path, folder) == made[:2:-1]


def test_nothing_is_copied_where_nothing_has_changed(path, folder, tmp_path):
    fill(path, 1)
    deck = tmp_path / "a.deck"
    first = back_up(path, folder, keep=9, wall_s=NOON_S)
    Journal(path).close()
    again = back_up(path, folder, keep=9, wall_s=NOON_S + 60)
    assert (again.path, again.new, first.new) == (first.path, False, True)
    deck.write_bytes(b"a deck")
    parts = {"decks/a.deck": deck, "lens.json": tmp_path / "missing"}
    third = back_up(path, folder, keep=9, wall_s=NOON_S + 120, parts=parts)
    assert third.new
    assert set(check(third.path).parts) == {"journal.sqlite3", "decks/a.deck"}
    assert sorted(folder.iterdir()) == [first.path, third.path]


@pytest.mark.fault(
    "two tables on one USB stick",
    sees="nothing of it",
    does="names each copy after its table, and deletes only its own",
)
def test_two_tables_on_one_stick_leave_each_other_alone(path, folder, tmp_path):
    other = tmp_path / "other" / path.name
    fill(path, 1)
    with Journal(other) as journal:
        journal.begin(replace(SITTING, started=77.0))
    assert table_name(other.parent) != table_name(path.parent)
    old = folder / "journal-20200101-000000.sqlite3"  # of the other table, by an older boneace
    folder.mkdir()
    shutil.copy(other, old)
    theirs = back_up(other, folder, keep=9, wall_s=NOON_S).path
    for each in range(4):
        more(path)
        back_up(path, folder, keep=1, wall_s=NOON_S + each)
    assert theirs.exists()
    assert old.exists()
    assert len(names(path, folder)) == 1
    more(other)
    back_up(other, folder, keep=2, wall_s=NOON_S)
    assert not old.exists(), "the bare copies of an older boneace are counted"
    assert theirs.exists()


def test_all_copies_together_stay_within_the_budget(path, folder):
    fill(path, 50)
    size = back_up(path, folder, keep=99, wall_s=NOON_S).path.stat().st_size
    for each in range(12):
        more(path)
        back_up(path, folder, keep=99, wall_s=NOON_S + each, most_bytes=5 * size)
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 5 * size
    assert 3 <= len(names(path, folder)) <= 5
    kept = names(path, folder)
    more(path)
    with pytest.raises(BackupError, match=r"max_mb allows 100"):
        back_up(path, folder, keep=99, wall_s=NOON_S, most_bytes=100)
    assert names(path, folder) == kept, "a copy that is too large pushes out none"
    assert len(list(folder.iterdir())) == len(kept)


def test_a_copy_of_a_damaged_journal_is_part_of_the_budget(path, folder):
    fill(path, 50)
    size = back_up(path, folder, keep=99, wall_s=NOON_S).path.stat().st_size
    sound = folder / "sound"
    shutil.copy(path, sound)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE events SET time = 0 WHERE number = 40")
        db.commit()
    assert back_up(path, folder, keep=99, wall_s=NOON_S + 1).damage
    sound.replace(path)
    for each in range(2, 12):
        more(path)
        back_up(path, folder, keep=99, wall_s=NOON_S + each, most_bytes=4 * size)
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 4 * size
    assert [bool(each.kind) for each in ours_in(path, folder)].count(True) == 1


def test_a_turned_bit_of_a_copy_is_found(path, folder):
    fill(path, 3)
    copy = back_up(path, folder, keep=9, wall_s=NOON_S).path
    whole = copy.read_bytes()
    wanted = check(copy)
    chance = random.Random(1)
    for _ in range(200):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        copy.write_bytes(data)
        with contextlib.suppress(CopyError):
            assert check(copy) == wanted, "then nothing of what it holds was touched"


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
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute(f"UPDATE events SET time = {each} WHERE number = 1")
            db.commit()
        bad = back_up(path, folder, keep=1, wall_s=NOON_S + each)
        assert str(bad.damage[0]).startswith("sitting 1: event 1 is damaged")
    assert names(path, folder) == [good.path]
    assert [each.path for each in ours_in(path, folder) if each.kind] == [bad.path]
    assert bad.path.name == "boneace-red-otter-000004-20231114-221323-damaged.zip"


def test_a_torn_copy_of_a_power_cut_is_no_copy_and_is_swept_up(path, folder):
    fill(path, 1)
    folder.mkdir()
    torn = folder / ".journal-20200101-000000.sqlite3.part"
    torn.write_bytes(b"half")
    assert found_in(folder) == []
    back_up(path, folder, keep=3, wall_s=NOON_S)
    assert not torn.exists()


def test_a_full_disk_keeps_the_copies_there_are(path, folder, monkeypatch):
    fill(path, 1)
    good = back_up(path, folder, keep=1, wall_s=NOON_S).path
    before = good.read_bytes()
    more(path)

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
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    with pytest.raises(BackupError, match=words):
        back_up(path, folder, keep=3, wall_s=NOON_S)
    assert found_in(folder) == []


def test_a_foreign_database_is_not_copied(path, folder):
    path.parent.mkdir(exist_ok=True)
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
    assert len(found_in(path.parent / "backups")) == 1
    assert len(found_in(where / "boneace")) == 1


def test_a_stick_that_refuses_leaves_the_copy_in_the_state_folder(configured, path, stick, capsys):
    fill(path, 5)
    (stick() / "boneace").write_text("a file in the way")
    assert main(["backup"]) == 1
    assert len(found_in(path.parent / "backups")) == 1
    assert "5 events" in capsys.readouterr().out


def test_the_timer_of_a_table_that_never_played_is_content(configured, path, capsys):
    assert main(["backup", "--if-any"]) == 0
    assert "nothing to copy" in capsys.readouterr().out
    assert main(["backup"]) == 1


def test_a_folder_can_be_named(configured, path, tmp_path, stick):
    fill(path, 5)
    where = stick()
    assert main(["backup", "--to", str(tmp_path / "here")]) == 0
    assert len(found_in(tmp_path / "here")) == 1
    assert list(where.iterdir()) == [], "who names a folder wants it there alone"


@pytest.mark.parametrize("other_disk", [False, True])
def test_a_folder_on_the_disk_of_the_journal_is_told(
    configured, path, tmp_path, other_disk, monkeypatch, capsys
):
    """A stick that is not mounted is a folder of the memory card, and goes with it."""
    fill(path, 5)
    to = tmp_path / "media/stick"
    if other_disk:
        stat = type(path).stat

        def elsewhere(file, **how):
            found = list(stat(file, **how))
            found[2] += to in file.parents
            return os.stat_result(found)

        monkeypatch.setattr("device.commands.backup.Path.stat", elsewhere)
    assert main(["backup", "--to", str(to)]) == 0
    said = capsys.readouterr()
    assert ("is on the disk of the journal itself" in said.err) != other_disk

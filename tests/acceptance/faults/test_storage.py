"""A journal that cannot be used, though it is sound: each trouble is told with its own cure."""

import contextlib
import errno
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from device.cli import main
from device.clock import HandClock
from device.commands import doctor
from device.runtime.session import Session
from device.storage.copies.copies import unpack
from device.storage.journal.errors import JournalError, StorageFault, fault_of, refusal
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.reading import reading
from engine import Card, Deal, Facing, Player

SITTING = SessionRecord(
    "bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0, started=1000.5
)

COMMANDS = {
    "ledger": ["ledger"],
    "audit": ["ledger", "--audit"],
    "replay": ["replay"],
    "export": ["export"],
    "accuracy": ["accuracy"],
    "bones": ["bones", "stats"],
}
LOGS = ("-wal", "-shm", "-journal")


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "state"
    folder.mkdir()
    return folder / "journal.sqlite3"


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Nobody waits for a lock."""
    for module in ("reading", "schema"):
        monkeypatch.setattr(f"device.storage.journal.{module}.LOCK_S", 0.0)


def closed(path):
    """A journal as it is left when the program ends."""
    with Journal(path) as journal:
        company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess"))]
        session = Session.begin(journal, HandClock(wall=1e9), "bone-ace", company, dealer=1)
        for seat, name in ((0, "TS"), (1, "9H")):
            session.apply(Deal(seat, Card.parse(name), Facing.UP))


def cut(path):
    """A journal as a power cut leaves it: its last event is in the log alone."""
    closed(path)
    with Journal(path) as journal:
        journal.append(1, 2, {"e": "undo"}, 1e9)
        copies = {tail: Path(f"{path}{tail}").read_bytes() for tail in ("", "-wal")}
    for tail, content in copies.items():
        Path(f"{path}{tail}").write_bytes(content)
    assert os.path.getsize(f"{path}-wal")
    assert not os.path.exists(f"{path}-shm")


def cut_with_index(path):
    """The same, with the index of the log, which another start may have left."""
    cut(path)
    with JournalReader(path) as journal:
        journal.sittings()
    assert os.path.exists(f"{path}-shm")


def hot(path):
    """A copy of a journal, cut off while its first change was written."""
    closed(path)
    Path(f"{path}-wal").unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA cache_size = 1")
        db.execute("PRAGMA cache_spill = 1")
        db.execute("BEGIN")
        db.execute("UPDATE sittings SET game = 'half'")
        filler = "INSERT INTO events VALUES (1, ?, 0, hex(zeroblob(1000)), '', 0, x'')"
        db.executemany(filler, ((number,) for number in range(100, 130)))
        copies = {tail: Path(f"{path}{tail}").read_bytes() for tail in ("", "-journal")}
        db.execute("ROLLBACK")
    for tail, content in copies.items():
        Path(f"{path}{tail}").write_bytes(content)


LEFT = {each.__name__: each for each in (closed, cut, cut_with_index, hot)}


def told(path, capsys):
    """What each of the commands that read says of the journal."""
    found = {}
    for name, words in COMMANDS.items():
        status = main([*words, "--journal", str(path)])
        found[name] = (status, capsys.readouterr().out)
    return found


def events(path):
    with JournalReader(path) as journal:
        return [entry["e"] for _, entry in journal.events(1)]


def contents(folder):
    return {
        each.name: each.read_bytes() for each in folder.iterdir() if not each.name.endswith("-shm")
    }


# Locked


@pytest.fixture
def locked(path):
    closed(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        yield path
        db.execute("ROLLBACK")


@pytest.mark.fault(
    "journal locked by another program",
    sees="another program has locked the journal",
    does="does not start, changes nothing, and says to close that program",
)
@pytest.mark.parametrize("opens", [Journal, JournalReader])
def test_a_locked_journal_is_left_alone(locked, sees, opens):
    before = set(locked.parent.iterdir()) | {Path(f"{locked}.lock")}
    with pytest.raises(JournalError, match=f"{sees} .*close that program, then try again"):
        opens(locked)
    assert set(locked.parent.iterdir()) <= before


def test_a_locked_journal_is_not_copied_and_the_lock_is_named(locked, tmp_path, caplog):
    assert main(["backup", "--to", str(tmp_path / "copies"), "--journal", str(locked)]) == 1
    assert "another program has locked the journal" in caplog.text


def test_an_event_that_a_lock_refuses_can_be_written_later(path):
    closed(path)
    with Journal(path) as journal, contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match=r"has locked the journal, what .*close that"):
            journal.append(1, 2, {"e": "undo"}, 1e9)
        other.execute("ROLLBACK")
        journal.append(1, 2, {"e": "undo"}, 1e9)
    assert events(path) == ["deal", "deal", "undo"]


# Read-only


@pytest.mark.parametrize("left", LEFT)
def test_a_journal_is_read_where_sqlite_can_make_no_file(path, tmp_path, capsys, left):
    LEFT[left](path)
    copy = tmp_path / "copy" / path.name
    shutil.copytree(path.parent, copy.parent)
    wanted = told(copy, capsys)
    if left == "cut_with_index":
        Path(f"{path}-shm").unlink()
    # In the way of the file that SQLite needs, for root too.
    Path(f"{path}-shm").mkdir()
    assert told(path, capsys) == wanted
    assert events(path) == ["deal", "deal", *["undo"] * left.startswith("cut")]
    if left == "closed":
        with reading(path) as db, pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM events")


@pytest.fixture
def card(tmp_path):
    """A memory card: a file system of its own, which can be mounted read-only."""
    folder = tmp_path / "card"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a file system, and not in every container")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.fault(
    "read-only memory card",
    sees="the file or its disk is read-only",
    does="does not start, changes nothing; every command that reads the journal still does",
)
@pytest.mark.parametrize("left", LEFT)
def test_a_card_that_is_mounted_read_only_is_read(card, tmp_path, capsys, monkeypatch, sees, left):
    path = card / "journal.sqlite3"
    LEFT[left](path)
    copy = tmp_path / "copy" / path.name
    shutil.copytree(card, copy.parent)
    wanted = told(copy, capsys)
    before = contents(card)
    subprocess.run(["mount", "-o", "remount,ro", card], check=True)
    assert told(path, capsys) == wanted
    copies = tmp_path / "copies"
    assert main(["backup", "--to", str(copies), "--journal", str(path)]) == 0
    (made,) = copies.iterdir()
    unpack(made, tmp_path / "unpacked")
    assert events(tmp_path / "unpacked" / path.name) == events(copy)
    config = SimpleNamespace(journal=SimpleNamespace(file=path))
    monkeypatch.setattr(doctor, "load", lambda: config)
    assert "the journal there is sound, 1 sitting" in doctor.journal().detail
    with pytest.raises(JournalError, match=f"{sees} .*if the memory card is failing, save a copy"):
        Journal(path)
    assert main(["backup", "--journal", str(path)]) == 1
    assert contents(card) == before


def room(card):
    return shutil.disk_usage(card).free


def test_a_salvage_on_a_full_card_waits_for_room(card):
    path = card / "journal.sqlite3"
    with Journal(path) as journal:
        journal.begin(SITTING)
        for number in range(60):
            journal.append(1, number, {"e": "have", "n": "x" * 400}, 1000.0)
    data = path.read_bytes()
    path.write_bytes(data[:-4096] + bytes(4096))
    filler = card / "filler"
    filler.write_bytes(bytes(room(card)))
    with pytest.raises(JournalError, match=r"left as it is.*the disk is full .*free some space in"):
        Journal(path)
    with JournalReader(path) as journal:
        assert 0 < len(journal.events(1)) < 60
        assert journal.damage
    assert path.read_bytes() == data[:-4096] + bytes(4096)
    filler.unlink()
    with Journal(path) as journal:
        assert "The journal was damaged. It is kept as" in journal.notices[0]
        assert 0 < len(journal.events(1)) < 60


def test_a_journal_on_a_full_card_is_read(card):
    path = card / "journal.sqlite3"
    closed(path)
    (card / "filler").write_bytes(bytes(room(card)))
    assert events(path) == ["deal", "deal"]
    with pytest.raises(JournalError, match=r"the disk is full .*free some space in"):
        Journal(path)


def test_a_new_event_on_a_read_only_journal_names_the_cure(path):
    closed(path)
    with Journal(path) as journal:
        journal._connection().execute("PRAGMA query_only = ON")
        with pytest.raises(JournalError, match=r"is read-only, what just happened was not .*copy"):
            journal.append(1, 2, {"e": "undo"}, 1e9)


# I/O errors


@pytest.mark.fault(
    "memory card with I/O errors",
    sees="the disk cannot be read or written, as when a memory card fails",
    does="plays nothing that is not on disk, puts nothing aside, and says to save a copy",
)
def test_an_event_that_the_disk_refuses_is_not_played(path, sees):
    closed(path)
    with Journal(path) as journal:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))  # every write is refused
        try:
            with pytest.raises(JournalError, match=f"{sees}, what just happened .* replace the"):
                journal.append(1, 2, {"e": "undo"}, 1e9)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        journal.append(1, 2, {"e": "undo"}, 1e9)
    assert events(path) == ["deal", "deal", "undo"]


READS = (
    "import sys, pathlib\n"
    "from device.storage.journal.journal import Journal, JournalReader\n"
    "from device.storage.journal.errors import JournalError\n"
    "opens = JournalReader if sys.argv[2] == 'r' else Journal\n"
    "try: opens(pathlib.Path(sys.argv[1])).close()\n"
    "except JournalError as problem: sys.exit(str(problem))"
)


@pytest.mark.fault("memory card with I/O errors")
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("how", ["r", "w"])
@pytest.mark.parametrize("times", ["", "+"], ids=["once", "for good"])
def test_a_read_that_fails_is_no_damage(path, how, times):
    closed(path)
    before = path.read_bytes()
    failed = []
    strace = ["strace", "-f", "-qq", "-o", os.devnull]
    # SQLite reads this journal in a few steps; beyond the last nothing is left to fail.
    for read in range(1, 20):
        inject = f"inject=pread64:error=EIO:when={read}{times}"
        done = subprocess.run(
            [*strace, "-P", path, "-e", inject, sys.executable, "-c", READS, path, how],
            check=False,
            capture_output=True,
            text=True,
        )
        assert path.read_bytes()[100:] == before[100:]
        assert not list(path.parent.glob("*.damaged-*"))
        assert not list(path.parent.glob("*.salvag*"))
        failed.append(done.returncode)
        if done.returncode:
            assert "the disk cannot be read or written, as when a memory card fails" in done.stderr
    assert failed[0] == 1
    assert failed[-1] == 0
    assert events(path) == ["deal", "deal"]


# All of them


@pytest.mark.parametrize(
    ("number", "trouble"),
    [
        (errno.EROFS, StorageFault.READ_ONLY),
        (errno.EACCES, StorageFault.DENIED),
        (errno.EIO, StorageFault.BROKEN),
        (errno.ENOSPC, StorageFault.FULL),
        (errno.EDQUOT, StorageFault.FULL),
        (errno.ENOENT, None),
    ],
)
def test_what_the_system_says_is_told_apart(path, monkeypatch, number, trouble):
    problem = OSError(number, os.strerror(number))
    assert fault_of(problem, path) is trouble

    def refuse(*words, **more):
        raise problem

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(JournalError) as caught:
        Journal(path)
    cure = "choose another folder with --journal" if trouble is None else trouble.cure(path)
    assert str(caught.value).endswith(cure)


def test_an_io_error_on_a_disk_without_room_is_a_full_disk(path, monkeypatch):
    # So SQLite says it when the index of its log does not fit.
    problem = sqlite3.OperationalError("disk I/O error")
    problem.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert fault_of(problem, path) is StorageFault.BROKEN
    monkeypatch.setattr(
        "device.storage.journal.errors.shutil.disk_usage", lambda folder: SimpleNamespace(free=0)
    )
    assert fault_of(problem, path) is StorageFault.FULL
    assert f"free some space in {path.parent}" in str(refusal(path, "cannot be read", problem))


def test_every_trouble_has_a_cure_of_its_own(path):
    assert len({each.cure(path) for each in StorageFault}) == len(StorageFault)
    assert len({each.reason for each in StorageFault}) == len(StorageFault)

"""A damaged journal is salvaged whole or not at all, wherever the salvage is cut off."""

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader, SessionRecord

SITTING = SessionRecord(
    "bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0, started=1000.5
)
PAGE = 4096
LEAF = 10
"""The first byte of a page of events."""

WRITING = (
    "write,pwrite64,writev,pwritev,ftruncate,fallocate,fsync,fdatasync,"
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat"
)
"""The system calls that change what is on the disk."""

OPENS = (
    "import sys, pathlib; from device.storage.journal.journal import Journal; "
    "Journal(pathlib.Path(sys.argv[1])).close()"
)

needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not installed: apt install strace"
)


@pytest.fixture
def damaged(tmp_path):
    """The folder of a journal with a torn page, its last events still in the WAL."""
    folder, path = tmp_path / "damaged", tmp_path / "journal.sqlite3"
    folder.mkdir()
    with Journal(path) as journal:
        for sitting in (1, 2):
            journal.begin(SITTING)
            for number in range(20):
                event = {"e": "have", "seat": 0, "n": f"{sitting:0400}-{number}"}
                journal.append(sitting, number, event, 1000.0 + number)
    with Journal(path) as journal:
        journal.append(2, 20, {"e": "stick", "seat": 0}, 2000.0)
        for tail in ("", "-wal"):
            shutil.copy(f"{path}{tail}", folder / f"{path.name}{tail}")
    copy = folder / path.name
    data = bytearray(copy.read_bytes())
    (torn,) = (
        at
        for at in range(0, len(data), PAGE)
        if data[at] == LEAF and f"{1:0400}-15".encode() in data[at : at + PAGE]
    )
    data[torn : torn + PAGE] = bytes(PAGE)
    copy.write_bytes(data)
    return folder


def opened(folder):
    """Open the journal as the next start does; what it then holds, and what it says."""
    with Journal(folder / "journal.sqlite3") as journal:
        events = {each.number: journal.events(each.number) for each in journal.sittings()}
        return events, list(journal.notices)


def undisturbed(damaged, tmp_path):
    folder = tmp_path / "undisturbed"
    shutil.copytree(damaged, folder)
    events, _ = opened(folder)
    assert 0 < len(events[1]) < 20
    assert len(events[2]) == 21
    return events


def traced(folder, *words):
    """Salvage in a program of its own, under strace; what it called, in order."""
    calls = ",".join(f"?{name}" for name in WRITING.split(","))
    command = ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", folder / "trace", *words]
    command += [sys.executable, "-B", "-c", OPENS, folder / "journal.sqlite3"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, re.findall(r"^\d+ +(\w+)\(", (folder / "trace").read_text(), re.M)


def kills(damaged, tmp_path):
    """Kill the salvage as it enters each of its writing calls; yield the folder it leaves."""
    counted = tmp_path / "counted"
    shutil.copytree(damaged, counted)
    status, calls = traced(counted)
    assert status == 0
    before = Counter()
    for number, call in enumerate(calls, 1):
        before[call] += 1
        folder = tmp_path / f"{number}-{call}"
        shutil.copytree(damaged, folder)
        # strace counts the calls of each name by themselves.
        status, _ = traced(folder, "-e", f"inject={call}:signal=KILL:when={before[call]}")
        assert status == -signal.SIGKILL
        yield folder


@needs_strace
@pytest.mark.fault("salvage of a damaged journal cut off")
def test_a_kill_at_any_writing_call_loses_nothing(damaged, tmp_path):
    wanted = undisturbed(damaged, tmp_path)
    found = {folder.name: opened(folder)[0] == wanted for folder in kills(damaged, tmp_path)}
    lost = [name for name, whole in found.items() if not whole]
    assert not lost, f"{len(lost)} of {len(found)} kills lose events: {lost}"


def killed(damaged, out, how):
    command = [sys.executable, "-B", Path(__file__).with_name("killed_salvage.py")]
    done = subprocess.run(
        [*command, damaged, out, how], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return int(done.stdout)


@pytest.mark.fault(
    "salvage of a damaged journal cut off",
    sees="The journal was damaged, and its salvage was cut off; it has been finished now.",
    does="puts the new journal in place when it is whole, and goes on with what was cut off",
)
def test_a_start_after_a_salvage_that_was_cut_off_finishes_it(damaged, tmp_path, sees):
    wanted = undisturbed(damaged, tmp_path)
    kills = killed(damaged, tmp_path / "out", "once")
    assert kills > 30
    said = []
    for number in range(1, kills + 1):
        events, notices = opened(tmp_path / "out" / str(number))
        assert events == wanted, f"killed before step {number}"
        said.extend(notice.startswith(sees) for notice in notices)
    assert any(said)
    assert opened(tmp_path / "out" / "1")[1] == [], "said once"


def test_a_salvage_that_is_cut_off_again_and_again_comes_to_its_end(damaged, tmp_path):
    wanted = undisturbed(damaged, tmp_path)
    assert killed(damaged, tmp_path / "out", "again") > 10
    folder = tmp_path / "out" / "1"
    assert opened(folder) == (wanted, [])
    (aside,) = folder.glob("*.damaged-*[0-9]")
    assert aside.read_bytes() == (damaged / "journal.sqlite3").read_bytes()
    wal = aside.with_name(f"{aside.name}-wal")
    assert wal.read_bytes() == (damaged / "journal.sqlite3-wal").read_bytes()
    assert not list(folder.glob("*.salvag*"))


def test_each_step_is_on_the_disk_before_the_next(damaged, monkeypatch):
    """A power cut keeps the steps in their order: file, folder, then the next new name."""
    steps = []
    fsync, replace = os.fsync, os.replace

    def synced(handle):
        steps.append(("sync", Path(os.readlink(f"/proc/self/fd/{handle}")).name))
        fsync(handle)

    def renamed(source, target):
        steps.append((Path(source).name, Path(target).name))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    opened(damaged)
    (aside,) = damaged.glob("*.damaged-*[0-9]")
    stamp, name = aside.name.rpartition("-damaged")[2].partition(".damaged-")[2], "journal.sqlite3"
    whole, folder = f"{name}.salvaged-{stamp}", ("sync", damaged.name)
    assert [step for step in steps if not step[0].endswith("-shm")] == [
        ("sync", f"{name}.salvaging"),
        (f"{name}.salvaging", whole),
        ("sync", whole),
        folder,
        (name, aside.name),
        folder,
        (f"{name}-wal", f"{aside.name}-wal"),
        folder,
        ("sync", whole),
        (whole, name),
        ("sync", name),
        folder,
    ]


def test_a_damaged_journal_that_was_put_aside_and_nothing_else_is_salvaged(damaged, tmp_path):
    """As an older boneace leaves it when it is cut off."""
    wanted = undisturbed(damaged, tmp_path)
    for tail in ("", "-wal"):
        file = damaged / f"journal.sqlite3{tail}"
        file.rename(damaged / f"journal.sqlite3.damaged-20260101-000000{tail}")
    with pytest.raises(JournalError, match="salvage was cut off; boneace play will finish it"):
        JournalReader(damaged / "journal.sqlite3")
    (damaged / "journal.sqlite3").touch()
    events, (notice,) = opened(damaged)
    assert events == wanted
    assert "kept as journal.sqlite3.damaged-20260101-000000;" in notice


def test_a_copy_put_in_place_of_a_damaged_journal_is_used(damaged, tmp_path):
    whole = damaged / "journal.sqlite3.salvaged-20260101-000000"
    whole.write_bytes(b"what a salvage has made that was cut off")
    path = damaged / "journal.sqlite3"
    path.rename(damaged / "journal.sqlite3.damaged-20260101-000000")
    Path(f"{path}-wal").unlink()
    with Journal(tmp_path / "copy.sqlite3") as journal:
        journal.begin(SITTING)
    shutil.copy(tmp_path / "copy.sqlite3", path)
    assert opened(damaged) == ({1: ()}, [])


@pytest.mark.fault("disk full")
def test_a_full_disk_leaves_the_damaged_journal_in_its_place(damaged, tmp_path, monkeypatch):
    wanted = undisturbed(damaged, tmp_path)
    before = {each.name: each.read_bytes() for each in damaged.iterdir()}

    class Full(sqlite3.Connection):
        def execute(self, statement, *values):
            if statement == "BEGIN":
                super().execute("PRAGMA max_page_count = 1")
            return super().execute(statement, *values)

    connect = sqlite3.connect
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", lambda *w, **m: connect(*w, **m, factory=Full))
        with pytest.raises(JournalError, match=r"left as it is.*disk is full.*free some space in"):
            opened(damaged)
    assert not list(damaged.glob("*.salvag*"))
    assert {name: (damaged / name).read_bytes() for name in before} == before
    assert opened(damaged)[0] == wanted


def flips(path, content):
    """Yield the bytes of *path*, each time with another bit turned of the ten before *content*."""
    data = path.read_bytes()
    (at,) = (match.start() for match in re.finditer(re.escape(content), data))
    for bit in range(8 * 10):
        turned = bytearray(data)
        turned[at - 1 - bit // 8] ^= 1 << bit % 8
        yield bytes(turned)


@pytest.mark.parametrize("content", [b'{"e":"stick","n":3}', b"bone-acewillughby"])
def test_no_turned_bit_in_the_head_of_a_row_stops_a_salvage(tmp_path, content):
    path = tmp_path / "whole.sqlite3"
    with Journal(path) as journal:
        journal.begin(SITTING)
        for number in range(6):
            journal.append(1, number, {"e": "stick", "n": number}, 1000.5 + number)
    salvaged = 0
    for number, data in enumerate(flips(path, content)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "journal.sqlite3").write_bytes(data)
        with Journal(folder / "journal.sqlite3") as journal:
            salvaged += len(journal.notices)
            count = journal._connection().execute("SELECT count(*) FROM events").fetchone()[0]
            assert count >= 3 or "could be read" in journal.notices[0]
    assert salvaged > 10


@pytest.mark.fault("journal with a turned bit")
@pytest.mark.parametrize(
    ("table", "column", "value", "left"),
    [
        ("events", "event", b'{"e":"stick","n":3}', 6),
        ("events", "event", b"\xff", 3),
        ("events", "event", 7, 3),
        ("events", "time", "noon", 3),
        ("sittings", "started", b"1", 0),
        ("sittings", "game", b"bone-ace", 6),
        ("sittings", "game", 1.5, 0),
        ("sittings", "options", 3, 0),
        ("sittings", "players", b"\xff", 0),
        ("sittings", "dealer", "none", 0),
        ("sittings", "closed", "yes", 0),
        ("sittings", "bones", 0, 0),
    ],
)
def test_a_value_of_a_wrong_type_is_no_end_of_a_salvage(tmp_path, table, column, value, left):
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        journal.begin(SITTING)
        for number in range(6):
            journal.append(1, number, {"e": "stick", "n": number}, 1000.5 + number)
        wanted = journal.events(1)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        (strict,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        change = "UPDATE sqlite_schema SET sql = ? WHERE name = ?"
        # Affinity would turn the value back into the right type.
        loose = re.sub(r" (REAL|TEXT)\b", "", strict.replace("STRICT, ", "").replace("STRICT", ""))
        db.execute(change, (loose, table))
        db.execute("PRAGMA schema_version = 1000")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        key = "number" if table == "sittings" else "3 = number AND sitting"
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = 1", (value,))
        db.execute("PRAGMA writable_schema = ON")
        db.execute(change, (strict, table))
    with Journal(path) as journal:
        (notice,) = journal.notices
        events = journal._connection().execute("SELECT event FROM events ORDER BY number")
        assert [json.loads(event) for (event,) in events] == [each for _, each in wanted[:left]]
    assert f"{left} of its events could be read" in notice

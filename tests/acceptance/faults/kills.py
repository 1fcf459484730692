"""Kill the program at its writing system calls: python tests/acceptance/faults/kills.py.

A journal of 0.1 is migrated, then sittings begin and end, events are written one by one and several
at once, and notes. The program is killed as it enters each call that changes the disk. What it has
acknowledged must be there, at most one thing more, and nothing must look damaged. Needs strace;
takes some minutes.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from device.storage.journal.journal import Journal
from device.storage.journal.reader import SessionRecord
from tests.acceptance.faults import measured
from tests.support.old_journals import write_old
from tests.support.paths import ROOT

WRITING = (
    "write,pwrite64,writev,pwritev,ftruncate,fallocate,fsync,fdatasync,"
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat"
)
"""The system calls that change what is on the disk."""

BATCH = [({"e": "undo"}, ""), ({"e": "have", "seat": 1}, "silent_have"), ({"e": "undo"}, "")]
SITTING = SessionRecord("bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0, 1000.5)


def act(path, done):
    """Do all that play does to a journal; call *done* after each thing that is on the disk."""
    with Journal(path) as journal:
        done()
        for number in range(2, 4):
            journal.append(1, number, {"e": "stick", "seat": 0, "n": number}, 2000.0 + number)
            done()
        journal.append_all(1, 4, BATCH, 2010.0, batch=5, looks=["one", "two"])
        done()
        journal.append_all(1, 7, [({"e": "next_hand"}, "")], 2020.0, forget_looks=True)
        done()
        journal.note("wager", {"who": [0, 1]}, 2021.0, sitting=1)
        done()
        journal.end(1, 2022.0, '{"summary":1}')
        done()
        journal.begin(SITTING)
        done()
        journal.append(2, 0, {"e": "have", "seat": 0}, 2030.0)
        done()


def old(path):
    """Write a journal of 0.1 in mid-hand."""
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / "new.sqlite3"
        with Journal(new) as journal:
            journal.begin(SITTING)
            for number in range(2):
                journal.append(1, number, {"e": "stick", "seat": 0, "n": number}, 1000.0 + number)
        write_old(path, "version 2", new)


def held(path):
    """Return all that the journal holds, as the next start finds it, and what it says."""
    with Journal(path) as journal:
        sittings = journal.sittings()
        things = (
            sittings,
            [journal.stored(each.number) for each in sittings],
            [journal.looks(each.number) for each in sittings],
            journal.notes(),
        )
        return things, [*journal.notices, *map(str, journal.damage)]


def steps(folder):
    """Return what the journal holds after each acknowledged thing, undisturbed."""
    path = folder / "journal.sqlite3"
    old(path)
    found = []

    def keep():
        copy = folder / "copy" / path.name
        shutil.rmtree(copy.parent, ignore_errors=True)
        copy.parent.mkdir()
        for tail in ("", "-wal", ".last"):
            shutil.copy(f"{path}{tail}", f"{copy}{tail}")
        things, said = held(copy)
        assert said == []
        found.append(things)

    act(path, keep)
    return found


def traced(folder, *words):
    """Act in a program of its own, under strace: its status, calls, and what it acknowledged."""
    calls = ",".join(f"?{name}" for name in WRITING.split(","))
    command = ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", folder / "trace", *words]
    command += [sys.executable, "-B", __file__, folder / "journal.sqlite3"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    found = re.findall(r"^\d+ +(\w+)\(", (folder / "trace").read_text(), re.M)
    return done.returncode, found, done.stdout.count("done")


def kill_all(folder, every=1):
    """Kill at each *every*-th call; yield the call and what is wrong after it, empty if nothing."""
    (folder / "undisturbed").mkdir()
    wanted = steps(folder / "undisturbed")
    source = folder / "old" / "journal.sqlite3"
    source.parent.mkdir()
    old(source)
    counted = folder / "counted"
    shutil.copytree(source.parent, counted)
    status, calls, acknowledged = traced(counted)
    assert (status, acknowledged) == (0, len(wanted))
    before = Counter()
    for number, call in enumerate(calls, 1):
        before[call] += 1
        if number % every:
            continue
        each = folder / f"{number}-{call}"
        shutil.copytree(source.parent, each)
        # strace counts the calls of each name by themselves.
        inject = f"inject={call}:signal=KILL:when={before[call]}"
        status, _, acknowledged = traced(each, "-e", inject)
        assert status == -signal.SIGKILL, status
        things, said = held(each / "journal.sqlite3")
        name = f"{number}-{call}, {acknowledged} acknowledged"
        # Before the first is acknowledged the journal is of 0.1 or migrated: now it is migrated.
        allowed = wanted[max(0, acknowledged - 1) : acknowledged + 1]
        wrong = f"{name}: other things are there" if things not in allowed else ""
        yield name, wrong or (f"{name}: {said}" if said else "")
        shutil.rmtree(each)


def tell_kills(name, tried, lost):
    """Write down how often *name* was killed."""
    measured.tell(kills_at_calls=measured.told().get("kills_at_calls", {}) | {name: [tried, lost]})


def main():
    """Kill at every call; or, with a path, act on that journal."""
    if len(sys.argv) > 1:
        act(Path(sys.argv[1]), lambda: print("done", flush=True))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        found = dict(kill_all(Path(folder)))
    bad = [wrong for wrong in found.values() if wrong]
    print(f"{len(found)} kills, {len(bad)} lose something or look damaged", *bad, sep="\n  ")
    tell_kills("play", len(found), len(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

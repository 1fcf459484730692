"""Kill backup, restore and erase at their writing calls: killed_copies.py [EVERY].

Each command is killed as it enters each call that changes the disk. Then no copy that was sound may
be broken, the old or the new state must be whole, and the same command must get through. Needs
strace; takes ten minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from device.storage.copies.backup import back_up
from device.storage.copies.copies import CopyError, check, found_in
from device.storage.copies.table_name import rename_table
from device.storage.journal.journal import Journal
from tests.acceptance.faults.kills import WRITING, tell_kills
from tests.support.paths import ROOT
from tests.support.table_state import play, told

COMMANDS = {
    "backup": ["backup"],
    "restore": ["restore", "newest", "--yes"],
    "erase": ["erase", "--player", "Zoë Quimby", "--yes"],
}
SMALL = ("decks/mine.deck", "bones/brass.json", "lens.json", "settings.json")


def prepare(folder):
    """Make a state with two copies, and a journal that has gone on since."""
    state = folder / "state"
    rename_table(state, "red-otter")
    path = state / "journal.sqlite3"
    for number in range(3):
        play(path, 1000.0 * (number + 1), close=number < 2)
        for name in SMALL:
            (state / name).parent.mkdir(exist_ok=True)
            (state / name).write_text(f"{name} {number}")
        if number < 2:
            parts = {name: state / name for name in SMALL}
            back_up(path, state / "backups", keep=9, wall_s=2e9 + number, parts=parts)


def command(folder, name, *, strace=()):
    """Run a command on the state in *folder*; return its status and what it printed."""
    env = {
        **os.environ,
        "STATE_DIRECTORY": str(folder / "state"),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "PYTHONPATH": str(ROOT),
    }
    words = [*strace, sys.executable, "-B", "-m", "device.cli", *COMMANDS[name]]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=folder, env=env)
    return done.returncode, done.stdout + done.stderr


def traced(folder, name, *words):
    """Run a command under strace; return its status, output, and its writing calls."""
    calls = ",".join(f"?{call}" for call in WRITING.split(","))
    trace = folder / "trace"
    strace = ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", trace, *words]
    status, out = command(folder, name, strace=strace)
    return status, out, re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.M)


def held(folder):
    """Return the whole state, as the next start finds it."""
    path = folder / "state" / "journal.sqlite3"
    with Journal(path) as journal:
        notices = list(journal.notices)
    files = [(folder / "state" / name).read_text() for name in SMALL]
    found, notes, damage = told(path)
    return found, notes, damage, notices, files


def wrong_after(folder, name, before, after, copies):
    """Return what is wrong in *folder* after a kill and a new start; empty if nothing."""
    problems = []
    state = held(folder)
    if state not in (before, after):
        problems.append("neither the old state nor the new one is whole")
    there = found_in(folder / "state" / "backups")
    for each in there:
        try:
            check(each.path)
        except CopyError as problem:
            problems.append(str(problem))
    if not copies <= {each.path.name for each in there}:
        problems.append("a copy is gone")
    status, out = command(folder, name)
    if status:
        problems.append(f"again: {out}")
    if (again := held(folder)) != after and name != "erase":
        problems.append(f"again: another state: {again}")
    if name == "erase" and b"quimby" in b"".join(
        path.read_bytes().lower() for path in (folder / "state").rglob("*.sqlite3*")
    ):
        problems.append("the name is still there")
    return problems


def kill_all(folder, name, every=1):
    """Kill *name* at each *every*-th call; yield the call, and what is wrong after it."""
    source = folder / "source"
    prepare(source)
    copies = {each.path.name for each in found_in(source / "state" / "backups")}
    counted = folder / "counted"
    shutil.copytree(source, counted)
    before = held(source)
    status, out, calls = traced(counted, name)
    assert status == 0, out
    after = held(counted)
    seen = Counter()
    for number, call in enumerate(calls, 1):
        seen[call] += 1
        if number % every:
            continue
        each = folder / f"{number}-{call}"
        shutil.copytree(source, each)
        inject = f"inject={call}:signal=KILL:when={seen[call]}"
        status, out, _ = traced(each, name, "-e", inject)
        assert status == -signal.SIGKILL, (status, out)
        (each / "trace").unlink()
        yield f"{name} {number}-{call}", wrong_after(each, name, before, after, copies)
        shutil.rmtree(each)


def main():
    """Kill all three commands at every call."""
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    failed = 0
    for name in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            found = dict(kill_all(Path(folder), name, every))
        bad = {call: wrong for call, wrong in found.items() if wrong}
        print(f"{name}: {len(found)} kills, {len(bad)} lose something", flush=True)
        for call, wrong in bad.items():
            print(f"  {call}: {wrong}")
        failed += len(bad)
        if every == 1:
            tell_kills(name, len(found), len(bad))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

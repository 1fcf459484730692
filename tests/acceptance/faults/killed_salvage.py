"""Starts on a damaged journal that are killed, without any tool of the system.

Usage: killed_salvage.py DAMAGED OUT once|again — prints how many starts were killed. The n-th start
dies before its n-th step; a step is an SQL statement, a file made durable, renamed or deleted.
*once*: each start has a copy of DAMAGED of its own, OUT/1 and so on. *again*: all have the same
one, OUT/1, until a start gets through.
"""

import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from device.storage.journal.journal import Journal

MOST = 1000


def die_before(step):
    """Let this process die before its *step*-th step, counted from 1."""
    left = step

    def count(*_):
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(function):
        def call(*words, **more):
            count()
            return function(*words, **more)

        return call

    for name in ("replace", "fsync", "unlink"):
        setattr(os, name, counted(getattr(os, name)))
    connect = sqlite3.connect

    def watched(*words, **more):
        db = connect(*words, **more)
        db.set_trace_callback(count)
        return db

    sqlite3.connect = watched


def start(folder, step):
    """Start once in a process of its own; say whether it was killed."""
    child = os.fork()
    if child == 0:
        die_before(step)
        Journal(folder / "journal.sqlite3").close()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    assert status == 0, f"start {step} failed: {status}"
    return False


def main():
    damaged, out, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    for step in range(1, MOST):
        folder = out / str(step if how == "once" else 1)
        if not folder.exists():
            shutil.copytree(damaged, folder)
        if not start(folder, step):
            print(step - 1)
            return
    raise AssertionError("no start got through")


main()

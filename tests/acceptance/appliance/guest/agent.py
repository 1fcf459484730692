#!/usr/bin/python3
"""Inside the machine: does what the test asks over a port of the emulator's, a JSON line each.

``{"id": 7, "run": "uname -r", "limit_s": 60}`` is answered by
``{"id": 7, "status": 0, "out": "...", "err": "..."}``. Without being asked it tells of every
event in the table's journal, as soon as another program than boneace can read it:
``{"events": 12, "at": 101.2}``.
"""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time

PORT = "/dev/virtio-ports/appliance"
JOURNAL = "/var/lib/boneace/journal.sqlite3"
LOOK_S = 0.1


class Port:
    """Whole lines to and from the host."""

    def __init__(self, path):
        self._port = os.open(path, os.O_RDWR)
        self._lock = threading.Lock()

    def say(self, **what):
        line = json.dumps(what).encode() + b"\n"
        with self._lock:
            while line:
                line = line[os.write(self._port, line) :]

    def lines(self):
        rest = b""
        while True:
            piece = os.read(self._port, 1 << 16)
            if not piece:  # nobody is at the other end
                time.sleep(0.2)
                continue
            *whole, rest = (rest + piece).split(b"\n")
            yield from whole


def do(port, asked):
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", asked["run"]],
            capture_output=True,
            timeout=asked.get("limit_s"),
            stdin=subprocess.DEVNULL,
        )
        status, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        status, out, err = 124, late.stdout or b"", late.stderr or b""
    port.say(
        id=asked["id"],
        status=status,
        out=out.decode("utf-8", "replace"),
        err=err.decode("utf-8", "replace"),
    )


def tell_of_events(port):
    """Say how many events the journal holds, whenever that has changed.

    What another connection reads has been synced: SQLite shows it to others only then.
    """
    told = -1
    while True:
        with contextlib.suppress(sqlite3.Error):
            # Opened anew each time: the table may have put a damaged journal aside.
            journal = sqlite3.connect(f"file:{JOURNAL}?mode=ro", uri=True, timeout=1.0)
            try:
                while True:
                    (count,) = journal.execute("SELECT count(*) FROM events").fetchone()
                    if count != told:
                        port.say(events=count, at=time.monotonic())
                        told = count
                    time.sleep(LOOK_S)
            finally:
                journal.close()
        time.sleep(1.0)


def main():
    port = Port(PORT)
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        port.say(boot=file.read().strip())
    threading.Thread(target=tell_of_events, args=(port,), daemon=True).start()
    for line in port.lines():
        # Each on a thread of its own: a long command does not hold up the next.
        with contextlib.suppress(ValueError):
            threading.Thread(target=do, args=(port, json.loads(line)), daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())

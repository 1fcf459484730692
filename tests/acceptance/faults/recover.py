"""How long until the table goes on by itself: python tests/acceptance/faults/recover.py.

Real clocks, real threads, real processes and a real disk; written to measured.json, from which
docs/why/reliability.md is made. Takes two minutes.
"""

import datetime
import json
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from device.clock import SystemClock
from device.hardware.freeze_detector import FreezeDetector
from device.ports import CameraError, Frame
from device.runtime.camera_worker import ThreadedReadingSource
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from engine import Player
from engine.core.events import Deal, Undo
from tests.acceptance.faults import measured
from tests.support.paths import ROOT
from vision.readings import BackReading, Place, Reading, Zone, ZoneKind

RUNS = 7
EVENTS = 1000


def filled(path):
    """Make a journal with an unfinished hand and a whole evening of events."""
    with Journal(path) as journal:
        company = [Player(seat, f"Player {seat}") for seat in range(3)]
        session = Session.begin(journal, SystemClock(), "bone-ace", company, dealer=2)
        for _ in range(EVENTS // 2):
            session.apply(Deal(0, None))
            session.apply(Undo())


def killed(run):
    """Kill boneace, start it anew: until the hand is gone on with."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        filled(path)
        command = [sys.executable, "-m", "device.cli", "play", "--headless", "--camera", "v4l2:99"]
        command += ["--journal", str(path)]
        lines = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        took = 0.0
        for _ in range(2):
            began = time.monotonic()
            with subprocess.Popen([sys.executable, "-u", *command[1:]], **lines) as process:
                line = process.stdout.readline()
                took = time.monotonic() - began
                process.kill()
            assert line.startswith("Going on with hand"), line
        return took


def torn(run):
    """A page of the journal is torn: until the hand is gone on with."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        filled(path)
        data = bytearray(path.read_bytes())
        data[-4096:] = bytes(4096)
        path.write_bytes(data)
        began = time.monotonic()
        with Journal(path) as journal:
            assert journal.notices
            assert Session.resume_last(journal, SystemClock()) is not None
        return time.monotonic() - began


class Live:
    """A camera at ten pictures a second, with noise, until it fails."""

    def __init__(self, state):
        self.state = state
        self.rng = np.random.default_rng(1)

    def read(self, timeout_s=2.0):
        time.sleep(0.1)
        if self.state["absent"]:
            raise CameraError("unplugged; plug it in")
        if not self.state["frozen"]:
            self.state["image"] = self.rng.integers(100, 110, (90, 160, 3)).astype(np.uint8)
        return Frame(self.state["image"], time.monotonic())

    def close(self):
        pass


class Seen:
    def __init__(self):
        self.at = threading.Event()

    def see(self, image, time_s):
        self.at.set()


def back_again(run):
    """The camera's plug is pulled, and put back after some seconds: until it sees."""
    state = {"absent": False, "frozen": False}

    def opened():
        if state["absent"]:
            raise CameraError("unplugged; plug it in")
        return Live(state)

    seen = Seen()
    eyes = ThreadedReadingSource(opened, seen)
    assert seen.at.wait(10)
    state["absent"] = True
    time.sleep(1.7 + 4.3 * run)
    assert eyes.trouble is not None
    seen.at.clear()
    state["absent"] = False
    began = time.monotonic()
    assert seen.at.wait(60)
    took = time.monotonic() - began
    eyes.close()
    return took


def thawed(run):
    """The camera freezes and is well again once it is opened anew: until it sees."""
    state = {"absent": False, "frozen": False}
    freeze = FreezeDetector()
    first = []

    def opened():
        state["frozen"] = False
        first.append(time.monotonic())
        return freeze.guard(Live(state))

    seen = Seen()
    eyes = ThreadedReadingSource(opened, seen)
    time.sleep(4.0)
    assert freeze.has_noise
    state["frozen"] = True
    began = time.monotonic()
    while len(first) < 2:
        time.sleep(0.01)
    seen.at.clear()
    assert seen.at.wait(30)
    took = time.monotonic() - began
    eyes.close()
    return took


def room_again(run):
    """The disk is full, then has room: until what could not be written is written."""
    zone = Zone(ZoneKind.SEAT, 0)
    place = Place(((0.0, 0.0), (60.0, 0.0), (60.0, 88.0), (0.0, 88.0)), (30.0, 44.0), zone)
    reading = Reading(0.0, backs=(BackReading(0.99, place),), seats=2)

    class ReadingSource:
        frame, trouble, ended = 0, None, False

        def poll(self):
            return ()

    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "j.sqlite3") as journal:
        company = [Player(seat, f"Player {seat}") for seat in range(2)]
        clock = SystemClock()
        session = Session.begin(journal, clock, "bone-ace", company, dealer=1)
        app = TableController(session, ReadingSource(), [], clock)
        db = journal._connection()
        db.execute("PRAGMA query_only = ON")
        app.see(reading)
        assert session.events == 0
        time.sleep(0.9 * run)
        db.execute("PRAGMA query_only = OFF")
        began = time.monotonic()
        while session.events == 0:
            app.step()
            time.sleep(1 / 60)
        return time.monotonic() - began


def kills():
    """Play whole hands while being killed at every event, after it and in the middle of it."""
    told = {"kills": 0, "lost": 0, "events": 0}
    for when in ("after", "before"):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(
                [sys.executable, "-m", "tests.support.killed_player", folder, when, "4", "3"],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            )
            report = json.loads(run.stdout.splitlines()[-1])
            db = sqlite3.connect(Path(folder) / "journal.sqlite3")
            numbers = [row[0] for row in db.execute("SELECT number FROM events ORDER BY number")]
            db.close()
            shown = int((Path(folder) / "acknowledged").read_text())
            told["kills"] += report["killed"]
            told["events"] += shown
            told["lost"] += len(set(range(shown)) - set(numbers)) + bool(report["status"])
    return told


def main():
    beside = ("the camera's plug is put back", back_again), ("the camera freezes", thawed)
    alone = (
        ("the program is killed and started anew, 1,000 events in the journal", killed),
        ("a torn page in a journal of 1,000 events", torn),
    )
    survived = kills()
    times = {name: [do(run) for run in range(RUNS)] for name, do in alone}
    with ThreadPoolExecutor(4 * RUNS) as pool:
        for name, do in beside:
            times[name] = list(pool.map(do, range(RUNS)))
    name = "the full disk has room again"
    times[name] = [room_again(run) for run in range(RUNS)]
    told = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{platform.machine()}, Python {platform.python_version()}, shared with others",
        "runs": RUNS,
        "kills": survived,
        "recover_s": {
            name: [round(statistics.median(each), 2), round(max(each), 2)]
            for name, each in times.items()
        },
    }
    measured.tell(**told)
    print(json.dumps(told["recover_s"], indent=1), told["kills"])


if __name__ == "__main__":
    main()

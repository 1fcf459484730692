"""No internet, and no file outside the program's folders: every system call is traced.

Python's audit hooks see only what Python does. Libraries in C++ open sockets and files as well, so
``strace`` watches the whole process with its children.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from device.cli import COMMANDS
from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from engine import Player
from engine.core.events import Roll

NETWORK = ("socket", "connect", "bind", "sendto", "sendmsg", "sendmmsg")
OPEN = ("open", "openat", "openat2")
CHANGE = (
    *("creat", "truncate", "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat"),
    *("symlink", "symlinkat", "rename", "renameat", "renameat2"),
)

CALL = re.compile(r"^\d+ +(\w+)\((.*)")
INTERNET = re.compile(r"\bAF_INET6?\b|/systemd/resolve/")
"""An internet socket, which ``socket`` names when it is made, or the system's own name service.

Without such a socket nothing can be sent: the other calls are traced to see where it would go.
"""
WRITING = re.compile(r"\bO_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b")
PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')

LONG_ENOUGH_S = 15
"""The telemetry of ONNX Runtime 1.32 looks its server up 10 seconds after it was imported."""


@dataclass(frozen=True)
class Trace:
    """What one command did."""

    status: int
    output: str
    calls: tuple[tuple[str, str], ...]
    """Each system call, as its name and the rest of its line."""
    cwd: Path

    def internet(self) -> list[str]:
        """Return the calls that have to do with the internet, or with looking a name up in it."""
        return [
            f"{name}({rest}"
            for name, rest in self.calls
            if name in NETWORK and INTERNET.search(rest)
        ]

    def written(self) -> set[str]:
        """Return every path that was opened for writing, made or renamed, or was to be."""
        return {
            os.path.normpath(os.path.join(folder or self.cwd, path))
            for name, rest in self.calls
            if name in CHANGE or (name in OPEN and WRITING.search(rest))
            for folder, path in PATH.findall(rest)
        }

    def written_outside(self, *folders: Path) -> list[str]:
        """Return what was written neither in *folders*, which may be made, nor to a device."""

        def may_be(path: Path) -> bool:
            if path.is_relative_to("/dev") and not path.is_relative_to("/dev/shm"):
                return True
            return any(path.is_relative_to(each) or each.is_relative_to(path) for each in folders)

        return [path for path in sorted(self.written()) if not may_be(Path(path))]


class Tracer:
    """Runs commands under strace, in a home and a folder for passing files of their own."""

    def __init__(self, folder: Path) -> None:
        self.home, self.work = folder / "home", folder / "work"
        self.passing = folder / "passing"
        self._runs = itertools.count()
        for each in (self.home, self.work, self.passing):
            each.mkdir()
        # Nothing else is handed down: where CI is set, for one, ONNX Runtime sends nothing anyway.
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(self.passing),
            "LC_ALL": "C.UTF-8",
            # Else a driver for graphics or sound keeps a cache of its own, for all programs.
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, words: Sequence[object]) -> Trace:
        log = self.work.parent / f"calls-{next(self._runs)}"
        calls = ",".join(f"?{name}" for name in (*NETWORK, *OPEN, *CHANGE))
        done = subprocess.run(
            [
                *("strace", "-f", "--seccomp-bpf", "-qq", "-y", "--signal=none"),
                *("-o", log, "-e", f"trace={calls}", *map(str, words)),
            ],
            cwd=self.work,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        found = (CALL.match(line) for line in lines)
        entered = tuple((call[1], call[2]) for call in found if call is not None)
        return Trace(done.returncode, done.stdout, entered, self.work)


@pytest.fixture(scope="module")
def can_trace() -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed (Debian: apt install strace)")
    done = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"strace may trace nothing here: {done.stderr.strip()}")


STATE, CACHE, OUT = ".local/state/boneace", ".cache/boneace", "../work/out"
"""Folders from the home folder: the state, what may be made again, and that of the command line."""

SOUND = re.compile(r"/\.config(/pulse.*)?$|/pulse-\w+(/.*)?$")
"""What the sound library of espeak-ng makes, where that is installed and the voice is tried."""


@dataclass(frozen=True)
class Line:
    """One command line, the folders in which it may write, and how it may end."""

    words: str
    folders: tuple[str, ...] = ()
    ends: tuple[int, ...] = (0,)


LINES = {
    "demo": Line("demo --hands 1 --headless --out out --record out/film", (OUT, CACHE)),
    # As the demo told: with its camera, its presses and its players.
    "play": Line("play", (STATE, CACHE)),
    "read": Line("read out/film/00100.jpg", (CACHE,)),
    "watch": Line("watch --camera out/film", (CACHE,)),
    "check deck": Line("check deck --camera out/film", (CACHE,), (1,)),
    "export": Line("export --out out/evening.json", (STATE, OUT)),
    "referee": Line("referee out/evening.json"),
    "replay": Line("replay", (STATE,)),
    "correct": Line("correct 1 --void --dry-run", (STATE,)),
    "count bones": Line("count bones --headless --camera out/film", (STATE, CACHE)),
    "count cards": Line("count cards --headless --camera out/film", (STATE, CACHE)),
    "ledger": Line("ledger --picture out/ledger.png", (STATE, CACHE, OUT)),
    "accuracy": Line("accuracy", (STATE,)),
    "bones stats": Line(
        "bones stats --journal out/bones.sqlite3 --picture out/bones.png", (STATE, CACHE, OUT)
    ),
    "teach deck": Line("teach deck mine --camera out/film/00100.jpg", (STATE, CACHE), (1,)),
    "teach bones": Line("teach bones mine --camera out/film", (STATE, CACHE), (1,)),
    "mat": Line("mat -o out/mat.pdf", (OUT,)),
    "card": Line("card -o out/card.pdf", (OUT,)),
    "wiring": Line("wiring --example --svg out/pins.svg --png out/pins.png", (OUT,)),
    "rules": Line("rules bone-ace"),
    "odds": Line("odds bone-ace"),
    "calibrate": Line("calibrate --camera out/film --lens", (STATE, CACHE)),
    "config": Line("config --explain"),
    # A machine of a test may lack a camera.
    "doctor": Line("doctor", (STATE, CACHE), (0, 1)),
    "support": Line("support --out out/report.zip", (STATE, CACHE, OUT)),
    "name": Line("name red-otter", (STATE,)),
    "backup": Line("backup", (STATE,)),
    "restore": Line("restore newest --yes", (STATE,)),
    "erase": Line("erase --all --yes", (STATE,)),
}
"""Every command, in an order in which each finds what it needs."""

WAITING = Line(
    "play --headless --camera v4l2:99 --journal wait/journal.sqlite3",
    ("../work/wait", STATE, CACHE),
    (124,),
)
"""A table that waits for its camera: what is sent by a clock and not by an event shows here."""

WITH_NETWORKS = ("demo", "play", "read", "watch", "check deck", "doctor", "play, waiting")


def commands() -> set[str]:
    """Return every command of the program, with what its first word after it must be."""
    found = set()
    for name in COMMANDS:
        parser = argparse.ArgumentParser()
        importlib.import_module(f"device.commands.{name}").add_arguments(parser)
        parts = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
        found |= {f"{name} {part}" for each in parts for part in each.choices} or {name}
    return found


ON_THE_NETWORK = {"web", "hall", "publish"}
"""What their owner turns on so that others in the network are served; each has its own tests."""


def test_no_command_is_forgotten() -> None:
    assert set(LINES) | ON_THE_NETWORK == commands()
    assert not LINES.keys() & ON_THE_NETWORK


def boneace(words: str) -> list[str]:
    return [sys.executable, "-m", "device.cli", *shlex.split(words)]


def throw_bones(path: Path) -> None:
    """Write a journal in which a bone was thrown."""
    with Journal(path) as journal:
        people = [Player(0, "Ann"), Player(1, "Bess")]
        session = Session.begin(journal, HandClock(), "knucklebones", people, dealer=1)
        session.apply(Roll(0, (1, 3, 4, 6, 1)))


def traces(tracer: Tracer) -> dict[str, Trace]:
    """Run every command, one after the other, and beside them a table that waits."""
    made: dict[str, Trace] = {}
    with ThreadPoolExecutor(1) as beside:
        wait = ["timeout", "--signal=INT", str(LONG_ENOUGH_S), *boneace(WAITING.words)]
        waiting = beside.submit(tracer.run, wait)
        for name, line in LINES.items():
            words = line.words
            if name == "play":
                told = re.search(r"score them: boneace (.*)", made["demo"].output)
                assert told is not None, made["demo"].output
                words = re.sub(r"--journal \S+", "", told[1])
            made[name] = tracer.run(boneace(words))
        made["play, waiting"] = waiting.result()
    return made


@pytest.mark.slow  # one test, since it runs each command once
def test_no_command_uses_the_internet_or_writes_elsewhere(tracer) -> None:
    (tracer.work / "out").mkdir()
    throw_bones(tracer.work / "out" / "bones.sqlite3")
    made = traces(tracer)
    for name, line in {**LINES, "play, waiting": WAITING}.items():
        trace = made[name]
        # Else a program that does nothing would do.
        assert trace.status in line.ends, (name, trace.output)
        assert "Traceback" not in trace.output, (name, trace.output)
        assert trace.internet() == [], name
        own = [Path(os.path.normpath(tracer.home / each)) for each in line.folders]
        stray = [path for path in trace.written_outside(*own) if not SOUND.search(path)]
        assert stray == [], name
    for name in WITH_NETWORKS:
        opened = "\n".join(rest for call, rest in made[name].calls if call in OPEN)
        assert "vision/models/reader.onnx" in opened, name
        if importlib.util.find_spec("onnxruntime") is not None:
            assert "onnxruntime_pybind11_state" in opened, name


@pytest.fixture
def tracer(can_trace, tmp_path) -> Tracer:
    return Tracer(tmp_path)


@pytest.mark.parametrize(
    "code",
    [
        "socket.socket(socket.AF_INET).connect_ex(('127.0.0.1', 9))",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
        "socket.socket(socket.AF_UNIX).connect_ex('/run/systemd/resolve/io.systemd.Resolve')",
    ],
    ids=["tcp", "udp", "ipv6", "name service"],
)
def test_a_socket_of_a_thread_of_a_child_is_seen(tracer, code) -> None:
    script = f"import socket, threading; threading.Thread(target=lambda: {code}).start()"
    trace = tracer.run(["sh", "-c", shlex.join([sys.executable, "-c", script]) + "; true"])
    assert trace.status == 0, trace.output
    assert trace.internet() != []


def test_a_socket_inside_the_machine_is_none_of_the_internet(tracer) -> None:
    code = "import socket; socket.socket(socket.AF_UNIX).connect_ex('/run/none')"
    trace = tracer.run([sys.executable, "-c", code])
    assert [name for name, _ in trace.calls if name in NETWORK] == ["socket", "connect"]
    assert trace.internet() == []


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("open(os.path.expanduser('~/id'), 'w')", "home/id"),
        ("open(os.environ['TMPDIR'] + '/.ses', 'w')", "passing/.ses"),
        ("os.mkdir(os.path.expanduser('~/.cache'))", "home/.cache"),
        ("os.rename('own', 'moved')", "work/moved"),
        ("os.open('new', os.O_CREAT, dir_fd=os.open('..', os.O_RDONLY))", "new"),
    ],
)
def test_a_file_outside_the_folders_is_seen(tracer, code, path) -> None:
    own = tracer.work / "own"
    own.mkdir()
    trace = tracer.run([sys.executable, "-c", f"import os; open('own/mine', 'w'); {code}"])
    assert trace.status == 0, trace.output
    assert str(own / "mine") in trace.written()
    assert trace.written_outside(own) == [str(tracer.work.parent / path)]

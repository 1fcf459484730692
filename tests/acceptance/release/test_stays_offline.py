"""No internet, and no file outside the program's folders: every system call is traced.

Python's audit hooks see only what Python does. Libraries in C++ open sockets and files as well, so
``strace`` watches the whole process with its children.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

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
        log = self.work.parent / "calls"
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


@pytest.fixture(scope="module")
def evening(can_trace, tmp_path_factory) -> tuple[Tracer, dict[str, Trace]]:
    """Every command that loads the networks, one after the other."""
    tracer = Tracer(tmp_path_factory.mktemp("offline"))

    def boneace(words: str) -> list[str]:
        return [sys.executable, "-m", "device.cli", *shlex.split(words)]

    made = {"demo": tracer.run(boneace("demo --hands 1 --headless --out out --record film"))}
    told = re.search(r"score them: boneace (.*)", made["demo"].output)
    assert told is not None, made["demo"].output
    made["play"] = tracer.run(boneace(told[1]))
    made["read"] = tracer.run(boneace("read film/00100.jpg"))
    made["doctor"] = tracer.run(boneace("doctor"))
    # A table that waits for its camera: what is sent by a clock and not by an event shows here.
    waiting = boneace("play --headless --camera v4l2:99 --journal wait/journal.sqlite3")
    made["play, waiting"] = tracer.run(["timeout", "--signal=INT", LONG_ENOUGH_S, *waiting])
    return tracer, made


COMMANDS = {"demo": (0,), "play": (0,), "read": (0,), "doctor": (0, 1), "play, waiting": (124,)}
"""Each with how it may end: a machine of a test may lack a camera, and ``timeout`` ends waiting."""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_traced_while_it_runs_the_networks(evening, command) -> None:
    """Else the two tests below would be content with a program that does nothing."""
    trace = evening[1][command]
    assert trace.status in COMMANDS[command], trace.output
    opened = "\n".join(rest for name, rest in trace.calls if name in OPEN)
    assert "vision/models/reader.onnx" in opened
    if importlib.util.find_spec("onnxruntime") is not None:
        assert "onnxruntime_pybind11_state" in opened


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_uses_no_internet(evening, command) -> None:
    assert evening[1][command].internet() == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_writes_only_in_its_own_folders(evening, command) -> None:
    tracer, made = evening
    folders = (".local/state/boneace", ".cache/boneace")
    own = (*map(tracer.home.joinpath, folders), *map(tracer.work.joinpath, FOLDERS))
    assert made[command].written_outside(*own) == []


FOLDERS = ("out", "film", "wait")
"""Named on the command lines above."""


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

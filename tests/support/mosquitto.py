"""A real Mosquitto on the loopback, at a free port, for the tests of a hall."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
needs_mosquitto = pytest.mark.skipif(
    PROGRAM is None, reason="mosquitto is not installed (Debian: mosquitto)"
)


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Mosquitto:
    """A broker that can be killed and started again at the same port."""

    def __init__(self, folder: Path, *lines: str, anonymous=True):
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        self._process = None
        me = ["user root"] if os.geteuid() == 0 else []
        text = [
            *me,
            "per_listener_settings false",
            f"listener {self.port} 127.0.0.1",
            f"allow_anonymous {'true' if anonymous else 'false'}",
            "persistence true",
            f"persistence_location {folder}/",
            *lines,
        ]
        self._config.write_text("\n".join(text) + "\n")

    def start(self):
        log = self._log.open("ab")
        self._process = subprocess.Popen(
            [PROGRAM, "-c", self._config], stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        log.close()
        for _ in range(500):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return self
            assert self._process.poll() is None, self._log.read_text()
            time.sleep(0.02)
        raise AssertionError("mosquitto does not listen")

    def kill(self):
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def log(self):
        return self._log.read_text()

    __enter__ = start

    def __exit__(self, *_):
        self.kill()

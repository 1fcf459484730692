"""The web process killed while a hand is played: the table notices nothing, nobody misses anything.

A hundred times: python -m tests.acceptance.web.test_torn_down 100
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.support.paths import ROOT
from tests.support.played_table import PlayedTable


class Follower:
    """Reads the events for ever, as a browser does, with the last id that it has."""

    def __init__(self, url: str, last: str) -> None:
        self.ids: list[str] = []
        self.connected = threading.Event()
        self._url, self._last, self._over = f"{url}/api/events", last, False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over:
            try:
                request = Request(self._url, headers={"last-event-id": self._last})
                for line in urlopen(request, timeout=20):
                    if line.startswith(b"id: "):
                        self._last = line[4:].decode().strip()
                        self.ids.append(self._last)
                    if line.startswith(b"event: state"):
                        self.connected.set()
            except OSError:
                pass
            time.sleep(0.05)

    def close(self) -> None:
        self._over = True


def free_port() -> int:
    """Return a port that no connection draws for its own end: it would meet itself there."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def torn_down(folder: Path, kills: int) -> tuple[list[float], float]:
    """Return after how many seconds the pages were right again each time, and the longest step."""
    with PlayedTable(folder / "table", seats=4) as table:
        port = free_port()
        config = folder / "config.toml"
        config.write_text(
            f'[web]\nenabled = true\nhost = "127.0.0.1"\nport = {port}\nsocket = "{table.path}"\n'
        )
        command = [sys.executable, "-m", "device.cli", "--config", str(config), "web"]
        url = f"http://127.0.0.1:{port}"

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)

        table.go_on()
        sitting = table.session.record.number
        follower, service = Follower(url, f"{sitting}.0"), start()
        assert follower.connected.wait(60)
        back, longest = [], 0.0
        for number in range(kills):
            follower.connected.clear()
            service.kill()
            service.wait()
            for _ in range(number % 4 + 1):
                began = time.monotonic()
                table.go_on()
                longest = max(longest, time.monotonic() - began)
            service, began = start(), time.monotonic()
            newest = table.session.events - 1
            while True:
                assert service.poll() is None, "the service has not started"
                assert time.monotonic() - began < 60
                try:
                    state = json.load(urlopen(f"{url}/api/state", timeout=5))
                    if state["number"] == newest:
                        break
                except OSError:
                    time.sleep(0.02)
            back.append(time.monotonic() - began)
            assert follower.connected.wait(20)
        last = f"{sitting}.{table.session.events - 1}"
        until = time.monotonic() + 20
        while follower.ids[-1:] != [last]:
            assert time.monotonic() < until, "the last event has not come"
            time.sleep(0.05)
        follower.close()
        service.terminate()
        service.wait()
        assert follower.ids == [f"{sitting}.{n}" for n in range(1, table.session.events)]
        return back, longest


@pytest.mark.slow
def test_nobody_misses_anything_when_the_service_is_killed(tmp_path):
    _back, longest = torn_down(tmp_path, 4)
    assert longest < 1.0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        took, step = torn_down(Path(place), int(sys.argv[1]))
    took.sort()
    middle, worst = took[len(took) // 2], took[-1]
    print(f"{len(took)} kills: right again after {middle:.2f} s (median), {worst:.2f} s (most)")
    print(f"longest event at the table: {1000 * step:.0f} ms; no event lost or told twice")

"""The program itself, started as systemd starts it, before a camera that gives drawn pictures.

Only the camera is another: it copies a picture of a drawn table at its own pace, as the real one
hands over what its chip has written. Which picture, a file says that can be written meanwhile.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from device.ports import Closing, Frame, Image
from tests.support.paths import ROOT

FPS = 30
READY_S = 60.0
TICKS = os.sysconf("SC_CLK_TCK")


class PictureCamera:
    """Gives the picture that is chosen, *FPS* times a second."""

    def __init__(self, folder: Path) -> None:
        """Load all pictures of *folder*."""
        self._pictures = [np.load(path) for path in sorted(folder.glob("*.npy"))]
        self._chosen = folder / "chosen"
        self._due_s = time.monotonic()

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Wait for the next picture."""
        self._due_s = max(self._due_s + 1 / FPS, time.monotonic())
        time.sleep(self._due_s - time.monotonic() if self._due_s > time.monotonic() else 0)
        return Frame(self._pictures[int(self._chosen.read_text())].copy(), time.monotonic())

    def close(self) -> None:
        """Nothing is open."""


class Program(Closing):
    """``boneace play`` in a process of its own.

    Attributes:
        ready_s: seconds from its start until it said that it was ready.
    """

    def __init__(self, pictures: Sequence[Image], *arguments: str) -> None:
        """Start it before the first of *pictures*, and wait until it is ready.

        Raises:
            RuntimeError: it did not become ready; the message has what it said.
        """
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        for number, picture in enumerate(pictures):
            np.save(folder / f"{number:02d}.npy", picture)
        self._chosen = folder / "chosen"
        self.show(0)
        told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        told.bind(str(folder / "notify"))
        told.settimeout(READY_S)
        environment = {
            **os.environ,
            **allocator(),
            "NOTIFY_SOCKET": str(folder / "notify"),
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "XDG_STATE_HOME": str(folder),
            # Which runtime works is tried once on a machine, not at each start.
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
            "LC_ALL": "C.UTF-8",
        }
        self._said = (folder / "said").open("w+")
        began = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(folder), "play", *arguments],
            env=environment,
            stdout=self._said,
            stderr=self._said,
        )
        try:
            while b"READY=1" not in told.recv(4096):
                pass
        except TimeoutError:
            said = self.said()
            self.close()
            raise RuntimeError(f"boneace play is not ready: {said}") from None
        finally:
            told.close()
        self.ready_s = time.monotonic() - began

    def show(self, number: int) -> None:
        """Put another picture before the camera."""
        new = self._chosen.with_suffix(".new")
        new.write_text(str(number))
        new.replace(self._chosen)

    def said(self) -> str:
        """Return what it said."""
        self._said.seek(0)
        return self._said.read()

    def resident_mb(self, most: bool = False) -> float:
        """Return the memory that it holds, or the most that it ever held."""
        held = resident_mb(self._process.pid, most)
        if held is None:
            raise RuntimeError(f"boneace play has ended: {self.said()}")
        return held

    def core_s(self) -> float:
        """Return the seconds of a core that it has had, all its threads together."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS

    def busy(self, seconds: float) -> float:
        """Wait so long; return the share of one core that it took meanwhile."""
        before, began = self.core_s(), time.monotonic()
        time.sleep(seconds)
        return (self.core_s() - before) / (time.monotonic() - began)

    def close(self) -> None:
        """End it; may be called twice."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(20)
        self._said.close()
        self._folder.cleanup()


def resident_mb(pid: int, most: bool = False) -> float | None:
    """Return the memory that a process holds, or the most it ever held; ``None``: it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    name = "VmHWM:" if most else "VmRSS:"
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), None)


def allocator() -> dict[str, str]:
    """Return what systemd sets for the C library's memory."""
    unit = (ROOT / "systemd" / "boneace.service").read_text(encoding="utf-8")
    return dict(re.findall(r"^Environment=(MALLOC_\w+)=(\d+)$", unit, re.MULTILINE))


def main() -> int:
    """Be the program: ``program.py FOLDER play ...``."""
    from device import app, cli

    folder = Path(sys.argv[1])
    app.open_camera = lambda spec: PictureCamera(folder)  # type: ignore[attr-defined]
    return cli.main(["play", "--camera", "v4l2:0", *sys.argv[3:]])


if __name__ == "__main__":
    raise SystemExit(main())

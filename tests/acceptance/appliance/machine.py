"""A machine whose plug can be pulled: QEMU with a header, a camera, a screen and a disk of its own.

It has a USB port for a stick, and a network cable that nobody has plugged in.

The disk lies behind nbdkit's write cache: what the machine has not flushed is in nbdkit's memory
alone, and is gone when both are killed, as with the cache of a real disk. (Killing QEMU alone would
lose nothing that it had handed to the host's kernel.)
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

SCREEN = (1280, 720)
HEADER = "/run/appliance/header"
FINGER_S = 0.3
"""How long a finger stays on a button, by the machine's own clock."""

KERNEL_LINE = "console=ttyS0 root=/dev/vda rw panic=-1 quiet mitigations=off systemd.show_status=0"


class MachineError(RuntimeError):
    """The machine did not do what it should; the message holds what it said."""


@dataclass(frozen=True)
class Done:
    """What became of a command in the machine."""

    status: int
    out: str
    err: str

    def check(self) -> Done:
        """Return itself.

        Raises:
            MachineError: the command failed.
        """
        if self.status != 0:
            raise MachineError(f"status {self.status}\n{self.out}\n{self.err}")
        return self


@dataclass(frozen=True)
class Parts:
    """What a machine is made of; several may be made of the same.

    Attributes:
        kernel: the folder of ``kernel.sh``.
        disk: the image of ``disk.sh``; never written to.
        film: the pictures of ``recording.py``, a disk of their own.
        accel: of QEMU: ``kvm`` or ``tcg``.
    """

    kernel: Path
    disk: Path
    film: Path
    accel: str = "tcg"


@dataclass(frozen=True)
class Checkpoint:
    """A running machine, frozen: memory and disk, and how many events it had told of."""

    memory: Path
    disk: Path
    events: int


class _Wire:
    """A Unix socket with a JSON object a line; what comes is handed on by a thread."""

    def __init__(self, path: Path, take: Callable[[dict[str, Any]], None]) -> None:
        until = time.monotonic() + 30
        while True:
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(str(path))
                break
            except OSError as problem:
                self._socket.close()
                if time.monotonic() > until:
                    raise MachineError(f"{path}: QEMU does not listen ({problem})") from problem
                time.sleep(0.05)
        self._take = take
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._socket.makefile("rb") as file:
            for line in file:
                # A line that a power cut tore says nothing.
                with contextlib.suppress(json.JSONDecodeError):
                    self._take(json.loads(line))

    def send(self, what: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(what).encode() + b"\n")

    def close(self) -> None:
        # What QEMU said before it was killed is still to be heard.
        self._thread.join(2.0)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class Machine:
    """One machine; ``with Machine(...) as machine`` switches it off in the end.

    Attributes:
        events: how many events the machine has told of so far.
        told: when it told of each number, by this side's clock.
        memory_mb: how much memory it has.
    """

    def __init__(
        self, folder: Path, parts: Parts, *, memory_mb: int = 1280, lies: bool = False
    ) -> None:
        """Make a machine that is switched off.

        Args:
            folder: for its disk and what it says; made, and kept.
            parts: what it is made of.
            memory_mb: as a small Raspberry Pi has it.
            lies: its disk says that it has flushed, and has not: the worst of memory cards.
        """
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.disk = folder / "disk.raw"
        self.events = 0
        self.told: dict[int, float] = {}
        self._parts = parts
        self.memory_mb = memory_mb
        self._cache_mode = "unsafe" if lies else "writeback"
        # Paths of sockets must be short.
        self._sockets = Path(tempfile.mkdtemp(prefix="appliance-"))
        self._qemu: subprocess.Popen[bytes] | None = None
        self._cache: subprocess.Popen[bytes] | None = None
        self._monitor: _Wire | None = None
        self._agent: _Wire | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, dict[str, Any]] = {}
        self._changed = threading.Condition()
        self._boot: str | None = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Pull the plug for good."""
        self.cut()
        shutil.rmtree(self._sockets, ignore_errors=True)

    # On and off

    def boot(self, limit_s: float = 600.0, *, more: str = "") -> float:
        """Switch on and wait for the agent; return the seconds that it took.

        Args:
            limit_s: longest time.
            more: words for the kernel's command line.
        """
        if not self.disk.exists():
            copy_disk(self._parts.disk, self.disk)
        began_s = time.monotonic()
        self._start(("-append", f"{KERNEL_LINE} {more}".strip()))
        self._wait(lambda: self._boot is not None, limit_s, "the agent does not answer")
        return time.monotonic() - began_s

    def resume(self, at: Checkpoint) -> float:
        """Go on from a checkpoint of this or another machine of the same parts."""
        began_s = time.monotonic()
        copy_disk(at.disk, self.disk)
        self.events, self.told = at.events, {}
        self._start(
            ("-append", KERNEL_LINE, "-incoming", f"exec:cat {shlex.quote(str(at.memory))}", "-S")
        )
        self._until_status("paused", 120)
        self.ask("cont")
        self.run("true", limit_s=60).check()
        return time.monotonic() - began_s

    def freeze(self, folder: Path) -> Checkpoint:
        """Stop, and keep memory and disk in *folder*; the machine is off afterwards."""
        folder.mkdir(parents=True, exist_ok=True)
        memory = folder / "memory"
        self.run("sync", limit_s=60).check()
        self.ask("stop")
        self.ask("migrate", uri=f"exec:cat > {shlex.quote(str(memory))}")
        self._until_status("postmigrate", 300)
        self.ask("quit")
        assert self._qemu is not None
        self._qemu.wait(60)
        if self._cache is not None:
            self._cache.terminate()
            self._cache.wait(60)
        self.cut()
        copy_disk(self.disk, folder / "disk.raw")
        return Checkpoint(memory, folder / "disk.raw", self.events)

    def cut(self) -> None:
        """Pull the plug: nothing is shut down, the disk's cache is lost; may be called twice."""
        for process in (self._cache, self._qemu):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGKILL)
        for process in (self._cache, self._qemu):
            if process is not None:
                process.wait()
        for wire in (self._monitor, self._agent):
            if wire is not None:
                wire.close()
        self._qemu = self._cache = self._monitor = self._agent = None

    # What is done to it

    def run(self, command: str, *, limit_s: float = 300.0) -> Done:
        """Run a shell command in the machine, as root.

        Raises:
            MachineError: the machine is off, or does not answer.
        """
        if self._agent is None:
            raise MachineError("the machine is off; call boot() first")
        number = next(self._numbers)
        self._agent.send({"id": number, "run": command, "limit_s": limit_s})
        self._wait(lambda: number in self._answers, limit_s + 60, f"no answer to {command!r}")
        answer = self._answers.pop(number)
        return Done(answer["status"], answer["out"], answer["err"])

    def until(self, command: str, limit_s: float = 600.0, every_s: float = 1.0) -> float:
        """Wait until *command* succeeds; return the seconds that it took.

        Raises:
            MachineError: it never did; the message holds its last words.
        """
        began_s = time.monotonic()
        while (done := self.run(command)).status != 0:
            if time.monotonic() - began_s > limit_s:
                raise MachineError(f"never true: {command}\n{done.out}{done.err}{self._said()}")
            time.sleep(every_s)
        return time.monotonic() - began_s

    def until_events(self, count: int, limit_s: float) -> float:
        """Wait until the machine has told of *count* events; return the seconds that it took."""
        began_s = time.monotonic()
        self._wait(
            lambda: self.events >= count,
            limit_s,
            lambda: f"{self.events} events in {limit_s:g} s, not {count}",
        )
        return time.monotonic() - began_s

    def show(self, picture: int) -> None:
        """Put a picture of the film before the camera, plugging the camera in where it is not."""
        self.run(
            f"mkdir -p /run/appliance; echo {picture} >/run/appliance/next; "
            "mv /run/appliance/next /run/appliance/picture; "
            "systemctl is-active --quiet appliance-camera || systemctl start appliance-camera"
        ).check()

    def press(self, pin: int) -> None:
        """Press the button between *pin* (BCM) and ground, and let go of it."""
        pull = f"{HEADER}/sim_gpio{pin}/pull"
        self.run(f"echo pull-down >{pull}; sleep {FINGER_S}; echo pull-up >{pull}").check()

    def hold(self, *pins: int, seconds: float) -> None:
        """Hold the buttons at *pins* down together; the machine may be off before that ends."""
        files = " ".join(f"{HEADER}/sim_gpio{pin}/pull" for pin in pins)
        down, up = (
            f"for f in {files}; do echo {way} >$f; done" for way in ("pull-down", "pull-up")
        )
        self.run(f"{down}; (sleep {seconds}; {up}) >/dev/null 2>&1 &").check()

    def until_off(self, limit_s: float) -> float:
        """Wait until the machine has switched itself off; return the seconds that it took."""
        began_s = time.monotonic()
        if self._qemu is None:
            raise MachineError("the machine is off; call boot() first")
        try:
            self._qemu.wait(limit_s)
        except subprocess.TimeoutExpired as problem:
            raise MachineError(f"still on after {limit_s:g} s\n{self._said()}") from problem
        return time.monotonic() - began_s

    def light(self, pin: int) -> float:
        """Return the share of a hundred looks (0 to 1) at which there was voltage on *pin*.

        A lamp that breathes is switched on and off many times a second.
        """
        # Read by the shell itself: a hundred processes take a busy machine more than a minute.
        look = f"read now <{HEADER}/sim_gpio{pin}/value; echo $now; i=$((i + 1))"
        looks = f"i=0; while [ $i -lt 100 ]; do {look}; [ $((i % 5)) -gt 0 ] || sleep 0.1; done"
        seen = self.run(looks, limit_s=240).check().out
        return seen.split().count("1") / 100

    def photograph(self, path: Path) -> Path:
        """Keep what is on the screen, as seen from outside the machine, as a PNG."""
        self.ask("screendump", filename=str(path.resolve()), format="png")
        return path

    def plug_in(self, stick: Path) -> None:
        """Plug a USB stick in: the file *stick* is all that is on it."""
        drive = {"driver": "raw", "file": {"driver": "file", "filename": str(stick)}}
        self.ask("blockdev-add", **drive, **{"node-name": "stick"})
        self.ask("device_add", driver="usb-storage", bus="usb.0", id="stick", drive="stick")

    def cable(self, *, plugged: bool) -> None:
        """Plug the network cable in, or pull it out; at its other end is this machine alone."""
        self.ask("set_link", name="cable", up=plugged)

    def ask(self, what: str, **arguments: Any) -> Any:
        """Ask QEMU's monitor."""
        if self._monitor is None:
            raise MachineError("the machine is off; call boot() first")
        number = next(self._numbers)
        self._monitor.send({"execute": what, "arguments": arguments, "id": number})
        self._wait(lambda: number in self._answers, 60, f"QEMU does not answer to {what}")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise MachineError(f"{what}: {answer['error']['desc']}")
        return answer["return"]

    # Private

    def _start(self, options: tuple[str, ...]) -> None:
        if self._qemu is not None:
            raise MachineError("the machine is on already; call cut() before")
        self._boot = None
        self._answers.clear()
        for name in ("disk", "monitor", "agent"):
            (self._sockets / name).unlink(missing_ok=True)
        self._cache = self._spawn(
            "nbdkit",
            "--foreground",
            "--unix",
            str(self._sockets / "disk"),
            "--filter=cache",
            "file",
            str(self.disk),
            f"cache={self._cache_mode}",
        )
        self._until_socket("disk")
        disk = f"nbd+unix:///?socket={self._sockets / 'disk'}"
        tcg = self._parts.accel == "tcg"
        self._qemu = self._spawn(
            "qemu-system-x86_64",
            *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"),
            *("-machine", "q35", "-cpu", "max", "-smp", "2", "-m", str(self.memory_mb)),
            *("-accel", "tcg,thread=multi" if tcg else self._parts.accel),
            *("-kernel", str(self._parts.kernel / "vmlinuz")),
            *("-initrd", str(self._parts.kernel / "initrd.img")),
            "-drive",
            f"file={disk},format=raw,if=none,id=root,cache=none",
            *("-device", "virtio-blk-pci,drive=root"),
            *("-drive", f"file={self._parts.film},format=raw,if=none,id=film,readonly=on"),
            *("-device", "virtio-blk-pci,drive=film"),
            *("-device", f"bochs-display,xres={SCREEN[0]},yres={SCREEN[1]}"),
            *("-device", "virtio-keyboard-pci", "-device", "virtio-rng-pci"),
            *("-device", "qemu-xhci,id=usb"),
            # No route leads on from there: the machine has an address and nothing more.
            *("-netdev", "user,id=outside", "-device", "virtio-net-pci,netdev=outside,id=cable"),
            *("-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=agent,path={self._sockets / 'agent'},server=on,wait=off"),
            *("-device", "virtserialport,chardev=agent,name=appliance"),
            *("-serial", f"file:{self.folder / 'console.log'}"),
            *("-qmp", f"unix:{self._sockets / 'monitor'},server=on,wait=off"),
            *options,
        )
        self._monitor = _Wire(self._sockets / "monitor", self._hear)
        self._monitor.send({"execute": "qmp_capabilities", "id": 0})
        self.cable(plugged=False)
        self._agent = _Wire(self._sockets / "agent", self._hear)

    def _spawn(self, *words: str) -> subprocess.Popen[bytes]:
        # It ends with the test, however that ends.
        with (self.folder / f"{words[0]}.log").open("ab") as log:
            return subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "TMPDIR": str(self.folder)},
            )

    def _until_socket(self, name: str) -> None:
        until = time.monotonic() + 30
        while not (self._sockets / name).exists():
            if time.monotonic() > until:
                raise MachineError(f"nbdkit did not start\n{self._said()}")
            time.sleep(0.02)

    def _until_status(self, status: str, limit_s: float) -> None:
        until = time.monotonic() + limit_s
        while (now := self.ask("query-status")["status"]) != status:
            if time.monotonic() > until:
                raise MachineError(f"QEMU is {now}, not {status}\n{self._said()}")
            time.sleep(0.1)

    def _hear(self, what: dict[str, Any]) -> None:
        with self._changed:
            if "boot" in what:
                self._boot = what["boot"]
            elif "events" in what:
                self.events = what["events"]
                self.told[self.events] = time.monotonic()
            elif "id" in what:
                self._answers[what["id"]] = what
            self._changed.notify_all()

    def _wait(
        self, is_so: Callable[[], bool], limit_s: float, problem: str | Callable[[], str]
    ) -> None:
        until = time.monotonic() + limit_s
        with self._changed:
            while not is_so():
                off = self._qemu is None or self._qemu.poll() is not None
                if off or time.monotonic() > until:
                    why = problem if isinstance(problem, str) else problem()
                    raise MachineError(f"{'QEMU has ended: ' if off else ''}{why}\n{self._said()}")
                self._changed.wait(0.2)

    def _said(self) -> str:
        """Return the last words of everybody."""
        said = []
        for path in sorted(self.folder.glob("*.log")):
            said.append(f"--- {path.name}\n{path.read_text(errors='replace')[-2000:]}")
        return "\n".join(said)


def make_stick(path: Path) -> Path:
    """Make an empty stick of 64 MB, called ``BONEACE``, as :meth:`Machine.plug_in` takes it."""
    words = ["mkfs.vfat", "-C", "-n", "BONEACE", str(path), "65536"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return path


def copy_disk(source: Path, target: Path) -> None:
    """Copy a disk with its holes; where the file system can, without copying anything."""
    subprocess.run(
        ["cp", "--sparse=always", "--reflink=auto", str(source), str(target)], check=True
    )

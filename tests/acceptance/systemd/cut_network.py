"""Pull the network cable in the middle of each thing that an upgrade fetches.

Usage: python -m tests.acceptance.systemd.cut_network [STEP]

The packages come over a cable of the kernel's own (veth) from an index of the test's. All is below
a folder, with small packages in the place of the real ones; those that build the program are real.
Needs root, iproute2, and a network for them. Each cut takes some fifteen seconds on one core; STEP
tries only every so many.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.acceptance.appliance.outside import HOST, Outside
from tests.acceptance.systemd.lock import LOCK, packages
from tests.acceptance.systemd.test_install import Machine

ROOM, NEAR, FAR = "boneace-cut", "boneace0", "boneace1"
"""The room with nothing but the far end of the cable."""

PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "boneace"
version = "2.0"
[project.scripts]
boneace = "stand_in:main"
[tool.hatch.build.targets.wheel]
only-include = ["stand_in.py"]
"""


def ip(words: str, *, check: bool = True) -> None:
    """Run ``ip``."""
    subprocess.run(["ip", *words.split()], check=check, capture_output=not check)


@contextlib.contextmanager
def cable() -> Iterator[None]:
    """Lay a cable; what runs in :data:`ROOM` has no other."""
    # What a run that was killed has left.
    ip(f"link del {NEAR}", check=False)
    ip(f"netns del {ROOM}", check=False)
    ip(f"netns add {ROOM}")
    try:
        ip(f"link add {NEAR} type veth peer name {FAR} netns {ROOM}")
        ip(f"addr add {HOST}/24 dev {NEAR}")
        ip(f"-n {ROOM} addr add 10.0.2.15/24 dev {FAR}")
        ip(f"-n {ROOM} link set {FAR} up")
        plug(in_=True)
        yield
    finally:
        ip(f"netns del {ROOM}", check=False)


def plug(*, in_: bool) -> None:
    """Plug the cable in, or pull it out."""
    ip(f"link set {NEAR} {'up' if in_ else 'down'}")


def make_clone(machine: Machine, builders: Path) -> None:
    """Put a small clone around the scripts of *machine*, with a lock that names what builds it."""
    clone = machine.scripts.parent
    (clone / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (clone / "stand_in.py").write_text("def main():\n    print('the second')\n", encoding="utf-8")
    lock = machine.scripts / "requirements.lock"
    lock.write_text(lock.read_text() + builders.read_text(), encoding="ascii")


def builder_pins(path: Path) -> Path:
    """Write the pins of what builds the program, by the real lock, to *path*."""
    parts = re.split(r"^(?=[a-z])", LOCK.read_text(encoding="ascii"), flags=re.MULTILINE)
    named = [part for part in parts if part.partition("==")[0] in packages("BUILDER")]
    path.write_text("".join(named), encoding="ascii")
    return path


def upgrade(machine: Machine, address: str) -> subprocess.CompletedProcess[str]:
    """Run install.sh of the clone at the far end of the cable."""
    words = {"INDEX_URL": f"{address}/simple/", "TRUSTED_HOST": HOST, "NO_CACHE_DIR": "1"}
    words |= {"DEFAULT_TIMEOUT": "2", "RETRIES": "1"}  # quick to give up: it comes to the same
    return machine.run(
        "install.sh",
        *("--python", sys.executable),
        check=False,
        # This machine's own settings may name other places.
        env={"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": ""}
        | {f"PIP_{name}": value for name, value in words.items()},
        within=("ip", "netns", "exec", ROOM),
    )


def main(step: int = 1) -> None:
    """Cut at every *step*-th thing that a whole upgrade asks for."""
    with tempfile.TemporaryDirectory() as folder, cable():
        first = Machine(Path(folder) / "first")
        first.install()
        pins = builder_pins(Path(folder) / "builders")
        fetch = [sys.executable, "-m", "pip", "--quiet", "download", "--require-hashes"]
        subprocess.run([*fetch, "--dest", str(first.wheels), "-r", str(pins)], check=True)
        for wheel in first.wheels.glob("boneace-*"):
            wheel.unlink()

        def one(path: str, share: float) -> tuple[str, list[str]]:
            place = Path(folder) / "copy"
            machine = Machine(place)
            shutil.rmtree(machine.root)
            shutil.copytree(first.root, machine.root, symlinks=True)
            shutil.copy(first.scripts / "requirements.lock", machine.scripts)
            make_clone(machine, pins)
            plug(in_=True)
            before = machine.tree()
            with Outside(first.wheels, b"", lambda: plug(in_=False), host=HOST) as outside:
                if path:
                    outside.cut_at(f"^{re.escape(path)}$", share)
                done = upgrade(machine, outside.address)
                assert outside.is_cut.is_set() == bool(path), (path, done.stderr)
                if done.returncode:
                    assert "check the network" in done.stderr, done.stderr
                    assert machine.tree() == before, path
                    came = "nothing has changed"
                else:
                    assert machine.says() == "the second"
                    came = "done without it"
                asked = list(outside.asked)
            shutil.rmtree(place)
            return came, asked

        _, asked = one("", 0.0)
        for path in asked[::step]:
            came, _ = one(path, 0.5 if path.startswith("/files/") else 0.0)
            print(f"cut at {path}: {came}", flush=True)
        print(f"{len(asked[::step])} cuts at {len(asked)} things; one whole program after each")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

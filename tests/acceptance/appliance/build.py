"""Make what the machine is made of, unless it is there: kernel, base, wheels, disk and film.

All of it lies in ``build/appliance``; each piece bears in its name a key to what went into it, so
that a change makes anew only what hangs on it. Needs root, a Debian host and its mirror, and pip.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.acceptance.appliance import recording
from tests.acceptance.appliance.machine import Parts
from tests.support.paths import ROOT

HERE = Path(__file__).parent
STORE = ROOT / "build" / "appliance"
LOCK = ROOT / "systemd" / "requirements.lock"

PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "nbdkit": "nbdkit",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "cpio": "cpio",
    "xz": "xz-utils",
    "setpriv": "util-linux",
    "chroot": "coreutils",
}
"""Programs that are needed here, and the Debian packages that they come in."""

CODE = ("device", "vision", "engine", "display", "systemd", "pyproject.toml")
"""What is installed."""

PROBE_S = 30.0
"""A kernel that KVM runs says something within this time."""


def missing() -> str:
    """Return why no machine can be made here, and what to do; empty when one can."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return "the appliance is built on 64-bit x86 Linux; run make appliance there"
    if os.geteuid() != 0:
        return "mmdebstrap and chroot need root; run: sudo make appliance"
    lacking = lacking_packages()
    if lacking:
        return f"programs are missing; run: sudo apt-get install {' '.join(sorted(lacking))}"
    if sys.version_info[:2] != (3, 11):
        return (
            "the wheels are for the Python of Debian 12, which is 3.11; "
            "run: make appliance PYTHON=python3.11"
        )
    return ""


def lacking_packages() -> set[str]:
    """Return the Debian packages whose programs are missing here."""
    # Root's path may leave out where mke2fs and chroot lie.
    path = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
    missed = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    return {PROGRAMS[name] for name in missed}


def make(seed: int = 5) -> Parts:
    """Make all that is not there yet, and return it; what has served its time is deleted."""
    STORE.mkdir(parents=True, exist_ok=True)
    shared = [HERE / "common.sh"]
    kernel_key = key([*shared, HERE / "kernel.sh", HERE / "guest" / "first-init"])
    kernel = STORE / f"kernel-{kernel_key}"
    base_key = key([*shared, HERE / "base.sh"])
    base = STORE / f"base-{base_key}.tar"
    code = files(ROOT / name for name in CODE)
    disk_key = key(
        [*shared, HERE / "disk.sh", *files([HERE / "guest"]), *code], kernel_key, base_key
    )
    disk = STORE / f"disk-{disk_key}.img"
    reel = STORE / f"film-{key([HERE / 'recording.py', *code], str(seed))}"
    _sweep({kernel, base, wheels(), disk, reel})
    # Neither hangs on the other, and each keeps one core busy.
    with ThreadPoolExecutor() as at_once:
        made = []
        if not (kernel / "initrd.img").exists():
            made.append(at_once.submit(sh, HERE / "kernel.sh", kernel))
        if not base.exists():
            made.append(at_once.submit(sh, HERE / "base.sh", base))
        if not disk.exists():
            _fetch(wheels())
        if not (reel / recording.SCRIPT).exists():
            tell("a hand is played beforehand ...")
            recording.make(reel, seed=seed)
        for each in made:
            each.result()
    if not disk.exists():
        sh(HERE / "disk.sh", disk, base, kernel, wheels())
    return Parts(kernel, disk, reel / recording.PICTURES, accel(kernel))


def wheels() -> Path:
    """Return the folder of the wheels that the lock names."""
    return STORE / f"wheels-{key([LOCK])}"


def key(paths: Iterable[Path], *words: str) -> str:
    """Return a short name for the contents of files (by their names) and for *words*."""
    sum_of = hashlib.sha256()
    for path in sorted(set(paths)):
        sum_of.update(f"{path.relative_to(ROOT)}\0".encode())
        sum_of.update(hashlib.sha256(path.read_bytes()).digest())
    for word in words:
        sum_of.update(f"{word}\0".encode())
    return sum_of.hexdigest()[:12]


def files(places: Iterable[Path]) -> list[Path]:
    """Return the files that *places* are, or that lie below them; no caches."""
    found: list[Path] = []
    for place in places:
        found += [place] if place.is_file() else place.rglob("*")
    return [each for each in found if each.is_file() and "__pycache__" not in each.parts]


def accel(kernel: Path) -> str:
    """Return what runs the machine: ``kvm`` where it can, else ``tcg``, which emulates.

    In a cloud's machine ``/dev/kvm`` may be there and yet run no plain kernel: it is tried.
    ``APPLIANCE_ACCEL`` decides without trying.
    """
    chosen = os.environ.get("APPLIANCE_ACCEL")
    if chosen:
        return chosen
    known = kernel / "accel"
    if not known.exists():
        known.write_text("kvm" if _kvm_works(kernel) else "tcg", encoding="ascii")
    return known.read_text(encoding="ascii")


def sh(script: Path, *words: object) -> None:
    """Run a script of this folder; it may write to the error output."""
    subprocess.run([str(script), *map(str, words)], check=True)


def tell(text: str) -> None:
    """Say what is being done."""
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def _kvm_works(kernel: Path) -> bool:
    """Boot without a disk: a kernel that runs says so, and switches itself off."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    words = ["qemu-system-x86_64", "-accel", "kvm", "-machine", "q35", "-cpu", "max", "-m", "256"]
    words += ["-display", "none", "-nodefaults", "-serial", "stdio", "-no-reboot"]
    words += ["-kernel", str(kernel / "vmlinuz"), "-initrd", str(kernel / "initrd.img")]
    try:
        done = subprocess.run(
            [*words, "-append", "console=ttyS0 panic=-1"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_S,
        )
    except subprocess.TimeoutExpired:
        return False
    return b"no disk" in done.stdout


def _fetch(folder: Path) -> None:
    """Fetch the wheels that the lock names, once; build that of the project each time."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if not folder.exists():
        tell("wheels ...")
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        words = ["download", "--require-hashes", "--dest", str(part), "-r", str(LOCK)]
        subprocess.run([*pip, *words], check=True)
        part.rename(folder)
    for old in folder.glob("boneace-*.whl"):
        old.unlink()
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)


def _sweep(kept: set[Path]) -> None:
    """Delete what earlier contents left: a disk is a gigabyte."""
    for path in STORE.iterdir():
        kind = path.name.split("-")[0]
        if kind in ("kernel", "base", "wheels", "disk", "film") and path not in kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def equip(packages: Sequence[str] = ()) -> None:
    """Install what is missing of *packages*, or of all that the machine needs, if that can be."""
    lacking = [name for name in packages if not _is_installed(name)]
    if not packages:
        lacking = sorted(lacking_packages())
    if lacking and os.geteuid() == 0 and shutil.which("apt-get") is not None:
        tell(f"installing {' '.join(lacking)} ...")
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        words = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *lacking]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(words, check=False, env=quiet, stdout=subprocess.DEVNULL)


def _is_installed(package: str) -> bool:
    asked = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    try:
        return "installed" in subprocess.run(asked, capture_output=True, text=True).stdout.split()
    except FileNotFoundError:  # no Debian: the tests then say what is missing
        return True


if __name__ == "__main__":
    equip(sys.argv[1:])

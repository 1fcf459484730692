"""The wheels that a Raspberry Pi gets, under QEMU's user emulation: make arm64.

Not gathered by make test: the name begins with check.
"""

import json
import os
import shutil
import subprocess
import sys

import cv2
import numpy as np
import pytest

from tests.acceptance.appliance import build, recording
from vision import TableReader

EMULATOR = "qemu-aarch64-static"
HERE_PYTHON = "3.11"
"""That of Debian 12, which is run here."""

GLIBC = 36
"""Its glibc is 2.36."""

IMPORTS = """
import importlib, importlib.metadata, json, platform
names = {"numpy": "numpy", "cv2": "opencv-python-headless", "pygame": "pygame-ce",
         "gpiozero": "gpiozero", "lgpio": "lgpio"}
for name in names:
    importlib.import_module(name)
import pygame
pygame.display.init()
surface = pygame.display.set_mode((64, 48))
versions = {wheel: importlib.metadata.version(wheel) for wheel in names.values()}
print(json.dumps({"machine": platform.machine(), "wheels": versions}))
"""


def install(site):
    """Install what the lock names for a Raspberry Pi, and nothing but wheels."""
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    words += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", HERE_PYTHON]
    words += ["--abi", f"cp{HERE_PYTHON.replace('.', '')}", "--abi", "abi3", "--abi", "none"]
    for version in range(17, GLIBC + 1):
        words += ["--platform", f"manylinux_2_{version}_aarch64"]
    words += ["--platform", "manylinux2014_aarch64", "--no-compile", "--target", str(site)]
    subprocess.run([*words, "--require-hashes", "-r", str(build.LOCK)], check=True)
    # The emulator (QEMU 7.2) crashes when any ONNX Runtime from 1.22 to 1.32 is imported.
    shutil.rmtree(site / "onnxruntime")


@pytest.fixture(scope="session")
def board():
    """Debian's Python for arm64, and beside it all that the program needs."""
    if shutil.which(EMULATOR) is None:
        pytest.skip("no user emulation; run: sudo apt-get install qemu-user-static")
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        pytest.skip("mmdebstrap and root are needed; run: sudo make arm64")
    build.STORE.mkdir(parents=True, exist_ok=True)
    root = build.STORE / f"arm64-{build.key([build.HERE / 'common.sh', build.HERE / 'arm64.sh'])}"
    if not root.exists():
        build.sh(build.HERE / "arm64.sh", root)
    site = build.STORE / "arm64-site"
    shutil.rmtree(site, ignore_errors=True)
    install(site)
    return root, site


def run(board, *words, more=""):
    """Run a Python program as a Raspberry Pi would; return what it printed."""
    root, site = board
    path = os.pathsep.join(filter(None, [str(site), more]))
    environment = {
        **{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ},
        "PYTHONPATH": path,
        "PYTHONHOME": str(root / "usr"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SDL_VIDEODRIVER": "dummy",
        "LC_ALL": "C.UTF-8",
    }
    # Libraries and loader come from the unpacked system.
    python = [EMULATOR, "-L", str(root), str(root / f"usr/bin/python{HERE_PYTHON}")]
    # Elsewhere: lgpio makes a pipe in its working folder when it is imported.
    done = subprocess.run(
        [*python, *words],
        cwd=site,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_they_are_imported(board):
    told = json.loads(run(board, "-c", IMPORTS).splitlines()[-1])
    assert told["machine"] == "aarch64"
    # The placeholder that lgpio once was has version 0.0.0.2, and imports.
    assert told["wheels"]["lgpio"] >= "0.2.2"
    print(told)


def test_a_frame_is_read(board, tmp_path):
    """The same cards as here, on the last picture of a drawn hand: all of them lie face up."""
    script = recording.make(tmp_path / "film")
    length = 2 * recording.SIZE[0] * recording.SIZE[1]
    with (tmp_path / "film" / recording.PICTURES).open("rb") as file:
        file.seek(recording.SECTOR + (script.pictures - 1) * length)
        raw = np.frombuffer(file.read(length), np.uint8).reshape(
            recording.SIZE[1], recording.SIZE[0], 2
        )
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), cv2.cvtColor(raw, cv2.COLOR_YUV2BGR_YUYV))
    here = sorted(str(each.card) for each in TableReader().read(cv2.imread(str(picture))).cards)
    lying = sorted(
        card for each in script.events if each["e"] == "reveal" for card in each["cards"]
    )
    assert here == lying

    words = ("-m", "device.cli", "read", "--format", "json", str(picture))
    said = run(board, *words, more=str(build.ROOT))
    told = json.loads(said.splitlines()[0])
    assert sorted(each["card"] for each in told["cards"]) == lying

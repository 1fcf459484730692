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
from vision.runtime_probe import CHILD

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


AFTERWARDS = """
import json
from vision.inference import Network
print(json.dumps({"runtime": Network("corner_reader.onnx").runtime}))
"""
"""The emulated program cannot start a child (the kernel here runs no arm64): as good as a crash."""


def install(site):
    """Install what the lock names for a Raspberry Pi, and nothing but wheels."""
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    words += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", HERE_PYTHON]
    words += ["--abi", f"cp{HERE_PYTHON.replace('.', '')}", "--abi", "abi3", "--abi", "none"]
    for version in range(17, GLIBC + 1):
        words += ["--platform", f"manylinux_2_{version}_aarch64"]
    words += ["--platform", "manylinux2014_aarch64", "--no-compile", "--target", str(site)]
    subprocess.run([*words, "--require-hashes", "-r", str(build.LOCK)], check=True)


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


def run(board, *words, more="", cpu="max"):
    """Run a Python program as a Raspberry Pi would; return what it printed."""
    done = start(board, *words, more=more, cpu=cpu)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def start(board, *words, more, cpu):
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
    python = [EMULATOR, "-cpu", cpu, "-L", str(root), str(root / f"usr/bin/python{HERE_PYTHON}")]
    # Elsewhere: lgpio makes a pipe in its working folder when it is imported.
    return subprocess.run(
        [*python, *words],
        cwd=site,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def test_they_are_imported(board):
    told = json.loads(run(board, "-c", IMPORTS).splitlines()[-1])
    assert told["machine"] == "aarch64"
    # The placeholder that lgpio once was has version 0.0.0.2, and imports.
    assert told["wheels"]["lgpio"] >= "0.2.2"
    print(told)


@pytest.mark.parametrize("cpu", ["cortex-a72", "cortex-a76"])  # Raspberry Pi 4 and 5
def test_the_fast_runtime_is_tried_in_a_child(board, cpu):
    """It works, or ends its child, or refuses; QEMU 7.2 ends every one from 1.22 to 1.32."""
    done = start(board, "-c", CHILD, more=str(build.ROOT), cpu=cpu)
    last = done.stderr.strip().splitlines()[-1:]
    print(f"ONNX Runtime on {cpu}: status {done.returncode} {last}")
    assert done.returncode <= 1 or done.returncode > 128
    told = run(board, "-c", AFTERWARDS, more=str(build.ROOT), cpu=cpu)
    assert json.loads(told.splitlines()[-1])["runtime"] in ("onnxruntime", "opencv")


@pytest.mark.parametrize("cpu", ["cortex-a72", "cortex-a76"])
def test_a_frame_is_read(board, tmp_path, cpu):
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
    said = run(board, *words, more=str(build.ROOT), cpu=cpu)
    told = json.loads(said.splitlines()[0])
    assert sorted(each["card"] for each in told["cards"]) == lying

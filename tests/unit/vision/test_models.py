"""A network whose bytes are not those that were exported is never run."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.models
from device.cli import main
from vision.errors import ModelError
from vision.inference import Network
from vision.models import SUMS, check, parse_sums, read_network
from vision.training.common.digests import note_digest

FOLDER = Path(vision.models.__file__).parent
NETWORKS = sorted(path.name for path in FOLDER.glob("*.onnx"))


def flipped(data: bytes, bit: int) -> bytes:
    """Return *data* with one bit turned, counted from the start."""
    turned = bytearray(data)
    turned[bit // 8] ^= 1 << bit % 8
    return bytes(turned)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder of networks that may be damaged."""
    made = tmp_path / "models"
    made.mkdir()
    for name in (*NETWORKS, SUMS):
        (made / name).symlink_to(FOLDER / name)
    monkeypatch.setattr("vision.models.files", lambda package: made)
    return made


def damage(path: Path, bit: int) -> None:
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(flipped(data, bit))


def test_every_network_is_listed_and_is_what_the_list_says() -> None:
    assert sorted(parse_sums((FOLDER / SUMS).read_bytes())) == NETWORKS
    assert len(NETWORKS) == 6
    for name in NETWORKS:
        assert read_network(name) == (FOLDER / name).read_bytes()


def test_the_list_can_be_checked_by_hand() -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", SUMS], cwd=FOLDER, check=True)


def test_no_turned_bit_of_two_hundred_is_taken() -> None:
    whole = [(FOLDER / name).read_bytes() for name in NETWORKS]
    chance = random.Random(8)
    for data, name in chance.choices(
        list(zip(whole, NETWORKS, strict=True)), weights=list(map(len, whole)), k=200
    ):
        with pytest.raises(ModelError, match=rf"^vision/models/{name} is damaged: .* install"):
            check(name, flipped(data, chance.randrange(len(data) * 8)))


def test_a_network_that_is_not_listed_is_not_taken(folder) -> None:
    (folder / "own.onnx").symlink_to(FOLDER / "reader.onnx")
    with pytest.raises(ModelError, match=r"SHA256SUMS does not list own\.onnx; install boneace"):
        Network("own.onnx")


def test_without_the_list_none_is_taken(folder) -> None:
    (folder / SUMS).unlink()
    with pytest.raises(ModelError, match="vision/models/SHA256SUMS is missing; install boneace"):
        Network("reader.onnx")


def test_a_file_that_the_disk_does_not_give_is_named(folder) -> None:
    (folder / "reader.onnx").unlink()
    (folder / "reader.onnx").mkdir()
    with pytest.raises(ModelError, match=r"reader\.onnx cannot be read \(Is a directory\); inst"):
        Network("reader.onnx")


@pytest.mark.parametrize("installed", [True, False], ids=["any runtime", "opencv"])
def test_the_bytes_that_were_checked_are_the_bytes_that_are_run(monkeypatch, installed) -> None:
    """A disk that gives others the second time is not asked a second time."""
    asked = []

    class Dying:
        def __truediv__(self, name: str) -> Dying:
            asked.append(name)
            return self

        def read_bytes(self) -> bytes:
            data = (FOLDER / asked[-1]).read_bytes()
            return data if asked.count(asked[-1]) == 1 else b"others"

    if not installed:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr("vision.models.files", lambda package: Dying())
    Network("corner_reader.onnx")
    assert sorted(asked) == [SUMS, "corner_reader.onnx"]


READ = "read table.png"
PLAY = "play --headless --camera . --journal journal.sqlite3"
DEMO = "demo --headless --hands 1"
BONES = "--players Ann,Bess --game knucklebones"


@pytest.fixture
def table(tmp_path, monkeypatch) -> Iterator[None]:
    """A working folder with a picture, and no config but the defaults."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert cv2.imwrite("table.png", np.full((300, 400, 3), 60, np.uint8))
    old = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, old)  # play takes it over


@pytest.mark.parametrize(
    ("words", "name"),
    [
        *((READ, name) for name in NETWORKS),
        (PLAY, "card_finder.onnx"),
        (PLAY, "reader.onnx"),
        (f"{PLAY} {BONES}", "bones-faces.onnx"),
        (DEMO, "corner_reader.onnx"),
        (DEMO, "straightener.onnx"),
        (f"{DEMO} --game knucklebones", "bones-finder.onnx"),
    ],
)
def test_a_command_names_the_damaged_file_and_stops(folder, table, capsys, words, name) -> None:
    damage(folder / name, 4_000_003)
    assert main(words.split()) == 1
    out, error = capsys.readouterr()
    command = words.split()[0]
    assert error.startswith(f"boneace {command}: vision/models/{name} is damaged: ")
    assert error.endswith("; install boneace again\n")
    assert "table.png:" not in out


@pytest.mark.parametrize("name", NETWORKS)
def test_doctor_names_the_damaged_file(folder, table, capsys, name) -> None:
    damage(folder / name, 4_000_001)
    assert main(["doctor", "models"]) == 1
    told = capsys.readouterr().out
    assert f"problem  models: vision/models/{name} is damaged" in told
    assert told.count("is damaged") == 1
    assert "install boneace again" in told


def test_an_exported_network_is_listed_in_the_place_of_the_old_one(folder) -> None:
    before = parse_sums((folder / SUMS).read_bytes())
    (folder / SUMS).unlink()
    shutil.copy(FOLDER / SUMS, folder)
    damage(folder / "reader.onnx", 8)
    (folder / "another.onnx").write_bytes(b"made now")
    note_digest(folder / "reader.onnx")
    note_digest(folder / "another.onnx")
    after = parse_sums((folder / SUMS).read_bytes())
    assert list(after) == sorted([*NETWORKS, "another.onnx"])
    assert {name for name in NETWORKS if after[name] != before[name]} == {"reader.onnx"}
    assert read_network("another.onnx") == b"made now"
    read_network("reader.onnx")


def test_the_first_exported_network_begins_the_list(tmp_path) -> None:
    (tmp_path / "own.onnx").write_bytes(b"")
    note_digest(tmp_path / "own.onnx")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert (tmp_path / SUMS).read_text() == f"{empty}  own.onnx\n"

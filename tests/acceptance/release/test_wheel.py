"""The wheel holds every file that the program needs, and nothing more."""

from __future__ import annotations

import tomllib
import zipfile

import pytest

from device.cli import main
from display.i18n.languages import LANGUAGES
from tests.acceptance.release.packing import (
    ALWAYS,
    ROOMS,
    ROOT,
    build_wheel,
    of_the_sdist,
    of_the_wheel,
    tracked,
)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]


@pytest.fixture(scope="module")
def names():
    return tracked()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, names):
    path, said = build_wheel(tmp_path_factory.mktemp("wheel"), names)
    if path is None and ("No matching distribution" in said or "Could not find" in said):
        pytest.skip(f"hatchling cannot be had here: {said.strip().splitlines()[-1]}")
    assert path is not None, said
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_holds_every_file_of_the_rooms_and_nothing_more(wheel, names):
    assert sorted(wheel.namelist()) == sorted(of_the_wheel(VERSION, names))


def test_what_the_program_opens_at_run_time_is_in_it(wheel):
    names = set(wheel.namelist())
    spoken = set(LANGUAGES) - {"en"}  # the sentences in the program are English
    assert len(spoken) >= 4
    assert {f"display/i18n/locales/{each}/LC_MESSAGES/boneace.mo" for each in spoken} <= names
    models = {"card_finder", "straightener", "reader", "corner_reader"}
    models |= {"bones-finder", "bones-faces"}
    assert {f"vision/models/{each}.onnx" for each in models} <= names
    assert "vision/models/SHA256SUMS" in names
    assert {"vision/models/MODEL_CARD.md", "vision/models/BONES_MODEL_CARD.md"} <= names
    assert {
        "display/drawing/fonts/Lato-Bold.ttf",
        "display/drawing/fonts/LinLibertine_RZ.otf",
    } <= names
    assert {f"{room}/py.typed" for room in ROOMS} <= names
    for each in ("install.sh", "requirements.lock"):
        assert any(name.endswith(f"share/boneace/systemd/{each}") for name in names)


def test_it_starts_one_command_and_names_what_it_needs(wheel):
    info = f"boneace-{VERSION}.dist-info"
    points = wheel.read(f"{info}/entry_points.txt").decode()
    assert points.split("\n")[:2] == ["[console_scripts]", "boneace = device.cli:main"]
    told = wheel.read(f"{info}/METADATA").decode()
    assert f"\nVersion: {VERSION}\n" in told
    for line in PROJECT["project"]["dependencies"]:
        assert line.split(">")[0] in told


def test_the_source_archive_takes_every_tracked_file(names):
    """What ``include`` names, and what the builder adds of itself, is all there is."""
    include = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    roots = [each.strip("/") for each in include] + [*ALWAYS]
    left = [
        name
        for name in names
        if not any(name == root or name.startswith(f"{root}/") for root in roots)
    ]
    assert left == []
    assert f"boneace-{VERSION}/examples/mat.py" in of_the_sdist(VERSION, names)


def test_the_version_stands_in_one_place(names, capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"boneace {VERSION}\n", (
        "install the project anew: pip install -e ."
    )
    rooms = ("device/", "display/", "engine/", "vision/", "systemd/")
    again = [
        name
        for name in names
        if name.startswith(rooms)
        and name.endswith((".py", ".sh", ".service"))
        and f'"{VERSION}"' in (ROOT / name).read_text(encoding="utf-8")
    ]
    assert again == []

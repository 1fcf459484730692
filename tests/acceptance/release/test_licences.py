"""docs/reference/licences.md names all that is shipped and needed, with all inside it."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.acceptance.release.packing import ROOT, tracked

PAGE = (ROOT / "docs" / "reference" / "licences.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("mat", "fast", "gpio", "web", "hall")
FAMILIES = ("mit", "bsd", "apache", "lgpl", "gpl", "mpl", "zlib", "unlicense", "isc", "psf")
WRITTEN = {
    *(".py", ".md", ".toml", ".json", ".txt", ".sh"),
    *(".service", ".timer", ".path", ".mount", ".rules", ".conf", ".lock", ".network", ".typed"),
}
"""What we write ourselves; everything else is an asset and needs a line, fonts' OFL.txt too."""


def table(heading):
    """Return the rows of the first table under *heading*, each a list of cells."""
    text = PAGE.split(f"# {heading}\n", 1)[1]
    lines = [line for line in text.split("\n#", 1)[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def packages():
    rows = table("What is needed to run it") + table("With the extras")
    return {row[0].strip("`"): row for row in rows}


def needs(name, extras=()):
    """Return what an installed package needs here, with some of its extras."""
    found = set()
    for line in distribution(name).requires or ():
        need = Requirement(line)
        wanted = [{"extra": extra} for extra in ("", *extras)]
        if need.marker is None or any(need.marker.evaluate(each) for each in wanted):
            found.add(canonicalize_name(need.name))
    return found


def closure():
    """Return everything that boneace needs to run, through all that is installed of it."""
    waiting = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    for extra in EXTRAS:
        lines = PROJECT["optional-dependencies"][extra]
        waiting |= {canonicalize_name(Requirement(line).name) for line in lines} - {"boneace"}
    found = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        try:
            waiting |= needs(name) - found
        except PackageNotFoundError:
            continue  # an extra that is not installed here, as lgpio
    return found


def asset_patterns():
    rows = table("The program and what is shipped with it")[1:]
    return [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row[0])]


def test_every_package_that_runs_it_has_a_line():
    assert sorted(closure() - set(packages())) == []


def test_no_line_is_left_of_a_package_that_went():
    assert sorted(set(packages()) - closure()) == []
    assert {"colorzero", "setuptools", "flatbuffers", "pillow"} <= set(packages())


def test_a_line_says_by_whom_a_package_is_needed():
    for name, row in packages().items():
        for user in re.split(r", ", row[1]):
            if user.startswith("boneace"):
                extra = user.removeprefix("boneace").strip("[]")
                lines = (
                    PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
                )
                assert name in {canonicalize_name(Requirement(line).name) for line in lines}
            else:
                assert name in needs(user)


@pytest.mark.parametrize("name", sorted(packages()))
def test_the_licence_told_is_that_of_the_package(name):
    try:
        data = distribution(name).metadata
    except PackageNotFoundError:
        pytest.skip(f"{name} is not installed here")
    classifiers = [c for c in data.get_all("Classifier") or () if c.startswith("License")]
    said = data["License-Expression"] or " ".join([data["License"] or "", *classifiers])
    if "Lesser" in said:
        said = said.replace("General Public License", "").replace("(LGPL)", "LGPL")
    told = families(packages()[name][2])
    assert families(said), f"{name} says nothing of its licence: {said!r}"
    assert families(said) <= told
    assert "gpl" not in told, f"{name} cannot be shipped with an MIT program"


def families(text):
    """Return the families of licences that a text names."""
    return {
        family for family in FAMILIES if re.search(rf"(?<![a-z]){family}(?![a-z])", text.lower())
    }


@pytest.mark.parametrize("name", ["numpy", "opencv-python-headless", "pygame-ce", "pillow"])
def test_every_library_inside_a_wheel_has_a_line(name):
    try:
        files = distribution(name).files or ()
    except PackageNotFoundError:
        pytest.skip(f"{name} is not installed here")
    inside = {
        re.sub(r"^lib|(-[0-9a-f]{8})+\S*$|\.so\S*$", "", path.name)
        for path in files
        if path.parts[0].endswith(".libs")
    }
    if not inside:
        pytest.skip(f"{name} was not installed from a wheel for Linux")
    told = {
        library
        for row in table("Libraries inside those wheels")
        if f"`{name}`" in row[0]
        for library in re.findall(r"`([^`]+)`", row[1])
    }
    plain = {re.sub(r"-2(\.0)?$", "", each) for each in told}
    assert sorted({re.sub(r"-2(\.0)?$", "", each) for each in inside} - plain) == []


def test_every_asset_has_a_line():
    patterns = asset_patterns()
    assets = [
        path
        for path in tracked()
        if Path(path).suffix not in (*WRITTEN, "") or path.startswith("display/drawing/fonts/OFL")
    ]
    assert len(assets) > 50
    assert "vision/models/reader.onnx" in assets
    bare = [path for path in assets if not any(fnmatch(path, each) for each in patterns)]
    assert bare == []


def test_every_line_of_an_asset_names_a_file_and_a_text_that_are_there():
    files = tracked()
    for pattern in asset_patterns():
        assert any(fnmatch(path, pattern) for path in files), pattern
    for row in table("The program and what is shipped with it"):
        for text in re.findall(r"`([^`]+)`", row[4]):
            assert (ROOT / text).is_file()


def test_both_licences_of_the_wheel_are_named_and_their_texts_go_with_it():
    assert PROJECT["license"] == "MIT AND OFL-1.1"
    assert "`MIT AND OFL-1.1`" in PAGE
    texts = [(ROOT / path).read_text(encoding="utf-8") for path in PROJECT["license-files"]]
    assert "Permission is hereby granted, free of charge" in texts[0]
    assert "SIL OPEN FONT LICENSE Version 1.1" in texts[1]
    for name in ("Lato", "Linux Libertine"):
        assert f'Reserved Font Name "{name}"' in texts[1]


def test_what_is_needed_stands_in_both_pages():
    why = (ROOT / "docs" / "reference" / "dependencies.md").read_text(encoding="utf-8")
    named = [*PROJECT["dependencies"]]
    named += [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    for line in (line for line in named if not line.startswith("boneace[")):
        assert f"`{Requirement(line).name}`" in why
        assert f"`{Requirement(line).name}`" in PAGE

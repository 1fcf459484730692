"""requirements.lock: complete, with hashes, and the only thing that install.sh fetches by."""

import re
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement

from tests.acceptance.systemd.lock import LOCK, packages, read_lock
from tests.support.paths import ROOT

ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ABOUT["project"]["optional-dependencies"]
INSTALLER = ABOUT["dependency-groups"]["installer"]
PINS = {pin.name: pin for pin in read_lock()}

LISTS = {
    "NEEDED": ABOUT["project"]["dependencies"],
    "BUILDER": ABOUT["build-system"]["requires"],
    "LGPIO": EXTRAS["gpio"],
    "ONNXRUNTIME": EXTRAS["fast"],
    "REPORTLAB": EXTRAS["mat"],
    "HALL": [*EXTRAS["web"], *(each for each in EXTRAS["hall"] if not each.startswith("boneace["))],
}
"""Lists of install.sh, and what pyproject.toml says that is about."""


def closure(names):
    """Return packages and all that they bring along, after what the lock says of itself."""
    found = set(names)
    while more := {pin.name for pin in PINS.values() if pin.via & found} - found:
        found |= more
    return found


@pytest.mark.parametrize("text", sorted({*chain(*LISTS.values()), *INSTALLER}))
def test_every_requirement_is_pinned_at_a_version_that_it_allows(text):
    asked = Requirement(text)
    assert asked.specifier.contains(PINS[asked.name].version)


@pytest.mark.parametrize("name", PINS)
def test_every_pin_has_hashes_and_is_wanted_by_something(name):
    assert PINS[name].hashes
    assert PINS[name].via <= {*PINS, "boneace"}
    assert PINS[name].via


@pytest.mark.parametrize("name", LISTS)
def test_install_sh_knows_what_each_step_brings_along(name):
    asked = {Requirement(text).name for text in LISTS[name]}
    assert set(packages(name)) == closure(asked)


def test_install_sh_uses_every_pin():
    known = {package for name in [*LISTS, "SIMPLEJPEG"] for package in packages(name)}
    assert known == set(PINS)


def test_the_build_requirements_of_the_two_tables_agree():
    assert set(ABOUT["build-system"]["requires"]) <= set(INSTALLER)


def test_the_release_that_crashes_on_a_raspberry_pi_4_is_excluded():
    (text,) = EXTRAS["fast"]
    assert not Requirement(text).specifier.contains("1.21.0")
    assert Requirement(text).specifier.contains("1.21.1")


def test_the_first_line_is_the_command_that_made_it():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    words = re.search(r"^COMPILE := (.*?[^\\])\n", makefile, re.MULTILINE | re.DOTALL)[1]
    first = LOCK.read_text(encoding="ascii").splitlines()[0]
    assert (
        first == f"# Made by: make lock, which runs {' '.join(words.replace(chr(92), '').split())}"
    )


def test_the_lock_names_no_index():
    assert re.findall(r"https?:|file:|--(?:extra-)?index|--find-links", LOCK.read_text()) == []


def test_install_sh_lets_pip_fetch_nothing_without_a_hash():
    text = (ROOT / "systemd" / "install.sh").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    calls = [line for line in lines if re.search(r"-m pip |\{pip\[@\]\}", line)]
    calls = [line for line in calls if re.search(r" (install|wheel|download) ", line)]
    assert len(calls) == 3
    for call in calls:
        safe = "--require-hashes" in call or re.search(
            r"--no-deps .*--no-index|--no-index .*--no-deps", call
        )
        assert safe, call

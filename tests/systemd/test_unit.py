"""The service: what it runs can be run, and what its README says is what it does."""

import argparse
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from device.commands import play

FOLDER = Path(__file__).parents[2] / "systemd"


def load_unit():
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(FOLDER / "boneace.service", encoding="utf-8")
    return parser


def environment():
    text = (FOLDER / "boneace.service").read_text(encoding="utf-8")
    return dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.MULTILINE))


def test_the_command_is_one_that_play_takes():
    program, command, *words = shlex.split(load_unit()["Service"]["ExecStart"])
    assert program == "/opt/boneace/bin/boneace"
    assert command == "play"
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    assert parser.parse_args(words).fullscreen


def test_nothing_lying_about_can_hide_the_packages():
    assert environment()["PYTHONSAFEPATH"] == "1"


def test_the_config_is_not_looked_for_in_a_protected_home():
    """A home that may not be entered would make every start fail: the config cannot be read."""
    service = load_unit()["Service"]
    assert service["ProtectHome"] == "yes"
    assert environment()["HOME"] == f"/var/lib/{service['StateDirectory']}"


def test_readme_makes_the_user_and_the_folders_of_the_unit():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    service = load_unit()["Service"]
    made = re.search(r"useradd --system --home-dir (\S+) --groups (\S+) (\S+)", readme)
    assert made is not None
    assert made[1] == environment()["HOME"]
    assert made[2].split(",") == service["SupplementaryGroups"].split()
    assert made[3] == service["User"]
    assert f"venv --system-site-packages {Path(service['ExecStart'].split()[0]).parents[1]}" in (
        readme
    )


def test_systemd_understands_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed (Debian: systemd)")
    text = (FOLDER / "boneace.service").read_text(encoding="utf-8")
    unit = tmp_path / "boneace.service"
    # The program of the unit is not installed where the tests run.
    unit.write_text(text.replace("/opt/boneace/bin/boneace", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

"""``boneace doctor`` on machines with this and that missing."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.models
from device.cli import main
from device.commands import doctor
from device.commands.doctor import CHECKS, NETWORKS, Check, Status
from device.storage.copies.table_name import rename_table
from device.storage.journal.journal import Journal
from device.storage.journal.reader import default_path
from tests.support.mosquitto import Mosquitto, needs_mosquitto


@pytest.fixture(autouse=True)
def bare(tmp_path, monkeypatch):
    """A machine with no config, no journal, no camera and no screen."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
        (tmp_path / name.lower()).mkdir()
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    for module in ("device.config.model", "device.commands.doctor"):
        monkeypatch.setattr(f"{module}.SYSTEM_PATH", tmp_path / "none.toml")
    monkeypatch.setattr("device.hardware.cameras.DEVICES", tmp_path / "dev")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def configure(tmp_path):
    def write(text):
        file = tmp_path / "xdg_config_home" / "boneace" / "config.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    return write


def run(capsys, *words):
    """Return the exit status and the checks, by title."""
    status = main(["doctor", "--json", *words])
    found = [
        Check(Status(each.pop("status")), **each) for each in json.loads(capsys.readouterr().out)
    ]
    return status, {check.title: check for check in found}


def test_bare_machine_is_told_what_to_do(capsys):
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1].rstrip(":") for line in lines if not line.startswith(" ")][:-1] == [
        *CHECKS
    ]
    assert lines[-1].startswith("1 problem: camera. ")
    assert "boneace demo --headless" in lines[-1]
    text = "\n".join(lines)
    assert " plug in a USB camera; or, on a Raspberry Pi" in text
    assert "boneace play --headless" in text
    assert f"ok       models: {', '.join(NETWORKS)} can be loaded" in text


def test_whatever_is_not_well_says_what_to_do(capsys):
    _, checks = run(capsys)
    assert list(checks) == list(CHECKS)
    for check in checks.values():
        if check.status in (Status.WARNING, Status.PROBLEM):
            assert check.remedy, check


def test_a_machine_with_a_camera_has_no_problem(configure, tmp_path, capsys):
    film = tmp_path / "film"
    film.mkdir()
    assert cv2.imwrite(str(film / "0.png"), np.zeros((6, 8, 3), np.uint8))
    configure(f'[camera]\nspec = "{film}"\n')
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "gives pictures of 8x6" in out
    assert out.endswith("\nNo problem found.\n")


def test_one_check_alone(capsys):
    status, checks = run(capsys, "models")
    assert status == 0
    assert list(checks) == ["models"]


def test_unknown_check_is_misuse(capsys):
    with pytest.raises(SystemExit) as left:
        main(["doctor", "bones"])
    assert left.value.code == 2
    assert "camera" in capsys.readouterr().err


def test_broken_config_is_told_once(configure, capsys):
    configure("[camera]\nspek = 'auto'\n")
    status, checks = run(capsys)
    assert status == 1
    assert "spek" in checks["config"].detail
    bad = [title for title, check in checks.items() if check.status is Status.PROBLEM]
    assert bad == ["config"]
    assert "mend the config first" in checks["camera"].remedy
    assert checks["models"].status is Status.OK


def test_networks_are_those_that_are_installed():
    there = {path.name for path in Path(vision.models.__file__).parent.glob("*.onnx")}
    assert set(NETWORKS) == there


@pytest.mark.fault("model missing or corrupt")
def test_each_missing_or_damaged_network_is_named(tmp_path, monkeypatch, capsys):
    sums = Path(vision.models.__file__).with_name(vision.models.SUMS)
    shutil.copy(sums, tmp_path)
    (tmp_path / "reader.onnx").write_bytes(b"torn")
    monkeypatch.setattr("vision.models.files", lambda package: tmp_path)
    status, checks = run(capsys, "models")
    assert status == 1
    for name in NETWORKS:
        what = "damaged" if name == "reader.onnx" else "missing"
        assert f"vision/models/{name} is {what}" in checks["models"].detail
    assert "install boneace again" in checks["models"].remedy


def test_wired_buttons_need_a_header(configure, tmp_path, monkeypatch, capsys):
    configure("[panel.console]\nhave = 17\n")
    devices = tmp_path / "dev"
    devices.mkdir()
    monkeypatch.setattr(doctor, "DEVICES", devices)
    status, checks = run(capsys, "buttons")
    assert status == 1
    assert "1 pin named, but this machine has no header" in checks["buttons"].detail
    (devices / "gpiochip0").touch()
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: None)
    assert "python3-lgpio" in run(capsys, "buttons")[1]["buttons"].remedy
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: object())
    assert run(capsys, "buttons")[0] == 0
    configure('[panel]\nbackend = "keyboard"\n[panel.console]\nhave = 17\n')
    assert run(capsys, "buttons")[1]["buttons"].detail == "the keyboard is used"


@pytest.mark.parametrize(
    ("samples", "status", "told"),
    [
        (4000, Status.OK, "chimes and the voice (en) are ready"),
        (0, Status.WARNING, "chimes can be heard, but the voice gives no sound in 'en'"),
    ],
)
def test_the_voice_is_tried_with_a_sentence(samples, status, told, tmp_path, monkeypatch, capsys):
    speaker = tmp_path / "bin" / "espeak-ng"
    speaker.parent.mkdir()
    speaker.write_text(
        f"#!{sys.executable}\n"
        "import io, sys, wave\n"
        f"said = bytes(2 * {samples}) if sys.stdin.read().strip() == 'Bone-Ace.' else b''\n"
        "out = io.BytesIO()\n"
        "with wave.open(out, 'wb') as file:\n"
        "    file.setparams((1, 2, 22050, 0, 'NONE', ''))\n"
        "    file.writeframes(said)\n"
        "sys.stdout.buffer.write(out.getvalue() if said else b'')\n"
    )
    speaker.chmod(0o755)
    monkeypatch.setenv("PATH", str(speaker.parent), prepend=os.pathsep)
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    _, checks = run(capsys, "sound")
    assert (checks["sound"].status, checks["sound"].detail) == (status, told)


def test_full_disk_is_a_problem(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "LITTLE_SPACE_MB", 10**12)
    status, checks = run(capsys, "space")
    assert status == 1
    assert "delete something" in checks["space"].remedy


def test_journal_is_counted_and_its_damage_told(capsys):
    assert run(capsys, "journal")[1]["journal"].status is Status.INFO
    path = default_path()
    Journal(path).close()
    assert run(capsys, "journal")[1]["journal"].detail == "sound, 0 sittings"
    path.write_bytes(b"no journal at all, only words that fill some bytes")
    status, checks = run(capsys, "journal")
    assert status == 1
    assert checks["journal"].detail
    assert str(Path.home()) not in checks["journal"].detail


def test_folder_that_may_not_be_written_is_a_problem(tmp_path, monkeypatch, capsys):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    monkeypatch.setenv("XDG_STATE_HOME", str(closed))
    # Who runs the tests may be root, who may write everywhere.
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: path != closed)
    status, checks = run(capsys, "journal")
    assert status == 1
    assert "nothing can be written" in checks["journal"].detail


def test_home_is_left_out_of_what_may_be_pasted(configure, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    configure("[camera]\nspek = 'auto'\n")
    _, checks = run(capsys, "config")
    assert checks["config"].detail.startswith("~/")


def test_check_that_breaks_is_its_own_result(monkeypatch):
    def broken():
        raise RuntimeError("no idea")

    monkeypatch.setitem(CHECKS, "space", broken)
    found = doctor.examine("space")
    assert found.status is Status.PROBLEM
    assert "RuntimeError: no idea" in found.detail


def test_what_the_config_names_as_taught_is_looked_at(configure, capsys, monkeypatch):
    assert run(capsys, "taught")[1]["taught"].status is Status.INFO
    configure("[game]\nbones = 'brass'\ndeck = 'heirloom'\n")
    check = run(capsys, "taught")[1]["taught"]
    assert check.status is Status.WARNING
    assert "boneace teach bones brass and boneace teach deck heirloom" in check.remedy
    monkeypatch.setattr("device.storage.taught.LOAD", {"bones": str, "deck": str})
    check = run(capsys, "taught")[1]["taught"]
    assert (check.status, check.detail) == (Status.OK, "bones brass and deck heirloom can be used")


def hall(capsys):
    return run(capsys, "hall")[1]["hall"]


def test_the_way_to_a_hall_is_tried(configure, capsys, tmp_path, monkeypatch):
    """What a technician sets wrong at one of twelve tables: each has its own cure."""
    monkeypatch.setattr("device.diagnostics.hall._refused", lambda asked: None)
    assert hall(capsys).status is Status.INFO
    rename_table(default_path().parent, "red-otter")
    with socket.create_server(("127.0.0.1", 0)) as broker:
        port = broker.getsockname()[1]
        there = f"[hall]\nbroker = '127.0.0.1'\nport = {port}\n"
        configure(f"{there}user = 'red-otter'\n")
        assert "[web] is off" in hall(capsys).detail
        configure(f"[web]\nenabled = true\n{there}user = 'red-otter'\n")
        assert hall(capsys).status is Status.OK
        configure(f"[web]\nenabled = true\n{there}user = 'red-oter'\n")
        assert hall(capsys).status is Status.WARNING
        assert 'user = "red-otter"' in hall(capsys).remedy
        configure(f"{there}user = 'hall'\n")
        assert hall(capsys).status is Status.OK
        configure(f"{there}password_file = '{tmp_path / 'secret'}'\n")
        assert "cannot be read" in hall(capsys).detail
        configure(there)
    configure(f"{there}user = 'red-otter'\n")
    gone = hall(capsys)
    assert (gone.status, gone.detail.split(" (")[0]) == (
        Status.PROBLEM,
        f"no broker at 127.0.0.1, port {port}",
    )


@needs_mosquitto
def test_a_wrong_password_for_the_broker_is_found(configure, capsys, tmp_path):
    rename_table(default_path().parent, "red-otter")
    known, secret = tmp_path / "passwd", tmp_path / "secret"
    known.touch()
    subprocess.run(["mosquitto_passwd", "-b", known, "red-otter", "right"], check=True)
    known.chmod(0o600)
    with Mosquitto(tmp_path / "broker", f"password_file {known}", anonymous=False) as broker:
        there = f"[web]\nenabled = true\n[hall]\nbroker = '127.0.0.1'\nport = {broker.port}\n"
        configure(f"{there}password_file = '{secret}'\n")  # by default it has the table's name
        secret.write_text("wrong\n")
        check = hall(capsys)
        assert check.status is Status.PROBLEM
        assert "mosquitto_passwd" in check.detail
        secret.write_text("right\n")
        check = hall(capsys)
        assert (check.status, check.detail[-36:]) == (
            Status.OK,
            "lets this machine in, the table red-otter"[-36:],
        )


def test_what_is_no_broker_is_not_taken_for_one(configure, capsys, monkeypatch):
    pytest.importorskip("aiomqtt")
    monkeypatch.setattr("device.diagnostics.hall.LONGEST_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        configure(f"[web]\nenabled = true\n[hall]\nbroker = '127.0.0.1'\nport = {port}\n")
        check = hall(capsys)
    assert (check.status, check.remedy[:16]) == (Status.PROBLEM, "is it a broker, ")

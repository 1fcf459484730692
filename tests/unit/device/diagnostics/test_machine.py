"""The doctor on machines that are hot, badly fed, wrongly timed, or half installed."""

import os
from pathlib import Path

import pytest

from device.diagnostics import machine as doctor_machine
from device.diagnostics import service
from device.diagnostics.check import Status
from device.storage.copies.backup import back_up
from device.storage.journal.journal import Journal


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """A machine of which nothing is known; a test writes the files that tell."""
    for name in ("SYS", "PROC", "DEV"):
        monkeypatch.setattr(doctor_machine, name, tmp_path / name.lower())
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("look", [doctor_machine.heat, doctor_machine.power, doctor_machine.memory])
def test_what_a_machine_does_not_say_is_no_problem(look):
    assert look().status is Status.INFO


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [("52345\n", Status.OK, "52 degrees"), ("81000\n", Status.WARNING, "slows itself down")],
)
def test_heat(machine, text, status, words):
    machine("sys/class/thermal/thermal_zone0/temp", text)
    found = doctor_machine.heat()
    assert found.status is status
    assert words in found.detail


THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        pytest.param("0\n", Status.OK, "high enough", id="well"),
        pytest.param("50005\n", Status.WARNING, "too low just now", id="now"),
        pytest.param("50000\n", Status.WARNING, "since the start", id="before"),
        pytest.param("80000\n", Status.OK, "high enough", id="only warm"),
    ],
)
def test_power_as_a_raspberry_pi_tells_it(machine, text, status, words):
    machine(THROTTLED, text)
    found = doctor_machine.power()
    assert found.status is status
    assert words in found.detail
    assert bool(found.remedy) == (status is Status.WARNING)


@pytest.mark.parametrize(("alarm", "status"), [("0", Status.OK), ("1", Status.WARNING)])
def test_power_as_the_kernel_tells_it(machine, alarm, status):
    machine("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    machine("sys/class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n")
    machine("sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    assert doctor_machine.power().status is status


@pytest.mark.parametrize(("free_kb", "status"), [(900_000, Status.OK), (90_000, Status.WARNING)])
def test_memory(machine, free_kb, status):
    machine("proc/meminfo", f"MemTotal: 1000000 kB\nMemAvailable:  {free_kb} kB\n")
    found = doctor_machine.memory()
    assert found.status is status
    assert f"{free_kb // 1000} MB" in found.detail


@pytest.mark.parametrize(
    ("now_s", "status"),
    [
        pytest.param(0.0, Status.WARNING, id="no clock of its own"),
        pytest.param(1_795_000_000.0, Status.OK, id="right"),
        pytest.param(9_000_000_000.0, Status.WARNING, id="years ahead"),
    ],
)
def test_clock(now_s, status):
    found = doctor_machine.clock(lambda: now_s)
    assert found.status is status
    assert bool(found.remedy) == (status is Status.WARNING)


def test_devices_that_may_not_be_used_name_the_groups_to_join(machine, tmp_path, monkeypatch):
    assert doctor_machine.groups().status is Status.INFO
    video = machine("dev/video0", "")
    header = machine("dev/gpiochip0", "")
    assert doctor_machine.groups().detail.startswith("all 2 devices")
    monkeypatch.setattr(doctor_machine, "_group", {os.getgid(): "video"}.get)
    # Who runs the tests may be root, who may use everything.
    monkeypatch.setattr(doctor_machine.os, "access", lambda path, mode: path == header)
    found = doctor_machine.groups()
    assert found.status is Status.WARNING
    assert str(video) in found.detail
    assert str(header) not in found.detail
    assert "usermod -aG video $USER" in found.remedy
    monkeypatch.setattr(doctor_machine, "_group", {os.getgid(): "root"}.get)
    assert "install.sh" in doctor_machine.groups().remedy, "nobody should join root"


def test_fonts_that_are_there_and_one_that_is_torn(tmp_path, monkeypatch):
    assert doctor_machine.fonts().status is Status.OK
    folder = tmp_path / "fonts"
    folder.mkdir()
    (folder / "Lato-Bold.ttf").write_bytes(b"torn")
    monkeypatch.setattr(doctor_machine, "files", lambda package: tmp_path)
    found = doctor_machine.fonts()
    assert found.status is Status.PROBLEM
    assert "Lato-Bold.ttf: is no font" in found.detail
    assert "LinLibertine_RZ.otf: No such file" in found.detail


def test_the_fonts_are_those_that_are_shipped():
    folder = Path(doctor_machine.__file__).parents[2] / "display" / "drawing" / "fonts"
    there = {path.name for path in folder.iterdir() if path.suffix in (".ttf", ".otf")}
    assert set(doctor_machine.FONTS) == there


def test_the_console_is_looked_at_only_where_it_is_used(machine, monkeypatch):
    assert doctor_machine.console().status is Status.INFO
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    assert "dtoverlay" in doctor_machine.console().remedy
    machine("dev/dri/card0", "")
    assert doctor_machine.console(lambda name: None).status is Status.OK

    def without_gl(name):
        if name == "libGL.so.1":
            raise OSError("cannot open shared object file")

    found = doctor_machine.console(without_gl)
    assert found.status is Status.PROBLEM
    assert found.detail.startswith("libGL.so.1 missing: the screen would stay black")


def facts(**more):
    told = {
        "LoadState": "loaded",
        "ActiveState": "active",
        "SubState": "running",
        "UnitFileState": "enabled",
        "Result": "success",
        "NRestarts": "0",
        "StatusText": "bone-ace, hand 3",
        **more,
    }
    return lambda words: "".join(f"{key}={value}\n" for key, value in told.items())


@pytest.mark.parametrize(
    ("run", "status", "words"),
    [
        pytest.param(lambda words: "", Status.INFO, "does not start with", id="no systemd"),
        pytest.param(facts(LoadState="not-found"), Status.INFO, "does not start", id="none"),
        pytest.param(facts(), Status.OK, "runs: bone-ace, hand 3", id="runs"),
        pytest.param(facts(NRestarts="3"), Status.WARNING, "anew 3 times", id="restarts"),
        pytest.param(
            facts(ActiveState="failed", Result="watchdog"), Status.PROBLEM, "watchdog", id="failed"
        ),
        pytest.param(
            facts(ActiveState="activating", SubState="auto-restart", Result="exit-code"),
            Status.PROBLEM,
            "does not start (exit-code)",
            id="in vain",
        ),
        pytest.param(
            facts(ActiveState="activating", StatusText="The camera gives no picture."),
            Status.WARNING,
            "The camera gives no picture.",
            id="waits",
        ),
        pytest.param(facts(ActiveState="inactive"), Status.INFO, "stopped", id="stopped"),
        pytest.param(
            facts(ActiveState="inactive", UnitFileState="disabled"),
            Status.INFO,
            "not switched on",
            id="off",
        ),
    ],
)
def test_service(run, status, words):
    found = service.service(run)
    assert found.status is status
    assert words in found.detail
    assert found.remedy or status is Status.OK


def test_a_service_that_is_off_names_the_command_that_switches_it_on():
    off = service.service(facts(ActiveState="inactive", UnitFileState="disabled"))
    assert off.detail == "installed, but not switched on"
    assert off.remedy == "switch it on: sudo systemctl enable --now boneace"
    stopped = service.service(facts(ActiveState="inactive"))
    assert stopped.remedy == "start it: sudo systemctl start boneace"
    absent = service.service(facts(LoadState="not-found"))
    assert absent.remedy == (
        "to have it so: sudo ./systemd/install.sh in the clone (docs/how-to/install.md)"
    )


def test_copies_of_the_journal(tmp_path):
    journal = tmp_path / "state" / "journal.sqlite3"
    assert service.backup().detail == "nothing to copy yet"
    Journal(journal).close()
    assert service.backup().remedy.startswith("make one: boneace backup")
    copy = back_up(journal, journal.parent / "backups", keep=3, wall_s=1_700_000_000.0).path
    made_s = copy.stat().st_mtime
    week_later = made_s + 7 * 86_400
    found = service.backup(lambda: week_later)
    assert (found.status, found.detail) == (
        Status.OK,
        "1 copy of the journal, the newest 2023-11-14 22:13 UTC",
    ), "nothing was played since"
    os.utime(journal, (week_later, week_later))
    assert service.backup(lambda: made_s + 3600).status is Status.OK
    found = service.backup(lambda: week_later)
    assert found.status is Status.WARNING
    assert found.remedy == ("look at: systemctl status boneace-backup.timer boneace-backup.service")


def test_a_device_of_an_unknown_group_is_called_by_its_number():
    unknown = 4_000_000
    assert doctor_machine._group(unknown) == str(unknown)

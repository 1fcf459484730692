"""The units: what they run can be run, what they promise is what the program does."""

import argparse
import graphlib
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import termios
from configparser import ConfigParser

import pytest

from device.commands import backup, hall, play, publish, web
from device.config.model import RUNTIME, BackupConfig
from device.feed.feed import GROUP
from device.service.power_off import REQUEST
from device.service.service import own_the_console
from device.storage.copies.backup import LABELS
from tests.support.paths import ROOT

FOLDER = ROOT / "systemd"
UNITS = sorted(
    path.name
    for path in FOLDER.iterdir()
    if path.suffix in (".service", ".timer", ".path", ".mount")
)


PROGRAMS = [name for name in UNITS if "/opt/boneace/bin/boneace" in (FOLDER / name).read_text()]


def load_unit(name="boneace.service"):
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(FOLDER / name, encoding="utf-8")
    return parser


def environment(name="boneace.service"):
    text = (FOLDER / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.MULTILINE))


def shell_words(name):
    """Return a list of common.sh as the shell reads it."""
    text = (FOLDER / "common.sh").read_text(encoding="utf-8")
    return re.search(rf'^{name}="([^"]*)"', text, re.MULTILINE)[1].split()


@pytest.mark.parametrize(
    ("unit", "module"),
    [
        ("boneace.service", play),
        ("boneace-backup.service", backup),
        ("boneace-hall.service", hall),
        ("boneace-publish.service", publish),
        ("boneace-web.service", web),
    ],
)
def test_the_command_is_one_that_the_program_takes(unit, module):
    program, *words = shlex.split(load_unit(unit)["Service"]["ExecStart"])
    if words[0] == "--config":
        words = words[2:]
    command, *words = words
    assert program == "/opt/boneace/bin/boneace"
    assert command == module.__name__.rpartition(".")[2]
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    parser.parse_args(words)


def test_pages_are_off_until_they_are_turned_on():
    service = load_unit("boneace-web.service")["Service"]
    assert service["ExecCondition"] == f"{service['ExecStart']} --is-on"
    assert web.run(argparse.Namespace(is_on=True, qr=None)) == 1


def test_pages_share_the_socket_with_the_table_and_nothing_else():
    service = load_unit("boneace-web.service")["Service"]
    assert service["SupplementaryGroups"] == GROUP
    assert GROUP in load_unit()["Service"]["SupplementaryGroups"].split()
    assert service["User"] != load_unit()["Service"]["User"]
    assert environment("boneace-web.service")["FEED_DIRECTORY"] == str(RUNTIME)
    assert "AF_INET" not in load_unit()["Service"]["RestrictAddressFamilies"]


def test_hall_is_off_until_its_config_is_written_and_reads_its_password_as_the_page_says():
    unit = load_unit("boneace-hall.service")
    config = unit["Unit"]["ConditionPathExists"]
    assert f"--config {config} hall" in unit["Service"]["ExecStart"]
    name, _, source = unit["Service"]["LoadCredential"].partition(":")
    page = (ROOT / "docs/how-to/hall.md").read_text(encoding="utf-8")
    assert f'password_file = "/run/credentials/boneace-hall.service/{name}"' in page
    assert config in page
    assert source in page
    assert f'file = "/var/lib/{unit["Service"]["StateDirectory"]}/' in page


def test_it_is_ready_and_watched_and_started_anew():
    unit = load_unit()
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 0
    assert service["Restart"] == "always", "Q on a keyboard ends well, and the table comes back"
    assert int(unit["Unit"]["StartLimitBurst"]) > 0
    # A limit reached leaves no table dead for the day: somebody says so and tries again.
    assert unit["Unit"]["OnFailure"] == "boneace-trouble.service"
    wait_s = int(re.search(r"wait_s=\$\{1:-(\d+)\}", (FOLDER / "trouble.sh").read_text())[1])
    assert wait_s >= int(unit["Unit"]["StartLimitIntervalSec"]), "else the limit still holds"


def test_nothing_lying_about_can_hide_the_packages():
    for unit in PROGRAMS:
        assert environment(unit)["PYTHONSAFEPATH"] == "1"


def test_onnx_runtime_sends_nothing():
    for unit in PROGRAMS:
        assert environment(unit)["ORT_DISABLE_TELEMETRY"] == "1"


@pytest.mark.parametrize("user", [0, 1000], ids=["root", "somebody"])
def test_the_command_of_an_installed_table_sends_nothing(tmp_path, user):
    """Run boneace.sh with stand-ins for the program and for the ways to become another user."""
    for name, text in (
        ("id", f"echo {user}"),
        ("runuser", 'shift 3; exec "$@"'),
        ("boneace", 'echo "$ORT_DISABLE_TELEMETRY $PYTHONSAFEPATH $*"'),
    ):
        stub = tmp_path / name
        stub.write_text(f"#!/bin/sh\n{text}\n")
        stub.chmod(0o755)
    script = (FOLDER / "boneace.sh").read_text(encoding="utf-8")
    done = subprocess.run(
        ["sh", "-c", script.replace("/opt/boneace/bin", str(tmp_path)), "boneace.sh", "doctor"],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "1 1 doctor\n"


def test_the_config_is_not_looked_for_in_a_protected_home():
    """A home that may not be entered would make every start fail: the config cannot be read."""
    for unit in ("boneace.service", "boneace-backup.service"):
        service = load_unit(unit)["Service"]
        assert service["ProtectHome"] == "yes"
        assert environment(unit)["HOME"] == f"/var/lib/{service['StateDirectory']}"


def test_the_buttons_that_switch_off_ask_where_systemd_waits():
    runtime = load_unit()["Service"]["RuntimeDirectory"]
    path = load_unit("boneace-power-off.path")["Path"]["PathExists"]
    assert path == f"/run/{runtime}/{REQUEST}"
    assert "poweroff" in load_unit("boneace-power-off.service")["Service"]["ExecStart"]


def comes_after(name):
    """Return what a unit is ordered after: `After=` may stand there several times."""
    lines = re.findall(r"^After=(.*)$", (FOLDER / name).read_text(), re.MULTILINE)
    return {unit for line in lines for unit in line.split()}


def test_no_unit_waits_for_itself_when_the_machine_boots():
    """A target waits for what it wants, but for units that are ordered after it themselves."""
    order = {name: comes_after(name) for name in UNITS}
    for name in UNITS:
        wanted = load_unit(name).get("Install", "WantedBy", fallback="")
        if wanted.endswith(".target") and wanted not in order[name]:
            order.setdefault(wanted, set()).add(name)
    assert order["boneace.service"] >= {"multi-user.target"}
    graphlib.TopologicalSorter(order).prepare()  # raises CycleError


def test_the_stick_that_is_mounted_is_the_one_that_is_looked_for():
    mount = load_unit("media-boneace.mount")["Mount"]
    assert mount["What"] == str(LABELS / BackupConfig().stick)
    service = load_unit("boneace-backup.service")["Service"]
    assert service["ReadWritePaths"] == f"-{mount['Where']}"


def test_every_unit_is_installed_and_what_is_switched_on_can_be():
    assert sorted(shell_words("ALL_UNITS")) == UNITS
    enabled = shell_words("ENABLED")
    can_be = [name for name in UNITS if load_unit(name).has_section("Install")]
    assert sorted(enabled) == sorted(name for name in can_be)


def test_the_user_is_in_the_groups_of_the_unit():
    text = (FOLDER / "install.sh").read_text(encoding="utf-8")
    made = re.search(r"for each in ([a-z -]+); do", text)[1].split()
    assert made == load_unit()["Service"]["SupplementaryGroups"].split()


@pytest.fixture
def systemd_analyze(tmp_path):
    """Run systemd-analyze on the units; their programs are not installed where the tests run."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed (Debian: systemd)")
    for name in UNITS:
        text = (FOLDER / name).read_text(encoding="utf-8")
        text = re.sub(r"^(ExecStart|ExecCondition)=.*$", r"\1=/bin/true", text, flags=re.MULTILINE)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(*words):
        return subprocess.run(
            ["systemd-analyze", *words],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=tmp_path,
        )

    return run


def test_systemd_understands_the_units(systemd_analyze):
    done = systemd_analyze("verify", "--man=no", *(f"./{name}" for name in UNITS))
    about_ours = [line for line in done.stderr.splitlines() if "boneace" in line]
    assert (done.returncode, about_ours) == (0, [])


@pytest.mark.parametrize(
    ("unit", "most"),
    [
        ("boneace.service", 2.0),
        ("boneace-backup.service", 1.0),
        ("boneace-power-off.service", 2.0),
        ("boneace-trouble.service", 2.0),
        ("boneace-hall.service", 2.0),
        ("boneace-publish.service", 2.0),
        ("boneace-web.service", 2.0),
    ],
)
def test_little_could_be_done_with_it_by_who_breaks_in(systemd_analyze, unit, most):
    done = systemd_analyze("security", "--offline=true", "--no-pager", f"./{unit}")
    level = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert level is not None, done.stderr
    assert float(level[1]) < most


def test_without_a_broker_nothing_is_published_and_nothing_is_tried_again(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("[hall]\n")
    done = subprocess.run(
        [sys.executable, "-m", "device.cli", "--config", config, "publish"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "no broker is named" in done.stderr
    service = load_unit("boneace-publish.service")["Service"]
    for key in ("RestartPreventExitStatus", "SuccessExitStatus"):
        assert int(service[key]) == done.returncode


def test_keys_of_the_console_are_keys_and_no_signals():
    """Ctrl-C on the table's keyboard must not end the game, nor be echoed behind it."""
    leader, console = pty.openpty()
    try:
        before = termios.tcgetattr(console)[3]
        assert before & termios.ISIG
        own_the_console({"NOTIFY_SOCKET": "/run/systemd/notify"}, console)
        assert not termios.tcgetattr(console)[3] & (termios.ISIG | termios.ECHO | termios.ICANON)
    finally:
        os.close(leader)
        os.close(console)


def test_a_terminal_of_a_person_is_left_alone():
    leader, console = pty.openpty()
    try:
        before = termios.tcgetattr(console)
        own_the_console({}, console)
        assert termios.tcgetattr(console) == before
    finally:
        os.close(leader)
        os.close(console)


def test_without_a_terminal_nothing_happens(tmp_path):
    with (tmp_path / "file").open("w") as file:
        own_the_console({"NOTIFY_SOCKET": "/run/systemd/notify"}, file.fileno())


def run_trouble(tmp_path, screen):
    """Run trouble.sh with stand-ins for the system's programs; return what was asked of those."""
    asked = tmp_path / "asked"
    for name, text in (
        ("journalctl", "boneace play: no model; install it again"),
        ("systemctl", ""),
        ("sleep", ""),
    ):
        stub = tmp_path / name
        stub.write_text(f'#!/bin/sh\necho "{name} $*" >> {asked}\necho "{text}"\n')
        stub.chmod(0o755)
    subprocess.run(
        ["sh", FOLDER / "trouble.sh", "300", screen],
        check=True,
        timeout=60,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        stdout=subprocess.DEVNULL,
    )
    return asked.read_text().splitlines()


def test_the_screen_says_why_it_does_not_start_and_it_is_tried_again(tmp_path):
    screen = tmp_path / "tty1"
    screen.touch()
    asked = run_trouble(tmp_path, screen)
    told = screen.read_text()
    assert "boneace play: no model; install it again" in told
    assert "Nothing is lost" in told
    assert "sudo boneace doctor" in told
    assert asked[0].startswith("journalctl --unit=boneace.service --priority=err")
    assert asked[1:] == [
        "sleep 300",
        "systemctl reset-failed boneace.service",
        "systemctl start --no-block boneace.service",
    ]


def test_without_a_screen_it_is_tried_again_all_the_same(tmp_path):
    asked = run_trouble(tmp_path, tmp_path / "none")
    assert [line.split()[0] for line in asked] == ["sleep", "systemctl", "systemctl"]

"""install.sh and uninstall.sh, run on a system of their own below a folder."""

import base64
import hashlib
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import zipfile

import pytest

from device.config.model import Config, load
from tests.acceptance.systemd.lock import packages
from tests.support.paths import ROOT

FOLDER = ROOT / "systemd"
SCRIPTS = sorted(FOLDER.glob("*.sh"))
TOOLS = ("useradd", "usermod", "userdel", "groupadd", "groupdel", "systemctl")

missing = [tool for tool in TOOLS if shutil.which(tool) is None]
installs = pytest.mark.skipif(
    bool(missing) or os.geteuid() != 0,
    reason=f"needs root and {', '.join(missing or TOOLS)}, to make a user in the folder's files",
)


def make_wheel(folder, text, name="boneace", needs=(), status=0):
    """Write a wheel whose program prints *text*: the scripts are tried, not the real packages."""
    folder.mkdir(exist_ok=True)
    plain = name.replace("-", "_")
    info = f"{plain}-1.0.dist-info"
    module = "stand_in" if name == "boneace" else f"stand_in_{plain}"
    about = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0"]
    about += [f"Requires-Dist: {need}" for need in needs]
    files = {
        f"{module}.py": f"def main():\n    print({text!r})\n    return {status}\n",
        f"{info}/METADATA": "\n".join([*about, ""]),
        f"{info}/WHEEL": (
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    if name == "boneace":
        files[f"{info}/entry_points.txt"] = "[console_scripts]\nboneace = stand_in:main\n"
    lines = []
    path = folder / f"{plain}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for inside, content in files.items():
            wheel.writestr(zipfile.ZipInfo(inside), content)  # of 1980: the same bytes each time
            digest = hashlib.sha256(content.encode()).digest()
            code = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            lines.append(f"{inside},sha256={code},{len(content.encode())}")
        lines += [f"{info}/RECORD,,", ""]
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "\n".join(lines))
    return path


def make_wheels_and_lock(wheels, scripts):
    """Write wheels of that name for every package that is needed, and the lock that names them."""
    lines = []
    for name in sorted({*packages("NEEDED"), *packages("REPORTLAB")}):
        code = hashlib.sha256(make_wheel(wheels, name, name).read_bytes()).hexdigest()
        lines.append(f"{name}==1.0 \\\n    --hash=sha256:{code}\n    # via boneace\n")
    (scripts / "requirements.lock").write_text("".join(lines))


class Machine:
    """The files of a small Debian system, and the scripts run on them."""

    def __init__(self, folder):
        self.root = folder / "root"
        self.wheels = folder / "wheels"
        self.stubs = folder / "stubs"
        self.called = folder / "called"
        self.scripts = folder / "systemd"
        etc = self.root / "etc"
        etc.mkdir(parents=True)
        (self.root / "var" / "lib").mkdir(parents=True)
        (etc / "os-release").write_text('ID=debian\nVERSION_ID="13"\n')
        (etc / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
        (etc / "shadow").write_text("root:*:19000:0:99999:7:::\n")
        (etc / "group").write_text("root:x:0:\nvideo:x:44:\naudio:x:29:\ninput:x:995:\n")
        (etc / "gshadow").write_text("root:*::\nvideo:!::\naudio:!::\ninput:!::\n")
        # Whoever installs offline may reach for no package and no machine's own service manager.
        self.stubs.mkdir()
        for name in ("apt-get", "apt-cache", "udevadm"):
            stub = self.stubs / name
            stub.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.called}\nexit 1\n')
            stub.chmod(0o755)
        make_wheel(self.wheels, "the first")
        shutil.copytree(FOLDER, self.scripts)
        make_wheels_and_lock(self.wheels, self.scripts)

    def run(self, script, *words, check=True, env=None, within=()):
        done = subprocess.run(
            [*within, "bash", self.scripts / script, "--root", self.root, *words],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={
                **os.environ,
                "PATH": f"{self.stubs}:/usr/sbin:{os.environ['PATH']}",
                **(env or {}),
            },
        )
        assert not self.called.exists(), self.called.read_text()
        if check:
            assert done.returncode == 0, done.stderr
        return done

    def install(self, *words, check=True, env=None):
        return self.run(
            "install.sh",
            *("--offline", self.wheels, "--python", sys.executable),
            *words,
            check=check,
            env=env,
        )

    def path(self, name):
        return self.root / name.lstrip("/")

    def tree(self):
        """Return every file with its mode and what is in it.

        Left out: compiled code, locks, and where pip says the wheel lay, which is elsewhere here.
        """
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if re.search(r"__pycache__|^etc/.*(-|\.lock)$|dist-info/(direct_url|RECORD)", name):
                continue
            if path.is_symlink():
                found[name] = f"-> {os.readlink(path)}"
            elif path.is_file():
                mode = stat.S_IMODE(path.stat().st_mode)
                found[name] = (oct(mode), hashlib.sha256(path.read_bytes()).hexdigest())
        return found

    def site(self):
        """Return where the Python packages are installed."""
        return next(self.path("/opt/boneace/lib").glob("python*/site-packages"))

    def installed(self):
        """Return the names of the packages that are installed, in use or not."""
        found = self.path("/opt").rglob("site-packages/*.dist-info")
        return {path.name.split("-")[0] for path in found}

    def says(self):
        """Run the program that is installed, as it lies."""
        code = "import sys; sys.path.insert(0, sys.argv[1]); import stand_in; stand_in.main()"
        return subprocess.check_output([sys.executable, "-c", code, self.site()], text=True).strip()

    def passwd(self):
        lines = self.path("/etc/passwd").read_text().splitlines()
        return [line.split(":") for line in lines if line.startswith("boneace:")]


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """One installation for all: making an environment takes its time."""
    machine = Machine(tmp_path_factory.mktemp("template"))
    machine.before = machine.tree()
    machine.told = machine.install().stdout
    return machine


@pytest.fixture
def machine(template, tmp_path):
    """The same installation, on a machine of its own."""
    copy = Machine(tmp_path)
    shutil.rmtree(copy.root)
    shutil.copytree(template.root, copy.root, symlinks=True)
    ((_, _, uid, gid, *_),) = template.passwd()
    os.chown(copy.path("/var/lib/boneace"), int(uid), int(gid))
    copy.before = template.before
    return copy


@installs
def test_all_of_it_is_there(template):
    machine = template
    assert "Config /etc/boneace/config.toml: new." in machine.told
    ((_, _, uid, gid, _, home, shell),) = machine.passwd()
    assert (home, shell) == ("/var/lib/boneace", "/usr/sbin/nologin")
    groups = {
        line.split(":")[0]
        for line in machine.path("/etc/group").read_text().splitlines()
        if "boneace" in line.split(":")[3].split(",")
    }
    assert groups == {"video", "render", "input", "gpio", "audio", "boneace-feed"}
    state = machine.path("/var/lib/boneace").stat()
    assert (state.st_uid, state.st_gid) == (int(uid), int(gid))
    assert stat.S_IMODE(state.st_mode) == 0o750

    links = {path.name for path in machine.path("/etc/systemd/system").glob("*.wants/*")}
    assert links == {
        "boneace.service",
        "boneace-backup.service",
        "boneace-backup.timer",
        "boneace-power-off.path",
        "boneace-hall.service",
        "boneace-publish.service",
        "boneace-web.service",
        "media-boneace.mount",
    }
    assert load([machine.path("/etc/boneace/config.toml")]) == Config()
    assert os.access(machine.path("/usr/local/bin/boneace"), os.X_OK)
    program = machine.path("/opt/boneace/bin/boneace").read_text()
    assert program.startswith("#!/opt/boneace.d/a/bin/python")
    assert machine.says() == "the first"
    for path in machine.path("/opt/boneace/bin").iterdir():
        if path.is_file() and not path.is_symlink():
            assert str(machine.root) not in path.read_text(), "it will be started elsewhere"


@installs
def test_a_second_run_changes_nothing(machine):
    before = machine.tree()
    told = machine.install().stdout
    assert machine.tree() == before
    assert "kept" in told
    assert "made" not in told


@installs
def test_an_upgrade_keeps_config_and_state_and_brings_the_new_program(machine):
    config = machine.path("/etc/boneace/config.toml")
    config.write_text("[game]\nstake = 5\n")
    journal = machine.path("/var/lib/boneace/journal.sqlite3")
    journal.write_bytes(b"every event")
    unit = machine.path("/etc/systemd/system/boneace.service")
    unit.write_text("[Service]\nExecStart=/of/an/older/one\n")
    make_wheel(machine.wheels, "the second")  # of the same number, as from a newer clone
    machine.install()
    assert machine.says() == "the second"
    assert os.readlink(machine.path("/opt/boneace")) == "boneace.d/b"
    make_wheel(machine.wheels, "the third")
    machine.install()
    assert machine.says() == "the third"
    assert os.readlink(machine.path("/opt/boneace")) == "boneace.d/a"
    assert config.read_text() == "[game]\nstake = 5\n"
    assert journal.read_bytes() == b"every event"
    assert unit.read_text() == (FOLDER / "boneace.service").read_text()


@installs
def test_with_another_python_the_program_is_made_anew(machine):
    made_from = machine.path("/opt/boneace/.made-from")
    made_from.write_text(made_from.read_text().replace("3.", "2.", 1))
    machine.install()
    assert os.readlink(machine.path("/opt/boneace")) == "boneace.d/b"
    assert machine.says() == "the first"


@installs
def test_an_added_package_and_what_it_needs_are_kept(machine):
    for name, needs, entry in (("my-game", ["its-dice>=1"], True), ("its-dice", [], False)):
        wheel = make_wheel(machine.wheels, "roll", name, needs)
        with zipfile.ZipFile(wheel) as unpacked:
            unpacked.extractall(machine.site())
        if entry:
            info = next(machine.site().glob("my_game-*.dist-info"))
            (info / "entry_points.txt").write_text(
                "[boneace.games]\nmine = stand_in_my_game:main\n"
            )
            with (info / "RECORD").open("a") as record:
                record.write(f"{info.name}/entry_points.txt,,\n")
    make_wheel(machine.wheels, "the second")
    told = machine.install().stdout
    assert "Kept: my-game 1.0" in told
    assert (machine.site() / "stand_in_my_game.py").is_file()
    assert (machine.site() / "stand_in_its_dice.py").is_file()
    assert machine.says() == "the second"


@installs
def test_what_was_built_for_the_header_is_kept(machine):
    wheel = make_wheel(machine.wheels, "built by hand", "lgpio")
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(machine.site())
    wheel.unlink()
    make_wheel(machine.wheels, "the second")
    assert "Kept: lgpio 1.0" in machine.install().stdout
    assert (machine.site() / "stand_in_lgpio.py").is_file()


@installs
def test_an_added_package_for_another_python_is_named(machine):
    wheel = make_wheel(machine.wheels, "roll", "my-game")
    site = machine.path("/opt/boneace/lib/python3.9/site-packages")
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(site)
    info = next(site.glob("my_game-*.dist-info"))
    (info / "entry_points.txt").write_text("[boneace.games]\nmine = stand_in_my_game:main\n")
    make_wheel(machine.wheels, "the second")
    assert "my-game was installed for python3.9: install it again" in machine.install().stdout


@installs
def test_a_program_of_0_1_in_the_place_of_the_link_is_replaced(machine):
    place, old = machine.path("/opt/boneace"), machine.path("/opt/boneace.d/a")
    place.unlink()
    old.rename(place)
    make_wheel(machine.wheels, "the second")
    machine.install()
    assert machine.says() == "the second"
    assert place.is_symlink()
    # As docs/how-to/install.md says: sudo ln -sfn boneace.d/0.1 /opt/boneace
    subprocess.run(["ln", "-sfn", "boneace.d/0.1", str(place)], check=True)
    assert machine.says() == "the first"


@installs
def test_a_new_program_that_does_not_work_here_leaves_the_old_one(machine):
    make_wheel(machine.wheels, "no picture can be read", status=1)
    before = machine.tree()
    done = machine.install(check=False)
    assert done.returncode == 1
    assert "no picture can be read" in done.stdout
    assert "the new program does not work here" in done.stderr
    assert machine.tree() == before


CUT = """\
trap 'n=$((${n:-0} + 1)); if [ "$n" -eq "$KILL_AT" ]; then kill -9 $$; fi' DEBUG
set -T
"""
"""Read by bash before the script: ends it like a power cut, before its command of that number."""


@installs
@pytest.mark.parametrize("at", [160, 198, 264, 291])
def test_an_upgrade_that_is_cut_off_leaves_one_whole_program(machine, tmp_path, at):
    upgrade_cut_at(machine, tmp_path, at)


def upgrade_cut_at(machine, folder, at):
    """Kill the upgrade before command *at*; return whether it had come to its end by then."""
    make_wheel(machine.wheels, "the second")
    (folder / "cut.sh").write_text(CUT)
    cut = {"BASH_ENV": str(folder / "cut.sh"), "KILL_AT": str(at)}
    done = machine.install(check=False, env=cut)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    assert machine.says() in ("the first", "the second")
    for unit in machine.path("/etc/systemd/system").glob("boneace*"):
        if unit.is_file():
            assert unit.suffix == ".new" or unit.read_text() == (FOLDER / unit.name).read_text()
    machine.install()
    assert machine.says() == "the second"
    return done.returncode == 0


@installs
@pytest.mark.parametrize("gone", ["numpy", "pygame-ce", "boneace"])
def test_without_a_network_the_old_program_stays(machine, gone):
    make_wheel(machine.wheels, "the second")
    next(machine.wheels.glob(f"{gone.replace('-', '_')}-*.whl")).unlink()
    before = machine.tree()
    done = machine.install(check=False)
    assert done.returncode == 1
    assert machine.tree() == before


def bare(tmp_path):
    """A system on which nothing is installed yet."""
    machine = Machine(tmp_path)
    (machine.root / "opt").mkdir()
    return machine


@installs
def test_a_wheel_with_another_hash_than_in_the_lock_stops_everything(tmp_path):
    machine = bare(tmp_path)
    make_wheel(machine.wheels, "not the one that was locked", "numpy")
    done = machine.install(check=False)
    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert "pip download --require-hashes --dest" in done.stderr.splitlines()[-1]
    assert machine.installed() == set()


@installs
def test_a_lock_with_another_hash_than_the_wheels_stops_an_upgrade(machine):
    lock = machine.scripts / "requirements.lock"
    lock.write_text(lock.read_text().replace("1.0", "2.0"))
    for name in packages("NEEDED"):
        path = machine.wheels / f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
        path.rename(str(path).replace("1.0", "2.0"))
    make_wheel(machine.wheels, "the second")
    before = machine.tree()
    assert machine.install(check=False).returncode == 1
    assert machine.says() == "the first"
    assert machine.tree() == before


@installs
def test_without_a_hash_nothing_is_installed(tmp_path):
    machine = bare(tmp_path)
    lock = machine.scripts / "requirements.lock"
    lock.write_text(re.sub(r" \\\n +--hash=\S+", "", lock.read_text()))
    done = machine.install(check=False)
    assert done.returncode == 1
    assert "Hashes are required in --require-hashes mode" in done.stderr
    assert machine.installed() == set()


@installs
def test_a_package_that_can_be_missed_is_left_out_when_its_hash_is_wrong(tmp_path):
    machine = bare(tmp_path)
    make_wheel(machine.wheels, "not the one that was locked", "reportlab")
    done = machine.install()
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert "draw the play mat on another machine" in done.stdout
    assert machine.says() == "the first"
    assert "reportlab" not in machine.installed()


@installs
def test_a_program_that_needs_more_than_the_lock_has_is_not_called_installed(machine):
    make_wheel(machine.wheels, "the second", needs=["numpy", "scipy"])
    done = machine.install(check=False)
    assert done.returncode == 1
    assert "boneace 1.0 requires scipy, which is not installed" in done.stderr
    assert "use the install.sh that belongs to boneace-1.0" in done.stderr


@installs
def test_uninstalling_leaves_only_the_state(machine):
    before = machine.before
    journal = machine.path("/var/lib/boneace/journal.sqlite3")
    journal.write_bytes(b"every event")
    machine.path("/etc/boneace/config.toml").write_text("[game]\nstake = 5\n")
    machine.run("uninstall.sh")
    after = machine.tree()
    accounts = {"etc/passwd", "etc/shadow", "etc/group", "etc/gshadow"}
    state = {"var/lib/boneace/journal.sqlite3", "var/lib/boneace/config.toml.kept"}
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert changed - accounts - {"etc/subuid", "etc/subgid"} == state
    assert machine.passwd(), "the state belongs to somebody"

    machine.run("uninstall.sh")  # a second time there is nothing to do
    assert journal.read_bytes() == b"every event"
    machine.install()
    assert load([machine.path("/etc/boneace/config.toml")]).game.stake == 5
    assert journal.read_bytes() == b"every event"


@installs
def test_the_settings_of_a_hall_outlive_the_program(machine):
    password = machine.path("/etc/boneace/hall-password")
    password.write_text("secret\n")
    machine.run("uninstall.sh")
    assert [each.name for each in password.parent.iterdir()] == ["hall-password"]


@installs
def test_purging_forgets_all(machine):
    machine.path("/var/lib/boneace/journal.sqlite3").write_bytes(b"every event")
    machine.path("/etc/boneace/hall-password").write_text("secret\n")
    machine.run("uninstall.sh", "--purge")
    assert machine.passwd() == []
    left = [name for name in machine.tree() if "boneace" in name]
    assert left == []


@installs
def test_to_the_console_by_its_own_wish_only_and_unknown_systems_are_tried(machine):
    machine.path("/etc/os-release").write_text('VERSION_ID="11"\nVERSION_CODENAME=bullseye\n')
    default = machine.path("/etc/systemd/system/default.target")
    graphical = machine.path("/usr/lib/systemd/system")
    graphical.mkdir(parents=True)
    for name in ("graphical.target", "multi-user.target"):
        (graphical / name).write_text("[Unit]\nDescription=x\n")
    default.parent.mkdir(parents=True, exist_ok=True)
    default.symlink_to("/usr/lib/systemd/system/graphical.target")
    (default.parent / "display-manager.service").write_text("[Service]\nExecStart=/bin/true\n")
    told = machine.install().stderr
    assert "run this again with --console" in told
    assert "made for Debian 12 and 13, this is bullseye" in told
    assert os.readlink(default).endswith("graphical.target")
    machine.install("--console")
    assert os.readlink(default).endswith("multi-user.target")


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        pytest.param(["--help"], 0, "Usage: sudo", id="help"),
        pytest.param(["--hlep"], 2, "unknown option --hlep; see --help", id="typo"),
        pytest.param(["--root"], 2, "see --help", id="no value"),
        pytest.param(["--root", "/nowhere"], 1, "holds no system", id="no system"),
    ],
)
def test_misuse_is_answered_with_what_to_do(script, words, status, told, tmp_path):
    # Whoever runs the tests may be anybody: here he is root, who is asked for first.
    stub = tmp_path / "id"
    stub.write_text("#!/bin/sh\necho 0\n")
    stub.chmod(0o755)
    done = run_as_is(script, words, tmp_path)
    assert done.returncode == status
    assert told in done.stdout + done.stderr


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_who_is_not_root_is_told_how(script, tmp_path):
    stub = tmp_path / "id"
    stub.write_text("#!/bin/sh\necho 1000\n")
    stub.chmod(0o755)
    done = run_as_is(script, ["--root", str(tmp_path)], tmp_path)
    assert done.returncode == 1
    assert "sudo" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["id"]


def test_a_folder_of_wheels_that_is_not_there_names_how_to_make_it(tmp_path):
    (tmp_path / "root" / "etc").mkdir(parents=True)
    stub = tmp_path / "id"
    stub.write_text("#!/bin/sh\necho 0\n")
    stub.chmod(0o755)
    words = ["--root", str(tmp_path / "root"), "--offline", str(tmp_path / "wheels")]
    done = run_as_is("install.sh", words, tmp_path)
    assert done.returncode == 1
    assert "pip download --require-hashes --dest" in done.stderr


def run_as_is(script, words, stubs):
    return subprocess.run(
        ["bash", FOLDER / script, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PATH": f"{stubs}:{os.environ['PATH']}"},
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_finds_nothing(script):
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed (Debian: shellcheck)")
    done = subprocess.run(
        ["shellcheck", "--external-sources", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=FOLDER.parent,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_options_told_are_the_options_there_are():
    for script in ("install.sh", "uninstall.sh"):
        text = (FOLDER / script).read_text(encoding="utf-8")
        told = set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", text, re.MULTILINE))
        cases = re.findall(r"^        ((?:-h \| )?--[a-z |-]+)\)", text, re.MULTILINE)
        there = {word for case in cases for word in case.split(" | ") if word != "-h"}
        assert told == there, script

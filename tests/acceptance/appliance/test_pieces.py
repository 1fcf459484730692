"""The pieces of the emulated machine that need no machine: what make appliance rests on."""

import configparser
import importlib.util
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tomllib
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import cv2
import numpy as np
import pytest

from device.clock import HandClock
from device.config.model import PanelConfig
from device.ports import Button, Frame, Press
from device.runtime.camera_worker import SyncReadingSource
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from engine import Player
from tests.acceptance.appliance import build, disk_contents, recording, screen
from tests.acceptance.appliance.machine import Machine, MachineError, Parts, copy_disk, make_stick
from tests.acceptance.appliance.outside import HOST, Outside, packed
from tests.acceptance.appliance.players import CONFIG, Fingers, pins
from vision import MotionGate, TableReader

HERE = Path(__file__).parent
GUEST = HERE / "guest"
TOOLS = ("mke2fs", "e2fsck", "debugfs")
PATIENCE = 60
"""So many frames the croupier may take to see what was laid."""


@pytest.fixture(scope="module")
def shot(tmp_path_factory):
    """A hand, played beforehand."""
    folder = tmp_path_factory.mktemp("film")
    return folder, recording.make(folder)


class Table:
    """A machine without a machine: the product itself, looking at pictures of the film."""

    def __init__(self, folder, script, journal):
        self.app, self.number = None, 0
        self.raw = np.fromfile(folder / recording.PICTURES, np.uint8, offset=recording.SECTOR)
        self.raw = self.raw.reshape(script.pictures, recording.SIZE[1], recording.SIZE[0], 2)
        self.buttons = {pin: key for key, pin in pins(tomllib.loads(CONFIG.read_text())).items()}
        self.clock = HandClock()
        self.session = Session.resume_last(journal, self.clock) or Session.begin(
            journal,
            self.clock,
            recording.GAME,
            [Player(seat, name) for seat, name in enumerate(script.players)],
            dealer=None,
            options={"stake": 1},
        )
        eyes = SyncReadingSource(self, MotionGate(TableReader()))
        self.app = TableController(self.session, eyes, [], self.clock)
        self.waited = []

    @property
    def events(self):
        return self.session.events

    def read(self, timeout_s=2.0):
        image = cv2.cvtColor(self.raw[self.number], cv2.COLOR_YUV2BGR_YUYV)
        return Frame(np.asarray(image, np.uint8), self.clock.monotonic())

    def close(self):
        pass

    def show(self, picture):
        self.number = picture

    def press(self, pin):
        button, seat = self.buttons[pin]
        self.app.press(Press(Button(button), self.clock.monotonic(), seat))

    def look(self):
        self.clock.wait(0.1)
        assert self.app.step()

    def until_events(self, count, limit_s):
        self.waited.append(count)
        for _ in range(PATIENCE):
            if self.events >= count:
                return 1.0
            self.look()
        raise AssertionError(f"{self.events} events, not {count}: {self.app.prompt_text.title}")


def play(table, script, **more):
    def look(seconds):
        for _ in range(10):
            table.look()

    return Fingers(script, sleep=look, **more)


def test_a_hand_can_be_played_again_by_rote(shot, tmp_path):
    """From pictures in the camera's own pixels, and presses alone, the very same events come."""
    folder, script = shot
    with Journal(tmp_path / "journal.sqlite3") as journal:
        table = Table(folder, script, journal)
        fingers = play(table, script)
        fingers.play(table)
        assert fingers.done == len(script.steps)
        events = [entry for _, entry in journal.events(table.session.record.number)]
        settled = [pair for hand in table.session.state.hands for pair in hand.settlement]
    assert events == [dict(each) for each in script.events]
    assert [(script.players[seat], net) for seat, net in settled] == list(script.ledger)
    assert sum(net for _, net in script.ledger) == 0


@pytest.mark.parametrize("cut", [1, 12, 13])
def test_after_a_power_cut_the_hand_goes_on_where_it_was(shot, tmp_path, cut):
    """A card that lay there unseen is seen; a press that was lost is made again."""
    folder, script = shot
    with Journal(tmp_path / "journal.sqlite3") as journal:
        table = Table(folder, script, journal)
        fingers = play(table, script)
        fingers.play(table, cut)
        before = table.events
        again = Table(folder, script, journal)
        # The last thing done before the cut came to nothing.
        fingers = play(again, script, done=cut + 1)
        fingers.sit_down_again(again)
        assert again.events == before
        fingers.play(again)
        events = [entry for _, entry in journal.events(again.session.record.number)]
    # In which order the cards of a hand were laid, the eyes have forgotten.
    assert [recording.sorted_cards(each) for each in events] == [
        recording.sorted_cards(each) for each in script.events
    ]


def test_a_press_that_came_to_something_is_not_made_again(shot):
    _, script = shot
    press = next(number for number, each in enumerate(script.steps) if each.button is not None)

    class Heard:
        events = script.steps[press].after + 1
        shown = None

        def show(self, picture):
            self.shown = picture

    table = Heard()
    fingers = Fingers(script, done=press + 1)
    fingers.sit_down_again(table)
    assert fingers.done == press + 1
    assert table.shown == script.shown_at(press)
    table.events -= 1
    fingers.sit_down_again(table)
    assert fingers.done == press


def test_the_script_is_read_as_it_was_written(shot):
    folder, script = shot
    assert recording.read(folder) == script
    assert {each.button for each in script.steps} == {None, "have", "stick"}
    size = (folder / recording.PICTURES).stat().st_size
    assert size == recording.SECTOR + script.pictures * 2 * recording.SIZE[0] * recording.SIZE[1]
    assert script.won in script.story


def test_a_hand_in_which_the_croupier_must_ask_is_no_script(shot):
    class Question:
        text = "Which card is it?"

    with pytest.raises(recording.FilmError, match=r"Which card is it.*another seed"):
        recording.Watched(None, None, None, None).answer(Question())


def test_a_button_that_is_not_wired_is_told_of(shot):
    _, script = shot
    wrong = replace(script, steps=(recording.Step(0, button="quit"),))
    with pytest.raises(recording.FilmError, match="quit"):
        recording._check(wrong)


def test_a_video_device_gives_the_picture_that_was_meant():
    image = np.zeros((4, 6, 3), np.uint8)
    image[:, :2], image[:, 2:4], image[:, 4:] = (200, 30, 30), (20, 180, 40), (128, 128, 128)
    back = cv2.cvtColor(recording.yuyv(image), cv2.COLOR_YUV2BGR_YUYV)
    assert recording.yuyv(image).shape == (4, 6, 2)
    assert np.abs(back.astype(int) - image).max() <= 4


def test_the_pins_are_those_that_the_table_takes():
    panel = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["panel"]
    taken = PanelConfig(console=panel["console"], seats=panel["seats"]).pins()
    wired = pins({"panel": panel})
    assert {(button.value, seat): pin for (button, seat), pin in taken.buttons.items()} == {
        key: pin for key, pin in wired.items() if key[0] != "lamp"
    }
    assert {("lamp", seat): pin for seat, pin in taken.turn_lamps.items()}.items() <= wired.items()


def test_the_config_of_the_machine_is_right(tmp_path):
    words = ["-m", "device.cli", "--config", str(CONFIG), "config", "check"]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=build.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def unit(path):
    # Later lines of the same name add to the first: each is kept.
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return parser


def test_slowness_is_borne_and_no_wall_taken_down():
    """The machine runs the product's own unit: times are longer, and a board is pretended."""
    names = set(unit(GUEST / "slow.conf")["Service"])
    longer = {"TimeoutStartSec", "WatchdogSec", "TimeoutStopSec"}
    assert names == longer | {"BindReadOnlyPaths", "Environment"}
    names = set(unit(GUEST / "slow-backup.conf")["Service"])
    assert names == {"Nice", "TimeoutStartSec"}


def test_a_camera_may_be_plugged_in_after_the_start():
    """By its number: a name counts only if the kernel knows it when the unit starts."""
    text = (build.ROOT / "systemd" / "boneace.service").read_text(encoding="utf-8")
    allowed = [line.split("=")[1] for line in text.splitlines() if line.startswith("DeviceAllow=")]
    assert "char-81 rw" in allowed
    assert not any("video4linux" in each or "alsa" in each for each in allowed)


@pytest.mark.parametrize(
    "script", [*sorted(HERE.glob("*.sh")), GUEST / "header"], ids=lambda path: path.name
)
def test_every_script_can_be_parsed(script):
    shell = shutil.which("bash" if script.suffix else "sh")
    assert subprocess.run([shell, "-n", str(script)], check=False).returncode == 0


def test_what_went_in_is_told_by_the_key(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "ROOT", tmp_path)
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("a")
    other.write_text("b")
    key = build.key([one, other])
    assert key == build.key([other, one, one])
    other.write_text("c")
    assert build.key([one, other]) != key
    assert build.key([one], "x") != build.key([one])
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "one.pyc").write_text("")
    assert build.files([tmp_path]) == [one, other]


def test_who_cannot_build_it_is_told_why(monkeypatch):
    monkeypatch.setattr(build.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(build.os, "geteuid", lambda: 1000)
    assert "sudo make appliance" in build.missing()
    monkeypatch.setattr(build.os, "geteuid", lambda: 0)
    monkeypatch.setattr(build.shutil, "which", lambda name, path=None: None)
    assert "apt-get install" in build.missing()
    assert "qemu-system-x86" in build.missing()
    monkeypatch.setattr(build.platform, "machine", lambda: "aarch64")
    assert "x86" in build.missing()


def test_nothing_is_asked_of_a_machine_that_is_off(tmp_path):
    nothing = Path("/nowhere")
    with Machine(tmp_path, Parts(nothing, nothing, nothing)) as machine:
        with pytest.raises(MachineError, match="boot"):
            machine.run("true")
        with pytest.raises(MachineError, match="boot"):
            machine.ask("query-status")


def test_a_disk_is_copied_with_its_holes(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("wb") as file:
        file.write(b"begin")
        file.truncate(50_000_000)
    copy_disk(source, target)
    assert target.stat().st_size == 50_000_000
    assert target.stat().st_blocks * 512 < 1_000_000
    assert target.read_bytes()[:5] == b"begin"


def test_a_stick_has_the_label_that_the_unit_waits_for(tmp_path):
    if shutil.which("mkfs.vfat", path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None:
        pytest.skip("dosfstools is missing; run: sudo apt-get install dosfstools")
    head = make_stick(tmp_path / "stick").read_bytes()[:512]
    unit = (build.ROOT / "systemd" / "media-boneace.mount").read_text(encoding="utf-8")
    label = re.findall(r"by-label/(\w+)", unit)[0]
    assert head[43:54] == label.ljust(11).encode()


def test_the_cable_is_pulled_when_so_much_of_a_file_was_sent(tmp_path):
    (tmp_path / "its_dice-1.0-py3-none-any.whl").write_bytes(bytes(1000))
    pulled = []
    with Outside(tmp_path, packed(["LICENSE"]), lambda: pulled.append(True)) as outside:
        outside.cut_at("/files/its", 0.5)

        def get(path):
            return urlopen(outside.address.replace(HOST, "127.0.0.1") + path, timeout=1.0)

        assert get("/simple/its-dice/").read() == (
            b'<a href="/files/its_dice-1.0-py3-none-any.whl">its_dice-1.0-py3-none-any.whl</a>\n'
        )
        with tarfile.open(fileobj=io.BytesIO(get("/clone.tar").read())) as clone:
            assert clone.getnames() == ["LICENSE"]
        with pytest.raises(HTTPError, match="404"):
            get("/debian/dists/bookworm/InRelease")
        assert not pulled
        assert not outside.is_cut.is_set()
        with pytest.raises(TimeoutError):
            get("/files/its_dice-1.0-py3-none-any.whl").read()
        assert pulled == [True]
        assert outside.is_cut.is_set()
        assert get("/files/its_dice-1.0-py3-none-any.whl").read() == bytes(1000), "only once"


@pytest.fixture
def journal(tmp_path, shot):
    """The journal of a table that was cut off: its last events are in the WAL alone."""
    folder, _ = shot
    path = tmp_path / "root" / disk_contents.JOURNAL.lstrip("/")
    path.parent.mkdir(parents=True)
    shutil.copy(folder / "journal.sqlite3", path)
    return path


def disk_of(root, image):
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    tools = {name: shutil.which(name, path=path) for name in TOOLS}
    if None in tools.values():
        pytest.skip("e2fsprogs is missing; run: sudo apt-get install e2fsprogs")
    words = [tools["mke2fs"], "-q", "-t", "ext4", "-F", "-d", str(root), str(image), "16M"]
    subprocess.run(words, check=True, capture_output=True)
    return image


def test_events_are_read_from_the_disk_of_a_machine_that_is_off(tmp_path, journal, shot):
    _, script = shot
    writer = sqlite3.connect(journal, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("DELETE FROM events WHERE number = 0")
    # Copied while it is open, as a power cut leaves it.
    image = disk_of(tmp_path / "root", tmp_path / "disk")
    writer.close()
    assert disk_contents.events_on(image, tmp_path) == [dict(each) for each in script.events[1:]]


def test_a_damaged_journal_on_the_disk_is_told_of(tmp_path, journal):
    torn = bytearray(journal.read_bytes())
    torn[4096:8192] = bytes(4096)
    journal.write_bytes(torn)
    image = disk_of(tmp_path / "root", tmp_path / "disk")
    with pytest.raises(disk_contents.PlatterError, match="journal"):
        disk_contents.events_on(image, tmp_path)
    journal.unlink()
    with pytest.raises(disk_contents.PlatterError, match=r"no /var/lib"):
        disk_contents.events_on(disk_of(tmp_path / "root", tmp_path / "other"), tmp_path)


def test_the_screen_is_painted_as_the_table_stands(tmp_path, shot):
    folder, script = shot
    end = screen.paint(folder / "journal.sqlite3", tmp_path / "end.png")
    again = screen.paint(folder / "journal.sqlite3", tmp_path / "again.png")
    empty = screen.paint(None, tmp_path / "empty.png", script.players)
    assert screen.differing(end, again) == 0.0
    assert screen.differing(end, empty) > 0.05
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((10, 10, 3), np.uint8))
    with pytest.raises(ValueError, match="same size"):
        screen.differing(end, small)


def load(name):
    spec = importlib.util.spec_from_file_location(f"guest_{name}", GUEST / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_agent_runs_what_it_is_asked_and_says_how_it_went():
    agent, said = load("agent"), []

    class Port:
        def say(self, **what):
            said.append(what)

    agent.do(Port(), {"id": 3, "run": "echo out; echo err >&2; exit 5", "limit_s": 30})
    assert said == [{"id": 3, "status": 5, "out": "out\n", "err": "err\n"}]


def test_the_agent_tells_of_events_when_others_can_read_them(tmp_path, monkeypatch):
    agent, said = load("agent"), []
    path = tmp_path / "journal.sqlite3"
    monkeypatch.setattr(agent, "JOURNAL", str(path))
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE events (number INTEGER)")
    steps = iter(["BEGIN", "INSERT INTO events VALUES (0)", "COMMIT", None])

    class Enough(Exception):
        pass

    def turn(seconds):
        step = next(steps)
        if step is None:
            raise Enough
        writer.execute(step)

    class Port:
        def say(self, **what):
            said.append(what["events"])

    monkeypatch.setattr(agent.time, "sleep", turn)
    with pytest.raises(Enough):
        agent.tell_of_events(Port())
    writer.close()
    assert said == [0, 1]


def test_the_agent_puts_lines_together(tmp_path):
    agent = load("agent")
    ours, theirs = os.pipe()
    os.write(theirs, b'{"id": 1}\n{"id"')
    port = agent.Port(f"/proc/self/fd/{ours}")
    lines = port.lines()
    assert json.loads(next(lines)) == {"id": 1}
    os.write(theirs, b": 2}\n")
    assert json.loads(next(lines)) == {"id": 2}

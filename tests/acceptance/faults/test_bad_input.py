"""Whatever a name stands for and wherever the output goes: one clear line, its status, no hang."""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from device.clock import HandClock
from device.commands.play import Story
from device.runtime.session import Session
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader, SessionRecord
from display.i18n.languages import ENGLISH
from display.i18n.translate import Translator
from engine import Player
from engine.core.cards import Card
from engine.core.events import Deal, Facing, Undo

LIMIT_S = 60
"""Far more than any of them takes; what hangs, hangs for ever."""

MEMORY = 2 * 2**30
LONG = "x" * 5_000
PLAYERS = ({"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bess"})
UP = Deal(0, Card.parse("KH"), Facing.UP)
SITTING = SessionRecord("bone-ace", "willughby", {}, PLAYERS, 0)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a pipe, a picture, a journal, and a home of its own."""
    folder = tmp_path_factory.mktemp("input")
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "AS.jpg")
    os.mkfifo(folder / "pipe.deck")
    picture = np.full((60, 80, 3), 128, np.uint8)
    cv2.imwrite(str(folder / "grey.png"), picture)
    cv2.imwrite(str(folder / "two\nlines.png"), picture)
    (folder / "two\nlines.txt").write_text("no picture")
    with Journal(folder / "journal.sqlite3") as journal:
        journal.begin(SITTING)
    return folder


def run(place, *words, memory=MEMORY, out=subprocess.PIPE):
    """Run boneace as a child, bounded in time and memory."""

    def bounded():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    home = {name: str(place / name.lower()) for name in ("HOME", "XDG_CONFIG_HOME")}
    return subprocess.run(
        [sys.executable, "-m", "device.cli", *words],
        env={
            **os.environ,
            **home,
            "XDG_STATE_HOME": str(place / "state"),
            "SDL_VIDEODRIVER": "dummy",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        timeout=LIMIT_S,
        preexec_fn=bounded,
        check=False,
    )


def error_of(done):
    """The one line on standard error."""
    text = done.stderr.decode("utf-8")
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    assert len(text) < 1_500
    return text


PLAY = ("play", "--headless", "--camera", "{}", "--journal", "{}/new.sqlite3")
NAMES = [
    # command, status, a part of what is said; {} is the folder
    (("read", "{}/pipe"), 1, "it is a pipe, not a file"),
    (("read", "/dev/zero"), 1, "it is a device, not a file"),
    (("read", LONG), 1, "name too long"),
    (("read", "{}/two\nlines.txt"), 1, r"two\nlines.txt: is not a picture"),
    (("read", "--deck", "{}/pipe.deck", "{}/grey.png"), 1, "it is a pipe"),
    (("read", "--deck", LONG, "{}/grey.png"), 1, "cannot be the name of a taught deck"),
    (("read", "--bones", LONG, "{}/grey.png"), 1, "cannot be the name of a taught set"),
    (("referee", "/dev/zero"), 1, "it is a device, not a file"),
    (("referee", "{}/pipe"), 1, "it is a pipe, not a file"),
    (("replay", "/dev/zero"), 1, "it is a device, not a file"),
    (("replay", "{}/pipe"), 1, "it is a pipe, not a file"),
    (("ledger", "--audit", "/dev/zero"), 1, "it is a device, not a file"),
    (("ledger", "--audit", "{}/pipe"), 1, "it is a pipe, not a file"),
    (("ledger", "--journal", "/dev/zero"), 1, "cannot be a journal (it is a device"),
    (("ledger", "--journal", "{}/pipe"), 1, "cannot be a journal (it is a pipe"),
    (("ledger", "--journal", LONG), 1, "name too long"),
    (("backup", "--journal", "{}/pipe"), 1, "cannot be a journal (it is a pipe"),
    ((*PLAY[:-1], "/dev/zero"), 1, "cannot be a journal (it is a device"),
    ((*PLAY[:-1], "{}/pipe"), 1, "cannot be a journal (it is a pipe"),
    ((*PLAY, "--presses", "/dev/zero"), 1, "it is a device, not a file"),
    ((*PLAY, "--presses", "{}/pipe"), 1, "it is a pipe, not a file"),
    ((*PLAY[:3], "/dev/zero", *PLAY[4:]), 1, "/dev/zero: is no video device"),
    ((*PLAY[:3], "{}/pipe", *PLAY[4:]), 1, "neither a file nor a folder"),
    ((*PLAY[:3], LONG, *PLAY[4:]), 1, "unknown camera"),
    (("calibrate", "--camera", LONG), 1, "unknown camera"),
    (("calibrate", "--camera", "/dev/zero"), 1, "is no video device"),
    (("--config", "/dev/zero", "rules"), 1, "it is a device, not a file"),
    (("--config", "{}/pipe", "config"), 1, "it is a pipe, not a file"),
    (("--config", "{}/missing.toml", "rules"), 1, "no such file; check its name"),
    (("--config", LONG, "rules"), 1, "name too long"),
    (("rules", LONG), 1, "boneace rules"),
    (("rules", "bone-ace", "--set", f"stake={LONG}"), 1, "stake"),
    (("demo", "--theme", LONG), 2, "see: boneace demo --help"),
    (("demo", "--hands", LONG), 2, "see: boneace demo --help"),
    (("mat", "-o", "{}/pipe"), 1, "nobody reads"),
    (("mat", "--paper", LONG, "-o", "{}/mat.pdf"), 2, "see: boneace mat --help"),
    (("wiring", "--example", "--svg", "{}/pipe"), 1, "nobody reads"),
    (("export", "--journal", "{}/journal.sqlite3", "--out", "{}/pipe"), 1, "nobody reads"),
    (("teach", "bones", "red", "-o", "/dev/null", "--from", "{}/none"), 1, "pictures"),
    ((LONG,), 2, "see: boneace --help"),
    (("raed",), 2, "unknown command 'raed'; did you mean 'read'? see: boneace --help"),
    (("read", "--fromat", "json", "x"), 2, "--fromat; did you mean --format? see: boneace read -"),
    (("count", "bones", "--zz"), 2, "arguments: --zz; see: boneace count bones --help"),
]


@pytest.mark.parametrize(
    ("words", "status", "said"), NAMES, ids=lambda value: str(value)[:50].replace("\n", "n")
)
def test_a_bad_name_gets_one_line(place, words, status, said):
    beside = set(Path("/dev").glob("*.lock"))
    done = run(place, *(word.replace("{}", str(place)) for word in words))
    error = error_of(done)
    assert said.lower() in error.lower()
    assert done.returncode == status
    assert set(Path("/dev").glob("*.lock")) == beside


@pytest.mark.parametrize("module", ["argparse", "engine.core.events", "device.commands.rules"])
def test_ctrl_c_while_it_is_imported_is_silent(place, module):
    script = (
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from device.cli import main\n"
        "sys.exit(main(['rules']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=LIMIT_S)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_pipe_among_the_pictures_of_a_deck_is_passed_over(place):
    done = run(place, "teach", "deck", "red", "--pictures", str(place / "AS.jpg"))
    assert done.returncode == 1
    assert "it is a pipe, not a file" in error_of(done)


def test_a_picture_whose_name_has_two_lines_is_one_line(place):
    done = run(place, "read", str(place / "two\nlines.png"), str(place / "grey.png"))
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 2
    assert rb"two\nlines.png: " in done.stdout


def test_a_name_that_is_no_text_is_printed_all_the_same(place):
    name = os.fsencode(place) + b"/\xff.pdf"
    done = run(place, "mat", "-o", name)
    assert done.returncode == 0
    assert rb"\udcff.pdf: A1" in done.stdout
    assert os.path.getsize(name) > 1_000


OUTPUTS = [
    ("--version",),
    ("--help",),
    ("read", "--help"),
    ("rules",),
    ("rules", "bone-ace"),
    ("odds", "knucklebones"),
    ("odds", "knucklebones", "--csv"),
    ("config",),
    ("config", "--json"),
    ("read", "{}/grey.png"),
    ("demo", "--headless", "--hands", "1"),
    ("ledger", "--journal", "{}/journal.sqlite3"),
    ("ledger", "--csv", "--journal", "{}/journal.sqlite3"),
    ("replay", "--journal", "{}/journal.sqlite3"),
    ("doctor", "versions"),
    ("wiring", "--example"),
]


@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_a_full_disk_behind_the_output(place, words):
    with open("/dev/full", "wb") as full:
        done = run(place, *(word.replace("{}", str(place)) for word in words), out=full)
    assert done.returncode == 1
    assert "the output cannot be written (No space left on device)" in error_of(done)


@pytest.mark.parametrize("words", OUTPUTS, ids=" ".join)
def test_a_reader_that_has_gone(place, words):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run(place, *(word.replace("{}", str(place)) for word in words), out=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("words", [("ledger", "--audit"), ("config", "--explain")], ids=" ".join)
def test_head_ends_a_command_quietly(place, words):
    shell = shlex.join([sys.executable, "-m", "device.cli", *words])
    if words[0] == "ledger":
        shell += f" --journal {place}/journal.sqlite3"
    done = subprocess.run(
        ["bash", "-c", f"{shell} | head -0; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, "HOME": str(place)},
    )
    assert (done.stdout, done.stderr) == ("141\n", "")


@pytest.mark.parametrize("kind", ["full", "gone"])
def test_a_table_whose_story_cannot_be_written_plays_on(place, tmp_path, kind):
    path, words = tmp_path / "journal.sqlite3", ("--players", "Ann,Bess")
    words = ("play", "--headless", "--camera", f"{place}/grey.png", "--journal", path, *words)
    reader, writer = os.pipe()
    os.close(reader)
    with open("/dev/full" if kind == "full" else writer, "wb") as out:
        done = run(place, *map(str, words), out=out)
    assert done.returncode == {"full": 1, "gone": 141}[kind]
    told = [line for line in done.stderr.decode().splitlines() if "ready to play" not in line]
    assert ["the output cannot be written" in line for line in told] == [True] * (kind == "full")
    assert main(["doctor", "journal"]) == 0
    with JournalReader(path) as journal:
        assert journal.open_sittings()[0].number == 1


@pytest.mark.parametrize("kind", ["full", "gone"])
def test_a_story_that_breaks_off_in_mid_hand_costs_no_event(tmp_path, monkeypatch, caplog, kind):
    reader, writer = os.pipe()
    os.close(reader)
    company = [Player(0, "Ann"), Player(1, "Bess")]
    with Journal(tmp_path / "journal.sqlite3") as journal:
        session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=1)
        story = Story()
        story.open(session, lambda: Translator.of(ENGLISH))
        session.apply(Deal(0, None))
        with open("/dev/full" if kind == "full" else writer, "w") as out:
            monkeypatch.setattr(sys, "stdout", out)
            for event in (Deal(1, None), Deal(0, None), Deal(1, None), UP, Undo(), UP):
                session.apply(event)
            monkeypatch.undo()
        assert story.status == {"full": 1, "gone": 141}[kind]
        assert caplog.text.count("the game goes on without its story") == (kind == "full")
        assert session.events == 7
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert journal.notices == []
        assert Session.resume_last(journal, HandClock()).state == session.state


@pytest.mark.parametrize("megabytes", [150, 250, 400])
def test_little_memory(place, megabytes):
    done = run(place, "read", str(place / "grey.png"), memory=megabytes * 2**20)
    if done.returncode != 0:
        assert "there is not enough memory" in error_of(done)
        assert done.returncode == 1


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_second_writer_through_a_link_is_refused(place, tmp_path, link):
    path, other = tmp_path / "journal.sqlite3", tmp_path / "away" / "other.sqlite3"
    other.parent.mkdir()
    with Journal(path) as first:
        link(path, other)
        number = first.begin(SITTING).number
        with pytest.raises(JournalError, match="another boneace is writing to this journal"):
            Journal(other)
        # SQLite's own locks have not been given up by looking.
        first.append(number, 0, {"e": "undo"}, 0.0)
        assert len(first.events(number)) == 1
    with Journal(path) as again:
        assert len(again.events(number)) == 1


def test_the_check_of_the_networks_prints_text_only(place, tmp_path):
    """A network full of bytes that are no text, with a right digest."""
    script = tmp_path / "damaged.py"
    script.write_text(
        "import sys, vision.models, vision.inference\n"
        "from device.cli import main\n"
        "whole = vision.models._read\n"
        "def torn(name):\n"
        "    return bytes(b if n % 7 else 255 for n, b in enumerate(whole(name)))\n"
        "vision.inference.read_network = torn\n"
        "sys.exit(main(['doctor', 'models']))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, "PYTHONPATH": os.getcwd(), "HOME": str(place)},
    )
    assert done.returncode == 1
    assert "cannot load" in done.stdout.decode("utf-8")
    assert done.stderr.decode("utf-8") == ""

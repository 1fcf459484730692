"""Every example runs as it stands in the folder, and says what it is there to say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import cv2
import pytest

from device.clock import SystemClock
from device.narration.story import tell_live
from device.runtime.session import Session
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from display.i18n.translate import Translator
from engine import Card, Deal, Face, Player, Stick, apply, new_table
from engine.records.record import Record, write
from tests.support.paths import ROOT
from tests.support.played_table import PlayedTable
from tests.support.web_service import served
from vision.mat.layout import MatLayout

pytestmark = pytest.mark.slow


def run(name: str, *arguments: object) -> list[str]:
    """Run an example as a person would, and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={
            "PYTHONPATH": str(ROOT),
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        },
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def drawn():
    """A drawn table with three cards before one player, seen by a camera."""
    table = SimulatedTable(MatLayout(4, "A2"), seed=3)
    for code in ("AH", "9C", "4D"):
        table.lay(0, Card.parse(code), face_up=True)
    table.settle()
    return table.frame()


def test_reads_a_photograph(tmp_path, drawn):
    photograph = tmp_path / "table.png"
    cv2.imwrite(str(photograph), drawn)
    lines = run("read_a_photograph", photograph)
    assert {line.split()[0] for line in lines[:-1]} == {"AH", "9C", "4D"}


def test_another_program_asks(tmp_path, drawn):
    photograph = tmp_path / "table.png"
    cv2.imwrite(str(photograph), drawn)
    *cards, last = run("ask_boneace", photograph)
    assert {line.split(" at ")[0] for line in cards} == {"AH", "9C", "4D"}
    assert last == "1 face down"  # the stock


def test_scores_a_hand():
    assert run("score_a_hand") == ["Ann -1", "Bess +1"]


def test_engine_alone_plays_to_the_end():
    lines = run("engine_alone")
    assert lines[0].startswith("Roll(seat=0")
    assert sorted(lines[-2:]) in (["Ann +1", "Bess -1"], ["Ann -1", "Bess +1"])


def test_custom_game():
    assert run("custom_game") == ["Ann wins with an ace, a king and a ten: the hand was thirty-one"]


def test_custom_camera_sees_half(tmp_path, drawn):
    (tmp_path / "frames").mkdir()
    whole = cv2.hconcat([drawn, drawn])
    cv2.imwrite(str(tmp_path / "frames" / "1.png"), whole)
    assert sorted(run("custom_camera", tmp_path / "frames")[0].split()) == ["4D", "9C", "AH"]


def test_mat(tmp_path):
    run("mat", tmp_path / "mat.pdf")
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")
    assert cv2.imread(str(tmp_path / "mat.png")).shape == (630, 891, 3)


def test_buttons_without_a_pi():
    assert run("buttons_without_a_pi") == ["seat 0 pressed stick"]


def test_replays_a_record(tmp_path):
    start = new_table("one-and-thirty", [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
    dealt = ((0, "TH"), (1, "KS"), (0, "9C"), (1, "QD"), (0, "7D"), (1, "9H"))
    events = [*(Deal(seat, Card.parse(code)) for seat, code in dealt), Stick(0), Stick(1)]
    table = start
    for event in events:
        table = apply(table, event)
    record = write(Record(opening=start, events=tuple((None, event) for event in events)))
    (tmp_path / "evening.json").write_text(json.dumps(record))
    assert run("replay_a_record", tmp_path / "evening.json") == ["Ann -1", "Bess +1"]


def test_teaches_a_deck(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    for code in ("AH", "9C"):
        table = SimulatedTable(MatLayout(4, "A2"), seed=3)
        table.lay(0, Card.parse(code), face_up=True)
        table.settle()
        cv2.imwrite(str(folder / f"{code}.jpg"), table.frame())
    assert run("teach_a_deck", folder) == [
        "9C.jpg taken",
        "AH.jpg taken",
        "50 cards are still to be shown",
    ]
    assert (folder / "mine.deck").is_file()


def test_throws_bones():
    thrown, read = run("throw_bones")
    faces = thrown.removeprefix("thrown: ").split()
    assert len(faces) == 5
    seen, total = read.removeprefix("read: ").split(" total ")
    assert sorted(seen.split()) == sorted(faces)
    assert int(total) == sum(Face(face).points for face in faces)


@pytest.fixture
def web(tmp_path):
    """A table that plays one hand, its pages, and what it told in Dutch."""
    with PlayedTable(tmp_path / "table") as table, served(table.path) as url:
        yield table, url


def play_meanwhile(table):
    """Play a hand at the pace of people once somebody listens."""

    def play():
        time.sleep(1.5)
        while table.session.view.result is None:
            table.go_on()
            time.sleep(0.06)

    threading.Thread(target=play, daemon=True).start()


def test_lamp_follows_the_turn(web):
    table, url = web
    turns = []
    table.session.listeners.append(
        lambda _event, _before, after, _assumed: turns.append(after.turn)
    )
    play_meanwhile(table)
    lines = run("web_lamp", url)
    changes = [now for before, now in pairwise([None, *turns]) if now != before]
    wanted = ["dark" if turn is None else f"lamp {turn + 1}" for turn in changes]
    assert lines == wanted
    assert len(set(lines)) == 4


def test_caller_in_another_language(web):
    table, url = web
    told = []
    dutch = Translator.of("nl")
    table.session.listeners.append(
        lambda event, before, after, assumed: told.extend(
            tell_live(event, before, after, assumed, dutch)
        )
    )
    play_meanwhile(table)
    assert run("web_caller", url, "nl") == told
    assert len(told) > 5


def end_sitting(folder):
    with Journal(folder / "journal.sqlite3") as journal:
        Session.unfinished(journal, SystemClock()).close()


def test_csv_of_the_evening(tmp_path):
    rows, folder = [], tmp_path / "table"
    with served(folder / "feed.sock") as url:
        for sitting in (1, 2):
            with PlayedTable(folder, seed=sitting) as table:
                while table.session.view.result is None:
                    table.go_on()
                now = {"sitting": sitting, "number": table.session.events - 1}
                while not now.items() <= told(url).items():
                    time.sleep(0.05)
                seats = table.session.view.seats
                rows += [f"{sitting},1,{seat.name},{seat.tokens}" for seat in seats]
                if sitting == 2:
                    assert run("web_csv", url) == ["sitting,hand,player,tokens", *rows]
            end_sitting(folder)


def told(url):
    try:
        return json.load(urlopen(f"{url}/api/state"))
    except HTTPError:  # the table is not there yet
        return {}


@pytest.mark.parametrize("name", ["web_lamp", "web_caller", "web_csv"])
@pytest.mark.parametrize("words", [(), ("--help",)])
def test_without_an_address_it_says_how_it_is_used(name, words):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"python {name}.py http://" in done.stderr
    assert "Traceback" not in done.stderr


def test_events_begin_where_the_page_of_the_api_says(tmp_path):
    """`all` is what the pages keep; `0.0` is the whole journal."""

    def first(url, after):
        with urlopen(f"{url}/api/events?after={after}", timeout=30) as lines:
            return next(line for line in lines if line.startswith(b"id: ")).strip()

    with PlayedTable(tmp_path / "table") as table:
        table.go_on(5)
    end_sitting(tmp_path / "table")
    with PlayedTable(tmp_path / "table") as table, served(table.path) as url:
        table.go_on(5)
        while not told(url):
            time.sleep(0.05)
        assert told(url)["sitting"] == 2
        assert first(url, "all") == b"id: 2.0"
        assert first(url, "0.0") == b"id: 1.0"


def test_every_example_is_tried_here_or_with_a_broker():
    tried = set(re.findall(r'run\("(\w+)"', Path(__file__).read_text(encoding="utf-8")))
    tried.add("home_assistant")  # tests/acceptance/hall/test_home_assistant.py
    assert tried == {path.stem for path in (ROOT / "examples").glob("*.py")}

"""``boneace play --readings`` and ``--keep-readings``: good files, bad files, answers by a pipe."""

import json
import os
import signal
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device import app
from device.cli import main
from device.croupier.lines import read_line
from device.runtime.readings import read_log, settled
from device.storage.journal.reader import JournalReader
from engine import event_from_dict
from tests.support.readings_logs import PLAYERS, bone_ace, written


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """No config and no journal but the test's own; `play` takes SIGTERM over, the run wants it."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")
    old = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, old)


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal.sqlite3"


def play(journal, *words):
    return main(["play", "--headless", "--journal", str(journal), *PLAYERS, *map(str, words)])


def events(path):
    with JournalReader(path) as kept:
        last = kept.sittings()[-1].number
        return [event for _, event in kept.events(last)]


def told_in(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_log_with_answers_is_played_told_and_exported(tmp_path, journal, capsys):
    log = written(tmp_path / "log.jsonl", bone_ace())
    answers = tmp_path / "answers.json"
    answers.write_text('{"card":["2S"]}')
    words = ("--readings", log, "--answers", answers, "--told")
    assert play(journal, *words, tmp_path / "one") == 0
    assert "Ann's card is turned up: the two of spades." in capsys.readouterr().out
    found = events(journal)
    assert [each.get("card") for each in found] == ["??", "??", "??", "??", "2S", "KC"]
    assert play(tmp_path / "other.sqlite3", *words, tmp_path / "two") == 0
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()
    assert events(tmp_path / "other.sqlite3") == found
    assert told_in(tmp_path / "one")[-1]["end"] == {"open": None}
    told = [line["event"] for line in told_in(tmp_path / "one") if "event" in line]
    assert told == found
    assert main(["export", "--journal", str(journal), "--out", str(tmp_path / "record.json")]) == 0
    record = json.loads((tmp_path / "record.json").read_text())
    assert [each["e"] for each in record["events"]] == ["deal"] * 6


def test_a_hand_goes_on_where_the_log_before_it_ended(tmp_path, journal, capsys):
    lines = bone_ace()
    first = written(tmp_path / "first.jsonl", lines[:11])
    second = written(tmp_path / "second.jsonl", lines[10:])
    answers = tmp_path / "answers.json"
    answers.write_text('{"card":["9H"]}')
    assert play(journal, "--readings", first) == 0
    assert [each.get("card") for each in events(journal)] == ["??"] * 4
    assert play(journal, "--readings", second, "--answers", answers) == 0
    assert "Going on with hand 1" in capsys.readouterr().out
    assert [each.get("card") for each in events(journal)][-2:] == ["9H", "KC"]


# Answers by a pipe


def interactive(journal, log, monkeypatch, capsys, *answers):
    """Play *log*; return what is told, when *answers* come in from a pipe that then ends."""
    back, front = os.pipe()
    os.write(front, "".join(f"{each}\n" for each in answers).encode())
    os.close(front)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(fileno=lambda: back))
    try:
        assert play(journal, "--readings", log, "--interactive") == 0
    finally:
        os.close(back)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("answers", "answered"),
    [
        (['{"answer":"9H"}'], "9H"),
        (['{"answer":"QC"}'], "QC"),
        (['{"answer":"none"}'], "none"),
        (['{"press":"undo"}'], "none"),
        (['{"press":"stick"}', '{"press":"have"}'], "9H"),
        (['{"answer":"stock"}', "not JSON", '{"press":"jump"}', '{"answer":"9D"}'], "9D"),
    ],
)
def test_a_question_is_answered_by_a_pipe(
    tmp_path, journal, monkeypatch, capsys, answers, answered
):
    log = written(tmp_path / "log.jsonl", bone_ace())
    out = interactive(journal, log, monkeypatch, capsys, *answers)
    settled_by = [line["settled"] for line in out if "settled" in line]
    assert settled_by == [{"id": 1, "by": "press", "answer": answered}]
    assert out[-1]["end"] == {"open": None}


@pytest.mark.parametrize("answers", [["{}"], []])
def test_a_question_may_be_left_open(tmp_path, journal, monkeypatch, capsys, answers):
    log = written(tmp_path / "log.jsonl", bone_ace())
    out = interactive(journal, log, monkeypatch, capsys, *answers)
    assert out[-1]["end"] == {"open": 1}


# Files that cannot be used


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'{"t":0}\n{"t":1\n', "line 2: is not JSON"),
        (b'{"t":2}\n\n{"t":1}\n', "line 3: t goes back from 2.0 to 1.0"),
        (b'{"t":0,"lies":[{"card":"XX","at":null,"x":1,"y":1}]}', "line 1: unknown card 'XX'"),
        (b'{"t":0,"lies":[{"card":"2S","at":"attic","x":1,"y":1}]}', "line 1: unknown place"),
        (b"\xff\xfe", "cannot be read"),
        (b"[" * 100_000, "line 1: is not JSON"),
    ],
)
def test_a_bad_log_is_refused_before_anything_begins(tmp_path, journal, capsys, text, why):
    log = tmp_path / "bad\nname.jsonl"
    log.write_bytes(text)
    assert play(journal, "--readings", log) == 1
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert not journal.exists()


def test_what_is_no_file_is_refused_as_a_log(tmp_path, journal, capsys, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("device.runtime.readings.LARGEST_LOG", 2**20)
    huge = tmp_path / "huge"
    huge.write_bytes(b" " * (2**20 + 1))
    for path, why in (
        (pipe, "it is a pipe"),
        ("/dev/zero", "it is a device"),
        (tmp_path, "Is a directory"),
        (tmp_path / "none", "No such file"),
        (huge, "it is too large"),
    ):
        assert play(journal, "--readings", path) == 1
        said = capsys.readouterr().err
        assert why in said
        assert said.count("\n") == 1
    assert not journal.exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is not JSON"),
        ("[]", "is no JSON object"),
        ('{"turns":7}', "turns: no list of lists"),
        ('{"throws":[3]}', "throws: no list of lists"),
    ],
)
def test_bad_answers_are_refused_before_anything_begins(tmp_path, journal, capsys, text, why):
    log = written(tmp_path / "log.jsonl", bone_ace())
    answers = written(tmp_path / "answers.json", [text])
    assert play(journal, "--readings", log, "--answers", answers) == 1
    assert why in capsys.readouterr().err
    assert not journal.exists()


def test_answers_that_are_missing_are_named_in_one_line(tmp_path, journal, capsys):
    log = written(tmp_path / "log.jsonl", bone_ace())
    none = tmp_path / "none.json"
    assert play(journal, "--readings", log, "--answers", none) == 1
    said = f"boneace play: {none}: cannot be read (No such file or directory); check --answers\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--readings", "a", "--camera", "b"], "leave out --camera"),
        (["--readings", "a", "--presses", "b"], "leave out --presses"),
        (["--readings", "a", "--keep-readings", "b"], "leave out --keep-readings"),
        (["--readings", "a", "--booth"], "leave out --booth"),
        (["--answers", "a"], "add --readings FILE"),
        (["--interactive"], "add --readings FILE"),
        (["--readings", "a", "--answers", "b", "--interactive"], "leave out one of them"),
        (["--booth", "--told", "a"], "leave out --booth"),
        (["--readings", "a", "--told", "./a"], "name one file"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(journal, capsys, words, why):
    assert play(journal, *words) == 2
    assert why in capsys.readouterr().err
    assert not journal.exists()


def test_told_lines_that_cannot_be_written_lose_no_hand(tmp_path, journal, capsys):
    log = written(tmp_path / "log.jsonl", bone_ace(("9H",)))
    assert play(journal, "--readings", log, "--told", "/dev/full") == 1
    assert "/dev/full: cannot be used" in capsys.readouterr().err
    assert len(events(journal)) == 6


# A film


class Scripted:
    """Sees on each picture the next reading of a log; on those between them nothing."""

    lines: tuple = ()

    def __init__(self, reader=None):
        self._next = 0

    def see(self, image, time_s):
        self._next += 1
        if self._next % 2 == 0 or self._next // 2 >= len(self.lines):
            return None
        reading = self.lines[self._next // 2].reading
        return type(reading)(
            time_s,
            reading.cards,
            reading.backs,
            reading.unsure,
            4,
            hands=reading.hands,
            over=reading.over,
        )


@pytest.fixture
def film(tmp_path, monkeypatch):
    """A film on which a deal of Bone-Ace is seen, and the answer to its question pressed."""
    folder = tmp_path / "film"
    folder.mkdir()
    for number in range(20):
        assert cv2.imwrite(str(folder / f"{number:02}.png"), np.zeros((8, 8, 3), np.uint8))
    lines = [line for line in settled(map(read_line, bone_ace())) if line.reading is not None]
    monkeypatch.setattr(Scripted, "lines", tuple(lines))
    monkeypatch.setattr(app, "TableReader", lambda **_: object())
    monkeypatch.setattr(app, "MotionGate", Scripted)
    presses = [{"frame": 11, "button": "stick"}, {"frame": 12, "button": "have"}]
    written(tmp_path / "presses", map(json.dumps, presses))
    return ("--camera", folder, "--presses", tmp_path / "presses")


def test_a_film_is_told_and_kept_and_the_log_plays_the_same(tmp_path, journal, film):
    kept, told = tmp_path / "kept.jsonl", tmp_path / "told.jsonl"
    assert play(journal, *film, "--keep-readings", kept, "--told", told) == 0
    found = events(journal)
    assert [each.get("card") for each in found] == ["??", "??", "??", "??", "9H", "KC"]
    assert [line["event"] for line in told_in(told) if "event" in line] == found
    settled_by = [line["settled"] for line in told_in(told) if "settled" in line]
    assert settled_by == [{"id": 1, "by": "press", "answer": "9H"}]
    assert [line.press.button for line in read_log(kept) if line.press] == ["stick", "have"]
    again = tmp_path / "again.sqlite3"
    assert play(again, "--readings", kept) == 0
    assert events(again) == found
    assert all(event_from_dict(each) is not None for each in found)


def open_deal():
    """The lines of a deal of Bone-Ace for two, all cards of which fall face up."""
    lies, lines = [], [{"t": 0.0, "lies": []}]
    for number, card in enumerate(("KS", "2H", "9D", "3H", "AC", "4S")):
        seat = number % 2
        x = 100.0 + 600.0 * seat + 70 * (number // 2)
        lies.append({"card": card, "at": f"seat {seat}", "x": x, "y": 400.0})
        lines += [{"t": 2.0 * number + at, "lies": list(lies)} for at in (1.0, 2.0)]
    return [json.dumps(line) for line in lines]


def test_at_an_open_table_no_open_card_is_asked_about(tmp_path, journal, capsys):
    log, told = written(tmp_path / "log.jsonl", open_deal()), tmp_path / "told"
    assert play(journal, "--readings", log, "--told", told, "--open-cards", "all") == 0
    assert not [line for line in told_in(told) if "asked" in line]
    assert [each["face"] for each in events(journal)] == ["up"] * 6
    with JournalReader(journal) as kept:
        assert kept.sittings()[-1].settings == {"open_cards": "all"}
    assert play(journal, "--readings", log, "--open-cards", "drawn") == 2
    assert "--open-cards drawn (the unfinished game has all)" in capsys.readouterr().err
    other = tmp_path / "other.sqlite3"
    assert play(other, "--readings", log, "--told", tmp_path / "asked") == 0
    asked = [line["asked"]["kind"] for line in told_in(tmp_path / "asked") if "asked" in line]
    assert asked[0] == "open", "without the agreement it is asked about"


def test_open_cards_are_refused_where_none_lie_at_the_places(journal, capsys):
    words = ["--players", "Ann,Bess", "--game", "scat", "--open-cards", "all"]
    assert main(["play", "--headless", "--journal", str(journal), *words]) == 1
    assert "in scat no cards lie at the places of the players" in capsys.readouterr().err
    assert main(["demo", "--open", "--game", "knucklebones", "--headless"]) == 1
    assert "in knucklebones no cards lie at the places" in capsys.readouterr().err

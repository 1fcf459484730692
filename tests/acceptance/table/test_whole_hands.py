"""From pixels to ledger: drawn hands through the real eyes, and recorded ones played again."""

import csv
import io
import json
import signal

import pytest

from device.cli import main
from device.hardware.buttons import read_presses
from device.ports import Button
from device.storage.journal.reader import JournalReader
from vision import TableReader


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """One hand of three players, recorded while it was played."""
    out = tmp_path_factory.mktemp("demo")
    words = ["--hands", "1", "--players", "3", "--seed", "5", "--headless"]
    status = main(["demo", *words, "--out", str(out / "out"), "--record", str(out / "film")])
    assert status == 0
    return out


@pytest.fixture
def own_signals():
    """`play` takes over SIGTERM; the test run wants its own back."""
    old = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, old)


def events(path):
    with JournalReader(path) as journal:
        (sitting,) = journal.sittings()
        return [record for _, record in journal.events(sitting.number)]


def ledger(path, capsys):
    capsys.readouterr()
    assert main(["ledger", "--csv", "--journal", str(path)]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return [(row["hand"], row["end"], row["name"], int(row["net"])) for row in rows]


def test_the_demo_plays_a_hand_from_pixels_to_ledger(demo, capsys):
    rows = ledger(demo / "out" / "journal.sqlite3", capsys)
    assert [name for _, _, name, _ in rows] == ["Ann", "Bess", "Cecil"]
    assert sum(net for _, _, _, net in rows) == 0
    assert rows[0][1] != "misdeal"


def test_nearly_every_card_was_read_and_none_wrongly(demo):
    """What the eyes are unsure of (courts of a deck they never met) is asked; the rest is right."""
    lines = (demo / "out" / "transcript.txt").read_text(encoding="utf-8").splitlines()
    last = lines[-1]
    assert last.startswith("Cards read: ")
    assert "wrongly" not in last
    read, laid = last.split(": ")[1].split(";")[0].split(" of ")
    assert int(laid) >= 6
    assert int(read) >= 0.8 * int(laid)


def test_the_transcript_names_only_cards_that_the_game_has_seen(demo):
    text = (demo / "out" / "transcript.txt").read_text(encoding="utf-8")
    assert text.startswith("Bone-Ace, the willughby rules. Ann, Bess and Cecil sit down")
    for number in range(3):
        assert ["Ann", "Bess", "Cecil"][number] + " cuts the " in text
    assert " has the Bone with the " in text
    assert "The hand: " in text
    assert "The evening: " in text


def test_the_screen_was_photographed(demo):
    pictures = sorted((demo / "out").glob("*.png"))
    assert any("bone" in path.name for path in pictures)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_the_recording_scores_the_same_when_it_is_played_again(demo, tmp_path, capsys, own_signals):
    film, path = demo / "film", tmp_path / "again.sqlite3"
    words = ["--camera", str(film), "--presses", str(film / "presses.jsonl")]
    words += ["--players", "Ann,Bess,Cecil", "--game", "bone-ace", "--stake", "1"]
    assert main(["play", *words, "--headless", "--journal", str(path)]) == 0
    told = capsys.readouterr().out
    first = demo / "out" / "journal.sqlite3"
    assert events(path) == events(first)
    assert ledger(path, capsys) == ledger(first, capsys)
    assert "The hand: " in told


def test_words_that_nobody_presses_are_assumed_and_marked(demo, tmp_path, own_signals):
    """The table goes on without the presses of the script, and says what it only assumed."""
    path, record = tmp_path / "silent.sqlite3", tmp_path / "silent.json"
    words = ["--camera", str(demo / "film"), "--players", "Ann,Bess,Cecil", "--game", "bone-ace"]
    assert main(["play", *words, "--headless", "--journal", str(path)]) == 0
    pressed = [press.button for press in read_presses(demo / "film" / "presses.jsonl")]
    assert Button.STICK in pressed
    assert main(["export", "--journal", str(path), "--out", str(record)]) == 0
    found = json.loads(record.read_text(encoding="utf-8"))
    marked = {number for number, _ in found["assumed"]}
    said = {n for n, event in enumerate(found["events"]) if event["e"] in ("have", "stick")}
    assert said
    assert said <= marked


def test_reading_the_same_frame_twice_gives_the_same(demo):
    import cv2

    frames = sorted((demo / "film").glob("*.jpg"))
    image = cv2.imread(str(frames[len(frames) // 2]))
    reader = TableReader()
    assert reader.read(image) == reader.read(image)

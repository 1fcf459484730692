"""``boneace count``: films of drawn tables, read by the real eyes, as text, CSV and JSON."""

import csv
import io
import json

import cv2
import pytest

from device.cli import main
from device.simulator.bone_table import BonesTable
from device.simulator.table import SimulatedTable
from device.storage.counts import FILE, append, read
from device.storage.journal import reader
from device.storage.journal.journal import Journal
from engine.core.bones import Face
from engine.core.cards import Card
from vision.mat.pose import MatLayout

FLAT, CONCAVE, CONVEX, TWISTED = Face
SIZE = (960, 720)


def film(folder, table, *acts):
    """Write what a camera sees of *acts*, each with the rest after it."""
    folder.mkdir()
    number = 0
    for act in (lambda: None, *acts):
        act()
        still = 0
        while still < 4:
            still = 0 if table.is_moving else still + 1
            cv2.imwrite(str(folder / f"{number:04}.jpg"), table.frame())
            number += 1
    return str(folder)


@pytest.fixture(scope="module")
def bones(tmp_path_factory):
    """A film of five bones thrown, gathered, and two thrown."""
    table = BonesTable(MatLayout(4, "A2"), seed=4, size=SIZE)
    first = (CONVEX, CONVEX, CONCAVE, FLAT, TWISTED)
    return film(
        tmp_path_factory.mktemp("film") / "bones",
        table,
        lambda: table.throw(0, 5, faces=first),
        lambda: table.lift(0),
        lambda: table.throw(0, 2, faces=(CONVEX, FLAT)),
    )


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """A film of two cards laid one after the other."""
    table = SimulatedTable(MatLayout(4, "A2"), seed=4, size=(1280, 960))
    return film(
        tmp_path_factory.mktemp("film") / "cards",
        table,
        lambda: table.lay(0, Card.parse("9H"), face_up=True),
        lambda: table.lay(1, Card.parse("KD"), face_up=True),
    )


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def run(*words, status=0):
        assert main([*words]) == status
        return capsys.readouterr().out

    return run


@pytest.mark.slow
def test_a_film_of_throws_is_counted(run, bones, tmp_path):
    told = run("count", "bones", "--camera", bones, "--headless")
    lines = told.splitlines()
    assert sorted(lines[0].split(": ")[1].split()) == sorted(
        ["convex", "convex", "concave", "flat", "twisted"]
    )
    assert lines[0].endswith(": 18")
    assert lines[1] in ("throw 2: convex flat: 5", "throw 2: flat convex: 5")
    assert lines[2].startswith("7 bones in 2 throws, ")
    assert [line.get("throw") for line in read(tmp_path / FILE)] == [1, 2, None]
    table = list(
        csv.DictReader(io.StringIO(run("count", "bones", "--camera", bones, "--csv", "--headless")))
    )
    assert [row["throw"] for row in table] == ["1"] * 5 + ["2"] * 2
    assert sum(int(row["value"]) for row in table) == 23
    told = run("count", "bones", "--camera", bones, "--headless", "--json")
    first, second = map(json.loads, told.splitlines())
    assert (first["how"], first["total"], first["counted"]) == ("new", 18, 5)
    assert {bone["what"] for bone in second["bones"]} == {"convex", "flat"}
    told = run("bones", "stats", "--counted")
    assert told.startswith("All bones: 21 bones in 6 throws, 3 sittings.")
    assert json.loads(run("bones", "stats", "--counted", "--json"))["bones"] == 21


@pytest.mark.slow
def test_a_script_of_presses_takes_a_throw_back(run, bones, tmp_path):
    script = tmp_path / "presses.jsonl"
    script.write_text('{"frame": 15, "button": "undo"}\n')
    told = run("count", "bones", "--camera", bones, "--headless", "--presses", str(script))
    assert "throw 1 taken back" in told
    assert "2 bones in 1 throw." in told


@pytest.mark.slow
def test_a_film_of_cards_is_counted(run, cards):
    told = run("count", "cards", "--camera", cards, "--headless")
    assert told.splitlines()[:2] == ["card 1: 9H: 9", "card 2: KD: 10, with what lies there 19"]
    assert "2 cards, " in told


def test_without_a_camera_throws_are_entered(run, tmp_path, capsys):
    script = tmp_path / "presses.jsonl"
    buttons = ["have", "stick", "have", "have", "undo", "have", "have", "undo", "menu"]
    script.write_text(
        "".join(json.dumps({"frame": n, "button": each}) + "\n" for n, each in enumerate(buttons))
    )
    words = ("count", "bones", "--no-camera", "--headless", "--presses", str(script))
    told = run(*words)
    assert [line.split(",")[0].rstrip(".") for line in told.splitlines()[:4]] == [
        "throw 1: concave: 3",
        "throw 1: concave concave: 6 (put right)",
        "throw 2: flat: 1",
        "3 bones in 2 throws",
    ]
    table = list(csv.DictReader(io.StringIO(run(*words, "--csv"))))
    assert [(row["throw"], row["what"], row["by_hand"]) for row in table] == [
        ("1", "concave", "yes"),
        ("1", "concave", "yes"),
        ("2", "flat", "yes"),
    ]
    with pytest.raises(SystemExit):
        main(["count", "bones", "--no-camera", "--camera", "auto"])
    assert "not allowed with argument" in capsys.readouterr().err
    assert main(["count", "bones", "--no-camera", "--headless"]) == 2
    assert "bones are entered in the window; leave out --headless" in capsys.readouterr().err


def test_where_nothing_was_counted(run, tmp_path, capsys):
    bare = BonesTable(MatLayout(4, "A2"), seed=4, size=(640, 480))
    nothing = film(tmp_path / "film", bare)
    assert run("count", "bones", "--camera", nothing, "--headless") == "Nothing was counted.\n"
    assert run("bones", "stats", "--counted", status=1) == ""
    assert main(["bones", "stats", "--counted", "--set", "brass"]) == 2


def write_counts(path):
    """Write two throws of a count, the second taken back and thrown again, and a card."""
    line = {"count": 1_764_000_000.0, "kind": "bones", "at": 1_764_000_005.0, "t": 5.0}
    append(path, {**line, "throw": 1, "items": ["flat", "twisted!"], "kept": []})
    append(path, {**line, "throw": 2, "items": ["convex"], "kept": ["flat"]})
    append(path, {**line, "kind": "cards", "throw": 1, "items": ["9H"], "kept": []})


def test_what_was_counted_can_be_had_as_a_table_afterwards(run, tmp_path):
    write_counts(tmp_path / FILE)
    assert run("bones", "stats", "--counted", "--csv").splitlines() == [
        "began,when,throw,number,what,value,by_hand,total",
        "2025-11-24T16:00:00Z,2025-11-24T16:00:05Z,1,1,flat,1,no,7",
        "2025-11-24T16:00:00Z,2025-11-24T16:00:05Z,1,2,twisted,6,yes,7",
        "2025-11-24T16:00:00Z,2025-11-24T16:00:05Z,2,1,convex,4,no,5",
    ]
    assert run("bones", "stats", "--csv", status=2) == ""


def test_stats_of_an_empty_journal_name_what_was_counted(run, tmp_path, capsys):
    write_counts(tmp_path / FILE)
    Journal(tmp_path / reader.FILE).close()
    assert main(["bones", "stats"]) == 1
    assert "boneace count counted 3: boneace bones stats --counted" in capsys.readouterr().err


def test_erase_says_that_counts_go_too(run, tmp_path):
    write_counts(tmp_path / FILE)
    assert "what was counted without a game is erased too" in run("erase", "--all", "--yes")
    assert "counted" not in run("erase", "--all", "--yes")

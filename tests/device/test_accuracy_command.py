"""The sceptic's command: what was read against what was put right."""

import json

import pytest

from device.cli import main
from device.clock import HandClock
from device.journal import Journal
from device.session import Session
from engine import Card, Choose, Correct, CorrectBone, Deal, Facing, Player, Roll, Undo


def card(code):
    return Card.parse(code)


@pytest.fixture
def path(tmp_path):
    """A hand of Bone-Ace with two corrections, one of them taken back, and some bones."""
    path = tmp_path / "journal.sqlite3"
    clock = HandClock(wall=1_700_000_000.0)
    company = [Player(0, "Ann"), Player(2, "Bess")]
    with Journal(path) as journal:
        session = Session.begin(journal, clock, "bone-ace", company, dealer=2)
        for event in (
            Deal(0, None),
            Deal(2, None),
            Deal(0, None),
            Deal(2, None),
            Deal(0, card("9S"), Facing.UP),
            Correct(card("9S"), card("8S")),
            Undo(),
            Correct(card("9S"), card("6S")),
            Deal(2, card("KH"), Facing.UP),
        ):
            session.apply(event)
        session.close()
        bones = Session.begin(journal, clock, "knucklebones", company, dealer=2)
        for event in (
            Roll(0, (1, 3, 4, 4, 3)),
            Choose(0, 0),
            CorrectBone(0, 0, 0, 6),
        ):
            bones.apply(event)
        bones.close()
    return path


def run(*words):
    return main([str(word) for word in words])


def test_what_was_read_and_what_was_put_right(path, capsys):
    assert run("accuracy", "--journal", path) == 0
    assert capsys.readouterr().out.splitlines() == [
        "cards: 2 readings, 1 put right by people: 50.00% (95 % interval 9.45% to 90.55%)",
        "  read as 9S, really 6S: 1 of 1",
        "  seat 1: 1 of 1 put right",
        "  seat 3: 0 of 1 put right",
        "bones: 5 readings, 1 put right by people: 20.00% (95 % interval 3.62% to 62.45%)",
        "  read as flat, really twisted: 1 of 1",
        "  seat 1: 1 of 5 put right",
    ]


def test_one_sitting_as_json(path, capsys):
    assert run("accuracy", "--journal", path, "--sitting", 1, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sittings"] == 1
    assert told["cards"]["put_right"] == [{"read": "9S", "really": "6S", "times": 1}]
    assert told["cards"]["put_right_by_seat"] == {"0": 1}
    assert told["bones"]["taken"] == {}


def test_a_sitting_that_is_not_there(path, capsys):
    assert run("accuracy", "--journal", path, "--sitting", 9) == 1
    assert "there is no sitting 9" in capsys.readouterr().err


def test_nothing_read_yet(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    with Journal(path):
        pass
    assert run("accuracy", "--journal", path) == 0
    assert "nothing was read yet" in capsys.readouterr().out

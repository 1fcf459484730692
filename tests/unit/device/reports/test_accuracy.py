"""The sceptic's command: what was read against what was put right."""

import json

import pytest

from device.cli import main
from device.clock import HandClock
from device.croupier.by_hand import BY_HAND
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from engine import (
    Card,
    Choose,
    Correct,
    CorrectBone,
    Deal,
    Facing,
    NextHand,
    Player,
    Reveal,
    Roll,
    Stick,
    Undo,
)


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
    half, none = "50.00% (95 % interval 9.45% to 90.55%)", "0.00% (95 % interval 0.00% to 79.35%)"
    all_of_it, fifth = (
        "100.00% (95 % interval 20.65% to 100.00%)",
        "20.00% (95 % interval 3.62% to 62.45%)",
    )
    assert capsys.readouterr().out.splitlines() == [
        f"cards: 2 readings, 1 put right by people: {half}",
        "  read as 9S, really 6S: 1 of 1",
        f"  9S: 1 of 1 put right: {all_of_it}",
        "  the other 1 card, 1 reading: never put right",
        f"  seat 1: 1 of 1 put right: {all_of_it}",
        f"  seat 3: 0 of 1 put right: {none}",
        f"  bone-ace: 1 of 2 put right: {half}",
        f"bones: 5 readings, 1 put right by people: {fifth}",
        "  read as flat, really twisted: 1 of 1",
        f"  flat: 1 of 1 put right: {all_of_it}",
        "  the other 2 faces, 4 readings: never put right",
        f"  seat 1: 1 of 5 put right: {fifth}",
        f"  knucklebones: 1 of 5 put right: {fifth}",
    ]


def test_a_card_put_right_twice_was_misread_once_and_back_again_not_at_all(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        session = Session.begin(
            journal, HandClock(), "bone-ace", [Player(0, "Ann"), Player(2, "Bess")], dealer=2
        )
        for event in (
            *(Deal(seat, None) for seat in (0, 2, 0, 2)),
            Deal(0, card("9S"), Facing.UP),
            Correct(card("9S"), card("6S")),
            Correct(card("6S"), card("8S")),
            Deal(2, card("KH"), Facing.UP),
            Correct(card("KH"), card("KD")),
            Correct(card("KD"), card("KH")),
        ):
            session.apply(event)
    assert run("accuracy", "--journal", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)["cards"]
    assert told["put_right_as"] == [{"read": "9S", "really": "8S", "times": 1}]
    assert told["by_name"]["KH"]["put_right"] == 0


def test_what_a_repair_writes_again_was_read_once(tmp_path, capsys):
    path, seen = tmp_path / "journal.sqlite3", Deal(0, card("9S"), Facing.UP)
    with Journal(path) as journal:
        company = [Player(0, "Ann"), Player(2, "Bess")]
        session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=2)
        for event in (*(Deal(seat, None) for seat in (0, 2, 0, 2)), seen, Undo(), seen):
            session.apply(event)
    assert run("accuracy", "--journal", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)["cards"]
    assert {name: each["readings"] for name, each in told["by_name"].items()} == {"9S": 1}


def test_one_sitting_as_json(path, capsys):
    assert run("accuracy", "--journal", path, "--sitting", 1, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sittings"] == 1
    cards = told["cards"]
    assert cards["put_right_as"] == [{"read": "9S", "really": "6S", "times": 1}]
    half = {"readings": 2, "put_right": 1, "share": 0.5, "interval": [0.094531, 0.905469]}
    assert {key: cards[key] for key in half} == half
    assert {name: each["put_right"] for name, each in cards["by_name"].items()} == {
        "9S": 1,
        "KH": 0,
    }
    assert {seat: each["readings"] for seat, each in cards["by_seat"].items()} == {"0": 1, "2": 1}
    assert cards["by_game"] == {"bone-ace": half}
    assert told["bones"]["by_name"] == {}


def test_what_was_entered_by_hand_is_no_reading(tmp_path, capsys):
    """The camera was lost after the nine; a correction goes with the card, whoever makes it."""
    path, nine = tmp_path / "journal.sqlite3", card("9S")
    company = [Player(0, "Ann"), Player(2, "Bess")]
    with Journal(path) as journal:
        session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=2)
        for event in (*(Deal(seat, None) for seat in (0, 2, 0, 2)), Deal(0, nine, Facing.UP)):
            session.apply(event)
        for event in (
            Deal(2, card("KS"), Facing.UP),
            Correct(nine, card("6S")),
            Stick(0),
            Stick(2),
            Reveal(0, (card("2H"), card("3H"), card("6S"))),
        ):
            session.apply(event, assumed=BY_HAND)
        session.apply(Correct(card("KS"), card("2S")))
        session.close()
        bones = Session.begin(journal, HandClock(), "knucklebones", company, dealer=2)
        bones.apply(Roll(0, (1, 3, 4, 4, 3)), assumed=BY_HAND)
        bones.apply(CorrectBone(0, 0, 0, 6))
        bones.close()
    assert run("accuracy", "--journal", path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("cards: 1 readings, 1 put right by people")
    assert [line for line in lines if "read as" in line] == ["  read as 9S, really 6S: 1 of 1"]
    assert lines[-1] == "entered by hand, and no readings: 3 cards and 5 bones"
    assert run("accuracy", "--journal", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [told[kind]["entered_by_hand"] for kind in ("cards", "bones")] == [3, 5]
    assert told["bones"]["put_right_as"] == []
    for number in (1, 2):
        record = tmp_path / f"{number}.json"
        assert run("export", "--journal", path, "--sitting", number, "--out", record) == 0
    capsys.readouterr()
    assert run("accuracy", tmp_path / "1.json", tmp_path / "2.json") == 0
    assert capsys.readouterr().out.splitlines() == lines, "the record says so too"


def test_a_bone_of_an_earlier_hand_that_was_put_right(path, capsys):
    with Journal(path) as journal:
        company = [Player(0, "Ann"), Player(2, "Bess")]
        bones = Session.begin(journal, HandClock(), "knucklebones", company, dealer=2)
        for event in (
            *(Roll(0, (1, 3, 4, 4, 3)), Choose(0, 0), Roll(2, (1, 1, 1, 1, 1)), Choose(2, 0)),
            *(NextHand(), CorrectBone(0, 0, 0, 6, hand=1)),
        ):
            bones.apply(event)
    assert run("accuracy", "--journal", path, "--sitting", 3) == 0
    assert "  read as flat, really twisted: 1 of 6\n" in capsys.readouterr().out


def test_a_sitting_that_is_not_there(path, capsys):
    assert run("accuracy", "--journal", path, "--sitting", 9) == 1
    assert "there is no sitting 9" in capsys.readouterr().err


def test_nothing_read_yet(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    with Journal(path):
        pass
    assert run("accuracy", "--journal", path) == 0
    assert "nothing was read yet" in capsys.readouterr().out

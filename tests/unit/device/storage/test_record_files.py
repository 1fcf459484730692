"""A sitting leaves the journal as a file, and the file is as good as the sitting."""

import json

import jsonschema
import pytest

from device.cli import main
from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from device.storage.record_files import LARGEST_FILE, load
from engine import Card, Correct, Deal, Entry, Have, NextHand, Player, Stick, Undo
from engine.records.schema import schema
from tests.support.rechained import rechain


@pytest.fixture
def evening(tmp_path):
    """One finished hand and the next one begun, a second between two events."""
    path = tmp_path / "journal.sqlite3"
    clock = HandClock(wall=1_700_000_000.0)
    company = [Player(0, "Ann", 41), Player(2, "Bess")]
    with Journal(path) as journal:
        session = Session.begin(journal, clock, "one-and-thirty", company, dealer=2)
        hands = ((0, "KH"), (2, "TD"), (0, "9D"), (2, "8S"), (0, "5C"), (2, "7H"))
        deals = [Deal(seat, Card.parse(code)) for seat, code in hands]
        rest = [Stick(0), Have(2), Undo(), Stick(2), NextHand()]
        for event in (*deals, *rest):
            clock.wait(1.0)
            session.apply(event)
        session.close()
    return path, session


def run(*words):
    return main([str(word) for word in words])


def test_export_referee_and_replay_agree(evening, tmp_path, capsys):
    path, session = evening
    out = tmp_path / "evening.json"
    assert run("export", "--journal", path, "--out", out) == 0
    assert "11 events, 1 hand," in capsys.readouterr().out
    jsonschema.validate(json.loads(out.read_text(encoding="utf-8")), schema())
    assert run("referee", "--check", out) == 0
    assert "1 as expected, 0 not" in capsys.readouterr().out
    assert run("replay", "--journal", path) == 0
    from_journal = capsys.readouterr().out
    assert run("replay", out) == 0
    assert capsys.readouterr().out == from_journal
    record = load(out)
    assert record.final() == session.state
    assert [at for at, _ in record.events] == [1.0 + place for place in range(11)]
    assert record.started == "2023-11-14T22:13:20Z"


def test_a_journal_in_the_place_of_a_record_is_told(evening, capsys):
    path, _ = evening
    export = f"write a record of it: boneace export --journal {path}"
    as_journal = f"give it as --journal {path}"
    for words, cure in (
        (("referee",), export),
        (("replay",), as_journal),
        (("ledger", "--audit"), as_journal),
        (("accuracy",), as_journal),
    ):
        assert run(*words, path) == 1
        assert f"is a journal; {cure}\n" in capsys.readouterr().err


def test_export_goes_to_standard_output_without_a_file(evening, capsys):
    path, _ = evening
    assert run("export", "--journal", path) == 0
    assert json.loads(capsys.readouterr().out)["players"][0] == {
        "seat": 0,
        "name": "Ann",
        "age": 41,
    }


@pytest.fixture
def two_anns(evening):
    """The same evening as 0.1.0 let people play it: both called Ann, and a third who came."""
    path, _ = evening
    players = json.dumps([{"seat": 0, "name": "Ann"}, {"seat": 2, "name": "Ann"}])
    rechain(
        path,
        "DELETE FROM events WHERE number = 10",  # the next hand
        f"UPDATE sittings SET players = '{players}', closed = NULL",
    )
    with Journal(path) as journal:
        journal.append(1, 10, {"e": "join", "seat": 4, "name": "Ann"}, 1_700_000_011.0)
    return path


def test_an_evening_of_two_players_of_one_name_is_not_lost(two_anns, tmp_path, capsys):
    with Journal(two_anns) as journal:
        session = Session.resume_last(journal, HandClock())
        assert [player.name for player in session.state.players] == ["Ann"] * 3
        assert journal.notices == []
    out = tmp_path / "evening.json"
    assert run("export", "--journal", two_anns, "--out", out) == 0
    assert run("replay", out) == 0
    assert run("referee", "--check", out) == 0
    assert run("ledger", "--audit", out) == 0
    assert "called" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "referee"])
def test_two_players_of_one_name_are_refused_in_a_record_written_by_hand(
    command, two_anns, tmp_path, capsys
):
    out = tmp_path / "evening.json"
    run("export", "--journal", two_anns, "--out", out)
    document = json.loads(out.read_text(encoding="utf-8"))
    del document["digest"]
    out.write_text(json.dumps(document), encoding="utf-8")
    capsys.readouterr()
    assert run(command, out) == 1
    said = 'players: two players are called "Ann"; give each a different name'
    assert said in capsys.readouterr().err
    document["players"][1]["name"] = "Bess"
    out.write_text(json.dumps(document), encoding="utf-8")
    assert run(command, out) == 1
    assert 'events[10]: two players are called "Ann"' in capsys.readouterr().err


def test_a_forged_record_is_found_out(evening, tmp_path, capsys):
    path, _ = evening
    out = tmp_path / "evening.json"
    run("export", "--journal", path, "--out", out)
    document = json.loads(out.read_text(encoding="utf-8"))
    document["results"]["hands"][0]["winner"] = 0
    out.write_text(json.dumps(document), encoding="utf-8")
    capsys.readouterr()
    assert run("referee", "--check", out) == 1
    assert "winner: expected 0, got 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "damaged JSON"),
        ("[" * 100_000, "damaged JSON"),
        ("[]", "is no game record"),
        ('{"format": "boneace-record", "version": 3}', "newer boneace"),
    ],
)
def test_files_that_are_no_records_are_named(tmp_path, capsys, content, said):
    path = tmp_path / "strange.json"
    path.write_text(content, encoding="utf-8")
    assert run("replay", path) == 1
    error = capsys.readouterr().err
    assert "strange.json" in error
    assert said in error


def test_a_file_that_is_not_there_or_too_large(tmp_path, capsys):
    assert run("replay", tmp_path / "none.json") == 1
    assert "check the name" in capsys.readouterr().err
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert run("referee", large) == 1
    assert "too large" in capsys.readouterr().err


def test_export_to_a_place_that_cannot_be_written(evening, tmp_path, capsys):
    path, _ = evening
    assert run("export", "--journal", path, "--out", tmp_path / "no" / "a.json") == 1
    assert "choose another place" in capsys.readouterr().err


def test_options_in_force_are_in_the_journal_for_ever(evening):
    path, _ = evening
    with JournalReader(path) as journal:
        (sitting,) = journal.sittings()
    assert sitting.options["draw_from"] == "bottom"
    assert sitting.options["max_players"] == 8


def test_rules_prints_the_options_in_force(capsys):
    assert run("rules", "bone-ace", "--preset", "cotton", "--set", "stake=3", "--ids") == 0
    out = capsys.readouterr().out
    assert "One stake, agreed before play, in tokens: 3. [OT-2]" in out
    assert "* ace_value = 11" in out
    assert "takes half of all the stakes" in " ".join(out.split())
    assert all(len(line) <= 88 for line in out.splitlines())


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rules", "Approcher de 31"),
        ("odds", "CE QUE VAUT UNE PLACE"),
        ("replay", "mise est de 1 jeton"),
    ],
)
def test_pages_of_a_game_are_in_the_language_of_the_config(
    command, told, evening, tmp_path, monkeypatch, capsys
):
    config = tmp_path / "config.toml"
    config.write_text('[display]\nlanguage = "fr"\n', encoding="utf-8")
    monkeypatch.setenv("BONEACE_CONFIG", str(config))
    words = ("--journal", evening[0]) if command == "replay" else ("bone-ace",)
    capsys.readouterr()
    assert run(command, *words) == 0
    assert told in capsys.readouterr().out
    assert run(command, *words, "--language", "en") == 0
    assert told not in capsys.readouterr().out
    if command != "replay":
        config.write_text("broken", encoding="utf-8")
        assert run(command, *words) == 0, "what the rules are can be read all the same"


def test_rules_that_are_changed_are_not_told_as_those_of_the_preset(capsys):
    assert run("rules", "one-and-thirty", "--set", "stake=2") == 0
    usual = capsys.readouterr().out
    assert usual.startswith("One-and-Thirty, willughby (S1)\nJustin du Coeur")
    assert run("rules", "one-and-thirty", "--set", "tie_rule=split") == 0
    out = capsys.readouterr().out
    assert out.startswith("One-and-Thirty, willughby, 1 rule changed (S1)\nBefore the changes: ")


def test_rules_say_what_each_other_value_of_an_option_means(capsys):
    assert run("rules", "bone-ace", "--set", "late_31=single", "--language", "fr") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "late_31=in_order: Un 31 non annoncé a mis fin à la manche" in out
    assert "tie_rule=split: À égalité, on partage le gain." in out
    assert "late_31=single:" not in out, "it stands on the page itself"
    assert "max_players=" not in out, "a number says itself"


def test_rules_name_what_each_option_may_be(capsys):
    assert run("rules", "bone-ace", "--set", "late_31=single", "--set", "double_on_31=false") == 0
    out = capsys.readouterr().out
    for name, allowed in (
        ("* late_31 = single", "in_order (default), single, double"),
        ("* double_on_31 = false", "true (default), false"),
        ("  stake = 1", "from 1; default: 1"),
        ("  max_players = 8", "2 to 10; default: 8"),
    ):
        assert f"  {name:<34} {allowed}\n" in out


def test_rules_without_a_game_lists_them(capsys):
    assert run("rules") == 0
    out = capsys.readouterr().out
    assert "boneace rules one-and-thirty" in out
    assert "--preset cotton" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bone-ase",), "did you mean 'bone-ace'"),
        (("bone-ace", "--preset", "coton"), "did you mean 'cotton'"),
        (("bone-ace", "--set", "stake"), "--set stake=2"),
        (("bone-ace", "--set", "stake=0"), "stake: 0 is not allowed"),
        (("bone-ace", "--set", "steak=1"), "did you mean 'stake'"),
    ],
)
def test_rules_of_something_else_name_the_cure(capsys, words, said):
    assert run("rules", *words) == 1
    assert said in capsys.readouterr().err


def deal_out(session, *hands):
    for place in range(3):
        for seat, hand in enumerate(hands):
            session.apply(Deal(seat, Card.parse(hand.split()[place])))


def test_g22_the_ledger_has_a_line_for_each_entry_and_the_audit_follows_it(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    company = [Player(0, "Ann"), Player(1, "Bess")]
    with Journal(path) as journal:
        session = Session.begin(journal, HandClock(), "one-and-thirty", company, dealer=1)
        deal_out(session, "KH 9D 5C", "TD 8S 7H")
        for event in (
            Stick(0),
            Stick(1),
            Entry(((0, 2), (1, -2)), "Bess paid Ann 2 by mistake"),
            Entry(((0, -1), (1, 1)), "a broken bone"),
            NextHand(),
            Correct(Card.parse("5C"), Card.parse("6C"), hand=1),
        ):
            session.apply(event)
        session.close()
    assert run("ledger", "--journal", path) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    place = lines.index(["entries"])
    assert lines[place - 1] == ["1*", "showdown", "+1", "-1"], (
        "both hold 25: the earlier player wins"
    )
    assert lines[place + 1 : -1] == [
        ["Bess", "paid", "Ann", "2", "by", "mistake"],
        ["+2", "-2"],
        ["a", "broken", "bone"],
        ["-1", "+1"],
        ["total", "+2", "-2"],
    ]
    assert run("ledger", "--json", "--journal", path) == 0
    (sitting,) = json.loads(capsys.readouterr().out)["sittings"]
    assert [entry["reason"] for entry in sitting["entries"]] == [
        "Bess paid Ann 2 by mistake",
        "a broken bone",
    ]
    assert run("ledger", "--audit", "--journal", path) == 0
    assert "hand 1: a misreading: 5C is 6C [G-10 G-12]" in capsys.readouterr().out
    out = tmp_path / "evening.json"
    assert run("export", "--journal", path, "--out", out) == 0
    jsonschema.validate(json.loads(out.read_text(encoding="utf-8")), schema())
    assert run("referee", "--check", out) == 0


def test_a_record_leaves_out_what_a_repair_took_back_unless_it_is_asked_for(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    company = [Player(0, "Ann"), Player(1, "Bess")]
    with Journal(path) as journal:
        session = Session.begin(journal, HandClock(), "one-and-thirty", company, dealer=1)
        deal_out(session, "KH 9D 5C", "TD 8S 7H")
        session.apply(Have(0), "silent_have")
        session.apply(Deal(0, None), "silent_have")
        session.apply(Stick(0))
        session.apply(Undo())  # of people: it stays
        session.amend(2, [(Stick(0), "silent_stick"), (Have(1), "")])
        assert session.state.turn == 1
    whole, told = tmp_path / "whole.json", tmp_path / "told.json"
    assert run("export", "--repairs", "--journal", path, "--out", whole) == 0
    assert run("export", "--journal", path, "--out", told) == 0
    documents = [json.loads(one.read_text(encoding="utf-8")) for one in (whole, told)]
    kinds = [[event["e"] for event in each["events"]] for each in documents]
    repaired = ["have", "deal", "stick", "undo", "undo", "undo", "stick", "have"]
    assert kinds == [["deal"] * 6 + repaired, ["deal"] * 6 + ["stick", "have"]]
    assert documents[0]["assumed"] == [[6, "silent_have"], [7, "silent_have"], [12, "silent_stick"]]
    assert documents[1]["assumed"] == [[6, "silent_stick"]]
    assert load(told).final().round.play == load(whole).final().round.play
    for record in (whole, told):
        assert run("referee", "--check", record) == 0

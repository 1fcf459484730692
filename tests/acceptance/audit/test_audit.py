"""What a sceptic can follow: every payment, who, why, by which rule, and what was taken back."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections import Counter

import pytest

from device.cli import main
from device.clock import HandClock
from device.reports.audit import AuditError, audit
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.record_files import load
from engine import (
    Card,
    Correct,
    Deal,
    Facing,
    Have,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Player,
    Reveal,
    Stick,
    Undo,
    new_table,
)
from engine.core.payments import Payment, PaymentReason
from engine.games.scat.rules import Scat
from tests.acceptance.audit.audit_sessions import PAYING, PRESETS, RECORDS, ROOT, keep, record_of
from tests.support.rechained import rechain
from tests.support.rulebook import BOOK, rule_ids


def card(code):
    return Card.parse(code)


def dealt(*codes):
    """Three cards each to seat 0 and seat 2, who deals; the third lies open."""
    seats = (0, 2, 0, 2, 0, 2)
    faces = (Facing.DOWN,) * 4 + (Facing.UP,) * 2
    return [
        Deal(seat, card(code), face) for seat, code, face in zip(seats, codes, faces, strict=True)
    ]


ANN_AND_BESS = [Player(0, "Ann"), Player(2, "Bess")]


def bone_ace(path, *events, players=ANN_AND_BESS):
    clock = HandClock(wall=1_700_000_000.0)
    with Journal(path) as journal:
        session = Session.begin(journal, clock, "bone-ace", players, dealer=2)
        for event in events:
            clock.wait(1.0)
            session.apply(event)
        session.close()
    return path


def run(*words):
    return main([str(word) for word in words])


def audit_of(path, capsys, *words):
    assert run("ledger", "--audit", *words, "--journal", path) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Every game there is a record of, in one journal."""
    path = tmp_path_factory.mktemp("evening") / "journal.sqlite3"
    return keep(path, [record_of(each) for each in RECORDS])


@pytest.fixture(scope="module")
def told(evening):
    """The audit of that evening, as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run("ledger", "--audit", "--json", "--journal", evening) == 0
    return json.loads(out.getvalue())["sittings"]


def test_each_payment_has_its_people_cause_rule_and_totals(tmp_path, capsys):
    path = bone_ace(
        tmp_path / "journal.sqlite3",
        *dealt("KH", "TD", "9D", "5S", "KC", "QC"),  # Ann's king has the Bone
        *(Stick(0), Have(2), Deal(2, card("6H"))),  # 29 against Bess' 31
    )
    assert audit_of(path, capsys).splitlines() == [
        "Sitting 1, 2023-11-14T22:13:20Z: bone-ace, willughby",
        "Hand 1",
        "  5  0:00:06  Bess -> Ann  1 token   for the Bone          BA-3 BA-2   Bess -1, Ann +1",
        "  8  0:00:09  the hand is over: thirty-one, Bess won, Ann 29, Bess 31",
        "  8  0:00:09  Ann -> Bess  2 tokens  beaten by thirty-one  OT-9 OT-10  Ann -1, Bess +1",
        "1 hand: Ann -1, Bess +1; together 0 tokens",
        "2 payments, 0 taken back",
        "Every hand's payments make its settlement, and together they make the ledger.",
    ]


def test_what_is_corrected_after_the_payment_stays_to_be_seen(tmp_path, capsys):
    path = bone_ace(
        tmp_path / "journal.sqlite3",
        *dealt("KH", "TD", "9D", "5S", "KC", "QC"),
        *(Stick(0), Have(2), Deal(2, card("6H"))),
        Correct(card("KC"), card("2C")),
        Undo(),
    )
    told = [re.sub(r"^ +\d+ +[\d:]+ +", "", line) for line in audit_of(path, capsys).splitlines()]
    said = [re.sub(r" {2,}", "  ", line) for line in told[5:-3]]
    assert said == [
        "a misreading: KC is 2C [G-10 G-12]",
        "the hand is over: thirty-one, Bess won, Ann 21, Bess 31",
        "Ann -> Bess  1 token  taken back: for the Bone  G-10 G-12  Ann -2, Bess +2",
        "Ann -> Bess  1 token  for the Bone  BA-3 BA-2  Ann -3, Bess +3",
        "taken back: event 9 (correct) [G-14 G-12]",
        "the hand is over: thirty-one, Bess won, Ann 29, Bess 31",
        "Bess -> Ann  1 token  taken back: for the Bone  G-14 G-12  Bess +2, Ann -2",
        "Bess -> Ann  1 token  for the Bone  BA-3 BA-2  Bess +1, Ann -1",
    ]


def test_a_misdeal_gives_the_bone_back_and_says_why(tmp_path, capsys):
    path = bone_ace(
        tmp_path / "journal.sqlite3",
        *dealt("KH", "TD", "9D", "5S", "KC", "QC"),
        Misdeal("a card lay face up"),
    )
    told = json.loads(audit_of(path, capsys, "--json"))["sittings"][0]
    lines = [(line["kind"], line["from"], line["to"], line["rules"]) for line in told["lines"]]
    assert lines == [
        ("paid", "Bess", "Ann", ["BA-3", "BA-2"]),
        ("note", "", "", ["G-13"]),
        ("note", "", "", []),
        ("taken back", "Ann", "Bess", ["G-13"]),
    ]
    assert told["lines"][1]["text"] == "a misdeal: a card lay face up"
    assert [each["amount"] for each in told["totals"]["tokens"]] == [0, 0]


def test_a_seat_taken_over_keeps_the_tokens_of_each_apart(tmp_path, capsys):
    """Ann loses and goes; Cecil takes her seat before the next hand and owes nothing."""
    path = bone_ace(
        tmp_path / "journal.sqlite3",
        *dealt("2H", "TD", "9D", "9S", "3C", "QC"),
        *(Stick(0), Stick(2), Leave(0), Join(0, "Cecil")),
        Correct(card("3C"), card("4C")),  # of Ann's hand, when Cecil sits there
        NextHand(),
        *dealt("2H", "TD", "9D", "9S", "3C", "QC")[:2],
    )
    told = json.loads(audit_of(path, capsys, "--json"))["sittings"][0]
    assert {each["name"]: each["amount"] for each in told["totals"]["tokens"]} == {
        "Ann": -2,
        "Bess": 2,
        "Cecil": 0,
    }
    assert run("ledger", "--csv", "--journal", path) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["name"], row["net"]) for row in rows] == [("Ann", "-2"), ("Bess", "2")]


def test_the_pot_of_a_match_is_in_the_ledger_of_every_form(evening, capsys):
    assert run("ledger", "--json", "--journal", evening) == 0
    sittings = json.loads(capsys.readouterr().out)["sittings"]
    number = next(each["sitting"] for each in sittings if each["preset"] == "wikipedia")
    assert [each["tokens"] for each in sittings[number - 1]["players"]] == [-3, -3, 6]
    assert run("ledger", "--sitting", number, "--journal", evening) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-2].split() == ["match", "won", "-3", "-3", "+6"]
    assert out[-1].split() == ["total", "-3", "-3", "+6"]


def test_the_running_totals_run_on_from_line_to_line(told):
    assert len(told) == len(RECORDS)
    paid = back = 0
    for sitting in told:
        assert sitting["problems"] == []
        have, pot = {}, 0
        for each in sitting["totals"].get("lives", ()):
            lost = sum(
                line["amount"] * (1 if line["kind"] == "paid" else -1)
                for line in sitting["lines"]
                if line["unit"] == "lives" and each["name"] in (line["from"], line["to"])
            )
            have["lives", each["name"]] = each["amount"] + lost
        for line in sitting["lines"]:
            if line["kind"] == "note":
                continue
            paid += line["kind"] == "paid"
            back += line["kind"] == "taken back"
            assert line["rules"]
            assert line["text"]
            for seat, name, total, change in (
                (line["from_seat"], line["from"], line["from_total"], -line["amount"]),
                (line["to_seat"], line["to"], line["to_total"], line["amount"]),
            ):
                if seat is None:
                    pot += change if line["unit"] == "tokens" else 0
                else:
                    have[line["unit"], name] = have.get((line["unit"], name), 0) + change
                    assert have[line["unit"], name] == total
            assert line["pot"] == pot
        tokens = [each["amount"] for each in sitting["totals"]["tokens"]]
        assert sum(tokens) + pot == 0
    assert paid >= 100
    assert back >= 5


def test_the_csv_says_what_the_json_says(evening, told, capsys):
    rows = list(csv.DictReader(io.StringIO(audit_of(evening, capsys, "--csv"))))
    lines = [(sitting, line) for sitting in told for line in sitting["lines"]]
    assert len(rows) == len(lines)
    for row, (sitting, line) in zip(rows, lines, strict=True):
        assert row["sitting"] == str(sitting["sitting"])
        assert row["rules"].split() == line["rules"]
        for key in ("hand", "event", "kind", "from", "to", "amount", "unit", "text", "pot"):
            assert row[key] == ("" if line[key] is None else str(line[key]))


def test_every_rule_named_is_one_of_the_book(told):
    if not BOOK.is_file():
        pytest.skip("the rule book lies beside the project only in its workshop")
    named = {rule for sitting in told for line in sitting["lines"] for rule in line["rules"]}
    assert named <= rule_ids()
    assert len(named) >= 25


def test_a_name_is_no_formula_of_a_spreadsheet(tmp_path, capsys):
    players = [Player(0, "=1+1"), Player(2, "Bess")]
    path = bone_ace(
        tmp_path / "journal.sqlite3",
        *dealt("KH", "TD", "9D", "5S", "KC", "QC"),
        *(Stick(0), Stick(2)),
        players=players,
    )
    for words in (("--csv",), ("--audit", "--csv")):
        assert run("ledger", *words, "--journal", path) == 0
        cells = [cell for row in csv.reader(io.StringIO(capsys.readouterr().out)) for cell in row]
        assert "'=1+1" in cells
        assert not any(cell.startswith("=") for cell in cells)


def test_an_audit_that_does_not_add_up_says_so(tmp_path, capsys, monkeypatch):
    """A game whose payments are not its settlement: every check speaks up, and the status is 1."""
    path = keep(tmp_path / "journal.sqlite3", [record_of(RECORDS[0])])
    wrong = (Payment(0, 1, 5, PaymentReason.BONE, ("BA-3",)),)
    monkeypatch.setattr("device.reports.audit.payments_of", lambda state: wrong)
    assert run("ledger", "--audit", "--journal", path) == 1
    problems = capsys.readouterr().err
    assert "hand 1, seat 0: the payments make -5, the settlement +1" in problems
    assert "the ledger says" in problems


def test_lives_that_are_not_those_of_the_match_are_found(monkeypatch):
    record = record_of(ROOT / "tests/unit/engine/records/kept" / "scat.json")
    monkeypatch.setattr(Scat, "payments", lambda self, play: ())
    problems = audit(record.opening, record.events).problems
    assert any("lives, the match says" in each for each in problems)


def test_an_event_that_cannot_be_is_named(tmp_path, capsys):
    opening = new_table("bone-ace", ANN_AND_BESS, dealer=2)
    with pytest.raises(AuditError, match=r"event 1 is refused .*boneace backup"):
        audit(opening, [(0.0, Deal(0, None)), (1.0, Reveal(0, ()))])


def test_one_sitting_that_is_damaged_does_not_hide_the_others(tmp_path, capsys, caplog):
    hand = (*dealt("KH", "TD", "9D", "5S", "KC", "QC"), Stick(0), Stick(2))
    path = tmp_path / "journal.sqlite3"
    bone_ace(path, *hand)
    bone_ace(path, *hand)
    knock = """'{"e":"knock","seat":0}'"""
    rechain(path, f"INSERT INTO events VALUES (1, {len(hand)}, 1e9, {knock}, '', 0, x'')")
    for words in ((), ("--audit",), ("--json",)):
        assert run("ledger", *words, "--journal", path) == 1
        assert capsys.readouterr().out.count("bone-ace") >= 2
        assert "sitting 1: event 8 cannot be played" in caplog.text
    assert run("ledger", "--audit", "--sitting", 1, "--journal", path) == 1
    assert capsys.readouterr().out.endswith("it proves nothing of what came after.\n")
    assert run("ledger", "--audit", "--sitting", 2, "--journal", path) == 0
    assert "Every hand's payments make its settlement" in capsys.readouterr().out


def test_causes_of_every_game_are_told(told):
    causes = Counter(
        line["cause"] for sitting in told for line in sitting["lines"] if line["cause"]
    )
    assert {"pool", "half-pool", "pool-won", "best", "over", "bank-over", "beats-bank"} <= set(
        causes
    )
    assert {"ante", "pot", "lowest", "knocker", "place", "buy-in", "match"} <= set(causes)


def test_the_page_shows_what_the_program_prints(tmp_path, capsys):
    path = bone_ace(
        tmp_path / "journal.sqlite3",
        *dealt("KH", "TD", "9D", "5S", "KC", "QC"),
        *(Stick(0), Have(2), Deal(2, card("6H"))),
        Correct(card("KC"), card("2C")),
    )
    printed = audit_of(path, capsys).splitlines()
    page = (ROOT / "docs" / "why" / "audit.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n(Sitting .*?)```", page, re.DOTALL)
    words = [line.split() for line in shown.splitlines()]
    assert words == [line.split() for line in printed[: len(words)]]


def test_every_rule_that_a_line_may_name_can_be_looked_up(capsys):
    """In the game's page of rules, or in the page of the audit."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (
            *PAYING,
            ROOT / "device" / "reports" / "audit.py",
            ROOT / "engine" / "core" / "payments.py",
        )
    )
    named = set(re.findall(r'"([A-Z]{1,2}-\d+)"', source))
    for game, preset in PRESETS:
        assert run("rules", game, "--preset", preset, "--ids") == 0
    told = capsys.readouterr().out
    page = (ROOT / "docs" / "why" / "audit.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]{1,2}-\d+) \|", page, re.MULTILINE)
    assert len(named) > 50
    assert sorted(named - set(re.findall(r"\b[A-Z]{1,2}-\d+\b", told)) - set(rows)) == []


def test_a_whole_evening_leaves_as_files_and_is_audited_elsewhere(evening, told, tmp_path, capsys):
    out = tmp_path / "evening"
    assert run("export", "--all", out, "--journal", evening) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(RECORDS)
    files = sorted(out.glob("sitting-*.json"))
    assert len(files) == len(RECORDS)
    assert run("ledger", "--audit", "--json", *files) == 0
    again = {each["sitting"]: each for each in json.loads(capsys.readouterr().out)["sittings"]}
    for each in told:
        assert again[f"Sitting {each['sitting']}"]["lines"] == each["lines"]
    assert run("referee", "--check", *files) == 0
    assert f"{len(RECORDS)} as expected, 0 not" in capsys.readouterr().out
    assert run("accuracy", "--json", *files) == 0
    from_files = json.loads(capsys.readouterr().out)
    assert run("accuracy", "--json", "--journal", evening) == 0
    assert json.loads(capsys.readouterr().out) == from_files
    assert from_files["cards"]["readings"] > 300


def test_a_sitting_is_exported_up_to_its_first_bad_event(tmp_path, capsys, caplog):
    hand = (*dealt("KH", "TD", "9D", "5S", "KC", "QC"), Stick(0), Stick(2))
    path = tmp_path / "journal.sqlite3"
    bone_ace(path, *hand)
    bone_ace(path, *hand)
    knock = """'{"e":"knock","seat":0}'"""
    rechain(path, f"INSERT INTO events VALUES (1, {len(hand)}, 1e9, {knock}, '', 0, x'')")
    out = tmp_path / "evening"
    assert run("export", "--all", out, "--journal", path) == 1
    assert "sitting 1: event 8 cannot be played" in caplog.text
    found = [load(out / f"sitting-{number}.json") for number in (1, 2)]
    assert [len(record.events) for record in found] == [8, 8]
    assert run("export", "--all", out, "--sitting", 2, "--journal", path) == 1
    assert "leave --out and --sitting away" in capsys.readouterr().err

"""The program and a second bookkeeper, who knows nothing of it, agree on every token."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from device.cli import main
from device.reports.audit import audit
from device.reports.audit_tables import document
from engine.records.record import read
from tests.acceptance.audit.audit_sessions import PRESETS, RECORDS, keep, played, record_of
from tests.acceptance.audit.recount import recount
from tests.support.paths import ROOT


def in_tokens(record, number):
    """What the record says that hand *number* came to, seats as numbers."""
    hand = record["results"]["hands"][number]
    told = {"tokens": hand["settlement"]}
    told |= {key: hand[key] for key in ("lives", "points") if hand.get(key)}
    return {key: {int(seat): n for seat, n in value.items()} for key, value in told.items()}


def check(record):
    """Hold a record against the recount, and the audit's lines against both."""
    counted = recount(record)
    assert len(counted) == len(record["results"]["hands"])
    for number, hand in enumerate(counted):
        assert hand == in_tokens(record, number), f"hand {number + 1}"
    evening = read(record)
    found = audit(evening.opening, evening.events)
    assert found.problems == []
    moved = moved_by_hand(document(found, {})["lines"])
    for number, hand in enumerate(counted, 1):
        paid = moved[number] if number in moved else Counter()
        match = record["results"]["match"] if number == len(counted) else None
        for seat, net in hand["tokens"].items():
            of_match = 0 if match is None else match["settlement"].get(str(seat), 0)
            assert paid[seat] == net + of_match, f"hand {number}, seat {seat}"
    return len(counted)


def moved_by_hand(lines):
    """Add up the tokens of an audit's lines, hand by hand and seat by seat."""
    moved = {}
    for line in lines:
        if line["unit"] == "tokens":
            hand = moved.setdefault(line["hand"], Counter())
            hand[line["from_seat"]] -= line["amount"]
            hand[line["to_seat"]] += line["amount"]
    return moved


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_recount_of_an_exported_evening_agrees(path, tmp_path, capsys):
    journal = keep(tmp_path / "journal.sqlite3", [record_of(path)])
    out = tmp_path / "evening.json"
    assert main(["export", "--journal", str(journal), "--out", str(out)]) == 0
    assert check(json.loads(out.read_text(encoding="utf-8"))) >= 2


@pytest.mark.parametrize(("game", "preset"), PRESETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_recount_of_a_played_evening_agrees(game, preset, seed):
    assert check(played(game, preset, seed)) >= 1


def test_the_second_bookkeeper_is_no_engine():
    text = (Path(__file__).parent / "recount.py").read_text(encoding="utf-8")
    text += (ROOT / "tests" / "support" / "scat_reference.py").read_text(encoding="utf-8")
    for room in ("engine", "device", "vision", "display"):
        assert f"import {room}" not in text
        assert f"from {room}" not in text


def test_he_finds_a_token_that_went_astray():
    record = played("bone-ace", "willughby", 3)
    first = record["results"]["hands"][0]["settlement"]
    poorest, richest = min(first, key=first.get), max(first, key=first.get)
    first[poorest] -= 1
    first[richest] += 1
    with pytest.raises(AssertionError, match="hand 1"):
        check(record)

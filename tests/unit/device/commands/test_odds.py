"""``boneace odds``: the figures as text, CSV and JSON, and hands played for them."""

from __future__ import annotations

import csv
import json
from fractions import Fraction

import pytest

from device.cli import main
from engine.games.knucklebones.rules import Knucklebones
from engine.worth.seats import from_table

BY_ONE = ["odds", "knucklebones", "--set", "extra_mode=one_at_a_time", "--players", "2"]
"""Bones one at a time: neither counted nor in the table."""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["odds", *words]) == 0
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *words: str):
    return json.loads(run(capsys, *words, "--json"))


def rows(found, about: str):
    (table,) = (each for each in found["chances"] if each["about"] == about)
    return {row[next(iter(row))]: row["chances"] for row in table["rows"]}


def test_the_first_throw_stands_beside_the_source(capsys) -> None:
    found = rows(data(capsys, "knucklebones"), "Over 21 with the first throw")
    assert found["as the post of 2001 remembers it"]["chance"]["exact"] == "1/10"
    assert found["as sheep's bones fall"]["chance"]["exact"] == "3303/50000"
    # Of five bones with equal faces 171 of 4^5 throws are over 21.
    assert Fraction(found["if all faces fell alike"]["chance"]["exact"]) == Fraction(171, 1024)
    said = " ".join(run(capsys, "knucklebones").split())
    assert "1 first throw in 10 would be over if it were 15" in said


def test_other_options_have_no_figure_of_the_source(capsys) -> None:
    said = run(capsys, "knucklebones", "--set", "target=31", "--players", "2")
    assert "the post of 2001 remembers" not in said
    assert "OVER 31 WITH THE FIRST THROW" in said


def test_after_each_total(capsys) -> None:
    found = rows(data(capsys, "one-and-thirty"), "One more card, after three")
    assert sorted(found) == list(range(3, 31))
    assert found[21]["over 31"]["exact"] == "0"
    # After 30 in tens only aces and no other card leave one in.
    assert found[30]["over 31"]["exact"] == "45/49"
    assert found[30]["exactly 31"]["exact"] == "4/49"
    assert found[21]["exactly 31"]["value"] > 0.25


def test_a_long_table_begins_with_the_first_chance(capsys) -> None:
    said = run(capsys, "one-and-thirty")
    table = said.partition("ONE MORE CARD")[2].partition("\n\n")[0].splitlines()
    assert table[2].split() == ["21", "0.0", "30.4"]
    assert "exactly 31       0.0" in said, "a short table has all its rows"


def test_thirty_one_from_the_stock(capsys) -> None:
    found = rows(data(capsys, "thirty-one"), "A card of the stock")
    assert found["19"]["exactly 31"]["exact"] == "0"  # an ace more makes 30
    assert 0 < found["20"]["exactly 31"]["value"] < found["21"]["exactly 31"]["value"]
    dealt = rows(data(capsys, "thirty-one"), "The three cards of the deal")
    assert dealt["exactly 31"]["chance"]["exact"] == "6/5525"


def test_the_seats_are_those_of_the_table(capsys) -> None:
    found = data(capsys, "Bone Ace", "--preset", "cotton")
    assert [each["players"] for each in found["seats"]] == [2, 4, 8]
    for each in found["seats"]:
        known = from_table("bone-ace", "cotton", each["players"])
        names = [f"{n} to the left" for n in range(1, each["players"])]
        assert list(each["worth"]) == [*names, "the dealer", "the deal"]
        assert each["worth"]["the dealer"]["mean"] == known.seats[-1].mean
        assert each["worth"]["the deal"]["within"] == known.deal.within
        assert each["hands"] == known.hands
        assert not each["exact"]


def test_lines_and_text_tell_the_same(capsys) -> None:
    said = run(capsys, "California Quick", "--players", "3")
    lines = list(
        csv.DictReader(run(capsys, "California Quick", "--players", "3", "--csv").splitlines())
    )
    seats = [line for line in lines if line["about"] == "seat"]
    assert [line["of"] for line in seats] == [
        *("1 to the left", "2 to the left", "the dealer", "the deal")
    ]
    for line in seats:
        assert line["figure"] == "matches won, of 100"
        sign = "+" if line["of"] == "the deal" else ""
        shown = f"{100 * float(line['value']):{sign}.1f} ±{100 * float(line['within']):.1f}"
        assert shown in said
    assert len(lines) > 30


def test_what_no_table_has_is_played_and_can_be_repeated(capsys) -> None:
    words = [*BY_ONE, "--hands", "40", "--seed", "5", "--json"]
    first, again, other = [], [], []
    for found, seed in ((first, "5"), (again, "5"), (other, "6")):
        words[words.index("--seed") + 1] = seed
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert "2 players: playing for 40 hands" in err
        found.append(json.loads(out)["seats"][0])
    assert first == again != other
    assert first[0]["hands"] == 40
    assert not first[0]["exact"]
    assert first[0]["worth"]["the banker"]["within"] > 0


def test_it_stops_after_the_seconds_that_were_given(capsys, monkeypatch) -> None:
    now = iter(range(1000))
    monkeypatch.setattr("device.commands.odds.time.monotonic", lambda: float(next(now)))
    assert main([*BY_ONE, "--seconds", "12", "--csv"]) == 0
    out, err = capsys.readouterr()
    assert "playing for 12 seconds" in err
    assert "2 players: 8 hands" in err  # told every five seconds
    assert {line["hands"] for line in csv.DictReader(out.splitlines()) if line["hands"]} == {"22"}


def test_too_few_hands_tell_nothing(capsys) -> None:
    assert main([*BY_ONE, "--hands", "1"]) == 1
    assert "too few hands were played" in capsys.readouterr().err


def test_a_game_that_nobody_plays(capsys, monkeypatch) -> None:
    monkeypatch.setattr(Knucklebones, "strategist", "")
    assert "No simulated player here can play One-and-Twenty." in run(capsys, "knucklebones")
    found = data(capsys, "knucklebones")
    assert (found["played"], found["seats"]) == (False, [])
    assert found["chances"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "unknown game 'nosuch'"),
        (["Skat"], "It is not played here"),
        (["scat", "--preset", "x"], "unknown preset 'x'"),
        (["scat", "--set", "lives=many"], "lives"),
        (["scat", "--players", "8"], "--players: Thirty-one is for 2 to 7 players"),
        (["scat", "--players", "1"], "--players: Thirty-one is for 2 to 7 players"),
        (["scat", "--players", "two"], "--players"),
        (["scat", "--seconds", "0"], "--seconds"),
        (["scat", "--seconds", "nan"], "--seconds"),
        (["scat", "--hands", "-3"], "--hands"),
        (["scat", "--json", "--csv"], "not allowed with"),
        ([], "GAME"),
    ],
)
def test_what_cannot_be_followed_is_told_in_a_line(capsys, words, told) -> None:
    try:
        status = main(["odds", *words])
    except SystemExit as end:
        status = end.code
    err = capsys.readouterr().err
    assert status == 2
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("language", "told"), [("de", "+0,25"), ("fr", "le banquier"), ("nl", "de bank")]
)
def test_it_speaks_the_languages(capsys, language, told) -> None:
    assert told in run(capsys, "knucklebones", "--language", language)

"""Two keys and the voice are enough to decide as with open eyes; `make blind` plays 100 hands."""

import pytest

from display.table import aloud
from tests.acceptance.blind.blind import PRESETS, Clock, Table, main

HANDS = 4


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_who_only_hears_decides_as_who_sees(game, preset, tmp_path):
    table = Table(game, preset, tmp_path, seed=2)
    table.play(HANDS)
    assert table.differ == []
    assert table.decisions.total() > HANDS


@pytest.mark.parametrize(
    ("game", "preset", "unsaid"),
    [("scat", "wikipedia", "_middle"), ("knucklebones", "west-kingdom", "_standing")],
)
def test_a_fact_that_is_not_told_is_missed(game, preset, unsaid, tmp_path, monkeypatch):
    monkeypatch.setattr(aloud, unsaid, lambda *_args, **_named: [])
    table = Table(game, preset, tmp_path, seed=2)
    table.play(HANDS)
    assert table.differ


def test_who_leads_is_heard_by_who_plays_by_it(tmp_path, monkeypatch):
    monkeypatch.setattr(aloud, "_leaders", lambda _view, _mine: "Nobody leads.")
    table = Table("one-and-thirty", "willughby", tmp_path, seed=2)
    table.play(3 * HANDS)
    assert table.differ


def test_each_fact_is_measured_until_its_last_word(tmp_path):
    table = Table("knucklebones", "west-kingdom", tmp_path, seed=2)
    table.play(1)
    view, _seat = table.moments[-1]
    mine = next(each for each in view.seats if each.total is not None and each.seat == view.turn)
    until = Clock("fr", 175).facts_of(view, mine.seat)
    assert until["turn"] == f"À Joueur {mine.seat + 1} de jouer"
    assert until["total"] == f"{until['turn']}, {mine.total}"
    assert until["cards"].startswith(until["total"])


def test_the_figures_are_printed(capsys):
    assert main(["--hands", "1", "--game", "knucklebones"]) == 0
    said = capsys.readouterr().out
    assert "knucklebones west-kingdom: 1 hands" in said
    assert said.rstrip().endswith("0 differ")

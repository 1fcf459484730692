"""The soak itself: it goes through every game, and it finds what was planted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.soak.random_events import KINDS
from benchmarks.soak.soak import CODES, Soak, soak
from engine import Declare, Have, IllegalActionError, Stick
from engine.games import catalog
from engine.games.knucklebones.rules import Knucklebones
from engine.games.one_and_thirty.rules import OneAndThirty
from engine.games.scat.views import ScatViews
from engine.records.record import read

EVERYTHING = [(game.name, preset.name) for game in catalog.all_games() for preset in game.presets]


@pytest.mark.parametrize(("game", "preset"), EVERYTHING)
def test_a_short_soak_of_every_game_is_well(game, preset, tmp_path):
    said, well = soak(game, preset, 4, 150, tmp_path)
    assert well, said


def test_every_kind_of_event_is_tried():
    one = Soak("scat", "switch", 1)
    one.open_session()
    assert {type(one.make.any_event(one.state)) for _ in range(500)} == set(KINDS)


def planted(monkeypatch, owner, name, break_it):
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args: break_it(right, *args))


def fails(tmp_path, game, preset=None, events=1500) -> str:
    said, well = soak(game, preset or catalog.find(game).presets[0].name, 1, events, tmp_path)
    assert not well
    return said


def test_a_crash_is_found_and_written_as_a_record(monkeypatch, tmp_path):
    def crash(right, game, play, event):
        if isinstance(event, Stick) and len(play.hand(event.seat).cards) > 3:
            raise ZeroDivisionError
        return right(game, play, event)

    planted(monkeypatch, OneAndThirty, "step", crash)
    said = fails(tmp_path, "one-and-thirty")
    assert "ZeroDivisionError" in said
    assert "boneace referee" in said
    (path,) = tmp_path.glob("*.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["events"][-1]["e"] == "stick"
    record = read({**document, "events": document["events"][:-1]})
    monkeypatch.undo()
    assert record.final().turn is not None


def test_an_unknown_code_is_found(monkeypatch, tmp_path):
    def odd(right, game, play, event):
        try:
            return right(game, play, event)
        except IllegalActionError as refusal:
            raise IllegalActionError("ODD", str(refusal)) from refusal

    assert "ODD" not in CODES
    planted(monkeypatch, Knucklebones, "step", odd)
    assert "unknown code 'ODD'" in fails(tmp_path, "knucklebones")


def test_tokens_that_come_from_nowhere_are_found(monkeypatch, tmp_path):
    def gift(right, game, play):
        result = right(game, play)
        (seat, tokens), *rest = result.settlement
        return replace(result, settlement=((seat, tokens + 1), *rest))

    planted(monkeypatch, OneAndThirty, "result", gift)
    assert "sum" in fails(tmp_path, "bone-ace")


def test_what_is_listed_but_refused_is_found(monkeypatch, tmp_path):
    def generous(right, game, play):
        return tuple(one for one in right(game, play) if one.kind != "have")

    planted(monkeypatch, OneAndThirty, "actions", generous)
    assert "accepted, but not listed" in fails(tmp_path, "one-and-thirty")
    monkeypatch.undo()

    def strict(right, game, play, event):
        if isinstance(event, Have):
            raise IllegalActionError("WRONG_PHASE", "no; stick")
        return right(game, play, event)

    planted(monkeypatch, OneAndThirty, "step", strict)
    assert "listed, but refused" in fails(tmp_path, "one-and-thirty")


def test_a_leak_is_found(monkeypatch, tmp_path):
    def leak(right, game, play, seat):
        return tuple(card for card in play.hand(seat).cards if card is not None)

    planted(monkeypatch, ScatViews, "public_cards", leak)
    assert "hangs on a hidden card" in fails(tmp_path, "scat")


def test_a_hand_without_an_end_is_found(monkeypatch, tmp_path):
    def for_ever(right, game, play, event):
        after = right(game, play, event)  # what is refused stays refused
        return play if isinstance(event, Have | Stick | Declare) else after

    planted(monkeypatch, OneAndThirty, "step", for_ever)
    monkeypatch.setattr("benchmarks.soak.soak.MOST_STEPS", 60)
    assert "does not end" in fails(tmp_path, "one-and-thirty", events=4000)

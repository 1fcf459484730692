"""No press loses a game, unless somebody answers "yes, end it": sequences that a seed draws."""

import random

import pytest

from device.booth.booth import Booth
from device.booth.scenes.base import Do
from device.ports import ASKS_VOICE, Button
from tests.acceptance.booth.presses import (
    MOST,
    Table,
    Yes,
    close,
    look,
    pressable,
    starts,
    try_all,
    try_some,
    words,
)

SEQUENCES = 5000
SEED = 1


@pytest.fixture(scope="module")
def every_start():
    return {start.name: start for start in starts()}


@pytest.mark.slow
def test_five_thousand_sequences_lose_no_game(every_start, tmp_path):
    rng, lost = random.Random(SEED), []
    with Yes() as yes:
        for number, start in enumerate(every_start.values()):
            table = Table(start, tmp_path / str(number))
            count = -(-SEQUENCES // len(every_start))
            found = try_some(table, count, MOST, yes, rng)
            lost += [f"{start.name}: {words(sequence)}" for sequence in found]
    assert lost == []


def test_every_phase_of_every_game_is_a_start(every_start):
    assert {name.split(":")[0] for name in every_start} == {
        "bone-ace", "knucklebones", "one-and-thirty", "scat",
    }  # fmt: skip
    wanted = {
        *(f"bone-ace: {phase}" for phase in ("cut", "deal", "play", "done", "still there?")),
        *(f"knucklebones: {phase}" for phase in ("play, first", "done", "done, left")),
        *(f"scat: {phase}" for phase in ("play", "match over", "play, left", "ledger")),
    }
    assert wanted <= set(every_start)


def test_a_booth_that_ends_a_match_unasked_is_noticed(every_start, tmp_path, monkeypatch):
    unasked = lambda context, table, press: Do.END if press.button is Button.NEXT else None  # noqa: E731
    monkeypatch.setattr("device.booth.booth._action_at_table", unasked)
    table = Table(every_start["scat: match over"], tmp_path / "match")
    with Yes() as yes:
        _tried, lost = try_all(table, 1, yes)
    assert ((Button.NEXT, None, None),) in lost


def test_a_booth_that_forgets_what_was_left_is_noticed(every_start, tmp_path, monkeypatch):
    monkeypatch.setattr(Booth, "_leave_table", Booth._end_table)
    table = Table(every_start["bone-ace: still there?"], tmp_path / "left")
    with Yes() as yes:
        _tried, lost = try_all(table, 2, yes)
    assert ((Button.STICK, None, None), (Button.HAVE, None, None)) in lost


@pytest.mark.parametrize("seat", [None, 0])
def test_the_keys_that_ask_the_voice_are_pressed_and_change_nothing_but_what_is_told(
    every_start, tmp_path, seat
):
    rig = Table(every_start["bone-ace: play"], tmp_path / "voice").rig()
    before = look(rig)
    for button in ASKS_VOICE:
        assert (button, seat, None) in pressable(rig)
        rig.press(button, seat)
        assert look(rig) == before
    close(rig)


def test_who_answers_yes_is_left_out(every_start, tmp_path):
    table = Table(every_start["bone-ace: ledger"], tmp_path / "yes")
    rig = table.rig()
    with Yes() as yes:
        for press in ("have", "stick", "have"):
            rig.press(press)
        assert yes.said
    assert table.problem(rig) == "the booth has lost the game"
    assert (Button.HAVE, None, 0) in pressable(rig), "and another one is chosen"
    close(rig)


@pytest.mark.parametrize(
    ("start", "presses"), [("knucklebones: play, extra", ("undo", "right", "next"))]
)
def test_presses_that_once_made_a_step_fail(every_start, tmp_path, start, presses):
    table = Table(every_start[start], tmp_path / "failed")
    rig = table.rig()
    for press in presses:
        rig.press(press)
    assert table.problem(rig) == ""
    close(rig)

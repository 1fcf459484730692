"""A bone that is not read, or not seen, and people who go on: the throw counts."""

import json
from itertools import chain

import pytest

from device.simulator.people import setup_for
from tests.support import readings_player

PLACES = [(300.0, 200.0), (380.0, 200.0), (460.0, 200.0), (300.0, 320.0), (380.0, 320.0)]
NEXT = [(500.0, 420.0), (560.0, 380.0), (420.0, 420.0), (620.0, 300.0), (540.0, 240.0)]
UNSURE = {"bone": None, "x": 380.0, "y": 320.0, "maybe": [6, 1]}


def bones(faces, places):
    return [{"bone": f, "x": x, "y": y} for f, (x, y) in zip(faces, places, strict=False)]


def played(first, *, say=None, answers=(6,)):
    """Play Bess's throw *first*, then that of Ann, who has the bank; return what was booked."""
    lines = [{"t": 0.5, "lies": []}, {"t": 2.0, "lies": first}]
    lines += [{"t": 3.0, **say}] if say else []
    lines += [{"t": 4.0, "lies": []}, {"t": 5.0, "lies": bones([3, 3, 4, 4, 4], NEXT)}]
    lines += [{"t": 6.0, "press": "stick", "seat": 0}]
    lines += [{"t": 12.0 + 5 * n, "look": "the end"} for n in range(6)]
    setup = setup_for("knucklebones", "west-kingdom", ("Ann", "Bess"), (30, 40), 0)
    truth = {"throws": [[1, [3, 3, 4, 4, answers[0]]], [0, [3, 3, 4, 4, 4]]]}
    table, told = readings_player.play_log(list(map(json.dumps, lines)), truth, setup)
    rolls = [
        (line["event"]["seat"], sum(line["event"]["faces"]))
        for line in told
        if line.get("event", {}).get("e") == "roll"
    ]
    kinds = [line["asked"]["kind"] for line in told if "asked" in line]
    return rolls, kinds, table.session.state.hands


STICK = {"press": "stick", "seat": 1}


@pytest.mark.parametrize("say", [None, STICK])
@pytest.mark.parametrize("face", [6, 1, 4])
def test_a_bone_that_is_not_read_is_asked_about_when_people_went_on(say, face):
    first = [*bones([3, 3, 4, 4], PLACES), UNSURE]
    rolls, kinds, hands = played(first, say=say, answers=(face,))
    assert rolls == [(1, 14 + face), (0, 18)]
    assert "face" in kinds
    assert hands


@pytest.mark.parametrize("face", [3, 4, 1, 6])
def test_a_bone_that_nobody_saw_is_asked_about_where_it_was_said_what_comes_next(face):
    rolls, kinds, hands = played(bones([3, 3, 4, 4], PLACES), say=STICK, answers=(face,))
    assert rolls == [(1, 14 + face), (0, 18)]
    assert "face" in kinds
    assert hands


def test_a_shadow_that_is_taken_for_a_bone_is_none():
    shadow = {"bone": None, "x": 340.0, "y": 260.0, "maybe": [3, 1]}
    first = [*bones([3, 3, 4, 4, 6], PLACES), shadow]
    rolls, _kinds, hands = played(first, say=STICK)
    assert rolls == [(1, 20), (0, 18)]
    assert hands


def test_a_bone_that_leans_and_is_thrown_again_is_not_asked_about():
    first = [*bones([3, 3, 4, 4], PLACES), UNSURE]
    again = [*bones([3, 3, 4, 4], PLACES), {"bone": 6, "x": 520.0, "y": 330.0}]
    lines = [{"t": 0.5, "lies": []}, {"t": 2.0, "lies": first}, {"t": 3.0, "lies": again}]
    setup = setup_for("knucklebones", "west-kingdom", ("Ann", "Bess"), (30, 40), 0)
    _table, told = readings_player.play_log(list(map(json.dumps, lines)), {}, setup)
    assert [line["event"]["faces"] for line in told if "event" in line] == [[3, 4, 3, 4, 6]]
    assert not any("asked" in line for line in told)


def test_how_a_bone_lies_is_asked_as_soon_as_its_player_goes_on():
    """It was asked some seconds after the bones were taken up, when nobody could look."""
    first = [*bones([3, 3, 4, 4], PLACES), UNSURE]
    lines = [{"t": 0.5, "lies": []}, {"t": 2.0, "lies": first}, {"t": 3.0, **STICK}]
    setup = setup_for("knucklebones", "west-kingdom", ("Ann", "Bess"), (30, 40), 0)
    _table, told = readings_player.play_log(list(map(json.dumps, lines)), {}, setup)
    assert [(line["t"], line["asked"]["text"]) for line in told if "asked" in line] == [
        (3.0, "How does Bess's bone lie?")
    ]


def test_five_bones_that_were_taken_for_the_banks_are_the_players_when_the_bank_throws():
    """A hand had ended and was paid: what is thrown after it, before NEXT, speaks against it."""
    cecil, ann = bones([3, 3, 3, 4, 4], PLACES), bones([4, 3, 3, 1, 3], NEXT)
    others = [[(x + far, y + far) for x, y in PLACES] for far in (-60.0, 90.0)]
    again, bank = bones([6, 6, 3, 4, 4], others[0]), bones([4, 3, 3, 3, 4], others[1])
    lines, t = [{"t": 0.5, "lies": []}], 1.0
    for throw, say in ((cecil, {"press": "stick", "seat": 2}), (ann, None), (again, None)):
        lines += [{"t": t, "lies": throw}, *([{"t": t + 0.5, **say}] if say else [])]
        lines += [{"t": t + 1.0, "lies": []}]
        t += 2.0
    lines += [{"t": t, "lies": bank}]
    lines += [{"t": t + 5.0 * n, "look": "the end"} for n in range(1, 6)]
    setup = setup_for("knucklebones", "west-kingdom", ("Ann", "Bess", "Cecil"), (30, 40, 50), 1)
    throws = [[2, [3, 3, 3, 4, 4]], [0, [4, 3, 3, 1, 3]], [0, [6, 6, 3, 4, 4]]]
    truth = {"throws": [*throws, [1, [4, 3, 3, 3, 4]]]}
    table, told = readings_player.play_log(list(map(json.dumps, lines)), truth, setup)
    texts = [line["asked"]["text"] for line in told if "asked" in line]
    assert texts[0] == "Who threw 3, 4, 4, 6, 6?", "other bones lie there now"
    (hand,) = table.session.state.hands
    assert dict(hand.totals) == {0: 37, 1: 17, 2: 17}


def test_five_bones_again_of_which_one_was_not_read_and_five_of_the_next_player():
    """In some histories fewer bones were thrown again: how one lay is no question to those."""
    again = [*bones([3, 1, 4, 4], NEXT), {"bone": None, "x": 380.0, "y": 280.0, "maybe": [3, 4]}]
    others = [(x + 40.0, y - 60.0) for x, y in PLACES]
    lines = [{"t": 1.0, "lies": bones([3, 3, 3, 6, 1], PLACES)}, {"t": 2.0, "lies": again}]
    lines += [{"t": 3.0, "hand": 1}, {"t": 4.0, "lies": bones([3, 3, 3, 1, 3], others)}]
    lines += [{"t": 8.0 + 5 * n, "look": "a turn"} for n in range(3)]
    setup = setup_for("knucklebones", "west-kingdom", ("Ann", "Bess", "Cecil"), (30, 40, 50), 2)
    truth = {"throws": [[0, [3, 3, 3, 6, 1]], [0, [3, 1, 4, 4, 3]], [1, [3, 3, 3, 1, 3]]]}
    _table, told = readings_player.play_log(list(map(json.dumps, lines)), truth, setup)
    events = [line["event"] for line in told if "event" in line]
    assert [sum(each["faces"]) for each in events if each["e"] == "roll"] == [16, 15, 13]


def test_what_was_guessed_of_a_bone_is_forgotten_once_it_is_read():
    known = bones([3, 3, 4, 4], PLACES)
    lines = [{"t": 1.0, "lies": bones([3, 3, 4, 4, 4], NEXT)}, {"t": 2.0, **STICK}]
    lines += [{"t": 3.0, "lies": []}, {"t": 4.0, "lies": [*known, UNSURE | {"maybe": [1, 6]}]}]
    lines += [{"t": 5.0, "press": "stick", "seat": 0}]
    lines += [{"t": t, "lies": [*known, {"bone": 6, "x": 380.0, "y": 320.0}]} for t in (6.0, 7.0)]
    lines += [{"t": 8.0 + 5 * n, "look": "the end"} for n in range(4)]
    setup = setup_for("knucklebones", "west-kingdom", ("Ann", "Bess"), (30, 40), 0)
    _table, told = readings_player.play_log(list(map(json.dumps, lines)), {}, setup)
    asked = [history for line in told if "asked" in line
             for history in line["asked"].get("histories", ())]  # fmt: skip
    rolls = [event for line in told if (event := line.get("event"))]
    rolls = [event for event in (*rolls, *chain(*asked)) if event["e"] == "roll"]
    assert 15 not in [sum(event["faces"]) for event in rolls], "one and the others"
    assert asked, "it is only asked whether Ann throws more"

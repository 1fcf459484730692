"""The referee: records in, judgement out."""

from __future__ import annotations

import argparse
import copy
import json

import pytest

from device.commands import referee
from engine.records.codec import event_keys
from engine.records.referee import CaseError, cases_of, differences, replay

CASE = {
    "id": "two-stick",
    "game": "one-and-thirty",
    "preset": "willughby",
    "options": {},
    "players": [{"seat": 0, "name": "Ann"}, {"seat": 3, "name": "Bess"}],
    "dealer": 3,
    "events": [
        *(
            {"e": "deal", "seat": seat, "card": card, "face": "down"}
            for seat, card in zip([0, 3] * 3, ["KH", "TD", "9D", "8S", "5C", "7H"], strict=True)
        ),
        {"e": "stick", "seat": 3},
        {"e": "stick", "seat": 0},
        {"e": "stick", "seat": 3},
    ],
    "expect": {
        "rejected": [{"at": 6, "code": "NOT_YOUR_TURN"}],
        "hands": [{"winner": 3, "settlement": {"0": -1, "3": 1}, "winners": [3]}],
        "match": None,
        "state": {"phase": "done", "totals": {"0": 24, "3": 25}},
    },
}


def group(*cases):
    return json.dumps({"schema": 1, "group": "test", "cases": list(cases)})


@pytest.fixture
def referee_says(tmp_path, capsys):
    """Run the command over files with these texts; return status, output and errors."""

    def run(*texts, check=True):
        paths = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.json"
            if text is not None:
                path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        parser = argparse.ArgumentParser()
        referee.add_arguments(parser)
        status = referee.run(parser.parse_args([*paths, *(["--check"] if check else [])]))
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def changed(**changes):
    return {**copy.deepcopy(CASE), **changes}


def test_what_is_expected_passes(referee_says):
    status, out, err = referee_says(group(CASE), json.dumps(CASE))
    assert (status, err) == (0, "")
    assert "2 as expected, 0 not" in out


def test_without_check_every_case_is_one_line_of_json(referee_says):
    status, out, _ = referee_says(group(CASE, CASE), check=False)
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["id"] for line in lines] == ["two-stick", "two-stick"]
    assert set(lines[0]) == {"id", "rejected", "hands", "match", "state"}
    assert lines[0]["rejected"][0]["message"]
    assert lines[0]["hands"][0]["end"] == "showdown"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("hands", 0, "winner"), 0, "hands[0].winner: expected 0, got 3"),
        (("hands", 0, "lives"), {}, "hands[0].lives: expected {}, got nothing"),
        (("hands",), [], "hands: expected 0 finished, got 1"),
        (("rejected",), [], "rejected: expected []"),
        (("rejected", 0, "code"), "SEAT_OUT", "rejected: expected"),
        (("match",), {"over": True}, "match: expected"),
        (("state", "phase"), "play", "state.phase: expected 'play', got 'done'"),
    ],
)
def test_every_difference_is_printed(referee_says, path, value, said):
    case = copy.deepcopy(CASE)
    place = case["expect"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    status, out, _ = referee_says(group(case))
    assert status == 1
    assert f"two-stick: {said}" in out


def test_a_wrong_payment_is_told_in_words(referee_says):
    case = copy.deepcopy(CASE)
    case["expect"]["hands"][0]["settlement"] = {"0": 5, "3": -5, "x": "y"}
    _, out, _ = referee_says(group(case))
    paid = CASE["expect"]["hands"][0]["settlement"]
    names = {str(one["seat"]): one["name"] for one in CASE["players"]}
    due = ", ".join(f"{names[seat]} {tokens}" for seat, tokens in paid.items())
    wrong = f"{names['0']} 5, {names['3']} -5, seat x y"
    assert f"hand 1: the file says {wrong}; played again it is {due}" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(None, "cannot be read", id="missing"),
        pytest.param("{", "damaged JSON", id="damaged"),
        pytest.param("[]", "not an object", id="a-list"),
        pytest.param('{"schema": 2, "cases": []}', "schema: 2", id="schema"),
        pytest.param('{"cases": []}', "schema: missing", id="no-schema"),
        pytest.param('{"schema": 1, "cases": [1]}', "not a list of objects", id="no-case"),
        pytest.param('{"hello": 1}', "no key 'cases'", id="no-record"),
        pytest.param(group(changed(game="whist")), "unknown game 'whist'", id="game"),
        pytest.param(group(changed(game=None)), "game: missing", id="no-game"),
        pytest.param(group(changed(preset="nobody")), "unknown preset", id="preset"),
        pytest.param(group(changed(players=[{"seat": 0}])), "players[0]", id="player"),
        pytest.param(group(changed(players=["Ann"])), "players[0]", id="a-name"),
        pytest.param(group(changed(players=[{"seat": "0", "name": ""}])), "seat '0'", id="seat"),
        pytest.param(
            group(changed(players=[{"seat": 0, "name": "Ann"}, {"seat": 3, "name": "ann"}])),
            'players: two players are called "Ann"; give each a different name',
            id="one-name-twice",
        ),
        pytest.param(
            group(changed(events=[*CASE["events"], {"e": "join", "seat": 5, "name": "Bess"}])),
            'events[9]: two players are called "Bess"',
            id="one-name-joins-twice",
        ),
        pytest.param(group(changed(options=[5])), "options: missing", id="options"),
        pytest.param(group(changed(options={"steak": 5})), "unknown option 'steak'", id="option"),
        pytest.param(group(changed(events=[{"e": "stick"}])), "events[0]: stick.seat", id="event"),
        pytest.param(group(changed(events=["stick"])), "events[0]", id="no-event"),
        pytest.param(group(changed(events=5)), "events: missing", id="no-events"),
        pytest.param(group(changed(start={"pot": 1})), "start", id="start"),
        pytest.param(group(changed(expect=None)), "expect: missing", id="no-expectation"),
    ],
)
def test_a_bad_record_is_named_and_the_others_still_run(referee_says, text, said):
    status, out, err = referee_says(text, group(CASE))
    assert status == 1
    assert said in err
    assert "1 as expected, 1 not" in out


BONES = {
    **{"game": "knucklebones", "dealer": 1, "events": [], "options": {}},
    "players": [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bess"}],
}
THROWN = [{"e": "roll", "seat": 0, "faces": [3, 3, 3, 3, 3]}]
ROUND = [
    *THROWN,
    {"e": "choose", "seat": 0, "n": 0},
    {"e": "roll", "seat": 1, "faces": [3, 3, 3, 3, 4]},
    {"e": "choose", "seat": 1, "n": 0},
]
PLAYED = CASE["events"]


@pytest.mark.parametrize(
    ("case", "before", "event", "code"),
    [
        (BONES, [], {"e": "stake", "seat": 0, "amount": -2}, "BAD_STAKE"),
        (BONES, [], {"e": "stake", "seat": -1, "amount": 2}, "UNKNOWN_SEAT"),
        (BONES, [], {"e": "roll", "seat": 0, "faces": [3, 3, 3, 4, -4]}, "BAD_FACE"),
        (BONES, [], {"e": "roll", "seat": -1, "faces": [3, 3, 3, 4, 4]}, "UNKNOWN_SEAT"),
        (BONES, THROWN, {"e": "choose", "seat": 0, "n": -1}, "BAD_CHOICE"),
        *(
            (
                *(BONES, THROWN),
                {"e": "correct", "seat": 0, "roll": 0, "pos": 0, "face": 1, key: -1},
                code,
            )
            for key, code in [
                ("seat", "UNKNOWN_SEAT"),
                ("roll", "BAD_CORRECTION"),
                ("pos", "BAD_CORRECTION"),
                ("face", "BAD_FACE"),
            ]
        ),
        (BONES, ROUND, {"e": "next_hand", "stakes": {"0": -1}}, "BAD_STAKE"),
        (BONES, ROUND, {"e": "next_hand", "stakes": {"-1": 1}}, "UNKNOWN_SEAT"),
        (BONES, ROUND, {"e": "join", "seat": 4, "name": "Doll", "stake": -1}, "BAD_STAKE"),
        (BONES, ROUND, {"e": "join", "seat": -4, "name": "Doll"}, "UNKNOWN_SEAT"),
        (CASE, PLAYED, {"e": "join", "seat": 4, "name": "Doll", "stake": -1}, "BAD_STAKE"),
        (CASE, PLAYED, {"e": "leave", "seat": -1}, "UNKNOWN_SEAT"),
        (CASE, [], {"e": "deal", "seat": -1, "card": "KH"}, "UNKNOWN_SEAT"),
        (CASE, PLAYED, {"e": "correct", "was": "KH", "card": "2H", "seat": -1}, "UNKNOWN_SEAT"),
    ],
)
def test_a_negative_number_is_refused_and_the_record_goes_on(case, before, event, code):
    after = {"e": "misdeal"}
    found = replay({**case, "events": [*before, event, after]})
    refused = {one["at"]: one["code"] for one in found["rejected"]}
    assert refused[len(before)] == code
    assert len(found["hands"]) == 1, "the hand was played to its end, or the misdeal was heard"
    plain = replay({**case, "events": [*before, after]})
    assert (found["hands"], found["state"]) == (plain["hands"], plain["state"])


SAMPLES = {
    **{"text": "x", "card": "??", "cards": ["2S"], "tokens": {"-1": -1}},
    **{"whole": -1, "wholes": [-1]},
}


@pytest.mark.parametrize("case", [BONES, CASE], ids=["bones", "cards"])
@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        pytest.param(kind, keys, id=kind)
        for kind, keys in event_keys()
        if any(key.form in ("whole", "wholes", "tokens") for key in keys)
    ],
)
def test_no_negative_number_of_any_event_aborts_the_record(case, kind, keys):
    event = {key.name: key.words[0] if key.words else SAMPLES[key.form] for key in keys}
    found = replay({**case, "events": [{"e": kind, **event}, {"e": "misdeal"}]})
    assert [one["at"] for one in found["rejected"]] == [0]
    assert found["hands"][0]["end"] == "misdeal"


def test_winners_may_stand_in_any_order():
    case = copy.deepcopy(CASE)
    found = replay(case)
    found["hands"][0]["winners"] = [3, 0]
    case["expect"]["hands"][0]["winners"] = [0, 3]
    assert differences(case, found) == []


def test_one_case_alone_is_a_document():
    assert cases_of(CASE) == [CASE]
    with pytest.raises(CaseError):
        cases_of("text")


@pytest.mark.parametrize("key", ["lost", "gained"])
def test_a_seat_that_is_not_named_lost_or_gained_nothing(key):
    case = {"expect": {"rejected": [], "hands": [{key: {"0": 4}}]}}
    found = {"rejected": [], "hands": [{key: {"0": 4, "1": 0}}], "match": None, "state": {}}
    assert differences(case, found) == []
    found["hands"][0][key]["1"] = 1
    assert len(differences(case, found)) == 1

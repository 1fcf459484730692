"""What a broker sends is checked: a liar is told from a table, and from a hall."""

import json

import pytest

from device.hall.messages import LARGEST, RefusedError, encode, of_hall, of_table

EVENT = {
    "table": "red-otter",
    "sitting": 3,
    "number": 7,
    "previous": [3, 6],
    "at": 1_764_000_000.5,
    "what": "stick",
    "texts": {"en": ["Ann sticks."]},
    "started": 1_763_990_000.0,
    "game": "bone-ace",
    "preset": "willughby",
    "hand": 2,
    "players": [{"seat": 0, "name": "Ann", "tokens": -3}],
    "result": None,
}
STATE = {"table": "red-otter", "at": 1.0, "newest": [3, 7], "view": None, "prompt": None}
HAVE = {"table": "red-otter", "hall": "hall", "have": [3, 7], "ask": "0a1b"}
AT = "boneace/v1/red-otter"


def test_honest_messages_are_taken():
    table, kind, body = of_table(f"{AT}/event", encode(EVENT))
    assert (table, kind, body["players"]) == ("red-otter", "event", EVENT["players"])
    assert of_table(f"{AT}/state", encode(STATE))[1] == "state"
    assert of_table(f"{AT}/status", encode({"table": "red-otter", "online": True}))[1] == "status"
    assert of_hall(f"{AT}/have/hall", encode(HAVE))[0] == "hall"
    first = {**EVENT, "number": 0, "previous": None}
    assert of_table(f"{AT}/event", encode(first))[1] == "event"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": "blue-owl"}, "another table"),
        ({"previous": [3, 7]}, "not the one before"),
        ({"previous": [3, 5]}, "not the one before"),
        ({"previous": None}, "not the one before"),
        ({"number": 0, "previous": [3, 0]}, "not the one before"),
        ({"number": -1}, "number is no number"),
        ({"number": True}, "number is no number"),
        ({"sitting": 10**12}, "sitting is no number"),
        ({"at": "noon"}, "at is no time"),
        ({"started": None}, "started is no time"),
        ({"what": "\x1b[2J"}, "what is no line"),
        ({"game": "<b>"}, "game is no word"),
        ({"players": [{"seat": 0, "name": "Ann\nBess", "tokens": 1}]}, "name is no line"),
        ({"players": [{"seat": 0, "name": "A" * 300, "tokens": 1}]}, "name is no line"),
        ({"players": [{"seat": 0, "name": "Ann", "tokens": 1.5}]}, "tokens is no number"),
        ({"players": [EVENT["players"][0]] * 65}, "players are no list"),
        ({"players": "Ann"}, "players are no list"),
        ({"result": []}, "result is no object"),
        ({"texts": {"en": "Ann sticks."}}, "texts has no list"),
        ({"worth": {"currency": "euro", "minor": 1, "digits": 2}}, "no currency"),
        ({"worth": {"currency": "EUR", "minor": 0, "digits": 2}}, "minor is no number"),
        ({"hand": None}, "hand is no number"),
    ],
)
def test_an_event_that_no_table_would_send_is_refused(change, why):
    with pytest.raises(RefusedError, match=why):
        of_table(f"{AT}/event", encode({**EVENT, **change}))


@pytest.mark.parametrize(
    ("topic", "payload", "why"),
    [
        (f"{AT}/event", b"not json", "not JSON"),
        (f"{AT}/event", b"[" * 100_000, "not JSON"),
        (f"{AT}/event", b"\xff\xfe", "not JSON"),
        (f"{AT}/event", b"[1]", "no JSON object"),
        (f"{AT}/event", None, "empty"),
        (f"{AT}/event", b" " * (LARGEST + 1), "bytes, more than"),
        (f"{AT}/event", json.dumps(EVENT).encode(), "version"),
        ("boneace/v1/Red Otter/event", encode(EVENT), "no topic of a table"),
        ("boneace/v1/red-otter/event/more", encode(EVENT), "no topic of a table"),
        (f"{AT}/status", encode({"table": "red-otter", "online": "yes"}), "neither true nor"),
        (f"{AT}/state", encode({**STATE, "view": "cards"}), "view is no object"),
        (f"{AT}/state", encode({**STATE, "newest": [1]}), "not \\[sitting, number\\]"),
        (f"{AT}/state", encode({**STATE, "prompt": "?"}), "prompt is no object"),
    ],
)
def test_what_is_no_message_of_a_table_is_refused(topic, payload, why):
    with pytest.raises(RefusedError, match=why):
        of_table(topic, payload)


@pytest.mark.parametrize(
    ("topic", "change", "why"),
    [
        (f"{AT}/have/other", {}, "another hall"),
        ("boneace/v1/blue-owl/have/hall", {}, "another table"),
        (f"{AT}/have/hall", {"have": [1, 2, 3]}, "not \\[sitting"),
        (f"{AT}/have/hall", {"ask": 1}, "ask is no line"),
        (f"{AT}/event", {}, "no topic of a hall"),
    ],
)
def test_what_no_hall_would_write_is_refused(topic, change, why):
    with pytest.raises(RefusedError, match=why):
        of_hall(topic, encode({**HAVE, **change}))

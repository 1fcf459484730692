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
    "worth": None,
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
        ({"number": -1}, "number is wrong"),
        ({"number": True}, "number is wrong"),
        ({"sitting": 10**12}, "sitting is wrong"),
        ({"at": "noon"}, "at is wrong"),
        ({"started": None}, "started is wrong"),
        ({"what": "\x1b[2J"}, "what is wrong"),
        ({"game": "<b>"}, "game is wrong"),
        ({"players": [{"seat": 0, "name": "Ann\nBess", "tokens": 1}]}, "players is wrong"),
        ({"players": [{"seat": 0, "name": "A" * 300, "tokens": 1}]}, "players is wrong"),
        ({"players": [{"seat": 0, "name": "Ann", "tokens": 1.5}]}, "players is wrong"),
        ({"players": [EVENT["players"][0]] * 65}, "players is wrong"),
        ({"players": "Ann"}, "players is wrong"),
        ({"result": []}, "result is wrong"),
        *(({"at": at}, "at is wrong") for at in (float("nan"), float("-inf"))),
        ({"texts": {"en": "Ann sticks."}}, "texts is wrong"),
        ({"worth": {"currency": "euro", "minor": 1, "digits": 2}}, "worth is wrong"),
        ({"worth": {"currency": "EUR", "minor": 0, "digits": 2}}, "worth is wrong"),
        ({"hand": None}, "hand is wrong"),
    ],
)
def test_an_event_that_no_table_would_send_is_refused(change, why):
    with pytest.raises(RefusedError, match=why):
        of_table(f"{AT}/event", encode({**EVENT, **change}))


@pytest.mark.parametrize(
    ("kind", "body", "name"),
    [
        *(("event", EVENT, name) for name in EVENT if name != "table"),
        *(("state", STATE, name) for name in STATE if name != "table"),
    ],
)
def test_a_message_that_lacks_a_key_is_refused(kind, body, name):
    rest = {key: value for key, value in body.items() if key != name}
    with pytest.raises(RefusedError, match=f"{name} is missing"):
        of_table(f"{AT}/{kind}", encode(rest))


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
        (f"{AT}/status", encode({"table": "red-otter", "online": "yes"}), "online is wrong"),
        (f"{AT}/state", encode({**STATE, "view": "cards"}), "view is wrong"),
        (f"{AT}/state", encode({**STATE, "newest": [1]}), "newest is wrong"),
        (f"{AT}/state", encode({**STATE, "prompt": "?"}), "prompt is wrong"),
        (f"{AT}/state", encode({**STATE, "prompt": {"title": {"en": 5}}}), "prompt is wrong"),
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
        (f"{AT}/have/hall", {"have": [1, 2, 3]}, "have is wrong"),
        (f"{AT}/have/hall", {"ask": 1}, "ask is wrong"),
        (f"{AT}/event", {}, "no topic of a hall"),
    ],
)
def test_what_no_hall_would_write_is_refused(topic, change, why):
    with pytest.raises(RefusedError, match=why):
        of_hall(topic, encode({**HAVE, **change}))

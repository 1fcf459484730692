"""The topics of a hall and the bodies of their messages; docs/reference/hall.md describes them.

What a broker sends is checked before anybody looks at it: it may lie.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, cast

from device.storage.copies.table_name import FORM
from engine.core.errors import BoneAceError
from engine.core.text.limits import LARGEST_NUMBER, LONGEST_TEXT, is_printable_line

VERSION = 1
ROOT = f"boneace/v{VERSION}"
HALLS = f"boneace/v{VERSION}-halls"

LARGEST = 256 * 1024
"""Bytes of a message; a state with eight players has some 12,000."""

MOST_PLAYERS = 64
"""Of one sitting, those included who have left."""

Key = tuple[int, int]
"""Sitting and number of an event; the order of a table's events."""

START: Key = (-1, -1)
"""Stands before the first event of every table."""

Body = Mapping[str, Any]

_TOPIC = re.compile(rf"{ROOT}/({FORM})/(status|state|event)")
_HAVE = re.compile(rf"{ROOT}/({FORM})/have/({FORM})")
_HALL = re.compile(rf"{HALLS}/({FORM})/status")
_WORD = re.compile(r"[A-Za-z0-9 _.-]{0,60}")


class RefusedError(BoneAceError, ValueError):
    """A message that nobody who follows the page of topics would have sent; it says why."""


def topic(table: str, what: str) -> str:
    """Return a topic of a table: ``status``, ``state``, ``event`` or ``have/HALL``."""
    return f"{ROOT}/{table}/{what}"


def hall_topic(hall: str) -> str:
    """Return the topic on which a hall says that it listens."""
    return f"{HALLS}/{hall}/status"


def encode(body: Body) -> bytes:
    """Return the bytes of a message."""
    text = json.dumps({"v": VERSION, **body}, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8")


def state_body(table: str, state: Body, newest: Key) -> Body:
    """Return what is published of a state of the feed: nothing that only one seat may see."""
    names = ("at", "sitting", "number", "view", "prompt")
    told = {name: state.get(name) for name in names}
    return {"table": table, **told, "newest": listed(newest)}


def event_body(table: str, event: Body) -> Body:
    """Return what is published of an event of the feed."""
    return {"table": table, **event}


def of_table(name: str, payload: object) -> tuple[str, str, Body]:
    """Return table, kind and body of a message on one of a table's own topics.

    Raises:
        RefusedError: it is no such message.
    """
    found = _TOPIC.fullmatch(name)
    if found is None:
        raise RefusedError("it is no topic of a table")
    table, kind = found.groups()
    body = _decode(payload)
    _same(body, "table", table)
    _CHECKS[kind](body)
    return table, kind, body


def of_hall(name: str, payload: object) -> tuple[str, Body]:
    """Return the hall and the body of what it has written: its status, or what it has.

    Raises:
        RefusedError: it is no such message.
    """
    have, status = _HAVE.fullmatch(name), _HALL.fullmatch(name)
    if have is None and status is None:
        raise RefusedError("it is no topic of a hall")
    body = _decode(payload)
    if have is not None:
        table, hall = have.groups()
        _same(body, "table", table)
        _key(body, "have")
        _text(body, "ask")
    else:
        hall = cast("re.Match[str]", status)[1]
        _check_status(body)
    _same(body, "hall", hall)
    return hall, body


def key_of(value: Any) -> Key:
    """Return a checked ``[sitting, number]``, or :data:`START` for ``None``."""
    return START if value is None else (value[0], value[1])


def listed(key: Key) -> list[int] | None:
    """Return a key as JSON has it."""
    return None if key == START else list(key)


def _decode(payload: object) -> dict[str, Any]:
    if not isinstance(payload, bytes | bytearray):
        raise RefusedError("it is empty")
    if len(payload) > LARGEST:
        raise RefusedError(f"it has {len(payload)} bytes, more than {LARGEST}")
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError) as problem:
        raise RefusedError("it is not JSON") from problem
    if not isinstance(body, dict):
        raise RefusedError("it is no JSON object")
    if body.get("v") != VERSION:
        raise RefusedError(f"its version is not {VERSION}")
    return body


def _same(body: Body, name: str, wanted: str) -> None:
    if body.get(name) != wanted:
        raise RefusedError(f"its topic names another {name} than its body")


def _whole(body: Body, name: str, least: int = 0) -> int:
    value = body.get(name)
    if type(value) is not int or not least <= value <= LARGEST_NUMBER:
        raise RefusedError(f"{name} is no number from {least} to {LARGEST_NUMBER}")
    return value


def _key(body: Body, name: str) -> Key:
    value = body.get(name)
    if value is None:
        return START
    if not isinstance(value, list) or len(value) != 2:
        raise RefusedError(f"{name} is not [sitting, number]")
    pair = {"sitting": value[0], "number": value[1]}
    return _whole(pair, "sitting"), _whole(pair, "number")


def _text(body: Body, name: str, most: int = LONGEST_TEXT) -> str:
    value = body.get(name)
    if not isinstance(value, str) or len(value) > most or not is_printable_line(value):
        raise RefusedError(f"{name} is no line of text")
    return value


def _check_time(body: Body, name: str) -> None:
    at = body.get(name)
    if type(at) not in (int, float) or not math.isfinite(cast("float", at)):
        raise RefusedError(f"{name} is no time")


def _check_status(body: Body) -> None:
    if not isinstance(body.get("online"), bool):
        raise RefusedError("online is neither true nor false")


def _check_state(body: Body) -> None:
    _check_time(body, "at")
    if "newest" not in body:
        raise RefusedError("it is no state")
    _key(body, "newest")
    for name in ("view", "prompt"):
        if not isinstance(body.get(name), dict | None):
            raise RefusedError(f"{name} is no object")


def _check_event(body: Body) -> None:
    _check_time(body, "at")
    _check_time(body, "started")
    sitting, number = _whole(body, "sitting"), _whole(body, "number")
    before = _key(body, "previous")
    if before != (sitting, number - 1) if number else before >= (sitting, 0):
        raise RefusedError("previous is not the one before it")
    for name in ("what", "game", "preset"):
        if not _WORD.fullmatch(_text(body, name)):
            raise RefusedError(f"{name} is no word")
    _whole(body, "hand")
    _check_players(body.get("players"))
    if not isinstance(body.get("result"), dict | None):
        raise RefusedError("result is no object")
    _check_texts(body.get("texts"))
    if (worth := body.get("worth")) is not None:
        if not isinstance(worth, dict) or not re.fullmatch("[A-Z]{3}", _text(worth, "currency")):
            raise RefusedError("worth has no currency")
        _whole(worth, "minor", least=1)
        if _whole(worth, "digits") > 6:
            raise RefusedError("worth has more than 6 digits")


def _check_players(players: Any) -> None:
    if not isinstance(players, list) or len(players) > MOST_PLAYERS:
        raise RefusedError("its players are no list")
    for each in players:
        if not isinstance(each, dict):
            raise RefusedError("a player is no object")
        _whole(each, "seat")
        _text(each, "name")
        _whole(each, "tokens", least=-LARGEST_NUMBER)


def _check_texts(texts: Any) -> None:
    lists = texts.values() if isinstance(texts, dict) else [None]
    for lines in lists:
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise RefusedError("texts has no list of lines for each language")


_CHECKS = {"status": _check_status, "state": _check_state, "event": _check_event}

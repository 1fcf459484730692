"""The topics of a hall and the bodies of their messages; docs/reference/hall.md describes them.

What a broker sends is checked before anybody looks at it: it may lie.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

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
    return table, kind, _checked(kind, payload, table=table)


def of_hall(name: str, payload: object) -> tuple[str, Body]:
    """Return the hall and the body of what it has written: its status, or what it has.

    Raises:
        RefusedError: it is no such message.
    """
    if found := _HAVE.fullmatch(name):
        table, hall = found.groups()
        return hall, _checked("have", payload, table=table, hall=hall)
    if found := _HALL.fullmatch(name):
        return found[1], _checked("status", payload, hall=found[1])
    raise RefusedError("it is no topic of a hall")


def key_of(value: Any) -> Key:
    """Return a checked ``[sitting, number]``, or :data:`START` for ``None``."""
    return START if value is None else (value[0], value[1])


def listed(key: Key) -> list[int] | None:
    """Return a key as JSON has it."""
    return None if key == START else list(key)


# --- what a body must have ----------------------------------------------------------------------

Check = Callable[[Any], bool]


def _whole(least: int = 0, most: int = LARGEST_NUMBER) -> Check:
    return lambda value: type(value) is int and least <= value <= most


def _form(pattern: str) -> Check:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _list_of(each: Check, least: int = 0, most: int = LARGEST) -> Check:
    return lambda value: (
        isinstance(value, list) and least <= len(value) <= most and all(map(each, value))
    )


def _has(**keys: Check) -> Check:
    return lambda value: (
        isinstance(value, dict) and all(check(value.get(key)) for key, check in keys.items())
    )


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and is_printable_line(value)


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < math.inf


def _in_languages(each: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(each, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_KEY, _OBJECT = _or_null(_list_of(_whole(), 2, 2)), _or_null(_has())
_WORD = _form("[A-Za-z0-9 _.-]{0,60}")
_PROMPT = _has(title=_in_languages(_is_text))
_PLAYER = _has(seat=_whole(), name=_is_line, tokens=_whole(-LARGEST_NUMBER))
_WORTH = _has(currency=_form("[A-Z]{3}"), minor=_whole(1), digits=_whole(0, 6))

_BODIES: Mapping[str, Mapping[str, Check]] = {
    "status": {"online": lambda value: isinstance(value, bool)},
    "state": {"at": _is_time, "newest": _KEY, "view": _OBJECT, "prompt": _or_null(_PROMPT)},
    "have": {"have": _KEY, "ask": _is_line},
    "event": {
        **dict.fromkeys(("at", "started"), _is_time),
        **dict.fromkeys(("sitting", "number", "hand"), _whole()),
        **dict.fromkeys(("what", "game", "preset"), _WORD),
        "previous": _KEY,
        "players": _list_of(_PLAYER, most=MOST_PLAYERS),
        "result": _OBJECT,
        "texts": _in_languages(_list_of(_is_text)),
        "worth": _or_null(_WORTH),
    },
}
"""By the kind of message, its keys, and what each must hold; none may be missing."""

MISSING = object()


def _checked(kind: str, payload: object, **named: str) -> Body:
    """Return the body of a message whose topic names a table, a hall, or both."""
    body = _decode(payload)
    for name, wanted in named.items():
        if body.get(name) != wanted:
            raise RefusedError(f"its topic names another {name} than its body")
    for name, check in _BODIES[kind].items():
        if not check(body.get(name, MISSING)):
            raise RefusedError(f"{name} is {'wrong' if name in body else 'missing'}")
    if kind == "event":
        before, first = key_of(body["previous"]), (body["sitting"], 0)
        if before != (first[0], body["number"] - 1) if body["number"] else before >= first:
            raise RefusedError("previous is not the one before it")
    return body


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

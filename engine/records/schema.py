"""The JSON Schema of a game record, made from the events themselves so that it cannot lag."""

from __future__ import annotations

from typing import Any

from engine.core.cards import UNREAD, deck
from engine.records.codec import EventKey, event_keys
from engine.records.record import FORMAT, VERSION

Json = dict[str, Any]

_WHOLE = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}
_TOKENS = {
    "type": "object",
    "propertyNames": {"pattern": "^[0-9]+$"},
    "additionalProperties": {"type": "integer"},
}
_CARD = {"$ref": "#/$defs/card"}
_FORMS: dict[str, Json] = {
    "whole": _WHOLE,
    "wholes": {"type": "array", "items": _WHOLE},
    "text": _TEXT,
    "card": _CARD,
    "cards": {"type": "array", "items": _CARD},
    "tokens": _TOKENS,
}


def _object(properties: Json, required: list[str] | None = None) -> Json:
    """Return an object of these keys and no others, of which all are required or some."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def schema() -> Json:
    """Return the JSON Schema (draft 2020-12) of the newest version of the record."""
    needed = ["format", "version", "game", "preset", "options", "players", "dealer"]
    document = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "program": _TEXT,
        "title": _TEXT,
        "started": _TEXT,
        "closed": {"type": ["string", "null"]},
        "game": _TEXT,
        "preset": _TEXT,
        "options": {"type": "object"},
        "players": {"type": "array", "items": {"$ref": "#/$defs/player"}, "minItems": 2},
        "dealer": {"type": ["integer", "null"], "minimum": 0},
        "start": {"type": "object"},
        "stakes": _TOKENS,
        "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
        "assumed": {
            "type": "array",
            "items": {
                "type": "array",
                "prefixItems": [_WHOLE, _TEXT],
                "minItems": 2,
                "items": False,
            },
        },
        "results": {"$ref": "#/$defs/results"},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
    hands = {"type": "array", "items": {"$ref": "#/$defs/hand"}}
    match = {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/match"}]}
    winner = {"type": ["integer", "null"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "boneace game record",
        "description": "One sitting: what was agreed, every event, and what came of it.",
        **_object(document, [*needed, "events", "results"]),
        "$defs": {
            "card": {"enum": [*(str(card) for card in deck()), UNREAD]},
            "player": _object({"seat": _WHOLE, "name": _TEXT, "age": _WHOLE}, ["seat", "name"]),
            "event": {"oneOf": [_event(kind, keys) for kind, keys in event_keys()]},
            "results": _object({"hands": hands, "match": match}),
            "hand": {
                "type": "object",
                "properties": {"end": _TEXT, "settlement": _TOKENS},
                "required": ["end"],
            },
            "match": _object({"over": {"const": True}, "winner": winner, "settlement": _TOKENS}),
        },
    }


def _event(kind: str, keys: tuple[EventKey, ...]) -> Json:
    properties: Json = {"t": {"type": "number"}, "e": {"const": kind}}
    for key in keys:
        properties[key.name] = {"enum": list(key.words)} if key.words else _FORMS[key.form]
    return _object(properties, ["e", *(key.name for key in keys if key.required)])


if __name__ == "__main__":
    import json
    import sys

    json.dump(schema(), sys.stdout, indent=1)
    sys.stdout.write("\n")

"""The JSON Schema of a game record, made from the events themselves so that it cannot lag."""

from __future__ import annotations

from typing import Any

from engine.core.cards import UNREAD, deck
from engine.records.codec import EventKey, event_keys
from engine.records.record import FORMAT, VERSION

Json = dict[str, Any]

_WHOLE = {"type": "integer", "minimum": 0}
_TOKENS = {
    "type": "object",
    "propertyNames": {"pattern": "^[0-9]+$"},
    "additionalProperties": {"type": "integer"},
}


def schema() -> Json:
    """Return the JSON Schema (draft 2020-12) of the newest version of the record."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "boneace game record",
        "description": "One sitting: what was agreed, every event, and what came of it.",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "program": {"type": "string"},
            "title": {"type": "string"},
            "started": {"type": "string"},
            "closed": {"type": ["string", "null"]},
            "game": {"type": "string"},
            "preset": {"type": "string"},
            "options": {"type": "object"},
            "players": {"type": "array", "items": {"$ref": "#/$defs/player"}, "minItems": 2},
            "dealer": {"type": ["integer", "null"], "minimum": 0},
            "start": {"type": "object"},
            "stakes": _TOKENS,
            "events": {"type": "array", "items": {"$ref": "#/$defs/event"}},
            "results": {"$ref": "#/$defs/results"},
            "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
        "required": [
            *("format", "version", "game", "preset", "options", "players", "dealer"),
            *("events", "results"),
        ],
        "additionalProperties": False,
        "$defs": {
            "card": {"enum": [*(str(card) for card in deck()), UNREAD]},
            "player": {
                "type": "object",
                "properties": {"seat": _WHOLE, "name": {"type": "string"}, "age": _WHOLE},
                "required": ["seat", "name"],
                "additionalProperties": False,
            },
            "event": {"oneOf": [_event(kind, keys) for kind, keys in event_keys()]},
            "results": {
                "type": "object",
                "properties": {
                    "hands": {"type": "array", "items": {"$ref": "#/$defs/hand"}},
                    "match": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/match"}]},
                },
                "required": ["hands", "match"],
                "additionalProperties": False,
            },
            "hand": {
                "type": "object",
                "properties": {"end": {"type": "string"}, "settlement": _TOKENS},
                "required": ["end"],
            },
            "match": {
                "type": "object",
                "properties": {
                    "over": {"const": True},
                    "winner": {"type": ["integer", "null"]},
                    "settlement": _TOKENS,
                },
                "required": ["over", "winner", "settlement"],
                "additionalProperties": False,
            },
        },
    }


def _event(kind: str, keys: tuple[EventKey, ...]) -> Json:
    properties: Json = {"t": {"type": "number"}, "e": {"const": kind}}
    properties |= {key.name: _value(key) for key in keys}
    return {
        "type": "object",
        "properties": properties,
        "required": ["e", *(key.name for key in keys if key.required)],
        "additionalProperties": False,
    }


def _value(key: EventKey) -> Json:
    if key.words:
        return {"enum": list(key.words)}
    forms: dict[str, Json] = {
        "whole": _WHOLE,
        "wholes": {"type": "array", "items": _WHOLE},
        "text": {"type": "string"},
        "card": {"$ref": "#/$defs/card"},
        "cards": {"type": "array", "items": {"$ref": "#/$defs/card"}},
        "tokens": _TOKENS,
    }
    return forms[key.form]


if __name__ == "__main__":
    import json
    import sys

    json.dump(schema(), sys.stdout, indent=1)
    sys.stdout.write("\n")

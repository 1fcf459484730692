"""The engine's views, read back from the feed's JSON."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from engine.core.cards import Card
from engine.core.views import View


def read_view(data: Any) -> View:
    """Return the view that the feed has written field by field.

    Raises:
        ValueError: it is none.
    """
    try:
        found: View = _read(View, data)
    except (AttributeError, KeyError, TypeError) as problem:
        raise ValueError(f"no view: {problem}") from problem
    return found


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, data: Any) -> Any:
    """Return *data* as a value of *kind*, one of the types that views are made of."""
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return None if data is None else _read(inner[0], data)
    if get_origin(kind) is tuple:
        kinds = inner[:1] * len(data) if inner[1:] == (...,) else inner
        return tuple(_read(each, item) for each, item in zip(kinds, data, strict=True))
    if kind is Card:
        return Card.parse(data)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{f.name: _read(hints[f.name], data[f.name]) for f in fields(kind)})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    right = data in inner if get_origin(kind) is Literal else isinstance(data, kind)
    if not right and not (kind is float and isinstance(data, int)):
        raise ValueError(f"{data!r} is no {kind}")
    return data

"""Validation of the tables of a file, by pydantic models made from the keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from device.config.fields import Key, Name, nearest, quoted, toml

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

_RANGES = {
    "greater_than_equal": " is below {ge}; try {default}",
    "less_than_equal": " is above {le}; try {default}",
}
"""What is wrong with a value, and the cure, by pydantic's type of error."""

_TYPES = {
    bool: (bool, "; write true or false"),
    int: (int, " is not a whole number; try {default}"),
    str: (str, " is not text; try {default}"),
    tuple: (list, " is not a list; write {example}, or [] for none"),
    Mapping: (dict, ""),  # each says itself what to write
}
"""By the type of the default, that of values in TOML, and what is wrong with one of another."""


def validate(table: type, name: str, values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the valid *values* of a table of the file, and what is wrong with the others.

    *table* is its dataclass, *name* such as ``game``; values are as TOML gives them.
    """
    # Imported late: without any config file nothing is to be validated.
    from pydantic import ValidationError

    known = {each.name: each.metadata["key"] for each in fields(table)}
    problems: dict[str, str] = {}
    try:
        _model(table).model_validate(values)
    except ValidationError as found:
        for error in found.errors(include_url=False):
            each = str(error["loc"][0])
            problems.setdefault(each, _problem(name, each, error, known))
    good = {
        each: tuple(value) if isinstance(value, list) else value
        for each, value in values.items()
        if each not in problems
    }
    return good, [problems[each] for each in values if each in problems]


@lru_cache(maxsize=32)
def _model(table: type) -> type[BaseModel]:
    from pydantic import AfterValidator, ConfigDict, Field, create_model

    types: dict[str, Any] = {}
    for each in fields(table):
        key: Key = each.metadata["key"]
        kind, _words = _type_of(key)

        def check(value: object, key: Key = key) -> object:
            problem = key.validator(value) if key.validator else None
            if problem is not None:
                raise ValueError(problem)
            return value

        limits = [Field(ge=key.least, le=key.most)] if kind is int else []
        types[each.name] = (Annotated[kind, *limits, AfterValidator(check)], None)
    return create_model(table.__name__, __config__=ConfigDict(strict=True, extra="forbid"), **types)


def _type_of(key: Key) -> tuple[type, str]:
    return next(told for kind, told in _TYPES.items() if isinstance(key.default, kind))


def _problem(name: str, each: str, error: ErrorDetails, known: Mapping[str, Key]) -> str:
    if each not in known:
        return f"{name}.{quoted(Name(each))}: unknown key; {nearest(each, known)}"
    context, key = error.get("ctx", {}), known[each]
    if said := str(context.get("error", "")):
        return f"{name}.{each}{'' if said.startswith('.') else ': '}{said}"
    words = _RANGES.get(error["type"]) or key.cure or _type_of(key)[1]
    default = toml(key.default)
    if key.default == "":
        default = key.example or default
    told = words.format(default=default, example=key.example, **context)
    return f"{name}.{each}: {quoted(error['input'])}{told}"

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

_WORDS = {
    "bool_type": "; write true or false",
    "int_type": " is not a whole number; try {default}",
    "greater_than_equal": " is below {ge}; try {default}",
    "less_than_equal": " is above {le}; try {default}",
    "string_type": " is not text; try {example}",
}
"""What is wrong with a value, and the cure, by pydantic's type of error."""


def validate(table: type, name: str, values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the valid values of the table *name*, and what is wrong with the others.

    Args:
        table: the dataclass of the table.
        name: its name in the file, such as ``game``.
        values: key to value, as TOML gives them.
    """
    # Imported late: without any config file nothing is to be validated.
    from pydantic import ValidationError

    known = {each.name: each.metadata["key"] for each in fields(table)}
    problems: dict[str, str] = {}
    try:
        _model(table, name).model_validate(values)
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
def _model(table: type, name: str) -> type[BaseModel]:
    from pydantic import ConfigDict, create_model

    types: dict[str, Any] = {
        each.name: (_type(f"{name}.{each.name}", each.metadata["key"]), None)
        for each in fields(table)
    }
    return create_model(table.__name__, __config__=ConfigDict(strict=True, extra="forbid"), **types)


def _type(where: str, key: Key) -> Any:
    from pydantic import AfterValidator, Field

    def check(value: object) -> object:
        problem = key.validator(where, value) if key.validator else None
        if problem is not None:
            raise ValueError(problem)
        return value

    if key.validator is not None:
        return Annotated[Any, AfterValidator(check)]
    if isinstance(key.default, bool):
        return bool
    if isinstance(key.default, int):
        return Annotated[int, Field(ge=key.least, le=key.most)]
    return str


def _problem(name: str, each: str, error: ErrorDetails, known: Mapping[str, Key]) -> str:
    """Return *error* with place, value and cure."""
    if each not in known:
        return f"{name}.{quoted(Name(each))}: unknown key; {nearest(each, known)}"
    context, key = error.get("ctx", {}), known[each]
    if error["type"] == "value_error":
        return str(context["error"])
    example = key.example or toml(key.default)
    words = _WORDS[error["type"]].format(default=key.default, example=example, **context)
    return f"{name}.{each}: {quoted(error['input'])}{words}"

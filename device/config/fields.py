"""Keys of the config: type, range and meaning, kept in the fields of the tables' dataclasses.

The tables of a file are checked by pydantic models made from the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

from engine.core.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

MOST = 1_000_000
"""Default upper limit of whole numbers."""

_LONGEST = 60
"""Characters of a wrong value that are shown."""

_RANGES = {
    "greater_than_equal": " is below {ge}; try {default}",
    "less_than_equal": " is above {le}; try {default}",
}
"""What is wrong with a value, and the cure, by pydantic's type of error."""

_TYPES = {
    bool: (bool, "; write true or false"),
    int: (int, " is not a whole number; try {default}"),
    float: (float, " is not a number; try {default}"),
    str: (str, " is not text; try {default}"),
    tuple: (list, " is not a list; write {example}, or [] for none"),
    Mapping: (dict, ""),  # each says itself what to write
}
"""By the type of the default, that of values in TOML, and what is wrong with one of another."""

Validator = Callable[[Any], str | None]
"""Returns what is wrong with a value, or ``None``; :mod:`device.config.checks` says more."""


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of one key.

    Attributes:
        help: its meaning, in whole sentences.
        default: the value where no file sets it.
        least: lowest number.
        most: highest number.
        choices: allowed texts; called each time, since plugins add some.
        example: a value in TOML, where the default is no good example.
        form: the allowed values in words, where type and range do not say it; called each time
            where plugins add some.
        cure: what is said after a value of a wrong type, where the type does not say it.
        validator: what else decides.
    """

    help: str
    default: object
    least: int = 1
    most: int = MOST
    choices: Callable[[], Sequence[str]] | None = None
    example: str = ""
    form: str | Callable[[], str] = ""
    cure: str = ""
    validator: Validator | None = None

    @property
    def kind(self) -> str:
        """Type and range in words, such as ``"a whole number from 1 to 100"``."""
        if self.form:
            return self.form if isinstance(self.form, str) else self.form()
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            if self.most == MOST:
                return f"a whole number, {self.least} or more"
            return f"a whole number from {self.least} to {self.most}"
        if isinstance(self.default, float):
            return f"a number from {self.least} to {self.most}"
        if self.choices is not None:
            return f"one of {', '.join(toml(name) for name in self.choices())}"
        return "text"


def key(default: Any, help: str, *, factory: Callable[[], Any] | None = None, **about: Any) -> Any:
    """Return a dataclass field that carries a :class:`Key`; a mapping is copied for each table.

    *factory* makes the default where it depends on the machine; *default* is then only its type.
    """
    metadata = {"key": Key(help, default, **about)}
    if factory is None and isinstance(default, Mapping):
        factory = dict
    if factory is not None:
        return field(default_factory=factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def quoted(value: object) -> str:
    """Return *value* for a message: cut short, without control characters."""
    try:
        text = value if type(value) is Name else repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a number of thousands of digits"
    except RecursionError:
        return "a value nested too deeply to be shown"
    text = "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def nearest(word: object, known: Iterable[str]) -> str:
    """Return the suggestion for *word*, cut short: comparing very long words takes long."""
    return did_you_mean(word[:_LONGEST] if isinstance(word, str) else quoted(word), known)


class Name(str):
    """A key of a file: shown without quotes."""

    __slots__ = ()


def toml(value: object) -> str:
    r"""Return *value* as TOML writes it.

    >>> toml(True), toml(3), toml("a\"b"), toml(("x", "y")), toml({"have": 17})
    ('true', '3', '"a\\"b"', '["x", "y"]', '{have = 17}')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_bare(str(name))} = {toml(each)}" for name, each in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml(each) for each in value)}]"
    return f'"{"".join(_escaped(each) for each in str(value))}"'


def _bare(name: str) -> str:
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else toml(name)


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"


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
    lines = [problems[each].splitlines() for each in values if each in problems]
    return good, list(chain.from_iterable(lines))


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

        limits = [Field(ge=key.least, le=key.most)] if kind in (int, float) else []
        types[each.name] = (Annotated[kind, *limits, AfterValidator(check)], None)
    return create_model(table.__name__, __config__=ConfigDict(strict=True, extra="forbid"), **types)


def _type_of(key: Key) -> tuple[type, str]:
    return next(told for kind, told in _TYPES.items() if isinstance(key.default, kind))


def _problem(name: str, each: str, error: ErrorDetails, known: Mapping[str, Key]) -> str:
    if each not in known:
        return f"{name}.{quoted(Name(each))}: unknown key; {nearest(each, known)}"
    context, key = error.get("ctx", {}), known[each]
    if said := str(context.get("error", "")).splitlines():
        return "\n".join(f"{name}.{each}{'' if one.startswith('.') else ': '}{one}" for one in said)
    words = _RANGES.get(error["type"]) or key.cure or _type_of(key)[1]
    default = toml(key.default)
    if key.default == "":
        default = key.example or default
    told = words.format(default=default, example=key.example, **context)
    return f"{name}.{each}: {quoted(error['input'])}{told}"

"""Options of the games: data that can name its own choices and sources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from engine.core.errors import BoneAceError
from engine.core.text.limits import LARGEST_NUMBER
from engine.core.text.suggest import did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    OptionsT = TypeVar("OptionsT", bound=DataclassInstance)


class OptionError(BoneAceError, ValueError):
    """An option, or a preset, that the game does not have or does not allow."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A choice among a few values."""

    values: tuple[object, ...]

    def allows(self, value: object) -> bool:
        """Return whether *value* is one of them; ``True`` is not 1 here."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def __str__(self) -> str:
        """Return the choices in words."""
        return ", ".join(
            json.dumps(value) if isinstance(value, bool) else repr(value) for value in self.values
        )


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number from *least* to *most* (``None``: no end but what any number has)."""

    least: int
    most: int | None = None

    def allows(self, value: object) -> bool:
        """Return whether *value* is a whole number in the range."""
        most = LARGEST_NUMBER if self.most is None else self.most
        return type(value) is int and self.least <= value <= most

    def __str__(self) -> str:
        """Return the range in words."""
        if self.most is None:
            return f"a whole number from {self.least}"
        return f"a whole number from {self.least} to {self.most}"


Choices = OneOf | WholeNumber


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """What there is to say of one option: for errors, for screens and for the rules page."""

    name: str
    default: object
    choices: Choices
    source: str
    note: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options after one source; *changes* lie over the defaults.

    Attributes:
        tells: what is particular about it, in one plain sentence: an id of the catalogues.
        says: what the source says, in our words: an id of the catalogues; empty where the source
            is the players themselves.
        names: what the sources call this variant of the game; each chooses game and preset.
    """

    name: str
    source: str
    changes: Mapping[str, object] = field(default_factory=dict)
    says: str = ""
    names: tuple[str, ...] = ()
    tells: str = ""


def option(default: Any, choices: Choices | None, source: str, note: str = "") -> Any:
    """Return a dataclass field that carries its own choices, source and note.

    Without *choices* they are what the annotation of the field names: a ``Literal``, or a ``bool``.
    """
    return field(default=default, metadata={"choices": choices, "source": source, "note": note})


def choice(default: Any, source: str, note: str = "") -> Any:
    """Return an option whose choices are those that its annotation names."""
    return option(default, None, source, note)


def describe(options: type[DataclassInstance]) -> tuple[OptionInfo, ...]:
    """Return what there is to say of every option of a game."""
    return tuple(
        OptionInfo(
            each.name,
            each.default,
            each.metadata["choices"] or OneOf(_named(options)[each.name]),
            each.metadata["source"],
            each.metadata["note"],
        )
        for each in fields(options)
    )


def parse_changes(kind: type[DataclassInstance], texts: Iterable[str]) -> dict[str, object]:
    """Return what *texts* such as ``"stake=2"`` set, by option; of two of one option the last.

    A value may be written as the choices, the config or the page of rules write it. One that is
    not allowed is returned as it is written: :func:`build` refuses it, and an unknown option.

    Raises:
        OptionError: a text without a value.
    """
    known = {info.name: info.choices for info in describe(kind)}
    found = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign:
            raise OptionError(f"--set: {text!r} has no value; write for example --set stake=2")
        found[name] = _value(known.get(name), value)
    return found


def _value(choices: Choices | None, text: str) -> object:
    for value in choices.values if isinstance(choices, OneOf) else ():
        words = {True: ("true", "yes", "on", "1"), False: ("false", "no", "off", "0")}
        known = words[value] if isinstance(value, bool) else (str(value).lower(),)
        if text.strip("\"'").lower() in known:
            return value
    try:
        return json.loads(text)
    except ValueError:
        return text  # words need no quotes


def uses_ages(options: object) -> bool:
    """Return whether the ages of the players decide anything by *options* (rule OT-15)."""
    return getattr(options, "eldest_means", "seat") == "age"


@lru_cache
def _named(options: type[DataclassInstance]) -> dict[str, tuple[object, ...]]:
    """Return the values that the annotation of each field names; of a ``bool`` both."""
    types = get_type_hints(options)
    return {name: get_args(each) or (True, False) for name, each in types.items()}


def check(options: DataclassInstance) -> None:
    """Refuse values that are not among the choices; every problem is named at once.

    Raises:
        OptionError: at least one option has a value that is not allowed.
    """
    wrong = [
        f"{info.name}: {getattr(options, info.name)!r} is not allowed; choose {info.choices}"
        for info in describe(type(options))
        if not info.choices.allows(getattr(options, info.name))
    ]
    if wrong:
        raise OptionError("; ".join(wrong))


def build(
    kind: type[OptionsT], game: str, preset: Preset, changes: Mapping[str, object]
) -> OptionsT:
    """Lay *changes* over *preset* over the defaults.

    Raises:
        OptionError: an option that *game* does not have, or a value it does not allow.
    """
    known = [info.name for info in describe(kind)]
    for name in changes:
        if name not in known:
            raise OptionError(f"{game}: unknown option {name!r}; {did_you_mean(name, known)}")
    values: dict[str, Any] = {**preset.changes, **changes}
    try:
        return kind(**values)
    except OptionError as problem:
        raise OptionError(f"{game}: {problem}") from problem

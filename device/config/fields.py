"""Keys of the config: type, range and meaning, kept in the fields of the tables' dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.text.suggest import did_you_mean

MOST = 1_000_000
"""Default upper limit of whole numbers."""

_LONGEST = 60
"""Characters of a wrong value that are shown."""

Validator = Callable[[Any], str | None]
"""Returns what is wrong with a value, or ``None``; :mod:`device.config.checks` says more."""


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of one key.

    Attributes:
        help: its meaning, in whole sentences.
        default: the value where no file sets it.
        least: lowest whole number.
        most: highest whole number.
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

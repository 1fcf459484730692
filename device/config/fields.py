"""What there is to know of one key of the config: its type, its range, and what it means.

A key carries all of it in the table's dataclass (:func:`key`). Judging a file, the page that
``boneace config --explain`` prints and the defaults are made from that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core.text.suggest import did_you_mean

MOST = 1_000_000
"""The highest whole number of a key that names none: no table counts further."""

_LONGEST = 60
"""Characters of a wrong value that are shown."""

Judge = Callable[[str, object], str | None]
"""Takes where a value stands and the value; returns what is wrong with it, or ``None``."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key, as the program itself tells of it.

    Attributes:
        help: what it means, in whole sentences.
        default: what holds where no file says otherwise.
        least: of a whole number.
        most: of a whole number.
        choices: of a text, or of each text in a list; asked each time, as some grow.
        example: what to write, in TOML, where the default is not worth copying.
        form: the values it takes, in words, where type and range do not say it; asked each time
            where some can be added.
        judge: what decides, in the place of type and range.
    """

    help: str
    default: object
    least: int = 1
    most: int = MOST
    choices: Callable[[], Sequence[str]] | None = None
    example: str = ""
    form: str | Callable[[], str] = ""
    judge: Judge | None = None

    @property
    def kind(self) -> str:
        """Return the type and range in words, such as ``"a whole number from 1 to 100"``."""
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

    def problem(self, where: str, value: object) -> str | None:
        """Say what is wrong with *value* at *where* and what to do; ``None`` when it is good."""
        if self.judge is not None:
            return self.judge(where, value)
        if isinstance(self.default, bool):
            return (
                None if isinstance(value, bool) else f"{where}: {shown(value)}; write true or false"
            )
        if isinstance(self.default, int):
            return self._of_number(where, value)
        if not isinstance(value, str):
            example = self.example or toml(self.default)
            return f"{where}: {shown(value)} is not text; try {example}"
        if self.choices is not None and value not in self.choices():
            name = where.rpartition(".")[2]
            return f"{where}: unknown {name} {shown(value)}; {nearest(value, self.choices())}"
        return None

    def _of_number(self, where: str, value: object) -> str | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{where}: {shown(value)} is not a whole number; try {self.default}"
        if value < self.least:
            return f"{where}: {shown(value)} is below {self.least}; try {self.default}"
        if value > self.most:
            return f"{where}: {shown(value)} is above {self.most}; try {self.default}"
        return None


def key(
    default: Any,
    help: str,
    *,
    least: int = 1,
    most: int = MOST,
    choices: Callable[[], Sequence[str]] | None = None,
    example: str = "",
    form: str | Callable[[], str] = "",
    judge: Judge | None = None,
    factory: Callable[[], Any] | None = None,
) -> Any:
    """Return a dataclass field that carries what there is to know of it; see :class:`Key`.

    Args:
        default: as in :class:`Key`; a mapping is copied for each table.
        help: as in :class:`Key`, like all that follows but *factory*.
        least: as in :class:`Key`.
        most: as in :class:`Key`.
        choices: as in :class:`Key`.
        example: as in :class:`Key`.
        form: as in :class:`Key`.
        judge: as in :class:`Key`.
        factory: makes the default where it hangs on the machine; *default* is then only its type.
    """
    about = {"key": Key(help, default, least, most, choices, example, form, judge)}
    if factory is None and isinstance(default, Mapping):
        factory = dict
    if factory is not None:
        return field(default_factory=factory, metadata=about)
    return field(default=default, metadata=about)


def shown(value: object) -> str:
    """Return *value* for a message: cut short, and without anything that a terminal obeys."""
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
    return did_you_mean(word[:_LONGEST] if isinstance(word, str) else shown(word), known)


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

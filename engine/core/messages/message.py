"""Sentences as values: put into a language only where they are read or heard."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

LookUp = Callable[[str, str, int], str]
"""Returns the text of a message in some language: of its id, its plural and its count."""


class _Printable:
    """A value that is English in a log."""

    __slots__ = ()

    def __str__(self) -> str:
        return render(self)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Listing(_Printable):
    """Several values in a row, joined as people do: "Ann, Bess and Tom"."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Joined(_Printable):
    """Several values with the same separator between them, such as whole sentences."""

    items: tuple[Value, ...]
    separator: str = " "


class Style(StrEnum):
    """How a value is written: what differs is no word, but a letter or a full stop."""

    LOWER = "lower"
    CAPITAL = "capital"
    TITLE = "title"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Styled(_Printable):
    """A value in lower case, with a capital first, without its full stop, or as a sentence."""

    value: Value
    style: Style


@dataclass(frozen=True, slots=True)
class EnglishOr(_Printable):
    """A text that exists in English only, and what stands for it in every other language."""

    english: str
    other: Message


@dataclass(frozen=True, slots=True)
class Distinct(_Printable):
    """A title, with its *mark* in brackets in those languages in which one of *others* is alike."""

    title: Message
    others: tuple[Message, ...]
    mark: str


@dataclass(frozen=True, slots=True, init=False)
class Message(_Printable):
    """One whole sentence, or a phrase that is put into one.

    Attributes:
        id: the English text with ``{placeholders}``; the key in the translation catalogues.
        plural: the English text for several; empty where nothing is counted.
        count: the number that decides between the two.
        values: what stands in each placeholder, by name. A ``str`` is a name and is never
            translated.

    >>> Message("{name}: stick, or have it?", name="Bess").values
    (('name', 'Bess'),)
    >>> str(Message("{n} card", "{n} cards", 3, n="three"))
    'three cards'
    """

    id: str
    plural: str
    count: int
    values: tuple[tuple[str, Value], ...]

    def __init__(self, id: str, plural: str = "", count: int = 1, /, **values: Value) -> None:
        """Keep the sentence and its values."""
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "plural", plural)
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "values", tuple(sorted(values.items())))


@dataclass(frozen=True, slots=True)
class Money(_Printable):
    """An amount of money; how it is written depends on the language.

    Attributes:
        minor: in the smallest unit of the currency, such as cents.
        currency: its code (ISO 4217), such as ``"EUR"``.
        digits: decimals of the currency.
        signed: a plus stands before what was won.
    """

    minor: int
    currency: str
    digits: int = 2
    signed: bool = False

    @property
    def plain(self) -> str:
        """The amount as data: ``"-1.25"``.

        >>> Money(-125, "EUR").plain, Money(5, "JPY", 0).plain
        ('-1.25', '5')
        """
        whole, part = divmod(abs(self.minor), 10**self.digits)
        decimals = f".{part:0{self.digits}}" if self.digits else ""
        return f"{'-' if self.minor < 0 else ''}{whole}{decimals}"


Value = str | int | Message | Listing | Joined | Styled | EnglishOr | Distinct | Money
"""What may stand in a placeholder."""


def N_(sentence: str) -> str:
    """Mark *sentence* for the catalogues and return it as it is: an id of a :class:`Message`."""
    return sentence


# Translators: the name of a player who has given none; {n} is the seat.
STRANGER = N_("Player {n}")

_STRANGERS = re.compile(r"\bPlayer (\d{1,2})\b")


def stranger(number: int) -> str:
    """Return the name of somebody who has given none; it is shown in the language of the table.

    >>> stranger(3), render(Message("{name} wins", name=stranger(3)), lambda id, *_: {
    ...     STRANGER: "Joueur {n}", "{name} wins": "{name} gagne"}[id])
    ('Player 3', 'Joueur 3 gagne')
    """
    return STRANGER.format(n=number)


def plural(one: str, many: str) -> tuple[str, str]:
    """Mark a sentence that counts something for the catalogues, and return its two forms."""
    return one, many


def sentences(*parts: Value) -> Value:
    """Return those of *parts* that are not empty, one after the other.

    >>> str(sentences("", Message("The game waits."), Message("Please wait.")))
    'The game waits. Please wait.'
    """
    said = tuple(part for part in parts if part != "")
    return said[0] if len(said) == 1 else Joined(said) if said else ""


def as_title(sentence: Value) -> Value:
    """Return *sentence* without its full stop."""
    return Styled(sentence, Style.TITLE)


def as_sentence(title: Value) -> Value:
    """Return *title* with a full stop, unless another mark ends it.

    >>> str(as_sentence(Message("{name} wins", name="Bess")))
    'Bess wins.'
    """
    if isinstance(title, Styled) and title.style is Style.TITLE:
        return title.value
    return Styled(title, Style.SENTENCE)


def or_list(values: tuple[Value, ...]) -> Value:
    """Join choices as people do.

    >>> str(or_list(("the ace of hearts", "the ace of diamonds")))
    'the ace of hearts or the ace of diamonds'
    """
    if len(values) < 2:
        return Joined(values)
    return Message("{choices} or {last}", choices=Joined(values[:-1], ", "), last=values[-1])


def english(id: str, plural: str, count: int) -> str:
    """Return the text of a message in English, which is the id itself."""
    return plural if plural and count != 1 else id


def plain_money(money: Money) -> str:
    """Return an amount with its currency, for logs."""
    return f"{money.currency} {'+' if money.signed and money.minor > 0 else ''}{money.plain}"


def render(
    value: Value, look_up: LookUp = english, write: Callable[[Money], str] = plain_money
) -> str:
    """Return *value* as text in the language of *look_up*, in English without one, for logs.

    Names and numbers are returned as they are, but for those of :func:`stranger`; *write* writes
    amounts of money.

    >>> render(Message("{who} win", who=Listing(("Ann", "Bess", "Tom"))))
    'Ann, Bess and Tom win'
    """
    match value:
        case Message():
            text = look_up(value.id, value.plural, value.count)
            values = {name: render(each, look_up, write) for name, each in value.values}
            return text.format(**values) if values else text
        case Listing() if len(value.items) > 1:
            names = Joined(value.items[:-1], ", ")
            last = value.items[-1]
            return render(Message("{names} and {last}", names=names, last=last), look_up, write)
        case Listing():
            return "".join(render(item, look_up, write) for item in value.items)
        case Joined():
            return value.separator.join(render(item, look_up, write) for item in value.items)
        case Styled():
            return _WRITTEN[value.style](render(value.value, look_up, write))
        case EnglishOr():
            return value.english if look_up is english else render(value.other, look_up, write)
        case Distinct():
            title = render(value.title, look_up, write)
            alike = any(render(other, look_up, write) == title for other in value.others)
            return f"{title} ({value.mark})" if alike else title
        case Money():
            return write(value)
        case str() if "Player " in value and look_up is not english:
            words = look_up(STRANGER, "", 1)
            return _STRANGERS.sub(lambda found: words.format(n=found[1]), value)
        case _:
            return str(value)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


_WRITTEN: dict[Style, Callable[[str], str]] = {
    Style.LOWER: str.lower,
    Style.CAPITAL: _capital,
    Style.TITLE: lambda text: text.rstrip("."),
    Style.SENTENCE: lambda text: _capital(text if text[-1:] in (".", "!", "?") else f"{text}."),
}

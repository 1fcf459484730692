"""Events as records of the event language, ready for JSON; read from the dataclasses themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import Any, get_args, get_type_hints

from engine.core.cards import Card, CardCodeError, code_of, parse_or_unread
from engine.core.errors import EventFormatError
from engine.core.events import CorrectBone, DealTo, Event, Facing, SwapHand
from engine.core.text.suggest import did_you_mean
from engine.core.tokens import Tokens, read_tokens, whole_number


def event_to_dict(event: Event) -> dict[str, object]:
    """Return the event in the event language, ready for JSON."""
    record: dict[str, object] = {"e": event.kind}
    for part in _PARTS[type(event)]:
        value = getattr(event, part.name)
        if part.always or value != part.default:
            record[part.key] = part.write(value)
    return record


def event_from_dict(record: Mapping[str, object]) -> Event:
    """Read an event of the event language.

    Raises:
        EventFormatError: a key is missing, unknown or of the wrong kind.
    """
    kind = record.get("e")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise EventFormatError(f"e: unknown event {kind!r}; {did_you_mean(kind, list(_KINDS))}")
    make = _KINDS[kind]
    for other, mark in _MARKS.items():
        if other.kind == kind and mark in record:
            make = other
    parts = {part.key: part for part in _PARTS[make]}
    for key in record:
        if key != "e" and key not in parts:
            raise EventFormatError(f"{kind}.{key}: unknown key; {did_you_mean(key, ['e', *parts])}")
    values: dict[str, Any] = {}
    for key, part in parts.items():
        if key in record:
            values[part.name] = part.read(f"{kind}.{key}", record[key])
        elif part.default is MISSING:
            raise EventFormatError(f"{kind}.{key}: missing; add the key {key!r} to {record!r}")
    event: Event = make(**values)
    return event


# --- how each kind of field is written ----------------------------------------------------------


def _same(value: Any) -> object:
    return value


def _whole_or_none(key: str, value: object) -> int | None:
    return None if value is None else whole_number(key, value)


def _wholes(key: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise EventFormatError(f"{key}: {value!r} is not a list of numbers; write [1, 3]")
    return tuple(whole_number(f"{key}[{place}]", one) for place, one in enumerate(value))


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise EventFormatError(f"{key}: {value!r} is not a text; write it in quotes")
    return value


def _card(key: str, value: object) -> Card | None:
    try:
        return parse_or_unread(_text(key, value))
    except CardCodeError as problem:
        raise EventFormatError(f"{key}: {problem}") from problem


def _cards(key: str, value: object) -> tuple[Card | None, ...]:
    if not isinstance(value, list | tuple):
        raise EventFormatError(f"{key}: {value!r} is not a list of cards; write ['TH', '2C']")
    return tuple(_card(f"{key}[{place}]", one) for place, one in enumerate(value))


def _write_cards(cards: tuple[Card | None, ...]) -> list[str]:
    return [code_of(card) for card in cards]


def _write_tokens(tokens: Tokens) -> dict[str, int]:
    return {str(seat): amount for seat, amount in tokens}


def _word(kind: type[StrEnum]) -> Callable[[str, object], StrEnum]:
    def read(key: str, value: object) -> StrEnum:
        try:
            return kind(str(value))
        except ValueError as problem:
            allowed = [str(one) for one in kind]
            raise EventFormatError(
                f"{key}: {value!r} is not allowed; choose one of {allowed}"
            ) from problem

    return read


Reader = Callable[[str, object], object]
Writer = Callable[[Any], object]

_FORMS: dict[object, tuple[str, Reader, Writer]] = {
    int: ("whole", whole_number, _same),
    int | None: ("whole", _whole_or_none, _same),
    str: ("text", _text, _same),
    Card | None: ("card", _card, code_of),
    tuple[int, ...]: ("wholes", _wholes, list),
    tuple[Card | None, ...]: ("cards", _cards, _write_cards),
    Tokens: ("tokens", read_tokens, _write_tokens),
}


@dataclass(frozen=True, slots=True)
class EventKey:
    """What there is to say of one key of an event: for the schema of records.

    Attributes:
        form: ``whole``, ``wholes``, ``text``, ``card``, ``cards``, ``tokens`` or ``word``.
        words: all that a ``word`` may be.
    """

    name: str
    form: str
    required: bool
    words: tuple[str, ...] = ()


def event_keys() -> Iterator[tuple[str, tuple[EventKey, ...]]]:
    """Yield the word of each event with its keys; some events share their word."""
    for make, parts in _PARTS.items():
        yield make.kind, tuple(part.about for part in parts)


@dataclass(frozen=True, slots=True)
class _Part:
    """One field of an event: its key, how it is read and written, and its default."""

    name: str
    about: EventKey
    read: Reader
    write: Writer
    default: Any
    always: bool

    @property
    def key(self) -> str:
        """Return the key in the record."""
        return self.about.name


def _part(each: Any, hint: Any) -> _Part:
    words = [one for one in (hint, *get_args(hint)) if isinstance(one, type)]
    word = next((one for one in words if issubclass(one, StrEnum)), None)
    form, read, write = _FORMS[hint] if word is None else ("word", _word(word), str)
    allowed = () if word is None else tuple(str(one) for one in word)
    key = each.metadata.get("key", each.name)
    about = EventKey(key, form, each.default is MISSING, allowed)
    # How a card lies is part of what happened, so it is written even where it is the usual way.
    return _Part(each.name, about, read, write, each.default, hint is Facing)


_EVENTS: tuple[type[Any], ...] = get_args(Event)
_MARKS: dict[type[Any], str] = {DealTo: "to", CorrectBone: "roll", SwapHand: "hand"}
"""Events that share their word with another one, and the key that tells them apart."""
_KINDS: dict[str, type[Any]] = {one.kind: one for one in _EVENTS if one not in _MARKS}
_PARTS: dict[type[Any], tuple[_Part, ...]] = {
    one: tuple(_part(each, get_type_hints(one)[each.name]) for each in fields(one))
    for one in _EVENTS
}

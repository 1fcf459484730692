"""Events as records of the event language, ready for JSON; read from the dataclasses themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import Any, get_args, get_type_hints

from engine.core.cards import Card, CardCodeError, code_of, parse_or_unread
from engine.core.errors import EventFormatError
from engine.core.events import EVENTS, CorrectBone, DealTo, Event, Facing, SwapHand
from engine.core.text.suggest import did_you_mean
from engine.core.tokens import Tokens, read_tokens, whole_number


def event_to_dict(event: Event) -> dict[str, object]:
    """Return the event in the event language, ready for JSON."""
    record: dict[str, object] = {"e": event.kind}
    for key in _KEYS[type(event)]:
        value = getattr(event, key.field)
        if key.always or value != key.default:
            record[key.name] = key.write(value)
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
    known = {key.name: key for key in _KEYS[make]}
    for name in record:
        if name != "e" and name not in known:
            near = did_you_mean(name, ["e", *known])
            raise EventFormatError(f"{kind}.{name}: unknown key; {near}")
    values: dict[str, Any] = {}
    for name, key in known.items():
        if name in record:
            values[key.field] = key.read(f"{kind}.{name}", record[name])
        elif key.required:
            raise EventFormatError(f"{kind}.{name}: missing; add the key {name!r} to {record!r}")
    return make(**values)


# --- how each kind of field is written ----------------------------------------------------------


Reader = Callable[[str, object], object]
Writer = Callable[[Any], object]


def _list_of(read: Reader, what: str) -> Reader:
    def read_list(key: str, value: object) -> tuple[object, ...]:
        if not isinstance(value, list | tuple):
            raise EventFormatError(f"{key}: {value!r} is not a list of {what}")
        return tuple(read(f"{key}[{place}]", one) for place, one in enumerate(value))

    return read_list


def _same(value: Any) -> object:
    return value


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise EventFormatError(f"{key}: {value!r} is not a text; write it in quotes")
    return value


def _card(key: str, value: object) -> Card | None:
    try:
        return parse_or_unread(_text(key, value))
    except CardCodeError as problem:
        raise EventFormatError(f"{key}: {problem}") from problem


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


_FORMS: dict[object, tuple[str, Reader, Writer]] = {
    int: ("whole", whole_number, _same),
    int | None: ("whole", lambda key, n: None if n is None else whole_number(key, n), _same),
    str: ("text", _text, _same),
    Card | None: ("card", _card, code_of),
    tuple[int, ...]: ("wholes", _list_of(whole_number, "numbers; write [1, 3]"), list),
    tuple[Card | None, ...]: (
        "cards",
        _list_of(_card, "cards; write ['TH', '2C']"),
        lambda cards: [code_of(card) for card in cards],
    ),
    Tokens: ("tokens", read_tokens, lambda tokens: {str(seat): n for seat, n in tokens}),
}


@dataclass(frozen=True, slots=True)
class EventKey:
    """One key of an event: its field, how it is read and written, and its default.

    Attributes:
        form: ``whole``, ``wholes``, ``text``, ``card``, ``cards``, ``tokens`` or ``word``.
        words: all that a ``word`` may be.
        always: written even where it is the default.
    """

    name: str
    field: str
    form: str
    read: Reader
    write: Writer
    default: Any
    words: tuple[str, ...] = ()
    always: bool = False

    @property
    def required(self) -> bool:
        """Return whether an event has to have it."""
        return self.default is MISSING


def event_keys() -> Iterator[tuple[str, tuple[EventKey, ...]]]:
    """Yield the word of each event with its keys; some events share their word."""
    for make, keys in _KEYS.items():
        yield make.kind, keys


def _key_of(each: Any, hint: Any) -> EventKey:
    name = each.metadata.get("key", each.name)
    kinds = [one for one in (hint, *get_args(hint)) if isinstance(one, type)]
    word = next((one for one in kinds if issubclass(one, StrEnum)), None)
    if word is None:
        return EventKey(name, each.name, *_FORMS[hint], each.default)
    # How a card lies is part of what happened, so it is written even where it is the usual way.
    words, always = tuple(str(one) for one in word), hint is Facing
    return EventKey(name, each.name, "word", _word(word), str, each.default, words, always)


_MARKS: dict[type[Any], str] = {DealTo: "to", CorrectBone: "roll", SwapHand: "hand"}
"""Events that share their word with another one, and the key that tells them apart."""
_KINDS: dict[str, type[Event]] = {one.kind: one for one in EVENTS if one not in _MARKS}
_KEYS: dict[type[Any], tuple[EventKey, ...]] = {
    one: tuple(_key_of(each, get_type_hints(one)[each.name]) for each in fields(one))
    for one in EVENTS
}

"""What can happen at the table: the only thing the engine takes and the journal keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from engine.cards import Card, CardCodeError, code_of, parse_or_unread
from engine.errors import BoneAceError
from engine.suggest import did_you_mean


class EventFormatError(BoneAceError, ValueError):
    """A record that is no event; the message names the key and the cure."""


class Facing(StrEnum):
    """How a card is laid down."""

    UP = "up"
    DOWN = "down"


class PackEnd(StrEnum):
    """Which end of the pack a card comes from (rule OT-7)."""

    TOP = "top"
    BOTTOM = "bottom"


class Claim(StrEnum):
    """What a player says of his own hand (rule OT-17)."""

    OUT = "out"
    THIRTY_ONE = "31"


@dataclass(frozen=True, slots=True)
class Cut:
    """A player cuts a card for the deal (rule G-2)."""

    kind: ClassVar[str] = "cut"
    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Deal:
    """A card comes to a player; ``card=None`` has not been read, ``end=None`` not been watched."""

    kind: ClassVar[str] = "deal"
    seat: int
    card: Card | None
    face: Facing = Facing.DOWN
    end: PackEnd | None = None


@dataclass(frozen=True, slots=True)
class Have:
    """A player says "have it" (rule OT-6)."""

    kind: ClassVar[str] = "have"
    seat: int


@dataclass(frozen=True, slots=True)
class Stick:
    """A player says "stick" (rule OT-6)."""

    kind: ClassVar[str] = "stick"
    seat: int


@dataclass(frozen=True, slots=True)
class Declare:
    """A player claims to be out or to have 31; *cards* in the order dealt (rule OT-17)."""

    kind: ClassVar[str] = "declare"
    seat: int
    what: Claim
    cards: tuple[Card | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """A player lays his whole hand open, in the order dealt (rule OT-18)."""

    kind: ClassVar[str] = "reveal"
    seat: int
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Misdeal:
    """The hand is void (rule G-13)."""

    kind: ClassVar[str] = "misdeal"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undo:
    """The last accepted event of this hand did not happen (rule G-14)."""

    kind: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Correct:
    """The card read as *was* is really *card* (rule G-10)."""

    kind: ClassVar[str] = "correct"
    was: Card | None
    card: Card | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class NextHand:
    """The next hand begins."""

    kind: ClassVar[str] = "next_hand"


@dataclass(frozen=True, slots=True)
class Join:
    """A player sits down between hands (rule G-15)."""

    kind: ClassVar[str] = "join"
    seat: int
    name: str = ""
    age: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A player goes (rules G-16, G-17)."""

    kind: ClassVar[str] = "leave"
    seat: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """An event of the language that belongs to a game not played here; always refused.

    *fields* keep what was written, as sorted ``(key, value)`` pairs, so that it reads back.
    """

    kind: str
    seat: int | None = None
    fields: tuple[tuple[str, object], ...] = ()


Event = (
    Cut
    | Deal
    | Have
    | Stick
    | Declare
    | Reveal
    | Misdeal
    | Undo
    | Correct
    | NextHand
    | Join
    | Leave
    | Foreign
)

_FOREIGN = (
    *("stake", "roll", "choose", "turn_up", "choose_hand", "draw", "discard", "knock", "stand"),
    *("widow", "exchange", "swap", "renew", "restart", "accept"),
)
"""Words of the language for games that are not in the registry yet."""


def event_to_dict(event: Event) -> dict[str, object]:
    """Return the event in the event language, ready for JSON."""
    if isinstance(event, Foreign):
        return {"e": event.kind, **dict(event.fields)}
    record: dict[str, object] = {"e": event.kind}
    for key, part in _FORMATS[event.kind].parts.items():
        value = getattr(event, part.name)
        if part.omit_default and value == part.default:
            continue
        record[key] = part.write(value)
    return record


def event_from_dict(record: Mapping[str, object]) -> Event:
    """Read an event of the event language.

    Raises:
        EventFormatError: a key is missing, unknown or of the wrong kind.
    """
    kind = record.get("e")
    if not isinstance(kind, str) or (kind not in _FORMATS and kind not in _FOREIGN):
        words = [*_FORMATS, *_FOREIGN]
        raise EventFormatError(f"e: unknown event {kind!r}; {did_you_mean(kind, words)}")
    if kind in _FOREIGN or "to" in record or (kind == "correct" and "roll" in record):
        return _foreign(kind, record)
    form = _FORMATS[kind]
    for key in record:
        if key != "e" and key not in form.parts:
            raise EventFormatError(
                f"{kind}.{key}: unknown key; {did_you_mean(key, ['e', *form.parts])}"
            )
    values: dict[str, Any] = {}
    for key, part in form.parts.items():
        if key in record:
            values[part.name] = part.read(f"{kind}.{key}", record[key])
        elif part.default is _REQUIRED:
            raise EventFormatError(f"{kind}.{key}: missing; add the key {key!r} to {record!r}")
    event: Event = form.make(**values)
    return event


def _foreign(kind: str, record: Mapping[str, object]) -> Foreign:
    seat = record.get("seat")
    rest = tuple(sorted((key, value) for key, value in record.items() if key != "e"))
    return Foreign(kind, seat if type(seat) is int else None, rest)


# --- how each field is written ------------------------------------------------------------------

_REQUIRED: Any = object()


@dataclass(frozen=True, slots=True)
class _Part:
    """One field: its name in the dataclass, how it is read and written, and its default."""

    name: str
    read: Callable[[str, object], object]
    write: Callable[[Any], object]
    default: Any = _REQUIRED
    omit_default: bool = False


@dataclass(frozen=True, slots=True)
class _Format:
    make: Callable[..., Any]
    parts: dict[str, _Part]


def _same(value: Any) -> object:
    return value


def _whole(key: str, value: object) -> int:
    if type(value) is not int or value < 0:
        raise EventFormatError(f"{key}: {value!r} is not a whole number from 0; write 0, 1, 2…")
    return value


def _whole_or_none(key: str, value: object) -> int | None:
    return None if value is None else _whole(key, value)


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


_SEAT = {"seat": _Part("seat", _whole, _same)}
_CARD = {"card": _Part("card", _card, code_of)}
_FORMATS: dict[str, _Format] = {
    "cut": _Format(Cut, {**_SEAT, **_CARD}),
    "deal": _Format(
        Deal,
        {
            **_SEAT,
            **_CARD,
            "face": _Part("face", _word(Facing), str, Facing.DOWN),
            "from": _Part("end", _word(PackEnd), str, None, omit_default=True),
        },
    ),
    "have": _Format(Have, _SEAT),
    "stick": _Format(Stick, _SEAT),
    "declare": _Format(
        Declare,
        {
            **_SEAT,
            "what": _Part("what", _word(Claim), str),
            "cards": _Part("cards", _cards, _write_cards, (), omit_default=True),
        },
    ),
    "reveal": _Format(Reveal, {**_SEAT, "cards": _Part("cards", _cards, _write_cards)}),
    "misdeal": _Format(Misdeal, {"reason": _Part("reason", _text, _same, "", omit_default=True)}),
    "undo": _Format(Undo, {}),
    "correct": _Format(
        Correct,
        {
            "was": _Part("was", _card, code_of),
            **_CARD,
            "seat": _Part("seat", _whole_or_none, _same, None, omit_default=True),
        },
    ),
    "next_hand": _Format(NextHand, {}),
    "join": _Format(
        Join,
        {
            **_SEAT,
            "name": _Part("name", _text, _same, "", omit_default=True),
            "age": _Part("age", _whole_or_none, _same, None, omit_default=True),
        },
    ),
    "leave": _Format(Leave, _SEAT),
}

"""Readings and presses as the lines of a readings log, and back.

The format is public: docs/reference/readings.md. A line is a JSON object; unknown keys are ignored.
Some keys of a ``lies`` line are our own: ``"hands":true`` where hands are told apart although none
was over the mat, ``"ordered":false`` where the order of laying is not known, and ``"seats"``, how
many the mat has. ``event`` and ``since`` stand only in the journal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.ports import MOST_SEATS, Button, Press
from engine import Event, event_from_dict, event_to_dict
from engine.core.bones import Face
from engine.core.cards import UNREAD, Card
from engine.core.errors import BoneAceError
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
    Zone,
    ZoneKind,
)

BACK, JOKER = "back", "joker"

HIDDEN_MM = 12.0
"""A card whose middle lies under a later one by no more than this, both ways, is not seen."""

NOWHERE = ((0.0, 0.0),) * 4
"""The corners of a card of a log: there is no picture."""


class ReadingsError(BoneAceError, ValueError):
    """A line that is none of a readings log; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what happened at the table at one moment.

    Attributes:
        time_s: the table's own time.
        hand: a hand came over the mat: its seat, or ``None`` for nobody knows whose.
        is_hand: the line tells of a hand.
        over: the places that it covers.
        reading: what lies on the mat, or that no mat is seen.
        press: a button.
        looks: people look at the screen and answer.
        event: what people entered: a correction, a player who leaves.
        since: what follows explains the hand from this event on, from 0.
    """

    time_s: float
    is_hand: bool = False
    hand: int | None = None
    over: frozenset[str] = frozenset()
    reading: Reading | None = None
    press: Press | None = None
    looks: bool = False
    event: Event | None = None
    since: int | None = None


# --- out ----------------------------------------------------------------------------------------


def reading_lines(reading: Reading) -> list[str]:
    """Return the lines of a reading: the hands before it, then what lies there."""
    t = round(reading.time_s, 3)
    if reading.seats is None:
        return [_text({"t": t, "mat": False})]
    over = {"over": sorted(reading.over)} if reading.over else {}
    lines = [_text({"t": t, "hand": hand, **over}) for hand in reading.hands or ()]
    cards = [
        *(_card(str(each.card), each.place) for each in reading.cards),
        *(_card(BACK, each.place) for each in reading.backs),
        *(_card(JOKER, each.place) for each in reading.jokers),
        *(
            _card(UNREAD, each.place, [str(card) for card in each.candidates])
            for each in reading.unsure
        ),
    ]
    bones = [
        *(_bone(each.value, each.spot) for each in reading.bones),
        *(
            _bone(None, each.spot, [face.points for face in each.candidates])
            for each in reading.unsure_bones
        ),
    ]
    lying = sorted((card for card in cards if card), key=lambda card: card[0])
    record: dict[str, Any] = {"t": t, "seats": reading.seats}
    if reading.hands is not None:
        record["hands"] = True
    if any(layer < 0 for (layer, _, _), _ in lying):
        record["ordered"] = False
        lying.sort(key=lambda card: card[0][1:])
    record["lies"] = [*(card for _, card in lying), *filter(None, bones)]
    return [*lines, _text(record)]


def press_line(press: Press) -> str:
    """Return the line of a press."""
    record: dict[str, Any] = {"t": round(press.time_s, 3), "press": str(press.button)}
    if press.seat is not None:
        record["seat"] = press.seat
    if press.choice is not None:
        record["choice"] = press.choice
    if press.is_word:
        record["word"] = True
    if press.moving:
        record["moving"] = True
    return _text(record)


def event_line(event: Event, time_s: float) -> str:
    """Return the line of what people entered by the menu."""
    return _text({"t": round(time_s, 3), "event": event_to_dict(event)})


def since_line(number: int, time_s: float) -> str:
    """Return the line that says from which event of the hand on the next lines explain it."""
    return _text({"t": round(time_s, 3), "since": number})


def _text(record: Mapping[str, Any]) -> str:
    return json.dumps(record, separators=(",", ":"))


def _card(
    code: str, place: Place, maybe: Sequence[str] = ()
) -> tuple[tuple[int, float, float], dict[str, Any]] | None:
    """Return a card with what it is sorted by; ``None`` for one that has no place on the mat."""
    if place.centre_mm is None:
        return None
    x, y = place.centre_mm
    record: dict[str, Any] = {"card": code, "at": _at(place.zone)}
    record |= {"x": round(x, 2), "y": round(y, 2)}
    if place.turn_deg is not None:
        record["deg"] = round(place.turn_deg, 1)
    if maybe:
        record["maybe"] = list(maybe)
    return (-1 if place.layer is None else place.layer, x, y), record


def _bone(points: int | None, spot: Spot, maybe: Sequence[int] = ()) -> dict[str, Any]:
    if spot.centre_mm is None:
        return {}
    x, y = spot.centre_mm
    record: dict[str, Any] = {"bone": points, "x": round(x, 2), "y": round(y, 2)}
    if maybe:
        record["maybe"] = list(maybe)
    if spot.off_mat:
        record["off"] = True
    return record


def _at(zone: Zone | None) -> str | None:
    if zone is None:
        return None
    return f"seat {zone.seat}" if zone.kind is ZoneKind.SEAT else str(zone.kind)


# --- in -----------------------------------------------------------------------------------------


def read_line(text: str, seats: int = MOST_SEATS, *, of_journal: bool = False) -> Line:
    """Read one line.

    Args:
        text: a JSON object.
        seats: how many seats the mat has, where the line does not say.
        of_journal: the journal wrote it, with what people entered.

    Raises:
        ReadingsError: it is none, or something in it cannot be.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ReadingsError(f"is not JSON ({problem})") from problem
    if not isinstance(record, dict):
        raise ReadingsError('is no JSON object; write {"t":1.5,"lies":[]}')
    try:
        return _line(record, seats, of_journal)
    except ReadingsError:
        raise
    except KeyError as problem:
        raise ReadingsError(f"has no {problem}") from problem
    except (ValueError, TypeError, OverflowError, BoneAceError) as problem:
        raise ReadingsError(str(problem)) from problem


def with_hands(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield all but the lines of hands; each reading gets the hands before it.

    A press that comes after them, and before the reading, came while things moved. Hands are told
    apart from the first line on that tells of one.
    """
    hands: list[int | None] = []
    over: frozenset[str] = frozenset()
    told_apart = False
    for line in lines:
        reading = line.reading
        if line.is_hand:
            hands.append(line.hand)
            over |= line.over
            told_apart = True
        elif line.press is not None and hands:
            yield replace(line, press=replace(line.press, moving=True))
        elif reading is None or reading.seats is None:
            yield line
        else:
            told_apart = told_apart or reading.hands is not None
            seen = (*hands, *(reading.hands or ())) if told_apart else None
            yield replace(line, reading=replace(reading, hands=seen, over=over | reading.over))
            hands, over = [], frozenset()


def _line(record: dict[str, Any], seats: int, of_journal: bool) -> Line:
    t = _number(record["t"], "t")
    if not 0 <= t < 1e9:
        raise ReadingsError(f"t: {t} is no time; write seconds, from 0")
    if "lies" in record:
        return Line(t, reading=_reading(t, record, seats))
    if "mat" in record:
        # A mat that is seen shows with what lies on it.
        return Line(t) if record["mat"] else Line(t, reading=Reading(t))
    if "press" in record:
        return Line(t, press=_press(t, record))
    if "hand" in record:
        over = _list(record.get("over", []), "over")
        covered = frozenset(place for place in over if _zone(place) is not None)
        return Line(t, is_hand=True, hand=_seat(record["hand"], "hand"), over=covered)
    if "look" in record:
        return Line(t, looks=True)
    if not of_journal:
        return Line(t)
    event = record.get("event")
    return Line(
        t,
        event=None if event is None else event_from_dict(event),
        since=_whole(record.get("since"), "since"),
    )


def _press(t: float, record: Mapping[str, Any]) -> Press:
    if record["press"] not in list(Button):
        known = ", ".join(Button)
        raise ReadingsError(f"unknown button {record['press']!r}; the buttons are {known}")
    choice = _whole(record.get("choice"), "choice")
    return Press(
        Button(record["press"]),
        t,
        _seat(record.get("seat"), "seat"),
        choice,
        record.get("word") is True,
        record.get("moving") is True,
    )


def _reading(t: float, record: Mapping[str, Any], seats: int) -> Reading:
    cards: list[CardReading] = []
    backs: list[BackReading] = []
    jokers: list[JokerReading] = []
    unsure: list[UnsureReading] = []
    bones: list[BoneReading] = []
    unsure_bones: list[UnsureBoneReading] = []
    ordered = record.get("ordered") is not False
    things = _list(record["lies"], "lies")
    places = [_place(thing) for thing in things]
    hidden = _hidden(things, places) if ordered else set()
    for layer, (thing, at) in enumerate(zip(things, places, strict=True)):
        maybe = _list(thing.get("maybe", []), "maybe")
        if "bone" in thing:
            spot = Spot((), at, at, None, bool(thing.get("off", False)))
            if thing["bone"] is None:
                faces = tuple(Face.from_points(points) for points in maybe)
                unsure_bones.append(UnsureBoneReading(faces, 0.5, spot))
            else:
                points = _whole(thing["bone"], "bone") or 0
                bones.append(BoneReading(Face.from_points(points), 1.0, spot))
            continue
        candidates = tuple(Card.parse(str(code)) for code in maybe)
        card = None if thing["card"] in (BACK, JOKER, UNREAD) else Card.parse(str(thing["card"]))
        turn = None if thing.get("deg") is None else _number(thing["deg"], "deg") % 180.0
        zone = _zone(thing.get("at"))
        if layer in hidden:
            continue
        place = Place(NOWHERE, at, zone, turn, layer if ordered else None)
        if card is not None:
            cards.append(CardReading(card, 1.0, place))
        elif thing["card"] == BACK:
            backs.append(BackReading(1.0, place))
        elif thing["card"] == JOKER:
            jokers.append(JokerReading(1.0, place))
        else:
            unsure.append(UnsureReading(candidates, 0.5, place))
    return Reading(
        t,
        tuple(cards),
        tuple(backs),
        tuple(unsure),
        _seats(record.get("seats")) or seats,
        tuple(bones),
        tuple(unsure_bones),
        () if record.get("hands") is True else None,
        jokers=tuple(jokers),
    )


def _place(thing: Any) -> tuple[float, float]:
    if not isinstance(thing, dict) or ("card" in thing) == ("bone" in thing):
        raise ReadingsError(f"lies: {thing!r} is neither a card nor a bone")
    return _number(thing["x"], "x"), _number(thing["y"], "y")


def _hidden(things: Sequence[Any], places: Sequence[tuple[float, float]]) -> set[int]:
    """Return the numbers of the cards that lie under later ones."""
    later: list[tuple[float, float]] = []
    hidden = set()
    for layer in reversed(range(len(things))):
        if "card" in things[layer]:
            if _is_hidden(places[layer], later):
                hidden.add(layer)
            later.append(places[layer])
    return hidden


def _is_hidden(at: tuple[float, float], later: Iterable[tuple[float, float]]) -> bool:
    return any(abs(x - at[0]) <= HIDDEN_MM and abs(y - at[1]) <= HIDDEN_MM for x, y in later)


def _zone(at: Any) -> Zone | None:
    if at is None:
        return None
    kind, _, seat = str(at).partition(" ")
    fits = kind in list(ZoneKind) and (kind == ZoneKind.SEAT) == seat.isdecimal()
    if not isinstance(at, str) or not fits or (seat and kind != ZoneKind.SEAT):
        raise ReadingsError(
            f'unknown place {at!r}; the places are "seat 0", "seat 1"..., "stock", "discard", '
            '"dealer", and null between them'
        )
    return Zone(ZoneKind(kind), _seat(int(seat), "at") if seat else None)


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ReadingsError(f"{name}: {value!r} is not a number")
    return float(value)


def _whole(value: Any, name: str) -> int | None:
    """Return a seat or another whole number from 0, or ``None``."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1000:
        raise ReadingsError(f"{name}: {value!r} is not a whole number from 0 to 999")
    return value


def _seat(value: Any, name: str) -> int | None:
    seat = _whole(value, name)
    if seat is not None and seat >= MOST_SEATS:
        raise ReadingsError(f"{name}: a mat has no seat {seat}; write 0 to {MOST_SEATS - 1}")
    return seat


def _seats(value: Any) -> int | None:
    """Return how many seats the mat has; in a log of others the key may mean anything."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 1 <= value <= MOST_SEATS else None


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise ReadingsError(f"{name}: {value!r} is not a list")
    return value

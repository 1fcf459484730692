"""Readings and presses as the lines of a readings log, and back.

The format is public: docs/reference/readings.md. A line is a JSON object; unknown keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.ports import Button, Press
from engine import Event, event_from_dict, event_to_dict
from engine.core.bones import Face
from engine.core.cards import UNREAD, Card
from engine.core.errors import BoneAceError
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
    Zone,
    ZoneKind,
)

BACK = "back"

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
    lines = []
    over = {"over": sorted(reading.over)} if reading.over else {}
    for hand in reading.hands or ():
        lines.append(_text({"t": t, "hand": hand, **over}))
    if reading.seats is None:
        lines.append(_text({"t": t, "mat": False}))
        return lines
    things = [
        *(_card(str(each.card), each.place) for each in reading.cards),
        *(_card(BACK, each.place) for each in reading.backs),
        *(
            _card(UNREAD, each.place, [str(card) for card in each.candidates])
            for each in reading.unsure
        ),
    ]
    things = [thing for thing in things if thing[1]]
    things.sort(key=lambda thing: thing[0])
    bones = [
        *(_bone(each.value, each.spot) for each in reading.bones),
        *(
            _bone(None, each.spot, [face.points for face in each.candidates])
            for each in reading.unsure_bones
        ),
    ]
    lies = [*(thing[1] for thing in things), *(bone for bone in bones if bone)]
    lines.append(_text({"t": t, "seats": reading.seats, "lies": lies}))
    return lines


def press_line(press: Press) -> str:
    """Return the line of a press."""
    record: dict[str, Any] = {"t": round(press.time_s, 3), "press": str(press.button)}
    if press.seat is not None:
        record["seat"] = press.seat
    if press.choice is not None:
        record["choice"] = press.choice
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
) -> tuple[tuple[float, float, float], dict[str, Any]]:
    if place.centre_mm is None:
        return (0.0, 0.0, 0.0), {}
    x, y = place.centre_mm
    record: dict[str, Any] = {"card": code, "at": _at(place.zone)}
    record |= {"x": round(x, 2), "y": round(y, 2)}
    if place.turn_deg is not None:
        record["deg"] = round(place.turn_deg, 1)
    if maybe:
        record["maybe"] = list(maybe)
    return (place.layer or 0, x, y), record


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


def read_line(text: str, seats: int = 8) -> Line:
    """Read one line.

    Args:
        text: a JSON object.
        seats: how many seats the mat has, where the line does not say.

    Raises:
        ReadingsError: it is none, or something in it cannot be.
    """
    try:
        record = json.loads(text)
        if not isinstance(record, dict):
            raise ReadingsError("not a JSON object")
        return _line(record, seats)
    except (ValueError, TypeError, KeyError, BoneAceError, RecursionError) as problem:
        raise ReadingsError(f"{type(problem).__name__}: {problem}") from problem


def _line(record: dict[str, Any], seats: int) -> Line:
    t = float(record["t"])
    if not 0 <= t < 1e9:
        raise ReadingsError(f"t: {t} is no time; write seconds, from 0")
    if "lies" in record:
        return Line(t, reading=_reading(t, record["lies"], int(record.get("seats", seats))))
    if "mat" in record:
        return Line(t, reading=Reading(t))
    if "press" in record:
        seat, choice = record.get("seat"), record.get("choice")
        pressed = Press(
            Button(record["press"]),
            t,
            None if seat is None else int(seat),
            None if choice is None else int(choice),
        )
        return Line(t, press=pressed)
    if "hand" in record:
        hand = record["hand"]
        over = frozenset(str(place) for place in record.get("over", ()))
        return Line(t, is_hand=True, hand=None if hand is None else int(hand), over=over)
    if "look" in record:
        return Line(t, looks=True)
    if "event" in record:
        return Line(t, event=event_from_dict(record["event"]))
    if "since" in record:
        return Line(t, since=int(record["since"]))
    return Line(t)


def _reading(t: float, lies: Iterable[dict[str, Any]], seats: int) -> Reading:
    cards: list[CardReading] = []
    backs: list[BackReading] = []
    unsure: list[UnsureReading] = []
    bones: list[BoneReading] = []
    unsure_bones: list[UnsureBoneReading] = []
    things = list(lies)
    for layer, thing in enumerate(things):
        at = (float(thing["x"]), float(thing["y"]))
        maybe = thing.get("maybe", ())
        if "bone" in thing:
            spot = Spot((), at, at, None, bool(thing.get("off", False)))
            if thing["bone"] is None:
                faces = tuple(Face.from_points(int(points)) for points in maybe)
                unsure_bones.append(UnsureBoneReading(faces, 0.5, spot))
            else:
                bones.append(BoneReading(Face.from_points(int(thing["bone"])), 1.0, spot))
            continue
        if _is_hidden(at, things[layer + 1 :]):
            continue
        turn = thing.get("deg")
        turned = None if turn is None else float(turn) % 180.0
        place = Place(NOWHERE, at, _zone(thing.get("at")), turned, layer)
        if thing["card"] == BACK:
            backs.append(BackReading(1.0, place))
        elif thing["card"] == UNREAD:
            unsure.append(UnsureReading(tuple(Card.parse(code) for code in maybe), 0.5, place))
        else:
            cards.append(CardReading(Card.parse(thing["card"]), 1.0, place))
    return Reading(
        t,
        tuple(cards),
        tuple(backs),
        tuple(unsure),
        seats,
        tuple(bones),
        tuple(unsure_bones),
    )


def _is_hidden(at: tuple[float, float], later: Iterable[dict[str, Any]]) -> bool:
    return any(
        "card" in other
        and abs(float(other["x"]) - at[0]) <= HIDDEN_MM
        and abs(float(other["y"]) - at[1]) <= HIDDEN_MM
        for other in later
    )


def _zone(at: str | None) -> Zone | None:
    if at is None:
        return None
    kind, _, seat = at.partition(" ")
    return Zone(ZoneKind(kind), int(seat) if seat else None)

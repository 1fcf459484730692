"""Game records: a session as one JSON document; docs/reference/record.md explains the keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.core.errors import BoneAceError
from engine.core.events import Event
from engine.core.text.limits import MOST_EVENTS
from engine.core.text.suggest import did_you_mean
from engine.records.codec import event_from_dict, event_to_dict
from engine.records.referee import Json, results_of, table_of
from engine.table.hand import EDITION
from engine.table.state import UNNAMED, State, apply

FORMAT = "boneace-record"
VERSION = EDITION
"""Of the format and of the rules that judge what is in it: a record of an older version is judged
as it was played, and stays of that version when it is written again (rule OT-26)."""

_KEYS = (
    *("format", "version", "program", "title", "started", "closed"),
    *("game", "preset", "options", "players", "dealer", "start", "stakes"),
    *("events", "assumed", "results", "digest"),
)

_UNSEALED = ("program", "title", "digest")
"""What may change without anything that was played being another."""

_NEW = ("late_out", "bank_passes")
"""Options that version 1 did not know."""

_ALWAYS = ("end", "winners", "settlement")
"""What every version has written of a finished hand."""


class RecordError(BoneAceError, ValueError):
    """A document that is no game record; the message names the key and the cure."""


@dataclass(frozen=True, slots=True)
class Record:
    """A session as it was written down.

    Attributes:
        opening: the table before the first event.
        events: each with its time in seconds after the start, ``None`` where it was not kept.
        started: when, as RFC 3339 writes it (``2026-11-21T15:00:00Z``); empty if not kept.
        title: a name for people.
        assumed: ``(event, word)``: which events were only assumed, from 0, and why.
    """

    opening: State
    events: tuple[tuple[float | None, Event], ...] = ()
    started: str = ""
    closed: str | None = None
    program: str = ""
    title: str = ""
    assumed: tuple[tuple[int, str], ...] = ()

    def final(self) -> State:
        """Return the table after the last event.

        Raises:
            RecordError: an event is refused; nothing refused stands in a record.
        """
        state = self.opening
        for place, (_, event) in enumerate(self.events):
            try:
                state = apply(state, event)
            except BoneAceError as problem:
                raise RecordError(
                    f"events[{place}]: refused ({problem}); the record was changed by hand, or "
                    "comes from another version of the rules"
                ) from problem
        return state


def write(record: Record) -> Json:
    """Return *record* as JSON data, its results worked out again.

    Raises:
        RecordError: an event of it is refused.
    """
    setup = record.opening.setup
    players: list[Json] = []
    for player in setup.players:
        age = {} if player.age is None else {"age": player.age}
        players.append({"seat": player.seat, "name": player.name, **age})
    options = asdict(setup.options)
    if setup.edition < VERSION:  # it did not know them
        played = {key: UNNAMED[setup.edition][key] for key in _NEW}
        options = {key: it for key, it in options.items() if it != played.get(key)}
    document: Json = {
        "format": FORMAT,
        "version": setup.edition,
        "program": record.program,
        "title": record.title,
        "started": record.started,
        "closed": record.closed,
        "game": setup.game.name,
        "preset": setup.preset,
        # All of them: a default that changes some day must not change what was played.
        "options": options,
        "players": players,
        "dealer": setup.dealer,
        **setup.start,
        "events": [
            {**({} if at is None else {"t": round(at, 3)}), **event_to_dict(event)}
            for at, event in record.events
        ],
        **({"assumed": [list(mark) for mark in record.assumed]} if record.assumed else {}),
        "results": results_of(record.final()),
    }
    return {**document, "digest": digest(document)}


def read(document: object) -> Record:
    """Read a record of this or an earlier version.

    Raises:
        RecordError: it is none, it is damaged, or a newer program has written it.
        BoneAceError: the game, an option or a player of it cannot be.
    """
    content = _checked(document)
    for key in content:
        if key not in _KEYS:
            raise RecordError(f"{key}: unknown key; {did_you_mean(key, _KEYS)}")
    events = content.get("events")
    if not isinstance(events, list):
        raise RecordError("events: missing, or no list; write it in the record")
    if len(events) > MOST_EVENTS:
        raise RecordError(
            f"events: {len(events)} are too many, at most {MOST_EVENTS}; replay the journal itself"
        )
    for key in ("program", "title", "started"):
        if not isinstance(content.get(key, ""), str):
            raise RecordError(f"{key}: {content[key]!r} is not a text; write it in quotes")
    return Record(
        opening=table_of(content),
        events=tuple(_read_event(place, one) for place, one in enumerate(events)),
        started=content.get("started", ""),
        closed=content.get("closed"),
        program=content.get("program", ""),
        title=content.get("title", ""),
        assumed=_read_assumed(content.get("assumed", []), len(events)),
    )


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record in hexadecimal: 64 digits that change with every event.

    Everything counts but *program*, *title* and the digest itself. It tells a record that was
    changed by accident or by a careless edit; who makes the digest again is found out only by those
    who have written the old one down.

    Raises:
        RecordError: the record holds what is no JSON.
    """
    sealed = {key: value for key, value in document.items() if key not in _UNSEALED}
    try:
        text = json.dumps(sealed, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise RecordError(f"no JSON ({problem}); export the record again") from problem
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def changes(document: Mapping[str, Any], *, unsealed: bool = False) -> list[str]:
    """Return, in words, how a record may have been changed by hand; empty where it was not.

    Its digest must fit, and its results must be whole; whether they are *right* tells a replay
    (:func:`engine.records.referee.differences`). A record written by hand may have neither: only
    with *unsealed* is nothing said of a digest that is missing.
    """
    said = []
    sealed = document.get("digest")
    if sealed is None:
        if not unsealed:
            said.append("no digest: times and names are not proved (--unsealed: it never had one)")
    elif sealed != digest(document):
        said.append("digest: does not fit: the record was changed after it was written")
    results = document.get("results")
    hands = results.get("hands") if isinstance(results, Mapping) else None
    for number, hand in enumerate(hands if isinstance(hands, list) else ()):
        missing = [key for key in _ALWAYS if not isinstance(hand, Mapping) or key not in hand]
        said.extend(f"results.hands[{number}].{key}: missing" for key in missing)
    if isinstance(results, Mapping):
        said.extend(f"results.{key}: missing" for key in ("hands", "match") if key not in results)
    return said


def is_record(document: object) -> bool:
    """Return whether a JSON document says of itself that it is a game record."""
    return isinstance(document, Mapping) and "format" in document


def as_case(document: object) -> Json:
    """Return a record as a case for the referee: its results are what is expected.

    Raises:
        RecordError: it is no record, or damaged.
    """
    content = _checked(document)
    read(content)
    left_out = ("events", "results", "assumed")
    case = {key: content[key] for key in content if key not in left_out}
    events = [{key: value for key, value in one.items() if key != "t"} for one in content["events"]]
    results = content.get("results")
    if results is not None and not isinstance(results, dict):
        raise RecordError(f"results: {type(results).__name__}, no object; export the record again")
    # Nothing refused stands in a record, whatever its results say of it.
    expect = {} if results is None else {"expect": {**results, "rejected": []}}
    return {**case, "id": content.get("title") or None, "events": events, **expect}


def _checked(document: object) -> Json:
    """Return *document* if it is a record of a version that is known."""
    if not isinstance(document, dict):
        raise RecordError("not an object; export one with: boneace export")
    if document.get("format") != FORMAT:
        raise RecordError(
            f"format: {document.get('format')!r} is no game record; export one with: boneace export"
        )
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise RecordError(f"version: {version!r} is no version; write {VERSION}")
    if version > VERSION:
        raise RecordError(
            f"version: {version} was written by a newer boneace, this one knows {VERSION}; upgrade"
        )
    return document


def _read_assumed(marks: object, events: int) -> tuple[tuple[int, str], ...]:
    if not isinstance(marks, list):
        raise RecordError('assumed: no list; write [[12, "source"]], or leave it out')
    found = []
    for place, mark in enumerate(marks):
        if not isinstance(mark, list) or [type(part) for part in mark] != [int, str]:
            raise RecordError(f'assumed[{place}]: {mark!r} is no mark; write [12, "source"]')
        if not 0 <= mark[0] < events:
            raise RecordError(f"assumed[{place}]: there is no event {mark[0]}; write 0, 1, 2…")
        found.append((mark[0], mark[1]))
    return tuple(found)


def _read_event(place: int, record: object) -> tuple[float | None, Event]:
    if not isinstance(record, dict):
        raise RecordError(f'events[{place}]: {record!r} is no event; write {{"e": "stick", …}}')
    at = record.get("t")
    if at is not None and (
        isinstance(at, bool)
        or not isinstance(at, int | float)
        or not abs(at) < float("inf")  # nor is NaN, which is not less than anything
    ):
        raise RecordError(f"events[{place}].t: {at!r} is no time; write seconds, as 12.5")
    try:
        return at, event_from_dict({key: value for key, value in record.items() if key != "t"})
    except BoneAceError as problem:
        raise RecordError(f"events[{place}]: {problem}") from problem

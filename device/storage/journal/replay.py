"""Sessions of the journal folded back into states: up to the first event that cannot be used."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from device.files import parse_json
from device.storage.journal.contents import StoredEvent
from device.storage.journal.errors import JournalError
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.summary import Names, names_in
from engine import TABLE, Event, Player, State, apply, event_from_dict, new_table, view
from engine.core.errors import BoneAceError
from engine.core.fast_replace import replace
from engine.core.views import View
from engine.table.state import apply_all, apply_each

Result = TypeVar("Result")

log = logging.getLogger(__name__)

STAKES = "stakes"
"""Of the settings that a session is begun with: what each player lays at first (rule KB-2)."""

Listener = Callable[[Event, View, View], None]
"""Called with each event and the table's view before and after it."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a session comes to.

    Attributes:
        state: after its last event that can be used.
        people: who played each hand, by seat; that of the hand in play is the last.
        events: those that were used, each with its seconds after the start.
        rows: the same, as the journal keeps them.
        whole: no event of the session was damaged, and the rules refuse none.
    """

    state: State
    people: tuple[Names, ...]
    events: tuple[tuple[float, Event], ...]
    rows: tuple[StoredEvent, ...]
    whole: bool


def start_of(settings: Mapping[str, object]) -> dict[str, object]:
    """Return what lay on the table before the first event of a session with these *settings*."""
    return {STAKES: settings[STAKES]} if STAKES in settings else {}


def opening(session: SessionRecord) -> State:
    """Return the state before the first event of *session*.

    Raises:
        JournalError: a player of the session has no seat or no name.
    """
    return new_table(
        session.game,
        [_player(record) for record in session.players],
        dealer=session.dealer,
        preset=session.preset,
        options=session.options,
        start=start_of(session.settings),
        edition=session.rules,
    )


def play_session(journal: JournalReader, session: SessionRecord) -> Played:
    """Fold the events of *session*, up to the first that is damaged or that the rules refuse.

    Which one that is, is told: see :attr:`.JournalReader.damage`.

    Raises:
        BoneAceError: not even its first state can be made: an unknown game or option.
    """
    stored = journal.stored(session.number)
    start = opening(session)
    events: list[Event] = []
    try:
        events.extend(event_of(each.text) for each in stored)
        state, people = _fold(start, events)
    except BoneAceError as problem:
        events = events[: _refused(journal, session, stored, start, problem)]
        state, people = _fold(start, events)
    timed = (
        (max(0.0, each.time - session.started), event)
        for each, event in zip(stored, events, strict=False)
    )
    damaged = any(
        each.sitting == session.number and each.event is not None for each in journal.damage
    )
    return Played(state, people, tuple(timed), tuple(stored[: len(events)]), not damaged)


def _fold(state: State, events: Iterable[Event]) -> tuple[State, tuple[Names, ...]]:
    people = []
    for state in apply_all(state, events):  # noqa: B020
        people.append(names_in(state))
    return state, tuple(people)


def _refused(
    journal: JournalReader,
    session: SessionRecord,
    stored: Iterable[StoredEvent],
    state: State,
    problem: BoneAceError,
) -> int:
    """Find the first of *stored* that is no event, or that the rules refuse, and tell it."""
    number, since = 0, None
    for each in stored:
        try:
            state = apply(state, event_of(each.text))
        except BoneAceError as found:
            problem = found
            break
        number, since = number + 1, each.time
    journal.tell(f"event {number} cannot be played ({problem})", session.number, number, since)
    return number


@lru_cache(maxsize=4096)
def event_of(text: bytes) -> Event:
    """Return the event that the journal keeps as *text*.

    Raises:
        BoneAceError: it is none.
    """
    try:
        entry = parse_json(text)
    except ValueError as problem:
        raise JournalError(f"it is no JSON: {problem}; check the memory card") from problem
    if not isinstance(entry, dict):
        raise JournalError(f"{text!r} is no event; check the memory card")
    return event_from_dict(entry)


def replay_session(journal: JournalReader, session: SessionRecord, listener: Listener) -> State:
    """Fold a session's events for *listener*, and return the state after the last.

    As :func:`play_session`: the first event that cannot be used is the end, and is told.

    Raises:
        BoneAceError: not even its first state can be made.
    """
    stored = journal.stored(session.number)
    last = start = opening(session)
    number = 0

    def count(event: Event, before: View, after: View) -> None:
        nonlocal number
        number += 1
        listener(event, before, after)

    try:
        last = fold(start, (event_of(each.text) for each in stored), count)
    except BoneAceError as problem:
        since = stored[number - 1].time if number else None
        journal.tell(f"event {number} cannot be played ({problem})", session.number, number, since)
        *_, last = apply_all(start, (event_of(each.text) for each in stored[:number]))
    return last


def _warn(session: SessionRecord, problem: BoneAceError) -> None:
    log.warning("sitting %s is left out: %s", session.number, problem)


def for_each_session(
    journal: JournalReader,
    sessions: Iterable[SessionRecord],
    work: Callable[[JournalReader, SessionRecord], Result],
    left_out: Callable[[SessionRecord, BoneAceError], None] = _warn,
) -> Iterator[tuple[SessionRecord, Result]]:
    """Yield what *work* makes of each of *sessions*.

    One that the rules refuse now does not hide the others: *left_out* is told of it.
    """
    for session in sessions:
        try:
            result = work(journal, session)
        except BoneAceError as problem:
            left_out(session, problem)
        else:
            yield session, result


def fold(state: State, events: Iterable[Event], listener: Listener) -> State:
    """Apply *events* one by one for *listener*, and return the state after the last.

    Raises:
        IllegalActionError: the rules refuse one of them.
    """
    seen = view(state, TABLE)
    played = list(state.events)
    for event, state in apply_each(state, events):  # noqa: B020
        played.append(event)
        before, seen = seen, view(state, TABLE)
        listener(event, before, seen)
    return replace(state, events=tuple(played))


def player_record(player: Player) -> dict[str, object]:
    """Return *player* as the journal keeps them."""
    record: dict[str, object] = {"seat": player.seat, "name": player.name}
    if player.age is not None:
        record["age"] = player.age
    return record


def _player(record: Mapping[str, object]) -> Player:
    seat, name, age = record.get("seat"), record.get("name"), record.get("age")
    if not isinstance(seat, int) or not isinstance(name, str):
        raise JournalError(
            f"the journal has a player without seat and name: {dict(record)!r}; "
            "begin a new sitting with: boneace play --new"
        )
    return Player(seat, name, age if isinstance(age, int) else None)

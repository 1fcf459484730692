"""Sessions of the journal folded back into states."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from device.storage.journal import Journal, JournalError, SessionRecord
from engine import TABLE, Event, Player, State, apply, event_from_dict, new_table, view
from engine.core.errors import BoneAceError
from engine.core.views import View

Result = TypeVar("Result")

log = logging.getLogger(__name__)

Listener = Callable[[Event, View, View], None]
"""Called with each event and the table's view before and after it."""


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
    )


def timed_events(journal: Journal, session: SessionRecord) -> Iterator[tuple[float, Event]]:
    """Yield each event of *session* with its seconds after the start.

    Raises:
        BoneAceError: an entry is no event.
    """
    for at_s, entry in journal.events(session.number):
        yield max(0.0, at_s - session.started), event_from_dict(entry)


def replay_session(journal: Journal, session: SessionRecord, listener: Listener) -> State:
    """Fold a session's events again for *listener*, and return the state after the last.

    Raises:
        JournalError: the rules refuse an event.
    """
    events = (event for _, event in timed_events(journal, session))
    number = 0

    def count(event: Event, before: View, after: View) -> None:
        nonlocal number
        number += 1
        listener(event, before, after)

    try:
        return fold(opening(session), events, count)
    except JournalError:
        raise
    except BoneAceError as problem:
        raise JournalError(
            f"{journal.path}: event {number} of sitting {session.number} cannot be "
            f"played ({problem}); begin a new sitting with: boneace play --new"
        ) from problem


def _warn(session: SessionRecord, problem: BoneAceError) -> None:
    log.warning("sitting %s is left out: %s", session.number, problem)


def for_each_session(
    journal: Journal,
    sessions: Iterable[SessionRecord],
    work: Callable[[Journal, SessionRecord], Result],
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
    for event in events:
        state = apply(state, event)
        before, seen = seen, view(state, TABLE)
        listener(event, before, seen)
    return state


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

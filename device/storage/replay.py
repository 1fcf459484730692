"""Sessions of the journal, replayed into states."""

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
        JournalError: a player has no seat or no name.
    """
    return new_table(
        session.game,
        [_player(record) for record in session.players],
        dealer=session.dealer,
        preset=session.preset,
        options=session.options,
    )


def replay_session(journal: Journal, session: SessionRecord, listener: Listener) -> State:
    """Replay a session for *listener*, and return the state after its last event.

    Raises:
        JournalError: the rules refuse an event.
    """
    events = (event_from_dict(record) for _, record in journal.events(session.number))
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


def for_each_session(
    journal: Journal,
    sessions: Iterable[SessionRecord],
    work: Callable[[Journal, SessionRecord], Result],
) -> Iterator[tuple[SessionRecord, Result]]:
    """Yield each of *sessions* with the result of *work*.

    A session that cannot be replayed is left out with a warning.
    """
    for session in sessions:
        try:
            yield session, work(journal, session)
        except JournalError as problem:
            log.warning("sitting %s is left out: %s", session.number, problem)


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

"""Sittings of the journal folded back into states."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from device.storage.journal import Journal, JournalError, SessionRecord
from engine import (
    TABLE,
    Event,
    Player,
    State,
    apply,
    event_from_dict,
    new_table,
    view,
)
from engine.core.errors import BoneAceError
from engine.core.views import View

Told = TypeVar("Told")


log = logging.getLogger(__name__)

Listener = Callable[[Event, View, View], None]
"""Told of each event with the table's view before and after it."""


def opening(sitting: SessionRecord) -> State:
    """Return the state before the first event of *sitting*.

    Raises:
        JournalError: a player of the sitting has no seat or no name.
    """
    return new_table(
        sitting.game,
        [_player(record) for record in sitting.players],
        dealer=sitting.dealer,
        preset=sitting.preset,
        options=sitting.options,
    )


def replay_session(journal: Journal, sitting: SessionRecord, listener: Listener) -> State:
    """Fold a sitting's events again for *listener*, and return the state after the last.

    Raises:
        JournalError: an event in the journal cannot be played any more.
    """
    events = (event_from_dict(record) for _, record in journal.events(sitting.number))
    number = 0

    def count(event: Event, before: View, after: View) -> None:
        nonlocal number
        number += 1
        listener(event, before, after)

    try:
        return fold(opening(sitting), events, count)
    except JournalError:
        raise
    except BoneAceError as problem:
        raise JournalError(
            f"{journal.path}: event {number} of sitting {sitting.number} cannot be "
            f"played ({problem}); begin a new sitting with: boneace play --new"
        ) from problem


def for_each_session(
    journal: Journal,
    sittings: Iterable[SessionRecord],
    work: Callable[[Journal, SessionRecord], Told],
) -> Iterator[tuple[SessionRecord, Told]]:
    """Yield what *work* makes of each of *sittings*.

    One that cannot be played any more is left out with a warning: what the others tell is true.
    """
    for sitting in sittings:
        try:
            yield sitting, work(journal, sitting)
        except JournalError as problem:
            log.warning("sitting %s is left out: %s", sitting.number, problem)


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


def _player_record(player: Player) -> dict[str, object]:
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

"""The events that the journal has, told again to a reader that has missed them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from device.croupier.open_cards import as_agreed, open_cards_in
from device.feed.wire import EventId, Happened, Sitting
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.replay import event_of, opening
from engine import TABLE, State, apply, view
from engine.core.errors import BoneAceError
from engine.core.views import View


def events_after(path: Path, after: EventId | None) -> Iterator[Happened]:
    """Return what happened after an event, oldest first; all that the journal has without one.

    Sittings that were erased are left out, and so is what follows a damaged event in its sitting.

    Raises:
        BoneAceError: the journal cannot be read.
    """
    with JournalReader(path) as journal:
        previous: EventId | None = None
        for record in journal.sittings():
            if after is not None and record.number < after[0]:
                if count := len(journal.stored(record.number)):
                    previous = record.number, count - 1
                continue
            for happened in _events_of(journal, record, previous):
                previous = happened.id
                if after is None or happened.id > after:
                    yield happened


def last_before(path: Path, sitting: int) -> EventId | None:
    """Return the last event of the sittings before *sitting*.

    Raises:
        BoneAceError: the journal cannot be read.
    """
    with JournalReader(path) as journal:
        for record in reversed(journal.sittings()):
            if record.number < sitting and (count := len(journal.stored(record.number))):
                return record.number, count - 1
    return None


def _events_of(
    journal: JournalReader, record: SessionRecord, previous: EventId | None
) -> Iterator[Happened]:
    stored = journal.stored(record.number)
    open_cards = open_cards_in(record.settings)

    def seen(state: State) -> View:
        return as_agreed(view(state, TABLE), open_cards)

    try:
        state = opening(record)
        before = seen(state)
        sitting = Sitting.of(record)
        for number, row in enumerate(stored):
            event = event_of(row.text)
            state = apply(state, event)
            after = seen(state)
            later = stored[number + 1].batch if number + 1 < len(stored) else 0
            told = not row.batch or later != row.batch
            assumed = row.assumed.decode(errors="replace")
            at_s = row.time
            yield Happened(
                sitting, number, previous, at_s, event, before, after, state, assumed, told
            )
            previous, before = (record.number, number), after
    except BoneAceError:
        return  # the journal's own readers tell what is damaged

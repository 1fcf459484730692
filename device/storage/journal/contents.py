"""What is sound in a journal: the one function by which every reader, and the salvage, reads it.

A sitting is read up to its first event that is damaged or missing. Where one turned bit explains
the damage it is turned back. Rows that SQLite no longer finds are looked for in the bytes of the
file and its log; the chain of digests tells which of them belong there.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import struct
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from device.storage.journal.chain import (
    Row,
    digest,
    event_digest,
    look_digest,
    mended,
    note_digest,
    seal,
    sitting_digest,
    written,
)
from device.storage.journal.last_file import Last
from device.storage.journal.pages import rows_in
from device.storage.journal.rows import Damage, Rows, filled, fits

_PLAIN = written(b"", 0)
"""Of an event that was not assumed and repairs none."""

_MOST_MISSING = 1000

CHAINED = 3
"""The first version whose rows have digests."""


class StoredEvent(NamedTuple):
    """A sound event.

    Attributes:
        time: seconds since 1970.
        text: the event language, as JSON.
        assumed: why it is only assumed; empty where it was seen or said.
        batch: events written together have one number; 0 is none.
        digest: of the chain up to here.
    """

    time: float
    text: bytes
    assumed: bytes
    batch: int
    digest: bytes

    def entry(self) -> dict[str, Any]:
        """Return the event in the event language."""
        found: dict[str, Any] = json.loads(self.text)
        return found


class StoredSitting(NamedTuple):
    """The sound row of a sitting, its texts as they are in the file."""

    number: int
    started: float
    game: bytes
    preset: bytes
    options: bytes
    players: bytes
    dealer: int | None
    closed: float | None
    bones: bytes
    rules: int
    settings: bytes
    opened: bytes
    sealed: bytes


class StoredNote(NamedTuple):
    """A sound note; *sitting* is ``None`` where it is about none in particular."""

    number: int
    time: float
    sitting: int | None
    kind: bytes
    body: bytes
    digest: bytes


class Contents:
    """Reads what is sound in a journal.

    Attributes:
        rows: from which it is read.
        damage: what was not sound in all that was read so far.
    """

    def __init__(
        self,
        path: Path,
        db: sqlite3.Connection | None,
        version: int,
        last: Last | None = None,
        *,
        writing: bool = False,
    ) -> None:
        """Read the journal *path*.

        Args:
            path: the file.
            db: the open database; ``None`` where its pages are damaged: then the rows are read
                from the bytes of the file.
            version: of the tables.
            last: where the journal ended, by the file beside it; ``None`` where nobody can say.
            writing: *db* writes to it, so the file must not be opened otherwise: when it is
                closed, SQLite's locks on it are gone.
        """
        self.rows = Rows(path, db, chained=version >= CHAINED, writing=writing)
        self.damage = self.rows.damage
        self._last = last
        self._known: dict[int, StoredSitting] = {}
        self._read: dict[int, list[StoredEvent]] = {}
        if db is None:
            self.rows.tell("pages of the file are damaged")
            found = (filled("sittings", row) for row in rows_in(path, "sittings"))
            self.rows.chained = any(map(_is_sitting, found))
        elif self.rows.chained and last is not None and self._is_cut_short(last):
            self.rows.tell("the log beside the file is damaged")
            self.rows.db = None

    # What is there

    def sittings(self) -> list[StoredSitting]:
        """Return the sound rows of all sittings, oldest first.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = {}
        for row in self.rows.sound("sittings", _is_sitting, "its names and options"):
            found[row[0]] = StoredSitting(*row)
        last = self._last.sitting if self._last is not None else 0
        missing = _gaps(found, last) if self.rows.chained else []
        for number in sorted(set(missing) - self._gone() if missing else ()):
            for row in self.rows.in_bytes("sittings").get((number,), ()):
                if _is_sitting(row):
                    found[number] = StoredSitting(*row)
                    self.rows.tell("its row was found in the bytes of the file", number)
            if number not in found:
                self.rows.tell("its names and options are damaged; it cannot be read", number)
        ended = [self._ended(found[number]) for number in sorted(found)]
        self._compare_last(ended)
        self._known = {each.number: each for each in ended}
        return ended

    def sitting(self, number: int) -> StoredSitting | None:
        """Return the sound row of sitting *number*; ``None`` where there is none.

        Raises:
            JournalError: the journal cannot be read.
        """
        if number not in self._known:
            self.sittings()
        return self._known.get(number)

    def has_events(self, sitting: int) -> bool:
        """Return whether there are events of *sitting*, sound or not.

        Raises:
            JournalError: the journal cannot be read.
        """
        if self.rows.db is None:
            return (sitting, 0) in self.rows.in_bytes("events")
        return bool(self.rows.query("SELECT 1 FROM events WHERE sitting = ? LIMIT 1", (sitting,)))

    def summary(self, sitting: int, program: str) -> bytes | None:
        """Return the summary of *sitting*, if it is sound, of all its events, and of *program*.

        Raises:
            JournalError: the journal cannot be read.
        """
        if self.rows.db is None or not self.rows.chained:
            return None
        rows = self.rows.query(
            "SELECT s.number, s.program, CAST(s.body AS BLOB), s.digest, e.number, e.digest"
            " FROM summaries AS s JOIN events AS e ON s.sitting = e.sitting"
            " WHERE s.sitting = ? ORDER BY e.number DESC LIMIT 1",
            (sitting,),
        )
        for count, made_by, body, stored, last, before in rows:
            fields = (before, sitting, count, program.encode(), body)
            if count == last + 1 and made_by == program:
                return body if stored == digest(b"summary", *fields) else None
        return None

    def check(self) -> list[Damage]:
        """Read everything, and return what is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        for sitting in self.sittings():
            self.events(sitting)
            self.looks(sitting.number)
        self.notes()
        return self.damage

    def events(self, sitting: StoredSitting) -> list[StoredEvent]:
        """Return the sound events of *sitting*, up to the first that is damaged or missing.

        Raises:
            JournalError: the journal cannot be read.
        """
        number = sitting.number
        if number in self._read:
            return self._read.pop(number)
        count = written(number)
        good: list[StoredEvent] = []
        before = sitting.opened

        def is_right(row: Row) -> bool:
            try:
                _, place, time, text, assumed, batch, stored = row
                if row[0] != number or place != len(good) or type(time) is not float:
                    return False
                if not self.rows.chained:
                    return isinstance(json.loads(text), dict)
                more = written(assumed, batch) if assumed or batch else _PLAIN
                return bool(stored == event_digest(before, count, place, time, text, more))
            except (TypeError, ValueError, RecursionError, struct.error):
                return False

        rows = self.rows.select("events", number)
        while True:
            row = rows[len(good)] if len(good) < len(rows) else None
            if row is None and self._is_whole(sitting, good):
                return good
            if row is None or not is_right(row):
                row = self._rescued(row, (number, len(good)), is_right)
                if row is None:
                    self._stop(sitting, good, len(rows))
                    return good
            good.append(StoredEvent(*row[2:]))
            before = good[-1].digest

    def take_over(self, read: dict[int, list[StoredEvent]]) -> None:
        """Take events that were just *read*, by their sitting, to return them once."""
        self._read = dict(read)

    def looks(self, sitting: int) -> list[str]:
        """Return the looks of *sitting* in order, up to the first that is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        good: list[str] = []
        for row in self.rows.sound("looks", _is_look, "what was seen", sitting):
            if row[1] != len(good):
                break
            good.append(row[2].decode("utf-8", "replace"))
        return good

    def notes(self) -> list[StoredNote]:
        """Return all sound notes in order.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = {row[0]: StoredNote(*row) for row in self.rows.sound("notes", _is_note, "a note")}
        last = self._last.notes if self._last is not None else 0
        for number in _gaps(found, last) if self.rows.chained else ():
            for row in self.rows.in_bytes("notes").get((number,), ()):
                if _is_note(row):
                    found[number] = StoredNote(*row)
            self.rows.tell(f"note {number} is missing", lost=number not in found)
        return [found[number] for number in sorted(found)]

    def _rescued(
        self, row: Row | None, key: tuple[int, int], is_right: Callable[[Row], bool]
    ) -> Row | None:
        """Return the right row for *key*, from the bytes of the file or with a bit turned back."""
        there = self.rows.in_bytes("events").get(key, [])
        for each in there:
            if is_right(each):
                if self.rows.db is not None:
                    self.rows.tell("events were found in the bytes of the file", key[0])
                return each
        for each in [*([] if row is None else [row]), *there]:
            good = self.rows.mended(each, is_right)
            if good is not None:
                self.rows.tell(f"event {key[1]} is mended: one bit was turned", key[0])
                return good
        return None

    def _is_whole(self, sitting: StoredSitting, good: Sequence[StoredEvent]) -> bool:
        """Return whether *good* can be all events of *sitting*."""
        last = self._last
        if last is not None and last.sitting == sitting.number and len(good) < last.events:
            return False
        if self.rows.db is None and (sitting.number, len(good)) in self.rows.in_bytes("events"):
            return False
        return not sitting.sealed or self._seals(sitting, good)

    def _seals(self, sitting: StoredSitting, good: Sequence[StoredEvent]) -> bool:
        before = good[-1].digest if good else sitting.opened
        return sitting.closed is not None and sitting.sealed == seal(
            before, len(good), sitting.closed
        )

    def _stop(self, sitting: StoredSitting, good: list[StoredEvent], rows: int) -> None:
        since = good[-1].time if good else None
        if len(good) < rows:
            self.rows.tell(f"event {len(good)} is damaged", sitting.number, len(good), since)
        elif (self._last is not None and self._last.sitting == sitting.number) and (
            len(good) < self._last.events
        ):
            lost = self._last.events - len(good)
            what = f"its last {lost} events are missing, which the disk had confirmed"
            self.rows.tell(what, sitting.number, len(good), since, lost=True)
        else:
            self.rows.tell("events are missing at its end", sitting.number, len(good), since)

    def _ended(self, sitting: StoredSitting) -> StoredSitting:
        """Return *sitting* with its end put right, if that is damaged."""
        if not self.rows.chained or (sitting.closed is None and not sitting.sealed):
            return sitting
        if self.rows.db is not None:
            found = self.rows.query(
                "SELECT number, digest FROM events WHERE sitting = ? ORDER BY number DESC LIMIT 1",
                (sitting.number,),
            )
            count, before = (found[0][0] + 1, found[0][1]) if found else (0, sitting.opened)
            if sitting.closed and sitting.sealed == seal(before, count, sitting.closed):
                return sitting
        good = self.events(sitting._replace(closed=None, sealed=b""))
        torn = any(
            each.sitting == sitting.number and each.event is not None for each in self.damage
        )
        if torn or self._seals(sitting, good):
            return sitting
        before = good[-1].digest if good else sitting.opened
        right = mended(
            (sitting.closed, sitting.sealed),
            lambda row: row[0] is not None and row[1] == seal(before, len(good), row[0]),
        )
        if right is not None:
            self.rows.tell("its end is mended: one bit was turned", sitting.number)
            return sitting._replace(closed=right[0], sealed=right[1])
        self.rows.tell("its end is damaged", sitting.number)
        closed = sitting.closed or (good[-1].time if good else sitting.started)
        return sitting._replace(closed=closed) if sitting.sealed else sitting

    def _compare_last(self, sittings: Sequence[StoredSitting]) -> None:
        """Compare the last sitting with the file beside the journal."""
        last = self._last
        if last is None or not last.sitting or not self.rows.chained:
            return
        found = next((each for each in sittings if each.number == last.sitting), None)
        if found is None:
            return
        if last.closed and found.closed is None:
            self.rows.tell("its end is missing: the disk lost it", found.number, lost=True)
        digests = [found.opened]
        if last.events:
            key = (last.sitting, last.events - 1)
            if self.rows.db is None:
                digests = [row[6] for row in self.rows.in_bytes("events").get(key, ())]
            else:
                query = "SELECT digest FROM events WHERE sitting = ? AND number = ?"
                digests = [row[0] for row in self.rows.query(query, key)]
        if digests and all(_distance(each, last.digest) > 1 for each in digests):
            what = "the journal is another one than that which was played in last"
            self.rows.tell(what, lost=True)

    def _is_cut_short(self, last: Last) -> bool:
        """Return whether the bytes of the file and its log have *last*, and SQLite has not.

        So it is when the log is damaged: SQLite reads it up to there, and says nothing.
        """
        key = (last.sitting, last.events - 1)
        queries = (
            ("SELECT 1 FROM sittings WHERE number = ?", (last.sitting,)),
            ("SELECT 1 FROM events WHERE sitting = ? AND number = ?", key),
            ("SELECT 1 FROM sittings WHERE number = ? AND closed IS NOT NULL", (last.sitting,)),
            ("SELECT 1 FROM notes WHERE number = ?", (last.notes,)),
        )
        wanted = (last.sitting, last.events, last.closed, last.notes)
        missing = [
            bool(want) and not self.rows.query(*query)
            for want, query in zip(wanted, queries, strict=True)
        ]
        if not any(missing):
            return False
        carved = self.rows.in_bytes
        sittings = [row for row in carved("sittings").get(key[:1], ()) if _is_sitting(row)]
        there = (
            bool(sittings),
            any(row[6].hex() == last.digest for row in carved("events").get(key, ())),
            any(row[12] for row in sittings),
            any(row[5].hex() == last.note for row in carved("notes").get((last.notes,), ())),
        )
        return any(gone and found for gone, found in zip(missing, there, strict=True))

    def _gone(self) -> set[int]:
        """Return the sittings that notes say are no longer there."""
        gone: set[int] = set()
        for note in self.notes():
            with contextlib.suppress(ValueError, TypeError, AttributeError):
                gone.update(json.loads(note.body).get("gone", ()))
        return gone


def _gaps(found: Collection[int], last: int) -> list[int]:
    """Return which numbers from 1 are missing in *found*, of which *last* should be one."""
    top = min(max([last, *found], default=0), len(found) + _MOST_MISSING)
    return [number for number in range(1, top + 1) if number not in found]


def _is_sitting(row: Row) -> bool:
    return fits("sittings", row) and row[11] == sitting_digest(row)


def _is_look(row: Row) -> bool:
    return fits("looks", row) and row[3] == look_digest(row)


def _is_note(row: Row) -> bool:
    return (fits("notes", row) or row[2] is None) and row[5] == note_digest(row)


def _distance(one: bytes, other: str) -> int:
    """Return how many bits of two digests differ, of which one is in hexadecimal."""
    return (int.from_bytes(one) ^ int(other or "0", 16)).bit_count()

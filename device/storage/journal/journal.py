"""The journal: every event is on disk before it takes effect."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from device.storage.atomic_file import settle
from device.storage.journal.chain import (
    digest,
    event_digest,
    look_digest,
    seal,
    written,
)
from device.storage.journal.contents import Contents
from device.storage.journal.erase_rows import Erased, Erasure, erase_rows
from device.storage.journal.errors import JournalError, fault_of, refusal
from device.storage.journal.last_file import Last, path_of, write_last
from device.storage.journal.lock import WriterLock
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.recovery import recover
from device.storage.journal.restoring import finish
from device.storage.journal.schema import (
    SCHEMA_VERSION,
    add_note,
    add_sitting,
    connect,
    last_event,
    prepare,
)
from device.version import program_version

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Entry = Mapping[str, Any]
"""One event as a record, as :func:`engine.event_to_dict` writes it."""


class Journal(JournalReader):
    """The journal that one program at a time writes to.

    Attributes:
        notices: what opening it had to do, in sentences for the screen; usually none.
    """

    _lock: WriterLock | None = None
    _db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file and let the next writer in; may be called twice."""
        self._db = None
        super().close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def begin(self, session: SessionRecord) -> SessionRecord:
        """Write a new session and return it with its number.

        Raises:
            JournalError: it is not on disk; there is no new session.
        """
        with self._commit("the new sitting") as db:
            number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM sittings").fetchone()[0]
            row = (
                number,
                session.started,
                session.game,
                session.preset,
                json.dumps(dict(session.options)),
                json.dumps([dict(player) for player in session.players]),
                session.dealer,
                None,
                session.bones,
                session.rules,
                json.dumps(dict(session.settings)),
            )
            add_sitting(db, row, ())
        (found,) = (each for each in self.sittings() if each.number == number)
        return found

    def append(self, session: int, number: int, entry: Entry, wall_s: float) -> None:
        """Write event *number* (from 0) of *session*; it is on disk when this returns.

        Raises:
            JournalError: it is not on disk, and must not take effect.
        """
        self.append_all(session, number, [(entry, "")], wall_s)

    def append_all(
        self,
        session: int,
        number: int,
        entries: Iterable[tuple[Entry, str]],
        wall_s: float,
        *,
        batch: int = 0,
        looks: Sequence[str] = (),
        forget_looks: bool = False,
    ) -> None:
        """Write events from *number* on, all of them or none; they are on disk when this returns.

        A session that is closed is sealed again, with the time of its end as it was.

        Args:
            session: its number.
            number: that of the first event, from 0.
            entries: each event, and why it is only assumed: empty where it was seen or said.
            wall_s: when it happened, in seconds since 1970.
            batch: the same number for all events that together repair what was assumed; 0: none.
            looks: what was seen that led to them, in the words of a readings log.
            forget_looks: delete the looks before: a new hand begins.

        Raises:
            JournalError: nothing of it is on disk, and nothing may take effect.
        """
        with self._commit("what just happened") as db:
            before, sitting = _before(db, session, number), written(session)
            for place, (entry, assumed) in enumerate(entries, number):
                text = json.dumps(entry, separators=(",", ":"))
                more = written(assumed.encode(), batch)
                before = event_digest(before, sitting, place, wall_s, text.encode(), more)
                row = (session, place, float(wall_s), text, assumed, batch, before)
                db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            if forget_looks:
                db.execute("DELETE FROM looks WHERE sitting = ?", (session,))
            query = "SELECT count(*) FROM looks WHERE sitting = ?"
            seen = db.execute(query, (session,)).fetchone()[0] if looks else 0
            for place, line in enumerate(looks, seen):
                sealed = look_digest((session, place, line.encode()))
                db.execute("INSERT INTO looks VALUES (?, ?, ?, ?)", (session, place, line, sealed))
            _seal_again(db, session)

    def end(self, session: int, wall_s: float, summary: str = "") -> None:
        """Mark *session* as closed, and keep its *summary* if there is one.

        Raises:
            JournalError: it is not on disk; the session goes on.
        """
        with self._commit("the end of the sitting") as db:
            count, before = last_event(db, session)
            db.execute(
                "UPDATE sittings SET closed = ?, sealed = ? WHERE number = ?",
                (wall_s, seal(before, count, wall_s), session),
            )
            if summary:
                program = program_version()
                fields = (before, session, count, program.encode(), summary.encode())
                db.execute(
                    "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?)",
                    (session, count, program, summary, digest(b"summary", *fields)),
                )

    def note(
        self, kind: str, body: Mapping[str, Any], wall_s: float, sitting: int | None = None
    ) -> None:
        """Write a note; see :class:`Note`.

        Raises:
            JournalError: it is not on disk.
        """
        with self._commit("a note") as db:
            number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM notes").fetchone()[0]
            add_note(db, number, wall_s, sitting, kind, json.dumps(dict(body)))

    def erase(self, wanted: Erasure, wall_s: float) -> Erased:
        """Erase a name or whole sittings; nothing of it stays in the file or its log.

        Raises:
            JournalError: the disk refuses; run it again.
        """
        db = self._connection()
        try:
            # Were it there after a power cut, the journal would look like another one.
            path_of(self.path).unlink(missing_ok=True)
            settle(self.path.parent)
            done = erase_rows(db, wanted, wall_s)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except (sqlite3.Error, OSError) as problem:
            raise refusal(self.path, "cannot be erased from", problem) from problem
        self._found = Contents(self.path, db, SCHEMA_VERSION, writing=True)
        self._write_last()
        return done

    def ask(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Return what *question* finds in the open database.

        Raises:
            JournalError: the journal cannot be read.
        """
        try:
            return question(self._connection())
        except sqlite3.Error as problem:
            raise refusal(self.path, "cannot be read", problem) from problem

    # Inside

    @contextlib.contextmanager
    def _commit(self, what: str) -> Iterator[sqlite3.Connection]:
        """Run one transaction, which is on disk whole or not at all."""
        db = self._connection()
        self._contents().take_over({})
        try:
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except BaseException as problem:
            if db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            if not isinstance(problem, sqlite3.Error):
                raise
            fault = fault_of(problem, self.path)
            if fault is None:
                raise JournalError(
                    f"{what} could not be written to {self.path} ({problem}); "
                    "nothing before it is lost; run: boneace doctor"
                ) from problem
            raise JournalError(
                f"{fault.reason}, {what} was not written down, nothing before it is lost; "
                f"{fault.cure(self.path)}"
            ) from problem
        self._write_last()

    def _write_last(self) -> None:
        """Write the file beside the journal, after a commit and without waiting for the disk."""
        db = self._connection()
        try:
            found = db.execute("SELECT max(number), closed IS NOT NULL FROM sittings").fetchone()
            sitting, closed = found[0] or 0, bool(found[1])
            count, before = last_event(db, sitting) if sitting else (0, b"")
            notes = db.execute("SELECT number, digest FROM notes ORDER BY number DESC LIMIT 1")
            number, note = notes.fetchone() or (0, b"")
            write_last(self.path, Last(sitting, count, before.hex(), closed, number, note.hex()))
        except (sqlite3.Error, OSError) as problem:
            # What was committed is on the disk all the same.
            log.warning("%s.last: cannot be written (%s); check the disk", self.path, problem)

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(f"{self.path}: the journal is closed; open it again")
        return self._db

    def _open(self) -> None:
        self._lock = WriterLock(self.path)
        finish(self.path)
        notices, read = recover(self.path)
        self.notices.extend(notices)
        self._db = self._opened.enter_context(contextlib.closing(connect(self.path)))
        prepare(self._db, self.path)
        self._lock.hold()  # now the file is there, or another one than before
        self._found = Contents(self.path, self._db, SCHEMA_VERSION, writing=True)
        self._found.take_over(read)
        self._write_last()


def _seal_again(db: sqlite3.Connection, sitting: int) -> None:
    """Seal a sitting that is closed with the events it has now; its summary is of fewer."""
    query = "SELECT closed FROM sittings WHERE number = ?"
    closed = db.execute(query, (sitting,)).fetchone()[0]
    if closed is not None:
        count, before = last_event(db, sitting)
        sealed = seal(before, count, closed)
        db.execute("UPDATE sittings SET sealed = ? WHERE number = ?", (sealed, sitting))
        db.execute("DELETE FROM summaries WHERE sitting = ?", (sitting,))


def _before(db: sqlite3.Connection, sitting: int, number: int) -> bytes:
    """Return the digest that the one of event *number* follows."""
    count, before = last_event(db, sitting)
    if count != number:
        raise sqlite3.IntegrityError(f"event {number} cannot follow on {count} events")
    return before

"""The journal: every event is on disk before it takes effect."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.ports import Closing
from device.storage.atomic_file import settle
from device.storage.journal.chain import (
    digest,
    event_digest,
    look_digest,
    seal,
    written,
)
from device.storage.journal.contents import Contents, Damage, StoredEvent, StoredSitting
from device.storage.journal.erase_rows import Erased, Erasure, counts_of, ends_of, erase_rows
from device.storage.journal.errors import JournalError, fault_of, refusal
from device.storage.journal.last_file import Last, path_of, write_last
from device.storage.journal.lock import WriterLock, refuse_device
from device.storage.journal.reading import contents_of
from device.storage.journal.recovery import is_cut_off, recover
from device.storage.journal.restoring import check_finished, finish
from device.storage.journal.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    add_note,
    add_sitting,
    connect,
    last_event,
    prepare,
)
from device.version import program_version
from engine.table.hand import EDITION

__all__ = [
    "APPLICATION_ID",
    "SCHEMA_VERSION",
    "Entry",
    "Journal",
    "JournalError",
    "SessionRecord",
    "default_folder",
    "default_path",
]

log = logging.getLogger(__name__)

Entry = Mapping[str, Any]
"""One event as a record, as :func:`engine.event_to_dict` writes it."""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as it was opened: the game, its rules and its players.

    Attributes:
        number: counted from 1; 0 before the journal has given one.
        players: one mapping a player with ``seat``, ``name`` and perhaps ``age``.
        dealer: the first dealer; ``None`` when the players cut for it.
        bones: the taught set of bones on the table; empty where none was named.
        rules: the version of the rules that judges it; 1 is what 0.1 played.
        settings: of the table, not of the game: what a token is worth, open cards; ready for JSON.
    """

    game: str
    preset: str
    options: Mapping[str, object]
    players: tuple[Mapping[str, object], ...]
    dealer: int | None = None
    started: float = 0.0
    number: int = 0
    closed: float | None = None
    bones: str = ""
    rules: int = EDITION
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """What happened to the table and is no event of a game.

    Attributes:
        number: counted from 1.
        wall_s: seconds since 1970.
        kind: ``wager``, ``settings``, ``salvaged`` or ``erased``.
        body: ready for JSON.
        sitting: ``None`` where it is about none in particular.
    """

    number: int
    wall_s: float
    kind: str
    body: Mapping[str, Any]
    sitting: int | None = None


def default_folder() -> Path:
    """Return where the journal lives: the service's state folder, or the user's own."""
    service = os.environ.get("STATE_DIRECTORY")
    if service:
        # systemd separates several folders by colons; the first is ours.
        return Path(service.split(":")[0])
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "boneace"


def default_path() -> Path:
    """Return the journal's own file."""
    return default_folder() / "journal.sqlite3"


class Journal(Closing):
    """Sessions and their events in one SQLite file, with one writer at a time.

    Attributes:
        path: the file.
        notices: what opening it had to do, in sentences for the screen; usually none.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open *path*, and create it where it is missing.

        Raises:
            JournalError: another boneace writes to it, it is not ours, it is newer than this
                program, or the disk refuses; the message says what to do.
        """
        self.path = path
        self.notices: list[str] = []
        refuse_device(path)
        self._lock: WriterLock | None = None
        self._db: sqlite3.Connection | None = None
        self._found: Contents | None = None
        self._opened = contextlib.ExitStack()
        try:
            if read_only:
                self._open_to_read()
            else:
                self._open_to_write()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file and let the next writer in; may be called twice."""
        self._db = self._found = None
        self._opened.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # Writing

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

    def known_times(self) -> list[float]:
        """Return when each sitting ended and each note was written, oldest first.

        Raises:
            JournalError: the journal cannot be read.
        """
        with self._asking() as db:
            return ends_of(db)

    def has_ended_before(self, wall_s: float) -> bool:
        """Return whether a sitting ended before.

        Raises:
            JournalError: the journal cannot be read.
        """
        with self._asking() as db:
            sittings, _, oldest = counts_of(db)
            return sittings > 0 and oldest < wall_s

    @contextlib.contextmanager
    def _asking(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection()
        except sqlite3.Error as problem:
            raise refusal(self.path, "cannot be read", problem) from problem

    # Reading

    @property
    def damage(self) -> Sequence[Damage]:
        """What was found damaged by all that was read so far.

        Raises:
            JournalError: the journal is closed.
        """
        return tuple(self._contents().damage)

    def sittings(self) -> tuple[SessionRecord, ...]:
        """Return all sessions, oldest first, without those whose row is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = []
        for row in self._contents().sittings():
            try:
                found.append(_session(row))
            except _NO_JSON as problem:
                self._contents().tell(f"cannot be read ({problem})", row.number)
        return tuple(found)

    def unfinished(self) -> SessionRecord | None:
        """Return the last session if it is not closed."""
        last = self.sittings()[-1:]
        return last[0] if last and last[0].closed is None else None

    def stored(self, session: int) -> list[StoredEvent]:
        """Return the sound events of *session*, up to the first damaged one: see :attr:`damage`.

        Raises:
            JournalError: the journal cannot be read.
        """
        row = self._contents().sitting(session)
        return [] if row is None else self._contents().events(row)

    def summary(self, session: int) -> bytes | None:
        """Return the summary of *session*; ``None`` unless it is sound and can be trusted.

        It must be of all its events, and of this version of the program.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().summary(session, program_version())

    def has_events(self, session: int) -> bool:
        """Return whether anything has happened in *session*.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().has_events(session)

    def check(self) -> Sequence[Damage]:
        """Read everything, and return what is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().check()

    def events(self, session: int) -> tuple[tuple[float, dict[str, Any]], ...]:
        """Return what :meth:`stored` does, each event with its wall time and nothing more.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = []
        for number, each in enumerate(self.stored(session)):
            try:
                found.append((each.time, each.entry()))
            except _NO_JSON as problem:
                since = found[-1][0] if found else None
                self.tell(f"event {number} is no event ({problem})", session, number, since)
                break
        return tuple(found)

    def looks(self, session: int) -> list[str]:
        """Return what was seen in the hand in play of *session*.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._contents().looks(session)

    def notes(self) -> tuple[Note, ...]:
        """Return all sound notes, oldest first.

        Raises:
            JournalError: the journal cannot be read.
        """
        found = []
        for each in self._contents().notes():
            try:
                body = json.loads(each.body)
                found.append(Note(each.number, each.time, each.kind.decode(), body, each.sitting))
            except _NO_JSON as problem:
                self._contents().tell(f"note {each.number} cannot be read ({problem})")
        return tuple(found)

    def tell(self, what: str, session: int, event: int, since: float | None) -> None:
        """Add to :attr:`damage` what a reader of :meth:`stored` found wrong with *event*.

        Args:
            what: what is wrong, in half a sentence.
            session: its number.
            event: the first that cannot be used, from 0.
            since: when the last one before it happened, in seconds since 1970.

        Raises:
            JournalError: the journal is closed.
        """
        self._contents().tell(what, session, event, since)

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

    def _contents(self) -> Contents:
        if self._found is None:
            raise JournalError(f"{self.path}: the journal is closed; open it again")
        return self._found

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(f"{self.path}: the journal is closed; open it again")
        return self._db

    def _open_to_read(self) -> None:
        check_finished(self.path)
        try:
            cut_off, there = is_cut_off(self.path), self.path.is_file()
        except OSError as problem:
            raise refusal(self.path, "cannot be read", problem) from problem
        if cut_off:
            raise JournalError(
                f"{self.path}: the journal was damaged and its salvage was cut off; boneace play "
                "will finish it"
            )
        if not there:
            raise JournalError(
                f"{self.path}: there is no journal yet; play a hand first, or name one "
                "with --journal"
            )
        self._found = self._opened.enter_context(contents_of(self.path))

    def _open_to_write(self) -> None:
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


def _before(db: sqlite3.Connection, sitting: int, number: int) -> bytes:
    """Return the digest that the one of event *number* follows."""
    count, before = last_event(db, sitting)
    if count != number:
        raise sqlite3.IntegrityError(f"event {number} cannot follow on {count} events")
    return before


_NO_JSON = (ValueError, TypeError, RecursionError)
"""Errors of damaged JSON."""


def _session(row: StoredSitting) -> SessionRecord:
    chosen, seated, settings = map(json.loads, (row.options, row.players, row.settings))
    if not isinstance(chosen, dict) or not isinstance(seated, list):
        raise ValueError(f"options {chosen!r} and players {seated!r} are none")
    if not all(isinstance(player, dict) for player in seated):
        raise ValueError(f"{seated!r} are no players")
    return SessionRecord(
        row.game.decode(),
        row.preset.decode(),
        chosen,
        tuple(seated),
        row.dealer,
        row.started,
        row.number,
        row.closed,
        row.bones.decode(),
        row.rules,
        settings,
    )

"""The journal: every event is on disk before it takes effect."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.ports import Closing
from device.storage.errors import JournalError, fault_of, refusal
from device.storage.lock import WriterLock, refuse_device
from device.storage.reading import is_damaged, reading
from device.storage.recovery import is_cut_off, recover
from device.storage.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    bones_column,
    check_ours,
    connect,
    prepare,
)

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
        self._db = None
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
            cursor = db.execute(
                "INSERT INTO sittings (started, game, preset, options, players, dealer, bones)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    session.started,
                    session.game,
                    session.preset,
                    json.dumps(dict(session.options)),
                    json.dumps([dict(player) for player in session.players]),
                    session.dealer,
                    session.bones,
                ),
            )
        for found in self.sittings():
            if found.number == cursor.lastrowid:
                return found
        raise JournalError(f"{self.path}: the new sitting is not there; run: boneace doctor")

    def append(self, session: int, number: int, entry: Entry, wall_s: float) -> None:
        """Write event *number* (from 0) of *session*; it is on disk when this returns.

        Raises:
            JournalError: it is not on disk, and must not take effect.
        """
        with self._commit("what just happened") as db:
            db.execute(
                "INSERT INTO events (sitting, number, time, event) VALUES (?, ?, ?, ?)",
                (session, number, wall_s, json.dumps(entry, separators=(",", ":"))),
            )

    def end(self, session: int, wall_s: float) -> None:
        """Mark *session* as closed.

        Raises:
            JournalError: it is not on disk; the session goes on.
        """
        with self._commit("the end of the sitting") as db:
            db.execute("UPDATE sittings SET closed = ? WHERE number = ?", (wall_s, session))

    # Reading

    def sittings(self) -> tuple[SessionRecord, ...]:
        """Return all sessions, oldest first, without those whose row is damaged.

        Raises:
            JournalError: the journal cannot be read.
        """
        rows = self._read(
            "SELECT game, preset, options, players, dealer, started, number, closed,"
            f" {bones_column(self._connection())} FROM sittings ORDER BY number"
        )
        found = []
        for row in rows:
            try:
                found.append(_session(row))
            except _NO_JSON as problem:
                # SQLite keeps no checksums: a flipped bit on the card may go unnoticed.
                log.warning(
                    "%s: sitting %s cannot be read (%s); its events are kept; check the memory "
                    "card",
                    self.path,
                    row[6],
                    problem,
                )
        return tuple(found)

    def unfinished(self) -> SessionRecord | None:
        """Return the last session if it is not closed."""
        last = self.sittings()[-1:]
        return last[0] if last and last[0].closed is None else None

    def events(self, session: int) -> tuple[tuple[float, dict[str, Any]], ...]:
        """Return the events of *session* in order, each with its wall time.

        Raises:
            JournalError: the journal cannot be read, or one of these events is damaged.
        """
        rows = self._read(
            "SELECT time, event FROM events WHERE sitting = ? ORDER BY number", (session,)
        )
        found = []
        for number, (at, text) in enumerate(rows):
            try:
                entry = json.loads(text)
                if not isinstance(entry, dict):
                    raise ValueError(f"{text!r} is no event")
                found.append((float(at), entry))
            except _NO_JSON as problem:
                raise JournalError(
                    f"{self.path}: event {number} of sitting {session} is damaged ({problem}); "
                    "what was before it is sound: check the memory card, then begin a new sitting "
                    "with: boneace play --new"
                ) from problem
        return tuple(found)

    # Inside

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection().execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as problem:
            writing = self._lock is not None
            raise refusal(self.path, "cannot be read", problem, writing=writing) from problem

    @contextlib.contextmanager
    def _commit(self, what: str) -> Iterator[sqlite3.Connection]:
        """Run one transaction, which is on disk whole or not at all."""
        db = self._connection()
        try:
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except sqlite3.Error as problem:
            if db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
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

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(f"{self.path}: the journal is closed; open it again")
        return self._db

    def _open_to_read(self) -> None:
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
        if is_damaged(self.path):
            raise JournalError(
                f"{self.path}: the journal is damaged; boneace play will put it aside and save "
                "what can be read"
            )
        self._db = self._opened.enter_context(reading(self.path))
        check_ours(self._db, self.path)

    def _open_to_write(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            cure = "choose another folder with --journal"
            raise refusal(self.path, "the journal cannot be kept here", problem, cure) from problem
        self._lock = WriterLock(self.path)
        notice = recover(self.path)
        if notice:
            self.notices.append(notice)
        self._db = self._opened.enter_context(contextlib.closing(connect(self.path)))
        prepare(self._db, self.path)
        self._lock.hold()  # now the file is there, or another one than before


_NO_JSON = (ValueError, TypeError, RecursionError)
"""Errors of damaged JSON."""


def _session(row: tuple[Any, ...]) -> SessionRecord:
    game, preset, options, players, dealer, started, number, closed, bones = row
    chosen, seated = json.loads(options), json.loads(players)
    if not isinstance(chosen, dict) or not isinstance(seated, list):
        raise ValueError(f"options {options!r} and players {players!r} are none")
    if not all(isinstance(player, dict) for player in seated):
        raise ValueError(f"{players!r} are no players")
    players = tuple(seated)
    return SessionRecord(game, preset, chosen, players, dealer, started, number, closed, bones)
